// How a mechanism is drawn.
#pragma once

#include <string>

namespace jounce {

enum class View { iso, x, y, z };  ///< from where a mechanism of space is seen

struct DrawingOptions {
  std::string title{};  ///< for readers that cannot see it
  bool names = false;
  double width = 720;
  View view = View::iso;  ///< in space
  bool dxf = false;       ///< as geometry for CAD, too
};

}  // namespace jounce
