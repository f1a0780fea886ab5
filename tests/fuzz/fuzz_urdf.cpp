// Any bytes as a robot in URDF: a model or errors with their places, never a crash; a model that was made builds or says why not.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "jounce/io/urdf/urdf.hpp"
#include "jounce/space/mechanism.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool floating : {false, true}) {
    const auto model = jounce::parse_urdf(text, "nowhere/fuzz.urdf", {.floating_base = floating, .keep_fixed = floating});
    if (model.ok() == jounce::any_error(model.problems())) std::abort();
    for (const jounce::Problem& problem : model.problems())
      if (problem.sentence.empty()) std::abort();
    if (!model) continue;
    const auto built = jounce::build_space(*model);
    if (built.ok() == jounce::any_error(built.problems())) std::abort();
  }
  return 0;
}
