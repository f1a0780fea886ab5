#include "jounce/space/closures/neighbour.hpp"

#include <algorithm>
#include <cstdint>
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
  if (!(largest(k.value) > kDependentClosure)) return out;  // rounding, which would be all that there is to compare with
  for (int r = 0; r < k.rows; ++r)
    for (int c = 0; c < k.columns; ++c) out.at(r, c) = k.at(r, c);
  return out;
}

class Neighbour {
 public:
  Neighbour(const SpaceMechanism& mechanism, std::span<const double> q)
      : tree_(mechanism.tree),
        closures_(mechanism),
        groups_(loop_groups(mechanism, closures_.closures(), Shared::dofs)),
        place_(places_in_groups(groups_, tree_.dofs())),
        here_(q.begin(), q.end()) {}

  [[nodiscard]] bool more_independent() {
    closures_.evaluate(here_);
    const std::vector<int> all = ranks(groups_, place_, kDependentClosure), passive = ranks(closures_.groups(), closures_.place(), kDependentClosure);
    if (std::accumulate(passive.begin(), passive.end(), 0) == closures_.closures().size()) return false;
    const std::vector<double> there = next();
    closures_.evaluate(there);
    const std::vector<int> all_there = ranks(groups_, place_, kIndependent), passive_there = ranks(closures_.groups(), closures_.place(), kIndependent);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (arrived_[g] && all_there[g] > all[g]) return true;
    for (std::size_t g = 0; g < passive.size(); ++g)
      if (arrived_[z(group_of(closures_.groups()[g]))] && passive_there[g] > passive[g]) return true;
    return false;
  }

 private:
  [[nodiscard]] std::vector<int> ranks(std::span<const LoopGroup> groups, std::span<const int> place, double dependent) const {
    std::vector<int> out;
    for (const LoopGroup& group : groups) out.push_back(group.dofs.empty() ? 0 : dense_rank(dense(closures_.jacobian(group, place)), dependent).rank);
    return out;
  }
  // Loops that have a passive dof in common have a dof in common.
  [[nodiscard]] int group_of(const LoopGroup& passive) const {
    const auto has = [&](const LoopGroup& group) { return std::ranges::binary_search(group.elements, passive.elements.front()); };
    return static_cast<int>(std::ranges::find_if(groups_, has) - groups_.begin());
  }

  // Each group along a free motion with a part in all of its own, not likely to be special, and closed again.
  [[nodiscard]] std::vector<double> next() {
    std::vector<double> along(z(tree_.dofs()));
    for (const LoopGroup& group : groups_) {
      const auto free = dense_rank(dense(closures_.jacobian(group, place_)), kDependentClosure).null_space();
      std::vector<double> own(group.dofs.size(), 0.0);
      for (std::size_t k = 0; k < free.size(); ++k)
        for (std::size_t i = 0; i < own.size(); ++i) own[i] += (1.0 + 0.37 * sincos(static_cast<double>(k)).sin) * free[k][i];
      const double length = norm(own);
      for (std::size_t i = 0; i < own.size() && length > 0; ++i) along[z(group.dofs[i])] = own[i] / length;
    }
    std::vector<double> there = here_;
    move(there, along, kStep);
    for (int i = 0; i < kCorrections; ++i) {
      closures_.evaluate(there);
      const std::vector<double> open = closures_.scaled(closures_.closures().residual());
      std::vector<double> back(along.size());
      arrived_.assign(groups_.size(), 1);
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const LoopGroup& group = groups_[g];
        std::vector<double> own;
        for (const int r : group.rows) own.push_back(open[z(r)]);
        if (largest(own) < kClosed) continue;
        arrived_[g] = 0;
        const std::vector<double> x = least_squares(closures_.jacobian(group, place_), own, kLeftAlone).x;
        for (std::size_t c = 0; c < x.size(); ++c) back[z(group.dofs[c])] = x[c];
      }
      if (std::ranges::find(arrived_, 0) == arrived_.end()) break;
      move(there, back, -1);
    }
    see_what_moved(there, along);
    return there;
  }

  void move(std::vector<double>& q, const std::vector<double>& way, double by) const {
    std::vector<double> scaled(way.size());
    for (std::size_t dof = 0; dof < way.size(); ++dof) scaled[dof] = by * way[dof] * closures_.unit(static_cast<int>(dof));
    tree::move(tree_, q, scaled);
  }
  // A group that came back to where it was says nothing.
  void see_what_moved(const std::vector<double>& there, const std::vector<double>& along) {
    std::vector<double> way(along.size());
    tree::difference(tree_, here_, there, way);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      double moved = 0;
      for (const int dof : groups_[g].dofs) moved += along[z(dof)] * way[z(dof)] / closures_.unit(dof);
      if (!(moved > 0.5 * kStep)) arrived_[g] = 0;
    }
  }

  const tree::Tree& tree_;
  ScaledClosures closures_;
  std::vector<LoopGroup> groups_;
  std::vector<int> place_;
  std::vector<double> here_;
  std::vector<std::uint8_t> arrived_;  // of each group: next to where it was, and closed
};

}  // namespace

bool singular_position(const SpaceMechanism& mechanism, std::span<const double> q) { return Neighbour(mechanism, q).more_independent(); }

}  // namespace jounce
