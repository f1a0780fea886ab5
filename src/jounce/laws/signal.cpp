#include "jounce/laws/signal.hpp"

#include <cstdio>

namespace jounce::laws {

void Signal::add_friction(double amplitude, double speed, const std::vector<std::string>& variables) {
  if (speed == 0) dry_friction = amplitude;
  if (!(amplitude > 0) || !(speed > 0)) return;
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "%.17g*tanh(%s/%.17g)", amplitude, variables[1].c_str(), speed);
  laws.push_back({*Expression::parse(text.data(), {{}, variables})});
}

}  // namespace jounce::laws
