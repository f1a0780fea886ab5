#include "measure.hpp"

#include <cstdio>
#include <cstdlib>
#include <jounce/io/load.hpp>
#include <new>
#include <string>

namespace {

long allocated = 0;

jounce::PlaneMechanism value_or_exit(jounce::Result<jounce::PlaneMechanism> mechanism) {
  if (!mechanism) std::puts(jounce::text(mechanism.problems()).c_str()), std::exit(1);
  return *std::move(mechanism);
}

}  // namespace

void* operator new(std::size_t size) {
  ++allocated;
  if (void* p = std::malloc(size)) return p;
  std::abort();
}
void* operator new(std::size_t size, std::align_val_t align) {
  ++allocated;
  const auto a = static_cast<std::size_t>(align);
  if (void* p = std::aligned_alloc(a, (size + a - 1) / a * a)) return p;
  std::abort();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

long allocations() { return allocated; }

jounce::PlaneMechanism built(const jounce::Model& model) { return value_or_exit(jounce::build_plane(model)); }

jounce::PlaneMechanism shipped_model(const char* name) {
  return value_or_exit(jounce::load_plane(std::string(JOUNCE_SOURCE_DIR "/models/") + name + "/model.toml"));
}
