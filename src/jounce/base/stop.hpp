// How a caller ends what takes too long: by a function of his that is asked now and then.
#pragma once

#include <functional>

namespace jounce {

/// True ends what is going on, with what there is by then. Empty: it goes on to its end.
using Stop = std::function<bool()>;

/// Asks after so much work: what takes no time asks nobody, what takes long asks often. By work and not by the clock, so that a run asks at the same
/// places every time. The function must outlive it.
class Asking {
 public:
  explicit Asking(const Stop& stop) : stop_(stop) {}

  /// After equations of so many unknowns were solved once. True: it is to end; from then on nobody is asked again.
  bool after(int unknowns) {
    if (!stop_ || told_) return told_;
    work_ += static_cast<double>(unknowns) * unknowns;
    if (work_ < kUnasked) return false;
    work_ = 0;
    return told_ = stop_();
  }
  [[nodiscard]] bool told() const { return told_; }

 private:
  static constexpr double kUnasked = 1e5;  // some milliseconds

  const Stop& stop_;
  double work_ = 0;
  bool told_ = false;
};

}  // namespace jounce
