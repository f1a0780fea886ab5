// The third part of `build_space`: torques of dofs, equations, and forces field by field as their types list them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "jounce/space/build/joints.hpp"

namespace jounce {

class SpaceForces : protected SpaceJoints {
 protected:
  SpaceForces(const Model& model, const Tables& known) : SpaceJoints(model, known) {}

  /// To be called first, when all joints are there.
  void add_torques();
  void add_force(const Element& element);
  void add_equation(const Element& element);
  /// Those of the model, and those that limits of dofs are.
  void add_stops();

  std::vector<SpaceForce> forces_;
  std::vector<SpaceQuantity> quantities_;
  std::vector<SpaceEquation> equations_;  // without their scales
  std::vector<SpaceStop> stops_;          // likewise

 private:
  [[nodiscard]] MechanismNames::Known named_in(Depends depends) const;
  [[nodiscard]] SpaceQuantity quantity_of(const std::string& column) const;
  void add_stop(const StopSection& section);
  /// An equation with what it is of; nothing where it holds nothing.
  std::optional<SpaceEquation> bound_equation(const std::string& name, Where where, laws::EquationLaw law, const std::string& who);
  int quantity(const std::string& column);

  /// False when something is missing or wrong, which has then been said.
  template <class F>
  bool bind(const At& at, F& force);
  /// The torque of a motor times its control, which has been read by itself.
  template <class F>
  bool compose(const At& at, F& force);
  template <class F>
  bool accepted(const At& at, const F& force, bool complete);

  bool bind(const At& at, std::string_view key, tree::BodyPoint& out);
  bool bind(const At& at, std::string_view key, tree::BodyFrame& out);
  bool bind(const At& at, std::string_view key, tree::Six& out);
  bool bind(const At& at, std::string_view key, tree::Direction& out);
  bool bind(const At& at, std::string_view key, tree::Curve& out);
  bool bind(const At& at, std::string_view key, tree::BodyRef& out);
  bool bind(const At& at, std::string_view key, tree::Axes& out);
  bool bind(const At& at, std::string_view key, double& out);
  bool bind(const At& at, std::string_view key, tree::FreeLength& out);
  template <std::size_t N>
  bool bind(const At& at, std::string_view key, tree::Components<N>& out);
};

}  // namespace jounce
