// The length in which analyses of space count displacements against angles.
#include "jounce/space/size.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "oracles/tree_maker.hpp"

namespace space_size_test {

using namespace jounce;
using oracle::TreeMaker;

namespace {

Frame<double> at(double x, double y, double z) { return {identity3(), {x, y, z}}; }

// Two rods in a row, the first one's bearing at `bearing`.
TreeMaker two_rods(const Frame<double>& bearing) {
  TreeMaker maker;
  const int upper = maker.add("upper", "revolute", 0, bearing), lower = maker.add("lower", "revolute", upper, at(0.7, 0, 0));
  maker.rod(upper, 1, 0.7), maker.rod(lower, 1, 0.5);
  return maker;
}

}  // namespace

TEST_CASE("a mechanism of space is as large wherever it stands") {
  // oracle: the longest distance between two joints
  CHECK(length_scale(two_rods({}).mechanism) == doctest::Approx(0.7));
  CHECK(length_scale(two_rods(at(100, -20, 3)).mechanism) == length_scale(two_rods({}).mechanism));
}

TEST_CASE("the size of a mechanism of space: loops, slides, bodies without arms, and nothing at all") {
  // oracle: each is the only length there is
  TreeMaker looped;
  const int bar = looped.add("bar", "revolute", 0);
  looped.loop("pin", "spherical", 0, at(50, 0, 0), bar, at(0, 0.3, 0));
  CHECK(length_scale(looped.mechanism) == doctest::Approx(0.3));

  TreeMaker slide;
  const int hinge = slide.add("hinge", "revolute", 0);
  (void)slide.add("bob", "prismatic", hinge, {}, {.axis = {0, -1, 0}});
  slide.mechanism.q = {0.4, 1.25};
  CHECK(length_scale(slide.mechanism) == doctest::Approx(1.25));

  TreeMaker top;  // spins about its centre: √(trace J / m)
  top.load(top.add("top", "spherical", 0, at(0, 0, 9)), 2, {}, {0.03, 0.03, 0.02, 0, 0, 0});
  CHECK(length_scale(top.mechanism) == doctest::Approx(std::sqrt(0.04)));

  TreeMaker weightless;
  (void)weightless.add("arm", "revolute", 0, at(0, 3, 4));
  CHECK(length_scale(weightless.mechanism) == doctest::Approx(5));

  CHECK(length_scale(TreeMaker().mechanism) == 1);
}

}  // namespace space_size_test
