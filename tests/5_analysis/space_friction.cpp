// Oracle: motions in closed form (piecewise constant friction), and the same mechanisms in the plane.
#include <string>
#include <utility>
#include <vector>

#include "driven_test.hpp"
#include "jounce/io/read_model.hpp"
#include "jounce/analysis/explain/space_explanation.hpp"
#include "jounce/analysis/dynamics.hpp"

namespace space_friction_test {

using namespace jounce;
using namespace jounce::test;

namespace {

constexpr double kPromised = 1e-9;
constexpr double kTight = 1e-13;
constexpr double kGravity = 9.81;

template <class Mechanism>
DynamicsRun done(const Mechanism& mechanism, double to, int steps, double tolerance = kTight, Method method = Method::automatic,
                 Formulation formulation = Formulation::automatic) {
  DynamicsOptions options;
  options.to = to, options.steps = steps, options.tolerance = tolerance, options.method = method, options.formulation = formulation;
  DynamicsRun run = dynamics(mechanism, options);
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence);
  REQUIRE(run.results.rows() == static_cast<std::size_t>(steps) + 1);
  return run;
}

PlaneMechanism in_plane(const std::string& model) { return built(parse_model("jounce = 1\nname = \"planar\"\n" + model, "planar.toml").model); }

std::vector<Event> friction_events(const DynamicsRun& run) {
  std::vector<Event> out;
  for (const Event& event : run.events)
    if (event.kind == "stick" || event.kind == "slip" || event.kind == "friction-reversal") out.push_back(event);
  return out;
}

void check_event(const Event& event, const std::string& kind, const std::string& element, double t) {
  CHECK(event.kind == kind);
  CHECK(event.elements == std::vector<std::string>{element});
  CHECK_MESSAGE(std::abs(event.t - t) <= kPromised, event.t, " and not ", t);
}

// The same kinds at the same times; elements are named by joints here and by forces in the plane.
void check_same_events(const DynamicsRun& ours, const DynamicsRun& exact, double within) {
  const std::vector<Event> a = friction_events(ours), b = friction_events(exact);
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    CHECK(a[k].kind == b[k].kind);
    CHECK_MESSAGE(std::abs(a[k].t - b[k].t) <= within, a[k].t, " and not ", b[k].t);
  }
}

const std::string kWeight = "gravity = [0, 0, -9.81]\n";
const std::string kBody = "mass = 2\ninertia = [0.1, 0.2, 0.3, 0, 0, 0]\n";

// A block of 2 kg on a slope of 30 degrees that rises with x, its place q along it.
SpaceMechanism slope(double friction, const std::string& more) {
  return driven(kWeight + "[bodies.block]\n" + kBody + "[joints.slide]\ntype = \"prismatic\"\nparent = \"ground\"\nchild = \"block\"\naxis = [\"cos(30*deg)\", 0, \"sin(30*deg)\"]\n" +
                more + "dofs = [ { friction = " + text_of(friction) + ", friction_speed = 0 } ]\n");
}

// A block along x on a spring, with friction in its slide or in a strut beside the spring.
std::string swing(const std::string& of_slide, const std::string& of_spring) {
  return "[ground]\npoints = { O = [0, 0, 0] }\n[bodies.block]\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\npoints = { C = [0, 0, 0] }\n[joints.slide]\ntype = \"prismatic\"\n"
         "parent = \"ground\"\nchild = \"block\"\naxis = [1, 0, 0]\nq = [0.7]\n" + of_slide +
         "[forces.coil]\ntype = \"spring\"\ni = \"ground.O\"\nj = \"block.C\"\nstiffness = 100\nfree_length = 0.5\n" + of_spring;
}

}  // namespace

TEST_CASE("a block on a slope stays where its friction holds it, and slides by the difference where it does not") {
  // oracle: closed form; the weight along the slope is m g / 2
  const double weight = 2 * kGravity / 2;
  const DynamicsRun stays = done(slope(weight + 1e-6, ""), 2, 4);
  for (std::size_t row = 0; row < stays.results.rows(); ++row) {
    CHECK(std::abs(value(stays, row, "slide.q1")) <= 1e-15);
    CHECK(value(stays, row, "slide.v1") == 0);
    CHECK(std::abs(value(stays, row, "slide.tau1") - weight) <= kSolved * weight);
  }
  CHECK(friction_events(stays).empty());
  const double friction = 6, down = (weight - friction) / 2, up = (weight + friction) / 2, fast = 3;
  const DynamicsRun slides = done(slope(friction, ""), 2, 4);
  for (std::size_t row = 0; row < slides.results.rows(); ++row) {
    const double t = value(slides, row, "t");
    CHECK(std::abs(value(slides, row, "slide.q1") + down * t * t / 2) <= kPromised);
    CHECK(std::abs(value(slides, row, "slide.tau1") - friction) <= kSolved * weight);
  }
  // thrown uphill it stops after fast/up seconds and comes back; with more friction it stays up there
  const DynamicsRun thrown = done(slope(friction, "v = [3]\n"), 2, 40);
  const double turns = fast / up, top = fast * fast / (2 * up);
  REQUIRE(friction_events(thrown).size() == 1);
  check_event(friction_events(thrown)[0], "friction-reversal", "slide", turns);
  for (std::size_t row = 0; row < thrown.results.rows(); ++row) {
    const double t = value(thrown, row, "t"), since = t - turns;
    CHECK(std::abs(value(thrown, row, "slide.q1") - (t < turns ? fast * t - up * t * t / 2 : top - down * since * since / 2)) <= kPromised);
    CHECK(std::abs(value(thrown, row, "slide.v1") - (t < turns ? fast - up * t : -down * since)) <= kPromised);
  }
  const DynamicsRun rests = done(slope(weight + 2, "v = [3]\n"), 2, 40);
  const double stronger = (2 * weight + 2) / 2;
  REQUIRE(friction_events(rests).size() == 1);
  check_event(friction_events(rests)[0], "stick", "slide", fast / stronger);
  CHECK(std::abs(value(rests, 40, "slide.q1") - fast * fast / (2 * stronger)) <= kPromised);
  CHECK(rests.statistics.energy_balance < kPromised);
}

TEST_CASE("a pendulum with friction in its pin is that of the plane") {
  // oracle: the same in the plane
  const PlaneMechanism plane = in_plane("gravity = [0, -9.81]\n[ground]\npoints = { O = [0, 0] }\n[bodies.bob]\nmass = 1\ninertia = 0.1\ncom = [0.5, 0]\npoints = { O = [0, 0] }\n"
                                      "[joints.pin]\ntype = \"revolute\"\ni = \"ground.O\"\nj = \"bob.O\"\n[forces.brake]\ntype = \"torsion-spring\"\ni = \"ground\"\nj = \"bob\"\n"
                                      "friction = 0.7\nfriction_speed = 0\n");
  const SpaceMechanism space = driven("gravity = [0, -9.81, 0]\n[bodies.bob]\nmass = 1\ninertia = [0.1, 0.1, 0.1, 0, 0, 0]\ncom = [0.5, 0, 0]\n[joints.pin]\ntype = \"revolute\"\n"
                                      "parent = \"ground\"\nchild = \"bob\"\ndofs = [ { friction = 0.7, friction_speed = 0 } ]\n");
  const DynamicsRun exact = done(plane, 6, 60), ours = done(space, 6, 60), stiff = done(space, 6, 60, 1e-11, Method::radau);
  for (const DynamicsRun* run : {&ours, &stiff}) {
    check_same_events(*run, exact, kPromised);
    for (std::size_t row = 0; row < exact.results.rows(); ++row) {
      CAPTURE(value(exact, row, "t"));
      for (const auto& [column, of_plane] : {std::pair{"pin.q1", "bob.phi"}, std::pair{"pin.v1", "bob.vphi"}, std::pair{"pin.a1", "bob.aphi"}, std::pair{"pin.j1", "bob.jphi"},
                                            std::pair{"pin.s1", "bob.sphi"}, std::pair{"pin.fx", "pin.fx"}, std::pair{"pin.fy", "pin.fy"}, std::pair{"energy.work", "energy.work"}})
        CHECK(std::abs(value(*run, row, column) - value(exact, row, of_plane)) <= kPromised * std::max(1.0, std::abs(value(exact, row, of_plane))));
      CHECK(std::abs(value(*run, row, "pin.tau1") + value(exact, row, "brake.torque")) <= kPromised);
    }
  }
}

TEST_CASE("a nut that a screw lowers against friction, and that holds itself") {
  // oracle: closed form: (I + m h²) q̈ = −m g h ± F, h the advance of one radian
  const double h = 0.05, inertia = 0.3 + 2 * h * h, weight = 2 * kGravity * h;
  const auto nut = [&](double friction, const std::string& rate) {
    return driven(kWeight + "[bodies.nut]\n" + kBody + "[joints.screw]\ntype = \"helical\"\nparent = \"ground\"\nchild = \"nut\"\npitch = 0.05\nv = [" + rate +
                  "]\ndofs = [ { friction = " + text_of(friction) + ", friction_speed = 0 } ]\n");
  };
  const DynamicsRun holds = done(nut(1.2, "4"), 3, 30), sinks = done(nut(0.4, "4"), 3, 30);
  REQUIRE(friction_events(holds).size() == 1);
  check_event(friction_events(holds)[0], "stick", "screw", 4 * inertia / (weight + 1.2));
  const double turns = 4 * inertia / (weight + 0.4);
  REQUIRE(friction_events(sinks).size() == 1);
  check_event(friction_events(sinks)[0], "friction-reversal", "screw", turns);
  for (std::size_t row = 0; row < holds.results.rows(); ++row) {
    const double t = value(holds, row, "t"), until = std::min(t, 4 * inertia / (weight + 1.2)), before = std::min(t, turns), since = std::max(0.0, t - turns);
    CHECK(std::abs(value(holds, row, "screw.q1") - (4 * until - (weight + 1.2) / inertia * until * until / 2)) <= kPromised);
    CHECK(std::abs(value(sinks, row, "screw.q1") -
                   (4 * before - (weight + 0.4) / inertia * before * before / 2 - (weight - 0.4) / inertia * since * since / 2)) <= kPromised);
  }
  CHECK(std::abs(value(holds, 30, "screw.tau1") - weight) <= kPromised);
}

TEST_CASE("a block on a spring with friction swings in half-cycles and sticks, in every formulation and by every method") {
  // oracle: closed form: half-cycles about plus or minus F/k, 2 F/k shorter each; friction in the slide, or in the strut
  const std::string slide = "dofs = [ { friction = 3, friction_speed = 0 } ]\n", strut = "friction = 3\nfriction_speed = 0\n";
  const double half = kPi / 10;
  const auto check = [&](const DynamicsRun& run, const std::string& who) {
    const auto events = friction_events(run);
    REQUIRE(events.size() == 3);
    check_event(events[0], "friction-reversal", who, half);
    check_event(events[1], "friction-reversal", who, 2 * half);
    check_event(events[2], "stick", who, 3 * half);
    for (std::size_t row = 0; row < run.results.rows(); ++row) {
      const double t = value(run, row, "t");
      const int n = static_cast<int>(t / half);
      const double side = n % 2 == 0 ? 1 : -1, x = n < 3 ? side * (0.03 + (0.17 - 0.06 * n) * std::cos(10 * (t - n * half))) : -0.02;
      CHECK(std::abs(value(run, row, "slide.q1") - (0.5 + x)) <= kPromised);
      if (n < 3) continue;
      CHECK(std::abs(value(run, row, "slide.v1")) <= kSolved);
      CHECK(std::abs(value(run, row, "coil.f") - value(run, row, "slide.tau1")) <= 1e-7);  // both are 0 where the strut has the friction
    }
  };
  for (const Formulation formulation : kFormulations) {
    CAPTURE(word(formulation));
    if (formulation == Formulation::kane) continue;
    check(done(driven(swing(slide, "")), 1.5, 30, kTight, Method::automatic, formulation), "slide");
    check(done(driven(swing("", strut)), 1.5, 30, kTight, Method::automatic, formulation), "coil");
  }
  check(done(driven(swing(slide, "")), 1.5, 30, 1e-11, Method::radau), "slide");
  check(done(driven(swing("", strut)), 1.5, 30, 1e-11, Method::radau), "coil");
}

TEST_CASE("two blocks, one on the other: each gives way in its turn") {
  // oracle: closed form: load 2 t on B, which lies on A: A gives way at F1/2 and takes B with it, until B's friction F2 is needed in full
  const double a = 3, b = 2, below = 4, between = 5, first = below / 2, second = (between * (a + b) - b * below) / (2 * a);
  const auto body = [](const std::string& name, double mass) { return "[bodies." + name + "]\nmass = " + text_of(mass) + "\ninertia = [1, 1, 1, 0, 0, 0]\npoints = { C = [0, 0, 0] }\n"; };
  const auto slide = [](const std::string& name, const std::string& parent, const std::string& child, double friction) {
    return "[joints." + name + "]\ntype = \"prismatic\"\nparent = \"" + parent + "\"\nchild = \"" + child + "\"\naxis = [1, 0, 0]\ndofs = [ { friction = " + text_of(friction) +
           ", friction_speed = 0 } ]\n";
  };
  const DynamicsRun run = done(driven(body("A", a) + body("B", b) + slide("floor", "ground", "A", below) + slide("contact", "A", "B", between) +
                                      "[forces.load]\ntype = \"force\"\non = \"B.C\"\nvalue = [\"2*t\", 0, 0]\n"),
                               4, 80);
  const auto events = friction_events(run);
  REQUIRE(events.size() == 2);
  check_event(events[0], "slip", "floor", first);
  check_event(events[1], "slip", "contact", second);
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    const double t = value(run, row, "t"), acceleration = t < first ? 0 : (2 * std::min(t, second) - below) / (a + b);
    CHECK(std::abs(value(run, row, "A.ax") - (t < second ? acceleration : (between - below) / a)) <= kPromised);
    CHECK(std::abs(value(run, row, "B.ax") - (t < second ? acceleration : (2 * t - between) / b)) <= kPromised);
    CHECK(std::abs(value(run, row, "contact.tau1") + (t < second ? 2 * t - b * acceleration : between)) <= kPromised);
  }
}

TEST_CASE("two brakes on one block hold together what neither holds alone") {
  // oracle: closed form
  const DynamicsRun run = done(driven("[ground]\npoints = { O = [-1, 0, 0] }\n[bodies.block]\nmass = 2\ninertia = [1, 1, 1, 0, 0, 0]\npoints = { C = [0, 0, 0] }\n[joints.slide]\n"
                                      "type = \"prismatic\"\nparent = \"ground\"\nchild = \"block\"\naxis = [1, 0, 0]\ndofs = [ { friction = 3, friction_speed = 0 } ]\n"
                                      "[forces.strut]\ntype = \"spring\"\ni = \"ground.O\"\nj = \"block.C\"\nfriction = 4\nfriction_speed = 0\n"
                                      "[forces.load]\ntype = \"force\"\non = \"block.C\"\nvalue = [\"2*t\", 0, 0]\n"),
                               5, 50);
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    const double t = value(run, row, "t"), since = std::max(0.0, t - 3.5);
    CHECK(std::abs(value(run, row, "slide.q1") - 2 * since * since * since / 12) <= kPromised);
    CHECK(std::abs(value(run, row, "strut.f") - value(run, row, "slide.tau1") - std::min(2 * t, 7.0)) <= kPromised);
  }
  const auto events = friction_events(run);
  REQUIRE(events.size() == 2);
  check_event(events[0], "slip", "slide", 3.5);
  check_event(events[1], "slip", "strut", 3.5);
}

TEST_CASE("a four-bar with friction in two bearings and a strut sticks and slips as in the plane, with redundant equations and without") {
  // oracle: the same in the plane; the loop is closed by a hinge, which says three things twice, or by a ball that slides, which does not
  const double ax = 0.2 * std::cos(0.9), ay = 0.2 * std::sin(0.9), reach = std::hypot(0.6 - ax, -ay), lean = std::atan2(-ay, 0.6 - ax);
  const double at_a = std::acos((0.5 * 0.5 + reach * reach - 0.45 * 0.45) / (2 * 0.5 * reach)), coupler = lean + at_a;
  const double bx = ax + 0.5 * std::cos(coupler), by = ay + 0.5 * std::sin(coupler), rocker = std::atan2(by, bx - 0.6);
  const std::string exact_sign = ", friction_speed = 0 } ]\n", load = "\"12*sin(3*t)\"";
  const auto plane_body = [](const std::string& name, double x, double y, double phi, double l) {
    return "[bodies." + name + "]\nmass = 1\ninertia = 0.02\nposition = [" + text_of(x) + ", " + text_of(y) + "]\nangle = " + text_of(phi) + "\npoints = { A = [0, 0], B = [" + text_of(l) +
           ", 0], M = [" + text_of(l / 2) + ", 0.05] }\n";
  };
  const auto plane_pin = [](const std::string& name, const std::string& i, const std::string& j) { return "[joints." + name + "]\ntype = \"revolute\"\ni = \"" + i + "\"\nj = \"" + j + "\"\n"; };
  const std::string torsion = "type = \"torsion-spring\"\nfriction_speed = 0\n";
  const PlaneMechanism plane =
      in_plane("[ground]\npoints = { O = [0, 0], Q = [0.6, 0], S = [0.1, -0.3] }\n" + plane_body("crank", 0, 0, 0.9, 0.2) + plane_body("coupler", ax, ay, coupler, 0.5) +
             plane_body("rocker", 0.6, 0, rocker, 0.45) + plane_pin("o", "ground.O", "crank.A") + plane_pin("a", "crank.B", "coupler.A") + plane_pin("q", "ground.Q", "rocker.A") +
             plane_pin("b", "coupler.B", "rocker.B") + "[forces.fo]\ni = \"ground\"\nj = \"crank\"\nfriction = 0.3\n" + torsion +
             "[forces.fa]\ni = \"crank\"\nj = \"coupler\"\nfriction = 0.2\n" + torsion + "[forces.strut]\ntype = \"spring\"\ni = \"ground.S\"\nj = \"rocker.M\"\nfriction = 1.5\nfriction_speed = 0\n" +
             "[forces.load]\ntype = \"force\"\non = \"coupler.M\"\nvalue = [" + load + ", 0]\n");
  const auto body = [](const std::string& name, double l) {
    return "[bodies." + name + "]\nmass = 1\ninertia = [0.02, 0.02, 0.02, 0, 0, 0]\npoints = { B = [" + text_of(l) + ", 0, 0], M = [" + text_of(l / 2) + ", 0.05, 0] }\n";
  };
  const auto pin = [&](const std::string& name, const std::string& parent, const std::string& child, double x, double q, const std::string& friction) {
    return "[joints." + name + "]\ntype = \"revolute\"\nparent = \"" + parent + "\"\nchild = \"" + child + "\"\norigin = { xyz = [" + text_of(x) + ", 0, 0] }\nq = [" + text_of(q) + "]\n" +
           (friction.empty() ? "" : "dofs = [ { friction = " + friction + exact_sign);
  };
  const DynamicsRun exact = done(plane, 4, 40, 1e-12);
  REQUIRE(friction_events(exact).size() >= 4);
  for (const std::string type : {"revolute", "custom\"\nscrews = [[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,0,0,1]]\n#\""}) {
    const SpaceMechanism space =
        driven("[ground]\npoints = { S = [0.1, -0.3, 0] }\n" + body("crank", 0.2) + body("coupler", 0.5) + body("rocker", 0.45) + pin("o", "ground", "crank", 0, 0.9, "0.3") +
               pin("a", "crank", "coupler", 0.2, coupler - 0.9, "0.2") + pin("q", "ground", "rocker", 0.6, rocker, "") + "[loops.b]\ni = \"coupler.B\"\nj = \"rocker.B\"\ntype = \"" + type + "\"\n" +
               "[forces.strut]\ntype = \"spring\"\ni = \"ground.S\"\nj = \"rocker.M\"\nfriction = 1.5\nfriction_speed = 0\n[forces.load]\ntype = \"force\"\non = \"coupler.M\"\nvalue = [" + load + ", 0, 0]\n");
    const DynamicsRun ours = done(space, 4, 40, 1e-12);
    check_same_events(ours, exact, kPromised);
    for (std::size_t row = 0; row < exact.results.rows(); ++row) {
      CAPTURE(value(exact, row, "t"));
      for (const auto& [column, of_plane] : {std::pair{"o.q1", "crank.phi"}, std::pair{"o.v1", "crank.vphi"}, std::pair{"o.a1", "crank.aphi"}, std::pair{"q.q1", "rocker.phi"}, std::pair{"strut.f", "strut.f"},
                                            std::pair{"strut.v", "strut.v"}, std::pair{"coupler.M.x", "coupler.M.x"}, std::pair{"energy.work", "energy.work"}})
        CHECK(std::abs(value(ours, row, column) - value(exact, row, of_plane)) <= kPromised * std::max(1.0, std::abs(value(exact, row, of_plane))));
    }
  }
}

TEST_CASE("friction under a prescribed motion acts against it, and smooth friction converges to the exact one") {
  // oracle: m x'' + F sign(x'), and tanh of a smaller and smaller speed
  const std::string body = "[bodies.block]\nmass = 2\ninertia = [1, 1, 1, 0, 0, 0]\n[joints.slide]\ntype = \"prismatic\"\nparent = \"ground\"\nchild = \"block\"\naxis = [1, 0, 0]\n";
  const KinematicsRun run = inverse(driven(body + "dofs = [ { motion = \"sin(t)\", friction = 6, friction_speed = 0 } ]\n"), {.to = 3, .steps = 29, .columns = {}});
  REQUIRE(run.outcome.done());
  for (std::size_t row = 0; row < run.results.rows(); ++row) {
    const double t = value(run, row, "t");
    check_near(value(run, row, "slide.tau1"), -2 * std::sin(t) + (std::cos(t) > 0 ? 6 : -6));
  }
  const DynamicsRun exact = done(driven(swing("dofs = [ { friction = 3, friction_speed = 0 } ]\n", "")), 0.7, 1);
  double last = 1;
  for (const std::string speed : {"1e-2", "1e-3", "1e-4"}) {
    const DynamicsRun smooth = done(driven(swing("dofs = [ { friction = 3, friction_speed = " + speed + " } ]\n", "")), 0.7, 1, 1e-10);
    const double error = std::abs(value(smooth, 1, "slide.q1") - value(exact, 1, "slide.q1"));
    CHECK(error < 0.3 * last);
    last = error;
  }
}

TEST_CASE("a spring that comes to zero length ends the run there, and one that misses it does not") {
  // oracle: closed form: without forces the block comes to the other end at 1/3 s; with the spring pulling it, when the cosine says so
  const auto thrown = [](const std::string& place, const std::string& spring) {
    return "[ground]\npoints = { O = [0, " + place + ", 0] }\n[bodies.block]\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\npoints = { C = [0, 0, 0] }\n[joints.slide]\ntype = \"prismatic\"\n"
           "parent = \"ground\"\nchild = \"block\"\naxis = [1, 0, 0]\nq = [1]\nv = [-3]\n[forces.coil]\ntype = \"spring\"\ni = \"ground.O\"\nj = \"block.C\"\n" + spring;
  };
  DynamicsOptions options;
  options.to = 1, options.steps = 10, options.tolerance = 1e-10;
  // x'' = −k (x − l): x = l + A cos(w t) + B sin(w t), with l = 0.5, w² = 2, A = 0.5, B = −3/w
  const auto zero = [](double t) { return 0.5 + 0.5 * std::cos(std::sqrt(2.0) * t) - 3 / std::sqrt(2.0) * std::sin(std::sqrt(2.0) * t); };
  double low = 0.3, high = 0.35;
  for (int i = 0; i < 60; ++i) (zero((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  for (const Method method : {Method::dop853, Method::radau}) {
    options.method = method;
    const DynamicsRun run = dynamics(driven(thrown("0", "stiffness = 2\nfree_length = 0.5\n")), options);
    CHECK(run.outcome.kind == Outcome::Kind::undefined);
    CHECK(run.outcome.sentence.starts_with("force 'coil': its length has become zero: a spring needs a line of action, near t = 0.327358"));
    CHECK(std::abs(run.outcome.t - low) <= 1e-8);
    CHECK(run.results.rows() == 4);
    REQUIRE(!run.problems.empty());
    CHECK(run.problems.back().where.line > 0);
    CHECK(dynamics(driven(thrown("1e-3", "stiffness = 2\nfree_length = 0.5\n")), options).outcome.done());
    CHECK(dynamics(driven(thrown("0", "stiffness = 2\nfree_length = 0\n")), options).outcome.done());  // smooth there
  }
  options.method = Method::automatic;
  const std::string prescribed = "[ground]\npoints = { O = [0, 0, 0] }\n[bodies.block]\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\npoints = { C = [0, 0, 0] }\n[joints.slide]\ntype = \"prismatic\"\n"
                                 "parent = \"ground\"\nchild = \"block\"\naxis = [1, 0, 0]\ndofs = [ { motion = \"1 - 3*t\" } ]\n[forces.coil]\ntype = \"spring\"\ni = \"ground.O\"\nj = \"block.C\"\n"
                                 "damping = 2\n";
  const DynamicsRun driven_there = dynamics(driven(prescribed), options);
  CHECK(driven_there.outcome.kind == Outcome::Kind::undefined);
  CHECK(std::abs(driven_there.outcome.t - 1.0 / 3) <= 1e-8);
}

TEST_CASE("what the dry friction of a spring holds in space is explained as the run has it") {
  // oracle: the columns of the run; Q of all forces is mass times acceleration, and where the block is stuck the push, which grows by 0.5 N/s, is all that changes
  const auto mechanism = build_space(parse_model("jounce = 1\nname = \"block\"\nspace = \"3d\"\n[bodies.block]\nmass = 1\ninertia = [0.1, 0.1, 0.1, 0, 0, 0]\n"
                                                 "[joints.guide]\ntype = \"prismatic\"\nparent = \"ground\"\nchild = \"block\"\naxis = [1, 0, 0]\nq = [0.7]\n"
                                                 "[forces.coil]\ntype = \"spring\"\ni = \"ground.origin\"\nj = \"block.origin\"\nstiffness = 100\nfree_length = 0.5\nfriction = 3\nfriction_speed = 0\n"
                                                 "[forces.push]\ntype = \"force\"\non = \"block.origin\"\nvalue = [\"0.5*t\", 0, 0]\n",
                                                 "block.toml")
                                         .model);
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  for (const double t : {0.1, 1.2}) {
    CAPTURE(t);
    const DynamicsRun run = dynamics(*mechanism, {.to = t, .steps = 1, .tolerance = 1e-10});
    const SpaceExplainResult found = explain(*mechanism, t);
    REQUIRE_MESSAGE(found.explanation, found.outcome.sentence);
    const SpaceExplanation::Force &coil = found.explanation->forces[0], &push = found.explanation->forces[1];
    const SpaceExplanation::Joint& guide = found.explanation->joints.front();
    CHECK(std::abs(coil.value[2] - *run.results.at(1, "coil.f")) < 1e-8);
    CHECK(std::abs(coil.bodies.front().Q[0] + push.bodies.front().Q[0] - guide.a[0]) < 1e-8);  // 1 kg
    CHECK(std::abs(coil.bodies.front().Q_rate[0] + push.bodies.front().Q_rate[0] - guide.j[0]) < 1e-8);
    CHECK((guide.a[0] == 0) == (t > 1));
    if (t > 1) CHECK(std::abs(coil.rate[2] - 0.5) < 1e-8);
  }
}

}  // namespace space_friction_test
