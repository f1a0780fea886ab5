// How a planar mechanism moves on its own: all coordinates of all bodies are integrated, and the joints are equations.
#pragma once

#include <array>
#include <limits>

#include "jounce/mechanism/forward_motion.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/plane/motion/audit_scale.hpp"
#include "jounce/plane/motion/dry_friction.hpp"
#include "jounce/plane/rows/dynamic_rows.hpp"

namespace jounce {

class PlaneForwardMotion final : public ForwardMotion {
 public:
  PlaneForwardMotion(const PlaneMechanism& mechanism, const ForwardOptions& options);

  [[nodiscard]] Problems refusals() const override;
  [[nodiscard]] Method usual_method() const override { return Method::taylor; }
  std::optional<Ending> start(const Start& start, Problems& problems) override;
  [[nodiscard]] std::vector<double> start_state() const override;
  [[nodiscard]] const TimeBreaks& breaks() const override { return breaks_; }
  [[nodiscard]] AuditScale audit_scale() const override { return jounce::audit_scale(system_); }
  [[nodiscard]] bool conservative() const override { return conservative_; }
  [[nodiscard]] std::vector<Event> start_events() const override { return friction_ ? friction_->impacts_at_start() : std::vector<Event>{}; }
  [[nodiscard]] std::string formulation() const override { return formulation_; }

  [[nodiscard]] int size() const override { return 2 * system_.coordinates(); }
  bool rate(double t, std::span<const double> y, std::span<double> dy) override;
  std::optional<double> project(double t, std::span<double> y) override;
  [[nodiscard]] bool rate_sees_projection() const override { return true; }
  [[nodiscard]] double power() override;
  std::optional<double> power_at(double t, std::span<const double> y) override;
  [[nodiscard]] Fault fault() const override { return fault_; }
  [[nodiscard]] long factorisations() const override { return factorisations_; }
  std::unique_ptr<StiffForm> stiff_form() override;
  [[nodiscard]] std::vector<int> held_by() const override;
  std::vector<Matrix> gradients(double t, std::span<const double> y) override;
  std::optional<double> smallest_pivot() override;
  std::unique_ptr<Stepper> series_stepper(const StepperOptions& options) override;

  [[nodiscard]] std::size_t columns() const override { return columns_; }
  [[nodiscard]] std::size_t audit_column() const override { return columns_ - kPlaneAuditFromEnd; }
  std::optional<Ending> sample(double t, std::span<const double> y, std::span<double> row, Sample& out) override;
  [[nodiscard]] std::span<const double> q() const override { return q_; }
  [[nodiscard]] std::span<const double> v() const override { return v_; }
  [[nodiscard]] std::vector<std::string> not_unique() const override { return not_unique_; }

  double kinetic(double t, std::span<const double> y) override;
  double speed(double t, std::span<const double> y) override;
  [[nodiscard]] double stiff_cost() const override;
  std::optional<Opened> opened(Stepper& stepper) override;
  [[nodiscard]] bool stops_before(double time) const override;
  std::optional<Ending> cross(double before, double t, std::span<double> y, std::vector<Event>& events) override;
  std::optional<double> first_change(Stepper& stepper) override;
  std::optional<Ending> change(double t, std::span<double> y, std::vector<Event>& events) override;
  Event passage(double t, std::span<const double> y) override;
  std::optional<Ending> reason(Stepper::Status status, double t, std::span<const double> y) override;

 private:
  static constexpr int kOrder = 4;  // snap

  void take(std::span<const double> y);
  [[nodiscard]] const PlanarSystem& in_force() const { return friction_ ? friction_->system() : system_; }
  [[nodiscard]] EquationsOfMotion& rates();

  // before the run
  [[nodiscard]] std::optional<Ending> onto_joints(double t);
  [[nodiscard]] bool velocities_fit();
  [[nodiscard]] std::optional<Ending> at_singular_start(double t) const;
  [[nodiscard]] Ending contradiction(double t) const;
  void warn_of_velocities(Problems& problems) const;
  [[nodiscard]] bool loses_nothing(double t) const;

  // dry friction
  [[nodiscard]] std::optional<Ending> take_over(double t);

  // rows
  [[nodiscard]] Ending broken(double t, double by, double allowed) const;
  [[nodiscard]] double most_apart() const;
  [[nodiscard]] double apart_at(double t, std::span<const double> y, double allowed);

  [[nodiscard]] Ending undecided(double t) const;
  [[nodiscard]] std::vector<std::string> massless() const;
  [[nodiscard]] const AppliedForce* collapsing(double t, std::span<const double> y) const;

  const PlaneMechanism& mechanism_;
  const PlanarSystem& system_;
  ForwardOptions options_;
  std::size_t columns_;
  double length_ = 0;  // of the run, seconds
  TimeBreaks breaks_;
  bool conservative_ = false;
  std::string formulation_;
  std::vector<std::string> not_unique_;

  std::optional<PlaneDryFriction> friction_;       // before what works on its equations
  std::optional<EquationsOfMotion> sampler_;  // for rows
  std::optional<EquationsOfMotion> rates_;    // for `rate` and `project`
  std::optional<Evaluation> position_;        // for `gradients`
  std::optional<Linearisation> forces_;       // for `power_at`
  std::vector<double> rate_;
  Fault fault_;
  long factorisations_ = 0;
  double pivot_ = std::numeric_limits<double>::infinity();  // see `smallest_pivot`
  bool passed_ = false;  // a singular position
  std::vector<int> dropped_;  // equations that depend on others

  std::vector<double> q_, v_, lambda_, lambda_rate_;
  std::vector<double> reported_, reported_rate_;  // multipliers of the model's own equations
  std::vector<ForceReading> readings_;
  std::vector<double> pushes_;        // of the stops
  bool loops_;
};

}  // namespace jounce
