#include "jounce/math/extreme_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "jounce/math/bracketed_root.hpp"

namespace jounce {
namespace {

/// Samples of a polynomial, and of those that are remembered.
constexpr std::size_t kNodes = 5, kRemembered = 8;
/// Where a stretch begins it is sampled here, in parts of the first interval: evenly enough for a polynomial, unevenly enough to tell an oscillation from a constant.
constexpr std::array<double, kNodes - 2> kFirst{0.27, 0.52, 0.79};
/// Of the differences between its samples: a polynomial that one sample less would change by more than this says nothing.
constexpr double kRough = 1e-3;
constexpr double kByChance = 0.1;
/// A slope that is so many times what one sample less would change has its sign.
constexpr double kSure = 4;
/// An interval is divided so many times at most, before what is left is searched without a polynomial.
constexpr int kDeepest = 6;
/// What may be asked for: some in any case, and so many for every sample. A function that is all noise is not worth more.
constexpr long kAskedAnyway = 2000, kAskedEach = 20;
/// Values to find one extreme: golden sections down to rounding take some 75.
constexpr int kMostSteps = 150;
/// Of an interval: nearer to each other two samples say nothing but their rounding, and an extreme is located.
constexpr double kApart = 1e-6;
/// Of a value: what more there is to gain is rounding.
constexpr double kGain = 1e-15;
/// Of the differences between its samples: a polynomial that is wrong by more at its vertex is not that of a smooth function.
constexpr double kForeseen = 1e-9;
/// An interval that is divided leaves no less of it on either side.
constexpr double kAside = 0.1;
constexpr double kGolden = 0.381966011250105;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

}  // namespace

/// Newton's, through the samples nearest to a place: the last one adds what tells how good it is.
class ExtremeSearch::Polynomial {
 public:
  /// Samples nearer than `apart` to one that is nearer to the place are left out.
  Polynomial(std::span<const Sample> from, double place, double apart) {
    double beyond = -1;  // how far from the place those are that were looked at
    const Sample* before = nullptr;
    while (count_ < kNodes) {
      const Sample* next = nullptr;
      for (const Sample& sample : from) {
        const double distance = std::abs(sample.t - place);
        if (distance < beyond || (distance == beyond && &sample <= before)) continue;
        if (next == nullptr || distance < std::abs(next->t - place)) next = &sample;
      }
      if (next == nullptr) return;
      before = next, beyond = std::abs(next->t - place);
      if (std::ranges::none_of(nodes(), [&](const Sample& s) { return std::abs(s.t - next->t) <= apart; })) add(*next);
    }
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::span<const Sample> nodes() const { return std::span(node_).first(count_); }

  /// Between the lowest and the highest of its samples.
  [[nodiscard]] double spread() const {
    const auto [least, most] = std::ranges::minmax(nodes(), {}, &Sample::y);
    return most.y - least.y;
  }

  struct Value {
    double y = 0, slope = 0, curvature = 0;
  };
  [[nodiscard]] Value at(double t) const {
    Value out;
    for (std::size_t i = count_; i-- > 0;) {
      const double h = t - node_[i].t;
      out.curvature = out.curvature * h + 2 * out.slope;
      out.slope = out.slope * h + out.y;
      out.y = out.y * h + coefficient_[i];
    }
    return out;
  }
  /// How much of it is not sure at t: what the last sample has changed, or a part of what the one before has, where the last says nothing by chance.
  [[nodiscard]] Value doubt(double t) const {
    const Value last = term(count_ - 1, t), before = term(count_ - 2, t);
    return {std::max(std::abs(last.y), kByChance * std::abs(before.y)), std::max(std::abs(last.slope), kByChance * std::abs(before.slope)), 0};
  }
  /// Where it is highest between two places: it rises from the one and falls to the other.
  [[nodiscard]] std::optional<double> vertex(double low, double high) const {
    const double rises = at(low).slope, falls = at(high).slope;
    if (!(rises > 0 && falls < 0)) return std::nullopt;
    return bracketed_root([this](double t) { return at(t).slope; }, low, rises, high, falls);
  }

 private:
  [[nodiscard]] Value term(std::size_t n, double t) const {
    double product = coefficient_[n], slope = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double h = t - node_[i].t;
      slope = slope * h + product;
      product *= h;
    }
    return {product, slope, 0};
  }
  void add(const Sample& sample) {
    double c = sample.y;
    for (std::size_t i = 0; i < count_; ++i) c = (c - coefficient_[i]) / (sample.t - node_[i].t);
    node_[count_] = sample, coefficient_[count_++] = c;
  }

  std::array<Sample, kNodes> node_{};
  std::array<double, kNodes> coefficient_{};
  std::size_t count_ = 0;
};

double ExtremeSearch::beyond_rounding() const { return best_ + rounding_ + 4 * kEpsilon * std::abs(best_); }

void ExtremeSearch::take(const Sample& sample) {
  if (!begun_) begun_ = true, best_ = sample.y, held_ = sample;
  best_ = std::max(best_, sample.y);
  if (sample.y > held_.y + rounding_ + 4 * kEpsilon * std::abs(held_.y)) held_ = sample;
}

void ExtremeSearch::begin(double t, double value) {
  known_.assign(1, {t, sign_ * value});
  take(known_.front());
}

std::optional<ExtremeSearch::Sample> ExtremeSearch::ask(double t, const At& at) {
  if (asked_ >= kAskedAnyway + kAskedEach * advances_) return unsettled_ = true, std::nullopt;
  ++asked_;
  const std::optional<double> value = at(t);
  if (!value) return std::nullopt;
  const Sample out{t, sign_ * *value};
  take(out);
  return out;
}

void ExtremeSearch::advance(double t, double value, double rounding, const At& at) {
  const Sample from = known_.back(), to{t, sign_ * value};
  ++advances_;
  rounding_ = rounding;
  take(to);
  if (known_.size() + 1 < kNodes) make_dense(from, to, at);
  known_.push_back(to);
  const auto first = std::ranges::find(known_, from.t, &Sample::t);
  const bool has_left = first != known_.begin();
  steps_.assign(has_left ? first - 1 : first, known_.end());  // looking adds to those that are known
  for (std::size_t k = has_left ? 1 : 0; k + 1 < steps_.size(); ++k) {
    look_between(steps_[k], steps_[k + 1], 0, at);
    if (k > 0) look_about(steps_[k - 1], steps_[k], steps_[k + 1], at);
  }
  if (known_.size() > kRemembered) known_.erase(known_.begin(), known_.end() - static_cast<std::ptrdiff_t>(kRemembered));
}

// Until there are enough for a polynomial.
void ExtremeSearch::make_dense(const Sample& from, const Sample& to, const At& at) {
  for (const double place : kFirst)
    if (known_.size() + 1 < kNodes)
      if (const auto sample = ask(from.t + place * (to.t - from.t), at)) known_.push_back(*sample);
}

// A sample that is so far below the best that all differences between the last ones together do not reach it.
bool ExtremeSearch::far_below(double y) const {
  double sum = 0;
  for (std::size_t k = 1; k < known_.size(); ++k) sum += std::abs(known_[k].y - known_[k - 1].y);
  return y + sum <= best_;
}

void ExtremeSearch::look_between(const Sample& low, const Sample& high, int depth, const At& at) {
  constexpr std::array<double, 3> kLook{0.25, 0.5, 0.75};
  const double length = high.t - low.t, middle = low.t + 0.5 * length;
  if (!(middle > low.t && middle < high.t) || far_below(std::max(low.y, high.y))) return;
  const Polynomial p(known_, middle, kApart * length);
  if (p.count() < 3) return;
  double top = std::max(low.y, high.y), doubt = 0;
  for (const double part : kLook) {
    const double t = low.t + part * length;
    doubt = std::max(doubt, p.doubt(t).y);
    top = std::max(top, p.at(t).y);
  }
  const std::optional<double> vertex = p.vertex(low.t, high.t);
  if (vertex) top = std::max(top, p.at(*vertex).y);
  if (!(top + doubt > beyond_rounding())) return;
  const bool rough = doubt > kRough * p.spread();
  // It rises all the way or falls, or has its lowest value between.
  if (!rough && (p.at(low.t).slope < -kSure * p.doubt(low.t).slope || p.at(high.t).slope > kSure * p.doubt(high.t).slope)) return;
  const bool inside = vertex && *vertex > low.t + kAside * length && *vertex < high.t - kAside * length;
  const double where = vertex && (inside || !rough) ? *vertex : middle;
  const auto between = ask(where, at);
  if (!between || between->t <= low.t || between->t >= high.t) return;
  if (!rough && vertex && between->y + std::abs(between->y - p.at(where).y) <= beyond_rounding()) {  // as was foreseen: there is no more to gain
    std::vector<Sample> near = known_;
    near.push_back(*between);
    return date(near, *between, low.t, high.t);
  }
  if ((!rough && between->y >= std::max(low.y, high.y)) || depth >= kDeepest) return climb(low, *between, high, at);
  known_.insert(std::ranges::upper_bound(known_, between->t, {}, &Sample::t), *between);
  look_between(low, *between, depth + 1, at);
  look_between(*between, high, depth + 1, at);
  look_about(low, *between, high, at);
}

// Where neither of two neighbouring intervals has anything higher than the sample between them, that is the highest, or next to a kink.
void ExtremeSearch::look_about(const Sample& low, const Sample& middle, const Sample& high, const At& at) {
  if (middle.y >= best_ && middle.y > low.y + rounding_ && middle.y > high.y + rounding_) climb(low, middle, high, at);
}

// When the best was reached, if that is this: the vertex of a polynomial knows better than values, which all are the same about there.
void ExtremeSearch::date(const std::vector<Sample>& near, const Sample& top, double low, double high) {
  if (!(held_.t >= low && held_.t <= high && best_ - top.y <= rounding_ + 4 * kEpsilon * std::abs(best_))) return;
  held_ = top;
  const Polynomial p(near, top.t, kApart * (high - low));
  const std::optional<double> vertex = p.count() < 3 ? std::nullopt : p.vertex(low, high);
  if (vertex && std::abs(p.at(*vertex).y - top.y) <= rounding_ + 4 * kEpsilon * std::abs(best_)) held_.t = *vertex;
}

// The highest value between two samples, from one that lies between: by polynomials where they foresee it, else by golden sections.
void ExtremeSearch::climb(const Sample& low, const Sample& middle, const Sample& high, const At& at) {
  const double length = high.t - low.t;
  double from = low.t, to = high.t;
  std::vector<Sample> near = known_;
  near.push_back(middle);
  Sample top = middle;
  int sections = 0, next_sections = 1;  // that are to be made before a polynomial is tried again
  for (int i = 0; i < kMostSteps; ++i) {
    const Polynomial p(near, top.t, kApart * length);
    const std::optional<double> vertex = sections > 0 || p.count() < 3 ? std::nullopt : p.vertex(from, to);
    const double next = vertex ? *vertex : top.t + kGolden * (to - top.t > top.t - from ? to - top.t : from - top.t);
    if (std::abs(next - top.t) <= 2 * kEpsilon * std::abs(top.t)) break;
    const auto found = ask(next, at);
    if (!found) {  // on this side there is nothing to be known
      (next < top.t ? from : to) = top.t;
      if (unsettled_ || from >= to) break;
      continue;
    }
    near.push_back(*found);
    const double before = top.y, foreseen = vertex ? p.at(next).y : 0, error = std::abs(found->y - foreseen);
    const double step = std::abs(next - top.t), rounding = rounding_ + kGain * std::abs(before);
    if (found->y > top.y) (found->t > top.t ? from : to) = top.t, top = *found;
    else (found->t > top.t ? to : from) = found->t;
    if (!vertex) {
      --sections;
    } else if (error > rounding + 0.5 * std::max(std::abs(foreseen - before), std::abs(found->y - before))) {
      sections = next_sections, next_sections *= 2;
    } else if ((step <= kApart * length || foreseen - before <= rounding) && error <= rounding + kForeseen * p.spread()) {
      return date(near, top, low.t, high.t);
    }
  }
  date({}, top, low.t, high.t);
}

}  // namespace jounce
