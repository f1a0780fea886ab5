// Reads a report back: the JSON of a page, and the numbers in it. Written from the description of the format, without the code that
// writes it.
#pragma once

#include <doctest/doctest.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
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

/// Columns of `samples` numbers each.
inline std::vector<std::vector<double>> decoded(const std::string& data, std::size_t columns, std::size_t samples) {
  const std::string bytes = inflated(from_base64(data), columns * samples * 8);
  std::vector<std::vector<double>> out(columns, std::vector<double>(samples));
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t s = 0; s < samples; ++s) {
      std::uint64_t bits = 0;
      for (std::size_t byte = 0; byte < 8; ++byte)
        bits |= std::uint64_t{static_cast<unsigned char>(bytes[c * samples * 8 + byte * samples + s])} << (8 * byte);
      std::memcpy(&out[c][s], &bits, 8);
    }
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
