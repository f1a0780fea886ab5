// Numbers as text that a page carries: rounded, predicted from those before, shuffled, compressed and in base 64.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jounce {

/// The nearest number with 40 bits after the leading one: within 2⁻⁴¹ (4.5e-13) of it. What cannot be that close (numbers next to
/// zero or to the largest there is) stays as it is.
[[nodiscard]] inline double rounded_to_40_bits(double x) {
  constexpr std::uint64_t kDropped = std::uint64_t{1} << 12U;
  if (!std::isnormal(x)) return x;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto out = std::bit_cast<double>((bits + kDropped / 2) & ~(kDropped - 1));  // a carry goes on into the exponent
  return std::isfinite(out) ? out : x;
}

/// What a page calls the way in which `encoded` writes.
inline constexpr std::string_view kEncoding = "difference-shuffle-deflate-64";

/// Columns of equal length. Each is rounded and written as one byte, the order n (0 to 8), and 8 bytes for each number: all first
/// (lowest) bytes of the column, then all its second bytes and so on. Of order 0 they are the numbers. Of order n they are what is
/// to be added to the prediction of a number: the 64 bits as an integer minus those of the prediction, modulo 2⁶⁴, with the sign
/// moved to the lowest bit (0, -1, 1, -2 ... become 0, 1, 2, 3 ...). The prediction from the k numbers before, k at most n, is
/// D₀ + (D₁ + (... + (D₍k₋₁₎ + 0))), where D₀ is the last number and D₍j₊₁₎ how far D₍j₎ has changed with it; rounded to 40 bits,
/// and 0 where it is not finite. max(1, floor(8192 / length)) columns at a time are compressed as zlib does (RFC 1950) and written
/// in base 64, with a space between two such pieces: a reader unpacks only those that it needs.
[[nodiscard]] std::string encoded(std::span<const std::vector<double>> columns);

[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace jounce
