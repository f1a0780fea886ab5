// Numbers as text that a page carries: rounded, shuffled, compressed and in base 64.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jounce {

/// The nearest number with 40 bits after the leading one: within 2⁻⁴¹ (4.5e-13) of it. What cannot be that close (numbers next to
/// zero or to the largest there is) stays as it is.
[[nodiscard]] double rounded_to_40_bits(double x);

/// Columns of equal length, one after the other: rounded, all first bytes of a column before all its second bytes and so on,
/// compressed as zlib does (RFC 1950), in base 64.
[[nodiscard]] std::string encoded(std::span<const std::vector<double>> columns);

[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace jounce
