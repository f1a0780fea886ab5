// What a program reads: summaries as JSON on standard output.
#pragma once

#include "jounce/api/json.hpp"

namespace jounce::app {

/// On standard output; what is not a number or not Unicode becomes null or a replacement character.
void print_json(const Json& json);

}  // namespace jounce::app
