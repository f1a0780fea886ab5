#include "jounce/analysis/assembly/space_rates.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/base/text.hpp"
#include "jounce/math/dense_rank.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/space/closures/neighbour.hpp"
#include "jounce/space/closures/parts.hpp"
#include "jounce/space/closures/thin.hpp"
#include "jounce/space/motion/idle_turns.hpp"

namespace jounce {
namespace {

/// Of the largest part of an equation: rates that agree so well are the same.
constexpr double kSameRate = 1e-9;
/// Pivots of the inertia below this fraction of the largest are none.
constexpr double kNoInertia = 1e-14;

class Rates {
 public:
  Rates(const SpaceMechanism& mechanism, ScaledClosures& closures, Assembly& out)
      : mechanism_(mechanism), tree_(mechanism.tree), scaled_(closures), closures_(closures.closures()), work_(tree_), out_(out) {
    scaled_.evaluate(out.q);
  }

  void run() {
    if (closures_.size() > 0) follow_loops();
    if (any_error(out_.problems)) return;
    if (mechanism_.start == SpaceMechanism::Start::zero_momentum) start_without_momentum();
    if (mechanism_.start == SpaceMechanism::Start::impulsive) start_impulsively();
  }

 private:
  void complain(Where where, std::string sentence, std::string hint = {}) {
    out_.problems.push_back(error(where, std::move(sentence), std::move(hint)));
  }

  // ---- loops -------------------------------------------------------------------------------------------------------

  // What the equations still lack: ν − K v, and how large the parts of K v are.
  struct Lack {
    std::vector<double> rows;
    double parts = 0;
    [[nodiscard]] bool met() const { return largest(rows) <= kSameRate * std::max(parts, 1e-3); }
  };
  [[nodiscard]] Lack lack_of(const std::vector<double>& v) const {
    Lack out{std::vector<double>(z(closures_.size()), 0.0)};
    for (int r = 0; r < closures_.size(); ++r) {
      const LoopClosures::Entries own = closures_.row(r);
      out.rows[z(r)] = closures_.drift()[z(r)] / scaled_.row_unit(r);
      out.parts = std::max(out.parts, std::abs(out.rows[z(r)]));
      for (std::size_t k = 0; k < own.dofs.size(); ++k) {
        const double part = own.values[k] * v[z(own.dofs[k])] / scaled_.row_unit(r);
        out.rows[z(r)] -= part;
        out.parts = std::max(out.parts, std::abs(part));
      }
    }
    return out;
  }
  // The least change of some passive rates that makes up for it.
  void change_rates(std::span<const int> dofs) {
    const std::vector<double> lack = lack_of(out_.v).rows;
    std::vector<std::uint8_t> open(out_.v.size());
    for (const int dof : dofs) open[z(dof)] = 1;
    std::vector<LoopGroup> groups(scaled_.groups().begin(), scaled_.groups().end());
    for (LoopGroup& group : groups) std::erase_if(group.dofs, [&](int dof) { return open[z(dof)] == 0; });
    const std::vector<int> place = places_in_groups(groups, tree_.dofs());
    for (const LoopGroup& group : groups) {
      std::vector<double> own;
      for (const int r : group.rows) own.push_back(lack[z(r)]);
      const std::vector<double> change = nearest(scaled_.jacobian(group, place), own, kIndependentClosure).x;
      for (std::size_t c = 0; c < change.size(); ++c) out_.v[z(group.dofs[c])] += change[c] * scaled_.unit(group.dofs[c]);
    }
  }

  void follow_loops() {
    const std::vector<double> written = out_.v;
    std::vector<int> open;
    for (const int dof : scaled_.passive())
      if (written[z(dof)] == 0) open.push_back(dof);
    if (largest(lack_of(out_.v).rows) == 0) return;
    change_rates(open);
    if (lack_of(out_.v).met()) return spin_as_written(mechanism_, out_.q, written, out_.v);
    out_.v = written;
    change_rates(scaled_.passive());
    const Lack lack = lack_of(out_.v);
    if (!lack.met()) return contradict(lack);
    spin_as_written(mechanism_, out_.q, written, out_.v);
    if (mechanism_.start == SpaceMechanism::Start::impulsive) return;  // what is written is not used
    for (const int dof : scaled_.passive()) {
      const double before = written[z(dof)], after = out_.v[z(dof)];
      if (before == 0 || std::abs(after - before) <= 1e-6 * std::abs(before)) continue;
      out_.problems.push_back(warning(mechanism_.joint_of(dof).where, mechanism_.dof_name(dof) + ": v: " + short_number(before) +
                                                                         " is written, but the loops and couplings make it " +
                                                                         short_number(after)));
    }
  }

  void contradict(const Lack& lack) {
    out_.contradicting = parts_of(mechanism_, closures_, scaled_.size(), {&lack.rows, 1}).names;
    const int worst = largest_place(lack.rows);
    const LoopClosures::Row& row = closures_.rows()[z(worst)];
    const double rate = std::abs(lack.rows[z(worst)]) * scaled_.row_unit(worst);
    out_.singular = singular_position(mechanism_, out_.q);
    const char* why = out_.singular ? "the start is a singular position, which the prescribed motions do not lead out of: "
                                    : "the prescribed motions contradict each other: ";
    complain(scaled_.where(row.element), why + closures_.name(row.element) +
                                             " would have to come apart at " +
                                             (row.metres ? short_number(rate * 1e3) + " mm/s" : short_number(rate) + " rad/s"));
  }

  // ---- start conditions --------------------------------------------------------------------------------------------

  [[nodiscard]] bool stands_still(int body) const {
    if (body == 0) return true;
    const auto holds = [&](const SpaceJoint& joint) { return joint.child == body; };
    const auto it = std::ranges::find_if(mechanism_.joints, holds);
    return it != mechanism_.joints.end() && it->links.dofs == 0 && stands_still(it->parent);
  }

  // The passive dofs that an equation has to do with, in their order.
  [[nodiscard]] std::vector<int> held_by(int r) const {
    const LoopClosures::Entries own = closures_.row(r);
    std::vector<int> out;
    for (std::size_t k = 0; k < own.dofs.size(); ++k)
      if (own.values[k] != 0 && !mechanism_.dofs[z(own.dofs[k])].active()) out.push_back(own.dofs[k]);
    std::ranges::sort(out);
    return out;
  }

  void start_without_momentum() {
    std::vector<std::uint8_t> fixed(z(tree_.dofs()), 1);
    for (const SpaceJoint& joint : mechanism_.joints)
      for (int k = 0; k < joint.links.dofs && stands_still(joint.parent); ++k)
        fixed[z(joint.links.v + k)] = mechanism_.dofs[z(joint.links.v + k)].active() ? 1 : 0;
    for (int r = 0; r < closures_.size(); ++r)
      for (const int dof : held_by(r)) {
        if (fixed[z(dof)]) continue;
        const int element = closures_.rows()[z(r)].element;
        return complain(scaled_.where(element),
                        "start_momentum = \"zero\" needs a base that is free to move, but " + closures_.name(element) + " holds " +
                            mechanism_.dof_name(dof),
                        "\"impulsive\" is defined with such loops too");
      }
    free_momentum(fixed);
  }

  void free_momentum(const std::vector<std::uint8_t>& fixed) {
    if (tree::momentum_free(tree_, work_, out_.q.data(), fixed.data(), out_.v.data())) return;
    const int dof = std::max(0, tree::unmoved(tree_, work_, fixed.data()));
    complain(mechanism_.dofs[z(dof)].where,
             "no inertia is moved by " + mechanism_.dof_name(dof) + ": start_momentum cannot find its rate");
    out_.v = mechanism_.v;
  }

  // The least kinetic energy that the active rates and the loops allow: no allowed motion then has a momentum.
  void start_impulsively() {
    if (closures_.size() == 0) {
      std::vector<std::uint8_t> fixed;
      for (const SpaceDof& dof : mechanism_.dofs) fixed.push_back(dof.active() ? 1 : 0);
      return free_momentum(fixed);
    }
    const Matrix free = free_motions();
    if (free.columns == 0) return;
    Matrix inertia(tree_.dofs(), tree_.dofs());
    const std::optional<SpaceMechanism> thin = with_thin_links(mechanism_, out_.q);  // whose links then have no spin
    tree::crba(thin ? thin->tree : tree_, work_, out_.q.data(), inertia.value.data());
    const auto momentum = transposed_times(free, times(inertia, out_.v));
    const auto share = solve_positive(congruent(inertia, free), momentum, kNoInertia);
    if (!share)
      return complain({}, "start_momentum = \"impulsive\" needs inertia in every motion that the loops allow: there is one without");
    const std::vector<double> away = times(free, *share);
    for (std::size_t dof = 0; dof < away.size(); ++dof) out_.v[dof] -= away[dof];
  }

  // One column for each motion of the passive dofs that loops and couplings allow.
  [[nodiscard]] Matrix free_motions() const {
    const auto passive = scaled_.passive();
    const Matrix k = scaled_.jacobian(passive);
    DenseMatrix rows(k.rows, k.columns);
    for (int r = 0; r < k.rows; ++r)
      for (int c = 0; c < k.columns; ++c) rows.at(r, c) = k.at(r, c);
    const auto motions = dense_rank(rows, kDependentClosure).null_space();
    Matrix out(tree_.dofs(), static_cast<int>(motions.size()));
    for (int m = 0; m < out.columns; ++m)
      for (std::size_t p = 0; p < passive.size(); ++p) out.at(passive[p], m) = motions[z(m)][p] * scaled_.unit(passive[p]);
    return out;
  }

  const SpaceMechanism& mechanism_;
  const tree::Tree& tree_;
  ScaledClosures& scaled_;
  const LoopClosures& closures_;
  tree::Workspace<double> work_;
  Assembly& out_;
};

}  // namespace

void find_rates(const SpaceMechanism& mechanism, ScaledClosures& closures, Assembly& out) { Rates(mechanism, closures, out).run(); }

}  // namespace jounce
