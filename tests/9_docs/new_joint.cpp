// Oracle: identities of any residual. The joint that CONTRIBUTING walks through is a joint like those of the registry.
#include <doctest/doctest.h>

#include "3_elements/element_test.hpp"
#include "jounce/planar/kernel.hpp"
#include "midpoint.hpp"

using namespace jounce;
using namespace jounce::test;

static_assert(p::Element<p::Midpoint<double>>);
static_assert(p::equations<p::Midpoint> == 2);

TEST_CASE("the joint of CONTRIBUTING becomes a kernel of three bodies without a convolution") {
  // oracle: its residual is linear in x, y, cos and sin of its bodies
  using K = p::Kernel<p::Midpoint>;
  CHECK(K::kRows == 2);
  CHECK(K::kSlots == 3);
  CHECK(K::kSums == 0);
}

TEST_CASE("the joint of CONTRIBUTING holds exactly where its point is in the middle") {
  // oracle: the mean of the two ends; its row divided by its scale is the distance from it
  Random random;
  for (int i = 0; i < kStates; ++i) {
    auto element = p::Midpoint<double>::example();
    const auto motion = random_motion<1>(random);
    const Position q = position(motion);
    const auto at = [&](const p::Point<double>& point) {
      const auto& body = q[static_cast<std::size_t>(point.body)];
      const double c = std::cos(body[2]), s = std::sin(body[2]);
      return Vec2<double>{body[0] + c * point.p.x - s * point.p.y, body[1] + s * point.p.x + c * point.p.y};
    };
    const Vec2<double> a = at(element.i), m = at(element.j), b = at(element.k);
    const auto phi = residual(element, q, 1.0);
    const auto scale = element.scale(p::World<double>{});
    CHECK(std::abs(phi[0] / scale[0].divisor - (m.x - (a.x + b.x) / 2)) <= kRoundOff);
    CHECK(std::abs(phi[1] / scale[1].divisor - (m.y - (a.y + b.y) / 2)) <= kRoundOff);
  }
}

TEST_CASE("the joint of CONTRIBUTING has the Jacobian of its differences") {
  // oracle: (Φ(q + h) − Φ(q − h)) / 2h, with the h and the bound of rung 3
  constexpr double h = 1e-5, kDifference = 1e-7;
  Random random;
  const auto element = p::Midpoint<double>::example();
  for (int i = 0; i < kStates; ++i) {
    const Position q = position(random_motion<1>(random));
    const auto exact = jacobian(element, q, 1.0);
    for (std::size_t column = 0; column < 3 * kSlots; ++column) {
      Position up = q, down = q;
      up[column / 3][column % 3] += h, down[column / 3][column % 3] -= h;
      const auto above = residual(element, up, 1.0), below = residual(element, down, 1.0);
      for (std::size_t row = 0; row < exact.size(); ++row)
        CHECK(std::abs((above[row] - below[row]) / (2 * h) - exact[row][column]) <= kDifference);
    }
  }
}
