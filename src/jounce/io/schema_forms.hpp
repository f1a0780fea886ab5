// The names under which the schema defines how values are written.
#pragma once

#include <array>
#include <string_view>

#include "jounce/base/vocabulary.hpp"

namespace jounce {

inline constexpr std::array kForms{
    Form::point,     Form::line,    Form::body,   Form::coordinate,         Form::number,          Form::pair,
    Form::vector,    Form::motion,  Form::law,    Form::mesh,               Form::frame,           Form::own_point,
    Form::triple,    Form::numbers, Form::wrench, Form::own_point_in_space, Form::vector_in_space, Form::function,
    Form::placement, Form::dof,     Form::dofs,   Form::screws,             Form::start_momentum,  Form::dof_names,
    Form::turn_order, Form::turns,  Form::pose,   Form::table,              Form::six,             Form::equation,
    Form::bearing_friction, Form::guide_friction, Form::places, Form::yes_no, Form::side, Form::lift, Form::text};

[[nodiscard]] constexpr std::string_view form_name(Form form) {
  switch (form) {
    case Form::point: return "point";
    case Form::line: return "line";
    case Form::body: return "body";
    case Form::coordinate: return "coordinate";
    case Form::number: return "number";
    case Form::pair: return "pair";
    case Form::vector: return "vector";
    case Form::motion: return "motion";
    case Form::table: return "table";
    case Form::law: return "law";
    case Form::equation: return "equation";
    case Form::mesh: return "mesh";
    case Form::frame: return "frame";
    case Form::bearing_friction: return "bearing-friction";
    case Form::guide_friction: return "guide-friction";
    case Form::own_point: return "own-point";
    case Form::places: return "places";
    case Form::lift: return "lift";
    case Form::yes_no: return "yes-no";
    case Form::side: return "side";
    case Form::own_point_in_space: return "own-point-in-space";
    case Form::triple: return "triple";
    case Form::numbers: return "numbers";
    case Form::six: return "six";
    case Form::function: return "function";
    case Form::vector_in_space: return "vector-in-space";
    case Form::wrench: return "wrench";
    case Form::placement: return "placement";
    case Form::dof: return "dof";
    case Form::dofs: return "dofs";
    case Form::screws: return "screws";
    case Form::dof_names: return "dof-names";
    case Form::turn_order: return "turn-order";
    case Form::turns: return "turns";
    case Form::pose: return "pose";
    case Form::text: return "text";
    case Form::start_momentum: break;
  }
  return "start-momentum";
}

}  // namespace jounce
