#include "jounce/space/rows/space_rows.hpp"

#include <array>
#include <vector>

#include "jounce/base/index.hpp"
#include "jounce/base/require.hpp"
#include "jounce/results/row_writers.hpp"
#include "jounce/tree/dof_quantity.hpp"
#include "jounce/tree/orientation.hpp"

namespace jounce {
namespace {

using Vec = Vec3<double>;

// How a point of a body moves.
struct PointMotion {
  Vec position, velocity, acceleration;
};

PointMotion motion_of(const SpaceEquations& at, const SpaceBody& body, const Vec& place) {
  const tree::LinkWork<double>& link = at.motion_work().links[z(body.link)];
  const tree::LinkMotion<double>& own = at.links()[z(body.link)];
  const Vec arm = link.axes * (body.frame * place);
  return {own.position + arm, own.velocity + cross(link.spin, arm),
          own.acceleration + cross(link.turn, arm) + cross(link.spin, cross(link.spin, arm))};
}

std::array<double, 3> numbers(const Vec& a) { return {a.x, a.y, a.z}; }

// e and −e are one rotation: that of the same sign as `like`.
std::array<double, 4> signed_as(const tree::Quaternion& like, double by, const tree::Quaternion& e) {
  const double sign = by * (like.w * e.w + like.x * e.x + like.y * e.y + like.z * e.z) < 0 ? -1 : 1;
  return {sign * e.w, sign * e.x, sign * e.y, sign * e.z};
}

// Those of the links at this position; the place for them is kept from row to row.
std::span<const tree::Quaternion> orientations(const SpaceMechanism& mechanism, std::span<const double> q) {
  thread_local std::vector<tree::Quaternion> turns;
  turns.resize(z(mechanism.tree.size()));
  tree::orientations(mechanism.tree, q, turns);
  return turns;
}

// The walk over all columns and what stands in them. Of a list of columns only `sample.forces` is looked at, and there are no equations.
template <class Row>
class Walk {
 public:
  Walk(const SpaceMechanism& mechanism, const LoopClosures& closures, const SpaceEquations* at, const SpaceSample& sample, Row& row)
      : mechanism_(mechanism), closures_(closures), at_(at), sample_(sample), row_(row) {
    if (at != nullptr) turns_ = orientations(mechanism, sample.q);
  }

  void all() {
    row_.put({}, columns::kTime, [&] { return std::array{sample_.t}; });
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) body(mechanism_.bodies[b]);
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j) joint(mechanism_.joints[j], static_cast<int>(j));
    if (!sample_.forces) return;
    for (std::size_t l = 0; l < mechanism_.loops.size(); ++l) {
      wrench(mechanism_.loops[l].name, [&] { return at_->loop_wrench(static_cast<int>(l)); });
      if (mechanism_.loops[l].type->keys.length) row_.put(mechanism_.loops[l].name, columns::kTension, [&] { return std::array{pull(static_cast<int>(l))}; });
      multipliers(mechanism_.loops[l].name, closures_.loops()[l].row, closures_.loops()[l].joint.rows());
    }
    for (std::size_t c = 0; c < mechanism_.couplings.size(); ++c)
      multipliers(mechanism_.couplings[c].name, closures_.first_coupling() + static_cast<int>(c), 1);
    for (std::size_t e = 0; e < mechanism_.equations.size(); ++e) equation(mechanism_.equations[e], static_cast<int>(e));
    for (std::size_t f = 0; f < mechanism_.forces.size(); ++f) force(mechanism_.forces[f], f);
    for (std::size_t s = 0; s < mechanism_.stops.size(); ++s)
      row_.put(mechanism_.stops[s].name, mechanism_.stops[s].angle ? columns::kTurningStop : columns::kSlidingStop,
               [&] { return std::array{sample_.pushes.empty() ? 0.0 : sample_.pushes[s]}; });
    sums();
  }

 private:
  void body(const SpaceBody& body) {
    const auto link = [&]() -> const tree::LinkWork<double>& { return at_->motion_work().links[z(body.link)]; };
    PointMotion origin;
    row_.put(body.name, columns::kPlace, [&] { return origin = motion_of(*at_, body, Vec{}), numbers(origin.position); });
    row_.put(body.name, columns::kQuaternion,
             [&] {
               const tree::Quaternion goes_on = turns_[z(body.link)] * tree::quaternion_of(body.frame.axes);
               return signed_as(goes_on, body.sign, tree::quaternion_of(link().axes * body.frame.axes));
             });
    row_.put(body.name, columns::kVelocity, [&] { return numbers(origin.velocity); });
    row_.put(body.name, columns::kSpin, [&] { return numbers(link().spin); });
    row_.put(body.name, columns::kAcceleration, [&] { return numbers(origin.acceleration); });
    row_.put(body.name, columns::kTurn, [&] { return numbers(link().turn); });
    JerkAndSnap further, turning;
    row_.put(body.name, columns::kJerk, [&] { return further = orders().at(body.link, body.frame.origin), numbers(further.jerk); });
    row_.put(body.name, columns::kTurnJerk, [&] { return turning = orders().turning(body.link), numbers(turning.jerk); });
    row_.put(body.name, columns::kSnap, [&] { return numbers(further.snap); });
    row_.put(body.name, columns::kTurnSnap, [&] { return numbers(turning.snap); });
    for (const SpacePoint& p : body.points) {
      PointMotion motion;
      const ColumnOwner owner(body.name, p.name);
      row_.put(owner, columns::kPlace, [&] { return motion = motion_of(*at_, body, p.frame.origin), numbers(motion.position); });
      row_.put(owner, columns::kVelocity, [&] { return numbers(motion.velocity); });
      row_.put(owner, columns::kAcceleration, [&] { return numbers(motion.acceleration); });
      row_.put(owner, columns::kJerk, [&] { return further = orders().at(body.link, body.frame * p.frame.origin), numbers(further.jerk); });
      row_.put(owner, columns::kSnap, [&] { return numbers(further.snap); });
    }
  }

  void joint(const SpaceJoint& joint, int j) {
    const tree::Attached& own = joint.links;
    const auto unit = [](const columns::Stem& stem, tree::Quantity quantity) {
      if (quantity == tree::Quantity::number) return std::string_view();
      return quantity == tree::Quantity::angle ? stem.turning : stem.sliding;
    };
    row_.numbered(
        joint.name, columns::kCoordinate, own.coordinates,
        [&](int k) { return unit(columns::kCoordinate, tree::coordinate_quantity(mechanism_.tree, own, own.q + k)); },
        [&](int k) { return sample_.q[z(own.q + k)]; });
    const auto dofs = [&](const columns::Stem& stem, std::span<const double> values) {
      row_.numbered(
          joint.name, stem, own.dofs, [&](int k) { return unit(stem, tree::dof_quantity(mechanism_.tree, own.v + k)); },
          [&](int k) { return values[z(own.v + k)]; });
    };
    dofs(columns::kRate, sample_.v);
    dofs(columns::kRateOfRate, sample_.a);
    dofs(columns::kJointJerk, sample_.orders ? orders().jerk() : sample_.a);
    dofs(columns::kJointSnap, sample_.orders ? orders().snap() : sample_.a);
    if (!sample_.forces) return;
    dofs(columns::kEffort, sample_.tau);
    wrench(joint.name, [&] { return at_->joint_wrench(j); });
    if (own.dofs != 1 || !mechanism_.dofs[z(own.v)].rubs) return;
    const bool turns = tree::dof_quantity(mechanism_.tree, own.v) == tree::Quantity::angle;
    row_.put(joint.name, turns ? columns::kTurningFriction : columns::kSlidingFriction,
             [&] { return std::array{(sample_.friction.empty() ? at_->loads().friction : sample_.friction)[z(own.v)]}; });
  }

  template <class Found>
  void wrench(const std::string& owner, const Found& found) {
    tree::Wrench<double> w;
    row_.put(owner, columns::kForce, [&] { return w = found(), numbers(w.force); });
    row_.put(owner, columns::kMoment, [&] { return numbers(w.moment); });
    row_.put(owner, columns::kForceSize, [&] { return std::array{length(w.force)}; });
  }

  // Of a rod: the force on j against the way from i to j.
  [[nodiscard]] double pull(int l) const {
    const LoopClosures::Loop& loop = closures_.loops()[z(l)];
    Vec from = loop.frame_i.origin;
    if (loop.link_i != tree::kGround) from = at_->links()[z(loop.link_i)].position + at_->motion_work().links[z(loop.link_i)].axes * from;
    const Vec way = loop.at - from;
    const double apart = length(way);
    return apart > 0 ? -dot(at_->loop_wrench(l).force, way) / apart : 0;
  }

  void equation(const SpaceEquation& equation, int e) {
    if (equation.named_first() != nullptr) wrench(equation.name, [&] { return at_->closures().reaction_of_equation(e, at_->multipliers()); });
    multipliers(equation.name, closures_.first_equation() + e, 1);
  }

  // Of the equations from one on; those of the user's as he has written them.
  void multipliers(const std::string& owner, int first, int count) {
    const auto unit = [&](std::string_view of_length, std::string_view of_angle) {
      return [=, this](int r) { return closures_.rows()[z(first + r)].metres ? of_length : of_angle; };
    };
    row_.numbered(owner, columns::kMultiplier, count, unit("N", "N m"), [&](int r) { return at_->multipliers()[z(first + r)] / closures_.scale(first + r); });
    row_.numbered(
        owner, columns::kMultiplier, count, unit("N/s", "N m/s"),
        [&](int r) { return orders().multiplier_rates()[z(first + r)] / closures_.scale(first + r); }, columns::kOfMultiplierRate);
  }

  [[nodiscard]] const SpaceOrders& orders() const { return *sample_.orders; }

  void force(const SpaceForce& force, std::size_t f) {
    const auto put = [&]<class F>(const F& law) {
      row_.put(force.name, F::columns, [&] {
        const SpaceBody& body = mechanism_.bodies[z(tree::carrier(force.law))];
        const bool moves = body.link != tree::kGround;
        const Mat3<double> axes = moves ? at_->motion_work().links[z(body.link)].axes * body.frame.axes : body.frame.axes;
        return tree::shown(law, sample_.t, axes, at_->loads().quantities, sample_.readings.empty() ? at_->loads().readings[f] : sample_.readings[f]);
      });
    };
    std::visit(put, force.law);
  }

  void sums() {
    decltype(tree::totals<double>(mechanism_.tree, at_->motion_work(), at_->links().data())) sum;
    row_.put({}, columns::kEnergy, [&] {
      sum = tree::totals<double>(mechanism_.tree, at_->motion_work(), at_->links().data());
      const SpaceEnergy e{sum.kinetic, sum.weight + at_->loads().potential};
      return std::array{e.kinetic, e.potential, e.kinetic + e.potential};
    });
    row_.put({}, columns::kAudit, [] { return std::array{0.0, 0.0}; });
    row_.put({}, columns::kMomentum, [&] {
      const auto& [moment, force] = sum.momentum;
      const Vec own = tree::angular_momentum_about(sum.com, mechanism_.tree, at_->motion_work(), at_->links().data());
      return std::array{force.x, force.y, force.z, moment.x, moment.y, moment.z, own.x, own.y, own.z};
    });
    row_.put({}, columns::kCentre, [&] { return numbers(sum.com); });
    row_.put({}, columns::kConstraintError, [&] { return std::array{at_->closures().worst()}; });
  }

  const SpaceMechanism& mechanism_;
  const LoopClosures& closures_;
  const SpaceEquations* at_;
  const SpaceSample& sample_;
  Row& row_;
  std::span<const tree::Quaternion> turns_;  // of the links
};

}  // namespace

std::vector<Column> space_columns(const SpaceMechanism& mechanism, bool forces) {
  ColumnList out;
  Walk(mechanism, LoopClosures(mechanism), nullptr, SpaceSample{.forces = forces}, out).all();
  return out.finish();
}

std::size_t space_width(const SpaceMechanism& mechanism, bool forces) {
  ColumnCount out;
  Walk(mechanism, LoopClosures(mechanism), nullptr, SpaceSample{.forces = forces}, out).all();
  return out.count();
}

void fill_space_row(const SpaceMechanism& mechanism, const SpaceEquations& at, const SpaceSample& sample, std::span<double> row) {
  NumberRow<false> out(row.data());
  JOUNCE_REQUIRE(sample.orders != nullptr, "a row goes to snap");
  Walk(mechanism, at.closures(), &at, sample, out).all();
  JOUNCE_REQUIRE(out.end() == row.data() + row.size(), "a row has one place for each column");
}

void fill_space_row(const SpaceEquations& at, const SpaceSample& sample, std::span<double> row) { fill_space_row(at.mechanism(), at, sample, row); }

SpaceEnergy energy(const SpaceEquations& at) {
  const auto sum = tree::totals<double>(at.mechanism().tree, at.motion_work(), at.links().data());
  return {sum.kinetic - energy_of_thin_links(at.mechanism(), at.motion_work()), sum.weight + at.loads().potential};
}

}  // namespace jounce
