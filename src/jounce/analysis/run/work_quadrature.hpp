// The integral of a power over time, from values where the motion happens to be known and from others asked for between.
//
// A driven motion is known at its rows and steps, as close together as the user wants them. The power between two of them is a polynomial through
// the last ones, taken in one after another until one more changes nothing; where the rows are too far apart for that, the power is asked for
// in between, and only as often as it takes. Rows that lie close together cost nothing but the arithmetic.
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace jounce {

class WorkQuadrature {
 public:
  /// At a time behind the last that is known; nothing where something has no value.
  using Power = std::function<std::optional<double>(double t)>;

  /// `breaks`: times at which the power may jump, ascending; each is the first time behind the jump.
  WorkQuadrature(Power power, std::vector<double> breaks) : power_(std::move(power)), breaks_(std::move(breaks)) {}

  /// From here on, with what was done so far.
  void begin(double t, double power);
  /// On to a later time, at which the power is this; joules below `noise` are rounding.
  void advance(double t, double power, double noise);
  [[nodiscard]] double work() const { return work_; }

 private:
  struct Node {
    double t = 0, power = 0;
  };
  void smooth(const Node& to, int depth);
  [[nodiscard]] bool by_nodes(const Node& from, const Node& to, bool ask);
  void remember(const Node& node);

  Power power_;
  std::vector<double> breaks_;
  std::vector<Node> known_;    // the last ones, ascending, without a break between them
  std::vector<Node> between_;  // asked for on the way
  double work_ = 0, spent_ = 0;  // spent: the integral of the power without its sign, roughly
  double noise_ = 0;
  long asked_ = 0, advances_ = 0;
};

}  // namespace jounce
