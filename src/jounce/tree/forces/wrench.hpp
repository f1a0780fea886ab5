// Wrench: a moment and a force on a body, six functions of time and of the state [m; f].
//
// In ground axes they are taken about the ground's origin, in the axes of the body about the body's origin.
#pragma once

#include "jounce/tree/force.hpp"

namespace jounce::tree::forces {

struct Wrench {
  static constexpr std::string_view type = "wrench", summary = "a moment and a force on a body";
  static constexpr auto columns = jounce::columns::kLoadAndMoment;

  BodyRef on;
  Components<6> value;
  Axes frame = Axes::ground;

  static constexpr std::tuple fields{
      Field{"on", &Wrench::on, "the body it acts on"}, Field{"value", &Wrench::value, "the moment and the force"},
      Optional{"frame", &Wrench::frame,
               "\"ground\" (default): about the ground's origin, in ground axes; \"body\": about the body's origin, in body axes"}};

  /// In ground axes, on a body with these axes.
  template <class T>
  Trouble given(double t, const Mat3<T>& axes, Quantities<T> quantities, tree::Wrench<T>& out) const {
    if (auto trouble = at_time(value, 0, frame, axes, t, quantities, out.moment)) return trouble;
    return at_time(value, 3, frame, axes, t, quantities, out.force);
  }
  static std::array<double, 6> shown(const tree::Wrench<double>& load) {
    return {load.force.x, load.force.y, load.force.z, load.moment.x, load.moment.y, load.moment.z};
  }

  template <class Stage>
  Trouble act(Stage& stage) const {
    auto place = stage.place(on);
    tree::Wrench<typename Stage::Scalar> load;
    if (auto trouble = given(stage.t, place.axes, stage.quantities, load)) return trouble;
    if (frame == Axes::ground) place.position = {};
    stage.push(place, load);
    return std::nullopt;
  }

  void sketch(auto& s) const { s.wrench(on, frame); }

  static Wrench example() {
    return {{1},
            {TimeFunction(2), TimeFunction(-1), TimeFunction(3), TimeFunction(0.5), TimeFunction(4), TimeFunction(-2)},
            Axes::body};
  }
};

}  // namespace jounce::tree::forces
