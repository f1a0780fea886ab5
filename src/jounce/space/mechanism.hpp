// A spatial model with meaning: every number evaluated, every reference resolved, the tree of links ready.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jounce/base/result.hpp"
#include "jounce/expr/table_file.hpp"
#include "jounce/expr/time_function.hpp"
#include "jounce/laws/equation.hpp"
#include "jounce/laws/signal.hpp"
#include "jounce/mechanism/measures.hpp"
#include "jounce/mechanism/stops.hpp"
#include "jounce/mechanism/watched_events.hpp"
#include "jounce/mechanism/run_plan.hpp"
#include "jounce/mechanism/shape.hpp"
#include "jounce/model/model.hpp"
#include "jounce/tree/force_registry.hpp"
#include "jounce/tree/joint_type.hpp"
#include "jounce/tree/tree.hpp"

namespace jounce {

/// A point of a body with its axes, in the body's frame.
struct SpacePoint {
  std::string name;
  Frame<double> frame;
};

struct SpaceBody {
  std::string name;
  Where where;             ///< of its section in the model file
  int link = tree::kGround;
  Frame<double> frame;     ///< of the body, in its link
  std::optional<double> mass;
  Vec3<double> com;        ///< in the body's frame
  Sym3<double> inertia;    ///< about the centre of mass, in the body's axes
  std::vector<SpacePoint> points;
  double sign = 1;         ///< of its quaternion, so that it has the usual sign in the position that is written (tree/orientation.hpp)
};

/// What acts on one dof. On the dofs of a spherical or free joint `rest` is a component of the rest rotation vector (or position),
/// and the three stiffnesses of a rotation act on the rotation vector from rest (docs/theory/hybrid-dynamics.md).
struct SpaceDof {
  double stiffness = 0, damping = 0, rest = 0;
  laws::Signal friction;               ///< dry friction against the rate
  bool rubs = false;                   ///< it grows with the reaction of the joint: `friction` is that of 1 N
  std::optional<laws::LoadFunction> torque;  ///< applied, when passive
  std::optional<TimeFunction> motion;  ///< the coordinate itself: the dof is active
  bool posed = false;                  ///< active by the motion of its whole joint (SpacePose)
  bool actuated = false;               ///< its effort carries prescribed motions, where the model names such dofs
  Where where;                         ///< of its table in the model file, or of the joint

  [[nodiscard]] bool active() const { return motion.has_value() || posed; }
};

struct SpaceJoint {
  std::string name;
  Where where;
  const tree::JointType* type = nullptr;
  int parent = 0, child = 0;       ///< bodies
  tree::Attached links;            ///< where its links, coordinates and dofs are
  Frame<double> frame;             ///< of the joint, in the parent's link
};

/// How a ball or a free body is prescribed as a whole.
struct SpacePose {
  enum class Turn { as_written, rotation_vector, angles };
  int joint = 0;
  Where where;
  Turn turn = Turn::as_written;
  std::array<int, 3> axes{};           ///< of angles: 0, 1, 2 for x, y, z; R = R(first) R(second) R(third)
  std::vector<TimeFunction> turns;     ///< three, or none
  std::vector<TimeFunction> position;  ///< three, or none: as written

  std::array<double, 7> written{1, 0, 0, 0, 0, 0, 0};  ///< q of the joint: for what has no functions

  [[nodiscard]] bool is_constant() const;
};

/// A quantity of the state that loads may use; equations use places and coordinates.
struct SpaceQuantity {
  enum class Of { place, velocity, spin, coordinate, rate };
  Of of = Of::place;
  int owner = 0;   ///< the body; of a coordinate or a rate its joint
  Vec3<double> p;  ///< of a place and a velocity: the point, in the body's frame
  int pick = 0;    ///< 0, 1, 2 for x, y, z; or which one of the joint

  friend bool operator==(const SpaceQuantity&, const SpaceQuantity&) = default;
};

struct SpaceForce {
  std::string name;
  Where where;
  tree::AnyForce law;  ///< of whichever type
};

/// dof j = ratio · dof i + offset
struct SpaceCoupling {
  std::string name;
  Where where;
  int i = 0, j = 0;  ///< dofs; their coordinates are plain (neither spherical nor free)
  double ratio = 1, offset = 0;
};

/// An expression of positions and t that is 0. Its row is −phi / scale: in metres or radians, and multipliers push as they do in the plane, −λ ∂phi/∂u.
struct SpaceEquation {
  std::string name;
  Where where;
  laws::EquationLaw law;
  std::vector<SpaceQuantity> quantities;  ///< places, and coordinates that are plain numbers
  bool metres = true;                     ///< it is of lengths, also where angles are among them
  double scale = 1;                       ///< how much it grows with a metre or a radian, in the position that is written

  /// The first place of a body that moves: where its reaction is reported. Null: it names coordinates of joints alone.
  [[nodiscard]] const SpaceQuantity* named_first() const;
};

/// A stop with the equation of each of its gaps.
struct SpaceStop : OneSided {
  std::vector<SpaceEquation> gaps;
};

struct SpaceLoop {
  std::string name;
  Where where;
  const tree::JointType* type = nullptr;
  std::vector<tree::Step> steps;     ///< the motion it allows, from frame i to frame j
  int i = 0, j = 0;                  ///< bodies
  Frame<double> frame_i, frame_j;    ///< in the bodies' frames
};

/// A turn that nobody notices (space/closures/idle.hpp): in driven motions the rate of one body about the line between two places is given.
struct SpaceIdle {
  struct End {
    std::string element;  ///< the joint or loop that holds it there
    int body = 0;
    Vec3<double> place;   ///< in the body's frame
  };
  std::vector<int> bodies;  ///< all that turn
  int turns = 0;            ///< one of them
  End from, to;             ///< of the line
  std::vector<double> way;  ///< where it was found: the rates of all dofs at one radian a second
  double rate = 0;          ///< against the ground, about the line, rad/s
};

/// A link whose idle turn moves no inertia, with the one that it gets (space/closures/thin.hpp).
struct SpaceThinLink {
  SpaceIdle idle;
  int link = 0;
  Vec3<double> along;  ///< its line, in the axes of the link
  double inertia = 0;  ///< kg m²
};

struct SpaceMechanism {
  enum class Start { as_written, zero_momentum, impulsive };

  std::string name, file;
  std::map<std::string, double, std::less<>> parameters;
  tree::Tree tree;
  std::vector<SpaceBody> bodies;  ///< bodies[0] is the ground
  std::vector<SpaceJoint> joints;
  std::vector<SpaceDof> dofs;     ///< one for each velocity variable
  std::vector<SpacePose> poses;   ///< of joints that are prescribed as a whole
  Where actuators;                ///< the section that names them
  std::vector<SpaceForce> forces;
  std::vector<SpaceQuantity> quantities;  ///< that forces and torques use, each once
  std::vector<SpaceCoupling> couplings;
  std::vector<SpaceLoop> loops;
  std::vector<SpaceEquation> equations;
  std::vector<SpaceIdle> idle;    ///< to be held at their rates: none but in driven motions
  std::vector<SpaceThinLink> thin;  ///< that have an inertia about themselves in `tree` alone: none but in free motions
  std::vector<double> q, v;      ///< as written
  Start start = Start::as_written;
  Tables tables;
  RunPlan run;
  std::vector<Measure> measures;
  std::vector<SpaceStop> stops;
  std::vector<WatchedEvent> events;
  Outlines outlines;  ///< for drawings

  /// Whether efforts of others than the prescribed dofs carry the motion in inverse dynamics.
  [[nodiscard]] bool has_actuators() const;
  /// The dofs whose friction grows with the reaction of their joint.
  [[nodiscard]] std::vector<int> rubbing() const;
  /// "dof 2 of joint 'wrist'", or "joint 'wrist'" when it has one dof.
  [[nodiscard]] std::string dof_name(int dof) const;
  /// "elbow", and "wrist.2" where a joint has several dofs.
  [[nodiscard]] std::string dof_label(int dof) const;
  [[nodiscard]] const SpaceJoint& joint_of(int dof) const;
};

/// Evaluates and resolves everything in a model of space. All problems are reported at once, sorted by place.
[[nodiscard]] Result<SpaceMechanism> build_space(const Model& model, const Tables& known = {});

}  // namespace jounce
