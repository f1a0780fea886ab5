#include "jounce/io/urdf/urdf_robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "jounce/base/suggest.hpp"
#include "jounce/base/text.hpp"
#include "jounce/expr/names.hpp"
#include "jounce/expr/tokens.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce::urdf {
namespace {

using Words = std::span<const std::string_view>;

constexpr double kUnitLength = 1e-6;     // an axis this near to unit length is meant to have it
constexpr double kShortestAxis = 1e-9;   // below, it is no direction but what is left of one

constexpr std::array<std::string_view, 2> kOrigin{"xyz", "rpy"};
constexpr std::array<std::string_view, 1> kAxis{"xyz"}, kMass{"value"};
constexpr std::array<std::string_view, 6> kInertia{"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
constexpr std::array<std::string_view, 3> kMimic{"joint", "multiplier", "offset"};
constexpr std::array<std::string_view, 2> kDynamics{"damping", "friction"};
constexpr std::string_view kUnseen = "a <visual> that cannot be read is left out";
constexpr std::array<std::string_view, 5> kMeaningless{"gazebo", "transmission", "sensor", "safety_controller", "calibration"};

bool is_in(std::string_view word, Words words) { return std::ranges::find(words, word) != words.end(); }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Angles of a rotation. The roll is found after the yaw has been taken out, so that the three together are exact even where
// the pitch is a right angle and each of the two others is left to rounding.
Vec3<double> to_rpy(const Mat3<double>& m) {
  const double yaw = std::atan2(m.x.y, m.x.x);
  const auto [s, c] = sincos(yaw);
  return {std::atan2(s * m.z.x - c * m.z.y, c * m.y.y - s * m.y.x), std::atan2(-m.x.z, std::hypot(m.x.x, m.x.y)), yaw};
}

class Reader {
 public:
  Reader(Problems& problems, Remarks& remarks) : problems_(problems), remarks_(remarks) {}

  Robot read(const XmlElement& root);

 private:
  void read_link(const XmlElement& element, Robot& robot);
  void read_joint(const XmlElement& element, Robot& robot);
  void read_visual(const XmlElement& element, Link& link);
  std::string read_material(const XmlElement& element);
  std::optional<Inertial> read_inertial(const XmlElement& element, const std::string& owner);
  std::optional<Joint::Kind> read_kind(const XmlElement& element, const std::string& owner);
  std::optional<Name> read_reference(const XmlElement& joint, std::string_view child, const std::string& owner);
  Placement read_origin(const XmlElement& in, const std::string& owner);
  Vec3<double> read_axis(const XmlElement& joint, const Joint& out, const std::string& owner);
  void read_dynamics(const XmlElement& joint, Joint& out, const std::string& owner);
  std::optional<Mimic> read_mimic(const XmlElement& joint, const std::string& owner);
  std::optional<Limits> read_limits(const XmlElement& joint, const Joint& out, const std::string& owner);

  void fail(Where where, std::string sentence, std::string hint = {}) {
    problems_.push_back(error(where, std::move(sentence), std::move(hint)));
  }
  void leave_out(const XmlElement& element, std::string_view inside);
  void only_attributes(const XmlElement& element, Words allowed, const std::string& owner);
  std::optional<Name> required(const XmlElement& element, std::string_view attribute, const std::string& owner);
  const XmlElement* only_child(const XmlElement& in, std::string_view name, const std::string& owner);
  double number(const XmlElement& element, std::string_view attribute, const std::string& owner, double otherwise);
  Vec3<double> vector(const XmlElement& element, std::string_view attribute, const std::string& owner);
  bool numbers(const XmlAttribute& attribute, const std::string& owner, std::span<double> out);
  bool one_number(std::string_view word, Where where, const std::string& owner, double& out);

  Problems& problems_;
  Remarks& remarks_;
  std::map<std::string, std::string, std::less<>> materials_;  // colours by the name
};

// ---- elements ---------------------------------------------------------------------------------------------------------------

Robot Reader::read(const XmlElement& root) {
  Robot out{.where = root.where};
  if (root.name != "robot") {
    fail(root.where, fmt::format("expected <robot> at the top, found <{}>", shown(root.name)));
    return out;
  }
  if (const XmlAttribute* name = root.find("name")) out.name = name->value;
  for (const XmlElement& element : root.children) {
    if (element.name == "link")
      read_link(element, out);
    else if (element.name == "joint")
      read_joint(element, out);
    else if (element.name == "material")
      read_material(element);
    else
      leave_out(element, "a robot");
  }
  for (Link& link : out.links)
    for (Visual& visual : link.visuals)
      if (const auto found = materials_.find(visual.material); visual.colour.empty() && found != materials_.end()) visual.colour = found->second;
  if (out.links.empty() && problems_.empty()) fail(root.where, "the robot has no <link>");
  return out;
}

void Reader::read_link(const XmlElement& element, Robot& robot) {
  const auto name = required(element, "name", "a <link>");
  if (!name) return;
  const std::string owner = fmt::format("link '{}'", shown(name->text));
  Link& out = robot.links.emplace_back(Link{*name, {}});
  for (const XmlElement& child : element.children)
    if (child.name == "visual") read_visual(child, out);
    else if (child.name != "inertial") leave_out(child, "a link");
  const XmlElement* inertial = only_child(element, "inertial", owner);
  if (inertial == nullptr) return;
  out.inertial = read_inertial(*inertial, owner + ": inertial");
}

// A picture is never worth an error: what cannot be read is left out.
void Reader::read_visual(const XmlElement& element, Link& link) {
  const std::size_t before = problems_.size();
  Visual out{.where = element.where};
  const std::string owner = "visual";
  out.origin = read_origin(element, owner);
  const XmlElement* geometry = only_child(element, "geometry", owner);
  const XmlElement* solid = geometry == nullptr || geometry->children.size() != 1 ? nullptr : geometry->children.data();
  bool whole = solid != nullptr;
  if (whole) {
    const auto positive = [&](std::string_view attribute) {
      const double x = required(*solid, attribute, owner) ? number(*solid, attribute, owner, 0) : 0;
      whole = whole && x > 0;
      return x;
    };
    if (solid->name == "box") {
      out.kind = Visual::Kind::box;
      out.size = required(*solid, "size", owner) ? vector(*solid, "size", owner) : Vec3<double>{};
      whole = out.size.x > 0 && out.size.y > 0 && out.size.z > 0;
    } else if (solid->name == "cylinder") {
      out.kind = Visual::Kind::cylinder;
      out.radius = positive("radius"), out.length = positive("length");
    } else if (solid->name == "sphere") {
      out.kind = Visual::Kind::sphere;
      out.radius = positive("radius");
    } else if (solid->name == "mesh") {
      out.kind = Visual::Kind::mesh;
      if (const auto file = required(*solid, "filename", owner)) out.file = file->text;
      if (solid->find("scale") != nullptr) out.size = vector(*solid, "scale", owner);
      whole = !out.file.empty() && out.size.x != 0 && out.size.y != 0 && out.size.z != 0;
    } else {
      whole = false;
    }
  }
  if (const XmlElement* material = only_child(element, "material", owner)) {
    if (const XmlAttribute* name = material->find("name")) out.material = name->value;
    out.colour = read_material(*material);
  }
  const bool clean = problems_.size() == before;
  problems_.resize(before);
  if (!whole || !clean) return remarks_.add(std::string(kUnseen), "element", element.where, link.name.text);
  link.visuals.push_back(std::move(out));
}

// The colour, which is also kept under the material's name.
std::string Reader::read_material(const XmlElement& element) {
  const auto is_colour = [](const XmlElement& child) { return child.name == "color"; };
  const auto colour = std::ranges::find_if(element.children, is_colour);
  const XmlAttribute* rgba = colour == element.children.end() ? nullptr : colour->find("rgba");
  if (rgba == nullptr) return {};
  const std::size_t before = problems_.size();
  std::array<double, 4> parts{};
  const bool read = numbers(*rgba, "material", parts);
  problems_.resize(before);
  if (!read) return {};
  std::string out = "#";
  for (std::size_t k = 0; k < 3; ++k) out += fmt::format("{:02x}", static_cast<int>(std::lround(255 * std::clamp(parts[k], 0.0, 1.0))));
  if (const XmlAttribute* name = element.find("name")) materials_.emplace(name->value, out);
  return out;
}

std::optional<Inertial> Reader::read_inertial(const XmlElement& element, const std::string& owner) {
  Inertial out{.where = element.where};
  for (const XmlElement& child : element.children)
    if (child.name != "origin" && child.name != "mass" && child.name != "inertia") leave_out(child, "an inertial");
  out.origin = read_origin(element, owner);

  const XmlElement* mass = only_child(element, "mass", owner);
  if (mass == nullptr)
    fail(element.where, owner + ": <mass value=\"...\"/> is missing");
  else {
    only_attributes(*mass, kMass, owner + ": mass");
    if (const auto value = required(*mass, "value", owner + ": mass")) {
      out.mass = number(*mass, "value", owner + ": mass", 0);
      if (out.mass < 0)
        fail(value->where, fmt::format("{}: mass: a mass must not be negative, found {}", owner, short_number(out.mass)));
    }
  }

  const XmlElement* inertia = only_child(element, "inertia", owner);
  if (inertia == nullptr) {
    fail(element.where, owner + ": <inertia ixx=\"...\" .../> is missing", "a point mass has six zeros");
    return out;
  }
  only_attributes(*inertia, kInertia, owner + ": inertia");
  std::array<double, 6> entries{};
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (required(*inertia, kInertia[i], owner + ": inertia"))
      entries[i] = number(*inertia, kInertia[i], owner + ": inertia", 0);
  out.inertia = {entries[0], entries[1], entries[2], entries[3], entries[4], entries[5]};
  return out;
}

void Reader::read_joint(const XmlElement& element, Robot& robot) {
  const auto name = required(element, "name", "a <joint>");
  if (!name) return;
  const std::string owner = fmt::format("joint '{}'", shown(name->text));
  constexpr std::array<std::string_view, 7> kKnown{"parent", "child", "origin", "axis", "dynamics", "mimic", "limit"};
  for (const XmlElement& child : element.children)
    if (!is_in(child.name, kKnown)) leave_out(child, "a joint");

  Joint out{.name = *name};
  const auto kind = read_kind(element, owner);
  const auto parent = read_reference(element, "parent", owner), child = read_reference(element, "child", owner);
  out.kind = kind.value_or(Joint::Kind::fixed);
  out.origin = read_origin(element, owner);
  if (out.kind != Joint::Kind::fixed && out.kind != Joint::Kind::floating) out.axis = read_axis(element, out, owner);
  read_dynamics(element, out, owner);
  out.mimic = read_mimic(element, owner);
  out.limits = read_limits(element, out, owner);
  if (!kind || !parent || !child) return;
  out.parent = *parent;
  out.child = *child;
  robot.joints.push_back(std::move(out));
}

// Those of speed and effort say what a motor can do, not what the joint allows. A continuous joint turns for ever, whatever they say.
std::optional<Limits> Reader::read_limits(const XmlElement& joint, const Joint& out, const std::string& owner) {
  const XmlElement* limit = only_child(joint, "limit", owner);
  const auto* type = joint.find("type");
  const bool one = out.kind == Joint::Kind::prismatic || (out.kind == Joint::Kind::revolute && type != nullptr && type->value == "revolute");
  if (limit == nullptr || !one || (limit->find("lower") == nullptr && limit->find("upper") == nullptr)) return std::nullopt;
  return Limits{number(*limit, "lower", owner + ": limit", 0), number(*limit, "upper", owner + ": limit", 0), limit->where};
}

std::optional<Joint::Kind> Reader::read_kind(const XmlElement& element, const std::string& owner) {
  using Kind = Joint::Kind;
  constexpr std::array<std::pair<std::string_view, Kind>, 6> kKinds{{{"revolute", Kind::revolute},
                                                                     {"continuous", Kind::revolute},
                                                                     {"prismatic", Kind::prismatic},
                                                                     {"planar", Kind::planar},
                                                                     {"floating", Kind::floating},
                                                                     {"fixed", Kind::fixed}}};
  const auto type = required(element, "type", owner);
  if (!type) return std::nullopt;
  for (const auto& known : kKinds)
    if (known.first == type->text) return known.second;
  fail(type->where, fmt::format("{}: unknown type '{}' (URDF has revolute, continuous, prismatic, planar, floating, fixed)",
                                owner, shown(type->text)));
  return std::nullopt;
}

std::optional<Name> Reader::read_reference(const XmlElement& joint, std::string_view child, const std::string& owner) {
  const XmlElement* element = only_child(joint, child, owner);
  if (element != nullptr) return required(*element, "link", fmt::format("{}: {}", owner, child));
  fail(joint.where, fmt::format("{}: <{} link=\"...\"/> is missing", owner, child));
  return std::nullopt;
}

Placement Reader::read_origin(const XmlElement& in, const std::string& owner) {
  const XmlElement* origin = only_child(in, "origin", owner);
  if (origin == nullptr) return {};
  only_attributes(*origin, kOrigin, owner + ": origin");
  return {vector(*origin, "xyz", owner + ": origin"), vector(*origin, "rpy", owner + ": origin")};
}

Vec3<double> Reader::read_axis(const XmlElement& joint, const Joint& out, const std::string& owner) {
  const XmlElement* axis = only_child(joint, "axis", owner);
  if (axis == nullptr) return out.axis;
  only_attributes(*axis, kAxis, owner + ": axis");
  const auto place = required(*axis, "xyz", owner + ": axis");
  if (!place) return out.axis;
  const std::size_t before = problems_.size();
  const Vec3<double> xyz = vector(*axis, "xyz", owner + ": axis");
  if (problems_.size() > before) return out.axis;
  const double norm = std::hypot(xyz.x, xyz.y, xyz.z);
  if (norm < kShortestAxis || !std::isfinite(norm)) {
    fail(place->where, fmt::format("{}: axis: xyz: expected a direction, found [{}, {}, {}]", owner, short_number(xyz.x),
                                   short_number(xyz.y), short_number(xyz.z)));
    return out.axis;
  }
  if (std::abs(norm - 1) > kUnitLength)
    remarks_.add("an axis is not of unit length: its direction is taken", "joint", place->where, out.name.text);
  return {xyz.x / norm, xyz.y / norm, xyz.z / norm};
}

void Reader::read_dynamics(const XmlElement& joint, Joint& out, const std::string& owner) {
  const XmlElement* dynamics = only_child(joint, "dynamics", owner);
  if (dynamics == nullptr) return;
  for (const XmlAttribute& attribute : dynamics->attributes)
    if (!is_in(attribute.name, kDynamics))
      remarks_.add(fmt::format("unknown attribute '{}' of <dynamics> is left out", shown(attribute.name)), "joint",
                   attribute.where, out.name.text);
  const double damping = number(*dynamics, "damping", owner + ": dynamics", 0);
  const double friction = number(*dynamics, "friction", owner + ": dynamics", 0);
  if (damping < 0)
    fail(dynamics->find("damping")->where,
         fmt::format("{}: dynamics: damping must not be negative, found {}", owner, short_number(damping)));
  if (friction != 0)
    remarks_.add("joint friction is not in this version and is left out", "joint", dynamics->find("friction")->where,
                 out.name.text);
  const bool one_dof = out.kind == Joint::Kind::revolute || out.kind == Joint::Kind::prismatic;
  if (one_dof)
    out.damping = damping;
  else if (damping != 0)
    remarks_.add("damping means nothing for a joint that is neither revolute nor prismatic, and is left out", "joint",
                 dynamics->where, out.name.text);
}

std::optional<Mimic> Reader::read_mimic(const XmlElement& joint, const std::string& owner) {
  const XmlElement* mimic = only_child(joint, "mimic", owner);
  if (mimic == nullptr) return std::nullopt;
  only_attributes(*mimic, kMimic, owner + ": mimic");
  const auto other = required(*mimic, "joint", owner + ": mimic");
  if (!other) return std::nullopt;
  return Mimic{*other, number(*mimic, "multiplier", owner + ": mimic", 1), number(*mimic, "offset", owner + ": mimic", 0)};
}

// ---- attributes and what is left out ----------------------------------------------------------------------------------------

void Reader::leave_out(const XmlElement& element, std::string_view inside) {
  const std::string name = shown(element.name);
  if (element.name.starts_with("xacro:"))
    return fail(element.where, fmt::format("<{}>: this is xacro, from which a URDF is still to be made", name),
                "run xacro on the file, and import what it writes");
  if (element.name == "collision")
    return remarks_.add("shapes that only touch (<collision>) are left out", "element", element.where, {}, Severity::note);
  if (is_in(element.name, kMeaningless))
    return remarks_.add(fmt::format("<{}> has no meaning here and is left out", name), "element", element.where, {});
  remarks_.add(fmt::format("unknown element <{}> in {} is left out", name, inside), "element", element.where, {});
}

void Reader::only_attributes(const XmlElement& element, Words allowed, const std::string& owner) {
  for (const XmlAttribute& attribute : element.attributes)
    if (!is_in(attribute.name, allowed))
      fail(attribute.where,
           fmt::format("{}: unknown attribute '{}' (it has {})", owner, shown(attribute.name), fmt::join(allowed, ", ")));
}

std::optional<Name> Reader::required(const XmlElement& element, std::string_view attribute, const std::string& owner) {
  const XmlAttribute* found = element.find(attribute);
  if (found == nullptr) {
    fail(element.where, fmt::format("{}: the attribute '{}' is missing", owner, attribute));
    return std::nullopt;
  }
  if (found->value.empty()) {
    fail(found->where, fmt::format("{}: the attribute '{}' is empty", owner, attribute));
    return std::nullopt;
  }
  return Name{found->value, found->where};
}

const XmlElement* Reader::only_child(const XmlElement& in, std::string_view name, const std::string& owner) {
  const XmlElement* out = nullptr;
  for (const XmlElement& child : in.children) {
    if (child.name != name) continue;
    if (out != nullptr) {
      fail(child.where, fmt::format("{}: <{}> is already given on line {}", owner, name, out->where.line));
      return out;
    }
    out = &child;
  }
  return out;
}

double Reader::number(const XmlElement& element, std::string_view attribute, const std::string& owner, double otherwise) {
  const XmlAttribute* found = element.find(attribute);
  std::array<double, 1> out{otherwise};
  if (found == nullptr || !numbers(*found, owner, out)) return otherwise;
  return out[0];
}

Vec3<double> Reader::vector(const XmlElement& element, std::string_view attribute, const std::string& owner) {
  const XmlAttribute* found = element.find(attribute);
  std::array<double, 3> out{};
  if (found == nullptr || !numbers(*found, owner, out)) return {};
  return {out[0], out[1], out[2]};
}

// As many numbers as `out` has room for, between blanks.
bool Reader::numbers(const XmlAttribute& attribute, const std::string& owner, std::span<double> out) {
  const std::string what = fmt::format("{}: {}", owner, attribute.name);
  const std::string_view text = attribute.value;
  std::size_t count = 0;
  Where where = attribute.where;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      where = text[at] == '\n' ? Where{where.line + 1, 1} : Where{where.line, where.column + 1};
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !is_blank(text[end])) ++end;
    double value = 0;
    if (!one_number(text.substr(at, end - at), where, what, value)) return false;
    if (count < out.size()) out[count] = value;
    ++count;
    where.column += static_cast<int>(end - at);
    at = end;
  }
  if (count == out.size()) return true;
  fail(attribute.where, fmt::format("{}: expected {} number{}, found {}", what, out.size(), out.size() == 1 ? "" : "s", count));
  return false;
}

bool Reader::one_number(std::string_view word, Where where, const std::string& owner, double& out) {
  std::string_view unsigned_word = word;
  if (word.size() > 1 && word.front() == '+' && word[1] != '-') unsigned_word.remove_prefix(1);
  if (to_number(unsigned_word, out)) return true;
  const bool xacro = word.find("${") != word.npos;
  const bool digits = word.find_first_not_of("0123456789.eE+-") == word.npos && word.find_first_of("eE") != word.npos;
  fail(where,
       fmt::format("{}: expected a finite number{}, found '{}'", owner, digits ? " within double precision" : "", shown(word)),
       xacro ? "this is xacro: run xacro on the file, and import what it writes" : "");
  return false;
}

}  // namespace

Placement operator*(const Placement& outer, const Placement& inner) {
  if (!outer.is_turned()) return {outer.xyz + inner.xyz, inner.rpy};
  const Vec3<double> origin = outer.frame() * inner.xyz;
  return {origin, inner.is_turned() ? to_rpy(outer.frame().axes * inner.frame().axes) : outer.rpy};
}

void Remarks::add(std::string what, std::string unit, Where where, std::string_view name, Severity severity) {
  Remark& remark = remarks_.try_emplace(std::move(what), Remark{std::move(unit), where, severity, 0, {}}).first->second;
  ++remark.count;
  remark.where = std::min(remark.where, where);
  if (!name.empty()) remark.names.push_back(shown(name));
}

Problems Remarks::problems() const {
  constexpr std::size_t kNames = 3;
  Problems out;
  for (const auto& [what, remark] : remarks_) {
    std::string sentence = fmt::format("{} ({} {}{}", what, remark.count, remark.unit, remark.count == 1 ? "" : "s");
    if (!remark.names.empty()) sentence += ": " + join_names(remark.names, kNames);
    out.push_back({remark.severity, {}, remark.where, sentence + ')', {}});
  }
  return out;
}

std::string shown(std::string_view name) {
  std::string out = shortened(name);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  return out;
}

Robot read_robot(const XmlElement& root, Problems& problems, Remarks& remarks) { return Reader(problems, remarks).read(root); }

}  // namespace jounce::urdf
