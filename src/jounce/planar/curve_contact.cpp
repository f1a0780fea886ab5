#include "jounce/planar/curve_contact.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jounce/planar/equation.hpp"

namespace jounce::planar {
namespace {

/// Less than this, times its length, is rounding in the curvature of a straight line.
constexpr double kStraight = 1e-9;

Vec2<double> turned(const Frame<double>& f, const Vec2<double>& v) { return {f.c * v.x - f.s * v.y, f.s * v.x + f.c * v.y}; }
Vec2<double> turned_back(const Frame<double>& f, const Vec2<double>& v) {
  return {f.c * v.x + f.s * v.y, f.c * v.y - f.s * v.x};
}
Vec2<double> placed(const Frame<double>& f, const Vec2<double>& p) { return Vec2<double>{f.x, f.y} + turned(f, p); }

}  // namespace

double CurveContact::located(std::span<const double> variables) const {
  double a = 0, b = 0;
  if (x.evaluate(variables, a) || y.evaluate(variables, b)) return curve->front();
  return search == Search::nearest ? curve->nearest({a, b}) : curve->farthest({outwards * a, outwards * b});
}

double CurveContact::place(std::span<const FrameRecord> frames) const {
  const FrameRecord &own = frames[static_cast<std::size_t>(body)], &other = frames[static_cast<std::size_t>(at.body)];
  if (search == Search::tangent) {
    const Vec2<double> m = turned_back(own, turned(other, normal));
    return curve->farthest({outwards * m.x, outwards * m.y});
  }
  return curve->nearest(turned_back(own, placed(other, at.p) - Vec2<double>{own.x, own.y}));
}

CurveContact::Reading CurveContact::reading(std::span<const FrameRecord> frames) const {
  const FrameRecord &own = frames[static_cast<std::size_t>(body)], &other = frames[static_cast<std::size_t>(at.body)];
  const double u = place(frames), bend = outwards * curve->curvature(u);
  Reading out{curve->length_to(u), bend, std::abs(bend) * curve->length() < kStraight ? 0 : 1 / bend, 0};
  if (!travel && !pivot) return out;
  const Vec2<double> n_W = turned(own, curve->normal(u));
  Vec2<double> way = travel ? turned(other, *travel) : Vec2<double>{};
  if (pivot) {
    const Vec2<double> touched = search == Search::tangent ? placed(own, curve->at(u)) : placed(other, at.p);
    const Vec2<double> arm = touched - placed(other, pivot->p);
    way = {-arm.y, arm.x};
  }
  // between two lines: no more than a right angle
  out.pressure_angle = std::atan2(std::abs(cross(way, n_W)), std::abs(dot(way, n_W)));
  return out;
}

EquationLaw contact_law(std::shared_ptr<CurveContact> contact) {
  CurveContact& c = *contact;
  const bool face = c.search == CurveContact::Search::tangent;
  const bool turns = c.body > 0;

  // t, the point, the place of the curve where it moves, the angle of a face; then u
  std::vector<std::string> names{"t", "px", "py"};
  std::vector<StateQuantity> quantities{{c.at.body, c.at.p, 0}, {c.at.body, c.at.p, 1}};
  const auto add = [&](const char* name, const StateQuantity& quantity) {
    names.emplace_back(name);
    quantities.push_back(quantity);
  };
  if (turns) add("ox", {c.body, {}, 0}), add("oy", {c.body, {}, 1}), add("phi", {c.body, {}, 2});
  if (face) add("psi", {c.at.body, {}, 2});
  names.emplace_back("u");

  Formula f(names);
  const Formula::Term u = f[names.size() - 1];
  const auto [cx, cy] = c.curve->terms(f, u, 0);
  const auto [tx, ty] = c.curve->terms(f, u, 1);
  // the point in axes of the curve
  Formula::Term px = f[1], py = f[2];
  if (turns) {
    const Formula::Term dx = f[1] - f[3], dy = f[2] - f[4], c_i = cosine(f[5]), s_i = sine(f[5]);
    px = c_i * dx + s_i * dy;
    py = c_i * dy - s_i * dx;
  }
  const Formula::Term ex = px - cx, ey = py - cy;
  Formula::Term phi = ex, F = ex;
  if (face) {
    const double drawn = std::atan2(c.normal.y, c.normal.x);
    const Formula::Term psi = f[names.size() - 2] - (-drawn);
    const Formula::Term turn = turns ? psi - f[5] : psi;
    const Formula::Term mx = cosine(turn), my = sine(turn);
    phi = mx * ex + my * ey;
    F = mx * tx + my * ty;
    c.x = f.expression(mx, "face"), c.y = f.expression(my, "face");
  } else {
    phi = c.outwards * ((ty * ex - tx * ey) / sqrt(tx * tx + ty * ty)) - c.offset;
    F = tx * ex + ty * ey;
    c.x = f.expression(px, "pin"), c.y = f.expression(py, "pin");
  }
  c.F = f.expression(F, "contact");
  c.by_u = f.derivative(F, names.size() - 1, "contact");

  EquationLaw law{{f.expression(phi, "contact"), {}, Expression::constant(0), {}}, quantities, {}, {}, {Unit::metre, 1}};
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    law.by_quantity.push_back(f.derivative(phi, i + 1, "contact"));
    const int body = quantities[i].body;
    const auto known = std::ranges::find(law.bodies, body);
    law.slot.push_back(body == 0 ? -1 : static_cast<int>(known - law.bodies.begin()));
    if (body > 0 && known == law.bodies.end()) law.bodies.push_back(body);
  }
  law.contact = std::move(contact);
  return law;
}

}  // namespace jounce::planar
