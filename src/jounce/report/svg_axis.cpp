#include "jounce/report/svg_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace jounce::svg {
namespace {

constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();  // a difference that says nothing
constexpr double kShared = 1e4;  // so many times larger than its range: what all values share is told apart

double power_of_ten(int exponent) { return std::pow(10.0, exponent); }

int exponent_of(double value) { return static_cast<int>(std::floor(std::log10(value))); }

double nice_step(double range, int intervals) {
  const double raw = 0.7 * range / std::max(intervals, 1);  // rather some more than too few
  const double decade = power_of_ten(exponent_of(raw));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade >= raw * (1 - 1e-9)) return factor * decade;
  return 10 * decade;
}

std::string superscript(int n) {
  static constexpr std::array<std::string_view, 10> kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = n < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(n))) out += kDigits[static_cast<std::size_t>(c - '0')];
  return out;
}

}  // namespace

std::string with_minus(std::string number) {
  for (std::size_t at = 0; (at = number.find('-', at)) != number.npos;) number.replace(at, 1, "−");
  return number;
}

Axis::Axis(double low, double high, int ticks, double margin) : low_(low), high_(high) {
  const double largest = std::max(std::abs(low), std::abs(high));
  if (high - low <= kRounding * largest || high - low < 1e-300) {
    const double middle = low + (high - low) / 2, half = largest < 1e-290 ? 1 : std::abs(middle) / 2;
    low_ = middle - half;
    high_ = middle + half;
    margin = 0;
  }
  const double range = high_ - low_;
  low_ -= margin * range;
  high_ += margin * range;
  if (largest > kShared * range) {
    const double unit = power_of_ten(exponent_of(range) + 1);
    offset_ = std::round((low_ + range / 2) / unit) * unit;
  }
  double step = nice_step(high_ - low_, ticks);
  const auto first = [&] { return std::ceil((low_ - offset_) / step - 1e-9); };
  const auto last = [&] { return std::floor((high_ - offset_) / step + 1e-9); };
  for (int more = 2; last() <= first() && more <= 8; more *= 2) step = nice_step(high_ - low_, more * std::max(ticks, 1));
  const double size = std::max(std::abs(low_ - offset_), std::abs(high_ - offset_));
  if (size >= 1e5 || size < 1e-2) exponent_ = 3 * static_cast<int>(std::floor(exponent_of(size) / 3.0));
  decimals_ = std::max(0, exponent_ - exponent_of(step * (1 + 1e-9)));
  for (double k = first(); k <= last(); ++k) ticks_.push_back(offset_ + k * step);
}

std::string Axis::label(double tick) const {
  double shown = (tick - offset_) / power_of_ten(exponent_);
  if (std::abs(shown) < 0.5 * power_of_ten(-decimals_)) shown = 0;
  return with_minus(fmt::format("{:.{}f}", shown, decimals_));
}

std::string Axis::measure(const std::string& unit) const {
  if (exponent_ == 0) return unit;
  return "10" + superscript(exponent_) + (unit.empty() ? "" : " ") + unit;
}

std::string Axis::shared() const {
  return offset_ == 0 ? "" : with_minus(fmt::format("{:+.15g}", offset_));
}

}  // namespace jounce::svg
