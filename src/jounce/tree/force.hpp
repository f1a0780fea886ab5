// What every force of space is made of: the file an author of a new force includes.
//
// A force is a struct with its data and the table `fields`, from which follow reader, schema, `jounce types`, the reference page and
// the binder, and one function, `act`: what it does at an instant, on numbers of any kind. For `act` a stage is set:
//
//   stage.t                          the time, a number; clock_at<Scalar>(stage.t) is what a law of time takes
//   stage.quantities                 those of the state that some load of the mechanism uses (laws/load_function.hpp)
//   stage.direction                  of dry friction with the exact sign: −1, 0 or 1, or laws::kSignOfRate
//   stage.place(point or body)       a Place: where it is, how fast, and the axes and the spin of its body
//   stage.push(place, load)          puts a force at that place, and a moment, on its body
//   stage.pull(i, j, d, l, f)        draws two places together with a tension f along d = p_j − p_i, of length l
//   stage.keep(energy, growth)       potential energy, and how fast it grows: what push and pull do beyond that is work from outside
//   stage.show({...})                the numbers of its `columns` (base/column_endings.hpp)
//
// What a force may offer beside: `given` (a load whose components the model gives), `settle` (what follows from its data), `refuse`,
// `is_conservative`, `is_internal` (acts between moving bodies, with nothing outside), `dry_friction` and `needs_a_line` (of a strut from i to j), and `sketch`. Without
// them it takes energy and momentum in and out, and is drawn where its body is.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <span>
#include <tuple>
#include <type_traits>

#include "jounce/base/column_endings.hpp"
#include "jounce/base/fields.hpp"
#include "jounce/base/refusals.hpp"
#include "jounce/base/vocabulary.hpp"
#include "jounce/laws/load_function.hpp"
#include "jounce/tree/recursions/workspace.hpp"

namespace jounce::tree {

// ---- what its members may be --------------------------------------------------------------------------------------------

/// A point of a body, in the body's frame. Body 0 is the ground.
struct BodyPoint {
  int body = 0;
  Vec3<double> p;
};

struct BodyRef {
  int body = 0;
};

/// A point of a body with axes of its own, in the body's frame.
struct BodyFrame {
  int body = 0;
  Frame<double> frame;

  [[nodiscard]] BodyPoint point() const { return {body, frame.origin}; }
};

/// Along three axes, then about them.
using Six = std::array<double, 6>;

/// A direction in the axes of a body, of unit length.
struct Direction {
  Vec3<double> along{0, 0, 1};
};

/// The file of a table that says how a force depends on something; empty: left out.
struct Curve {
  std::string path;
};

/// Whose axes components are in.
enum class Axes { ground, body };

/// Components that are functions of time, or of time and the state.
template <std::size_t N>
using Components = std::array<laws::LoadFunction, N>;

/// A length without force. Left out it is 0, which only a spring without stiffness may be.
struct FreeLength {
  double value = 0;
};

/// The user's own law, an expression of the force's measure, its rate, t and quantities of the state; none: left out.
using Law = std::optional<laws::StateExpression>;

constexpr Form form_of(const BodyPoint&) { return Form::point; }
constexpr Form form_of(const BodyFrame&) { return Form::point; }
constexpr Form form_of(const Six&) { return Form::six; }
constexpr Form form_of(const Direction&) { return Form::triple; }
inline Form form_of(const Curve&) { return Form::table; }
constexpr Form form_of(const BodyRef&) { return Form::body; }
constexpr Form form_of(Axes) { return Form::frame; }
constexpr Form form_of(const Components<3>&) { return Form::vector_in_space; }
constexpr Form form_of(const Components<6>&) { return Form::wrench; }
constexpr Form form_of(double) { return Form::number; }
constexpr Form form_of(const FreeLength&) { return Form::number; }
constexpr Form form_of(const Law&) { return Form::law; }

// ---- what it says -------------------------------------------------------------------------------------------------------

/// Why a force has no value, without its name and the time; nothing: it has one.
using Trouble = std::optional<std::string>;

/// A point of a body at an instant, in ground axes.
template <class T>
struct Place {
  int body = 0;
  Vec3<T> position, velocity;
  Mat3<T> axes;     ///< of the body
  Vec3<T> spin{};  ///< of the body
};

/// The quantities of the state that loads of a mechanism use.
template <class T>
using Quantities = std::type_identity_t<std::span<const T>>;

/// The three components from `first` on at the time t, in ground axes.
template <class T, std::size_t N>
Trouble at_time(const Components<N>& value, std::size_t first, Axes frame, const Mat3<T>& axes, double t, Quantities<T> quantities, Vec3<T>& out) {
  std::array<T, 3> now{};
  for (std::size_t k = 0; k < 3; ++k)
    if (auto fault = value[first + k].evaluate(t, quantities, now[k])) return "value: " + fault->sentence;
  const Vec3<T> written{now[0], now[1], now[2]};
  out = frame == Axes::body ? axes * written : written;
  return std::nullopt;
}

}  // namespace jounce::tree
