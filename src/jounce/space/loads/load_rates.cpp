#include "jounce/space/loads/load_rates.hpp"

#include <algorithm>

#include "jounce/base/index.hpp"
#include "jounce/laws/signal.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/tree/algorithms.hpp"
#include "jounce/tree/recursions/along.hpp"

namespace jounce {
namespace {

using Line = Series<1>;

// Where everything is and how it moves.
struct Moved {
  const SpaceMechanism& mechanism;
  tree::Workspace<Line> work;
  std::vector<tree::LinkMotion<Line>> links;

  Moved(const SpaceMechanism& of, std::span<const double> q, std::span<const double> v, std::span<const double> a)
      : mechanism(of), work(of.tree), links(z(of.tree.size())) {
    std::vector<Line> position(z(of.tree.coordinates())), rate(z(of.tree.dofs())), still(rate.size());
    for (std::size_t dof = 0; dof < rate.size(); ++dof) rate[dof] = Line{v[dof], a[dof]};
    tree::coordinates_along<Line>(of.tree, q, rate, position);
    tree::motion<Line>(of.tree, work, position.data(), rate.data(), still.data(), links.data());  // positions and velocities do not ask for accelerations
  }

  [[nodiscard]] tree::Place<Line> place(int body, const Vec3<double>& point) const {
    const SpaceBody& b = mechanism.bodies[z(body)];
    const Vec3<double> in_link = b.frame * point;
    if (b.link == tree::kGround) {
      const auto constant = [](const Vec3<double>& x) { return Vec3<Line>{Line(x.x), Line(x.y), Line(x.z)}; };
      return {body, constant(in_link), {}, {constant(b.frame.axes.x), constant(b.frame.axes.y), constant(b.frame.axes.z)}};
    }
    const tree::LinkWork<Line>& at = work.links[z(b.link)];
    const tree::LinkMotion<Line>& link = links[z(b.link)];
    const Vec3<Line> arm = at.axes * in_link;
    return {body, link.position + arm, link.velocity + cross(at.spin, arm), at.axes * b.frame.axes};
  }
};

// What a force acts on (tree/force.hpp): it writes down what is pushed.
struct Notes {
  using Scalar = Line;

  const Moved& moved;
  double t;
  double direction;  // of exact dry friction
  Line held;         // by it, where it is stuck
  LoadAndRate& out;

  [[nodiscard]] tree::Place<Line> place(const tree::BodyPoint& at) const { return moved.place(at.body, at.p); }
  [[nodiscard]] tree::Place<Line> place(const tree::BodyRef& at) const { return moved.place(at.body, {}); }
  void push(const tree::Place<Line>& at, const tree::Wrench<Line>& load) {
    if (at.body == 0) return;
    const auto found = std::ranges::find(out.bodies, at.body, &LoadAndRate::OnBody::body);
    LoadAndRate::OnBody& own = found == out.bodies.end() ? out.bodies.emplace_back(LoadAndRate::OnBody{at.body, {}, {}}) : *found;
    const Vec3<Line> centre = moved.place(at.body, moved.mechanism.bodies[z(at.body)].com).position;
    const Vec3<Line> moment = load.moment + cross(at.position - centre, load.force);
    const std::array<Line, 6> all{load.force.x, load.force.y, load.force.z, moment.x, moment.y, moment.z};
    for (std::size_t k = 0; k < 6; ++k) own.Q[k] += all[k][0], own.Q_rate[k] += all[k][1];
  }
  void pull(const tree::Place<Line>& i, const tree::Place<Line>& j, const Vec3<Line>& d, const Line& length, const Line& tension) {
    const Vec3<Line> force = d * ((tension + held) / length);
    push(i, {{}, force});
    push(j, {{}, -force});
  }
  void keep(const Line&, const Line&) const {}
  template <std::size_t N>
  void show(const Line (&numbers)[N]) {
    for (const Line& x : numbers) out.value.push_back(x[0]), out.rate.push_back(x[1]);
    constexpr std::size_t kTension = 2;  // of a strut, and nothing else holds
    if constexpr (N > kTension) out.value[kTension] += held[0], out.rate[kTension] += held[1];
  }
};

// A load that is a function of time shows nothing when it acts: its columns are what is given.
template <class Force>
void show_given(const Force& force, double t, const Mat3<Line>& axes, LoadAndRate& out) {
  if constexpr (requires(tree::Wrench<Line>& load) { force.given(t, axes, load); }) {
    tree::Wrench<Line> load;
    if (force.given(t, axes, load)) return;
    const auto part = [&](int k) {
      const auto of = [k](const Vec3<Line>& x) { return Vec3<double>{x.x[k], x.y[k], x.z[k]}; };
      const auto shown = Force::shown({of(load.moment), of(load.force)});
      return std::vector<double>(shown.begin(), shown.end());
    };
    out.value = part(0), out.rate = part(1);
  }
}

}  // namespace

std::vector<LoadAndRate> loads_and_rates(const SpaceMechanism& mechanism, double t, std::span<const double> q, std::span<const double> v,
                                         std::span<const double> a, std::span<const StrutFriction> friction) {
  std::vector<LoadAndRate> out(mechanism.forces.size());
  if (out.empty()) return out;
  const Moved moved(mechanism, q, v, a);
  for (std::size_t f = 0; f < out.size(); ++f) {
    const auto act = [&](const auto& law) {
      const StrutFriction own = friction.empty() ? StrutFriction{} : friction[f];
      Notes notes{moved, t, own.direction, Line{own.held, own.held_rate}, out[f]};
      if (auto trouble = law.act(notes)) out[f].trouble = *std::move(trouble);
      else show_given(law, t, moved.place(tree::carrier(mechanism.forces[f].law), {}).axes, out[f]);
    };
    std::visit(act, mechanism.forces[f].law);
  }
  return out;
}

}  // namespace jounce
