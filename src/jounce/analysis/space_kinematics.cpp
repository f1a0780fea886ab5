#include <algorithm>
#include <cmath>

#include "jounce/analysis/space_run.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/base/text.hpp"
#include "jounce/space/build/checks.hpp"

namespace jounce {
namespace {

/// A correction that does not shrink below this part of a radian or metre was no correction.
constexpr double kClosed = 1e-11;
constexpr int kMostCorrections = 25;
/// A prediction that has to be corrected by more than this is not trusted: the loop might close the other way round.
constexpr double kFarOff = 0.1;
/// So often a step is halved before it is given up.
constexpr int kMostHalvings = 30;

double largest(std::span<const double> x) {
  double most = 0;
  for (const double a : x) most = std::max(most, std::abs(a));
  return most;
}

class DrivenRun {
 public:
  DrivenRun(const SpaceMechanism& mechanism, const KinematicsOptions& options, bool forces, const RowSink& sink, SpaceRun& out)
      : mechanism_(mechanism), options_(options), forces_(forces), sink_(sink), out_(out), equations_(mechanism) {
    const std::size_t n = mechanism.dofs.size();
    v_.resize(n), a_.resize(n), tau_.resize(n), way_.resize(n);
    row_.resize(space_columns(mechanism, forces).size());
  }

  void run() {
    if (!accepted()) return;
    out_.start = assemble(mechanism_);
    out_.problems.insert(out_.problems.end(), out_.start.problems.begin(), out_.start.problems.end());
    if (!out_.start.assembled)
      return end(Outcome::Kind::not_assembled, 0, out_.problems.empty() ? "" : out_.problems.back().sentence);
    q_ = out_.start.q;
    for (int i = 0; i <= options_.steps; ++i) {
      const double t = i == options_.steps ? options_.to : options_.to * i / options_.steps;
      if (!reach(t) || !sample(t)) return;
    }
    end(Outcome::Kind::done, options_.to, "");
  }

 private:
  bool accepted() {
    if (options_.steps < 1 || !(options_.to >= 0) || !std::isfinite(options_.to)) {
      out_.problems.push_back(error({}, "expected a finite time to >= 0 and at least 1 step"));
      return false;
    }
    if (forces_) {
      const Problems missing = missing_masses(mechanism_, "inverse dynamics", "0 for a body without mass");
      out_.problems.insert(out_.problems.end(), missing.begin(), missing.end());
    }
    locate(out_.problems, mechanism_.file);
    if (any_error(out_.problems)) return false;
    if (equations_.passive_dofs().empty() || equations_.closures().size() > 0) return true;
    std::vector<std::string> names;
    for (const int dof : equations_.passive_dofs()) names.push_back(mechanism_.dof_name(dof));
    return not_driven(names), false;
  }

  void not_driven(const std::vector<std::string>& names) {
    out_.problems.push_back(error({}, "not every motion is prescribed: free are " + join_names(names),
                                  "give each a motion in the dofs of its joint, or use dynamics"));
    locate(out_.problems, mechanism_.file);
    out_.outcome = {Outcome::Kind::not_driven, 0, out_.problems.back().sentence, names};
  }

  // From the time reached to t, in parts where the loops do not follow at once.
  bool reach(double t) {
    double part = t - t_;
    for (int halvings = 0; t_ < t || !begun_;) {
      const double next = !begun_ || t - t_ <= part ? t : t_ + part;
      const std::vector<double> before = q_;
      const Followed followed = follow(next);
      if (followed == Followed::fault) return false;
      if (followed == Followed::well) {
        begun_ = true, t_ = next;
        if (t_ < t) part *= 2, --halvings;
        continue;
      }
      q_ = before;
      if (++halvings > kMostHalvings || !begun_) return stuck(next), false;
      part = (next - t_) / 2;
    }
    return true;
  }

  enum class Followed { well, lost, fault };

  // q, v and a at t, from those of t_.
  Followed follow(double t) {
    std::vector<double> v = v_, a = a_;
    const double h = t - t_;
    if (begun_ && h > 0) {
      for (const int dof : equations_.passive_dofs()) way_[z(dof)] = h * v_[z(dof)] + h * h / 2 * a_[z(dof)];
      tree::move(mechanism_.tree, q_, way_);
    }
    if (const auto fault = equations_.prescribe(t, q_, v, a)) return undefined(*fault, t), Followed::fault;
    if (equations_.closures().size() > 0 && !close(t, v, a)) return Followed::lost;
    v_ = v, a_ = a;
    return Followed::well;
  }

  bool close(double t, std::vector<double>& v, std::vector<double>& a) {
    const std::vector<double> none(v.size());
    const auto m = z(equations_.closures().size());
    std::vector<double> right(m), x(v.size());
    double moved = 0, step = 0;
    int rank = 0;
    for (int i = 0; i < kMostCorrections; ++i) {
      equations_.evaluate_closures(q_, none);
      for (std::size_t r = 0; r < m; ++r) right[r] = -equations_.closures().residual()[r];
      std::ranges::fill(x, 0.0);
      rank = equations_.follow(right, x);
      tree::move(mechanism_.tree, q_, x);
      step = largest(x), moved += step;
      if (begun_ && moved > kFarOff) return false;
      if (step <= 1e-15 * (1 + largest(q_))) break;
    }
    equations_.evaluate_closures(q_, none);
    if (!(step <= kClosed) || !(equations_.closures().worst() <= kClosed)) return false;
    if (rank < static_cast<int>(equations_.passive_dofs().size()) && !loose_) report_loose(t, rank);
    std::ranges::fill(right, 0.0);
    (void)equations_.follow(right, v);
    equations_.evaluate_closures(q_, v);
    (void)equations_.follow(equations_.closures().right(), a);
    return true;
  }

  void report_loose(double t, int rank) {
    loose_ = true;
    const int left = static_cast<int>(equations_.passive_dofs().size()) - rank;
    out_.events.push_back({t, "singular-position", "the loops leave " + std::to_string(left) +
                               " motion(s) open here: the shortest is reported", {}});
    if (t == 0) loose_at_start_ = true;
  }

  void stuck(double t) {
    std::vector<std::string> names;
    for (const SpaceLoop& loop : mechanism_.loops) names.push_back(loop.name);
    for (const SpaceCoupling& coupling : mechanism_.couplings) names.push_back(coupling.name);
    end(Outcome::Kind::dead_point, t_, "the loops cannot be closed beyond " + seconds(t_) + " (tried to reach " + seconds(t) +
            "): a dead point, or motions that contradict the loops", names);
  }

  bool sample(double t) {
    if (loose_at_start_) {
      std::vector<std::string> names;
      for (const int dof : equations_.passive_dofs()) names.push_back(mechanism_.dof_name(dof));
      return not_driven(names), false;
    }
    if (forces_) {
      if (const auto fault = equations_.balance(t, q_, v_, a_)) return undefined(*fault, t), false;
      equations_.efforts(tau_);
      if (equations_.rank() < equations_.closures().size() && out_.not_unique.empty()) {
        for (const SpaceLoop& loop : mechanism_.loops) out_.not_unique.push_back(loop.name);
        for (const SpaceCoupling& coupling : mechanism_.couplings) out_.not_unique.push_back(coupling.name);
      }
    }
    equations_.move(q_, v_, a_);
    fill_space_row(equations_, {t, q_, v_, a_, forces_, tau_}, row_);
    out_.statistics.worst_residual = std::max(out_.statistics.worst_residual, equations_.closures().worst());
    ++out_.statistics.samples;
    out_.q = q_, out_.v = v_;
    if (!std::ranges::all_of(row_, [](double x) { return std::isfinite(x); }))
      return end(Outcome::Kind::step_too_small, t, "the results are not finite numbers at " + seconds(t)), false;
    if (sink_(row_)) return true;
    end(Outcome::Kind::stopped, t, "stopped at " + seconds(t));
    return false;
  }

  void undefined(const Fault& fault, double t) {
    const std::string sentence = fault.element + ": " + fault.sentence + ", near " + seconds(t);
    out_.problems.push_back(error(fault.where, sentence));
    locate(out_.problems, mechanism_.file);
    out_.outcome = {Outcome::Kind::undefined, t_, sentence, {}};
  }

  void end(Outcome::Kind kind, double t, std::string sentence, std::vector<std::string> elements = {}) {
    if (kind != Outcome::Kind::done && kind != Outcome::Kind::stopped && kind != Outcome::Kind::not_assembled) {
      out_.problems.push_back(error({}, sentence));
      locate(out_.problems, mechanism_.file);
    }
    out_.outcome = {kind, t, std::move(sentence), std::move(elements)};
  }

  const SpaceMechanism& mechanism_;
  const KinematicsOptions& options_;
  bool forces_;
  const RowSink& sink_;
  SpaceRun& out_;
  SpaceEquations equations_;
  std::vector<double> q_, v_, a_, tau_, way_, row_;
  double t_ = 0;
  bool begun_ = false, loose_ = false, loose_at_start_ = false;
};

SpaceRun driven(const SpaceMechanism& mechanism, const KinematicsOptions& options, bool forces, const RowSink& sink) {
  SpaceRun out;
  DrivenRun(mechanism, options, forces, sink, out).run();
  return out;
}

SpaceRun collected(const SpaceMechanism& mechanism, const KinematicsOptions& options, bool forces) {
  RowCollector rows(space_columns(mechanism, forces), options.columns, options.steps + 1);
  SpaceRun out = driven(mechanism, options, forces, rows.sink());
  out.results = rows.finish(out.problems);
  return out;
}

}  // namespace

SpaceRun kinematics(const SpaceMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink) {
  return driven(mechanism, options, false, sink);
}
SpaceRun kinematics(const SpaceMechanism& mechanism, const KinematicsOptions& options) { return collected(mechanism, options, false); }
SpaceRun inverse(const SpaceMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink) {
  return driven(mechanism, options, true, sink);
}
SpaceRun inverse(const SpaceMechanism& mechanism, const KinematicsOptions& options) { return collected(mechanism, options, true); }

}  // namespace jounce
