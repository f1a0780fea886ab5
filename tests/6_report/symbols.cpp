// How elements say that they are drawn.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "9_docs/midpoint.hpp"
#include "jounce/planar/registry.hpp"
#include "jounce/report/draw/plane_sketch.hpp"
#include "jounce/tree/joint_type.hpp"

using namespace jounce;

namespace {

/// A force that does not say how it is drawn. Its first field is no place.
template <class Real>
struct Brake {
  Real strength{};
  planar::BodyRef on;
  planar::Point<Real> shoe;
  static constexpr std::tuple fields{planar::Field{"strength", &Brake::strength, ""}, planar::Field{"on", &Brake::on, ""},
                                     planar::Field{"shoe", &Brake::shoe, ""}};
};

std::vector<BodyData> three_bodies() {
  std::vector<BodyData> out(3);
  out[1].origin_com = {0.1, 0.2};
  return out;
}

}  // namespace

TEST_CASE("every type of ours has a symbol") {
  // oracle: the registries
  std::vector<BodyData> bodies = three_bodies();
  const auto has_symbol = [&]<template <class> class E>(planar::Type<E>) {
    CAPTURE(E<double>::type);
    Scene::Element drawn;
    PlaneSketch s(bodies, drawn);
    sketch(s, E<double>::example());
    CHECK(drawn.symbol != DrawingSymbol::mark);
  };
  planar::for_each_type(planar::Constraints{}, has_symbol);
  planar::for_each_type(planar::Forces{}, has_symbol);
  for (const tree::JointType& type : tree::joint_types()) CHECK_MESSAGE(type.symbol != DrawingSymbol::mark, type.type);
}

TEST_CASE("no two symbols have the same word") {
  // oracle: a set keeps each once
  constexpr int kSymbols = static_cast<int>(DrawingSymbol::screws) + 1;
  std::set<std::string> words;
  for (int s = 0; s < kSymbols; ++s) words.insert(std::string(word(static_cast<DrawingSymbol>(s))));
  CHECK(static_cast<int>(words.size()) == kSymbols);
  CHECK(word(DrawingSymbol::mark) == "mark");
  CHECK(word(DrawingSymbol::crossed_slides) == "crossed-slides");
  CHECK(word(DrawingSymbol::hinge) == "hinge");
}

TEST_CASE("a joint that does not say how it is drawn is a plain mark where its force is reported") {
  // oracle: its point j, (-0.2, 0.4) from the centre of mass, less the origin, (0.1, 0.2) from it
  const std::vector<BodyData> bodies = three_bodies();
  Scene::Element drawn;
  PlaneSketch s(bodies, drawn);
  sketch(s, planar::Midpoint<double>::example());
  CHECK(drawn.symbol == DrawingSymbol::mark);
  CHECK(drawn.j == 1);
  REQUIRE(drawn.pj);
  CHECK(length(*drawn.pj - Vec3<double>{-0.3, 0.2, 0}) < 1e-15);
}

TEST_CASE("a force that does not say how it is drawn is a plain mark where it first takes hold of a body") {
  // oracle: the order of its fields: the body comes before the point, and its mark is at the centre of mass
  const std::vector<BodyData> bodies = three_bodies();
  Scene::Element drawn;
  PlaneSketch s(bodies, drawn);
  sketch(s, Brake<double>{3.0, {1}, {2, {0.5, 0.5}}});
  CHECK(drawn.symbol == DrawingSymbol::mark);
  CHECK(drawn.j == 1);
  REQUIRE(drawn.pj);
  CHECK(length(*drawn.pj - Vec3<double>{-0.1, -0.2, 0}) < 1e-15);
}
