// The times of a run at which rows of results are wanted.
#pragma once

#include <cmath>
#include <vector>

namespace jounce {

class OutputTimes {
 public:
  /// So many equal intervals, both ends included.
  OutputTimes(double from, double to, int intervals) : from_(from), to_(to), intervals_(intervals) {}
  /// These, in ascending order; the run begins at `from` all the same.
  OutputTimes(double from, std::vector<double> times) : from_(from), to_(times.empty() ? from : times.back()), times_(std::move(times)) {}

  [[nodiscard]] double from() const { return from_; }
  [[nodiscard]] double to() const { return to_; }
  [[nodiscard]] double length() const { return to_ - from_; }
  [[nodiscard]] int count() const { return times_.empty() ? intervals_ + 1 : static_cast<int>(times_.size()); }
  [[nodiscard]] double at(int i) const {
    if (!times_.empty()) return times_[static_cast<std::size_t>(i)];
    return i == intervals_ ? to_ : from_ + (to_ - from_) * i / intervals_;
  }

 private:
  double from_, to_;
  int intervals_ = 0;
  std::vector<double> times_;
};

}  // namespace jounce
