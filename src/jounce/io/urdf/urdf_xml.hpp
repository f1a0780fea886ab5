// An XML text as a plain tree with places. Only urdf_xml.cpp knows which XML library reads it; a build without one has
// urdf_xml_left_out.cpp instead.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/result.hpp"

namespace jounce::urdf {

struct XmlAttribute {
  std::string name, value;
  Where where;  ///< of the first character of the value
};

struct XmlElement {
  static constexpr int kMaxDepth = 64;  ///< deeper is an error, so that no text can exhaust the stack

  std::string name;
  Where where;  ///< of its '<'
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;  ///< elements only: no text of a URDF means anything

  [[nodiscard]] const XmlAttribute* find(std::string_view attribute) const {
    const auto it = std::ranges::find(attributes, attribute, &XmlAttribute::name);
    return it == attributes.end() ? nullptr : &*it;
  }
};

/// The one element at the top, or the one syntax error. Bytes that are not UTF-8 are an error; a byte order mark is not.
[[nodiscard]] Result<XmlElement> parse_xml(std::string_view text);

}  // namespace jounce::urdf
