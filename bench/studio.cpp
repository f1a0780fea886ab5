// What the studio's page is held against: the same questions to the library itself. bench/studio.mjs asks both in turns.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <jounce/jounce.hpp>
#include <string>

#include "benchmarks.hpp"
#include "measure.hpp"

void bench_studio() {
  std::ifstream file(JOUNCE_SOURCE_DIR "/models/watt-six-bar/model.toml");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto mechanism = jounce::Mechanism::from_text(text, "model.toml");
  if (!mechanism) std::puts(jounce::text(mechanism.problems()).c_str()), std::exit(1);
  const auto run = [&](const jounce::Mechanism& m) { return jounce::inverse(m, {.to = 1, .steps = 360}); };
  const double cycle = time_of([&] { (void)run(*mechanism); });
  const double study = time_of([&] {
    const auto m = jounce::Mechanism::from_text(text, "model.toml");
    (void)jounce::check(*m);
    (void)jounce::report_document(*m, run(*m));
  });
  std::printf("six-bar, 361 rows to snap with reactions %8.3f ms\n", 1e3 * cycle);
  std::printf("read, checked, run and told for drawing  %8.3f ms\n", 1e3 * study);
}
