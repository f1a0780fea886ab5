// Oracle: differential equations solved in closed form, and the conditions that every Runge-Kutta tableau meets.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "jounce/analysis/integrators/dop853.hpp"

namespace dop853_test {

using namespace jounce;

namespace {

using Numbers = std::vector<double>;
using View = std::span<const double>;

constexpr double kRoundOff = 1e-13;  // of a run of some hundred operations on numbers around 1
// A run commits about one tolerance per step, and its errors grow on the way: what a result may be off by.
double run_error(double tolerance) { return 1000 * tolerance; }

void oscillate(double, View y, std::span<double> rate) {
  rate[0] = y[1];
  rate[1] = -y[0];
}

// y' = y cos t, y = exp(sin t): nonlinear in time, so that the times of the stages count.
void swell(double t, View y, std::span<double> rate) { rate[0] = y[0] * std::cos(t); }

// One body around a fixed centre, both of unit size: a Kepler ellipse with perihelion 1 − e, period 2π.
constexpr double kEccentricity = 0.5;
void attract(double, View y, std::span<double> rate) {
  const double r = std::hypot(y[0], y[1]), cubed = r * r * r;
  rate[0] = y[2];
  rate[1] = y[3];
  rate[2] = -y[0] / cubed;
  rate[3] = -y[1] / cubed;
}
struct Ellipse {
  double t, x, y;
};
Ellipse kepler(double anomaly) {  // Kepler's equation, solved for the time
  return {anomaly - kEccentricity * std::sin(anomaly), std::cos(anomaly) - kEccentricity,
          std::sqrt(1 - kEccentricity * kEccentricity) * std::sin(anomaly)};
}
const Numbers kPerihelion{1 - kEccentricity, 0, 0, std::sqrt((1 + kEccentricity) / (1 - kEccentricity))};

OdeOptions within(double tolerance, OdeOptions::Norm norm = OdeOptions::Norm::rms) { return {tolerance, norm}; }

// Errors do not matter: steps stay as long as they are told to be.
Dop853 fixed(int n) { return Dop853(n, within(1e300)); }

template <class F>
void run_to(Dop853& ode, F&& f, double t) {
  for (int steps = 0; ode.t() != t; ++steps) {
    REQUIRE(steps < 10000);
    REQUIRE(ode.step(f, t) == Dop853::Step::accepted);
  }
}

template <class F>
Numbers in_equal_steps(F&& f, const Numbers& y0, double to, int steps) {
  Dop853 ode = fixed(static_cast<int>(y0.size()));
  REQUIRE(ode.start(0, y0, f));
  for (int i = 1; i <= steps; ++i) {
    ode.set_next_step(to / steps);
    REQUIRE(ode.step(f, to * i / steps) == Dop853::Step::accepted);
  }
  REQUIRE(ode.statistics().steps == steps);
  return {ode.y().begin(), ode.y().end()};
}

template <int N>
double total(const dop853::Row<N>& row) {
  return std::accumulate(row.weight.begin(), row.weight.end(), 0.0);
}

// What the row makes of y' = t^power over a step from 0 to 1.
template <int N>
double moment(const dop853::Row<N>& row, int power) {
  double sum = 0;
  for (std::size_t j = 0; j < N; ++j) sum += row.weight[j] * std::pow(dop853::kTime[row.stage[j]], power);
  return sum;
}

}  // namespace

TEST_CASE("the tableau of order 8 is consistent") {
  using namespace dop853;
  // identities: each stage integrates constants exactly, y' = 1 gives t; errors of constants are none
  const double sums[] = {0, total(kStage1), total(kStage2), total(kStage3), total(kStage4), total(kStage5), total(kStage6),
                         total(kStage7), total(kStage8), total(kStage9), total(kStage10), total(kStage11), total(kStage12),
                         total(kStage13), total(kStage14), total(kStage15)};
  for (int i = 0; i < kStages; ++i) {
    CAPTURE(i);
    CHECK(std::abs(sums[i] - kTime[i]) < kRoundOff);
  }
  CHECK(std::abs(total(kError5)) < kRoundOff);
  CHECK(std::abs(total(kError3)) < kRoundOff);
  // a quadrature of order 8: Σ b c^k = 1 / (k + 1) for k up to 7
  for (int k = 1; k < 8; ++k) {
    CAPTURE(k);
    CHECK(std::abs(moment(kStage12, k) - 1.0 / (k + 1)) < kRoundOff);
  }
}

TEST_CASE("a step is accepted up to the tolerance and not beyond") {
  // the book's combination of both errors, on y' = t^6 over one step from y = 0 to 1/7
  const double error5 = moment(dop853::kError5, 6), error3 = moment(dop853::kError3, 6);
  const double error = error5 * error5 / std::sqrt(error5 * error5 + 0.01 * error3 * error3) / (1 + 1.0 / 7);
  const auto power = [](double t, View, std::span<double> rate) { rate[0] = std::pow(t, 6); };
  for (const auto norm : {OdeOptions::Norm::rms, OdeOptions::Norm::largest})
    for (const double factor : {0.99, 1.01}) {
      CAPTURE(factor);
      Dop853 ode(1, within(factor * error, norm));
      REQUIRE(ode.start(0, Numbers{0}, power));
      ode.set_next_step(1);
      REQUIRE(ode.step(power, 1) == Dop853::Step::accepted);
      CHECK(ode.statistics().rejected == (factor < 1 ? 1 : 0));
    }
}

TEST_CASE("half the step gives an error 2^8 times smaller") {
  // closed form: cos t, −sin t; exp(sin t)
  const auto oscillator_error = [](int steps) {
    const Numbers y = in_equal_steps(oscillate, {1, 0}, 8, steps);
    return std::hypot(y[0] - std::cos(8.0), y[1] + std::sin(8.0));
  };
  const auto swelling_error = [](int steps) {
    return std::abs(in_equal_steps(swell, {1}, 2, steps)[0] - std::exp(std::sin(2.0)));
  };
  CHECK(std::log2(oscillator_error(8) / oscillator_error(16)) == doctest::Approx(8).epsilon(0.05));
  CHECK(std::log2(oscillator_error(12) / oscillator_error(24)) == doctest::Approx(8).epsilon(0.05));
  CHECK(std::log2(swelling_error(4) / swelling_error(8)) == doctest::Approx(8).epsilon(0.05));
  CHECK(std::log2(swelling_error(8) / swelling_error(16)) == doctest::Approx(8).epsilon(0.05));
}

TEST_CASE("inside a step the dense output is of order 7") {
  // closed form: exp(sin t); a polynomial of degree 7 is off by the 8th power of the step
  const auto error = [](double h) {
    Dop853 ode = fixed(1);
    REQUIRE(ode.start(0.3, Numbers{std::exp(std::sin(0.3))}, swell));
    ode.set_next_step(h);
    REQUIRE(ode.step(swell, 0.3 + h) == Dop853::Step::accepted);
    REQUIRE(ode.prepare_dense(swell));
    double largest = 0;
    for (int i = 0; i <= 20; ++i) {
      const double t = 0.3 + h * i / 20;
      Numbers y(1);
      ode.dense(t, y);
      largest = std::max(largest, std::abs(y[0] - std::exp(std::sin(t))));
    }
    return largest;
  };
  CHECK(std::log2(error(0.5) / error(0.25)) == doctest::Approx(8).epsilon(0.1));
  CHECK(std::log2(error(0.25) / error(0.125)) == doctest::Approx(8).epsilon(0.1));
}

TEST_CASE("dense output joins the ends of a step with their slopes") {
  // identity: it is an interpolation of y and y'
  Dop853 ode(2, within(1e-6));
  REQUIRE(ode.start(0, Numbers{1, 0}, oscillate));
  for (int i = 0; i < 5; ++i) {
    const Numbers before(ode.y().begin(), ode.y().end());
    REQUIRE(ode.step(oscillate, 10) == Dop853::Step::accepted);
    REQUIRE(ode.prepare_dense(oscillate));
    Numbers y(2);
    ode.dense(ode.previous_t(), y);
    CHECK(y == before);
    ode.dense(ode.t(), y);
    CHECK(std::hypot(y[0] - ode.y()[0], y[1] - ode.y()[1]) < kRoundOff);
    CHECK(ode.slope()[0] == ode.y()[1]);
    CHECK(ode.slope()[1] == -ode.y()[0]);
    const double h = 1e-5 * (ode.t() - ode.previous_t());
    Numbers earlier(2);
    ode.dense(ode.t() - h, earlier);
    CHECK((y[0] - earlier[0]) / h == doctest::Approx(ode.slope()[0]).epsilon(1e-4));  // a difference, its error O(h)
  }
}

TEST_CASE("a Kepler orbit is followed as closely as asked, at step ends and between them") {
  // closed form: Kepler's equation
  for (const auto norm : {OdeOptions::Norm::rms, OdeOptions::Norm::largest})
    for (const double tolerance : {1e-4, 1e-7, 1e-10, 1e-13}) {
      CAPTURE(tolerance);
      Dop853 ode(4, within(tolerance, norm));
      REQUIRE(ode.start(0, kPerihelion, attract));
      for (int i = 1; i <= 5; ++i) {
        const Ellipse at = kepler(0.7 * i);
        while (ode.t() < at.t) REQUIRE(ode.step(attract, 20) == Dop853::Step::accepted);
        REQUIRE(ode.prepare_dense(attract));
        Numbers y(4);
        ode.dense(at.t, y);
        CHECK(std::hypot(y[0] - at.x, y[1] - at.y) < run_error(tolerance));
      }
      run_to(ode, attract, kepler(9).t);
      CHECK(std::hypot(ode.y()[0] - kepler(9).x, ode.y()[1] - kepler(9).y) < run_error(tolerance));
    }
}

TEST_CASE("time may run backwards") {
  // closed form: Kepler's equation, odd in time
  constexpr double kTolerance = 1e-11;
  Dop853 ode(4, within(kTolerance));
  REQUIRE(ode.start(0, kPerihelion, attract));
  const Ellipse past = kepler(-5);
  run_to(ode, attract, past.t);
  CHECK(std::hypot(ode.y()[0] - past.x, ode.y()[1] - past.y) < run_error(kTolerance));
  CHECK(ode.previous_t() > ode.t());
  REQUIRE(ode.prepare_dense(attract));
  Numbers y(4);
  ode.dense(kepler(-4.99).t, y);
  CHECK(std::hypot(y[0] - kepler(-4.99).x, y[1] - kepler(-4.99).y) < run_error(kTolerance));
  // and turn around
  run_to(ode, attract, 0);
  CHECK(std::hypot(ode.y()[0] - kPerihelion[0], ode.y()[1]) < run_error(kTolerance));
}

TEST_CASE("every evaluation is counted") {
  // 12 for an accepted step, 11 for one rejected by its error, one at the start, one for the size of the first step
  Dop853 ode(4, within(1e-9));
  long calls = 0;
  const auto counted = [&](double t, View y, std::span<double> rate) {
    ++calls;
    attract(t, y, rate);
  };
  REQUIRE(ode.start(0, kPerihelion, counted));
  run_to(ode, counted, 30);
  const OdeStatistics& s = ode.statistics();
  CHECK(s.rejected > 0);
  CHECK(s.evaluations == calls);
  CHECK(s.evaluations == 12 * s.steps + 11 * s.rejected + 2);
  REQUIRE(ode.prepare_dense(counted));
  CHECK(calls == 12 * s.steps + 11 * s.rejected + 5);
}

TEST_CASE("output times do not shorten the steps between them for good") {
  Dop853 free(2, within(1e-9)), sampled(2, within(1e-9));
  REQUIRE(free.start(0, Numbers{1, 0}, oscillate));
  REQUIRE(sampled.start(0, Numbers{1, 0}, oscillate));
  run_to(free, oscillate, 20);
  for (int i = 1; i <= 10; ++i) {
    run_to(sampled, oscillate, 2 * i - 1e-9);
    run_to(sampled, oscillate, 2 * i);
  }
  CHECK(sampled.statistics().steps <= free.statistics().steps + 20);
}

TEST_CASE("no step is longer than allowed") {
  OdeOptions options = within(1e-3);
  options.largest_step = 0.25;
  Dop853 ode(2, options);
  REQUIRE(ode.start(0, Numbers{1, 0}, oscillate));
  while (ode.t() < 3) {
    REQUIRE(ode.step(oscillate, 3) == Dop853::Step::accepted);
    CHECK(ode.t() - ode.previous_t() <= 0.25 * (1 + kRoundOff));  // t + h − t is not quite h
  }
}

TEST_CASE("a step in which f fails is halved until it does not") {
  // y' = 1 up to t = 0.7: the first step from 0 of length 1 that stays below is 1/2, and no step from there of 1/2 or 1/4
  const auto wall = [](double t, View, std::span<double> rate) {
    rate[0] = 1;
    return t <= 0.7;
  };
  Dop853 ode(1, within(1e-9));
  REQUIRE(ode.start(0, Numbers{0}, wall));
  ode.set_next_step(1);
  REQUIRE(ode.step(wall, 1) == Dop853::Step::accepted);
  CHECK(ode.t() == 0.5);
  CHECK(ode.y()[0] == doctest::Approx(0.5).epsilon(kRoundOff));
  CHECK(ode.statistics().rejected == 1);
  REQUIRE(ode.step(wall, 1) == Dop853::Step::accepted);
  CHECK(ode.t() == 0.625);
  CHECK(ode.statistics().rejected == 3);
}

TEST_CASE("where the solution ends, steps become too small and the last good state is kept") {
  // closed form: y = sqrt(1 − t), y' = −1/(2y), ends at t = 1
  const auto root = [](double, View y, std::span<double> rate) {
    if (!(y[0] > 0)) return false;
    rate[0] = -0.5 / y[0];
    return true;
  };
  Dop853 ode(1, within(1e-9));
  REQUIRE(ode.start(0, Numbers{1}, root));
  int steps = 0;
  while (ode.step(root, 2) == Dop853::Step::accepted) REQUIRE(++steps < 1000);
  CHECK(std::abs(ode.t() - 1) < run_error(1e-9));
  CHECK(std::isfinite(ode.y()[0]));
  // asked again it answers the same, from the same state
  const double t = ode.t(), y = ode.y()[0];
  CHECK(ode.step(root, 2) == Dop853::Step::too_small);
  CHECK(ode.t() == t);
  CHECK(ode.y()[0] == y);
  CHECK_FALSE(ode.start(0, Numbers{-1}, root));
  REQUIRE(ode.start(0, Numbers{1}, root));
  run_to(ode, root, 0.75);
  CHECK(ode.y()[0] == doctest::Approx(0.5).epsilon(run_error(1e-9)));
}

TEST_CASE("a rate that is not a number is never accepted") {
  // y' = 1 up to t = 1/2, no number beyond
  for (const auto norm : {OdeOptions::Norm::rms, OdeOptions::Norm::largest}) {
    const auto hole = [](double t, View, std::span<double> rate) {
      rate[0] = t <= 0.5 ? 1 : std::numeric_limits<double>::quiet_NaN();
      rate[1] = std::cos(30 * t);
    };
    Dop853 ode(2, within(1e-6, norm));
    REQUIRE(ode.start(0, Numbers{0, 0}, hole));
    int steps = 0;
    while (ode.step(hole, 1) == Dop853::Step::accepted) REQUIRE(++steps < 1000);
    CHECK(ode.t() <= 0.5);
    CHECK(ode.t() == doctest::Approx(0.5).epsilon(1e-12));
    CHECK(ode.y()[0] == doctest::Approx(0.5).epsilon(1e-12));
  }
}

TEST_CASE("a state put in its place goes on from there") {
  // closed form: the oscillator kicked at t = 1 to (0, 1) is sin(t − 1)
  Dop853 ode(2, within(1e-12));
  REQUIRE(ode.start(0, Numbers{1, 0}, oscillate));
  run_to(ode, oscillate, 1);
  const double planned = ode.next_step();
  REQUIRE(ode.replace(Numbers{0, 1}, oscillate));
  CHECK(ode.next_step() == planned);
  run_to(ode, oscillate, 3);
  CHECK(std::abs(ode.y()[0] - std::sin(2.0)) < run_error(1e-12));
  CHECK(std::abs(ode.y()[1] - std::cos(2.0)) < run_error(1e-12));
}

}  // namespace dop853_test
