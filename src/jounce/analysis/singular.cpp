#include "jounce/analysis/singular.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/analysis/driven_motion.hpp"

namespace jounce {
namespace {

std::size_t z(int i) { return static_cast<std::size_t>(i); }

// Φ(q, t) = 0 with one coordinate prescribed in place of time. The matrix is Φq with that coordinate's column replaced by Φt; it
// stays regular where the motion turns back in time.
class ByCoordinate {
 public:
  ByCoordinate(const PlanarSystem& system, int coordinate) : system_(system), evaluation_(system, 1), motion_(system, 0), coordinate_(coordinate) {
    const SparsePattern& p = system.pattern();
    SparsePattern swapped{p.rows, p.columns, {0}, {}};
    for (int c = 0; c < p.columns; ++c) {
      if (c == coordinate)  // time: only drivers depend on it
        for (int r = system.joint_equations(); r < p.rows; ++r) swapped.row.push_back(r);
      else
        swapped.row.insert(swapped.row.end(), p.row.begin() + p.start[z(c)], p.row.begin() + p.start[z(c) + 1]);
      swapped.start.push_back(static_cast<int>(swapped.row.size()));
    }
    values_.resize(swapped.row.size());
    lu_ = SparseLu(std::move(swapped));
    step_.resize(z(p.columns)), tangent_.resize(z(p.columns)), column_.resize(z(p.rows));
  }

  struct State {
    std::vector<double> q;
    double t = 0;
  };

  /// Newton on all but the prescribed coordinate, which keeps its value.
  bool solve(State& s) {
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 15; ++i) {
      if (!evaluate(s)) return false;
      lu_.solve(evaluation_.residual(), step_);
      const double t_step = step_[z(coordinate_)];
      step_[z(coordinate_)] = 0;
      const double correction = motion_.size(step_);
      if (!std::isfinite(correction) || !std::isfinite(t_step) || (i > 2 && correction > before && correction > 1e-8)) return false;
      for (std::size_t k = 0; k < s.q.size(); ++k) s.q[k] -= step_[k];
      s.t -= t_step;
      if (correction < 1e-13 || (correction < 1e-10 && correction > 0.3 * before)) return evaluate(s);
      before = correction;
    }
    return false;
  }

  /// Rates of everything with the prescribed coordinate, at the state solved last; dt/dp stands at the coordinate's place.
  std::span<const double> tangent() {
    const SparsePattern& p = system_.pattern();
    std::ranges::fill(column_, 0.0);
    const auto jacobian = evaluation_.jacobian();
    for (int e = p.start[z(coordinate_)]; e < p.start[z(coordinate_) + 1]; ++e) column_[z(p.row[z(e)])] = -jacobian[z(e)];
    lu_.solve(column_, tangent_);
    return tangent_;
  }
  [[nodiscard]] double time_rate() const { return tangent_[z(coordinate_)]; }
  [[nodiscard]] double size(std::span<const double> dq) const { return motion_.size(dq); }

 private:
  bool evaluate(const State& s) {
    if (evaluation_.set_time(s.t)) return false;
    (void)evaluation_.set_position(s.q);
    const auto jacobian = evaluation_.jacobian();
    const auto phi_t = evaluation_.open(1);
    const SparsePattern& p = system_.pattern();
    std::size_t k = 0;
    for (int c = 0; c < p.columns; ++c) {
      if (c == coordinate_)
        for (int r = system_.joint_equations(); r < p.rows; ++r) values_[k++] = phi_t[z(r)];
      else
        for (int e = p.start[z(c)]; e < p.start[z(c) + 1]; ++e) values_[k++] = jacobian[z(e)];
    }
    lu_.factor(values_);
    return lu_.full_column_rank();
  }

  const PlanarSystem& system_;
  Evaluation evaluation_;
  DrivenMotion motion_;
  int coordinate_;
  SparseLu lu_;
  std::vector<double> values_, step_, tangent_, column_;
};

}  // namespace

std::optional<SingularPosition> find_dead_point(const PlanarSystem& system, double t, std::span<const double> q,
                                                std::span<const double> rate, double limit) {
  // The fastest coordinate, lengths measured in mechanism sizes.
  const double length = system.length_scale();
  int fastest = -1;
  double speed = 0;
  for (int i = 0; i < system.coordinates(); ++i) {
    const double s = std::abs(rate[z(i)]) / (i % 3 == 2 ? 1.0 : length);
    if (s > speed) speed = s, fastest = i;
  }
  if (fastest < 0) return std::nullopt;
  const double unit = fastest % 3 == 2 ? 1.0 : length;
  const double direction = rate[z(fastest)] > 0 ? 1.0 : -1.0;

  ByCoordinate by(system, fastest);
  ByCoordinate::State now{{q.begin(), q.end()}, t};
  if (!by.solve(now)) return std::nullopt;
  (void)by.tangent();
  double step = direction * std::clamp(0.5 * speed * std::abs(limit - t), 1e-5, 0.02) * unit;

  const auto advance = [&](const ByCoordinate::State& from, std::span<const double> tangent, double dp) {
    ByCoordinate::State next = from;
    for (std::size_t k = 0; k < next.q.size(); ++k) next.q[k] += tangent[k] * dp;
    next.q[z(fastest)] = from.q[z(fastest)] + dp;
    next.t += tangent[z(fastest)] * dp;
    return next;
  };

  for (int i = 0; i < 4000; ++i) {
    const std::vector<double> tangent(by.tangent().begin(), by.tangent().end());
    const double rate_now = direction * tangent[z(fastest)];
    ByCoordinate::State next = advance(now, tangent, step);
    const bool solved = by.solve(next);
    if (solved) (void)by.tangent();
    if (!solved || !std::isfinite(by.time_rate())) {
      step /= 4;
      if (std::abs(step) < 1e-9 * unit || !by.solve(now)) return std::nullopt;
      (void)by.tangent();
      continue;
    }
    const double rate_next = direction * by.time_rate();
    if (rate_next <= 0 && rate_now > 0) {
      // Time turned back between now and next: halve down to where dt/dp = 0; t is flat there, so its error is second order.
      ByCoordinate::State low = now, high = next;
      std::vector<double> from = tangent;
      double f_low = rate_now, f_high = rate_next;
      for (int k = 0; k < 200; ++k) {
        const double width = high.q[z(fastest)] - low.q[z(fastest)];
        double fraction = f_low / (f_low - f_high);
        if (k % 3 == 2) fraction = 0.5;
        fraction = std::clamp(fraction, 0.05, 0.95);
        ByCoordinate::State middle = advance(low, from, fraction * width);
        if (!by.solve(middle)) break;
        (void)by.tangent();
        const double f = direction * by.time_rate();
        if (f > 0) low = middle, f_low = f, from.assign(by.tangent().begin(), by.tangent().end());
        else high = middle, f_high = f;
        if (std::abs(width) < 1e-9 * unit || f == 0) break;
      }
      const ByCoordinate::State& best = low.t > high.t ? low : high;
      return SingularPosition{best.t, best.q};
    }
    if (next.t > limit || rate_next <= 0) return std::nullopt;
    now = next;
    step = direction * std::min(std::abs(step) * 1.5, 0.05 * unit);
  }
  return std::nullopt;
}

std::optional<SingularPosition> find_change_point(const PlanarSystem& system, double t, std::span<const double> q, double limit) {
  constexpr int kOrder = 14;
  DrivenMotion motion(system, kOrder);
  const std::size_t n = q.size();
  std::vector<double> coefficients((kOrder + 1) * n), at(q.begin(), q.end()), position(n);
  Evaluation evaluation(system, 0);
  SparseLu lu(system.pattern());
  {
    std::vector<double> weights;
    for (const planar::Scale& scale : evaluation.scales())
      weights.push_back(1.0 / (scale.divisor * (scale.unit == planar::Unit::metre ? system.length_scale() : 1.0)));
    lu.set_weights(weights);
  }

  struct Look {
    double weakest = 0;
    int sign = 0;
    bool on_motion = false;  // the series still describes the mechanism there
  };
  double base = t;
  const auto start = [&](double t0) {
    if (motion.position(t0, at) != DrivenMotion::Solved::yes) return false;
    base = t0;
    std::ranges::copy(at, coefficients.begin());
    motion.orders(coefficients);
    return std::ranges::all_of(coefficients, [](double x) { return std::isfinite(x); });
  };
  const auto look = [&](double time) -> Look {
    motion.extrapolate(coefficients, time - base, position);
    if (evaluation.set_time(time)) return {};
    (void)evaluation.set_position(position);
    if (!(evaluation.worst_residual() <= 1e-5 * std::max(1.0, system.length_scale()))) return {};
    lu.update(evaluation.jacobian());
    const double mantissa = system.equations() == system.coordinates() ? lu.determinant().mantissa : 0;
    return {lu.weakest_pivot(), mantissa > 0 ? 1 : mantissa < 0 ? -1 : 0, true};
  };
  // The singular time in [a, b], if there is one: by the sign of the determinant, or as the lowest weakest pivot.
  const auto find = [&](double a, double b) -> std::optional<double> {
    constexpr int kPieces = 16;
    const double piece = (b - a) / kPieces;
    Look previous = look(a);
    const double reference = previous.weakest;
    double lowest = previous.weakest, lowest_t = a, end = a;
    for (int i = 1; i <= kPieces; ++i) {
      const double time = a + piece * i;
      const Look here = look(time);
      if (!here.on_motion) break;
      end = time;
      if (here.weakest < lowest) lowest = here.weakest, lowest_t = time;
      if (here.sign * previous.sign < 0) {
        double low = time - piece, high = time;
        for (int k = 0; k < 80 && high - low > 1e-15 * std::max(1.0, std::abs(high)); ++k) {
          const double middle = 0.5 * (low + high);
          (look(middle).sign == previous.sign ? low : high) = middle;
        }
        return 0.5 * (low + high);
      }
      previous = here;
    }
    if (lowest_t == a || !(lowest < 0.2 * reference)) return std::nullopt;
    double low = lowest_t - piece, high = std::min(end, lowest_t + piece);
    while (high - low > 1e-13 * std::max(1.0, std::abs(high))) {  // the pivot is |t − t*| times a constant here
      const double left = low + (high - low) / 3, right = high - (high - low) / 3;
      if (look(left).weakest < look(right).weakest) high = right;
      else low = left;
    }
    const double time = 0.5 * (low + high);
    if (look(time).weakest <= 1e-6 * reference) return time;
    return std::nullopt;
  };

  if (!start(t)) return std::nullopt;
  auto found = find(t, limit);
  if (!found) return std::nullopt;
  // Once more from close by, where the series is as good as exact.
  for (int pass = 0; pass < 2; ++pass) {
    const double closer = *found - 0.1 * (*found - base);
    if (!(closer > base)) break;
    motion.extrapolate(coefficients, closer - base, at);
    if (!start(closer)) break;
    const auto again = find(closer, closer + 2 * (*found - closer));
    if (!again) break;
    found = again;
  }
  motion.extrapolate(coefficients, *found - base, position);
  return SingularPosition{*found, position};
}

}  // namespace jounce
