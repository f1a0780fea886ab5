// Tables of numbers as text: a row of names, then rows of numbers, separated by commas.
//
// Every number is written in the fewest digits that read back as the same double, whatever the locale.
#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/result.hpp"
#include "jounce/io/rows_writer.hpp"

namespace jounce {

/// Writes through one buffer that is filled and emptied again, by whole lines: nothing is allocated for a row. The file stays the caller's.
class CsvWriter final : public RowsWriter {
 public:
  explicit CsvWriter(std::FILE* file) : file_(file) {}
  explicit CsvWriter(std::string& text) : string_(&text) {}

  bool header(std::span<const std::string> names);
  bool header(std::span<const Column> columns) override { return header(names_of(columns)); }
  bool row(std::span<const double> values) override;
  /// Hands over what is still in the buffer.
  [[nodiscard]] bool finish() override;
  [[nodiscard]] const std::string& failure() const override { return failure_; }

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 18U;
  static constexpr std::size_t kLongestNumber = 32;

  void put(char c);
  void put(std::string_view text);
  void end_line();
  void make_room(std::size_t count);
  void hand_over(std::size_t count);

  std::FILE* file_ = nullptr;
  std::string* string_ = nullptr;
  std::vector<char> buffer_ = std::vector<char>(kBuffer);
  std::size_t used_ = 0;  // of the buffer
  std::size_t line_ = 0;  // where the line begins that is being written: before it there are whole ones
  std::string failure_;
};

struct CsvTable {
  std::vector<std::string> names;
  std::size_t rows = 0;
  std::vector<double> values;  ///< row by row

  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return values[row * names.size() + column]; }
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  [[nodiscard]] std::vector<double> column(std::size_t column) const;
};

/// Reads what CsvWriter writes: names in the first row, numbers (also `inf` and `nan`) in the others. Errors name file, line
/// and column; CRLF, a byte order mark, blanks around numbers and empty lines are accepted.
[[nodiscard]] Result<CsvTable> read_csv(const std::string& path);
[[nodiscard]] Result<CsvTable> parse_csv(std::string_view text, std::string_view file_name);

}  // namespace jounce
