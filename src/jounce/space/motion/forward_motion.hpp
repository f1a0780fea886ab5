// How a spatial mechanism moves on its own: the coordinates and rates that nobody prescribes are integrated; loops and couplings hold them.
#pragma once

#include "jounce/mechanism/dense_stiff_form.hpp"
#include "jounce/mechanism/forward_motion.hpp"
#include "jounce/space/equations/free_mechanism.hpp"
#include "jounce/space/equations/orders.hpp"
#include "jounce/space/motion/collapses.hpp"
#include "jounce/space/motion/dry_friction.hpp"
#include "jounce/space/motion/half_turns.hpp"
#include "jounce/space/motion/space_ode.hpp"
#include "jounce/space/motion/vanishing.hpp"
#include "jounce/space/size.hpp"

namespace jounce {

class SpaceForwardMotion final : public ForwardMotion {
 public:
  SpaceForwardMotion(const SpaceMechanism& mechanism, const ForwardOptions& options);
  ~SpaceForwardMotion() override;

  [[nodiscard]] Problems refusals() const override;
  [[nodiscard]] Method usual_method() const override { return Method::dop853; }
  std::optional<Ending> start(const Start& start, Problems& problems) override;
  [[nodiscard]] std::vector<double> start_state() const override { return start_; }
  [[nodiscard]] const TimeBreaks& breaks() const override { return breaks_; }
  [[nodiscard]] AuditScale audit_scale() const override { return jounce::audit_scale(mechanism_); }
  [[nodiscard]] bool driven() const override { return driven_; }
  [[nodiscard]] bool conservative() const override { return conservative_; }
  [[nodiscard]] std::vector<Event> start_events() const override;
  [[nodiscard]] std::string formulation() const override;

  [[nodiscard]] int size() const override { return ode_->size(); }
  bool rate(double t, std::span<const double> y, std::span<double> dy) override;
  std::optional<double> project(double t, std::span<double> y) override { return ode_->project(t, y); }
  [[nodiscard]] bool rate_sees_projection() const override { return ode_->equations().closures().size() > 0; }
  [[nodiscard]] double power() override;
  std::optional<double> power_at(double t, std::span<const double> y) override;
  [[nodiscard]] Fault fault() const override { return ode_->fault(); }
  [[nodiscard]] long factorisations() const override { return evaluations_; }
  std::unique_ptr<StiffForm> stiff_form() override;
  [[nodiscard]] std::vector<int> held_by() const override;
  std::vector<Matrix> gradients(double t, std::span<const double> y) override;

  [[nodiscard]] std::size_t columns() const override { return columns_; }
  [[nodiscard]] std::size_t audit_column() const override;
  std::optional<Ending> sample(double t, std::span<const double> y, std::span<double> row, Sample& out) override;
  [[nodiscard]] std::span<const double> q() const override { return q_; }
  [[nodiscard]] std::span<const double> v() const override { return v_; }
  [[nodiscard]] std::vector<std::string> not_unique() const override;

  double kinetic(double t, std::span<const double> y) override;
  double speed(double t, std::span<const double> y) override;
  [[nodiscard]] double stiff_cost() const override;
  std::optional<Ending> vanishing(double t, std::span<const double> y) override;
  std::optional<Opened> opened(Stepper& stepper) override;
  [[nodiscard]] bool stops_before(double /*time*/) const override { return true; }
  Event passage(double t, std::span<const double> y) override;
  std::optional<Ending> cross(double before, double t, std::span<double> y, std::vector<Event>& events) override;
  std::optional<double> first_change(Stepper& stepper) override;
  std::optional<Ending> change(double t, std::span<double> y, std::vector<Event>& events) override;

 private:
  class Stiff;

  [[nodiscard]] std::optional<Ending> onto_loops(double t);
  [[nodiscard]] std::optional<Ending> begin_friction(double t);
  void take_over(std::span<double> y);
  [[nodiscard]] Problems inapplicable_to(const SpaceMechanism& mechanism) const;
  void solve_for(std::span<const double> q);
  [[nodiscard]] std::optional<Ending> turned_thin(double t, double load) const;
  [[nodiscard]] std::vector<std::string> closure_names() const;
  [[nodiscard]] std::optional<Ending> open_loop(double t) const;
  [[nodiscard]] bool open(double tolerance) const;
  [[nodiscard]] bool parted() const;
  [[nodiscard]] Ending contradiction(double t, double off, double allowed) const;
  [[nodiscard]] std::optional<Opened> parted_within(Stepper& stepper);
  [[nodiscard]] std::optional<Opened> collapsed_within(Stepper& stepper);
  [[nodiscard]] bool watched(std::size_t group) const;
  [[nodiscard]] double misfit() const;
  [[nodiscard]] double misfit_at(double t, std::span<const double> y);

  const SpaceMechanism& mechanism_;
  ForwardOptions options_;
  std::unique_ptr<FreeMechanism> free_;  // what is solved in place of the mechanism, once a start is known
  std::vector<double> spins_;            // of its thin links, at the start
  std::unique_ptr<SpaceDryFriction> friction_;
  std::unique_ptr<SpaceOde> ode_;  // of the mechanism that friction leaves in force
  std::unique_ptr<SpaceOrders> orders_;
  std::size_t columns_;
  double length_;
  bool conservative_;
  bool driven_;  // some dof is prescribed, and moves
  double run_length_ = 0;
  KnownRanks base_ranks_;  // likewise, at the start
  int best_rank_ = 0;  // of loops and couplings, at the start and in all rows so far; without those that friction adds
  bool slips_ = false;  // the change that was found last is one of friction
  TimeBreaks breaks_;
  HalfTurns half_turns_;
  Collapses collapses_;
  VanishingInertia vanishing_;
  std::vector<double> start_, tau_, q_, v_;
  std::vector<double> joint_friction_;  // of every dof, with what is held
  std::vector<tree::ForceReading<double>> readings_;
  std::vector<double> pushes_;  // of the stops
  long evaluations_ = 0;
  std::unique_ptr<Stiff> stiff_;  // what the last stiff form works with
};

}  // namespace jounce
