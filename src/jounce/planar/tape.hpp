// A residual, written down as the list of its operations.
//
// The residual of an element type is run once, by the compiler, with a Symbol in place of a number. What it leaves behind is a
// Tape: a constant list of some thirty operations from which kernel.hpp unrolls straight-line code for the residual, its
// Jacobian and every Taylor coefficient. The author of a joint sees none of this.
//
// The leaves are not the coordinates but x, y, cos phi, sin phi and phi of each body: in these, planar residuals are almost
// always linear or bilinear.
#pragma once

#include <array>

#include "jounce/planar/fields.hpp"
#include "jounce/planar/force_element.hpp"
#include "jounce/planar/world.hpp"

namespace jounce::planar {

enum class Op : unsigned char { parameter, number, leaf, motion, add, subtract, multiply, divide, root };

inline constexpr int kLeaves = 5;  ///< x, y, cos, sin, phi
inline constexpr int kLeafX = 0, kLeafY = 1, kLeafCos = 2, kLeafSin = 3, kLeafPhi = 4;

struct Node {
  Op op{};
  int a = -1, b = -1;  ///< operands; for a leaf: body slot and which; for a parameter or motion: its number
  double number = 0;
  friend constexpr bool operator==(const Node&, const Node&) = default;
};

struct Tape {
  static constexpr int kCapacity = 96;
  std::array<Node, kCapacity> node{};
  int size = 0;
  std::array<int, 4> output{};
  int outputs = 0;
  int parameters = 0;
  int slots = 0;
  int motions = 0;

  /// Appends an operation, or finds the identical one that is there already.
  constexpr int add(const Node& n) {
    for (int i = 0; i < size; ++i)
      if (node[static_cast<std::size_t>(i)] == n) return i;
    node[static_cast<std::size_t>(size)] = n;  // over capacity: a compile-time error, since the tape is recorded then
    return size++;
  }
  [[nodiscard]] constexpr const Node& operator[](int i) const { return node[static_cast<std::size_t>(i)]; }
};

/// A number that remembers how it was made.
struct Symbol {
  Tape* tape = nullptr;  ///< null for a plain number
  int index = -1;
  double number = 0;

  constexpr Symbol() = default;
  constexpr Symbol(double x) : number(x) {}
  constexpr Symbol(Tape* t, int i) : tape(t), index(i) {}

  [[nodiscard]] constexpr int on(Tape& t) const { return tape != nullptr ? index : t.add({Op::number, -1, -1, number}); }
  static constexpr Symbol apply(Op op, const Symbol& a, const Symbol& b) {
    Tape& t = a.tape != nullptr ? *a.tape : *b.tape;
    const int ia = a.on(t), ib = b.on(t);
    return {&t, t.add({op, ia, ib})};
  }
  friend constexpr Symbol operator+(const Symbol& a, const Symbol& b) { return apply(Op::add, a, b); }
  friend constexpr Symbol operator-(const Symbol& a, const Symbol& b) { return apply(Op::subtract, a, b); }
  friend constexpr Symbol operator*(const Symbol& a, const Symbol& b) { return apply(Op::multiply, a, b); }
  friend constexpr Symbol operator/(const Symbol& a, const Symbol& b) { return apply(Op::divide, a, b); }
  friend constexpr Symbol sqrt(const Symbol& a) { return {a.tape, a.tape->add({Op::root, a.index})}; }
};

/// Walks the numbers and body slots of an element in the order of its fields; recorder and batches share this order.
template <class Visitor>
struct Walk {
  Visitor& visit;

  template <class R>
  constexpr void operator()(Vec2<R>& v) const {
    visit.number(v.x), visit.number(v.y);
  }
  constexpr void operator()(auto& member) const {
    using M = std::decay_t<decltype(member)>;
    if constexpr (requires { member.body; }) visit.slot(member.body);
    if constexpr (requires { member.p; }) (*this)(member.p);
    if constexpr (requires { member.a; }) (*this)(member.a);
    if constexpr (requires { member.origin; }) (*this)(member.origin);
    if constexpr (requires { member.pick; })
      for (auto& pick : member.pick) visit.number(pick);
    if constexpr (requires { member.K; }) visit.number(member.K);
    if constexpr (requires { member.value; }) visit.number(member.value);
    if constexpr (requires { member.turn; }) visit.number(member.x), visit.number(member.y), visit.number(member.turn);
    if constexpr (requires { member.motion; }) visit.motion(member.motion);
    if constexpr (std::is_same_v<M, MotionPair>) visit.motion(member.x.motion), visit.motion(member.y.motion);
    if constexpr (std::is_same_v<M, double> || std::is_same_v<M, Symbol>) visit.number(member);
  }
};

template <class E, class Visitor>
constexpr void walk(E& element, Visitor visit) {
  std::apply([&](const auto&... field) { (Walk<Visitor>{visit}(element.*(field.member)), ...); }, std::decay_t<E>::fields);
}

namespace detail {
struct Recorder {
  Tape& tape;
  constexpr void number(Symbol& s) const { s = {&tape, tape.add({Op::parameter, tape.parameters++})}; }
  constexpr void slot(int& body) const { body = tape.slots++; }
  constexpr void motion(int& index) const { index = tape.motions++; }
};
}  // namespace detail

/// Runs an element's function once on symbols: f(element, world, extra) gives the outputs, where `extra(n)` makes n more inputs that
/// follow the element's own motions.
template <class Element, class F>
constexpr Tape record(F&& f) {
  Tape tape;
  Element element{};
  walk(element, detail::Recorder{tape});

  constexpr int kMost = 4;
  std::array<Frame<Symbol>, kMost> frames{};
  for (int slot = 0; slot < tape.slots; ++slot) {
    const auto leaf = [&](int which) { return Symbol{&tape, tape.add({Op::leaf, slot, which})}; };
    frames[static_cast<std::size_t>(slot)] = {leaf(kLeafX), leaf(kLeafY), leaf(kLeafCos), leaf(kLeafSin), leaf(kLeafPhi)};
  }
  std::array<Symbol, kMost> motions{};
  for (int m = 0; m < tape.motions; ++m) motions[static_cast<std::size_t>(m)] = {&tape, tape.add({Op::motion, m})};

  const World<Symbol> world{frames, motions};
  const auto extra = [&] { return Symbol{&tape, tape.add({Op::motion, tape.motions++})}; };
  for (const Symbol& row : f(element, world, extra)) tape.output[static_cast<std::size_t>(tape.outputs++)] = row.on(tape);
  return tape;
}

/// The tape of a constraint's residual.
template <template <class> class E>
struct ResidualOf {
  static constexpr Tape tape = record<E<Symbol>>([](const auto& e, const auto& world, auto&&) { return e.residual(world); });
};

/// What a force acts along.
template <template <class> class F>
struct MeasuresOf {
  static constexpr Tape tape = record<F<Symbol>>([](const auto& e, const auto& world, auto&&) { return e.measures(world); });
};

/// How strongly. Its inputs after the element's own motions are the measures, their rates and the signal.
template <template <class> class F>
struct EffortsOf {
  static constexpr Tape tape = record<F<Symbol>>([](const auto& e, const auto& world, auto&& extra) {
    ForceInput<Symbol, static_cast<std::size_t>(measure_count<F>)> at;
    for (Symbol& x : at.x) x = extra();
    for (Symbol& rate : at.rate) rate = extra();
    at.signal = extra();
    return e.efforts(world, at);
  });
};

}  // namespace jounce::planar
