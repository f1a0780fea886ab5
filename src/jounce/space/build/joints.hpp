// The second part of `build_space`: joints with everything they say about themselves, not yet put into a tree.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "jounce/space/build/resolve.hpp"

namespace jounce {

class SpaceJoints : protected SpaceResolve {
 protected:
  SpaceJoints(const Model& model, const Tables& known) : SpaceResolve(model, known) {}

  struct Joint {
    const Element* element = nullptr;
    const tree::JointType* type = nullptr;  // null when it has none, which has been reported
    std::vector<tree::Step> steps;          // empty when the shape could not be read
    std::optional<int> parent, child;
    Frame<double> origin, child_origin;
    std::vector<double> q, v;
    std::vector<SpaceDof> dofs;
    std::optional<SpacePose> pose;  // of a spherical or free joint that is prescribed

    [[nodiscard]] bool is_rotation() const;  ///< spherical or free: coordinates that are no plain numbers
    [[nodiscard]] int coordinate_count() const;
    [[nodiscard]] int dof_count() const;
  };

  void add_joints();
  /// The motion that a joint or a loop allows; nothing when its shape is wrong.
  std::optional<std::vector<tree::Step>> steps(const At& at, const tree::JointType& type);

  /// The largest distance that is written: to a joint, a point or a centre of mass.
  [[nodiscard]] double largest_distance() const;

  std::vector<Joint> joints_;
  /// The torque of a dof, which may name any joint: to be read when all are known.
  struct WrittenTorque {
    std::size_t joint = 0, dof = 0;
    const Text* text = nullptr;
    std::string who;
  };
  std::vector<WrittenTorque> torques_;

 private:
  void add_joint(const Element& element);
  std::optional<std::vector<std::array<double, 6>>> screws(const At& at);
  void positions(const At& at, Joint& joint);
  void rates(const At& at, Joint& joint);
  void normalise(const At& at, Joint& joint, Where where);
  void add_dofs(const At& at, Joint& joint);
  void add_pose(const At& at, Joint& joint);
  bool pose_turn(const Table& table, const std::string& who, SpacePose& out);
  bool turn_order(const Table& table, const std::string& who, SpacePose& out);
  bool pose_functions(const Table& table, std::string_view key, const std::string& who, std::vector<TimeFunction>& out);
  SpaceDof dof(const Table& table, const Joint& joint, std::size_t k, const std::string& who);
  void dof_friction(const Table& table, const Joint& joint, const std::string& who, SpaceDof& out);
  void dof_limits(const Table& table, const Joint& joint, std::size_t k, const std::string& who);
  void add_friction(const At& at, Joint& joint);
  double dof_number(const Table& table, std::string_view key, const std::string& who);
  std::optional<TimeFunction> dof_function(const Table& table, std::string_view key, Form form, const std::string& who);
  std::optional<laws::LoadFunction> dof_torque(const Table& table, std::size_t k, const std::string& who);
  void start_of_motion(const At& at, const Table& table, Joint& joint, std::size_t k);
};

}  // namespace jounce
