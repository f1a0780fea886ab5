// What Kane's method is made of at one state, as plain data; kane.hpp says what each array is.
#pragma once

#include <string>
#include <vector>

#include "jounce/math/dense_matrix.hpp"
#include "jounce/math/vec2.hpp"

namespace jounce {

/// One generalized coordinate: a step of a joint of the spanning tree.
struct KaneCoordinate {
  std::string name;  ///< that of its joint; "slot.2" for the second of several; "body.x", "body.y", "body.phi" of a floating body
  int edge = 0;      ///< of the spanning tree: it moves this body and everything beyond
  bool turns = true; ///< about a pin, by radians; else it slides, by metres
};

/// A body on a pin, in the letters of the notes: θ, r from its pin to its centre of mass and p to the pins of the bodies it carries, in
/// body axes.
struct KanePinned {
  struct Child {
    int body = 0;  ///< 1 … bodies
    Vec2<double> p;
  };
  int body = 0;  ///< 1 … bodies
  double theta = 0;
  Vec2<double> r;
  std::vector<Child> children;
};

struct KaneArrays {
  std::vector<KaneCoordinate> coordinates;  ///< the rows
  std::vector<std::string> bodies;          ///< the columns, two of Vpd, A1 and A2 each
  std::vector<KanePinned> pinned;           ///< what the blocks of pinned bodies are made of
  std::vector<double> q, qd;
  DenseMatrix Wpd{0, 0}, Vpd{0, 0}, A1{0, 0}, A2{0, 0}, A3{0, 0}, M{0, 0};
  /// Where every body is on a pin: Vpd = Wpd B and A1 = Wpd B′ m, a row for each body and two columns. Empty otherwise.
  DenseMatrix B{0, 0}, B_prime{0, 0};
  std::vector<double> F;      ///< applied at the centres of mass, x and y of each body, gravity included
  std::vector<double> M_ext;  ///< moments about them
  std::vector<double> f_ext;  ///< Vpd F + Wpd M_ext
  std::vector<double> f;
  std::vector<std::string> closures;  ///< the rows of K, by the joint or driver they belong to; none for a tree
  DenseMatrix K{0, 0};
  std::vector<double> k;
  std::vector<double> qdd, lambda;    ///< the solution; the shortest λ where rows of K depend on each other
  std::vector<double> accelerations;  ///< of the bodies: x, y, phi of each centre of mass
  std::vector<double> F_in;           ///< inertia forces −(A1ᵀ q̇ + A2ᵀ q̈), x and y of each body
  std::vector<double> M_in;           ///< inertia moments −A3ᵀ q̈
  int rank = 0;                       ///< of K
};

}  // namespace jounce
