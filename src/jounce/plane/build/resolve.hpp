// The first half of `build`: numbers from texts, bodies with their points and places, and what references mean.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "jounce/planar/catalogue.hpp"
#include "jounce/planar/world.hpp"
#include "jounce/mechanism/numbers.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce {

/// Those of a body, for messages.
[[nodiscard]] std::string point_names(const BodyData& body);

class Resolve : protected Numbers {
 protected:
  Resolve(const Model& model, const Tables& known) : Numbers(model, known) {}

  /// Parameters, gravity, ground and bodies.
  void run();

  /// "joint 'B': 'i' is missing: expected a point such as ..."
  void complain_missing(planar::Group group, const Element& element, std::string_view key, const std::string& who);

  std::optional<Vec2<double>> pair(const std::vector<Text>& texts, const std::string& who);

  /// A gear's K: `ratio`, or `radii` with `mesh`; false where something is missing or wrong, which has then been said.
  bool gear_ratio(const Element& element, const std::string& who, double& K);

  std::optional<int> body_index(const std::string& name, Where where, const std::string& who);
  std::optional<planar::Point<double>> point(const Text& text, const std::string& who);

  Vec2<double> gravity_;
  std::vector<BodyData> bodies_;              // the ground first
  std::vector<planar::Frame<double>> drawn_;  // of their centres of mass
  std::vector<double> velocity_;              // as written, of the centres of mass
  Outlines outlines_;                         // of the bodies
  bool drawing_failed_ = false;               // the place of some body is not known
  double length_scale_ = 1;

 private:
  void gravity();
  void ground();
  void add_body(const Body& body);
  void add_points(const Body& body, BodyData& data);
  void remember(BodyData data, planar::Frame<double> drawn);
  void find_length_scale();
  [[nodiscard]] double distance_between_bodies() const;

  void use_shape(const Body& body, BodyData& data);
  std::optional<Vec2<double>> shape_point(const Body& body, const BodyData& data, std::string_view key, const std::string& who);
  std::optional<double> shape_size(const Element& shape, std::string_view key, const std::string& who);

  std::map<std::string, int, std::less<>> index_;  // of a body, by name
  std::set<std::string, std::less<>> unreadable_;  // "body.point" of points whose own error was reported
};

}  // namespace jounce
