#include "jounce/report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "jounce/base/suggest.hpp"
#include "jounce/report/svg_axis.hpp"
#include "jounce/report/svg_curve.hpp"
#include "jounce/report/svg_writer.hpp"
#include "jounce/results/column_name.hpp"
#include "jounce/results/noise.hpp"
#include "jounce/results/trajectory.hpp"

namespace jounce {
namespace {

using svg::Axis;
using svg::Pixel;

constexpr std::size_t kMostCurves = 60;  // more can be told apart by nobody
constexpr double kLargest = 1e300;       // beyond it a number is as good as missing
constexpr double kTolerance = 0.2;       // pixels that a curve may be off
constexpr double kNarrowest = 0.5;       // a gap narrower than this is not seen
constexpr double kFont = 12, kLegendRow = 18, kAxisRow = 38, kTitleRow = 26, kBetween = 10;
constexpr double kSmallest = 60;  // of a panel
constexpr double kTickRow = 38;   // at least, from tick to tick
constexpr double kTitleColumn = 36, kUsualLeft = 64;  // left of the labels; left of the axes
constexpr double kMargin = 0.05;                      // of a range, beyond its ends
constexpr double kLowestPath = 160, kHighestPath = 640;  // of a panel that shows paths

constexpr std::string_view kStyle =
    ".jounce-figure text{font-size:12px;fill:currentColor;stroke:none}"
    ".jounce-figure .title{font-size:15px;font-weight:600}"
    ".jounce-figure .grid{stroke-opacity:.14}.jounce-figure .zero{stroke-opacity:.45}.jounce-figure .axis{stroke-opacity:.75}"
    ".jounce-figure .curve{stroke-width:1.7}.jounce-figure .points{stroke-width:5}";

// ---- what a column is -----------------------------------------------------------------------------------------------

struct Quantity {
  std::string name, unit;
};

// The table with its columns taken apart into name and unit, and its numbers as they are to be shown.
class PlotTable {
 public:
  PlotTable(const CsvTable& table, const Units& units) : rows(table.rows), table_(table), factor_(table.names.size(), 1.0) {
    std::vector<Column> columns;
    std::vector<double> largest(table.names.size());
    double size = 0;
    for (std::size_t c = 0; c < table.names.size(); ++c) {
      const Heading heading = heading_of(table.names[c]);
      Column& column = columns.emplace_back(column_of_name(heading.name));
      const auto given = in_si(heading.unit);
      names.push_back(given ? heading.name : table.names[c]);
      if (given) column.unit = given->unit;
      else if (heading.name.ends_with(".effort")) column.unit = unit_of_effort(column.owner);
      const Units::Shown shown = units.of(column.unit);
      si.push_back(column.unit);
      // what nobody chooses stays as the file has it
      const bool kept = given && !shown.chosen && !units.si_otherwise();
      unit.push_back(kept ? heading.unit : shown.unit);
      if (!kept) factor_[c] = (given ? given->factor : 1) * shown.factor;
      for (std::size_t row = 0; row < rows; ++row)
        if (const double x = std::abs(table.at(row, c)); x <= kLargest) largest[c] = std::max(largest[c], x * (given ? given->factor : 1));
      if (column.group == "position" && column.unit == "m") size = std::max(size, largest[c]);
    }
    const std::vector<bool> empty = noise(columns, largest, size);
    for (std::size_t c = 0; c < factor_.size(); ++c)
      if (empty[c]) factor_[c] = 0;
  }

  std::vector<std::string> names, si, unit;
  std::size_t rows;

  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    const double x = table_.at(row, column);
    return factor_[column] == 0 && std::isfinite(x) ? 0 : factor_[column] == 0 ? x : x * factor_[column];
  }
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
    const auto it = std::ranges::find(names, name);
    return it == names.end() ? table_.find(name) : std::optional(static_cast<std::size_t>(it - names.begin()));
  }

 private:
  // A driver that turns something pushes nothing with a force, and one that moves something does: what it does to its body tells its unit.
  [[nodiscard]] std::string unit_of_effort(const std::string& driver) const {
    const auto acts = [&](std::string_view ending) {
      const auto column = table_.find(driver + std::string(ending));
      if (!column) return std::optional<bool>();
      for (std::size_t row = 0; row < rows; ++row)
        if (const double x = std::abs(table_.at(row, *column)); x > 0 && x <= kLargest) return std::optional(true);
      return std::optional(false);
    };
    const auto x = acts(".fx"), y = acts(".fy"), turns = acts(".torque");
    if (x.value_or(false) || y.value_or(false)) return "N";
    return x && y && turns.value_or(false) ? "N m" : "";
  }

  const CsvTable& table_;
  std::vector<double> factor_;  // 0: nothing but rounding
};

// The quantity follows from the unit. Columns whose unit the name alone does not tell (an effort is a force or a torque) share
// a panel with their kind only.
Quantity quantity_of(const std::string& column, const std::string& si, const std::string& shown) {
  static constexpr std::array<std::array<std::string_view, 2>, 16> kUnits{{{"s", "t"},
                                                                           {"m", "position"},
                                                                           {"rad", "angle"},
                                                                           {"m/s", "velocity"},
                                                                           {"rad/s", "angular velocity"},
                                                                           {"m/s²", "acceleration"},
                                                                           {"rad/s²", "angular acceleration"},
                                                                           {"m/s³", "jerk"},
                                                                           {"rad/s³", "angular jerk"},
                                                                           {"m/s⁴", "snap"},
                                                                           {"rad/s⁴", "angular snap"},
                                                                           {"N", "force"},
                                                                           {"N m", "moment"},
                                                                           {"J", "energy"},
                                                                           {"kg m/s", "momentum"},
                                                                           {"kg m²/s", "angular momentum"}}};
  const Column info = column_of_name(column);  // a table from a file has nothing but names
  if (si == "m" && info.group == "force") return {"length", shown};
  for (const auto& [unit, name] : kUnits)
    if (unit == si) return {std::string(name), shown};
  if (!si.empty()) return {column.substr(column.rfind('.') + 1), shown};
  if (info.group.empty()) return {column.substr(column.rfind('.') + 1), ""};
  std::string name = info.group == "position" ? "quaternion" : info.group;
  std::ranges::replace(name, '-', ' ');
  return {name + (column.ends_with("_rate") ? " rate" : ""), ""};
}

bool share_panel(const Quantity& a, const Quantity& b) { return a.unit == b.unit && (!a.unit.empty() || a.name == b.name); }

// ---- which columns --------------------------------------------------------------------------------------------------

Problem no_such_column(std::string_view option, const std::string& name, const PlotTable& table) {
  const auto guess = nearest_name(name, table.names);
  return error({}, fmt::format("{}no column {} '{}' ({})", option, name.find('*') == name.npos ? "is named" : "matches", name,
                               guess ? "did you mean '" + *guess + "'?" : "there are " + join_names(table.names)));
}

struct Chosen {
  std::size_t x = 0;
  std::vector<std::size_t> curves;
};

Result<Chosen> choose(const PlotTable& table, std::span<const std::string> columns, const PlotOptions& options) {
  Problems problems;
  Chosen out;
  const auto x = options.x.empty() ? table.find("t") : table.find(options.x);
  if (!x && !options.x.empty()) problems.push_back(no_such_column("--x: ", options.x, table));
  out.x = x.value_or(0);
  std::vector<std::string> unmatched;
  for (const std::size_t c : select_columns(table.names, columns, unmatched)) {
    // the horizontal axis and t stay out of patterns
    const bool asked = std::ranges::find(columns, table.names[c]) != columns.end();
    if (asked || (c != out.x && table.names[c] != "t")) out.curves.push_back(c);
  }
  for (const std::string& name : unmatched) problems.push_back(no_such_column("", name, table));
  if (problems.empty() && out.curves.empty())
    problems.push_back(error({}, "expected columns to plot, such as \"crank.*\" or rod.phi"));
  if (out.curves.size() > kMostCurves)
    problems.push_back(
        error({}, fmt::format("{} columns are more than one figure can show (at most {})", out.curves.size(), kMostCurves),
              "name fewer, such as \"crank.v*\""));
  if (problems.empty() && table.rows == 0) problems.push_back(error({}, "expected rows of numbers, found only names"));
  if (!problems.empty()) return problems;
  return out;
}

// ---- what is drawn --------------------------------------------------------------------------------------------------

bool usable(double value) { return std::abs(value) <= kLargest; }

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double value) {
    if (!usable(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool empty() const { return low > high; }
};

struct Panel {
  Quantity quantity;
  std::vector<std::size_t> curves;  // columns
  Range range;
  int legend_rows = 1;
  double top = 0, height = 0;  // of its axes
  std::optional<Axis> axis;    // once its height is known
};

// "energy (10⁻³ J)"; what does not fit is the name, never the unit.
std::string axis_title(const std::string& quantity, const std::string& measure, double room) {
  std::string full = quantity.empty() ? measure : measure.empty() ? quantity : quantity + " (" + measure + ")";
  if (measure.empty() || svg::text_width(full, kFont) <= room) return full;
  return measure;
}

std::vector<Panel> panels_of(const PlotTable& table, const Chosen& chosen) {
  std::vector<Panel> out;
  for (const std::size_t c : chosen.curves) {
    const Quantity quantity = quantity_of(table.names[c], table.si[c], table.unit[c]);
    auto panel = std::ranges::find_if(out, [&](const Panel& p) { return share_panel(p.quantity, quantity); });
    if (panel == out.end()) panel = out.insert(out.end(), Panel{quantity, {}, {}});
    if (panel->quantity.name != quantity.name) panel->quantity.name.clear();
    panel->curves.push_back(c);
    for (std::size_t row = 0; row < table.rows; ++row)
      if (usable(table.at(row, chosen.x))) panel->range.take(table.at(row, c));
  }
  for (Panel& panel : out)
    if (panel.range.empty()) panel.range = {0, 1};
  return out;
}

class Figure {
 public:
  Figure(const PlotTable& table, const Chosen& chosen, const PlotOptions& options)
      : table_(table), chosen_(chosen), options_(options), panels_(panels_of(table, chosen)) {
    for (std::size_t row = 0; row < table.rows; ++row) across_.take(table.at(row, chosen.x));
    if (across_.empty()) across_ = {0, 1};
  }

  std::string draw() {
    lay_out();
    svg::Writer out(options_.width, bottom_ + kAxisRow, spoken_title(), kStyle);
    if (!options_.title.empty()) {
      const auto longest = static_cast<std::size_t>(std::max(8.0, options_.width / 9));
      out.text(svg::shortened(options_.title, longest),
               {{"class", "title"}, {"x", svg::number(options_.width / 2)}, {"y", "18"}, {"text-anchor", "middle"}});
    }
    const Axis x(across_.low, across_.high, static_cast<int>((right_ - left_) / 75), shows_paths() ? kMargin : table_.rows > 1 ? 0 : 0.1);
    for (const Panel& panel : panels_) {
      out.open("g", {{"class", "panel"}});
      draw_legend(out, panel);
      draw_axes(out, panel, x, *panel.axis);
      for (const std::size_t c : panel.curves) draw_curve(out, panel, c, x, *panel.axis);
      out.close();
    }
    return out.finish();
  }

 private:
  [[nodiscard]] std::string spoken_title() const {
    if (!options_.title.empty()) return options_.title;
    std::vector<std::string> names;
    for (const std::size_t c : chosen_.curves) names.push_back(table_.names[c]);
    return join_names(names) + " over " + table_.names[chosen_.x];
  }

  void lay_out() {
    right_ = options_.width - 18;
    left_ = kUsualLeft;
    // the ticks depend on the height, the left edge on the ticks, and the rows of the legend, with the height, on the left edge
    const double first = panel_height();
    if (shows_paths()) make_equal(across_, right_ - left_, panels_[0].range, first);
    left_ = 0;
    for (Panel& panel : panels_) {
      panel.axis.emplace(panel.range.low, panel.range.high, static_cast<int>(first / kTickRow), kMargin);
      for (const double tick : panel.axis->ticks())
        left_ = std::max(left_, svg::text_width(panel.axis->label(tick), kFont) + kTitleColumn);
      left_ = std::max(left_, svg::text_width(panel.axis->shared(), kFont) + 12);
    }
    const double each = panel_height();
    if (shows_paths()) {  // the left edge has moved
      make_equal(across_, right_ - left_, panels_[0].range, each);
      panels_[0].axis.emplace(panels_[0].range.low, panels_[0].range.high, static_cast<int>(each / kTickRow), kMargin);
    }
    double above = top();
    for (Panel& panel : panels_) {
      panel.top = above + panel.legend_rows * kLegendRow + 4;
      panel.height = each;
      above = panel.top + each + kBetween - 4;
    }
    bottom_ = panels_.back().top + each;
  }

  // Lengths over a length are the paths of points: a circle is to be round.
  [[nodiscard]] bool shows_paths() const {
    const auto is_length = [&](std::size_t c) { return table_.si[c] == "m" && table_.unit[c] == table_.unit[chosen_.x]; };
    return panels_.size() == 1 && is_length(chosen_.x) && std::ranges::all_of(panels_[0].curves, is_length);
  }

  // Widens one of two ranges, so that a pixel is as much in both.
  static void make_equal(Range& x, double wide, Range& y, double high) {
    const double pixel = std::max((x.high - x.low) / wide, (y.high - y.low) / high);
    if (!(pixel > 0)) return;  // a point
    for (const auto& [range, pixels] : {std::pair{&x, wide}, std::pair{&y, high}}) {
      const double middle = range->low / 2 + range->high / 2;
      range->low = middle - pixel * pixels / 2;
      range->high = middle + pixel * pixels / 2;
    }
  }

  [[nodiscard]] double top() const { return options_.title.empty() ? 4 : kTitleRow; }

  // Of each panel, with the legends that the left edge leaves room for.
  double panel_height() {
    double fixed = top() + kAxisRow;
    for (Panel& panel : panels_) {
      panel.legend_rows = legend(panel, [](std::size_t, Pixel, const std::string&) {});
      fixed += panel.legend_rows * kLegendRow + kBetween;
    }
    if (options_.height > 0) return std::max(kSmallest, (options_.height - fixed) / static_cast<double>(panels_.size()));
    if (shows_paths() && across_.high > across_.low) {
      const Range& y = panels_[0].range;
      return std::clamp((right_ - left_) * (y.high - y.low) / (across_.high - across_.low), kLowestPath, kHighestPath);
    }
    return panels_.size() == 1 ? 280 : panels_.size() < 4 ? 170 : 130;
  }

  // Calls back with every curve's number among all, its place in the legend and its name; gives the number of rows.
  template <class Each>
  int legend(const Panel& panel, const Each& each) const {
    double x = left_;
    int row = 0;
    for (const std::size_t c : panel.curves) {
      const std::string name = svg::shortened(table_.names[c], 48);
      const double wide = 24 + svg::text_width(name, kFont) + 14;
      if (x > left_ && x + wide > options_.width) {
        x = left_;
        ++row;
      }
      each(c, Pixel{x, row * kLegendRow}, name);
      x += wide;
    }
    return row + 1;
  }

  void draw_legend(svg::Writer& out, const Panel& panel) const {
    const double top = panel.top - 4 - panel.legend_rows * kLegendRow;
    legend(panel, [&](std::size_t c, Pixel at, const std::string& name) {
      const double y = top + at.y + kLegendRow / 2;
      out.element("path", {{"class", "curve"},
                           {"stroke", colour(c)},
                           {"stroke-dasharray", dashes(c)},
                           {"d", svg::path(std::array{Pixel{at.x, y}, Pixel{at.x + 18, y}})}});
      out.text(name, {{"x", svg::number(at.x + 24)}, {"y", svg::number(y + 4)}});
    });
  }

  [[nodiscard]] std::size_t number_of(std::size_t column) const {
    return static_cast<std::size_t>(std::ranges::find(chosen_.curves, column) - chosen_.curves.begin());
  }
  [[nodiscard]] std::string colour(std::size_t column) const { return std::string(svg::colour(number_of(column))); }
  [[nodiscard]] std::string dashes(std::size_t column) const {
    static constexpr std::array kDashes{"", "6 4", "2 4", "9 3 2 3"};
    return kDashes[number_of(column) / svg::colours() % kDashes.size()];
  }

  void draw_axes(svg::Writer& out, const Panel& panel, const Axis& x, const Axis& y) const {
    const double low = panel.top + panel.height;
    for (const double tick : y.ticks()) {
      const double at = low - y.part(tick) * panel.height;
      out.line({left_, at}, {right_, at}, tick == 0 ? "zero" : "grid");
      out.text(y.label(tick), {{"x", svg::number(left_ - 7)}, {"y", svg::number(at + 4)}, {"text-anchor", "end"}});
    }
    const bool last = &panel == &panels_.back();
    for (const double tick : x.ticks()) {
      const double at = left_ + x.part(tick) * (right_ - left_);
      out.line({at, panel.top}, {at, low}, "grid");
      if (last) out.text(x.label(tick), {{"x", svg::number(at)}, {"y", svg::number(low + 16)}, {"text-anchor", "middle"}});
    }
    out.path(svg::path(std::array{Pixel{left_, panel.top}, Pixel{left_, low}, Pixel{right_, low}}), "axis");
    const Pixel middle{14, panel.top + panel.height / 2};
    out.text(axis_title(panel.quantity.name, y.measure(panel.quantity.unit), panel.height),
             {{"class", "measure"},
              {"x", svg::number(middle.x)},
              {"y", svg::number(middle.y)},
              {"text-anchor", "middle"},
              {"transform", "rotate(-90 " + svg::number(middle.x) + " " + svg::number(middle.y) + ")"}});
    if (!y.shared().empty())
      out.text(y.shared(), {{"class", "shared"},
                            {"x", svg::number(left_ - 7)},
                            {"y", svg::number(panel.top - 4 - kLegendRow / 2 + 4)},
                            {"text-anchor", "end"}});
    if (!last) return;
    const std::string& name = table_.names[chosen_.x];
    const std::string title = axis_title(svg::shortened(name, 48), x.measure(table_.unit[chosen_.x]), right_ - left_);
    out.text(x.shared().empty() ? title : title + ", " + x.shared(),
             {{"x", svg::number((left_ + right_) / 2)}, {"y", svg::number(low + 34)}, {"text-anchor", "middle"}});
  }

  void draw_curve(svg::Writer& out, const Panel& panel, std::size_t column, const Axis& x, const Axis& y) const {
    std::string lines, points;
    std::vector<Pixel> piece;
    const double width = kNarrowest * std::max(1.0, static_cast<double>(chosen_.curves.size()) / 3);
    const auto end_piece = [&] {
      if (piece.size() == 1)
        points += svg::path(piece) + "h0";
      else
        lines += svg::path(svg::simplified(piece, kTolerance, width));
      piece.clear();
    };
    bool missing = false;
    for (std::size_t row = 0; row < table_.rows; ++row) {
      const double at = table_.at(row, chosen_.x), value = table_.at(row, column);
      if (!usable(at) || !usable(value)) {
        missing = true;
        continue;
      }
      const Pixel p{left_ + x.part(at) * (right_ - left_), panel.top + panel.height * (1 - y.part(value))};
      if (missing && !piece.empty() && length(p - piece.back()) > kNarrowest) end_piece();
      missing = false;
      piece.push_back(p);
    }
    end_piece();
    out.open("g", {{"data-column", table_.names[column]}, {"stroke", colour(column)}});
    if (!lines.empty()) out.element("path", {{"class", "curve"}, {"stroke-dasharray", dashes(column)}, {"d", lines}});
    if (!points.empty()) out.path(points, "points");
    out.close();
  }

  const PlotTable& table_;
  const Chosen& chosen_;
  const PlotOptions& options_;
  std::vector<Panel> panels_;
  Range across_;
  double left_ = 0, right_ = 0, bottom_ = 0;
};

// What leaves a gap, or an empty panel, should not do so in silence.
Problems missing_values(const PlotTable& table, const Chosen& chosen) {
  Problems out;
  for (const std::size_t c : chosen.curves) {
    std::size_t shown = 0;
    for (std::size_t row = 0; row < table.rows; ++row)
      shown += usable(table.at(row, c)) && usable(table.at(row, chosen.x)) ? 1 : 0;
    if (shown == table.rows) continue;
    const std::string what = shown == 0 ? "no number" : fmt::format("only {} of {} numbers", shown, table.rows);
    out.push_back(warning({}, fmt::format("column '{}' has {} that could be shown (finite, and not beyond {:g})", table.names[c], what,
                                          kLargest)));
  }
  return out;
}

}  // namespace

Result<std::string> plot(const CsvTable& from, std::span<const std::string> columns, const PlotOptions& options) {
  const PlotTable table(from, options.units);
  const auto chosen = choose(table, columns, options);
  if (!chosen) return chosen.problems();
  return {Figure(table, *chosen, options).draw(), missing_values(table, *chosen)};
}

}  // namespace jounce
