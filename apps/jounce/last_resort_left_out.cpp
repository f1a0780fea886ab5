#include "last_resort.hpp"

namespace jounce::app {

struct LastResort::Watch {};

LastResort::LastResort(std::function<void()> /*end*/) {}
LastResort::~LastResort() = default;

}  // namespace jounce::app
