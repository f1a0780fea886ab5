// The reasons for which an element's data cannot work.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace jounce {

class Refusals {
 public:
  struct Reason {
    std::string_view key;
    std::string sentence;
  };

  /// Lengths below `floor` count as zero; it is a fixed fraction of the model's size.
  explicit Refusals(double floor) : floor_(floor) {}

  void when(bool bad, std::string_view key, std::string sentence) {
    if (bad) reasons_.push_back({key, std::move(sentence)});
  }
  template <class A, class B>
  void same_body(const A& a, const B& b) {
    when(a.body == b.body, "", "both sides are on the same body");
  }
  template <class A, class B>
  void same_body_of_ends(const A& a, const B& b) {
    when(a.body == b.body, "", "both ends are on the same body");
  }
  template <class Line>
  void no_direction(const Line& line, std::string_view key) {
    when(!(length(line.a) > floor_), key, "the two points of the line coincide, so it has no direction");
  }
  void no_ratio(double K) { when(K == 0 || !std::isfinite(K), "ratio", "must be a number other than 0"); }
  void negative(double x, std::string_view key) { when(x < 0, key, "must not be negative"); }
  void not_positive(double x, std::string_view key, const std::string& why) {
    when(!(x > floor_), key, "must be greater than 0; " + why);
  }

  [[nodiscard]] const std::vector<Reason>& reasons() const { return reasons_; }

 private:
  double floor_;
  std::vector<Reason> reasons_;
};

}  // namespace jounce
