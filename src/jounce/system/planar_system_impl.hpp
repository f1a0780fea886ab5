// The inside of a planar system: one batch per type of the registry. For system/ only.
#pragma once

#include <tuple>

#include "jounce/planar/registry.hpp"
#include "jounce/system/batch.hpp"
#include "jounce/system/planar_system.hpp"

namespace jounce {

template <class List>
struct BatchesOf;
template <template <class> class... E>
struct BatchesOf<planar::TypeList<E...>> {
  using type = std::tuple<Batch<E>...>;
};

struct PlanarSystem::Impl {
  BatchesOf<planar::Constraints>::type batches;

  template <class F>
  void each(F&& f) {
    std::apply([&](auto&... batch) { (f(batch), ...); }, batches);
  }
  template <class F>
  void each(F&& f) const {
    std::apply([&](const auto&... batch) { (f(batch), ...); }, batches);
  }
};

class PlanarSystem::Builder {
 public:
  explicit Builder(int bodies) { system_.bodies_ = bodies; }

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
  void length_scale(double length) { system_.length_scale_ = length; }

  [[nodiscard]] PlanarSystem finish();

 private:
  PlanarSystem system_;
};

}  // namespace jounce
