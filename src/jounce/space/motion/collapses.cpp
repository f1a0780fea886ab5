#include "jounce/space/motion/collapses.hpp"

#include "jounce/space/motion/strut_motion.hpp"
#include "jounce/space/size.hpp"

namespace jounce {
namespace {

/// A spring shorter than this, in mechanism sizes, has no direction that could be told.
constexpr double kNoLength = 1e-9;
constexpr int kHalvings = 200;

}  // namespace

Collapses::Collapses(const SpaceMechanism& mechanism) : size_(length_scale(mechanism)) {
  for (const SpaceForce& force : mechanism.forces)
    if (const auto strut = tree::strut_of(force.law); strut && strut->needs_a_line) springs_.push_back({&force, *strut});
}

// Its length times the rate of it.
double Collapses::growth(const Spring& spring, const SpaceEquations& at) {
  const StrutMotion seen = motion_of(spring.strut, at);
  return dot(seen.apart, seen.velocity);
}

std::optional<Collapses::Found> Collapses::first(double from, double to, const SpaceEquations& at, const Move& move, const Move& ending) {
  std::vector<double> before = growth_;
  if (before.empty() || end_ != from) {
    if (!move(from)) return std::nullopt;
    before.clear();
    for (const Spring& spring : springs_) before.push_back(growth(spring, at));
  }
  growth_.clear();
  if (!ending(to)) return std::nullopt;
  for (const Spring& spring : springs_) growth_.push_back(growth(spring, at));
  end_ = to;
  std::optional<Found> out;
  for (std::size_t s = 0; s < springs_.size(); ++s) {
    if (!(before[s] < 0 && growth_[s] > 0)) continue;
    if (const auto t = shortest(springs_[s], from, to, at, move); t && (!out || *t < out->t)) out = Found{*t, springs_[s].force};
  }
  return out;
}

// Where it is shortest, if it has no length there. As soon as it cannot shrink to nothing in the time that is left, that is all.
std::optional<double> Collapses::shortest(const Spring& spring, double from, double to, const SpaceEquations& at, const Move& move) const {
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = from + (to - from) / 2;
    if (!(middle > from && middle < to) || !move(middle)) break;
    const StrutMotion here = motion_of(spring.strut, at);
    if (length(here.apart) <= kNoLength * size_) return middle;
    if (length(here.apart) > 4 * length(here.velocity) * (to - from)) return std::nullopt;
    (dot(here.apart, here.velocity) < 0 ? from : to) = middle;
  }
  return std::nullopt;
}

}  // namespace jounce
