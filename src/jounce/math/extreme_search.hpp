// The highest or lowest value of a function of time, between its samples and not among them.
//
// Samples come in the order of time, and values between the last ones can be asked for. What the function does there is told by the polynomial of degree 4
// through the five nearest samples, and how far that can be trusted by what four of them would say. Only where it could exceed the best so far are values
// asked for: at the vertex of the polynomial, until that stays where it is; by golden sections where no polynomial helps, as at a kink. Where the samples
// are too far apart for a polynomial, they are made denser. So a smooth function that is sampled well costs a few values for each new extreme and nothing else.
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace jounce {

class ExtremeSearch {
 public:
  enum class Side { highest, lowest };
  explicit ExtremeSearch(Side side) : sign_(side == Side::highest ? 1 : -1) {}

  /// The function at a time between the last three samples; nothing where it has no value, or none that can be asked for any more.
  using At = std::function<std::optional<double>(double t)>;

  /// The first sample, or one behind a jump or a kink that is known.
  void begin(double t, double value);
  /// The next one. Differences of `rounding` and less mean nothing.
  void advance(double t, double value, double rounding, const At& at);

  /// Of what was sampled so far; there was a sample.
  [[nodiscard]] double value() const { return sign_ * best_; }
  /// Where it was reached first.
  [[nodiscard]] double time() const { return held_.t; }
  /// The function changes too fast for what may be asked for: there may be a higher or lower value.
  [[nodiscard]] bool unsettled() const { return unsettled_; }

 private:
  struct Sample {
    double t = 0, y = 0;  // y: with the sign that makes it a search for the highest
  };
  class Polynomial;

  void take(const Sample& sample);
  [[nodiscard]] double beyond_rounding() const;
  [[nodiscard]] bool far_below(double y) const;
  [[nodiscard]] std::optional<Sample> ask(double t, const At& at);
  void make_dense(const Sample& from, const Sample& to, const At& at);
  void look_between(const Sample& low, const Sample& high, int depth, const At& at);
  void look_about(const Sample& low, const Sample& middle, const Sample& high, const At& at);
  void date(const std::vector<Sample>& near, const Sample& top, double low, double high);
  void climb(const Sample& low, const Sample& middle, const Sample& high, const At& at);

  double sign_;
  bool begun_ = false;
  double best_ = 0, rounding_ = 0;
  Sample held_;                // where the best was reached first, to rounding
  std::vector<Sample> known_;  // the last ones since the last jump, ascending
  std::vector<Sample> steps_;  // of the last advance
  long asked_ = 0, advances_ = 0;
  bool unsettled_ = false;
};

}  // namespace jounce
