// The first half of `build_space`: numbers, vectors and frames from texts, bodies with their points, and what references mean.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "jounce/base/vocabulary.hpp"
#include "jounce/mechanism/numbers.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

class SpaceResolve : protected Numbers {
 protected:
  SpaceResolve(const Model& model, const Tables& known) : Numbers(model, known) {}

  /// Parameters, gravity, ground and bodies.
  void run();
  /// Whether bodies can have the inertias that are written for them, in a mechanism of this length: once it is known.
  void judge_inertias(double length);

  /// An element of the model, and how messages call it.
  struct At {
    Group group{};
    const Element& element;
    std::string who;
  };
  [[nodiscard]] static At at(Group group, const Element& element);

  /// What stands under a key; null when it is left out (an error where the catalogue says it is required) or of another form.
  template <class T>
  const T* written(const At& at, std::string_view key);
  template <class T>
  const T* written(const Table& table, std::string_view key, Form form, const std::string& who);

  std::optional<double> value(const Text& text, const std::string& who);
  /// The number under a key of an element or a table, or `otherwise` where it is left out.
  std::optional<double> value(const At& at, std::string_view key, double otherwise);
  std::optional<std::vector<double>> values(const std::vector<Text>& texts, const std::string& who);
  std::optional<Vec3<double>> triple(const std::vector<Text>& texts, const std::string& who);
  /// Of unit length.
  std::optional<Vec3<double>> direction(const std::vector<Text>& texts, const std::string& who);
  /// The frame of a placement, the identity where it is left out.
  std::optional<Frame<double>> placement(const At& at, std::string_view key);

  std::optional<int> body_index(const std::string& name, Where where, const std::string& who);
  std::optional<int> body(const At& at, std::string_view key);
  /// A point of a body with its axes, in the body's frame.
  struct Place {
    int body = 0;
    Frame<double> frame;
  };
  std::optional<Place> place(const At& at, std::string_view key);

  Vec3<double> gravity_;
  std::vector<SpaceBody> bodies_;  // the ground first
  Outlines outlines_;             // of the bodies
  bool incomplete_ = false;       // something could not be read, which the reader has reported

 private:
  void gravity();
  void add_body(const Body& body);
  void add_points(const Body& body, SpaceBody& data);
  void refuse_planar_keys(const Body& body, const std::string& who);
  void inertia(const Body& body, SpaceBody& data, const std::string& who);

  struct Outline {
    Vec3<double> centre;
    Sym3<double> per_mass;  // inertia of one kilogram about the centre, in the body's axes
    BodyShape shape;        // its centre is the one above
  };
  void use_shape(const Body& body, SpaceBody& data);
  void use_visuals(const Body& body, const std::string& who);
  std::optional<Picture> picture(const Element& visual, const std::string& who);
  std::optional<Outline> outline(const At& at, const Body& body, const SpaceBody& data);
  std::optional<Outline> rod(const At& at, const Body& body, const SpaceBody& data);
  std::optional<Outline> box(const At& at, const Body& body, const SpaceBody& data);
  std::optional<Outline> cylinder(const At& at, const Body& body, const SpaceBody& data);
  std::optional<Outline> sphere(const At& at, const Body& body, const SpaceBody& data);
  std::optional<Vec3<double>> own_point(const At& at, std::string_view key, const Body& body, const SpaceBody& data);
  std::optional<double> size(const At& at, std::string_view key);

  const Entry* entry(const At& at, std::string_view key, Form& form);

  struct WrittenInertia {
    std::size_t body = 0;
    Where where;
    bool as_written = false;
  };
  std::vector<WrittenInertia> written_inertias_;
  std::map<std::string, int, std::less<>> index_;  // of a body, by name
  std::set<std::string, std::less<>> unreadable_;  // "body.point" of points whose own error was reported
};

template <class T>
const T* SpaceResolve::written(const At& at, std::string_view key) {
  Form form{};
  const Entry* found = entry(at, key, form);
  if (found == nullptr) return nullptr;
  const T* value = std::get_if<T>(&found->value);
  if (value == nullptr) complain(found->where, at.who + ": " + std::string(key) + ": expected " + std::string(expected(form)));
  return value;
}

template <class T>
const T* SpaceResolve::written(const Table& table, std::string_view key, Form form, const std::string& who) {
  const Table::Entry* found = table.find(key);
  if (found == nullptr) return nullptr;
  if (std::holds_alternative<std::monostate>(found->value)) return incomplete_ = true, nullptr;
  const T* value = std::get_if<T>(&found->value);
  if (value == nullptr) complain(found->where, who + ": " + std::string(key) + ": expected " + std::string(expected(form)));
  return value;
}

}  // namespace jounce
