// A TOML text as a plain tree with places, in the order of the file. Only toml_tree.cpp knows which TOML library reads it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/result.hpp"

namespace jounce {

struct TomlEntry;

struct TomlNode {
  enum class Kind { string, integer, number, boolean, date, array, table };

  /// Longer arrays and deeper tables mean nothing in a model file: they are cut here, so that no text can exhaust memory.
  static constexpr std::size_t kMaxItems = 64;
  static constexpr int kMaxDepth = 12;

  Kind kind = Kind::table;
  Where where;                     ///< of the first character
  Where text_where;                ///< of the first character inside a string's quotes; otherwise `where`
  std::string text;                ///< a string's content, a number's shortest exact spelling, "true" or "false"
  bool underflow = false;          ///< a number that is written as something else than 0, but too small for a double
  std::size_t size = 0;            ///< of an array or a table
  std::vector<TomlNode> items;     ///< the first kMaxItems of an array
  std::vector<TomlEntry> entries;  ///< of a table

  [[nodiscard]] const TomlEntry* find(std::string_view key) const;
};

struct TomlEntry {
  std::string key;
  Where where;  ///< of the key
  TomlNode value;
};

/// "a string", "an array of 3", ...
[[nodiscard]] std::string described(const TomlNode& node);

/// The root table, or the one syntax error. Bytes that are not UTF-8 are an error; a byte order mark and CRLF are not.
[[nodiscard]] Result<TomlNode> parse_toml(std::string_view text);

}  // namespace jounce
