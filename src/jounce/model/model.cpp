#include "jounce/model/model.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace jounce {

Text::Text(double number) : quoted(false) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  text.assign(buffer.data(), end);
}

const Entry* Element::find(std::string_view key) const {
  const auto it = std::ranges::find(entries, key, &Entry::key);
  return it == entries.end() ? nullptr : &*it;
}

Element& Element::set(std::string key, Value value) {
  const auto it = std::ranges::find(entries, key, &Entry::key);
  if (it != entries.end()) it->value = std::move(value);
  else entries.push_back({std::move(key), {}, std::move(value)});
  return *this;
}

const Table::Entry* Table::find(std::string_view key) const {
  const auto it = std::ranges::find(entries, key, &Entry::key);
  return it == entries.end() ? nullptr : &*it;
}

Table& Table::set(std::string key, PlainValue value) {
  const auto it = std::ranges::find(entries, key, &Entry::key);
  if (it != entries.end()) it->value = std::move(value);
  else entries.push_back({std::move(key), {}, std::move(value)});
  return *this;
}

Body& Body::point(std::string point_name, Text x, Text y) {
  points.push_back({std::move(point_name), {}, {std::move(x), std::move(y)}});
  return *this;
}

Body& Body::point(std::string point_name, Text x, Text y, Text z) {
  points.push_back({std::move(point_name), {}, {std::move(x), std::move(y), std::move(z)}});
  return *this;
}

const NamedPoint* Body::find_point(std::string_view point_name) const {
  const auto it = std::ranges::find(points, point_name, &NamedPoint::name);
  return it == points.end() ? nullptr : &*it;
}

void Model::parameter(std::string parameter_name, Text value) {
  const auto it = std::ranges::find(parameters, parameter_name, &Parameter::name);
  if (it != parameters.end()) it->value = std::move(value);
  else parameters.push_back({std::move(parameter_name), {}, std::move(value)});
}

void Model::measure(std::string measure_name, Text value) {
  const auto it = std::ranges::find(measures, measure_name, &Parameter::name);
  if (it != measures.end())
    it->value = std::move(value);
  else
    measures.push_back({std::move(measure_name), {}, std::move(value)});
}

EventSection& Model::event(std::string event_name, Text when) {
  const auto it = std::ranges::find(events, event_name, &EventSection::name);
  EventSection& out = it != events.end() ? *it : events.emplace_back(EventSection{.name = std::move(event_name), .where = {}});
  out.when = std::move(when);
  return out;
}

StopSection& Model::stop(std::string stop_name, Text of) {
  const auto it = std::ranges::find(stops, stop_name, &StopSection::name);
  StopSection& out = it != stops.end() ? *it : stops.emplace_back(StopSection{.name = std::move(stop_name), .where = {}});
  out.of = std::move(of);
  return out;
}

Body& Model::body(std::string body_name) {
  if (body_name == ground.name) return ground;
  const auto it = std::ranges::find(bodies, body_name, &Body::name);
  if (it != bodies.end()) return *it;
  bodies.push_back({.name = std::move(body_name)});
  return bodies.back();
}

namespace {

Element& added(std::vector<Element>& list, std::string name, std::string type) {
  list.push_back({std::move(name), std::move(type), {}, {}, {}});
  return list.back();
}

}  // namespace

Element& Model::joint(std::string joint_name, std::string type) { return added(joints, std::move(joint_name), std::move(type)); }
Element& Model::driver(std::string driver_name, std::string type) { return added(drivers, std::move(driver_name), std::move(type)); }
Element& Model::force(std::string force_name, std::string type) { return added(forces, std::move(force_name), std::move(type)); }
Element& Model::loop(std::string loop_name, std::string type) { return added(loops, std::move(loop_name), std::move(type)); }
Element& Model::coupling(std::string coupling_name) { return added(couplings, std::move(coupling_name), {}); }

void Model::plan(std::string analysis, Text to, Text steps) {
  run = RunSection{{}, Text(std::move(analysis)), std::move(to), std::move(steps)};
}

bool Model::remove(std::string_view element_name) {
  const auto named = [&](const auto& element) { return element.name == element_name; };
  std::size_t gone = std::erase_if(bodies, named);
  for (std::vector<Element>* list : {&joints, &drivers, &forces, &couplings, &loops}) gone += std::erase_if(*list, named);
  gone += std::erase_if(measures, named);
  gone += std::erase_if(stops, named);
  gone += std::erase_if(events, named);
  return gone > 0;
}

const Body* Model::find_body(std::string_view body_name) const {
  if (body_name == ground.name) return &ground;
  const auto it = std::ranges::find(bodies, body_name, &Body::name);
  return it == bodies.end() ? nullptr : &*it;
}

}  // namespace jounce
