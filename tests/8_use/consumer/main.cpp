#include <cstdio>
#include <jounce/jounce.hpp>

int main(int, char** arguments) {
  const auto mechanism = jounce::load(arguments[1]);  // models/quick-return/model.toml
  if (!mechanism) return std::puts(jounce::text(mechanism.problems()).c_str()), 2;
  const auto run = jounce::kinematics(*mechanism, {.to = 1, .steps = 4});
  if (!run.outcome.done()) return std::puts(jounce::text(run.problems).c_str()), 1;
  std::printf("%.6f\n", *run.results.at(1, "lever.jphi"));  // the lever's jerk at t = 0.25 s
}
