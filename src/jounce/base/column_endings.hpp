// The endings of the names of columns, with what each of them says: every column of results is made from these tables, and a name that
// comes from elsewhere is read by them (results/column_name.hpp). A quantity that results should show begins here.
#pragma once

#include <array>
#include <string_view>

namespace jounce::columns {

/// What stands after the last dot of a name. Of what belongs to the whole mechanism: the whole name.
struct Ending {
  std::string_view text, unit, group;
};

inline constexpr std::array kTime{Ending{"t", "s", "time"}};

// ---- bodies and points ----------------------------------------------------------------------------------------------

/// In the plane, from position to snap; of a point only the first two.
inline constexpr std::array<std::array<Ending, 3>, 5> kPlaneMotion{
    {{{{"x", "m", "position"}, {"y", "m", "position"}, {"phi", "rad", "position"}}},
     {{{"vx", "m/s", "velocity"}, {"vy", "m/s", "velocity"}, {"vphi", "rad/s", "velocity"}}},
     {{{"ax", "m/s²", "acceleration"}, {"ay", "m/s²", "acceleration"}, {"aphi", "rad/s²", "acceleration"}}},
     {{{"jx", "m/s³", "jerk"}, {"jy", "m/s³", "jerk"}, {"jphi", "rad/s³", "jerk"}}},
     {{{"sx", "m/s⁴", "snap"}, {"sy", "m/s⁴", "snap"}, {"sphi", "rad/s⁴", "snap"}}}}};

/// In space.
inline constexpr std::array<Ending, 3> kPlace{{{"x", "m", "position"}, {"y", "m", "position"}, {"z", "m", "position"}}};
inline constexpr std::array<Ending, 4> kQuaternion{
    {{"qw", "", "position"}, {"qx", "", "position"}, {"qy", "", "position"}, {"qz", "", "position"}}};
inline constexpr std::array<Ending, 3> kVelocity{{{"vx", "m/s", "velocity"}, {"vy", "m/s", "velocity"}, {"vz", "m/s", "velocity"}}};
inline constexpr std::array<Ending, 3> kSpin{
    {{"wx", "rad/s", "velocity"}, {"wy", "rad/s", "velocity"}, {"wz", "rad/s", "velocity"}}};
inline constexpr std::array<Ending, 3> kAcceleration{
    {{"ax", "m/s²", "acceleration"}, {"ay", "m/s²", "acceleration"}, {"az", "m/s²", "acceleration"}}};
inline constexpr std::array<Ending, 3> kTurn{
    {{"alx", "rad/s²", "acceleration"}, {"aly", "rad/s²", "acceleration"}, {"alz", "rad/s²", "acceleration"}}};
inline constexpr std::array<Ending, 3> kJerk{{{"jx", "m/s³", "jerk"}, {"jy", "m/s³", "jerk"}, {"jz", "m/s³", "jerk"}}};
inline constexpr std::array<Ending, 3> kTurnJerk{{{"ajx", "rad/s³", "jerk"}, {"ajy", "rad/s³", "jerk"}, {"ajz", "rad/s³", "jerk"}}};
inline constexpr std::array<Ending, 3> kSnap{{{"sx", "m/s⁴", "snap"}, {"sy", "m/s⁴", "snap"}, {"sz", "m/s⁴", "snap"}}};
inline constexpr std::array<Ending, 3> kTurnSnap{{{"asx", "rad/s⁴", "snap"}, {"asy", "rad/s⁴", "snap"}, {"asz", "rad/s⁴", "snap"}}};

// ---- joints, drivers and loops --------------------------------------------------------------------------------------

inline constexpr std::array<Ending, 3> kPlaneReaction{{{"fx", "N", "reaction"}, {"fy", "N", "reaction"}, {"torque", "N m", "reaction"}}};
inline constexpr std::array<Ending, 3> kForce{{{"fx", "N", "reaction"}, {"fy", "N", "reaction"}, {"fz", "N", "reaction"}}};
inline constexpr std::array<Ending, 3> kMoment{{{"mx", "N m", "reaction"}, {"my", "N m", "reaction"}, {"mz", "N m", "reaction"}}};
/// How large the force is, behind force and moment.
inline constexpr std::array<Ending, 1> kForceSize{{{"f", "N", "reaction"}}};
/// Of what is pulled between two points, a rod or a body between two pins: < 0 where it is pressed.
inline constexpr std::array<Ending, 1> kTension{{{"tension", "N", "tension"}}};
/// Of a driver, by what it drives.
inline constexpr std::array<Ending, 1> kTurningEffort{{{"effort", "N m", "effort"}}}, kSlidingEffort{{{"effort", "N", "effort"}}};

/// Of a joint with friction that grows with its reaction, by how it moves: on its body j, against the motion.
inline constexpr std::array<Ending, 1> kTurningFriction{{{"friction", "N m", "reaction"}}}, kSlidingFriction{{{"friction", "N", "reaction"}}};

/// Of what touches a curve: where along it, and how the curve bends there, < 0 where it is hollow; a straight one has the radius 0.
inline constexpr std::array<Ending, 3> kContact{{{"s", "m", "force"}, {"curvature", "1/m", "force"}, {"curvature_radius", "m", "force"}}};
/// Between the force across the contact and the way of the follower.
inline constexpr std::array<Ending, 1> kPressureAngle{{{"pressure_angle", "rad", "force"}}};
/// Of a cam: > 0 where it presses.
inline constexpr std::array<Ending, 1> kContactForce{{{"contact_force", "N", "reaction"}}};

/// Numbered from 1: "tau2".
struct Stem {
  std::string_view text, group;
  std::string_view turning, sliding;  ///< the unit where it belongs to an angle, and to a length
};
inline constexpr Stem kCoordinate{"q", "joint-position", "rad", "m"}, kRate{"v", "joint-velocity", "rad/s", "m/s"},
    kRateOfRate{"a", "joint-acceleration", "rad/s²", "m/s²"}, kJointJerk{"j", "joint-jerk", "rad/s³", "m/s³"},
    kJointSnap{"s", "joint-snap", "rad/s⁴", "m/s⁴"}, kEffort{"tau", "effort", "N m", "N"};
/// Its unit follows from that of its equation.
inline constexpr Stem kMultiplier{"lambda", "multiplier", "", ""};
inline constexpr std::string_view kOfMultiplierRate = "_rate";  ///< after the number

// ---- forces ---------------------------------------------------------------------------------------------------------

inline constexpr std::array<Ending, 3> kExtension{{{"l", "m", "force"}, {"v", "m/s", "force"}, {"f", "N", "force"}}};
inline constexpr std::array<Ending, 3> kRotation{{{"theta", "rad", "force"}, {"omega", "rad/s", "force"}, {"torque", "N m", "force"}}};
/// Of a stop: what it pushes with.
inline constexpr std::array<Ending, 1> kSlidingStop{{{"force", "N", "force"}}};
inline constexpr std::array<Ending, 1> kTurningStop{{{"force", "N m", "force"}}};
/// Of a motor: the torque is that on the body it turns.
inline constexpr std::array<Ending, 4> kDrive{{kRotation[0], kRotation[1], kRotation[2], {"power", "W", "force"}}};
inline constexpr std::array<Ending, 3> kSpaceDrive{{kDrive[1], kDrive[2], kDrive[3]}};
inline constexpr std::array<Ending, 3> kPlaneLoadAndMoment{{{"fx", "N", "force"}, {"fy", "N", "force"}, {"torque", "N m", "force"}}};
inline constexpr std::array<Ending, 2> kPlaneLoad{{{"fx", "N", "force"}, {"fy", "N", "force"}}};
inline constexpr std::array<Ending, 1> kPlaneMoment{{{"torque", "N m", "force"}}};
inline constexpr std::array<Ending, 3> kLoad{{{"fx", "N", "force"}, {"fy", "N", "force"}, {"fz", "N", "force"}}};
inline constexpr std::array<Ending, 3> kLoadMoment{{{"mx", "N m", "force"}, {"my", "N m", "force"}, {"mz", "N m", "force"}}};
inline constexpr std::array<Ending, 6> kLoadAndMoment{kLoad[0], kLoad[1], kLoad[2], kLoadMoment[0], kLoadMoment[1], kLoadMoment[2]};

// ---- the whole mechanism --------------------------------------------------------------------------------------------

inline constexpr std::array<Ending, 3> kEnergy{
    {{"energy.kinetic", "J", "energy"}, {"energy.potential", "J", "energy"}, {"energy.total", "J", "energy"}}};
/// Work done on the mechanism since the start, and what the energy has grown by beyond it: the run writes them (analysis/run/energy_audit.hpp).
inline constexpr std::array<Ending, 2> kAudit{{{"energy.work", "J", "energy"}, {"energy.balance", "J", "energy"}}};
/// Linear, angular about the ground's origin, and angular about the common centre of mass.
inline constexpr std::array<Ending, 4> kPlaneMomentum{{{"momentum.px", "kg m/s", "momentum"},
                                                       {"momentum.py", "kg m/s", "momentum"},
                                                       {"momentum.lz", "kg m²/s", "momentum"},
                                                       {"momentum.lgz", "kg m²/s", "momentum"}}};
inline constexpr std::array<Ending, 9> kMomentum{{{"momentum.px", "kg m/s", "momentum"},
                                                  {"momentum.py", "kg m/s", "momentum"},
                                                  {"momentum.pz", "kg m/s", "momentum"},
                                                  {"momentum.lx", "kg m²/s", "momentum"},
                                                  {"momentum.ly", "kg m²/s", "momentum"},
                                                  {"momentum.lz", "kg m²/s", "momentum"},
                                                  {"momentum.lgx", "kg m²/s", "momentum"},
                                                  {"momentum.lgy", "kg m²/s", "momentum"},
                                                  {"momentum.lgz", "kg m²/s", "momentum"}}};
inline constexpr std::array<Ending, 2> kPlaneCentre{{{"com.x", "m", "com"}, {"com.y", "m", "com"}}};
inline constexpr std::array<Ending, 3> kCentre{{{"com.x", "m", "com"}, {"com.y", "m", "com"}, {"com.z", "m", "com"}}};
/// Metres or radians, whichever is farther apart.
inline constexpr std::array<Ending, 1> kConstraintError{{{"constraint.error", "", "error"}}};

}  // namespace jounce::columns
