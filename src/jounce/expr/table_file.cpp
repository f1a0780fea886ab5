#include "jounce/expr/table_file.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "jounce/base/files.hpp"
#include "jounce/expr/names.hpp"
#include "jounce/expr/tokens.hpp"

namespace jounce {
namespace {

constexpr std::size_t kMaxProblemsOfTable = 20;                        // of one file
constexpr std::size_t kMaxTableFile = std::size_t{256} << 20U;  // bytes: ten million points

struct Field {
  std::string_view text;
  int column;
};

// A comma, semicolon, tab or run of blanks ends a field; blanks around a comma or semicolon do not count.
std::vector<Field> fields_of(std::string_view line) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  const auto separator = [](char c) { return c == ',' || c == ';'; };
  std::vector<Field> fields;
  std::size_t at = 0;
  const auto skip_blanks = [&] {
    while (at < line.size() && blank(line[at])) ++at;
  };
  for (skip_blanks(); at < line.size(); skip_blanks()) {
    const std::size_t start = at;
    while (at < line.size() && !blank(line[at]) && !separator(line[at])) ++at;
    fields.push_back({line.substr(start, at - start), static_cast<int>(start) + 1});
    skip_blanks();
    if (at == line.size() || !separator(line[at])) continue;
    ++at;
    skip_blanks();
    if (at == line.size()) fields.push_back({{}, static_cast<int>(at) + 1});  // nothing after the last separator
  }
  return fields;
}

bool field_number(std::string_view text, double& out) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return to_number(text, out);
}

class TableReader {
 public:
  /// `places`: x and y, in place of a quantity that grows and a value over it.
  explicit TableReader(std::string_view column, bool places = false) : column_(column), places_(places) {}

  void line(std::string_view text) {
    ++line_;
    if (line_ == 1 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark, as spreadsheets write it
    const std::vector<Field> fields = fields_of(text.substr(0, text.find('#')));
    if (fields.empty()) return;
    double t = 0, value = 0;
    if (std::exchange(first_, false)) {
      const bool heading = is_heading(fields);
      if (!column_.empty()) find_column(fields, heading);
      if (heading || which_ == 0) return;
    }
    if (which_ == 0) return;
    if (column_.empty() && !places_ ? fields.size() != 2 : fields.size() <= which_)
      return fail(fields.size() < 2 ? fields.back().column : fields[std::min<std::size_t>(2, fields.size() - 1)].column,
                  column_.empty() ? fmt::format("expected {}, found {} field{}", places_ ? "x and y" : "a time and a value",
                                                fields.size(), fields.size() == 1 ? "" : "s")
                                  : fmt::format("expected at least {} fields, found {}", which_ + 1, fields.size()));
    if (!field_number(fields[0].text, t)) return not_a_number(fields[0]);
    if (!field_number(fields[which_].text, value)) return not_a_number(fields[which_]);
    if (!places_ && !t_.empty() && !(t > t_.back()))
      return fail(fields[0].column, fmt::format("times must increase: found {} after {}", t, t_.back()));
    t_.push_back(t);
    value_.push_back(value);
  }

  Result<TablePoints> points() {
    if (!problems_.empty()) return std::move(problems_);
    if (t_.size() < 2)
      return error({std::max(line_, 1), 1}, fmt::format("a table needs at least 2 points, found {}", t_.size()));
    return TablePoints{std::move(t_), std::move(value_)};
  }

  [[nodiscard]] bool full() const { return problems_.size() >= kMaxProblemsOfTable; }

 private:
  void find_column(const std::vector<Field>& fields, bool heading) {
    which_ = 0;
    std::string found;
    for (std::size_t k = 1; k < fields.size() && heading; ++k) {
      if (fields[k].text == column_) which_ = k;
      found += (found.empty() ? "'" : ", '") + std::string(fields[k].text) + "'";
    }
    if (which_ == 0)
      fail(fields.front().column, heading
                                      ? fmt::format("the table has no column '{}' (it has {})", shortened(column_), found)
                                      : fmt::format("expected a line of headings, with '{}' among them", shortened(column_)));
  }

  // Headings are words: no field is a number, and none begins like one.
  static bool is_heading(const std::vector<Field>& fields) {
    for (const Field& field : fields) {
      double number = 0;
      if (field.text.empty() || field_number(field.text, number)) return false;
      if (is_digit(field.text.front()) || std::string_view("+-.").find(field.text.front()) != std::string_view::npos)
        return false;
    }
    return true;
  }

  void not_a_number(const Field& field) {
    if (field.text.empty()) return fail(field.column, "expected a number, found nothing");
    fail(field.column, fmt::format("expected a number, found '{}'", shortened(field.text)));
  }

  void fail(int column, std::string sentence) { problems_.push_back(error({line_, column}, std::move(sentence))); }

  std::string_view column_;  // the heading of the values; empty: there are two columns
  bool places_;
  std::size_t which_ = 1;    // the column of the values; 0: it is not there
  int line_ = 0;
  bool first_ = true;  // no line but comments so far
  std::vector<double> t_, value_;
  Problems problems_;
};

}  // namespace

namespace {

Result<std::shared_ptr<const std::string>> text_of(const std::string& path, FileTexts* texts) {
  if (texts != nullptr)
    if (const auto it = texts->find(path); it != texts->end()) return it->second;
  Result<std::string> text = read_file(path, kMaxTableFile, "table");
  if (!text) return text.problems();
  auto out = std::make_shared<const std::string>(*std::move(text));
  if (texts != nullptr) texts->emplace(path, out);
  return out;
}

Result<TablePoints> read(const std::string& path, TableReader reader, FileTexts* texts) {
  const auto text = text_of(path, texts);
  if (!text) return text.problems();
  for (std::string_view rest = **text; !rest.empty() && !reader.full();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    reader.line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  Result<TablePoints> points = reader.points();
  locate(points.problems(), path);
  return points;
}

}  // namespace

Result<TablePoints> read_points(const std::string& path, std::string_view column, FileTexts* texts) { return read(path, TableReader(column), texts); }

Result<TablePoints> read_places(const std::string& path, FileTexts* texts) { return read(path, TableReader({}, true), texts); }

Result<QuinticSpline> read_table(const std::string& path, FileTexts* texts) {
  Result<TablePoints> points = read_points(path, {}, texts);
  if (!points) return points.problems();
  Result<QuinticSpline> spline = QuinticSpline::through(points->x, points->y);
  locate(spline.problems(), path);
  return spline;
}

}  // namespace jounce
