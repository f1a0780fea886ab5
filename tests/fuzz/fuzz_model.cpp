// Any bytes as a model file: the reader and the builders of plane and space answer with a mechanism or with errors, never with a crash.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "jounce/io/read_model.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/space/mechanism.hpp"

namespace {

template <class Built>
void look_at(const Built& built) {
  if (built.ok() == jounce::any_error(built.problems())) std::abort();
  for (const jounce::Problem& problem : built.problems())
    if (problem.sentence.empty() || problem.file.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const jounce::ReadModel read = jounce::parse_model(text, "nowhere/fuzz.toml");
  for (const jounce::Problem& problem : read.problems)
    if (problem.where.line < 1 || problem.where.column < 1 || problem.sentence.empty()) std::abort();
  if (read.model.space == jounce::Space::plane) look_at(jounce::build_plane(read.model));
  else look_at(jounce::build_space(read.model));
  return 0;
}
