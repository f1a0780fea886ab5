#include "jounce/planar/catalogue.hpp"

#include <algorithm>

#include "jounce/planar/registry.hpp"

namespace jounce::planar {
namespace {

template <class List>
std::vector<TypeInfo> list(Group group) {
  std::vector<TypeInfo> out;
  for_each_type(List{}, [&]<template <class> class E>(Type<E>) {
    out.push_back({group, E<double>::type, E<double>::summary, equations<E>, describe<E>()});
  });
  return out;
}

std::vector<TypeInfo> force_types() {
  std::vector<TypeInfo> out;
  for_each_type(Forces{}, [&]<template <class> class F>(Type<F>) {
    if (std::ranges::find(out, F<double>::type, &TypeInfo::type) != out.end()) return;  // another form of the same type
    out.push_back({Group::force, F<double>::type, F<double>::summary, 0, describe<F>()});
    if constexpr (requires { F<double>::frame; })
      out.back().fields.push_back({"frame", Form::frame, false, "the axes of the components: \"ground\" (default) or \"body\""});
  });
  return out;
}

// Shapes have no equations; what a file may say about them is all there is.
std::vector<TypeInfo> shape_types() {
  return {
      {Group::shape, "bar", "a thin straight bar between two of the body's points", 0,
       {{"from", Form::point, true, "one end: a point of this body"}, {"to", Form::point, true, "the other end"}}},
      {Group::shape, "disc", "a solid disc", 0,
       {{"centre", Form::point, true, "a point of this body, or [x, y]"}, {"radius", Form::number, true, "its radius"}}},
      {Group::shape, "box", "a solid rectangle", 0,
       {{"centre", Form::point, true, "a point of this body, or [x, y]"},
        {"size", Form::pair, true, "[width, height]"},
        {"angle", Form::number, false, "turned by this angle in the body, default 0"}}},
  };
}

}  // namespace

const FieldInfo* TypeInfo::find(std::string_view key) const {
  const auto it = std::ranges::find(fields, key, &FieldInfo::key);
  return it == fields.end() ? nullptr : &*it;
}

std::span<const TypeInfo> types(Group group) {
  static const std::vector<TypeInfo> joints = list<Joints>(Group::joint);
  static const std::vector<TypeInfo> drivers = list<Drivers>(Group::driver);
  static const std::vector<TypeInfo> forces = force_types();
  static const std::vector<TypeInfo> shapes = shape_types();
  switch (group) {
    case Group::joint: return joints;
    case Group::driver: return drivers;
    case Group::force: return forces;
    case Group::shape: break;
  }
  return shapes;
}

const TypeInfo* find_type(Group group, std::string_view type) {
  const auto all = types(group);
  const auto it = std::ranges::find(all, type, &TypeInfo::type);
  return it == all.end() ? nullptr : &*it;
}

std::string_view word(Group group) {
  switch (group) {
    case Group::joint: return "joint";
    case Group::driver: return "driver";
    case Group::force: return "force";
    case Group::shape: break;
  }
  return "shape";
}

std::string_view expected(Form form) {
  switch (form) {
    case Form::point: return "a point such as \"crank.A\"";
    case Form::line: return "a line such as [\"crank.A\", \"crank.B\"]";
    case Form::body: return "the name of a body, or \"ground\"";
    case Form::coordinate: return "a coordinate: \"body.x\", \"body.y\" or \"body.phi\"";
    case Form::number: return "a number, or an expression in quotes";
    case Form::pair: return "a pair of numbers [a, b]";
    case Form::vector: return "two functions of time [fx, fy]";
    case Form::motion: return "a function of time such as \"100*rpm*t\", or { table = \"file.csv\" }";
    case Form::law: return "an expression of the element's own length or angle, its rate and t";
    case Form::mesh: return "\"external\", \"internal\", \"belt\" or \"crossed-belt\"";
    case Form::frame: break;
  }
  return "\"ground\" or \"body\"";
}

}  // namespace jounce::planar
