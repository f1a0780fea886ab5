// What a URDF says, checked for its form only: links, joints and their numbers. No name is looked up here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/io/urdf/urdf_xml.hpp"
#include "jounce/math/vec3.hpp"

namespace jounce::urdf {

struct Name {
  std::string text;
  Where where;
};

/// A frame, with its angles as written: rotation Rz(yaw) Ry(pitch) Rx(roll).
struct Placement {
  Vec3<double> xyz, rpy;

  [[nodiscard]] bool is_turned() const { return !(rpy == Vec3<double>{}); }
  [[nodiscard]] bool is_identity() const { return xyz == Vec3<double>{} && !is_turned(); }
  [[nodiscard]] Frame<double> frame() const { return {from_rpy(rpy), xyz}; }
};

/// `inner` is given in `outer`. What does not change keeps the angles with which it was written.
[[nodiscard]] Placement operator*(const Placement& outer, const Placement& inner);

struct Inertial {
  double mass = 0;
  Placement origin;      ///< of the centre of mass
  Sym3<double> inertia;  ///< about the centre of mass, in the axes of `origin`
  Where where;
};

/// What a link looks like.
struct Visual {
  enum class Kind { box, cylinder, sphere, mesh };
  Kind kind{};
  Placement origin;
  Vec3<double> size{1, 1, 1};  ///< of a box; of a mesh its scale
  double radius = 0, length = 0;
  std::string file;            ///< of a mesh, as written
  std::string colour;          ///< "#rrggbb" or empty
  std::string material;        ///< the name of one that is described elsewhere
  Where where;
};

struct Link {
  Name name;
  std::optional<Inertial> inertial;
  std::vector<Visual> visuals{};
};

struct Mimic {
  Name joint;
  double multiplier = 1, offset = 0;
};

/// What a joint allows.
struct Limits {
  double lower = 0, upper = 0;
  Where where;
};

struct Joint {
  enum class Kind { revolute, prismatic, planar, floating, fixed };

  Name name;
  Kind kind = Kind::fixed;
  Name parent, child;  ///< links
  Placement origin;
  Vec3<double> axis{1, 0, 0};  ///< of unit length
  double damping = 0;
  std::optional<Mimic> mimic;
  std::optional<Limits> limits;  ///< of one coordinate
};

struct Robot {
  std::string name;  ///< may be empty
  Where where;
  std::vector<Link> links;
  std::vector<Joint> joints;
};

/// What is left out or changed, said once for each kind of thing, with the number of them and the first names.
class Remarks {
 public:
  /// `unit` is what is counted, in the singular. A name may be empty.
  void add(std::string what, std::string unit, Where where, std::string_view name, Severity severity = Severity::warning);
  [[nodiscard]] Problems problems() const;

 private:
  struct Remark {
    std::string unit;
    Where where;
    Severity severity = Severity::warning;
    std::size_t count = 0;
    std::vector<std::string> names;
  };
  std::map<std::string, Remark> remarks_;
};

/// A name in a sentence: not too long, and on one line.
[[nodiscard]] std::string shown(std::string_view name);

/// As much as could be read; what could not is in `problems`. Elements without a name are left out.
[[nodiscard]] Robot read_robot(const XmlElement& root, Problems& problems, Remarks& remarks);

}  // namespace jounce::urdf
