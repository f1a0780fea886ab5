#pragma once

#include <jounce/jounce.hpp>

// A slider-crank, written in code: the words are those of the model file, numbers may be expressions of its parameters.
inline jounce::Model slider_crank() {
  jounce::Model model;
  model.name = "Slider-crank";
  model.gravity = {0.0, -9.81};
  model.parameter("crank", 0.05);
  model.ground.point("O", 0.0, 0.0).point("X", 1.0, 0.0);

  jounce::Body& crank = model.body("crank");
  crank.angle = "60*deg";  // drawn by eye; assembly corrects it
  crank.mass = 0.4, crank.inertia = "mass_of_crank*crank^2/3";
  model.parameter("mass_of_crank", 0.4);
  crank.point("O", 0.0, 0.0).point("A", "crank", 0.0);

  jounce::Body& rod = model.body("rod");
  rod.position = std::vector<jounce::Text>{0.025, 0.043}, rod.angle = "-12*deg";
  rod.mass = 0.3, rod.inertia = 1e-3;
  rod.point("A", 0.0, 0.0).point("C", 0.2, 0.0);

  jounce::Body& piston = model.body("piston");
  piston.position = std::vector<jounce::Text>{0.22, 0.0};
  piston.mass = 0.5, piston.inertia = 1e-4;
  piston.point("C", 0.0, 0.0).point("F", 0.03, 0.0);

  model.joint("bearing", "revolute").set("i", "ground.O").set("j", "crank.O");
  model.joint("crank-pin", "revolute").set("i", "crank.A").set("j", "rod.A");
  model.joint("piston-pin", "revolute").set("i", "rod.C").set("j", "piston.C");
  model.joint("cylinder", "translational")
      .set("slot", std::vector<jounce::Text>{"ground.O", "ground.X"})
      .set("slider", std::vector<jounce::Text>{"piston.C", "piston.F"});
  model.driver("motor", "angle").set("i", "ground").set("j", "crank").set("motion", "pi/3+10*t");
  return model;
}

// The largest effort of the motor over a turn, for any length of the crank. A mechanism is constant: `with` gives another one.
inline double largest_effort(const jounce::Mechanism& mechanism, double crank) {
  const auto longer = mechanism.with({{"crank", crank}});
  if (!longer) return 0;  // longer.problems() says why
  const jounce::Run run = jounce::inverse(*longer, {.to = 0.63, .steps = 200});
  double most = 0;
  for (const double effort : run.results.column("motor.effort")) most = std::max(most, std::abs(effort));
  return most;
}

// A flywheel on a turntable, in space: a motor spins it about a horizontal axis while another one turns the table.
inline jounce::Model turntable() {
  jounce::Model model;
  model.name = "Flywheel on a turntable";
  model.space = jounce::Space::three;
  model.parameter("spin", 300.0);
  jounce::Body& table = model.body("table");
  table.mass = 2.0, table.inertia_matrix = std::vector<jounce::Text>{0.02, 0.02, 0.04, 0.0, 0.0, 0.0};
  jounce::Body& wheel = model.body("wheel");
  wheel.mass = 1.0, wheel.inertia_matrix = std::vector<jounce::Text>{0.01, 0.005, 0.005, 0.0, 0.0, 0.0};

  const auto motor = [](const char* motion) { return std::vector{jounce::Table{}.set("motion", motion)}; };
  model.joint("column", "revolute").set("parent", "ground").set("child", "table").set("dofs", motor("2*t"));
  model.joint("axle", "revolute")
      .set("parent", "table")
      .set("child", "wheel")
      .set("axis", std::vector<jounce::Text>{1.0, 0.0, 0.0})
      .set("dofs", motor("spin*t"));
  model.plan("inverse", 1.0, 100.0);
  return model;
}

// Whatever the mechanism: what it is, what its own run came to, and a page for a person.
inline std::string looked_at(const jounce::Mechanism& mechanism) {
  const jounce::Check what = jounce::check(mechanism);
  std::string out = std::to_string(what.bodies.size()) + " bodies, mobility " + std::to_string(what.mobility.mobility) + "\n";
  const jounce::Run run = jounce::run(mechanism);  // what [run] says
  for (const jounce::EffortPeak& effort : jounce::summary(mechanism, run).efforts)
    out += effort.driver + ": at most " + std::to_string(effort.peak) + " " + effort.unit + "\n";
  const auto page = jounce::report_html(mechanism, run);
  return page ? out + std::to_string(page->size()) + " bytes of report\n" : out;
}

// A controller: a pendulum is held up by a motor that sees its angle and its rate a hundred times a second.
inline double held_up(const jounce::Mechanism& pendulum, double seconds) {
  jounce::Simulation simulation(pendulum, {.tolerance = 1e-9});
  while (simulation.t() < seconds) {
    const double lean = *simulation.value("bob.phi"), rate = *simulation.value("bob.vphi");
    simulation.set("motor.torque", -60 * lean - 15 * rate);
    if (!simulation.advance(0.01)) break;  // simulation.outcome() says why
  }
  return *simulation.value("bob.phi");
}
