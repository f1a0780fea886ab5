// The times of a run at which some function of time is not smooth. Neither a power series nor a step of another method sees across them.
#pragma once

#include <optional>
#include <vector>

#include "jounce/expr/expression.hpp"
#include "jounce/expr/time_function.hpp"
#include "jounce/laws/load_function.hpp"

namespace jounce {

class TimeBreaks {
 public:
  TimeBreaks() = default;
  /// Of a run between these times.
  TimeBreaks(double from, double to) : from_(from), to_(to) {}

  void add(const TimeFunction& function);
  void add(const laws::LoadFunction& function);
  /// A motion that a driver or a dof follows: where its rate jumps, there is a blow.
  void add_motion(const TimeFunction& function);
  /// Of time, its first variable, and of the state.
  void add_of_time(const Expression& law);
  /// A law of a measure, its rate and time.
  void add_law(const Expression& law);

  [[nodiscard]] std::optional<double> after(double t) const;
  /// Just behind a kink, where t is one: there is a derivative again. Else t.
  [[nodiscard]] double behind(double t) const;
  /// Some law has a kink in a length, an angle or a rate: when it is met is not known beforehand.
  [[nodiscard]] bool kinks_elsewhere() const { return kinks_elsewhere_; }
  /// The rate of a prescribed motion jumps there.
  [[nodiscard]] bool is_blow(double t) const;
  /// All of them, ascending.
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  [[nodiscard]] const std::vector<double>& blows() const { return blows_; }

 private:
  void take(const std::vector<double>& times);

  double from_ = 0, to_ = 0;
  std::vector<double> times_, blows_;
  bool kinks_elsewhere_ = false;
};

/// Whether the first derivative of a function jumps at one of its breakpoints, by more than rounding.
[[nodiscard]] bool rate_jump(const TimeFunction& function, double t);

}  // namespace jounce
