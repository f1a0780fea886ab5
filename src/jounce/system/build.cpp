// From what the user wrote to a Mechanism: evaluates expressions, resolves references, refuses degenerate data.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <set>

#include "jounce/base/suggest.hpp"
#include "jounce/expr/parameters.hpp"
#include "jounce/expr/table_file.hpp"
#include "jounce/system/mechanism.hpp"
#include "jounce/system/planar_system_impl.hpp"

namespace jounce {
namespace {

using planar::Group;

/// Lengths below this fraction of the model's size count as zero.
constexpr double kZeroLength = 1e-9;

std::string shown(double x) { return Text(x).text; }

class Build {
 public:
  explicit Build(const Model& model) : model_(model) {}

  Result<Mechanism> run() {
    parameters();
    gravity();
    ground();
    for (const Body& body : model_.bodies) add_body(body);
    find_length_scale();

    PlanarSystem::Builder builder(static_cast<int>(model_.bodies.size()));
    builder.length_scale(length_scale_);
    builder_ = &builder;
    for (const Element& joint : model_.joints) add(Group::joint, joint, planar::Joints{});
    for (const Element& driver : model_.drivers) add(Group::driver, driver, planar::Drivers{});
    for (const Element& force : model_.forces) check_force(force);
    Mechanism::Run run = run_section();
    if (model_.bodies.empty() && !any_error(problems_))
      problems_.push_back(error({}, "the model has no bodies: expected at least one [bodies.NAME]"));

    sort_by_place(problems_);
    locate(problems_, model_.file);
    if (any_error(problems_)) return problems_;
    std::vector<double> drawn;
    for (std::size_t b = 1; b < bodies_.size(); ++b) drawn.insert(drawn.end(), {drawn_[b].x, drawn_[b].y, drawn_[b].phi});
    return {Mechanism{model_.name, model_.file, scope_.values, gravity_, std::move(bodies_), builder.finish(), !model_.forces.empty(), std::move(drawn), run},
            std::move(problems_)};
  }

 private:
  void complain(Where where, std::string sentence, std::string hint = {}) {
    problems_.push_back(error(where, std::move(sentence), std::move(hint)));
  }

  // ---- numbers -----------------------------------------------------------------------------------------------------

  void parameters() {
    std::vector<WrittenParameter> written;
    for (const Parameter& p : model_.parameters) written.push_back({p.name, p.value.text, p.value.where});
    auto result = evaluate_parameters(written);
    problems_.insert(problems_.end(), result.problems().begin(), result.problems().end());
    if (result) {
      scope_.values = *std::move(result);
      return;
    }
    // Names whose value could not be found are still known, so that one mistake is reported once.
    parameters_failed_ = true;
    for (const Parameter& p : model_.parameters) scope_.values.emplace(p.name, 1.0);
  }

  // The expression, with its problems moved to where it stands in the file.
  std::optional<Expression> parse(const Text& text, const Scope& scope, const std::string& who) {
    auto parsed = Expression::parse(text.text, scope);
    for (Problem problem : parsed.problems()) {
      problem.where = {text.where.line, text.where.line > 0 ? text.where.column + std::max(problem.where.column - 1, 0) : 0};
      problem.sentence = who + ": " + problem.sentence;
      problems_.push_back(std::move(problem));
    }
    if (!parsed) return std::nullopt;
    return *std::move(parsed);
  }

  std::optional<double> number(const Text& text, const std::string& who) {
    const auto expression = parse(text, scope_, who);
    if (!expression) return std::nullopt;
    double value = 0;
    if (const auto fault = expression->evaluate(std::span<const double>{}, value)) {
      if (!parameters_failed_)
        complain({text.where.line, text.where.column + std::max(fault->column - 1, 0)}, who + ": " + fault->sentence);
      return std::nullopt;
    }
    return value;
  }

  std::optional<Vec2<double>> pair(const std::vector<Text>& texts, const std::string& who) {
    if (texts.size() != 2) {
      if (!texts.empty()) complain(texts[0].where, who + ": expected two numbers [x, y], found " + std::to_string(texts.size()));
      return std::nullopt;
    }
    const auto x = number(texts[0], who), y = number(texts[1], who);
    if (!x || !y) return std::nullopt;
    return Vec2<double>{*x, *y};
  }

  void gravity() {
    if (model_.gravity.empty()) return;
    if (const auto g = pair(model_.gravity, "gravity")) gravity_ = *g;
  }

  // ---- bodies ------------------------------------------------------------------------------------------------------

  void ground() {
    BodyData data{.name = "ground"};
    add_points(model_.ground, data);
    remember(std::move(data), {.c = 1});
  }

  void remember(BodyData data, planar::Frame<double> drawn) {
    index_.emplace(data.name, static_cast<int>(bodies_.size()));
    bodies_.push_back(std::move(data));
    drawn_.push_back(drawn);
  }

  void add_points(const Body& body, BodyData& data) {
    std::set<std::string> seen;
    for (const NamedPoint& point : body.points) {
      const std::string who = (body.name == "ground" ? "ground" : "body '" + body.name + "'") + ": points: " + point.name;
      if (!seen.insert(point.name).second) complain(point.where, who + ": this point is there already");
      if (point.at.empty()) {
        unreadable_.insert(body.name + "." + point.name);
        continue;
      }
      const auto p = pair(point.at, who);
      if (!p) unreadable_.insert(body.name + "." + point.name);
      data.points.push_back({point.name, p.value_or(Vec2<double>{})});
    }
  }

  void add_body(const Body& body) {
    const std::string who = "body '" + body.name + "'";
    BodyData data{.name = body.name};
    add_points(body, data);
    if (body.mass) {
      data.mass = number(*body.mass, who + ": mass");
      if (data.mass && !(*data.mass >= 0)) complain(body.mass->where, who + ": mass: must not be negative, found " + shown(*data.mass));
    }
    if (body.inertia) {
      data.inertia = number(*body.inertia, who + ": inertia");
      if (data.inertia && !(*data.inertia >= 0))
        complain(body.inertia->where, who + ": inertia: must not be negative, found " + shown(*data.inertia));
    }
    if (body.com) data.com = pair(*body.com, who + ": com").value_or(Vec2<double>{});
    if (body.shape) use_shape(body, data);
    if (body.velocity) (void)pair(*body.velocity, who + ": velocity");
    if (body.spin) (void)number(*body.spin, who + ": spin");

    // From here on everything is measured from the centre of mass.
    data.origin_com = {-data.com.x, -data.com.y};
    for (BodyPoint& point : data.points) point.p_com = point.p_com - data.com;
    const Vec2<double> origin_W = body.position ? pair(*body.position, who + ": position").value_or(Vec2<double>{}) : Vec2<double>{};
    const double phi = body.angle ? number(*body.angle, who + ": angle").value_or(0) : 0;
    const double c = std::cos(phi), s = std::sin(phi);
    const planar::Frame<double> frame{origin_W.x + c * data.com.x - s * data.com.y, origin_W.y + s * data.com.x + c * data.com.y, c, s, phi};
    remember(std::move(data), frame);
  }

  // com and inertia of the usual outlines, where the user left them out.
  void use_shape(const Body& body, BodyData& data) {
    const Element& shape = *body.shape;
    const std::string who = "body '" + body.name + "': shape";
    const auto local = [&](const char* key) -> std::optional<Vec2<double>> {
      const Entry* entry = required(shape, key, who);
      if (entry == nullptr) return std::nullopt;
      if (const auto* xy = std::get_if<std::vector<Text>>(&entry->value)) return pair(*xy, who + ": " + key);
      const auto& text = std::get<Text>(entry->value);
      const auto it = std::ranges::find(data.points, text.text, &BodyPoint::name);
      if (it != data.points.end()) return it->p_com;  // still from the origin here
      if (text.text == "origin") return Vec2<double>{};
      if (!unreadable_.contains(body.name + "." + text.text))
        complain(text.where, who + ": " + key + ": body '" + body.name + "' has no point '" + text.text + "' (it has " + point_names(data) + ")");
      return std::nullopt;
    };
    const auto positive = [&](const char* key) -> std::optional<double> {
      const Entry* entry = required(shape, key, who);
      if (entry == nullptr) return std::nullopt;
      const auto value = number(std::get<Text>(entry->value), who + ": " + key);
      if (value && !(*value > 0)) complain(std::get<Text>(entry->value).where, who + ": " + key + ": must be greater than 0, found " + shown(*value));
      return value;
    };
    const double mass = data.mass.value_or(0);
    std::optional<Vec2<double>> centre;
    std::optional<double> about_centre;  // moment of inertia about the shape's own centre
    if (shape.type == "bar") {
      const auto from = local("from"), to = local("to");
      if (from && to) {
        const Vec2<double> d = *to - *from;
        if (dot(d, d) == 0) complain(shape.where, who + ": the two ends of the bar coincide");
        centre = Vec2<double>{(from->x + to->x) / 2, (from->y + to->y) / 2};
        about_centre = mass * dot(d, d) / 12;
      }
    } else if (shape.type == "disc") {
      centre = local("centre");
      if (const auto r = positive("radius")) about_centre = mass * *r * *r / 2;
    } else if (shape.type == "box") {
      centre = local("centre");
      if (const Entry* angle = shape.find("angle"); angle != nullptr && std::holds_alternative<Text>(angle->value))
        (void)number(std::get<Text>(angle->value), who + ": angle");
      if (const Entry* entry = required(shape, "size", who)) {
        const auto& texts = std::get<std::vector<Text>>(entry->value);
        if (const auto size = pair(texts, who + ": size")) {
          if (!(size->x > 0) || !(size->y > 0)) complain(texts[0].where, who + ": size: both must be greater than 0");
          about_centre = mass * dot(*size, *size) / 12;
        }
      }
    }
    if (!centre || !about_centre) return;
    if (!body.com) data.com = *centre;
    if (!body.inertia && data.mass) {  // moved to where the user says the centre of mass is
      const Vec2<double> d = data.com - *centre;
      data.inertia = *about_centre + mass * dot(d, d);
    }
  }

  void find_length_scale() {
    // The largest distance that appears: within a body, or from the ground's origin to where a body is drawn.
    double size = 0;
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      for (const BodyPoint& point : bodies_[b].points) {
        size = std::max(size, length(point.p_com));
        for (const BodyPoint& other : bodies_[b].points) size = std::max(size, length(point.p_com - other.p_com));
        if (bodies_[b].points.size() > 64) break;  // enough is known
      }
    length_scale_ = size > 0 && std::isfinite(size) ? size : 1.0;
  }

  static std::string point_names(const BodyData& body) {
    std::vector<std::string> names;
    for (const BodyPoint& point : body.points) names.push_back(point.name);
    return join_names(names);
  }

  // ---- references --------------------------------------------------------------------------------------------------

  std::optional<int> body_index(const std::string& name, Where where, const std::string& who) {
    if (const auto it = index_.find(name); it != index_.end()) return it->second;
    std::vector<std::string> names;
    for (const BodyData& body : bodies_) names.push_back(body.name);
    std::string sentence = who + ": unknown body '" + name + "'";
    if (const auto guess = nearest_name(name, names)) sentence += " (did you mean '" + *guess + "'?)";
    else sentence += " (there are " + join_names(names) + ")";
    complain(where, std::move(sentence));
    return std::nullopt;
  }

  std::optional<planar::Point<double>> point(const Text& text, const std::string& who) {
    const auto dot_at = text.text.find('.');
    if (dot_at == std::string::npos) {
      complain(text.where, who + ": expected " + std::string(planar::expected(planar::Form::point)) + ", found '" + text.text + "'");
      return std::nullopt;
    }
    const std::string body_name = text.text.substr(0, dot_at), point_name = text.text.substr(dot_at + 1);
    const auto body = body_index(body_name, text.where, who);
    if (!body) return std::nullopt;
    const BodyData& data = bodies_[static_cast<std::size_t>(*body)];
    if (point_name == "origin") return planar::Point<double>{*body, data.origin_com};
    if (point_name == "com") return planar::Point<double>{*body, {}};
    if (unreadable_.contains(text.text)) return std::nullopt;  // its own error has been reported
    const auto it = std::ranges::find(data.points, point_name, &BodyPoint::name);
    if (it != data.points.end()) return planar::Point<double>{*body, it->p_com};
    complain(text.where, who + ": '" + body_name + "' has no point '" + point_name + "' (it has " + point_names(data) + ")");
    return std::nullopt;
  }

  // ---- binding: one overload per kind of field ---------------------------------------------------------------------

  const Entry* required(const Element& element, std::string_view key, const std::string& who) {
    const Entry* entry = element.find(key);
    if (entry == nullptr) complain(element.where, who + ": '" + std::string(key) + "' is missing");
    if (entry == nullptr || std::holds_alternative<std::monostate>(entry->value)) return failed_ = true, nullptr;
    return entry;
  }
  // The text under a key; anything else (only possible for a model made in code) is an error.
  const Text* text_of(const Entry& entry, planar::Form form, const std::string& who) {
    const Text* text = std::get_if<Text>(&entry.value);
    if (text == nullptr) complain(entry.where, who + ": expected " + std::string(planar::expected(form)) + ", found a list"), failed_ = true;
    return text;
  }

  template <class T>
  void take(T& out, const std::optional<T>& value) {
    if (value) out = *value;
    else failed_ = true;
  }

  void bind(planar::BodyRef& out, const Entry& entry, const std::string& who) {
    const Text* text = text_of(entry, planar::Form::body, who);
    if (text == nullptr) return;
    const auto body = body_index(text->text, text->where, who);
    take(out.body, body);
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
      complain((*texts)[1].where, who + ": both points of a line must be on the same body, found '" + (*texts)[0].text + "' and '" + (*texts)[1].text + "'");
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
      complain(text->where, who + ": expected " + std::string(planar::expected(planar::Form::coordinate)) + ", found '" + text->text + "'");
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
    if (const auto function = time_function(entry, who)) {
      const Where where = std::holds_alternative<Text>(entry.value) ? std::get<Text>(entry.value).where : std::get<TableFile>(entry.value).path.where;
      motion_ = PrescribedMotion{*function, {}, where, false};
      out.motion = 0;
    } else {
      failed_ = true;
    }
  }

  std::optional<TimeFunction> time_function(const Entry& entry, const std::string& who) {
    if (const auto* table = std::get_if<TableFile>(&entry.value)) {
      const std::filesystem::path path = std::filesystem::path(model_.file).parent_path() / table->path.text;
      auto spline = read_table(path.string());
      for (Problem problem : spline.problems()) {
        if (problem.file.empty()) problem.where = table->path.where, problem.sentence = who + ": " + problem.sentence;
        problems_.push_back(std::move(problem));
      }
      if (!spline) return std::nullopt;
      return TimeFunction(*std::move(spline));
    }
    const Text* text = text_of(entry, planar::Form::motion, who);
    if (text == nullptr) return std::nullopt;
    Scope scope = scope_;
    scope.variables = {"t"};
    if (auto expression = parse(*text, scope, who)) return TimeFunction(*std::move(expression));
    return std::nullopt;
  }

  // A gear's K: `ratio`, or `radii` with `mesh`.
  void bind_ratio(planar::Ratio<double>& out, const Element& element, const std::string& who) {
    const Entry *ratio = element.find("ratio"), *radii = element.find("radii"), *mesh = element.find("mesh");
    if (ratio != nullptr && radii != nullptr) {
      complain(radii->where, who + ": 'ratio' and 'radii' say the same thing: give one of them");
      failed_ = true;
    } else if (ratio == nullptr && radii == nullptr) {
      complain(element.where, who + ": 'ratio' is missing (or 'radii' with 'mesh')");
      failed_ = true;
    }
    bool opposite = true;
    if (mesh != nullptr) {
      const Text* text = std::get_if<Text>(&mesh->value);
      static constexpr std::array words{"external", "internal", "belt", "crossed-belt"};
      if (radii == nullptr) complain(mesh->where, who + ": 'mesh' goes with 'radii'; the sign of 'ratio' says which way the wheels turn"), failed_ = true;
      if (text != nullptr && std::ranges::find(words, text->text) == words.end())
        complain(text->where, who + ": mesh: expected " + std::string(planar::expected(planar::Form::mesh)) + ", found '" + text->text + "'"), failed_ = true;
      if (text == nullptr) failed_ = true;
      else opposite = text->text == "external" || text->text == "crossed-belt";
    }
    if (ratio != nullptr && !std::holds_alternative<std::monostate>(ratio->value)) bind(out.K, *ratio, who + ": ratio");
    else if (ratio != nullptr) failed_ = true;
    if (radii == nullptr || ratio != nullptr) return;
    const auto* texts = std::get_if<std::vector<Text>>(&radii->value);
    const auto values = texts != nullptr ? pair(*texts, who + ": radii") : std::nullopt;
    if (!values) return void(failed_ = true);
    if (!(values->x > 0) || !(values->y > 0)) {
      complain((*texts)[0].where, who + ": radii: both must be greater than 0, found [" + shown(values->x) + ", " + shown(values->y) + "]");
      failed_ = true;
      return;
    }
    out.K = (opposite ? -1 : 1) * values->x / values->y;
  }

  template <template <class> class... E>
  void add(Group group, const Element& element, planar::TypeList<E...>) {
    const bool known = ((element.type == E<double>::type && (add_one<E>(group, element), true)) || ...);
    if (!known && !element.type.empty() && planar::find_type(group, element.type) == nullptr)
      complain(element.type_where, std::string(planar::word(group)) + " '" + element.name + "': unknown type '" + element.type + "'");
  }

  template <template <class> class E>
  void add_one(Group group, const Element& element) {
    const std::string who = std::string(planar::word(group)) + " '" + element.name + "'";
    E<double> bound{};
    failed_ = false;
    motion_.reset();
    bool as_drawn = false;  // some constant was left out
    const auto field = [&]<class F>(const F& f) {
      auto& member = bound.*(f.member);
      using Member = std::decay_t<decltype(member)>;
      if constexpr (planar::is_internal<F>) {
        as_drawn = true;
      } else if constexpr (std::is_same_v<Member, planar::Ratio<double>>) {
        bind_ratio(member, element, who);
      } else {
        const Entry* entry = element.find(f.key);
        constexpr bool drawn = std::is_same_v<Member, planar::Drawn<double>>;
        if (entry == nullptr && drawn) as_drawn = true;
        else if (entry == nullptr && planar::is_optional<F>) return;
        else if ((entry = required(element, f.key, who)) != nullptr) bind(member, *entry, who + ": " + std::string(f.key));
      }
    };
    std::apply([&](const auto&... f) { (field(f), ...); }, E<double>::fields);
    if (failed_ || parameters_failed_) return;

    Constraint constraint{element.name, group, E<double>::type, element.where, {}, 0, 0, -1};
    if (motion_) {
      motion_->owner = element.name;
      motion_->must_be_positive = requires { E<double>::motion_must_be_positive; };
    }
    if (as_drawn && !settle(bound, who)) return;
    if (!accepted(bound, element, who)) return;
    if (motion_) {
      constraint.motion = builder_->add(*motion_);
      planar::walk(bound, SetMotion{constraint.motion});
    }
    builder_->add<E>(bound, std::move(constraint));
  }

  // The constant that makes the equation hold at t = 0 at the drawn positions.
  template <class E>
  bool settle(E& bound, const std::string& who) {
    std::vector<double> motions(1, 0.0);
    if (motion_) {
      if (const auto fault = motion_->function.evaluate(0.0, motions[0])) {
        complain({motion_->where.line, motion_->where.column + std::max(fault->column - 1, 0)}, who + ": motion: " + fault->sentence + ", at t = 0");
        return false;
      }
    }
    if constexpr (requires { bound.settle(planar::World<double>{}); }) bound.settle({drawn_, motions});
    return true;
  }

  template <class E>
  bool accepted(const E& bound, const Element& element, const std::string& who) {
    planar::Refusals because(kZeroLength * length_scale_);
    bound.refuse(because);
    std::set<int> carriers;
    E copy = bound;
    planar::walk(copy, Carriers{carriers});
    if (carriers == std::set{0} && because.reasons().empty()) because.when(true, "", "every side is on the ground: it holds nothing");
    for (const auto& reason : because.reasons()) {
      const Entry* entry = reason.key.empty() ? nullptr : element.find(reason.key);
      const Where where = entry == nullptr ? element.where : place(entry->value, entry->where);
      complain(where, who + ": " + (reason.key.empty() ? "" : std::string(reason.key) + ": ") + reason.sentence);
    }
    return because.reasons().empty();
  }

  static Where place(const Value& value, Where otherwise) {
    if (const Text* text = std::get_if<Text>(&value)) return text->where;
    if (const auto* texts = std::get_if<std::vector<Text>>(&value); texts != nullptr && !texts->empty()) return (*texts)[0].where;
    return otherwise;
  }

  struct SetMotion {
    int index;
    void number(double) const {}
    void slot(int) const {}
    void motion(int& m) const { m = index; }
  };
  struct Carriers {
    std::set<int>& out;
    void number(double) const {}
    void slot(int body) const { out.insert(body); }
    void motion(int) const {}
  };

  // Forces do not enter kinematics, but a wrong one is a wrong model.
  void check_force(const Element& force) {
    const std::string who = "force '" + force.name + "'";
    const planar::TypeInfo* type = planar::find_type(Group::force, force.type);
    if (type == nullptr) {
      if (!force.type.empty()) complain(force.type_where, who + ": unknown type '" + force.type + "'");
      return;
    }
    for (const planar::FieldInfo& field : type->fields) {
      const Entry* entry = force.find(field.key);
      if (entry == nullptr) {
        if (field.required) complain(force.where, who + ": '" + std::string(field.key) + "' is missing");
        continue;
      }
      if (std::holds_alternative<std::monostate>(entry->value)) continue;
      check_force_field(*type, field, *entry, who + ": " + std::string(field.key));
    }
    if (force.find("stiffness") != nullptr && force.type == "spring" && force.find("free_length") == nullptr)
      complain(force.where, who + ": 'free_length' is missing: a stiffness needs it");
  }

  void check_force_field(const planar::TypeInfo& type, const planar::FieldInfo& field, const Entry& entry, const std::string& who) {
    using planar::Form;
    if (field.form == Form::point) {
      planar::Point<double> p;
      bind(p, entry, who);
    } else if (field.form == Form::body) {
      planar::BodyRef b;
      bind(b, entry, who);
    } else if (field.form == Form::number) {
      double x = 0;
      bind(x, entry, who);
    } else if (field.form == Form::motion) {
      (void)time_function(entry, who);
    } else if (field.form == Form::vector) {
      Scope scope = scope_;
      scope.variables = {"t"};
      if (const auto* texts = std::get_if<std::vector<Text>>(&entry.value))
        for (const Text& text : *texts) (void)parse(text, scope, who);
    } else if (field.form == Form::law) {
      Scope scope = scope_;
      scope.variables = type.type == "spring" ? std::vector<std::string>{"l", "v", "t"} : std::vector<std::string>{"theta", "omega", "t"};
      if (const Text* text = text_of(entry, field.form, who)) (void)parse(*text, scope, who);
    } else if (field.form == Form::frame) {
      const Text* text = text_of(entry, field.form, who);
      if (text != nullptr && text->text != "ground" && text->text != "body")
        complain(text->where, who + ": expected " + std::string(planar::expected(field.form)) + ", found '" + text->text + "'");
    }
  }

  // ---- [run] -------------------------------------------------------------------------------------------------------

  Mechanism::Run run_section() {
    Mechanism::Run run;
    if (!model_.run) return run;
    run.written = true;
    const RunSection& written = *model_.run;
    if (written.analysis) {
      static constexpr std::array names{"kinematics", "inverse", "dynamics", "equilibrium"};
      run.analysis = written.analysis->text;
      if (std::ranges::find(names, run.analysis) == names.end())
        complain(written.analysis->where, "[run]: analysis: expected \"kinematics\", \"inverse\", \"dynamics\" or \"equilibrium\", found '" + run.analysis + "'");
    }
    if (written.to) {
      if (const auto to = number(*written.to, "[run]: to")) {
        run.to = *to;
        if (!(*to > 0)) complain(written.to->where, "[run]: to: must be greater than 0, found " + shown(*to));
      }
    }
    if (written.steps) {
      if (const auto steps = number(*written.steps, "[run]: steps")) {
        if (!(*steps >= 1) || !(*steps <= 1e9) || *steps != std::floor(*steps))
          complain(written.steps->where, "[run]: steps: must be a whole number from 1 to 1e9, found " + shown(*steps));
        else
          run.steps = static_cast<int>(*steps);
      }
    }
    return run;
  }

  const Model& model_;
  Scope scope_;
  Vec2<double> gravity_;
  bool parameters_failed_ = false;
  std::vector<BodyData> bodies_;
  std::map<std::string, int, std::less<>> index_;  // of a body, by name
  std::vector<planar::Frame<double>> drawn_;       // centres of mass
  std::set<std::string> unreadable_;  // "body.point" of points whose own error was reported
  double length_scale_ = 1;
  PlanarSystem::Builder* builder_ = nullptr;
  bool failed_ = false;
  std::optional<PrescribedMotion> motion_;
  Problems problems_;
};

}  // namespace

Result<Mechanism> build(const Model& model) { return Build(model).run(); }

}  // namespace jounce
