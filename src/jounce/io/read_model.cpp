#include "jounce/io/read_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "jounce/base/files.hpp"
#include "jounce/base/path.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/io/model_names.hpp"
#include "jounce/io/model_types.hpp"
#include "jounce/io/read_values.hpp"
#include "jounce/io/toml_tree.hpp"
#include "jounce/results/units.hpp"

namespace jounce {
namespace {

using Kind = TomlNode::Kind;

constexpr std::size_t kMaxModel = std::size_t{64} << 20U;

std::vector<std::string> type_names(Space space, Group group) {
  std::vector<std::string> names;
  for (const TypeInfo& type : types(space, group)) names.emplace_back(type.type);
  return names;
}

// With the words that are understood besides.
std::vector<std::string> type_words(Space space, Group group) {
  std::vector<std::string> out = type_names(space, group);
  for (const TypeInfo& type : types(space, group))
    for (const std::string_view word : other_words(types(space, group), type)) out.emplace_back(word);
  return out;
}

std::vector<std::string> key_names(const TypeInfo& type) {
  std::vector<std::string> names;
  if (has_type(type.group)) names.emplace_back("type");
  for (const FieldInfo& field : type.fields) names.emplace_back(field.key);
  return names;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

// "3D" is refused, but what follows is read as it was meant.
bool means_space(std::string_view word) { return is_one_of(word, {"3d", "3D", "3", "three", "space", "spatial"}); }

// A name that must be unique over the whole file.
struct Claim {
  std::string element;  // "joint 'B'"
  std::string name;
  Where where;
};

class Reader {
 public:
  explicit Reader(ReadModel& out) : model_(out.model), space_where_(out.space) {}

  void read(const TomlNode& root);
  [[nodiscard]] Problems take_problems() { return values_.take_problems(); }

 private:
  [[nodiscard]] bool read_header(const TomlNode& root);
  void read_space(const TomlNode& node);
  void read_section(const TomlEntry& section);
  void unknown_section(const TomlEntry& section);
  void read_parameters(const TomlEntry& section);
  void read_measures(const TomlEntry& section);
  [[nodiscard]] EventSection event(const TomlEntry& entry, const std::string& called_element);
  [[nodiscard]] StopSection stop(const TomlEntry& entry, const std::string& called_element);
  void read_ground(const TomlEntry& section);
  std::vector<Element> visuals(const TomlNode& node, const std::string& called_element);
  void read_base(const TomlEntry& section);
  void read_actuators(const TomlEntry& section);
  void read_run(const TomlEntry& section);
  void read_units(const TomlEntry& section);

  // [bodies.NAME], [joints.NAME], ...; `one` reads one of them
  template <class List, class One>
  void read_named(const TomlEntry& section, std::string_view noun, List& out, One&& one);
  [[nodiscard]] Body body(const TomlEntry& entry, const std::string& called_element);
  void read_planar_body_key(const TomlEntry& entry, Body& body, const std::string& called_element);
  void read_spatial_body_key(const TomlEntry& entry, Body& body, const std::string& called_element);
  [[nodiscard]] std::vector<NamedPoint> points(const TomlNode& node, const std::string& called_element);
  [[nodiscard]] Element element(const TomlEntry& entry, const std::string& called_element, Group group);
  [[nodiscard]] const TypeInfo* type(const TomlEntry& entry, const std::string& called_element, Group group, Element& out);

  void check_name(const TomlEntry& entry, std::string_view called_element, bool claim);
  void check_claims();

  [[nodiscard]] bool in_plane() const { return model_.space == Space::plane; }

  Model& model_;
  Where& space_where_;
  ValueReader values_;
  std::vector<Claim> claims_;
};

void Reader::read(const TomlNode& root) {
  if (!read_header(root)) return;
  for (const TomlEntry& entry : root.entries) read_section(entry);
  check_claims();
}

// False for a file that only another version can read: what else it says cannot be judged.
bool Reader::read_header(const TomlNode& root) {
  if (const TomlEntry* version = root.find("jounce")) {
    if (version->value.kind != Kind::integer) values_.unexpected(version->value, "jounce", "the number 1");
    else if (version->value.text != "1") {
      values_.report(version->value.where, fmt::format("jounce: this version reads format 1, found {}", version->value.text));
      return false;
    }
  } else {
    values_.report({1, 1}, "jounce: the format version is missing", "begin the file with: jounce = 1");
  }

  if (const TomlEntry* name = root.find("name")) {
    const Text text = values_.word(name->value, "name", "a string");
    if (!text.text.empty()) model_.name = text.text;
  }

  if (const TomlEntry* space = root.find("space")) read_space(space->value);
  // spce = "3d" is one mistake, not one in every line that follows
  else if (std::ranges::any_of(root.entries, [](const TomlEntry& entry) {
             return entry.key != "name" && entry.value.kind == Kind::string && means_space(entry.value.text);
           }))
    model_.space = Space::three;
  return true;
}

void Reader::read_space(const TomlNode& node) {
  constexpr std::string_view kExpected = "\"plane\" or \"3d\"";
  const Text text = values_.word(node, "space", kExpected);
  space_where_ = text.where;
  if (means_space(text.text)) model_.space = Space::three;
  if (!text.text.empty() && text.text != "plane" && text.text != "3d")
    values_.report(text.where, fmt::format("space: expected {}, found {}", kExpected, called(text.text)));
}

void Reader::read_section(const TomlEntry& section) {
  const std::string& key = section.key;
  const auto elements = [&](Group group, std::vector<Element>& list) {
    const auto one = [&](const TomlEntry& entry, const std::string& called_element) {
      return element(entry, called_element, group);
    };
    read_named(section, word(group), list, one);
  };
  if (is_one_of(key, {"jounce", "name", "space"})) return;  // read by read_header
  if (key == "gravity")
    model_.gravity = in_plane() ? values_.numbers(section.value, key, 2, ValueReader::kTwoNumbers)
                                : values_.numbers(section.value, key, 3, expected(Form::triple));
  else if (key == "parameters") read_parameters(section);
  else if (key == "measures") read_measures(section);
  else if (key == "stops")
    read_named(section, "stop", model_.stops,
               [&](const TomlEntry& entry, const std::string& called_element) { return stop(entry, called_element); });
  else if (key == "events")
    read_named(section, "event", model_.events,
               [&](const TomlEntry& entry, const std::string& called_element) { return event(entry, called_element); });
  else if (key == "ground") read_ground(section);
  else if (key == "bodies")
    read_named(section, "body", model_.bodies,
               [&](const TomlEntry& entry, const std::string& called_element) { return body(entry, called_element); });
  else if (key == "joints") elements(Group::joint, model_.joints);
  else if (key == "forces") elements(Group::force, model_.forces);
  else if (key == "run") read_run(section);
  else if (key == "units") read_units(section);
  else if (key == "drivers" && in_plane()) elements(Group::driver, model_.drivers);
  else if (key == "couplings" && !in_plane()) elements(Group::coupling, model_.couplings);
  else if (key == "loops" && !in_plane()) elements(Group::loop, model_.loops);
  else if (key == "base" && !in_plane()) read_base(section);
  else if (key == "actuators" && !in_plane()) read_actuators(section);
  else unknown_section(section);
}

void Reader::unknown_section(const TomlEntry& section) {
  if (!in_plane() && section.key == "drivers")
    return values_.report(section.where, "unknown key 'drivers'", "in space a dof is driven by motion in its joint's dofs");
  if (in_plane() && is_one_of(section.key, {"couplings", "loops", "base", "actuators"}))
    return values_.report(section.where, fmt::format("unknown key '{}'", section.key),
                          fmt::format("[{}] belongs to a model in space: space = \"3d\"", section.key));
  std::vector<std::string> known{"jounce", "name", "space", "gravity", "parameters", "measures", "stops", "events", "ground", "bodies", "joints"};
  if (in_plane()) known.insert(known.end(), {"drivers", "forces", "units", "run"});
  else known.insert(known.end(), {"couplings", "loops", "base", "actuators", "forces", "units", "run"});
  values_.unknown_key(section, "", known, "a model has the keys");
}

void Reader::read_parameters(const TomlEntry& section) {
  if (section.value.kind != Kind::table) return values_.unexpected(section.value, section.key, "a section [parameters]");
  model_.parameters.reserve(section.value.entries.size());
  for (const TomlEntry& entry : section.value.entries) {
    const std::string place = "parameter " + called(entry.key);
    check_name(entry, place, false);
    model_.parameters.push_back({entry.key, entry.where, values_.number(entry.value, place)});
  }
}

void Reader::read_measures(const TomlEntry& section) {
  if (section.value.kind != Kind::table) return values_.unexpected(section.value, section.key, "a section [measures]");
  for (const TomlEntry& entry : section.value.entries) {
    const std::string place = "measure " + called(entry.key);
    check_name(entry, place, true);
    model_.measures.push_back({entry.key, entry.where, values_.number(entry.value, place)});
  }
}

EventSection Reader::event(const TomlEntry& entry, const std::string& called_element) {
  EventSection out{.name = entry.key, .where = entry.where};
  for (const TomlEntry& key : entry.value.entries) {
    const std::string place = called_element + ": " + key.key;
    if (key.key == "when") out.when = values_.word(key.value, place, "an expression in quotes");
    else if (key.key == "direction") out.direction = values_.word(key.value, place, "\"rising\", \"falling\" or \"both\"");
    else if (key.key == "stop") out.stop = values_.yes_or_no(key.value, place);
    else values_.unknown_key(key, called_element, {"when", "direction", "stop"}, "an event has the keys");
  }
  if (entry.value.find("when") == nullptr)
    values_.report(entry.where, called_element + ": when is missing: expected an expression in quotes", "an event happens where it passes zero");
  return out;
}

StopSection Reader::stop(const TomlEntry& entry, const std::string& called_element) {
  StopSection out{.name = entry.key, .where = entry.where};
  for (const TomlEntry& key : entry.value.entries) {
    const std::string place = called_element + ": " + key.key;
    if (key.key == "of") out.of = values_.word(key.value, place, "an expression in quotes");
    else if (key.key == "min") out.min = values_.number(key.value, place);
    else if (key.key == "max") out.max = values_.number(key.value, place);
    else if (key.key == "restitution") out.restitution = values_.number(key.value, place);
    else values_.unknown_key(key, called_element, {"of", "min", "max", "restitution"}, "a stop has the keys");
  }
  if (entry.value.find("of") == nullptr)
    values_.report(entry.where, called_element + ": of is missing: expected an expression in quotes", "what may not pass 'min' or 'max'");
  return out;
}

void Reader::read_ground(const TomlEntry& section) {
  model_.ground.where = section.where;
  if (section.value.kind != Kind::table) return values_.unexpected(section.value, section.key, "a section [ground]");
  for (const TomlEntry& entry : section.value.entries) {
    if (entry.key == "points") model_.ground.points = points(entry.value, "ground");
    else if (entry.key == "visuals" && !in_plane()) model_.ground.visuals = visuals(entry.value, "ground");
    else if (in_plane()) values_.unknown_key(entry, "ground", {"points"}, "the ground is fixed and has only the key");
    else values_.unknown_key(entry, "ground", {"points", "visuals"}, "the ground is fixed and has only the keys");
  }
}

void Reader::read_base(const TomlEntry& section) {
  if (section.value.kind != Kind::table) return values_.unexpected(section.value, section.key, "a section [base]");
  BaseSection& base = model_.base.emplace();
  base.where = section.where;
  const std::string place = "[base]: start_momentum";
  const std::string_view words = expected(Form::start_momentum);
  for (const TomlEntry& entry : section.value.entries) {
    if (entry.key != "start_momentum") {
      values_.unknown_key(entry, "[base]", {"start_momentum"}, "[base] has only the key");
      continue;
    }
    Text text = values_.word(entry.value, place, words);
    if (is_one_of(text.text, {"zero", "impulsive"})) base.start_momentum = std::move(text);
    else if (!text.text.empty())
      values_.report(text.where, fmt::format("{}: expected {}, found {}", place, words, called(text.text)));
  }
}

void Reader::read_actuators(const TomlEntry& section) {
  if (section.value.kind != Kind::table) return values_.unexpected(section.value, section.key, "a section [actuators]");
  ActuatorSection& actuators = model_.actuators.emplace();
  actuators.where = section.where;
  for (const TomlEntry& entry : section.value.entries) {
    if (entry.key == "dofs") actuators.dofs = values_.words(entry.value, "[actuators]: dofs", expected(Form::dof_names));
    else values_.unknown_key(entry, "[actuators]", {"dofs"}, "[actuators] has only the key");
  }
  if (section.value.find("dofs") == nullptr)
    values_.report(section.where, fmt::format("[actuators]: dofs is missing: expected {}", expected(Form::dof_names)));
}

void Reader::read_run(const TomlEntry& section) {
  if (section.value.kind != Kind::table) return values_.unexpected(section.value, section.key, "a section [run]");
  RunSection& run = model_.run.emplace();
  run.where = section.where;
  for (const TomlEntry& entry : section.value.entries) {
    if (entry.key == "analysis")
      run.analysis =
          values_.word(entry.value, "[run]: analysis", "\"kinematics\", \"inverse\", \"dynamics\" or \"equilibrium\"");
    else if (entry.key == "to") run.to = values_.number(entry.value, "[run]: to");
    else if (entry.key == "steps") run.steps = values_.number(entry.value, "[run]: steps");
    else values_.unknown_key(entry, "[run]", {"analysis", "to", "steps"}, "[run] has the keys");
  }
}

// In which units results are shown; what a file says in numbers is SI all the same.
void Reader::read_units(const TomlEntry& section) {
  if (section.value.kind != Kind::table) return values_.unexpected(section.value, section.key, "a section [units]");
  Units units;
  for (const TomlEntry& entry : section.value.entries) {
    const std::string place = "[units]: " + entry.key;
    const bool known = !Units::known(entry.key).empty();
    const Text text = known ? values_.word(entry.value, place, "a unit in quotes such as \"mm\"") : Text{};
    if (known && text.text.empty()) continue;
    if (const auto trouble = units.choose(entry.key, text.text)) values_.report(known ? text.where : entry.where, (known ? place : "[units]") + ": " + trouble->sentence, trouble->hint);
    else model_.units.push_back({entry.key, entry.where, text});
  }
}

template <class List, class One>
void Reader::read_named(const TomlEntry& section, std::string_view noun, List& out, One&& one) {
  const std::string expected = fmt::format("[{}.NAME]", section.key);
  if (section.value.kind != Kind::table) return values_.unexpected(section.value, section.key, "sections such as " + expected);
  out.reserve(section.value.entries.size());
  for (const TomlEntry& entry : section.value.entries) {
    const std::string called_element = fmt::format("{} {}", noun, called(entry.key));
    check_name(entry, called_element, true);
    if (entry.value.kind != Kind::table) values_.unexpected(entry.value, called_element, "a section such as " + expected);
    if (entry.value.kind == Kind::table) out.push_back(one(entry, called_element));
    else out.push_back({.name = entry.key, .where = entry.where});
  }
}

Body Reader::body(const TomlEntry& entry, const std::string& called_element) {
  Body out{.name = entry.key, .where = entry.where};
  for (const TomlEntry& key : entry.value.entries) {
    if (in_plane()) read_planar_body_key(key, out, called_element);
    else read_spatial_body_key(key, out, called_element);
  }
  return out;
}

void Reader::read_planar_body_key(const TomlEntry& entry, Body& body, const std::string& called_element) {
  struct Number {
    std::string_view key;
    std::optional<Text> Body::*member;
  };
  struct Pair {
    std::string_view key;
    std::optional<std::vector<Text>> Body::*member;
  };
  static constexpr std::array kNumbers{Number{"mass", &Body::mass}, Number{"inertia", &Body::inertia},
                                       Number{"angle", &Body::angle}, Number{"spin", &Body::spin}};
  static constexpr std::array kPairs{Pair{"com", &Body::com}, Pair{"position", &Body::position},
                                     Pair{"velocity", &Body::velocity}};

  const auto has_key = [&](const auto& field) { return field.key == entry.key; };
  const auto number = std::ranges::find_if(kNumbers, has_key);
  const auto pair = std::ranges::find_if(kPairs, has_key);
  const auto place = [&] { return called_element + ": " + entry.key; };
  if (number != kNumbers.end()) body.*(number->member) = values_.number(entry.value, place());
  else if (pair != kPairs.end())
    body.*(pair->member) = values_.numbers(entry.value, place(), 2, ValueReader::kTwoNumbers);
  else if (entry.key == "points") body.points = points(entry.value, called_element);
  else if (entry.key == "shape") body.shape = element(entry, place(), Group::shape);
  else
    values_.unknown_key(entry, called_element,
                        {"mass", "inertia", "com", "position", "angle", "velocity", "spin", "points", "shape"},
                        "a body has the keys");
}

void Reader::read_spatial_body_key(const TomlEntry& entry, Body& body, const std::string& called_element) {
  const std::string place = called_element + ": " + entry.key;
  if (entry.key == "mass") body.mass = values_.number(entry.value, place);
  else if (entry.key == "inertia")
    body.inertia_matrix = values_.numbers(entry.value, place, 6, "six numbers [ixx, iyy, izz, ixy, ixz, iyz]");
  else if (entry.key == "inertia_as_written") body.inertia_as_written = values_.yes_or_no(entry.value, place);
  else if (entry.key == "com") body.com = values_.numbers(entry.value, place, 3, expected(Form::triple));
  else if (entry.key == "points") body.points = points(entry.value, called_element);
  else if (entry.key == "shape") body.shape = element(entry, place, Group::shape);
  else if (entry.key == "visuals") body.visuals = visuals(entry.value, called_element);
  else if (is_one_of(entry.key, {"position", "angle", "velocity", "spin"}))
    values_.report(entry.where, fmt::format("{}: unknown key {}", called_element, called(entry.key)),
                   "a body in space is placed by its joint");
  else
    values_.unknown_key(entry, called_element, {"mass", "inertia", "inertia_as_written", "com", "points", "shape", "visuals"}, "a body in space has the keys");
}

// What a body looks like: a list of tables, each with a type of its own.
std::vector<Element> Reader::visuals(const TomlNode& node, const std::string& called_element) {
  constexpr std::string_view kExample = "a list such as [ { type = \"box\", size = [0.1, 0.1, 0.4] } ]";
  std::vector<Element> out;
  if (!values_.is_list(node, called_element + ": visuals", "visuals", kExample)) return out;
  std::vector<std::string> names;
  for (const TypeInfo& type : tree::visual_types()) names.emplace_back(type.type);
  const std::string hint = fmt::format("the types of visuals are {}", join_names(names, names.size()));
  for (const TomlNode& item : node.items) {
    const std::string place = fmt::format("{}: visual {}", called_element, out.size() + 1);
    Element& visual = out.emplace_back();
    visual.where = item.where;
    if (item.kind != Kind::table) {
      values_.unexpected(item, place, "a table such as { type = \"box\", size = [0.1, 0.1, 0.4] }");
      continue;
    }
    const TomlEntry* type = item.find("type");
    if (type == nullptr) {
      values_.report(item.where, place + ": the type is missing", hint);
      continue;
    }
    const Text written = values_.word(type->value, place + ": type", "the name of a type in quotes");
    visual.type_where = written.where;
    if (written.text.empty()) continue;
    const TypeInfo* info = find_type(tree::visual_types(), written.text);
    if (info == nullptr) {
      values_.report(written.where, fmt::format("{}: type: unknown type {}{}", place, called(written.text), did_you_mean(written.text, names)), hint);
      continue;
    }
    visual.type = info->type;
    for (const TomlEntry& key : item.entries) {
      if (key.key == "type") continue;
      if (const FieldInfo* field = info->find(key.key)) visual.entries.push_back({key.key, key.where, values_.field(key.value, place + ": " + key.key, field->form)});
      else values_.unknown_key(key, place, key_names(*info), fmt::format("a '{}' has the keys", info->type));
    }
  }
  return out;
}

std::vector<NamedPoint> Reader::points(const TomlNode& node, const std::string& called_element) {
  std::vector<NamedPoint> out;
  if (node.kind != Kind::table)
    return values_.unexpected(node, called_element + ": points",
                              in_plane() ? "a table such as { A = [0, 0] }" : "a table such as { A = [0, 0, 0] }"),
           out;
  out.reserve(node.entries.size());
  for (const TomlEntry& entry : node.entries) {
    const std::string place = fmt::format("{}: point {}", called_element, called(entry.key));
    check_name(entry, place, false);
    if (std::ranges::find(kTakenPoints, entry.key) != kTakenPoints.end())
      values_.report(entry.where, place + ": this name is taken: every body has it already");
    NamedPoint& point = out.emplace_back(NamedPoint{.name = entry.key, .where = entry.where, .at = {}, .rpy = {}});
    if (in_plane()) point.at = values_.numbers(entry.value, place, 2, ValueReader::kTwoNumbers);
    else values_.point_in_space(entry.value, place, point);
  }
  return out;
}

// A joint, driver, force, shape, coupling or loop, by the catalogue.
Element Reader::element(const TomlEntry& entry, const std::string& called_element, Group group) {
  Element out{.where = entry.where};
  if (group != Group::shape) out.name = entry.key;
  if (entry.value.kind != Kind::table)
    return values_.unexpected(entry.value, called_element,
                              fmt::format("a table such as {{ type = \"{}\", from = \"A\", to = \"B\" }}",
                                          types(model_.space, group).front().type)),
           out;

  const bool typed = has_type(group);
  const TypeInfo* info = typed ? type(entry, called_element, group, out) : &types(model_.space, group).front();
  if (info == nullptr) return out;
  if (typed) out.type = info->type;
  for (const TomlEntry& key : entry.value.entries) {
    if (typed && key.key == "type") continue;
    const std::string place = called_element + ": " + key.key;
    if (const FieldInfo* field = info->find(key.key)) {
      const std::string own(field->key);  // `parent` of a joint of the plane is its `i`
      if (out.find(own) != nullptr) values_.report(key.where, fmt::format("{}: {} is another word for {}, which is there already", called_element, called(key.key), called(own == key.key ? other_word(*info, *field) : own)));
      else out.entries.push_back({own, key.where, values_.field(key.value, place, field->form)});
      continue;
    }
    const std::string kind = typed ? fmt::format("a{} '{}' {}", info->type.starts_with('a') ? "n" : "", info->type, word(group))
                                   : fmt::format("a {}", word(group));
    values_.unknown_key(key, called_element, key_names(*info), kind + " has the keys");
  }
  return out;
}

const TypeInfo* Reader::type(const TomlEntry& entry, const std::string& called_element, Group group, Element& out) {
  const std::vector<std::string> names = type_names(model_.space, group);
  const std::string hint =
      fmt::format("the {} types {}are {}", word(group), in_plane() ? "" : "in space ", join_names(names, names.size()));
  const TomlEntry* type = entry.value.find("type");
  if (type == nullptr) return values_.report(entry.where, called_element + ": the type is missing", hint), nullptr;

  const Text written = values_.word(type->value, called_element + ": type", "the name of a type in quotes");
  out.type_where = written.where;
  if (written.text.empty()) return nullptr;
  const TypeInfo* info = find_type(model_.space, group, written.text);
  if (info != nullptr) return info;
  for (const Group other : {Group::joint, Group::driver, Group::force})
    if (find_type(model_.space, other, written.text) != nullptr)
      return values_.report(written.where, fmt::format("{}: type: {} is a {} type, not a {} type", called_element,
                                                       called(written.text), word(other), word(group)),
                            hint),
             nullptr;
  values_.report(written.where,
                 fmt::format("{}: type: unknown {} type {}{}", called_element, word(group), called(written.text),
                             did_you_mean(written.text, type_words(model_.space, group))),
                 hint);
  return nullptr;
}

// `claim`: for an element, whose name is unique over the whole file.
void Reader::check_name(const TomlEntry& entry, std::string_view called_element, bool claim) {
  if (!is_bare_key(entry.key))
    return values_.report(entry.where, fmt::format("{}: a name has only letters, digits, '_' and '-'", called_element));
  if (!claim) return;
  if (std::ranges::find(kTakenNames, entry.key) != kTakenNames.end())
    return values_.report(entry.where, fmt::format("{}: this name is taken", called_element),
                          fmt::format("these are not free: {}", fmt::join(kTakenNames, ", ")));
  claims_.push_back({std::string(called_element), entry.key, entry.where});
}

void Reader::check_claims() {
  std::ranges::stable_sort(claims_, {}, &Claim::where);
  std::map<std::string_view, const Claim*> first;
  for (const Claim& claim : claims_) {
    const auto [it, is_new] = first.emplace(claim.name, &claim);
    if (is_new) continue;
    const Claim& before = *it->second;
    values_.report(claim.where,
                   fmt::format("{}: this name is already used by {} at line {}, column {}", claim.element, before.element,
                               before.where.line, before.where.column),
                   in_plane()
                       ? "the names of bodies, joints, drivers, forces, measures, stops and events are unique over the whole file"
                       : "the names of bodies, joints, couplings, loops, forces, measures, stops and events are unique over the whole file");
  }
}

}  // namespace

ReadModel parse_model(std::string_view text, std::string file_name) {
  ReadModel out;
  out.text = text;
  out.model.name = stem(file_name);
  Result<TomlNode> root = parse_toml(text);
  if (root) {
    Reader reader(out);
    reader.read(*root);
    out.problems = reader.take_problems();
  } else {
    out.problems = std::move(root.problems());
  }
  locate(out.problems, file_name);
  out.model.file = std::move(file_name);
  return out;
}

ReadModel parse_model_file(const std::string& path) {
  Result<std::string> text = read_file(path, kMaxModel);
  if (text) return parse_model(*text, path);
  ReadModel out;
  out.model.file = path;
  out.model.name = stem(path);
  out.problems = std::move(text.problems());
  return out;
}

}  // namespace jounce
