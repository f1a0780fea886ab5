#include "last_resort.hpp"

namespace jounce::app {

struct LastResort::Watch {};

LastResort::LastResort(std::function<void()> /*end*/) {}  // NOLINT(performance-unnecessary-value-param): as where there are threads
LastResort::~LastResort() = default;

}  // namespace jounce::app
