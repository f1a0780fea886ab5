// jounce schema: the JSON Schema of the model file.
#include "commands.hpp"
#include "jounce/io/schema.hpp"
#include "terminal.hpp"

namespace jounce::app {

int command_schema() {
  print(model_schema() + '\n');
  return kDone;
}

}  // namespace jounce::app
