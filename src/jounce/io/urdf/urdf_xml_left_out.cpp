// In place of urdf_xml.cpp in a build without URDF (JOUNCE_URDF=OFF), which needs no pugixml.
#include "jounce/io/urdf/urdf_xml.hpp"

namespace jounce::urdf {

Result<XmlElement> parse_xml(std::string_view) {
  return error({1, 1}, "this build of Jounce was made without URDF", "build it with -DJOUNCE_URDF=ON");
}

}  // namespace jounce::urdf
