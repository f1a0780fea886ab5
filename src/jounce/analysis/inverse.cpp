#include "jounce/analysis/inverse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "jounce/plane/rows/dynamic_rows.hpp"
#include "jounce/analysis/run/plane_driven.hpp"
#include "jounce/plane/equations/force_rates.hpp"
#include "jounce/plane/equations/joint_friction.hpp"
#include "jounce/plane/equations/own_equation.hpp"
#include "jounce/plane/motion/audit_scale.hpp"
#include "jounce/plane/motion/breaks.hpp"
#include "jounce/plane/motion/multipliers.hpp"
#include "jounce/base/index.hpp"
#include "jounce/math/dense.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/base/text.hpp"

namespace jounce {
namespace {

// Fills rows of inverse dynamics, and remembers which reactions were not unique.
class ReactionSampler {
 public:
  explicit ReactionSampler(const PlaneMechanism& mechanism)
      : mechanism_(mechanism),
        system_(mechanism.system),
        forces_(system_),
        load_(z(system_.coordinates())),
        lambda_(z(system_.equations())),
        lambda_rate_(lambda_),
        acceleration_(load_),
        weight_only_(std::ranges::all_of(system_.forces(), [](const AppliedForce& force) {
          return force.kind == planar::ForceKind::given || force.kind == planar::ForceKind::friction;
        })) {
    for (std::size_t c = 0; c < system_.constraints().size(); ++c)
      if (const int function = system_.constraints()[c].motion; function >= 0) efforts_.push_back({effort_column(mechanism, c, true), function});
    // The motion is prescribed: exact dry friction has the direction of the rate.
    forces_.set_directions(std::vector<double>(system_.signals().size(), std::numeric_limits<double>::quiet_NaN()));
    const std::size_t rubbing = system_.rubbing().size();
    if (rubbing > 0) friction_.emplace(Friction{FrictionBalance(rubbing, 1), load_rows(system_), {}, {}, std::vector<double>(rubbing), std::vector<JointLoad>(rubbing),
                                                std::vector<double>(system_.signals().size()), std::vector<FrictionAt>(system_.forces().size())});
    const Vec2<double> g = system_.gravity();
    for (std::size_t i = 0; i < load_.size(); ++i) weight_.push_back(i % 3 == 2 ? 0 : system_.mass()[i] * (i % 3 == 0 ? g.x : g.y));
  }

  std::optional<Fault> fill(PlaneDrivenMotion& motion, double t, std::span<const double> q, std::span<const double> ways,
                            std::span<double> row) {
    const std::size_t n = load_.size();
    if (const auto fault = forces_.forces_alone(t, q, ways.first(n))) return located(*fault);
    const auto half_acceleration = ways.subspan(n, n);
    for (std::size_t i = 0; i < n; ++i) load_[i] = forces_.Q()[i] - system_.mass()[i] * 2 * half_acceleration[i];
    motion.factors().solve_transposed(load_, lambda_);
    const std::optional<Indeterminacy> open = settle(motion);
    if (friction_)
      if (auto fault = rub(motion, t, q, ways.first(n), half_acceleration)) return fault;
    if (friction_ && open) shorten(*open, lambda_);
    find_rates(motion, t, q, ways, open);
    fill_dynamic_row(mechanism_,
                     {.t = t,
                      .frames = frame_orders(motion.evaluation()),
                      .lambda = lambda_,
                      .lambda_rate = lambda_rate_,
                      .readings = forces_.readings(),
                      .potential = forces_.potential(),
                      .constraint_error = motion.evaluation().worst_residual()},
                     row);
    power_ = forces_.power() + power_of_own_equations(system_, t, q, lambda_);
    for (const auto& [column, function] : efforts_) power_ += row[column] * motion.evaluation().motion(function, 1);
    if (!std::ranges::all_of(row, [](double x) { return std::isfinite(x); }))
      return Fault{{}, "the forces are too large: not every reaction is a finite number", {}};
    return std::nullopt;
  }

  /// Of drivers, dampers, friction, actuators and loads, without reactions: drivers bring in what inertia and forces leave, and what friction of joints takes. Where nothing but gravity keeps energy
  /// it is a series as long as that of the motion allows.
  std::optional<PowerAt> power_along(double t, std::span<const double> q, std::span<const double> ways) {
    const std::size_t n = load_.size();
    if (!weight_only() && forces_.forces_alone(t, q, ways.first(n))) return std::nullopt;
    const std::span<const double> load = weight_only() ? weight_ : forces_.Q();
    PowerAt out = weight_only() ? 0.0 : forces_.power();
    out.known = weight_only() ? PowerAt::kMost : 1;
    std::array<double, z(PowerAt::kMost)>& sum = out.coefficient;
    for (std::size_t i = 0; i < n; ++i) {  // of the motion: w₁ h + w₂ h² + …
      const double w1 = ways[i], w2 = ways[n + i], w3 = ways[2 * n + i], w4 = ways[3 * n + i], m = system_.mass()[i];
      const double needed = 2 * m * w2 - load[i];
      sum[0] += needed * w1;
      if (out.known == 1) continue;
      sum[1] += 6 * m * w3 * w1 + 2 * needed * w2;
      sum[2] += 12 * m * (w4 * w1 + w3 * w2) + 3 * needed * w3;
    }
    return out;
  }
  /// No force keeps energy: whatever loads do the drivers make good.
  [[nodiscard]] bool weight_only() const { return weight_only_; }

  /// Of drivers, dampers, friction, actuators and loads at the last row.
  [[nodiscard]] double power() const { return power_; }
  /// The largest that a row's equations carry, roughly newtons.
  [[nodiscard]] double force() const { return largest(lambda_); }

  /// Rows whose rates of multipliers are not known, if any.
  [[nodiscard]] std::optional<std::string> without_rates() const {
    if (rows_without_rate_ == 0) return std::nullopt;
    return first_without_rate_ + "; the rates of multipliers are written as 0 there" +
           (rows_without_rate_ > 1 ? ", and in " + std::to_string(rows_without_rate_ - 1) + " other rows" : "");
  }

  /// In the order of the file.
  [[nodiscard]] std::vector<std::string> not_unique() const {
    std::vector<std::string> out;
    for (const Constraint& c : system_.constraints())
      if (open_.contains(c.name)) out.push_back(c.name);
    return out;
  }

 private:
  // Of the many multipliers that balance the load, the shortest.
  std::optional<Indeterminacy> settle(PlaneDrivenMotion& motion) {
    if (motion.factors().spare_rows().empty()) return std::nullopt;
    Indeterminacy open = indeterminacy(system_, motion.evaluation(), motion.factors());
    shorten(open, lambda_);
    for (std::string& name : jounce::not_unique(system_, open)) open_.insert(std::move(name));
    return open;
  }

  // Friction of joints that grows with the reactions, and the reactions with it. `lambda_` is without it before.
  std::optional<Fault> rub(PlaneDrivenMotion& motion, double t, std::span<const double> q, std::span<const double> v, std::span<const double> half_acceleration) {
    Friction& r = *friction_;
    const std::size_t joints = r.rows.size();
    if (auto fault = open_friction(system_, std::vector<std::string>(open_.begin(), open_.end()))) return fault;
    // a load of 1 N tells the factors
    r.along.resize(joints * load_.size()), r.lambda.resize(lambda_.size());
    std::ranges::fill(r.loads, 1.0);
    forces_.set_loads(r.loads);
    if (const auto fault = forces_.forces_alone(t, q, v)) return located(*fault);
    for (std::size_t g = 0; g < joints; ++g) {
      const int signal = system_.rubbing()[g];
      r.factors[g] = forces_.readings()[z(system_.signals()[z(signal)].force)].effort;
      const std::span<double> along = std::span(r.along).subspan(g * load_.size(), load_.size());
      unit_friction(system_, signal, q, along);
      motion.factors().solve_transposed(along, r.lambda);
      for (std::size_t f = 0; f < joints; ++f) r.balance.response(f, g) = joint_load(r.rows[f], r.lambda);
      r.free[g] = joint_load(r.rows[g], lambda_);
    }
    if (auto fault = friction_fault(system_, r.balance.solve(0, r.factors, r.free, largest(lambda_)), r.balance)) return fault;
    std::ranges::fill(r.loads, 0.0);
    for (std::size_t f = 0; f < joints; ++f) r.loads[z(system_.rubbing()[f])] = r.balance.size(0, f);
    forces_.set_loads(r.loads);
    if (const auto fault = forces_.forces_alone(t, q, v)) return located(*fault);
    for (std::size_t i = 0; i < load_.size(); ++i) load_[i] = forces_.Q()[i] - system_.mass()[i] * 2 * half_acceleration[i];
    motion.factors().solve_transposed(load_, lambda_);
    std::ranges::fill(r.loads, 0.0);
    forces_.set_loads(r.loads);  // the next look is without friction again
    return std::nullopt;
  }

  // `load_` is what the rates of multipliers balance, but for friction's share in the growth of its own load.
  [[nodiscard]] bool rub_rates(PlaneDrivenMotion& motion) {
    Friction& r = *friction_;
    motion.factors().solve_transposed(load_, lambda_rate_);
    for (std::size_t f = 0; f < r.rows.size(); ++f) r.free[f] = joint_load(r.rows[f], lambda_rate_), r.factors[f] = 0;
    if (r.balance.solve(1, r.factors, r.free, largest(lambda_rate_)) != FrictionBalance::Status::found) return false;
    for (std::size_t f = 0; f < r.rows.size(); ++f)
      for (std::size_t i = 0; i < load_.size(); ++i) load_[i] += r.balance.effort(1, f) * r.along[f * load_.size() + i];
    return true;
  }

  // Φqᵀ λ̇ = Q̇ − M q⃛ − κ. Where a force has no rate, as at a kink of its law, multipliers have none, and the run says so.
  void find_rates(PlaneDrivenMotion& motion, double t, std::span<const double> q, std::span<const double> ways,
                  const std::optional<Indeterminacy>& open) {
    const std::size_t n = load_.size();
    for (std::size_t i = 0; i < n; ++i) acceleration_[i] = 2 * ways[n + i], load_[i] = system_.mass()[i] * 6 * ways[2 * n + i];
    const PlaneMotionAt at{t, q, ways.first(n), acceleration_};
    add_kappa(motion.evaluation(), lambda_, load_);
    for (double& x : load_) x = -x;
    std::ranges::fill(lambda_rate_, 0.0);
    if (friction_)
      for (std::size_t f = 0; f < friction_->rows.size(); ++f)
        friction_->at[z(system_.signals()[z(system_.rubbing()[f])].force)].load = friction_->balance.size(0, f);
    const std::vector<ForceAndRate> forces = forces_and_rates(system_, at, friction_ ? std::span<const FrictionAt>(friction_->at) : std::span<const FrictionAt>());
    for (std::size_t f = 0; f < forces.size(); ++f) {
      if (!forces[f].trouble.empty()) return without_rate(system_.forces()[f], forces[f].trouble, t);
      for (const ForceAndRate::OnBody& on : forces[f].bodies)
        for (std::size_t c = 0; c < 3; ++c) load_[3 * z(on.body - 1) + c] += on.Q_rate[c];
    }
    if (friction_ && !rub_rates(motion)) return void(std::ranges::fill(lambda_rate_, 0.0));
    motion.factors().solve_transposed(load_, lambda_rate_);
    if (open) shorten(*open, lambda_rate_);
  }

  void without_rate(const AppliedForce& force, const std::string& why, double t) {
    if (rows_without_rate_++ == 0) first_without_rate_ = force.text() + " has no rate at " + seconds(t) + ": " + why;
  }

  [[nodiscard]] Fault located(const ForceFault& fault) const {
    const AppliedForce& force = system_.forces()[z(fault.force)];
    Where where = fault.where;
    if (fault.column > 0 && where.line > 0) where.column += fault.column - 1;
    return {force.text(), fault.sentence, where, force.name};
  }

  const PlaneMechanism& mechanism_;
  const PlanarSystem& system_;
  Linearisation forces_;
  std::vector<double> load_, lambda_, lambda_rate_, acceleration_, weight_;
  int rows_without_rate_ = 0;
  std::string first_without_rate_;
  std::set<std::string> open_;
  struct Friction {
    FrictionBalance balance;
    std::vector<std::vector<LoadRow>> rows;
    std::vector<double> along, lambda, factors;  // [joint][coordinate], by equation, by joint
    std::vector<JointLoad> free;
    std::vector<double> loads;    // by signal
    std::vector<FrictionAt> at;   // by force
  };
  std::optional<Friction> friction_;  // of joints, where some have it
  struct Effort {
    std::size_t column;
    int function;  // among the motions
  };
  std::vector<Effort> efforts_;
  double power_ = 0;
  bool weight_only_;
};

}  // namespace

KinematicsRun inverse(const PlaneMechanism& mechanism, const KinematicsOptions& options, const RowSink& sink) {
  KinematicsRun out;
  out.problems = missing_masses(mechanism, "inverse dynamics", "0 for a body without mass");
  if (!out.problems.empty()) return out;
  PlaneDrivenMotion motion(mechanism, kRowOrder);
  ReactionSampler sampler(mechanism);
  const FillRow fill = [&](double t, std::span<const double> q, std::span<const double> ways, std::span<double> row) {
    return sampler.fill(motion, t, q, ways, row);
  };
  const std::size_t columns = dynamic_width(mechanism, true);
  const TimeBreaks breaks = breaks_of(mechanism.system, options.from(), options.last_time());
  const DrivenBooks books{columns - kPlaneAuditFromEnd, [&] { return sampler.power(); }, [&] { return sampler.force(); },
                          [&](double t, std::span<const double> q, std::span<const double> ways) { return sampler.power_along(t, q, ways); },
                          sampler.weight_only(), audit_scale(mechanism.system), breaks.times(), breaks.blows()};
  follow_plane(mechanism, motion, options, columns, fill, sink, out, &books);
  out.not_unique = sampler.not_unique();
  if (!out.not_unique.empty()) out.problems.push_back(not_unique_warning(out.not_unique));
  if (auto sentence = sampler.without_rates()) out.problems.push_back(warning({}, *std::move(sentence)));
  locate(out.problems, mechanism.file);
  return out;
}

KinematicsRun inverse(const PlaneMechanism& mechanism, const KinematicsOptions& options) {
  RowCollector rows(dynamic_columns(mechanism, true), options.columns, options.samples());
  KinematicsRun run = inverse(mechanism, options, rows.sink());
  run.results = rows.finish(run.problems);
  return run;
}

Problems missing_masses(const PlaneMechanism& mechanism, std::string_view analysis, std::string_view remark) {
  Problems out;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
    const BodyData& body = mechanism.bodies[b];
    if (body.mass && body.inertia) continue;
    const std::string key = body.mass ? "inertia" : "mass";
    std::string sentence = "body '" + body.name + "': '" + key + "' is missing: " + std::string(analysis) + " needs it";
    if (!remark.empty()) sentence += " (" + std::string(remark) + ")";
    out.push_back(error(body.where, std::move(sentence), body.mass ? "a 'shape' gives it too" : ""));
  }
  locate(out, mechanism.file);
  return out;
}

}  // namespace jounce
