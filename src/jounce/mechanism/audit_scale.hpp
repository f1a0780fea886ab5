// How large a mechanism is, for judging its energy.
#pragma once

namespace jounce {

struct AuditScale {
  double mass = 1;    ///< of all bodies, kg; inertias over the square of the length with them
  double length = 1;  ///< typical of it, metres
  double weight = 0;  ///< of all bodies, newtons
};

}  // namespace jounce
