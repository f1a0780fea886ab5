// An equation that a user writes, at an instant and on any scalar: the plain road beside plane/equations/equation_batch.hpp, for what asks for derivatives and
// for what checks it.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "jounce/base/index.hpp"
#include "jounce/planar/equation.hpp"

namespace jounce::direct {

/// t, then its quantities and the place of a contact, with the places x, y, phi of its bodies in their order.
template <class T>
std::vector<T> variables(const planar::EquationLaw& law, const T& t, std::span<const std::array<T, 3>> places) {
  std::vector<T> out{t};
  const std::array<T, 3> none{};
  for (std::size_t i = 0; i < law.quantities.size(); ++i)
    out.push_back(law.quantities[i].at(law.slot[i] < 0 ? none : places[z(law.slot[i])], none));
  if (law.contact) out.emplace_back(), law.contact->locate(out);
  return out;
}

/// Its residual; not a number where it has none.
template <class T>
T residual(const planar::EquationLaw& law, const T& t, std::span<const std::array<T, 3>> places) {
  T out{};
  const std::vector<T> at = variables(law, t, places);
  if (law.phi.evaluate(std::span<const T>(at), out)) return T(std::numeric_limits<double>::quiet_NaN());
  return out;
}

/// Its derivatives by x, y, phi of each of its bodies.
template <class T>
std::vector<std::array<T, 3>> gradient(const planar::EquationLaw& law, const T& t, std::span<const std::array<T, 3>> places) {
  const std::vector<T> at = variables(law, t, places);
  std::vector<std::array<T, 3>> out(law.bodies.size());
  for (std::size_t i = 0; i < law.quantities.size(); ++i) {
    if (law.slot[i] < 0) continue;
    T g{};
    if (law.by_quantity[i].evaluate(std::span<const T>(at), g)) g = T(std::numeric_limits<double>::quiet_NaN());
    const planar::StateQuantity& u = law.quantities[i];
    std::array<T, 3>& own = out[z(law.slot[i])];
    if (u.pick == 2) {
      own[2] += g;
      continue;
    }
    const auto turn = sincos(places[z(law.slot[i])][2]);
    own[z(u.pick)] += g;
    own[2] += u.pick == 0 ? g * (turn.sin * -u.p.x - turn.cos * u.p.y) : g * (turn.cos * u.p.x - turn.sin * u.p.y);
  }
  return out;
}

/// ∂phi/∂t at these places.
template <class T>
T by_time(const planar::EquationLaw& law, const T& t, std::span<const std::array<T, 3>> places) {
  T out{};
  const std::vector<T> at = variables(law, t, places);
  if (law.by_time.evaluate(std::span<const T>(at), out)) return T(std::numeric_limits<double>::quiet_NaN());
  return out;
}

/// The places of its bodies out of all coordinates; `make(column)` gives one of them.
template <class T, class Make>
std::vector<std::array<T, 3>> places_of(const planar::EquationLaw& law, const Make& make) {
  std::vector<std::array<T, 3>> out;
  for (const int body : law.bodies) out.push_back({make(3 * (body - 1)), make(3 * (body - 1) + 1), make(3 * (body - 1) + 2)});
  return out;
}

}  // namespace jounce::direct

namespace jounce {

class PlanarSystem;

/// What equations of the user's that depend on t bring in: λ ∂phi/∂t.
[[nodiscard]] double power_of_own_equations(const PlanarSystem& system, double t, std::span<const double> q, std::span<const double> lambda);

}  // namespace jounce
