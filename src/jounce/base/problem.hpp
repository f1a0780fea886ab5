// A problem is data: what is wrong, where the user wrote it, and what would be right.
//
// Every message in the product is one of these, so the terminal can print it, an editor can underline it and a program can
// read it. A sentence says what was expected and what was found, in the user's own names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jounce {

/// A place in a text file; lines and columns count from 1, and 0 means "no particular place".
struct Where {
  int line = 0;
  int column = 0;
  friend bool operator==(const Where&, const Where&) = default;
  friend auto operator<=>(const Where&, const Where&) = default;
};

enum class Severity { error, warning, note };

struct Problem {
  Severity severity = Severity::error;
  std::string file;      ///< empty when the problem is not in a file
  Where where;
  std::string sentence;  ///< what was expected and what was found
  std::string hint;      ///< optional: what to do about it

  /// `file:line:column: error: sentence`, with the hint on a second line. The form compilers use, so editors can jump to it.
  [[nodiscard]] std::string text() const;

  friend bool operator==(const Problem&, const Problem&) = default;
};

using Problems = std::vector<Problem>;

[[nodiscard]] Problem error(Where where, std::string sentence, std::string hint = {});
[[nodiscard]] Problem warning(Where where, std::string sentence, std::string hint = {});

[[nodiscard]] bool any_error(const Problems& problems);

inline void append(Problems& problems, const Problems& more) { problems.insert(problems.end(), more.begin(), more.end()); }

/// Gives every problem that names no file the name `file`.
void locate(Problems& problems, std::string_view file);

/// Problems in the order of the file, those without a place first.
void sort_by_place(Problems& problems);

/// One `text()` per line.
[[nodiscard]] std::string text(const Problems& problems);

}  // namespace jounce
