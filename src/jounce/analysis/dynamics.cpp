#include "jounce/analysis/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "jounce/analysis/dry_friction.hpp"
#include "jounce/analysis/dynamic_rows.hpp"
#include "jounce/analysis/integrators/stepper.hpp"
#include "jounce/analysis/inverse.hpp"
#include "jounce/plane/motion/mobility.hpp"
#include "jounce/analysis/multipliers.hpp"
#include "jounce/analysis/rows.hpp"
#include "jounce/analysis/time_breaks.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/base/text.hpp"

namespace jounce {
namespace {

constexpr int kOrder = 4;  // snap
/// A tolerance below this is beyond what rounding allows.
constexpr double kSmallestTolerance = 1e-14;
/// And with one above this, series are cut off so early that what is saved is not worth what is lost.
constexpr double kLargestTolerance = 1e-4;
/// Initial velocities that the joints change by more than this part of their size are worth a warning.
constexpr double kChangedVelocity = 1e-9;
/// Surplus equations whose rates differ by more than this from what the others give contradict them.
constexpr double kContradiction = 1e-8;
/// A sample with a smaller pivot takes accelerations and multipliers from the series of the step instead of solving for them.
constexpr double kTooClose = 1e-7;
/// Where a law has a kink, a step moves at most this much, in mechanism sizes and radians.
constexpr double kLongestMove = 0.05;
/// A spring shorter than this part of the mechanism's size is about to vanish.
constexpr double kCollapsed = 1e-4;
/// Factors of a position further away than this are not those of a sample.
constexpr double kLag = 1e-14;
/// Of the largest kinetic energy: more is no rounding and no tolerance.
constexpr double kMuchEnergy = 1e-2;
constexpr double kEnergyRounding = 1e-12;  // of the energy itself
/// Joints that are off by more than this, in metres of a mechanism of one metre or in radians, do not hold.
constexpr double kBroken = 1e-6;
/// So many steps have to make that much of the run.
constexpr int kManySteps = 1000;
constexpr double kHeadway = 1e-7;
/// So many changes of dry friction within that part of a run are no motion that could be followed.
constexpr std::size_t kChattering = 1000;
constexpr double kChatteringTime = 1e-7;

class Run {
 public:
  Run(const PlaneMechanism& mechanism, const DynamicsOptions& options, const RowSink& sink, DynamicsRun& out)
      : mechanism_(mechanism), system_(mechanism.system), options_(options), sink_(sink), out_(out) {
    const auto n = z(system_.coordinates());
    q_.resize(n), v_.resize(n);
    reported_.resize(z(system_.equations())), reported_rate_ = reported_;
    readings_.resize(system_.forces().size());
    row_.resize(dynamic_columns(mechanism, true).size());
  }

  void run() {
    if (!accepted()) return;
    out_.start = assemble(mechanism_);
    out_.problems.insert(out_.problems.end(), out_.start.problems.begin(), out_.start.problems.end());
    if (!out_.start.assembled)
      return end(Outcome::Kind::not_assembled, 0, out_.problems.empty() ? "" : out_.problems.back().sentence);
    sampler_.emplace(system_, kOrder, options_.formulation);
    out_.statistics.formulation = word(sampler_->formulation());
    breaks_ = TimeBreaks(system_, options_.to);
    if (!start() || !start_friction()) return;
    follow();
  }

 private:
  // ---- before the run ----

  bool accepted() {
    if (options_.steps < 1 || !(options_.to >= 0) || !std::isfinite(options_.to) || !(options_.tolerance > 0)) {
      out_.problems.push_back(error({}, "dynamics: expected a finite time to >= 0, at least 1 step and a tolerance > 0"));
      return false;
    }
    tolerance_ = std::min(options_.tolerance, kLargestTolerance);
    if (tolerance_ < kSmallestTolerance) {
      tolerance_ = kSmallestTolerance;
      out_.problems.push_back(warning({}, "--tol " + short_number(options_.tolerance) + " is below what rounding allows: " +
                                              short_number(tolerance_) + " is used"));
    }
    const Problems missing = missing_masses(mechanism_, "dynamics", "0 for a body without mass");
    out_.problems.insert(out_.problems.end(), missing.begin(), missing.end());
    refuse_massless();
    locate(out_.problems, mechanism_.file);
    return !any_error(out_.problems);
  }

  // The others can do without some masses, and say so where the motion is not decided.
  void refuse_massless() {
    if (options_.formulation != Formulation::lagrange) return;
    for (const BodyData& body : mechanism_.bodies)
      for (const auto& [value, key] : {std::pair{&body.mass, "mass"}, std::pair{&body.inertia, "inertia"}})
        if (*value && **value == 0)
          out_.problems.push_back(error(body.where, "body '" + body.name + "': " + key + ": is 0, and formulation '" +
                                                        std::string(word(options_.formulation)) +
                                                        "' needs every body to have one; 'kkt' does not"));
  }

  // The state at t = 0: velocities made to satisfy the joints.
  bool start() {
    q_ = out_.start.q;
    v_ = mechanism_.velocity;
    EquationsOfMotion& at = *sampler_;
    if (const auto fault = at.set_time(breaks_.behind(0), kOrder)) return undefined(*fault, 0), false;
    at.set_position(q_);
    at.factor(false);
    if (!std::isfinite(at.smallest_pivot())) return undecided(0), false;
    (void)at.project_position(q_);
    at.set_velocity(v_);
    (void)at.project_velocity(v_);
    dropped_ = at.dropped_rows();
    if (!dropped_.empty() && at_singular_start()) return false;
    if (at.worst_residual(1) > kContradiction * std::max(1.0, largest(v_))) return contradiction(), false;
    report_velocities();
    conservative_ = is_conservative();
    out_.statistics.conservative = conservative_;
    if (!dropped_.empty()) out_.not_unique = not_unique(system_, indeterminacy(system_, 0, q_));
    return true;
  }

  bool at_singular_start() {
    const Mobility m = mobility(mechanism_, q_, 0);
    if (!m.singular_position) return false;
    const auto names = blame(mechanism_, q_, 0);
    end(Outcome::Kind::change_point, 0,
        "the start is a singular position: the mechanism can leave it in more than one way, and the equations do not say which",
        names, "move the drawing a little, to the side it is to start on");
    return true;
  }

  // What exact dry friction does at t = 0.
  bool start_friction() {
    friction_.emplace(system_, options_.formulation, tolerance_);
    if (!friction_->any()) return true;
    return settled(friction_->start(0, q_, v_), 0) && take_over(0);
  }

  static double largest(std::span<const double> x) {
    return std::accumulate(x.begin(), x.end(), 0.0, [](double a, double b) { return std::max(a, std::abs(b)); });
  }

  void report_velocities() {
    if (largest(mechanism_.velocity) == 0) return;  // none were given: those of the drivers are nobody's mistake
    double most = 0;
    std::size_t which = 0;
    for (std::size_t i = 0; i < v_.size(); ++i) {
      const double change = std::abs(v_[i] - mechanism_.velocity[i]) / (i % 3 == 2 ? 1.0 : system_.length_scale());
      if (change > most) most = change, which = i;
    }
    if (!(most > kChangedVelocity * std::max(1.0, largest(mechanism_.velocity)))) return;
    const double change = std::abs(v_[which] - mechanism_.velocity[which]);
    out_.problems.push_back(warning({}, "the initial velocities do not fit the joints and drivers: changed by up to " + short_number(change) +
                                            (which % 3 == 2 ? " rad/s" : " m/s") + " (body '" +
                                            mechanism_.bodies[which / 3 + 1].name + "'), as little as possible in the mass metric"));
    locate(out_.problems, mechanism_.file);
  }

  [[nodiscard]] bool is_conservative() const {
    if (!system_.motions().empty() || !system_.signals().empty()) return false;
    for (const AppliedForce& force : system_.forces())
      if (force.kind == planar::ForceKind::given) return false;
    // damping shows as a force that depends on velocity
    Linearisation forces(system_);
    return !forces.forces(0, q_, v_) &&
           std::ranges::all_of(forces.dQ_dv(), [](const Triplet& entry) { return entry.value == 0; });
  }

  // ---- the run ----

  void follow() {
    method_ = options_.method == Method::automatic ? Method::taylor : options_.method;
    out_.statistics.method = word(method_);
    if (!begin(0) || !sample(0)) return;
    next_output_ = 1;
    while (next_output_ <= options_.steps)
      if (!advance()) return;
    finish_statistics();
    if (conservative_ && out_.statistics.energy_drift > kMuchEnergy * largest_energy_ + kEnergyRounding * std::abs(first_energy_)) {
      out_.problems.push_back(warning({}, "the energy should be constant and has changed by " + short_number(out_.statistics.energy_drift) +
                                              " J: the motion may have left its branch at a singular position, or --tol is too loose"));
      locate(out_.problems, mechanism_.file);
    }
    end(Outcome::Kind::done, options_.to, "");
  }

  // One step, or the part of it before a change of dry friction.
  bool advance() {
    if (options_.to - stepper_->t() <= kNoWay * options_.to) return samples_until(options_.to);
    if (const auto next = breaks_.after(stepper_->t()); next && *next - stepper_->t() <= kNoWay * options_.to) {  // too close for a step
      if (stepped_) stepper_->dense(stepper_->t(), q_, v_);
      add_statistics();
      return begin(*next);
    }
    const auto status = stepper_->step(step_limit());
    if (status != Stepper::Status::accepted) return failed(status), false;
    stepped_ = true;
    if (const EquationsOfMotion* series = stepper_->expansion()) best_pivot_ = std::max(best_pivot_, series->smallest_pivot());
    const std::optional<double> change = friction_->any() ? friction_->first_change(*stepper_) : std::nullopt;
    const double reached = change.value_or(stepper_->t());
    if (const auto t = stepper_->passage(); t && *t < reached) passage(*t);
    if (!samples_until(reached)) return false;
    if (!makes_headway() || asked_to_stop()) return false;
    if (change) return friction_changes(reached);
    return options_.method != Method::automatic || choose_method();
  }

  bool asked_to_stop() {
    if (!options_.stop || !options_.stop()) return false;
    end(Outcome::Kind::stopped, last_t_, "stopped at " + seconds(stepper_->t()));
    return true;
  }

  // A law that jumps back and forth (sign(v) at rest) can be followed in ever smaller steps, without end.
  bool makes_headway() {
    if (++steps_since_ < kManySteps) return true;
    steps_since_ = 0;
    const double t = stepper_->t();
    if (t - watched_t_ > kHeadway * options_.to) return watched_t_ = t, true;
    end(Outcome::Kind::step_too_small, t, "the motion makes no headway at " + seconds(t) + ": " + std::to_string(kManySteps) +
            " steps came to less than " + short_number(kHeadway * options_.to) + " s", {},
        "a force may jump back and forth there; friction is better written as 'friction' than as an actuator with sign(v)");
    return false;
  }

  // Where the next step must end at the latest.
  double step_limit() {
    const double t = stepper_->t();
    double limit = options_.to;
    if (const auto next = breaks_.after(t)) limit = std::min(limit, *next);
    if (breaks_.kinks_elsewhere()) {  // a law with a kink in a length or a rate: what lies behind it must not be jumped over
      stepper_->dense(t, q_, v_);
      double speed = 0;
      for (std::size_t i = 0; i < v_.size(); ++i) speed = std::max(speed, std::abs(v_[i]) / (i % 3 == 2 ? 1.0 : system_.length_scale()));
      if (speed > 0) limit = std::min(limit, t + kLongestMove / speed);
    }
    return limit;
  }

  // Starts the method at q, v.
  bool begin(double t) {
    make();
    stepped_ = false;
    const auto status = stepper_->start(breaks_.behind(t), q_, v_);
    if (status == Stepper::Status::accepted) return true;
    return failed(status), false;
  }

  // ---- dry friction ----

  [[nodiscard]] const PlanarSystem& in_force() const { return friction_ ? friction_->system() : system_; }

  bool settled(DryFriction::Status status, double t) {
    if (status == DryFriction::Status::fault) return undefined(friction_->fault(), t), false;
    if (status == DryFriction::Status::decided) return true;
    end(Outcome::Kind::undecided, t, "dry friction: no combination of sticking and sliding agrees with the forces at " + seconds(t), {},
        "a friction_speed > 0 makes friction smooth");
    return false;
  }

  // The equations that friction leaves, at q, v.
  bool take_over(double t) {
    sampler_.emplace(in_force(), kOrder, options_.formulation);
    EquationsOfMotion& at = *sampler_;
    at.set_directions(friction_->directions());
    if (const auto fault = at.set_time(breaks_.behind(t), kOrder)) return undefined(*fault, t), false;
    at.set_position(q_);
    at.factor(false);
    dropped_ = at.dropped_rows();
    best_pivot_ = 0;
    return true;
  }

  bool friction_changes(double t) {
    stepper_->dense(t, q_, v_);
    add_statistics();
    stepper_.reset();  // it works on equations that may be about to go
    sampler_.reset();
    if (!settled(friction_->change(t, q_, v_, out_.events), t) || !take_over(t)) return false;
    changes_.push_back(t);
    if (const std::size_t n = changes_.size(); n > kChattering && t - changes_[n - 1 - kChattering] <= kChatteringTime * options_.to) {
      end(Outcome::Kind::step_too_small, t, "dry friction changes without end at " + seconds(t) + ": it sticks and slides in turns",
          {}, "a friction_speed > 0 makes friction smooth");
      return false;
    }
    return begin(t);
  }

  // ---- the method ----

  void make() {
    std::vector<int> rows;
    if (!dropped_.empty()) {
      rows.resize(z(in_force().equations()));
      std::iota(rows.begin(), rows.end(), 0);
      std::erase_if(rows, [&](int r) { return std::ranges::binary_search(dropped_, r); });
    }
    stepper_ = make_stepper(method_, in_force(), {tolerance_, options_.order, rows, options_.formulation, kLongest * options_.to});
    stepper_->set_directions(friction_->directions());
  }

  [[nodiscard]] double output_time(int i) const { return i == options_.steps ? options_.to : options_.to * i / options_.steps; }

  bool samples_until(double t) {
    for (; next_output_ <= options_.steps && output_time(next_output_) <= t; ++next_output_)
      if (!sample(output_time(next_output_))) return false;
    return true;
  }

  // ---- changing the method ----

  bool choose_method() {
    if (method_ == Method::taylor && !returned_ && stepper_->stiff()) {
      taylor_step_ = stepper_->t() - stepper_->previous_t();
      if ((options_.to - stepper_->t()) < kWorthAChange * taylor_step_) return true;
      return change_to(Method::radau, "the motion is stiff: stability, not accuracy, bounds the Taylor steps");
    }
    if (method_ == Method::radau && ++radau_steps_ == kTrialSteps) {
      const double average = (stepper_->t() - changed_at_) / kTrialSteps;
      if (average >= kRadauCost * taylor_step_) return true;
      returned_ = true;
      return change_to(Method::taylor, "the implicit steps are too short to pay");
    }
    return true;
  }

  bool change_to(Method method, const std::string& why) {
    const double t = stepper_->t();
    stepper_->dense(t, q_, v_);
    add_statistics();
    method_ = method;
    radau_steps_ = 0;
    changed_at_ = t;
    out_.statistics.method += ", then " + std::string(word(method));
    out_.events.push_back({t, "method", "changed to " + std::string(word(method)) + ": " + why, {}});
    return begin(t);
  }

  // ---- singular positions on the way ----

  void passage(double t) {
    stepper_->dense(t, q_, v_);
    const std::vector<std::string> names = system_.coordinates() <= 300 ? blame(mechanism_, q_, t) : std::vector<std::string>{};
    out_.events.push_back({t, "singular-position",
                           "passed a singular position, where the mechanism could have gone on in more than one way" +
                               (names.empty() ? std::string() : ": " + join_names(names)),
                           names});
  }

  // ---- rows ----

  // The motion at an output time. Accelerations and multipliers are solved for at that state; only where it is too close to a singular
  // position are they those of the series.
  bool sample(double t) {
    if (stepped_) stepper_->dense(t, q_, v_);
    EquationsOfMotion& at = *sampler_;
    if (const auto fault = at.set_time(breaks_.behind(t), kOrder)) return undefined(*fault, t), false;
    at.set_position(q_);
    at.factor(false);
    const bool close = best_pivot_ > 0 && !(at.smallest_pivot() > kTooClose * best_pivot_ && at.dropped_count() == static_cast<int>(dropped_.size()));
    if (!close) {
      if (at.project_position(q_) > kLag) at.factor(false);
      at.set_velocity(v_);
      (void)at.project_velocity(v_);
    } else {
      at.set_velocity(v_);
    }
    if (const auto fault = at.expand(kOrder)) return undefined(*fault, t), false;
    DynamicSample sample{.t = t};
    lambda_.resize(z(in_force().equations())), lambda_rate_.resize(lambda_.size());
    at.multipliers(0, lambda_);
    at.multipliers(1, lambda_rate_);
    for (int k = 0; k <= kOrder; ++k) sample.frames[z(k)] = at.frames(k);
    if (close) take_from_series(t, sample);
    if (!dropped_.empty()) {
      const Indeterminacy here = indeterminacy(in_force(), t, q_);
      shorten(here, lambda_);
      shorten(here, lambda_rate_);
    }
    for (std::size_t f = 0; f < readings_.size(); ++f) readings_[f] = at.reading(static_cast<int>(f), 0);
    friction_->complete(lambda_, readings_);
    friction_->original_rows(lambda_, reported_);
    friction_->original_rows(lambda_rate_, reported_rate_);
    sample.lambda = reported_;
    sample.lambda_rate = reported_rate_;
    sample.readings = readings_;
    sample.potential = at.potential();
    sample.constraint_error = at.worst_residual(0);
    if (sample.constraint_error > std::max(kBroken, 10 * tolerance_) * std::min(1.0, system_.length_scale())) return broken(t, sample.constraint_error), false;
    fill_dynamic_row(mechanism_, sample, row_);
    if (!std::ranges::all_of(row_, [](double x) { return std::isfinite(x); })) {
      end(Outcome::Kind::step_too_small, t, "the results are not finite numbers at " + seconds(t));
      return false;
    }
    const double energy = at.potential() + at.kinetic();
    if (out_.statistics.samples == 0) first_energy_ = energy;
    largest_energy_ = std::max({largest_energy_, at.kinetic(), std::abs(energy - first_energy_)});
    if (conservative_) out_.statistics.energy_drift = std::max(out_.statistics.energy_drift, std::abs(energy - first_energy_));
    out_.statistics.worst_residual = std::max(out_.statistics.worst_residual, sample.constraint_error);
    ++out_.statistics.samples;
    out_.q = q_, out_.v = v_;
    last_t_ = t;
    if (sink_(row_)) return true;
    end(Outcome::Kind::stopped, t, "stopped at " + seconds(t));
    return false;
  }

  // Orders 2 to 4 and the multipliers by the series about the end of the step.
  void take_from_series(double t, DynamicSample& sample) {
    const EquationsOfMotion* series = stepper_->expansion();
    if (series == nullptr) return;
    const double s = t - stepper_->t();
    const int order = series->order();
    std::vector<double> term(lambda_.size());
    std::ranges::fill(lambda_, 0.0);
    std::ranges::fill(lambda_rate_, 0.0);
    for (int m = order - 2; m >= 0; --m) {
      series->multipliers(m, term);
      for (std::size_t r = 0; r < term.size(); ++r) {
        lambda_[r] = lambda_[r] * s + term[r];
        if (m > 0) lambda_rate_[r] = lambda_rate_[r] * s + m * term[r];
      }
    }
    for (int k = 2; k <= kOrder; ++k) {
      std::vector<planar::FrameRecord>& frames = series_frames_[z(k - 2)];
      frames.assign(sample.frames[0].size(), {});
      for (int i = order; i >= k; --i) {
        double choose = 1;
        for (int j = 0; j < k; ++j) choose = choose * (i - j) / (j + 1);
        const auto coefficient = series->frames(i);
        for (std::size_t b = 0; b < frames.size(); ++b) {
          planar::FrameRecord& f = frames[b];
          const planar::FrameRecord& c = coefficient[b];
          f.x = f.x * s + choose * c.x, f.y = f.y * s + choose * c.y, f.c = f.c * s + choose * c.c;
          f.s = f.s * s + choose * c.s, f.phi = f.phi * s + choose * c.phi;
        }
      }
      sample.frames[z(k)] = frames;
    }
  }

  // ---- endings ----

  void add_statistics() {
    if (!stepper_) return;
    const StepperStatistics s = stepper_->statistics();
    out_.statistics.steps += s.steps;
    out_.statistics.rejected += s.rejected;
    out_.statistics.factorisations += s.factorisations;
    out_.statistics.worst_defect = std::max(out_.statistics.worst_defect, s.worst_defect);
    out_.statistics.largest_projection = std::max(out_.statistics.largest_projection, s.largest_projection);
    if (const EquationsOfMotion* series = stepper_->expansion()) out_.statistics.order = series->order();
  }
  void finish_statistics() { add_statistics(), stepper_.reset(); }

  void failed(Stepper::Status status) {
    const double t = stepper_->t();
    if (!samples_until(t)) return;
    if (const AppliedForce* spring = collapsing(t); spring != nullptr && status == Stepper::Status::too_small)
      return undefined({spring->text(), "its length has become zero: a spring needs a line of action", spring->where}, t);
    switch (status) {
      case Stepper::Status::fault: return undefined(stepper_->fault(), t);
      case Stepper::Status::singular: return undecided(t);
      default: break;
    }
    end(Outcome::Kind::step_too_small, t,
        "the step size is exhausted at " + seconds(t) + ": the tolerance " + short_number(tolerance_) + " cannot be met beyond", {},
        "forces or accelerations may grow without bound there; a looser --tol or --method radau may go further");
  }

  // Equations that were left out, as others seemed to say the same, do not hold any more.
  void broken(double t, double by) {
    std::vector<std::string> names;
    for (const int row : sampler_->dropped_rows()) names.push_back(in_force().owner(row).name);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const std::string off = " at " + seconds(t) + ": they are off by " + short_number(by) + " (m or rad)";
    if (!dropped_.empty())
      return end(Outcome::Kind::conflicting, t, "redundant equations contradict the others" + off, names,
                 "leave one of those out that say the same at the start");
    end(Outcome::Kind::step_too_small, t, "the joints do not hold" + off, names,
        "masses that differ by many powers of ten, or a singular position; --formulation kkt or aba may keep more digits");
  }

  // A spring that has shrunk to next to nothing, where steps came to an end.
  const AppliedForce* collapsing(double t) {
    if (stepped_) stepper_->dense(t, q_, v_);
    Linearisation forces(system_);
    if (forces.forces_alone(t, q_, v_)) return nullptr;
    for (std::size_t f = 0; f < system_.forces().size(); ++f)
      if (system_.forces()[f].kind == planar::ForceKind::extension && forces.readings()[f].x < kCollapsed * system_.length_scale())
        return &system_.forces()[f];
    return nullptr;
  }

  void undefined(const Fault& fault, double t) {
    out_.problems.push_back(error(fault.where, fault.element + ": " + fault.sentence + ", near " + seconds(t)));
    locate(out_.problems, mechanism_.file);
    finish_statistics();
    out_.outcome = {Outcome::Kind::undefined, t, fault.element + ": " + fault.sentence + ", near " + seconds(t), {}};
  }

  void undecided(double t) {
    if (massless().empty())
      return end(Outcome::Kind::step_too_small, t, "the equations of the method become singular at " + seconds(t) +
              ": a singular position, or equations of which others than at the start depend on the rest", {},
                 "--method taylor goes through singular positions");
    const bool chosen = options_.formulation != Formulation::automatic && options_.formulation != Formulation::kkt;
    const std::string who = chosen ? "with formulation " + std::string(word(options_.formulation)) + " masses" : "masses";
    end(Outcome::Kind::undecided, t, who + " and joints do not decide the motion at " + seconds(t) + ": some motion that is left moves no mass",
        massless(), chosen ? "--formulation kkt needs the fewest masses" : "give the bodies that move freely a mass and an inertia");
  }

  [[nodiscard]] std::vector<std::string> massless() const {
    std::vector<std::string> names;
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b)
      if (system_.mass()[3 * (b - 1)] == 0 || system_.mass()[3 * (b - 1) + 2] == 0) names.push_back(mechanism_.bodies[b].name);
    return names;
  }

  void contradiction() {
    std::vector<std::string> names;
    for (const DependentSet& set : mobility(mechanism_, q_, 0).dependent)
      if (!set.consistent || names.empty()) names = set.names;
    end(Outcome::Kind::conflicting, 0, "the mechanism cannot move: these contradict each other: " + join_names(names), names);
  }

  void end(Outcome::Kind kind, double t, std::string sentence, std::vector<std::string> elements = {}, std::string hint = {}) {
    finish_statistics();
    if (kind != Outcome::Kind::done && kind != Outcome::Kind::stopped && kind != Outcome::Kind::not_assembled) {
      Problem problem = error({}, sentence);
      problem.hint = std::move(hint);
      problem.file = mechanism_.file;
      out_.problems.push_back(std::move(problem));
    }
    out_.outcome = {kind, t, std::move(sentence), std::move(elements)};
  }

  static constexpr double kNoWay = 1e-14;       // of a run: as good as at its end
  static constexpr double kLongest = 1.0 / 64;  // of a run: a pulse that begins and ends within a step would go unseen
  static constexpr double kWorthAChange = 500;  // Taylor steps still to go
  static constexpr int kTrialSteps = 12;
  static constexpr double kRadauCost = 8;       // a Radau step costs about as much as so many Taylor steps

  const PlaneMechanism& mechanism_;
  const PlanarSystem& system_;
  const DynamicsOptions& options_;
  const RowSink& sink_;
  DynamicsRun& out_;

  double tolerance_ = 0;
  std::optional<DryFriction> friction_;  // before what works on its equations
  std::vector<double> changes_;          // times
  TimeBreaks breaks_;
  int steps_since_ = 0;
  double watched_t_ = 0;
  std::optional<EquationsOfMotion> sampler_;
  std::unique_ptr<Stepper> stepper_;
  bool stepped_ = false;                 // since the method was started
  Method method_ = Method::taylor;
  std::vector<int> dropped_;
  bool conservative_ = false;

  std::vector<double> q_, v_, lambda_, lambda_rate_, row_;
  std::vector<double> reported_, reported_rate_;  // multipliers of the model's own equations
  std::vector<ForceReading> readings_;
  std::array<std::vector<planar::FrameRecord>, 3> series_frames_;
  int next_output_ = 0;
  double last_t_ = 0, first_energy_ = 0, largest_energy_ = 0;
  double best_pivot_ = 0;

  bool returned_ = false;
  double taylor_step_ = 0, changed_at_ = 0;
  int radau_steps_ = 0;
};

}  // namespace

DynamicsRun dynamics(const PlaneMechanism& mechanism, const DynamicsOptions& options, const RowSink& sink) {
  DynamicsRun out;
  Run(mechanism, options, sink, out).run();
  return out;
}

DynamicsRun dynamics(const PlaneMechanism& mechanism, const DynamicsOptions& options) {
  RowCollector rows(dynamic_columns(mechanism, true), options.columns, options.steps + 1);
  DynamicsRun out = dynamics(mechanism, options, rows.sink());
  out.results = rows.finish(out.problems);
  return out;
}

}  // namespace jounce
