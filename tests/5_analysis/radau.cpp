// Oracle: motions in closed form, the pendulum of references.md, van der Pol's equation from the Test Set for IVP Solvers, and
// the identities of the method's coefficients.
#include "jounce/analysis/integrators/radau.hpp"

#include <functional>
#include <memory>

#include "analysis_test.hpp"
#include "jounce/analysis/integrators/radau_tableau.hpp"
#include "jounce/plane/motion/stiff_form.hpp"

namespace radau_test {

using namespace jounce;
using namespace jounce::test;

namespace {

constexpr double kRoundOff = 1e-13;
// A run commits about one tolerance per step, and its errors grow on the way: what a result may be off by.
double run_error(double tolerance) { return 1000 * tolerance; }

Element& force(Model& m, std::string name, std::string type) {
  Element& element = m.forces.emplace_back();
  element.name = std::move(name);
  element.type = std::move(type);
  return element;
}
Element& spring(Model& m, std::string i, std::string j) {
  return force(m, "strut", "spring").set("i", Text(std::move(i))).set("j", Text(std::move(j)));
}

Body& weighing(Body& body, double mass, double inertia) {
  body.mass = Text(mass);
  body.inertia = Text(inertia);
  return body;
}

// A point mass of 1 kg on a massless rod of 1 m, from the horizontal.
Model pendulum() {
  Model m;
  m.gravity = {0.0, -9.81};
  m.ground.point("O", 0.0, 0.0);
  Body& bob = weighing(m.body("bob"), 1, 1);
  bob.point("C", 0.0, 0.0);
  draw(bob, 1, 0, 0);
  m.joint("rod", "distance").set("i", Text("ground.O")).set("j", Text("bob.C")).set("length", Text(1.0));
  return m;
}

// A mass of 1 kg that slides along the x axis, at x with velocity v, with a strut to the origin.
Model slider(double x, double v) {
  Model m;
  m.ground.point("O", 0.0, 0.0);
  Body& block = weighing(m.body("block"), 1, 1);
  block.point("C", 0.0, 0.0);
  draw(block, x, 0, 0);
  block.velocity = std::vector<Text>{v, 0.0};
  m.joint("level", "coordinate").set("j", Text("block.y"));
  m.joint("upright", "coordinate").set("j", Text("block.phi"));
  spring(m, "ground.O", "block.C");
  return m;
}

/// The method on a planar mechanism.
class Radau5 {
 public:
  using Step = Radau::Step;
  explicit Radau5(const PlanarSystem& system) : Radau5(std::make_unique<PlaneStiffForm>(system)) {}
  Radau5(const PlanarSystem& system, std::vector<int> rows) : Radau5(std::make_unique<PlaneStiffForm>(system, std::move(rows))) {}

  void start(double t, std::span<const double> q, std::span<const double> v) {
    std::vector<double> y(q.begin(), q.end());
    y.insert(y.end(), v.begin(), v.end());
    radau_->start(t, y);
  }
  Step step(double tolerance, double limit) {
    radau_->set_tolerance(tolerance);
    return radau_->step(limit);
  }
  void dense(double t, std::span<double> q, std::span<double> v) const {
    std::vector<double> y(2 * n());
    radau_->dense(t, y);
    std::copy_n(y.begin(), n(), q.begin());
    std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(n()), n(), v.begin());
  }
  void set_directions(std::span<const double> directions) { form_->set_directions(directions); }
  void set_fixed_step(double h) { radau_->set_fixed_step(h); }
  [[nodiscard]] double t() const { return radau_->t(); }
  [[nodiscard]] double previous_t() const { return radau_->previous_t(); }
  [[nodiscard]] std::span<const double> q() const { return radau_->y().first(n()); }
  [[nodiscard]] std::span<const double> v() const { return radau_->y().subspan(n()); }
  [[nodiscard]] std::vector<double> lambda() const { return form_->multipliers(radau_->unknowns()); }
  [[nodiscard]] const RadauStatistics& statistics() const { return radau_->statistics(); }
  [[nodiscard]] const PlaneStiffForm::NoValue& fault() const { return form_->no_value(); }

 private:
  explicit Radau5(std::unique_ptr<PlaneStiffForm> form) : form_(std::move(form)), radau_(std::make_unique<Radau>(*form_, 1e-8)) {}
  [[nodiscard]] std::size_t n() const { return form_->positions(); }
  std::unique_ptr<PlaneStiffForm> form_;
  std::unique_ptr<Radau> radau_;
};

Radau5 started(const PlaneMechanism& mechanism) {
  Radau5 ode(mechanism.system);
  ode.start(0, mechanism.drawn, mechanism.velocity);
  return ode;
}

void run_to(Radau5& ode, double t, double tolerance, const std::function<void()>& after_step = [] {}) {
  while (ode.t() < t) {
    REQUIRE(ode.step(tolerance, t) == Radau5::Step::accepted);
    after_step();
  }
}

Radau5::Step until_it_ends(Radau5& ode, double limit) {
  Radau5::Step last = Radau5::Step::accepted;
  while (last == Radau5::Step::accepted && ode.t() < limit) last = ode.step(1e-8, limit);
  return last;
}

double energy(const PlaneMechanism& mechanism, const Radau5& ode) {
  Linearisation forces(mechanism.system);
  REQUIRE_FALSE(forces.forces(ode.t(), ode.q(), ode.v()).has_value());
  double sum = forces.potential();
  for (std::size_t i = 0; i < ode.v().size(); ++i) sum += 0.5 * mechanism.system.mass()[i] * ode.v()[i] * ode.v()[i];
  return sum;
}

}  // namespace

TEST_CASE("the coefficients of Radau IIA are those of the method") {
  using namespace radau;
  // Hairer and Wanner, table IV.5.6
  const double s = std::sqrt(6.0);
  const double A[3][3] = {{(88 - 7 * s) / 360, (296 - 169 * s) / 1800, (-2 + 3 * s) / 225},
                          {(296 + 169 * s) / 1800, (88 + 7 * s) / 360, (-2 - 3 * s) / 225},
                          {(16 - s) / 36, (16 + s) / 36, 1.0 / 9}};
  const double lambda[3][3] = {{kGamma, 0, 0}, {0, kAlpha, -kBeta}, {0, kBeta, kAlpha}};
  for (std::size_t i = 0; i < 3; ++i) {
    double node = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      node += A[i][j];
      double again = 0, one = 0;  // A T Λ = T and T⁻¹ T = 1
      for (std::size_t k = 0; k < 3; ++k) {
        one += kInverseT[i][k] * kT[k][j];
        for (std::size_t l = 0; l < 3; ++l) again += A[i][k] * kT[k][l] * lambda[l][j];
      }
      CHECK(std::abs(again - kT[i][j]) <= kRoundOff);
      CHECK(std::abs(one - (i == j ? 1 : 0)) <= kRoundOff);
    }
    CHECK(std::abs(node - kNode[i]) <= kRoundOff);
  }
  // motions t, t², t³ have no error: f(0) + Σ e_i c_i^k = 0
  for (int k = 1; k <= 3; ++k) {
    double error = k == 1 ? 1 : 0;
    for (std::size_t i = 0; i < 3; ++i) error += kError[i] * std::pow(kNode[i], k);
    CHECK(std::abs(error) <= kRoundOff);
  }
}

TEST_CASE("half the step gives an error 2^5 times smaller") {
  // references.md: simple pendulum at t = 1
  const PlaneMechanism mechanism = built(pendulum());
  constexpr int kMostIterations = 7;  // measured with the exact Jacobian: 6.4; without (Φq v)q it is 65
  const auto error = [&](int steps) {
    Radau5 ode = started(mechanism);
    ode.set_fixed_step(1.0 / steps);
    run_to(ode, 1, 1e-9);  // of Newton's iteration, here
    CHECK(ode.statistics().steps == steps);
    CHECK(ode.statistics().iterations <= kMostIterations * steps);
    return std::hypot(ode.q()[0] + 0.986291751131875319, ode.q()[1] + 0.165010853125541169);
  };
  CHECK(std::log2(error(32) / error(64)) == doctest::Approx(5).epsilon(0.02));
  CHECK(std::log2(error(64) / error(128)) == doctest::Approx(5).epsilon(0.02));
}

TEST_CASE("a pendulum on a rod is as accurate as asked for, and stays on its circle") {
  // references.md: simple pendulum at t = 1 and t = 10
  const PlaneMechanism mechanism = built(pendulum());
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    CAPTURE(tolerance);
    Radau5 ode = started(mechanism);
    const auto on_circle = [&] {
      CHECK(std::abs(std::hypot(ode.q()[0], ode.q()[1]) - 1) <= kRoundOff);
      CHECK(std::abs(ode.q()[0] * ode.v()[0] + ode.q()[1] * ode.v()[1]) <= kRoundOff);
    };
    run_to(ode, 1, tolerance, on_circle);
    CHECK(std::hypot(ode.q()[0] + 0.986291751131875319, ode.q()[1] + 0.165010853125541169) <= run_error(tolerance));
    run_to(ode, 10, tolerance, on_circle);
    CHECK(std::hypot(ode.q()[0] - 0.275087462576116860, ode.q()[1] + 0.961419205099125064) <= run_error(tolerance));
    // tension of the rod, 2 λ L = 3 g sin of the angle below the horizontal
    CHECK(std::abs(2 * ode.lambda()[0] + 3 * 9.81 * ode.q()[1]) <= std::max(1e-3, run_error(tolerance)));
  }
}

TEST_CASE("inside a step the state is about as accurate as at its ends") {
  // closed form of the pendulum's energy and circle; v is the rate of q
  const PlaneMechanism mechanism = built(pendulum());
  Radau5 ode = started(mechanism);
  constexpr double kTolerance = 1e-8;
  std::vector<double> q(3), v(3);
  run_to(ode, 3, kTolerance, [&] {
    for (const double part : {0.0, 0.13, 0.5, 0.77, 1.0}) {
      ode.dense(ode.previous_t() + part * (ode.t() - ode.previous_t()), q, v);
      CHECK(std::abs(std::hypot(q[0], q[1]) - 1) <= 10 * kTolerance);
      CHECK(std::abs(q[0] * v[0] + q[1] * v[1]) <= 100 * kTolerance);
      CHECK(std::abs(0.5 * (v[0] * v[0] + v[1] * v[1]) + 9.81 * q[1]) <= run_error(kTolerance));
    }
    CHECK(q[0] == ode.q()[0]);
    CHECK(v[1] == ode.v()[1]);
  });
}

TEST_CASE("an overdamped oscillator takes few steps after its fast part has died out") {
  // closed form: roots of r² + c r + k = 0, about −1 and −1e5
  constexpr double k = 1e5, c = 1e5, rest = 1.0, start = 0.1, to = 5;
  Model m = slider(rest + start, 0);
  m.forces[0].set("stiffness", Text(k)).set("free_length", Text(rest)).set("damping", Text(c));
  const PlaneMechanism mechanism = built(m);
  const double fast = -0.5 * (c + std::sqrt(c * c - 4 * k)), slow = k / fast;
  const auto x = [&](double t) { return start * (slow * std::exp(fast * t) - fast * std::exp(slow * t)) / (slow - fast); };
  const auto rate = [&](double t) { return start * slow * fast * (std::exp(fast * t) - std::exp(slow * t)) / (slow - fast); };
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    CAPTURE(tolerance);
    Radau5 ode = started(mechanism);
    run_to(ode, to, tolerance, [&] {
      CHECK(std::abs(ode.q()[0] - rest - x(ode.t())) <= run_error(tolerance));
      CHECK(std::abs(ode.v()[0] - rate(ode.t())) <= run_error(tolerance));
    });
    CHECK(ode.statistics().steps < 200);  // an explicit method is bound to h < 3 / 1e5
  }
}

TEST_CASE("a mass that circles on a stiff spring and damper") {
  // closed form: k (r − l) = m ω² r holds the radius; the stiff direction turns by a tenth of a radian in a step
  constexpr double k = 8e5, c = 4e4, rest = 1, rate = 10, to = 2;
  const double r = k * rest / (k - rate * rate);
  Model m;
  m.ground.point("O", 0.0, 0.0);
  Body& bob = weighing(m.body("bob"), 1, 1);
  bob.point("C", 0.0, 0.0);
  draw(bob, r, 0, 0);
  bob.velocity = std::vector<Text>{0.0, rate * r};
  spring(m, "ground.O", "bob.C").set("stiffness", Text(k)).set("free_length", Text(rest)).set("damping", Text(c));
  const PlaneMechanism mechanism = built(m);
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    CAPTURE(tolerance);
    Radau5 ode = started(mechanism);
    run_to(ode, to, tolerance);
    CHECK(std::abs(ode.q()[0] - r * std::cos(rate * to)) <= run_error(tolerance));
    CHECK(std::abs(ode.q()[1] - r * std::sin(rate * to)) <= run_error(tolerance));
    // with one Jacobian for all stages Newton's iteration refuses about every second step
    CHECK(ode.statistics().rejected <= 10 + ode.statistics().steps / 20);
  }
}

TEST_CASE("van der Pol's equation as the law of an actuator") {
  // Test Set for IVP Solvers, problem vdpol: ε = 1e-6, from (2, 0), at t = 2
  constexpr double kTolerance = 1e-8, kCentre = 5;
  Model m = slider(kCentre + 2, 0);
  m.forces[0].set("actuator", Text("((l - 5) - (1 - (l - 5)^2)*v)*1e6"));
  const PlaneMechanism mechanism = built(m);
  Radau5 ode = started(mechanism);
  run_to(ode, 2, kTolerance);
  CHECK(std::abs(ode.q()[0] - kCentre - 1.706167732170483) <= run_error(kTolerance));
  CHECK(std::abs(ode.v()[0] + 0.8928097010247975) <= run_error(kTolerance));
  CHECK(ode.statistics().steps < 5000);
}

TEST_CASE("a driven slider-crank with a mass only in its piston") {
  // references.md: rigid slider-crank, crank 0.15, rod 0.30, 150 rad/s
  constexpr double kTolerance = 1e-8;
  Model m = slider_crank(0.15, 0.30, 0);
  weighing(m.body("block"), 0.5, 1e-3);
  motor(m, "motor", "ground", "crank", "150*t");
  const PlaneMechanism mechanism = built(m);
  const std::size_t piston = mechanism.drawn.size() - 3;
  Radau5 ode = started(mechanism);
  std::vector<double> q(mechanism.drawn), v(q);
  // the crank's angle is the motion itself; between the ends of a step it is as good as the tolerance
  std::fill(v.begin(), v.end(), 0.0);
  v[2] = 150, v[4] = 0.15 * 150, v[5] = -0.5 * 150;  // at 0 the rod turns about the piston
  ode.start(0, q, v);
  run_to(ode, 0.1, kTolerance, [&] {
    const double t = 0.5 * (ode.previous_t() + ode.t());
    ode.dense(t, q, v);
    const double sine = 0.5 * std::sin(150 * t);
    CHECK(std::abs(q[piston] - 0.15 * std::cos(150 * t) - 0.30 * std::sqrt(1 - sine * sine)) <= 10 * kTolerance);
  });
  CHECK(std::abs(ode.q()[piston] - 0.16974617650231903779) <= kSolved);
  CHECK(std::abs(ode.v()[piston] + 8.7544686249773819339) <= 1000 * kSolved);
}

TEST_CASE("a double pendulum keeps its energy to the tolerance") {
  Model m;
  m.gravity = {0.0, -9.81};
  m.ground.point("O", 0.0, 0.0);
  for (const char* name : {"upper", "lower"}) {
    Body& b = weighing(bar(m, name, 1, name[0] == 'u' ? 0 : 1, 0, 0), 1, 1.0 / 12);
    b.com = std::vector<Text>{0.5, 0.0};
  }
  pin(m, "shoulder", "ground.O", "upper.A");
  pin(m, "elbow", "upper.B", "lower.A");
  const PlaneMechanism mechanism = built(m);
  long before = 0;
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    CAPTURE(tolerance);
    Radau5 ode = started(mechanism);
    const double start = energy(mechanism, ode);
    run_to(ode, 3, tolerance);
    CHECK(std::abs(energy(mechanism, ode) - start) <= run_error(tolerance));
    CHECK(ode.statistics().steps > before);
    before = ode.statistics().steps;
  }
}

TEST_CASE("an equation said twice is used once") {
  // the same pendulum with one rod, to the last digit but rounding
  Model m = pendulum();
  m.joint("again", "distance").set("i", Text("ground.O")).set("j", Text("bob.C")).set("length", Text(1.0));
  const PlaneMechanism once = built(pendulum()), twice = built(m);
  constexpr double kTolerance = 1e-8;
  Radau5 whole = started(once), part(twice.system, {1}), both(twice.system);
  part.start(0, twice.drawn, twice.velocity);
  both.start(0, twice.drawn, twice.velocity);
  run_to(whole, 1, kTolerance);
  run_to(part, 1, kTolerance);
  CHECK(std::abs(whole.q()[0] - part.q()[0]) <= kRoundOff);
  CHECK(part.lambda()[0] == 0);
  CHECK(part.lambda()[1] == doctest::Approx(whole.lambda()[0]));
  CHECK(both.step(kTolerance, 1) == Radau5::Step::singular);
}

TEST_CASE("exact dry friction acts in the direction given") {
  // closed form: x = 1 + 2 t − t²/2 while it slides
  Model m = slider(1, 2);
  m.forces[0].set("friction", Text(1.0)).set("friction_speed", Text(0.0));
  const PlaneMechanism mechanism = built(m);
  Radau5 ode = started(mechanism);
  ode.set_directions(std::vector<double>{1.0});
  run_to(ode, 1.5, 1e-8);
  CHECK(std::abs(ode.q()[0] - (1 + 2 * 1.5 - 1.5 * 1.5 / 2)) <= 1e-9);
  CHECK(std::abs(ode.v()[0] - 0.5) <= 1e-9);
}

TEST_CASE("a force without a value is reported with its name and time") {
  // free motion, l = 1 − 2 t; the law has no value below l = 0.5
  Model m = slider(1, -2);
  m.forces[0].set("actuator", Text("0*sqrt(l - 0.5)"));
  const PlaneMechanism mechanism = built(m);
  Radau5 ode = started(mechanism);
  REQUIRE(until_it_ends(ode, 1) == Radau5::Step::fault);
  REQUIRE(ode.fault().force.has_value());
  CHECK(ode.fault().force->force == 0);
  CHECK_FALSE(ode.fault().force->sentence.empty());
  CHECK(std::abs(ode.fault().t - 0.25) <= 1e-9);
  CHECK(std::abs(ode.t() - 0.25) <= 1e-9);
}

TEST_CASE("a spring that collapses is reported with its time") {
  // l = (1 − t)²: shorter than any spring can be where 1 − t is less than the root of the shortest length
  Model m = slider(1, -2);
  m.forces[0].set("stiffness", Text(1.0)).set("free_length", Text(0.5));
  m.driver("ram", "coordinate").set("j", Text("block.x")).set("motion", Text("(1 - t)^2")).set("offset", Text(0.0));
  const PlaneMechanism mechanism = built(m);
  Radau5 ode = started(mechanism);
  REQUIRE(until_it_ends(ode, 1) == Radau5::Step::fault);
  REQUIRE(ode.fault().force.has_value());
  CHECK(std::abs(ode.fault().t - 1) <= 1e-4);
}

TEST_CASE("a prescribed motion without a value is reported with its time") {
  // the logarithm of 1 − t
  Model m = slider(1, 1);
  m.forces.clear();
  m.driver("ram", "coordinate").set("j", Text("block.x")).set("motion", Text("t + 0*log(1 - t)"));
  const PlaneMechanism mechanism = built(m);
  Radau5 ode = started(mechanism);
  REQUIRE(until_it_ends(ode, 2) == Radau5::Step::fault);
  REQUIRE(ode.fault().motion.has_value());
  CHECK(ode.fault().motion->motion == 0);
  CHECK(std::abs(ode.fault().t - 1) <= 1e-6);
}

}  // namespace radau_test
