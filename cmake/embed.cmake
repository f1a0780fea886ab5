# Writes the templates of the report as C++ source: an installed library or program needs no files.
#   cmake -D PLANE=plane.html -D SPACE=space.html -D OUT=file.cpp -P embed.cmake
foreach(name PLANE SPACE)
  file(READ ${${name}} bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" ${name}_literal "${bytes}")
endforeach()
file(WRITE ${OUT}
"// Written by cmake/embed.cmake.
#include \"jounce/report/report.hpp\"

namespace jounce {
namespace {
constexpr char kPlane[] = \"${PLANE_literal}\";
constexpr char kSpace[] = \"${SPACE_literal}\";
}  // namespace

std::string_view report_template(bool space) {
  return space ? std::string_view(kSpace, sizeof(kSpace) - 1) : std::string_view(kPlane, sizeof(kPlane) - 1);
}

}  // namespace jounce
")
