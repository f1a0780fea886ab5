// In place of helpers.cpp where there are no threads.
#include <utility>

#include "jounce/tree/helpers.hpp"

namespace jounce::tree {

struct Helpers::Threads {
  std::size_t shares;
  std::function<void(std::size_t)> work;
};

Helpers::Helpers(std::size_t shares, std::function<void(std::size_t)> work)
    : threads_(std::make_unique<Threads>(Threads{shares, std::move(work)})) {}
Helpers::~Helpers() = default;

void Helpers::run() {
  for (std::size_t k = 0; k < threads_->shares; ++k) threads_->work(k);
}

void Helpers::alone(const std::function<void()>& what) { what(); }

}  // namespace jounce::tree
