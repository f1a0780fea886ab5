#include "jounce/mechanism/mobility.hpp"

#include "jounce/base/suggest.hpp"

namespace jounce {

std::string IdleTurn::sentence() const {
  return join_names(bodies) + (bodies.size() == 1 ? " turns" : " turn") + " about the line from '" + from + "' to '" + to + "'";
}

}  // namespace jounce
