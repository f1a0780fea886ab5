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

// Forces and shapes have no equations of their own; what a file may say about them is all there is.
std::vector<TypeInfo> force_types() {
  return {
      {Group::force, "force", "a force at a point, a function of time", 0,
       {{"on", Form::point, true, "the point it acts at"},
        {"value", Form::vector, true, "[fx, fy], functions of t"},
        {"frame", Form::frame, false, "the axes of the components: \"ground\" (default) or \"body\""}}},
      {Group::force, "moment", "a moment on a body, a function of time", 0,
       {{"on", Form::body, true, "the body it acts on"}, {"value", Form::motion, true, "the moment, counter-clockwise"}}},
      {Group::force, "spring", "spring, damper, friction and actuator in parallel between two points", 0,
       {{"i", Form::point, true, "one end"},
        {"j", Form::point, true, "the other end"},
        {"stiffness", Form::number, false, "k, default 0"},
        {"free_length", Form::number, false, "length without force; required with a stiffness"},
        {"damping", Form::number, false, "c, default 0"},
        {"friction", Form::number, false, "amplitude of dry friction, default 0"},
        {"friction_speed", Form::number, false, "rate over which friction is smoothed; 0: the exact sign"},
        {"actuator", Form::law, false, "a force of l, v and t; positive pulls the ends together"}}},
      {Group::force, "torsion-spring", "spring, damper, friction and motor in parallel between two bodies", 0,
       {{"i", Form::body, true, "one body"},
        {"j", Form::body, true, "the other body"},
        {"stiffness", Form::number, false, "k, default 0"},
        {"free_angle", Form::number, false, "angle of j relative to i without torque, default 0"},
        {"damping", Form::number, false, "c, default 0"},
        {"friction", Form::number, false, "amplitude of dry friction, default 0"},
        {"friction_speed", Form::number, false, "rate over which friction is smoothed; 0: the exact sign"},
        {"actuator", Form::law, false, "a torque of theta, omega and t; positive turns i towards j"}}},
  };
}

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
