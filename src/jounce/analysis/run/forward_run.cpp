#include "jounce/analysis/run/forward_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "jounce/analysis/integrators/stepper.hpp"
#include "jounce/analysis/passage/around.hpp"
#include "jounce/analysis/passage/passages.hpp"
#include "jounce/analysis/run/energy_audit.hpp"
#include "jounce/analysis/run/headway.hpp"
#include "jounce/analysis/run/method_choice.hpp"
#include "jounce/analysis/run/work_quadrature.hpp"
#include "jounce/base/text.hpp"

namespace jounce {
namespace {

/// Of a run, or of its last time: as good as at its end.
constexpr double kNoWay = 1e-14;
/// Of a run: a pulse that begins and ends within a step would go unseen.
constexpr double kLongest = 1.0 / 64;
/// Where a law has a kink, a step moves at most this much, in mechanism sizes and radians.
constexpr double kLongestMove = 0.05;
/// Of so many steps one is looked at for the energy that moves.
constexpr int kStepsBetweenLooks = 4;
/// Steps whose work is remembered.
constexpr int kRemembered = 128;
/// Of an energy.
constexpr double kEnergyRounding = 1e-12;

class ForwardRun {
 public:
  ForwardRun(ForwardMotion& motion, const ForwardPlan& plan, const DynamicsOptions& options, const RowSink& sink, DynamicsRun& out)
      : motion_(motion), plan_(plan), times_(plan.times), breaks_(motion.breaks()), options_(options), sink_(sink), out_(out),
        usual_(motion.usual_method()), method_(options.method == Method::automatic ? usual_ : options.method), choice_(motion.stiff_cost()),
        y_(motion.start_state()), row_(motion.columns()), passages_(motion, plan.tolerance), headway_(motion, plan.tolerance),
        last_t_(times_.from()), scale_(motion.audit_scale()), audit_(plan.tolerance, scale_) {
    if (motion.size() > 0 || motion.conservative()) return;
    prescribed_.emplace([&](double t) { return motion_.power_at(t, y_); }, breaks_.times());
  }

  void run() {
    out_.statistics.conservative = motion_.conservative();
    out_.statistics.method = word(method_);
    out_.statistics.formulation = motion_.formulation();
    if (!begin(times_.from()) || !samples_until(times_.from()) || !open_books(times_.from())) return;
    while (next_output_ < times_.count())
      if (!advance()) return;
    add_statistics();
    audit_.warn(out_.problems);
    locate(out_.problems, plan_.file);
    end({.kind = Outcome::Kind::done, .sentence = ""}, times_.to());
  }

 private:
  /// Starts the method at y; where rates have jumped, or other equations are in force, what was before it does not count.
  bool begin(double t, double first_step = 0, bool jumped = true) {
    begun_at_ = t;
    stepped_ = false;
    stepper_ = make_stepper(method_, motion_, {plan_.tolerance, kLongest * std::max(times_.length(), 1e-300), first_step, !motion_.conservative()});
    work_before_ = work_;
    remember_work(t);
    const auto status = stepper_->start(breaks_.behind(t), y_);
    if (watching()) passages_.start(t, y_, jumped);
    return status == Stepper::Status::accepted || failed(status);
  }

  /// So close to the end of a run that rounding of the time itself fills what is left.
  [[nodiscard]] double no_way() const { return kNoWay * std::max(times_.length(), std::abs(times_.to())); }

  /// One step, or the part of it before other equations come into force.
  bool advance() {
    const double t = stepper_->t();
    if (times_.to() - t <= no_way()) return samples_until(times_.to());
    if (const auto next = breaks_.after(t); next && *next - t <= no_way()) return cross(*next);  // too close for a step
    const auto status = stepper_->step(step_limit());
    if (status != Stepper::Status::accepted) return failed(status);
    stepped_ = true;
    if (watching()) {
      Passages::Look look = passages_.look(*stepper_, breaks_.after(t).value_or(std::numeric_limits<double>::infinity()));
      if (look.lost) return end(undecided(t), t);
      if (look.again) return !asked_to_stop() && make_again(*look.again);
      if (look.crossing) {
        if (!samples_until(std::min(look.crossing->previous_t(), stepper_->t()))) return false;
        work_before_ = work_at_step(look.crossing->previous_t());
        add_statistics();
        crossing_ = true;
        stepper_ = std::move(look.crossing);
      }
    }
    last_step_ = stepper_->t() - stepper_->previous_t();
    look_at_energy();
    const std::optional<double> change = motion_.first_change(*stepper_);
    double reached = change.value_or(stepper_->t());
    const auto opened = motion_.opened(*stepper_);
    if (opened && opened->t <= reached) reached = std::nextafter(opened->t, stepper_->previous_t());
    if (const auto passage = stepper_->passage(); passage && *passage < reached && !pass(*passage)) return false;
    if (!samples_until(reached)) return false;
    if (options_.progress) options_.progress(reached);
    if (opened && reached < opened->t) return end(opened->ending, opened->t);
    if ((!change && !makes_headway()) || asked_to_stop()) return false;
    if (change) return equations_change(reached);
    if (crossing_) return state(stepper_->t()) && (add_statistics(), begin(reached, last_step_ / 2, false));
    if (const auto settled = stepper_->settle(); settled != Stepper::Status::accepted) return failed(settled);
    return options_.method != Method::automatic || choose_method();
  }

  /// Where the next step must end at the latest.
  double step_limit() {
    const double t = stepper_->t();
    double limit = times_.to();
    if (const auto next = breaks_.after(t)) limit = std::min(limit, motion_.stops_before(*next) ? std::nextafter(*next, t) : *next);
    if (watching()) limit = std::min(limit, passages_.limit());
    if (breaks_.kinks_elsewhere() && state(t)) {  // a law with a kink in a length or a rate: what lies behind it must not be jumped over
      if (const double speed = motion_.speed(t, y_); speed > 0) limit = std::min(limit, t + kLongestMove / speed);
    }
    return limit;
  }

  // ---- singular positions ----

  [[nodiscard]] bool watching() const { return motion_.held_by() > 0; }

  static Ending undecided(double t) {
    return {.kind = Outcome::Kind::step_too_small,
            .sentence = "the mechanism comes to a singular position at " + seconds(t) + ", and no smooth motion leads across it or past it",
            .elements = {},
            .hint = "a motor that pushes against a dead point, or lengths that are equal to all digits but the last few: check the drawing with 'jounce check'"};
  }

  /// A step that went too far, from where it began.
  bool make_again(double limit) {
    const Crossing::Known from = passages_.last();
    work_ = work_at_step(from.t);
    add_statistics();
    y_ = from.y;
    return begin(from.t, limit - from.t, false);
  }

  /// y and the work so far at a time of the last step; where there was none yet, y is where the method started.
  bool state(double t) {
    if (!stepped_) return true;
    const bool crosses = crossing_ && !motion_.conservative();
    const double crossed = crosses ? work_of_crossing(t) : 0;
    if (!stepper_->dense(t, y_)) return false;
    work_ = work_before_ + (crosses ? crossed : stepper_->work());
    return true;
  }

  /// What moves between rows is seen in some of the steps; the work is wanted in all of them where a singular position may have to be passed.
  void look_at_energy() {
    const bool wanted = watching() && !motion_.conservative();
    if (!wanted && ++unseen_steps_ % kStepsBetweenLooks != 0) return;
    if (!state(stepper_->t())) return;
    audit_.moving(motion_.kinetic(stepper_->t(), y_), work_);
    if (wanted) remember_work(stepper_->t());
  }

  /// Steps end at the states that a singular position is passed from.
  void remember_work(double t) {
    if (!watching()) return;
    if (works_.size() >= kRemembered) works_.erase(works_.begin(), works_.begin() + kRemembered / 2);
    works_.push_back({t, work_});
  }
  [[nodiscard]] double work_at_step(double t) const {
    const auto nearer = [&](const WorkAt& a, const WorkAt& b) { return std::abs(a.t - t) < std::abs(b.t - t); };
    return works_.empty() ? work_ : std::min_element(works_.rbegin(), works_.rend(), nearer)->work;
  }

  /// The long step across a singular position knows where it goes and not what works on it: by Gauss's rule.
  double work_of_crossing(double t) {
    constexpr std::array<double, 4> kPlace{0.06943184420297371, 0.33000947820757187, 0.6699905217924281, 0.9305681557970262};
    constexpr std::array<double, 4> kWeight{0.17392742256872692, 0.32607257743127307, 0.32607257743127307, 0.17392742256872692};
    const double from = stepper_->previous_t();
    double sum = 0;
    for (std::size_t i = 0; i < kPlace.size(); ++i) {
      const double there = from + kPlace[i] * (t - from);
      if (!stepper_->dense(there, y_)) continue;
      sum += kWeight[i] * motion_.power_at(there, y_).value_or(0);
    }
    return sum * (t - from);
  }

  /// Over a time at which some function is not smooth.
  bool cross(double t) {
    const double before = stepper_->t();
    if (!samples_until(std::nextafter(t, before))) return false;  // rows in the little that steps leave
    if (!state(before)) return failed(Stepper::Status::fault);
    const double moving = motion_.kinetic(before, y_);
    const std::size_t events = out_.events.size();
    if (const auto ending = motion_.cross(before, t, y_, out_.events)) return end(*ending, t);
    if (out_.events.size() > events) blow(motion_.kinetic(breaks_.behind(t), y_) - moving);
    const double planned = stepper_->next_step();
    add_statistics();
    return begin(t, planned);
  }

  /// A blow is work, too.
  void blow(double energy) {
    work_ += energy;
    blows_ += energy;
  }

  bool equations_change(double t) {
    if (!state(t)) return failed(Stepper::Status::fault);
    add_statistics();  // the method works on equations that may be about to go
    if (const auto ending = motion_.change(t, y_, out_.events)) return end(*ending, t);
    return begin(t);
  }

  bool pass(double t) {
    if (!state(t)) return failed(Stepper::Status::fault);
    out_.events.push_back(motion_.passage(t, y_));
    return true;
  }

  bool asked_to_stop() {
    if (!options_.stop || !options_.stop()) return false;
    end({.kind = Outcome::Kind::stopped, .sentence = "stopped at " + seconds(stepper_->t())}, last_t_);
    return true;
  }

  /// A law that jumps back and forth (sign(v) at rest) can be followed in ever smaller steps, without end.
  bool makes_headway() {
    if (!headway_.looks()) return headway_.step(), true;
    const double t = stepper_->t();
    if (!state(t)) return failed(Stepper::Status::fault);
    if (headway_.step(t, y_)) return true;
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
      if (!choice_.tries_stiff(last_step_, stepper_->stiff(), times_.to() - stepper_->t())) return true;
      return change_to(Method::radau, std::string("the motion is stiff: stability, not accuracy, bounds the ") +
                                          (usual_ == Method::taylor ? "Taylor" : "explicit") + " steps");
    }
    return !choice_.gives_up(last_step_) || change_to(usual_, "the implicit steps are too short to pay");
  }

  bool change_to(Method method, const std::string& why) {
    const double t = stepper_->t();
    if (!state(t)) return failed(Stepper::Status::fault);
    add_statistics();
    method_ = method;
    out_.statistics.method += ", then " + std::string(word(method));
    out_.events.push_back({t, "method", "changed to " + std::string(word(method)) + ": " + why, {}});
    return begin(t, choice_.usual_step());
  }

  // ---- rows ----

  bool samples_until(double t) {
    for (; next_output_ < times_.count() && times_.at(next_output_) <= t; ++next_output_) {
      const double at = times_.at(next_output_);
      if (const double behind = breaks_.behind(at); behind > t && breaks_.is_blow(behind)) break;  // a row shows what is behind a blow
      if (!sample(at)) return false;
    }
    return true;
  }

  bool sample(double t) {
    ForwardMotion::Sample found;
    const std::optional<Around> around = stepped_ ? Around::of(*stepper_, t) : std::nullopt;
    if (around ? !row_around(*around, t, found) : !row_at(t, found)) return false;
    if (around) (void)state(t);  // for the work
    if (!std::ranges::all_of(row_, [](double x) { return std::isfinite(x); }))
      return end({.kind = Outcome::Kind::step_too_small, .sentence = "the results are not finite numbers at " + seconds(t)}, t);
    if (const auto ending = keep_books(t, found)) return end(*ending, t);
    keep_statistics(found);
    out_.t = t;
    last_t_ = t;
    if (sink_(row_)) return true;
    return end({.kind = Outcome::Kind::stopped, .sentence = "stopped at " + seconds(t)}, t);
  }

  /// Work and balance, into the row. Where everything is prescribed nothing is integrated, and time goes by in one step: there the work follows
  /// from the powers at the rows.
  std::optional<Ending> keep_books(double t, const ForwardMotion::Sample& found) {
    if (prescribed_) {
      if (!books_open_) prescribed_->begin(t, found.power);
      else prescribed_->advance(t, found.power, kEnergyRounding * (found.kinetic + std::abs(found.potential)));
      work_ = prescribed_->work() + blows_;
    }
    books_open_ = true;
    const double force = found.force + scale_.weight;
    return audit_.take({t, found.kinetic, found.potential, work_, force, steps_done(), out_.q},
                       std::span(row_).subspan(motion_.audit_column(), 2));
  }

  /// Where the first row is later, the books begin at the start all the same.
  bool open_books(double t) {
    if (books_open_) return true;
    ForwardMotion::Sample found;
    if (const auto ending = motion_.sample(t, y_, row_, found)) return end(*ending, t);
    (void)keep_books(t, found);
    return true;
  }

  bool row_at(double t, ForwardMotion::Sample& found) {
    if (!state(t)) return end(no_value(stepper_->fault(), t), t);
    if (const auto ending = motion_.sample(t, y_, row_, found)) return end(*ending, t);
    out_.q.assign(motion_.q().begin(), motion_.q().end());
    out_.v.assign(motion_.v().begin(), motion_.v().end());
    return true;
  }

  /// Close to a singular position.
  bool row_around(const Around& around, double t, ForwardMotion::Sample& found) {
    std::vector<std::vector<double>> rows, q, v;
    std::array<std::vector<double>, 2> energy;
    for (const double there : around.times()) {
      ForwardMotion::Sample sample;
      if (!row_at(there, sample)) return false;
      rows.push_back(row_), q.push_back(out_.q), v.push_back(out_.v);
      energy[0].push_back(sample.kinetic), energy[1].push_back(sample.potential);
      found.residual = std::max(found.residual, sample.residual);
    }
    std::vector<double> values(rows.size());
    const auto fill = [&](const std::vector<std::vector<double>>& from, std::vector<double>& to) {
      for (std::size_t i = 0; i < to.size(); ++i) {
        for (std::size_t k = 0; k < from.size(); ++k) values[k] = from[k][i];
        to[i] = around.value(values);
      }
    };
    fill(rows, row_), fill(q, out_.q), fill(v, out_.v);
    row_.front() = t;
    found.kinetic = around.value(energy[0]), found.potential = around.value(energy[1]);
    return true;
  }

  void keep_statistics(const ForwardMotion::Sample& found) {
    DynamicsStatistics& s = out_.statistics;
    if (s.samples == 0) out_.not_unique = motion_.not_unique();
    if (s.conservative) s.energy_drift = audit_.largest_change();
    s.energy_balance = audit_.worst();
    s.worst_residual = std::max(s.worst_residual, found.residual);
    ++s.samples;
  }

  // ---- endings; they give false ----

  /// Of a method that is done with: it is given up.
  void add_statistics() {
    if (!stepper_) return;
    const StepperStatistics s = stepper_->statistics();
    DynamicsStatistics& sum = out_.statistics;
    sum.steps += s.steps;
    sum.rejected += s.rejected;
    sum.factorisations += s.factorisations;
    sum.worst_defect = std::max(sum.worst_defect, s.worst_defect);
    sum.largest_projection = std::max(sum.largest_projection, s.largest_projection);
    if (s.order > 0) sum.order = s.order;
    crossing_ = false;
    stepper_.reset();
  }

  [[nodiscard]] long steps_done() const { return out_.statistics.steps + (stepper_ ? stepper_->statistics().steps : 0); }

  /// Rows that are still due up to here are written first.
  bool failed(Stepper::Status status) {
    const double t = stepped_ ? stepper_->t() : begun_at_;
    if (!samples_until(t)) return false;
    (void)state(t);
    if (const auto reason = motion_.reason(status, t, y_)) return end(*reason, t);
    if (status == Stepper::Status::fault) return end(no_value(stepper_->fault(), t), t);
    return end({.kind = Outcome::Kind::step_too_small,
                .sentence = "the step size is exhausted at " + seconds(t) + ": the tolerance " + short_number(plan_.tolerance) +
                            " cannot be met beyond",
                .elements = {},
                .hint = std::string("forces or accelerations may grow without bound there; a looser --tol ") +
                        (method_ == Method::radau ? "" : "or --method radau ") + "may go further"},
               t);
  }

  bool end(const Ending& ending, double t) {
    add_statistics();
    end_run(ending, t, plan_.file, out_);
    return false;
  }

  ForwardMotion& motion_;
  const ForwardPlan& plan_;
  const OutputTimes& times_;
  const TimeBreaks& breaks_;
  const DynamicsOptions& options_;
  const RowSink& sink_;
  DynamicsRun& out_;

  std::unique_ptr<Stepper> stepper_;
  bool crossing_ = false;  // the stepper is a way across a singular position
  Method usual_, method_;
  MethodChoice choice_;
  double last_step_ = 0;

  std::vector<double> y_, row_;
  Passages passages_;
  double begun_at_ = 0;   // of the method
  bool stepped_ = false;  // since then
  int next_output_ = 0;
  Headway headway_;
  double last_t_;
  AuditScale scale_;
  EnergyAudit audit_;
  bool books_open_ = false;
  long unseen_steps_ = 0;
  double work_ = 0, work_before_ = 0;  // at the last `state`, and where the method was started
  double blows_ = 0;                   // of it, by jumps of a prescribed rate
  struct WorkAt {
    double t, work;
  };
  std::vector<WorkAt> works_;  // at the ends of the last steps
  std::optional<WorkQuadrature> prescribed_;
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
