#include "jounce/report/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jounce/base/utf8.hpp"

namespace jounce {
namespace {

// Characters of one byte that stand for themselves.
bool is_plain(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'; }

}  // namespace

std::string json_text(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t size = character_size(text);
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
