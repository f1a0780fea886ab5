#include "jounce/report/encode.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "jounce/report/deflate.hpp"

namespace jounce {
namespace {

constexpr std::size_t kBytes = 8;
constexpr std::size_t kMostOrder = 8;
constexpr std::size_t kPiece = 8192;  // numbers that are compressed together: small columns share what they have in common

using Words = std::vector<std::uint64_t>;

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

// Expects that the highest of some differences stays as it is. Only sums and differences: every machine rounds them alike.
class Prediction {
 public:
  explicit Prediction(std::size_t order) : order_(order) {}

  [[nodiscard]] double next() const {
    double sum = 0;
    for (std::size_t j = known_; j-- > 0;) sum = differences_[j] + sum;
    return std::isfinite(sum) ? rounded_to_40_bits(sum) : 0;
  }

  void take(double x) {
    for (std::size_t j = 0; j < order_; ++j) {
      const double change = x - differences_[j];
      differences_[j] = x;
      x = change;
    }
    known_ = std::min(known_ + 1, order_);
  }

 private:
  std::size_t order_, known_ = 0;
  std::array<double, kMostOrder> differences_{};
};

Words residuals(std::span<const double> column, std::size_t order) {
  Words out;
  out.reserve(column.size());
  Prediction prediction(order);
  for (const double x : column) {
    const std::uint64_t missing = bits_of(x) - bits_of(prediction.next());
    out.push_back(order == 0 ? bits_of(x) : missing << 1U ^ (missing >> 63U != 0 ? ~std::uint64_t{0} : 0));
    prediction.take(x);
  }
  return out;
}

// About how many bits the words take when each of their bytes has a code of its own: its entropy, and the code's table.
double cost(const Words& words) {
  constexpr double kTableEntry = 5;
  double out = 0;
  for (std::size_t byte = 0; byte < kBytes; ++byte) {
    std::array<std::size_t, 256> counts{};
    for (const std::uint64_t word : words) ++counts[word >> (8 * byte) & 0xffU];
    for (const std::size_t count : counts)
      if (count > 0)
        out += kTableEntry + static_cast<double>(count) * std::log2(static_cast<double>(words.size()) / static_cast<double>(count));
  }
  return out;
}

// Appends one column in the order that makes it smallest.
void append(std::span<const double> numbers, std::string& out) {
  std::vector<double> column(numbers.begin(), numbers.end());
  for (double& x : column) x = rounded_to_40_bits(x);
  Words best = residuals(column, 0);
  double least = cost(best);
  std::size_t order = 0;
  for (std::size_t n = 1; n <= kMostOrder; ++n) {
    Words words = residuals(column, n);
    const double found = cost(words);
    if (found >= least) continue;
    least = found;
    order = n;
    best.swap(words);
  }
  out += static_cast<char>(order);
  for (std::size_t byte = 0; byte < kBytes; ++byte)
    for (const std::uint64_t word : best) out += static_cast<char>(word >> (8 * byte) & 0xffU);
}

}  // namespace

std::string encoded(std::span<const std::vector<double>> columns) {
  std::string out;
  if (columns.empty()) return out;
  const std::size_t together = std::max<std::size_t>(kPiece / std::max<std::size_t>(columns.front().size(), 1), 1);
  for (std::size_t first = 0; first < columns.size(); first += together) {
    std::string bytes;
    for (const std::vector<double>& column : columns.subspan(first, std::min(together, columns.size() - first))) append(column, bytes);
    if (first > 0) out += ' ';
    out += base64(deflated(bytes));
  }
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) { return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U; };
    const unsigned three = byte(0) << 16U | byte(1) << 8U | byte(2);
    for (unsigned k = 0; k < 4; ++k) out += i + k <= bytes.size() ? kDigits[three >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

}  // namespace jounce
