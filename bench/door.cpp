// What the Python package is held against: the same calls from C++. bench/python_door.py runs both in turns.
#include <cstdio>
#include <cstdlib>
#include <jounce/jounce.hpp>
#include <jounce/tree.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks.hpp"
#include "measure.hpp"

namespace {

jounce::Mechanism loaded(const char* name) {
  auto mechanism = jounce::load(std::string(JOUNCE_SOURCE_DIR "/models/") + name + "/model.toml");
  if (!mechanism) std::puts(jounce::text(mechanism.problems()).c_str()), std::exit(1);
  return *std::move(mechanism);
}

}  // namespace

void bench_door() {
  const jounce::Mechanism plane = loaded("quick-return"), arm = loaded("seven-joint-arm");
  const jounce::Options one{.times = {0.0}};
  const double call = time_of([&] { (void)jounce::kinematics(plane, one); }, 0.05, 30);

  constexpr int kStates = 100'000;
  const jounce::tree::Tree& tree = *jounce::tree_of(arm);
  std::mt19937 chance(1);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<double> q(static_cast<std::size_t>(tree.dofs()) * kStates), v(q), tau(q), qdd(q);
  for (auto* numbers : {&q, &v, &tau})
    for (double& x : *numbers) x = any(chance);
  jounce::tree::Batch batch(tree, static_cast<int>(std::thread::hardware_concurrency()));
  const double all = time_of([&] { (void)batch.aba(kStates, q.data(), v.data(), tau.data(), qdd.data()); });
  std::printf("kinematics of the quick return, one sample        %8.2f us\n", 1e6 * call);
  std::printf("aba of the seven-joint arm, batch of 100000 states %8.2f ms\n", 1e3 * all);
}
