// Oracle: the reference vectors of planar.json (50-digit symbolic results rounded to double), read into C++ structs.
//
// The file's own `meta` object explains its fields.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "oracles/planar_closed_forms.hpp"
#include "places.hpp"

namespace oracle {

struct Parameters {  // a constraint uses only those that its type needs
  Vec sPi{}, sPj{}, ai{}, aj{};
  double L = 0, K = 0, C = 0, rho = 0;
  std::size_t coord_i = 0, coord_j = 0;  // 0 x, 1 y, 2 phi
  Driver f{};                            // in a mechanism: the driver value that `fid` names, at the record's t
  std::string fid;
};

struct PointRecord {
  Body body;
  Vec sPi{};
  Point expected;
  double scale = 1;  // max(1, largest expected magnitude in the record), as in the other records
};

struct ConstraintRecord {
  std::string type, note;
  Parameters params;
  std::vector<Body> bodies;  // slots i, j(, k)
  std::vector<double> lambda;
  Rows expected;
  std::vector<std::vector<double>> phi_derivatives;  // [n - 1][row], n = 1..4
  double scale = 1;
};

struct ForceRecord {
  std::string type;
  Vec sPi{}, sPj{};
  Vec value{}, rate{};  // of a force: its components; of a moment: value[0]
  double k = 0, c = 0, free = 0, friction = 0;
  double friction_speed = 0;    // 0: the sign of the rate
  std::array<double, 6> law{};  // actuator p0 + p1 z + p2 z' + p3 z z' + p4 sin(p5 t)
  double t = 0;
  std::vector<Body> bodies;  // slots i(, j)
  std::array<double, 3> measure{};  // l or theta and its derivatives
  std::array<double, 2> effort{};   // f or T and its rate
  std::vector<Row> Q, Qdot;         // of each body
  double scale = 1;
};

struct MechanismConstraint {
  std::string type;
  Parameters params;
  std::vector<std::size_t> bodies;  // slots i, j(, k): 0 is the ground, n is the n-th body of the mechanism
};

struct DriverForm {  // f(t), in words; the numbers only where the form is c0 + c1*t + c2*sin(w*t)
  std::string form;
  bool has_numbers = false;
  double c0 = 0, c1 = 0, c2 = 0, w = 0;
};

struct MechanismRecord {
  std::string title;
  double t = 0;
  DriverForm driver;
  std::map<std::string, Driver> driver_values;
  std::vector<std::string> bodies;  // names
  std::vector<MechanismConstraint> constraints;
  std::array<std::vector<double>, 5> q;  // q, qd, qdd, qddd, qdddd; (x, y, phi) per body
  double scale = 1;

  Body body(std::size_t number) const {  // 0 is the ground
    Body b;
    for (std::size_t n = 0; number > 0 && n < 5; ++n) {
      b.x[n] = q[n].at(3 * number - 3);
      b.y[n] = q[n].at(3 * number - 2);
      b.phi[n] = q[n].at(3 * number - 1);
    }
    return b;
  }
  std::vector<Body> bodies_of(const MechanismConstraint& c) const {
    std::vector<Body> slots;
    for (const std::size_t number : c.bodies) slots.push_back(body(number));
    return slots;
  }
};

// A mechanism with masses and forces at one state: M q'' + Phi_q^T lambda = Q and its rate.
struct DaeRecord {
  struct Applied {
    ForceRecord force;                // its parameters and time; the expected values are those of the whole record
    std::vector<std::size_t> bodies;  // slots i, j: 0 is the ground
  };
  std::string title;
  double t = 0;
  Vec gravity{};
  std::vector<double> mass, inertia;  // of each body
  std::vector<double> q, qd;          // (x, y, phi) per body
  std::vector<MechanismConstraint> constraints;
  std::vector<DriverForm> drivers;    // of each constraint; without numbers where it has none
  std::vector<Applied> forces;
  std::vector<double> qdd, qddd, lambda, lambda_rate;  // multipliers in the order of the constraints
  double scale = 1;
};

struct Vectors {
  std::vector<PointRecord> points;
  std::vector<ConstraintRecord> constraints;
  std::vector<ForceRecord> forces;
  std::vector<MechanismRecord> mechanisms;
  std::vector<DaeRecord> dae;
};

// The closed form that belongs to a type code of the file.
inline Rows closed_form(const std::string& type, const Parameters& p, const std::vector<Body>& b,
                        const std::vector<double>& lambda) {
  if (type == "REV") return revolute(b.at(0), b.at(1), p.sPi, p.sPj, {lambda.at(0), lambda.at(1)});
  if (type == "REV_REV") return double_revolute(b.at(0), b.at(1), p.sPi, p.sPj, p.L, lambda.at(0));
  if (type == "PARALLEL") return parallel(b.at(0), b.at(1), p.ai, p.aj, lambda.at(0));
  if (type == "PIN_SLOT") return pin_in_slot(b.at(0), b.at(1), p.sPi, p.ai, p.sPj, lambda.at(0));
  if (type == "ANGLE") return angle(b.at(0), b.at(1), p.C, p.f);
  if (type == "GEAR") return gear(b.at(0), b.at(1), p.K, p.C);
  if (type == "GEAR_ON_K") return gear_on_arm(b.at(0), b.at(1), b.at(2), p.K, p.C);
  if (type == "RCD") return relative_coordinate(b.at(0), b.at(1), p.coord_i, p.coord_j, p.K, p.C, p.f);
  if (type == "PP2DD") return slot_distance(b.at(0), b.at(1), p.sPi, p.ai, p.sPj, p.f, lambda.at(0));
  if (type == "ROLL") return rolling(b.at(0), b.at(1), p.sPi, p.ai, p.sPj, p.rho, p.C, lambda.at(0));
  if (type == "PRDD") return relative_distance(b.at(0), b.at(1), p.sPi, p.sPj, p.f, lambda.at(0));
  throw std::runtime_error("planar.json: no closed form for type " + type);
}

namespace detail {

using Json = nlohmann::json;

inline double largest(const Json& value) {
  if (value.is_number()) return std::abs(value.get<double>());
  double most = 0;
  for (const Json& child : value) most = std::max(most, largest(child));
  return most;
}

inline double scale(const Json& expected) { return std::max(1.0, largest(expected)); }

inline Body body(const Json& b) { return {b.at("x"), b.at("y"), b.at("phi")}; }

inline std::vector<std::string> slots(const Json& by_slot) {
  return by_slot.contains("k") ? std::vector<std::string>{"i", "j", "k"} : std::vector<std::string>{"i", "j"};
}

inline std::size_t coordinate(const Json& c) {
  if (c.is_number()) return c.get<std::size_t>();
  const std::string name = c;
  if (name == "x") return 0;
  if (name == "y") return 1;
  if (name == "phi") return 2;
  throw std::runtime_error("planar.json: unknown coordinate " + name);
}

inline Parameters parameters(const Json& params) {
  Parameters p;
  for (const auto& [key, value] : params.items()) {
    if (key == "sPi")
      p.sPi = value;
    else if (key == "sPj")
      p.sPj = value;
    else if (key == "ai")
      p.ai = value;
    else if (key == "aj")
      p.aj = value;
    else if (key == "L")
      p.L = value;
    else if (key == "K")
      p.K = value;
    else if (key == "C")
      p.C = value;
    else if (key == "rho")
      p.rho = value;
    else if (key == "coord_i" || key == "ci")
      p.coord_i = coordinate(value);
    else if (key == "coord_j" || key == "cj")
      p.coord_j = coordinate(value);
    else if (key == "f")
      p.f = value;
    else if (key == "fid")
      p.fid = value;
    else
      throw std::runtime_error("planar.json: unknown parameter " + key);
  }
  return p;
}

inline PointRecord point_record(const Json& r) {
  PointRecord out;
  out.body = body(r.at("bodies").at("i"));
  out.sPi = r.at("params").at("sPi");
  out.expected.r = r.at("expected").at("r");
  out.scale = scale(r.at("expected"));
  return out;
}

inline ConstraintRecord constraint_record(const Json& r) {
  const Json& expected = r.at("expected");
  ConstraintRecord out;
  out.type = r.at("type");
  out.note = r.at("note");
  out.params = parameters(r.at("params"));
  out.lambda = r.at("lambda").get<std::vector<double>>();
  out.expected.phi = expected.at("Phi").get<std::vector<double>>();
  out.expected.nu = expected.at("nu").get<std::vector<double>>();
  out.expected.gamma = expected.at("gamma").get<std::vector<double>>();
  out.expected.eta = expected.at("eta").get<std::vector<double>>();
  out.expected.sigma = expected.at("sigma").get<std::vector<double>>();
  for (const std::string& slot : slots(r.at("bodies"))) {
    out.bodies.push_back(body(r.at("bodies").at(slot)));
    out.expected.phi_q.push_back(expected.at("Phi_q").at(slot).get<std::vector<Row>>());
    out.expected.kappa.push_back(expected.at("kappa").at(slot).get<Row>());
  }
  out.phi_derivatives = expected.at("Phi_derivatives").get<std::vector<std::vector<double>>>();
  out.scale = scale(expected);
  return out;
}

inline ForceRecord force_parameters(const std::string& type, const Json& params) {
  ForceRecord out;
  out.type = type;
  if (params.contains("sPi")) out.sPi = params.at("sPi");
  if (params.contains("sPj")) out.sPj = params.at("sPj");
  if (params.contains("F")) out.value = params.at("F"), out.rate = params.at("Fdot");
  if (params.contains("T")) out.value[0] = params.at("T"), out.rate[0] = params.at("Tdot");
  if (params.contains("k")) {
    out.k = params.at("k"), out.c = params.at("c"), out.friction = params.at("fF"), out.law = params.at("p");
    out.free = params.at(type == "TSDA" ? "l0" : "th0");
    out.friction_speed = params.at("fric") == "tanh" ? params.at("vs").get<double>() : 0;
  }
  return out;
}

inline ForceRecord force_record(const Json& r) {
  const Json &params = r.at("params"), &expected = r.at("expected");
  ForceRecord out = force_parameters(r.at("type"), params);
  if (params.contains("k")) {
    out.t = r.at("t");
    if (expected.contains("l")) out.measure = {expected.at("l"), expected.at("ldot"), expected.at("lddot")}, out.effort = {expected.at("f"), expected.at("fdot")};
    else out.measure = {expected.at("theta"), expected.at("thetadot"), expected.at("thetaddot")}, out.effort = {expected.at("T"), expected.at("Tdot")};
  }
  for (const char* slot : {"i", "j"}) {
    if (!r.at("bodies").contains(slot)) continue;
    out.bodies.push_back(body(r.at("bodies").at(slot)));
    out.Q.push_back(expected.at("Q").at(slot).get<Row>());
    out.Qdot.push_back(expected.at("Qdot").at(slot).get<Row>());
  }
  out.scale = scale(expected);
  return out;
}

inline DriverForm driver_form(const Json& driver) {
  return {driver.at("form"), true, driver.at("c0"), driver.at("c1"), driver.at("c2"), driver.at("w")};
}

inline DaeRecord dae_record(const Json& r) {
  DaeRecord out;
  out.title = r.at("title");
  out.t = r.at("t");
  out.gravity = r.at("gravity");
  std::map<std::string, std::size_t> number{{r.at("ground"), 0}};
  for (const auto& [name, b] : r.at("bodies").items()) {
    number[name] = out.mass.size() + 1;
    out.mass.push_back(b.at("mass"));
    out.inertia.push_back(b.at("inertia"));
    for (const double x : b.at("q")) out.q.push_back(x);
    for (const double x : b.at("qd")) out.qd.push_back(x);
  }
  const auto bodies = [&](const Json& by_slot) {
    std::vector<std::size_t> of;
    for (const std::string& slot : slots(by_slot)) of.push_back(number.at(by_slot.at(slot)));
    return of;
  };
  for (const Json& c : r.at("constraints")) {
    out.constraints.push_back({c.at("type"), parameters(c.at("params")), bodies(c.at("bodies"))});
    out.drivers.push_back(c.contains("f") ? driver_form(c.at("f")) : DriverForm{});
  }
  for (const Json& f : r.at("forces")) out.forces.push_back({force_parameters(f.at("type"), f.at("params")), bodies(f.at("bodies"))});
  const Json& expected = r.at("expected");
  out.qdd = expected.at("qdd").get<std::vector<double>>();
  out.qddd = expected.at("qddd").get<std::vector<double>>();
  out.lambda = expected.at("lambda").get<std::vector<double>>();
  out.lambda_rate = expected.at("lambdadot").get<std::vector<double>>();
  out.scale = scale(expected);
  return out;
}

inline MechanismRecord mechanism_record(const Json& r) {
  MechanismRecord out;
  out.title = r.at("title");
  out.t = r.at("t");
  const Json& driver = r.at("driver");
  if (driver.is_object())
    out.driver = driver_form(driver);
  else
    out.driver.form = driver;
  out.driver_values = r.at("driver_values").get<std::map<std::string, Driver>>();
  out.bodies = r.at("bodies").get<std::vector<std::string>>();
  const std::string ground = r.at("ground");
  for (const Json& c : r.at("constraints")) {
    MechanismConstraint& added = out.constraints.emplace_back();
    added.type = c.at("type");
    added.params = parameters(c.at("params"));
    if (!added.params.fid.empty()) added.params.f = out.driver_values.at(added.params.fid);
    for (const std::string& slot : slots(c.at("bodies"))) {
      const std::string name = c.at("bodies").at(slot);
      const auto found = std::find(out.bodies.begin(), out.bodies.end(), name);
      if (name != ground && found == out.bodies.end()) throw std::runtime_error("planar.json: unknown body " + name);
      added.bodies.push_back(name == ground ? 0 : static_cast<std::size_t>(found - out.bodies.begin()) + 1);
    }
  }
  const Json& expected = r.at("expected");
  const std::array<const char*, 5> names{"q", "qd", "qdd", "qddd", "qdddd"};
  for (std::size_t n = 0; n < 5; ++n) out.q[n] = expected.at(names[n]).get<std::vector<double>>();
  out.scale = scale(expected);
  return out;
}

}  // namespace detail

inline Vectors load_vectors(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path);
  const nlohmann::json json = nlohmann::json::parse(file);
  Vectors out;
  for (const auto& r : json.at("points")) out.points.push_back(detail::point_record(r));
  for (const auto& r : json.at("constraints")) out.constraints.push_back(detail::constraint_record(r));
  for (const auto& r : json.at("forces")) out.forces.push_back(detail::force_record(r));
  for (const auto& r : json.at("mechanisms")) out.mechanisms.push_back(detail::mechanism_record(r));
  for (const auto& r : json.at("dae")) out.dae.push_back(detail::dae_record(r));
  return out;
}

/// Read once.
inline const Vectors& vectors() {
  static const Vectors loaded = load_vectors(places::source() + "/tests/data/planar.json");
  return loaded;
}

}  // namespace oracle
