// Linear complementarity. Oracles: the conditions themselves, on random problems whose solution is built in; by hand where A is singular.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "jounce/math/complementarity.hpp"
#include "jounce/math/dense.hpp"

namespace complementarity_test {

using namespace jounce;

TEST_CASE("what pushes does not pull: random problems with a known solution") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.1, 1);
  for (int n = 1; n <= 12; ++n)
    for (int round = 0; round < 20; ++round) {
      CAPTURE(n);
      Matrix root(n + 2, n);
      for (double& x : root.value) x = normal(random);
      const Matrix a = transposed_times(root, root);
      std::vector<double> x(static_cast<std::size_t>(n)), b(x.size());  // some push, the others are open
      std::vector<double> open(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) (random() % 2 == 0 ? x[i] : open[i]) = uniform(random);
      const std::vector<double> ax = times(a, x);
      for (std::size_t i = 0; i < x.size(); ++i) b[i] = open[i] - ax[i];
      const auto found = solve_complementarity(a, b);
      REQUIRE(found.has_value());
      for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs((*found)[i] - x[i]) <= 1e-7);
    }
}

TEST_CASE("stops that say the same share a push, and what A does not reach is refused") {
  // three legs under one body that only goes up: u = Λ1 + Λ2 + Λ3 − 1
  Matrix same(3, 3);
  for (double& x : same.value) x = 1;
  const std::vector<double> down{-1, -1, -1};
  const auto found = solve_complementarity(same, down);
  REQUIRE(found.has_value());
  CHECK((*found)[0] + (*found)[1] + (*found)[2] == doctest::Approx(1).epsilon(1e-14));
  for (const double push : *found) CHECK(push >= 0);

  Matrix none(2, 2);
  none.at(0, 0) = 1;  // the second does not give way
  CHECK_FALSE(solve_complementarity(none, std::vector<double>{-1, -1}).has_value());
  CHECK(solve_complementarity(none, std::vector<double>{-1, 1}).has_value());
  CHECK(solve_complementarity(Matrix(1, 1), std::vector<double>{0.5}) == std::vector<double>{0.0});
}

}  // namespace complementarity_test
