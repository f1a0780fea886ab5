// One element at a time, its template evaluated on whatever scalar the caller chooses.
//
// Dual numbers give derivatives, series give motions, and both together the rate of a gradient. The kernels of planar/ are the
// fast road for the analyses; this is the plain one, for what asks for something else and for what checks them.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>

#include "jounce/base/index.hpp"
#include "jounce/planar/tape.hpp"
#include "jounce/scalar/dual.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce::direct {

/// A copy of an element whose bodies are numbered 0, 1, … in the order of its fields, so that a body that appears twice has two
/// places, and its functions of time likewise. `Source` is its tape: ResidualOf<Revolute>, MeasuresOf<Spring>, …
template <class Source, class E>
struct Local {
  static constexpr int kSlots = Source::tape.slots;
  static constexpr int kMotions = Source::tape.motions;

  E element;
  std::array<int, z(kSlots)> bodies{};    ///< of the system; 0 is the ground
  std::array<int, z(kMotions)> motions{};  ///< of the system

  explicit Local(const E& of) : element(of) { planar::walk(element, Renumber{bodies.data(), motions.data()}); }

  /// Coordinate c of slot s in a list of the system's coordinates, or −1 for the ground, which has none.
  [[nodiscard]] int column(int s, int c) const { return bodies[z(s)] == 0 ? -1 : 3 * (bodies[z(s)] - 1) + c; }

 private:
  struct Renumber {
    int *body, *function;
    int slots = 0, functions = 0;
    void number(double) const {}
    void slot(int& index) { body[slots] = index, index = slots++; }
    void motion(int& index) { function[functions] = index, index = functions++; }
  };
};

template <template <class> class E>
using LocalConstraint = Local<planar::ResidualOf<E>, E<double>>;
template <template <class> class F>
using LocalForce = Local<planar::MeasuresOf<F>, F<double>>;

template <class T>
planar::Frame<T> frame(const T& x, const T& y, const T& phi) {
  const auto turn = sincos(phi);
  return {x, y, turn.cos, turn.sin, phi};
}

/// Where bodies with these coordinates are: x, y, phi of one after the other.
template <class T, std::size_t N>
std::array<planar::Frame<T>, N / 3> frames(const std::array<T, N>& q) {
  std::array<planar::Frame<T>, N / 3> out;
  for (std::size_t s = 0; s < N / 3; ++s) out[s] = frame(q[3 * s], q[3 * s + 1], q[3 * s + 2]);
  return out;
}

/// The same coordinates as independent variables: what is computed from them carries its gradient.
template <class T, std::size_t N>
std::array<Dual<static_cast<int>(N), T>, N> variables(const std::array<T, N>& q) {
  std::array<Dual<static_cast<int>(N), T>, N> out;
  for (std::size_t i = 0; i < N; ++i) out[i] = Dual<static_cast<int>(N), T>::variable(q[i], static_cast<int>(i));
  return out;
}

/// The equations of a constraint (numbered locally), each with its gradient.
template <class E, class T, std::size_t N, std::size_t M>
auto equations(const E& element, const std::array<T, N>& q, const std::array<T, M>& motions) {
  using D = Dual<static_cast<int>(N), T>;
  const auto places = frames(variables(q));
  std::array<D, M> given;
  for (std::size_t m = 0; m < M; ++m) given[m] = D(motions[m]);
  return element.residual(planar::World<D>{places, given});
}

/// What a force has beside the places and rates of its bodies.
template <class T, std::size_t M>
struct Circumstance {
  T t{};
  std::array<T, M> motions{};            ///< the values of its functions of time
  const ForceSignal* signal = nullptr;   ///< null: none
  double direction = 0;                  ///< of exact dry friction: −1, 0 or 1; NaN: the sign of the rate
  double shortest = 0;                   ///< a length that is no longer has no direction
  std::span<const T> quantities{};       ///< of the state, in the order of the system's list
  T added{};                             ///< to the signal
  T load{};                              ///< that friction of a joint grows with
};

using laws::kSignOfRate;
/// Of the length scale of the system.
inline constexpr double kShortest = 1e-9;

/// A force at work: along what, how fast, how strongly, and the generalized force of its slots.
template <template <class> class F, class T>
struct Applied {
  static constexpr int kMeasures = planar::measure_count<F>;
  static constexpr int kColumns = 3 * LocalForce<F>::kSlots;

  std::array<T, z(kMeasures)> x{}, rate{}, effort{};
  std::array<T, z(kColumns)> Q{};
  T signal{};
};

/// The efforts that no potential energy accounts for.
template <template <class> class F, class T, std::size_t N>
std::array<T, N> from_outside(const F<double>& element, const planar::ForceInput<T, N>& input, const std::array<T, N>& efforts) {
  if constexpr (requires { element.lost(input); }) return element.lost(input);
  else if constexpr (requires { element.potential(input.x); }) return {};
  else return efforts;
}

template <template <class> class F, class T>
double power_from_outside(const F<double>& element, const Applied<F, T>& at) {
  const auto efforts = from_outside<F>(element, planar::ForceInput<T, z(Applied<F, T>::kMeasures)>{at.x, at.rate, at.signal}, at.effort);
  double sum = 0;
  for (std::size_t m = 0; m < efforts.size(); ++m) sum += value_of(efforts[m]) * value_of(at.rate[m]);
  return sum;
}

/// A force (numbered locally) at coordinates q and rates v of its slots.
template <template <class> class F, class T, std::size_t N, std::size_t M>
std::optional<ExpressionFault> apply(const F<double>& element, const std::array<T, N>& q, const std::array<T, N>& v,
                           const Circumstance<T, M>& at, Applied<F, T>& out) {
  using D = Dual<static_cast<int>(N), T>;
  constexpr std::size_t measures = z(Applied<F, T>::kMeasures);
  constexpr bool has_a_line = F<double>::kind == planar::ForceKind::extension && measures == 1;
  const auto moving = frames(variables(q));
  const auto measured = element.measures(planar::World<D>{moving, {}});
  planar::ForceInput<T, measures> input;
  for (std::size_t m = 0; m < measures; ++m) {
    input.x[m] = measured[m].v;
    for (std::size_t i = 0; i < N; ++i) input.rate[m] += measured[m].d[i] * v[i];
  }
  if (has_a_line && !(value_of(input.x[0]) > at.shortest)) return ExpressionFault{laws::kNoLineOfAction, 0};
  if (at.signal != nullptr)
    if (auto fault = at.signal->add_to(input.signal, at.direction, input.x[0], input.rate[0], at.t, at.quantities)) return fault;
  if (at.signal != nullptr && at.signal->reaction >= 0) input.signal = input.signal * at.load;
  input.signal += at.added;
  const auto places = frames(q);
  out.x = input.x;
  out.rate = input.rate;
  out.signal = input.signal;
  out.effort = element.efforts(planar::World<T>{places, at.motions}, input);
  for (std::size_t i = 0; i < N; ++i) {
    out.Q[i] = T(0.0);
    for (std::size_t m = 0; m < measures; ++m) out.Q[i] += out.effort[m] * measured[m].d[i];
  }
  return std::nullopt;
}

/// The quantities of the state that forces depend on, from coordinates and rates of all bodies.
template <class T>
void quantities(const PlanarSystem& system, std::span<const T> q, std::span<const T> v, std::vector<T>& out) {
  out.resize(system.quantities().size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    const planar::StateQuantity& of = system.quantities()[k];
    std::array<T, 3> place{}, speed{};
    for (std::size_t c = 0; c < 3 && of.body > 0; ++c) place[c] = q[3 * z(of.body - 1) + c], speed[c] = v[3 * z(of.body - 1) + c];
    out[k] = of.at(place, speed);
  }
}

/// What one reads of a force that acts along a length or an angle: that, its rate, and the tension or torque.
template <class T>
struct Reading {
  T x{}, rate{}, effort{};
};

/// Of a force along one measure, or along the two components of a vector whose length then is the measure.
template <class T, std::size_t measures>
Reading<T> reading(const std::array<T, measures>& x, const std::array<T, measures>& rate, const std::array<T, measures>& effort) {
  if constexpr (measures == 1 || measures == 3) {  // of a force that holds in every direction its first: its columns are found otherwise
    return {x[0], rate[0], -effort[0]};
  } else {
    static_assert(measures == 2);
    const T square = x[0] * x[0] + x[1] * x[1];
    if (value_of(square) == 0) {  // where the ends meet the length can only grow
      const T speed = rate[0] * rate[0] + rate[1] * rate[1];
      return {T(0.0), value_of(speed) == 0 ? T(0.0) : T(sqrt(speed)), T(0.0)};
    }
    const T length = sqrt(square);
    return {length, (x[0] * rate[0] + x[1] * rate[1]) / length, -(x[0] * effort[0] + x[1] * effort[1]) / length};
  }
}

}  // namespace jounce::direct
