#include "jounce/tree/catalogue.hpp"

#include <array>
#include <deque>
#include <string>

#include "jounce/laws/equation.hpp"
#include "jounce/tree/force_registry.hpp"
#include "jounce/tree/joint_type.hpp"

namespace jounce::tree {
namespace {

bool moves(const JointType& type) { return type.keys.screws || !type.coordinates.empty(); }

// Spherical or free: coordinates that are no plain numbers.
bool turns_freely(const JointType& type) {
  return !type.keys.screws && static_cast<int>(type.coordinates.size()) != type.freedoms;
}

std::string position_doc(const JointType& type) {
  if (type.keys.screws) return "initial position, a number for each screw; default 0";
  std::string names;
  for (const std::string_view name : type.coordinates) names.append(names.empty() ? "" : ", ").append(name);
  const bool quaternion = static_cast<int>(type.coordinates.size()) != type.freedoms;
  return "initial position [" + names + "]; default " + (quaternion ? "where the two joint frames coincide" : "0");
}

std::string rate_doc(const JointType& type) {
  if (type.keys.screws) return "initial rates, a number for each screw; default 0";
  for (const Step& step : type.steps({})) {
    if (step.motion == Motion::ball) return "initial angular velocity in the child's axes; default 0";
    if (step.motion == Motion::free)
      return "initial velocity in the child's axes: three of the rotation, three of the joint frame's origin; default 0";
  }
  return type.coordinates.size() == 1 ? "initial rate of the coordinate; default 0"
                                      : "initial rates of the coordinates; default 0";
}

void add_shape_fields(const JointType& type, std::vector<FieldInfo>& out) {
  if (type.keys.axis) out.push_back({"axis", Form::triple, false, "in the joint frame, of any length, default [0, 0, 1]"});
  if (type.keys.pitch) out.push_back({"pitch", Form::number, true, "advance along the axis per radian"});
  if (type.keys.screws)
    out.push_back({"screws", Form::screws, true,
                   "[wx, wy, wz, ux, uy, uz] for each coordinate: the angular velocity and the velocity of the joint frame's "
                   "origin, both per unit of the coordinate"});
  if (type.keys.length) out.push_back({"length", Form::number, false, "of the rod, > 0; left out: the distance in the position that is written"});
}

std::vector<TypeInfo> listed_forces() {
  std::vector<TypeInfo> out;
  for (const ForceType& type : force_types()) out.push_back({Group::force, type.type, type.summary, 0, type.fields});
  return out;
}

std::vector<TypeInfo> shape_types() {
  const FieldInfo centre{"centre", Form::own_point_in_space, true, "a point of this body, or [x, y, z]"};
  return {
      {Group::shape, "rod", "a thin straight rod between two of the body's points", 0,
       {{"from", Form::own_point_in_space, true, "one end: a point of this body"},
        {"to", Form::own_point_in_space, true, "the other end"}}},
      {Group::shape, "box", "a solid box", 0,
       {centre,
        {"size", Form::triple, true, "its lengths along x, y and z"},
        {"rpy", Form::triple, false, "turned in the body by roll, pitch and yaw, default [0, 0, 0]"}}},
      {Group::shape, "cylinder", "a solid cylinder", 0,
       {{"radius", Form::number, true, "its radius"},
        {"from", Form::own_point_in_space, false, "the middle of one face: a point of this body, or [x, y, z]"},
        {"to", Form::own_point_in_space, false, "the middle of the other face"},
        {"centre", Form::own_point_in_space, false, "instead of `from` and `to`, with `length`: a point of this body, or [x, y, z]"},
        {"length", Form::number, false, "its length, with `centre`"},
        {"axis", Form::triple, false, "along its length, with `centre`; default [0, 0, 1]"}}},
      {Group::shape, "sphere", "a solid sphere", 0, {centre, {"radius", Form::number, true, "its radius"}}},
  };
}

std::vector<TypeInfo> coupling() {
  return {{Group::coupling, "coupling", "dof j = ratio * dof i + offset: gears between joints, fingers that close together", 1,
           {{"i", Form::dof, true, "the dof that is followed"},
            {"j", Form::dof, true, "the dof that follows"},
            {"ratio", Form::number, true, "what j moves by when i moves by 1"},
            {"offset", Form::number, false, "of j when i is 0, default 0"}}}};
}

struct Catalogue {
  std::deque<std::string> docs;  // what the string views of joints look at
  std::vector<TypeInfo> joints, loops;
  std::vector<TypeInfo> forces = listed_forces(), shapes = shape_types(), couplings = coupling();

  Catalogue() {
    for (const JointType& type : joint_types()) {
      joints.push_back(joint(type));
      if (type.freedoms < 6) loops.push_back(loop(type));
    }
    joints.push_back({Group::joint, laws::kEquation, laws::kEquationSummary, 1, {{"of", Form::equation, true, laws::kEquationText}}});
    for (const JointType& type : closing_types()) loops.push_back(loop(type));
  }

  TypeInfo joint(const JointType& type) {
    TypeInfo out{Group::joint, type.type, type.summary, 0, {}, type.freedoms};
    out.fields = {{"parent", Form::body, true, "the body that carries the joint"},
                  {"child", Form::body, true, "the body that the joint moves; every body is the child of one joint"},
                  {"origin", Form::placement, false, "the joint frame in the parent, default: the parent's own frame"},
                  {"child_origin", Form::placement, false, "the joint frame in the child, default: the child's own frame"}};
    add_shape_fields(type, out.fields);
    if (!moves(type)) return out;
    out.fields.push_back({"q", Form::numbers, false, docs.emplace_back(position_doc(type))});
    out.fields.push_back({"v", Form::numbers, false, docs.emplace_back(rate_doc(type))});
    out.fields.push_back({"dofs", Form::dofs, false, "springs, dampers, torques and prescribed motions, a table for each dof"});
    if (type.keys.rubs != Rubs::not_at_all)
      out.fields.push_back({"friction", type.keys.rubs == Rubs::as_bearing ? Form::bearing_friction : Form::guide_friction, false,
                            "friction that grows with the force across the axis, against the motion"});
    if (turns_freely(type)) out.fields.push_back({"motion", Form::pose, false, "prescribes all its dofs: the rotation, and of a free joint the position, as functions of time"});
    return out;
  }

  // A chain that is closed by a joint without any equation would stay open: there is no loop of type `free`.
  static TypeInfo loop(const JointType& type) {
    TypeInfo out{Group::loop, type.type, type.summary, type.keys.screws ? 0 : 6 - type.freedoms, {}};
    out.fields = {{"i", Form::point, true, "the joint frame on body i: a point, with its rpy where the axes matter"},
                  {"j", Form::point, true, "the joint frame on body j"}};
    add_shape_fields(type, out.fields);
    return out;
  }
};

}  // namespace

std::span<const TypeInfo> visual_types() {
  static const std::vector<TypeInfo> all = [] {
    const FieldInfo origin{"origin", Form::placement, false, "its frame in the body, default: the body's own frame"};
    const FieldInfo colour{"colour", Form::text, false, "such as \"#d08020\", default: that of the body"};
    return std::vector<TypeInfo>{
        {Group::shape, "box", "a box about its frame's origin", 0, {{"size", Form::triple, true, "its lengths along x, y and z"}, origin, colour}},
        {Group::shape, "cylinder", "a cylinder along z of its frame, half of it on either side of the origin", 0,
         {{"radius", Form::number, true, "its radius"}, {"length", Form::number, true, "its length"}, origin, colour}},
        {Group::shape, "sphere", "a ball about its frame's origin", 0, {{"radius", Form::number, true, "its radius"}, origin, colour}},
        {Group::shape, "mesh", "triangles of an STL or OBJ file", 0,
         {{"file", Form::text, true, "the file, as seen from the model's folder"},
          {"scale", Form::triple, false, "what its coordinates are multiplied with to give metres, default [1, 1, 1]"}, origin, colour}},
    };
  }();
  return all;
}

std::span<const TypeInfo> types(Group group) {
  static const Catalogue catalogue;
  switch (group) {
    case Group::joint: return catalogue.joints;
    case Group::force: return catalogue.forces;
    case Group::shape: return catalogue.shapes;
    case Group::coupling: return catalogue.couplings;
    case Group::loop: return catalogue.loops;
    case Group::driver: break;
  }
  return {};
}

const TypeInfo* find_type(Group group, std::string_view type) { return jounce::find_type(types(group), type); }

std::span<const FieldInfo> dof_fields() {
  static constexpr std::array kFields{
      FieldInfo{"stiffness", Form::number, false, "of a spring on the coordinate, default 0"},
      FieldInfo{"damping", Form::number, false, "effort against the rate, per unit of it, default 0"},
      FieldInfo{"friction", Form::number, false, "amplitude of dry friction against the rate, default 0"},
      FieldInfo{"friction_speed", Form::number, false, "rate over which friction is smoothed, default 0.001 m/s or rad/s; 0: the exact sign"},
      FieldInfo{"limits", Form::pair, false, "smallest and largest value of the coordinate: a stop of the name JOINT-limit, or JOINT-limit2 for the second of several dofs"},
      FieldInfo{"rest", Form::number, false, "the coordinate at which the spring gives no effort, default 0"},
      FieldInfo{"torque", Form::function, false, "applied effort: a torque on an angle, a force on a distance; default 0"},
      FieldInfo{"motion", Form::motion, false, "makes the dof active: the coordinate itself is prescribed; left out: passive"}};
  return kFields;
}

std::span<const FieldInfo> placement_fields() {
  static constexpr std::array kFields{
      FieldInfo{"xyz", Form::triple, false, "the origin, in the axes of the body, default [0, 0, 0]"},
      FieldInfo{"rpy", Form::triple, false,
                "the axes: roll, pitch and yaw as in URDF, Rz(yaw) Ry(pitch) Rx(roll); default [0, 0, 0]"}};
  return kFields;
}

std::span<const FieldInfo> pose_fields() {
  static constexpr std::array kFields{
      FieldInfo{"rotation_vector", Form::vector_in_space, false,
                "the axis of the rotation times its angle, in the joint frame; any number of turns"},
      FieldInfo{"rpy", Form::vector_in_space, false, "roll, pitch and yaw as in URDF: Rz(yaw) Ry(pitch) Rx(roll)"},
      FieldInfo{"euler", Form::turn_order, false, "with `angles`: about which axes the turns are, each about an axis as the turns before it left it"},
      FieldInfo{"angles", Form::turns, false, "with `euler`: the three turns; \"zxz\" and [a, b, c] are Rz(a) Rx(b) Rz(c)"},
      FieldInfo{"position", Form::vector_in_space, false, "of a free joint: the origin of the child's joint frame, in that of the parent"}};
  return kFields;
}

std::span<const FieldInfo> actuator_fields() {
  static constexpr std::array kFields{
      FieldInfo{"dofs", Form::dof_names, true,
                "whose efforts carry the prescribed motions in `inverse`: \"leg1\" is every dof of that joint, \"wrist.2\" one of them"}};
  return kFields;
}

std::span<const FieldInfo> base_fields() {
  static constexpr std::array kFields{
      FieldInfo{"start_momentum", Form::start_momentum, false,
                "\"zero\": the passive rates of the base make the total momentum zero; \"impulsive\": every passive rate is as "
                "after an impulsive start of the active ones; left out: all rates as given"}};
  return kFields;
}

}  // namespace jounce::tree
