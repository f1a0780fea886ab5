// Writes JSON with two blanks of indentation: enough for documents we write and never read.
#pragma once

#include <string>
#include <string_view>

namespace jounce {

class JsonWriter {
 public:
  void begin_object(std::string_view key = {}) { begin(key, '{'); }
  void begin_array(std::string_view key = {}) { begin(key, '['); }
  void end_object() { end('}'); }
  void end_array() { end(']'); }

  void text(std::string_view key, std::string_view value) { line(key, quoted(value)); }
  void number(std::string_view key, int value) { line(key, std::to_string(value)); }
  void boolean(std::string_view key, bool value) { line(key, value ? "true" : "false"); }
  /// An item of an array.
  void item(std::string_view value) { line({}, quoted(value)); }

  [[nodiscard]] std::string take() { return std::move(out_ += '\n'); }

  [[nodiscard]] static std::string quoted(std::string_view text) {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
      const auto code = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') (out += '\\') += c;
      else if (code < 0x20) (out += "\\u00").append({kHex[code >> 4U], kHex[code & 15U]});
      else out += c;
    }
    return out += '"';
  }

 private:
  void begin(std::string_view key, char bracket) {
    line(key, std::string_view(&bracket, 1));
    ++depth_;
    first_ = true;
  }
  void end(char bracket) {
    --depth_;
    if (!first_) new_line();
    out_ += bracket;
    first_ = false;
  }
  void line(std::string_view key, std::string_view value) {
    if (!first_) out_ += ',';
    if (depth_ > 0) new_line();
    if (!key.empty()) out_.append(quoted(key)).append(": ");
    out_ += value;
    first_ = false;
  }
  void new_line() { out_.append(1, '\n').append(2 * depth_, ' '); }

  std::string out_;
  std::size_t depth_ = 0;
  bool first_ = true;
};

}  // namespace jounce
