#include "jounce/analysis/run/work_quadrature.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "jounce/math/interpolation.hpp"

namespace jounce {
namespace {

/// Conditions of one polynomial at most: with nodes from before, and with those that are asked for within an interval before it is halved.
constexpr std::size_t kWithBefore = 10, kConditions = 16, kWithin = 6, kRemembered = 10;
/// Where a power has a kink that nobody knows of, halves of halves end here.
constexpr int kDeepest = 20;
/// What may be asked for: some in any case, and so many for every time that is known. A power that is all noise is not worth more.
constexpr long kAskedAnyway = 3000, kAskedEach = 100;
/// How far from each other nodes from before may be, in lengths of the interval.
constexpr double kFarthest = 8, kNearest = 0.1;
/// Where the power is asked for, in parts of an interval: the next is always far from those before and from the ends.
constexpr std::array<double, kWithin> kPlaces{0.5, 0.17, 0.83, 0.33, 0.67, 0.06};

static_assert(kConditions <= GrowingIntegral::kMostNodes);

// The same, of which less is known.
PowerAt upto(PowerAt power, int known) {
  power.known = known;
  return power;
}

}  // namespace

void WorkQuadrature::begin(double t, const PowerAt& power) {
  known_.assign(1, {t, power});
  work_ = spent_ = 0;
}

void WorkQuadrature::advance(double t, const PowerAt& power, double noise) {
  ++advances_;
  noise_ = noise;
  for (auto next = std::ranges::upper_bound(breaks_, known_.back().t); next != breaks_.end() && *next <= t; ++next) {
    const double before = std::nextafter(std::nextafter(*next, known_.back().t), known_.back().t);
    if (before > known_.back().t)
      if (const auto value = power_(before)) smooth({before, *value}, 0);
    const auto value = *next < t ? power_(*next) : std::optional(power);
    known_.assign(1, {*next, value.value_or(power)});
  }
  if (t > known_.back().t) smooth({t, power}, 0);
}

void WorkQuadrature::remember(const Node& node) {
  known_.push_back(node);
  if (known_.size() > kRemembered) known_.erase(known_.begin(), known_.end() - static_cast<std::ptrdiff_t>(kRemembered));
}

// Over an interval in which nothing is known to jump.
void WorkQuadrature::smooth(const Node& to, int depth) {
  const Node from = known_.back();
  const double length = to.t - from.t;
  const bool affordable = asked_ < kAskedAnyway + kAskedEach * advances_;
  if (by_nodes(from, to, depth < kDeepest && affordable)) {
    if (!affordable) ++unsettled_;
    spent_ += 0.5 * length * (std::abs(from.power.value()) + std::abs(to.power.value()));
    for (const Node& node : between_) remember(node);
    return remember(to);
  }
  const double middle = from.t + 0.5 * length;
  const auto half = power_(middle);
  if (!half || !(middle > from.t && middle < to.t)) {
    work_ += 0.5 * length * (from.power.value() + to.power.value());
    known_.assign(1, to);
    return;
  }
  known_.assign(1, from);  // what lies before has not helped
  smooth({middle, *half}, depth + 1);
  smooth(to, depth + 1);
}

bool WorkQuadrature::by_nodes(const Node& from, const Node& to, bool ask) {
  const double length = to.t - from.t;
  between_.clear();
  GrowingIntegral found(from.t, to.t);
  (void)found.add(from.t, from.power.value());
  (void)found.add(to.t, to.power.value());
  const double allowed = accuracy_ * (spent_ + 0.5 * length * (std::abs(from.power.value()) + std::abs(to.power.value()))) + noise_;
  int settled = 0;
  bool done = false;
  const auto add = [&](const Node& node, int first, std::size_t most) {
    for (int k = first; k < node.power.known && !done && found.nodes() < most; ++k) {
      settled = std::abs(found.add(node.t, node.power.coefficient[static_cast<std::size_t>(k)], k)) <= allowed ? settled + 1 : 0;
      done = settled == 2;
    }
  };
  if (ask)
    for (int k = 1; k < PowerAt::kMost; ++k)
      for (const Node* node : {&from, &to})
        if (k < node->power.known && !done) add({node->t, upto(node->power, k + 1)}, k, kConditions);
  double nearest = from.t;
  const std::size_t before = known_.size() - 1;  // the last is `from`
  for (std::size_t i = 0; i < before && found.nodes() < kWithBefore && !done && ask; ++i) {
    const Node& node = known_[before - 1 - i];
    if (from.t - node.t > kFarthest * length) break;        // too far away to say much
    if (nearest - node.t < kNearest * length) continue;     // too close to another for more than its rounding
    nearest = node.t;
    add(node, 0, kWithBefore);
  }
  for (std::size_t i = 0; i < kWithin && found.nodes() < kConditions && !done && ask; ++i) {
    const double t = from.t + kPlaces[i] * length;
    const auto value = power_(t);
    ++asked_;
    if (!value) return false;
    between_.push_back({t, *value});
    add(between_.back(), 0, kConditions);
  }
  if (!done && ask) return false;
  std::ranges::sort(between_, {}, &Node::t);
  work_ += found.value();
  return true;
}

}  // namespace jounce
