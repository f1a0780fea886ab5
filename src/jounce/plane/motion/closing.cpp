#include "jounce/plane/motion/closing.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/plane/motion/scaled_jacobian.hpp"

namespace jounce {
namespace {

/// What keeps the normal equations of Newton's step regular where equations repeat each other or leave something free.
constexpr double kRegular = 1e-13;
/// Lengths are shaken by this many sizes where angles are by a radian.
constexpr double kShakenSize = 0.3;

constexpr bool is_angle(std::size_t coordinate) { return coordinate % 3 == 2; }

}  // namespace

PlaneClosing::PlaneClosing(const PlanarSystem& system, std::span<const double> drawn, Evaluation& evaluation)
    : system_(system),
      evaluation_(evaluation),
      size_(system.length_scale()),
      drawn_(drawn.begin(), drawn.end()),
      metric_(drawn.size(), 1.0),
      normal_(system.pattern()) {
  for (std::size_t i = 0; i < metric_.size(); ++i)
    if (!is_angle(i)) metric_[i] = 1.0 / (size_ * size_);
}

// ---- positions ------------------------------------------------------------------------------------------------------------

void PlaneClosing::move(Position& at, std::span<const double> step) {
  for (std::size_t i = 0; i < at.size(); ++i) at[i] += step[i];
}

ClosingMotion::Vector PlaneClosing::way_from_drawn(const Position& at) {
  Vector out = at;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] -= drawn_[i];
  return out;
}

ClosingMotion::Vector PlaneClosing::weighted(std::span<const double> way) const {
  Vector out(way.begin(), way.end());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] *= metric_[i];
  return out;
}

double PlaneClosing::longest_turn(std::span<const double> step) const {
  double turn = 0;
  for (std::size_t i = 2; i < step.size(); i += 3) turn = std::max(turn, std::abs(step[i]));
  return turn;
}

double PlaneClosing::shake(int direction) const { return is_angle(z(direction)) ? 1.0 : kShakenSize * size_; }

// ---- equations ------------------------------------------------------------------------------------------------------------

ClosingMotion::Vector PlaneClosing::residual(const Position& at) {
  const auto phi = evaluation_.set_position(at);
  Vector out(phi.begin(), phi.end());
  for (std::size_t r = 0; r < out.size(); ++r) out[r] /= row_unit(evaluation_.scales()[r], size_);
  return out;
}

void PlaneClosing::linearise() {
  const auto jacobian = evaluation_.jacobian();
  Vector values(jacobian.begin(), jacobian.end());
  for (std::size_t e = 0; e < values.size(); ++e) values[e] /= row_unit(evaluation_.scales()[z(system_.pattern().row[e])], size_);
  normal_.set(values);
}

std::optional<ClosingMotion::Vector> PlaneClosing::damped_step(std::span<const double> gradient, double damping) {
  Vector diagonal = metric_;
  for (double& d : diagonal) d *= damping;
  if (!normal_.factor(diagonal)) return std::nullopt;
  Vector down(gradient.begin(), gradient.end());
  for (double& g : down) g = -g;
  return normal_.solve(down);
}

std::optional<ClosingMotion::Vector> PlaneClosing::newton_step(std::span<const double> r) { return damped_step(gradient(r), kRegular); }

// ---- for results and messages ---------------------------------------------------------------------------------------------

double PlaneClosing::worst_residual(const Position& at) {
  (void)evaluation_.set_position(at);
  return evaluation_.worst_residual();
}

ClosingMotion::Moved PlaneClosing::moved(const Position& at) {
  Moved out;
  for (std::size_t i = 0; i < at.size(); ++i) {
    double& most = is_angle(i) ? out.radians : out.metres;
    most = std::max(most, std::abs(at[i] - drawn_[i]));
  }
  return out;
}

std::vector<ClosingMotion::Open> PlaneClosing::open(const Position& at) {
  const auto phi = evaluation_.set_position(at);
  std::vector<Open> out;
  for (const Constraint& c : system_.constraints()) {
    Open own{c.text(), 0, 0, {}};
    for (std::size_t r = z(c.first_row); r < z(c.first_row + c.rows); ++r) {
      const planar::Scale& scale = evaluation_.scales()[r];
      const double error = scale.apart(phi[r]);
      if (scale.unit == planar::Unit::metre) own.metres = std::hypot(own.metres, error);
      else own.radians = std::max(own.radians, error);
    }
    out.push_back(std::move(own));
  }
  return out;
}

}  // namespace jounce
