// What EquationsOfMotion works on; for its own files.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "jounce/base/index.hpp"
#include "jounce/expr/expression_series.hpp"
#include "jounce/mechanism/saddle.hpp"
#include "jounce/plane/equations/equations_of_motion.hpp"
#include "jounce/plane/equations/joint_friction.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"
#include "jounce/plane/equations/schur.hpp"
#include "jounce/scalar/series.hpp"

namespace jounce {

inline double* doubles(std::vector<Lanes>& v) { return reinterpret_cast<double*>(v.data()); }
inline const double* doubles(const std::vector<Lanes>& v) { return reinterpret_cast<const double*>(v.data()); }

inline Fault lost_line_of(const AppliedForce& spring) {
  return {spring.text(), "its length has become zero: a spring needs a line of action", spring.where, spring.name};
}

/// Where springs stand in the list of force types.
inline constexpr std::size_t kSpringType = [] {
  std::size_t at = 0, i = 0;
  planar::for_each_type(planar::Forces{}, [&]<template <class> class F>(planar::Type<F>) {
    if (std::is_same_v<F<double>, planar::Spring<double>>) at = i;
    ++i;
  });
  return at;
}();

/// The coefficients of one function of time.
class TimeSeries {
 public:
  TimeSeries(const TimeFunction& function, int order) : function_(&function) {
    const Expression* expression = function.expression();
    constant_ = function.is_constant();
    if (expression != nullptr && !constant_) series_.emplace(*expression, order);
  }

  /// Coefficients 0 … order into out[k · stride]; `clock` holds those of t.
  [[nodiscard]] std::optional<ExpressionFault> evaluate(int order, const double* clock, double* out, std::size_t stride) {
    if (series_) {
      const std::array<const double*, 1> variables{clock};
      for (int k = 0; k <= order; ++k)
        if (auto fault = series_->coefficient(k, variables, out[z(k) * stride])) return fault;
      return std::nullopt;
    }
    if (constant_ && known_) return std::nullopt;  // the places of the coefficients are always the same
    constexpr int kPieces = 5;                     // a spline is a quintic, a constant less
    Series<kPieces> f;
    if (auto fault = function_->evaluate(Series<kPieces>::time(clock[0]), f)) return fault;
    for (int k = 0; k <= order; ++k) out[z(k) * stride] = k <= kPieces ? f[k] : 0.0;
    known_ = true;
    return std::nullopt;
  }

 private:
  const TimeFunction* function_;
  std::optional<ExpressionSeries> series_;
  bool constant_ = false, known_ = false;
};

/// The coefficients of an expression of the state.
struct StateSeries {
  StateSeries(const laws::StateExpression& law, int order) : series(law.expression, order), quantities(law.quantities), variables(law.own() + quantities.size()) {}

  /// `own` and `all`: coefficients of the variables before the quantities, and of every quantity (so many apart).
  [[nodiscard]] std::optional<ExpressionFault> coefficient(int k, std::span<const double* const> own, const double* all, std::size_t apart, double& out) {
    std::ranges::copy(own, variables.begin());
    for (std::size_t i = 0; i < quantities.size(); ++i) variables[own.size() + i] = all + z(quantities[i]) * apart;
    return series.coefficient(k, variables, out);
  }

  ExpressionSeries series;
  std::vector<int> quantities;
  std::vector<const double*> variables;
};

/// A component of a force: a function of time, or of the state.
struct ComponentSeries {
  ComponentSeries(const laws::LoadFunction& function, int order) : of_time(function.of_time(), order) {
    if (function.of_state() != nullptr) of_state.emplace(*function.of_state(), order);
  }
  TimeSeries of_time;
  std::optional<StateSeries> of_state;
};

/// Those of a list of functions.
template <class Series, class List>
std::vector<Series> series_of(const List& list, int order) {
  std::vector<Series> out;
  out.reserve(list.size());
  for (const auto& one : list) out.emplace_back(one.function, order);
  return out;
}

/// One signal: its laws, and the coefficients of what they depend on.
struct SignalSeries {
  std::vector<StateSeries> laws;
  std::vector<double> x, rate;
};

/// Friction of joints: what it is found from, order by order.
struct RubbingJoints {
  FrictionBalance balance;
  std::vector<std::vector<LoadRow>> rows;
  std::vector<double> factors;
  std::vector<JointLoad> free;
  std::vector<FrameRecord> forces;    // on the bodies, before friction
  std::vector<Lanes> lanes;           // by lane row
  std::vector<double> along, lambda;  // by coordinate, by equation
};

struct EquationsOfMotion::Impl {
  const PlanarSystem& of;
  const PlanarSystem::Impl& system;
  int order;
  BodySeries bodies;
  std::vector<BatchMemory> memory;       // by batch
  std::vector<ForceMemory> force_memory;
  SchurComplement schur;
  std::vector<PairRecord> jacobian;
  std::vector<Lanes> residual;           // of the order at hand
  std::vector<Lanes> position_residual, velocity_residual;
  std::array<bool, 2> residual_known{};
  std::vector<Lanes> multipliers;        // [order][lane row]
  std::vector<int> place;                // of each equation, in doubles
  std::vector<double> newtons;           // a multiplier times this is a force
  std::vector<double> clock;             // coefficients of t
  std::vector<TimeSeries> drives;
  std::vector<ComponentSeries> force_drives;
  std::vector<double> quantities;        // [quantity][order], of the state
  std::vector<std::size_t> of_state;     // components of forces
  std::vector<double> motions, force_motions;  // [order][motion]
  std::vector<SignalSeries> signals;
  std::vector<double> signal_values, directions;  // [order][signal], [signal]

  bool refined = false;  // correct solutions whatever the pivots

  std::unique_ptr<RubbingJoints> rubbing;  // null: no joint has friction

  // formulations other than lagrange
  std::unique_ptr<SaddleSolver> saddle;
  bool regular = true;
  std::vector<double> sparse_jacobian, position, force, change, row_residual, row_multiplier;

  Impl(const PlanarSystem& whole, int highest)
      : of(whole), system(whole.impl()), order(highest), bodies(whole.bodies(), highest, whole.mass()) {
    const auto orders = z(order + 1);
    bodies.set_gravity(whole.gravity().x, whole.gravity().y);
    clock.assign(orders, 0.0);
    if (order >= 1) clock[1] = 1;
    drives = series_of<TimeSeries>(whole.motions(), order);
    force_drives = series_of<ComponentSeries>(whole.force_motions(), order);
    for (std::size_t m = 0; m < force_drives.size(); ++m)
      if (force_drives[m].of_state) of_state.push_back(m);
    quantities.assign(whole.quantities().size() * orders, 0.0);
    motions.assign(orders * std::max<std::size_t>(drives.size(), 1), 0.0);
    force_motions.assign(orders * std::max<std::size_t>(force_drives.size(), 1), 0.0);
    for (const ForceSignal& signal : whole.signals()) {
      SignalSeries s{{}, std::vector<double>(orders, 0.0), std::vector<double>(orders, 0.0)};
      for (const laws::StateExpression& law : signal.laws) s.laws.emplace_back(law, order);
      signals.push_back(std::move(s));
    }
    signal_values.assign(orders * std::max<std::size_t>(signals.size(), 1), 0.0);
    directions.assign(signals.size(), 0.0);
  }

  void evaluate_residual(int k, std::vector<Lanes>& out) {
    system.each_present([&](const auto& batch, std::size_t type) {
      batch.lane_residual(k, bodies.frames(k), motions_at(k), order, memory[type], out.data());
    });
  }
  // What later orders need of order k; the residual itself waits until somebody asks for it.
  void remember_order(int k, std::vector<Lanes>& out) {
    system.each_present([&]<template <class> class E>(const Batch<E>& batch, std::size_t type) {
      if constexpr (Batch<E>::K::kKept > 0) batch.lane_residual(k, bodies.frames(k), motions_at(k), order, memory[type], out.data());
    });
  }
  const std::vector<Lanes>& residual_of(int k) {
    std::vector<Lanes>& out = k == 0 ? position_residual : velocity_residual;
    if (bool& known = residual_known[z(k)]; !known) known = true, evaluate_residual(k, out);
    return out;
  }
  void measure(int k);
  void observe(int k);
  [[nodiscard]] std::optional<Fault> lost_line() const;
  [[nodiscard]] std::optional<Fault> evaluate_signals(int m);
  [[nodiscard]] std::optional<Fault> evaluate_components(int m);
  [[nodiscard]] std::optional<Fault> apply_forces(int m);
  void solve_order(int m);
  void apply_friction(int m);
  void respond();
  double free_loads(int m);
  [[nodiscard]] std::optional<Fault> rub(int m);
  void refine_order(int m);

  [[nodiscard]] const double* motions_at(int k) const { return motions.data() + z(k) * drives.size(); }
  [[nodiscard]] const double* force_motions_at(int k) const { return force_motions.data() + z(k) * force_drives.size(); }
};

}  // namespace jounce
