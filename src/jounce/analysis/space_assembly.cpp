// Positions: Levenberg–Marquardt on ½|φ(q)|² + ½ μ |way from the written position|², with the anchor μ taken away step by step, as for
// mechanisms of the plane (assembly.cpp). Lengths count in sizes of the mechanism, so that one number means one thing.
#include "jounce/analysis/space_assembly.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <set>

#include "jounce/base/index.hpp"
#include "jounce/base/text.hpp"
#include "jounce/math/dense_rank.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/space/closures/closures.hpp"

namespace jounce {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

constexpr double kMet = 1e-11;          // scaled residuals at or below this are met
constexpr double kClosed = 1e3 * kMet;  // and at or below this they count as met when no more can be done
constexpr double kDependent = 1e-10;
constexpr double kSameRate = 1e-9;      // of the largest part of an equation
constexpr int kIterationsPerStage = 60;
constexpr double kLongestTurn = 0.5;    // radians, of a joint in one step
constexpr int kRestarts = 24, kRestartLimit = 200;

double largest(const Vector& a) { return a.size() == 0 ? 0.0 : a.lpNorm<Eigen::Infinity>(); }

bool slides(const tree::Link& link, int k) {
  return link.motion == tree::Motion::prismatic || (link.motion == tree::Motion::screw && link.turn == 0) ||
         (link.motion == tree::Motion::free && k >= 3);
}

/// A length that says how large the mechanism is.
double size_of(const SpaceMechanism& mechanism) {
  double size = 0;
  const auto meet = [&](const Vec3<double>& a) { size = std::max(size, length(a)); };
  for (const tree::Link& link : mechanism.tree.links()) meet(link.place.origin);
  for (const SpaceLoop& loop : mechanism.loops) meet(loop.frame_i.origin), meet(loop.frame_j.origin);
  return size > 0 && std::isfinite(size) ? size : 1;
}

class SpaceAssembler {
 public:
  explicit SpaceAssembler(const SpaceMechanism& mechanism)
      : mechanism_(mechanism),
        tree_(mechanism.tree),
        closures_(mechanism),
        work_(tree_),
        links_(z(tree_.size())),
        still_(z(tree_.dofs())),
        way_(z(tree_.dofs())),
        size_(size_of(mechanism)),
        unit_(Vector::Ones(tree_.dofs())) {
    for (const tree::Link& link : tree_.links())
      for (int k = 0; k < tree::dofs(link.motion); ++k) {
        const bool screw = link.motion == tree::Motion::screw;
        if (screw) unit_[link.v + k] = 1 / std::hypot(link.turn, link.advance / size_);
        else if (slides(link, k)) unit_[link.v + k] = size_;
      }
    for (int dof = 0; dof < tree_.dofs(); ++dof) (mechanism.dofs[z(dof)].active() ? active_ : passive_).push_back(dof);
    accelerations_ = Vector::Zero(tree_.dofs());
    out_.q = mechanism.q;
    out_.v = mechanism.v;
    out_.rows = closures_.size();
  }

  SpaceAssembly run(double t) {
    if (!prescribe(t)) return finish();
    find_position();
    if (!any_error(out_.problems)) find_rates();
    if (!any_error(out_.problems)) start();
    out_.assembled = !any_error(out_.problems);
    if (out_.gaps.empty()) find_mobility();
    return finish();
  }

 private:
  SpaceAssembly finish() {
    locate(out_.problems, mechanism_.file);
    return std::move(out_);
  }
  void complain(Where where, std::string sentence, std::string hint = {}) {
    out_.problems.push_back(error(where, std::move(sentence), std::move(hint)));
  }

  // Active dofs are plain coordinates, one for each link.
  bool prescribe(double t) {
    for (const int dof : active_) {
      Series<2> motion;
      const SpaceDof& own = mechanism_.dofs[z(dof)];
      if (const auto fault = own.motion->evaluate(Series<2>::time(t), motion)) {
        complain(own.where, mechanism_.dof_name(dof) + ": motion: " + fault->sentence + ", at t = " + short_number(t));
        continue;
      }
      out_.q[z(tree_.link(tree_.moved_by(dof)).q)] = motion.value();
      out_.v[z(dof)] = motion.derivative(1);
      accelerations_[dof] = motion.derivative(2);
    }
    return out_.problems.empty();
  }

  // ---- positions ---------------------------------------------------------------------------------------------------

  void evaluate(const std::vector<double>& q, const std::vector<double>& v) {
    tree::motion(tree_, work_, q.data(), v.data(), still_.data(), links_.data());
    closures_.evaluate(q, v, work_, links_);
  }
  [[nodiscard]] double row_unit(Index row) const { return closures_.rows()[z(row)].metres ? size_ : 1; }
  [[nodiscard]] Vector scaled(std::span<const double> rows) const {
    Vector out(static_cast<Index>(rows.size()));
    for (Index r = 0; r < out.size(); ++r) out[r] = rows[z(r)] / row_unit(r);
    return out;
  }
  // Scaled residuals; afterwards `jacobian` belongs to the same place.
  Vector residual(const std::vector<double>& q) {
    evaluate(q, still_);
    return scaled(closures_.residual());
  }
  [[nodiscard]] Matrix jacobian(const std::vector<int>& dofs) const {
    const std::size_t n = z(tree_.dofs());
    Matrix out(closures_.size(), static_cast<Index>(dofs.size()));
    for (Index r = 0; r < out.rows(); ++r)
      for (Index c = 0; c < out.cols(); ++c) {
        const int dof = dofs[z(c)];
        out(r, c) = closures_.jacobian()[z(r) * n + z(dof)] / row_unit(r) * unit_[dof];
      }
    return out;
  }

  // q moved by the passive part of a way, in units.
  void move_by(std::vector<double>& q, const Vector& step) {
    std::ranges::fill(way_, 0.0);
    for (Index p = 0; p < step.size(); ++p) way_[z(passive_[z(p)])] = step[p] * unit_[passive_[z(p)]];
    move(tree_, q, way_);
  }
  Vector way_from_start(const std::vector<double>& q) {
    difference(tree_, start_, q, way_);
    Vector out(static_cast<Index>(passive_.size()));
    for (Index p = 0; p < out.size(); ++p) out[p] = way_[z(passive_[z(p)])] / unit_[passive_[z(p)]];
    return out;
  }

  struct Attempt {
    std::vector<double> q;
    double error = 0;
  };

  void descend(Attempt& attempt, double anchor) {
    double damping = 1e-3;
    Vector r = residual(attempt.q), way = way_from_start(attempt.q);
    const auto cost = [&](const Vector& res, const Vector& from) {
      return 0.5 * res.squaredNorm() + 0.5 * anchor * from.squaredNorm();
    };
    double now = cost(r, way);
    for (int i = 0; i < kIterationsPerStage; ++i) {
      r = residual(attempt.q);  // the Jacobian belongs to the position evaluated last
      const Matrix k = jacobian(passive_), normal = k.transpose() * k;
      const Vector gradient = k.transpose() * r + anchor * way;
      bool stepped = false;
      double decrease = 0, moved = 0;
      for (int tries = 0; tries < 24 && !stepped; ++tries) {
        Matrix damped = normal;
        damped.diagonal().array() += anchor + damping;
        const Vector step = damped.ldlt().solve(-gradient);
        if (!(largest(step) <= kLongestTurn)) {  // more could already lead to the wrong branch
          damping = std::max(4 * damping, 1e-6);
          continue;
        }
        Attempt trial = attempt;
        move_by(trial.q, step);
        const Vector trial_r = residual(trial.q), trial_way = way_from_start(trial.q);
        const double then = cost(trial_r, trial_way);
        if (std::isfinite(then) && then < now) {
          decrease = now - then, moved = step.norm();
          attempt.q = std::move(trial.q), r = trial_r, way = trial_way, now = then;
          damping = std::max(damping * 0.2, 1e-14);
          stepped = true;
        } else {
          damping = std::max(damping, 1e-12) * 8;
        }
      }
      if (!stepped || (anchor == 0 && largest(r) <= kMet) || (decrease <= 1e-14 * now && moved < 1e-9)) break;
    }
    attempt.error = largest(r);
  }

  // Gauss–Newton with the least possible move, until rounding stops it.
  void polish(Attempt& attempt) {
    for (int i = 0; i < 12; ++i) {
      const Vector r = residual(attempt.q);
      attempt.error = largest(r);
      if (attempt.error == 0 || !(attempt.error < 1e-3) || passive_.empty()) return;
      Attempt next = attempt;
      move_by(next.q, shortest(jacobian(passive_), -r));
      next.error = largest(residual(next.q));
      if (!(next.error < attempt.error)) return;
      attempt = std::move(next);
    }
  }
  static Vector shortest(const Matrix& k, const Vector& right) {
    if (k.rows() == 0 || k.cols() == 0) return Vector::Zero(k.cols());
    Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
    solver.setThreshold(kDependent);
    return solver.compute(k).solve(right);
  }

  Attempt solve(const std::vector<double>& from) {
    Attempt attempt{from, largest(residual(from))};
    if (attempt.error <= kMet || passive_.empty()) return attempt;
    polish(attempt);
    if (attempt.error <= kMet) return attempt;
    for (const double anchor : {1e-2, 1e-4, 1e-7, 1e-11, 0.0}) {
      descend(attempt, anchor);
      if (anchor < 1e-3 && attempt.error <= kMet) break;
    }
    polish(attempt);
    return attempt;
  }

  // A bad start can lead into a dead end: try again from starts shaken more and more, always the same way.
  Attempt solve_with_restarts() {
    Attempt best = solve(start_);
    std::minstd_rand random(1);
    const bool can_restart = !passive_.empty() && passive_.size() <= kRestartLimit;
    for (int restart = 1; can_restart && restart <= kRestarts && !(best.error <= kClosed); ++restart) {
      Vector shake(static_cast<Index>(passive_.size()));
      for (double& s : shake)
        s = (2.0 * static_cast<double>(random()) / static_cast<double>(std::minstd_rand::max()) - 1) * 3 * restart / kRestarts;
      std::vector<double> from = start_;
      move_by(from, shake);
      Attempt next = solve(from);
      if (next.error < 0.999 * best.error) best = std::move(next);
    }
    return best;
  }

  void find_position() {
    start_ = out_.q;
    const Attempt found = solve_with_restarts();
    out_.q = found.q;
    (void)residual(out_.q);
    out_.worst_residual = closures_.worst();
    difference(tree_, start_, out_.q, way_);
    for (const tree::Link& link : tree_.links())
      for (int k = 0; k < tree::dofs(link.motion); ++k) {
        double& most = slides(link, k) ? out_.moved_metres : out_.moved_radians;
        most = std::max(most, std::abs(way_[z(link.v + k)]));
      }
    if (found.error <= kClosed) return;
    find_gaps();
    explain_gaps();
  }

  [[nodiscard]] Where where_of(int element) const {
    const auto loops = static_cast<int>(mechanism_.loops.size());
    return element < loops ? mechanism_.loops[z(element)].where : mechanism_.couplings[z(element - loops)].where;
  }

  void find_gaps() {
    struct Wide {
      double width;
      int element;
      Gap gap;
    };
    std::vector<Wide> all;
    for (int r = 0; r < closures_.size(); ++r) {
      const LoopClosures::Row& row = closures_.rows()[z(r)];
      if (all.empty() || all.back().element != row.element) all.push_back({0, row.element, {closures_.name(row.element), 0, 0}});
      double& apart = row.metres ? all.back().gap.metres : all.back().gap.radians;
      apart = std::hypot(apart, closures_.residual()[z(r)]);
      all.back().width = std::max(all.back().gap.metres / size_, all.back().gap.radians);
    }
    std::ranges::stable_sort(all, std::greater<>{}, &Wide::width);
    for (Wide& wide : all) {
      // what is below is rounding, not a second sort of gap beside the first
      wide.gap.metres = wide.gap.metres > 1e-3 * all[0].width * size_ ? wide.gap.metres : 0;
      wide.gap.radians = wide.gap.radians > 1e-3 * all[0].width ? wide.gap.radians : 0;
      if (wide.gap.metres > 0 || wide.gap.radians > 0) out_.gaps.push_back(wide.gap);
    }
    widest_ = all.empty() ? Where{} : where_of(all[0].element);
  }

  void explain_gaps() {
    const auto apart = [](const Gap& gap) {
      std::string out;
      if (gap.metres > 0) out = short_number(gap.metres * 1e3) + " mm";
      if (gap.radians > 0) out += (out.empty() ? "" : " and ") + short_number(gap.radians * 180 / std::numbers::pi) + " degrees";
      return out;
    };
    std::string sentence = "the mechanism cannot be assembled: ";
    if (out_.gaps.empty()) sentence += "the positions of its loops are no finite numbers";
    else sentence += out_.gaps.size() == 1 ? "this cannot be met: " : "these cannot be met together: ";
    for (std::size_t i = 0; i < out_.gaps.size() && i < 8; ++i)
      sentence += (i == 0 ? "" : ", ") + out_.gaps[i].constraint + " (" + apart(out_.gaps[i]) + " apart)";
    if (out_.gaps.size() > 8) sentence += " and " + std::to_string(out_.gaps.size() - 8) + " more";
    complain(widest_, std::move(sentence),
             passive_.empty() ? "every dof has a motion of its own: none is left that could close it" : "");
  }

  // ---- rates -------------------------------------------------------------------------------------------------------

  // What the equations still lack: −K v, and how large the parts of K v are.
  struct Lack {
    Vector rows;
    double parts = 0;
    [[nodiscard]] bool met() const { return largest(rows) <= kSameRate * std::max(parts, 1e-3); }
  };
  [[nodiscard]] Lack lack_of(const std::vector<double>& v) const {
    Lack out{Vector::Zero(closures_.size())};
    const std::size_t n = z(tree_.dofs());
    for (Index r = 0; r < out.rows.size(); ++r)
      for (std::size_t dof = 0; dof < n; ++dof) {
        const double part = closures_.jacobian()[z(r) * n + dof] * v[dof] / row_unit(r);
        out.rows[r] -= part;
        out.parts = std::max(out.parts, std::abs(part));
      }
    return out;
  }
  // The least change of some rates that makes up for it.
  void change_rates(const std::vector<int>& dofs) {
    const Vector change = shortest(jacobian(dofs), lack_of(out_.v).rows);
    for (Index c = 0; c < change.size(); ++c) out_.v[z(dofs[z(c)])] += change[c] * unit_[dofs[z(c)]];
  }

  void find_rates() {
    if (closures_.size() == 0) return;
    const std::vector<double> written = out_.v;
    std::vector<int> open;
    for (const int dof : passive_)
      if (written[z(dof)] == 0) open.push_back(dof);
    if (largest(lack_of(out_.v).rows) == 0) return;
    change_rates(open);
    if (lack_of(out_.v).met()) return;
    out_.v = written;
    change_rates(passive_);
    const Lack lack = lack_of(out_.v);
    if (!lack.met()) return contradict(lack);
    for (const int dof : passive_) {
      const double before = written[z(dof)], after = out_.v[z(dof)];
      if (mechanism_.start == SpaceMechanism::Start::impulsive) continue;  // what is written is not used
      if (before == 0 || std::abs(after - before) <= 1e-6 * std::abs(before)) continue;
      out_.problems.push_back(warning(mechanism_.joint_of(dof).where, mechanism_.dof_name(dof) + ": v: " + short_number(before) +
                                                                         " is written, but the loops and couplings make it " +
                                                                         short_number(after)));
    }
  }

  void contradict(const Lack& lack) {
    Index worst = 0;
    (void)lack.rows.cwiseAbs().maxCoeff(&worst);
    const LoopClosures::Row& row = closures_.rows()[z(worst)];
    const double rate = std::abs(lack.rows[worst]) * row_unit(worst);
    complain(where_of(row.element), "the prescribed motions contradict each other: " + closures_.name(row.element) +
                                        " would have to come apart at " +
                                        (row.metres ? short_number(rate * 1e3) + " mm/s" : short_number(rate) + " rad/s"));
  }

  // ---- start conditions --------------------------------------------------------------------------------------------

  void start() {
    if (mechanism_.start == SpaceMechanism::Start::zero_momentum) start_without_momentum();
    if (mechanism_.start == SpaceMechanism::Start::impulsive) start_impulsively();
  }

  [[nodiscard]] bool stands_still(int body) const {
    if (body == 0) return true;
    const auto holds = [&](const SpaceJoint& joint) { return joint.child == body; };
    const auto it = std::ranges::find_if(mechanism_.joints, holds);
    return it != mechanism_.joints.end() && it->links.dofs == 0 && stands_still(it->parent);
  }

  void start_without_momentum() {
    std::vector<std::uint8_t> fixed(z(tree_.dofs()), 1);
    for (const SpaceJoint& joint : mechanism_.joints)
      for (int k = 0; k < joint.links.dofs && stands_still(joint.parent); ++k)
        fixed[z(joint.links.v + k)] = mechanism_.dofs[z(joint.links.v + k)].active() ? 1 : 0;
    for (int r = 0; r < closures_.size(); ++r)
      for (const int dof : passive_) {
        if (fixed[z(dof)] || closures_.jacobian()[z(r) * z(tree_.dofs()) + z(dof)] == 0) continue;
        const int element = closures_.rows()[z(r)].element;
        return complain(where_of(element),
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
    if (free.cols() == 0) return;
    const Index n = tree_.dofs();
    Matrix inertia(n, n);
    tree::crba(tree_, work_, out_.q.data(), inertia.data());
    const Matrix h = free.transpose() * inertia * free;
    const Eigen::LDLT<Matrix> factors(h);
    const Vector pivots = factors.vectorD();
    if (factors.info() != Eigen::Success || !(pivots.minCoeff() > 1e-14 * pivots.maxCoeff()))
      return complain({}, "start_momentum = \"impulsive\" needs inertia in every motion that the loops allow: there is one without");
    Eigen::Map<Vector> v(out_.v.data(), n);
    v -= free * factors.solve(free.transpose() * (inertia * v));
  }

  // One column for each motion of the passive dofs that loops and couplings allow.
  [[nodiscard]] Matrix free_motions() const {
    const Matrix k = jacobian(passive_);
    DenseMatrix rows(static_cast<int>(k.rows()), static_cast<int>(k.cols()));
    for (Index r = 0; r < k.rows(); ++r)
      for (Index c = 0; c < k.cols(); ++c) rows.at(static_cast<int>(r), static_cast<int>(c)) = k(r, c);
    const auto motions = dense_rank(rows, kDependent).null_space();
    Matrix out = Matrix::Zero(tree_.dofs(), static_cast<Index>(motions.size()));
    for (Index m = 0; m < out.cols(); ++m)
      for (std::size_t p = 0; p < passive_.size(); ++p) out(passive_[p], m) = motions[z(m)][p] * unit_[passive_[p]];
    return out;
  }

  // ---- mobility ----------------------------------------------------------------------------------------------------

  void find_mobility() {
    evaluate(out_.q, out_.v);
    out_.rows = closures_.size();
    const Matrix k = jacobian(passive_);
    DenseMatrix columns(static_cast<int>(k.cols()), static_cast<int>(k.rows()));  // one for each equation
    for (Index r = 0; r < k.rows(); ++r)
      for (Index c = 0; c < k.cols(); ++c) columns.at(static_cast<int>(c), static_cast<int>(r)) = k(r, c);
    const DenseRank rank = dense_rank(columns, kDependent);
    out_.rank = rank.rank;
    out_.redundant = out_.rows - out_.rank;
    out_.mobility = static_cast<int>(passive_.size()) - out_.rank;
    find_dependent_sets(rank);
  }

  // Each surplus equation as a combination of independent ones; what the active dofs do must combine in the same way.
  void find_dependent_sets(const DenseRank& rank) {
    const Matrix active = jacobian(active_);
    Vector v(active.cols()), a(active.cols());
    for (Index c = 0; c < v.size(); ++c) {
      v[c] = out_.v[z(active_[z(c)])] / unit_[active_[z(c)]];
      a[c] = accelerations_[active_[z(c)]] / unit_[active_[z(c)]];
    }
    const Vector rate = active * v, acceleration = scaled(closures_.right()) - active * a;
    std::set<std::vector<std::string>> seen;
    for (std::size_t k = 0; k < rank.combination.size(); ++k) {
      std::vector<double> share(z(out_.rows), 0.0);
      share[z(rank.order[z(rank.rank) + k])] = 1;
      for (std::size_t i = 0; i < rank.combination[k].size(); ++i)
        if (std::abs(rank.combination[k][i]) > 1e-7) share[z(rank.order[i])] = -rank.combination[k][i];
      const auto agrees = [&](const Vector& rows) {
        double sum = 0, part = 1e-3;
        for (Index r = 0; r < rows.size(); ++r) {
          sum += share[z(r)] * rows[r];
          part = std::max(part, std::abs(share[z(r)] * rows[r]));
        }
        return std::abs(sum) <= 1e-8 * part;
      };
      DependentSet set{{}, agrees(rate) && agrees(acceleration)};
      int last = -1;
      for (Index r = 0; r < rate.size(); ++r) {
        const int element = closures_.rows()[z(r)].element;
        if (share[z(r)] == 0 || element == last) continue;
        set.names.push_back(closures_.name(element));
        last = element;
      }
      if (seen.insert(set.names).second || !set.consistent) out_.dependent.push_back(std::move(set));
    }
  }

  const SpaceMechanism& mechanism_;
  const tree::Tree& tree_;
  LoopClosures closures_;
  tree::Workspace<double> work_;
  std::vector<tree::LinkMotion<double>> links_;
  std::vector<double> still_, way_, start_;
  double size_;
  Vector unit_;  // what counts as one of a dof: a radian, or the size of the mechanism
  Vector accelerations_;
  std::vector<int> active_, passive_;
  Where widest_;
  SpaceAssembly out_;
};

}  // namespace

SpaceAssembly assemble(const SpaceMechanism& mechanism, double t) { return SpaceAssembler(mechanism).run(t); }

}  // namespace jounce
