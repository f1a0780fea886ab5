// What every planar element is made of, and what it must offer: the file an author of a new joint includes.
//
// An element is a struct template over its number type with, in this order: its name, its data, the table of `fields`, the
// residual phi (written once, on any scalar), the `scale` that turns each row into metres or radians, the place its reaction is
// `reported_at`, how it is drawn (`sketch`, if it likes), and an `example`. The Jacobian, every right-hand side and every reaction follow
// from the residual; reader, writer, docs and tests from the table.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "jounce/base/refusals.hpp"
#include "jounce/planar/fields.hpp"
#include "jounce/planar/world.hpp"

namespace jounce::planar {

/// Whether moving all bodies together leaves the residual unchanged.
enum class Invariance { rigid_motion, ground_referenced };

enum class Unit { metre, radian };

/// What a row of the residual is divided by to be metres or radians.
struct Scale {
  Unit unit{};
  double divisor = 1;
  double squared = 0;  ///< a length L when the residual is |d|² − L²: far from zero, the divisor alone would not give the distance

  /// How far apart a residual means, also far from zero.
  [[nodiscard]] double apart(double residual) const {
    if (squared > 0) return std::abs(std::sqrt(std::max(0.0, residual + squared * squared)) - squared);
    return std::abs(residual) / divisor;
  }
};

template <class... T>
constexpr auto metres(T... divisor) {
  return std::array{Scale{Unit::metre, static_cast<double>(divisor)}...};
}
/// For a residual |d|² − L².
constexpr auto squared_metres(double L) { return std::array{Scale{Unit::metre, 2 * L, L}}; }
template <class... T>
constexpr auto radians(T... divisor) {
  return std::array{Scale{Unit::radian, static_cast<double>(divisor)}...};
}

using jounce::Refusals;

/// The offset C that makes an equation "... − C = 0" hold as drawn.
template <class E>
void settle_offset(E& element, const World<double>& drawn) {
  element.offset.value = 0;
  element.offset.value = element.residual(drawn)[0];
}

/// Cosine of the angle between two directions; 1 where one of them has no length, and so no direction to be wrong about.
inline double cosine(const Vec2<double>& a, const Vec2<double>& b) {
  const double size = length(a) * length(b);
  return size > 0 ? dot(a, b) / size : 1.0;
}

/// `reported_at` names the body j on which a reaction is reported and the point its moment is taken about: a Point, or a BodyRef
/// where the force is always zero and the moment the same about every point. `is_force_at_reported`, if it is there, says that body j
/// gets nothing but a force at that point; `force_at_points`, that both bodies do at their points i and j.
template <class E>
concept Element = requires(const E& e, const World<double>& world, Refusals& because) {
  { E::type } -> std::convertible_to<std::string_view>;
  { E::summary } -> std::convertible_to<std::string_view>;
  { E::invariance } -> std::convertible_to<Invariance>;
  E::fields;
  { e.residual(world).size() } -> std::convertible_to<std::size_t>;
  { e.scale(world).size() } -> std::convertible_to<std::size_t>;
  { e.reported_at().body } -> std::convertible_to<int>;
  { E::example() } -> std::same_as<E>;
  e.refuse(because);
};

/// The number of equations, read off the residual.
template <template <class> class E>
inline constexpr int equations = static_cast<int>(std::tuple_size_v<decltype(E<double>{}.residual(World<double>{}))>);

}  // namespace jounce::planar
