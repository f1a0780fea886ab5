#include "xlsx_writer.hpp"

#include <xlsxwriter.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

namespace jounce::app {
namespace {

constexpr double kColumnWidth = 16;  // characters

// "0.3 m/s": a number, and what it is measured in.
struct Measured {
  double value = 0;
  std::string unit;
};

std::optional<Measured> measured(const std::string& cell) {
  constexpr std::size_t kLongestUnit = 16;
  Measured out;
  const char* const last = cell.data() + cell.size();
  const auto [end, failed] = std::from_chars(cell.data(), last, out.value);
  if (failed != std::errc{} || cell == "inf" || cell == "nan") return std::nullopt;
  out.unit.assign(end, last);
  const bool unit = out.unit.empty() || (out.unit.front() == ' ' && out.unit.size() < kLongestUnit && out.unit.find_first_of("0123456789,;:\"") == out.unit.npos);
  return unit ? std::optional(out) : std::nullopt;
}

}  // namespace

struct XlsxWriter::Book {
  lxw_workbook* file = nullptr;
  lxw_worksheet* results = nullptr;
  lxw_format* bold = nullptr;
  lxw_format* dim = nullptr;

  std::map<std::string, lxw_format*> units{};

  // A number that stays one, shown with its unit behind it.
  lxw_format* in(const std::string& unit) {
    lxw_format*& out = units[unit];
    if (out == nullptr) {
      out = workbook_add_format(file);
      format_set_num_format(out, ("General\"" + unit + "\"").c_str());
    }
    return out;
  }

  void close() {
    if (file != nullptr) (void)workbook_close(file);
    file = nullptr;
  }
};

bool has_xlsx() { return true; }

// Rows are not kept in memory: each goes to a temporary file when the next begins.
XlsxWriter::XlsxWriter(const std::string& path, const std::string& title) : book_(std::make_unique<Book>()) {
  lxw_workbook_options options{};
  options.constant_memory = LXW_TRUE;
  book_->file = workbook_new_opt(path.c_str(), &options);
  if (book_->file == nullptr) {
    failure_ = "out of memory";
    return;
  }
  book_->results = workbook_add_worksheet(book_->file, "Results");
  book_->bold = workbook_add_format(book_->file);
  format_set_bold(book_->bold);
  book_->dim = workbook_add_format(book_->file);
  format_set_font_color(book_->dim, LXW_COLOR_GRAY);
  std::string about = title, by = "Jounce";
  lxw_doc_properties properties{};
  properties.title = about.data();
  properties.comments = by.data();
  check(workbook_set_properties(book_->file, &properties));
}

XlsxWriter::~XlsxWriter() { book_->close(); }

bool XlsxWriter::header(std::span<const Column> columns) {
  if (!failure_.empty()) return false;
  lxw_worksheet* const sheet = book_->results;
  check(worksheet_set_column(sheet, 0, static_cast<lxw_col_t>(columns.size() - 1), kColumnWidth, nullptr));
  worksheet_freeze_panes(sheet, kXlsxHead, 1);
  lxw_col_t c = 0;
  for (const Column& column : columns) check(worksheet_write_string(sheet, 0, c++, column.name.c_str(), book_->bold));
  c = 0;
  for (const Column& column : columns) check(worksheet_write_string(sheet, 1, c++, column.unit.c_str(), book_->dim));
  rows_ = kXlsxHead;
  return failure_.empty();
}

bool XlsxWriter::row(std::span<const double> values) {
  if (!failure_.empty()) return false;
  lxw_col_t c = 0;
  for (const double value : values)
    if (!check(worksheet_write_number(book_->results, static_cast<lxw_row_t>(rows_), c++, value, nullptr))) return false;
  ++rows_;
  return true;
}

void XlsxWriter::add(const Sheet& sheet) {
  if (!failure_.empty()) return;
  lxw_worksheet* const to = workbook_add_worksheet(book_->file, sheet.name.c_str());
  check(worksheet_set_column(to, 0, 0, 2 * kColumnWidth, nullptr));
  check(worksheet_set_column(to, 1, 7, kColumnWidth, nullptr));
  lxw_row_t r = 0;
  const auto write = [&](const std::vector<std::string>& cells, lxw_format* format) {
    lxw_col_t c = 0;
    for (const std::string& cell : cells) {
      if (const auto number = measured(cell)) check(worksheet_write_number(to, r, c, number->value, number->unit.empty() ? format : book_->in(number->unit)));
      else if (!cell.empty()) check(worksheet_write_string(to, r, c, cell.c_str(), format));
      ++c;
    }
    ++r;
  };
  for (const SummaryTable& table : sheet.tables) {
    if (r > 0) ++r;
    if (!table.title.empty()) write({table.title}, book_->bold);
    if (!table.head.empty()) write(table.head, book_->dim);
    for (const auto& row : table.rows) write(row, nullptr);
  }
}

bool XlsxWriter::finish() {
  if (book_->file == nullptr) return failure_.empty();
  const int status = workbook_close(std::exchange(book_->file, nullptr));
  return check(status);
}

bool XlsxWriter::check(int status) {
  if (status != LXW_NO_ERROR && failure_.empty()) failure_ = lxw_strerror(static_cast<lxw_error>(status));
  return failure_.empty();
}

}  // namespace jounce::app
