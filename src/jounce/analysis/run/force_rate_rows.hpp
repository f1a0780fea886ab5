// Columns of results that are there on demand only: rates of forces along the motion, what each force does to each body, and the rate of that. They follow
// from the places, rates and accelerations of a row, whichever analysis has filled it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/results/column.hpp"

namespace jounce {

struct PlaneMechanism;
struct SpaceMechanism;

class ForceRateRows {
 public:
  /// `of_rows`: the columns of the rows, those of accelerations among them. The mechanism must live as long. A force with exact dry friction has no columns
  /// here: where it is stuck its rate does not follow from the motion.
  ForceRateRows(const PlaneMechanism& mechanism, const std::vector<Column>& of_rows);
  ForceRateRows(const SpaceMechanism& mechanism, const std::vector<Column>& of_rows);

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }

  struct Trouble {
    std::string element, sentence;
  };
  /// One number for each column. Something where a force has no rate, as at a kink of its law.
  [[nodiscard]] std::optional<Trouble> fill(std::span<const double> row, std::span<double> out) const { return fill_(row, out); }

 private:
  std::vector<Column> columns_;
  std::function<std::optional<Trouble>(std::span<const double>, std::span<double>)> fill_;
};

}  // namespace jounce
