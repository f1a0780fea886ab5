// Bushing: a block of rubber between a frame of one body and a frame of another: springs and dampers along three axes and about them.
//
//      i ══[▒(P)▒]══ j           axes: those of the point of i
//
//   d = R_iᵀ (p_WPj − p_WPi),   force on j, in the axes of i   f = −K d − C d'
//   θ the rotation vector of R_iᵀ R_j, U = ½ θ·Kθ, moment on j  −J_r(θ)⁻ᵀ K θ in the axes of j, and −C ω in those of i, ω of j against i
//
// The force acts at the point of j, on both bodies, so that it makes no moment of its own. The springs about the axes wind the shorter way: at half
// a turn the moment changes its sign (tree/rotation_spring.hpp), so a bushing is for less than that.
#pragma once

#include <algorithm>

#include "jounce/laws/spring.hpp"
#include "jounce/tree/force.hpp"
#include "jounce/tree/rotation_spring.hpp"

namespace jounce::tree::forces {

struct Bushing {
  static constexpr std::string_view type = "bushing", summary = laws::words::kBushing;
  static constexpr auto columns = jounce::columns::kLoadAndMoment;

  BodyFrame i, j;
  Six stiffness{}, damping{};

  static constexpr std::tuple fields{
      Field{"i", &Bushing::i, "the point it sits in; it lies along the axes of this point"},
      Field{"j", &Bushing::j, "the point that it holds there, with its axes along those of i"},
      Field{"stiffness", &Bushing::stiffness, "along the axes of i, then about them, each >= 0"},
      Optional{"damping", &Bushing::damping, "likewise, each >= 0, default 0"}};

  template <class Stage>
  Trouble act(Stage& stage) const {
    using T = typename Stage::Scalar;
    const auto to = stage.place(j.point());
    auto from = stage.place(i.point());
    const Mat3<T> axes = from.axes * i.frame.axes, turned = to.axes * j.frame.axes;
    const Vec3<T> d = to.position - from.position;
    from.position = to.position, from.velocity += cross(from.spin, d);  // where it pushes on i
    const Vec3<T> stretch = in_axes(axes, d), rate = in_axes(axes, to.velocity - from.velocity), spin = in_axes(axes, to.spin - from.spin);
    const auto spring = rotation_spring<T>(shorter_turn<T>(transpose(axes) * turned), about(stiffness));
    const Vec3<T> pull = times(along(stiffness), stretch);
    const Vec3<T> force = axes * (-pull - times(along(damping), rate)), wound = turned * spring.torque;
    const Vec3<T> moment = wound - axes * times(about(damping), spin);
    stage.push(to, {moment, force});
    stage.push(from, {-moment, -force});
    stage.keep(0.5 * dot(stretch, pull) + spring.energy, dot(pull, rate) - dot(wound, to.spin - from.spin));
    stage.show({force.x, force.y, force.z, moment.x, moment.y, moment.z});
    return std::nullopt;
  }

  void refuse(Refusals& because) const {
    because.same_body_of_ends(i, j);
    const auto below = [](double x) { return x < 0; };
    because.when(std::ranges::any_of(stiffness, below), "stiffness", laws::kNoneNegative);
    because.when(std::ranges::any_of(damping, below), "damping", laws::kNoneNegative);
  }

  [[nodiscard]] bool is_conservative() const { return damping == Six{}; }
  [[nodiscard]] bool is_internal() const { return i.body != 0 && j.body != 0; }

  void sketch(auto& s) const { s.spring(i.point(), j.point(), stiffness[0], 0.0, damping[0]); }

  static Bushing example() {
    return {.i = {0, {identity3(), {0.3, 0.1, 0.2}}},
            .j = {1, {identity3(), {-0.2, 0.4, 0.1}}},
            .stiffness = {30, 50, 20, 4, 3, 2},
            .damping = {2, 1, 3, 0.3, 0.2, 0.1}};
  }

 private:
  static Vec3<double> along(const Six& of) { return {of[0], of[1], of[2]}; }
  static Vec3<double> about(const Six& of) { return {of[3], of[4], of[5]}; }
  template <class T>
  static Vec3<T> times(const Vec3<double>& k, const Vec3<T>& x) {
    return {x.x * k.x, x.y * k.y, x.z * k.z};
  }
};

}  // namespace jounce::tree::forces
