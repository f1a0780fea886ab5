#include "jounce/report/json_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace jounce {
namespace {

// Length of the UTF-8 character at the start of a text; 0 where there is none (also for surrogates and overlong forms).
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i, unsigned least = 0x80, unsigned most = 0xbf) { return byte(i) >= least && byte(i) <= most; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef)
    return follows(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) && follows(2) ? 3 : 0;
  if (first >= 0xf0 && first <= 0xf4)
    return follows(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

}  // namespace

std::string json_text(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t size = character(text);
    const std::string_view one = text.substr(0, size);
    const auto code = static_cast<unsigned char>(text.front());
    if (size == 0) out += "\xef\xbf\xbd";  // U+FFFD
    else if (one == "\"" || one == "\\") (out += '\\') += one;
    else if (one == "\n") out += "\\n";
    else if (code < 0x20 || code == 0x7f || one == "<" || one == ">" || one == "&") out += fmt::format("\\u{:04x}", code);
    else if (one == "\xe2\x80\xa8") out += "\\u2028";
    else if (one == "\xe2\x80\xa9") out += "\\u2029";
    else out += one;
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out += '"';
}

std::string json_number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : "null"; }

}  // namespace jounce
