// Oracle: the reference vectors of planar.json, from symbolic differentiation of the definitions with 50 digits.
//
// What is tested here is another oracle, the hand-written closed forms; the engine takes no part.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "oracles/planar_closed_forms.hpp"
#include "oracles/vectors.hpp"

namespace closed_forms_against_vectors_test {

namespace {

using oracle::Body;
using oracle::Rows;
using oracle::vectors;

template <class List>
void check_equal(const char* quantity, const List& actual, const List& expected, double tolerance) {
  CAPTURE(quantity);
  REQUIRE(actual.size() == expected.size());
  for (std::size_t n = 0; n < actual.size(); ++n) {
    CAPTURE(n);
    CAPTURE(actual[n]);
    CAPTURE(expected[n]);
    CHECK(std::abs(actual[n] - expected[n]) <= tolerance);  // false for a NaN
  }
}

void check_equal(const Rows& actual, const Rows& expected, double tolerance) {
  check_equal("Phi", actual.phi, expected.phi, tolerance);
  check_equal("nu", actual.nu, expected.nu, tolerance);
  check_equal("gamma", actual.gamma, expected.gamma, tolerance);
  check_equal("eta", actual.eta, expected.eta, tolerance);
  check_equal("sigma", actual.sigma, expected.sigma, tolerance);
  REQUIRE(actual.phi_q.size() == expected.phi_q.size());
  REQUIRE(actual.kappa.size() == expected.kappa.size());
  for (std::size_t slot = 0; slot < actual.phi_q.size(); ++slot) {
    CAPTURE(slot);
    check_equal("kappa", actual.kappa[slot], expected.kappa[slot], tolerance);
    REQUIRE(actual.phi_q[slot].size() == expected.phi_q[slot].size());
    for (std::size_t row = 0; row < actual.phi_q[slot].size(); ++row)
      check_equal("Phi_q", actual.phi_q[slot][row], expected.phi_q[slot][row], tolerance);
  }
}

// The n-th time derivative of Phi that the rows imply: Phi itself, then Phi_q q^(n) - (nu | gamma | eta | sigma).
std::vector<double> phi_derivative(const Rows& c, const std::vector<Body>& bodies, std::size_t n) {
  if (n == 0) return c.phi;
  const std::array<const std::vector<double>*, 4> right_hand_sides{&c.nu, &c.gamma, &c.eta, &c.sigma};
  std::vector<double> out(c.phi.size());
  for (std::size_t row = 0; row < out.size(); ++row) {
    out[row] = -right_hand_sides[n - 1]->at(row);
    for (std::size_t slot = 0; slot < bodies.size(); ++slot) {
      const auto& columns = c.phi_q.at(slot).at(row);
      out[row] += columns[0] * bodies[slot].x[n] + columns[1] * bodies[slot].y[n] + columns[2] * bodies[slot].phi[n];
    }
  }
  return out;
}

// The state a time h later, on the motion whose fifth derivative vanishes.
std::array<double, 5> later(const std::array<double, 5>& u, double h) {
  std::array<double, 5> out{};
  for (std::size_t n = 0; n < 5; ++n) {
    double term = 1;  // h^m / m!
    for (std::size_t m = 0; n + m < 5; ++m) {
      out[n] += u[n + m] * term;
      term *= h / static_cast<double>(m + 1);
    }
  }
  return out;
}

std::vector<Body> later(const std::vector<Body>& bodies, double h) {
  std::vector<Body> out;
  for (const Body& b : bodies) out.push_back({later(b.x, h), later(b.y, h), later(b.phi, h)});
  return out;
}

// For what the vectors do not contain: each level and kappa against a central difference of the level before it.
template <class Form>
void check_by_differences(const Form& form, const std::vector<Body>& bodies, const std::vector<double>& lambda) {
  const double h = 1e-5;
  const std::vector<Body> before = later(bodies, -h), after = later(bodies, h);
  const Rows c = form(bodies), c_before = form(before), c_after = form(after);
  for (std::size_t n = 1; n < 5; ++n) {
    CAPTURE(n);
    const std::vector<double> up = phi_derivative(c_after, after, n - 1), down = phi_derivative(c_before, before, n - 1);
    std::vector<double> difference;
    for (std::size_t row = 0; row < up.size(); ++row) difference.push_back((up[row] - down[row]) / (2 * h));
    check_equal("derivative of Phi", phi_derivative(c, bodies, n), difference, 1e-6);
  }
  REQUIRE(c.phi.size() == lambda.size());
  for (std::size_t slot = 0; slot < bodies.size(); ++slot) {
    CAPTURE(slot);
    oracle::Row difference{};
    for (std::size_t row = 0; row < lambda.size(); ++row)
      for (std::size_t k = 0; k < 3; ++k)
        difference[k] += (c_after.phi_q[slot][row][k] - c_before.phi_q[slot][row][k]) / (2 * h) * lambda[row];
    check_equal("kappa", c.kappa.at(slot), difference, 1e-6);
  }
}

}  // namespace

TEST_CASE("The closed forms of point kinematics reproduce every point record") {
  REQUIRE(vectors().points.size() == 5);
  for (const oracle::PointRecord& record : vectors().points) {
    const oracle::Point actual = oracle::point(record.body, record.sPi);
    for (std::size_t n = 0; n < 5; ++n) {
      CAPTURE(n);
      check_equal("r", actual.r[n], record.expected.r[n], 1e-12 * record.scale);
    }
  }
}

TEST_CASE("The closed forms of the constraints reproduce every constraint record") {
  REQUIRE(vectors().constraints.size() == 61);
  for (std::size_t index = 0; index < vectors().constraints.size(); ++index) {
    const oracle::ConstraintRecord& record = vectors().constraints[index];
    CAPTURE(index);
    CAPTURE(record.type);
    CAPTURE(record.note);
    check_equal(oracle::closed_form(record.type, record.params, record.bodies, record.lambda), record.expected,
                1e-12 * record.scale);
  }
}

TEST_CASE("The right-hand sides are what is left of the derivatives of Phi in every constraint record") {
  for (std::size_t index = 0; index < vectors().constraints.size(); ++index) {
    const oracle::ConstraintRecord& record = vectors().constraints[index];
    CAPTURE(index);
    CAPTURE(record.type);
    const Rows actual = oracle::closed_form(record.type, record.params, record.bodies, record.lambda);
    REQUIRE(record.phi_derivatives.size() == 4);
    for (std::size_t n = 1; n < 5; ++n) {
      CAPTURE(n);
      check_equal("derivative of Phi", phi_derivative(actual, record.bodies, n), record.phi_derivatives[n - 1],
                  1e-12 * record.scale);
    }
  }
}

TEST_CASE("The analytic motions of the mechanisms satisfy the closed forms at every level") {
  REQUIRE(vectors().mechanisms.size() == 15);
  for (const oracle::MechanismRecord& record : vectors().mechanisms) {
    CAPTURE(record.title);
    CAPTURE(record.t);
    for (const oracle::MechanismConstraint& constraint : record.constraints) {
      CAPTURE(constraint.type);
      const std::vector<Body> bodies = record.bodies_of(constraint);
      const Rows actual = oracle::closed_form(constraint.type, constraint.params, bodies, {0, 0});
      for (std::size_t n = 0; n < 5; ++n) {
        CAPTURE(n);
        check_equal("derivative of Phi", phi_derivative(actual, bodies, n), std::vector<double>(actual.phi.size()),
                    1e-12 * record.scale);
      }
    }
  }
}

TEST_CASE("The translational joint and the weld, which the vectors lack, agree with central differences") {
  const oracle::Vec sPi{0.3, -0.7}, ai{0.8, 0.4}, sPj{-0.5, 0.6}, aj{-0.2, 1.1};
  for (const oracle::ConstraintRecord& record : vectors().constraints) {
    if (record.type != "REV") continue;  // for its random states
    {
      const std::vector<double> lambda{1.3, -0.8};
      INFO("translational");
      check_by_differences(
          [&](const std::vector<Body>& b) {
            return oracle::translational(b[0], b[1], sPi, ai, sPj, aj, {lambda[0], lambda[1]});
          },
          record.bodies, lambda);
    }
    {
      const std::vector<double> lambda{1.3, -0.8, 0.9};
      INFO("weld");
      check_by_differences(
          [&](const std::vector<Body>& b) {
            return oracle::weld(b[0], b[1], sPi, sPj, 0.25, {lambda[0], lambda[1], lambda[2]});
          },
          record.bodies, lambda);
      CHECK(oracle::weld(record.bodies[0], record.bodies[1], sPi, sPj, 0.25, {}).phi.at(2) ==
            record.bodies[1].phi[0] - record.bodies[0].phi[0] - 0.25);
    }
  }
}

}  // namespace closed_forms_against_vectors_test
