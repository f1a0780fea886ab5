// Oracles: the dae records of planar.json; and the equations of motion written out on series, element by element, from the
// templates (direct.hpp), which neither the kernels nor any of the three solvers have a part in.
#include "jounce/plane/equations/equations_of_motion.hpp"

#include "3_elements/element_test.hpp"
#include "5_analysis/vector_models.hpp"
#include "jounce/plane/equations/direct.hpp"
#include "jounce/plane/equations/own_equation.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"

namespace equations_of_motion_test {

using namespace jounce;
using namespace jounce::test;

namespace {

// One solve of a small system with a condition of 1e2 at most, relative to the largest number of the record.
constexpr double kSameAnswer = 1e-11;
// Those that need no joint to hold. Along a tree a body goes with its carrier only where the joint between them is closed.
constexpr std::array kAnywhere{Formulation::lagrange, Formulation::kkt, Formulation::nullspace};

Model model_of(const oracle::DaeRecord& r) {
  Model m;
  const auto name = [](std::size_t number) { return number == 0 ? std::string("ground") : "b" + std::to_string(number); };
  const auto names_of = [&](const std::vector<std::size_t>& numbers) {
    std::vector<std::string> out;
    for (const std::size_t n : numbers) out.push_back(name(n));
    return out;
  };
  m.gravity = {r.gravity[0], r.gravity[1]};
  for (std::size_t b = 0; b < r.mass.size(); ++b) {
    Body& body = m.body(name(b + 1));
    draw(body, r.q[3 * b], r.q[3 * b + 1], r.q[3 * b + 2]);
    body.mass = Text(r.mass[b]), body.inertia = Text(r.inertia[b]);
  }
  for (std::size_t c = 0; c < r.constraints.size(); ++c) {
    const oracle::DriverForm& d = r.drivers[c];
    const std::string motion = text_of(d.c0) + " + " + text_of(d.c1) + "*t + " + text_of(d.c2) + "*sin(" + text_of(d.w) + "*t)";
    add_constraint(m, "c" + std::to_string(c), r.constraints[c].type, r.constraints[c].params, names_of(r.constraints[c].bodies), motion);
  }
  for (std::size_t f = 0; f < r.forces.size(); ++f) add_force(m, "f" + std::to_string(f), r.forces[f].force, names_of(r.forces[f].bodies));
  return m;
}

double gap(std::span<const double> a, std::span<const double> b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::isfinite(a[i]) ? std::max(worst, std::abs(a[i] - b[i])) : 1e300;
  return worst;
}

// ---- a system of every element there is ------------------------------------------------------------------------------

constexpr int K = 8;
constexpr double kTime = 0.4;
// Coefficients are solved for one after another, each from those below: relative to the largest of its order.
constexpr double kSameSeries = 1e-10;

// Gives the slots of an element random bodies, all different, and its motions numbers of their own.
struct Place {
  std::vector<int> bodies;
  int motion_number;
  void number(double) const {}
  void slot(int& body) { body = bodies.back(), bodies.pop_back(); }
  void motion(int& m) { m = motion_number++; }
};

Expression parsed(const std::string& text, std::vector<std::string> variables) {
  Scope scope;
  scope.variables = std::move(variables);
  auto out = Expression::parse(text, scope);
  REQUIRE(out.ok());
  return *std::move(out);
}
PrescribedMotion wave(Random& random, const std::string& owner, bool constant = false) {
  const auto number = [&] { return std::to_string(random.between(0.2, 1.0)); };
  const std::string text = constant ? number() : "0.9 + " + number() + "*sin(" + number() + "*t) + " + number() + "*t";
  return {TimeFunction(parsed(text, {"t"})), owner, {}, false};
}
// A component of a force: of time, or of time and three quantities of the state, one of them a rate.
ForceComponent load(Random& random, PlanarSystem::Builder& builder, const std::string& owner, bool constant, bool of_state) {
  if (!of_state) return {wave(random, owner, constant).function, owner, {}};
  const auto quantity = [&](int pick, bool rate) {
    return builder.quantity({.body = static_cast<int>(random.between(0, 6)), .p = {random.between(-0.3, 0.3), random.between(-0.3, 0.3)}, .pick = pick, .rate = rate});
  };
  return {laws::LoadFunction(laws::StateExpression{parsed("0.4*a*b + 0.2*sin(t + c) - 0.3*c/(1 + a^2)", {"t", "a", "b", "c"}),
                                                   {quantity(0, false), quantity(2, false), quantity(1, true)}}),
          owner,
          {}};
}

constexpr int kOfEach = 3, kBodies = 48;

// Elements on random bodies, the ground among them, with other numbers than their examples.
PlanarSystem mixed(Random& random, bool constant_loads = false) {
  PlanarSystem::Builder builder(kBodies);
  const auto bodies = [&](bool ground) {
    std::vector<int> out;
    while (out.size() < 3) {
      const int b = ground ? random.below(kBodies + 1) : 1 + random.below(kBodies);
      if (std::ranges::find(out, b) == out.end()) out.push_back(b);
    }
    return out;
  };
  p::for_each_type(p::Constraints{}, [&]<template <class> class E>(p::Type<E>) {
    for (int e = 0; e < kOfEach; ++e) {
      auto element = varied<E<double>>(random);
      p::walk(element, Place{bodies(true), builder.add(wave(random, "c"))});
      builder.template add<E>(element, Constraint{.name = "c", .group = p::Group::joint, .type = E<double>::type});
    }
  });
  for (int e = 0; e < kOfEach; ++e) {  // as users write them: of three quantities and time
    const std::string text = "0.7*a*sin(b) + 0.3*c^2*(1 + 0.2*t) - 0.2*a*c";
    Scope scope;
    scope.variables = {"t", "a", "b", "c"};
    auto law = std::make_shared<p::EquationLaw>(p::EquationLaw{{parsed(text, scope.variables), {}, *Expression::derivative(text, scope, "t")}, {}, {}, {}, {}});
    for (const char* by : {"a", "b", "c"}) law->by_quantity.push_back(*Expression::derivative(text, scope, by));
    const std::vector<int> on = bodies(false);
    const auto arm = [&] { return Vec2<double>{random.between(-0.3, 0.3), random.between(-0.3, 0.3)}; };
    law->quantities = {{.body = on[0], .p = arm(), .pick = 0}, {.body = on[1], .p = {}, .pick = 2}, {.body = on[0], .p = arm(), .pick = 1}};
    law->bodies = {on[0], on[1]};
    law->slot = {0, 1, 0};
    law->scale = {p::Unit::metre, 1};
    const int clock = builder.add(PrescribedMotion{TimeFunction(parsed("t", {"t"})), "e", {}, false});
    builder.add<p::Equation>({std::move(law), clock}, Constraint{.name = "e", .group = p::Group::joint, .type = p::Equation<double>::type});
  }
  p::for_each_type(p::Forces{}, [&]<template <class> class F>(p::Type<F>) {
    for (int e = 0; e < kOfEach; ++e) {
      auto element = varied<F<double>>(random);
      const std::string name = std::string(F<double>::type) + std::to_string(e);
      const int first = builder.add_force_motion(load(random, builder, name, constant_loads, e > 0 && !constant_loads));
      builder.add_force_motion(load(random, builder, name, constant_loads, e > 1 && !constant_loads));
      p::walk(element, Place{bodies(false), first});
      AppliedForce force{.name = name, .type = F<double>::type, .kind = F<double>::kind};
      if (p::measure_count<F> == 1 && F<double>::kind != p::ForceKind::given && e > 0) {
        ForceSignal signal;
        signal.laws.push_back({parsed("0.4*tanh(v/0.7)", {"l", "v", "t"})});
        signal.laws.push_back({parsed("0.3*l*v + sin(2*t)/(1 + l^2)", {"l", "v", "t"})});
        signal.laws.push_back({parsed("0.2*l*a - 0.1*b", {"l", "v", "t", "a", "b"}), {builder.quantity({.body = 3, .pick = 2}), builder.quantity({.body = 5, .pick = 0, .rate = true})}});
        signal.dry_friction = 0.25;
        force.signal = builder.add(std::move(signal));
      }
      builder.template add<F>(element, force);
    }
  });
  std::vector<double> masses;
  for (int b = 0; b < kBodies; ++b) {
    const double mass = random.between(0.5, 2);
    masses.insert(masses.end(), {mass, mass, random.between(0.1, 1)});
  }
  builder.masses(masses, {0.7, -9.81});
  return builder.finish();
}

using S = Series<K>;

// M q'' + Φqᵀλ − Q and Φ, as series.
struct Written {
  std::vector<S> balance, phi;
  std::vector<double> balance_size;  // the largest term of the balance at each order
};

Written written_out(const PlanarSystem& system, const std::vector<S>& q, const std::vector<S>& lambda, double direction) {
  Written out{std::vector<S>(q.size()), std::vector<S>(lambda.size()), std::vector<double>(K + 1, 1.0)};
  const auto add = [&](int column, const S& term) {
    if (column < 0) return;
    out.balance[z(column)] += term;
    for (int k = 0; k <= K - 2; ++k) out.balance_size[z(k)] = std::max(out.balance_size[z(k)], std::abs(term[k]));
  };
  const auto rate = [](const S& x) {
    S v;
    for (int k = 0; k < K; ++k) v[k] = (k + 1) * x[k + 1];
    return v;
  };
  for (std::size_t i = 0; i < q.size(); ++i) {
    add(static_cast<int>(i), system.mass()[i] * rate(rate(q[i])));
    if (i % 3 != 2) add(static_cast<int>(i), S(-system.mass()[i] * (i % 3 == 0 ? system.gravity().x : system.gravity().y)));
  }
  const auto of_slots = [&](const auto& local, auto& into) {
    for (std::size_t i = 0; i < into.size(); ++i)
      if (const int column = local.column(static_cast<int>(i / 3), static_cast<int>(i % 3)); column >= 0) into[i] = q[z(column)];
  };
  std::vector<S> quantities, rates;
  for (const S& x : q) rates.push_back(rate(x));
  direct::quantities<S>(system, q, rates, quantities);
  for (const Constraint& c : system.constraints()) {  // equations as a user writes them
    if (c.type != p::Equation<double>::type) continue;
    const auto& batch = std::get<Batch<p::Equation>>(system.impl().batches);
    const p::EquationLaw& law = *batch.elements[z(c.first_row - batch.first_row)].law;
    const auto places = direct::places_of<S>(law, [&](int column) { return q[z(column)]; });
    out.phi[z(c.first_row)] = direct::residual<S>(law, S::time(kTime), places);
    const auto gradient = direct::gradient<S>(law, S::time(kTime), places);
    for (std::size_t s = 0; s < law.bodies.size(); ++s)
      for (int i = 0; i < 3; ++i) add(3 * (law.bodies[s] - 1) + i, lambda[z(c.first_row)] * gradient[s][z(i)]);
  }
  system.impl().each([&]<template <class> class E>(const Batch<E>& batch) {
    if constexpr (!std::is_same_v<E<double>, p::Equation<double>>) {
      using Local = direct::LocalConstraint<E>;
      for (int e = 0; e < batch.size(); ++e) {
        const Local local(batch.elements[z(e)]);
        std::array<S, z(3 * Local::kSlots)> at{};
        std::array<S, z(Local::kMotions)> motions{};
        of_slots(local, at);
        for (std::size_t m = 0; m < motions.size(); ++m) REQUIRE(!system.motions()[z(local.motions[m])].function.evaluate(S::time(kTime), motions[m]));
        int row = system.constraints()[z(batch.constraint[z(e)])].first_row;
        for (const auto& equation : direct::equations(local.element, at, motions)) {
          out.phi[z(row)] = equation.v;
          for (int i = 0; i < 3 * Local::kSlots; ++i) add(local.column(i / 3, i % 3), lambda[z(row)] * equation.d[z(i)]);
          ++row;
        }
      }
    }
  });
  system.impl().each_force([&]<template <class> class F>(const ForceBatch<F>& batch) {
    using Local = direct::LocalForce<F>;
    for (int e = 0; e < batch.size(); ++e) {
      const Local local(batch.elements[z(e)]);
      std::array<S, z(3 * Local::kSlots)> at{}, v{};
      of_slots(local, at);
      for (std::size_t i = 0; i < at.size(); ++i) v[i] = rate(at[i]);
      direct::Circumstance<S, z(Local::kMotions)> circumstance{.t = S::time(kTime), .direction = direction, .quantities = quantities};
      for (std::size_t m = 0; m < circumstance.motions.size(); ++m)
        REQUIRE(!system.force_motions()[z(local.motions[m])].function.evaluate(kTime, std::span<const S>(quantities), circumstance.motions[m]));
      if (batch.signal[z(e)] >= 0) circumstance.signal = &system.signals()[z(batch.signal[z(e)])];
      direct::Applied<F, S> applied;
      REQUIRE(!direct::apply<F>(local.element, at, v, circumstance, applied));
      for (int i = 0; i < 3 * Local::kSlots; ++i) add(local.column(i / 3, i % 3), S(-1.0) * applied.Q[z(i)]);
    }
  });
  return out;
}

}  // namespace

TEST_CASE("every dae record: accelerations, multipliers, jerks and rates of the multipliers, on all three roads") {
  // oracle: planar.json
  CHECK(vectors().dae.size() == 9);
  for (const oracle::DaeRecord& r : vectors().dae) {
    CAPTURE(r.title);
    CAPTURE(r.t);
    const PlaneMechanism mechanism = built(model_of(r));
    const PlanarSystem& system = mechanism.system;
    for (const Formulation formulation : kFormulations) {
      CAPTURE(word(formulation));
      EquationsOfMotion at(system, 3, formulation);
      REQUIRE(!at.set_time(r.t, 3));
      at.set_position(r.q);
      at.factor(true);
      at.set_velocity(r.qd);
      REQUIRE(!at.expand(3));
      CHECK(at.worst_residual(0) <= kSameAnswer);
      CHECK(at.worst_residual(1) <= kSameAnswer);
      std::vector<double> q(r.q.size()), lambda(z(system.equations()));
      for (const int k : {2, 3}) {
        const double factorial = k == 2 ? 2 : 6;
        at.coefficient(k, q);
        for (double& x : q) x *= factorial;
        CHECK(gap(q, k == 2 ? r.qdd : r.qddd) <= kSameAnswer * r.scale);
        at.multipliers(k - 2, lambda);
        std::vector<double> in_record_order;
        for (std::size_t n = 0; n < r.constraints.size(); ++n) {
          const auto c = std::ranges::find(system.constraints(), "c" + std::to_string(n), &Constraint::name);
          for (int row = 0; row < c->rows; ++row) in_record_order.push_back(lambda[z(c->first_row + row)]);
        }
        CHECK(gap(in_record_order, k == 2 ? r.lambda : r.lambda_rate) <= kSameAnswer * r.scale);
      }
    }
  }
}

TEST_CASE("the series of a motion satisfies the equations of motion, for every joint, driver and force at once") {
  // oracle: the templates on series; states are random, so Φ and Φ' are whatever they are, and orders 2 on must vanish
  Random random;
  for (int system_number = 0; system_number < 4; ++system_number) {
    const PlanarSystem system = mixed(random, system_number == 3);
    REQUIRE(system.equations() > 44);  // above SchurComplement::kSmall
    const std::size_t n = z(system.coordinates()), rows = z(system.equations());
    const double direction = system_number % 2 == 0 ? 1 : -1;
    std::vector<double> start, velocity;
    for (std::size_t i = 0; i < n; ++i) start.push_back(random.between(-2, 2)), velocity.push_back(random.between(-1, 1));
    for (const Formulation formulation : kAnywhere) {
      CAPTURE(word(formulation));
      EquationsOfMotion at(system, K, formulation);
      at.set_directions(std::vector<double>(system.signals().size(), direction));
      REQUIRE(!at.set_time(kTime, K));
      at.set_position(start);
      at.factor(true);
      REQUIRE(at.dropped_count() == 0);
      at.set_velocity(velocity);
      REQUIRE(!at.expand(K));
      std::vector<S> q(n), lambda(rows);
      std::vector<double> values(n), multipliers(rows);
      for (int k = 0; k <= K; ++k) {
        at.coefficient(k, values);
        for (std::size_t i = 0; i < n; ++i) q[i][k] = values[i];
        if (k > K - 2) continue;
        at.multipliers(k, multipliers);
        for (std::size_t r = 0; r < rows; ++r) lambda[r][k] = multipliers[r];
      }
      const Written equations = written_out(system, q, lambda, direction);
      double size = 1;  // of the coefficients so far
      for (int k = 0; k <= K; ++k) {
        CAPTURE(k);
        double broken = 0, unbalanced = 0;
        for (std::size_t i = 0; i < n; ++i) size = std::max(size, std::abs(q[i][k]));
        for (std::size_t r = 0; r < rows && k >= 2; ++r) broken = std::max(broken, std::abs(equations.phi[r][k]));
        CHECK(broken <= kSameSeries * size);
        if (k > K - 2) continue;
        for (std::size_t i = 0; i < n; ++i) unbalanced = std::max(unbalanced, std::abs(equations.balance[i][k]));
        CHECK(unbalanced <= kSameSeries * equations.balance_size[z(k)]);
      }
    }
  }
}

TEST_CASE("readings and energies of an expansion are those of the second road") {
  // oracle: Linearisation, by dual numbers on the templates; kinetic energy from its definition
  Random random;
  const PlanarSystem system = mixed(random);
  const std::size_t n = z(system.coordinates());
  std::vector<double> q, v;
  for (std::size_t i = 0; i < n; ++i) q.push_back(random.between(-2, 2)), v.push_back(random.between(-1, 1));
  const std::vector<double> directions(system.signals().size(), 1.0);
  EquationsOfMotion at(system, 3);
  Linearisation second(system);
  at.set_directions(directions), second.set_directions(directions);
  REQUIRE(!at.set_time(kTime, 3));
  at.set_position(q), at.factor(false), at.set_velocity(v);
  REQUIRE(!at.expand(3));
  REQUIRE(!second.forces(kTime, q, v));
  for (std::size_t f = 0; f < system.forces().size(); ++f) {
    if (system.forces()[f].kind == p::ForceKind::given) continue;  // no length or angle to read
    const ForceReading a = at.reading(static_cast<int>(f), 0), b = second.readings()[f];
    CHECK(a.x == doctest::Approx(b.x).epsilon(kSolved));
    CHECK(a.rate == doctest::Approx(b.rate).epsilon(kSolved));
    CHECK(a.effort == doctest::Approx(b.effort).epsilon(kSolved));
  }
  CHECK(at.potential() == doctest::Approx(second.potential()).epsilon(kSolved));
  double kinetic = 0;
  for (std::size_t i = 0; i < n; ++i) kinetic += 0.5 * system.mass()[i] * v[i] * v[i];
  CHECK(at.kinetic() == doctest::Approx(kinetic).epsilon(kSolved));
}

TEST_CASE("projections meet the constraints, are the shortest in the mass metric, and the same on all three roads") {
  // oracle: the shortest change is M⁻¹Φqᵀ times something, so it is M-orthogonal to every motion the constraints allow: two
  // different projections onto the same set, one of a velocity already on it, one of it plus M⁻¹Φqᵀx, must meet
  Random random;
  const PlanarSystem system = mixed(random);
  const std::size_t n = z(system.coordinates());
  std::vector<double> q, v;
  for (std::size_t i = 0; i < n; ++i) q.push_back(random.between(-2, 2)), v.push_back(random.between(-1, 1));
  std::vector<double> reference;
  for (const Formulation formulation : kAnywhere) {
    CAPTURE(word(formulation));
    EquationsOfMotion at(system, 2, formulation);
    REQUIRE(!at.set_time(kTime, 2));
    at.set_position(q), at.factor(false), at.set_velocity(v);
    std::vector<double> on = v;
    CHECK(at.project_velocity(on) > 0);
    CHECK(at.worst_residual(1) <= kSameAnswer);
    if (reference.empty()) reference = on;
    CHECK(gap(on, reference) <= kSameSeries);
    Linearisation second(system);
    std::vector<double> x(z(system.equations())), off = on;
    for (double& value : x) value = random.between(-1, 1);
    second.constraint_forces(kTime, q, x);
    for (std::size_t i = 0; i < n; ++i) off[i] += second.constraint_force()[i] / system.mass()[i];
    at.set_velocity(off);
    (void)at.project_velocity(off);
    CHECK(gap(off, on) <= kSameSeries);
  }
}

}  // namespace equations_of_motion_test
