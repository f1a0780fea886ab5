// The words in which planar elements are written: points, lines, bodies, coordinates, constants, motions.
//
// Each is a template over its number type: with `double` it is what the engine stores, with `Symbol` what the recorder of
// kernel.hpp runs. Inside the engine a body's reference point is its centre of mass; local coordinates here are already
// measured from it, in body axes. Body 0 is the ground.
#pragma once

#include <array>

#include "jounce/laws/spring.hpp"
#include "jounce/math/vec2.hpp"

namespace jounce::planar {

struct BodyRef {
  int body = 0;
};

template <class Real>
struct Point {
  int body = 0;
  Vec2<Real> p;
};

/// A directed line fixed in a body: through p, along a. The length of a is the drawn one; nothing is normalised.
template <class Real>
struct Line {
  int body = 0;
  Vec2<Real> p;
  Vec2<Real> a;
};

/// One coordinate of a body's origin: pick = (1,0,0) for x, (0,1,0) for y, (0,0,1) for phi.
template <class Real>
struct Coordinate {
  int body = 0;
  Vec2<Real> origin;
  std::array<Real, 3> pick{};
};

/// K of a gear equation, positive when both wheels turn the same way; written as `ratio`, or as `radii` and `mesh`.
template <class Real>
struct Ratio {
  Real K{};
};

/// A constant that, left out, is the one that makes the equation hold as drawn.
template <class Real>
struct Drawn {
  Real value{};
};

/// A prescribed function of time.
struct Motion {
  int motion = 0;
};

/// The two components of a vector that is a function of time.
struct MotionPair {
  Motion x, y;
};

/// A length without force. Left out it is 0, which only a spring without stiffness may be.
template <class Real>
struct Rest {
  Real value{};
};

/// Numbers along x and y and about the angle.
template <class Real>
struct Triple {
  Real x{}, y{}, turn{};
};

/// A table that says how a force depends on its rate. Like a law its value reaches the force as part of its signal.
struct Curve {
  bool given = false;
};

/// Friction of a joint that grows with its reaction. Like a law it is not part of the equations that are recorded: it acts as a force of its own
/// (planar/friction.hpp).
struct BearingFriction : laws::JointFriction {};
struct GuideFriction : laws::JointFriction {};

/// The user's own law of a force, an expression of its measure, its rate and time. Not part of the equations that are recorded: its
/// value reaches the force as part of its signal.
struct Law {};

}  // namespace jounce::planar
