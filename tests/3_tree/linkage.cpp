// Trees as the lecture notes write them (linkage.hpp) against the reference vectors and against the recursions that the engine runs on.
#include <doctest/doctest.h>

#include <cmath>

#include "jounce/math/dense_rank.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/tree/linkage.hpp"
#include "oracles/spatial_vectors.hpp"

namespace linkage_test {

namespace {

using namespace jounce;
using namespace jounce::tree;
using oracle::flat;
using oracle::Json;
using oracle::SpatialCase;

constexpr double kSame = 1e-11;  // of the largest number of the field, or 1

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double scale = 1, worst = 0;
  for (const double x : b) scale = std::max(scale, std::abs(x));
  for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
  return worst / scale;
}

// Row after row.
std::vector<double> rows(const Matrix& m) {
  std::vector<double> out;
  for (int r = 0; r < m.rows; ++r)
    for (int c = 0; c < m.columns; ++c) out.push_back(m.at(r, c));
  return out;
}

// The parts of a case: body b hangs by the links between its parent's and its own.
std::vector<LinkagePart> parts_of(const SpatialCase& c) {
  std::vector<LinkagePart> out;
  for (const auto& body : c.bodies) {
    LinkagePart part{.parent = kGround, .first = body.link, .last = body.link, .frame = body.frame};
    const auto owner = [&](int link) {
      for (std::size_t k = 0; k < c.bodies.size(); ++k)
        if (c.bodies[k].link == link) return static_cast<int>(k);
      return kGround;
    };
    int below = c.tree.link(part.first).parent;
    while (below != kGround && owner(below) == kGround) part.first = below, below = c.tree.link(below).parent;
    part.parent = below == kGround ? kGround : owner(below);
    out.push_back(part);
  }
  return out;
}

Linkage linkage_of(const SpatialCase& c) {
  std::vector<Wrench<double>> external(static_cast<std::size_t>(c.tree.size()));
  for (std::size_t b = 0; b < c.bodies.size(); ++b) {
    const auto& f = c.external[b];
    external[static_cast<std::size_t>(c.bodies[b].link)] = {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
  }
  return linkage(c.tree, parts_of(c), {c.q, c.v, c.qdd_active, c.active, c.tau, external});
}

// The chosen rows and columns.
Matrix chosen(const Matrix& m, const std::vector<int>& which) {
  const int n = static_cast<int>(which.size());
  Matrix out(n, n);
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) out.at(r, c) = m.at(which[static_cast<std::size_t>(r)], which[static_cast<std::size_t>(c)]);
  return out;
}

}  // namespace

TEST_CASE("articulated bodies in the letters of the notes have the numbers of the reference vectors") {
  // oracle: 40 digits of an independent prototype: velocities, spatial accelerations and wrenches of all bodies in their frames, and the articulated
  // inertia and bias of the first
  for (const SpatialCase& c : oracle::spatial_cases()) {
    CAPTURE(c.name);
    const Linkage l = linkage_of(c);
    const Articulated found = articulated_bodies(l);
    REQUIRE(found.undecided == -1);
    std::vector<double> v, a, f;
    for (std::size_t j = 0; j < l.bodies.size(); ++j) {
      v.insert(v.end(), l.bodies[j].v.begin(), l.bodies[j].v.end());
      f.insert(f.end(), found.bodies[j].f.begin(), found.bodies[j].f.end());
      const Vec3<double> g = in_axes(l.bodies[j].frame.axes, c.tree.gravity);  // gravity is an acceleration of the ground
      std::vector<double> own = found.bodies[j].a;
      own[3] += g.x, own[4] += g.y, own[5] += g.z;
      a.insert(a.end(), own.begin(), own.end());
    }
    CHECK(apart(v, flat(c.out["v"])) < kSame);
    CHECK(apart(a, flat(c.out["a"])) < kSame);
    CHECK(apart(f, flat(c.out["f"])) < kSame);
    CHECK(apart(rows(found.bodies[0].IA), flat(c.out["IA"])) < kSame);
    CHECK(apart(found.bodies[0].pA, flat(c.out["pA"])) < kSame);
    std::vector<double> qdd = found.qdd;
    for (std::size_t k = 0; k < qdd.size(); ++k)
      if (c.active[k]) qdd[k] = c.qdd_active[k];
    CHECK(apart(qdd, flat(c.out["qdd"])) < kSame);
    CHECK(apart(found.tau, flat(c.out["tau_joint"])) < kSame);
  }
}

TEST_CASE("D of the notes is what elimination leaves of the joint-space inertia") {
  // oracle: Schur complements of H. With the passive dofs of all bodies further out eliminated, H has D where the dofs of a body meet.
  for (const SpatialCase& c : oracle::spatial_cases()) {
    CAPTURE(c.name);
    const Linkage l = linkage_of(c);
    const Articulated found = articulated_bodies(l);
    const Matrix H = composite_bodies(l).H;
    for (std::size_t j = 0; j < l.bodies.size(); ++j) {
      std::vector<int> own, further;
      for (std::size_t b = j; b < l.bodies.size(); ++b)
        for (std::size_t k = 0; k < l.bodies[b].dof.size(); ++k)
          if (!l.bodies[b].prescribed[k]) (b == j ? own : further).push_back(l.bodies[b].dof[k]);
      if (own.empty()) continue;
      Matrix left = chosen(H, own);
      const Matrix beyond = chosen(H, further);
      for (int r = 0; r < left.rows && !further.empty(); ++r) {
        std::vector<double> row;
        for (const int dof : further) row.push_back(H.at(own[static_cast<std::size_t>(r)], dof));
        const std::vector<double> solved = solve_symmetric(beyond, row);
        for (int k = 0; k < left.columns; ++k)
          for (std::size_t i = 0; i < further.size(); ++i) left.at(r, k) -= solved[i] * H.at(own[static_cast<std::size_t>(k)], further[i]);
      }
      CHECK(apart(rows(found.bodies[j].D), rows(left)) < 1e-9);
    }
  }
}

TEST_CASE("composite inertias and the null space of the notes give the joint-space inertia and bias of the reference vectors") {
  // oracle: H and C of the prototype; T square to S; G Z = 0; Z of full rank
  for (const SpatialCase& c : oracle::spatial_cases()) {
    CAPTURE(c.name);
    const Linkage l = linkage_of(c);
    const CompositeBodies composite = composite_bodies(l);
    CHECK(apart(rows(composite.H), flat(c.out["H"])) < kSame);
    CHECK(apart(composite.C, flat(c.out["C"])) < kSame);
    const NullSpaceOfTree null = null_space_of_tree(l);
    CHECK(apart(rows(null.H), flat(c.out["H"])) < kSame);
    CHECK(apart(null.C, flat(c.out["C"])) < kSame);
    CHECK(null.GZ < 1e-12);
    DenseMatrix stacked(6 * static_cast<int>(l.bodies.size()), l.dofs);
    for (std::size_t j = 0; j < l.bodies.size(); ++j) {
      CHECK(null.T[j].columns == 6 - l.bodies[j].S.columns);
      CHECK(largest(transposed_times(null.T[j], l.bodies[j].S).value) < 1e-14);
      for (int r = 0; r < 6; ++r)
        for (int k = 0; k < l.dofs; ++k) stacked.at(6 * static_cast<int>(j) + r, k) = null.Z[j].at(r, k);
    }
    CHECK(dense_rank(stacked, 1e-12).rank == l.dofs);
    // the composite inertia of a body that carries all others has the whole mass
    double mass = 0;
    for (const Link& link : c.tree.links()) mass += link.inertia.mass;
    bool chain = true;
    for (std::size_t j = 1; j < l.bodies.size(); ++j) chain = chain && l.bodies[j].parent != kGround;
    if (chain) CHECK(std::abs(composite.Ic[0].at(5, 5) - mass) < 1e-12 * mass);
  }
}

}  // namespace linkage_test
