#include "jounce/space/motion/forward_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/math/dense.hpp"
#include "jounce/mechanism/driven_motion.hpp"
#include "jounce/space/build/checks.hpp"
#include "jounce/space/closures/idle.hpp"
#include "jounce/space/closures/idle_line.hpp"
#include "jounce/space/closures/neighbour.hpp"
#include "jounce/space/closures/parts.hpp"
#include "jounce/space/closures/scaled_closures.hpp"
#include "jounce/space/equations/derivatives.hpp"
#include "jounce/space/equations/shared_reactions.hpp"
#include "jounce/space/maximal/maximal.hpp"
#include "jounce/space/motion/breaks.hpp"
#include "jounce/space/rows/space_rows.hpp"
#include "jounce/space/size.hpp"

namespace jounce {
namespace {

/// Loops that contradict each other by more than this, against the accelerations, hold the mechanism.
constexpr double kContradiction = 1e-6;
/// Of its parts: what a combination of equations asks of a dof is nothing.
constexpr double kAsksNothing = 1e-6;
/// A step of the stiff method costs about the same as an explicit one for few unknowns; dense matrices make it twice as much at this many,
/// and more as the square of them.
constexpr double kCheapUnknowns = 35;
/// Of loops that belong together so many equations are watched for singular positions: eigenvalues of all of them cost more than steps do. As in the plane.
constexpr std::size_t kMostWatched = 150;
/// A moment about the line of a thin link is none below this part of the largest force times the size of the mechanism; its spin, and the direction of the line in it, are the same within the
/// others: what a run of some hundred turns leaves of them.
constexpr double kNoMoment = 1e-8, kSameSpin = 1e-4, kSameLine = 1e-6;
/// Rates and positions that differ by less are the same, but for rounding.
constexpr double kSameRate = 1e-9;

bool loses_nothing(const SpaceMechanism& mechanism) {
  const bool dofs = std::ranges::all_of(mechanism.dofs, [](const SpaceDof& dof) {
    return dof.damping == 0 && dof.friction.empty() && (!dof.torque || (dof.torque->is_constant() && dof.active())) && (!dof.motion || dof.motion->is_constant());
  });
  const bool still = std::ranges::all_of(mechanism.poses, [](const SpacePose& pose) { return pose.is_constant(); });
  const bool fixed = std::ranges::none_of(mechanism.equations, [](const SpaceEquation& equation) { return equation.law.of_time(); });
  return dofs && still && fixed && mechanism.stops.empty() && std::ranges::all_of(mechanism.forces, [](const SpaceForce& force) { return tree::is_conservative(force.law); });
}

}  // namespace

/// f and its derivatives.
class SpaceForwardMotion::Stiff final : public StiffSystem {
 public:
  explicit Stiff(SpaceForwardMotion& motion) : motion_(motion), derivatives_(motion.friction_->mechanism()) {}

  bool rate(double t, std::span<const double> y, std::span<double> dy) override { return motion_.rate(t, y, dy); }
  bool jacobian(double t, std::span<const double> y, std::span<double> df) override {
    SpaceOde& ode = *motion_.ode_;
    return ode.spread(t, y) && ode.accelerate(t) && !derivatives_.of_rates(ode.equations(), {t, y, ode.q(), ode.v(), ode.a()}, df);
  }
  [[nodiscard]] Fault fault() const override { return motion_.fault(); }

 private:
  SpaceForwardMotion& motion_;
  SpaceDerivatives derivatives_;
};

SpaceForwardMotion::SpaceForwardMotion(const SpaceMechanism& mechanism, const ForwardOptions& options)
    : mechanism_(mechanism),
      options_(options),
      friction_(std::make_unique<SpaceDryFriction>(mechanism, options.formulation, options.tolerance)),
      ode_(std::make_unique<SpaceOde>(mechanism, options.formulation)),
      orders_(std::make_unique<SpaceOrders>(ode_->equations())),
      columns_(space_width(mechanism, true)),
      length_(length_scale(mechanism)),
      conservative_(loses_nothing(mechanism)),
      driven_(std::ranges::any_of(mechanism.dofs, [](const SpaceDof& dof) { return dof.motion && !dof.motion->is_constant(); }) ||
              std::ranges::any_of(mechanism.poses, [](const SpacePose& pose) { return !pose.is_constant(); }) ||
              std::ranges::any_of(mechanism.equations, [](const SpaceEquation& equation) { return equation.law.of_time(); })),
      half_turns_(mechanism),
      collapses_(mechanism),
      vanishing_(mechanism),
      start_(z(ode_->size())),
      tau_(mechanism.dofs.size()) {}
SpaceForwardMotion::~SpaceForwardMotion() = default;

// ---- before the run ------------------------------------------------------------------------------------------------------

Problems SpaceForwardMotion::refusals() const {
  Problems out;
  if (mechanism_.has_actuators() && std::ranges::any_of(mechanism_.dofs, [](const SpaceDof& dof) { return dof.active() && !dof.actuated; }))
    out.push_back(warning(mechanism_.actuators, "[actuators]: they carry the motion in inverse alone: here prescribed dofs take the efforts that they need"));
  const bool weighed = missing_masses(mechanism_, "dynamics", "").empty();
  if (!any_error(out) && weighed && mechanism_.loops.empty()) append(out, inapplicable_to(mechanism_));  // with loops links may be thin
  return out;
}

Problems SpaceForwardMotion::inapplicable_to(const SpaceMechanism& mechanism) const {
  const std::string why = inapplicable(mechanism, options_.formulation);
  if (why.empty()) return {};
  return {error({}, "dynamics: formulation " + std::string(word(options_.formulation)) + ": " + why)};
}

// What is solved from this start on.
void SpaceForwardMotion::solve_for(std::span<const double> q) {
  free_ = std::make_unique<FreeMechanism>(mechanism_, q);
  const SpaceMechanism& mechanism = free_->mechanism();
  if (&mechanism != &mechanism_) {
    orders_.reset();
    friction_ = std::make_unique<SpaceDryFriction>(mechanism, options_.formulation, options_.tolerance);
    ode_ = std::make_unique<SpaceOde>(mechanism, options_.formulation);
    orders_ = std::make_unique<SpaceOrders>(ode_->equations());
  }
  if (free_->light().empty()) return;
  ode_->equations().carry(free_->light());
  friction_->carry(free_->light());
}

std::optional<Ending> SpaceForwardMotion::start(const Start& start, Problems& problems) {
  solve_for(start.state.q);
  Problems refused = inapplicable_to(free_->mechanism());
  if (refused.empty() && !free_->decided()) refused = unmoved_dofs(free_->mechanism(), start.state.q);
  append(problems, refused);
  if (!refused.empty()) return Ending{.kind = Outcome::Kind::not_run, .sentence = ""};
  ode_->equations().move(start.state.q, start.state.v, std::vector<double>(start.state.v.size()));
  for (const SpaceThinLink& thin : free_->mechanism().thin) spins_.push_back(spin_of(thin, ode_->equations().motion_work()));
  breaks_ = breaks_of(mechanism_, start.state.t, start.to);
  half_turns_.begin(start.state.q);
  ode_->equations().wind(half_turns_.sides());
  ode_->gather(start.state.q, start.state.v, start_);
  if (rate_sees_projection()) {
    std::vector<double> v = start.state.v;
    (void)ode_->equations().project_velocity(start.state.q, v);
    best_rank_ = ode_->equations().rank();
    if (between_dependent_and_independent(ode_->equations().gradients())) return singular_start(closure_names());
    if (best_rank_ < ode_->equations().closures().size() && singular_position(mechanism_, start.state.q)) return singular_start(closure_names());
    // Between steps the mechanism is off its loops by the tolerance, and equations that follow from others there seem to say something.
    base_ranks_ = ode_->equations().known_ranks();
    ode_->equations().fix_ranks(base_ranks_);
  }
  run_length_ = start.to - start.state.t;
  vanishing_.begin(start.state.q, ode_->equations().held());
  if (!start.written)
    if (auto ending = onto_loops(start.state.t)) return ending;
  return friction_->any() ? begin_friction(start.state.t) : std::nullopt;
}

std::vector<Event> SpaceForwardMotion::start_events() const { return friction_->impacts_at_start(); }

std::optional<Ending> SpaceForwardMotion::begin_friction(double t) {
  if (!ode_->spread(t, start_)) return no_value(ode_->fault(), t);
  q_.assign(ode_->q().begin(), ode_->q().end());
  v_.assign(ode_->v().begin(), ode_->v().end());
  friction_->wind(half_turns_.sides());
  if (auto ending = friction_->ending(friction_->start(t, q_, v_), t)) return ending;
  take_over(start_);
  return std::nullopt;
}

// The equations that friction leaves, at q_ and v_.
void SpaceForwardMotion::take_over(std::span<double> y) {
  orders_.reset();
  ode_ = std::make_unique<SpaceOde>(friction_->mechanism(), options_.formulation);
  SpaceEquations& equations = ode_->equations();
  orders_ = std::make_unique<SpaceOrders>(equations);
  if (!free_->light().empty()) equations.carry(free_->light());
  equations.direct(friction_->directions());
  equations.wind(half_turns_.sides());
  if (rate_sees_projection()) equations.fix_ranks(base_ranks_);
  ode_->gather(q_, v_, y);
}

// A state that nobody has assembled.
std::optional<Ending> SpaceForwardMotion::onto_loops(double t) {
  if (!ode_->project(t, start_)) return no_value(ode_->fault(), t);
  if (!rate_sees_projection() || !open(0)) return std::nullopt;
  const double off = ode_->equations().closures().worst();
  return Ending{.kind = Outcome::Kind::not_assembled,
                .sentence = "the state that the run is to start from does not fit the loops and couplings at " + seconds(t) +
                            ": they stay off by " + short_number(off) + " (m or rad)",
                .elements = closure_names(),
                .hint = "leave the state out, and the mechanism is assembled from what the model says"};
}

std::string SpaceForwardMotion::formulation() const {
  const Formulation formulation = ode_->equations().formulation();
  if (!uses_tree(formulation)) return std::string(word(formulation)) + ", free bodies";
  const std::string bodies = formulation == Formulation::crba ? "crba, composite bodies" : "articulated bodies";
  return ode_->equations().closures().size() == 0 ? bodies : bodies + ", multipliers";
}

// ---- the equations -------------------------------------------------------------------------------------------------------

bool SpaceForwardMotion::rate(double t, std::span<const double> y, std::span<double> dy) {
  ++evaluations_;
  return ode_->rate(t, y, dy);
}

double SpaceForwardMotion::power() { return ode_->equations().power(ode_->v()); }

std::optional<double> SpaceForwardMotion::power_at(double t, std::span<const double> y) {
  if (!ode_->spread(t, y) || !ode_->weigh(t)) return std::nullopt;
  return power();
}

double SpaceForwardMotion::kinetic(double t, std::span<const double> y) {
  if (!ode_->spread(t, y) && !ode_->spread(std::nextafter(t, -std::numeric_limits<double>::infinity()), y)) return 0;
  SpaceEquations& equations = ode_->equations();
  equations.move(ode_->q(), ode_->v(), ode_->a());
  return tree::totals<double>(mechanism_.tree, equations.motion_work(), equations.links().data()).kinetic;
}

std::size_t SpaceForwardMotion::audit_column() const { return columns_ - kSpaceAuditFromEnd; }

std::unique_ptr<StiffForm> SpaceForwardMotion::stiff_form() {
  stiff_ = std::make_unique<Stiff>(*this);
  return std::make_unique<DenseStiffForm>(*stiff_, z(ode_->size()), z(ode_->positions()));
}

bool SpaceForwardMotion::watched(std::size_t group) const {
  return ode_->equations().ranks()[group] > 0 && ode_->equations().groups()[group].rows.size() <= kMostWatched;
}

std::vector<int> SpaceForwardMotion::held_by() const {
  const SpaceEquations& equations = ode_->equations();
  std::vector<int> out;
  for (std::size_t g = 0; g < equations.groups().size(); ++g)
    if (watched(g)) out.push_back(equations.ranks()[g]);
  return out;
}

std::vector<Matrix> SpaceForwardMotion::gradients(double t, std::span<const double> y) {
  if (!ode_->spread(t, y)) return {};
  SpaceEquations& equations = ode_->equations();
  equations.evaluate_closures(ode_->q(), ode_->v());
  std::vector<Matrix> out;
  for (std::size_t g = 0; g < equations.groups().size(); ++g)
    if (watched(g)) out.push_back(equations.gradients(equations.groups()[g]));
  return out;
}

// ---- rows ----------------------------------------------------------------------------------------------------------------

std::optional<Ending> SpaceForwardMotion::sample(double t, std::span<const double> y, std::span<double> row, Sample& out) {
  const double at = breaks_.behind(t);
  SpaceEquations& equations = ode_->equations();
  if (!ode_->spread(at, y)) return no_value(ode_->fault(), t);
  if (equations.closures().size() > 0) {
    (void)equations.project_position(ode_->q());
    if (const auto& fault = equations.closures().fault()) return no_value(*fault, t);
    (void)equations.project_velocity(ode_->q(), ode_->v());
    friction_->still(ode_->v());
    best_rank_ = std::max(best_rank_, equations.rank() - friction_->locks());
    if (auto ending = open_loop(t)) return ending;
  }
  if (!ode_->accelerate(at)) return no_value(ode_->fault(), t);
  if (equations.inconsistency() > kContradiction * (1 + largest(ode_->a())))
    return Ending{.kind = Outcome::Kind::conflicting,
                  .sentence = "loops, couplings and prescribed motions contradict each other at " + seconds(t),
                  .elements = closure_names()};
  if (const auto fault = orders_->find(SpaceOrders::After::solve, at, ode_->q(), ode_->v(), ode_->a())) return no_value(*fault, t);
  equations.efforts(tau_);
  equations.move(ode_->q(), ode_->v(), ode_->a());
  readings_ = equations.loads().readings;
  joint_friction_ = equations.loads().friction;
  friction_->complete(equations, tau_, readings_, joint_friction_);
  pushes_.resize(mechanism_.stops.size());
  friction_->pushes(equations, pushes_);
  fill_space_row(mechanism_, equations, {t, ode_->q(), ode_->v(), ode_->a(), orders_.get(), true, tau_, readings_, joint_friction_, pushes_}, row);
  const SpaceEnergy e = energy(equations);
  out = {e.kinetic, e.potential, equations.closures().worst(), conservative_ ? 0 : equations.power(ode_->v()), equations.largest_load(tau_)};
  if (auto ending = turned_thin(t, out.force)) return ending;
  q_.assign(ode_->q().begin(), ode_->q().end());
  v_.assign(ode_->v().begin(), ode_->v().end());
  return std::nullopt;
}

// A thin link has nothing that would resist a moment about its line; and it is thin for good only where that line stays in it.
std::optional<Ending> SpaceForwardMotion::turned_thin(double t, double load) const {
  const SpaceEquations& equations = ode_->equations();
  const std::vector<SpaceThinLink>& all = free_->mechanism().thin;
  double force = load;
  for (std::size_t l = 0; l < mechanism_.loops.size() && !all.empty(); ++l) force = std::max(force, length(equations.loop_wrench(static_cast<int>(l)).force));
  for (std::size_t k = 0; k < all.size(); ++k) {
    const SpaceThinLink& thin = all[k];
    const tree::LinkWork<double>& link = equations.motion_work().links[z(thin.link)];
    const Vec3<double> along = link.axes * thin.along;
    const std::string turns = described(mechanism_, thin.idle).sentence() + ", about which no inertia is moved";
    const auto ends = [&](const std::string& why) {
      return Ending{.kind = Outcome::Kind::undecided, .sentence = turns + ": " + why + " at " + seconds(t), .elements = {mechanism_.bodies[z(thin.idle.turns)].name},
                    .hint = "give it a little inertia about that line", .where = mechanism_.bodies[z(thin.idle.turns)].where};
    };
    const double moment = thin.inertia * std::abs(dot(along, link.turn));
    if (moment > kNoMoment * (force * length_ + thin.inertia * dot(link.spin, link.spin))) return ends("a moment of " + short_number(moment) + " N m turns it");
    if (std::abs(dot(along, link.spin) - spins_[k]) > kSameSpin * (1 + std::abs(spins_[k]))) return ends("a moment has turned it");
    if (length(jounce::cross(line_of<double>(mechanism_, thin.idle, equations.motion_work(), equations.links()).along, along)) > kSameLine) return ends("the line has moved in it");
  }
  return std::nullopt;
}

bool SpaceForwardMotion::open(double tolerance) const {
  const LoopClosures& closures = ode_->equations().closures();
  for (std::size_t r = 0; r < closures.residual().size(); ++r)
    if (!(std::abs(closures.residual()[r]) <= most_open(closures.rows()[r].metres ? length_ : 1, tolerance))) return true;
  return false;
}

// As many equations are independent as ever, and what stays open is a combination of them that asks nothing of the passive dofs: what it says
// of the active ones is not what their motions say.
bool SpaceForwardMotion::parted() const {
  const SpaceEquations& equations = ode_->equations();
  const LoopClosures& closures = equations.closures();
  if (equations.rank() == closures.size() || equations.rank() < best_rank_ + friction_->locks()) return false;
  std::vector<double> asked(mechanism_.dofs.size()), parts(asked);
  for (int r = 0; r < closures.size(); ++r) {
    const LoopClosures::Entries own = closures.row(r);
    for (std::size_t k = 0; k < own.dofs.size(); ++k) {
      const std::size_t dof = z(own.dofs[k]);
      const double part = closures.residual()[z(r)] * own.values[k];
      asked[dof] += part, parts[dof] = std::max(parts[dof], std::abs(part));
    }
  }
  return std::ranges::none_of(equations.passive_dofs(), [&](int dof) {
    return std::abs(asked[z(dof)]) > kAsksNothing * std::max(parts[z(dof)], closures.worst());
  });
}

Ending SpaceForwardMotion::contradiction(double t, double off, double allowed) const {
  const LoopClosures& closures = ode_->equations().closures();
  std::vector<double> open(closures.residual().begin(), closures.residual().end());
  for (std::size_t r = 0; r < open.size(); ++r) open[r] *= closures.rows()[r].metres ? length_ : 1.0;
  return {.kind = Outcome::Kind::conflicting,
          .sentence = "loops, couplings and prescribed motions contradict each other at " + seconds(t) + ": they are off by " + short_number(off) +
                      " (m or rad), and " + short_number(allowed) + " is allowed",
          .elements = parts_of(ode_->equations().mechanism(), closures, length_, {&open, 1}).names};
}

// A loop that the passive coordinates cannot close any more.
std::optional<Ending> SpaceForwardMotion::open_loop(double t) const {
  const LoopClosures& closures = ode_->equations().closures();
  if (!open(options_.tolerance)) return std::nullopt;
  const double off = closures.worst();
  if (parted()) return contradiction(t, off, most_open(length_, options_.tolerance));
  std::size_t row = 0;
  for (std::size_t r = 0; r < closures.residual().size(); ++r)
    if (std::abs(closures.residual()[r]) > std::abs(closures.residual()[row])) row = r;
  const int element = closures.rows()[row].element;
  return Ending{.kind = Outcome::Kind::step_too_small,
                .sentence = closures.name(element) + " does not hold at " + seconds(t) + ": it is off by " + short_number(off) + " (m or rad), and " +
                            short_number(most_open(closures.rows()[row].metres ? length_ : 1, options_.tolerance)) + " is allowed",
                .elements = {closure_names()[z(element)]},
                .hint = "a singular position, or prescribed motions that lead out of reach"};
}

std::vector<std::string> SpaceForwardMotion::not_unique() const {
  const OpenReactions* open = ode_->equations().open_reactions();
  return open ? open->names(ode_->equations().mechanism()) : std::vector<std::string>{};
}

std::vector<std::string> SpaceForwardMotion::closure_names() const {
  return ode_->equations().closures().plain_names();
}

// ---- on the way ----------------------------------------------------------------------------------------------------------

std::optional<Ending> SpaceForwardMotion::vanishing(double t, std::span<const double> y) {
  if (!ode_->spread(t, y)) return std::nullopt;
  const std::optional<int> dof = vanishing_.find(ode_->q(), ode_->equations().held());
  if (!dof) return std::nullopt;
  const SpaceJoint& joint = mechanism_.joint_of(*dof);
  const SpaceBody& body = mechanism_.bodies[z(joint.child)];
  const bool massless = !(body.mass.value_or(0) > 0);
  return Ending{.kind = Outcome::Kind::step_too_small,
                .sentence = "the motion cannot be followed beyond " + seconds(t) + ": the inertia that " + mechanism_.dof_name(*dof) +
                            " moves vanishes there, and accelerations of body '" + body.name + "'" + (massless ? ", which has no mass," : "") + " grow without bound",
                .elements = {joint.name, body.name},
                .hint = "give the body a little mass and inertia"};
}

double SpaceForwardMotion::speed(double t, std::span<const double> y) { return ode_->spread(t, y) ? largest(ode_->v()) : 0; }

double SpaceForwardMotion::stiff_cost() const {
  const double unknowns = ode_->size() / kCheapUnknowns;
  return 1 + unknowns * unknowns;
}

Event SpaceForwardMotion::passage(double t, std::span<const double> /*y*/) {
  const std::vector<std::string> names = closure_names();
  return {t, "singular-position", "passed a singular position, where the mechanism could have gone on in more than one way: " + join_names(names), names};
}

// A time at which some function is not smooth. Where the rate of a prescribed motion jumps, the passive rates jump with it.
std::optional<Ending> SpaceForwardMotion::cross(double before, double t, std::span<double> y, std::vector<Event>& events) {
  // the last time before a kink may be the kink itself, where a function has no derivative
  if (!ode_->spread(before, y) && !ode_->spread(std::nextafter(before, -std::numeric_limits<double>::infinity()), y)) return no_value(ode_->fault(), before);
  const std::vector<double> q(ode_->q().begin(), ode_->q().end()), v(ode_->v().begin(), ode_->v().end());
  if (!ode_->spread(t, y)) return no_value(ode_->fault(), before);
  std::vector<double> change(v.size()), way(v.size());
  tree::difference(mechanism_.tree, q, ode_->q(), way);
  double most = 0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    if (!mechanism_.dofs[k].active()) continue;
    if (std::abs(way[k]) > kSameRate * (1 + largest(q)))
      return no_value({mechanism_.dof_name(static_cast<int>(k)), "motion: jumps by " + short_number(way[k]) + ", which takes an infinite force",
                       mechanism_.dofs[k].where, mechanism_.joint_of(static_cast<int>(k)).name},
                      t);
    change[k] = ode_->v()[k] - v[k];
    most = std::max(most, std::abs(change[k]));
  }
  SpaceEquations& equations = ode_->equations();
  const double same = kSameRate * (1 + largest(v));
  if (!(most > same) && !equations.closures().of_time()) return std::nullopt;
  if (most > same) {
    equations.jump(ode_->q(), change);
    for (const int dof : equations.passive_dofs()) ode_->v()[z(dof)] += change[z(dof)];
  }
  const double moved = equations.project_velocity(ode_->q(), ode_->v());  // equations that depend on t may ask for other rates, too
  if (const auto& fault = equations.closures().fault()) return no_value(*fault, t);
  if (!(most > same) && !(moved > same)) return std::nullopt;
  ode_->gather(ode_->q(), ode_->v(), y);
  events.push_back({t, "impulse", "the rate of a prescribed motion jumps, and the passive rates with it", {}});
  return std::nullopt;
}

// The springs of balls that come to half a turn, and what sticks or begins to slide.
std::optional<double> SpaceForwardMotion::first_change(Stepper& stepper) {
  std::optional<double> turned;
  if (half_turns_.any()) {
    std::vector<double> y(z(ode_->size()));
    turned = half_turns_.first(stepper.previous_t(), stepper.t(), [&](double t) -> std::span<const double> {
      if (!stepper.dense(t, y) || !ode_->spread(t, y)) return {};
      return ode_->q();
    });
  }
  if (!friction_->any()) return turned;
  const std::optional<double> slips = friction_->first_change(stepper);
  slips_ = slips && (!turned || *slips <= *turned);
  return slips_ ? slips : turned;
}

std::optional<Ending> SpaceForwardMotion::change(double t, std::span<double> y, std::vector<Event>& events) {
  if (slips_) {
    if (!ode_->spread(t, y)) return no_value(ode_->fault(), t);
    q_.assign(ode_->q().begin(), ode_->q().end());
    v_.assign(ode_->v().begin(), ode_->v().end());
    stiff_.reset(), orders_.reset(), ode_.reset();  // they work on equations that may be about to go
    const auto ending = friction_->ending(friction_->change(t, q_, v_, events), t);
    take_over(y);
    return ending ? ending : friction_->chattering(t, run_length_);
  }
  const std::vector<std::string> names = half_turns_.go_over();
  ode_->equations().wind(half_turns_.sides());
  friction_->wind(half_turns_.sides());
  events.push_back({t, "half-turn", "the spring passed half a turn, and pulls the other way round from here on: " + join_names(names), names});
  return std::nullopt;
}

}  // namespace jounce
