// Timings: ./dev bench [NAME]
#include <cstdio>
#include <string_view>

#include "benchmarks.hpp"

namespace {

struct Benchmark {
  const char* name;
  void (*run)();
};
constexpr Benchmark kBenchmarks[] = {
    {"kinematics", bench_kinematics}, {"andrews", bench_andrews}, {"fourbars", bench_fourbars}, {"stiff", bench_stiff}};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  bool found = false;
  for (const Benchmark& benchmark : kBenchmarks) {
    if (!wanted.empty() && wanted != benchmark.name) continue;
    if (wanted.empty()) std::printf("%s== %s\n\n", found ? "\n" : "", benchmark.name);
    found = true;
    benchmark.run();
  }
  if (found) return 0;
  std::fprintf(stderr, "jounce_bench: unknown benchmark '%s' (there are:", argv[1]);
  for (const Benchmark& benchmark : kBenchmarks) std::fprintf(stderr, " %s", benchmark.name);
  std::fprintf(stderr, ")\n");
  return 2;
}
