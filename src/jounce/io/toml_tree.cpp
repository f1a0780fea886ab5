#include "jounce/io/toml_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "jounce/base/utf8.hpp"

// toml++ 3.3 asserts that a section header begins with a key, and with NDEBUG lets the compiler assume it; "[.a]" shows that it
// need not. With neither, the check that it makes next reports the error.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 32  // so that arrays and inline tables cannot exhaust the stack
#include <toml++/toml.h>

namespace jounce {
namespace {

constexpr int kMaxDots = 8;  // in one key

Where to_where(const toml::source_position& at) { return {static_cast<int>(at.line), static_cast<int>(at.column)}; }

// The text by line and column, which count characters rather than bytes.
class Source {
 public:
  explicit Source(std::string_view text) : text_(text) {
    lines_.push_back(0);
    for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) lines_.push_back(at + 1);
  }

  /// What stands at a place up to the end of the text; nothing for places far out in a line, so that looking is always quick.
  [[nodiscard]] std::string_view at(Where where) const {
    const auto line = static_cast<std::size_t>(where.line - 1);
    if (where.line < 1 || line >= lines_.size() || where.column > 4096) return {};
    std::size_t byte = lines_[line];
    for (int column = 1; column < where.column && byte < text_.size(); ++column) {
      ++byte;
      while (byte < text_.size() && (static_cast<unsigned char>(text_[byte]) & 0xC0U) == 0x80U) ++byte;
    }
    return text_.substr(byte);
  }

  [[nodiscard]] Where where(std::size_t byte) const {
    const auto next = std::ranges::upper_bound(lines_, byte);
    const std::size_t start = *(next - 1);
    const auto characters = std::ranges::count_if(text_.substr(start, byte - start),
                                                  [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
    return {static_cast<int>(next - lines_.begin()), static_cast<int>(characters) + 1};
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> lines_;  // where each begins
};

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Looks through a text for the two things that toml++ 3.3 cannot be given:
//  - keys of any number of dots: it frees nested tables recursively, and the stack is finite;
//  - letters outside ASCII where it looks for blanks, that is outside quotes and comments (no TOML allows them there) and
//    after a backslash in a multi-line string: it then runs into what its authors thought unreachable. A quote within a word, as in
//    `x = 0"a"`, begins no string: the library reads on to the end of the word.
class Guard {
 public:
  explicit Guard(std::string_view text) : text_(text) {}

  [[nodiscard]] std::optional<Problem> find() {
    int dots = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '.' && ++dots > kMaxDots) return here(fmt::format("a key of more than {} parts", kMaxDots + 1));
      if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) dots = 0, follow(c);
      if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
      if ((c == '"' || c == '\'') && begins_string() && !skip_string()) return unexpected_character("cannot follow a backslash");
      if (!is_ascii(c)) return unexpected_character("can stand only in quotes or in a comment");
    }
    return std::nullopt;
  }

 private:
  // Whether what comes next is a value, and in what it stands.
  void follow(char c) {
    if (c == '\n' && open_.empty()) is_value_ = false;
    if (c == '=') is_value_ = true;
    if (c == '{' || (c == '[' && is_value_)) open_ += c;
    if (c == '{') is_value_ = false;
    if ((c == ']' || c == '}') && !open_.empty()) open_.pop_back();
    if (c == '}') is_value_ = true;
    if (c == ',' && !open_.empty()) is_value_ = open_.back() == '[';
  }

  [[nodiscard]] bool begins_string() const {
    return at_ == 0 || std::string_view(is_value_ ? " \t\r\n=,[" : " \t\r\n.,[{").find(text_[at_ - 1]) != std::string_view::npos;
  }

  // Goes to the last byte of the string that begins here; false at a letter that must not follow a backslash.
  [[nodiscard]] bool skip_string() {
    const char quote = text_[at_];
    const std::string three(3, quote);
    const bool multi_line = text_.substr(at_, 3) == three;
    for (at_ += multi_line ? 3 : 1; at_ < text_.size(); ++at_) {
      if (quote == '"' && text_[at_] == '\\') {
        if (++at_; !multi_line) continue;
        const std::size_t next = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
        if (next < text_.size() && !is_ascii(text_[next])) return at_ = next, false;
        at_ = next > at_ ? next - 1 : at_;
      } else if (multi_line && text_.substr(at_, 3) == three) {
        at_ = std::min(text_.find_first_not_of(quote, at_), text_.size()) - 1;  // one or two more belong to the content
        return true;
      } else if (!multi_line && (text_[at_] == quote || text_[at_] == '\n')) {
        return true;
      }
    }
    return true;
  }

  [[nodiscard]] Problem unexpected_character(std::string_view why) const {
    const std::string_view rest = text_.substr(at_), character = rest.substr(0, character_size(rest));
    if (character.empty()) return here("the text is not valid UTF-8 from here on");
    return here(fmt::format("not valid TOML: '{}' {}", character, why));
  }

  [[nodiscard]] Problem here(std::string sentence) const { return error(Source(text_).where(at_), std::move(sentence)); }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string open_;  // brackets of arrays and inline tables
  bool is_value_ = false;
};

// What the library was reading, in a user's words; with a number or a word there, he may have meant an expression.
struct Context {
  std::string_view library, ours;
  bool bare_value = false;
};
constexpr std::array kContexts{Context{"floating-point", "a number", true},   Context{"decimal integer", "an integer", true},
                               Context{"boolean", "a value", true},           Context{"value", "a value", true},
                               Context{"key-value pair", "a line", true},     Context{"array", "an array"},
                               Context{"inline table", "an inline table"},    Context{"table header", "a section header"},
                               Context{"root table", "the file"},             Context{"string", "a string"},
                               Context{"literal string", "a string"},         Context{"key", "a key"}};

// The library's messages read "Error while parsing SOMETHING: reason".
Problem syntax_error(const toml::parse_error& failure) {
  const Where where = to_where(failure.source().begin);
  std::string_view reason = failure.description();
  constexpr std::string_view kPrefix = "Error while parsing ";
  if (reason.find("utf-8") != reason.npos) return error(where, "the text is not valid UTF-8 from here on");
  if (!reason.starts_with(kPrefix)) return error(where, fmt::format("not valid TOML: {}", reason));
  reason.remove_prefix(kPrefix.size());
  const std::size_t colon = std::min(reason.find(": "), reason.size());
  const std::string_view library = reason.substr(0, colon);
  reason.remove_prefix(std::min(colon + 2, reason.size()));

  if (reason.starts_with("cannot redefine existing "))
    return error(where, fmt::format("{} is already defined above", reason.substr(std::min(reason.find('\''), reason.size()))));
  if (reason.starts_with("exceeded maximum nested"))
    return error(where, fmt::format("values are nested more than {} deep", TOML_MAX_NESTED_VALUES));
  if (const std::size_t end = reason.find("' could not be interpreted"); end != reason.npos && reason.starts_with('\'')) {
    const std::string_view number = reason.substr(1, end - 1);
    if (number.find_first_not_of("+-.0123456789_eE") == number.npos)
      return error(where, fmt::format("the number {} is outside the range of double precision", number));
  }
  if (reason.find("could not be interpreted") != reason.npos || reason.find("not representable") != reason.npos)
    return error(where, fmt::format("not valid TOML: {}", reason));

  const auto known = std::ranges::find(kContexts, library, &Context::library);
  const Context context = known == kContexts.end() ? Context{library, library} : *known;
  const bool after_value = reason.starts_with("expected a comment");
  const bool expression = context.bare_value && (context.library != "key-value pair" || after_value);
  if (reason == "could not determine value type") reason = "this is no value";
  if (reason.starts_with("expected bare key starting character")) reason = "expected a name";
  if (reason == "encountered end-of-file") reason = "the file ends";
  if (reason.starts_with("unescaped control characters")) reason = "a control character, or no closing quote on this line";
  return error(where, fmt::format("not valid TOML: {} (in {})", reason, context.ours),
               expression ? "an expression is written in quotes, such as \"60*deg\"" : "");
}

std::string spelled(double number) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr};
}

class Converter {
 public:
  explicit Converter(std::string_view text) : source_(text) {}

  [[nodiscard]] TomlNode node(const toml::node& from, int depth = 0) const {
    TomlNode out;
    out.where = out.text_where = to_where(from.source().begin);
    if (const auto* table = from.as_table()) fill(out, *table, depth);
    else if (const auto* array = from.as_array()) fill(out, *array, depth);
    else if (const auto* string = from.as_string()) {
      out.kind = TomlNode::Kind::string;
      out.text = string->get();
      out.text_where = inside_quotes(out.where);
    } else if (const auto* integer = from.as_integer()) {
      out.kind = TomlNode::Kind::integer;
      out.text = std::to_string(integer->get());
    } else if (const auto* number = from.as_floating_point()) {
      out.kind = TomlNode::Kind::number;
      out.text = spelled(number->get());
      out.underflow = number->get() == 0 && written_nonzero(out.where);
    } else if (const auto* boolean = from.as_boolean()) {
      out.kind = TomlNode::Kind::boolean;
      out.text = boolean->get() ? "true" : "false";
    } else {
      out.kind = TomlNode::Kind::date;
    }
    return out;
  }

 private:
  void fill(TomlNode& out, const toml::table& from, int depth) const {
    out.kind = TomlNode::Kind::table;
    out.size = from.size();
    if (depth >= TomlNode::kMaxDepth) return;
    out.entries.reserve(from.size());
    for (auto&& [key, value] : from)
      out.entries.push_back({std::string(key.str()), to_where(key.source().begin), node(value, depth + 1)});
    std::ranges::stable_sort(out.entries, {}, &TomlEntry::where);  // the library sorts by name
  }

  void fill(TomlNode& out, const toml::array& from, int depth) const {
    out.kind = TomlNode::Kind::array;
    out.size = from.size();
    if (depth >= TomlNode::kMaxDepth) return;
    for (std::size_t i = 0; i < std::min(from.size(), TomlNode::kMaxItems); ++i) out.items.push_back(node(from[i], depth + 1));
  }

  [[nodiscard]] Where inside_quotes(Where where) const {
    const std::string_view text = source_.at(where);
    if (!text.starts_with("\"\"\"") && !text.starts_with("'''")) return {where.line, where.column + 1};
    const std::string_view content = text.substr(3);
    if (content.starts_with('\n') || content.starts_with("\r\n")) return {where.line + 1, 1};
    return {where.line, where.column + 3};
  }

  [[nodiscard]] bool written_nonzero(Where where) const {
    const std::string_view text = source_.at(where);
    return text.substr(0, text.find_first_not_of("+-0123456789_.")).find_first_of("123456789") != text.npos;
  }

  Source source_;
};

}  // namespace

const TomlEntry* TomlNode::find(std::string_view key) const {
  const auto it = std::ranges::find(entries, key, &TomlEntry::key);
  return it == entries.end() ? nullptr : &*it;
}

std::string described(const TomlNode& node) {
  switch (node.kind) {
    case TomlNode::Kind::string: return node.text.empty() ? "an empty string" : "a string";
    case TomlNode::Kind::integer: return "an integer";
    case TomlNode::Kind::number: return "a number";
    case TomlNode::Kind::boolean: return "a boolean";
    case TomlNode::Kind::date: return "a date or time";
    case TomlNode::Kind::array: return node.size == 0 ? "an empty array" : fmt::format("an array of {}", node.size);
    case TomlNode::Kind::table: break;
  }
  return node.size == 0 ? "an empty table" : "a table";
}

Result<TomlNode> parse_toml(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (auto problem = Guard(text).find()) return *std::move(problem);
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) return syntax_error(parsed.error());
  return Converter(text).node(parsed.table());
}

}  // namespace jounce
