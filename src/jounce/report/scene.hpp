// A mechanism as something to draw: its bodies with their points and outlines, and every joint, driver and force with the places
// where it sits. Plain data, for the report and for drawings.
//
// Places are in metres, in the body's own axes and from the body's ORIGIN, so that the columns x, y, phi (in space: x, y, z and
// the quaternion) of a body place everything that belongs to it. In the plane every z is 0. Body 0 is the ground, at the origin.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jounce/base/drawing_symbol.hpp"
#include "jounce/base/vocabulary.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/mechanism/shape.hpp"
#include "jounce/report/solids/solid.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

struct Scene {
  struct Point {
    std::string name;
    Vec3<double> p;
  };

  struct Body {
    std::string name;
    std::vector<Point> points;
    std::optional<Vec3<double>> com;  ///< none: the ground
    std::optional<double> mass;
    std::optional<BodyShape> shape;
    std::optional<Sym3<double>> inertia;  ///< in space: about the centre of mass, in the body's axes
    std::vector<Solid> pictures;          ///< in space: what the model says about its looks besides the shape
    bool unseen = false;                  ///< in space: a picture cannot be drawn, so that the others do not say what it looks like
    std::vector<Vec3<double>> outline;  ///< in the plane: corners of its link, convex; two make a bar, one a knob
  };

  /// Of the plane: a wheel, gear or pulley as it is drawn, or the disc that a body is.
  struct Wheel {
    int body = 0;
    Vec3<double> centre;
    double radius = 0;                          ///< of the pitch circle, where it has teeth
    bool ring = false;                          ///< its teeth point inwards
    int teeth = 0;                              ///< 0: smooth
    double phase = 0;                           ///< angle of the middle of a tooth in the body's axes
    std::vector<std::array<double, 2>> tooth{}; ///< one flank from its foot: distance from the centre, half of the tooth's angle there
  };
  /// Teeth along the line of a wheel that rolls, on the side of the wheel.
  struct Rack {
    double pitch = 0, phase = 0;                ///< phase: the middle of a tooth, from line_i's first point along it
    std::vector<std::array<double, 2>> tooth{}; ///< one flank from its foot: height over the pitch line, half of the tooth's width there
  };
  /// What slides on a guide, in body j.
  struct Block {
    Vec3<double> at;
    int side = -1;                           ///< where the guide stands: 1 is left of the guide's line
    bool own = false;                        ///< the body's own box or rack is the block; then its ends along the guide's line and beside it, seen from `at`
    bool both = true;                        ///< of such a block: the guide stands on both sides
    bool piston = false;                     ///< the bodies are the tube and the rod of a cylinder: the line of i is its tube from end to end
    std::array<double, 2> along{}, beside{};
  };
  struct Place {
    int body = 0;
    Vec3<double> p;
  };
  /// A stop that bounds one coordinate of a point: a wall that it comes against. Others are not drawn.
  struct Wall {
    std::string name;
    Place on;
    bool upright = false;               ///< it bounds x
    double at = 0;                      ///< of that coordinate; with a disc about the point where its rim comes against it
    int side = 1;                       ///< 1: the point stays where the coordinate is larger
    std::optional<std::array<double, 2>> span{};  ///< of a run: what the other coordinate of the point takes
  };

  /// From a point P to a point Q of one body.
  struct Line {
    Vec3<double> from, to;
  };

  /// What an element does not have is empty, and -1 for a body.
  struct Element {
    Group group{};
    std::string name;
    std::string_view type;  ///< as the model file has it; for people: a drawing goes by the symbol
    DrawingSymbol symbol = DrawingSymbol::mark;

    int i = -1, j = -1;  ///< bodies; of a joint in space: parent and child
    int arm = -1;        ///< of gears whose axes are carried by a link

    /// Where it sits on i and on j: the two centres of a pin, the ends of a rod, spring or cylinder, the pin of a slot (pj), the
    /// point where a force acts (pj; pi of a wrench about the ground's origin), a mark (pj). Of gears, motors and torsion springs:
    /// the pin they turn about, the origin where there is none; of a wheel that rolls: its centre (pj).
    std::optional<Vec3<double>> pi, pj;
    std::optional<Line> line_i, line_j;  ///< slot, guide, track; slider

    std::vector<Vec3<double>> curve;                ///< of what touches one: places along it, on i
    bool round = false;                             ///< the curve is closed
    double roller = 0;                              ///< the radius of what rolls on it, about pj; 0: nothing rolls
    std::optional<double> length;                   ///< of a rod
    std::optional<double> ratio;                    ///< of gears and of coordinates that follow others
    std::optional<double> radius;                   ///< of a wheel, as in the model: negative when it is left of its track
    std::optional<std::array<double, 2>> radii;     ///< of gears, where the model gives them
    std::optional<double> free_length, stiffness;   ///< of springs
    std::optional<double> damping;                  ///< of springs with a damper
    std::optional<double> pitch;                    ///< of a screw: advance per radian
    std::string mesh;                               ///< of gears with radii: external, internal, belt or crossed-belt
    std::string what, what_i;                       ///< of coordinates: x, y or phi of j, and of i
    bool body_axes = false;                         ///< of a force: its components turn with the body
    bool friction = false;                          ///< of springs and of joints: dry friction
    bool actuated = false;                          ///< of springs: an actuator
    double around = 0;                              ///< of what turns about a pin that has such a symbol already: outside of it, in radii of a pin
    std::vector<Place> marks{};                     ///< of an equation: every place that it names beside pj
    std::vector<std::array<Place, 2>> distances{};  ///< of an equation: the ends of every distance in it, which is often a stretch of a rope

    /// In the plane, of a run (report/plane_figure.hpp): the stretch of line_i that pin, block or wheel takes, as distances along it from its first
    /// point; the shortest and longest distance of the ends of a spring or cylinder; of a guide the coordinate that is free.
    std::optional<std::array<double, 2>> span;
    std::optional<Block> block;                     ///< of a slider; of a guide the body that it holds, about its origin and in ground axes
    bool hangs = false;                             ///< what the ground holds there lies below: its foot is above
    std::optional<Rack> rack;                       ///< of a wheel that rolls on teeth
    std::array<int, 2> wheels{-1, -1};              ///< of gears, belts and what rolls: those of i and j in the scene's list

    /// In space: the joint's frame in body i and in body j, and its axis in that frame (of the types that have one).
    std::optional<Frame<double>> frame_i, frame_j;
    std::optional<Vec3<double>> axis;
    std::array<std::string, 2> coupled;  ///< of a coupling: the joints, "knuckle" or "wrist.2"
    std::vector<int> driven{};           ///< of a joint: those of its degrees of freedom, from 1, whose motion the model prescribes
  };

  bool space = false;  ///< three dimensions
  double size = 1;     ///< a typical length
  std::vector<Body> bodies;
  std::vector<Wheel> wheels;      ///< in the plane, the lowest first
  std::vector<Wall> walls;        ///< in the plane
  std::vector<int> order;         ///< in the plane: the bodies that move, the lowest first
  double link = 0;                ///< in the plane: how wide a link is drawn, where that is neither too fine nor too coarse to be seen
  std::vector<Element> elements;  ///< joints, drivers, forces, loops, couplings, each in the order of the model file

  /// In space: what is stretched between a place of one body and a place of another. Without a coil and a tube it is a rod.
  struct Strut {
    int i = 0, j = 0;
    Vec3<double> pi, pj;
    double radius = 0;    ///< of the rod
    double coil = 0;      ///< its radius; 0: there is none
    double wire = 0;      ///< of the coil: its radius
    int turns = 0;
    double tube = 0, tube_radius = 0;  ///< of a damper: how long it is from i on; 0: there is none
    std::string_view what{};
  };

  // in space
  Vec3<double> up{0, 0, 1};    ///< the axis that is nearest to the opposite of gravity
  double unit = 0;             ///< the radius of a usual rod, when it is furnished
  double floor = 0;            ///< how high the floor lies along `up`
  std::vector<Strut> struts;   ///< of a furnished scene
  std::vector<Solid> solids;   ///< of a furnished scene (report/solids/furnish.hpp)
};

[[nodiscard]] Scene scene(const PlaneMechanism& mechanism);
[[nodiscard]] Scene scene(const SpaceMechanism& mechanism);

}  // namespace jounce
