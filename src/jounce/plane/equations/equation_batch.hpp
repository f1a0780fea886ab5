// The equations that users write themselves: what Batch offers for a type of joint, with expressions in place of a kernel.
//
// Along a motion, coefficient k of phi needs coefficients 0 … k of its quantities, which are linear in those of the frames. The forces are −Φqᵀλ: with
// g = ∂phi/∂u of a quantity, their coefficient m is Σ g_j λ_{m−j}, which the frame of the body takes along x, y, cos, sin or phi as the quantity does.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "jounce/expr/expression_series.hpp"
#include "jounce/plane/equations/batch.hpp"
#include "jounce/planar/equation.hpp"

namespace jounce {

/// What is known of each equation along a motion.
struct EquationMemory {
  struct One {
    std::vector<double> u;       // [1 + quantity][order]; the first are those of t, the last those of the place of a contact
    std::vector<double> g;       // [quantity][order]
    std::vector<double> lambda;  // [order]
    ExpressionSeries phi;
    std::vector<ExpressionSeries> by_quantity;
    std::vector<const double*> variables;
    std::vector<double> now{};                 // t and the quantities, where the gradient is
    std::optional<ExpressionFault> fault{};    // why it has no value of some order since its position was set
    std::vector<ExpressionSeries> place{};  // of a contact: its F
    double per_place = 0;                   // 1 / (∂F/∂u)
  };
  std::vector<One> equations;
};

template <>
class Batch<planar::Equation> {
 public:
  struct K {
    static constexpr int kRows = 1, kKept = 1, kMotions = 0;
  };
  static constexpr int kPairs = 1;

  std::vector<planar::Equation<double>> elements;
  std::vector<int> constraint;
  int first_row = 0, first_lane_row = 0, first_record = 0;

  [[nodiscard]] int size() const { return static_cast<int>(elements.size()); }
  [[nodiscard]] int lane_rows() const { return (size() + kLanes - 1) / kLanes; }
  [[nodiscard]] int records() const { return records_; }
  [[nodiscard]] int lane_row(int element, int) const { return (first_lane_row + element / kLanes) * kLanes + element % kLanes; }
  [[nodiscard]] int record(int element, int, int slot) const { return first_record + record_of_[static_cast<std::size_t>(element)] + slot; }
  [[nodiscard]] const std::vector<int>& bodies_of(int e) const { return law(e).bodies; }

  void set_blocks() {
    records_ = 0;
    record_of_.clear();
    for (const auto& element : elements) record_of_.push_back(records_), records_ += static_cast<int>(element.law->bodies.size());
  }
  template <class Entry>
  void finish(int, Entry&& entry) {
    entries_.clear();
    pattern([&](int row, int body, int column) { entries_.push_back(entry(row, 3 * (body - 1) + column)); });
  }
  template <class Visit>
  void pattern(Visit&& visit) const {
    for (int e = 0; e < size(); ++e)
      for (const int body : law(e).bodies)
        for (int c = 0; c < 3; ++c) visit(first_row + e, body, c);
  }

  [[nodiscard]] BatchMemory memory(int order) const {
    BatchMemory out;
    out.equations = std::make_shared<EquationMemory>();
    const auto orders = static_cast<std::size_t>(order + 1);
    for (const auto& element : elements) {
      const std::size_t n = element.law->quantities.size();
      const planar::CurveContact* contact = element.law->contact.get();
      EquationMemory::One one{std::vector<double>((n + 1 + (contact != nullptr ? 1 : 0)) * orders), std::vector<double>(n * orders), std::vector<double>(orders),
                              ExpressionSeries(element.law->phi, order), {}, {}};
      if (contact != nullptr) one.place.emplace_back(contact->F, order);
      for (const Expression& g : element.law->by_quantity) one.by_quantity.emplace_back(g, order);
      out.equations->equations.push_back(std::move(one));
    }
    for (EquationMemory::One& one : out.equations->equations)
      for (std::size_t v = 0; v * orders < one.u.size(); ++v) one.variables.push_back(one.u.data() + v * orders), one.now.push_back(0);
    return out;
  }

  /// Which of them has no value since the position was set, and why; `all`: the constraints of the system.
  [[nodiscard]] std::optional<Fault> without_value(const BatchMemory& m, const auto& all) const {
    for (std::size_t e = 0; e < elements.size(); ++e)
      if (const auto& fault = m.equations->equations[e].fault) return laws::without_value(*elements[e].law, all[static_cast<std::size_t>(constraint[e])].name, *fault);
    return std::nullopt;
  }

  // ---- rows as the outside sees them -------------------------------------------------------------------------------

  void value(const FrameRecord* frames, const double* motions, int order, BatchMemory& m, double* phi) const {
    for (int e = 0; e < size(); ++e) phi[first_row + e] = coefficient(e, 0, frames, motions, order, m);
  }
  void jacobian(const FrameRecord* frames, int order, const BatchMemory& m, double* values) const {
    const int* at = entries_.data();
    for (int e = 0; e < size(); ++e) {
      each_gradient(e, frames, order, m, [&](int, const std::array<double, 3>& by) {
        for (std::size_t c = 0; c < 3; ++c) values[at[c]] += by[c];
        at += 3;
      });
    }
  }
  void open(int k, const FrameRecord* frames, const double* motions, int order, BatchMemory& m, double* phi) const {
    for (int e = 0; e < size(); ++e) phi[first_row + e] = coefficient(e, k, frames, motions, order, m);
  }
  void close(int k, const FrameRecord* frames, const double* motions, int order, BatchMemory& m) const {
    for (int e = 0; e < size(); ++e) (void)coefficient(e, k, frames, motions, order, m);
  }

  // ---- rows by lanes -----------------------------------------------------------------------------------------------

  void lane_residual(int k, const FrameRecord* frames, const double* motions, int order, BatchMemory& m, Lanes* phi) const {
    double* const out = reinterpret_cast<double*>(phi);
    for (int e = 0; e < size(); ++e) out[lane_row(e, 0)] = coefficient(e, k, frames, motions, order, m);
  }
  void jacobian_records(const FrameRecord* frames, int order, const BatchMemory& m, PairRecord* out) const {
    for (int e = 0; e < size(); ++e)
      each_gradient(e, frames, order, m, [&](int slot, const std::array<double, 3>& by) {
        double* const at = out[record(e, 0, slot)].value;
        for (std::size_t c = 0; c < 3; ++c) at[2 * c] = by[c], at[2 * c + 1] = 0;
        at[6] = at[7] = 0;
      });
  }
  void reverse_open(int m, int order, BatchMemory& memory, FrameRecord* records) const {
    for (int e = 0; e < size(); ++e) {
      EquationMemory::One& one = memory.equations->equations[static_cast<std::size_t>(e)];
      const auto orders = static_cast<std::size_t>(order + 1);
      one.lambda[static_cast<std::size_t>(m)] = 0;
      for (std::size_t i = 0; i < one.by_quantity.size(); ++i) {
        double* const g = one.g.data() + i * orders;
        if (!one.fault) one.fault = one.by_quantity[i].coefficient(m, one.variables, g[m]);
        if (one.fault) g[m] = kNoValue;
        double sum = 0;
        for (int j = 1; j <= m; ++j) sum += g[j] * one.lambda[static_cast<std::size_t>(m - j)];
        if (sum != 0) push(law(e).quantities[i], sum, records);
      }
    }
  }
  void reverse_close(int m, const Lanes* lambda, int order, BatchMemory& memory, FrameRecord* records) const {
    const double* const values = reinterpret_cast<const double*>(lambda);
    for (int e = 0; e < size(); ++e) {
      EquationMemory::One& one = memory.equations->equations[static_cast<std::size_t>(e)];
      const double now = values[lane_row(e, 0)];
      one.lambda[static_cast<std::size_t>(m)] += now;
      for (std::size_t i = 0; i < one.by_quantity.size(); ++i)
        push(law(e).quantities[i], one.g[i * static_cast<std::size_t>(order + 1)] * now, records);
    }
  }

 private:
  static constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

  [[nodiscard]] const planar::EquationLaw& law(int e) const { return *elements[static_cast<std::size_t>(e)].law; }

  double coefficient(int e, int k, const FrameRecord* frames, const double* motions, int order, BatchMemory& m) const {
    EquationMemory::One& one = m.equations->equations[static_cast<std::size_t>(e)];
    const auto orders = static_cast<std::size_t>(order + 1), at = static_cast<std::size_t>(k);
    const int clock = elements[static_cast<std::size_t>(e)].clock;
    one.u[at] = clock >= 0 ? motions[clock] : 0.0;
    const auto& quantities = law(e).quantities;
    for (std::size_t i = 0; i < quantities.size(); ++i) one.u[(i + 1) * orders + at] = still(quantities[i], k) ? 0.0 : quantities[i].of_frame(frames[quantities[i].body]);
    if (k == 0) one.fault.reset();
    if (law(e).contact) follow_contact(*law(e).contact, k, order, one);
    double out = 0;
    if (!one.fault) one.fault = one.phi.coefficient(k, one.variables, out);  // orders come in turn: none after one that is missing
    return one.fault ? kNoValue : out;
  }

  // The place on the curve: found at order 0, from the linear equation that F = 0 is in it above.
  static void follow_contact(const planar::CurveContact& contact, int k, int order, EquationMemory::One& one) {
    const auto orders = static_cast<std::size_t>(order + 1);
    double* const u = one.u.data() + one.u.size() - orders;
    double F = 0;
    if (k == 0) {
      for (std::size_t v = 0; v < one.variables.size(); ++v) one.now[v] = *one.variables[v];
      one.now.back() = u[0] = contact.located(one.now);
      double slope = 0;
      one.per_place = contact.by_u.evaluate(std::span<const double>(one.now), slope) ? kNoValue : 1 / slope;
    } else {
      u[k] = 0;
      if (one.place[0].coefficient(k, one.variables, F)) F = kNoValue;
      u[k] = -F * one.per_place;
    }
    (void)one.place[0].coefficient(k, one.variables, F);
  }

  // The ground does not move: its frames of higher orders are not looked at.
  static bool still(const planar::StateQuantity& u, int k) { return u.body == 0 && k > 0; }

  // visit(slot, derivatives by x, y, phi) for every body of an equation; keeps g of order 0.
  template <class Visit>
  void each_gradient(int e, const FrameRecord* frames, int order, const BatchMemory& m, const Visit& visit) const {
    EquationMemory::One& one = m.equations->equations[static_cast<std::size_t>(e)];
    const auto orders = static_cast<std::size_t>(order + 1);
    const planar::EquationLaw& own = law(e);
    one.now[0] = one.u[0];
    for (std::size_t i = 0; i < own.quantities.size(); ++i) one.now[i + 1] = own.quantities[i].of_frame(frames[own.quantities[i].body]);
    if (own.contact) one.now.back() = own.contact->located(one.now);
    for (std::size_t i = 0; i < own.quantities.size(); ++i) {
      double g = 0;
      if (auto fault = own.by_quantity[i].evaluate(std::span<const double>(one.now), g)) {
        g = kNoValue;
        if (!one.fault) one.fault = std::move(fault);
      }
      one.g[i * orders] = g;
    }
    for (std::size_t s = 0; s < own.bodies.size(); ++s) {
      std::array<double, 3> by{};
      for (std::size_t i = 0; i < own.quantities.size(); ++i) {
        if (own.slot[i] != static_cast<int>(s)) continue;
        const auto along = own.quantities[i].gradient(frames[own.bodies[s]]);
        for (std::size_t c = 0; c < 3; ++c) by[c] += one.g[i * orders] * along[c];
      }
      visit(static_cast<int>(s), by);
    }
  }

  // Takes a force along a quantity from the record of its body.
  static void push(const planar::StateQuantity& u, double force, FrameRecord* records) {
    if (u.body == 0) return;
    FrameRecord& at = records[u.body];
    if (u.pick == 2) at.phi -= force;
    else if (u.pick == 0) at.x -= force, at.c -= force * u.p.x, at.s += force * u.p.y;
    else at.y -= force, at.s -= force * u.p.x, at.c -= force * u.p.y;
  }

  int records_ = 0;
  std::vector<int> record_of_, entries_;
};

}  // namespace jounce
