// Force: a force at a point of a body, its components functions of time and of the state, in ground axes or in those of the body.
//
//   f = (fx(t), fy(t), fz(t)), or A (fx(t), fy(t), fz(t)) with the axes A of the body
#pragma once

#include "jounce/tree/force.hpp"

namespace jounce::tree::forces {

struct Force {
  static constexpr std::string_view type = "force", summary = "a force on a point of a body";
  static constexpr auto columns = jounce::columns::kLoad;

  BodyPoint on;
  Components<3> value;
  Axes frame = Axes::ground;

  static constexpr std::tuple fields{
      Field{"on", &Force::on, "the point it acts on"}, Field{"value", &Force::value, "its components"},
      Optional{"frame", &Force::frame, "the axes of the components: \"ground\" (default) or \"body\""}};

  /// In ground axes, on a body with these axes.
  template <class T>
  Trouble given(double t, const Mat3<T>& axes, Quantities<T> quantities, tree::Wrench<T>& out) const {
    return at_time(value, 0, frame, axes, t, quantities, out.force);
  }
  static std::array<double, 3> shown(const tree::Wrench<double>& load) { return {load.force.x, load.force.y, load.force.z}; }

  template <class Stage>
  Trouble act(Stage& stage) const {
    const auto place = stage.place(on);
    tree::Wrench<typename Stage::Scalar> load;
    if (auto trouble = given(stage.t, place.axes, stage.quantities, load)) return trouble;
    stage.push(place, load);
    return std::nullopt;
  }

  void sketch(auto& s) const { s.force(on, frame); }

  static Force example() { return {{1, {0.3, 0.1, -0.2}}, {TimeFunction(2), TimeFunction(-1), TimeFunction(3)}, Axes::body}; }
};

}  // namespace jounce::tree::forces
