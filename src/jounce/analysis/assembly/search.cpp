// Levenberg–Marquardt on ½|r(q)|² + ½ μ |way from the drawing|², with the anchor μ taken away step by step: each stage ends near the
// point of the constraint surface that is nearest to the drawing. r are the residuals in lengths of the mechanism and radians,
// ways likewise, so that one number means one thing.
#include "jounce/analysis/assembly/search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "jounce/base/text.hpp"
#include "jounce/math/dense.hpp"

namespace jounce {
namespace {

using Vector = ClosingMotion::Vector;

/// Residuals at or below this (metres per metre of mechanism size, or radians) count as met.
constexpr double kMet = 1e-11;
/// At or below this they count as met when no more can be done.
constexpr double kClosed = 1e3 * kMet;
constexpr int kIterationsPerStage = 60;
/// The most that a body or a joint may turn in one step, in radians.
constexpr double kLongestTurn = 0.5;
constexpr int kRestarts = 24;
/// Gaps below this fraction of the widest are rounding, not a second sort of gap beside the first.
constexpr double kGap = 1e-3;

struct Attempt {
  ClosingMotion::Position q;
  double error = 0;  // largest residual
  int iterations = 0;
};

class Search {
 public:
  Search(ClosingMotion& motion, const Stop& stop) : motion_(motion), habits_(motion.habits()), asking_(stop) {}

  // A bad drawing can lead into a dead end: try again from drawings shaken more and more, always the same way.
  Attempt run() {
    Attempt best = solve(motion_.drawn());
    const int n = motion_.directions();
    std::minstd_rand random(1);
    for (int restart = 1; n > 0 && n <= habits_.restart_limit && restart <= kRestarts && !(best.error <= kClosed) && !stopped(); ++restart) {
      const double amount = 3.0 * restart / kRestarts;
      Vector shake;
      for (int i = 0; i < n; ++i) {
        const double unit = 2.0 * static_cast<double>(random() - std::minstd_rand::min()) / (std::minstd_rand::max() - std::minstd_rand::min()) - 1;
        shake.push_back(unit * amount * motion_.shake(i));
      }
      ClosingMotion::Position from = motion_.drawn();
      motion_.move(from, shake);
      Attempt next = solve(from);
      next.iterations += best.iterations;
      if (next.error < 0.999 * best.error) best = std::move(next);
      else best.iterations = next.iterations;
    }
    return best;
  }
  [[nodiscard]] bool stopped() const { return asking_.told(); }

 private:
  Attempt solve(const ClosingMotion::Position& from) {
    Attempt attempt{from, 0, 0};
    if (habits_.newton_first) {
      attempt.error = largest(motion_.residual(from));
      if (attempt.error <= kMet || motion_.directions() == 0) return attempt;
      polish(attempt);
      if (attempt.error <= kMet) return attempt;
    }
    for (const double anchor : {1e-2, 1e-4, 1e-7, 1e-11, 0.0}) {
      descend(attempt, anchor);
      if ((anchor < 1e-3 && attempt.error <= kMet) || stopped()) break;
    }
    polish(attempt);
    return attempt;
  }

  [[nodiscard]] double squared(const Vector& way) const { return dot(motion_.weighted(way), way); }

  // Where the search stands within a stage.
  struct Stand {
    Vector r, way;
    double cost = 0;
  };
  Stand stand(const ClosingMotion::Position& q, double anchor) {
    Stand out{motion_.residual(q), motion_.way_from_drawn(q)};
    out.cost = 0.5 * dot(out.r, out.r) + 0.5 * anchor * squared(out.way);
    return out;
  }

  void descend(Attempt& attempt, double anchor) {
    double damping = 1e-3;
    Stand now = stand(attempt.q, anchor);
    for (int i = 0; i < kIterationsPerStage; ++i) {
      ++attempt.iterations;
      (void)motion_.residual(attempt.q);  // the Jacobian belongs to the position evaluated last
      motion_.linearise();
      Vector gradient = motion_.gradient(now.r);
      const Vector pull = motion_.weighted(now.way);
      for (std::size_t k = 0; k < gradient.size(); ++k) gradient[k] += anchor * pull[k];
      const double before = now.cost;
      double step = 0;
      const bool stepped = try_steps(attempt, anchor, gradient, damping, now, step);
      attempt.error = largest(now.r);
      if (!stepped || (anchor == 0 && attempt.error <= kMet) || (before - now.cost <= 1e-14 * now.cost && step < 1e-9)) break;
    }
  }

  // One step downhill, more and more damped until one leads down; false when none does.
  bool try_steps(Attempt& attempt, double anchor, const Vector& gradient, double& damping, Stand& now, double& step) {
    for (int tries = 0; tries < 24 && !asking_.after(motion_.directions()); ++tries) {
      const std::optional<Vector> dq = motion_.damped_step(gradient, anchor + damping);
      if (!dq) {
        damping *= 10;
        continue;
      }
      if (!(motion_.longest_turn(*dq) <= kLongestTurn)) {  // more could already lead to the wrong branch
        damping = std::max(4 * damping, 1e-6);
        continue;
      }
      ClosingMotion::Position trial = attempt.q;
      motion_.move(trial, *dq);
      Stand then = stand(trial, anchor);
      if (std::isfinite(then.cost) && then.cost < now.cost) {
        const double square = squared(*dq);
        const double predicted = -dot(gradient, *dq) - 0.5 * motion_.curvature(*dq) + 0.5 * damping * square;
        const double gain = (now.cost - then.cost) / std::max(predicted, 1e-300);
        damping = gain > 0.75 ? std::max(damping * 0.1, 1e-14) : gain < 0.25 ? damping * 4 : damping;
        step = std::sqrt(square);
        attempt.q = std::move(trial), now = std::move(then);
        return true;
      }
      damping = std::max(damping, 1e-12) * 8;
    }
    return false;
  }

  // Gauss–Newton with the least possible move, until rounding stops it.
  void polish(Attempt& attempt) {
    for (int i = 0; i < habits_.newton_steps; ++i) {
      const Vector r = motion_.residual(attempt.q);
      attempt.error = largest(r);
      if (attempt.error == 0 || !(attempt.error <= habits_.newton_below) || asking_.after(motion_.directions())) return;
      motion_.linearise();
      const std::optional<Vector> step = motion_.newton_step(r);
      if (!step) return;
      ClosingMotion::Position trial = attempt.q;
      motion_.move(trial, *step);
      const double after = largest(motion_.residual(trial));
      if (!(after < attempt.error)) return;
      attempt.q = std::move(trial);
      attempt.error = after;
      ++attempt.iterations;
    }
  }

  ClosingMotion& motion_;
  ClosingMotion::Habits habits_;
  Asking asking_;
};

std::string distance_text(const Gap& gap) {
  std::string out;
  if (gap.metres > 0) out = short_number(gap.metres * 1e3) + " mm";
  if (gap.radians > 0) out += (out.empty() ? "" : " and ") + short_number(gap.radians * 180 / std::numbers::pi) + " degrees";
  return out;
}

// Widest first.
std::vector<ClosingMotion::Open> sorted(std::vector<ClosingMotion::Open> open, double size) {
  std::ranges::stable_sort(open, std::greater<>{}, [&](const auto& gap) { return std::max(gap.metres / size, gap.radians); });
  return open;
}

void find_gaps(ClosingMotion& motion, Assembly& out) {
  const double size = motion.size();
  const std::vector<ClosingMotion::Open> all = sorted(motion.open(out.q), size);
  const double widest = all.empty() ? 0.0 : std::max(all[0].metres / size, all[0].radians);
  for (const ClosingMotion::Open& open : all) {
    const Gap gap{open.element, open.metres > kGap * widest * size ? open.metres : 0, open.radians > kGap * widest ? open.radians : 0};
    if (gap.metres > 0 || gap.radians > 0) out.gaps.push_back(gap);
  }
}

}  // namespace

bool close(ClosingMotion& motion, const Stop& stop, Assembly& out) {
  Search search(motion, stop);
  Attempt found = search.run();
  out.q = std::move(found.q);
  out.iterations = found.iterations;
  out.worst_residual = motion.worst_residual(out.q);
  const ClosingMotion::Moved moved = motion.moved(out.q);
  out.moved_metres = moved.metres, out.moved_radians = moved.radians;
  out.stopped = search.stopped();  // where it is by then may hold, but it is not where it would have come to
  const bool met = found.error <= kClosed && !out.stopped;
  if (!met && !out.stopped) find_gaps(motion, out);
  return met;
}

Problem not_assembled(ClosingMotion& motion, const Assembly& found, std::string hint) {
  std::string sentence = "the mechanism cannot be assembled: ";
  if (found.gaps.empty()) sentence += "its equations have no finite numbers for values";
  else sentence += found.gaps.size() == 1 ? "this cannot be met: " : "these cannot be met together: ";
  for (std::size_t i = 0; i < found.gaps.size() && i < 8; ++i)
    sentence += (i == 0 ? "" : ", ") + found.gaps[i].constraint + " (" + distance_text(found.gaps[i]) + " apart)";
  if (found.gaps.size() > 8) sentence += " and " + std::to_string(found.gaps.size() - 8) + " more";
  const std::vector<ClosingMotion::Open> all = sorted(motion.open(found.q), motion.size());
  return error(all.empty() ? Where{} : all[0].where, std::move(sentence), std::move(hint));
}

Outcome not_begun(const Assembly& assembly) {
  using Kind = Outcome::Kind;
  if (assembly.stopped) return {Kind::stopped, 0, "stopped while it was assembled", {}};
  const Kind kind = assembly.contradicting.empty() ? Kind::not_assembled : assembly.singular ? Kind::change_point : Kind::conflicting;
  return {kind, 0, assembly.problems.empty() ? "" : assembly.problems.back().sentence, assembly.contradicting};
}

}  // namespace jounce
