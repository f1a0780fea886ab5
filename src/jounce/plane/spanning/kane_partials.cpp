#include "jounce/plane/spanning/kane_partials.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "jounce/base/index.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"

namespace jounce {
namespace {

using Vec = Vec2<double>;
using World = planar::World<double>;

Vec turned_left(const Vec& a) { return {-a.y, a.x}; }
Vec scaled(const Vec& a, double s) { return {s * a.x, s * a.y}; }
Vec unit(const Vec& a) { return scaled(a, 1 / length(a)); }

}  // namespace

// ---- joints as turns and slides --------------------------------------------------------------------------------------------------------

struct KanePartials::Joints {
  const SpanningTree::Edge& edge;
  std::vector<Step> steps;

  // The joint's own points are on i and j; the tree hangs one of the two on the other.
  template <class A, class B>
  [[nodiscard]] Step between(const A& i, const B& j) const {
    Step step;
    step.carrier = edge.parent, step.body = edge.body;
    step.a = i.body == edge.parent ? i.p : j.p;
    step.b = i.body == edge.parent ? j.p : i.p;
    return step;
  }
  void turn(Step step, Reading reading, int body, const Vec& pin) {
    step.reading = reading, step.fixed_in = body, step.local = pin;
    steps.push_back(step);
  }
  void slide(Step step, int body, const Vec& direction) {
    step.reading = Reading::slide, step.fixed_in = body, step.local = direction;
    steps.push_back(step);
  }

  void add(const planar::Revolute<double>& joint) {
    const Step step = between(joint.i, joint.j);
    turn(step, Reading::angle, edge.body, step.b);
  }
  void add(const planar::Translational<double>& joint) { slide(between(joint.slot, joint.slider), joint.slot.body, unit(joint.slot.a)); }
  void add(const planar::PinInSlot<double>& joint) {
    const Step step = between(joint.slot, joint.pin);
    // The order does not matter for the velocities: the slot turns with the body that it is cut in, whichever that is.
    slide(step, joint.slot.body, unit(joint.slot.a));
    turn(step, Reading::angle, joint.pin.body, joint.pin.p);
  }
  void add(const planar::Distance<double>& joint) {
    const Step step = between(joint.i, joint.j);
    turn(step, Reading::link, edge.parent, step.a);
    turn(step, Reading::link_end, edge.body, step.b);
  }
  void add(const planar::Parallel<double>& joint) {
    const Step step = between(joint.i, joint.j);
    const Vec along = unit(joint.i.body == edge.parent ? joint.i.a : joint.j.a);
    slide(step, edge.parent, along);
    slide(step, edge.parent, turned_left(along));
  }
  void add(const planar::Weld<double>&) {}
  template <class Other>
  void add(const Other&) {
    JOUNCE_REQUIRE(false, "the spanning tree hangs bodies only on joints that are turns and slides");
  }
  // No joint at all: along x, along y and about the centre of mass.
  void add_floating() {
    Step step;
    step.body = edge.body;
    slide(step, 0, {1, 0});
    slide(step, 0, {0, 1});
    turn(step, Reading::angle, edge.body, {0, 0});
  }
};

KanePartials::KanePartials(const PlanarSystem& system, const SpanningTree& tree)
    : system_(&system),
      tree_(&tree),
      frames_(z(system.bodies()) + 1),
      velocities_(frames_.size()),
      wpd_(0, 0),
      vpd_(0, 0),
      vpd_rate_(0, 0) {
  frames_[0].c = 1;
  std::vector<Joints> joints;
  std::vector<int> edge_of(system.constraints().size(), -1);
  for (std::size_t e = 0; e < tree.edges.size(); ++e) {
    joints.push_back({tree.edges[e], {}});
    if (const int c = tree.edges[e].constraint; c >= 0) edge_of[z(c)] = static_cast<int>(e);
    else joints.back().add_floating();
  }
  system.impl().each([&](const auto& batch) {
    for (int e = 0; e < batch.size(); ++e)
      if (const int edge = edge_of[z(batch.constraint[z(e)])]; edge >= 0) joints[z(edge)].add(batch.elements[z(e)]);
  });

  for (std::size_t e = 0; e < joints.size(); ++e) {
    const std::vector<Step>& own = joints[e].steps;
    const int joint = tree.edges[e].constraint;
    for (std::size_t s = 0; s < own.size(); ++s) {
      std::string name = joint < 0 ? "body" + std::to_string(own[s].body) : system.constraints()[z(joint)].name;
      static constexpr std::array kFloats{".x", ".y", ".phi"};
      if (joint < 0) name += kFloats[s];
      else if (own.size() > 1) name += "." + std::to_string(s + 1);
      coordinates_.push_back({std::move(name), static_cast<int>(e), own[s].reading != Reading::slide});
      steps_.push_back(own[s]);
    }
  }
  order_outwards();

  const int n = static_cast<int>(steps_.size());
  wpd_ = DenseMatrix(n, system.bodies());
  vpd_ = vpd_rate_ = DenseMatrix(n, 2 * system.bodies());
  values_.assign(steps_.size(), 0.0), rates_ = values_;
  for (int i = 0; i < n; ++i)
    for (const int body : std::span(outwards_).subspan(z(steps_[z(i)].first), z(steps_[z(i)].beyond)))
      wpd_.at(i, body - 1) = coordinates_[z(i)].turns ? 1 : 0;
}

// Every body is followed by those it carries, and by those that they carry.
void KanePartials::order_outwards() {
  const std::vector<SpanningTree::Edge>& edges = tree_->edges;
  std::vector<int> size(edges.size() + 1, 1), place(edges.size()), next(edges.size() + 1);  // the last: the ground
  const auto carrier = [&](std::size_t e) { return edges[e].parent == 0 ? edges.size() : z(tree_->edge_of[z(edges[e].parent)]); };
  for (std::size_t e = edges.size(); e-- > 0;) size[carrier(e)] += size[e];
  outwards_.resize(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    place[e] = next[carrier(e)];
    next[carrier(e)] += size[e];
    next[e] = place[e] + 1;
    outwards_[z(place[e])] = edges[e].body;
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const std::size_t e = z(coordinates_[i].edge);
    steps_[i].first = place[e], steps_[i].beyond = size[e];
  }
}

// ---- at a state ------------------------------------------------------------------------------------------------------------------------

void KanePartials::set_position(std::span<const double> q) {
  for (std::size_t b = 1; b < frames_.size(); ++b) {
    const double* at = q.data() + 3 * (b - 1);
    const SinCos<double> turn = sincos(at[2]);
    frames_[b] = {at[0], at[1], turn.cos, turn.sin, at[2]};
  }
  const World world{frames_, {}};
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    double* const row = vpd_.value.data() + i * z(vpd_.columns);
    const std::span<const int> moved = std::span(outwards_).subspan(z(step.first), z(step.beyond));
    const Vec way = world.at(step.body, step.b) - world.at(step.carrier, step.a);
    if (step.reading == Reading::slide) {
      const Vec s = world.turned(step.fixed_in, step.local);
      for (const int body : moved) row[2 * (body - 1)] = s.x, row[2 * (body - 1) + 1] = s.y;
      values_[i] = dot(s, way);
      continue;
    }
    const Vec pin = world.at(step.fixed_in, step.local);
    for (const int body : moved) {
      const planar::Frame<double>& at = frames_[z(body)];
      row[2 * (body - 1)] = pin.y - at.y, row[2 * (body - 1) + 1] = at.x - pin.x;
    }
    const double between = frames_[z(step.body)].phi - frames_[z(step.carrier)].phi;
    const double link = step.reading == Reading::angle
                            ? 0
                            : std::remainder(std::atan2(way.y, way.x) - frames_[z(step.carrier)].phi, 2 * std::numbers::pi);
    values_[i] = step.reading == Reading::link ? link : between - link;
  }
}

void KanePartials::set_velocity(std::span<const double> v) {
  for (std::size_t b = 1; b < velocities_.size(); ++b) {
    const double* at = v.data() + 3 * (b - 1);
    velocities_[b] = {at[0], at[1], 0, 0, at[2]};
  }
  const World world{frames_, {}};
  const auto velocity = [&](int body, const Vec& local) {
    const planar::Frame<double>& at = velocities_[z(body)];
    return Vec{at.x, at.y} + scaled(turned_left(world.turned(body, local)), at.phi);
  };
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    double* const row = vpd_rate_.value.data() + i * z(vpd_rate_.columns);
    const std::span<const int> moved = std::span(outwards_).subspan(z(step.first), z(step.beyond));
    const Vec way = world.at(step.body, step.b) - world.at(step.carrier, step.a);
    const Vec speed = velocity(step.body, step.b) - velocity(step.carrier, step.a);
    if (step.reading == Reading::slide) {
      const Vec s = world.turned(step.fixed_in, step.local), ds = scaled(turned_left(s), velocities_[z(step.fixed_in)].phi);
      for (const int body : moved) row[2 * (body - 1)] = ds.x, row[2 * (body - 1) + 1] = ds.y;
      rates_[i] = dot(s, speed) + dot(ds, way);
      continue;
    }
    const Vec pin = velocity(step.fixed_in, step.local);
    for (const int body : moved) {
      const planar::Frame<double>& at = velocities_[z(body)];
      row[2 * (body - 1)] = pin.y - at.y, row[2 * (body - 1) + 1] = at.x - pin.x;
    }
    const double between = velocities_[z(step.body)].phi - velocities_[z(step.carrier)].phi;
    const double link =
        step.reading == Reading::angle ? 0 : cross(way, speed) / dot(way, way) - velocities_[z(step.carrier)].phi;
    rates_[i] = step.reading == Reading::link ? link : between - link;
  }
}

std::vector<KanePinned> KanePartials::pinned() const {
  std::vector<KanePinned> out;
  std::vector<std::size_t> place(frames_.size(), std::numeric_limits<std::size_t>::max());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    const int joint = tree_->edges[z(coordinates_[i].edge)].constraint;
    if (joint < 0 || system_->constraints()[z(joint)].type != planar::Revolute<double>::type) continue;
    if (const std::size_t carrier = place[z(step.carrier)]; carrier < out.size())
      out[carrier].children.push_back({step.body, step.a + out[carrier].r});  // r leads from its pin to its centre of mass
    place[z(step.body)] = out.size();
    out.push_back({step.body, frames_[z(step.body)].phi, scaled(step.b, -1), {}});
  }
  return out;
}

}  // namespace jounce
