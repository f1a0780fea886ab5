#include "explain_space.hpp"

#include <fmt/format.h>

#include <span>

#include "terminal.hpp"

namespace jounce::app {
namespace {

constexpr std::size_t kMostDofsInSpace = 12;  // dofs: a person reads no larger matrix

// "  q                      0             -1.5e-17", nothing of nothing
std::string row(std::string_view head, std::span<const double> values) {
  if (values.empty()) return {};
  std::string out = fmt::format("  {:<8}", head);
  for (const double value : values) out += fmt::format("{:>20.12g}", value + 0.0);  // no "-0"
  return out + '\n';
}

template <class... Name>
std::string heads(Name... names) {
  std::string out = fmt::format("  {:<8}", "");
  ((out += fmt::format("{:>20}", names)), ...);
  return out + '\n';
}

std::string dofs_text(const SpaceExplanation::Joint& joint) {
  if (joint.prescribed.empty()) return "no dof";
  std::string out;
  for (const bool prescribed : joint.prescribed) out += fmt::format("{}{}", out.empty() ? "" : ", ", prescribed ? "prescribed" : "passive");
  return out;
}

std::string text(const SpaceExplanation::Joint& j) {
  std::string out = fmt::format("\njoint '{}'  {}, {} to {}: {}\n", toned(Tone::strong, j.name), j.type, j.parent, j.child, dofs_text(j));
  out += row("q", j.q) + row("v", j.v) + row("a", j.a) + row("j", j.j) + row("s", j.s) + row("tau", j.tau);
  return j.force.empty() ? out : out + heads("x", "y", "z") + row("force", j.force) + row("moment", j.moment);
}

std::string text(const SpaceExplanation::Body& b) {
  return fmt::format("\nbody '{}'\n", toned(Tone::strong, b.name)) + heads("x", "y", "z") + row("r", b.position) + row("r'", b.velocity) +
         row("r''", b.acceleration) + row("omega", b.angular_velocity) + row("omega'", b.angular_acceleration) +
         heads("w", "x", "y", "z") + row("turned", b.quaternion);
}

std::string equations_text(const SpaceExplanation& e) {
  const std::size_t dofs = e.C.size();
  if (dofs == 0) return {};
  std::string out = "\nequations of motion, H a + C = tau\n";
  if (dofs > kMostDofsInSpace) return out + fmt::format("  {} dofs: with --json\n", dofs);
  for (std::size_t r = 0; r < dofs; ++r) out += row("H", std::span(e.H.value).subspan(r * dofs, dofs));
  return out + row("C", e.C);
}

std::string text(const SpaceExplanation::Closure& closure) {
  std::string out = fmt::format("\n{}\n", closure.name) + row("φ", closure.phi) + row("ν", closure.nu) + row("γ", closure.gamma) + row("η", closure.eta) +
                    row("σ", closure.sigma) + row("λ", closure.lambda) + row("λ'", closure.lambda_rate);
  for (const auto& values : closure.K) out += values.size() > kMostDofsInSpace ? "" : row("K", values);
  return out;
}

std::string text(const SpaceExplanation::Force& f) {
  std::string out = fmt::format("\nforce '{}'  {}\n", toned(Tone::strong, f.name), f.type);
  if (!f.trouble.empty()) return out + fmt::format("  has no value here: {}\n", f.trouble);
  out += fmt::format("  {:<8}", "");
  for (const std::string& name : f.columns) out += fmt::format("{:>20}", name);
  out += '\n' + row("", f.value) + row("rate", f.rate);
  for (const SpaceExplanation::Force::OnBody& on : f.bodies) {
    const std::span<const double> Q = on.Q, rate = on.Q_rate;
    out += fmt::format("  {}\n", on.body) + heads("x", "y", "z") + row("F", Q.first(3)) + row("F'", rate.first(3)) + row("M", Q.last(3)) + row("M'", rate.last(3));
  }
  return out;
}

}  // namespace

std::string explain_text(const Mechanism& mechanism, const SpaceExplanation& e) {
  std::string out = fmt::format("{} at t = {:.12g} s\n", toned(Tone::strong, mechanism.name()), e.t);
  if (e.by == Analysis::dynamics && e.t > 0) out += "Passive dofs are where dynamics has brought them.\n";
  if (e.by == Analysis::kinematics) out += "Some body has no mass: no efforts and forces.\n";
  out += "Forces and moments are what a joint applies on its child at the joint's frame, in ground axes.\n";
  for (const SpaceExplanation::Joint& joint : e.joints) out += text(joint);
  for (const SpaceExplanation::Body& body : e.bodies) out += text(body);
  out += equations_text(e);
  if (!e.closures.empty()) out += "\nLoops and couplings demand φ = 0, K v = ν, K a = γ, K j = η and K s = σ.\n";
  for (const SpaceExplanation::Closure& closure : e.closures) out += text(closure);
  if (!e.forces.empty()) out += "\nForce F and moment M on a body are about its centre of mass, in ground axes.\n";
  for (const SpaceExplanation::Force& force : e.forces) out += text(force);
  return out;
}

}  // namespace jounce::app
