#include "jounce/plane/rows/kinematic_rows.hpp"

#include <string_view>

namespace jounce {
namespace {

constexpr int kOrder = 4;  // snap
constexpr std::array<double, kOrder + 1> kFactorial{1, 1, 2, 6, 24};

constexpr std::array<std::array<std::string_view, 3>, kOrder + 1> kBodyColumns{
    {{"x", "y", "phi"}, {"vx", "vy", "vphi"}, {"ax", "ay", "aphi"}, {"jx", "jy", "jphi"}, {"sx", "sy", "sphi"}}};

}  // namespace

std::vector<std::string> kinematic_columns(const PlaneMechanism& mechanism) {
  std::vector<std::string> out{"t"};
  for (const BodyData& body : mechanism.bodies) {
    if (&body != &mechanism.bodies.front())
      for (const auto& order : kBodyColumns)
        for (const auto component : order) out.push_back(body.name + "." + std::string(component));
    for (const BodyPoint& point : body.points)
      for (const auto& order : kBodyColumns)
        for (std::size_t c = 0; c < 2; ++c) out.push_back(body.name + "." + point.name + "." + std::string(order[c]));
  }
  return out;
}

FrameOrders frame_orders(const Evaluation& evaluation) {
  FrameOrders out;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = evaluation.frames(static_cast<int>(k));
  return out;
}

double* fill_kinematic_row(const PlaneMechanism& mechanism, double t, const FrameOrders& frames, double* out) {
  *out++ = t;
  // Derivative k of a point fixed in a body: the frame's coefficients give it directly.
  const auto put = [&](std::size_t body, const Vec2<double>& p_com, std::size_t k) {
    const planar::FrameRecord& f = frames[k][body];
    *out++ = kFactorial[k] * (f.x + f.c * p_com.x - f.s * p_com.y) + 0.0;  // no −0 in the results
    *out++ = kFactorial[k] * (f.y + f.s * p_com.x + f.c * p_com.y) + 0.0;
  };
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const BodyData& body = mechanism.bodies[b];
    for (std::size_t k = 0; k <= kOrder && b > 0; ++k) {
      put(b, body.origin_com, k);
      *out++ = kFactorial[k] * frames[k][b].phi + 0.0;
    }
    for (const BodyPoint& point : body.points)
      for (std::size_t k = 0; k <= kOrder; ++k) put(b, point.p_com, k);
  }
  return out;
}

}  // namespace jounce
