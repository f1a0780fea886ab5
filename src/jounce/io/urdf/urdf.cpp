#include "jounce/io/urdf/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "jounce/base/files.hpp"
#include "jounce/base/path.hpp"
#include "jounce/io/model_names.hpp"
#include "jounce/io/urdf/urdf_inertia.hpp"
#include "jounce/io/urdf/urdf_robot.hpp"
#include "jounce/io/urdf/urdf_tree.hpp"
#include "jounce/io/urdf/urdf_xml.hpp"
#include "jounce/mechanism/inertia.hpp"

namespace jounce {
namespace urdf {
namespace {

constexpr std::size_t kMaxFile = std::size_t{64} << 20U;
constexpr std::size_t kMaxProblems = 200;
constexpr std::size_t kMaxMesh = std::size_t{256} << 20U;
constexpr std::size_t kMostVisuals = 64;  // of one body
constexpr int kMostFolders = 8;           // that are looked into for a package, one above the other
constexpr std::size_t kMaxRenames = 10;  // told one by one
constexpr std::string_view kFloatingBase = "floating-base";

// ---- names ------------------------------------------------------------------------------------------------------------------

// The nearest text that can be a key: one '_' for each character that cannot.
std::string as_bare_key(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (is_bare_key({&c, 1}))
      out += c;
    else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U)
      out += '_';
  }
  return out;
}

// Names of which each is given out once.
class Names {
 public:
  explicit Names(std::span<const std::string_view> taken) {
    for (const std::string_view name : taken) used_.emplace(name);
  }

  /// Whether the name itself is free; it is not any more.
  bool take(const std::string& name) { return is_bare_key(name) && used_.insert(name).second; }

  /// The first free one of: the name as a key, the same with the suffix, with the suffix and a number.
  std::string take_near(std::string_view name, std::string_view suffix) {
    std::string key = as_bare_key(name);
    if (take(key)) return key;
    std::string with_suffix = fmt::format("{}-{}", key, suffix);
    if (take(with_suffix)) return with_suffix;
    for (std::size_t& n = numbers_[with_suffix];;)
      if (std::string numbered = fmt::format("{}-{}", with_suffix, ++n + 1); take(numbered)) return numbered;
  }

 private:
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, std::size_t> numbers_;  // so that a thousand equal names are not tried a million times
};

// ---- the model --------------------------------------------------------------------------------------------------------------

class Converter {
 public:
  Converter(const Robot& robot, const Tree& tree, std::string file, const UrdfOptions& options, Problems& problems, Remarks& remarks)
      : robot_(robot), tree_(tree), file_(std::move(file)), options_(options), problems_(problems), remarks_(remarks), negligible_(negligible_inertia(robot)) {}

  Model convert() {
    model_.name = robot_.name;
    model_.space = Space::three;
    model_.gravity = {Text(0.0), Text(0.0), Text(-9.81)};
    merge();
    name();
    add_bodies();
    add_points();
    add_visuals();
    if (options_.floating_base) add_floating_base();
    for (std::size_t j = 0; j < robot_.joints.size(); ++j)
      if (!is_merged(j)) add_joint(j);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j)
      if (tree_.mimicked[j]) add_coupling(j, *tree_.mimicked[j]);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j)
      if (robot_.joints[j].limits && !is_merged(j)) add_limits(j);
    model_.run = RunSection{{}, Text("dynamics"), Text(1.0), Text(100.0)};
    return std::move(model_);
  }

 private:
  static constexpr std::size_t kGround = static_cast<std::size_t>(-1);

  // Where a link has gone: a body, which is the link itself, another link or the ground, and its frame in that body.
  struct Home {
    std::size_t body = kGround;
    Placement frame;
  };

  [[nodiscard]] bool is_merged(std::size_t j) const {
    return !options_.keep_fixed && robot_.joints[j].kind == Joint::Kind::fixed;
  }
  [[nodiscard]] bool is_body(std::size_t l) const { return homes_[l].body == l; }
  [[nodiscard]] const std::string& body_name(std::size_t body) const {
    return body == kGround ? model_.ground.name : body_names_[body];
  }

  void merge();
  void name();
  void tell_rename(const Name& name, std::string_view what, const std::string& now);
  Inertial taken(const Link& link);
  void add_bodies();
  void add_points();
  void add_visuals();
  [[nodiscard]] std::string found_mesh(const std::string& written) const;
  void add_floating_base();
  void add_joint(std::size_t j);
  void add_coupling(std::size_t j, std::size_t i);
  void add_limits(std::size_t j);

  Text number(double x, Where where);
  std::vector<Text> numbers(const Vec3<double>& v, Where where) {
    return {number(v.x, where), number(v.y, where), number(v.z, where)};
  }
  void set_placement(Element& joint, const char* key, const Placement& placement);

  const Robot& robot_;
  const Tree& tree_;
  std::string file_;  // of the robot
  const UrdfOptions& options_;
  Problems& problems_;
  Remarks& remarks_;
  double negligible_;  // an inertia in kg m²
  Model model_;
  std::vector<Home> homes_;                            // by link
  std::vector<std::string> body_names_, joint_names_;  // by link and by joint; empty for what is merged
  Names names_{kTakenNames};
  std::size_t renames_ = 0;
};

void Converter::merge() {
  homes_.resize(robot_.links.size());
  homes_[tree_.root].body = options_.floating_base ? tree_.root : kGround;
  for (const std::size_t j : tree_.order) {
    const Home& parent = homes_[tree_.parent[j]];
    if (is_merged(j))
      homes_[tree_.child[j]] = {parent.body, parent.frame * robot_.joints[j].origin};
    else
      homes_[tree_.child[j]] = {tree_.child[j], {}};
  }
}

// Names that can stay do so, bodies before joints; then the others find the nearest that is free.
void Converter::name() {
  body_names_.resize(robot_.links.size());
  joint_names_.resize(robot_.joints.size());
  for (std::size_t l = 0; l < robot_.links.size(); ++l)
    if (const std::string& name = robot_.links[l].name.text; is_body(l) && names_.take(name)) body_names_[l] = name;
  for (std::size_t j = 0; j < robot_.joints.size(); ++j)
    if (const std::string& name = robot_.joints[j].name.text; !is_merged(j) && names_.take(name)) joint_names_[j] = name;

  for (std::size_t l = 0; l < robot_.links.size(); ++l) {
    if (!is_body(l) || !body_names_[l].empty()) continue;
    body_names_[l] = names_.take_near(robot_.links[l].name.text, "link");
    tell_rename(robot_.links[l].name, "link", body_names_[l]);
  }
  for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
    if (is_merged(j) || !joint_names_[j].empty()) continue;
    joint_names_[j] = names_.take_near(robot_.joints[j].name.text, "joint");
    tell_rename(robot_.joints[j].name, "joint", joint_names_[j]);
  }
}

void Converter::tell_rename(const Name& name, std::string_view what, const std::string& now) {
  if (++renames_ > kMaxRenames) return remarks_.add("further names are changed", "name", name.where, {}, Severity::note);
  problems_.push_back({Severity::note,
                       {},
                       name.where,
                       fmt::format("{} '{}' is called '{}' in the model", what, shown(name.text), shown(now)),
                       "names are letters, digits, '_' and '-', each is used once, and some are taken"});
}

// A robot is loaded as others load it: what no body can have is told, and taken, unless it is nothing but rounding.
Inertial Converter::taken(const Link& link) {
  Inertial out = *link.inertial;
  if (is_of_a_body(out.inertia)) return out;
  const bool rounding = is_below(out.inertia, negligible_);
  if (rounding) out.inertia = {};
  remarks_.add(rounding ? "no body has such an inertia, and it is too small to matter: it is taken as zero"
                        : "no body has such an inertia: its principal moments break the triangle inequality",
               "link", out.where, link.name.text);
  return out;
}

void Converter::add_bodies() {
  std::vector<std::vector<Inertia>> parts(robot_.links.size());
  for (std::size_t l = 0; l < robot_.links.size(); ++l) {
    const Link& link = robot_.links[l];
    if (!link.inertial) continue;
    if (homes_[l].body == kGround) {
      remarks_.add("the mass of a link that is fixed to the ground never moves and is left out", "link", link.inertial->where,
                   link.name.text);
      continue;
    }
    parts[homes_[l].body].push_back(placed(taken(link), homes_[l].frame));
  }
  for (std::size_t l = 0; l < robot_.links.size(); ++l) {
    if (!is_body(l)) continue;
    const Where where = robot_.links[l].name.where;
    const Inertia inertia = sum(parts[l]);
    Body body{.name = body_names_[l], .where = where};
    body.mass = number(inertia.mass, where);
    if (!(inertia.com == Vec3<double>{})) body.com = numbers(inertia.com, where);
    const Sym3<double>& m = inertia.matrix;
    body.inertia_matrix.emplace();
    for (const double entry : {m.xx, m.yy, m.zz, m.xy, m.xz, m.yz}) body.inertia_matrix->push_back(number(entry, where));
    const auto fault = judge_inertia(m).fault;
    body.inertia_as_written = fault == InertiaJudgement::Fault::negative || fault == InertiaJudgement::Fault::triangle;
    model_.bodies.push_back(std::move(body));
  }
}

// The frames of merged links, in the order of the file.
void Converter::add_points() {
  std::unordered_map<std::size_t, Body*> bodies{{kGround, &model_.ground}};
  auto next = model_.bodies.begin();
  for (std::size_t l = 0; l < robot_.links.size(); ++l)
    if (is_body(l)) bodies[l] = &*next++;

  std::unordered_map<std::size_t, Names> names;  // by body
  for (std::size_t l = 0; l < robot_.links.size(); ++l) {
    if (is_body(l)) continue;
    const Home& home = homes_[l];
    const Name& name = robot_.links[l].name;
    NamedPoint point{.name = names.try_emplace(home.body, kTakenPoints).first->second.take_near(name.text, "link"),
                     .where = name.where,
                     .at = numbers(home.frame.xyz, name.where)};
    if (home.frame.is_turned()) point.rpy = numbers(home.frame.rpy, name.where);
    if (point.name != name.text) tell_rename(name, "link", fmt::format("{}.{}", body_name(home.body), point.name));
    bodies[home.body]->points.push_back(std::move(point));
  }
}

// The pictures of every link, in the body where the link has gone.
void Converter::add_visuals() {
  std::unordered_map<std::size_t, Body*> bodies{{kGround, &model_.ground}};
  auto next = model_.bodies.begin();
  for (std::size_t l = 0; l < robot_.links.size(); ++l)
    if (is_body(l)) bodies[l] = &*next++;
  for (std::size_t l = 0; l < robot_.links.size(); ++l)
    for (const Visual& visual : robot_.links[l].visuals) {
      std::vector<Element>& all = bodies[homes_[l].body]->visuals;
      if (all.size() == kMostVisuals) {
        remarks_.add("a body has too many visuals: the last are left out", "element", visual.where, robot_.links[l].name.text);
        continue;
      }
      constexpr std::array kTypes{"box", "cylinder", "sphere", "mesh"};
      Element& out = all.emplace_back(Element{{}, kTypes[static_cast<std::size_t>(visual.kind)], visual.where, visual.where, {}});
      if (visual.kind == Visual::Kind::box) out.set("size", numbers(visual.size, visual.where));
      if (visual.kind == Visual::Kind::cylinder || visual.kind == Visual::Kind::sphere) out.set("radius", number(visual.radius, visual.where));
      if (visual.kind == Visual::Kind::cylinder) out.set("length", number(visual.length, visual.where));
      if (visual.kind == Visual::Kind::mesh) {
        out.set("file", Text(found_mesh(visual.file), visual.where, true));
        if (!(visual.size == Vec3<double>{1, 1, 1})) out.set("scale", numbers(visual.size, visual.where));
      }
      set_placement(out, "origin", homes_[l].frame * visual.origin);
      if (!visual.colour.empty()) out.set("colour", Text(visual.colour, visual.where, true));
      for (Entry& entry : out.entries) entry.where = visual.where;
    }
}

// As seen from the folder of the model. What a package is called is looked for beside the robot's file and in the folders above it.
std::string Converter::found_mesh(const std::string& written) const {
  constexpr std::string_view kPackage = "package://", kFile = "file://";
  const auto from_model = [&](const std::string& path) { return path.starts_with('/') || options_.folder.empty() ? path : options_.folder + "/" + path; };
  if (written.starts_with(kFile)) return written.substr(kFile.size());
  if (!written.starts_with(kPackage)) return from_model(written);
  const std::string inside = written.substr(kPackage.size());
  const std::size_t slash = inside.find('/');
  if (slash == inside.npos) return written;
  const std::string rest = inside.substr(slash + 1);
  std::string upwards;
  for (int level = 0; level < kMostFolders; ++level, upwards += "../")
    for (const std::string& way : {upwards + inside, upwards + rest})
      if (read_file(beside(file_, way), kMaxMesh).ok()) return from_model(way);
  return written;
}

void Converter::add_floating_base() {
  const Name& root = robot_.links[tree_.root].name;
  Element joint{names_.take_near(kFloatingBase, "joint"), "free", root.where, root.where, {}};
  joint.set("parent", Text(model_.ground.name)).set("child", Text(body_names_[tree_.root]));
  model_.joints.push_back(std::move(joint));
  const Body* body = model_.find_body(body_names_[tree_.root]);
  if (body->mass->text == "0") remarks_.add("the floating base has no mass of its own", "link", root.where, root.text);
}

void Converter::add_joint(std::size_t j) {
  const Joint& joint = robot_.joints[j];
  const Home& parent = homes_[tree_.parent[j]];
  Placement origin = parent.frame * joint.origin, child_origin;
  const bool has_axis = joint.kind == Joint::Kind::revolute || joint.kind == Joint::Kind::prismatic;
  const char* type = "fixed";
  switch (joint.kind) {
    case Joint::Kind::revolute: type = "revolute"; break;
    case Joint::Kind::prismatic: type = "prismatic"; break;
    case Joint::Kind::floating: type = "free"; break;
    case Joint::Kind::fixed: break;
    case Joint::Kind::planar:
      // a turn that takes z to the axis: our joint moves in the xy plane of its frame
      if (const double across = std::hypot(joint.axis.x, joint.axis.y); across > 0)
        child_origin.rpy = {0, std::atan2(across, joint.axis.z), std::atan2(joint.axis.y, joint.axis.x)};
      else if (joint.axis.z < 0)
        child_origin.rpy = {std::acos(-1.0), 0, 0};
      origin = origin * child_origin;
      type = "planar";
  }
  Element out{joint_names_[j], type, joint.name.where, joint.name.where, {}};
  out.set("parent", Text(body_name(parent.body), joint.parent.where, true));
  out.set("child", Text(body_name(tree_.child[j]), joint.child.where, true));
  set_placement(out, "origin", origin);
  set_placement(out, "child_origin", child_origin);
  if (has_axis) out.set("axis", numbers(joint.axis, out.where));
  if (tree_.start[j] != 0) out.set("q", std::vector<Text>{number(tree_.start[j], out.where)});
  if (joint.damping > 0) {
    Table dof{.where = out.where};
    dof.set("damping", number(joint.damping, out.where));
    out.set("dofs", std::vector<Table>{std::move(dof)});
  }
  for (Entry& entry : out.entries) entry.where = out.where;
  model_.joints.push_back(std::move(out));
}

void Converter::set_placement(Element& joint, const char* key, const Placement& placement) {
  if (placement.is_identity()) return;
  Table table{.where = joint.where};
  table.set("xyz", numbers(placement.xyz, joint.where)).set("rpy", numbers(placement.rpy, joint.where));
  joint.set(key, std::move(table));
}

void Converter::add_limits(std::size_t j) {
  const Limits& limits = *robot_.joints[j].limits;
  const auto remark = [&](const char* what) { remarks_.add(what, "joint", limits.where, robot_.joints[j].name.text); };
  if (!options_.limits) return remark("joint limits are left out: --limits makes stops of them");
  if (!(limits.lower < limits.upper)) return remark("joint limits without room between them are left out");
  StopSection stop{.name = names_.take_near(joint_names_[j] + "-limit", "stop"), .where = limits.where};
  stop.of = Text(joint_names_[j] + ".q1", limits.where, true);
  stop.min = number(limits.lower, limits.where), stop.max = number(limits.upper, limits.where);
  model_.stops.push_back(std::move(stop));
}

void Converter::add_coupling(std::size_t j, std::size_t i) {
  const Mimic& mimic = *robot_.joints[j].mimic;
  const Where where = mimic.joint.where;
  Element out{names_.take_near(joint_names_[j] + "-mimic", "coupling"), {}, where, where, {}};
  out.set("i", Text(joint_names_[i], where, true)).set("j", Text(joint_names_[j], where, true));
  out.set("ratio", number(mimic.multiplier, where));
  if (mimic.offset != 0) out.set("offset", number(mimic.offset, where));
  for (Entry& entry : out.entries) entry.where = where;
  model_.couplings.push_back(std::move(out));
}

Text Converter::number(double x, Where where) {
  if (!std::isfinite(x)) {
    problems_.push_back(error(where, "what this and the parts fixed to it give together is beyond double precision"));
    x = 0;
  }
  Text out(x + 0.0);  // no -0
  out.where = where;
  return out;
}

// In the order of the file and not more than can be read.
Problems finished(Problems problems, const Remarks& remarks, std::string_view file_name) {
  // after an error, what would have been left out is of no interest
  if (any_error(problems))
    std::erase_if(problems, [](const Problem& p) { return p.severity != Severity::error; });
  else
    std::ranges::copy(remarks.problems(), std::back_inserter(problems));
  sort_by_place(problems);
  problems.erase(std::unique(problems.begin(), problems.end()), problems.end());
  if (problems.size() > kMaxProblems) {
    const std::size_t more = problems.size() - kMaxProblems;
    problems.resize(kMaxProblems);
    problems.push_back({Severity::note, {}, problems.back().where, fmt::format("{} further messages are not shown", more), {}});
  }
  locate(problems, file_name);
  return problems;
}

}  // namespace
}  // namespace urdf

Result<Model> parse_urdf(std::string_view text, std::string file_name, const UrdfOptions& options) {
  const Result<urdf::XmlElement> xml = urdf::parse_xml(text);
  Problems problems;
  urdf::Remarks remarks;
  if (!xml) return urdf::finished(xml.problems(), remarks, file_name);
  const urdf::Robot robot = urdf::read_robot(*xml, problems, remarks);
  const auto tree = any_error(problems) ? std::nullopt : urdf::find_tree(robot, problems, remarks);
  if (!tree) return urdf::finished(std::move(problems), remarks, file_name);

  Model model = urdf::Converter(robot, *tree, file_name, options, problems, remarks).convert();
  problems = urdf::finished(std::move(problems), remarks, file_name);
  if (any_error(problems)) return problems;
  if (model.name.empty()) model.name = stem(file_name);
  model.file = std::move(file_name);
  return {std::move(model), std::move(problems)};
}

Result<Model> read_urdf(const std::string& path, const UrdfOptions& options) {
  const Result<std::string> text = read_file(path, urdf::kMaxFile);
  if (!text) return text.problems();
  return parse_urdf(*text, path, options);
}

}  // namespace jounce
