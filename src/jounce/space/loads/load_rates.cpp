#include "jounce/space/loads/load_rates.hpp"

#include <algorithm>

#include "jounce/base/index.hpp"
#include "jounce/laws/signal.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/space/loads/body_places.hpp"
#include "jounce/tree/algorithms.hpp"
#include "jounce/tree/recursions/along.hpp"

namespace jounce {
namespace {

using Line = Series<1>;

}  // namespace

// Where everything is and how it moves.
struct LoadRates::Moved {
  const SpaceMechanism& mechanism;
  tree::Workspace<Line> work;
  std::vector<tree::LinkMotion<Line>> links;
  std::vector<Line> position, rate, still;
  std::vector<Line> quantities;  // of the state, that loads use

  explicit Moved(const SpaceMechanism& of)
      : mechanism(of),
        work(of.tree),
        links(z(of.tree.size())),
        position(z(of.tree.coordinates())),
        rate(z(of.tree.dofs())),
        still(rate.size()),
        quantities(of.quantities.size()) {}

  void move(std::span<const double> q, std::span<const double> v, std::span<const double> a) {
    for (std::size_t dof = 0; dof < rate.size(); ++dof) rate[dof] = Line{v[dof], a[dof]};
    tree::coordinates_along<Line>(mechanism.tree, q, rate, position);
    tree::motion<Line>(mechanism.tree, work, position.data(), rate.data(), still.data(), links.data());  // positions and velocities do not ask for accelerations
    BodyPlaces<Line>{mechanism, work, links}.read(position.data(), rate.data(), quantities);
  }

  [[nodiscard]] tree::Place<Line> place(int body, const Vec3<double>& point) const { return BodyPlaces<Line>{mechanism, work, links}.place(body, point); }
};

namespace {

// What a force acts on (tree/force.hpp): it writes down what is pushed.
template <class Moved>
struct Notes {
  using Scalar = Line;

  const Moved& moved;
  double t;
  double direction;  // of exact dry friction
  Line held;         // by it, where it is stuck
  LoadAndRate& out;
  std::span<const Line> quantities = moved.quantities;

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

// A load whose components the model gives shows nothing when it acts: its columns are what is given.
template <class Force>
void show_given(const Force& force, double t, const Mat3<Line>& axes, std::span<const Line> quantities, LoadAndRate& out) {
  if constexpr (requires(tree::Wrench<Line>& load) { force.given(t, axes, quantities, load); }) {
    tree::Wrench<Line> load;
    if (force.given(t, axes, quantities, load)) return;
    const auto part = [&](int k) {
      const auto of = [k](const Vec3<Line>& x) { return Vec3<double>{x.x[k], x.y[k], x.z[k]}; };
      return Force::shown({of(load.moment), of(load.force)});
    };
    const auto value = part(0), rate = part(1);
    out.value.assign(value.begin(), value.end()), out.rate.assign(rate.begin(), rate.end());
  }
}

}  // namespace

LoadRates::LoadRates(const SpaceMechanism& mechanism) : moved_(std::make_unique<Moved>(mechanism)), found_(mechanism.forces.size()) {}
LoadRates::LoadRates(LoadRates&&) noexcept = default;
LoadRates::~LoadRates() = default;

std::span<const LoadAndRate> LoadRates::at(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a,
                                           std::span<const StrutFriction> friction) {
  if (found_.empty()) return found_;
  moved_->move(q, v, a);
  for (std::size_t f = 0; f < found_.size(); ++f) {
    LoadAndRate& own = found_[f];
    own.value.clear(), own.rate.clear(), own.bodies.clear(), own.trouble.clear();
    const tree::AnyForce& force = moved_->mechanism.forces[f].law;
    const auto act = [&](const auto& law) {
      const StrutFriction rubs = friction.empty() ? StrutFriction{} : friction[f];
      Notes<Moved> notes{*moved_, t, rubs.direction, Line{rubs.held, rubs.held_rate}, own};
      if (auto trouble = law.act(notes)) own.trouble = *std::move(trouble);
      else show_given(law, t, moved_->place(tree::carrier(force), {}).axes, moved_->quantities, own);
    };
    std::visit(act, force);
  }
  return found_;
}

}  // namespace jounce
