// The polynomial through values at nodes: what it is elsewhere, and its integral. By Lagrange's polynomials where the nodes are known beforehand, by
// Newton's where they come one after another.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "jounce/math/gauss.hpp"

namespace jounce {

/// What the value at node i contributes to the polynomial through all nodes, at x.
[[nodiscard]] inline double lagrange(std::span<const double> nodes, std::size_t i, double x) {
  double out = 1;
  for (std::size_t j = 0; j < nodes.size(); ++j)
    if (j != i) out *= (x - nodes[j]) / (nodes[i] - nodes[j]);
  return out;
}

/// What each of the values contributes to the integral of the polynomial through all of them; of 16 nodes at most.
[[nodiscard]] inline std::vector<double> integral_weights(std::span<const double> nodes, double from, double to) {
  std::vector<double> out(nodes.size());
  for (std::size_t g = 0; g < kGauss8.node.size(); ++g) {
    const double x = from + (to - from) * kGauss8.place(g);
    for (std::size_t i = 0; i < nodes.size(); ++i) out[i] += kGauss8.share(g) * (to - from) * lagrange(nodes, i, x);
  }
  return out;
}

/// The integral of a polynomial through nodes that come one after another, over one interval; 16 nodes at most.
class GrowingIntegral {
 public:
  static constexpr std::size_t kMostNodes = 2 * kGauss8.node.size();

  GrowingIntegral(double from, double to) : from_(from), length_(to - from) { product_.fill(1); }

  /// How much one node more changes it; or, at a node that is there already, its Taylor coefficient of an order, after those of the lower orders. Each counts
  /// as a node.
  double add(double x, double value, int order = 0) {
    const double s = (x - from_) / length_;
    const double difference = order == 0 ? at_new_place(s, value) : at_old_place(s, value, order);
    double change = 0;
    for (std::size_t g = 0; g < product_.size(); ++g) {
      change += kGauss8.share(g) * product_[g];
      product_[g] *= kGauss8.place(g) - s;
    }
    place_[count_] = s;
    coefficient_[count_++] = difference;
    change *= difference * length_;
    integral_ += change;
    return change;
  }
  [[nodiscard]] double value() const { return integral_; }
  [[nodiscard]] std::size_t nodes() const { return count_; }

 private:
  [[nodiscard]] double at_new_place(double s, double value) const {
    for (std::size_t i = 0; i < count_; ++i) value = (value - coefficient_[i]) / (s - place_[i]);
    return value;
  }
  // The polynomial so far and the product that is next, as series about s: of the product this order is the first that is not zero.
  [[nodiscard]] double at_old_place(double s, double value, int order) const {
    std::array<double, kMostNodes> sum{}, product{1};
    const auto last = static_cast<std::size_t>(order);
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t k = 0; k <= last; ++k) sum[k] += coefficient_[i] * product[k];
      for (std::size_t k = last; k > 0; --k) product[k] = product[k] * (s - place_[i]) + product[k - 1];
      product[0] *= s - place_[i];
    }
    for (int k = 0; k < order; ++k) value *= length_;
    return (value - sum[last]) / product[last];
  }

  double from_, length_, integral_ = 0;
  std::size_t count_ = 0;
  std::array<double, kMostNodes> place_{}, coefficient_{};
  std::array<double, kGauss8.node.size()> product_{};  // of Newton's polynomial that is next, at the places of Gauss's rule
};

}  // namespace jounce
