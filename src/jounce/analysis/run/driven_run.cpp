#include "jounce/analysis/run/driven_run.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "jounce/analysis/run/driven_audit.hpp"
#include "jounce/analysis/run/extrapolate.hpp"
#include "jounce/analysis/run/goal_watch.hpp"
#include "jounce/analysis/run/motion_noise.hpp"
#include "jounce/analysis/singular.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/base/text.hpp"
#include "jounce/mechanism/forward_motion.hpp"

namespace jounce {
namespace {

/// A sample closer than this to a singular time is at it.
constexpr double kTimeResolution = 1e-9;
/// The longest step: this much motion, in radians and mechanism sizes, and this part of the run.
constexpr double kLongestMove = 0.25, kLongestPart = 1.0 / 64;
/// In so many parts a step is looked through for events.
constexpr int kPartsWatched = 4;
/// Between two looks for goals a motion goes no farther, in radians and mechanism sizes.
constexpr double kLongestLook = 0.1, kMostLooks = 64;
/// The most steps between two output times, some seconds of work for a small mechanism.
constexpr long kMostSteps = 2'000'000;
/// After so many refusals of one step, each time halved, noise of the prescribed motions may be the reason.
constexpr int kDoubtfulRefusals = 6;
/// Idle turns change nothing that they depend on but their own directions: corrections fall fast.
constexpr int kMostCarried = 4;
/// A start less regular than this is in a singular position.
constexpr double kSingularStart = 1e-9;
/// Where redundant equations cannot be followed and the others are less regular than this, they do not contradict them: a singular position is too near.
constexpr double kNearlySingular = 1e-6;
/// Redundant equations that ask for another velocity than the rest, by more than this against the velocity itself, contradict them.
constexpr double kContradiction = 1e-8;

/// Regularity that falls to this part in a step reaches zero within a few more.
constexpr double kFallsFast = 0.8;

// ---- following the motion ------------------------------------------------------------------------------------------

// The motion at one instant: position, power series of the way from there, and how regular the equations are.
struct Instant {
  double t = 0;
  std::vector<double> q, ways;  // ways: [order − 1][dof]
  double regularity = 0;
  int orientation = 0;
};

class Run {
 public:
  Run(DrivenMotion& motion, const DrivenStart& start, const std::string& file, const KinematicsOptions& options, std::size_t columns,
      const FillRow& fill, const RowSink& sink, KinematicsRun& out, const DrivenBooks* books, const DrivenWatch* watch, EventWatch* events)
      : motion_(motion), start_(start), file_(file), options_(options), fill_(fill), sink_(sink), out_(out), watch_(watch), n_(z(motion.dofs())), row_(columns),
        to_(options.last_time()), asking_(options.stop), events_(events), goals_(options.goals) {
    now_.q.resize(z(motion.coordinates())), now_.ways.resize(z(motion.order()) * n_), next_ = now_, before_ = now_, beside_ = now_;
    way_.resize(n_), predicted_ = now_.q;
    if (books != nullptr) audit_.emplace(motion, fill, *books, columns);
  }

  void run() {
    if (start_.not_begun) return void(out_.outcome = *start_.not_begun);
    now_.q = start_.q;
    now_.t = options_.from();
    if (!settle(now_.t, now_) || regularity_at_start() < kSingularStart) return start_failed();
    motion_.accept();
    if (contradiction()) return;
    std::size_t first = 0;
    if (!(options_.time(0) > now_.t)) {
      if (!sample()) return;
      first = 1;
    } else if (audit_) {  // the books begin at the start all the same
      if (!fill_(now_.t, now_.q, now_.ways, row_)) (void)audit_->row({now_.t, now_.q, now_.ways}, row_, 0);
    }
    if (events_ != nullptr && !unless_ended(events_->begin(now_.t, row_at_))) return;
    if (!motion_.outright()) {
      look_ahead(std::min(to_, now_.t + 4 * next_step(to_)));
      if (watch_ != nullptr) begin_watch(std::min(to_, now_.t + 4 * next_step(to_)));
    }
    for (std::size_t i = first; i < options_.samples(); ++i) {
      if (stopped() || !go_to(options_.time(i)) || !sample()) return;
    }
    done(to_, "");
  }

 private:
  [[nodiscard]] std::span<const double> order(const Instant& at, int k) const { return std::span(at.ways).subspan(z(k - 1) * n_, n_); }
  [[nodiscard]] double regularity_at_start() { return motion_.outright() ? 1.0 : motion_.regularity(30); }

  // Solves position and orders at t from the guess in `instant`.
  bool settle(double t, Instant& instant) {
    solved_ = motion_.position(t, instant.q);
    without_value_ = motion_.without_value();
    if (solved_ != DrivenMotion::Solved::yes) return false;
    motion_.orders(instant.ways);
    without_value_ = motion_.without_value();
    instant.t = t;
    if (motion_.outright()) return true;
    instant.regularity = motion_.regularity(1);
    instant.orientation = motion_.orientation();
    return std::isfinite(motion_.size(order(instant, motion_.order())));
  }

  // An equation stopped having a value: steps have become as short as they can, and now is the last time at which it has one.
  bool without_value() {
    if (!without_value_) return false;
    const Fault fault = *without_value_;
    end(Outcome::Kind::undefined, now_.t, fault.text() + ", at " + seconds(now_.t), fault.names(), "", fault.where);
    return true;
  }

  void start_failed() {
    const double t = options_.from();
    if (solved_ == DrivenMotion::Solved::undefined) return undefined(t, t);
    if (without_value()) return;
    if (solved_ == DrivenMotion::Solved::yes && !std::isfinite(motion_.size(order(now_, motion_.order()))))
      return end(Outcome::Kind::step_too_small, t,
                 "the motion is too fast to be followed: its derivatives are not finite numbers at " + seconds(t));
    if (auto open = motion_.undriven(t, start_.q))
      return end(Outcome::Kind::not_driven, t, std::move(open->sentence), std::move(open->elements), std::move(open->hint));
    singular({Outcome::Kind::change_point, {t, start_.q}});
  }

  // Redundant equations that hold here but ask for another velocity than the rest: two motors on one shaft.
  bool contradiction() {
    const double speed = motion_.size(order(now_, 1));
    if (!(motion_.velocity_misfit() > kContradiction * std::max(1.0, speed))) return false;
    conflicting();
    return true;
  }

  void conflicting() {
    const std::vector<std::string> names = motion_.contradicting(now_.t, now_.q);
    end(Outcome::Kind::conflicting, now_.t,
        "the mechanism cannot move on from " + seconds(now_.t) + ": these contradict each other there: " + join_names(names), names,
        "they have more equations than the motion needs; take one away, or make the drivers agree");
  }

  bool stopped() {
    if (!asking_.told() && !(options_.stop && options_.stop())) return false;
    end(Outcome::Kind::stopped, now_.t, "stopped at " + seconds(now_.t));
    return true;
  }

  // Advances `now_` to the target in as many steps as the motion needs; the last one lands on it exactly.
  bool go_to(double target) {
    if (motion_.outright()) return jump_to(target);
    double h = next_step(target);
    int rejected = 0;
    long steps = 0;
    const double resolution = kTimeResolution * std::min(std::max(1.0, std::abs(target)), 1e3 * to_);
    while (now_.t < target) {
      if (ahead_ && target >= ahead_->position.t - resolution) return singular(*ahead_), false;
      if (!(now_.t + 0.1 * h > now_.t)) return cannot_follow(), false;
      if (++steps > kMostSteps) return too_far(target), false;
      if (steps > 1 && stopped()) return false;
      const bool lands = now_.t + h >= target - 1e-3 * h;
      const double t = lands ? target : now_.t + h;
      bool accepted = step_to(t);
      // It changes its sign in a singular position only, or where the solution jumped to another branch.
      if (accepted && next_.orientation * now_.orientation < 0) {
        if (look_ahead(t) && ahead_->position.t <= t) continue;
        accepted = false;
      }
      if (accepted) {
        std::swap(before_, now_);
        std::swap(now_, next_);
        motion_.accept();
        ++out_.statistics.steps;
        step_ = 2 * h, refused_h_ = 0;
        if (!notice() || !weigh_step(target)) return false;
        if (watch_ != nullptr) go_on_watching(h);
        if (audit_ && now_.t < target) audit_->step({now_.t, now_.q, now_.ways});
        if (now_.regularity < kFallsFast * before_.regularity && now_.t + 2 * h > looked_to_) look_ahead(now_.t + 5 * h);
        h = next_step(target);
        continue;
      }
      if (solved_ == DrivenMotion::Solved::undefined) return undefined(now_.t, t), false;
      ++out_.statistics.rejected;
      h = shorter(h);
      step_ = h;
      if (++rejected % 5 == 0) look_ahead(std::min(target, now_.t + 100 * h));
    }
    return true;
  }

  // After a refused step of length h: half of it, or, where nothing but noise was in the way, what was to be tried at first.
  double shorter(double h) {
    if (refused_h_ == 0) refused_h_ = h, refusals_ = 0;
    if (++refusals_ % kDoubtfulRefusals != 0 || solved_ != DrivenMotion::Solved::yes) return 0.5 * h;
    const double noise = motion_noise(motion_, now_.t, now_.q, now_.ways, now_.regularity, h);
    if (!(noise > noise_)) return 0.5 * h;
    noise_ = noise;
    return std::exchange(refused_h_, 0.0);
  }

  // Nothing has to be solved for, so nothing can be missed on the way.
  bool jump_to(double target) {
    for (long steps = 0; now_.t < target; ++steps) {
      if (steps >= kMostSteps) return too_far(target), false;
      if (steps > 0 && stopped()) return false;
      double t = events_ == nullptr && goals_ == nullptr ? target : std::min(target, now_.t + next_step(target));  // but events and extremes can
      if (!(t > now_.t)) t = target;
      next_.q = now_.q;
      if (!settle(t, next_)) return undefined(now_.t, t), false;
      std::swap(before_, now_);
      std::swap(now_, next_);
      if (!notice() || !weigh_step(target)) return false;
    }
    return true;
  }

  // ---- events of the model ----

  // Those of the last step. The motion is asked for positions of its own, and put back.
  bool notice() {
    if (events_ == nullptr) return true;
    const auto ended = events_->look(now_.t, kPartsWatched, row_at_, out_.events);
    if (!solve_beside(ended ? ended->t : now_.t)) return cannot_follow(), false;
    if (!ended) return true;
    now_.t = ended->t, now_.q = beside_.q, now_.ways = beside_.ways;
    return unless_ended(ended);
  }

  // ---- goals ----

  // Those of the last step, where no row ends it.
  bool weigh_step(double target) {
    if (goals_ == nullptr || out_.statistics.samples == 0 || !(now_.t < target)) return true;
    return fill_(now_.t, now_.q, now_.ways, row_) || weigh();
  }

  // Up to the row that was filled last. The motion is asked for positions of its own, and put back.
  bool weigh() {
    if (goals_ == nullptr) return true;
    const double move = motion_.size(order(now_, 1)) * (now_.t - before_.t);
    const int parts = move > kLongestLook ? static_cast<int>(std::min(std::ceil(move / kLongestLook), kMostLooks)) : 1;
    return !goals_->look(now_.t, row_, parts, row_at_) || solve_beside(now_.t) || (cannot_follow(), false);
  }

  // The motion at a time of the last step, from the end that is nearer.
  bool solve_beside(double t) {
    const Instant& from = t - before_.t < now_.t - t && out_.statistics.steps > 0 ? before_ : now_;
    extrapolate(motion_, from.q, from.ways, t - from.t, beside_.q, way_);
    beside_.t = t;
    if (motion_.position(t, beside_.q) != DrivenMotion::Solved::yes) return false;
    motion_.orders(beside_.ways);
    for (int i = 0; i < kMostCarried && motion_.carry(t - from.t, {from.q, from.ways}, {beside_.q, beside_.ways}, beside_.q); ++i) {
      if (motion_.position(t, beside_.q) != DrivenMotion::Solved::yes) return false;
      motion_.orders(beside_.ways);
    }
    return true;
  }

  // Where an event ends the run, a row is at its time.
  bool unless_ended(const std::optional<EventWatch::Ended>& ended) {
    if (!ended) return true;
    if (!ended->stop) return end(Outcome::Kind::undefined, ended->t, ended->sentence, {ended->event}, "", ended->where), false;
    if ((out_.statistics.samples == 0 || out_.t < ended->t) && !sample()) return false;
    return done(ended->t, ended->sentence, {ended->event}), false;
  }

  // Twice the last one, but never so long that something could be missed: a quarter of a radian or of the mechanism's size in
  // motion, and a small part of the whole run.
  [[nodiscard]] double next_step(double target) const {
    const double speed = motion_.size(order(now_, 1));
    double h = std::min(target - now_.t, kLongestPart * (to_ - options_.from()));
    if (speed > 0) h = std::min(h, kLongestMove / speed);
    return step_ > 0 ? std::min(h, step_) : h;
  }

  void too_far(double target) {
    end(Outcome::Kind::step_too_small, now_.t, "the motion from one output time to the next, " + seconds(target) + ", takes more than " +
            std::to_string(kMostSteps) + " steps; it came to " + seconds(now_.t), {}, "ask for more output times, or for a shorter run");
  }

  void cannot_follow() {
    if (without_value()) return;
    if (motion_.redundant()) return now_.regularity < kNearlySingular ? singular({Outcome::Kind::change_point, {now_.t, now_.q}}) : conflicting();
    end(Outcome::Kind::step_too_small, now_.t,
        "the motion cannot be followed beyond " + seconds(now_.t) + ": steps became smaller than rounding");
  }

  // One step: predict by the Taylor polynomial, solve, and accept only if prediction and solution belong to one smooth motion.
  bool step_to(double t) {
    const double h = t - now_.t;
    extrapolate(motion_, now_.q, now_.ways, h, next_.q, way_);
    predicted_ = next_.q;
    if (!settle(t, next_)) return false;
    for (int i = 0; i < kMostCarried && motion_.carry(h, {now_.q, now_.ways}, {next_.q, next_.ways}, next_.q); ++i)
      if (!settle(t, next_)) return false;
    motion_.difference(next_.q, predicted_, way_);
    if (!(motion_.size(way_) <= bound(now_, h))) return false;
    // And back again: the new instant must predict where the old one was.
    extrapolate(motion_, next_.q, next_.ways, -h, predicted_, way_);
    motion_.difference(now_.q, predicted_, way_);
    return motion_.size(way_) <= bound(next_, h);
  }

  // What a smooth motion leaves for the orders beyond snap: the terms of a converging series go on falling, so the remainder is at
  // most of the size of the last ones kept. Never more than a hundredth of a radian or of the mechanism's size.
  double bound(const Instant& at, double h) const {
    const double third = motion_.size(order(at, 3)) * h * h * h;
    const double fourth = motion_.size(order(at, 4)) * h * h * h * h;
    return 1e-10 + noise_ + 1e-14 * motion_.reach(at.q) + std::min(1e-2, 0.5 * std::max(0.1 * third, fourth));
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
    if (auto found = find_dead_point(motion_, now_.t, now_.q, order(now_, 1), beyond, asking_))
      ahead_ = {Outcome::Kind::dead_point, *std::move(found)};
    else if (found = find_change_point(motion_, now_.t, now_.q, beyond, asking_); found)
      ahead_ = {Outcome::Kind::change_point, *std::move(found)};
    return ahead_.has_value();
  }

  // The same for equations that are only watched: remembered until the motion has passed it.
  void begin_watch(double limit) {
    watched_regularity_ = watch_->equations.regularity_at(now_.t, now_.q, 1).value_or(0.0);
    watched_sign_ = watch_->equations.orientation();
    watched_ahead_ = find_singular(motion_, watch_->equations, now_.t, now_.q, limit, asking_);
    watched_to_ = limit;
  }

  void go_on_watching(double h) {
    const double regularity = watch_->equations.regularity_at(now_.t, now_.q, 1).value_or(0.0);
    const int sign = watch_->equations.orientation();
    watch_->equations.accept();
    const bool turned = sign * watched_sign_ < 0, falls = regularity < kFallsFast * watched_regularity_ && now_.t + 2 * h > watched_to_;
    watched_regularity_ = regularity, watched_sign_ = sign;
    if (!watched_ahead_ && (turned || falls)) {
      const Instant& from = turned ? before_ : now_;
      watched_to_ = turned ? now_.t : now_.t + 5 * h;
      watched_ahead_ = find_singular(motion_, watch_->equations, from.t, from.q, watched_to_ + 0.05 * (watched_to_ - from.t), asking_);
    }
    if (!watched_ahead_ || watched_ahead_->t > now_.t) return;
    const double t = watched_ahead_->t;
    out_.events.push_back({t, "singular-position", "passed a singular position: " + watch_->sentence, watch_->elements});
    watched_ahead_.reset();
    watched_to_ = now_.t;
  }

  void singular(const Ahead& ahead) {
    const auto& [kind, at] = ahead;
    const auto [names, driving] = motion_.dependent(at.t, at.q);
    std::string drivers;
    for (const std::string& name : driving) drivers += (drivers.empty() ? "'" : ", '") + name + "'";
    std::string sentence;
    if (kind == Outcome::Kind::dead_point)
      sentence = "dead point at " + seconds(at.t) + ": " + (drivers.empty() ? "the drivers" : (driving.size() == 1 ? "driver " : "drivers ") + drivers) +
                 " cannot move the mechanism further, which turns back here";
    else
      sentence = "change point at " + seconds(at.t) + ": the mechanism is in a singular position and could go on in more than one way";
    if (!names.empty()) sentence += " (dependent here: " + join_names(names) + ")";
    out_.events.push_back({at.t, std::string(word(kind)), sentence, names});
    end(kind, at.t, sentence, names);
  }

  // ---- ends ----

  void done(double t, std::string sentence, std::vector<std::string> elements = {}) {
    warn_of_energy();
    end(Outcome::Kind::done, t, std::move(sentence), std::move(elements));
  }

  // A prescribed function stops having a value between two times: find where, and say so at the driver.
  void undefined(double from, double to) {
    std::optional<Fault> fault = motion_.fault_at(to);
    while (fault && to - from > 1e-12 * std::max(1.0, std::abs(to))) {
      const double middle = 0.5 * (from + to);
      if (!(middle > from && middle < to)) break;
      if (auto earlier = motion_.fault_at(middle)) to = middle, fault = std::move(earlier);
      else from = middle;
    }
    const Fault found = fault.value_or(Fault{{}, "a prescribed motion has no value", {}});
    end(Outcome::Kind::undefined, to, found.text() + ", at " + seconds(to), found.names(), "", found.where);
  }

  void end(Outcome::Kind kind, double t, std::string sentence, std::vector<std::string> elements = {}, std::string hint = {}, Where where = {}) {
    out_.outcome = {kind, t, sentence, std::move(elements)};
    out_.statistics.factorisations = motion_.factorisations() - (audit_ ? audit_->factorisations() : 0);
    if (kind == Outcome::Kind::done || kind == Outcome::Kind::stopped) return;
    Problem problem = error(where, std::move(sentence), std::move(hint));
    problem.file = file_;
    out_.problems.push_back(std::move(problem));
  }

  void joints_open(double residual, double allowed) {
    const std::vector<std::string> names = motion_.contradicting(now_.t, now_.q);
    end(Outcome::Kind::conflicting, now_.t, "the joints do not hold at " + seconds(now_.t) + ": " + join_names(names) + " are off by " +
            short_number(residual) + " (m or rad), and " + short_number(allowed) + " is allowed", names);
  }

  void warn_of_energy() {
    if (!audit_) return;
    Problems problems;
    audit_->warn(problems);
    locate(problems, file_);
    out_.problems.insert(out_.problems.end(), problems.begin(), problems.end());
  }

  bool sample() {
    if (const auto fault = fill_(now_.t, now_.q, now_.ways, row_)) {
      end(Outcome::Kind::undefined, now_.t, fault->text() + ", at " + seconds(now_.t), fault->names(), "", fault->where);
      return false;
    }
    if (!std::ranges::all_of(row_, [](double x) { return std::isfinite(x); }))
      return end(Outcome::Kind::step_too_small, now_.t, "the results are not finite numbers at " + seconds(now_.t)), false;
    const double residual = motion_.worst_residual();
    if (const double allowed = most_open(motion_.length()); !(residual <= allowed)) return joints_open(residual, allowed), false;
    if (audit_) {
      if (const auto ending = audit_->row({now_.t, now_.q, now_.ways}, row_, out_.statistics.steps))
        return end(ending->kind, now_.t, ending->sentence, {}, ending->hint), false;
      out_.statistics.energy_balance = audit_->audit().worst();
    }
    out_.t = now_.t;
    out_.q = now_.q;
    out_.ways = now_.ways;
    out_.v.assign(now_.ways.begin(), now_.ways.begin() + static_cast<std::ptrdiff_t>(n_));
    out_.statistics.worst_residual = std::max(out_.statistics.worst_residual, residual);
    ++out_.statistics.samples;
    if (options_.progress) options_.progress(now_.t);
    if (!weigh()) return false;
    if (sink_(row_)) return true;
    end(Outcome::Kind::stopped, now_.t, "stopped by the caller");
    return false;
  }

  DrivenMotion& motion_;
  const DrivenStart& start_;
  const std::string& file_;
  const KinematicsOptions& options_;
  const FillRow& fill_;
  const RowSink& sink_;
  KinematicsRun& out_;
  const DrivenWatch* watch_;
  std::size_t n_;
  Instant before_, now_, next_;
  double step_ = 0;
  double refused_h_ = 0;  // the first of the lengths that were refused since the last accepted step
  int refusals_ = 0;      // since then
  double noise_ = 0;      // of the prescribed motions
  DrivenMotion::Solved solved_{};
  std::optional<Fault> without_value_;  // of an equation, when the last step was tried
  std::vector<double> row_, way_, predicted_;
  double to_;
  std::optional<Ahead> ahead_;  // a singular position that is known to come
  double looked_to_ = 0;        // none up to here
  std::optional<SingularPosition> watched_ahead_;  // the same of what is only watched
  double watched_to_ = 0, watched_regularity_ = 0;
  int watched_sign_ = 0;
  Asking asking_;               // while it is looked for
  std::optional<DrivenAudit> audit_;
  EventWatch* events_;  // null: there are no events to watch for
  GoalWatch* goals_;    // likewise
  Instant beside_;
  RowAt row_at_ = [this](double t, std::span<double> row) {
    return solve_beside(t) && !fill_(t, beside_.q, beside_.ways, row) && std::ranges::all_of(row, [](double x) { return std::isfinite(x); });
  };
};

}  // namespace

void follow_motion(DrivenMotion& motion, const DrivenStart& start, const std::string& file, const KinematicsOptions& options,
                   std::size_t columns, const FillRow& fill, const RowSink& sink, KinematicsRun& out, const DrivenBooks* books,
                   const DrivenWatch* watch, std::optional<EventWatch> events) {
  if (events) {
    std::ranges::move(events->not_watched(), std::back_inserter(out.problems));
    locate(out.problems, file);
  }
  Run(motion, start, file, options, columns, fill, sink, out, books, watch, events && !events->empty() ? &*events : nullptr).run();
  if (events) std::ranges::stable_sort(out.events, {}, &Event::t);
}

}  // namespace jounce
