// Oracles: the "forward_start" and "end" entries of models/*/expected.json, made by tools/dynamics_oracles.py in extended precision;
// and what holds of every motion whatever the numbers are: three roads to the same accelerations, power and energy, motion
// reversed, the whole moved rigidly. Walks models/.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "jounce/plane/rows/dynamic_rows.hpp"
#include "jounce/analysis/dynamics.hpp"
#include "jounce/base/index.hpp"
#include "jounce/io/load.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/plane/equations/linearisation.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"
#include "model_folders.hpp"

using namespace jounce;
namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

// What models/README.md promises of the start, relative to the scale of the column; the springs of bushing-bars are stiff against
// the weights they carry, so that as many digits are lost there.
constexpr double kAtStart = 1e-10, kAtStiffStart = 1e-9;
// Three ways to solve one linear system of condition 1e4 at most.
constexpr double kSameSolution = 1e-10;
// A sum of some dozens of products, against the largest of them.
constexpr double kBalance = 1e-10;
// Watts: what rounding gives a model that a driver holds at rest.
constexpr double kNoPower = 1e-9;
constexpr double kTight = 1e-12;

std::vector<fs::path> folders() { return jounce_test::model_folders(jounce::Space::plane); }

Json expected(const fs::path& folder) {
  std::ifstream file(folder / "expected.json");
  REQUIRE(file.good());
  return Json::parse(file).value("dynamics", Json::object());
}

PlaneMechanism loaded(const fs::path& folder) {
  auto mechanism = load_plane((folder / "model.toml").string());
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  return *std::move(mechanism);
}

// The models with masses. Exact dry friction makes a motion that is not smooth, with tests of its own.
template <class F>
void each_model(F&& f) {
  int found = 0;
  for (const fs::path& folder : folders()) {
    const PlaneMechanism mechanism = loaded(folder);
    const bool masses = std::ranges::all_of(mechanism.bodies.begin() + 1, mechanism.bodies.end(),
                                            [](const BodyData& b) { return b.mass.has_value() && b.inertia.has_value(); });
    const bool smooth = std::ranges::all_of(mechanism.system.signals(), [](const ForceSignal& s) { return s.dry_friction == 0; });
    if (!masses || !smooth) continue;
    const std::string model = folder.filename().string();
    CAPTURE(model);
    f(mechanism, folder);
    ++found;
  }
  CHECK(found >= 27);
}

// Far enough for everything to have moved.
double short_time(const PlaneMechanism& mechanism) { return 0.07 * mechanism.run.to; }

DynamicsRun done(const PlaneMechanism& mechanism, const DynamicsOptions& options) {
  DynamicsRun run = dynamics(mechanism, options);
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  return run;
}

double at(const DynamicsRun& run, std::size_t row, const std::string& column) {
  const auto value = run.results.at(row, column);
  REQUIRE_MESSAGE(value.has_value(), column);
  return *value;
}

bool ends_with(const std::string& column, std::initializer_list<const char*> endings) {
  return std::ranges::any_of(endings, [&](const char* end) { return column.ends_with(end); });
}
// Kinds of columns whose numbers are compared with the largest among them.
bool is_acceleration(const std::string& column) { return ends_with(column, {".ax", ".ay", ".aphi"}); }
bool is_multiplier(const std::string& column) { return column.find(".lambda") != std::string::npos && !column.ends_with("_rate"); }

double largest(const DynamicsRun& run, std::size_t row, bool (*kind)(const std::string&)) {
  double most = 1;  // a model that starts at rest, or carries nothing, is compared with 1
  for (std::size_t c = 0; c < run.results.columns().size(); ++c)
    if (kind(run.results.columns()[c].name)) most = std::max(most, std::abs(run.results.column(c)[row]));
  return most;
}

// Derivative k of a body's centre of mass and angle, from the columns of its origin: r_c = r + s, and s turns with the body.
std::array<double, 3> centre(const BodyData& body, const DynamicsRun& run, std::size_t row, int k) {
  const auto value = [&](const char* prefix, const char* what) { return at(run, row, body.name + "." + prefix + what); };
  static constexpr std::array prefix{"", "v", "a"};
  const char* const order = prefix[z(k)];
  const double phi = value("", "phi"), c = std::cos(phi), s = std::sin(phi);
  const double sx = c * body.com.x - s * body.com.y, sy = s * body.com.x + c * body.com.y;
  const double w = value("v", "phi"), a = value("a", "phi");
  const std::array<std::array<double, 2>, 3> arm{{{sx, sy}, {-w * sy, w * sx}, {-a * sy - w * w * sx, a * sx - w * w * sy}}};
  return {value(order, "x") + arm[z(k)][0], value(order, "y") + arm[z(k)][1], value(order, "phi")};
}

std::vector<double> centres(const PlaneMechanism& mechanism, const DynamicsRun& run, std::size_t row, int k) {
  std::vector<double> out;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
    for (const double x : centre(mechanism.bodies[b], run, row, k)) out.push_back(x);
  return out;
}

}  // namespace

TEST_CASE("every expected velocity, acceleration, jerk, reaction and rate at the start of every model is met") {
  // oracle: expected.json
  int checks = 0;
  each_model([&](const PlaneMechanism& mechanism, const fs::path& folder) {
    const Json dynamics_of = expected(folder);
    REQUIRE(dynamics_of.contains("forward_start"));
    const DynamicsRun run = done(mechanism, {.to = 1e-4 * mechanism.run.to, .steps = 1});
    const double tolerance = folder.filename() == "bushing-bars" ? kAtStiffStart : kAtStart;
    for (const Json& check : dynamics_of.at("forward_start")) {
      const std::string column = check.at("column");
      CAPTURE(column);
      CHECK(std::abs(at(run, 0, column) - check.at("value").get<double>()) <= tolerance * check.at("scale").get<double>());
      ++checks;
    }
  });
  CHECK(checks > 1500);
}

TEST_CASE("every expected state at the end of a run is met") {
  // oracle: expected.json: closed forms, minimal coordinates integrated with 30 digits, and published tables
  int checks = 0;
  each_model([&](const PlaneMechanism& mechanism, const fs::path& folder) {
    const Json dynamics_of = expected(folder);
    if (!dynamics_of.contains("end")) return;
    for (const Method method : {Method::automatic, Method::taylor}) {
      CAPTURE(word(method));
      std::map<double, DynamicsRun> runs;
      for (const Json& check : dynamics_of.at("end")) {
        const std::string column = check.at("column");
        const double t = check.at("t");
        CAPTURE(column);
        CAPTURE(t);
        if (!runs.contains(t)) runs.emplace(t, done(mechanism, {.to = t, .steps = 1, .tolerance = kTight, .method = method}));
        const double error = std::abs(at(runs.at(t), 1, column) - check.at("value").get<double>()) / check.at("scale").get<double>();
        CHECK(error <= check.at("tolerance").get<double>());
        ++checks;
      }
    }
  });
  CHECK(checks > 300);
}

TEST_CASE("all formulations give the same accelerations and multipliers, at the start of every model and on the way") {
  // oracle: each other: Schur complement, independent motions, one sparse matrix, and along a tree of joints
  each_model([](const PlaneMechanism& mechanism, const fs::path&) {
    const auto run_by = [&](Formulation formulation) {
      return done(mechanism, {.to = short_time(mechanism), .steps = 1, .tolerance = kTight, .formulation = formulation});
    };
    const DynamicsRun lagrange = run_by(Formulation::lagrange);
    CHECK(lagrange.statistics.formulation == "lagrange");
    for (const Formulation formulation : kFormulations) {
      CAPTURE(word(formulation));
      const DynamicsRun run = run_by(formulation);
      CHECK(run.statistics.formulation == word(formulation));
      REQUIRE(run.results.columns() == lagrange.results.columns());
      for (std::size_t row = 0; row < 2; ++row) {
        const double acceleration = largest(lagrange, row, is_acceleration), multiplier = largest(lagrange, row, is_multiplier);
        for (const std::string& column : run.results.names()) {
          if (!is_acceleration(column) && !is_multiplier(column)) continue;
          CAPTURE(column);
          CAPTURE(row);
          const double size = is_acceleration(column) ? acceleration : multiplier;
          CHECK(std::abs(at(run, row, column) - at(lagrange, row, column)) <= kSameSolution * size);
        }
      }
    }
  });
}

TEST_CASE("a conservative model runs back to where it came from, and keeps its energy") {
  // oracle: time reversal; the motion of a velocity reversed is the motion reversed
  int conservative = 0;
  each_model([&](const PlaneMechanism& mechanism, const fs::path& folder) {
    const DynamicsOptions options{.to = std::min(0.2 * mechanism.run.to, 2.0), .steps = 10, .tolerance = kTight};
    const DynamicsRun there = done(mechanism, options);
    if (!there.statistics.conservative) return;
    ++conservative;
    const double size = std::max(std::abs(at(there, 0, "energy.total")), at(there, 5, "energy.kinetic"));
    CHECK(there.statistics.energy_drift <= 1e-11 * size);
    PlaneMechanism reversed = loaded(folder);
    reversed.drawn = there.q;
    reversed.velocity = there.v;
    for (double& v : reversed.velocity) v = -v;
    const DynamicsRun back = done(reversed, options);
    const auto q = centres(mechanism, there, 0, 0), v = centres(mechanism, there, 0, 1);
    for (std::size_t i = 0; i < q.size(); ++i) {
      CHECK(std::abs(back.q[i] - q[i]) <= 1e-8);
      CHECK(std::abs(back.v[i] + v[i]) <= 1e-8 * (1 + std::abs(v[i])));
    }
  });
  CHECK(conservative >= 5);
}

TEST_CASE("the power of drivers and forces is the rate of the kinetic energy, along every run") {
  // oracle: power balance q'·M q'' = Q·q' + Σ effort · f', which contains no multiplier; everything else from the columns
  int moving = 0;
  each_model([&](const PlaneMechanism& mechanism, const fs::path&) {
    const PlanarSystem& system = mechanism.system;
    Linearisation forces(system);
    const DynamicsRun run = done(mechanism, {.to = 0.37 * mechanism.run.to, .steps = 11, .tolerance = 1e-10});
    for (std::size_t row = 0; row < run.results.rows(); ++row) {
      CAPTURE(row);
      const double t = at(run, row, "t");
      const auto q = centres(mechanism, run, row, 0), v = centres(mechanism, run, row, 1), a = centres(mechanism, run, row, 2);
      REQUIRE(!forces.forces_alone(t, q, v));
      double balance = 0, most = kNoPower, kinetic = 0;
      const auto add = [&](double power) { balance += power, most = std::max(most, std::abs(power)); };
      for (std::size_t c = 0; c < q.size(); ++c) {
        add(forces.Q()[c] * v[c]), add(-system.mass()[c] * a[c] * v[c]);
        kinetic += 0.5 * system.mass()[c] * v[c] * v[c];
      }
      for (const PrescribedMotion& motion : system.motions()) {
        Series<1> f;
        REQUIRE(!motion.function.evaluate(Series<1>::time(t), f));
        add(at(run, row, motion.owner + ".effort") * f.derivative(1));
      }
      moving += most > kNoPower ? 1 : 0;
      CHECK(std::abs(balance) <= (most > kNoPower ? kBalance * most : kNoPower));  // an effort that is none is rounding of the forces behind it
      const double energy = std::max(kinetic, std::abs(forces.potential()));
      CHECK(std::abs(at(run, row, "energy.kinetic") - kinetic) <= kBalance * energy);
      CHECK(std::abs(at(run, row, "energy.potential") - forces.potential()) <= kBalance * energy);
      CHECK(std::abs(at(run, row, "energy.total") - kinetic - forces.potential()) <= kBalance * energy);
    }
  });
  CHECK(moving > 150);
}

TEST_CASE("the energy grows by the work of drivers and of what is not conservative, over every run") {
  // oracle: E(t) − E(0) = ∫ Σ effort · f' + (Q·q' + dV/dt) dt; the integral by Boole's rule over the rows, dV/dt by differences
  // of V along the motion
  int working = 0;
  each_model([&](const PlaneMechanism& mechanism, const fs::path& folder) {
    if (folder.filename() == "bushing-bars") return;  // its first milliseconds are too fast for a rule with equal steps
    const PlanarSystem& system = mechanism.system;
    Linearisation forces(system), nearby(system);
    constexpr int kPanels = 24;
    const double to = short_time(mechanism);
    const DynamicsRun run = done(mechanism, {.to = to, .steps = 4 * kPanels, .tolerance = 1e-12});
    double work = 0, size = kNoPower;
    for (std::size_t row = 0; row < run.results.rows(); ++row) {
      const double t = at(run, row, "t");
      const auto q = centres(mechanism, run, row, 0), v = centres(mechanism, run, row, 1);
      REQUIRE(!forces.forces_alone(t, q, v));
      const auto potential = [&](double s) {
        std::vector<double> moved = q;
        for (std::size_t i = 0; i < q.size(); ++i) moved[i] += s * v[i];
        REQUIRE(!nearby.forces_alone(t, moved, v));
        return nearby.potential();
      };
      const double h = 1e-3 * to, coarse = (potential(h) - potential(-h)) / (2 * h), fine = (potential(h / 2) - potential(-h / 2)) / h;
      double power = fine + (fine - coarse) / 3;
      for (std::size_t c = 0; c < q.size(); ++c) power += forces.Q()[c] * v[c];
      for (const PrescribedMotion& motion : system.motions()) {
        Series<1> f;
        REQUIRE(!motion.function.evaluate(Series<1>::time(t), f));
        power += at(run, row, motion.owner + ".effort") * f.derivative(1);
      }
      static constexpr std::array<double, 4> inner{14, 32, 12, 32};
      const double weight = row == 0 || row + 1 == run.results.rows() ? 7 : inner[row % 4];
      work += weight * power * 2 * (to / (4 * kPanels)) / 45;
      size = std::max({size, std::abs(at(run, row, "energy.kinetic")), std::abs(at(run, row, "energy.potential")), std::abs(power) * to});
    }
    const double gained = at(run, run.results.rows() - 1, "energy.total") - at(run, 0, "energy.total");
    if (std::abs(gained) > 1e-3 * size) ++working;
    CHECK(std::abs(gained - work) <= 1e-8 * size);
    CHECK(std::abs(at(run, run.results.rows() - 1, "energy.work") - work) <= 1e-8 * size + 1e-12);  // of a truss that stands, rounding
  });
  CHECK(working >= 15);
}

// ---- the whole moved rigidly --------------------------------------------------------------------------------------------

namespace {

constexpr double kTurn = 0.7, kShiftX = 0.3, kShiftY = -1.1;

// The text of a vector turned, and shifted if it is a place.
std::vector<Text> moved(const std::vector<Text>& v, bool place) {
  const std::string c = Text(std::cos(kTurn)).text, s = Text(std::sin(kTurn)).text;
  const auto sum = [&](const std::string& a, const std::string& b, double shift) {
    return Text("(" + v[0].text + ")*(" + a + ") + (" + v[1].text + ")*(" + b + ") + (" + Text(place ? shift : 0.0).text + ")");
  };
  return {sum(c, "-" + s, kShiftX), sum(s, c, kShiftY)};
}

Model moved(Model m) {
  const std::vector<Text> zero{0.0, 0.0};
  if (!m.gravity.empty()) m.gravity = moved(m.gravity, false);
  for (NamedPoint& p : m.ground.points) p.at = moved(p.at, true);
  for (Body& b : m.bodies) {
    b.position = moved(b.position.value_or(zero), true);
    if (b.velocity) b.velocity = moved(*b.velocity, false);
    b.angle = Text("(" + b.angle.value_or(Text(0.0)).text + ") + " + Text(kTurn).text);
  }
  for (Element& f : m.forces) {  // an angle from the ground to a body has grown
    const Entry* free = f.find("free_angle");
    if (free == nullptr) continue;
    const auto on_ground = [&](const char* key) { return std::get<Text>(f.find(key)->value).text == "ground"; };
    const double grown = (on_ground("i") ? kTurn : 0.0) - (on_ground("j") ? kTurn : 0.0);
    f.set("free_angle", Text("(" + std::get<Text>(free->value).text + ") + (" + Text(grown).text + ")"));
  }
  return m;
}

// Nothing in it refers to the ground's axes.
bool can_be_moved(const PlaneMechanism& mechanism, const Model& model) {
  bool out = true;
  const auto stays = [&](const auto& batch) {
    if (batch.size() > 0) out = out && batch.elements[0].invariance == planar::Invariance::rigid_motion;
  };
  mechanism.system.impl().each(stays);
  mechanism.system.impl().each_force(stays);
  for (const auto* list : {&model.joints, &model.drivers})
    for (const Element& e : *list) out = out && e.find("offset") == nullptr;
  return out;
}

}  // namespace

TEST_CASE("a model moved rigidly as a whole, gravity included, does the same") {
  // oracle: mechanics knows no place and no direction; vectors turn, everything else stays
  int compared = 0;
  const double c = std::cos(kTurn), s = std::sin(kTurn);
  each_model([&](const PlaneMechanism& mechanism, const fs::path& folder) {
    const auto model = read((folder / "model.toml").string());
    REQUIRE(model.ok());
    if (!can_be_moved(mechanism, *model)) return;
    ++compared;
    const auto other = build_plane(moved(*model));
    REQUIRE_MESSAGE(other.ok(), text(other.problems()));
    const DynamicsOptions options{.to = short_time(mechanism), .steps = 1, .tolerance = kTight};
    const DynamicsRun here = done(mechanism, options), there = done(*other, options);
    for (std::size_t row = 0; row < 2; ++row) {
      const double acceleration = largest(here, row, is_acceleration), multiplier = largest(here, row, is_multiplier);
      const auto turned = [&](const std::string& x, const std::string& y, double size) {
        const double vx = at(here, row, x), vy = at(here, row, y);
        CAPTURE(x);
        CAPTURE(row);
        CHECK(std::abs(at(there, row, x) - (c * vx - s * vy)) <= 1e-9 * size);
        CHECK(std::abs(at(there, row, y) - (s * vx + c * vy)) <= 1e-9 * size);
      };
      const auto same = [&](const std::string& column, double shift, double size) {
        CAPTURE(column);
        CAPTURE(row);
        CHECK(std::abs(at(there, row, column) - at(here, row, column) - shift) <= 1e-9 * size);
      };
      for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
        const std::string& name = mechanism.bodies[b].name;
        turned(name + ".ax", name + ".ay", acceleration);
        same(name + ".aphi", 0, acceleration);
        same(name + ".phi", kTurn, 1 + std::abs(at(here, row, name + ".phi")));
      }
      for (const Constraint& joint : mechanism.system.constraints()) {
        turned(joint.name + ".fx", joint.name + ".fy", multiplier);
        same(joint.name + ".torque", 0, multiplier);
        if (joint.group == planar::Group::driver) same(joint.name + ".effort", 0, multiplier);
      }
      same("energy.kinetic", 0, std::max(1e-3, std::abs(at(here, row, "energy.kinetic"))));
    }
  });
  CHECK(compared >= 15);
}
