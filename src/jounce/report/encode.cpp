#include "jounce/report/encode.hpp"

#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "jounce/base/require.hpp"

namespace jounce {
namespace {

constexpr int kBytes = 8;

// Appends the bytes of one column, lowest bytes first, whatever the machine's own order is.
void shuffle(std::span<const double> column, std::string& out) {
  std::vector<std::uint64_t> bits;
  bits.reserve(column.size());
  for (const double x : column) bits.push_back(std::bit_cast<std::uint64_t>(rounded_to_40_bits(x)));
  for (int byte = 0; byte < kBytes; ++byte)
    for (const std::uint64_t b : bits) out += static_cast<char>((b >> (8 * byte)) & 0xffU);
}

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int state = compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                              static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  JOUNCE_REQUIRE(state == Z_OK, "the buffer is as large as zlib asks for");
  out.resize(size);
  return out;
}

}  // namespace

double rounded_to_40_bits(double x) {
  constexpr std::uint64_t kDropped = std::uint64_t{1} << 12U;
  if (!std::isnormal(x)) return x;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto out = std::bit_cast<double>((bits + kDropped / 2) & ~(kDropped - 1));  // a carry goes on into the exponent
  return std::isfinite(out) ? out : x;
}

std::string encoded(std::span<const std::vector<double>> columns) {
  std::string bytes;
  if (!columns.empty()) bytes.reserve(columns.size() * columns.front().size() * kBytes);
  for (const std::vector<double>& column : columns) shuffle(column, bytes);
  return base64(deflated(bytes));
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
