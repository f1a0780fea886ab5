// The integral of a power over time, from values where the motion happens to be known and from others asked for between.
//
// A driven motion is known at its rows and steps, as close together as the user wants them. The power between two of them is a polynomial through
// the last ones, and along their slopes where these are known, taken in one after another until one more changes nothing; where the rows are too far apart
// for that, the power is asked for in between, and only as often as it takes. Rows that lie close together cost nothing but the arithmetic.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace jounce {

/// A power at a time and after it, as far as that is known: Σ coefficient_k h^k.
struct PowerAt {
  static constexpr int kMost = 3;
  PowerAt(double value) : coefficient{value} {}  // NOLINT: a power alone is one

  std::array<double, kMost> coefficient{};
  int known = 1;
  [[nodiscard]] double value() const { return coefficient[0]; }
};

class WorkQuadrature {
 public:
  /// At a time behind the last that is known; nothing where something has no value.
  using Power = std::function<std::optional<PowerAt>(double t)>;

  /// Of all that was spent so far: what one interval may be off by.
  static constexpr double kAccuracy = 1e-10;

  /// `breaks`: times at which the power may jump, ascending; each is the first time behind the jump.
  WorkQuadrature(Power power, std::vector<double> breaks, double accuracy = kAccuracy)
      : power_(std::move(power)), breaks_(std::move(breaks)), accuracy_(accuracy) {}

  /// From here on, with what was done so far.
  void begin(double t, const PowerAt& power);
  /// On to a later time, at which the power is this; joules below `noise` are rounding.
  void advance(double t, const PowerAt& power, double noise);
  [[nodiscard]] double work() const { return work_; }
  /// Stretches over which the power changes too fast for what may be asked for: of their work no digit is sure.
  [[nodiscard]] long unsettled() const { return unsettled_; }

 private:
  struct Node {
    double t = 0;
    PowerAt power;
  };
  void smooth(const Node& to, int depth);
  [[nodiscard]] bool by_nodes(const Node& from, const Node& to, bool ask);
  void remember(const Node& node);

  Power power_;
  std::vector<double> breaks_;
  double accuracy_;
  std::vector<Node> known_;    // the last ones, ascending, without a break between them
  std::vector<Node> between_;  // asked for on the way
  double work_ = 0, spent_ = 0;  // spent: the integral of the power without its sign, roughly
  double noise_ = 0;
  long asked_ = 0, advances_ = 0, unsettled_ = 0;
};

}  // namespace jounce
