// Oracle: the residual template evaluated directly on power series and dual numbers. The engine does not: it records the
// residual on symbols and runs kernels over four elements at a time. Two routes from one formula must meet.
#include <doctest/doctest.h>

#include <string>

#include "element_test.hpp"
#include "jounce/expr/expression.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"

namespace kernels_test {

using namespace jounce;
using namespace jounce::test;

namespace {

constexpr int K = 12;
constexpr double kTime = 0.4;
// Sums of up to 13 products of 13 terms, relative to the largest coefficient that enters.
constexpr double kSameNumber = 1e-12;

struct Place {  // gives the slots of an element their bodies, and its motion its number
  const std::vector<int>& bodies;
  int motion_number;
  std::size_t next = 0;
  void number(double) const {}
  void slot(int& body) { body = bodies[next++]; }
  void motion(int& m) const { m = motion_number; }
};

TimeFunction wave(int number) {
  Scope scope;
  scope.variables = {"t"};
  const std::string w = std::to_string(1.1 + 0.2 * number);
  auto parsed = Expression::parse("0.9 + 0.3*sin(" + w + "*t) + 0.2*t", scope);
  REQUIRE(parsed.ok());
  return TimeFunction(*std::move(parsed));
}

// One system of elements of one type, with the motion of every body, and the same through the template.
template <template <class> class E>
struct Bench {
  int bodies;
  std::vector<E<double>> elements;
  std::vector<TimeFunction> functions;
  PlanarSystem system;  // made from the two above
  std::vector<std::array<Series<K>, 3>> q;  // body 0, the ground, stays 0

  // assign(e, s): the body of slot s of element e
  template <class Assign>
  Bench(Random& random, int count, int body_count, Assign assign)
      : bodies(body_count), system([&] {
          PlanarSystem::Builder builder(body_count);
          for (int e = 0; e < count; ++e) {
            std::vector<int> slots;
            for (int s = 0; s < Batch<E>::K::kSlots; ++s) slots.push_back(assign(e, s));
            functions.push_back(wave(e));
            auto element = varied<E<double>>(random);
            p::walk(element, Place{slots, builder.add(PrescribedMotion{functions.back(), "d", {}, false})});
            elements.push_back(element);
            builder.template add<E>(element, Constraint{.name = "c" + std::to_string(e), .group = p::Group::joint, .type = E<double>::type});
          }
          return builder.finish();
        }()) {
    q.resize(static_cast<std::size_t>(body_count) + 1);
    for (std::size_t b = 1; b < q.size(); ++b) q[b] = random_motion<K>(random).q[0];
  }

  [[nodiscard]] std::vector<double> coefficient(int k) const {
    std::vector<double> out;
    for (std::size_t b = 1; b < q.size(); ++b)
      for (std::size_t c = 0; c < 3; ++c) out.push_back(q[b][c][k]);
    return out;
  }
  // The template on series, q_blank left out.
  [[nodiscard]] std::vector<Series<K>> direct(int blank) const {
    std::vector<p::Frame<Series<K>>> frames;
    for (auto body : q) {
      if (blank > 0)
        for (auto& x : body) x[blank] = 0;
      frames.push_back(frame(body[0], body[1], body[2]));
    }
    std::vector<Series<K>> motions(functions.size());
    for (std::size_t m = 0; m < functions.size(); ++m) REQUIRE(!functions[m].evaluate(Series<K>::time(kTime), motions[m]));
    std::vector<Series<K>> out;
    for (const auto& element : elements)
      for (const auto& row : element.residual(p::World<Series<K>>{frames, motions})) out.push_back(row);
    return out;
  }
};

std::vector<std::vector<double>> dense(const SparsePattern& p, std::span<const double> values) {
  std::vector<std::vector<double>> out(static_cast<std::size_t>(p.rows), std::vector<double>(static_cast<std::size_t>(p.columns), 0.0));
  for (std::size_t c = 0; c < static_cast<std::size_t>(p.columns); ++c)
    for (int e = p.start[c]; e < p.start[c + 1]; ++e) out[static_cast<std::size_t>(p.row[static_cast<std::size_t>(e)])][c] = values[static_cast<std::size_t>(e)];
  return out;
}

template <template <class> class E>
void check_against_template(const Bench<E>& bench, int order) {
  Evaluation evaluation(bench.system, order);
  REQUIRE(!evaluation.set_time(kTime));
  const auto direct = bench.direct(0);
  const auto phi = evaluation.set_position(bench.coefficient(0));
  REQUIRE(phi.size() == direct.size());
  for (std::size_t row = 0; row < phi.size(); ++row) REQUIRE(std::abs(phi[row] - direct[row][0]) <= kSameNumber * 10);

  // Jacobian: one dual direction at a time
  const auto matrix = dense(bench.system.pattern(), evaluation.jacobian());
  for (std::size_t column = 0; column < static_cast<std::size_t>(bench.system.coordinates()); ++column) {
    using T = Dual<1>;
    std::vector<p::Frame<T>> frames;
    for (std::size_t b = 0; b < bench.q.size(); ++b) {
      std::array<T, 3> x;
      for (std::size_t c = 0; c < 3; ++c) x[c] = b > 0 && 3 * (b - 1) + c == column ? T::variable(bench.q[b][c][0], 0) : T(bench.q[b][c][0]);
      frames.push_back(frame(x[0], x[1], x[2]));
    }
    std::vector<T> motions;
    for (std::size_t m = 0; m < bench.functions.size(); ++m) motions.emplace_back(evaluation.motion(static_cast<int>(m), 0));
    std::size_t r = 0;
    for (const auto& element : bench.elements)
      for (const T& row : element.residual(p::World<T>{frames, motions})) REQUIRE(std::abs(matrix[r++][column] - row.d[0]) <= kSameNumber * 10);
  }

  for (int k = 1; k <= order; ++k) {
    const auto right = evaluation.open(k);
    const auto expected = bench.direct(k);
    for (std::size_t row = 0; row < right.size(); ++row) {
      double scale = 1;
      for (int i = 0; i <= k; ++i) scale = std::max(scale, std::abs(expected[row][i]));
      CAPTURE(k);
      REQUIRE(std::abs(right[row] - expected[row][k]) <= kSameNumber * 10 * scale);
    }
    evaluation.close(k, bench.coefficient(k));
  }
}

}  // namespace

TEST_CASE("kernels give the residual, the Jacobian and every coefficient that the template gives, up to order 12") {
  // oracle: the template on Series<12> and Dual<1>
  Random random;
  p::for_each_type(p::Constraints{}, [&]<template <class> class E>(p::Type<E>) {
    CAPTURE(E<double>::type);
    for (int i = 0; i < 20; ++i) {
      const Bench<E> bench(random, 1, 3, [](int, int s) { return s + 1; });
      check_against_template(bench, K);
      check_against_template(bench, 4);
      check_against_template(bench, 1);
    }
  });
}

TEST_CASE("one to nine elements of a type in one system are the same as each alone") {
  // oracle: the template, element by element; the lanes of four and their filled-up remainders must not mix
  Random random;
  p::for_each_type(p::Constraints{}, [&]<template <class> class E>(p::Type<E>) {
    CAPTURE(E<double>::type);
    for (int count = 1; count <= 9; ++count) {
      CAPTURE(count);
      check_against_template(Bench<E>(random, count, 3 * count, [](int e, int s) { return 3 * e + s + 1; }), 6);
    }
  });
}

TEST_CASE("a body of the ground adds no columns and stays at zero") {
  // oracle: the template with the ground's coordinates 0
  Random random;
  p::for_each_type(p::Constraints{}, [&]<template <class> class E>(p::Type<E>) {
    CAPTURE(E<double>::type);
    for (int grounded = 0; grounded < Batch<E>::K::kSlots; ++grounded)
      check_against_template(Bench<E>(random, 3, 9, [&](int e, int s) { return s == grounded ? 0 : 3 * e + s + 1; }), 6);
  });
}

TEST_CASE("an element with one body in two roles adds its Jacobian blocks") {
  // oracle: the template; a coordinate joint may tie x and phi of one body (spec 3.9)
  Random random;
  p::for_each_type(p::Constraints{}, [&]<template <class> class E>(p::Type<E>) {
    CAPTURE(E<double>::type);
    check_against_template(Bench<E>(random, 5, 5, [](int e, int) { return e + 1; }), 6);
  });
}

TEST_CASE("elements that share bodies share columns of the Jacobian") {
  // oracle: the template; a chain of seven elements on four bodies
  Random random;
  p::for_each_type(p::Constraints{}, [&]<template <class> class E>(p::Type<E>) {
    CAPTURE(E<double>::type);
    check_against_template(Bench<E>(random, 7, 4, [](int e, int s) { return (e + 2 * s) % 5; }), 4);
  });
}

}  // namespace kernels_test
