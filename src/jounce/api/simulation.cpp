#include "jounce/api/simulation.hpp"

#include <algorithm>
#include <cmath>

#include "jounce/api/content.hpp"
#include "jounce/base/text.hpp"

namespace jounce {
namespace {

// Where a load's component stands in the model, and how it is called.
struct Input {
  std::string name;
  enum class Kind { force, dof } kind{};
  std::size_t element = 0;    // among the forces, or the joints
  std::size_t component = 0;  // of its value, or which dof
  std::size_t of = 0;         // how many dofs the joint has
};

// The components of a load are its columns of results; of a wrench the model writes the moment first, and the columns the force.
std::vector<Input> inputs_of(const Mechanism& mechanism, const std::vector<Column>& columns) {
  const Model& model = mechanism.model();
  std::vector<Input> out;
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    const Element& force = model.forces[f];
    if (force.find("value") == nullptr) continue;  // what follows a law of its own
    std::vector<std::string> own;
    for (const Column& column : columns)
      if (column.owner == force.name) own.push_back(column.name);
    constexpr std::size_t kHalf = 3, kWrench = 2 * kHalf;
    for (std::size_t k = 0; k < own.size(); ++k)
      out.push_back({own[k], Input::Kind::force, f, own.size() == kWrench ? (k + kHalf) % kWrench : k});
  }
  const auto* space = std::get_if<SpaceMechanism>(&mechanism.content().equations);
  if (space == nullptr) return out;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const auto joint = std::ranges::find(space->joints, model.joints[j].name, &SpaceJoint::name);
    if (joint == space->joints.end()) continue;  // an equation
    const auto dofs = static_cast<std::size_t>(joint->links.dofs);
    for (std::size_t k = 0; k < dofs; ++k)
      if (!space->dofs[static_cast<std::size_t>(joint->links.v) + k].active())
        out.push_back({joint->name + ".tau" + std::to_string(k + 1), Input::Kind::dof, j, k, dofs});
  }
  return out;
}

void put(Model& model, const Input& input, double value) {
  if (input.kind == Input::Kind::dof) {
    Element& joint = model.joints[input.element];
    const Entry* written = joint.find("dofs");
    auto dofs = written != nullptr ? std::get<std::vector<Table>>(written->value) : std::vector<Table>(input.of);
    dofs[input.component].set("torque", Text(value));
    joint.set("dofs", std::move(dofs));
    return;
  }
  Element& force = model.forces[input.element];
  Value whole = force.find("value")->value;
  if (auto* components = std::get_if<std::vector<Text>>(&whole)) (*components)[input.component] = Text(value);
  else whole = Text(value);
  force.set("value", std::move(whole));
}

}  // namespace

struct Simulation::Impl {
  Mechanism mechanism;
  SimulationOptions options;
  Model model;  // with what was set
  std::vector<Column> columns;
  std::vector<Input> known;
  std::vector<std::string> names;
  bool changed = false;  // the model, since the mechanism was built
  Outcome outcome;
  Problems problems;
  std::vector<Event> events;
  MotionState state;
  std::vector<double> row;
  bool renewed = false;  // by the last `go`

  Impl(const Mechanism& of, const SimulationOptions& with)
      : mechanism(of), options(with), model(of.model()), columns(result_columns(of, Analysis::dynamics)), known(inputs_of(of, columns)) {
    for (const Input& input : known) names.push_back(input.name);
  }

  // Work and balance go on over all advances; a restart begins anew.
  void add_books(double work, double balance) {
    if (!renewed) return;
    const auto column = static_cast<std::size_t>(std::ranges::find(columns, "energy.work", &Column::name) - columns.begin());
    row[column] += work;
    row[column + 1] += balance;
  }

  // From `from`, or the start of the model, to t; the last row that is reached becomes the state.
  bool go(const std::optional<MotionState>& from, double t) {
    renewed = false;
    if (changed) {
      auto again = built_like(mechanism, model);
      if (!again) {
        problems = again.problems();
        outcome = {Outcome::Kind::not_run, state.t, jounce::text(problems), {}};
        return false;
      }
      mechanism = *std::move(again);
      changed = false;
    }
    Options run_options{.to = t, .steps = 1, .start = from, .stop = options.stop, .tolerance = options.tolerance, .method = options.method, .formulation = options.formulation, .order = options.order};
    if (from) run_options.times = {from->t, t};
    Run found = run(mechanism, Analysis::dynamics, run_options, [&](std::span<const double> now) {
      row.assign(now.begin(), now.end());
      renewed = true;
      return true;
    });
    outcome = std::move(found.outcome);
    problems = std::move(found.problems);
    events.insert(events.end(), found.events.begin(), found.events.end());
    if (!found.state.q.empty()) state = std::move(found.state);
    return outcome.done();
  }
};

Simulation::Simulation(const Mechanism& mechanism, const SimulationOptions& options) : impl_(std::make_unique<Impl>(mechanism, options)) {
  (void)impl_->go(options.start, options.start ? options.start->t : 0);
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const Outcome& Simulation::outcome() const { return impl_->outcome; }
const Problems& Simulation::problems() const { return impl_->problems; }
const std::vector<Event>& Simulation::events() const { return impl_->events; }
double Simulation::t() const { return impl_->state.t; }
const MotionState& Simulation::state() const { return impl_->state; }
const std::vector<Column>& Simulation::columns() const { return impl_->columns; }
std::span<const double> Simulation::row() const { return impl_->row; }
const std::vector<std::string>& Simulation::inputs() const { return impl_->names; }

bool Simulation::advance(double time) {
  if (!(time > 0) || !std::isfinite(time)) {
    impl_->problems = {error({}, "advance: expected a time > 0, found " + short_number(time))};
    return false;
  }
  if (impl_->state.q.empty()) return false;
  const double work = value("energy.work").value_or(0), balance = value("energy.balance").value_or(0);
  const bool done = impl_->go(impl_->state, impl_->state.t + time);
  impl_->add_books(work, balance);
  return done;
}

bool Simulation::restart(const MotionState& state) { return impl_->go(state, state.t); }

std::optional<double> Simulation::value(std::string_view column) const {
  const auto it = std::ranges::find(impl_->columns, column, &Column::name);
  if (it == impl_->columns.end() || impl_->row.empty()) return std::nullopt;
  return impl_->row[static_cast<std::size_t>(it - impl_->columns.begin())];
}

bool Simulation::set(std::string_view input, double value) {
  const auto it = std::ranges::find(impl_->known, input, &Input::name);
  if (it == impl_->known.end() || !std::isfinite(value)) return false;
  put(impl_->model, *it, value);
  impl_->changed = true;
  return true;
}

}  // namespace jounce
