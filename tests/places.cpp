#include "places.hpp"

namespace places {

const std::string& source() {
  static const std::string out = JOUNCE_SOURCE_DIR;
  return out;
}

const std::string& program() {
  static const std::string out = JOUNCE_PROGRAM;
  return out;
}

const std::string& reference() {
  static const std::string out = JOUNCE_REFERENCE;
  return out;
}

}  // namespace places
