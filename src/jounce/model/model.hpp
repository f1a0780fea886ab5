// What the user wrote: plain data with source positions, nothing evaluated.
//
// Numbers are kept as text (a number or an expression), references as text ("crank.A"), so that a model can be written back as
// it was read, and so that changing a parameter changes everything that follows from it. `build` (plane/mechanism.hpp) gives it
// meaning and reports what has none.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "jounce/base/problem.hpp"

namespace jounce {

/// A number, an expression, a reference or a word, as written.
struct Text {
  std::string text;
  Where where;         ///< of the first character of the text (inside the quotes, if there are any)
  bool quoted = true;  ///< false for a bare TOML number

  Text() = default;
  Text(std::string t, Where w, bool q) : text(std::move(t)), where(w), quoted(q) {}
  Text(const char* t) : text(t) {}
  Text(std::string t) : text(std::move(t)) {}
  Text(double number);

  /// Where it was written does not matter.
  friend bool operator==(const Text& a, const Text& b) { return a.text == b.text; }
};

/// `{ table = "file.csv" }`
struct TableFile {
  Text path;
  friend bool operator==(const TableFile&, const TableFile&) = default;
};

/// std::monostate: something was written here that could not be read; it has been reported.
using PlainValue = std::variant<std::monostate, Text, std::vector<Text>, TableFile>;

/// A table inside an element: `{ xyz = [0, 0, 1], rpy = [0, 0, 0] }`, or one of the `dofs` of a joint.
struct Table {
  struct Entry {
    std::string key;
    Where where;  ///< of the key
    PlainValue value;
    friend bool operator==(const Entry& a, const Entry& b) { return a.key == b.key && a.value == b.value; }
  };
  Where where;
  std::vector<Entry> entries;

  [[nodiscard]] const Entry* find(std::string_view key) const;
  Table& set(std::string key, PlainValue value);  ///< adds or replaces an entry
  friend bool operator==(const Table& a, const Table& b) { return a.entries == b.entries; }
};

using Value = std::variant<std::monostate, Text, std::vector<Text>, TableFile,  //
                           Table,                           ///< a placement, or the motion of a joint
                           std::vector<Table>,              ///< dofs
                           std::vector<std::vector<Text>>>;  ///< screws

struct Entry {
  std::string key;
  Where where;  ///< of the key
  Value value;
  friend bool operator==(const Entry& a, const Entry& b) { return a.key == b.key && a.value == b.value; }
};

/// A joint, a driver, a force or a shape: a type and its keys.
struct Element {
  std::string name;
  std::string type;
  Where where;       ///< of the name
  Where type_where;  ///< of the type's text
  std::vector<Entry> entries;

  [[nodiscard]] const Entry* find(std::string_view key) const;
  Element& set(std::string key, Value value);  ///< adds or replaces an entry
  friend bool operator==(const Element& a, const Element& b) {
    return a.name == b.name && a.type == b.type && a.entries == b.entries;
  }
};

struct NamedPoint {
  std::string name;
  Where where;
  std::vector<Text> at;   ///< two numbers, three in space; empty when it could not be read
  std::vector<Text> rpy;  ///< in space: the axes at the point, empty for those of the body
  friend bool operator==(const NamedPoint& a, const NamedPoint& b) {
    return a.name == b.name && a.at == b.at && a.rpy == b.rpy;
  }
};

struct Body {
  std::string name;
  Where where;
  std::optional<Text> mass, inertia;
  std::optional<std::vector<Text>> inertia_matrix;  ///< in space: ixx, iyy, izz, ixy, ixz, iyz
  bool inertia_as_written = false;                  ///< in space: it is taken even if no body can have it
  std::optional<std::vector<Text>> com;
  std::optional<std::vector<Text>> position, velocity;
  std::optional<Text> angle, spin;
  std::vector<NamedPoint> points;
  std::optional<Element> shape;
  std::vector<Element> visuals;  ///< in space: what it looks like besides its shape, for drawings alone

  Body& point(std::string name, Text x, Text y);
  Body& point(std::string name, Text x, Text y, Text z);  ///< in space
  [[nodiscard]] const NamedPoint* find_point(std::string_view name) const;
  friend bool operator==(const Body& a, const Body& b) {
    return a.name == b.name && a.mass == b.mass && a.inertia == b.inertia && a.inertia_matrix == b.inertia_matrix &&
           a.inertia_as_written == b.inertia_as_written && a.com == b.com && a.position == b.position && a.velocity == b.velocity && a.angle == b.angle && a.spin == b.spin && a.points == b.points && a.shape == b.shape && a.visuals == b.visuals;
  }
};

struct Parameter {
  std::string name;
  Where where;  ///< of the name
  Text value;
  friend bool operator==(const Parameter& a, const Parameter& b) { return a.name == b.name && a.value == b.value; }
};

/// Something to notice along a run: an expression that passes zero.
struct EventSection {
  std::string name;
  Where where;  ///< of the name
  Text when{};
  std::optional<Text> direction{};  ///< "rising", "falling" or "both", as if nothing is written
  bool stop = false;                ///< the run ends there

  friend bool operator==(const EventSection& a, const EventSection& b) {
    return a.name == b.name && a.when == b.when && a.direction == b.direction && a.stop == b.stop;
  }
};

/// A one-sided constraint: an expression of positions and t that may not pass a bound.
struct StopSection {
  std::string name;
  Where where;  ///< of the name
  Text of{};
  std::optional<Text> min{}, max{}, restitution{};

  friend bool operator==(const StopSection& a, const StopSection& b) {
    return a.name == b.name && a.of == b.of && a.min == b.min && a.max == b.max && a.restitution == b.restitution;
  }
};

/// What `jounce run` does.
struct RunSection {
  Where where;
  std::optional<Text> analysis, to, steps;
  friend bool operator==(const RunSection& a, const RunSection& b) {
    return a.analysis == b.analysis && a.to == b.to && a.steps == b.steps;
  }
};

/// How the joint rates of a spatial model begin.
struct BaseSection {
  Where where;
  std::optional<Text> start_momentum;
  friend bool operator==(const BaseSection& a, const BaseSection& b) { return a.start_momentum == b.start_momentum; }
};

/// In space: whose efforts carry the prescribed motions.
struct ActuatorSection {
  Where where;
  std::vector<Text> dofs;  ///< "leg1", or "wrist.2" for one dof of a joint
  friend bool operator==(const ActuatorSection& a, const ActuatorSection& b) { return a.dofs == b.dofs; }
};

enum class Space { plane, three };

struct Model {
  std::string file;  ///< where it came from: messages name it, and table paths are relative to it
  std::string name;
  Space space = Space::plane;
  std::vector<Text> gravity;  ///< two numbers, three in space, or empty for none
  std::vector<Parameter> parameters;
  std::vector<Parameter> measures;  ///< named expressions of what the mechanism does
  std::vector<StopSection> stops;
  std::vector<EventSection> events;
  Body ground{.name = "ground"};
  std::vector<Body> bodies;
  std::vector<Element> joints, drivers, forces;
  std::vector<Element> couplings, loops;  ///< in space; a coupling has no type
  std::optional<BaseSection> base;        ///< in space
  std::optional<ActuatorSection> actuators;  ///< in space
  std::optional<RunSection> run;
  std::vector<Parameter> units;  ///< in which results are shown: "mm" for the quantity "length" (results/units.hpp)

  // For building a model in code. Names and keys are those of the model file; what is wrong is said when a mechanism is built of it. A
  // reference that these give is good until the next element of its kind is added or removed.
  void parameter(std::string name, Text value);  ///< adds or replaces
  void measure(std::string name, Text value);    ///< adds or replaces
  EventSection& event(std::string name, Text when);  ///< adds or replaces
  StopSection& stop(std::string name, Text of);      ///< adds or replaces
  Body& body(std::string name);                  ///< the body of that name, made if it is not there
  Element& joint(std::string name, std::string type);
  Element& driver(std::string name, std::string type);
  Element& force(std::string name, std::string type);
  Element& loop(std::string name, std::string type);  ///< in space
  Element& coupling(std::string name);                ///< in space
  /// What `jounce run` does.
  void plan(std::string analysis, Text to, Text steps);
  /// Takes a body, joint, driver, force, loop, coupling, measure, stop or event away; false when there is none of that name.
  bool remove(std::string_view name);

  [[nodiscard]] const Body* find_body(std::string_view name) const;

  /// The same model; where it was written does not matter.
  friend bool operator==(const Model& a, const Model& b) {
    return a.name == b.name && a.space == b.space && a.gravity == b.gravity && a.parameters == b.parameters &&
           a.measures == b.measures && a.stops == b.stops && a.events == b.events && a.ground == b.ground && a.bodies == b.bodies && a.joints == b.joints &&
           a.drivers == b.drivers && a.forces == b.forces && a.couplings == b.couplings && a.loops == b.loops &&
           a.base == b.base && a.actuators == b.actuators && a.run == b.run && a.units == b.units;
  }
};

}  // namespace jounce
