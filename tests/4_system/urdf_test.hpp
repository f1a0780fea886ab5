// A model as lines of text, for tests that say what an imported one is.
#pragma once

#include <string>
#include <vector>

#include "jounce/model/model.hpp"

namespace urdf_test {

inline std::string line(std::monostate) { return "?"; }
inline std::string line(const jounce::Text& text) { return text.text; }
inline std::string line(const jounce::TableFile& file) { return file.path.text; }
inline std::string line(const jounce::Table& table);
template <class Item>
std::string line(const std::vector<Item>& items) {
  std::string out;
  for (const Item& item : items) out += (out.empty() ? "" : " ") + line(item);
  return "[" + out + "]";
}
inline std::string line(const jounce::Table& table) {
  std::string out;
  for (const auto& entry : table.entries)
    out += (out.empty() ? "" : " ") + entry.key + "=" + std::visit([](const auto& value) { return line(value); }, entry.value);
  return "{" + out + "}";
}
inline std::string line(const jounce::Element& element) {
  std::string out = element.name + ": " + element.type;
  for (const auto& entry : element.entries)
    out += (out.back() == ' ' ? "" : " ") + entry.key + "=" +
           std::visit([](const auto& value) { return line(value); }, entry.value);
  return out + "\n";
}
inline std::string line(const jounce::Body& body) {
  std::string out = body.name + ":";
  if (body.mass) out += " mass=" + line(*body.mass);
  if (body.com) out += " com=" + line(*body.com);
  if (body.inertia_matrix) out += " inertia=" + line(*body.inertia_matrix);
  for (const jounce::NamedPoint& point : body.points)
    out += " " + point.name + "=" + line(point.at) + (point.rpy.empty() ? "" : line(point.rpy));
  return out + "\n";
}

template <class Items>
std::string lines(const Items& items) {
  std::string out;
  for (const auto& item : items) out += line(item);
  return out;
}

}  // namespace urdf_test
