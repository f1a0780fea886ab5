// Every force type of space. One line per type; the order is the order of `jounce types` and of the reference. Nothing else names them.
#pragma once

#include <algorithm>
#include <span>
#include <variant>
#include <vector>

#include "jounce/tree/forces/bushing.hpp"
#include "jounce/tree/forces/force.hpp"
#include "jounce/tree/forces/moment.hpp"
#include "jounce/tree/forces/motor.hpp"
#include "jounce/tree/forces/spring.hpp"
#include "jounce/tree/forces/wrench.hpp"

namespace jounce::tree {

/// A force of any type.
using AnyForce = std::variant<forces::Force,   //
                              forces::Moment,  //
                              forces::Wrench,  //
                              forces::Spring,  //
                              forces::Motor,   //
                              forces::Bushing>;

namespace detail {
template <class Any>
inline constexpr std::size_t most_columns = 0;
template <class... F>
inline constexpr std::size_t most_columns<std::variant<F...>> = std::max({F::columns.size()...});
}  // namespace detail

/// The numbers of a force's columns; those behind them are not used.
template <class T>
using ForceReading = std::array<T, detail::most_columns<AnyForce>>;

/// A force type as a value.
struct ForceType {
  std::string_view type, summary;
  std::vector<FieldInfo> fields;
  AnyForce blank;  ///< without data
};
[[nodiscard]] std::span<const ForceType> force_types();
/// Null for a name that is none.
[[nodiscard]] const ForceType* find_force_type(std::string_view type);

[[nodiscard]] std::string_view type_of(const AnyForce& force);
/// No energy is taken out or in.
[[nodiscard]] bool is_conservative(const AnyForce& force);
/// Acts between moving bodies only, and keeps their momentum.
[[nodiscard]] bool is_internal(const AnyForce& force);
/// What acts along the line between two points.
struct Strut {
  BodyPoint i, j;
  double friction = 0;        ///< dry, with the exact sign of the rate
  bool needs_a_line = false;  ///< there is no force where the two points are one
};
/// Nothing of a force of another kind.
[[nodiscard]] std::optional<Strut> strut_of(const AnyForce& force);
/// The bodies in the order of its fields; 0 is the ground.
[[nodiscard]] std::vector<int> bodies(const AnyForce& force);
/// The body whose axes its components may be in: the last of its bodies.
[[nodiscard]] int carrier(const AnyForce& force);

/// Of a load whose components the model gives: what it is at t, in ground axes. `axes` are those of its carrier. False: a force of
/// another kind, or one that has no value then.
[[nodiscard]] bool given(const AnyForce& force, double t, const Mat3<double>& axes, std::span<const double> quantities, Wrench<double>& out);
/// The numbers of its columns: those of a given load at t, else what it showed when it acted last.
template <class F>
std::array<double, F::columns.size()> shown(const F& force, double t, const Mat3<double>& axes, std::span<const double> quantities,
                                            const ForceReading<double>& acted) {
  if constexpr (requires(Wrench<double>& load) { force.given(t, axes, quantities, load); }) {
    Wrench<double> load;
    return force.given(t, axes, quantities, load) ? F::shown({}) : F::shown(load);
  } else {
    std::array<double, F::columns.size()> out{};
    std::copy_n(acted.begin(), out.size(), out.begin());
    return out;
  }
}

/// Calls `visit(field, member)` for every field of a force.
template <class Force, class Visit>
void each_field(Force&& force, const Visit& visit) {
  std::apply([&](const auto&... field) { (visit(field, force.*(field.member)), ...); }, std::decay_t<Force>::fields);
}

/// Every function of time and of the state of a force, and every law of a measure, its rate, t and the state.
template <class OnFunction, class OnLaw>
void each_function(const AnyForce& any, const OnFunction& on_function, const OnLaw& on_law) {
  std::visit(
      [&](const auto& force) {
        each_field(force, [&]<class Member>(const auto&, const Member& member) {
          if constexpr (std::is_same_v<Member, Law>) {
            if (member) on_law(*member);
          } else if constexpr (requires { member[0].is_constant(); }) {
            for (const laws::LoadFunction& function : member) on_function(function);
          }
        });
      },
      any);
}

}  // namespace jounce::tree
