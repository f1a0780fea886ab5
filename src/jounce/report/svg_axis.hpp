// Ticks at 1, 2 or 5 times a power of ten, with labels as a person writes them.
#pragma once

#include <string>
#include <vector>

namespace jounce::svg {

/// A range of values and its ticks. Labels are (value − offset) / 10^exponent: of numbers that are far from 1, or that differ
/// only in their last digits, the part that all share is told once, by `measure` and `shared`.
class Axis {
 public:
  /// Values from `low` to `high`, both finite, widened where they are the same; about `ticks` intervals. `margin`: the part
  /// that is added at both ends.
  Axis(double low, double high, int ticks, double margin);

  /// 0 at the low end, 1 at the high end.
  [[nodiscard]] double part(double value) const { return (value - low_) / (high_ - low_); }
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }
  [[nodiscard]] std::string label(double tick) const;
  /// What the labels count: "10⁻³ m/s", "J".
  [[nodiscard]] std::string measure(const std::string& unit) const;
  /// What has to be added to all of them: "+123456", "−9.81"; empty: nothing.
  [[nodiscard]] std::string shared() const;

 private:
  double low_, high_, offset_ = 0;
  int exponent_ = 0, decimals_ = 0;
  std::vector<double> ticks_;
};

/// With a real minus sign.
[[nodiscard]] std::string with_minus(std::string number);

}  // namespace jounce::svg
