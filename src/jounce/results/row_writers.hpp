// Columns and rows of results from one walk over a mechanism: the walk says, place by place, whose column it is, what it is and how its
// numbers are found; a ColumnList takes the first two, a NumberRow the third, and a ColumnCount only counts. What a column is called and
// what stands in it cannot come apart.
//
// A NumberRow fills rows in the inner loop of every run: it builds no text, allocates nothing, and everything is inlined.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/results/column.hpp"
#include "jounce/base/column_endings.hpp"

namespace jounce {

/// An element, a body, or a point of a body; without name: the whole mechanism.
struct ColumnOwner {
  std::string_view name, point;

  ColumnOwner() = default;
  ColumnOwner(const std::string& element, std::string_view point_of_it = {})  // NOLINT(google-explicit-constructor): reads well
      : name(element), point(point_of_it) {}

  [[nodiscard]] std::string text() const {
    return point.empty() ? std::string(name) : std::string(name) + "." + std::string(point);
  }
};

class ColumnList {
 public:
  template <std::size_t N, class Numbers>
  void put(const ColumnOwner& owner, const std::array<columns::Ending, N>& endings, const Numbers&) {
    const std::string whose = owner.text();
    for (const columns::Ending& ending : endings) add(whose, ending.text, ending.unit, ending.group);
  }
  /// `unit(k)` and `number(k)` of column k, from 0; its name counts from 1.
  template <class Unit, class Number>
  void numbered(const ColumnOwner& owner, const columns::Stem& stem, int count, const Unit& unit, const Number&,
                std::string_view after = {}) {
    const std::string whose = owner.text();
    for (int k = 0; k < count; ++k)
      add(whose, std::string(stem.text).append(std::to_string(k + 1)).append(after), unit(k), stem.group);
  }

  [[nodiscard]] std::vector<Column> finish() { return std::move(columns_); }

 private:
  void add(const std::string& whose, std::string_view ending, std::string_view unit, std::string_view group) {
    Column& column = columns_.emplace_back();
    column.name.reserve(whose.size() + 1 + ending.size());
    if (!whose.empty()) column.name.append(whose) += '.';
    column.name += ending;
    column.unit = unit;
    column.group = group;
    column.owner = whose;
  }

  std::vector<Column> columns_;
};

class ColumnCount {
 public:
  template <std::size_t N, class Numbers>
  void put(const ColumnOwner&, const std::array<columns::Ending, N>&, const Numbers&) {
    count_ += N;
  }
  template <class Unit, class Number>
  void numbered(const ColumnOwner&, const columns::Stem&, int count, const Unit&, const Number&, std::string_view = {}) {
    count_ += static_cast<std::size_t>(count);
  }

  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  std::size_t count_ = 0;
};

/// `kNoMinusZero`: −0 is written as 0.
template <bool kNoMinusZero>
class NumberRow {
 public:
  explicit NumberRow(double* row) : out_(row) {}

  /// `numbers()` gives an array of as many.
  template <std::size_t N, class Numbers>
  void put(const ColumnOwner&, const std::array<columns::Ending, N>&, const Numbers& numbers) {
    const std::array<double, N> all = numbers();
    for (const double x : all) write(x);
  }
  template <class Unit, class Number>
  void numbered(const ColumnOwner&, const columns::Stem&, int count, const Unit&, const Number& number, std::string_view = {}) {
    for (int k = 0; k < count; ++k) write(number(k));
  }

  /// The place after the last number.
  [[nodiscard]] double* end() const { return out_; }

 private:
  void write(double x) { *out_++ = kNoMinusZero ? x + 0.0 : x; }

  double* out_;
};

}  // namespace jounce
