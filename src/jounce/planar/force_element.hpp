// What every planar force is made of: the file an author of a new force includes.
//
// A force is a struct template over its number type that says two things: what it acts along (`measures`: a length, an angle, the
// coordinates of a point) and how strongly (`efforts`, one for each measure, positive when it increases the measure). The
// generalized force is then Q = Σ effort ∇measure, with every time derivative, and its power Σ effort · rate; no gradient and no
// rate is written by hand. A spring is its length and its tension.
//
// A force that keeps energy says how much (`potential`, of its measures), and what of its efforts does not come from there (`lost`, with the
// arguments of `efforts` less the places; linear in rates and signal, so that it holds for every coefficient of a series). Without `potential`
// all of its power counts as work from outside, without `lost` none of it.
//
// What only the running program knows of a law, an expression of the user's, dry friction, enters `efforts` as one number, the
// `signal` (laws/signal.hpp).
#pragma once

#include "jounce/laws/spring.hpp"
#include "jounce/planar/element.hpp"

namespace jounce::planar {

/// What a force may use beside the places of the bodies: its measures, their rates, and its signal.
template <class T, std::size_t N>
struct ForceInput {
  std::array<T, N> x{};
  std::array<T, N> rate{};
  T signal{};
};

/// What a force is for the one who reads results.
enum class ForceKind {
  given,        ///< a function of time
  extension,    ///< acts along a length: columns l, v, f
  rotation,     ///< acts along an angle: columns theta, omega, torque
  drive,        ///< turns a body against another: columns theta, omega, torque, power
  compliance,   ///< holds a body at another in every direction: columns fx, fy, torque on the second, in ground axes
  friction,     ///< of a joint: its column friction
};

using laws::kFrictionSpeed;

template <class F>
concept ForceElement = requires(const F& f, const World<double>& world, Refusals& because) {
  { F::type } -> std::convertible_to<std::string_view>;
  { F::summary } -> std::convertible_to<std::string_view>;
  { F::kind } -> std::convertible_to<ForceKind>;
  F::fields;
  { f.measures(world).size() } -> std::convertible_to<std::size_t>;
  { F::example() } -> std::same_as<F>;
  f.refuse(because);
};

/// The number of measures, read off the function.
template <template <class> class F>
inline constexpr int measure_count = static_cast<int>(std::tuple_size_v<decltype(F<double>{}.measures(World<double>{}))>);

}  // namespace jounce::planar
