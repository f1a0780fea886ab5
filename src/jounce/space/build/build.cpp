// From what the user wrote to a SpaceMechanism: the order of the joints, couplings, loops, and the tree itself.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <queue>

#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/space/build/forces.hpp"
#include "jounce/space/build/names.hpp"
#include "jounce/space/loads/body_places.hpp"
#include "jounce/space/prescribed.hpp"
#include "jounce/space/rows/space_rows.hpp"
#include "jounce/tree/algorithms.hpp"
#include "jounce/tree/dof_quantity.hpp"
#include "jounce/tree/orientation.hpp"

namespace jounce {
namespace {

/// A written position is where the motion begins.
constexpr double kSameBegin = 1e-9;

/// A model that was read has places, and its reader has told what is empty in it; one that was written in code has neither.
bool was_read(const Model& model) {
  return !model.file.empty() || std::ranges::any_of(model.bodies, [](const auto& body) { return body.where != Where{}; });
}

bool is_finite(const Sym3<double>& m) {
  return is_finite(Vec3<double>{m.xx, m.yy, m.zz}) && is_finite(Vec3<double>{m.xy, m.xz, m.yz});
}

class BuildTree : SpaceForces {
 public:
  BuildTree(const Model& model, const Tables& known) : SpaceForces(model, known) {}

  Result<SpaceMechanism> run() {
    if (model_.space != Space::three)
      complain({}, "the model is one of the plane: expected space = \"3d\"");
    for (const Element& driver : model_.drivers)
      complain(driver.where, "driver '" + driver.name + "': a model of space has no drivers",
               "write 'motion' in the 'dofs' of a joint");
    SpaceResolve::run();
    add_joints();
    judge_inertias(largest_distance());
    order_joints();
    for (const Element& coupling : model_.couplings) add_coupling(coupling);
    for (const Element& loop : model_.loops) add_loop(loop);
    add_torques();
    for (const Element& joint : model_.joints)
      if (joint.type == laws::kEquation) add_equation(joint);
    for (const Element& force : model_.forces) add_force(force);
    add_stops();
    judge_load_names();
    base();
    actuators();
    out_.run = run_section();
    if (model_.bodies.empty() && !any_error(problems_))
      complain({}, "the model has no bodies: expected at least one [bodies.NAME]");
    if (incomplete_ && !was_read(model_) && !any_error(problems_))
      complain({}, "the model has values that are empty: expected numbers, expressions or names");
    if (!incomplete_ && !any_error(problems_)) assemble();

    sort_by_place(problems_);
    locate(problems_, model_.file);
    if (any_error(problems_)) return problems_;
    out_.name = model_.name;
    out_.file = model_.file;
    out_.parameters = std::move(constants_.values);
    out_.bodies = std::move(bodies_);
    out_.forces = std::move(forces_);
    out_.quantities = std::move(quantities_);
    scale_equations();
    out_.outlines = std::move(outlines_);
    if (has_names_of_results()) {
      constants_.values = out_.parameters;
      names_of_results(named_of(out_.bodies, space_columns(out_, true)), out_.measures, out_.events);
      if (any_error(problems_)) return problems_;
    }
    out_.tables = std::move(tables_);
    return {std::move(out_), std::move(problems_)};
  }

 private:
  [[nodiscard]] const std::string& body_name(int body) const { return bodies_[z(body)].name; }

  // ---- the order ---------------------------------------------------------------------------------------------------

  // Parents before children; otherwise as in the file.
  void order_joints() {
    holder_.assign(bodies_.size(), -1);
    bool all_known = true;
    for (int j = 0; j < static_cast<int>(joints_.size()); ++j) all_known = claim_child(j) && all_known;
    bool all_held = true;
    for (std::size_t b = 1; b < bodies_.size(); ++b) {
      if (holder_[b] >= 0) continue;
      all_held = false;
      if (all_known)
        complain(bodies_[b].where, "body '" + bodies_[b].name +
                 "' is not held by any joint (a body that floats needs a 'free' joint)");
    }
    if (!all_known) return;
    std::vector<std::vector<int>> carried(bodies_.size());
    for (int j = 0; j < static_cast<int>(joints_.size()); ++j)
      if (const Joint& joint = joints_[z(j)]; joint.parent && holder_[z(*joint.child)] == j)
        carried[z(*joint.parent)].push_back(j);
    std::priority_queue<int, std::vector<int>, std::greater<>> ready(std::greater<>{}, carried[0]);
    while (!ready.empty()) {
      const int j = ready.top();
      ready.pop();
      order_.push_back(j);
      for (const int next : carried[z(*joints_[z(j)].child)]) ready.push(next);
    }
    if (all_held && order_.size() < joints_.size()) complain_about_rings();
  }

  // False when it is not known what the joint holds.
  bool claim_child(int j) {
    const Joint& joint = joints_[z(j)];
    const std::string who = "joint '" + joint.element->name + "'";
    if (!joint.child) return incomplete_ = true, false;
    const Entry* entry = joint.element->find("child");
    const Where where = entry == nullptr ? joint.element->where : std::get<Text>(entry->value).where;
    if (*joint.child == 0) {
      complain(where, who + ": child: the ground cannot be the child of a joint: it does not move", "swap 'parent' and 'child'");
      return true;
    }
    if (joint.parent == joint.child)
      complain(where, who + ": parent and child are the same body, '" + body_name(*joint.child) + "'");
    int& holder = holder_[z(*joint.child)];
    if (holder >= 0)
      complain(where, who + ": child: body '" + body_name(*joint.child) + "' is held by joint '" +
               joints_[z(holder)].element->name +
                          "' already: a body is the child of one joint",
               "close the loop with [loops.NAME]");
    else
      holder = j;
    return true;
  }

  // Every body is held, but some not from the ground: their joints lead round in a ring.
  void complain_about_rings() {
    std::vector<int> seen(bodies_.size(), 0);  // in which walk
    for (const int j : order_) seen[z(*joints_[z(j)].child)] = -1;
    seen[0] = -1;
    int walk = 0;
    for (std::size_t start = 1; start < bodies_.size(); ++start) {
      ++walk;
      int body = static_cast<int>(start);
      while (seen[z(body)] == 0) {
        seen[z(body)] = walk;
        const auto parent = joints_[z(holder_[z(body)])].parent;
        if (!parent) break;
        body = *parent;
      }
      if (seen[z(body)] == walk) complain_about_ring(body);
    }
  }

  void complain_about_ring(int body) {
    std::vector<std::string> names;
    int first = holder_[z(body)], at = body;
    do {
      first = std::min(first, holder_[z(at)]);
      at = joints_[z(holder_[z(at)])].parent.value_or(body);
      names.push_back(body_name(at));
    } while (at != body);
    if (names.size() == 1) return;  // its own parent, or on a parent that is not known: said already
    // as they carry each other
    std::ranges::reverse(names);
    complain(joints_[z(first)].element->where,
             "joint '" + joints_[z(first)].element->name + "': the bodies " + join_names(names) +
                 " carry each other in a ring, and nothing holds them to the ground",
             "hold one of them with a joint whose parent leads to \"ground\", and close the ring with [loops.NAME]");
  }

  // ---- couplings and loops -----------------------------------------------------------------------------------------

  struct DofOf {
    int joint = 0, dof = 0;
    friend bool operator==(const DofOf&, const DofOf&) = default;
  };

  std::optional<int> joint_index(const std::string& name, Where where, const std::string& who) {
    if (joint_index_.empty())
      for (std::size_t j = 0; j < joints_.size(); ++j) joint_index_.emplace(joints_[j].element->name, static_cast<int>(j));
    if (const auto it = joint_index_.find(name); it != joint_index_.end()) return it->second;
    std::vector<std::string> names;
    for (const Joint& joint : joints_) names.push_back(joint.element->name);
    std::string sentence = who + ": unknown joint '" + name + "'";
    if (const auto guess = nearest_name(name, names)) sentence += " (did you mean '" + *guess + "'?)";
    else sentence += " (there are " + join_names(names) + ")";
    complain(where, std::move(sentence));
    return std::nullopt;
  }

  std::optional<DofOf> dof_of(const At& at, std::string_view key) {
    const Text* text = written<Text>(at, key);
    if (text == nullptr) return std::nullopt;
    const std::string who = at.who + ": " + std::string(key);
    const auto dot_at = text->text.find('.');
    const std::string name = text->text.substr(0, dot_at);
    const auto index = joint_index(name, text->where, who);
    if (!index) return std::nullopt;
    const Joint& joint = joints_[z(*index)];
    if (joint.steps.empty()) return std::nullopt;  // its own error has been reported
    if (joint.is_rotation()) {
      complain(text->where, who + ": the dofs of a '" + joint.element->type +
               "' joint are no coordinates that could be coupled, found '" + text->text + "'",
               "use a joint with plain coordinates: gimbal, universal, planar");
      return std::nullopt;
    }
    const int count = joint.dof_count();
    int k = count == 1 ? 1 : 0;
    if (dot_at != std::string::npos) {
      k = number_after(text->text, dot_at);
    }
    if (k >= 1 && k <= count) return DofOf{*index, k - 1};
    std::string there = "joint '" + name + "' has no dofs";
    if (count == 1) there = "joint '" + name + "' has one dof: expected \"" + name + "\"";
    if (count > 1)
      there = "joint '" + name + "' has " + std::to_string(count) + " dofs: expected \"" + name + ".1\" to \"" + name + "." +
              std::to_string(count) + "\"";
    complain(text->where, who + ": " + there + ", found '" + text->text + "'");
    return std::nullopt;
  }

  void add_coupling(const Element& element) {
    const At coupling = at(Group::coupling, element);
    const auto i = dof_of(coupling, "i"), j = dof_of(coupling, "j");
    const auto ratio = value(coupling, "ratio", 1), offset = value(coupling, "offset", 0);
    if (!i || !j || !ratio || !offset) return void(incomplete_ = true);
    if (*i == *j) return complain(element.where, coupling.who + ": i and j are the same dof");
    if (joints_[z(j->joint)].dofs[z(j->dof)].active())
      return complain(std::get<Text>(element.find("j")->value).where,
                      coupling.who + ": j: this dof has a motion of its own: it cannot follow another one");
    coupled_.push_back({*i, *j});
    out_.couplings.push_back({element.name, element.where, 0, 0, *ratio, *offset});
  }

  void add_loop(const Element& element) {
    const At loop = at(Group::loop, element);
    const tree::JointType* type = tree::find_loop_type(element.type);
    if (type == nullptr) {
      incomplete_ = true;
      if (!element.type.empty()) complain(element.type_where, loop.who + ": unknown type '" + element.type + "'");
      return;
    }
    if (element.type == "free") return complain(element.type_where, loop.who + ": type: a loop of type 'free' closes nothing");
    const auto i = place(loop, "i"), j = place(loop, "j");
    auto allowed = steps(loop, *type);
    if (!i || !j || !allowed) return void(incomplete_ = true);
    if (i->body == j->body)
      return complain(element.where, loop.who + ": both sides are on the same body, '" + body_name(i->body) + "'");
    if (type->keys.length && element.find("length") == nullptr) as_drawn_.push_back(out_.loops.size());
    out_.loops.push_back({element.name, element.where, type, *std::move(allowed), i->body, j->body, i->frame, j->frame});
  }

  // ---- [base] ------------------------------------------------------------------------------------------------------

  void base() {
    if (!model_.base || !model_.base->start_momentum) return;
    const Text& written_start = *model_.base->start_momentum;
    const std::string who = "[base]: start_momentum: ";
    if (written_start.text == "zero") out_.start = SpaceMechanism::Start::zero_momentum;
    else if (written_start.text == "impulsive") out_.start = SpaceMechanism::Start::impulsive;
    else if (written_start.text.empty() && written_start.where.line > 0) return void(incomplete_ = true);
    else return complain(written_start.where, who + "expected \"zero\" or \"impulsive\", found '" + written_start.text + "'");
    const bool zero = out_.start == SpaceMechanism::Start::zero_momentum;
    const auto is_free = [&](const Joint& joint) {
      if (joint.steps.empty()) return true;  // not known: its own error has been reported
      const bool counts = !zero || joint.parent.value_or(0) == 0;
      return counts && std::ranges::any_of(joint.dofs, [](const SpaceDof& dof) { return !dof.active(); });
    };
    if (std::ranges::any_of(joints_, is_free)) return;
    if (zero)
      complain(written_start.where, who +
               "\"zero\" needs a joint to the ground with a passive dof: here no rate of the base is free to make the "
               "momentum zero");
    else
      problems_.push_back(warning(written_start.where, who + "\"impulsive\" finds nothing: every dof has a motion of its own"));
  }

  // ---- [actuators] -------------------------------------------------------------------------------------------------

  void actuators() {
    if (!model_.actuators) return;
    const ActuatorSection& section = *model_.actuators;
    if (section.dofs.empty()) return void(incomplete_ = true);
    out_.actuators = section.where;
    for (const Text& text : section.dofs) add_actuator(text);
  }

  // "leg1": every dof of that joint; "wrist.2": its second.
  void add_actuator(const Text& text) {
    const std::string who = "[actuators]: dofs";
    const auto dot_at = text.text.find('.');
    const auto index = joint_index(text.text.substr(0, dot_at), text.where, who);
    if (!index) return void(incomplete_ = true);
    Joint& joint = joints_[z(*index)];
    if (joint.steps.empty()) return;  // its own error has been reported
    const int count = joint.dof_count();
    int first = 0, last = count;
    if (dot_at != std::string::npos) {
      first = number_after(text.text, dot_at) - 1;
      last = first + 1;
    }
    const std::string name = "joint '" + joint.element->name + "'";
    if (count == 0 || first < 0 || last > count)
      return complain(text.where, who + ": " + name + " has " + counted_dofs(count) + ", found '" + text.text + "'");
    for (int k = first; k < last; ++k) {
      SpaceDof& dof = joint.dofs[z(k)];
      if (dof.actuated) complain(text.where, who + ": '" + text.text + "' is named twice");
      if (dof.torque && !dof.active())
        complain(text.where, who + ": dof " + std::to_string(k + 1) + " of " + name +
                                 " has a 'torque': the effort of an actuator is what is asked for",
                 "leave the torque out, or write it as a force");
      dof.actuated = true;
    }
  }

  static std::string counted_dofs(int count) {
    if (count == 0) return "no dofs";
    return count == 1 ? "one dof" : std::to_string(count) + " dofs";
  }

  // The whole number behind a dot; 0 where there is none.
  static int number_after(const std::string& text, std::size_t dot_at) {
    int out = 0;
    const char *first = text.data() + dot_at + 1, *last = text.data() + text.size();
    const auto [end, fault] = std::from_chars(first, last, out);
    return fault == std::errc{} && end == last ? out : 0;
  }

  // ---- the tree ----------------------------------------------------------------------------------------------------

  void assemble() {
    tree::Tree& tree = out_.tree;
    tree.gravity = gravity_;
    out_.joints.resize(joints_.size());
    for (const int j : order_) {
      Joint& joint = joints_[z(j)];
      const SpaceBody& parent = bodies_[z(*joint.parent)];
      SpaceBody& child = bodies_[z(*joint.child)];
      SpaceJoint& out = out_.joints[z(j)];
      out = {joint.element->name, joint.element->where, joint.type, *joint.parent, *joint.child, {}, parent.frame * joint.origin};
      out.links = attach(tree, parent.link, out.frame, joint.steps);
      child.link = out.links.last;
      child.frame = out.links.successor * inverse(joint.child_origin);
      if (child.mass) tree.load(child.link, child.frame, tree::rigid_inertia(*child.mass, child.com, child.inertia));
      check_size(out, child);
      out_.q.insert(out_.q.end(), joint.q.begin(), joint.q.end());
      out_.v.insert(out_.v.end(), joint.v.begin(), joint.v.end());
      if (joint.pose) {
        joint.pose->joint = j;
        out_.poses.push_back(*std::move(joint.pose));
      }
      out_.dofs.insert(out_.dofs.end(), std::make_move_iterator(joint.dofs.begin()), std::make_move_iterator(joint.dofs.end()));
    }
    begin_poses();
    for (std::size_t k = 0; k < coupled_.size(); ++k) {
      out_.couplings[k].i = out_.joints[z(coupled_[k].i.joint)].links.v + coupled_[k].i.dof;
      out_.couplings[k].j = out_.joints[z(coupled_[k].j.joint)].links.v + coupled_[k].j.dof;
    }
    measure_lengths();
    std::vector<tree::Quaternion> turns(z(tree.size()));
    tree::orientations(tree, out_.q, turns);
    for (SpaceBody& body : bodies_)
      if (body.link != tree::kGround) body.sign = tree::usual_sign(turns[z(body.link)] * tree::quaternion_of(body.frame.axes));
  }

  // A joint that is prescribed as a whole begins where its motion does; what is written as q and v is compared with it.
  void begin_poses() {
    for (const SpacePose& pose : out_.poses) {
      const SpaceJoint& joint = out_.joints[z(pose.joint)];
      SpaceMechanism alone;  // the laws of this joint, without those of the others
      alone.joints = {joint};
      alone.joints[0].links.q = alone.joints[0].links.v = 0;
      alone.poses = {pose};
      alone.poses[0].joint = 0;
      std::vector<double> q(pose.written.begin(), pose.written.end()), v(6);
      const auto fault = prescribed_rates<0>(alone, 0, q, [&](int dof, const Series<0>& rate) { v[z(dof)] = rate.value(); });
      if (fault) {
        complain(pose.where, fault->text() + ", at t = 0");
        continue;
      }
      const auto coordinates = z(joint.links.coordinates), first = z(joint.links.q);
      double same = 0, apart = 0;  // e and −e are one rotation
      for (std::size_t k = 0; k < 4; ++k) same += q[k] * pose.written[k];
      for (std::size_t k = 4; k < coordinates; ++k) apart = std::max(apart, std::abs(q[k] - pose.written[k]));
      const bool begins_there = 1 - std::abs(same) < kSameBegin && apart < kSameBegin;
      if (!begins_there && joints_[z(pose.joint)].element->find("q") != nullptr)
        problems_.push_back(warning(joint.where, "joint '" + joint.name + "': q: the motion begins elsewhere than where 'q' says: the motion is used"));
      std::copy_n(q.begin(), coordinates, out_.q.begin() + static_cast<std::ptrdiff_t>(first));
      std::copy_n(v.begin(), joint.links.dofs, out_.v.begin() + joint.links.v);
    }
  }

  // By how much each grows with a metre, or with a radian where it is of angles alone, in the position that is written.
  void scale_equations() {
    out_.equations = std::move(equations_);
    out_.stops = std::move(stops_);
    if (out_.equations.empty() && out_.stops.empty()) return;
    const std::vector<double> none(z(out_.tree.dofs()));
    tree::Workspace<double> work(out_.tree);
    std::vector<tree::LinkMotion<double>> links(z(out_.tree.size()));
    tree::motion(out_.tree, work, out_.q.data(), none.data(), none.data(), links.data());
    const BodyPlaces<double> places{out_, work, links};
    const auto scale = [&](SpaceEquation& equation) {
      std::vector<double> variables(1);
      for (const SpaceQuantity& u : equation.quantities)
        variables.push_back(u.of == SpaceQuantity::Of::coordinate ? out_.q[z(out_.joints[z(u.owner)].links.q + u.pick)] : component(places.place(u.owner, u.p).position, u.pick));
      double by_length = 0, by_angle = 0;
      for (std::size_t k = 0; k < equation.quantities.size(); ++k) {
        const SpaceQuantity& u = equation.quantities[k];
        double g = 0;
        if (equation.law.by_quantity[k].evaluate(std::span<const double>(variables), g)) continue;
        const bool angle = u.of == SpaceQuantity::Of::coordinate &&
                           tree::dof_quantity(out_.tree, out_.joints[z(u.owner)].links.v + u.pick) != tree::Quantity::length;
        double& most = angle ? by_angle : by_length;
        most = std::max(most, std::abs(g));
      }
      equation.metres = by_length > 0 || !(by_angle > 0);
      if (const double most = equation.metres ? by_length : by_angle; most > 0) equation.scale = most;
    };
    for (SpaceEquation& equation : out_.equations) scale(equation);
    for (SpaceStop& stop : out_.stops)
      for (SpaceEquation& gap : stop.gaps) scale(gap), stop.angle = !gap.metres;
  }

  // As far apart as their ends are in the position that is written.
  void measure_lengths() {
    if (as_drawn_.empty()) return;
    const std::vector<double> none(z(out_.tree.dofs()));
    tree::Workspace<double> work(out_.tree);
    std::vector<tree::LinkMotion<double>> links(z(out_.tree.size()));
    tree::motion(out_.tree, work, out_.q.data(), none.data(), none.data(), links.data());
    const auto end = [&](int body, const Frame<double>& frame) {
      const SpaceBody& own = bodies_[z(body)];
      const Vec3<double> place = own.frame * frame.origin;
      return own.link == tree::kGround ? place : links[z(own.link)].position + work.links[z(own.link)].axes * place;
    };
    for (const std::size_t l : as_drawn_) {
      SpaceLoop& loop = out_.loops[l];
      const double apart = length(end(loop.j, loop.frame_j) - end(loop.i, loop.frame_i));
      if (!(apart > 0) || !std::isfinite(apart))
        complain(loop.where, "loop '" + loop.name + "': length: expected a length > 0, found " + shown(apart) + ", the distance in the position that is written",
                 "points that coincide are a 'spherical' loop");
      tree::JointShape shape;
      shape.length = apart;
      loop.steps = loop.type->steps(shape);
    }
  }

  void check_size(const SpaceJoint& joint, const SpaceBody& child) {
    const tree::RigidInertia& inertia = out_.tree.link(child.link).inertia;
    if (!is_finite(joint.frame.origin) || !is_finite(child.frame.origin))
      complain(joint.where, "joint '" + joint.name + "': the numbers of its frames are too large");
    else if (!std::isfinite(inertia.mass) || !is_finite(inertia.moment) || !is_finite(inertia.about))
      complain(child.where, "body '" + child.name + "': its mass, com or inertia is too large");
  }

  struct Coupled {
    DofOf i, j;
  };

  SpaceMechanism out_;
  std::vector<int> holder_;  // body → the joint whose child it is
  std::vector<int> order_;   // of the joints in the tree
  std::vector<Coupled> coupled_;
  std::vector<std::size_t> as_drawn_;  // loops whose length is that of the drawing
  std::map<std::string, int, std::less<>> joint_index_;
};

}  // namespace

Result<SpaceMechanism> build_space(const Model& model, const Tables& known) { return BuildTree(model, known).run(); }

const SpaceQuantity* SpaceEquation::named_first() const {
  const auto it = std::ranges::find_if(quantities, [](const SpaceQuantity& u) { return u.of == SpaceQuantity::Of::place && u.owner > 0; });
  return it == quantities.end() ? nullptr : &*it;
}

bool SpaceMechanism::has_actuators() const { return std::ranges::any_of(dofs, &SpaceDof::actuated); }

bool SpacePose::is_constant() const {
  const auto constant = [](const TimeFunction& f) { return f.is_constant(); };
  return std::ranges::all_of(turns, constant) && std::ranges::all_of(position, constant);
}

const SpaceJoint& SpaceMechanism::joint_of(int dof) const {
  const auto has = [&](const SpaceJoint& joint) { return dof >= joint.links.v && dof < joint.links.v + joint.links.dofs; };
  const auto it = std::ranges::find_if(joints, has);
  JOUNCE_REQUIRE(it != joints.end(), "a dof belongs to a joint");
  return *it;
}

std::vector<int> SpaceMechanism::rubbing() const {
  std::vector<int> out;
  for (std::size_t dof = 0; dof < dofs.size(); ++dof)
    if (dofs[dof].rubs) out.push_back(static_cast<int>(dof));
  return out;
}

std::string SpaceMechanism::dof_name(int dof) const {
  const SpaceJoint& joint = joint_of(dof);
  const std::string of = "joint '" + joint.name + "'";
  return joint.links.dofs == 1 ? of : "dof " + std::to_string(dof - joint.links.v + 1) + " of " + of;
}

std::string SpaceMechanism::dof_label(int dof) const {
  const SpaceJoint& joint = joint_of(dof);
  return joint.links.dofs == 1 ? joint.name : joint.name + "." + std::to_string(dof - joint.links.v + 1);
}

}  // namespace jounce
