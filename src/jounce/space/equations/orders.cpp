#include "jounce/space/equations/orders.hpp"

#include <algorithm>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/space/closures/frame_motion.hpp"
#include "jounce/space/closures/idle_line.hpp"
#include "jounce/space/closures/own_equation.hpp"
#include "jounce/space/dof_direction.hpp"
#include "jounce/space/prescribed.hpp"
#include "jounce/tree/recursions/along.hpp"

namespace jounce {
namespace {

constexpr int kOrders = 2;  // beyond the acceleration

template <class S>
Twist coefficient(const TwistOf<S>& a, int k) {
  return {{a.turn.x[k], a.turn.y[k], a.turn.z[k]}, {a.shift.x[k], a.shift.y[k], a.shift.z[k]}};
}

template <class S>
S first_of(std::span<const double> coefficients) {
  S out;
  for (int k = 0; k <= S::order() && z(k) < coefficients.size(); ++k) out[k] = coefficients[z(k)];
  return out;
}

}  // namespace

/// What is known of the joint of a loop: in the axes of frame i, about the origin of frame j.
struct SpaceOrders::LoopState {
  std::vector<double> rate;                          // of its coordinates
  std::array<std::vector<double>, kOrders> further;  // coefficients of their acceleration
  std::array<Twist, kOrders + 1> wrench{};           // coefficients of what it applies on body j
};

/// All that finding order K takes, as series of that order.
template <int K>
class SpaceOrders::Pass {
 public:
  using S = Series<K>;

  explicit Pass(const SpaceEquations& equations)
      : equations_(equations),
        mechanism_(equations.mechanism()),
        tree_(mechanism_.tree),
        q_(z(tree_.coordinates())),
        v_(z(tree_.dofs())),
        a_(v_),
        tau_(v_),
        work_(tree_),
        effort_work_(tree_),
        links_(z(tree_.size())),
        positions_(links_.size()),
        loads_(mechanism_),
        lines_(mechanism_.idle.size()) {
    for (const LoopClosures::Loop& loop : equations.closures().loops()) joints_.emplace_back(loop.joint.tree());
  }

  void at_time(double t) { t_ = t, fault_.reset(); }
  /// Of an equation that has no value of this order, after `lacking`.
  [[nodiscard]] const std::optional<Fault>& fault() const { return fault_; }

  /// Coefficients of the accelerations, those of order K being what is given.
  void set(std::span<const double> q, std::span<const double> v, std::span<const std::span<const double>> a) {
    for (std::size_t dof = 0; dof < v_.size(); ++dof) {
      v_[dof] = S(v[dof]);
      a_[dof] = S(a[0][dof]);
      for (int k = 1; k <= K; ++k) {
        v_[dof][k] = a[z(k - 1)][dof] / k;
        a_[dof][k] = a[z(k)][dof];
      }
    }
    tree::coordinates_along<S>(tree_, q, v_, q_);
  }

  /// Without it the links are known from `left_over`.
  void move() {
    tree::motion<S>(tree_, work_, q_.data(), v_.data(), a_.data(), links_.data());
    moved_ = true;
  }

  /// −(what the joints of loops cannot follow), coefficient K.
  void lacking(std::vector<LoopState>& states, std::span<double> right) {
    const LoopClosures& closures = equations_.closures();
    for (std::size_t l = 0; l < joints_.size(); ++l) {
      const LoopClosures::Loop& loop = closures.loops()[l];
      Joint& own = joints_[l];
      LoopState& state = states[l];
      own.i = motion_of<S>(loop.link_i, loop.frame_i, work_, links_), own.j = motion_of<S>(loop.link_j, loop.frame_j, work_, links_);
      const RelativeMotion<S> seen = relative_motion(own.i, own.j);
      if (K == 1) loop.joint.least_squares(coefficient(seen.velocity, 0), state.rate);
      std::ranges::fill(state.further[K - 1], 0.0);
      place(loop.joint, state, own);
      loop.joint.least_squares(coefficient(seen.acceleration, K - 1) - coefficient(own.acceleration, K - 1), state.further[K - 1]);
      place(loop.joint, state, own);
      const Twist missing = coefficient(seen.acceleration, K) - coefficient(own.acceleration, K);
      const auto resisted = loop.joint.resisted();
      for (std::size_t r = 0; r < resisted.size(); ++r) right[z(loop.row) + r] = -dot(resisted[r], missing);
    }
    std::ranges::fill(right.subspan(z(closures.first_coupling())), 0.0);
    for (std::size_t e = 0; e < mechanism_.equations.size(); ++e) right[z(closures.first_equation()) + e] = bent(mechanism_.equations[e]);
    for (std::size_t e = 0; e < mechanism_.idle.size(); ++e) {
      const IdleLine<S> line = line_of<S>(mechanism_, mechanism_.idle[e], work_, links_);
      right[z(closures.first_idle()) + e] = -(dot(line.change, line.spin) + dot(line.along, line.turn))[K];
      lines_[e] = line.along;
    }
  }

  /// Loads, the wrenches of loops and the moments that hold idle turns, those of order K as far as they follow from lower ones.
  [[nodiscard]] std::optional<Fault> load(double t, std::vector<LoopState>& states, std::span<const std::array<double, kOrders + 1>> own,
                                          std::span<const std::array<double, kOrders + 1>> idle) {
    loads_.sides = equations_.loads().sides;
    loads_.directions = equations_.loads().directions;
    if (!equations_.rubbing().empty()) grip();
    SpaceLoader<S> loader(mechanism_, t, q_.data(), v_.data(), work_, links_, loads_);
    if (auto fault = loader.load()) return fault;
    for (std::size_t l = 0; l < joints_.size(); ++l) push(equations_.closures().loops()[l], joints_[l], states[l]);
    for (std::size_t e = 0; e < mechanism_.equations.size(); ++e)
      if (auto fault = push(mechanism_.equations[e], first_of<S>(std::span(own[e]).first(K + 1)))) return fault;
    for (std::size_t e = 0; e < lines_.size(); ++e)
      loads_.external[z(mechanism_.bodies[z(mechanism_.idle[e].turns)].link)].moment += lines_[e] * first_of<S>(std::span(idle[e]).first(K + 1));
    return std::nullopt;
  }

  /// What friction of joints grows with, as far as it is known.
  void grip() {
    loads_.grip.assign(v_.size(), S(0.0));
    for (std::size_t f = 0; f < equations_.rubbing().size(); ++f)
      for (int k = 0; k <= K; ++k) loads_.grip[z(equations_.rubbing()[f])][k] = k < K || known_ ? equations_.friction().size(k, f) : 0.0;
  }
  void grip_known(bool known) { known_ = known; }
  /// Coefficient K of the loads across the axes of joints that rub, with these accelerations and multipliers of order K.
  void loads_across(std::span<const double> x, std::span<const double> lambda, std::span<JointLoad> out) {
    std::vector<tree::Wrench<double>> more(links_.size());
    std::vector<double> effort(a_.size());
    if (!lambda.empty()) equations_.closures().add_forces(lambda, more, effort);
    const auto grow = [](Vec3<S>& a, const Vec3<double>& by) { a.x[K] += by.x, a.y[K] += by.y, a.z[K] += by.z; };
    for (std::size_t i = 0; i < more.size(); ++i) grow(loads_.external[i].force, more[i].force), grow(loads_.external[i].moment, more[i].moment);
    accelerate(x);
    tree::rnea<S>(tree_, effort_work_, q_.data(), v_.data(), a_.data(), tau_.data(), loads_.external.data(), positions_.data());
    for (std::size_t f = 0; f < out.size(); ++f) {
      const tree::LinkWork<S>& link = effort_work_.links[z(mechanism_.joint_of(equations_.rubbing()[f]).links.last)];
      const Vec3<S> along = link.axes.z, force = link.bias.force, across = force - along * dot(along, force);
      out[f] = {across.x[K], across.y[K], across.z[K]};
    }
  }

  /// Coefficient K of what springs, dampers and torques do along the dofs.
  [[nodiscard]] double effort(std::size_t dof) const { return loads_.tau[dof][K]; }
  /// And of what forces do on a link, about its origin, after `move`.
  [[nodiscard]] tree::Wrench<double> push_on(std::size_t link) const {
    const tree::Wrench<S>& external = loads_.external[link];
    const Vec3<S> moment = external.moment - cross(links_[link].position, external.force);
    return {{moment.x[K], moment.y[K], moment.z[K]}, {external.force.x[K], external.force.y[K], external.force.z[K]}};
  }

  /// What the passive dofs have beyond what the accelerations need, coefficient K.
  void left_over(std::span<double> effort) {
    tree::rnea<S>(tree_, effort_work_, q_.data(), v_.data(), a_.data(), tau_.data(), loads_.external.data(), positions_.data());
    for (std::size_t dof = 0; dof < effort.size(); ++dof) effort[dof] = loads_.tau[dof][K] - tau_[dof][K];
  }

  void accelerate(std::span<const double> x) {
    for (std::size_t dof = 0; dof < a_.size(); ++dof) a_[dof][K] = x[dof];
  }

  /// Accelerations of order K that come with those of the dofs, which were left out.
  void add(const tree::Workspace<double>& work, std::span<const tree::LinkMotion<double>> links) {
    const auto grow = [](Vec3<S>& a, const Vec3<double>& by) { a.x[K] += by.x, a.y[K] += by.y, a.z[K] += by.z; };
    tree::Workspace<S>& own = moved_ ? work_ : effort_work_;
    for (std::size_t i = 0; i < links_.size(); ++i) grow(own.links[i].turn, work.links[i].turn), grow(own.links[i].shift, links[i].acceleration);
  }

  [[nodiscard]] const tree::LinkWork<S>& link(int i) const { return (moved_ ? work_ : effort_work_).links[z(i)]; }

 private:
  struct Joint {
    explicit Joint(const tree::Tree& tree)
        : s(z(tree.coordinates())), rate(z(tree.dofs())), acceleration_of(rate), work(tree), links(z(tree.size())) {}

    std::vector<S> s, rate, acceleration_of;
    tree::Workspace<S> work;
    std::vector<tree::LinkMotion<S>> links;
    FrameMotion<S> i, j;
    Vec3<S> origin;           // of frame j, in the axes of i
    TwistOf<S> acceleration;  // of frame j against frame i, as far as the joint goes
  };

  [[nodiscard]] FrameMotion<S> point_of(const SpaceQuantity& u) const {
    const SpaceBody& body = mechanism_.bodies[z(u.owner)];
    return motion_of<S>(body.link, {identity3<double>(), body.frame * u.p}, work_, links_);
  }

  // Coefficient K of the second derivative of phi, over its scale, with the accelerations as far as they are known.
  double bent(const SpaceEquation& equation) {
    using Path = Series<K + 2>;
    std::vector<Path> along{Path::time(t_)};
    for (const SpaceQuantity& u : equation.quantities) {
      if (u.of == SpaceQuantity::Of::coordinate) {
        const tree::Attached& joint = mechanism_.joints[z(u.owner)].links;
        const std::size_t dof = z(joint.v + u.pick);
        along.push_back(path<K + 2>(q_[z(joint.q + u.pick)][0], v_[dof][0], [&](int k) { return a_[dof][k]; }));
      } else {
        const FrameMotion<S> point = point_of(u);
        const S& acceleration = component(point.acceleration, u.pick);
        along.push_back(path<K + 2>(component(point.frame.origin, u.pick)[0], component(point.velocity, u.pick)[0], [&](int k) { return acceleration[k]; }));
      }
    }
    Path phi;
    if (auto fault = equation.law.phi.evaluate(std::span<const Path>(along), phi)) {
      fault_ = laws::without_value(equation.law, equation.name, *fault);
      return std::numeric_limits<double>::quiet_NaN();
    }
    return phi[K + 2] * ((K + 1) * (K + 2)) / equation.scale;
  }

  // What an equation does, −λ ∂phi/∂u along each of its quantities; λ is that of its row.
  std::optional<Fault> push(const SpaceEquation& equation, const S& lambda) {
    std::vector<S> now{S::time(t_)};
    for (const SpaceQuantity& u : equation.quantities)
      now.push_back(u.of == SpaceQuantity::Of::coordinate ? q_[z(mechanism_.joints[z(u.owner)].links.q + u.pick)] : component(point_of(u).frame.origin, u.pick));
    for (std::size_t k = 0; k < equation.quantities.size(); ++k) {
      const SpaceQuantity& u = equation.quantities[k];
      S g;
      if (auto fault = equation.law.by_quantity[k].evaluate(std::span<const S>(now), g)) return laws::without_value(equation.law, equation.name, *fault);
      const S strength = lambda * g * (-1 / equation.scale);
      if (u.of == SpaceQuantity::Of::coordinate) {
        loads_.tau[z(mechanism_.joints[z(u.owner)].links.v + u.pick)] += strength;
        continue;
      }
      const int link = mechanism_.bodies[z(u.owner)].link;
      if (link == tree::kGround) continue;
      const Vec3<double> axis = unit_vector(u.pick);
      const Vec3<S> force{strength * axis.x, strength * axis.y, strength * axis.z};
      loads_.external[z(link)].force += force, loads_.external[z(link)].moment += cross(point_of(u).frame.origin, force);
    }
    return std::nullopt;
  }

  // Where the joint's own motion brings frame j.
  void place(const LoopJoint& joint, const LoopState& state, Joint& own) {
    for (std::size_t d = 0; d < own.rate.size(); ++d) {
      own.rate[d] = S(state.rate[d]);
      for (int k = 0; k < K; ++k) {
        own.acceleration_of[d][k] = state.further[z(k)][d];
        own.rate[d][k + 1] = state.further[z(k)][d] / (k + 1);
      }
      own.acceleration_of[d][K] = 0;
    }
    tree::coordinates_along<S>(joint.tree(), joint.coordinates(), own.rate, own.s);
    tree::motion<S>(joint.tree(), own.work, own.s.data(), own.rate.data(), own.acceleration_of.data(), own.links.data());
    const FrameMotion<S> reached = motion_of<S>(joint.links().last, joint.links().successor, own.work, own.links);
    own.origin = reached.frame.origin;
    own.acceleration = {reached.turn, reached.acceleration};
  }

  // A joint does no work along what it allows, at any time: the directions turn, and the wrench with them.
  void push(const LoopClosures::Loop& loop, const Joint& own, LoopState& state) {
    const tree::Tree& tree = loop.joint.tree();
    std::vector<double> powers(z(tree.dofs()));
    for (int i = 0; i < tree.size(); ++i)
      for (int d = 0; d < tree::dofs(tree.link(i).motion); ++d) {
        const TwistOf<S> allowed = dof_direction<S>(tree.link(i), own.work.links[z(i)].axes, d, own.origin - own.links[z(i)].position);
        for (int k = 1; k <= K; ++k) powers[z(tree.link(i).v + d)] -= dot(coefficient(allowed, k), state.wrench[z(K - k)]);
      }
    state.wrench[K] = loop.joint.holding(powers);
    const auto series = [&](auto part) {
      std::array<double, K + 1> c;
      for (int k = 0; k <= K; ++k) c[z(k)] = part(state.wrench[z(k)]);
      return first_of<S>(c);
    };
    const Mat3<S>& axes = own.i.frame.axes;
    const Vec3<S> force = axes * Vec3<S>{series([](const Twist& w) { return w.shift.x; }), series([](const Twist& w) { return w.shift.y; }),
                                         series([](const Twist& w) { return w.shift.z; })};
    const Vec3<S> moment = axes * Vec3<S>{series([](const Twist& w) { return w.turn.x; }), series([](const Twist& w) { return w.turn.y; }),
                                          series([](const Twist& w) { return w.turn.z; })} +
                           cross(own.j.frame.origin, force);
    if (loop.link_j != tree::kGround) loads_.external[z(loop.link_j)].force += force, loads_.external[z(loop.link_j)].moment += moment;
    if (loop.link_i != tree::kGround) loads_.external[z(loop.link_i)].force -= force, loads_.external[z(loop.link_i)].moment -= moment;
  }

  const SpaceEquations& equations_;
  const SpaceMechanism& mechanism_;
  const tree::Tree& tree_;
  double t_ = 0;
  std::optional<Fault> fault_;
  std::vector<S> q_, v_, a_, tau_;
  tree::Workspace<S> work_, effort_work_;
  bool moved_ = false, known_ = false;  // known_: this order of what friction grows with
  std::vector<tree::LinkMotion<S>> links_;
  std::vector<Vec3<S>> positions_;
  SpaceLoads<S> loads_;
  std::vector<Joint> joints_;
  std::vector<Vec3<S>> lines_;  // of idle turns, of length 1
};

SpaceOrders::~SpaceOrders() = default;

SpaceOrders::SpaceOrders(SpaceEquations& equations)
    : equations_(equations),
      jerk_(equations.mechanism().dofs.size()),
      snap_(jerk_),
      multiplier_rates_(z(equations.closures().size())),
      own_(equations.mechanism().equations.size()),
      idle_(equations.mechanism().idle.size()),
      first_(std::make_unique<Pass<1>>(equations)),
      second_(std::make_unique<Pass<2>>(equations)),
      work_(equations.mechanism().tree),
      links_(z(equations.mechanism().tree.size())),
      tree_orders_(equations.mechanism().tree),
      rates_(jerk_.size()),
      effort_(jerk_.size()) {
  const SpaceMechanism& mechanism = equations.mechanism();
  alone_ = equations.rubbing().empty() && equations.closures().size() == 0 && equations.formulation() == Formulation::aba;
  if (!mechanism.forces.empty() || !mechanism.quantities.empty()) pushes_.resize(links_.size());
  loaded_ = !pushes_.empty() || std::ranges::any_of(mechanism.dofs, [](const SpaceDof& dof) { return dof.stiffness != 0 || dof.damping != 0 || !dof.friction.empty() || dof.torque; });
  for (const LoopClosures::Loop& loop : equations.closures().loops()) {
    const std::vector<double> none(z(loop.joint.tree().dofs()));
    loops_.push_back({none, {none, none}, {}});
  }
}

std::optional<Fault> SpaceOrders::find(After after, double t, std::span<const double> q, std::span<const double> v, std::span<const double> a) {
  const SpaceMechanism& mechanism = equations_.mechanism();
  const LoopClosures& closures = equations_.closures();
  if (closures.fault()) return closures.fault();
  still_ = false;
  std::ranges::fill(jerk_, 0.0), std::ranges::fill(snap_, 0.0);
  q_.assign(q.begin(), q.end());
  if (auto fault = prescribed_rates<3>(mechanism, t, q_, [&](int dof, const Series<3>& rate) {
        jerk_[z(dof)] = rate.derivative(2);
        snap_[z(dof)] = rate.derivative(3) / 2;  // coefficients, until the end
      }))
    return fault;
  by_tree_ = alone_ && after == After::solve;
  if (by_tree_) return find_along_tree(t, q, v, a);
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    const LoopClosures::Loop& loop = closures.loops()[l];
    loops_[l].wrench = {};
    const auto resisted = loop.joint.resisted();
    for (std::size_t r = 0; r < resisted.size(); ++r)
      loops_[l].wrench[0] = loops_[l].wrench[0] + resisted[r] * equations_.found_multipliers()[z(loop.row) + r];
  }
  for (std::size_t e = 0; e < own_.size(); ++e) own_[e] = {equations_.found_multipliers()[z(closures.first_equation()) + e]};
  for (std::size_t e = 0; e < idle_.size(); ++e) idle_[e] = {equations_.found_multipliers()[z(closures.first_idle()) + e]};
  std::vector<double> right(z(closures.size())), effort(jerk_.size()), lambda(right.size());
  const bool forces = after != After::following;
  const bool places = !forces || !loops_.empty() || !own_.empty() || !mechanism.forces.empty() || !mechanism.quantities.empty();  // somebody has to know them before efforts do
  const auto order = [&]<int K>(Pass<K>& pass, std::span<double> x) -> std::optional<Fault> {
    const std::array<std::span<const double>, 3> known{a, jerk_, snap_};
    pass.set(q, v, known);
    pass.at_time(t);
    if (places) pass.move();
    pass.lacking(loops_, right);
    if (pass.fault()) return pass.fault();
    for (int r = 0; r < closures.size(); ++r) {  // the active dofs have done their part
      if (r >= closures.first_coupling() && r < closures.first_equation()) continue;
      const LoopClosures::Entries own = closures.row(r);
      for (std::size_t k = 0; k < own.dofs.size(); ++k)
        if (equations_.active()[z(own.dofs[k])]) right[z(r)] += own.values[k] * x[z(own.dofs[k])];
    }
    (K == 1 ? eta_ : sigma_) = right;
    if (after != After::solve && !right.empty()) {
      (void)equations_.follow(right, x);
      pass.accelerate(x);
    }
    if (!forces) return std::nullopt;
    if (auto fault = pass.load(t, loops_, own_, idle_)) return fault;
    pass.left_over(effort);
    if (after == After::solve) {
      equations_.solve_order(q, effort, right, x, lambda);
    } else if (!right.empty()) {
      for (double& e : effort) e = -e;
      (void)equations_.balance_order(effort, lambda);
    }
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      const LoopClosures::Loop& loop = closures.loops()[l];
      const auto resisted = loop.joint.resisted();
      for (std::size_t r = 0; r < resisted.size(); ++r) loops_[l].wrench[K] = loops_[l].wrench[K] + resisted[r] * lambda[z(loop.row) + r];
    }
    for (std::size_t e = 0; e < own_.size(); ++e) own_[e][K] = lambda[z(closures.first_equation()) + e];
    for (std::size_t e = 0; e < idle_.size(); ++e) idle_[e][K] = lambda[z(closures.first_idle()) + e];
    if (K == 1) multiplier_rates_ = lambda;
    return std::nullopt;
  };
  // friction of joints grows with loads of the same order: once without that, and once with what follows
  const auto with_friction = [&]<int K>(Pass<K>& pass, std::span<double> x) -> std::optional<Fault> {
    if (!forces || equations_.rubbing().empty()) return order(pass, x);
    const std::vector<double> given(x.begin(), x.end());
    pass.grip_known(false);
    if (auto fault = order(pass, x)) return fault;
    std::vector<JointLoad> loads(equations_.rubbing().size());
    pass.loads_across(x, lambda, loads);
    if (auto fault = equations_.rub_order(K, loads)) return fault;
    pass.grip_known(true);
    std::ranges::copy(given, x.begin());
    return order(pass, x);
  };
  if (auto fault = with_friction(*first_, jerk_)) return fault;
  if (auto fault = with_friction(*second_, snap_)) return fault;
  if (after == After::solve || (places && !right.empty())) {  // the links do not know of the last unknowns
    std::vector<double> unknown = snap_;
    const std::vector<double> none(snap_.size());
    for (std::size_t dof = 0; dof < unknown.size(); ++dof)
      if (equations_.active()[dof]) unknown[dof] = 0;
    tree::motion<double>(mechanism.tree, work_, q.data(), none.data(), unknown.data(), links_.data());
    second_->add(work_, links_);
  }
  for (double& s : snap_) s *= 2;
  for (double& s : sigma_) s *= 2;
  return std::nullopt;
}

std::optional<Fault> SpaceOrders::find_along_tree(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a) {
  for (std::size_t dof = 0; dof < rates_.size(); ++dof) rates_[dof] = {v[dof], a[dof], jerk_[dof] / 2, snap_[dof] / 3};
  tree_orders_.begin(equations_.articulated(), rates_);
  const auto order = [&]<int K>(Pass<K>& pass, std::span<double> x) -> std::optional<Fault> {
    if (loaded_) {
      const std::array<std::span<const double>, 3> known{a, jerk_, snap_};
      pass.set(q, v, known);
      if (!pushes_.empty()) pass.move();  // somebody has to know the places before forces do
      if (auto fault = pass.load(t, loops_, own_, idle_)) return fault;
      for (std::size_t i = 0; i < pushes_.size(); ++i) pushes_[i] = pass.push_on(i);
    }
    tree_orders_.need<K>(rates_, effort_, pushes_);
    for (std::size_t dof = 0; dof < effort_.size(); ++dof) effort_[dof] = (loaded_ ? pass.effort(dof) : 0.0) - effort_[dof];
    tree_orders_.accelerate<K>(effort_, equations_.active().data(), x);
    for (std::size_t dof = 0; dof < rates_.size(); ++dof) rates_[dof][K + 1] = x[dof] / (K + 1);
    return std::nullopt;
  };
  if (auto fault = order(*first_, jerk_)) return fault;
  if (auto fault = order(*second_, snap_)) return fault;
  for (double& s : snap_) s *= 2;
  return std::nullopt;
}

void SpaceOrders::rest() {
  still_ = true;
  std::ranges::fill(jerk_, 0.0), std::ranges::fill(snap_, 0.0), std::ranges::fill(multiplier_rates_, 0.0);
}

JerkAndSnap SpaceOrders::at(int link, const Vec3<double>& place) const {
  if (still_) return {};
  if (by_tree_) return {tree_orders_.acceleration(1, link, place), tree_orders_.acceleration(2, link, place) * 2.0};
  const tree::LinkWork<Series<2>>& own = second_->link(link);
  const auto arm = own.axes * place;
  const auto acceleration = own.shift + cross(own.turn, arm) + cross(own.spin, cross(own.spin, arm));
  return {{acceleration.x[1], acceleration.y[1], acceleration.z[1]}, {2 * acceleration.x[2], 2 * acceleration.y[2], 2 * acceleration.z[2]}};
}

JerkAndSnap SpaceOrders::turning(int link) const {
  if (still_) return {};
  if (by_tree_) return {tree_orders_.turn(1, link), tree_orders_.turn(2, link) * 2.0};
  const Vec3<Series<2>>& turn = second_->link(link).turn;
  return {{turn.x[1], turn.y[1], turn.z[1]}, {2 * turn.x[2], 2 * turn.y[2], 2 * turn.z[2]}};
}

}  // namespace jounce
