#include "jounce/plane/rows/kinematic_rows.hpp"

#include "jounce/plane/equations/planar_system_impl.hpp"
#include "jounce/results/row_writers.hpp"

namespace jounce {
namespace {

constexpr int kOrder = 4;  // snap
constexpr std::array<double, kOrder + 1> kFactorial{1, 1, 2, 6, 24};

constexpr std::array<std::array<columns::Ending, 2>, kOrder + 1> kPointMotion = [] {
  std::array<std::array<columns::Ending, 2>, kOrder + 1> out{};
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = {columns::kPlaneMotion[k][0], columns::kPlaneMotion[k][1]};
  return out;
}();

// Every column of kinematics, and what stands in it. For a list of columns there are no frames.
template <class Row>
void walk(const std::vector<BodyData>& bodies, double t, const FrameOrders& frames, Row& row) {
  row.put({}, columns::kTime, [&] { return std::array{t}; });
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyData& body = bodies[b];
    // Derivative k of a point fixed in a body: the frame's coefficients give it directly.
    const auto place = [&](const Vec2<double>& p_com, std::size_t k) {
      const planar::FrameRecord& f = frames[k][b];
      return std::array{kFactorial[k] * (f.x + f.c * p_com.x - f.s * p_com.y), kFactorial[k] * (f.y + f.s * p_com.x + f.c * p_com.y)};
    };
    for (std::size_t k = 0; k <= kOrder && b > 0; ++k)
      row.put(body.name, columns::kPlaneMotion[k], [&] {
        const auto [x, y] = place(body.origin_com, k);
        return std::array{x, y, kFactorial[k] * frames[k][b].phi};
      });
    for (const BodyPoint& point : body.points)
      for (std::size_t k = 0; k <= kOrder; ++k)
        row.put({body.name, point.name}, kPointMotion[k], [&] { return place(point.p_com, k); });
  }
}

// What touches curves, behind the bodies.
template <class Row>
void walk_contacts(const PlanarSystem& system, std::span<const planar::FrameRecord> frames, Row& row) {
  const auto& batch = std::get<Batch<planar::Equation>>(system.impl().batches);
  for (int e = 0; e < batch.size(); ++e) {
    const planar::CurveContact* contact = batch.elements[static_cast<std::size_t>(e)].law->contact.get();
    if (contact == nullptr) continue;
    const std::string& name = system.constraints()[static_cast<std::size_t>(batch.constraint[static_cast<std::size_t>(e)])].name;
    const auto reading = frames.empty() ? planar::CurveContact::Reading{} : contact->reading(frames);
    row.put(name, columns::kContact, [&] { return std::array{reading.s, reading.curvature, reading.curvature_radius}; });
    if (contact->travel || contact->pivot) row.put(name, columns::kPressureAngle, [&] { return std::array{reading.pressure_angle}; });
  }
}

}  // namespace

std::vector<Column> kinematic_columns(const std::vector<BodyData>& bodies) {
  ColumnList out;
  walk(bodies, 0, {}, out);
  return out.finish();
}
std::vector<Column> kinematic_columns(const PlaneMechanism& mechanism) {
  ColumnList out;
  walk(mechanism.bodies, 0, {}, out);
  walk_contacts(mechanism.system, {}, out);
  return out.finish();
}

FrameOrders frame_orders(const Evaluation& evaluation) {
  FrameOrders out;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = evaluation.frames(static_cast<int>(k));
  return out;
}

std::size_t kinematic_width(const PlaneMechanism& mechanism) {
  ColumnCount out;
  walk(mechanism.bodies, 0, {}, out);
  walk_contacts(mechanism.system, {}, out);
  return out.count();
}

double* fill_kinematic_row(const PlaneMechanism& mechanism, double t, const FrameOrders& frames, double* out) {
  NumberRow<true> row(out);
  walk(mechanism.bodies, t, frames, row);
  walk_contacts(mechanism.system, frames[0], row);
  return row.end();
}

}  // namespace jounce
