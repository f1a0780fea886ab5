// Every planar joint, driver and force type. One line per type; the order is the order of `jounce types` and of the reference.
#pragma once

#include "jounce/planar/drivers/angle_driver.hpp"
#include "jounce/planar/drivers/coordinate_driver.hpp"
#include "jounce/planar/drivers/distance_driver.hpp"
#include "jounce/planar/drivers/slot_distance_driver.hpp"
#include "jounce/planar/forces/centred_spring.hpp"
#include "jounce/planar/forces/follower_force.hpp"
#include "jounce/planar/forces/force.hpp"
#include "jounce/planar/forces/moment.hpp"
#include "jounce/planar/forces/spring.hpp"
#include "jounce/planar/forces/torsion_spring.hpp"
#include "jounce/planar/joints/coordinate_joint.hpp"
#include "jounce/planar/joints/distance.hpp"
#include "jounce/planar/joints/gear.hpp"
#include "jounce/planar/joints/gear_on_arm.hpp"
#include "jounce/planar/joints/parallel.hpp"
#include "jounce/planar/joints/pin_in_slot.hpp"
#include "jounce/planar/joints/revolute.hpp"
#include "jounce/planar/joints/rolling.hpp"
#include "jounce/planar/joints/translational.hpp"
#include "jounce/planar/joints/weld.hpp"

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
                        TorsionSpring>;

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
