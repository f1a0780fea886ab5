#include "jounce/analysis/singular.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "jounce/analysis/run/extrapolate.hpp"
#include "jounce/base/index.hpp"

namespace jounce {
namespace {

// The dof that moves fastest, each in its unit; −1 when nothing moves.
int fastest_of(const DrivenMotion& motion, std::span<const double> rate) {
  int fastest = -1;
  double speed = 0;
  for (std::size_t i = 0; i < rate.size(); ++i) {
    const int dof = static_cast<int>(i);
    const double s = motion.can_lead(dof) ? std::abs(rate[i]) / motion.unit(dof) : 0;
    if (s > speed) speed = s, fastest = dof;
  }
  return fastest;
}

// The motion from one position on, by one dof p, until time turns back (found), time passes the limit or the motion cannot
// be followed (neither), or another dof has become much faster (next).
struct Leg {
  std::optional<SingularPosition> found;
  std::optional<LedMotion::State> next;
  std::vector<double> next_rate;
};

Leg follow(const DrivenMotion& motion, const LedMotion::State& from, std::span<const double> rate, double limit, Asking& asking) {
  const int p = fastest_of(motion, rate);
  // A mechanism at rest has no dof to lead, and does not run into a dead point before it moves.
  if (p < 0 || std::abs(rate[z(p)]) * (limit - from.t) < 1e-6 * motion.unit(p)) return {};
  const double unit = motion.unit(p), speed = std::abs(rate[z(p)]) / unit;
  const double direction = rate[z(p)] > 0 ? 1.0 : -1.0;

  const std::unique_ptr<LedMotion> led = motion.led_by(p);
  LedMotion& by = *led;
  LedMotion::State now = from;
  if (!by.solve(now)) return {};
  double step = direction * std::clamp(0.5 * speed * std::abs(limit - from.t), 1e-5, 0.02) * unit;
  std::vector<double> tangent(rate.size()), ahead(rate.size()), difference(rate.size());
  const auto turn = [&](std::vector<double>& out) { return std::ranges::copy(by.tangent(), out.begin()), out[z(p)]; };  // and dt/dp
  double slowest = std::abs(turn(tangent));

  std::vector<double> way(rate.size());
  const auto advance = [&](const LedMotion::State& state, std::span<const double> along, double dp) {
    LedMotion::State next = state;
    for (std::size_t k = 0; k < way.size(); ++k) way[k] = along[k] * dp;
    way[z(p)] = dp;
    motion.move(next.q, way);
    next.lead += dp;
    next.t += along[z(p)] * dp;
    return next;
  };

  for (int i = 0; i < 4000 && !asking.after(motion.dofs()); ++i) {
    (void)turn(tangent);
    const double rate_now = direction * tangent[z(p)];
    // Another moves much faster by now: it should lead.
    std::vector<double> moves = tangent;
    moves[z(p)] = 1;
    const int leader = fastest_of(motion, moves);
    if (leader != p && std::abs(moves[z(leader)]) / motion.unit(leader) > 3.0 / unit && tangent[z(p)] != 0) {
      for (double& m : moves) m /= tangent[z(p)];  // dq/dt
      return {std::nullopt, now, std::move(moves)};
    }

    const LedMotion::State predicted = advance(now, tangent, step);
    LedMotion::State next = predicted;
    bool smooth = by.solve(next);
    double rate_next = 0;
    if (smooth) {
      rate_next = direction * turn(ahead);
      // Both ends of a step must lie on one smooth piece of the motion.
      motion.difference(next.q, predicted.q, difference);
      smooth = std::isfinite(rate_next) && motion.size(difference) <= 0.2 * std::abs(step) / unit &&
               std::abs(predicted.t - next.t) <= 0.5 * std::abs(limit - from.t);
    }
    if (!smooth) {
      step /= 4;
      if (std::abs(step) < 1e-9 * unit || !by.solve(now)) return {};
      continue;
    }
    if (rate_next > 4 * slowest) return {};  // dt/dp grows: it is the dof that comes to rest, not time
    slowest = std::min(slowest, std::abs(rate_next));
    if (rate_next <= 0 && rate_now > 0) {
      // Time turned back between now and next: close in on dt/dp = 0; t is flat there, so its error is of second order.
      LedMotion::State low = now, high = next;
      double f_low = rate_now, f_high = rate_next;
      for (int k = 0; k < 200 && !asking.after(motion.dofs()); ++k) {
        const double width = high.lead - low.lead;
        const double fraction = k % 3 == 2 ? 0.5 : std::clamp(f_low / (f_low - f_high), 0.05, 0.95);
        LedMotion::State middle = advance(low, tangent, fraction * width);
        if (!by.solve(middle)) break;
        const double f = direction * turn(ahead);
        if (f > 0) low = middle, f_low = f, tangent = ahead;
        else high = middle, f_high = f;
        if (std::abs(width) < 1e-9 * unit || f == 0) break;
      }
      if (!(f_low < 0.1 * rate_now) && !(f_low < 1e-6)) return {};  // dt/dp jumped across zero: not a turning point
      const LedMotion::State& best = low.t > high.t ? low : high;
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
  AlongSeries(const DrivenMotion& motion, const DrivenMotion& watched, Asking& asking)
      : asking_(asking), motion_(motion.fresh(kOrder)), probe_(watched.fresh(0)), n_(z(motion.dofs())), ways_(kOrder * n_), way_(n_), from_(z(motion.coordinates())), q_(from_) {}

  /// Solves the position at t from the guess q and takes the series there.
  bool start(double t, std::span<const double> q) {
    std::ranges::copy(q, from_.begin());
    if (motion_->position(t, from_) != DrivenMotion::Solved::yes) return false;
    base_ = t;
    motion_->orders(ways_);
    return std::ranges::all_of(ways_, [](double x) { return std::isfinite(x); });
  }
  [[nodiscard]] double base() const { return base_; }
  std::span<const double> position(double t) {
    extrapolate(*motion_, from_, ways_, t - base_, q_, way_);
    return q_;
  }

  struct Look {
    double regularity = 0;
    int sign = 0;            // of the determinant; 0 when there is none
    bool on_motion = false;  // the series still describes the mechanism there
  };
  Look look(double t, double off_motion) {
    if (asking_.after(motion_->dofs())) return {};
    const auto regularity = probe_->regularity_at(t, position(t), 4);
    if (!regularity || !(probe_->worst_residual() <= off_motion * std::max(1.0, probe_->length()))) return {};
    return {*regularity, probe_->orientation(), true};
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

  Asking& asking_;
  std::unique_ptr<DrivenMotion> motion_, probe_;
  std::size_t n_;
  std::vector<double> ways_, way_, from_, q_;
  double base_ = 0;
};

}  // namespace

std::optional<SingularPosition> find_dead_point(const DrivenMotion& motion, double t, std::span<const double> q,
                                                std::span<const double> rate, double limit, Asking& asking) {
  const std::unique_ptr<DrivenMotion> probe = motion.fresh(0);
  const auto regularity = [&](double at, std::span<const double> where) { return probe->regularity_at(at, where, 12).value_or(1.0); };
  LedMotion::State from{{q.begin(), q.end()}, t, 0};
  std::vector<double> speed(rate.begin(), rate.end());
  for (int leg = 0; leg < 20; ++leg) {
    Leg end = follow(motion, from, speed, limit, asking);
    if (asking.told()) return std::nullopt;
    if (end.found && end.found->t > t && regularity(end.found->t, end.found->q) < 1e-3 * regularity(t, q)) return end.found;
    if (end.found || !end.next) return std::nullopt;
    from = *std::move(end.next);
    speed = std::move(end.next_rate);
  }
  return std::nullopt;
}

std::optional<SingularPosition> find_change_point(const DrivenMotion& motion, double t, std::span<const double> q, double limit,
                                                  Asking& asking) {
  return find_singular(motion, motion, t, q, limit, asking);
}

std::optional<SingularPosition> find_singular(const DrivenMotion& motion, const DrivenMotion& watched, double t, std::span<const double> q,
                                              double limit, Asking& asking) {
  AlongSeries series(motion, watched, asking);
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
  if (asking.told() || best.q.empty() || !(series.look(*found, kRough).regularity <= 1e-7 * std::max(at_start, 1e-3))) return std::nullopt;
  return best;
}

}  // namespace jounce
