#include "jounce/expr/tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "jounce/base/utf8.hpp"
#include "jounce/expr/names.hpp"

namespace jounce {
namespace {

constexpr std::string_view kSigns = "+-*/^(),=";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string quoted(std::string_view text) {
  const auto c = static_cast<unsigned char>(text.front());
  if (text.size() == 1 && (c < 0x20 || c >= 0x7F)) return fmt::format("the byte 0x{:02x}", c);
  return fmt::format("'{}'", shortened(text));
}

}  // namespace

void Tokens::next() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  current_ = {Token::Kind::end, text_.substr(at_, 0), static_cast<int>(at_) + 1, 0};
  if (at_ == text_.size()) return;
  const char c = text_[at_];
  std::size_t length = 1;
  if (is_digit(c) || c == '.') return read_number();
  if (begins_name(c)) {
    current_.kind = Token::Kind::name;
    const auto goes_on = [&](std::size_t at) { return at < text_.size() && continues_name(text_[at]); };
    while (goes_on(at_ + length) || (at_ + length < text_.size() && text_[at_ + length] == '.' && goes_on(at_ + length + 1)))
      ++length;
  } else if (const std::size_t close = c == '\'' ? text_.find('\'', at_ + 1) : text_.npos; close != text_.npos) {
    current_.kind = Token::Kind::text;
    current_.text = text_.substr(at_ + 1, close - at_ - 1);
    at_ = close + 1;
    return;
  } else if (kSigns.find(c) != kSigns.npos) {
    current_.kind = Token::Kind::sign;
  } else {
    current_.kind = Token::Kind::wrong;
    length = std::max<std::size_t>(character_size(text_.substr(at_)), 1);
  }
  current_.text = text_.substr(at_, length);
  at_ += length;
}

void Tokens::lengthen(std::size_t characters) {
  at_ = static_cast<std::size_t>(current_.column - 1) + characters;
  current_.text = text_.substr(static_cast<std::size_t>(current_.column - 1), characters);
}

// digits [. digits] [e [+-] digits], at least one digit before or after the point, and nothing that goes on like a name.
void Tokens::read_number() {
  std::size_t end = at_;
  const auto digits = [&] {
    while (end < text_.size() && is_digit(text_[end])) ++end;
  };
  digits();
  if (end < text_.size() && text_[end] == '.') ++end, digits();
  if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
    if (exponent < text_.size() && is_digit(text_[exponent])) end = exponent, digits();
  }
  const std::size_t good = end;
  while (end < text_.size() && (continues_name(text_[end]) || text_[end] == '.')) ++end;
  current_.text = text_.substr(at_, end - at_);
  current_.kind = end == good && to_number(current_.text, current_.number) ? Token::Kind::number : Token::Kind::wrong;
  at_ = end;
}

std::optional<std::vector<Argument>> take_arguments(Tokens& tokens) {
  std::vector<Argument> out;
  do {
    tokens.next();
    const std::string_view from = tokens.rest();
    const int column = tokens.current().column;
    for (int depth = 0; depth > 0 || !(tokens.current().is(',') || tokens.current().is(')')); tokens.next()) {
      if (tokens.current().kind == Token::Kind::end) return std::nullopt;
      if (tokens.current().is('(')) ++depth;
      if (tokens.current().is(')')) --depth;
    }
    std::string_view text = from.substr(0, from.size() - tokens.rest().size());
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    out.push_back({text, column});
  } while (tokens.current().is(','));
  tokens.next();
  if (out.size() == 1 && out.front().text.empty()) out.clear();
  return out;
}

std::string describe_wrong(const Token& token) {
  const char c = token.text.front();
  if (!is_digit(c) && c != '.') return "unexpected character " + quoted(token.text);
  const bool letters = token.text.find_first_not_of("0123456789.eE+-") != token.text.npos;
  if (!letters && token.text.size() > 1 && !begins_name(token.text.back()) && std::ranges::count(token.text, '.') <= 1)
    return fmt::format("the number {} is outside the range of double precision", shortened(token.text));
  return quoted(token.text) + " is not a number";
}

std::string called(const Token& token) { return token.kind == Token::Kind::end ? "the end" : quoted(token.text); }

bool to_number(std::string_view text, double& out) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out);
  return status == std::errc() && end == text.data() + text.size() && std::isfinite(out);
}

}  // namespace jounce
