#include "jounce/api/version.hpp"

namespace jounce {

std::string_view version() { return JOUNCE_VERSION; }

std::string missing_instructions() {
  std::string out;
  [[maybe_unused]] const auto need = [&](bool there, const char* name) {
    if (!there) out.append(out.empty() ? "" : ", ").append(name);
  };
#ifdef __AVX2__
  need(__builtin_cpu_supports("avx2") != 0, "AVX2");
#endif
#ifdef __FMA__
  need(__builtin_cpu_supports("fma") != 0, "FMA");
#endif
#ifdef __AVX512F__
  need(__builtin_cpu_supports("avx512f") != 0, "AVX-512F");
#endif
#ifdef __AVX512VL__
  need(__builtin_cpu_supports("avx512vl") != 0, "AVX-512VL");
#endif
  return out;
}

}  // namespace jounce
