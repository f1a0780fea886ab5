#include "jounce/space/build/forces.hpp"

#include <algorithm>

#include "jounce/base/index.hpp"
#include "jounce/space/build/names.hpp"
#include "jounce/space/rows/space_rows.hpp"

namespace jounce {

void SpaceForces::add_torques() {
  in_equations_ = [this](Depends depends) { return named_in(depends); };
  in_loads_ = {[this] { return named_in(Depends::on_state); }, [this](const std::string& column) { return quantity(column); }};
  for (const WrittenTorque& written : torques_) {
    auto torque = load_function(*written.text, written.who);
    if (torque) joints_[written.joint].dofs[written.dof].torque = *std::move(torque);
    else incomplete_ = true;
  }
}

// What may be named in loads, or in equations.
MechanismNames::Known SpaceForces::named_in(Depends depends) const {
  SpaceMechanism drawn;  // bodies and joints as far as their columns go
  drawn.bodies = bodies_;
  std::vector<std::string> unread, turning;
  for (const Joint& joint : joints_) {
    if (joint.steps.empty()) {
      unread.push_back(joint.element->name);
      continue;
    }
    SpaceJoint& out = drawn.joints.emplace_back();
    if (joint.is_rotation()) turning.push_back(joint.element->name);
    out.name = joint.element->name;
    out.type = joint.type;
    out.links = attach(drawn.tree, tree::kGround, {}, joint.steps);
  }
  drawn.dofs.resize(z(drawn.tree.dofs()));
  MechanismNames::Known known = named_in_loads_of(bodies_, space_columns(drawn, true), unread);
  with_names(known);
  restrict_to(depends, known, model_);
  if (depends == Depends::on_state) return without_quaternions(std::move(known), "a load");
  return without_coordinates(without_quaternions(std::move(known), depends == Depends::of_stop ? "a stop" : "an equation"), turning);
}

SpaceQuantity SpaceForces::quantity_of(const std::string& column) const {
  std::vector<std::string> joints;
  for (const Joint& joint : joints_) joints.push_back(joint.element->name);
  return state_quantity(bodies_, joints, column);
}

int SpaceForces::quantity(const std::string& column) {
  const SpaceQuantity wanted = quantity_of(column);
  const auto found = std::ranges::find(quantities_, wanted);
  if (found != quantities_.end()) return static_cast<int>(found - quantities_.begin());
  quantities_.push_back(wanted);
  return static_cast<int>(quantities_.size()) - 1;
}

void SpaceForces::add_equation(const Element& element) {
  const At equation = at(Group::joint, element);
  const Text* text = written<Text>(equation, "of");
  auto law = text == nullptr ? std::nullopt : equation_law(*text, equation.who + ": of");
  if (!law) return void(incomplete_ = true);
  if (auto out = bound_equation(element.name, element.where, *std::move(law), equation.who + ": of")) equations_.push_back(*std::move(out));
}

std::optional<SpaceEquation> SpaceForces::bound_equation(const std::string& name, Where where, laws::EquationLaw law, const std::string& who) {
  SpaceEquation out{name, where, std::move(law), {}};
  const std::vector<std::string>& variables = out.law.phi.variables();
  for (std::size_t k = variables.size() - out.law.by_quantity.size(); k < variables.size(); ++k) out.quantities.push_back(quantity_of(variables[k]));
  const auto holds = [](const SpaceQuantity& u) { return u.of == SpaceQuantity::Of::coordinate || u.owner > 0; };
  if (std::ranges::any_of(out.quantities, holds)) return out;
  complain(out.law.where, who + ": holds nothing: expected positions of bodies or coordinates of joints, such as 'arm.tip.x' or 'elbow.q1'");
  return std::nullopt;
}

void SpaceForces::add_stops() {
  for (const StopSection& section : written_stops_) add_stop(section);
}

void SpaceForces::add_stop(const StopSection& section) {
  auto read = stop(section);
  if (!read) return void(incomplete_ = true);
  SpaceStop out{read->stop, {}};
  for (laws::EquationLaw& gap : read->gaps) {
    auto bound = bound_equation(section.name, section.where, std::move(gap), "stop '" + section.name + "': of");
    if (!bound) return;
    out.gaps.push_back(*std::move(bound));
  }
  stops_.push_back(std::move(out));
}

void SpaceForces::add_force(const Element& element) {
  const At force = at(Group::force, element);
  const tree::ForceType* type = tree::find_force_type(element.type);
  if (type == nullptr) {
    incomplete_ = true;
    std::string known;
    for (const tree::ForceType& each : tree::force_types()) known.append(known.empty() ? "" : ", ").append(each.type);
    if (!element.type.empty())
      complain(element.type_where, force.who + ": unknown type '" + element.type + "' (there are " + known + ")");
    return;
  }
  SpaceForce out{element.name, element.where, type->blank};
  const auto take = [&](auto& law) {
    const bool complete = bind(force, law);
    if (!complete) incomplete_ = true;
    if (!accepted(force, law, complete)) return false;
    if (complete && !compose(force, law)) return false;
    if constexpr (requires { law.settle(); }) law.settle();
    return complete;
  };
  if (std::visit(take, out.law)) forces_.push_back(std::move(out));
}

// What an expression of this force may use besides the parameters.
template <class F>
std::vector<std::string> law_variables() {
  if constexpr (requires { F::law_variables; }) return {F::law_variables.begin(), F::law_variables.end()};
  else return {};
}

template <class F>
bool SpaceForces::bind(const At& at, F& force) {
  bool known = true;
  tree::each_field(force, [&]<class Member>(const auto& field, Member& member) {
    if constexpr (std::is_same_v<Member, tree::Law>) {
      const Text* text = written<Text>(at, field.key);
      if (text == nullptr) return;
      member = state_expression(*text, law_variables<F>(), at.who + ": " + std::string(field.key));
      if (!member) known = false;
    } else {
      known = bind(at, field.key, member) && known;
    }
  });
  return known;
}

// The reasons against it, and that it moves something. Of a force that is not complete only what single numbers say.
template <class F>
bool SpaceForces::accepted(const At& at, const F& force, bool complete) {
  Refusals because(0);
  if constexpr (requires { force.refuse(because); }) force.refuse(because);
  const auto on = tree::bodies(force);
  const bool none = std::ranges::all_of(on, [](int body) { return body == 0; });
  if (because.reasons().empty()) because.when(none, "", "acts on the ground alone: it moves nothing");
  bool good = true;
  for (const Refusals::Reason& reason : because.reasons()) {
    if (reason.key.empty() && !complete) continue;
    good = false;
    std::string sentence = reason.sentence;
    if (reason.key.empty()) {
      if (sentence.starts_with("both ")) sentence += ", '" + bodies_[z(on.front())].name + "'";
      complain(at.element.where, at.who + ": " + sentence);
      continue;
    }
    tree::each_field(force, [&]<class Member>(const auto& field, const Member& member) {
      if (field.key != reason.key) return;
      if constexpr (std::is_same_v<Member, double>) sentence += ", found " + shown(member);
      if constexpr (std::is_same_v<Member, tree::Six>) {
        std::string list;
        for (const double x : member) list += (list.empty() ? "" : ", ") + shown(x);
        sentence += ", found [" + list + "]";
      }
      if constexpr (std::is_same_v<Member, tree::FreeLength>) sentence += ", found " + shown(member.value);
    });
    const Entry* entry = at.element.find(reason.key);
    const Text* text = std::get_if<Text>(&entry->value);
    const auto* texts = std::get_if<std::vector<Text>>(&entry->value);
    complain(text != nullptr ? text->where : texts != nullptr && !texts->empty() ? texts->front().where : entry->where, at.who + ": " + std::string(reason.key) + ": " + sentence);
  }
  return good;
}

bool SpaceForces::bind(const At& at, std::string_view key, tree::BodyPoint& out) {
  const auto found = place(at, key);
  if (found) out = {found->body, found->frame.origin};
  return found.has_value();
}

bool SpaceForces::bind(const At& at, std::string_view key, tree::BodyFrame& out) {
  const auto found = place(at, key);
  if (found) out = {found->body, found->frame};
  return found.has_value();
}

bool SpaceForces::bind(const At& at, std::string_view key, tree::Six& out) {
  const auto* texts = written<std::vector<Text>>(at, key);
  if (texts == nullptr) return at.element.find(key) == nullptr;
  const std::string who = at.who + ": " + std::string(key);
  if (texts->size() != out.size()) {  // only possible for a model made in code
    complain(at.element.find(key)->where, who + ": expected " + std::string(expected(tree::form_of(out))) + ", found " + std::to_string(texts->size()));
    return false;
  }
  const auto numbers = values(*texts, who);
  if (numbers) std::ranges::copy(*numbers, out.begin());
  return numbers.has_value();
}

bool SpaceForces::bind(const At& at, std::string_view key, tree::Direction& out) {
  const auto* texts = written<std::vector<Text>>(at, key);
  if (texts == nullptr) return at.element.find(key) == nullptr;
  const auto along = direction(*texts, at.who + ": " + std::string(key));
  if (along) out.along = *along;
  return along.has_value();
}

bool SpaceForces::bind(const At& at, std::string_view key, tree::Curve& out) {
  const auto* table = written<TableFile>(at, key);
  if (table == nullptr) return at.element.find(key) == nullptr;
  const auto path = curve_table(*table, at.who + ": " + std::string(key));
  if (path) out.path = *path;
  return path.has_value();
}

template <class F>
bool SpaceForces::compose(const At& at, F& force) {
  if constexpr (requires { force.torque_text(std::string_view{}); }) {
    const Entry* entry = at.element.find("control");
    const Text* control = entry == nullptr ? nullptr : std::get_if<Text>(&entry->value);
    const std::size_t said = problems_.size();
    force.torque = state_expression(Text(force.torque_text(control == nullptr ? "" : control->text)), law_variables<F>(), at.who);
    if (!force.torque) return false;
    problems_.erase(problems_.begin() + static_cast<std::ptrdiff_t>(said), problems_.end());  // warnings about its control, once more
  }
  return true;
}

bool SpaceForces::bind(const At& at, std::string_view key, tree::BodyRef& out) {
  const FieldInfo* field = find_field(tree::find_force_type(at.element.type)->fields, key);
  if (at.element.find(key) == nullptr && !field->required) return true;  // the ground
  const auto found = body(at, key);
  if (found) out = {*found};
  return found.has_value();
}

bool SpaceForces::bind(const At& at, std::string_view key, tree::Axes& out) {
  const Text* frame = written<Text>(at, key);
  if (frame == nullptr) return true;
  out = frame->text == "body" ? tree::Axes::body : tree::Axes::ground;
  if (frame->text != "ground" && frame->text != "body")
    complain(frame->where, at.who + ": " + std::string(key) + ": expected " + std::string(expected(Form::frame)) + ", found '" +
                               frame->text + "'");
  return true;
}

bool SpaceForces::bind(const At& at, std::string_view key, double& out) {
  const auto number = value(at, key, out);
  if (number) out = *number;
  return number.has_value();
}

bool SpaceForces::bind(const At& at, std::string_view key, tree::FreeLength& out) {
  if (at.element.find("stiffness") != nullptr && at.element.find(key) == nullptr)
    complain(at.element.where, at.who + ": '" + std::string(key) + "' is missing: a stiffness needs it");
  return bind(at, key, out.value);
}

template <std::size_t N>
bool SpaceForces::bind(const At& at, std::string_view key, tree::Components<N>& out) {
  const auto* texts = written<std::vector<Text>>(at, key);
  if (texts == nullptr) return false;
  const std::string who = at.who + ": " + std::string(key);
  if (texts->size() != N) {
    complain(texts->empty() ? at.element.find(key)->where : (*texts)[0].where,
             who + ": expected " + std::string(expected(tree::form_of(out))) + ", found " + std::to_string(texts->size()));
    return false;
  }
  bool known = true;
  for (std::size_t k = 0; k < N; ++k) {
    if (auto function = load_function((*texts)[k], who)) out[k] = *std::move(function);
    else known = false;
  }
  return known;
}

}  // namespace jounce
