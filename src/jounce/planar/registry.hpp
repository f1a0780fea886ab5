// Every planar joint, driver and force type. One line per type; the order is the order of `jounce types` and of the reference.
#pragma once

#include <cstddef>

// What these folders hold; CMake writes them (jounce_umbrella).
#include "jounce/planar/drivers/all.hpp"
#include "jounce/planar/forces/all.hpp"
#include "jounce/planar/joints/all.hpp"

namespace jounce::planar {

template <template <class> class... E>
struct TypeList {
  static constexpr std::size_t size = sizeof...(E);
};

using Joints = TypeList<Revolute,       //
                        Distance,       //
                        Parallel,       //
                        PinInSlot,      //
                        Translational,  //
                        Weld,           //
                        Gear,           //
                        GearOnArm,      //
                        CoordinateJoint,
                        Rolling>;

using Drivers = TypeList<AngleDriver,       //
                         CoordinateDriver,  //
                         SlotDistanceDriver,
                         DistanceDriver>;

/// A type of the model file that has two forms (a force in ground or body axes) stands here twice, its main form first.
using Forces = TypeList<Force,          //
                        FollowerForce,  //
                        Moment,         //
                        Spring,         //
                        CentredSpring,  //
                        TorsionSpring,  //
                        Motor,          //
                        Bushing>;

template <class, class>
struct Joined;
template <template <class> class... A, template <class> class... B>
struct Joined<TypeList<A...>, TypeList<B...>> {
  using type = TypeList<A..., B...>;
};

/// Everything that contributes equations.
using Constraints = Joined<Joints, Drivers>::type;

/// A template as a value, so that a generic lambda can be handed one: `[]<template <class> class E>(Type<E>) { ... }`.
template <template <class> class E>
struct Type {
  template <class Real>
  using of = E<Real>;
};

template <class F, template <class> class... E>
constexpr void for_each_type(TypeList<E...>, F&& f) {
  (f(Type<E>{}), ...);
}

}  // namespace jounce::planar
