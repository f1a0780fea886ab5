#include "jounce/mechanism/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/expr/tokens.hpp"
#include "jounce/expr/units.hpp"
#include "jounce/planar/catalogue.hpp"
#include "jounce/tree/catalogue.hpp"

namespace jounce {
namespace {

// Each ending with that of its rate. Components (x, y, z, phi) and numbers follow the stem.
struct Family {
  std::array<std::string_view, 5> stems;
};
constexpr std::array kFamilies{Family{{"", "v", "a", "j", "s"}}, Family{{"w", "al", "aj", "as", ""}}};
constexpr std::array<std::string_view, 4> kComponents{"x", "y", "z", "phi"};
constexpr std::string_view kRateOfMultiplier = "_rate";

bool is_number(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

// The ending of the rate of what has this ending; empty where there is none.
std::string rate_ending(std::string_view ending) {
  for (const std::string_view component : kComponents) {
    if (!ending.ends_with(component)) continue;
    const std::string_view stem = ending.substr(0, ending.size() - component.size());
    for (const Family& family : kFamilies)
      for (std::size_t k = 0; k + 1 < family.stems.size(); ++k)
        if (family.stems[k] == stem && !family.stems[k + 1].empty())
          return std::string(family.stems[k + 1]) + std::string(component);
  }
  constexpr std::array<std::string_view, 5> kJoint{"q", "v", "a", "j", "s"};
  for (std::size_t k = 0; k + 1 < kJoint.size(); ++k)
    if (ending.starts_with(kJoint[k]) && is_number(ending.substr(1)))
      return std::string(kJoint[k + 1]) + std::string(ending.substr(1));
  if (ending == "l") return "v";
  if (ending == "theta") return "omega";
  if (ending.starts_with("lambda") && is_number(ending.substr(6))) return std::string(ending) + std::string(kRateOfMultiplier);
  return "";
}

// The rate of a quaternion, half of ω times it, ω in ground axes.
std::string quaternion_rate(const std::string& body, std::string_view ending) {
  const auto q = [&](char c) { return body + ".q" + c; };
  const auto w = [&](char c) { return body + ".w" + c; };
  const auto text = [&](const char* signs, std::array<char, 3> of_w, std::array<char, 3> of_q) {
    std::string out = "0.5*(0";
    for (std::size_t k = 0; k < 3; ++k) out += fmt::format(" {} {}*{}", signs[k], w(of_w[k]), q(of_q[k]));
    return out + ")";
  };
  if (ending == "qw") return text("---", {'x', 'y', 'z'}, {'x', 'y', 'z'});
  if (ending == "qx") return text("++-", {'x', 'y', 'z'}, {'w', 'z', 'y'});
  if (ending == "qy") return text("++-", {'y', 'z', 'x'}, {'w', 'x', 'z'});
  return text("++-", {'z', 'x', 'y'}, {'w', 'y', 'x'});
}

Where inside(Where where, int column) {
  return where.line > 0 ? Where{where.line, where.column + std::max(column - 1, 0)} : where;
}

std::string_view root_of(std::string_view name) { return name.substr(0, name.find('.')); }

}  // namespace

MechanismNames::MechanismNames(const std::vector<Parameter>& measures, Scope constants, Known known, ReadTable read_table)
    : measures_(measures),
      constants_(std::move(constants)),
      known_(std::move(known)),
      read_table_(std::move(read_table)),
      state_(measures.size(), State::unseen),
      values_(measures.size()),
      refusals_(measures.size()) {
  constants_.variables.insert(constants_.variables.begin(), "t");
  constants_.names = this;
  std::ranges::sort(known_.columns, {}, &Column::name);
}

std::vector<Measure> MechanismNames::compile(Problems& problems) {
  std::vector<Measure> out;
  for (std::size_t m = 0; m < measures_.size(); ++m) {
    settle(m);
    if (state_[m] != State::good) continue;
    Measure measure{measures_[m].name, measures_[m].value.where, *values_[m], std::nullopt, values_[m]->unit(), per_second(values_[m]->unit())};
    if (auto rate = Expression::parse("rate(" + measures_[m].value.text + ")", constants_)) measure.rate = *std::move(rate);
    out.push_back(std::move(measure));
  }
  std::ranges::move(problems_, std::back_inserter(problems));
  problems_.clear();
  return out;
}

void MechanismNames::settle(std::size_t m) {
  if (state_[m] != State::unseen) return;
  const Parameter& written = measures_[m];
  state_[m] = State::open;
  path_.push_back(m);
  if (written.value.text.empty() && written.value.where.line > 0) {  // what stands there is no expression: the reader has said so
    state_[m] = State::failed;
    path_.pop_back();
    return;
  }
  if (constants_.values.contains(written.name)) {
    problems_.push_back(error(written.where, fmt::format("measure '{}': a parameter has this name already", written.name)));
    state_[m] = State::failed;
  }
  std::optional<Expression> value = read(written.value, fmt::format("measure '{}'", written.name));
  if (!value) {
    state_[m] = State::failed;
  } else if (state_[m] == State::open) {
    values_[m] = *std::move(value);
    state_[m] = State::good;
  }
  path_.pop_back();
}

std::optional<Expression> MechanismNames::read(const Text& text, const std::string& who) {
  refused_.clear();
  Result<Expression> value = Expression::parse(text.text, constants_);
  if (value) return *std::move(value);
  if (!refused_.empty()) return std::nullopt;
  for (Problem problem : value.problems()) {
    if (problem.sentence == kToldElsewhere) continue;
    problem.where = inside(text.where, problem.where.column);
    problem.sentence = fmt::format("{}: {}", who, problem.sentence);
    problems_.push_back(std::move(problem));
  }
  return std::nullopt;
}

NameSource::Meaning MechanismNames::of_measure(std::size_t m) {
  if (state_[m] == State::open) {
    const auto from = std::ranges::find(path_, m);
    std::string circle;
    for (auto it = from; it != path_.end(); ++it) circle += measures_[*it].name + " -> ";
    return {.trouble = from + 1 == path_.end()
                           ? fmt::format("'{}' refers to itself", measures_[m].name)
                           : fmt::format("measures refer to each other in a circle: {}{}", circle, measures_[m].name)};
  }
  if (state_[m] == State::unseen) settle(m), refusals_[m] = refused_;
  if (state_[m] == State::good) return {.text = measures_[m].value.text};
  if (refusals_[m].empty()) return {};
  refused_ = refusals_[m];
  return {.trouble = fmt::format("measure '{}': {}", measures_[m].name, refused_)};
}

const Column* MechanismNames::column(std::string_view name) const {
  const auto it = std::ranges::lower_bound(known_.columns, name, {}, [](const Column& c) { return std::string_view(c.name); });
  return it != known_.columns.end() && it->name == name ? &*it : nullptr;
}

NameSource::Meaning MechanismNames::of_name(std::string_view name) {
  if (const Column* found = column(name)) return {.variable = found->name};
  const auto measure = [&](std::string_view text) { return std::ranges::find(measures_, text, &Parameter::name); };
  if (const auto it = measure(name); it != measures_.end()) return of_measure(static_cast<std::size_t>(it - measures_.begin()));
  if (name.ends_with(".rate"))
    if (const auto it = measure(name.substr(0, name.size() - 5)); it != measures_.end()) {
      Meaning out = of_measure(static_cast<std::size_t>(it - measures_.begin()));
      if (out.text) out.text = "rate(" + *out.text + ")";
      return out;
    }
  if (known_.text)
    if (auto text = known_.text(name)) return {.text = std::move(text)};
  if (std::string why = known_.why_not(name); !why.empty()) return refused_ = why, Meaning{.trouble = std::move(why)};
  return unknown(name);
}

std::vector<std::string> MechanismNames::plain_names() const {
  std::vector<std::string> out;
  for (const Parameter& measure : measures_) out.push_back(measure.name);
  return out;
}

NameSource::Meaning MechanismNames::unknown(std::string_view name) const {
  const std::string_view root = root_of(name);
  if (name.find('.') == name.npos) {
    if (std::ranges::find(known_.bodies, name) != known_.bodies.end())
      return {.trouble = fmt::format("'{}' is a body: expected a quantity of it, such as '{}.{}'", name, name,
                                     column(std::string(name) + ".phi") != nullptr ? "phi" : "x")};
    if (std::ranges::find(known_.others, name) != known_.others.end())
      return {.trouble = fmt::format("'{}' is no quantity by itself: expected one of its columns, '{}.…'", name, name)};
    return {.trouble = fmt::format("unknown name '{}'", name), .unknown = true};
  }
  // of an element that is there, what it has; else the nearest of all
  std::vector<std::string> own, all;
  for (const Column& c : known_.columns) (root_of(c.name) == root ? own : all).push_back(c.name);
  const auto nearest = nearest_name(name, own.empty() ? all : own);
  std::string sentence =
      fmt::format("unknown name '{}'{}", name, nearest ? fmt::format(" (did you mean '{}'?)", *nearest) : "");
  std::vector<std::string> endings;
  for (const std::string& c : own)
    if (std::ranges::count(c, '.') == std::ranges::count(name, '.')) endings.push_back(c.substr(root.size() + 1));
  if (own.empty()) return {.trouble = std::move(sentence), .unknown = true};
  return {.trouble = std::move(sentence), .unknown = true, .hint = fmt::format("'{}' has {}", root, join_names(endings, 24))};
}

bool MechanismNames::is_name(std::string_view name) const {
  const std::string_view root = root_of(name);
  const auto has = [&](const std::vector<std::string>& list, std::string_view what) {
    return std::ranges::find(list, what) != list.end();
  };
  if (root.find('-') != root.npos)
    return has(known_.bodies, root) || has(known_.others, root) ||
           std::ranges::find(measures_, root, &Parameter::name) != measures_.end();
  if (column(name) != nullptr) return true;
  const std::size_t dot = name.find('.');  // a point with a '-' in its name
  return dot != name.npos && has(known_.bodies, root) && known_.place(root, name.substr(dot + 1)).has_value();
}

std::size_t MechanismNames::name_with_dashes(std::string_view text) const {
  std::size_t end = 0;
  while (end < text.size() && (continues_name(text[end]) || text[end] == '.' || text[end] == '-')) ++end;
  for (std::size_t length = end; length > 0; --length) {
    const std::string_view name = text.substr(0, length);
    if (name.find('-') == name.npos) return 0;
    const bool whole = length == end || !continues_name(text[length]);
    if (whole && continues_name(name.back()) && is_name(name)) return length;
  }
  return 0;
}

bool MechanismNames::takes_names(std::string_view function) const { return function == "distance" || function == "angle"; }

NameSource::Meaning MechanismNames::of_call(std::string_view function, std::span<const std::string> names) {
  if (names.size() != 2) return {.trouble = fmt::format("'{}' takes 2 names, found {}", function, names.size())};
  if (function == "angle") {
    std::array<std::string, 2> angle;
    for (std::size_t k = 0; k < 2; ++k) {
      if (std::ranges::find(known_.bodies, names[k]) == known_.bodies.end())
        return {.trouble = fmt::format("angle: expected the name of a body, found '{}'", names[k])};
      if (names[k] == known_.bodies.front())
        angle[k] = "0";
      else if (column(names[k] + ".phi") != nullptr)
        angle[k] = names[k] + ".phi";
      else
        return {.trouble = "angle: two bodies in space have no angle between them",
                .hint = "the angle of a hinge is its coordinate, JOINT.q1"};
    }
    return {.text = fmt::format("{} - {}", angle[1], angle[0])};
  }
  std::array<std::vector<std::string>, 2> place;
  for (std::size_t k = 0; k < 2; ++k) {
    const std::size_t dot = names[k].find('.');
    const std::string_view body = root_of(names[k]);
    if (dot == std::string::npos || std::ranges::find(known_.bodies, body) == known_.bodies.end())
      return {.trouble = fmt::format("distance: expected a point such as 'body.P', found '{}'", names[k])};
    auto found = known_.place(body, std::string_view(names[k]).substr(dot + 1));
    if (!found) return {.trouble = fmt::format("distance: '{}' has no point '{}'", body, names[k].substr(dot + 1))};
    place[k] = *std::move(found);
  }
  std::string squares;
  for (std::size_t c = 0; c < place[0].size(); ++c)
    squares += fmt::format("{}({} - ({}))^2", c > 0 ? " + " : "", place[1][c], place[0][c]);
  return {.text = "sqrt(" + squares + ")"};
}

namespace {

// A force along the line between two points has a length; those that may be pulled by an actuator are such. A bushing is not.
bool has_length(const Model& model, const Element& force) {
  const TypeInfo* type = model.space == Space::three ? tree::find_type(Group::force, force.type) : planar::find_type(Group::force, force.type);
  return type != nullptr && find_field(type->fields, "actuator") != nullptr;
}

}  // namespace

void restrict_to(Depends depends, MechanismNames::Known& known, const Model& model) {
  std::vector<std::string> further;
  std::set<std::string, std::less<>> owners;  // of columns: they have no others
  for (const Column& column : known.columns) owners.emplace(root_of(column.name));
  std::erase_if(known.columns, [&](const Column& column) {
    const bool position = column.group == "position" || column.group == "joint-position";
    const bool state = position || (depends == Depends::on_state && (column.group == "velocity" || column.group == "joint-velocity"));
    if (!state && column.group != "time") further.push_back(column.name);
    return !state;
  });
  known.text = [&model, other = std::move(known.text)](std::string_view name) -> std::optional<std::string> {
    if (other)
      if (auto text = other(name)) return text;
    const std::size_t dot = name.find('.');
    const auto force = std::ranges::find(model.forces, root_of(name), &Element::name);
    if (force == model.forces.end() || dot == name.npos) return std::nullopt;
    const std::string_view ending = name.substr(dot + 1);
    const auto end = [&](const char* key) {
      const Entry* entry = force->find(key);
      const Text* text = entry == nullptr ? nullptr : std::get_if<Text>(&entry->value);
      return text == nullptr ? std::string() : text->text;
    };
    const std::string i = end("i"), j = end("j");
    if (i.empty() || j.empty()) return std::nullopt;
    const bool points = i.find('.') != i.npos;
    if (points && !has_length(model, *force)) return std::nullopt;
    const std::string measure = fmt::format("{}({}, {})", points ? "distance" : "angle", i, j);
    if (ending == (points ? "l" : "theta")) return measure;
    if (ending == (points ? "v" : "omega")) return "rate(" + measure + ")";
    return std::nullopt;
  };
  known.why_not = [depends, further = std::move(further), owners = std::move(owners), others = known.others](std::string_view name) -> std::string {
    const std::string_view root = root_of(name);
    const bool whole = root == "energy" || root == "momentum" || root == "com" || root == "constraint";
    const bool of_others = whole || (!owners.contains(root) && std::ranges::find(others, root) != others.end());
    if (std::ranges::find(further, name) == further.end() && (name.find('.') == name.npos || !of_others)) return "";
    if (depends != Depends::on_state)
      return fmt::format("'{}' cannot stand in {}: expected positions, t and measures of these", name, depends == Depends::of_stop ? "a stop" : "an equation");
    return fmt::format("'{}' cannot stand in a load, which decides it: expected positions, velocities, t and measures of these", name);
  };
}

NameSource::Meaning MechanismNames::rate_of(const std::string& variable) {
  const std::size_t dot = variable.rfind('.');
  const std::string owner = variable.substr(0, dot), ending = dot == std::string::npos ? "" : variable.substr(dot + 1);
  const Column* own = column(variable);
  const std::string group = own == nullptr ? "" : own->group;
  if (group == "position" && (ending == "qw" || ending == "qx" || ending == "qy" || ending == "qz"))
    return {.text = quaternion_rate(owner, ending)};
  // the coordinates of a ball or a free body are not the integrals of its rates
  const auto count = [&](const char* stem) {
    int n = 0;
    while (column(owner + "." + stem + std::to_string(n + 1)) != nullptr) ++n;
    return n;
  };
  const bool integral = group != "joint-position" || count("q") == count("v");
  if (const std::string rate = integral ? rate_ending(ending) : ""; !rate.empty())
    if (const Column* found = column(owner + "." + rate)) return {.variable = found->name};
  if (std::string why = known_.why_not(owner + "." + rate_ending(ending)); integral && !why.empty())
    return refused_ = why, Meaning{.trouble = std::move(why)};
  return {.trouble = fmt::format("'{}' has no rate among the results", variable)};
}

std::string MechanismNames::unit_of(const std::string& variable) const {
  const Column* found = column(variable);
  return found == nullptr ? "" : found->unit;
}

}  // namespace jounce
