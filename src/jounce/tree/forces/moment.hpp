// Moment: a moment on a body, its components functions of time and of the state, in ground axes or in those of the body.
//
//   m = (mx(t), my(t), mz(t)), or A (mx(t), my(t), mz(t)) with the axes A of the body
#pragma once

#include "jounce/tree/force.hpp"

namespace jounce::tree::forces {

struct Moment {
  static constexpr std::string_view type = "moment", summary = "a moment on a body";
  static constexpr auto columns = jounce::columns::kLoadMoment;

  BodyRef on;
  Components<3> value;
  Axes frame = Axes::ground;

  static constexpr std::tuple fields{
      Field{"on", &Moment::on, "the body it acts on"}, Field{"value", &Moment::value, "its components"},
      Optional{"frame", &Moment::frame, "the axes of the components: \"ground\" (default) or \"body\""}};

  /// In ground axes, on a body with these axes.
  template <class T>
  Trouble given(double t, const Mat3<T>& axes, Quantities<T> quantities, tree::Wrench<T>& out) const {
    return at_time(value, 0, frame, axes, t, quantities, out.moment);
  }
  static std::array<double, 3> shown(const tree::Wrench<double>& load) { return {load.moment.x, load.moment.y, load.moment.z}; }

  template <class Stage>
  Trouble act(Stage& stage) const {
    const auto place = stage.place(on);
    tree::Wrench<typename Stage::Scalar> load;
    if (auto trouble = given(stage.t, place.axes, stage.quantities, load)) return trouble;
    stage.push(place, load);
    return std::nullopt;
  }

  void sketch(auto& s) const { s.moment(on, frame); }

  static Moment example() { return {{1}, {TimeFunction(2), TimeFunction(-1), TimeFunction(3)}, Axes::body}; }
};

}  // namespace jounce::tree::forces
