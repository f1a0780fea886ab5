#include "jounce/planar/catalogue.hpp"

#include <algorithm>

#include "jounce/planar/contact_types.hpp"
#include "jounce/planar/equation.hpp"
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

std::vector<TypeInfo> joint_types() {
  std::vector<TypeInfo> out = list<Joints>(Group::joint);
  out.push_back({Group::joint, Equation<double>::type, Equation<double>::summary, 1,
                 {{"of", Form::equation, true, laws::kEquationText}}});
  std::ranges::move(contact_types(), std::back_inserter(out));
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
       {{"from", Form::own_point, true, "one end: a point of this body"}, {"to", Form::own_point, true, "the other end"}}},
      {Group::shape, "disc", "a solid disc", 0,
       {{"centre", Form::own_point, true, "a point of this body, or [x, y]"}, {"radius", Form::number, true, "its radius"}}},
      {Group::shape, "box", "a solid rectangle", 0,
       {{"centre", Form::own_point, true, "a point of this body, or [x, y]"},
        {"size", Form::pair, true, "[width, height]"},
        {"angle", Form::number, false, "turned by this angle in the body, default 0"}}},
  };
}

}  // namespace

std::span<const TypeInfo> types(Group group) {
  static const std::vector<TypeInfo> joints = joint_types();
  static const std::vector<TypeInfo> drivers = list<Drivers>(Group::driver);
  static const std::vector<TypeInfo> forces = force_types();
  static const std::vector<TypeInfo> shapes = shape_types();
  switch (group) {
    case Group::joint: return joints;
    case Group::driver: return drivers;
    case Group::force: return forces;
    case Group::shape: return shapes;
    case Group::coupling:
    case Group::loop: break;
  }
  return {};
}

const TypeInfo* find_type(Group group, std::string_view type) { return jounce::find_type(types(group), type); }

}  // namespace jounce::planar
