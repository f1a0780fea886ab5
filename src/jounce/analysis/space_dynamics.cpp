#include <algorithm>
#include <cmath>

#include "jounce/analysis/integrators/space_stepper.hpp"
#include "jounce/analysis/time_breaks.hpp"
#include "jounce/analysis/space_run.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/text.hpp"
#include "jounce/space/maximal/maximal.hpp"
#include "jounce/space/build/checks.hpp"

namespace jounce {
namespace {

/// A tolerance below this is beyond what rounding allows.
constexpr double kSmallestTolerance = 1e-14;
constexpr double kLargestTolerance = 1e-4;
/// Of a run: as good as at its end.
constexpr double kNoWay = 1e-14;
/// Of a run: a pulse that begins and ends within a step would go unseen.
constexpr double kLongest = 1.0 / 64;
/// So many steps have to make that much of the run.
constexpr int kManySteps = 2000;
constexpr double kHeadway = 1e-7;
/// Where a law has a kink, a step moves at most this much, in metres and radians.
constexpr double kLongestMove = 0.05;
/// Loops that contradict each other by more than this, against the accelerations, hold the mechanism.
constexpr double kContradiction = 1e-6;
/// Of the largest kinetic energy: more is no rounding and no tolerance.
constexpr double kMuchEnergy = 1e-2;
/// Explicit steps still to go, for a change to the stiff method to pay.
constexpr double kWorthAChange = 500;
/// So many stiff steps have to be longer than the explicit ones by what one costs more. The two cost about the same for few
/// unknowns; dense matrices make it twice as much at this many, and more as the square of them.
constexpr int kTrialSteps = 12;
constexpr double kCheapUnknowns = 35;

/// Rates and positions that differ by less are the same, but for rounding.
constexpr double kSameRate = 1e-9;

double largest(std::span<const double> x) {
  double most = 0;
  for (const double a : x) most = std::max(most, std::abs(a));
  return most;
}

class Run {
 public:
  Run(const SpaceMechanism& mechanism, const DynamicsOptions& options, const RowSink& sink, SpaceRun& out)
      : mechanism_(mechanism), options_(options), sink_(sink), out_(out), ode_(mechanism, options.formulation),
        y_(z(ode_.size())),
        tau_(mechanism.dofs.size()), row_(space_columns(mechanism, true).size()) {}

  void run() {
    if (!accepted()) return;
    out_.start = assemble(mechanism_);
    out_.problems.insert(out_.problems.end(), out_.start.problems.begin(), out_.start.problems.end());
    if (!out_.start.assembled)
      return end(Outcome::Kind::not_assembled, 0, out_.problems.empty() ? "" : out_.problems.back().sentence);
    const Problems unmoved = unmoved_dofs(mechanism_, out_.start.q);
    out_.problems.insert(out_.problems.end(), unmoved.begin(), unmoved.end());
    if (!unmoved.empty()) return;
    breaks_ = TimeBreaks(mechanism_, options_.to);
    ode_.gather(out_.start.q, out_.start.v, y_);
    out_.statistics.conservative = is_conservative();
    follow();
  }

 private:
  bool accepted() {
    if (options_.steps < 1 || !(options_.to >= 0) || !std::isfinite(options_.to) || !(options_.tolerance > 0)) {
      out_.problems.push_back(error({}, "dynamics: expected a finite time to >= 0, at least 1 step and a tolerance > 0"));
      return false;
    }
    if (options_.method == Method::taylor) {
      out_.problems.push_back(error({}, "dynamics: method taylor: is for mechanisms of the plane; in space there are dop853 and radau"));
      return false;
    }
    tolerance_ = std::min(options_.tolerance, kLargestTolerance);
    if (tolerance_ < kSmallestTolerance) {
      tolerance_ = kSmallestTolerance;
      out_.problems.push_back(warning({}, "--tol " + short_number(options_.tolerance) + " is below what rounding allows: " +
                                              short_number(tolerance_) + " is used"));
    }
    for (const Problems& some : {missing_masses(mechanism_, "dynamics", "0 for a body without mass"), refused_friction()})
      out_.problems.insert(out_.problems.end(), some.begin(), some.end());
    const std::string why = any_error(out_.problems) ? "" : inapplicable(mechanism_, options_.formulation);
    if (!why.empty())
      out_.problems.push_back(error({}, "dynamics: formulation " + std::string(word(options_.formulation)) + ": " + why));
    locate(out_.problems, mechanism_.file);
    return !any_error(out_.problems);
  }

  [[nodiscard]] Problems refused_friction() const {
    Problems out;
    for (const SpaceForce& force : mechanism_.forces)
      if (force.friction != 0 && force.friction_speed == 0)
        out.push_back(error(force.where, "force '" + force.name +
                                             "': friction_speed: is 0, and the exact sign of friction is known in the plane only",
                            "leave it out, or give a small speed"));
    return out;
  }

  [[nodiscard]] bool is_conservative() const {
    const bool dofs = std::ranges::all_of(mechanism_.dofs, [](const SpaceDof& dof) {
      return dof.damping == 0 && (!dof.torque || (dof.torque->is_constant() && dof.active())) &&
             (!dof.motion || dof.motion->is_constant());
    });
    return dofs && std::ranges::all_of(mechanism_.forces, [](const SpaceForce& force) {
             return force.kind == SpaceForce::Kind::spring && force.damping == 0 && force.friction == 0 && !force.actuator;
           });
  }

  void follow() {
    method_ = options_.method == Method::automatic ? Method::dop853 : options_.method;
    make_stepper();
    out_.statistics.method = word(method_);
    out_.statistics.formulation = formulation_words();
    if (!begin(0) || !sample(0)) return;
    next_output_ = 1;
    while (next_output_ <= options_.steps)
      if (!advance()) return;
    if (out_.statistics.conservative && out_.statistics.energy_drift > kMuchEnergy * largest_energy_) {
      out_.problems.push_back(warning({}, "the energy should be constant and has changed by " + short_number(out_.statistics.energy_drift) +
                                              " J: --tol may be too loose"));
      locate(out_.problems, mechanism_.file);
    }
    end(Outcome::Kind::done, options_.to, "");
  }

  [[nodiscard]] std::string formulation_words() const {
    const Formulation formulation = ode_.equations().formulation();
    if (!uses_tree(formulation)) return std::string(word(formulation)) + ", free bodies";
    const std::string bodies = formulation == Formulation::crba ? "crba, composite bodies" : "articulated bodies";
    return mechanism_.loops.empty() && mechanism_.couplings.empty() ? bodies : bodies + ", multipliers";
  }

  void make_stepper() { stepper_ = make_space_stepper(method_, ode_, {tolerance_, kLongest * std::max(options_.to, 1e-300)}); }

  bool begin(double t) {
    const auto status = stepper_->start(breaks_.behind(t), y_);
    if (status == SpaceStepper::Status::accepted) return true;
    return failed(status), false;
  }

  bool advance() {
    const double t = stepper_->t();
    if (options_.to - t <= kNoWay * options_.to) return samples_until(options_.to);
    if (const auto next = breaks_.after(t); next && *next - t <= kNoWay * options_.to) {
      return cross(*next);
    }
    const auto status = stepper_->step(step_limit());
    if (status != SpaceStepper::Status::accepted) return failed(status), false;
    if (!samples_until(stepper_->t())) return false;
    if (!stepper_->settle()) return failed(SpaceStepper::Status::fault), false;
    if (!makes_headway() || !choose_method()) return false;
    if (options_.stop && options_.stop())
      return end(Outcome::Kind::stopped, last_t_, "stopped at " + seconds(stepper_->t())), false;
    return true;
  }

  // A time at which some function is not smooth. Where the rate of a prescribed motion jumps, the passive rates jump with it.
  bool cross(double t) {
    const double before = stepper_->t();
    if (!stepper_->dense(before, y_) || !ode_.spread(before, y_)) return failed(SpaceStepper::Status::fault), false;
    const std::vector<double> q(ode_.q().begin(), ode_.q().end()), v(ode_.v().begin(), ode_.v().end());
    if (!ode_.spread(t, y_)) return failed(SpaceStepper::Status::fault), false;
    std::vector<double> change(v.size()), way(v.size());
    tree::difference(mechanism_.tree, q, ode_.q(), way);
    double most = 0;
    for (std::size_t k = 0; k < v.size(); ++k) {
      if (!mechanism_.dofs[k].active()) continue;
      if (std::abs(way[k]) > kSameRate * (1 + largest(q))) return jumps(static_cast<int>(k), way[k], t), false;
      change[k] = ode_.v()[k] - v[k];
      most = std::max(most, std::abs(change[k]));
    }
    if (most > kSameRate * (1 + largest(v))) {
      ode_.equations().jump(ode_.q(), change);
      for (const int dof : ode_.equations().passive_dofs()) ode_.v()[z(dof)] += change[z(dof)];
      (void)ode_.equations().project_velocity(ode_.q(), ode_.v());
      ode_.gather(ode_.q(), ode_.v(), y_);
      out_.events.push_back({t, "impulse", "the rate of a prescribed motion jumps, and the passive rates with it", {}});
    }
    return begin(t);
  }

  void jumps(int dof, double by, double t) {
    const Fault fault{mechanism_.dof_name(dof), "motion: jumps by " + short_number(by) + ", which takes an infinite force",
                          mechanism_.dofs[z(dof)].where};
    undefined(fault, t);
  }

  bool choose_method() {
    if (options_.method != Method::automatic) return true;
    if (method_ == Method::dop853 && !returned_ && stepper_->stiff()) {
      explicit_step_ = stepper_->t() - stepper_->previous_t();
      if (options_.to - stepper_->t() < kWorthAChange * explicit_step_) return true;
      return change_to(Method::radau, "the motion is stiff: stability, not accuracy, bounds the explicit steps");
    }
    if (method_ == Method::radau && ++radau_steps_ == kTrialSteps) {
      const double average = (stepper_->t() - changed_at_) / kTrialSteps;
      const double unknowns = ode_.size() / kCheapUnknowns;
      if (average >= (1 + unknowns * unknowns) * explicit_step_) return true;
      returned_ = true;
      return change_to(Method::dop853, "the implicit steps are too short to pay");
    }
    return true;
  }

  bool change_to(Method method, const std::string& why) {
    const double t = stepper_->t();
    if (!stepper_->dense(t, y_)) return failed(SpaceStepper::Status::fault), false;
    add_statistics();
    method_ = method;
    radau_steps_ = 0;
    changed_at_ = t;
    out_.statistics.method += ", then " + std::string(word(method));
    out_.events.push_back({t, "method", "changed to " + std::string(word(method)) + ": " + why, {}});
    make_stepper();
    return begin(t);
  }

  [[nodiscard]] double step_limit() {
    const double t = stepper_->t();
    double limit = options_.to;
    // to just before: within a step nothing may be seen of what comes behind
    if (const auto next = breaks_.after(t)) limit = std::min(limit, std::nextafter(*next, 0.0));
    if (breaks_.kinks_elsewhere()) {  // a law with a kink in a length or a rate: what lies behind it must not be jumped over
      if (const double speed = largest(ode_.v()); speed > 0) limit = std::min(limit, t + kLongestMove / speed);
    }
    return limit;
  }

  bool makes_headway() {
    if (++steps_since_ < kManySteps) return true;
    steps_since_ = 0;
    const double t = stepper_->t();
    if (t - watched_t_ > kHeadway * options_.to) return watched_t_ = t, true;
    end(Outcome::Kind::step_too_small, t, "the motion makes no headway at " + seconds(t) + ": " + std::to_string(kManySteps) +
            " steps came to less than " + short_number(kHeadway * options_.to) + " s", "a force may jump back and forth there");
    return false;
  }

  [[nodiscard]] double output_time(int i) const { return i == options_.steps ? options_.to : options_.to * i / options_.steps; }

  bool samples_until(double t) {
    for (; next_output_ <= options_.steps && output_time(next_output_) <= t; ++next_output_)
      if (!sample(output_time(next_output_))) return false;
    return true;
  }

  bool sample(double t) {
    if (!stepper_->dense(t, y_)) return failed(SpaceStepper::Status::fault), false;
    const double at = breaks_.behind(t);
    SpaceEquations& equations = ode_.equations();
    if (!ode_.spread(at, y_)) return failed(SpaceStepper::Status::fault), false;
    if (equations.closures().size() > 0) {
      (void)equations.project_position(ode_.q());
      (void)equations.project_velocity(ode_.q(), ode_.v());
    }
    if (!ode_.accelerate(at)) return failed(SpaceStepper::Status::fault), false;
    if (equations.inconsistency() > kContradiction * (1 + largest(ode_.a()))) return contradiction(t), false;
    equations.efforts(tau_);
    equations.move(ode_.q(), ode_.v(), ode_.a());
    fill_space_row(equations, {t, ode_.q(), ode_.v(), ode_.a(), true, tau_}, row_);
    if (!std::ranges::all_of(row_, [](double x) { return std::isfinite(x); }))
      return end(Outcome::Kind::step_too_small, t, "the results are not finite numbers at " + seconds(t)), false;
    keep_statistics();
    out_.q.assign(ode_.q().begin(), ode_.q().end());
    out_.v.assign(ode_.v().begin(), ode_.v().end());
    last_t_ = t;
    if (sink_(row_)) return true;
    end(Outcome::Kind::stopped, t, "stopped at " + seconds(t));
    return false;
  }

  void keep_statistics() {
    DynamicsStatistics& s = out_.statistics;
    const SpaceEquations& equations = ode_.equations();
    const SpaceEnergy e = energy(equations);
    if (s.samples == 0) {
      first_energy_ = e.kinetic + e.potential;
      name_not_unique();
    }
    const double change = std::abs(e.kinetic + e.potential - first_energy_);
    largest_energy_ = std::max({largest_energy_, e.kinetic, change});
    if (s.conservative) s.energy_drift = std::max(s.energy_drift, change);
    s.worst_residual = std::max(s.worst_residual, equations.closures().worst());
    ++s.samples;
  }

  void name_not_unique() {
    const LoopClosures& closures = ode_.equations().closures();
    if (ode_.equations().rank() >= closures.size()) return;
    for (const SpaceLoop& loop : mechanism_.loops) out_.not_unique.push_back(loop.name);
    for (const SpaceCoupling& coupling : mechanism_.couplings) out_.not_unique.push_back(coupling.name);
  }

  void failed(SpaceStepper::Status status) {
    const double t = stepper_->t();
    if (status == SpaceStepper::Status::fault) return undefined(ode_.fault(), ode_.size() == 0 ? ode_.fault_time() : t);
    end(Outcome::Kind::step_too_small, t, "the step size is exhausted at " + seconds(t) + ": the tolerance " + short_number(tolerance_) +
            " cannot be met beyond", "forces or accelerations may grow without bound there; a looser --tol may go further");
  }

  void undefined(const Fault& fault, double t) {
    const std::string sentence = (fault.element.empty() ? "" : fault.element + ": ") + fault.sentence + ", near " + seconds(t);
    out_.problems.push_back(error(fault.where, sentence));
    locate(out_.problems, mechanism_.file);
    add_statistics();
    out_.outcome = {Outcome::Kind::undefined, last_t_, sentence, {}};
  }

  void contradiction(double t) {
    std::vector<std::string> names;
    for (const SpaceLoop& loop : mechanism_.loops) names.push_back(loop.name);
    for (const SpaceCoupling& coupling : mechanism_.couplings) names.push_back(coupling.name);
    end(Outcome::Kind::conflicting, t, "loops, couplings and prescribed motions contradict each other at " + seconds(t));
    out_.outcome.elements = names;
  }

  void add_statistics() {
    if (!stepper_) return;
    const StepperStatistics s = stepper_->statistics();
    out_.statistics.steps += s.steps;
    out_.statistics.rejected += s.rejected;
    out_.statistics.factorisations += s.factorisations;
    out_.statistics.largest_projection = std::max(out_.statistics.largest_projection, s.largest_projection);
    stepper_.reset();
  }

  void end(Outcome::Kind kind, double t, std::string sentence, std::string hint = {}) {
    add_statistics();
    if (kind != Outcome::Kind::done && kind != Outcome::Kind::stopped && kind != Outcome::Kind::not_assembled) {
      out_.problems.push_back(error({}, sentence, std::move(hint)));
      locate(out_.problems, mechanism_.file);
    }
    out_.outcome = {kind, t, std::move(sentence), {}};
  }

  const SpaceMechanism& mechanism_;
  const DynamicsOptions& options_;
  const RowSink& sink_;
  SpaceRun& out_;
  SpaceOde ode_;
  std::unique_ptr<SpaceStepper> stepper_;
  Method method_ = Method::dop853;
  bool returned_ = false;  // to the explicit method: the stiff one did not pay
  int radau_steps_ = 0;
  double explicit_step_ = 0, changed_at_ = 0;
  TimeBreaks breaks_;
  std::vector<double> y_, tau_, row_;
  double tolerance_ = 0;
  int next_output_ = 0, steps_since_ = 0;
  double watched_t_ = 0, last_t_ = 0, first_energy_ = 0, largest_energy_ = 0;
};

}  // namespace

SpaceRun dynamics(const SpaceMechanism& mechanism, const DynamicsOptions& options, const RowSink& sink) {
  SpaceRun out;
  Run(mechanism, options, sink, out).run();
  return out;
}

SpaceRun dynamics(const SpaceMechanism& mechanism, const DynamicsOptions& options) {
  RowCollector rows(space_columns(mechanism, true), options.columns, options.steps + 1);
  SpaceRun out = dynamics(mechanism, options, rows.sink());
  out.results = rows.finish(out.problems);
  return out;
}

}  // namespace jounce
