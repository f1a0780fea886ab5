// JSON inside a page: no name can end the script that carries it.
#pragma once

#include <string>
#include <string_view>

namespace jounce {

/// In quotes; <, >, &, U+2028, U+2029 and control characters as \uXXXX, bytes that are no UTF-8 as U+FFFD.
[[nodiscard]] std::string json_text(std::string_view text);
/// The shortest digits that give the number back; null for what is not finite.
[[nodiscard]] std::string json_number(double x);

/// Appends the members of an object or the items of an array, with the commas between them.
class JsonList {
 public:
  JsonList(std::string& out, char open, char close) : out_(out), close_(close) { out_ += open; }
  ~JsonList() { out_ += close_; }
  JsonList(const JsonList&) = delete;
  JsonList& operator=(const JsonList&) = delete;

  /// The place where the next value is to be written.
  std::string& next() { return comma(), out_; }
  std::string& next(std::string_view key) {
    comma();
    return out_ += json_text(key) += ':';
  }

 private:
  void comma() {
    if (!first_) out_ += ',';
    first_ = false;
  }

  std::string& out_;
  char close_;
  bool first_ = true;
};

struct JsonObject : JsonList {
  explicit JsonObject(std::string& out) : JsonList(out, '{', '}') {}
  void text(std::string_view key, std::string_view value) { next(key) += json_text(value); }
  void number(std::string_view key, double value) { next(key) += json_number(value); }
  void raw(std::string_view key, std::string_view value) { next(key) += value; }
};

struct JsonArray : JsonList {
  explicit JsonArray(std::string& out) : JsonList(out, '[', ']') {}
};

}  // namespace jounce
