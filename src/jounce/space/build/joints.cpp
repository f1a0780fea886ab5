#include "jounce/space/build/joints.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "jounce/base/text.hpp"
#include "jounce/scalar/series.hpp"

namespace jounce {
namespace {

constexpr double kQuaternionLength = 1e-6;  // how far from 1 a written quaternion may be
constexpr double kSameStart = 1e-9;         // a written position is where the motion begins

template <class Names>
std::string listed(const Names& names) {
  std::string out;
  for (const auto& name : names) out.append(out.empty() ? "" : ", ").append(name);
  return out;
}

std::string counted(std::size_t n, const std::string& noun) {
  return (n == 0 ? "no" : std::to_string(n)) + " " + noun + (n == 1 ? "" : "s");
}

// "4 numbers w, x, y, z (spherical)"
std::string expected_positions(const tree::JointType& type, std::size_t count) {
  const std::string names = type.keys.screws ? ", one for each screw" : count == 0 ? "" : " " + listed(type.coordinates);
  return counted(count, "number") + names + " (" + std::string(type.type) + ")";
}

std::string expected_rates(const tree::JointType& type, bool is_rotation, std::size_t count) {
  static constexpr std::array kTwist{"wx", "wy", "wz", "vx", "vy", "vz"};
  std::string names;
  if (type.keys.screws) names = ", one for each screw";
  else if (is_rotation) names = " " + listed(std::span(kTwist).first(count));
  else if (count > 0) names = (count == 1 ? ", the rate of " : ", the rates of ") + listed(type.coordinates);
  return counted(count, "number") + names + " (" + std::string(type.type) + ")";
}

}  // namespace

bool SpaceJoints::Joint::is_rotation() const {
  return !steps.empty() && (steps[0].motion == tree::Motion::ball || steps[0].motion == tree::Motion::free);
}

int SpaceJoints::Joint::coordinate_count() const {
  int n = 0;
  for (const tree::Step& step : steps) n += tree::coordinates(step.motion);
  return n;
}

int SpaceJoints::Joint::dof_count() const {
  int n = 0;
  for (const tree::Step& step : steps) n += tree::dofs(step.motion);
  return n;
}

void SpaceJoints::add_joints() {
  for (const Element& element : model_.joints)
    if (element.type != laws::kEquation) add_joint(element);
}

double SpaceJoints::largest_distance() const {
  double out = 0;
  const auto meet = [&](const Vec3<double>& d) { out = std::max(out, length(d)); };
  for (const Joint& joint : joints_) meet(joint.origin.origin), meet(joint.child_origin.origin);
  for (const SpaceBody& body : bodies_) {
    meet(body.com);
    for (const SpacePoint& point : body.points) meet(point.frame.origin);
  }
  return out;
}

void SpaceJoints::add_joint(const Element& element) {
  const At joint_at = at(Group::joint, element);
  Joint joint{.element = &element, .type = tree::find_joint_type(element.type)};
  if (joint.type == nullptr) {
    incomplete_ = true;
    if (!element.type.empty()) complain(element.type_where, joint_at.who + ": unknown type '" + element.type + "'");
    // what it holds is still known
    if (const Entry* child = element.find("child"); child != nullptr && std::holds_alternative<Text>(child->value))
      joint.child = body(joint_at, "child");
    joints_.push_back(std::move(joint));
    return;
  }
  joint.parent = body(joint_at, "parent");
  joint.child = body(joint_at, "child");
  joint.origin = placement(joint_at, "origin").value_or(Frame<double>{});
  joint.child_origin = placement(joint_at, "child_origin").value_or(Frame<double>{});
  joint.steps = steps(joint_at, *joint.type).value_or(std::vector<tree::Step>{});
  if (!joint.steps.empty()) {
    positions(joint_at, joint);
    rates(joint_at, joint);
    add_dofs(joint_at, joint);
    if (joint.type->keys.rubs != tree::Rubs::not_at_all) add_friction(joint_at, joint);
    if (joint.is_rotation()) add_pose(joint_at, joint);
  }
  joints_.push_back(std::move(joint));
}

// ---- the shape -----------------------------------------------------------------------------------------------------

std::optional<std::vector<tree::Step>> SpaceJoints::steps(const At& at, const tree::JointType& type) {
  tree::JointShape shape;
  bool known = true;
  if (type.keys.axis) {
    if (const auto* texts = written<std::vector<Text>>(at, "axis")) {
      const auto axis = direction(*texts, at.who + ": axis");
      if (axis) shape.axis = *axis;
      else known = false;
    }
  }
  if (type.keys.pitch) {
    const Text* text = written<Text>(at, "pitch");
    const auto pitch = text == nullptr ? std::nullopt : value(*text, at.who + ": pitch");
    if (pitch) shape.pitch = *pitch;
    else known = false;
  }
  if (type.keys.screws) {
    auto list = screws(at);
    if (list) shape.screws = *std::move(list);
    else known = false;
  }
  if (type.keys.length) {
    if (const Text* text = written<Text>(at, "length")) {
      const auto length = value(*text, at.who + ": length");
      known = known && length;
      if (length && !(*length > 0)) {
        complain(text->where, at.who + ": length: expected a length > 0, found " + shown(*length), "points that coincide are a 'spherical' loop");
        known = false;
      }
      shape.length = length.value_or(1);
    }
  }
  if (!known) return std::nullopt;
  std::vector<tree::Step> out = type.steps(shape);
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (is_finite(out[k].axis) && is_finite(out[k].through) && is_finite(out[k].beyond) && std::isfinite(out[k].turn) &&
        std::isfinite(out[k].advance)) continue;
    complain(at.element.where, at.who + ": the numbers of screw " + std::to_string(k + 1) + " are too large or too small");
    return std::nullopt;
  }
  return out;
}

std::optional<std::vector<std::array<double, 6>>> SpaceJoints::screws(const At& at) {
  const auto* lists = written<std::vector<std::vector<Text>>>(at, "screws");
  if (lists == nullptr) return std::nullopt;
  const std::string who = at.who + ": screws";
  if (lists->empty()) return complain(at.element.where, who +
                                      ": expected at least one screw [wx, wy, wz, ux, uy, uz]"), std::nullopt;
  std::vector<std::array<double, 6>> out;
  for (const std::vector<Text>& texts : *lists) {
    const std::string screw = who + ": screw " + std::to_string(&texts - lists->data() + 1);
    const Where where = texts.empty() ? at.element.where : texts[0].where;
    if (texts.size() != 6) {
      complain(where, screw + ": expected six numbers [wx, wy, wz, ux, uy, uz], found " + std::to_string(texts.size()));
      continue;
    }
    const auto b = values(texts, screw);
    if (!b) continue;
    std::array<double, 6> numbers{};
    std::copy(b->begin(), b->end(), numbers.begin());
    if (numbers == std::array<double, 6>{}) complain(where, screw + " is zero: it moves nothing");
    else out.push_back(numbers);
  }
  if (out.size() != lists->size()) return std::nullopt;
  return out;
}

// ---- the start -----------------------------------------------------------------------------------------------------

void SpaceJoints::positions(const At& at, Joint& joint) {
  const auto count = static_cast<std::size_t>(joint.coordinate_count());
  joint.q.assign(count, 0.0);
  if (joint.is_rotation()) joint.q[0] = 1;
  const auto* texts = written<std::vector<Text>>(at, "q");
  if (texts == nullptr) return;
  const Where where = texts->empty() ? at.element.find("q")->where : (*texts)[0].where;
  if (texts->size() != count)
    return complain(where, at.who + ": q: expected " + expected_positions(*joint.type, count) + ", found " +
                    std::to_string(texts->size()));
  const auto q = values(*texts, at.who + ": q");
  if (!q) return;
  joint.q = *q;
  if (joint.is_rotation()) normalise(at, joint, where);
}

void SpaceJoints::normalise(const At& at, Joint& joint, Where where) {
  std::vector<double>& q = joint.q;
  const auto as_written = [&](double scale) {
    std::vector<std::string> out;
    for (std::size_t k = 0; k < 4; ++k) out.push_back(short_number(q[k] * scale));
    return "[" + listed(out) + "]";
  };
  const double size = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  if (!(std::abs(size - 1) <= kQuaternionLength))
    return complain(where, at.who + ": q: expected a quaternion w, x, y, z of length 1, found the length " + shown(size),
                    size > 0 && std::isfinite(size) ? "of length 1 it is " + as_written(1 / size)
                                                    : "no rotation is [1, 0, 0, 0]");
  for (std::size_t k = 0; k < 4; ++k) q[k] /= size;
}

void SpaceJoints::rates(const At& at, Joint& joint) {
  const auto count = static_cast<std::size_t>(joint.dof_count());
  joint.v.assign(count, 0.0);
  const auto* texts = written<std::vector<Text>>(at, "v");
  if (texts == nullptr) return;
  if (texts->size() != count)
    return complain(texts->empty() ? at.element.find("v")->where : (*texts)[0].where,
                    at.who + ": v: expected " + expected_rates(*joint.type, joint.is_rotation(), count) + ", found " +
                        std::to_string(texts->size()));
  if (auto v = values(*texts, at.who + ": v")) joint.v = *std::move(v);
}

// ---- dofs ----------------------------------------------------------------------------------------------------------

void SpaceJoints::add_dofs(const At& at, Joint& joint) {
  const auto count = static_cast<std::size_t>(joint.dof_count());
  joint.dofs.assign(count, SpaceDof{.where = at.element.where});
  const auto* tables = written<std::vector<Table>>(at, "dofs");
  if (tables == nullptr) return;
  if (tables->size() != count)
    return complain(tables->empty() ? at.element.find("dofs")->where : (*tables)[0].where,
                    at.who + ": dofs: expected " + counted(count, "table") + (count == 1 ? "" : ", one for each dof") + " (" +
                        std::string(joint.type->type) + "), found " + std::to_string(tables->size()));
  for (std::size_t k = 0; k < count; ++k) {
    joint.dofs[k] = dof((*tables)[k], joint, k, at.who + ": dof " + std::to_string(k + 1));
    if (joint.dofs[k].active()) start_of_motion(at, (*tables)[k], joint, k);
  }
}

SpaceDof SpaceJoints::dof(const Table& table, const Joint& joint, std::size_t k, const std::string& who) {
  SpaceDof out{.where = table.where.line > 0 ? table.where : joint.element->where};
  out.stiffness = dof_number(table, "stiffness", who);
  out.damping = dof_number(table, "damping", who);
  out.rest = dof_number(table, "rest", who);
  dof_friction(table, joint, who, out);
  out.torque = dof_torque(table, k, who);
  dof_limits(table, joint, k, who);
  const Table::Entry *motion = table.find("motion"), *torque = table.find("torque");
  if (motion == nullptr) return out;
  if (joint.is_rotation()) {
    complain(motion->where,
             who + ": motion: the dofs of a '" + std::string(joint.type->type) +
                 "' joint are no coordinates that could follow a function of time",
             "give the joint itself a motion, such as motion = { rpy = [0, 0, \"2*t\"] }");
    return out;
  }
  if (torque != nullptr)
    complain(torque->where, who +
             ": 'motion' and 'torque' exclude each other: a dof that follows a motion takes whatever torque it needs");
  out.motion = dof_function(table, "motion", Form::motion, who);
  return out;
}

// The exact sign of a rate belongs to something that can be held where it is.
void SpaceJoints::dof_friction(const Table& table, const Joint& joint, const std::string& who, SpaceDof& out) {
  const double amplitude = dof_number(table, "friction", who);
  const Table::Entry* speed_entry = table.find("friction_speed");
  const double speed = speed_entry == nullptr ? laws::kFrictionSpeed : dof_number(table, "friction_speed", who);
  if (speed == 0 && joint.is_rotation() && speed_entry != nullptr)
    return complain(speed_entry->where, who + ": friction_speed: is 0, and the dofs of a '" + std::string(joint.type->type) + "' joint are no coordinates that could stick",
                    "leave it out, or give a small speed");
  if (amplitude > 0 && speed >= 0) out.friction.add_friction(amplitude, speed, {"x", "v", "t"});
}

// A stop on the coordinate, named after the joint.
void SpaceJoints::dof_limits(const Table& table, const Joint& joint, std::size_t k, const std::string& who) {
  const Table::Entry* entry = table.find("limits");
  const auto* bounds = written<std::vector<Text>>(table, "limits", Form::pair, who);
  if (bounds == nullptr || bounds->size() != 2) return;
  if (joint.is_rotation())
    return complain(entry->where, who + ": limits: the dofs of a '" + std::string(joint.type->type) + "' joint are no coordinates that could be bounded",
                    "a stop can bound the coordinates of a point");
  const std::string number = joint.dof_count() == 1 ? "" : std::to_string(k + 1);
  StopSection stop{.name = joint.element->name + "-limit" + number, .where = entry->where};
  stop.of = Text(joint.element->name + ".q" + std::to_string(k + 1));
  stop.of.where = entry->where;
  stop.min = (*bounds)[0], stop.max = (*bounds)[1];
  if (std::ranges::find(written_stops_, stop.name, &StopSection::name) != written_stops_.end())
    return complain(entry->where, who + ": limits: the name '" + stop.name + "' of the stop that they are is taken by another one");
  written_stops_.push_back(std::move(stop));
}

// That grows with the reaction.
void SpaceJoints::add_friction(const At& at, Joint& joint) {
  const Entry* entry = at.element.find("friction");
  if (entry == nullptr || std::holds_alternative<std::monostate>(entry->value)) return;
  const bool bearing = joint.type->keys.rubs == tree::Rubs::as_bearing;
  laws::JointFriction friction;
  if (!joint_friction(*entry, bearing ? Form::bearing_friction : Form::guide_friction, at.who + ": friction", friction)) return void(incomplete_ = true);
  SpaceDof& dof = joint.dofs[0];
  if (!dof.friction.empty()) return complain(entry->where, at.who + ": friction: its dof has friction of a constant size: give one of them");
  dof.friction.add_friction(friction.coefficient * friction.radius, friction.speed, {"x", "v", "t"});
  dof.rubs = true;
}

double SpaceJoints::dof_number(const Table& table, std::string_view key, const std::string& who) {
  const Text* text = written<Text>(table, key, Form::number, who);
  if (text == nullptr) return 0;
  const std::string place = who + ": " + std::string(key);
  const double out = value(*text, place).value_or(0);
  if (out < 0 && key == "stiffness")
    problems_.push_back(warning(text->where, place + ": it is negative (" + shown(out) +
                                "): the spring pushes away from its rest position"));
  if (out < 0 && key.starts_with("friction")) complain(text->where, place + ": must not be negative, found " + shown(out));
  if (out < 0 && key == "damping")
    problems_.push_back(warning(text->where, place + ": it is negative (" + shown(out) +
                                "): the damper feeds energy into the motion"));
  return out;
}

std::optional<TimeFunction> SpaceJoints::dof_function(const Table& table, std::string_view key, Form form,
                                                     const std::string& who) {
  const Table::Entry* found = table.find(key);
  if (found == nullptr) return std::nullopt;
  const std::string place = who + ": " + std::string(key);
  std::optional<TimeFunction> out;
  if (const auto* file = std::get_if<TableFile>(&found->value)) out = time_function(*file, place);
  else if (const Text* text = written<Text>(table, key, form, who)) out = time_function(*text, place);
  if (!out) incomplete_ = true;
  return out;
}

// An expression is read later (SpaceForces::add_torques); until then the dof has some torque.
std::optional<laws::LoadFunction> SpaceJoints::dof_torque(const Table& table, std::size_t k, const std::string& who) {
  const Table::Entry* found = table.find("torque");
  const Text* text = found == nullptr || std::holds_alternative<TableFile>(found->value) ? nullptr : written<Text>(table, "torque", Form::function, who);
  if (text == nullptr) return dof_function(table, "torque", Form::function, who);
  torques_.push_back({joints_.size(), k, text, who + ": torque"});
  return TimeFunction();
}

// An active dof begins where its motion does; what is written as q and v is compared with it.
void SpaceJoints::start_of_motion(const At& at, const Table& table, Joint& joint, std::size_t k) {
  const TimeFunction& motion = *joint.dofs[k].motion;
  double position = 0;
  if (const auto fault = motion.evaluate(0.0, position)) {
    const Table::Entry& entry = *table.find("motion");
    const Text* text = std::get_if<Text>(&entry.value);
    const Where where = text == nullptr ? entry.where : Where{text->where.line, text->where.column +
                                                              std::max(fault->column - 1, 0)};
    return complain(where, at.who + ": dof " + std::to_string(k + 1) + ": motion: " + fault->sentence + ", at t = 0");
  }
  Series<1> start;  // where there is no rate at t = 0, the analysis says so
  const double rate = motion.evaluate(Series<1>::time(0.0), start) ? 0 : start.derivative(1);
  const auto compare = [&](std::string_view key, double found, double begin, const char* verb) {
    const Entry* entry = at.element.find(key);
    const auto* texts = entry == nullptr ? nullptr : std::get_if<std::vector<Text>>(&entry->value);
    if (texts == nullptr || texts->size() <= k || std::abs(found - begin) <= kSameStart * std::max(1.0, std::abs(begin))) return;
    problems_.push_back(warning((*texts)[k].where, at.who + ": " + std::string(key) + ": " + shown(found) +
                                                       " is written, but the motion begins " + verb + " " + shown(begin) +
                                                       ": the motion is used"));
  };
  compare("q", joint.q[k], position, "at");
  if (joint.v[k] != 0) compare("v", joint.v[k], rate, "with the rate");
  joint.q[k] = position;
  joint.v[k] = rate;
}

}  // namespace jounce
