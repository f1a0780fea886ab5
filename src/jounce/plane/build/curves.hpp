// Joints that touch a curve: from the keys of the model to an equation (planar/curve_contact.hpp), with everything that the shape
// of the curve forbids said beforehand.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "jounce/planar/equation.hpp"
#include "jounce/plane/build/resolve.hpp"

namespace jounce {

class ResolveCurves : protected Resolve {
 protected:
  ResolveCurves(const Model& model, const Tables& known) : Resolve(model, known) {}

  /// Null where something is missing or wrong, which has then been said.
  std::shared_ptr<const planar::EquationLaw> contact(const Element& element);
  /// By how much a residual grows with a metre, or with a radian where it is of angles alone, as drawn.
  [[nodiscard]] planar::Scale equation_scale(const planar::EquationLaw& law) const;

  std::vector<WatchedEvent> ends_of_curves_;  // where what touches an open curve leaves it

 private:
  using Contact = planar::CurveContact;

  const Entry* needed(const Element& element, std::string_view key, const std::string& who);
  std::optional<double> positive(const Element& element, std::string_view key, const std::string& who);
  std::optional<planar::PlaneCurve> curve(const Element& element, int body, bool closed, const std::string& who);
  std::optional<planar::PlaneCurve> arc(const Element& element, const BodyData& body, const std::string& who);
  std::optional<planar::PlaneCurve> from_lift(const Element& element, const BodyData& body, const std::string& who);
  std::optional<double> plain(const Element& element, std::string_view key, double otherwise, const std::string& who);
  std::optional<std::vector<Vec2<double>>> places(const Entry& entry, const std::string& who);
  std::optional<Vec2<double>> own_place(const Entry& entry, const BodyData& body, const std::string& who);
  bool follower(const Element& element, Contact& out, const std::string& who);
  bool roller(const Element& element, Contact& out, const std::string& who);
  bool face(const Element& element, Contact& out, const std::string& who);

  void watch_ends(const Element& element, const Contact& contact);

  /// "(0.1, 0.02)", a place of a curve in the axes that the user knows.
  [[nodiscard]] std::string named(const Contact& contact, double u) const;
  [[nodiscard]] Vec2<double> seen(const Contact& contact, const planar::Point<double>& point) const;
};

}  // namespace jounce
