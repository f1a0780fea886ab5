#include "text_file.hpp"

#include <fmt/format.h>

#include <csignal>

#include "terminal.hpp"

namespace jounce::app {

std::optional<WriteFailure> write_text(const std::string& path, std::string_view text, Existing existing) {
  std::optional<WriteFailure> failure;
  bool asked = false;
  {
    const Interrupt held;
    failure = write_file(path, text, existing);
    asked = Interrupt::asked();
  }
  if (asked) std::raise(SIGINT);
  return failure;
}

std::string cannot_write(const std::string& path, const WriteFailure& failure) {
  return fmt::format("cannot write '{}': {}", path, failure.reason);
}

}  // namespace jounce::app
