#include <exception>
#include <new>

#include "arguments.hpp"
#include "commands.hpp"
#include "terminal.hpp"

int main(int argc, char** argv) {
  using namespace jounce::app;
  prepare_streams();
  try {
    return finish_output(run_command_line(argc, argv));
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& e) {
    complain(e.what());
  }
  return finish_output(kIncomplete);
}
