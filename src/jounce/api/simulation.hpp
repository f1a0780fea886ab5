// A mechanism stepped from outside: for a controller, a game or a screen.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/api/run.hpp"
#include "jounce/base/stop.hpp"

namespace jounce {

struct SimulationOptions {
  double tolerance = 1e-8;
  Method method = Method::automatic;
  Formulation formulation = Formulation::automatic;
  int order = 0;
  std::optional<MotionState> start{};
  Stop stop{};  ///< asked while it is assembled and advanced
};

class Simulation {
 public:
  /// Assembles, or takes the start state. `outcome()` says whether it can be stepped.
  explicit Simulation(const Mechanism& mechanism, const SimulationOptions& options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  [[nodiscard]] bool ready() const { return outcome().done(); }
  /// Of the start or of the last `advance`; done as long as it goes on.
  [[nodiscard]] const Outcome& outcome() const;
  [[nodiscard]] const Problems& problems() const;
  /// What happened on the way so far.
  [[nodiscard]] const std::vector<Event>& events() const;

  /// Moves on by a time > 0. False where the motion could not be followed to the end: the state is then that before the call.
  bool advance(double time);
  [[nodiscard]] double t() const;
  [[nodiscard]] const MotionState& state() const;
  /// Begins anew at a state, near one that the joints allow.
  bool restart(const MotionState& state);

  [[nodiscard]] const std::vector<Column>& columns() const;
  /// Results at t, one for each column.
  [[nodiscard]] std::span<const double> row() const;
  [[nodiscard]] std::optional<double> value(std::string_view column) const;

  /// What can be set from outside: the components of the model's loads ("load.fx", "motor.torque"), and in space the torques or forces of
  /// passive dofs ("wrist.tau2").
  [[nodiscard]] const std::vector<std::string>& inputs() const;
  /// From now on a load is `value` instead of what the model says. False when there is no such input.
  bool set(std::string_view input, double value);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jounce
