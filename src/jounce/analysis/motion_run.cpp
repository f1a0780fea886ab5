#include "jounce/analysis/motion_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "jounce/analysis/mobility.hpp"
#include "jounce/analysis/singular.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/base/text.hpp"

namespace jounce {
namespace {

constexpr int kOrder = 4;  // snap

/// A sample closer than this to a singular time is at it.
constexpr double kTimeResolution = 1e-9;
/// The longest step: this much motion, in radians and mechanism sizes, and this part of the run.
constexpr double kLongestMove = 0.25, kLongestPart = 1.0 / 64;
/// The most steps between two output times, some seconds of work for a small mechanism.
constexpr long kMostSteps = 2'000'000;
/// A start less regular than this is in a singular position.
constexpr double kSingularStart = 1e-9;

// ---- following the motion ------------------------------------------------------------------------------------------

// The motion at one instant: Taylor coefficients of the coordinates, and how regular Φq is.
struct Instant {
  double t = 0;
  std::vector<double> q;  // [order][coordinate]
  double regularity = 0;
  double determinant_sign = 0;

  [[nodiscard]] std::span<double> coefficient(int k, std::size_t n) { return {q.data() + z(k) * n, n}; }
  [[nodiscard]] std::span<const double> coefficient(int k, std::size_t n) const { return {q.data() + z(k) * n, n}; }
};

class Run {
 public:
  Run(const PlaneMechanism& mechanism, const KinematicsOptions& options, std::size_t columns, const FillRow& fill, const RowSink& sink,
      KinematicsRun& out)
      : mechanism_(mechanism), system_(mechanism.system), options_(options), fill_(fill), sink_(sink), out_(out),
        motion_(system_, kOrder), n_(z(system_.coordinates())), row_(columns) {
    now_.q.resize((kOrder + 1) * n_), next_ = now_, before_ = now_;
    difference_.resize(n_);
  }

  void run() {
    if (options_.steps < 1 || !(options_.to >= 0) || !std::isfinite(options_.to)) {
      out_.problems.push_back(error({}, "expected a finite time to >= 0 and at least 1 step"));
      return;
    }
    out_.start = assemble(mechanism_);
    out_.problems = out_.start.problems;
    if (!out_.start.assembled) {
      end(Outcome::Kind::not_assembled, 0, out_.problems.empty() ? "" : out_.problems.back().sentence);
      return;
    }
    std::ranges::copy(out_.start.q, now_.q.begin());
    if (!settle(0, now_) || motion_.regularity(30) < kSingularStart) return start_failed();
    if (contradiction() || !sample()) return;
    look_ahead(std::min(options_.to, 4 * next_step(options_.to)));
    for (int i = 1; i <= options_.steps; ++i) {
      const double target = i == options_.steps ? options_.to : options_.to * i / options_.steps;
      if (!go_to(target)) return;
      if (!sample()) return;
    }
    end(Outcome::Kind::done, options_.to, "");
  }

 private:
  // Solves position and orders at t from the guess in `instant`.
  bool settle(double t, Instant& instant) {
    solved_ = motion_.position(t, instant.coefficient(0, n_));
    if (solved_ != DrivenMotion::Solved::yes) return false;
    motion_.orders(instant.q);
    instant.t = t;
    instant.regularity = motion_.regularity();
    const double mantissa = system_.equations() == system_.coordinates() ? motion_.factors().determinant().mantissa : 0;
    instant.determinant_sign = mantissa > 0 ? 1 : mantissa < 0 ? -1 : 0;
    return std::isfinite(motion_.size(instant.coefficient(kOrder, n_)));
  }

  void start_failed() {
    if (solved_ == DrivenMotion::Solved::undefined) return undefined(0, 0);
    if (solved_ == DrivenMotion::Solved::yes && !std::isfinite(motion_.size(now_.coefficient(kOrder, n_)))) {
      end(Outcome::Kind::step_too_small, 0, "the motion is too fast to be followed: its derivatives are not finite numbers at t = 0 s");
      return;
    }
    const Mobility m = mobility(mechanism_, out_.start.q, 0);
    const bool drivable = m.undriven == 0 || m.singular_position || m.only_infinitesimal;
    if (system_.equations() < system_.coordinates() || !drivable) {
      const std::string free = std::to_string(std::max(m.undriven, 1)) + (m.undriven == 1 ? " free motion" : " free motions");
      end(Outcome::Kind::not_driven, 0,
          "the mechanism still has " + free + " with its drivers: kinematics and inverse dynamics need every motion driven", {},
          "add a driver for each free motion");
      return;
    }
    singular({Outcome::Kind::change_point, {0, out_.start.q}});
  }

  // Redundant equations that hold here but ask for another velocity than the rest: two motors on one shaft.
  bool contradiction() {
    const double speed = motion_.size(now_.coefficient(1, n_));
    if (!(motion_.velocity_misfit() > 1e-8 * std::max(1.0, speed))) return false;
    conflicting();
    return true;
  }

  void conflicting() {
    std::vector<std::string> names;
    for (const DependentSet& set : mobility(mechanism_, now_.coefficient(0, n_), now_.t).dependent)
      if (!set.consistent || names.empty()) names = set.names;
    end(Outcome::Kind::conflicting, now_.t,
        "the mechanism cannot move on from " + seconds(now_.t) + ": these contradict each other there: " + join_names(names), names,
        "they have more equations than the motion needs; take one away, or make the drivers agree");
  }

  // Advances `now_` to the target in as many steps as the motion needs; the last one lands on it exactly.
  bool go_to(double target) {
    double h = next_step(target);
    int rejected = 0;
    long steps = 0;
    const double resolution = kTimeResolution * std::min(std::max(1.0, std::abs(target)), 1e3 * options_.to);
    while (now_.t < target) {
      if (ahead_ && target >= ahead_->position.t - resolution) return singular(*ahead_), false;
      if (!(now_.t + 0.1 * h > now_.t)) return cannot_follow(), false;
      if (++steps > kMostSteps) return too_far(target), false;
      const bool lands = now_.t + h >= target - 1e-3 * h;
      const double t = lands ? target : now_.t + h;
      bool accepted = step_to(t);
      // The determinant of Φq changes its sign in a singular position only, or where the solution jumped to another branch.
      if (accepted && next_.determinant_sign * now_.determinant_sign < 0) {
        if (look_ahead(t) && ahead_->position.t <= t) continue;
        accepted = false;
      }
      if (accepted) {
        std::swap(before_, now_);
        std::swap(now_, next_);
        ++out_.statistics.steps;
        step_ = 2 * h;
        // It falls fast enough to reach zero within a few steps.
        if (now_.regularity < 0.8 * before_.regularity && now_.t + 2 * h > looked_to_) look_ahead(now_.t + 5 * h);
        h = next_step(target);
        continue;
      }
      if (solved_ == DrivenMotion::Solved::undefined) return undefined(now_.t, t), false;
      ++out_.statistics.rejected;
      h *= 0.5;
      step_ = h;
      if (++rejected % 5 == 0) look_ahead(std::min(target, now_.t + 100 * h));
    }
    return true;
  }

  // Twice the last one, but never so long that something could be missed: a quarter of a radian or of the mechanism's size in
  // motion, and a small part of the whole run.
  [[nodiscard]] double next_step(double target) const {
    const double speed = motion_.size(now_.coefficient(1, n_));
    double h = std::min(target - now_.t, kLongestPart * options_.to);
    if (speed > 0) h = std::min(h, kLongestMove / speed);
    return step_ > 0 ? std::min(h, step_) : h;
  }

  void too_far(double target) {
    end(Outcome::Kind::step_too_small, now_.t, "the motion from one output time to the next, " + seconds(target) + ", takes more than " +
            std::to_string(kMostSteps) + " steps; it came to " + seconds(now_.t), {}, "ask for more output times, or for a shorter run");
  }

  void cannot_follow() {
    if (system_.equations() > system_.coordinates()) return conflicting();
    end(Outcome::Kind::step_too_small, now_.t,
        "the motion cannot be followed beyond " + seconds(now_.t) + ": steps became smaller than rounding");
  }

  // One step: predict by the Taylor polynomial, solve, and accept only if prediction and solution belong to one smooth motion.
  bool step_to(double t) {
    const double h = t - now_.t;
    motion_.extrapolate(now_.q, h, next_.coefficient(0, n_));
    std::ranges::copy(next_.coefficient(0, n_), difference_.begin());
    if (!settle(t, next_)) return false;
    const auto solved = next_.coefficient(0, n_);
    for (std::size_t i = 0; i < n_; ++i) difference_[i] -= solved[i];
    if (!(motion_.size(difference_) <= bound(now_, h))) return false;
    // And back again: the new instant must predict where the old one was.
    motion_.extrapolate(next_.q, -h, difference_);
    for (std::size_t i = 0; i < n_; ++i) difference_[i] -= now_.q[i];
    return motion_.size(difference_) <= bound(next_, h);
  }

  // What a smooth motion leaves for the orders beyond snap: the terms of a converging series go on falling, so the remainder is at
  // most of the size of the last ones kept. Never more than a hundredth of a radian or of the mechanism's size.
  double bound(const Instant& at, double h) const {
    const double third = motion_.size(at.coefficient(3, n_)) * h * h * h;
    const double fourth = motion_.size(at.coefficient(4, n_)) * h * h * h * h;
    return 1e-10 + 1e-14 * motion_.size(at.coefficient(0, n_)) + std::min(1e-2, 0.5 * std::max(0.1 * third, fourth));
  }

  // ---- singular positions ----

  struct Ahead {
    Outcome::Kind kind{};
    SingularPosition position;
  };

  // Looks for a singular position between now and a later time, while the mechanism is still far enough from it for the
  // search to be well conditioned; remembers the first one.
  bool look_ahead(double limit) {
    if (ahead_) return true;
    const double beyond = limit + 0.05 * (limit - now_.t);  // the limit itself may be singular
    looked_to_ = limit;
    if (auto found = find_dead_point(system_, now_.t, now_.coefficient(0, n_), now_.coefficient(1, n_), beyond))
      ahead_ = {Outcome::Kind::dead_point, *std::move(found)};
    else if (found = find_change_point(system_, now_.t, now_.coefficient(0, n_), beyond); found)
      ahead_ = {Outcome::Kind::change_point, *std::move(found)};
    return ahead_.has_value();
  }

  void singular(const Ahead& ahead) {
    const auto& [kind, at] = ahead;
    const std::vector<std::string> names = blame(mechanism_, at.q, at.t);
    std::string drivers;
    for (const std::string& name : names)
      for (const PrescribedMotion& motion : system_.motions())
        if (motion.owner == name) drivers += (drivers.empty() ? "'" : ", '") + name + "'";
    std::string sentence;
    if (kind == Outcome::Kind::dead_point)
      sentence = "dead point at " + seconds(at.t) + ": " + (drivers.empty() ? "the drivers" : "driver " + drivers) +
                 " cannot move the mechanism further, which turns back here";
    else
      sentence = "change point at " + seconds(at.t) + ": the mechanism is in a singular position and could go on in more than one way";
    if (!names.empty()) sentence += " (dependent here: " + join_names(names) + ")";
    out_.events.push_back({at.t, std::string(word(kind)), sentence, names});
    end(kind, at.t, sentence, names);
  }

  // ---- ends ----

  // A prescribed function stops having a value between two times: find where, and say so at the driver.
  void undefined(double from, double to) {
    MotionFault fault = motion_.fault();
    Evaluation probe(system_, kOrder);
    while (to - from > 1e-12 * std::max(1.0, std::abs(to))) {
      const double middle = 0.5 * (from + to);
      if (!(middle > from && middle < to)) break;
      if (auto f = probe.set_time(middle)) to = middle, fault = *f;
      else from = middle;
    }
    const PrescribedMotion& motion = system_.motions()[z(fault.motion)];
    const Where where = fault.column > 0 && motion.where.line > 0 ? Where{motion.where.line, motion.where.column + fault.column - 1} : motion.where;
    end(Outcome::Kind::undefined, to, "driver '" + motion.owner + "': motion: " + fault.sentence + ", at " + seconds(to), {motion.owner}, "", where);
  }

  void end(Outcome::Kind kind, double t, std::string sentence, std::vector<std::string> elements = {}, std::string hint = {}, Where where = {}) {
    out_.outcome = {kind, t, sentence, std::move(elements)};
    out_.statistics.factorisations = motion_.factorisations();
    if (kind == Outcome::Kind::done || kind == Outcome::Kind::not_assembled || kind == Outcome::Kind::stopped) return;
    Problem problem = error(where, std::move(sentence), std::move(hint));
    problem.file = mechanism_.file;
    out_.problems.push_back(std::move(problem));
  }

  bool sample() {
    if (const auto fault = fill_(motion_, now_.q, row_)) {
      std::vector<std::string> elements;
      if (!fault->element.empty()) elements.push_back(fault->element);
      end(Outcome::Kind::undefined, now_.t, fault->sentence + ", at " + seconds(now_.t), std::move(elements), "", fault->where);
      return false;
    }
    out_.last = now_.q;
    out_.statistics.worst_residual = std::max(out_.statistics.worst_residual, motion_.evaluation().worst_residual());
    ++out_.statistics.samples;
    if (sink_(row_)) return true;
    end(Outcome::Kind::stopped, now_.t, "stopped by the caller");
    return false;
  }

  const PlaneMechanism& mechanism_;
  const PlanarSystem& system_;
  const KinematicsOptions& options_;
  const FillRow& fill_;
  const RowSink& sink_;
  KinematicsRun& out_;
  DrivenMotion motion_;
  std::size_t n_;
  Instant before_, now_, next_;
  double step_ = 0;
  DrivenMotion::Solved solved_{};
  std::vector<double> row_, difference_;
  std::optional<Ahead> ahead_;  // a singular position that is known to come
  double looked_to_ = 0;        // none up to here
};

}  // namespace

FrameOrders frame_orders(const DrivenMotion& motion) {
  FrameOrders out;
  for (int k = 0; k <= kOrder; ++k) out[z(k)] = motion.evaluation().frames(k);
  return out;
}

KinematicsRun follow_motion(const PlaneMechanism& mechanism, const KinematicsOptions& options, std::size_t columns, const FillRow& fill,
                            const RowSink& sink) {
  KinematicsRun out;
  Run(mechanism, options, columns, fill, sink, out).run();
  return out;
}

}  // namespace jounce
