#include "json.hpp"

#include "terminal.hpp"

namespace jounce::app {

void print_json(const Json& json) { print(json_text(json) + '\n'); }

}  // namespace jounce::app
