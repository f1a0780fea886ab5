// Levenberg–Marquardt on ½|r(q)|² + ½ μ |q − drawn|², with the anchor μ taken away step by step: each stage ends near the
// point of the constraint surface that is nearest to the drawing. r are the residuals in lengths of the mechanism and
// radians, distances in q likewise, so that one number means one thing.
#include "jounce/analysis/assembly.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"

namespace jounce {
namespace {

using Vector = Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

/// Residuals at or below this (metres per metre of mechanism size, or radians) count as met.
constexpr double kMet = 1e-11;
constexpr int kIterationsPerStage = 60;
/// The most that a body may turn in one step, in radians.
constexpr double kLongestTurn = 0.5;
constexpr int kRestarts = 24;
constexpr int kRestartLimit = 600;  // coordinates; beyond this a restart costs more than it is worth

class Assembler {
 public:
  Assembler(const PlanarSystem& system, std::span<const double> drawn, Evaluation& evaluation)
      : system_(system), evaluation_(evaluation), size_(system_.length_scale()) {
    const int n = system_.coordinates();
    metric_.resize(n);
    for (int i = 0; i < n; ++i) metric_[i] = i % 3 == 2 ? 1.0 : 1.0 / (size_ * size_);
    drawn_ = Eigen::Map<const Vector>(drawn.data(), n);
    const SparsePattern& p = system_.pattern();
    std::vector<double> zeros(p.row.size(), 0.0);
    jacobian_ = Eigen::Map<const Sparse>(p.rows, p.columns, p.entries(), p.start.data(), p.row.data(), zeros.data());
    identity_.resize(n, n);
    identity_.setIdentity();
  }

  struct Attempt {
    Vector q;
    double error = 0;  // largest residual
    int iterations = 0;
  };

  Attempt solve(const Vector& start) {
    Attempt attempt{start, 0, 0};
    for (const double anchor : {1e-2, 1e-4, 1e-7, 1e-11, 0.0}) {
      descend(attempt, anchor);
      if (anchor < 1e-3 && attempt.error <= kMet) break;
    }
    polish(attempt);
    return attempt;
  }

  [[nodiscard]] double error(const Vector& q) { return residual(q).size() == 0 ? 0.0 : residual_.lpNorm<Eigen::Infinity>(); }
  [[nodiscard]] const Vector& residual(const Vector& q) {
    const auto phi = evaluation_.set_position({q.data(), z(q.size())});
    const auto scales = evaluation_.scales();
    residual_.resize(static_cast<Eigen::Index>(phi.size()));
    for (std::size_t r = 0; r < phi.size(); ++r) residual_[static_cast<Eigen::Index>(r)] = phi[r] / divisor(scales[r]);
    return residual_;
  }
  [[nodiscard]] double divisor(const planar::Scale& scale) const {
    return scale.divisor * (scale.unit == planar::Unit::metre ? size_ : 1.0);
  }

 private:
  void load_jacobian() {
    const auto values = evaluation_.jacobian();
    const auto scales = evaluation_.scales();
    for (Eigen::Index k = 0; k < jacobian_.nonZeros(); ++k)
      jacobian_.valuePtr()[k] = values[z(k)] / divisor(scales[z(jacobian_.innerIndexPtr()[k])]);
  }

  bool factor(double damping) {
    Sparse diagonal = identity_;
    diagonal.diagonal() = metric_ * damping;
    normal_ = Sparse(jacobian_.transpose()) * jacobian_;
    normal_ += diagonal;
    if (analysed_) solver_.factorize(normal_);
    else solver_.compute(normal_);
    analysed_ = solver_.info() == Eigen::Success;
    return analysed_;
  }

  void descend(Attempt& attempt, double anchor) {
    double damping = 1e-3;
    Vector r = residual(attempt.q);
    const auto cost = [&](const Vector& res, const Vector& q) {
      const Vector move = q - drawn_;
      return 0.5 * res.squaredNorm() + 0.5 * anchor * move.cwiseProduct(metric_).dot(move);
    };
    double now = cost(r, attempt.q);
    for (int i = 0; i < kIterationsPerStage; ++i) {
      ++attempt.iterations;
      (void)residual(attempt.q);  // the Jacobian belongs to the position evaluated last
      load_jacobian();
      const Vector gradient = jacobian_.transpose() * r + anchor * metric_.cwiseProduct(attempt.q - drawn_);
      bool stepped = false;
      double decrease = 0, step = 0;
      for (int tries = 0; tries < 24 && !stepped; ++tries) {
        if (!factor(anchor + damping)) {
          damping *= 10;
          continue;
        }
        const Vector dq = solver_.solve(-gradient);
        if (largest_turn(dq) > kLongestTurn) {  // more could already lead to the wrong branch
          damping = std::max(4 * damping, 1e-6);
          continue;
        }
        const Vector trial = attempt.q + dq;
        const Vector trial_r = residual(trial);
        const double then = cost(trial_r, trial);
        const double predicted = -gradient.dot(dq) - 0.5 * dq.dot(normal_ * dq) + 0.5 * damping * dq.cwiseProduct(metric_).dot(dq);
        if (std::isfinite(then) && then < now) {
          const double gain = (now - then) / std::max(predicted, 1e-300);
          damping = gain > 0.75 ? std::max(damping * 0.1, 1e-14) : gain < 0.25 ? damping * 4 : damping;
          decrease = now - then;
          step = std::sqrt(dq.cwiseProduct(metric_).dot(dq));
          attempt.q = trial, r = trial_r, now = then;
          stepped = true;
        } else {
          damping = std::max(damping, 1e-12) * 8;
        }
      }
      attempt.error = r.size() == 0 ? 0.0 : r.lpNorm<Eigen::Infinity>();
      if (!stepped || (anchor == 0 && attempt.error <= kMet) || (decrease <= 1e-14 * now && step < 1e-9)) break;
    }
    attempt.error = r.size() == 0 ? 0.0 : r.lpNorm<Eigen::Infinity>();
  }

  [[nodiscard]] static double largest_turn(const Vector& dq) {
    double turn = 0;
    for (Eigen::Index i = 2; i < dq.size(); i += 3) turn = std::max(turn, std::abs(dq[i]));
    return turn;
  }

  // Gauss–Newton with the least possible move, until rounding stops it.
  void polish(Attempt& attempt) {
    for (int i = 0; i < 6; ++i) {
      const Vector r = residual(attempt.q);
      const double before = r.size() == 0 ? 0.0 : r.lpNorm<Eigen::Infinity>();
      attempt.error = before;
      if (before == 0 || before > 1e-4) return;
      load_jacobian();
      if (!factor(1e-13)) return;
      const Vector trial = attempt.q - solver_.solve(jacobian_.transpose() * r);
      const double after = error(trial);
      if (!(after < before)) return;
      attempt.q = trial;
      attempt.error = after;
      ++attempt.iterations;
    }
  }

  const PlanarSystem& system_;
  Evaluation& evaluation_;
  double size_;
  Vector metric_, drawn_, residual_;
  Sparse jacobian_, normal_, identity_;
  Eigen::SimplicialLDLT<Sparse> solver_;
  bool analysed_ = false;
};

std::string distance_text(const Gap& gap) {
  const auto rounded = [](double x) {
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.4g", x);
    return std::string(buffer.data());
  };
  std::string out;
  if (gap.metres > 0) out = rounded(gap.metres * 1e3) + " mm";
  if (gap.radians > 0) out += (out.empty() ? "" : " and ") + rounded(gap.radians * 57.29577951308232) + " degrees";
  return out;
}

void find_gaps(const PlaneMechanism& mechanism, Evaluation& evaluation, Assembly& out) {
  const auto phi = evaluation.set_position(out.q);
  const auto scales = evaluation.scales();
  const double size = mechanism.system.length_scale();
  double widest = 0;
  std::vector<std::pair<double, Gap>> all;
  for (const Constraint& c : mechanism.system.constraints()) {
    Gap gap{c.text(), 0, 0};
    for (int r = c.first_row; r < c.first_row + c.rows; ++r) {
      const auto& scale = scales[static_cast<std::size_t>(r)];
      const double error = scale.apart(phi[static_cast<std::size_t>(r)]);
      if (scale.unit == planar::Unit::metre) gap.metres = std::hypot(gap.metres, error);
      else gap.radians = std::max(gap.radians, error);
    }
    const double width = std::max(gap.metres / size, gap.radians);
    widest = std::max(widest, width);
    all.emplace_back(width, gap);
  }
  std::ranges::stable_sort(all, std::greater<>{}, [](const auto& g) { return g.first; });
  for (const auto& [width, gap] : all)
    if (width > 1e-3 * widest) out.gaps.push_back(gap);
}

void explain_failure(const PlaneMechanism& mechanism, const std::vector<double>& drawn_alignment, Assembly& out) {
  std::string sentence = "the mechanism cannot be assembled: ";
  sentence += out.gaps.size() == 1 ? "this joint cannot be met: " : "these cannot be met together: ";
  for (std::size_t i = 0; i < out.gaps.size() && i < 8; ++i)
    sentence += (i == 0 ? "" : ", ") + out.gaps[i].constraint + " (" + distance_text(out.gaps[i]) + " apart)";
  if (out.gaps.size() > 8) sentence += " and " + std::to_string(out.gaps.size() - 8) + " more";
  std::string hint;
  for (std::size_t c = 0; c < drawn_alignment.size(); ++c)
    if (std::abs(drawn_alignment[c]) < 1e-3)
      hint = mechanism.system.constraints()[c].text() + " is drawn at 90 degrees, where it cannot tell which way to turn: draw it closer to the position you mean";
  Problem problem = error({}, std::move(sentence), std::move(hint));
  problem.file = mechanism.file;
  out.problems.push_back(std::move(problem));
}

void warn_of_flips(const PlaneMechanism& mechanism, const std::vector<double>& drawn, const std::vector<double>& found, Assembly& out) {
  for (std::size_t c = 0; c < drawn.size(); ++c) {
    if (!(drawn[c] * found[c] < 0)) continue;
    const Constraint& constraint = mechanism.system.constraints()[c];
    const std::string how = constraint.type == "pin-in-slot" ? "with the pin on the other side of the slot's first point than drawn"
                                                             : "the other way round than drawn (its two lines point in opposite senses)";
    Problem problem = warning(constraint.where, constraint.text() + ": assembled " + how);
    problem.file = mechanism.file;
    out.problems.push_back(std::move(problem));
  }
}

}  // namespace

Assembly assemble(const PlaneMechanism& mechanism, double t) { return assemble_from(mechanism, mechanism.drawn, t); }

Assembly assemble_from(const PlaneMechanism& mechanism, std::span<const double> start, double t) {
  const PlanarSystem& system = mechanism.system;
  Assembly out;
  out.q.assign(start.begin(), start.end());
  Evaluation evaluation(system, 0);
  if (const auto fault = evaluation.set_time(t)) {
    const PrescribedMotion& motion = system.motions()[static_cast<std::size_t>(fault->motion)];
    const Where where = fault->column > 0 && motion.where.line > 0 ? Where{motion.where.line, motion.where.column + fault->column - 1} : motion.where;
    Problem problem = error(where, "driver '" + motion.owner + "': motion: " + fault->sentence + ", at t = " + Text(t).text);
    problem.file = mechanism.file;
    out.problems.push_back(std::move(problem));
    return out;
  }
  const auto alignment = system.alignments(start, t);
  for (std::size_t c = 0; c < alignment.size(); ++c) {
    const Constraint& constraint = system.constraints()[c];
    if (constraint.type == "pin-in-slot" || !(std::abs(alignment[c]) < 1e-6)) continue;
    Problem problem = error(constraint.where, constraint.text() + ": drawn at 90 degrees, where it cannot tell parallel from anti-parallel",
                            "turn one of the bodies towards the position you mean");
    problem.file = mechanism.file;
    out.problems.push_back(std::move(problem));
  }
  if (any_error(out.problems)) return out;

  Assembler assembler(system, start, evaluation);
  const Vector drawn = Eigen::Map<const Vector>(start.data(), static_cast<Eigen::Index>(start.size()));
  Assembler::Attempt best = assembler.solve(drawn);
  out.iterations = best.iterations;
  // A bad drawing can lead into a dead end: try again from drawings shaken more and more, always the same way.
  if (!(best.error <= 1e3 * kMet) && system.coordinates() <= kRestartLimit) {
    std::minstd_rand random(1);
    for (int restart = 1; restart <= kRestarts && !(best.error <= 1e3 * kMet); ++restart) {
      Vector shaken = drawn;
      const double amount = 3.0 * restart / kRestarts;
      for (Eigen::Index i = 0; i < shaken.size(); ++i) {
        const double unit = 2.0 * static_cast<double>(random() - std::minstd_rand::min()) / (std::minstd_rand::max() - std::minstd_rand::min()) - 1;
        shaken[i] += unit * amount * (i % 3 == 2 ? 1.0 : 0.3 * system.length_scale());
      }
      const Assembler::Attempt next = assembler.solve(shaken);
      out.iterations += next.iterations;
      if (next.error < 0.999 * best.error) best = next;
    }
  }
  out.q.assign(best.q.data(), best.q.data() + best.q.size());
  out.assembled = best.error <= 1e3 * kMet;
  (void)evaluation.set_position(out.q);
  out.worst_residual = evaluation.worst_residual();
  for (Eigen::Index i = 0; i < drawn.size(); ++i) {
    const double move = std::abs(best.q[i] - drawn[i]);
    double& most = i % 3 == 2 ? out.moved_radians : out.moved_metres;
    most = std::max(most, move);
  }
  if (out.assembled) {
    warn_of_flips(mechanism, alignment, system.alignments(out.q, t), out);
  } else {
    find_gaps(mechanism, evaluation, out);
    explain_failure(mechanism, alignment, out);
  }
  return out;
}

}  // namespace jounce
