#include "jounce/analysis/passage/crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/math/interpolation.hpp"

namespace jounce {
namespace {

constexpr int kNodes = Crossing::kNodes;
using Basis = std::array<double, kNodes + 1>;

static_assert(kGauss8.node.size() == kNodes);
/// A node is foretold from so many rates before it.
constexpr std::size_t kForetelling = 5;
constexpr int kMostRounds = 40;
/// Nodes that change by less, against 1 + their size, have settled; where they do not, so much more may be rounding.
constexpr double kSettled = 1e-14, kRounding = 1e-9;
/// A node that the constraints move by more is not on the way any more.
constexpr double kLongestMove = 0.1;
/// The end may differ from what the equations say there by so many times what the last term stands for.
constexpr double kEndSlack = 30;
/// Of the tolerance, between these bounds: what is lost on a way across is not made good again.
constexpr double kShare = 0.3, kFinest = 1e-10, kCoarsest = 1e-9;
constexpr double kShorter = 0.5;
/// The constraints may move a node by this part of what the last term stands for, and by that much, against the largest of the state or 1: ways that
/// come nearer to each other count as meeting.
constexpr double kOff = 0.01, kMeeting = 3e-10;

/// Legendre's polynomials at x.
Basis legendre(double x) {
  Basis p{1, x};
  for (std::size_t k = 1; k < kNodes; ++k) {
    const auto n = static_cast<double>(k);
    p[k + 1] = ((2 * n + 1) * x * p[k] - n * p[k - 1]) / (n + 1);
  }
  return p;
}

/// Their integrals from −1 to x.
std::array<double, kNodes> integrals(double x) {
  const Basis p = legendre(x);
  std::array<double, kNodes> out{x + 1};
  for (std::size_t k = 1; k < kNodes; ++k) out[k] = (p[k + 1] - p[k - 1]) / (2 * static_cast<double>(k) + 1);
  return out;
}

}  // namespace

Crossing::Crossing(ForwardMotion& motion, double tolerance, double middle) : motion_(motion), tolerance_(tolerance), middle_(middle) {}

double Crossing::node_time(int node) const { return middle_ + half() * kGauss8.node[z(node)]; }

bool Crossing::find(std::span<const Known> behind) {
  start_ = behind.back().y;
  previous_t_ = behind.back().t;
  t_ = middle_ + (middle_ - previous_t_);
  for (auto* values : {&slope_, &terms_})
    for (std::vector<double>& x : *values) x.assign(start_.size(), 0);
  rate_.resize(start_.size()), end_.resize(start_.size());
  if (!sweep(behind) || !settle_nodes() || !accurate()) return false;
  double last = 0, largest = 1;  // what the last term stands for
  for (std::size_t i = 0; i < start_.size(); ++i) {
    last = std::max(last, half() * std::abs(terms_[kNodes - 1][i]) / (2 * kNodes - 1));
    largest = std::max(largest, std::abs(start_[i]));
  }
  return off_ <= kOff * last + kMeeting * largest;
}

// Puts a state on the constraints and takes its rate.
bool Crossing::evaluate(int node, std::vector<double>& y) {
  ++evaluations_;
  const double t = node_time(node);
  const std::optional<double> moved = motion_.project(t, y);
  if (!moved || !(*moved <= kLongestMove)) return false;
  off_ = std::max(off_, *moved);
  return motion_.rate(t, y, slope_[z(node)]);
}

bool Crossing::sweep(std::span<const Known> behind) {
  std::vector<double> times;
  std::vector<std::vector<double>> rates;
  for (const Known& known : behind.last(std::min(behind.size(), kForetelling))) {
    times.push_back(known.t);
    rates.emplace_back(start_.size());
    if (!motion_.rate(known.t, known.y, rates.back())) return false;
  }
  std::vector<double> y = start_;
  for (int node = 0; node < kNodes; ++node) {
    const double t = node_time(node), from = times.back();
    const std::size_t used = std::min(times.size(), kForetelling), first = times.size() - used;
    const std::vector<double> weight = integral_weights(std::span(times).last(used), from, t);
    for (std::size_t k = 0; k < used; ++k)
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += weight[k] * rates[first + k][i];
    if (!evaluate(node, y)) return false;
    times.push_back(t);
    rates.push_back(slope_[z(node)]);
  }
  return true;
}

// The rates at the nodes, as a sum of Legendre's polynomials.
void Crossing::fit() {
  for (std::vector<double>& term : terms_) std::ranges::fill(term, 0.0);
  for (std::size_t node = 0; node < kNodes; ++node) {
    const Basis p = legendre(kGauss8.node[node]);
    for (std::size_t k = 0; k < kNodes; ++k) {
      const double factor = (static_cast<double>(k) + 0.5) * kGauss8.weight[node] * p[k];
      for (std::size_t i = 0; i < start_.size(); ++i) terms_[k][i] += factor * slope_[node][i];
    }
  }
}

bool Crossing::settle_nodes() {
  std::array<std::vector<double>, kNodes> last;
  double change_before = std::numeric_limits<double>::infinity();
  std::vector<double> y(start_.size());
  for (int round = 0; round < kMostRounds; ++round) {
    fit();
    off_ = 0;
    double change = 0;
    for (int node = 0; node < kNodes; ++node) {
      at(node_time(node), y);
      if (!evaluate(node, y)) return false;
      if (round > 0)
        for (std::size_t i = 0; i < y.size(); ++i) change = std::max(change, std::abs(y[i] - last[z(node)][i]) / size(i));
      last[z(node)] = y;
    }
    if (round == 0) continue;
    if (!std::isfinite(change)) return false;
    if (change <= kSettled || (change <= kRounding && change > 0.5 * change_before)) return fit(), true;
    if (round > 6 && change > change_before) return false;
    change_before = change;
  }
  return false;
}

double Crossing::shorter() const {
  return excess_ > 1 ? std::clamp(std::pow(excess_, -1.0 / kNodes), kShorter / 2, 0.9) : kShorter;
}

// By the last term, and by what the equations say at the end.
bool Crossing::accurate() {
  at(t_, end_);
  const std::optional<double> moved = motion_.project(t_, end_);
  if (!moved || !(*moved <= kLongestMove) || !motion_.rate(t_, end_, rate_)) return false;
  for (std::size_t i = 0; i < start_.size(); ++i) {
    double there = 0;
    for (const std::vector<double>& term : terms_) there += term[i];  // Legendre's polynomials are 1 at the end
    const double allowed = std::clamp(kShare * tolerance_, kFinest, kCoarsest) * size(i) * (2 * kNodes - 1) / half();
    excess_ = std::max({excess_, std::abs(terms_[kNodes - 1][i]) / allowed, std::abs(there - rate_[i]) / (kEndSlack * allowed)});
  }
  return excess_ <= 1;
}

bool Crossing::dense(double t, std::span<double> y) {
  if (t >= t_) std::ranges::copy(end_, y.begin());
  else at(t, y);
  return true;
}

void Crossing::at(double t, std::span<double> y) const {
  const std::array<double, kNodes> weight = integrals((t - middle_) / half());
  std::ranges::copy(start_, y.begin());
  for (std::size_t k = 0; k < kNodes; ++k)
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += half() * weight[k] * terms_[k][i];
}

}  // namespace jounce
