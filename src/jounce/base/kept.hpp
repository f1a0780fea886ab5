// What was found once of something that does not change, and is wanted again: no lock, and the first that is kept stays.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace jounce {

template <class T>
class Kept {
 public:
  Kept() = default;
  Kept(Kept&& other) noexcept : kept_(other.kept_.exchange(nullptr)) {}
  Kept& operator=(Kept&& other) noexcept {
    if (this != &other) delete kept_.exchange(other.kept_.exchange(nullptr));
    return *this;
  }
  ~Kept() { delete kept_.load(); }

  /// Null: nothing yet.
  [[nodiscard]] const T* get() const {
    const std::shared_ptr<const T>* const own = kept_.load(std::memory_order_acquire);
    return own == nullptr ? nullptr : own->get();
  }
  void keep(std::shared_ptr<const T> value) const {
    auto own = std::make_unique<const std::shared_ptr<const T>>(std::move(value));
    const std::shared_ptr<const T>* none = nullptr;
    if (kept_.compare_exchange_strong(none, own.get(), std::memory_order_acq_rel)) (void)own.release();
  }

 private:
  // a pointer to a pointer, so that T may be unknown where its owner is destroyed
  mutable std::atomic<const std::shared_ptr<const T>*> kept_{nullptr};
};

}  // namespace jounce
