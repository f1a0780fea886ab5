// Oracles: the closed forms of two and three pinned bodies; the recursive algorithms for trees of links, on a tree put together here
// from the same joints; and the multiplier form, which knows no joint coordinates.
#include "jounce/math/dense_rank.hpp"
#include "jounce/base/index.hpp"
#include "jounce/plane/spanning/kane.hpp"
#include "jounce/plane/spanning/kane_partials.hpp"
#include "jounce/plane/equations/equations_of_motion.hpp"

#include "3_elements/element_test.hpp"
#include "5_analysis/analysis_test.hpp"
#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/tree/algorithms.hpp"
#include "oracles/kane_closed_forms.hpp"

namespace kane_test {

using namespace jounce;
using namespace jounce::test;

namespace {

// Some hundred roundings, relative to the largest number of an array.
constexpr double kRounding = 1e-13;
// Solutions of systems with a condition of 1e3 at most.
constexpr double kSolvedTwice = 2e-11;

double largest(std::span<const double> a) {
  double out = 0;
  for (const double x : a) out = std::isfinite(x) ? std::max(out, std::abs(x)) : 1e300;
  return out;
}
// The largest difference, over the largest number of b.
double apart(std::span<const double> a, std::span<const double> b) {
  REQUIRE(a.size() == b.size());
  std::vector<double> difference(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] = a[i] - b[i];
  return largest(difference) / std::max(largest(b), 1e-300);
}

KaneArrays arrays(const PlaneMechanism& mechanism, const PlanarState& state) {
  auto out = kane(mechanism, state);
  REQUIRE_MESSAGE(out.ok(), text(out.problems()));
  return *std::move(out);
}

// ---- pinned chains -----------------------------------------------------------------------------------------------------------------

struct Chain {
  PlaneMechanism mechanism;
  PlanarState state;
};

// Bodies b1, b2, … on pins j1, j2, …; forces at the centres of mass and couples as the oracle has them.
template <std::size_t N>
Chain built_chain(const oracle::PinnedChain<N>& c) {
  Model m;
  m.ground.point("P", 0.0, 0.0);
  oracle::PlanePair pin{}, pin_speed{};
  double theta = 0, omega = 0;
  PlanarState state;
  for (std::size_t k = 0; k < N; ++k) {
    const std::string name = "b" + std::to_string(k + 1);
    theta += c.q[k], omega += c.qd[k];
    Body& body = m.body(name);
    draw(body, pin.x, pin.y, theta);
    body.mass = Text(c.m[k]), body.inertia = Text(c.I[k]);
    body.com = std::vector<Text>{c.r[k].x, c.r[k].y};
    body.point("A", 0.0, 0.0).point("P", c.p[k].x, c.p[k].y).point("C", c.r[k].x, c.r[k].y);
    test::pin(m, "j" + std::to_string(k + 1), k == 0 ? "ground.P" : "b" + std::to_string(k) + ".P", name + ".A");
    force(m, "F" + std::to_string(k), "force").set("on", Text(name + ".C")).set("value", std::vector<Text>{c.F[k].x, c.F[k].y});
    force(m, "T" + std::to_string(k), "moment").set("on", Text(name)).set("value", Text(c.couple[k]));
    const oracle::PlanePair rho = oracle::turned(theta, c.r[k]), pi = oracle::turned(theta, c.p[k]);
    state.q.insert(state.q.end(), {pin.x + rho.x, pin.y + rho.y, theta});
    state.v.insert(state.v.end(), {pin_speed.x - omega * rho.y, pin_speed.y + omega * rho.x, omega});
    pin = pin + pi;
    pin_speed = pin_speed + oracle::PlanePair{-omega * pi.y, omega * pi.x};
  }
  return {built(m), state};
}

template <std::size_t N>
oracle::PinnedChain<N> random_chain(Random& random) {
  oracle::PinnedChain<N> c;
  const auto pair = [&](double size) { return oracle::PlanePair{random.between(-size, size), random.between(-size, size)}; };
  for (std::size_t k = 0; k < N; ++k) {
    c.r[k] = pair(1), c.p[k] = pair(1), c.F[k] = pair(10);
    c.m[k] = random.between(0.2, 2), c.I[k] = random.between(0.05, 0.5);
    c.q[k] = random.between(-3, 3), c.qd[k] = random.between(-2, 2), c.couple[k] = random.between(-3, 3);
  }
  return c;
}

template <std::size_t N>
void check_closed_form(Random& random) {
  const auto chain = random_chain<N>(random);
  const Chain c = built_chain(chain);
  const KaneArrays a = arrays(c.mechanism, c.state);
  const auto exact = oracle::kane_equations(chain);
  std::vector<double> M;
  for (const auto& row : exact.M) M.insert(M.end(), row.begin(), row.end());
  CHECK(apart(a.M.value, M) < kRounding);
  CHECK(apart(a.f, exact.f) < kRounding);
  CHECK(apart(a.q, chain.q) < kRounding);
  CHECK(apart(a.qd, chain.qd) < kRounding);
}

}  // namespace

TEST_CASE("M and f of two and three pinned bodies are those written out") {
  // oracle: kane_closed_forms.hpp
  Random random;
  for (int n = 0; n < 100; ++n) check_closed_form<2>(random), check_closed_form<3>(random);
}

TEST_CASE("the worked example has the numbers of the specification") {
  // oracle: sixteen digits printed there
  const oracle::WorkedExample example;
  const Chain c = built_chain(example.chain);
  const KaneArrays a = arrays(c.mechanism, c.state);
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 4; ++k) CHECK(std::abs(a.Vpd.at(i, k) - example.Vpd[z(i)][z(k)]) < 1e-15);
    for (int k = 0; k < 2; ++k) CHECK(std::abs(a.M.at(i, k) - example.M[z(i)][z(k)]) < 1e-15);
  }
  CHECK(apart(a.f, example.f) < 1e-15);
  CHECK(apart(a.qdd, example.qdd) < 1e-14);
}

TEST_CASE("the arrays of a three-body chain have the blocks of the notes") {
  // oracle: Wpd = [1 1 1; 0 1 1; 0 0 1]; Vpd = Wpd B, A1 = Wpd B' m with B = S_d S_j0 and B' = S_d [ω_j] S_j0, multiplied out here
  Random random;
  const auto chain = random_chain<3>(random);
  const Chain c = built_chain(chain);
  const KaneArrays a = arrays(c.mechanism, c.state);
  CHECK(a.Wpd.value == std::vector<double>{1, 1, 1, 0, 1, 1, 0, 0, 1});
  DenseMatrix B(3, 6), B_rate(3, 6), Vpd(3, 6), A1(3, 6);
  double theta = 0, omega = 0;
  for (int j = 0; j < 3; ++j) {
    theta += chain.q[z(j)], omega += chain.qd[z(j)];
    const double S[2][2] = {{std::cos(theta), std::sin(theta)}, {-std::sin(theta), std::cos(theta)}};
    for (int k = j; k < 3; ++k) {
      const oracle::PlanePair d = j == k ? chain.r[z(j)] : chain.p[z(j)];
      const double row[2] = {-d.y, d.x}, turned[2] = {-omega * row[1], omega * row[0]};  // S_d and S_d [ω], [ω] = [0 ω; −ω 0]
      for (int x = 0; x < 2; ++x) {
        B.at(j, 2 * k + x) = row[0] * S[0][x] + row[1] * S[1][x];
        B_rate.at(j, 2 * k + x) = turned[0] * S[0][x] + turned[1] * S[1][x];
      }
    }
  }
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      for (int x = 0; x < 6; ++x) Vpd.at(i, x) += B.at(j, x), A1.at(i, x) += B_rate.at(j, x) * chain.m[z(x / 2)];
  CHECK(apart(a.Vpd.value, Vpd.value) < kRounding);
  CHECK(apart(a.A1.value, A1.value) < kRounding);
  CHECK(apart(a.B.value, B.value) < kRounding);
  CHECK(apart(a.B_prime.value, B_rate.value) < kRounding);
  // oracle: Newton and Euler, and Kane's equation with the forces that were applied
  for (int k = 0; k < 3; ++k) {
    CHECK(std::abs(a.F_in[z(2 * k)] + chain.m[z(k)] * a.accelerations[z(3 * k)]) < 1e-12);
    CHECK(std::abs(a.F_in[z(2 * k + 1)] + chain.m[z(k)] * a.accelerations[z(3 * k + 1)]) < 1e-12);
    CHECK(std::abs(a.M_in[z(k)] + chain.I[z(k)] * a.accelerations[z(3 * k + 2)]) < 1e-12);
  }
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
    for (int x = 0; x < 6; ++x) sum += a.Vpd.at(i, x) * (a.F[z(x)] + a.F_in[z(x)]);
    for (int k = 0; k < 3; ++k) sum += a.Wpd.at(i, k) * (a.M_ext[z(k)] + a.M_in[z(k)]);
    CHECK(std::abs(sum) < 1e-11);
  }
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) CHECK(a.A3.at(i, k) == a.Wpd.at(i, k) * chain.I[z(k)]);
    for (int x = 0; x < 6; ++x) CHECK(a.A2.at(i, x) == a.Vpd.at(i, x) * chain.m[z(x / 2)]);
  }
  REQUIRE(a.pinned.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    const KanePinned& body = a.pinned[k];
    CHECK(body.body == static_cast<int>(k) + 1);
    CHECK(std::hypot(body.r.x - chain.r[k].x, body.r.y - chain.r[k].y) < kRounding);
    REQUIRE(body.children.size() == (k < 2 ? 1 : 0));
    if (k < 2) CHECK(std::hypot(body.children[0].p.x - chain.p[k].x, body.children[0].p.y - chain.p[k].y) < kRounding);
  }
}

// ---- trees of every joint ----------------------------------------------------------------------------------------------------------------

namespace {

enum class Kind { pin, slider, weld, slot, link, parallel, none };

Vec2<double> turned(double angle, const Vec2<double>& a) {
  return {std::cos(angle) * a.x - std::sin(angle) * a.y, std::sin(angle) * a.x + std::cos(angle) * a.y};
}

/// A joint with its points from the centres of mass. `line`, of the guide or the link, is fixed in body i.
struct Joint {
  Kind kind{};
  int i = 0, j = 0;
  Vec2<double> at_i, at_j, line;
  double angle = 0;  ///< of j against i; of sliders, welds and parallel guides
};

struct RandomTree {
  std::vector<Joint> joints;     ///< joint n brought body n + 1
  std::vector<double> q, mass;   ///< of the centres of mass; mass and inertia of each
  Model model;
};

std::string body_name(int b) { return b == 0 ? "ground" : "b" + std::to_string(b); }

void add_joint(Model& m, const std::string& name, const Joint& joint) {
  const auto point = [&](int body, const std::string& end, const Vec2<double>& p) {
    (body == 0 ? m.ground : m.body(body_name(body))).point(name + end, p.x, p.y);
    return body_name(body) + "." + name + end;
  };
  const auto line = [&](int body, const std::string& end, const Vec2<double>& p, const Vec2<double>& a) {
    return std::vector<Text>{point(body, end + "S", p), point(body, end + "E", p + a)};
  };
  const auto i = [&] { return Text(point(joint.i, "i", joint.at_i)); };
  const auto j = [&] { return Text(point(joint.j, "j", joint.at_j)); };
  const auto line_i = [&] { return line(joint.i, "i", joint.at_i, joint.line); };
  const auto line_j = [&] { return line(joint.j, "j", joint.at_j, turned(-joint.angle, joint.line)); };
  if (joint.kind == Kind::pin) m.joint(name, "revolute").set("i", i()).set("j", j());
  if (joint.kind == Kind::weld) m.joint(name, "weld").set("i", i()).set("j", j());
  if (joint.kind == Kind::link) m.joint(name, "distance").set("i", i()).set("j", j());
  if (joint.kind == Kind::slot) m.joint(name, "pin-in-slot").set("slot", line_i()).set("pin", j());
  if (joint.kind == Kind::slider) m.joint(name, "translational").set("slot", line_i()).set("slider", line_j());
  if (joint.kind == Kind::parallel) m.joint(name, "parallel").set("i", line_i()).set("j", line_j());
}

// Where a point of j lies, seen from i's centre of mass in i's axes.
Vec2<double> seen(std::span<const double> q, int i, int j, const Vec2<double>& at_j) {
  const auto pose = [&](int b) { return b == 0 ? std::array<double, 3>{} : std::array{q[z(3 * b - 3)], q[z(3 * b - 2)], q[z(3 * b - 1)]}; };
  const auto a = pose(i), b = pose(j);
  const Vec2<double> p = turned(b[2], at_j);
  return turned(-a[2], Vec2<double>{b[0] + p.x - a[0], b[1] + p.y - a[1]});
}

// Between two placed bodies: the points that make the joint hold.
Joint random_joint(Random& random, Kind kind, std::span<const double> q, int i, int j) {
  const auto angle = [&](int b) { return b == 0 ? 0.0 : q[z(3 * b - 1)]; };
  Joint out{kind, i, j, {}, {random.between(-1, 1), random.between(-1, 1)}, turned(random.between(-3, 3), {random.between(0.3, 2), 0}), 0};
  out.angle = angle(j) - angle(i);
  out.at_i = seen(q, i, j, out.at_j);
  const auto away = [&](double along, double across) {
    return Vec2<double>{along * out.line.x - across * out.line.y, along * out.line.y + across * out.line.x};
  };
  if (kind == Kind::slider || kind == Kind::slot) out.at_i = out.at_i - away(random.between(-1, 1), 0);
  if (kind == Kind::link || kind == Kind::parallel) out.at_i = out.at_i - away(random.between(0.3, 1), random.between(-1, 1));
  return out;
}

constexpr std::array kEvery{Kind::pin, Kind::slider, Kind::slot, Kind::link, Kind::weld, Kind::parallel, Kind::none};

/// `chain`: every body hangs on the last one; else on any. Kinds come in turn, from the `first` on.
RandomTree random_tree(Random& random, int bodies, bool chain, std::span<const Kind> kinds, int first) {
  RandomTree out;
  out.model.gravity = std::vector<Text>{random.between(-5, 5), random.between(-10, 0)};
  for (int b = 1; b <= bodies; ++b) {
    Body& body = out.model.body(body_name(b));
    const double x = random.between(-2, 2), y = random.between(-2, 2), phi = random.between(-3, 3);
    draw(body, x, y, phi);
    out.mass.insert(out.mass.end(), {random.between(0.2, 2), random.between(0.1, 0.5)});
    body.mass = Text(out.mass[z(2 * b - 2)]), body.inertia = Text(out.mass[z(2 * b - 1)]);
    out.q.insert(out.q.end(), {x, y, phi});
    const int parent = chain ? b - 1 : random.below(b);
    const Kind kind = kinds[z(first + b) % kinds.size()];
    const bool reversed = random.below(2) == 0;
    out.joints.push_back(random_joint(random, kind, out.q, reversed ? b : parent, reversed ? parent : b));
    add_joint(out.model, "j" + std::to_string(b), out.joints.back());
  }
  return out;
}

/// The same bodies and joints as links, hung up as the spanning tree has it. Coordinates come as Kane's.
struct Links {
  tree::Tree tree;
  std::vector<int> link{-1};                      ///< of each body
  std::vector<Frame<double>> frame{Frame<double>{}};  ///< of its centre of mass, in its link
};

Frame<double> shifted(const Vec2<double>& by, double angle = 0) {
  return {{{std::cos(angle), std::sin(angle), 0}, {-std::sin(angle), std::cos(angle), 0}, {0, 0, 1}}, {by.x, by.y, 0}};
}

void hang(Links& out, const RandomTree& of, const SpanningTree::Edge& edge, const Joint& joint) {
  using tree::sliding, tree::turning;
  const Vec3<double> up{0, 0, 1};
  const bool forward = joint.i == edge.parent;
  const Vec2<double> a = forward ? joint.at_i : joint.at_j, b = forward ? joint.at_j : joint.at_i;
  const double size = length(joint.line), angle = forward ? joint.angle : -joint.angle;
  const Vec2<double> unit{joint.line.x / size, joint.line.y / size};
  // directions: as seen by the carrier at zero displacement
  const Vec2<double> along = forward ? unit : turned(-joint.angle, unit);
  const auto slide = [&](const Vec2<double>& s, int c) { return sliding({s.x, s.y, 0}, c); };
  std::vector<tree::Step> steps;
  Frame<double> child = shifted(Vec2<double>{} - turned(angle, b), angle);
  const Frame<double> turning_child = shifted(Vec2<double>{} - b);
  Frame<double> place = shifted(a);
  switch (joint.kind) {
    case Kind::pin: steps = {turning(up, 0)}, child = turning_child; break;
    case Kind::weld: break;
    case Kind::slider: steps = {slide(along, 0)}; break;
    case Kind::parallel: steps = {slide(along, 0), slide({-along.y, along.x}, 1)}; break;
    case Kind::slot:
      steps = {slide(unit, 0), turning(up, 1)}, child = turning_child;
      if (!forward) std::swap(steps[0], steps[1]);
      break;
    case Kind::link: {
      const double L = length(seen(of.q, joint.i, joint.j, joint.at_j) - joint.at_i);
      steps = {turning(up, 0), turning(up, 1)};
      steps[1].through = {L, 0, 0};
      child = shifted(Vec2<double>{L, 0} - b);
      break;
    }
    case Kind::none:
      steps = {sliding({1, 0, 0}, 0), sliding({0, 1, 0}, 1), turning(up, 2)};
      child = place = Frame<double>{};
      break;
  }
  out.link[z(edge.body)] = out.link[z(edge.parent)];
  out.frame[z(edge.body)] = out.frame[z(edge.parent)] * place;
  if (!steps.empty()) {
    const tree::Attached hung = attach(out.tree, out.link[z(edge.parent)], out.frame[z(edge.body)], steps);
    out.link[z(edge.body)] = hung.last, out.frame[z(edge.body)] = hung.successor;
  }
  out.frame[z(edge.body)] = out.frame[z(edge.body)] * child;
  if (out.link[z(edge.body)] < 0) return;  // welded to the ground
  const double m = of.mass[z(2 * edge.body - 2)], I = of.mass[z(2 * edge.body - 1)];
  out.tree.load(out.link[z(edge.body)], out.frame[z(edge.body)], tree::rigid_inertia(m, {}, {0, 0, I, 0, 0, 0}));
}

Links links(const RandomTree& of, const PlaneMechanism& mechanism, const SpanningTree& spanning) {
  Links out;
  out.link.assign(of.joints.size() + 1, -1);
  out.frame.resize(of.joints.size() + 1);
  out.tree.gravity = {mechanism.gravity.x, mechanism.gravity.y, 0};
  for (const SpanningTree::Edge& edge : spanning.edges) {
    Joint joint{Kind::none, 0, edge.body, {}, {}, {1, 0}, 0};
    if (edge.constraint >= 0) joint = of.joints[z(std::stoi(mechanism.system.constraints()[z(edge.constraint)].name.substr(1)) - 1)];
    hang(out, of, edge, joint);
  }
  return out;
}

// Positions and velocities of the centres of mass.
PlanarState moved(const Links& of, const std::vector<double>& q, const std::vector<double>& qd) {
  tree::Workspace<double> work(of.tree);
  std::vector<tree::LinkMotion<double>> motion(z(of.tree.size()));
  const std::vector<double> still(qd.size());
  tree::motion<double>(of.tree, work, q.data(), qd.data(), still.data(), motion.data());
  PlanarState out;
  for (std::size_t b = 1; b < of.link.size(); ++b) {
    const Frame<double>& own = of.frame[b];
    if (of.link[b] < 0) {  // welded to the ground
      out.q.insert(out.q.end(), {own.origin.x, own.origin.y, std::atan2(own.axes.x.y, own.axes.x.x)});
      out.v.insert(out.v.end(), {0, 0, 0});
      continue;
    }
    const auto& at = work.links[z(of.link[b])];
    const auto& link = motion[z(of.link[b])];
    const Vec3<double> arm = at.axes * own.origin, x = at.axes * own.axes.x, p = link.position + arm, v = link.velocity + cross(at.spin, arm);
    out.q.insert(out.q.end(), {p.x, p.y, std::atan2(x.y, x.x)});
    out.v.insert(out.v.end(), {v.x, v.y, at.spin.z});
  }
  return out;
}

void check_space(Random& random, int bodies, bool chain, std::span<const Kind> kinds, int first) {
  CAPTURE(first);
  const RandomTree of = random_tree(random, bodies, chain, kinds, first);
  const PlaneMechanism mechanism = built(of.model);
  const SpanningTree spanning = spanning_tree(mechanism.system);
  REQUIRE(spanning.open());
  KanePartials partials(mechanism.system, spanning);
  partials.set_position(of.q);
  const std::vector<double> q(partials.values().begin(), partials.values().end());
  const Links hung = links(of, mechanism, spanning);
  REQUIRE(hung.tree.dofs() == static_cast<int>(q.size()));
  std::vector<double> qd(q.size());
  for (double& x : qd) x = random.between(-2, 2);
  PlanarState state = moved(hung, q, qd);
  for (std::size_t i = 0; i < state.q.size(); ++i) {  // the coordinates put every body where it was drawn
    const double off = i % 3 == 2 ? std::remainder(state.q[i] - of.q[i], 2 * kPi) : state.q[i] - of.q[i];
    CHECK(std::abs(off) < kRounding * (1 + largest(of.q)) * bodies);
  }
  state.q = of.q;
  const KaneArrays a = arrays(mechanism, state);
  if (q.empty()) return;
  CHECK(apart(a.qd, qd) < kRounding * bodies);
  const std::size_t n = q.size();
  std::vector<double> H(n * n), C(n), f(n), qdd(n), still(n);
  tree::Workspace<double> work(hung.tree);
  tree::crba<double>(hung.tree, work, q.data(), H.data());
  CHECK(apart(a.M.value, H) < kRounding);
  tree::rnea<double>(hung.tree, work, q.data(), qd.data(), still.data(), C.data(), nullptr, nullptr);
  for (std::size_t i = 0; i < n; ++i) f[i] = -C[i];
  CHECK(apart(a.f, f) < kRounding * bodies);
  REQUIRE(tree::aba<double>(hung.tree, work, q.data(), qd.data(), still.data(), qdd.data(), nullptr, nullptr));
  CHECK(apart(a.qdd, qdd) < kSolvedTwice);
}

}  // namespace

TEST_CASE("M is the inertia of composite bodies and f the bias of the recursion, for chains and trees of every joint") {
  // oracle: tree::crba, tree::rnea and tree::aba on turns about z and slides across it
  Random random;
  for (int n = 0; n < 200; ++n) check_space(random, 1 + n % 7, n % 2 == 0, kEvery, n);
  static constexpr std::array kPins{Kind::pin};
  static constexpr std::array kSliders{Kind::pin, Kind::slider, Kind::slider};
  static constexpr std::array kSlots{Kind::slot};
  for (int n = 0; n < 20; ++n) {
    check_space(random, 8, n % 2 == 0, kPins, n);
    check_space(random, 6, n % 2 == 0, kSliders, n);
    check_space(random, 5, n % 2 == 0, kSlots, n);
  }
}

TEST_CASE("the partial velocities stay in their place and depend on the last state only") {
  // oracle: a second object that has seen no other state
  Random random;
  const RandomTree of = random_tree(random, 6, false, kEvery, 0);
  const PlaneMechanism mechanism = built(of.model);
  const SpanningTree spanning = spanning_tree(mechanism.system);
  KanePartials used(mechanism.system, spanning), fresh(mechanism.system, spanning);
  std::vector<double> other(of.q), v(of.q.size());
  for (std::size_t i = 0; i < v.size(); ++i) other[i] += random.between(-1, 1), v[i] = random.between(-1, 1);
  used.set_position(other), used.set_velocity(other);
  const double* vpd = used.Vpd().value.data();
  used.set_position(of.q), used.set_velocity(v);
  fresh.set_position(of.q), fresh.set_velocity(v);
  CHECK(vpd == used.Vpd().value.data());
  CHECK(used.Vpd().value == fresh.Vpd().value);
  CHECK(used.Vpd_rate().value == fresh.Vpd_rate().value);
  CHECK(std::ranges::equal(used.rates(), fresh.rates()));
}

// ---- against multipliers -----------------------------------------------------------------------------------------------------------------

namespace {

// Velocities that the joints allow, near random ones.
PlanarState random_state(Random& random, EquationsOfMotion& equations, std::vector<double> q, double t) {
  PlanarState out{t, std::move(q), {}};
  for (std::size_t i = 0; i < out.q.size(); ++i) out.v.push_back(random.between(-1, 1));
  REQUIRE(!equations.set_time(t, 2));
  equations.set_position(out.q);
  equations.factor(false);
  (void)equations.project_position(out.q);
  equations.factor(false);
  equations.set_velocity(out.v);
  (void)equations.project_velocity(out.v);
  (void)equations.project_velocity(out.v);
  return out;
}

// Accelerations by Kane and by multipliers, which are λ of the loops where they are unique.
void check_against_multipliers(const PlaneMechanism& mechanism, Random& random, std::vector<double> q, double t) {
  EquationsOfMotion equations(mechanism.system, 2, Formulation::lagrange);
  const PlanarState state = random_state(random, equations, std::move(q), t);
  REQUIRE(!equations.expand(2));
  std::vector<double> half(state.q.size()), lambda(z(mechanism.system.equations()));
  equations.coefficient(2, half);
  equations.multipliers(0, lambda);
  for (double& x : half) x *= 2;
  const KaneArrays a = arrays(mechanism, state);
  const double easy = std::min(1.0, equations.smallest_pivot());  // a badly posed one amplifies rounding
  CHECK(apart(a.accelerations, half) < kSolvedTwice / easy);
  if (!equations.dropped_rows().empty()) return;
  std::vector<double> of_loops;
  for (const int c : spanning_tree(mechanism.system).closures) {
    const Constraint& closure = mechanism.system.constraints()[z(c)];
    for (int r = 0; r < closure.rows; ++r) of_loops.push_back(lambda[z(closure.first_row + r)]);
  }
  if (!of_loops.empty()) CHECK(apart(a.lambda, of_loops) < kSolvedTwice / easy);
}

}  // namespace

TEST_CASE("open trees with springs accelerate as by multipliers") {
  // oracle: EquationsOfMotion, lagrange
  Random random;
  for (int n = 0; n < 60; ++n) {
    CAPTURE(n);
    RandomTree of = random_tree(random, 2 + n % 5, n % 2 == 0, kEvery, n);
    of.model.ground.point("S", 3.0, 1.0);
    of.model.body("b1").point("S", 0.2, 0.3), of.model.body("b2").point("S", -0.4, 0.1);
    const auto spring = [&](const char* name, const char* i, const char* j, double stiffness) -> Element& {
      return force(of.model, name, "spring").set("i", Text(i)).set("j", Text(j)).set("stiffness", Text(stiffness)).set("free_length", Text(0.7));
    };
    spring("s", "ground.S", "b1.S", 20).set("damping", Text(2.0));
    spring("d", "b1.S", "b2.S", 5).set("actuator", Text("3*sin(t) - 0.2*v"));
    check_against_multipliers(built(of.model), random, of.q, 0.3);
  }
}

TEST_CASE("trees with loops closed by every joint and by drivers accelerate as by multipliers") {
  // oracle: EquationsOfMotion, lagrange
  Random random;
  static constexpr std::array kCarried{Kind::pin, Kind::slot, Kind::pin, Kind::link, Kind::slider, Kind::pin, Kind::none, Kind::parallel};
  static constexpr std::array kClosing{Kind::pin, Kind::slot, Kind::link, Kind::slider, Kind::parallel};
  int closed = 0;
  for (int n = 0; n < 80; ++n) {
    CAPTURE(n);
    RandomTree of = random_tree(random, 4 + n % 4, n % 3 == 0, kCarried, n);
    const int bodies = static_cast<int>(of.joints.size());
    const Kind closing = kClosing[z(n) % kClosing.size()];
    const int i = 1 + random.below(bodies - 1), j = i + 1 + random.below(bodies - i);
    add_joint(of.model, "loop", random_joint(random, closing, of.q, i, j));
    if (n % 4 == 1) of.model.joint("mesh", "gear").set("i", Text("b1")).set("j", Text(body_name(bodies))).set("ratio", Text(-1.5));
    if (n % 4 == 2) motor(of.model, "motor", "ground", "b1", text_of(of.q[2]) + " + sin(t) + t^2").set("offset", Text(0.0));
    const PlaneMechanism mechanism = built(of.model);
    EquationsOfMotion equations(mechanism.system, 2, Formulation::lagrange);
    REQUIRE(!equations.set_time(0, 2));
    equations.set_position(of.q);
    equations.factor(false);
    if (!equations.dropped_rows().empty() || equations.smallest_pivot() < 1e-4) continue;  // rigid, or nearly so
    check_against_multipliers(mechanism, random, of.q, 0);
    closed += spanning_tree(mechanism.system).open() ? 0 : 1;  // a body that floated may now hang on what closed the loop
  }
  CHECK(closed >= 40);
}

TEST_CASE("redundant loops keep their accelerations and share the shortest multipliers") {
  // oracle: EquationsOfMotion, lagrange; a parallelogram with a third crank has 9 coordinates, 10 equations and one freedom
  Model m;
  m.gravity = std::vector<Text>{0.0, -9.81};
  bar(m, "platform", 2, 0, 1, 0).point("C", 1.0, 0.0);
  for (int c = 0; c < 3; ++c) {
    const std::string name = "crank" + std::to_string(c);
    m.ground.point("O" + std::to_string(c), 1.0 * c, 0.0);
    bar(m, name, 1, 1.0 * c, 0, kPi / 2);
    pin(m, "low" + std::to_string(c), "ground.O" + std::to_string(c), name + ".A");
    pin(m, "top" + std::to_string(c), name + ".B", c == 0 ? "platform.A" : c == 1 ? "platform.C" : "platform.B");
  }
  for (const char* name : {"platform", "crank0", "crank1", "crank2"}) {
    Body& body = m.body(name);
    body.mass = Text(2.0), body.inertia = Text(0.3), body.com = std::vector<Text>{0.4, 0.1};
  }
  const PlaneMechanism mechanism = built(m);
  Random random;
  const std::vector<double> q = assemble(mechanism).q;
  check_against_multipliers(mechanism, random, q, 0);
  const KaneArrays a = arrays(mechanism, {0, q, std::vector<double>(q.size(), 0.0)});
  CHECK(a.closures.size() == 4);
  CHECK(a.rank == 3);
  // what is short is square to every λ that moves nothing: Kᵀ n = 0
  const DenseRank rows = dense_rank(a.K.transposed(), 1e-9);
  const auto empty = rows.null_space();
  REQUIRE(empty.size() == 1);
  double along = 0;
  for (std::size_t r = 0; r < 4; ++r) along += empty[0][r] * a.lambda[r];
  CHECK(std::abs(along) < 1e-11 * largest(a.lambda));
}

TEST_CASE("what Kane's method cannot take is refused by name") {
  // oracle: the names of the model
  const auto refused = [](const PlaneMechanism& mechanism, const PlanarState& state) {
    const auto out = kane(mechanism, state);
    REQUIRE(!out.ok());
    return out.problems().front().sentence;
  };
  Model m;
  m.ground.point("O", 0.0, 0.0);
  bar(m, "arm", 1, 0, 0, 0);
  pin(m, "hinge", "ground.O", "arm.A");
  const PlanarState rest{0, {0, 0, 0}, {0, 0, 0}};
  CHECK(refused(built(m), rest) == "body 'arm': 'mass' is missing: Kane's method needs it (0 for a body without mass)");
  m.body("arm").mass = Text(1.0);
  CHECK(refused(built(m), rest) == "body 'arm': 'inertia' is missing: Kane's method needs it (0 for a body without mass)");
  m.body("arm").inertia = Text(0.0);
  CHECK(refused(built(m), rest) ==
        "at t = 0 s M is singular: some motion that the joints allow moves no mass; without mass or inertia: arm");
  m.body("arm").inertia = Text(0.1);
  const PlaneMechanism arm = built(m);
  CHECK(refused(arm, {0, {0.5, 0, 0}, {0, 0, 0}}) == "the positions do not hold joint 'hinge': off by 0.5 m");
  CHECK(refused(arm, {0, {0, 0, 0}, {0, 2, 1}}) == "the velocities do not hold joint 'hinge': it opens by 2 m/s");
  CHECK(refused(arm, {0, {0, 0}, {0, 0, 0}}) == "expected 3 positions, three for each body, found 2");
  CHECK(refused(arm, {0, {0, 0, std::nan("")}, {0, 0, 0}}) == "positions of body 'arm': expected finite numbers");
  Model twice = m;  // a body on a hinge within a hinge: each of the two turns moves it, but their difference moves nothing
  bar(twice, "sleeve", 1, 0, 0, 0).mass = Text(0.0), twice.body("sleeve").inertia = Text(0.0);
  twice.joints.clear();
  pin(twice, "outer", "ground.O", "sleeve.A");
  pin(twice, "inner", "sleeve.A", "arm.A");
  CHECK(refused(built(twice), {0, std::vector<double>(6, 0.0), std::vector<double>(6, 0.0)}) ==
        "at t = 0 s M is singular: some motion that the joints allow moves no mass; without mass or inertia: sleeve");
  force(m, "push", "force").set("on", Text("arm.B")).set("value", std::vector<Text>{"1/t", 0.0});
  CHECK(refused(built(m), rest).starts_with("force 'push': "));
}

TEST_CASE("bodies without mass are moved by others that have some") {
  // oracle: m r² of a point mass at the end of a bar without mass or inertia: q̈ = −g/r of a horizontal pendulum
  Model m;
  m.gravity = std::vector<Text>{0.0, -9.81};
  m.ground.point("O", 0.0, 0.0);
  bar(m, "rod", 2, 0, 0, 0).mass = Text(0.0), m.body("rod").inertia = Text(0.0);
  bar(m, "bob", 1, 2, 0, 0).mass = Text(3.0), m.body("bob").inertia = Text(0.0);
  pin(m, "hinge", "ground.O", "rod.A");
  m.joint("glue", "weld").set("i", Text("rod.B")).set("j", Text("bob.A"));
  const KaneArrays a = arrays(built(m), {0, {0, 0, 0, 2, 0, 0}, std::vector<double>(6, 0.0)});
  REQUIRE(a.qdd.size() == 1);
  CHECK(a.qdd[0] == doctest::Approx(-9.81 / 2).epsilon(1e-14));
}

TEST_CASE("exact dry friction is against the motion, and none at rest") {
  // oracle: a block of 2 kg on a rail with 3 N of friction: q̈ = −1.5 sign(q̇)
  Model m;
  m.ground.point("O", 0.0, 0.0).point("X", 1.0, 0.0);
  bar(m, "block", 1, 2, 0, 0).mass = Text(2.0), m.body("block").inertia = Text(1.0);
  m.joint("rail", "translational").set("slot", std::vector<Text>{"ground.O", "ground.X"}).set("slider", std::vector<Text>{"block.A", "block.B"});
  force(m, "rub", "spring").set("i", Text("ground.O")).set("j", Text("block.A")).set("friction", Text(3.0)).set("friction_speed", Text(0.0));
  const PlaneMechanism mechanism = built(m);
  for (const double speed : {-0.7, 0.0, 0.4}) {
    const KaneArrays a = arrays(mechanism, {0, {2, 0, 0}, {speed, 0, 0}});
    CHECK(a.q == std::vector<double>{2});
    CHECK(a.qd == std::vector<double>{speed});
    CHECK(a.qdd[0] == doctest::Approx(speed == 0 ? 0.0 : -std::copysign(1.5, speed)).epsilon(1e-15));
  }
}

}  // namespace kane_test
