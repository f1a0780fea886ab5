#include "jounce/space/closures/neighbour.hpp"

#include <cmath>
#include <numeric>

#include "jounce/base/index.hpp"
#include "jounce/math/dense_rank.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/scalar/turn.hpp"
#include "jounce/space/closures/scaled_closures.hpp"

namespace jounce {
namespace {

/// How far is next to it, in mechanism sizes and radians; and what is independent there, but not here, is so by about as much.
constexpr double kStep = 1e-3, kIndependent = 1e-6;
/// Closed, next to it: equations that only say what others say would seem independent by what is left open.
constexpr double kClosed = 1e-11;
/// Next to a singular position small singular values are left alone, or the corrections would jump.
constexpr double kLeftAlone = 1e-6;
constexpr int kCorrections = 30;

DenseMatrix dense(const Matrix& k) {
  DenseMatrix out(k.rows, k.columns);
  for (int r = 0; r < k.rows; ++r)
    for (int c = 0; c < k.columns; ++c) out.at(r, c) = k.at(r, c);
  return out;
}

class Neighbour {
 public:
  Neighbour(const SpaceMechanism& mechanism, std::span<const double> q)
      : tree_(mechanism.tree), closures_(mechanism), all_(z(tree_.dofs())), here_(q.begin(), q.end()) {
    std::iota(all_.begin(), all_.end(), 0);
  }

  [[nodiscard]] bool more_independent() {
    closures_.evaluate(here_);
    const int rank = rank_of(all_, kDependentClosure), passive = rank_of(closures_.passive(), kDependentClosure);
    if (passive == closures_.closures().size()) return false;
    const std::vector<double> there = next();
    if (there.empty()) return false;
    closures_.evaluate(there);
    return rank_of(all_, kIndependent) > rank || rank_of(closures_.passive(), kIndependent) > passive;
  }

 private:
  [[nodiscard]] int rank_of(std::span<const int> dofs, double dependent) const {
    return dofs.empty() ? 0 : dense_rank(dense(closures_.jacobian(dofs)), dependent).rank;
  }

  // Along a free motion with a part in all of them, not likely to be special, and closed again; empty where nothing moved.
  [[nodiscard]] std::vector<double> next() {
    const auto free = dense_rank(dense(closures_.jacobian(all_)), kDependentClosure).null_space();
    std::vector<double> along(all_.size(), 0.0);
    for (std::size_t k = 0; k < free.size(); ++k)
      for (std::size_t i = 0; i < along.size(); ++i) along[i] += (1.0 + 0.37 * sincos(static_cast<double>(k)).sin) * free[k][i];
    const double norm = std::sqrt(std::inner_product(along.begin(), along.end(), along.begin(), 0.0));
    if (!(norm > 0)) return {};
    std::vector<double> there = here_;
    for (double& x : along) x /= norm;
    move(there, along, kStep);
    for (int i = 0; i < kCorrections; ++i) {
      closures_.evaluate(there);
      const std::vector<double> open = closures_.scaled(closures_.closures().residual());
      if (largest(open) < kClosed) return moved(there, along) > 0.5 * kStep ? there : std::vector<double>{};
      move(there, least_squares(closures_.jacobian(all_), open, kLeftAlone).x, -1);
    }
    return {};
  }

  void move(std::vector<double>& q, const std::vector<double>& way, double by) const {
    std::vector<double> scaled(way.size());
    for (std::size_t i = 0; i < way.size(); ++i) scaled[i] = by * way[i] * closures_.unit(all_[i]);
    tree::move(tree_, q, scaled);
  }
  [[nodiscard]] double moved(const std::vector<double>& there, const std::vector<double>& along) const {
    std::vector<double> way(along.size());
    tree::difference(tree_, here_, there, way);
    double out = 0;
    for (std::size_t i = 0; i < way.size(); ++i) out += along[i] * way[i] / closures_.unit(all_[i]);
    return out;
  }

  const tree::Tree& tree_;
  ScaledClosures closures_;
  std::vector<int> all_;
  std::vector<double> here_;
};

}  // namespace

bool singular_position(const SpaceMechanism& mechanism, std::span<const double> q) { return Neighbour(mechanism, q).more_independent(); }

}  // namespace jounce
