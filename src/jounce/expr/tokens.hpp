// An expression's text cut into numbers, names (with dots: crank.A.x), texts in single quotes and signs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jounce {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
[[nodiscard]] constexpr bool continues_name(char c) { return begins_name(c) || is_digit(c); }

struct Token {
  enum class Kind { number, name, text, sign, end, wrong };
  Kind kind = Kind::end;
  std::string_view text;  ///< a sign is one of + - * / ^ ( ) , =; a text stands without its quotes
  int column = 1;         ///< of the first character, from 1
  double number = 0;

  [[nodiscard]] bool is(char sign) const { return kind == Kind::sign && text.front() == sign; }
};

class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) { next(); }

  [[nodiscard]] const Token& current() const { return current_; }
  void next();
  /// What is left, from the current token on.
  [[nodiscard]] std::string_view rest() const { return text_.substr(static_cast<std::size_t>(current_.column - 1)); }
  /// The current token is a name of so many characters: one with a '-' in it.
  void lengthen(std::size_t characters);

 private:
  void read_number();

  std::string_view text_;
  std::size_t at_ = 0;
  Token current_;
};

/// What is between two commas of a call.
struct Argument {
  std::string_view text;
  int column = 1;  ///< of its first character, from 1
};
/// Those of the call whose '(' is the current token, and past its ')'; nothing where it is not closed.
[[nodiscard]] std::optional<std::vector<Argument>> take_arguments(Tokens& tokens);

/// The sentence for a token of kind `wrong`.
[[nodiscard]] std::string describe_wrong(const Token& token);

/// How a token is called in a sentence: "')'", "'crank'", "the end".
[[nodiscard]] std::string called(const Token& token);

/// The number that a whole text spells, the same in every locale; false where it is none or not a finite double.
[[nodiscard]] bool to_number(std::string_view text, double& out);

}  // namespace jounce
