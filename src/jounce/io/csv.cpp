#include "jounce/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <system_error>

#include "jounce/base/files.hpp"
#include "jounce/expr/tokens.hpp"

namespace jounce {

// ---- writing ----------------------------------------------------------------------------------------------------------------

// Whole lines go to the system together, and nothing of them stays behind: a program that is killed leaves no half of a line.
void CsvWriter::hand_over(std::size_t count) {
  if (string_ != nullptr) {
    string_->append(buffer_.data(), count);
  } else if (failure_.empty() && count > 0) {
    errno = 0;
    if (std::fwrite(buffer_.data(), 1, count, file_) != count || std::fflush(file_) != 0)
      failure_ = std::generic_category().message(errno);
  }
  std::memmove(buffer_.data(), buffer_.data() + count, used_ - count);
  used_ -= count;
  line_ -= std::min(line_, count);
}

void CsvWriter::make_room(std::size_t count) {
  if (buffer_.size() - used_ >= count) return;
  hand_over(line_);
  if (buffer_.size() - used_ < count) buffer_.resize(2 * (used_ + count));  // one line that is longer than the buffer
}

void CsvWriter::put(char c) {
  make_room(1);
  buffer_[used_++] = c;
}

void CsvWriter::put(std::string_view text) {
  make_room(text.size());
  std::memcpy(buffer_.data() + used_, text.data(), text.size());
  used_ += text.size();
}

void CsvWriter::end_line() {
  put('\n');
  line_ = used_;
}

bool CsvWriter::header(std::span<const std::string> names) {
  bool first = true;
  for (const std::string& name : names) {
    if (!first) put(',');
    first = false;
    const bool plain = !name.empty() && name.find_first_of(",\"\r\n") == name.npos && name.front() != ' ' && name.back() != ' ';
    if (plain) {
      put(name);
      continue;
    }
    put('"');
    for (const char c : name) {
      if (c == '"') put('"');
      put(c);
    }
    put('"');
  }
  end_line();
  return failure_.empty();
}

bool CsvWriter::row(std::span<const double> values) {
  char separator = '\0';
  for (const double value : values) {
    make_room(kLongestNumber + 2);
    if (separator != '\0') buffer_[used_++] = separator;
    separator = ',';
    char* const to = buffer_.data() + used_;
    used_ += static_cast<std::size_t>(std::to_chars(to, to + kLongestNumber, value).ptr - to);
  }
  end_line();
  return failure_.empty();
}

bool CsvWriter::finish() {
  hand_over(used_);
  return failure_.empty();
}

// ---- reading ----------------------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t kMaxTable = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMaxProblems = 20;

struct Cell {
  std::string_view raw;  // without the quotes around it, if it had any
  bool quoted = false;
  int column = 1;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// One line of a table, cut at the commas that are not inside quotes. A quoted name may hold line breaks: it is one line here.
class CsvScanner {
 public:
  explicit CsvScanner(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return text_.empty(); }
  [[nodiscard]] int line() const { return line_; }

  /// Fills `cells` with the next line; false when a quote is not closed.
  [[nodiscard]] bool next(std::vector<Cell>& cells) {
    cells.clear();
    line_ += breaks_ + 1;
    breaks_ = 0;
    std::size_t start = 0, end = 0;
    do {
      std::size_t quote = text_.npos;  // the closing one
      if (start < text_.size() && text_[start] == '"' && (quote = closing_quote(start + 1)) == text_.npos) return false;
      end = std::min(text_.find_first_of(",\n", quote == text_.npos ? start : quote), text_.size());
      std::string_view raw = text_.substr(start, end - start);
      if (raw.ends_with('\r')) raw.remove_suffix(1);
      // what has more than blanks after its quotes is not a quoted cell
      const bool quoted = quote != text_.npos && trimmed(raw.substr(quote - start + 1)).empty();
      cells.push_back({quoted ? raw.substr(1, quote - start - 1) : raw, quoted, static_cast<int>(start) + 1});
      start = end + 1;
    } while (end < text_.size() && text_[end] == ',');
    text_.remove_prefix(std::min(start, text_.size()));
    return true;
  }

 private:
  [[nodiscard]] std::size_t closing_quote(std::size_t at) {
    for (; at < text_.size(); ++at) {
      if (text_[at] == '\n') ++breaks_;
      if (text_[at] != '"') continue;
      if (at + 1 == text_.size() || text_[at + 1] != '"') return at;
      ++at;  // a doubled quote
    }
    return text_.npos;
  }

  std::string_view text_;
  int line_ = 0;
  int breaks_ = 0;  // inside the quotes of the current line
};

std::string name_of(const Cell& cell) {
  if (!cell.quoted) return std::string(trimmed(cell.raw));
  std::string out;
  for (std::size_t i = 0; i < cell.raw.size(); ++i) {
    out += cell.raw[i];
    if (cell.raw[i] == '"') ++i;
  }
  return out;
}

bool to_value(std::string_view text, double& out) {
  text = trimmed(text);
  if (to_number(text, out)) return true;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "nan" || text == "-nan") return out = std::numeric_limits<double>::quiet_NaN(), true;
  if (text == "inf") return out = kInfinity, true;
  if (text == "-inf") return out = -kInfinity, true;
  return false;
}

bool is_blank(const std::vector<Cell>& cells) {
  return cells.size() == 1 && !cells[0].quoted && trimmed(cells[0].raw).empty();
}

void read_row(const std::vector<Cell>& cells, int line, CsvTable& table, Problems& problems) {
  if (cells.size() != table.names.size()) {
    problems.push_back(error({line, 1}, fmt::format("expected {} numbers, found {}", table.names.size(), cells.size())));
    return;
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    double value = 0;
    if (!to_value(cells[i].raw, value)) {
      const std::string_view found = trimmed(cells[i].raw).substr(0, 40);
      problems.push_back(error({line, cells[i].column},
                               fmt::format("column '{}': expected a number, found '{}'", table.names[i], found)));
    }
    table.values.push_back(value);
  }
  ++table.rows;
}

}  // namespace

std::optional<std::size_t> CsvTable::find(std::string_view name) const {
  const auto it = std::ranges::find(names, name);
  if (it == names.end()) return std::nullopt;
  return static_cast<std::size_t>(it - names.begin());
}

std::vector<double> CsvTable::column(std::size_t column) const {
  std::vector<double> out(rows);
  for (std::size_t row = 0; row < rows; ++row) out[row] = at(row, column);
  return out;
}

Result<CsvTable> parse_csv(std::string_view text, std::string_view file_name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  CsvTable table;
  Problems problems;
  CsvScanner scanner(text);
  std::vector<Cell> cells;
  while (!scanner.at_end() && problems.size() < kMaxProblems) {
    if (!scanner.next(cells)) {
      problems.push_back(error({scanner.line(), 1}, "a quote is opened and never closed"));
      break;
    }
    if (is_blank(cells)) continue;
    if (!table.names.empty()) read_row(cells, scanner.line(), table, problems);
    else
      for (const Cell& cell : cells) table.names.push_back(name_of(cell));
  }
  if (table.names.empty() && problems.empty()) problems.push_back(error({1, 1}, "expected a row of names, found nothing"));
  locate(problems, file_name);
  if (!problems.empty()) return problems;
  return table;
}

Result<CsvTable> read_csv(const std::string& path) {
  Result<std::string> text = read_file(path, kMaxTable);
  if (!text) return std::move(text.problems());
  return parse_csv(*text, path);
}

}  // namespace jounce
