// From what the user wrote to a PlaneMechanism: binds the fields of every element, refuses degenerate data.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <set>

#include "jounce/planar/contact_types.hpp"
#include "jounce/plane/build/curves.hpp"
#include "jounce/plane/build/names.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"
#include "jounce/plane/rows/dynamic_rows.hpp"
#include "jounce/plane/rows/members.hpp"

namespace jounce {
namespace {

using planar::Group;

/// Lengths below this fraction of the model's size count as zero.
constexpr double kZeroLength = 1e-9;

class Build : ResolveCurves {
 public:
  Build(const Model& model, const Tables& known) : ResolveCurves(model, known) {}

  Result<PlaneMechanism> run() {
    Resolve::run();
    PlanarSystem::Builder builder(static_cast<int>(model_.bodies.size()));
    builder.length_scale(length_scale_);
    builder_ = &builder;
    in_equations_ = [this](Depends depends) { return named_in(depends); };
    in_loads_ = {[this] { return named_in(Depends::on_state); }, [this](const std::string& column) { return builder_->quantity(state_quantity(bodies_, column)); }};
    for (const Element& joint : model_.joints)
      if (joint.type == planar::Equation<double>::type) add_equation(joint);
      else if (planar::is_contact(joint.type)) add_contact(joint);
      else add(Group::joint, joint, planar::Joints{});
    for (const Element& driver : model_.drivers) add(Group::driver, driver, planar::Drivers{});
    for (const Element& force : model_.forces) add_force(force);
    for (const auto& rub : frictions_) rub();
    for (const StopSection& section : model_.stops) add_stop(section);
    judge_load_names();
    builder.masses(mass_diagonal(), gravity_);
    RunPlan run = run_section();
    if (model_.bodies.empty() && !any_error(problems_))
      problems_.push_back(error({}, "the model has no bodies: expected at least one [bodies.NAME]"));

    sort_by_place(problems_);
    locate(problems_, model_.file);
    if (any_error(problems_)) return problems_;
    std::vector<double> drawn;
    for (std::size_t b = 1; b < bodies_.size(); ++b) drawn.insert(drawn.end(), {drawn_[b].x, drawn_[b].y, drawn_[b].phi});
    PlaneMechanism out{model_.name, model_.file,      constants_.values,    gravity_, bodies_, builder.finish(),
                       {},          std::move(drawn), std::move(velocity_), run,      {},      std::move(stops_),
                       {},          std::move(outlines_)};
    out.members = members(out);
    if (has_names_of_results()) {
      names_of_results(named_of(bodies_, dynamic_columns(out, true)), out.measures, out.events);
      if (any_error(problems_)) return problems_;
    }
    std::ranges::move(ends_of_curves_, std::back_inserter(out.events));
    out.tables = std::move(tables_);
    return {std::move(out), std::move(problems_)};
  }

 private:
  // ---- binding: one overload per kind of field ---------------------------------------------------------------------

  const Entry* required(Group group, const Element& element, std::string_view key, const std::string& who) {
    const Entry* entry = element.find(key);
    if (entry == nullptr) complain_missing(group, element, key, who);
    if (entry == nullptr || std::holds_alternative<std::monostate>(entry->value)) return failed_ = true, nullptr;
    return entry;
  }
  // The text under a key; anything else (only possible for a model made in code) is an error.
  const Text* text_of(const Entry& entry, planar::Form form, const std::string& who) {
    const Text* text = std::get_if<Text>(&entry.value);
    if (text == nullptr)
      complain(entry.where, who + ": expected " + std::string(planar::expected(form)) + ", found a list"), failed_ = true;
    return text;
  }

  template <class T>
  void take(T& out, const std::optional<T>& value) {
    if (value)
      out = *value;
    else
      failed_ = true;
  }

  void bind(planar::BodyRef& out, const Entry& entry, const std::string& who) {
    const Text* text = text_of(entry, planar::Form::body, who);
    if (text == nullptr) return;
    if (text->text.find('.') != std::string::npos) {
      complain(text->where,
               who + ": expected " + std::string(planar::expected(planar::Form::body)) + ", found '" + text->text + "'");
      failed_ = true;
      return;
    }
    take(out.body, body_index(text->text, text->where, who));
  }
  void bind(planar::Point<double>& out, const Entry& entry, const std::string& who) {
    if (const Text* text = text_of(entry, planar::Form::point, who)) take(out, point(*text, who));
  }
  void bind(planar::Line<double>& out, const Entry& entry, const std::string& who) {
    const auto* texts = std::get_if<std::vector<Text>>(&entry.value);
    if (texts == nullptr || texts->size() != 2) {
      complain(entry.where, who + ": expected " + std::string(planar::expected(planar::Form::line)));
      failed_ = true;
      return;
    }
    const auto p = point((*texts)[0], who), q = point((*texts)[1], who);
    if (!p || !q) return void(failed_ = true);
    if (p->body != q->body) {
      complain((*texts)[1].where, who + ": both points of a line must be on the same body, found '" + (*texts)[0].text +
                                      "' and '" + (*texts)[1].text + "'");
      failed_ = true;
      return;
    }
    out = {p->body, p->p, q->p - p->p};
  }
  void bind(planar::Coordinate<double>& out, const Entry& entry, const std::string& who) {
    const Text* text = text_of(entry, planar::Form::coordinate, who);
    if (text == nullptr) return;
    const auto dot_at = text->text.rfind('.');
    static constexpr std::array names{"x", "y", "phi"};
    const auto which = dot_at == std::string::npos ? names.end() : std::ranges::find(names, text->text.substr(dot_at + 1));
    if (which == names.end()) {
      complain(text->where,
               who + ": expected " + std::string(planar::expected(planar::Form::coordinate)) + ", found '" + text->text + "'");
      failed_ = true;
      return;
    }
    const auto body = body_index(text->text.substr(0, dot_at), text->where, who);
    if (!body) return void(failed_ = true);
    out = {*body, bodies_[static_cast<std::size_t>(*body)].origin_com, {}};
    out.pick[static_cast<std::size_t>(which - names.begin())] = 1;
  }
  void bind(double& out, const Entry& entry, const std::string& who) {
    if (const Text* text = text_of(entry, planar::Form::number, who)) take(out, number(*text, who));
  }
  void bind(planar::Drawn<double>& out, const Entry& entry, const std::string& who) { bind(out.value, entry, who); }
  void bind(planar::Motion& out, const Entry& entry, const std::string& who) {
    const Text* law = std::get_if<Text>(&entry.value);
    if (group_ == Group::force && law != nullptr) {
      auto component = load_function(*law, who);
      if (!component) return void(failed_ = true);
      out.motion = static_cast<int>(components_.size());
      return components_.push_back({*std::move(component), {}, law->where});
    }
    const auto function = time_function(entry, who);
    if (!function) return void(failed_ = true);
    const Where where = std::holds_alternative<Text>(entry.value) ? std::get<Text>(entry.value).where
                                                                  : std::get<TableFile>(entry.value).path.where;
    if (group_ == Group::force) {
      out.motion = static_cast<int>(components_.size());
      return components_.push_back({*function, {}, where});
    }
    out.motion = static_cast<int>(motions_.size());
    motions_.push_back({*function, {}, where, false});
  }
  void bind(planar::MotionPair& out, const Entry& entry, const std::string& who) {
    const auto* texts = std::get_if<std::vector<Text>>(&entry.value);
    if (texts == nullptr || texts->size() != 2) {
      complain(entry.where, who + ": expected " + std::string(planar::expected(planar::Form::vector)));
      return void(failed_ = true);
    }
    for (const Text& text : *texts) {
      auto function = load_function(text, who);
      if (!function) failed_ = true;
      else components_.push_back({*std::move(function), {}, text.where});
    }
    if (!failed_) out = {{static_cast<int>(components_.size()) - 2}, {static_cast<int>(components_.size()) - 1}};
  }
  void bind(planar::Rest<double>& out, const Entry& entry, const std::string& who) { bind(out.value, entry, who); }
  // The expression itself becomes part of the force's signal; see signal_of.
  void bind(planar::Law&, const Entry& entry, const std::string& who) {
    const Text* text = text_of(entry, planar::Form::law, who);
    auto law = text == nullptr ? std::nullopt : state_expression(*text, law_variables_, who);
    if (!law) return void(failed_ = true);
    signal_.laws.push_back(*std::move(law));
    signal_.where = text->where;
  }

  void bind(planar::Triple<double>& out, const Entry& entry, const std::string& who) {
    const auto* texts = std::get_if<std::vector<Text>>(&entry.value);
    if (texts == nullptr || texts->size() != 3) {
      complain(entry.where, who + ": expected " + std::string(planar::expected(planar::Form::triple)));
      return void(failed_ = true);
    }
    double* const members[] = {&out.x, &out.y, &out.turn};
    for (std::size_t k = 0; k < 3; ++k) take(*members[k], number((*texts)[k], who));
  }
  // Friction of a joint acts as a force of its own; see add_one.
  void bind(planar::BearingFriction& out, const Entry& entry, const std::string& who) { bind_friction(out, Form::bearing_friction, entry, who); }
  void bind(planar::GuideFriction& out, const Entry& entry, const std::string& who) { bind_friction(out, Form::guide_friction, entry, who); }
  void bind_friction(laws::JointFriction& out, Form form, const Entry& entry, const std::string& who) {
    if (!joint_friction(entry, form, who, out)) failed_ = true;
  }

  // Like a law it becomes part of the force's signal; see motor_signal.
  void bind(planar::Curve& out, const Entry& entry, const std::string& who) {
    const auto* table = std::get_if<TableFile>(&entry.value);
    if (table == nullptr) complain(entry.where, who + ": expected " + std::string(planar::expected(planar::Form::table)));
    const auto path = table == nullptr ? std::nullopt : curve_table(*table, who);
    if (!path) return void(failed_ = true);
    out.given = true;
    curve_ = table->path;
  }

  // The torque over speed of a motor times its control, which has been read by itself.
  template <class F>
  bool motor_signal(const F& bound, const Element& element, const std::string& who) {
    const Entry* entry = element.find("control");
    const Text* control = entry == nullptr ? nullptr : std::get_if<Text>(&entry->value);
    Text law(laws::motor_text(bound.data(), control == nullptr ? "" : control->text, curve_.text, law_variables_[1]));
    law.where = control != nullptr ? Where{control->where.line, control->where.column - 1} : bound.curve.given ? curve_.where : element.where;
    const std::size_t said = problems_.size();
    auto expression = state_expression(law, law_variables_, who);
    if (!expression) return false;
    problems_.erase(problems_.begin() + static_cast<std::ptrdiff_t>(said), problems_.end());  // warnings about its control, once more
    signal_.laws.assign(1, *std::move(expression));
    signal_.where = law.where;
    return true;
  }

  // What may be named in loads, or in equations.
  MechanismNames::Known named_in(Depends depends) {
    MechanismNames::Known known = named_of(bodies_, kinematic_columns(bodies_));
    with_names(known);
    restrict_to(depends, known, model_);
    return known;
  }

  void add_contact(const Element& element) {
    const auto law = contact(element);
    if (!law) return;
    Constraint constraint{element.name, Group::joint, planar::find_type(Group::joint, element.type)->type, element.where, {}, 0, 0, -1};
    constraint.pushes = law->contact->cam;
    builder_->add<planar::Equation>({law, -1}, std::move(constraint));
  }

  // ---- equations of the user's own ---------------------------------------------------------------------------------

  void add_equation(const Element& element) {
    const std::string who = "joint '" + element.name + "'";
    failed_ = false;
    const Entry* entry = required(Group::joint, element, "of", who);
    const Text* text = entry == nullptr ? nullptr : text_of(*entry, planar::Form::equation, who + ": of");
    if (text == nullptr) return;
    const auto law = bound_law(equation_law(*text, who + ": of"), who + ": of");
    if (law == nullptr) return;
    planar::Equation<double> bound{law, -1};
    if (law->of_time()) bound.clock = builder_->add(clock_motion(element.name, text->where));
    builder_->add<planar::Equation>(bound, Constraint{element.name, Group::joint, planar::Equation<double>::type, element.where, {}, 0, 0, -1});
  }

  // An equation with what it is of; null where there is none, or it holds nothing.
  std::shared_ptr<const planar::EquationLaw> bound_law(const std::optional<laws::EquationLaw>& read, const std::string& who) {
    if (!read || drawing_failed_) return nullptr;
    auto law = std::make_shared<planar::EquationLaw>(planar::EquationLaw{*read, {}, {}, {}, {}});
    const std::vector<std::string>& variables = law->phi.variables();
    for (std::size_t k = variables.size() - law->by_quantity.size(); k < variables.size(); ++k) {
      const planar::StateQuantity quantity = state_quantity(bodies_, variables[k]);
      law->quantities.push_back(quantity);
      const auto known = std::ranges::find(law->bodies, quantity.body);
      law->slot.push_back(quantity.body == 0 ? -1 : static_cast<int>(known - law->bodies.begin()));
      if (quantity.body > 0 && known == law->bodies.end()) law->bodies.push_back(quantity.body);
    }
    if (law->bodies.empty()) {
      complain(read->where, who + ": holds nothing: expected positions of bodies, such as 'crank.phi' or 'crank.A.x'");
      return nullptr;
    }
    law->scale = equation_scale(*law);
    return law;
  }

  void add_stop(const StopSection& section) {
    const auto read = stop(section);
    if (!read) return;
    PlaneStop out{read->stop, {}};
    for (const laws::EquationLaw& gap : read->gaps) {
      const auto law = bound_law(gap, "stop '" + section.name + "': of");
      if (law == nullptr) return;
      out.angle = law->scale.unit == planar::Unit::radian;
      out.gaps.push_back(law);
    }
    stops_.push_back(std::move(out));
  }

  std::optional<TimeFunction> time_function(const Entry& entry, const std::string& who) {
    if (const auto* table = std::get_if<TableFile>(&entry.value)) return Resolve::time_function(*table, who);
    const Text* text = text_of(entry, planar::Form::motion, who);
    return text == nullptr ? std::nullopt : Resolve::time_function(*text, who);
  }

  template <template <class> class... E>
  void add(Group group, const Element& element, planar::TypeList<E...>) {
    const bool known = ((element.type == E<double>::type && (add_one<E>(group, element), true)) || ...);
    if (!known && !element.type.empty() && planar::find_type(group, element.type) == nullptr)
      complain(element.type_where,
               std::string(planar::word(group)) + " '" + element.name + "': unknown type '" + element.type + "'");
  }

  // Binds every field of an element; false when something is missing or wrong, which has then been said. `as_drawn`: some constant
  // was left out.
  template <class E>
  bool bind_fields(E& bound, Group group, const Element& element, const std::string& who, bool& as_drawn) {
    failed_ = as_drawn = false;
    group_ = group;
    motions_.clear();
    components_.clear();
    signal_ = {};
    curve_ = {};
    const auto field = [&]<class F>(const F& f) {
      auto& member = bound.*(f.member);
      using Member = std::decay_t<decltype(member)>;
      if constexpr (planar::is_internal<F>) {
        as_drawn = true;
      } else if constexpr (std::is_same_v<Member, planar::Ratio<double>>) {
        if (!gear_ratio(element, who, member.K)) failed_ = true;
      } else {
        const Entry* entry = element.find(f.key);
        constexpr bool drawn = std::is_same_v<Member, planar::Drawn<double>>;
        if (entry == nullptr && drawn)
          as_drawn = true;
        else if (entry == nullptr && planar::is_optional<F>)
          return;
        else if ((entry = required(group, element, f.key, who)) != nullptr)
          bind(member, *entry, who + ": " + std::string(f.key));
      }
    };
    std::apply([&](const auto&... f) { (field(f), ...); }, E::fields);
    return !failed_ && !parameters_failed_ && !(as_drawn && drawing_failed_);
  }

  template <template <class> class E>
  void add_one(Group group, const Element& element) {
    const std::string who = std::string(planar::word(group)) + " '" + element.name + "'";
    E<double> bound{};
    bool as_drawn = false;
    if (!bind_fields(bound, group, element, who, as_drawn)) return;
    if (as_drawn && !settle(bound, who)) return;
    if (!accepted(bound, element, who)) return;
    Constraint constraint{element.name, group, E<double>::type, element.where, {}, 0, 0, -1};
    constraint.pulled = requires { E<double>::is_pulled; };
    for (PrescribedMotion& motion : motions_) {
      motion.owner = element.name;
      motion.must_be_positive = requires { E<double>::motion_must_be_positive; };
      constraint.motion = builder_->add(motion);
    }
    planar::walk(bound, SetMotion{constraint.motion});
    if constexpr (requires { bound.rubs(); })
      if (bound.friction.given) add_friction_of(bound, builder_->constraints(), element);
    builder_->add<E>(bound, std::move(constraint));
  }

  // Among the forces friction of joints comes last.
  template <class E>
  void add_friction_of(const E& bound, int constraint, const Element& element) {
    ForceSignal signal;
    signal.add_friction(bound.friction.coefficient * bound.friction.radius, bound.friction.speed, {"x", "rate", "t"});
    signal.where = element.find("friction")->where;
    frictions_.push_back([this, rubs = bound.rubs(), constraint, signal] { add_friction(rubs, constraint, signal); });
  }
  template <template <class> class F>
  void add_friction(const F<double>& element, int constraint, const ForceSignal& signal) {
    builder_->add_friction<F>(element, constraint, signal, signal.where);
  }

  // ---- forces ------------------------------------------------------------------------------------------------------

  void add_force(const Element& element) {
    bool known = false;
    planar::for_each_type(planar::Forces{}, [&]<template <class> class F>(planar::Type<F>) {
      if (known || element.type != F<double>::type || !is_form<F>(element)) return;
      known = true;
      add_one_force<F>(element);
    });
    if (!known && !element.type.empty())
      complain(element.type_where, "force '" + element.name + "': unknown type '" + element.type + "'");
  }

  // Of a type with two forms, the one that is meant.
  template <template <class> class F>
  bool is_form(const Element& element) {
    if constexpr (requires { F<double>::frame; }) {
      const Entry* entry = element.find("frame");
      const Text* text = entry == nullptr ? nullptr : std::get_if<Text>(&entry->value);
      const bool body = text != nullptr && text->text == "body";
      return body == (F<double>::frame == "body");
    } else if constexpr (std::is_same_v<F<double>, planar::CentredSpring<double>>) {
      return false;  // found from the numbers: see add_one_force
    } else {
      return true;
    }
  }

  template <template <class> class F>
  void add_one_force(const Element& element) {
    const std::string who = "force '" + element.name + "'";
    const Entry* frame = element.find("frame");
    if (const Text* text = frame == nullptr ? nullptr : std::get_if<Text>(&frame->value);
        text != nullptr && text->text != "ground" && text->text != "body")
      complain(text->where, who + ": frame: expected " + std::string(planar::expected(planar::Form::frame)) + ", found '" +
                                text->text + "'");
    F<double> bound{};
    bool as_drawn = false;
    constexpr bool turns = F<double>::kind == planar::ForceKind::rotation || F<double>::kind == planar::ForceKind::drive;
    law_variables_ = turns ? std::vector<std::string>{"theta", "omega", "t"} : std::vector<std::string>{"l", "v", "t"};
    const bool complete = bind_fields(bound, Group::force, element, who, as_drawn);
    if (element.type == planar::Spring<double>::type && element.find("stiffness") != nullptr && element.find("free_length") == nullptr) {
      complain(element.where, who + ": 'free_length' is missing: a stiffness needs it");
      return;
    }
    if (!complete || !accepted(bound, element, who)) return;
    int first = -1;
    for (ForceComponent& component : components_) {
      component.owner = element.name;
      const int index = builder_->add_force_motion(std::move(component));
      if (first < 0) first = index;
    }
    planar::walk(bound, ShiftMotions{std::max(first, 0)});
    AppliedForce force{element.name, F<double>::type, F<double>::kind, element.where, {}, {}, -1};
    if constexpr (requires { bound.friction; }) {
      signal_.add_friction(bound.friction, bound.friction_speed, law_variables_);
      if (signal_.where.line == 0) signal_.where = element.where;
      if (!signal_.empty()) force.signal = builder_->add(signal_);
    }
    if constexpr (F<double>::kind == planar::ForceKind::drive) {
      if (!motor_signal(bound, element, who)) return;
      force.signal = builder_->add(signal_);
    }
    if constexpr (std::is_same_v<F<double>, planar::Spring<double>>) {
      if (bound.free_length.value == 0 && bound.damping == 0 && force.signal < 0) {
        builder_->add<planar::CentredSpring>({bound.i, bound.j, bound.stiffness}, std::move(force));
        return;
      }
    }
    builder_->add<F>(bound, std::move(force));
  }

  std::vector<double> mass_diagonal() const {
    std::vector<double> diagonal;
    for (std::size_t b = 1; b < bodies_.size(); ++b) {
      const double mass = bodies_[b].mass.value_or(0);
      diagonal.insert(diagonal.end(), {mass, mass, bodies_[b].inertia.value_or(0)});
    }
    return diagonal;
  }

  // The constant that makes the equation hold at t = 0 at the drawn positions.
  template <class E>
  bool settle(E& bound, const std::string& who) {
    std::vector<double> motions(1, 0.0);
    for (const PrescribedMotion& motion : motions_) {
      if (const auto fault = motion.function.evaluate(0.0, motions[0])) {
        complain({motion.where.line, motion.where.column + std::max(fault->column - 1, 0)},
                 who + ": motion: " + fault->sentence + ", at t = 0");
        return false;
      }
    }
    if constexpr (requires { bound.settle(planar::World<double>{}); }) bound.settle({drawn_, motions});
    return true;
  }

  template <class E>
  bool accepted(const E& bound, const Element& element, const std::string& who) {
    constexpr bool constraint = requires { bound.residual(planar::World<double>{}); };
    planar::Refusals because(kZeroLength * length_scale_);
    bound.refuse(because);
    std::set<int> carriers;
    E copy = bound;
    planar::walk(copy, Carriers{carriers});
    if (carriers == std::set{0} && because.reasons().empty())
      because.when(true, "", constraint ? "every side is on the ground: it holds nothing" : "acts on the ground alone: it moves nothing");
    for (const auto& reason : because.reasons()) {
      const Entry* entry = reason.key.empty() ? nullptr : element.find(reason.key);
      const Where where = entry == nullptr ? element.where : place(entry->value, entry->where);
      std::string key(reason.key), sentence = reason.sentence;
      if (sentence.starts_with("both ") && carriers.size() == 1)
        sentence += ", '" + bodies_[static_cast<std::size_t>(*carriers.begin())].name + "'";
      if (!key.empty()) key += entry == nullptr ? " (left out, so as drawn): " : ": ";
      if (sentence == laws::kNoneNegative && entry != nullptr) sentence += ", found " + listed(std::get<std::vector<Text>>(entry->value));
      if ((sentence.starts_with("must be") || sentence.starts_with("must not be negative"))) sentence.insert(std::min(sentence.find(';'), sentence.size()), found(entry));
      complain(where, who + ": " + key + sentence);
    }
    return because.reasons().empty();
  }

  std::string found(const Entry* entry) {
    const Text* text = entry == nullptr ? nullptr : std::get_if<Text>(&entry->value);
    const auto value = text == nullptr ? std::nullopt : number(*text, "");
    return value ? ", found " + shown(*value) : "";
  }

  std::string listed(const std::vector<Text>& texts) {
    std::string out;
    for (const Text& text : texts) out += (out.empty() ? "" : ", ") + shown(number(text, "").value_or(0));
    return "[" + out + "]";
  }

  static Where place(const Value& value, Where otherwise) {
    if (const Text* text = std::get_if<Text>(&value)) return text->where;
    if (const auto* texts = std::get_if<std::vector<Text>>(&value); texts != nullptr && !texts->empty())
      return (*texts)[0].where;
    return otherwise;
  }

  struct SetMotion {
    int index;
    void number(double) const {}
    void slot(int) const {}
    void motion(int& m) const { m = index; }
  };
  // A force's functions of time follow one another in the system's list.
  struct ShiftMotions {
    int first;
    void number(double) const {}
    void slot(int) const {}
    void motion(int& m) const { m += first; }
  };
  struct Carriers {
    std::set<int>& out;
    void number(double) const {}
    void slot(int body) const { out.insert(body); }
    void motion(int) const {}
  };

  PlanarSystem::Builder* builder_ = nullptr;
  std::vector<PlaneStop> stops_;
  std::vector<std::function<void()>> frictions_;
  bool failed_ = false;
  // of the element at hand
  Group group_{};
  std::vector<PrescribedMotion> motions_;
  std::vector<ForceComponent> components_;
  ForceSignal signal_;
  std::vector<std::string> law_variables_;
  Text curve_;  // the path of its table
};

}  // namespace

Result<PlaneMechanism> build_plane(const Model& model, const Tables& known) {
  if (model.space != Space::plane) {
    Problems problems{error({}, "space: this is a spatial model: expected a mechanism in the plane", "build_space builds it")};
    locate(problems, model.file);
    return problems;
  }
  return Build(model, known).run();
}

}  // namespace jounce
