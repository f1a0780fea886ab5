// Equilibria over a coordinate: it is held at one value after the other, the rest of the mechanism finds its balance, and what it takes to hold it is a
// column. The torque of a crank over its angle, the force of a spring balance over its travel, the moment of gravity over the angle of an arm.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/api/mechanism.hpp"
#include "jounce/base/result.hpp"

namespace jounce {

/// A coordinate and where it is held; rows come in rising order, whatever the order here: "crank.phi", "piston.x", "slide.A.y", "shoulder.q1" (or "shoulder", "wrist.2"), or a measure of
/// positions.
struct Over {
  std::string coordinate;
  std::vector<double> values;
};

/// "crank.phi=0:360*deg:73" (both ends among them, 101 values where no number is given), or "crank.phi=0,0.1,0.5".
[[nodiscard]] Result<Over> read_over(const Mechanism& mechanism, std::string_view text);

/// What holds a coordinate of a mechanism.
struct Holding {
  std::string coordinate;              ///< the column: "shoulder.q1"
  std::string unit;
  std::string element;                 ///< the equation that holds it: "hold", or another name where there is a "hold"
  std::string effort, effort_unit;     ///< the column of what it takes, along the coordinate: "hold.effort"
  std::vector<std::string> set_aside;  ///< drivers, in space dofs, that would move it
  double drawn = 0;                    ///< its value in the assembled drawing
  std::shared_ptr<const Mechanism> free;  ///< without all this
};

/// The mechanism with the coordinate held at where it is in the assembled drawing, and the drivers that would move it set aside. Its columns are those of
/// an equilibrium over the coordinate.
[[nodiscard]] Result<Mechanism> held(const Mechanism& mechanism, const std::string& coordinate);
/// Null: it is not such a mechanism.
[[nodiscard]] const Holding* holding(const Mechanism& mechanism);

}  // namespace jounce
