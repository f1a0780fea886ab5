#include "jounce/plane/motion/forward_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/math/dense.hpp"
#include "jounce/plane/equations/joint_friction.hpp"
#include "jounce/plane/motion/breaks.hpp"
#include "jounce/plane/motion/mobility.hpp"
#include "jounce/plane/motion/multipliers.hpp"
#include "jounce/plane/motion/scaled_jacobian.hpp"
#include "jounce/plane/motion/stiff_form.hpp"
#include "jounce/plane/motion/taylor_stepper.hpp"

namespace jounce {
namespace {

/// Initial velocities that the joints change by more than this part of their size are worth a warning.
constexpr double kChangedVelocity = 1e-9;
/// Surplus equations whose rates differ by more than this from what the others give contradict them.
constexpr double kContradiction = 1e-8;
/// A spring shorter than this part of the mechanism's size is about to vanish.
constexpr double kCollapsed = 1e-4;
/// A Radau step costs about as much as so many Taylor steps.
constexpr double kRadauCost = 8;
/// The blame for a singular position is looked for in models of up to so many coordinates.
constexpr int kLargestBlamed = 300;
/// With more equations, singular positions are not looked for by methods other than that by power series: it would take longer than the steps.
constexpr int kMostWatched = 150;
/// A position that a caller gives is met when a correction moves it less than this (mechanism sizes and radians), and lies too far from
/// the joints when so many corrections were not enough.
constexpr double kMet = 1e-13;
constexpr int kCorrections = 12;

// Whether some joint or driver joins bodies that others join already.
bool has_loops(const PlanarSystem& system) {
  std::vector<int> joined(z(system.bodies() + 1));
  std::iota(joined.begin(), joined.end(), 0);
  const auto root = [&](int body) {
    while (joined[z(body)] != body) body = joined[z(body)];
    return body;
  };
  return std::ranges::any_of(system.constraints(), [&](const Constraint& constraint) {
    if (constraint.bodies.size() > 2) return true;
    const int i = root(constraint.bodies.empty() ? 0 : constraint.bodies.front()), j = root(constraint.bodies.size() < 2 ? 0 : constraint.bodies.back());
    joined[z(i)] = j;
    return i == j;
  });
}

}  // namespace

PlaneForwardMotion::PlaneForwardMotion(const PlaneMechanism& mechanism, const ForwardOptions& options)
    : mechanism_(mechanism),
      system_(mechanism.system),
      options_(options),
      columns_(dynamic_width(mechanism, true)),
      q_(z(system_.coordinates())),
      v_(q_.size()),
      reported_(z(system_.equations())),
      reported_rate_(reported_.size()),
      readings_(system_.forces().size()),
      pushes_(mechanism.stops.size()),
      loops_(has_loops(system_)) {}

void PlaneForwardMotion::take(std::span<const double> y) {
  std::ranges::copy(y.first(q_.size()), q_.begin());
  std::ranges::copy(y.subspan(q_.size()), v_.begin());
}

// ---- before the run ------------------------------------------------------------------------------------------------------

// Other formulations can do without some masses, and say so where the motion is not decided.
Problems PlaneForwardMotion::refusals() const {
  Problems out;
  if (options_.formulation != Formulation::lagrange) return out;
  for (const BodyData& body : mechanism_.bodies)
    for (const auto& [value, key] : {std::pair{&body.mass, "mass"}, std::pair{&body.inertia, "inertia"}})
      if (*value && **value == 0)
        out.push_back(error(body.where, "body '" + body.name + "': " + key + ": is 0, and formulation '" +
                                            std::string(word(options_.formulation)) +
                                            "' needs every body to have one; 'kkt' does not"));
  return out;
}

// Velocities are made to satisfy the joints.
std::optional<Ending> PlaneForwardMotion::start(const Start& start, Problems& problems) {
  const double t = start.state.t;
  length_ = start.to - t;
  breaks_ = breaks_of(system_, t, start.to);
  q_ = start.state.q, v_ = start.state.v;
  sampler_.emplace(system_, kOrder, options_.formulation);
  formulation_ = word(sampler_->formulation());
  EquationsOfMotion& at = *sampler_;
  if (const auto fault = at.set_time(breaks_.behind(t), kOrder)) return no_value(*fault, t);
  at.set_position(q_);
  at.factor(false);
  if (const auto fault = at.without_value()) return no_value(*fault, t);
  if (!std::isfinite(at.smallest_pivot())) return undecided(t);
  if (start.written) (void)at.project_position(q_);
  else if (auto ending = onto_joints(t)) return ending;
  at.set_velocity(v_);
  (void)at.project_velocity(v_);
  dropped_ = at.dropped_rows();
  if (!dropped_.empty())
    if (auto ending = at_singular_start(t)) return ending;
  if (!velocities_fit()) return contradiction(t);
  if (start.written) warn_of_velocities(problems);
  conservative_ = loses_nothing(t);
  if (!dropped_.empty()) not_unique_ = jounce::not_unique(system_, indeterminacy(system_, t, q_));
  if (const auto fault = open_friction(system_, not_unique_)) return no_value(*fault, t);
  friction_.emplace(mechanism_, options_.formulation, options_.tolerance);
  if (!friction_->any()) return std::nullopt;
  if (auto ending = friction_->ending(friction_->start(t, q_, v_), t)) return ending;
  return take_over(t);
}

// A position that nobody has assembled.
std::optional<Ending> PlaneForwardMotion::onto_joints(double t) {
  EquationsOfMotion& at = *sampler_;
  for (int i = 0; i < kCorrections; ++i) {
    const double moved = at.project_position(q_);
    if (!std::isfinite(moved)) break;
    at.factor(false);
    if (moved <= kMet) return std::nullopt;
  }
  if (at.worst_residual(0) <= most_open(system_.length_scale())) return std::nullopt;
  return Ending{.kind = Outcome::Kind::not_assembled,
                .sentence = "the state that the run is to start from does not fit the joints at " + seconds(t) + ": they stay off by " +
                            short_number(at.worst_residual(0)) + " (m or rad)",
                .elements = {},
                .hint = "leave the state out, and the mechanism is assembled from its drawing"};
}

// Next to a singular position a projection leaves a part of what does not fit, and another one a part of that. Where equations contradict each
// other it stays as it is.
bool PlaneForwardMotion::velocities_fit() {
  EquationsOfMotion& at = *sampler_;
  for (double before = 0, now = at.worst_residual(1);; before = now, now = at.worst_residual(1)) {
    if (!(now > kContradiction * std::max(1.0, largest(v_)))) return true;
    if (before > 0 && !(now < 0.5 * before)) return false;
    at.set_velocity(v_);
    (void)at.project_velocity(v_);
  }
}

std::optional<Ending> PlaneForwardMotion::at_singular_start(double t) const {
  if (!mobility(mechanism_, q_, t).singular_position) return std::nullopt;
  return singular_start(blame(mechanism_, q_, t));
}

Ending PlaneForwardMotion::contradiction(double t) const {
  std::vector<std::string> names;
  for (const DependentSet& set : mobility(mechanism_, q_, t).dependent)
    if (!set.consistent || names.empty()) names = set.names;
  if (names.empty()) names = blame(mechanism_, q_, t);  // equations that are independent, but hardly so
  return {.kind = Outcome::Kind::conflicting,
          .sentence = names.empty() ? "the mechanism cannot move: its equations contradict each other"
                                    : "the mechanism cannot move: these contradict each other: " + join_names(names),
          .elements = names};
}

void PlaneForwardMotion::warn_of_velocities(Problems& problems) const {
  if (largest(mechanism_.velocity) == 0) return;  // none were given: those of the drivers are nobody's mistake
  double most = 0;
  std::size_t which = 0;
  for (std::size_t i = 0; i < v_.size(); ++i) {
    const double change = std::abs(v_[i] - mechanism_.velocity[i]) / (i % 3 == 2 ? 1.0 : system_.length_scale());
    if (change > most) most = change, which = i;
  }
  if (!(most > kChangedVelocity * std::max(1.0, largest(mechanism_.velocity)))) return;
  const double change = std::abs(v_[which] - mechanism_.velocity[which]);
  problems.push_back(warning({}, "the initial velocities do not fit the joints and drivers: changed by up to " + short_number(change) +
                                     (which % 3 == 2 ? " rad/s" : " m/s") + " (body '" + mechanism_.bodies[which / 3 + 1].name +
                                     "'), as little as possible in the mass metric"));
}

bool PlaneForwardMotion::loses_nothing(double t) const {
  if (!system_.motions().empty() || !system_.signals().empty() || !mechanism_.stops.empty()) return false;
  for (const AppliedForce& force : system_.forces())
    if (force.kind == planar::ForceKind::given) return false;
  // damping shows as a force that depends on velocity
  Linearisation forces(system_);
  return !forces.forces(t, q_, v_) && std::ranges::all_of(forces.dQ_dv(), [](const Triplet& entry) { return entry.value == 0; });
}

std::vector<double> PlaneForwardMotion::start_state() const {
  std::vector<double> y = q_;
  y.insert(y.end(), v_.begin(), v_.end());
  return y;
}

// ---- the equations -------------------------------------------------------------------------------------------------------

EquationsOfMotion& PlaneForwardMotion::rates() {
  if (!rates_) {
    rates_.emplace(in_force(), 2, options_.formulation);
    rates_->set_directions(friction_->directions());
  }
  return *rates_;
}

bool PlaneForwardMotion::rate(double t, std::span<const double> y, std::span<double> dy) {
  EquationsOfMotion& at = rates();
  const std::size_t n = q_.size();
  if (const auto fault = at.set_time(t, 2)) return fault_ = *fault, false;
  at.set_position(y.first(n));
  at.factor(false);
  ++factorisations_;
  if (const auto fault = at.without_value()) return fault_ = *fault, false;
  if (const double pivot = at.dropped_count() > static_cast<int>(dropped_.size()) ? 0 : at.smallest_pivot(); !(pivot >= pivot_)) pivot_ = pivot;
  at.set_velocity(y.subspan(n));
  if (const auto fault = at.expand(2)) return fault_ = *fault, false;
  if (const auto fault = at.without_value()) return fault_ = *fault, false;
  std::ranges::copy(y.subspan(n), dy.begin());
  at.coefficient(2, dy.subspan(n));
  for (double& a : dy.subspan(n)) a *= 2;
  return true;
}

double PlaneForwardMotion::power() {
  double out = 0;
  rates().power(2, {&out, 1});
  return out;
}

// Without drivers no multiplier is needed.
std::optional<double> PlaneForwardMotion::power_at(double t, std::span<const double> y) {
  const std::size_t n = q_.size();
  if (!in_force().motions().empty() || !system_.rubbing().empty()) {
    rate_.resize(2 * n);
    return rate(t, y, rate_) ? std::optional(power()) : std::nullopt;
  }
  if (!forces_) forces_.emplace(system_);
  forces_->set_directions(friction_->directions());
  if (forces_->forces_alone(t, y.first(n), y.subspan(n))) return std::nullopt;
  return forces_->power();
}

double PlaneForwardMotion::kinetic(double /*t*/, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < q_.size(); ++i) sum += 0.5 * system_.mass()[i] * y[q_.size() + i] * y[q_.size() + i];
  return sum;
}

std::optional<double> PlaneForwardMotion::project(double t, std::span<double> y) {
  EquationsOfMotion& at = rates();
  const std::size_t n = q_.size();
  if (const auto fault = at.set_time(t, 2)) return fault_ = *fault, std::nullopt;
  at.set_position(y.first(n));
  at.factor(false);
  ++factorisations_;
  if (const auto fault = at.without_value()) return fault_ = *fault, std::nullopt;
  const double moved = at.project_position(y.first(n));
  if (const auto fault = at.without_value()) return fault_ = *fault, std::nullopt;
  at.set_velocity(y.subspan(n));
  return std::isfinite(at.project_velocity(y.subspan(n))) ? moved : std::numeric_limits<double>::quiet_NaN();
}

// Bodies that hang on each other as the branches of a tree have no singular positions.
std::vector<int> PlaneForwardMotion::held_by() const {
  if (!loops_ && !(friction_ && friction_->any())) return {};
  const int equations = in_force().equations(), independent = equations - static_cast<int>(dropped_.size());
  if (equations > kMostWatched || independent <= 0) return {};
  return {independent};
}

// Of S, which only one formulation forms.
std::optional<double> PlaneForwardMotion::smallest_pivot() {
  const double pivot = std::exchange(pivot_, std::numeric_limits<double>::infinity());
  return std::isfinite(pivot) && rates().formulation() == Formulation::lagrange ? std::optional(pivot) : std::nullopt;
}

std::vector<Matrix> PlaneForwardMotion::gradients(double t, std::span<const double> y) {
  if (!position_) position_.emplace(in_force(), 0);
  if (position_->set_time(t)) return {};
  const DenseMatrix rows = scaled_jacobian(in_force(), *position_, y.first(q_.size()));
  Matrix out(rows.columns, rows.rows);
  std::ranges::copy(rows.value, out.value.begin());  // row after row: a column for each
  std::vector<Matrix> groups;
  groups.push_back(std::move(out));
  return groups;
}

std::unique_ptr<StiffForm> PlaneForwardMotion::stiff_form() {
  std::vector<int> rows(z(in_force().equations()));
  std::iota(rows.begin(), rows.end(), 0);
  std::erase_if(rows, [&](int r) { return std::ranges::binary_search(dropped_, r); });
  auto out = std::make_unique<PlaneStiffForm>(in_force(), std::move(rows));
  out->set_directions(friction_->directions());
  return out;
}

std::unique_ptr<Stepper> PlaneForwardMotion::series_stepper(const StepperOptions& options) {
  TaylorOptions series{options.tolerance, options_.order, options_.formulation, options.largest_step, held_by().empty()};
  if (passed_) {
    series.tolerance = std::min(series.tolerance, kCrossingTolerance);
    series.order = std::min(series.order, kCrossingOrder);
  }
  series.work = options.work;
  auto out = std::make_unique<TaylorStepper>(in_force(), series);
  out->set_directions(friction_->directions());
  return out;
}

// ---- on the way ----------------------------------------------------------------------------------------------------------

double PlaneForwardMotion::speed(double /*t*/, std::span<const double> y) {
  const std::span<const double> v = y.subspan(q_.size());
  double most = 0;
  for (std::size_t i = 0; i < v.size(); ++i) most = std::max(most, std::abs(v[i]) / (i % 3 == 2 ? 1.0 : system_.length_scale()));
  return most;
}

double PlaneForwardMotion::stiff_cost() const { return kRadauCost; }

bool PlaneForwardMotion::stops_before(double time) const { return breaks_.is_blow(time); }

// The velocities that the joints and drivers allow behind a jump of a driver's rate, as after a blow from the drivers alone.
std::optional<Ending> PlaneForwardMotion::cross(double before, double t, std::span<double> y, std::vector<Event>& events) {
  if (!stops_before(t)) return std::nullopt;
  if (!project(breaks_.behind(t), y)) return no_value(fault_, before);
  std::vector<std::string> names;
  for (const PrescribedMotion& motion : system_.motions())
    if (rate_jump(motion.function, t)) names.push_back(motion.owner);
  events.push_back({t, "impulse", "the rate of " + join_names(names) + " jumps, and the velocities with it", names});
  return std::nullopt;
}

// The equations that friction leaves, at q, v.
std::optional<Ending> PlaneForwardMotion::take_over(double t) {
  sampler_.emplace(in_force(), kOrder, options_.formulation);
  EquationsOfMotion& at = *sampler_;
  at.set_directions(friction_->directions());
  if (const auto fault = at.set_time(breaks_.behind(t), kOrder)) return no_value(*fault, t);
  at.set_position(q_);
  at.factor(false);
  dropped_ = at.dropped_rows();
  return std::nullopt;
}

std::optional<double> PlaneForwardMotion::first_change(Stepper& stepper) {
  return friction_->any() ? friction_->first_change(stepper) : std::nullopt;
}

std::optional<Ending> PlaneForwardMotion::change(double t, std::span<double> y, std::vector<Event>& events) {
  take(y);
  sampler_.reset();  // they work on equations that may be about to go
  rates_.reset();
  position_.reset();
  if (auto ending = friction_->ending(friction_->change(t, q_, v_, events), t)) return ending;
  if (auto ending = take_over(t)) return ending;
  std::ranges::copy(v_, std::ranges::copy(q_, y.begin()).out);
  return friction_->chattering(t, length_);
}

Event PlaneForwardMotion::passage(double t, std::span<const double> y) {
  passed_ = true;
  take(y);
  const std::vector<std::string> names = system_.coordinates() <= kLargestBlamed ? blame(mechanism_, q_, t) : std::vector<std::string>{};
  return {t, "singular-position",
          "passed a singular position, where the mechanism could have gone on in more than one way" +
              (names.empty() ? std::string() : ": " + join_names(names)),
          names};
}

// ---- endings -------------------------------------------------------------------------------------------------------------

std::optional<Ending> PlaneForwardMotion::reason(Stepper::Status status, double t, std::span<const double> y) {
  if (status == Stepper::Status::singular) return undecided(t);
  if (status != Stepper::Status::too_small) return std::nullopt;
  const AppliedForce* spring = collapsing(t, y);
  if (spring == nullptr) return std::nullopt;
  return no_value({spring->text(), "its length has become zero: a spring needs a line of action", spring->where, spring->name}, t);
}

// A spring that has shrunk to next to nothing, where steps came to an end.
const AppliedForce* PlaneForwardMotion::collapsing(double t, std::span<const double> y) const {
  Linearisation forces(system_);
  if (forces.forces_alone(t, y.first(q_.size()), y.subspan(q_.size()))) return nullptr;
  for (std::size_t f = 0; f < system_.forces().size(); ++f)
    if (system_.forces()[f].kind == planar::ForceKind::extension && forces.readings()[f].x < kCollapsed * system_.length_scale())
      return &system_.forces()[f];
  return nullptr;
}

Ending PlaneForwardMotion::undecided(double t) const {
  if (massless().empty())
    return {.kind = Outcome::Kind::step_too_small,
            .sentence = "the equations of the method become singular at " + seconds(t) +
                        ": a singular position, or equations of which others than at the start depend on the rest",
            .elements = {},
            .hint = "--method taylor goes through singular positions"};
  const bool chosen = options_.formulation != Formulation::automatic && options_.formulation != Formulation::kkt;
  const std::string who = chosen ? "with formulation " + std::string(word(options_.formulation)) + " masses" : "masses";
  return {.kind = Outcome::Kind::undecided,
          .sentence = who + " and joints do not decide the motion at " + seconds(t) + ": some motion that is left moves no mass",
          .elements = massless(),
          .hint = chosen ? "--formulation kkt needs the fewest masses" : "give the bodies that move freely a mass and an inertia"};
}

std::vector<std::string> PlaneForwardMotion::massless() const {
  std::vector<std::string> names;
  for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b)
    if (system_.mass()[3 * (b - 1)] == 0 || system_.mass()[3 * (b - 1) + 2] == 0) names.push_back(mechanism_.bodies[b].name);
  return names;
}

}  // namespace jounce
