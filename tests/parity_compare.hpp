// Rows of a planar run against those of the same mechanism in space, mapped back into its plane.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "parity_runs.hpp"

namespace parity {

/// How far two runs are apart in one kind of number: metres, newtons, ..., against the largest of its kind in the plane.
struct Apart {
  double difference = 0, size = 0;
  std::string where;  ///< the column and the row of the largest difference

  [[nodiscard]] double relative(double least) const { return difference / std::max(size, least); }
};

class Comparison {
 public:
  Comparison(const Both& both, const Ran& plane, const Ran& space) : both_(both), plane_(plane), space_(space) {}

  std::map<std::string, Apart> kinds;

  /// Of two runs of as many rows, or of those that both have.
  void bodies() {
    for (row_ = 0; row_ < rows(); ++row_) {
      note("time", "t", in_plane("t"), in_space("t"));
      for (std::size_t b = 1; b < both_.plane.bodies.size(); ++b) {
        const jounce::BodyData& body = both_.plane.bodies[b];
        point(body.name);
        for (const jounce::BodyPoint& p : body.points) point(body.name + "." + p.name);
        turn(body.name);
      }
      angles();
    }
  }
  void loads() {
    for (row_ = 0; row_ < rows(); ++row_) {
      for (const oracle::PlanarLink& link : both_.rebuilt.links)
        if (link.comparable) reaction(link);
      for (const auto& [driver, found] : both_.rebuilt.drivers) {
        const oracle::PlanarLink& link = both_.rebuilt.links[found.link];
        note("effort", driver, in_plane(driver + ".effort"),
             found.sign * link.sign() * in_space(link.name + ".tau" + std::to_string(link.dof(found.step))));
      }
      for (const jounce::Element& force : both_.written.forces) {
        if (force.type != "spring") continue;
        note("length", force.name, in_plane(force.name + ".l"), in_space(force.name + ".l"));
        note("spring", force.name, in_plane(force.name + ".f"), in_space(force.name + ".f"));
      }
      totals();
    }
  }

 private:
  using Vector = std::array<double, 3>;

  [[nodiscard]] std::size_t rows() const { return std::min(plane_.results.rows(), space_.results.rows()); }
  [[nodiscard]] double in_plane(const std::string& column) const { return value(plane_.results, column); }
  [[nodiscard]] double in_space(const std::string& column) const { return value(space_.results, column); }
  [[nodiscard]] double value(const jounce::Trajectory& results, const std::string& column) const {
    const auto found = results.at(row_, column);
    REQUIRE_MESSAGE(found.has_value(), column);
    return *found;
  }
  [[nodiscard]] Vector vector(const std::string& name, const char* first) const {
    Vector out{};
    for (std::size_t k = 0; k < 3; ++k) out[k] = in_space(name + "." + first + std::string(1, "xyz"[k]));
    return out;
  }

  void note(const std::string& kind, const std::string& what, double plane, double space) {
    Apart& at = kinds[kind];
    const double difference = std::isfinite(space) ? std::abs(plane - space) : 1e300;
    at.size = std::max(at.size, std::abs(plane));
    if (difference > at.difference) at.difference = difference, at.where = what + " in row " + std::to_string(row_);
  }
  void vectors(const std::string& kind, const std::string& name, const char* first, double out_of_plane) {
    const Vector v = vector(name, first);
    const oracle::AskewPlane& plane = both_.rebuilt.plane;
    note(kind, name, in_plane(name + "." + first + "x"), plane.along(0, v));
    note(kind, name, in_plane(name + "." + first + "y"), plane.along(1, v));
    note(kind, name, out_of_plane, plane.along(2, v));
  }
  void point(const std::string& name) {
    vectors("position", name, "", oracle::AskewPlane::kHeight);
    vectors("velocity", name, "v", 0), vectors("acceleration", name, "a", 0);
    vectors("jerk", name, "j", 0), vectors("snap", name, "s", 0);
  }
  void turn(const std::string& name) {
    const oracle::AskewPlane& plane = both_.rebuilt.plane;
    const double w = in_space(name + ".qw"), x = in_space(name + ".qx"), y = in_space(name + ".qy"), z = in_space(name + ".qz");
    // the body's x axis in ground axes
    const Vector axis{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    const double phi = in_plane(name + ".phi");
    note("direction", name, std::cos(phi), plane.along(0, axis)), note("direction", name, std::sin(phi), plane.along(1, axis));
    struct Order {
      const char *kind, *plane, *space;
    };
    for (const Order& order : {Order{"spin", ".vphi", "w"}, Order{"spin change", ".aphi", "al"}, Order{"spin jerk", ".jphi", "aj"}, Order{"spin snap", ".sphi", "as"}}) {
      const Vector turning = vector(name, order.space);
      note(order.kind, name, in_plane(name + order.plane), plane.along(2, turning));
      for (const std::size_t k : {0U, 1U}) note(order.kind, name, 0, plane.along(k, turning));
    }
  }
  // The coordinates of hinges, which are never reduced by turns.
  void angles() {
    const auto phi = [&](int body) { return body == 0 ? 0 : in_plane(both_.rebuilt.body(both_.rebuilt.in_plane(body)) + ".phi"); };
    for (const oracle::PlanarLink& link : both_.rebuilt.links)
      if (!link.loop && link.steps == "r") note("angle", link.name, phi(link.b) - phi(link.a), link.sign() * in_space(link.name + ".q1"));
  }

  [[nodiscard]] oracle::Pose pose(int body) const {
    if (body == 0) return {};
    const std::string& name = both_.rebuilt.body(both_.rebuilt.in_plane(body));
    return {in_plane(name + ".x"), in_plane(name + ".y"), in_plane(name + ".phi")};
  }
  // Everything that goes through a link, on its child about the origin of its frame there.
  void reaction(const oracle::PlanarLink& link) {
    const int on = link.loop ? link.b : link.child();
    const oracle::Pose place = compose(pose(on), link.loop ? link.frame_b : link.child_frame());
    double fx = 0, fy = 0, moment = 0;
    for (const oracle::LinkPart& part : link.parts) {
      const double sign = both_.rebuilt.in_plane(on) == part.body ? 1 : -1;
      if (part.moment != 0) {
        moment += sign * part.moment * in_plane(part.name + part.column);
        continue;
      }
      const double x = sign * in_plane(part.name + ".fx"), y = sign * in_plane(part.name + ".fy");
      const oracle::Pose at = compose(pose(part.body), part.point);
      fx += x, fy += y, moment += sign * in_plane(part.name + ".torque") + (at.x - place.x) * y - (at.y - place.y) * x;
    }
    const oracle::AskewPlane& plane = both_.rebuilt.plane;
    const Vector force = vector(link.name, "f"), turning = vector(link.name, "m");
    const Vector expected_force{fx, fy, 0}, expected_moment{0, 0, moment};
    for (std::size_t k = 0; k < 3; ++k) {
      note("force", link.name, expected_force[k], plane.along(k, force));
      note("moment", link.name, expected_moment[k], plane.along(k, turning));
    }
  }
  void totals() {
    const oracle::AskewPlane& plane = both_.rebuilt.plane;
    for (const char* which : {"energy.kinetic", "energy.potential", "energy.total"})
      note("energy", which, in_plane(which), in_space(which));
    const Vector p = vector("momentum", "p"), l = vector("momentum", "l"), com = vector("com", "");
    note("momentum", "momentum.px", in_plane("momentum.px"), plane.along(0, p));
    note("momentum", "momentum.py", in_plane("momentum.py"), plane.along(1, p));
    note("angular momentum", "momentum.lz", in_plane("momentum.lz"), plane.along(2, l));
    note("position", "com", in_plane("com.x"), plane.along(0, com)), note("position", "com", in_plane("com.y"), plane.along(1, com));
    note("constraint", "constraint.error", 0, in_space("constraint.error"));
  }

  const Both& both_;
  const Ran &plane_, &space_;
  std::size_t row_ = 0;
};

}  // namespace parity
