// Reads a report back: the JSON of a page, and the numbers in it. Written from the description of the format, without the code that
// writes it.
#pragma once

#include <doctest/doctest.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace jounce_test {

using ReportJson = nlohmann::ordered_json;

inline std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::size_t digit = digits.find(c);
    REQUIRE(digit != std::string::npos);
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xffU);
  }
  return out;
}

inline std::string inflated(const std::string& bytes, std::size_t size) {
  std::string out(size, '\0');
  uLongf length = static_cast<uLongf>(size);
  REQUIRE(uncompress(reinterpret_cast<Bytef*>(out.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()),
                     static_cast<uLong>(bytes.size())) == Z_OK);
  REQUIRE(length == size);
  return out;
}

/// To 40 bits after the leading one, to the nearest; numbers next to zero or to the largest stay as they are.
inline double with_40_bits(double x) {
  if (!std::isnormal(x)) return x;
  int exponent = 0;
  const double mantissa = std::round(std::ldexp(std::frexp(x, &exponent), 41));
  const double rounded = std::ldexp(mantissa, exponent - 41);
  return std::isfinite(rounded) ? rounded : x;
}

/// The number after some others from the last n of them: every line of their table of differences goes on as it ended.
inline double predicted(const std::vector<double>& before, std::size_t n) {
  std::vector<double> line(before.end() - static_cast<std::ptrdiff_t>(std::min(n, before.size())), before.end()), ends;
  for (; !line.empty(); line.pop_back()) {
    ends.push_back(line.back());
    for (std::size_t k = 0; k + 1 < line.size(); ++k) line[k] = line[k + 1] - line[k];
  }
  double sum = 0;
  for (std::size_t j = ends.size(); j-- > 0;) sum = ends[j] + sum;
  return std::isfinite(sum) ? with_40_bits(sum) : 0;
}

/// A column of `samples` numbers: its order, then its bytes.
inline std::vector<double> decoded_column(const std::string& bytes, std::size_t start, std::size_t samples) {
  const std::size_t order = static_cast<unsigned char>(bytes[start]);
  REQUIRE(order <= 8);
  std::vector<double> out;
  for (std::size_t s = 0; s < samples; ++s) {
    std::uint64_t bits = 0;
    for (std::size_t byte = 0; byte < 8; ++byte)
      bits |= std::uint64_t{static_cast<unsigned char>(bytes[start + 1 + byte * samples + s])} << (8 * byte);
    if (order > 0) {
      const double guess = predicted(out, order);
      std::uint64_t from = 0;
      std::memcpy(&from, &guess, 8);
      bits = from + (bits % 2 == 0 ? bits / 2 : ~(bits / 2));
    }
    std::memcpy(&out.emplace_back(), &bits, 8);
  }
  return out;
}

/// Columns of `samples` numbers each.
inline std::vector<std::vector<double>> decoded(const std::string& data, std::size_t columns, std::size_t samples) {
  std::vector<std::vector<double>> out;
  const std::size_t together = std::max<std::size_t>(1, 8192 / std::max<std::size_t>(samples, 1)), width = 1 + 8 * samples;
  std::istringstream pieces(data);
  for (std::string piece; std::getline(pieces, piece, ' ');) {
    const std::size_t here = std::min(together, columns - out.size());
    const std::string bytes = inflated(from_base64(piece), here * width);
    for (std::size_t c = 0; c < here; ++c) out.push_back(decoded_column(bytes, c * width, samples));
  }
  REQUIRE(out.size() == columns);
  return out;
}

/// The text of the JSON in a page.
inline std::string data_text(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"jounce-data\">";
  const std::size_t at = page.find(begin);
  REQUIRE(at != std::string::npos);
  const std::size_t end = page.find("</script>", at);
  REQUIRE(end != std::string::npos);
  return page.substr(at + begin.size(), end - at - begin.size());
}

/// The same as a document.
inline ReportJson data_of(const std::string& page) {
  const std::string text = data_text(page);
  REQUIRE(ReportJson::accept(text));
  return ReportJson::parse(text);
}

/// A place of the plane moved with its body.
inline std::array<double, 2> placed(double x, double y, double phi, double px, double py) {
  return {x + std::cos(phi) * px - std::sin(phi) * py, y + std::sin(phi) * px + std::cos(phi) * py};
}

}  // namespace jounce_test
