// A planar model with meaning: every number evaluated, every reference resolved, the equations ready.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "jounce/base/kept.hpp"
#include "jounce/base/result.hpp"
#include "jounce/expr/table_file.hpp"
#include "jounce/math/vec2.hpp"
#include "jounce/mechanism/measures.hpp"
#include "jounce/mechanism/watched_events.hpp"
#include "jounce/mechanism/motion_state.hpp"
#include "jounce/mechanism/run_plan.hpp"
#include "jounce/mechanism/shape.hpp"
#include "jounce/mechanism/stops.hpp"
#include "jounce/model/model.hpp"
#include "jounce/planar/equation.hpp"
#include "jounce/plane/equations/planar_system.hpp"

namespace jounce {

/// A point of a body, in body axes from its centre of mass.
struct BodyPoint {
  std::string name;
  Vec2<double> p_com;
};

/// A body's data in numbers. `origin_com` is the user's origin seen from the centre of mass, which is the reference point
/// inside the engine.
struct BodyData {
  std::string name;
  std::optional<double> mass, inertia;
  Where where;              ///< of its section in the model file
  Vec2<double> com;         ///< from the user's origin, body axes
  Vec2<double> origin_com;  ///< = −com
  std::vector<BodyPoint> points;
};

/// x, y, phi of each centre of mass, in the order of the bodies.
using PlanarState = MotionState;

/// A stop with the law of each of its gaps.
struct PlaneStop : OneSided {
  std::vector<std::shared_ptr<const planar::EquationLaw>> gaps;
};

/// A body that carries what acts on it from one point to another: everything that touches it is a force at one of these.
struct PlaneMember {
  enum class By { joint, load, spring };
  struct Pull {
    By by = By::joint;
    std::size_t from = 0;  ///< the constraint, or the force
    double sign = 1;       ///< −1 where the body is i of a constraint
    int to = 0;            ///< of a spring: the body at its other end
    Vec2<double> end{};    ///< of a spring: where that is
  };
  int body = 0;
  Vec2<double> a, b;  ///< the points, from the centre of mass in the axes of the body
  std::vector<Pull> at_a{}, at_b{};
};

/// The drawing, and what the search from there came to (analysis/assembly/).
struct AssembledDrawing;

struct PlaneMechanism {
  std::string name, file;
  std::map<std::string, double, std::less<>> parameters;
  Vec2<double> gravity;
  std::vector<BodyData> bodies;  ///< bodies[0] is the ground
  PlanarSystem system;
  Tables tables;
  std::vector<double> drawn;     ///< the positions as drawn, of the centres of mass
  std::vector<double> velocity;  ///< the initial velocities as written, of the centres of mass

  RunPlan run;
  std::vector<Measure> measures;
  std::vector<PlaneStop> stops;
  std::vector<WatchedEvent> events;

  Outlines outlines;  ///< for drawings
  std::vector<PlaneMember> members{};  ///< that have a column for how they are pulled (plane/rows/members.hpp)

  /// At t = 0: every analysis begins there, and so do mobility and drawings.
  Kept<AssembledDrawing> assembled{};
};

/// Evaluates and resolves everything in a model. All problems are reported at once, sorted by place.
[[nodiscard]] Result<PlaneMechanism> build_plane(const Model& model, const Tables& known = {});

}  // namespace jounce
