// The inside of a planar system: one batch per type of the registry. For system/ only.
#pragma once

#include <array>
#include <bit>
#include <tuple>
#include <utility>

#include "jounce/planar/friction.hpp"
#include "jounce/planar/registry.hpp"
#include "jounce/plane/equations/batch.hpp"
#include "jounce/plane/equations/equation_batch.hpp"
#include "jounce/plane/equations/force_batch.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

template <class List>
struct BatchesOf;
template <template <class> class... E>
struct BatchesOf<planar::TypeList<E...>> {
  using type = std::tuple<Batch<E>...>;
};

template <class List>
struct ForceBatchesOf;
template <template <class> class... F>
struct ForceBatchesOf<planar::TypeList<F...>> {
  using type = std::tuple<ForceBatch<F>...>;
};

struct PlanarSystem::Impl {
  /// The rows of joints first, then those of drivers.
  using Types = planar::Joined<planar::Joined<planar::Joints, planar::TypeList<planar::Equation, planar::SlideLock>>::type, planar::Drivers>::type;
  /// Friction of joints comes last: it is found when all other forces are known.
  using ForceTypes = planar::Joined<planar::Forces, planar::TypeList<planar::TurnFriction, planar::SlideFriction>>::type;
  BatchesOf<Types>::type batches;
  ForceBatchesOf<ForceTypes>::type force_batches;
  unsigned present = 0, forces_present = 0;  ///< which types the system has elements of, a bit each
  int lane_rows = 0;  ///< of all constraints: lanes in a vector of residuals
  int records = 0;    ///< pair records of the whole Jacobian

  /// Calls f(batch, number of its type) for the types that are present: most of a system's types are not, and some loops are short.
  template <class F>
  void each_present(F&& f) const {
    for (unsigned rest = present; rest != 0; rest &= rest - 1) call(batches, std::countr_zero(rest), f);
  }
  template <class F>
  void each_force_present(F&& f) const {
    for (unsigned rest = forces_present; rest != 0; rest &= rest - 1) call(force_batches, std::countr_zero(rest), f);
  }

  template <class F>
  void each_force(F&& f) {
    std::apply([&](auto&... batch) { (f(batch), ...); }, force_batches);
  }
  template <class F>
  void each_force(F&& f) const {
    std::apply([&](const auto&... batch) { (f(batch), ...); }, force_batches);
  }

  template <class F>
  void each(F&& f) {
    std::apply([&](auto&... batch) { (f(batch), ...); }, batches);
  }
  template <class F>
  void each(F&& f) const {
    std::apply([&](const auto&... batch) { (f(batch), ...); }, batches);
  }

 private:
  template <class F, class... B>
  static void call(const std::tuple<B...>& all, int which, F& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      using Step = void (*)(const std::tuple<B...>&, F&);
      static constexpr std::array<Step, sizeof...(B)> steps{&one<I, F, B...>...};
      steps[static_cast<std::size_t>(which)](all, f);
    }(std::index_sequence_for<B...>{});
  }
  template <std::size_t I, class F, class... B>
  static void one(const std::tuple<B...>& all, F& f) {
    f(std::get<I>(all), I);
  }
};

class PlanarSystem::Builder {
 public:
  explicit Builder(int bodies) { system_.bodies_ = bodies; }
  /// With everything that a system already has, to add to it.
  explicit Builder(const PlanarSystem& from);

  /// Constraints are to be added in the order of the model file, joints first.
  template <template <class> class E>
  void add(const E<double>& element, Constraint constraint) {
    auto& batch = std::get<Batch<E>>(system_.impl_->batches);
    batch.elements.push_back(element);
    batch.constraint.push_back(static_cast<int>(system_.constraints_.size()));
    system_.constraints_.push_back(std::move(constraint));
  }
  int add(PrescribedMotion motion) {
    system_.motions_.push_back(std::move(motion));
    return static_cast<int>(system_.motions_.size()) - 1;
  }
  /// Forces in the order of the model file.
  template <template <class> class F>
  void add(const F<double>& element, AppliedForce force) {
    auto& batch = std::get<ForceBatch<F>>(system_.impl_->force_batches);
    batch.elements.push_back(element);
    batch.force.push_back(static_cast<int>(system_.forces_.size()));
    batch.signal.push_back(force.signal);
    system_.forces_.push_back(std::move(force));
  }
  /// Where a quantity is in the system's list.
  int quantity(const planar::StateQuantity& of) {
    auto& all = system_.quantities_;
    const auto it = std::ranges::find(all, of);
    if (it != all.end()) return static_cast<int>(it - all.begin());
    all.push_back(of);
    return static_cast<int>(all.size()) - 1;
  }
  int add_force_motion(ForceComponent motion) {
    system_.force_motions_.push_back(std::move(motion));
    return static_cast<int>(system_.force_motions_.size()) - 1;
  }
  /// For the force that is added next.
  int add(ForceSignal signal) {
    signal.force = static_cast<int>(system_.forces_.size());
    system_.signals_.push_back(std::move(signal));
    return static_cast<int>(system_.signals_.size()) - 1;
  }
  /// The friction of a constraint, by its place in the list.
  template <template <class> class F>
  void add_friction(const F<double>& element, int constraint, ForceSignal signal, Where where) {
    Constraint& of = system_.constraints_[static_cast<std::size_t>(constraint)];
    of.friction = static_cast<int>(system_.forces_.size());
    of.friction_turns = F<double>::turns;
    signal.reaction = constraint;
    AppliedForce force{of.name, F<double>::type, F<double>::kind, where, {}, {}, add(std::move(signal))};
    system_.rubbing_.push_back(force.signal);
    add<F>(element, std::move(force));
  }
  [[nodiscard]] int constraints() const { return static_cast<int>(system_.constraints_.size()); }
  void length_scale(double length) { system_.length_scale_ = length; }
  void masses(std::vector<double> diagonal, const Vec2<double>& gravity) {
    system_.mass_ = std::move(diagonal);
    system_.gravity_ = gravity;
  }

  [[nodiscard]] PlanarSystem finish();

 private:
  PlanarSystem system_;
};

}  // namespace jounce
