// Timings: ./dev bench [NAME [ARGUMENT]]
#include <cstdio>
#include <string_view>

#include "benchmarks.hpp"

namespace {

// What a benchmark is given: the word behind its name, or null.
struct Benchmark {
  const char* name;
  void (*run)(const char* argument);
};
template <void (*run)()>
constexpr void alone(const char*) {
  run();
}
constexpr Benchmark kBenchmarks[] = {{"kinematics", alone<bench_kinematics>},
                                     {"andrews", alone<bench_andrews>},
                                     {"fourbars", alone<bench_fourbars>},
                                     {"loops", alone<bench_loops>},
                                     {"stiff", alone<bench_stiff>},
                                     {"space", alone<bench_space>},
                                     {"expressions", alone<bench_expressions>},
                                     {"door", alone<bench_door>},
                                     {"studio", alone<bench_studio>},
                                     {"trees", bench_trees},
                                     {"formulations", bench_formulations}};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  bool found = false;
  for (const Benchmark& benchmark : kBenchmarks) {
    if (!wanted.empty() && wanted != benchmark.name) continue;
    if (wanted.empty()) std::printf("%s== %s\n\n", found ? "\n" : "", benchmark.name);
    found = true;
    benchmark.run(argc > 2 ? argv[2] : nullptr);
  }
  if (found) return 0;
  std::fprintf(stderr, "jounce_bench: unknown benchmark '%s' (there are:", argv[1]);
  for (const Benchmark& benchmark : kBenchmarks) std::fprintf(stderr, " %s", benchmark.name);
  std::fprintf(stderr, ")\n");
  return 2;
}
