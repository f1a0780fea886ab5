#include "jounce/analysis/run/forward_run.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "jounce/analysis/integrators/stepper.hpp"
#include "jounce/analysis/passage/passages.hpp"
#include "jounce/analysis/run/forward_rows.hpp"
#include "jounce/analysis/run/forward_state.hpp"
#include "jounce/analysis/run/goal_watch.hpp"
#include "jounce/analysis/run/headway.hpp"
#include "jounce/analysis/run/method_choice.hpp"
#include "jounce/base/text.hpp"

namespace jounce {
namespace {

/// Of a run, or of its last time: as good as at its end.
constexpr double kNoWay = 1e-14;
/// Of a run: a pulse that begins and ends within a step would go unseen.
constexpr double kLongest = 1.0 / 64;
/// Where a law has a kink, a step moves at most this much, in mechanism sizes and radians.
constexpr double kLongestMove = 0.05;
/// So many steps that come no farther than this part of the way before them have collapsed.
constexpr long kManySteps = 1000;
constexpr double kNoFarther = 1e-4;
/// The same for a motion that nothing but time moves, where events are watched for.
constexpr double kLongestWatched = 0.25;
/// In so many parts a step is looked through for events: steps of high order are long.
constexpr int kPartsWatched = 8;
/// Of so many steps one is looked at for the energy that moves.
constexpr int kStepsBetweenLooks = 4;

class ForwardRun {
 public:
  ForwardRun(ForwardMotion& motion, const ForwardPlan& plan, const DynamicsOptions& options, const RowSink& sink, DynamicsRun& out)
      : motion_(motion), plan_(plan), times_(plan.times), breaks_(motion.breaks()), options_(options), out_(out),
        usual_(motion.usual_method()), method_(options.method == Method::automatic ? usual_ : options.method), choice_(motion.stiff_cost()),
        state_(motion), rows_(motion, plan, sink, state_, out), passages_(motion, plan.tolerance), headway_(motion, plan.tolerance) {}

  void run() {
    out_.statistics.conservative = motion_.conservative();
    out_.statistics.method = word(method_);
    out_.statistics.formulation = motion_.formulation();
    many_steps_ago_ = times_.from();
    std::ranges::move(motion_.start_events(), std::back_inserter(out_.events));
    if (!begin(times_.from()) || !samples_until(times_.from()) || !goes_on(rows_.open_books(times_.from()))) return;
    if (plan_.watch != nullptr && !unless_ended(plan_.watch->begin(times_.from(), row_at_))) return;
    weigh_until(times_.from());
    while (!rows_.all_written())
      if (!advance()) return;
    done(times_.to(), "", {});
  }

 private:
  /// Starts the method at y; where rates have jumped, or other equations are in force, what was before it does not count.
  bool begin(double t, double first_step = 0, bool jumped = true) {
    const StepperOptions options{plan_.tolerance, kLongest * std::max(times_.length(), 1e-300), first_step, !motion_.conservative()};
    const auto status = state_.begin(t, breaks_.behind(t), make_stepper(method_, motion_, options));
    if (state_.watched()) passages_.start(t, state_.y(), jumped);
    if (plan_.goals != nullptr) plan_.goals->jump(breaks_.behind(t));
    return status == Stepper::Status::accepted || failed(status);
  }

  [[nodiscard]] Stepper& stepper() { return state_.stepper(); }

  /// So close to the end of a run that rounding of the time itself fills what is left.
  [[nodiscard]] double no_way() const { return kNoWay * std::max(times_.length(), std::abs(times_.to())); }

  /// One step, or the part of it before other equations come into force.
  bool advance() {
    const double t = stepper().t();
    if (times_.to() - t <= no_way()) return samples_until(times_.to());
    if (const auto next = breaks_.after(t); next && *next - t <= no_way()) return cross(*next);  // too close for a step
    const auto status = stepper().step(step_limit());
    if (status != Stepper::Status::accepted) return failed(status);
    state_.stepped();
    if (state_.watched()) {
      Passages::Look look = passages_.look(stepper(), breaks_.after(t).value_or(std::numeric_limits<double>::infinity()));
      if (look.lost) return end(undecided(t), t);
      if (look.again) return !asked_to_stop() && make_again(*look.again);
      if (look.crossing) {
        const double until = std::min(look.crossing->previous_t(), stepper().t());
        if (!notice_until(until) || !samples_until(until)) return false;
        state_.end_at(look.crossing->previous_t());
        add_statistics();
        state_.cross(std::move(look.crossing));
      }
    }
    last_step_ = stepper().t() - stepper().previous_t();
    look_at_energy();
    const std::optional<double> change = motion_.first_change(stepper());
    double reached = change.value_or(stepper().t());
    const auto opened = motion_.opened(stepper());
    if (opened && opened->t <= reached) reached = std::nextafter(opened->t, stepper().previous_t());
    if (const auto passage = stepper().passage(); passage && *passage < reached && !pass(*passage)) return false;
    if (!notice_until(reached) || !samples_until(reached)) return false;
    if (options_.progress) options_.progress(reached);
    if (opened && reached < opened->t) return end(opened->ending, opened->t);
    if ((!change && !makes_headway()) || asked_to_stop()) return false;
    if (change) return equations_change(reached);
    if (state_.crosses()) return state_.at(stepper().t()) && (add_statistics(), begin(reached, last_step_ / 2, false));
    if (const auto settled = stepper().settle(); settled != Stepper::Status::accepted) return failed(settled);
    return options_.method != Method::automatic || choose_method();
  }

  /// Where the next step must end at the latest.
  double step_limit() {
    const double t = stepper().t();
    double limit = times_.to();
    if (const auto next = breaks_.after(t)) limit = std::min(limit, motion_.stops_before(*next) ? std::nextafter(*next, t) : *next);
    if (state_.watched()) limit = std::min(limit, passages_.limit());
    if (breaks_.kinks_elsewhere() && state_.at(t)) {  // a law with a kink in a length or a rate: what lies behind it must not be jumped over
      if (const double speed = motion_.speed(t, state_.y()); speed > 0) limit = std::min(limit, t + kLongestMove / speed);
    }
    if ((plan_.watch != nullptr || plan_.goals != nullptr) && motion_.size() == 0) {  // nothing else bounds the steps of what is prescribed
      limit = std::min(limit, t + kLongest * times_.length());
      if (const double speed = motion_.speed(t, state_.y()); speed > 0) limit = std::min(limit, t + kLongestWatched / speed);
    }
    return limit;
  }

  // ---- events of the model, and goals ----

  /// Those of the last step, up to a time of it.
  bool notice_until(double t) {
    const auto ended = plan_.watch == nullptr ? std::nullopt : plan_.watch->look(t, kPartsWatched, row_at_, out_.events);
    weigh_until(ended ? ended->t : t);
    return unless_ended(ended);
  }

  void weigh_until(double t) {
    if (plan_.goals != nullptr) (void)plan_.goals->look(t, {}, kPartsWatched, row_at_);
  }

  /// Rows that are due until then are written first; where an event ends the run, one at its time.
  bool unless_ended(const std::optional<EventWatch::Ended>& ended) {
    if (!ended) return true;
    if (!samples_until(ended->t)) return false;
    if (!ended->stop)
      return end({.kind = Outcome::Kind::undefined, .sentence = ended->sentence, .elements = {ended->event}, .where = ended->where}, ended->t);
    if (!rows_.written(ended->t) && !goes_on(rows_.at(ended->t))) return false;
    return done(ended->t, ended->sentence, {ended->event});
  }

  // ---- singular positions ----

  [[nodiscard]] Ending undecided(double t) const {
    return {.kind = Outcome::Kind::step_too_small,
            .sentence = "the mechanism comes to a singular position at " + seconds(t) + ", and no smooth motion leads across it or past it",
            .elements = {},
            .hint = std::string(motion_.driven() ? "a motor that pushes against a dead point, or " : "") + "lengths that are equal to all digits but the last few: check the drawing with 'jounce check'"};
  }

  /// A step that went too far, from where it began.
  bool make_again(double limit) {
    const Crossing::Known from = passages_.last();
    add_statistics();
    state_.go_back(from.t, from.y);
    return begin(from.t, limit - from.t, false);
  }

  /// What moves between rows is seen in some of the steps; the work is remembered from all of them where a singular position may have to be passed.
  void look_at_energy() {
    if (!motion_.conservative()) state_.remember_work();
    if (++unseen_steps_ % kStepsBetweenLooks != 0 || !state_.at_end()) return;
    rows_.audit().moving(motion_.kinetic(stepper().t(), state_.y()), state_.work());
  }

  /// Over a time at which some function is not smooth.
  bool cross(double t) {
    const double before = stepper().t();
    if (!samples_until(std::nextafter(t, before))) return false;  // rows in the little that steps leave
    if (!state_.at(before)) return failed(Stepper::Status::fault);
    const double moving = motion_.kinetic(before, state_.y());
    const std::size_t events = out_.events.size();
    if (const auto ending = motion_.cross(before, t, state_.y(), out_.events)) return end(*ending, t);
    if (out_.events.size() > events) rows_.blow(motion_.kinetic(breaks_.behind(t), state_.y()) - moving);
    const double planned = stepper().next_step();
    add_statistics();
    return begin(t, planned);
  }

  bool equations_change(double t) {
    if (!state_.at(t)) return failed(Stepper::Status::fault);
    add_statistics();  // the method works on equations that may be about to go
    const double moving = motion_.kinetic(t, state_.y());
    const std::size_t events = out_.events.size();
    if (const auto ending = motion_.change(t, state_.y(), out_.events)) return end(*ending, t);
    if (std::any_of(out_.events.begin() + static_cast<std::ptrdiff_t>(events), out_.events.end(), [](const Event& event) { return event.kind == "impact"; }))
      rows_.blow(motion_.kinetic(t, state_.y()) - moving);
    return begin(t);
  }

  bool pass(double t) {
    if (!state_.at(t)) return failed(Stepper::Status::fault);
    out_.events.push_back(motion_.passage(t, state_.y()));
    return true;
  }

  bool asked_to_stop() {
    if (!options_.stop || !options_.stop()) return false;
    end({.kind = Outcome::Kind::stopped, .sentence = "stopped at " + seconds(stepper().t())}, rows_.last_t());
    return true;
  }

  /// A law that jumps back and forth (sign(v) at rest) can be followed in ever smaller steps, without end.
  bool makes_headway() {
    const double t = stepper().t();
    if (++steps_since_ >= kManySteps) {
      const bool collapsed = t - many_steps_ago_ < kNoFarther * (many_steps_ago_ - times_.from());
      many_steps_ago_ = t, steps_since_ = 0;
      if (collapsed && state_.at(t))
        if (const auto ending = motion_.vanishing(t, state_.y())) return end(*ending, t);
    }
    if (!headway_.looks()) return headway_.step(), true;
    if (!state_.at(t)) return failed(Stepper::Status::fault);
    if (headway_.step(t, state_.y())) return true;
    return end({.kind = Outcome::Kind::step_too_small,
                .sentence = "the motion makes no headway at " + seconds(t) + ": a force jumps back and forth and has held it for " +
                            std::to_string(headway_.held_steps()) + " steps, since " + seconds(headway_.held_since()),
                .elements = {},
                .hint = "friction is better written as 'friction' than as an actuator with sign(v)"},
               t);
  }

  // ---- changing the method ----

  bool choose_method() {
    if (method_ == usual_) {
      if (!choice_.tries_stiff(last_step_, stepper().stiff(), times_.to() - stepper().t())) return true;
      return change_to(Method::radau, std::string("the motion is stiff: stability, not accuracy, bounds the ") +
                                          (usual_ == Method::taylor ? "Taylor" : "explicit") + " steps");
    }
    return !choice_.gives_up(last_step_) || change_to(usual_, "the implicit steps are too short to pay");
  }

  bool change_to(Method method, const std::string& why) {
    const double t = stepper().t();
    if (!state_.at(t)) return failed(Stepper::Status::fault);
    add_statistics();
    method_ = method;
    out_.statistics.method += ", then " + std::string(word(method));
    out_.events.push_back({t, "method", "changed to " + std::string(word(method)) + ": " + why, {}});
    return begin(t, choice_.usual_step());
  }

  // ---- rows ----

  bool samples_until(double t) { return goes_on(rows_.until(t)); }

  bool goes_on(const std::optional<ForwardRows::Ended>& ended) { return !ended || end(ended->ending, ended->t); }

  // ---- endings; they give false ----

  /// Of a method that is done with: it is given up.
  void add_statistics() {
    if (!state_.has_stepper()) return;
    const StepperStatistics s = state_.stepper().statistics();
    DynamicsStatistics& sum = out_.statistics;
    sum.steps += s.steps;
    sum.rejected += s.rejected;
    sum.factorisations += s.factorisations;
    sum.worst_defect = std::max(sum.worst_defect, s.worst_defect);
    sum.largest_projection = std::max(sum.largest_projection, s.largest_projection);
    if (s.order > 0) sum.order = s.order;
    state_.give_up();
  }

  /// Rows that are still due up to here are written first.
  bool failed(Stepper::Status status) {
    const double t = state_.reached();
    if (!samples_until(t)) return false;
    (void)state_.at(t);
    if (const auto reason = motion_.reason(status, t, state_.y())) return end(*reason, t);
    if (status == Stepper::Status::fault) return end(no_value(stepper().fault(), t), t);
    return end({.kind = Outcome::Kind::step_too_small,
                .sentence = "the step size is exhausted at " + seconds(t) + ": the tolerance " + short_number(plan_.tolerance) +
                            " cannot be met beyond",
                .elements = {},
                .hint = std::string("forces or accelerations may grow without bound there; a looser --tol ") +
                        (method_ == Method::radau ? "" : "or --method radau ") + "may go further"},
               t);
  }

  bool done(double t, const std::string& sentence, const std::vector<std::string>& elements) {
    add_statistics();
    rows_.audit().warn(out_.problems);
    locate(out_.problems, plan_.file);
    return end({.kind = Outcome::Kind::done, .sentence = sentence, .elements = elements}, t);
  }

  bool end(const Ending& ending, double t) {
    add_statistics();
    std::ranges::stable_sort(out_.events, {}, &Event::t);  // those of the model, and rest after bounces, are told when they are known
    end_run(ending, t, plan_.file, out_);
    return false;
  }

  ForwardMotion& motion_;
  const ForwardPlan& plan_;
  const OutputTimes& times_;
  const TimeBreaks& breaks_;
  const DynamicsOptions& options_;
  DynamicsRun& out_;

  Method usual_, method_;
  MethodChoice choice_;
  double last_step_ = 0;

  ForwardState state_;
  ForwardRows rows_;
  Passages passages_;
  Headway headway_;
  long unseen_steps_ = 0;
  long steps_since_ = 0;
  double many_steps_ago_ = 0;  // seconds
  RowAt row_at_ = [this](double t, std::span<double> row) {
    const bool gone = state_.has_stepped() && t < stepper().previous_t();  // a step that was made before
    return !gone && rows_.look_at(t, row);
  };
};

}  // namespace

void follow(ForwardMotion& motion, const ForwardPlan& plan, const DynamicsOptions& options, const RowSink& sink, DynamicsRun& out) {
  ForwardRun(motion, plan, options, sink, out).run();
}

void end_run(const Ending& ending, double t, const std::string& file, DynamicsRun& out) {
  using Kind = Outcome::Kind;
  if (ending.kind != Kind::done && ending.kind != Kind::stopped) {
    out.problems.push_back(error(ending.where, ending.sentence, ending.hint));
    locate(out.problems, file);
  }
  out.outcome = {ending.kind, t, ending.sentence, ending.elements};
}

}  // namespace jounce
