// What the tests of this rung share: seeded random motions, worlds on any scalar, and elements with other numbers than their example.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "jounce/planar/registry.hpp"
#include "jounce/planar/tape.hpp"
#include "jounce/scalar/dual.hpp"
#include "jounce/scalar/series.hpp"

namespace jounce::test {

namespace p = jounce::planar;

inline constexpr int kSlots = 3;   // the most bodies an element has
inline constexpr int kStates = 200;

// Some hundred roundings in numbers of size 1 to 10, for coefficients up to snap.
inline constexpr double kRoundOff = 1e-12;

struct Random {
  std::mt19937 engine{20250717};
  double between(double low, double high) { return low + (high - low) * (double(engine()) / double(std::mt19937::max())); }
  int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }
};

/// Taylor coefficients of x, y, phi of every body and of one prescribed function.
template <int K>
struct RandomMotion {
  std::array<std::array<Series<K>, 3>, kSlots> q;
  Series<K> f;
};

template <int K>
RandomMotion<K> random_motion(Random& random) {
  RandomMotion<K> m;
  const auto fill = [&](Series<K>& s, double size) {
    for (int k = 0; k <= K; ++k, size *= 0.7) s[k] = random.between(-size, size);
  };
  for (auto& body : m.q) fill(body[0], 2), fill(body[1], 2), fill(body[2], 3);
  fill(m.f, 1);
  m.f[0] = random.between(0.3, 2);  // a distance is positive
  return m;
}

template <class T>
p::Frame<T> frame(const T& x, const T& y, const T& phi) {
  const auto turn = sincos(phi);
  return {x, y, turn.cos, turn.sin, phi};
}

/// The residual of an element whose bodies are the slots themselves, on any scalar.
template <class E, class T>
std::vector<T> residual(const E& element, const std::array<std::array<T, 3>, kSlots>& q, const T& f) {
  std::array<p::Frame<T>, kSlots> frames;
  for (std::size_t b = 0; b < kSlots; ++b) frames[b] = frame(q[b][0], q[b][1], q[b][2]);
  const std::array<T, 1> motions{f};
  std::vector<T> out;
  for (const auto& row : element.residual(p::World<T>{frames, motions})) out.push_back(row);
  return out;
}

using Position = std::array<std::array<double, 3>, kSlots>;

template <int K>
Position position(const RandomMotion<K>& m) {
  Position q{};
  for (std::size_t b = 0; b < kSlots; ++b)
    for (std::size_t c = 0; c < 3; ++c) q[b][c] = m.q[b][c][0];
  return q;
}

/// Φq: [row][3 · slot + coordinate], by dual numbers.
template <class E>
std::vector<std::array<double, 3 * kSlots>> jacobian(const E& element, const Position& q, double f) {
  using T = Dual<3 * kSlots>;
  std::array<std::array<T, 3>, kSlots> x;
  for (std::size_t b = 0; b < kSlots; ++b)
    for (std::size_t c = 0; c < 3; ++c) x[b][c] = T::variable(q[b][c], static_cast<int>(3 * b + c));
  std::vector<std::array<double, 3 * kSlots>> out;
  for (const T& row : residual(element, x, T(f))) out.push_back(row.d);
  return out;
}

struct Vary {
  Random& random;
  void number(double& x) { x = x * random.between(0.6, 1.5) + 1e-3; }
  void slot(int&) const {}
  void motion(int&) const {}
};

/// The example with every one of its numbers changed.
template <class E>
E varied(Random& random) {
  E element = E::example();
  p::walk(element, Vary{random});
  return element;
}

inline double largest(const std::vector<double>& v) {
  double most = 1;
  for (const double x : v) most = std::max(most, std::abs(x));
  return most;
}

}  // namespace jounce::test
