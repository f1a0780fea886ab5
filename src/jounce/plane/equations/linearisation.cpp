#include "jounce/plane/equations/linearisation.hpp"

#include <algorithm>

#include "jounce/base/require.hpp"
#include "jounce/plane/equations/direct.hpp"
#include "jounce/plane/equations/own_equation.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"

namespace jounce {
namespace {

// Coordinates of an element's slots, taken from those of the system.
template <class Local>
auto gather(const Local& local, std::span<const double> all) {
  std::array<double, z(3 * Local::kSlots)> out{};
  for (int s = 0; s < Local::kSlots; ++s)
    for (int c = 0; c < 3; ++c)
      if (const int at = local.column(s, c); at >= 0) out[z(3 * s + c)] = all[z(at)];
  return out;
}

// Places of an element's slots in the list of coordinates, −1 for the ground.
template <class Local>
auto columns(const Local& local) {
  std::array<int, z(3 * Local::kSlots)> out{};
  for (int s = 0; s < Local::kSlots; ++s)
    for (int c = 0; c < 3; ++c) out[z(3 * s + c)] = local.column(s, c);
  return out;
}

// Adds a force of the slots, with derivatives from direction `first` on, to the sums of the system.
template <std::size_t N, class D>
void scatter(const std::array<int, N>& place, const std::array<D, N>& force, std::size_t first, std::vector<Triplet>& to) {
  for (std::size_t row = 0; row < N; ++row)
    for (std::size_t column = 0; column < N; ++column)
      if (place[row] >= 0 && place[column] >= 0 && force[row].d[first + column] != 0)
        to.push_back({place[row], place[column], force[row].d[first + column]});
}

template <std::size_t N, class D>
void scatter(const std::array<int, N>& place, const std::array<D, N>& force, std::vector<double>& to) {
  for (std::size_t row = 0; row < N; ++row)
    if (place[row] >= 0) to[z(place[row])] += value_of(force[row]);
}

// The values of a force's components, without derivatives.
template <std::size_t M, class D>
std::optional<ForceFault> values(const PlanarSystem& system, const std::array<int, M>& functions, int force, double t,
                                 std::span<const double> quantities, std::array<D, M>& out) {
  for (std::size_t m = 0; m < M; ++m) {
    const ForceComponent& given = system.force_motions()[z(functions[m])];
    double value = 0;
    if (const auto wrong = given.function.evaluate(t, quantities, value)) return ForceFault{force, wrong->sentence, wrong->column, given.where};
    out[m] = D(value);
  }
  return std::nullopt;
}

template <std::size_t N, class D>
std::array<double, N> plain(const std::array<D, N>& of) {
  std::array<double, N> out{};
  for (std::size_t i = 0; i < N; ++i) out[i] = value_of(of[i]);
  return out;
}

}  // namespace

Linearisation::Linearisation(const PlanarSystem& system)
    : system_(&system),
      directions_(system.signals().size()),
      loads_(system.signals().size()),
      q_(z(system.coordinates())),
      reaction_(z(system.coordinates())),
      readings_(system.forces().size()) {}

void Linearisation::set_directions(std::span<const double> directions) {
  JOUNCE_REQUIRE(directions.size() == directions_.size(), "one direction of dry friction for each signal");
  std::ranges::copy(directions, directions_.begin());
}

void Linearisation::set_loads(std::span<const double> loads) { std::ranges::copy(loads, loads_.begin()); }

std::optional<ForceFault> Linearisation::forces(double t, std::span<const double> q, std::span<const double> v) {
  return evaluate<Derivatives::both>(t, q, v);
}

std::optional<ForceFault> Linearisation::forces_at_rest(double t, std::span<const double> q) {
  const std::vector<double> rest(q.size(), 0.0);
  return evaluate<Derivatives::positions>(t, q, rest);
}

std::optional<ForceFault> Linearisation::forces_alone(double t, std::span<const double> q, std::span<const double> v) {
  return evaluate<Derivatives::none>(t, q, v);
}

template <Linearisation::Derivatives wanted>
std::optional<ForceFault> Linearisation::evaluate(double t, std::span<const double> q, std::span<const double> v) {
  std::ranges::fill(q_, 0.0);
  dq_.clear();
  dv_.clear();
  potential_ = power_ = 0;
  add_gravity(q);
  direct::quantities<double>(*system_, q, v, quantities_);

  std::optional<ForceFault> fault;
  const auto one = [&]<template <class> class F>(const ForceBatch<F>& batch, int e) {
    using Local = direct::LocalForce<F>;
    constexpr std::size_t N = z(3 * Local::kSlots);
    constexpr bool kPlain = wanted == Derivatives::none;
    using D = std::conditional_t<kPlain, double, Dual<static_cast<int>(2 * N)>>;  // directions: q of the slots, then their rates
    const int f = batch.force[z(e)];
    const Local local(batch.elements[z(e)]);
    const auto position = gather(local, q), speed = gather(local, v);
    std::array<D, N> qd, vd;
    for (std::size_t i = 0; i < N; ++i) {
      if constexpr (kPlain) qd[i] = position[i];
      else qd[i] = D::variable(position[i], static_cast<int>(i));
      if constexpr (wanted == Derivatives::both) vd[i] = D::variable(speed[i], static_cast<int>(N + i));
      else vd[i] = D(speed[i]);
    }
    const std::vector<D> seen(quantities_.begin(), quantities_.end());
    direct::Circumstance<D, z(Local::kMotions)> at{.t = D(t), .shortest = direct::kShortest * system_->length_scale(), .quantities = seen};
    if ((fault = values(*system_, local.motions, f, t, quantities_, at.motions))) return;
    if (const int s = batch.signal[z(e)]; s >= 0)
      at.signal = &system_->signals()[z(s)], at.direction = directions_[z(s)], at.load = D(loads_[z(s)]);
    direct::Applied<F, D> out;
    if (const auto wrong = direct::apply<F>(local.element, qd, vd, at, out)) {
      const Where where = at.signal != nullptr && wrong->column > 0 ? at.signal->where : system_->forces()[z(f)].where;
      return void(fault = {f, wrong->sentence, wrong->column, where});
    }
    const auto place = columns(local);
    scatter(place, out.Q, q_);
    if constexpr (!kPlain) scatter(place, out.Q, 0, dq_);
    if constexpr (wanted == Derivatives::both) scatter(place, out.Q, N, dv_);
    if constexpr (!kPlain)
      if (!system_->forces()[z(f)].seen.empty() && (fault = add_seen<F>(local, f, t, q, v, wanted == Derivatives::both))) return;
    if constexpr (F<double>::kind != planar::ForceKind::given) {
      const auto shown = direct::reading(plain(out.x), plain(out.rate), plain(out.effort));
      readings_[z(f)] = {shown.x, shown.rate, shown.effort};
      potential_ += local.element.potential(plain(out.x));
    }
    power_ += direct::power_from_outside<F>(local.element, out);
  };
  system_->impl().each_force([&]<template <class> class F>(const ForceBatch<F>& batch) {
    for (int e = 0; e < batch.size() && !fault; ++e) one(batch, e);
  });
  return fault;
}

// How a force changes with quantities of the state that are not its own: by its components and by its signal, in both of which it is linear.
template <template <class> class F, class Local>
std::optional<ForceFault> Linearisation::add_seen(const Local& local, int force, double t, std::span<const double> q, std::span<const double> v, bool rates) {
  constexpr int kMotions = Local::kMotions, kInputs = kMotions + 1;
  using D = Dual<kInputs>;
  constexpr std::size_t N = z(3 * Local::kSlots);
  const auto position = gather(local, q), speed = gather(local, v);
  std::array<D, N> qd, vd;
  for (std::size_t i = 0; i < N; ++i) qd[i] = D(position[i]), vd[i] = D(speed[i]);
  const AppliedForce& own = system_->forces()[z(force)];
  const std::vector<D> seen(quantities_.begin(), quantities_.end());
  direct::Circumstance<D, z(kMotions)> at{.t = D(t), .shortest = direct::kShortest * system_->length_scale(), .quantities = seen};
  if (auto fault = values(*system_, local.motions, force, t, quantities_, at.motions)) return fault;
  for (int m = 0; m < kMotions; ++m) at.motions[z(m)] = D::variable(value_of(at.motions[z(m)]), m);
  if (own.signal >= 0) at.signal = &system_->signals()[z(own.signal)], at.direction = directions_[z(own.signal)];
  at.added = D::variable(0.0, kMotions);
  direct::Applied<F, D> out;
  if (const auto wrong = direct::apply<F>(local.element, qd, vd, at, out)) return ForceFault{force, wrong->sentence, wrong->column, own.where};

  const auto place = columns(local);
  // of one expression, whose variables before the quantities are these numbers, by each of its quantities
  const auto add = [&](const laws::StateExpression& law, std::span<const double> numbers, int input, Where where) -> std::optional<ForceFault> {
    std::vector<Dual<1>> before(numbers.begin(), numbers.end()), all(quantities_.begin(), quantities_.end());
    for (const int quantity : law.quantities) {
      all[z(quantity)].d[0] = 1;
      Dual<1> value;
      if (const auto wrong = law.evaluate<Dual<1>>(before, all, value)) return ForceFault{force, wrong->sentence, wrong->column, where};
      all[z(quantity)].d[0] = 0;
      const planar::StateQuantity& of = system_->quantities()[z(quantity)];
      if (of.body == 0 || value.d[0] == 0) continue;
      std::array<Dual<6>, 3> x, rate;
      for (int c = 0; c < 3; ++c) {
        x[z(c)] = Dual<6>::variable(q[3 * z(of.body - 1) + z(c)], c);
        rate[z(c)] = Dual<6>::variable(v[3 * z(of.body - 1) + z(c)], 3 + c);
      }
      const Dual<6> seen_one = of.at(x, rate);
      for (std::size_t row = 0; row < N; ++row) {
        if (place[row] < 0) continue;
        const double factor = out.Q[row].d[z(input)] * value.d[0];
        for (int c = 0; c < 3; ++c) {
          const int column = 3 * (of.body - 1) + c;
          if (const double by_q = factor * seen_one.d[z(c)]; by_q != 0) dq_.push_back({place[row], column, by_q});
          if (const double by_v = factor * seen_one.d[z(3 + c)]; rates && by_v != 0) dv_.push_back({place[row], column, by_v});
        }
      }
    }
    return std::nullopt;
  };
  for (int m = 0; m < kMotions; ++m) {
    const ForceComponent& component = system_->force_motions()[z(local.motions[z(m)])];
    if (const laws::StateExpression* law = component.function.of_state())
      if (auto fault = add(*law, std::array{t}, m, component.where)) return fault;
  }
  if (at.signal != nullptr)
    for (const laws::StateExpression& law : at.signal->laws)
      if (auto fault = add(law, std::array{value_of(out.x[0]), value_of(out.rate[0]), t}, kMotions, at.signal->where)) return fault;
  return std::nullopt;
}

void Linearisation::add_gravity(std::span<const double> q) {
  const Vec2<double>& g = system_->gravity();
  for (std::size_t b = 0; b < system_->mass().size(); b += 3) {
    const double mass = system_->mass()[b];
    q_[b] += mass * g.x;
    q_[b + 1] += mass * g.y;
    potential_ -= mass * (g.x * q[b] + g.y * q[b + 1]);
  }
}

void Linearisation::constraint_forces(double t, std::span<const double> q, std::span<const double> lambda) {
  std::ranges::fill(reaction_, 0.0);
  reaction_dq_.clear();
  system_->impl().each([&]<template <class> class E>(const Batch<E>& batch) {
    if constexpr (std::is_same_v<E<double>, planar::Equation<double>>) {
      for (int e = 0; e < batch.size(); ++e)
        add_own(*batch.elements[z(e)].law, t, q, lambda[z(system_->constraints()[z(batch.constraint[z(e)])].first_row)]);
    } else {
      using Local = direct::LocalConstraint<E>;
      constexpr std::size_t N = z(3 * Local::kSlots);
      using D = Dual<static_cast<int>(N)>;
      for (int e = 0; e < batch.size(); ++e) {
        const Local local(batch.elements[z(e)]);
        const Constraint& c = system_->constraints()[z(batch.constraint[z(e)])];
        std::array<D, z(Local::kMotions)> motions{};
        for (std::size_t m = 0; m < motions.size(); ++m) {
          double value = 0;
          (void)system_->motions()[z(local.motions[m])].function.evaluate(t, value);  // whoever set the time has seen its fault
          motions[m] = D(value);
        }
        const auto rows = direct::equations(local.element, direct::variables(gather(local, q)), motions);
        std::array<D, N> force{};
        for (std::size_t r = 0; r < rows.size(); ++r)
          for (std::size_t i = 0; i < N; ++i) force[i] += rows[r].d[i] * lambda[z(c.first_row) + r];
        const auto place = columns(local);
        scatter(place, force, reaction_);
        scatter(place, force, 0, reaction_dq_);
      }
    }
  });
}

// λ ∂phi/∂q of an equation that the user has written, and its derivatives by every coordinate of its bodies.
void Linearisation::add_own(const planar::EquationLaw& law, double t, std::span<const double> q, double lambda) {
  using D = Dual<3>;
  for (std::size_t seeded = 0; seeded < law.bodies.size(); ++seeded) {
    const auto places = direct::places_of<D>(law, [&](int column) {
      return column / 3 + 1 == law.bodies[seeded] ? D::variable(q[z(column)], column % 3) : D(q[z(column)]);
    });
    const auto gradient = direct::gradient<D>(law, D(t), places);
    for (std::size_t s = 0; s < law.bodies.size(); ++s)
      for (int c = 0; c < 3; ++c) {
        const int row = 3 * (law.bodies[s] - 1) + c;
        if (seeded == 0) reaction_[z(row)] += lambda * gradient[s][z(c)].v;
        for (int d = 0; d < 3; ++d)
          if (const double by = lambda * gradient[s][z(c)].d[z(d)]; by != 0) reaction_dq_.push_back({row, 3 * (law.bodies[seeded] - 1) + d, by});
      }
  }
}

}  // namespace jounce
