// What a program reads: summaries as JSON on standard output.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce::app {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json to_json(const Problems& problems);
[[nodiscard]] Json to_json(const Outcome& outcome);
[[nodiscard]] Json to_json(const std::vector<Event>& events);

/// On standard output; what is not a number or not Unicode becomes null or a replacement character.
void print_json(const Json& json);

}  // namespace jounce::app
