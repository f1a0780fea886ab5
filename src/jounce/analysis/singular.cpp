#include "jounce/analysis/singular.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/analysis/driven_motion.hpp"
#include "jounce/base/index.hpp"

namespace jounce {
namespace {

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

double regularity_at(DrivenMotion& motion, double t, std::span<const double> q) {
  if (motion.evaluation().set_time(t)) return 1.0;
  return motion.regularity_at(q, 12);
}

// The coordinate that moves fastest, lengths measured in mechanism sizes; −1 when nothing moves.
int fastest_of(std::span<const double> rate, double length) {
  int fastest = -1;
  double speed = 0;
  for (std::size_t i = 0; i < rate.size(); ++i) {
    const double s = std::abs(rate[i]) / (i % 3 == 2 ? 1.0 : length);
    if (s > speed) speed = s, fastest = static_cast<int>(i);
  }
  return fastest;
}

// The motion from one position on, by one coordinate p, until time turns back (found), time passes the limit or the motion cannot
// be followed (neither), or another coordinate has become much faster (next).
struct Leg {
  std::optional<SingularPosition> found;
  std::optional<ByCoordinate::State> next;
  std::vector<double> next_rate;
};

Leg follow(const PlanarSystem& system, const ByCoordinate::State& from, std::span<const double> rate, double limit) {
  const double length = system.length_scale();
  const int p = fastest_of(rate, length);
  // A mechanism at rest has no coordinate to lead, and does not run into a dead point before it moves.
  if (p < 0 || std::abs(rate[z(p)]) * (limit - from.t) < 1e-6 * (p % 3 == 2 ? 1.0 : length)) return {};
  const auto unit_of = [&](int i) { return i % 3 == 2 ? 1.0 : length; };
  const double unit = unit_of(p), speed = std::abs(rate[z(p)]) / unit;
  const double direction = rate[z(p)] > 0 ? 1.0 : -1.0;

  ByCoordinate by(system, p);
  ByCoordinate::State now = from;
  if (!by.solve(now)) return {};
  (void)by.tangent();
  double step = direction * std::clamp(0.5 * speed * std::abs(limit - from.t), 1e-5, 0.02) * unit;
  double slowest = std::abs(by.time_rate());
  std::vector<double> difference(now.q.size());

  const auto advance = [&](const ByCoordinate::State& state, std::span<const double> tangent, double dp) {
    ByCoordinate::State next = state;
    for (std::size_t k = 0; k < next.q.size(); ++k) next.q[k] += tangent[k] * dp;
    next.q[z(p)] = state.q[z(p)] + dp;
    next.t += tangent[z(p)] * dp;
    return next;
  };

  for (int i = 0; i < 4000; ++i) {
    std::vector<double> tangent(by.tangent().begin(), by.tangent().end());
    const double rate_now = direction * tangent[z(p)];
    // Another coordinate moves much faster by now: it should lead.
    std::vector<double> moves = tangent;
    moves[z(p)] = 1;
    const int leader = fastest_of(moves, length);
    if (leader != p && std::abs(moves[z(leader)]) / unit_of(leader) > 3.0 / unit && tangent[z(p)] != 0) {
      for (double& m : moves) m /= tangent[z(p)];  // dq/dt
      return {std::nullopt, now, std::move(moves)};
    }

    const ByCoordinate::State predicted = advance(now, tangent, step);
    ByCoordinate::State next = predicted;
    bool smooth = by.solve(next);
    if (smooth) {
      (void)by.tangent();
      // Both ends of a step must lie on one smooth piece of the motion.
      for (std::size_t k = 0; k < difference.size(); ++k) difference[k] = predicted.q[k] - next.q[k];
      smooth = std::isfinite(by.time_rate()) && by.size(difference) <= 0.2 * std::abs(step) / unit &&
               std::abs(predicted.t - next.t) <= 0.5 * std::abs(limit - from.t);
    }
    if (!smooth) {
      step /= 4;
      if (std::abs(step) < 1e-9 * unit || !by.solve(now)) return {};
      (void)by.tangent();
      continue;
    }
    const double rate_next = direction * by.time_rate();
    if (rate_next > 4 * slowest) return {};  // dt/dp grows: it is the coordinate that comes to rest, not time
    slowest = std::min(slowest, std::abs(rate_next));
    if (rate_next <= 0 && rate_now > 0) {
      // Time turned back between now and next: close in on dt/dp = 0; t is flat there, so its error is of second order.
      ByCoordinate::State low = now, high = next;
      double f_low = rate_now, f_high = rate_next;
      for (int k = 0; k < 200; ++k) {
        const double width = high.q[z(p)] - low.q[z(p)];
        const double fraction = k % 3 == 2 ? 0.5 : std::clamp(f_low / (f_low - f_high), 0.05, 0.95);
        ByCoordinate::State middle = advance(low, tangent, fraction * width);
        if (!by.solve(middle)) break;
        (void)by.tangent();
        const double f = direction * by.time_rate();
        if (f > 0) low = middle, f_low = f, tangent.assign(by.tangent().begin(), by.tangent().end());
        else high = middle, f_high = f;
        if (std::abs(width) < 1e-9 * unit || f == 0) break;
      }
      if (!(f_low < 0.1 * rate_now) && !(f_low < 1e-6)) return {};  // dt/dp jumped across zero: not a turning point
      const ByCoordinate::State& best = low.t > high.t ? low : high;
      return {SingularPosition{best.t, best.q}, std::nullopt, {}};
    }
    if (next.t > limit || rate_next <= 0) return {};
    now = next;
    step = direction * std::min(std::abs(step) * 1.5, 0.05 * unit);
  }
  return {};
}

// The motion from one instant on as a power series, and how regular Φq is along it.
class AlongSeries {
 public:
  explicit AlongSeries(const PlanarSystem& system)
      : system_(system), motion_(system, kOrder), probe_(system, 0), n_(z(system.coordinates())), coefficients_((kOrder + 1) * n_), q_(n_) {}

  /// Solves the position at t from the guess q and takes the series there.
  bool start(double t, std::span<const double> q) {
    std::ranges::copy(q, q_.begin());
    if (motion_.position(t, q_) != DrivenMotion::Solved::yes) return false;
    base_ = t;
    std::ranges::copy(q_, coefficients_.begin());
    motion_.orders(coefficients_);
    return std::ranges::all_of(coefficients_, [](double x) { return std::isfinite(x); });
  }
  [[nodiscard]] double base() const { return base_; }
  std::span<const double> position(double t) {
    motion_.extrapolate(coefficients_, t - base_, q_);
    return q_;
  }

  struct Look {
    double regularity = 0;
    int sign = 0;            // of the determinant; 0 when there is none
    bool on_motion = false;  // the series still describes the mechanism there
  };
  Look look(double t, double off_motion) {
    if (probe_.evaluation().set_time(t)) return {};
    const double regularity = probe_.regularity_at(position(t), 4);
    if (!(probe_.evaluation().worst_residual() <= off_motion * std::max(1.0, system_.length_scale()))) return {};
    const double mantissa = system_.equations() == system_.coordinates() ? probe_.factors().determinant().mantissa : 0;
    return {regularity, mantissa > 0 ? 1 : mantissa < 0 ? -1 : 0, true};
  }

  /// The singular time in [a, b], if there is one: by the sign of the determinant, or as the least regular one. Residuals above
  /// `off_motion` mean that the series has left the mechanism.
  std::optional<double> find(double a, double b, double off_motion) {
    constexpr int kPieces = 16;
    const double piece = (b - a) / kPieces;
    Look previous = look(a, off_motion);
    const double reference = previous.regularity;
    double lowest = reference, lowest_t = a, end = a;
    for (int i = 1; i <= kPieces; ++i) {
      const double t = a + piece * i;
      const Look here = look(t, off_motion);
      if (!here.on_motion) break;
      end = t;
      if (here.regularity < lowest) lowest = here.regularity, lowest_t = t;
      if (here.sign * previous.sign < 0) return sign_change(t - piece, t, previous.sign, off_motion);
      previous = here;
    }
    if (lowest_t == a || !(lowest < kDip * reference)) return std::nullopt;
    const double t = least_regular(lowest_t - piece, std::min(end, lowest_t + piece), off_motion);
    if (look(t, off_motion).regularity <= kBottom * reference) return t;
    return std::nullopt;
  }

 private:
  static constexpr int kOrder = 14;
  static constexpr double kDip = 0.2;     // a fall to this part among the pieces is worth a closer look
  static constexpr double kBottom = 1e-3; // and the bottom of it must be below this part

  double sign_change(double low, double high, int sign_at_low, double off_motion) {
    for (int k = 0; k < 80 && high - low > 1e-15 * std::max(1.0, std::abs(high)); ++k) {
      const double middle = 0.5 * (low + high);
      (look(middle, off_motion).sign == sign_at_low ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }
  // Near a singular time t* regularity is |t − t*| times a constant.
  double least_regular(double low, double high, double off_motion) {
    while (high - low > 1e-13 * std::max(1.0, std::abs(high))) {
      const double left = low + (high - low) / 3, right = high - (high - low) / 3;
      if (look(left, off_motion).regularity < look(right, off_motion).regularity) high = right;
      else low = left;
    }
    return 0.5 * (low + high);
  }

  const PlanarSystem& system_;
  DrivenMotion motion_, probe_;
  std::size_t n_;
  std::vector<double> coefficients_, q_;
  double base_ = 0;
};

}  // namespace

std::optional<SingularPosition> find_dead_point(const PlanarSystem& system, double t, std::span<const double> q,
                                                std::span<const double> rate, double limit) {
  DrivenMotion motion(system, 0);
  ByCoordinate::State from{{q.begin(), q.end()}, t};
  std::vector<double> speed(rate.begin(), rate.end());
  for (int leg = 0; leg < 20; ++leg) {
    Leg end = follow(system, from, speed, limit);
    if (end.found && end.found->t > t && regularity_at(motion, end.found->t, end.found->q) < 1e-3 * regularity_at(motion, t, q))
      return end.found;
    if (end.found || !end.next) return std::nullopt;
    from = *std::move(end.next);
    speed = std::move(end.next_rate);
  }
  return std::nullopt;
}

std::optional<SingularPosition> find_change_point(const PlanarSystem& system, double t, std::span<const double> q, double limit) {
  AlongSeries series(system);
  if (!series.start(t, q)) return std::nullopt;
  constexpr double kRough = 1e-5;
  const double at_start = series.look(t, kRough).regularity;
  auto found = series.find(t, limit, kRough);
  if (!found) return std::nullopt;
  // Again from closer and closer by, where the series is as good as exact: a mechanism that only comes close to a singular
  // position is found out here. The second pass gives the time; very close by, rounding in the position takes over.
  SingularPosition best;
  int pass = 0;
  for (const double off_motion : {1e-7, 1e-9, 1e-11, 1e-11}) {
    const double closer = *found - 0.1 * (*found - series.base());
    if (!(closer > series.base())) break;
    const std::span<const double> guess = series.position(closer);
    if (!series.start(closer, std::vector<double>(guess.begin(), guess.end()))) return std::nullopt;
    found = series.find(closer, closer + 2 * (*found - closer), off_motion);
    if (!found) return std::nullopt;
    if (++pass > 2) continue;
    const std::span<const double> position = series.position(*found);
    best = {*found, {position.begin(), position.end()}};
  }
  if (best.q.empty() || !(series.look(*found, kRough).regularity <= 1e-7 * std::max(at_start, 1e-3))) return std::nullopt;
  return best;
}

}  // namespace jounce
