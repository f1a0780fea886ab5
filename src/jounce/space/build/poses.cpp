// The key `motion` of a spherical or free joint: its rotation, and of a free joint its position, as functions of time.
#include <algorithm>
#include <string>
#include <string_view>

#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/space/build/joints.hpp"
#include "jounce/tree/catalogue.hpp"

namespace jounce {

bool SpaceJoints::pose_functions(const Table& table, std::string_view key, const std::string& who, std::vector<TimeFunction>& out) {
  const auto* texts = written<std::vector<Text>>(table, key, find_field(tree::pose_fields(), key)->form, who);
  if (texts == nullptr) return false;
  const std::string place = who + ": " + std::string(key);
  if (texts->size() != 3) return complain(table.find(key)->where, place + ": expected three functions of time, found " + std::to_string(texts->size())), false;
  for (const Text& text : *texts) {
    auto function = time_function(text, place);
    if (!function) return incomplete_ = true, false;
    out.push_back(*std::move(function));
  }
  return true;
}

// One way to say a rotation, or none. False where that is wrong.
bool SpaceJoints::pose_turn(const Table& table, const std::string& who, SpacePose& out) {
  std::vector<std::string> ways;
  for (const std::string_view key : {"rotation_vector", "rpy", "angles"})
    if (table.find(key) != nullptr) ways.emplace_back(key);
  if (ways.size() > 1)
    return complain(table.find(ways[1])->where, who + ": expected one of rotation_vector, rpy and angles, found " + join_names(ways)), false;
  const Table::Entry* euler = table.find("euler");
  const bool angles = !ways.empty() && ways[0] == "angles";
  if (angles != (euler != nullptr)) {
    const Table::Entry* alone = angles ? table.find("angles") : euler;
    return complain(alone->where, who + ": 'euler' and 'angles' belong together: expected both, as in { euler = \"zxz\", angles = [0, 0.3, \"t\"] }"), false;
  }
  if (ways.empty()) return true;
  const bool ordered = !angles || turn_order(table, who, out);
  if (!pose_functions(table, ways[0], who, out.turns) || !ordered) return false;
  if (ways[0] == "rotation_vector") return out.turn = SpacePose::Turn::rotation_vector, true;
  out.turn = SpacePose::Turn::angles;
  if (ways[0] == "rpy") {  // Rz(yaw) Ry(pitch) Rx(roll)
    out.axes = {2, 1, 0};
    std::ranges::reverse(out.turns);
  }
  return true;
}

bool SpaceJoints::turn_order(const Table& table, const std::string& who, SpacePose& out) {
  const Text* order = written<Text>(table, "euler", Form::turn_order, who);
  if (order == nullptr) return false;
  const std::string& word = order->text;
  const bool axes = word.size() == 3 && std::ranges::all_of(word, [](char c) { return c == 'x' || c == 'y' || c == 'z'; });
  if (!axes || word[0] == word[1] || word[1] == word[2])
    return complain(order->where, who + ": euler: expected three axes of which no two neighbours are the same, such as \"zyx\" or \"zxz\", found '" + word + "'"), false;
  for (std::size_t k = 0; k < 3; ++k) out.axes[k] = word[k] - 'x';
  return true;
}

void SpaceJoints::add_pose(const At& at, Joint& joint) {
  const Table* table = written<Table>(at, "motion");
  if (table == nullptr) return;
  const std::string who = at.who + ": motion";
  const Where where = at.element.find("motion")->where;
  SpacePose pose{.joint = 0, .where = where.line > 0 ? where : at.element.where, .turn = {}, .axes = {}, .turns = {}, .position = {}};
  const bool turned = pose_turn(*table, who, pose);
  const Table::Entry* position = table->find("position");
  const bool is_free = joint.steps[0].motion == tree::Motion::free;
  if (position != nullptr && !is_free)
    return complain(position->where, who + ": position: the two frames of a 'spherical' joint stay together: expected a rotation alone");
  const bool placed = position == nullptr || pose_functions(*table, "position", who, pose.position);
  if (!turned || !placed) return;
  if (pose.turns.empty() && pose.position.empty()) return complain(pose.where, who + ": expected " + std::string(expected(Form::pose)));
  std::ranges::copy(joint.q, pose.written.begin());
  for (SpaceDof& dof : joint.dofs) {
    if (dof.torque)
      complain(dof.where, at.who + ": 'motion' and 'torque' exclude each other: a joint that follows a motion takes whatever torque it needs");
    dof.posed = true;
  }
  joint.pose = std::move(pose);
}

}  // namespace jounce
