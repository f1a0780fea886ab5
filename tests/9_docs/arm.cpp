// Oracle: the definitions of the three calls, put together another way. The arm of docs/guide/algorithms.md.
#include "arm.hpp"

#include <doctest/doctest.h>

using namespace jounce;
using namespace jounce::tree;

TEST_CASE("the arm of the guide falls as its inertia says") {
  // oracle: H qdd = −C of the elbow alone in one case, one row of it in the other
  const Tree tree = arm();
  const std::vector<double> q{0.3, 0.7, -0.4}, none(3);
  Workspace<double> work(tree);
  std::vector<double> h(9), bias(3);
  crba<double>(tree, work, q.data(), h.data());
  rnea<double>(tree, work, q.data(), none.data(), none.data(), bias.data());
  const std::vector<double> all = fall(tree, q);
  for (std::size_t row = 0; row < 3; ++row)
    CHECK(h[3 * row] * all[0] + h[3 * row + 1] * all[1] + h[3 * row + 2] * all[2] ==
          doctest::Approx(row == 2 ? -bias[2] : 0).epsilon(1e-12).scale(1));
  const std::vector<double> elbow = fall_of_elbow(tree, q);
  CHECK(elbow[0] == doctest::Approx(-bias[2] / h[8]).epsilon(1e-12));
  CHECK(elbow[1] == doctest::Approx(bias[0] + h[2] * elbow[0]).epsilon(1e-12));
}
