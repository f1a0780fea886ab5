#include "jounce/planar/contact_types.hpp"

#include <algorithm>
#include <iterator>

namespace jounce::planar {
namespace {

// How a curve of body i is given; a cam is closed where nothing is said.
void add_curve(std::vector<FieldInfo>& out, bool cam) {
  out.push_back({"points", Form::places, false,
                 cam ? "the profile goes smoothly through these, in axes of i; this, `radius` or `lift` is required"
                     : "the curve goes smoothly through these, in axes of i; this or `radius` is required"});
  out.push_back(
      {"closed", Form::yes_no, false, cam ? "whether it goes round; default true" : "whether it goes round; default false"});
  out.push_back({"centre", Form::own_point, false,
                 cam ? "with `radius` or `lift`: a point of i, or [x, y]; default its origin"
                     : "with `radius`: a point of i, or [x, y]; default its origin"});
  out.push_back({"radius", Form::number, false, "an arc or a circle instead of `points`"});
  out.push_back({"from", Form::number, false, "with `radius`: the angle at which it begins, in axes of i; default 0"});
  out.push_back({"to", Form::number, false, "with `radius`: the angle at which it ends; default a turn later, a circle"});
}

// The profile that gives a wanted lift.
void add_lift(std::vector<FieldInfo>& out, bool roller) {
  out.push_back({"lift", Form::lift, false,
                 "instead of `points`: the lift over the angle theta by which the cam has turned, the same after each turn"});
  out.push_back({"base_radius", Form::number, false, "with `lift`: of the cam where the lift is 0, > 0"});
  if (roller)
    out.push_back(
        {"offset", Form::number, false, "with `lift`: how far to its right the roller's way passes the centre; default 0"});
  out.push_back(
      {"angle", Form::number, false, "with `lift`: of the follower's way at theta = 0, in axes of i; default 90 degrees, up"});
}

void add_follower(std::vector<FieldInfo>& out) {
  out.push_back({"travel", Form::pair, false,
                 "the direction in which the follower slides, in axes of j: gives the column pressure_angle"});
  out.push_back({"pivot", Form::point, false, "the point of j about which it turns instead"});
}

}  // namespace

std::vector<TypeInfo> contact_types() {
  TypeInfo slot{
      Group::joint,
      PointOnCurve::type,
      PointOnCurve::summary,
      1,
      {{"i", Form::body, true, "the body that has the curve"}, {"pin", Form::point, true, "the pin's centre, on body j"}}};
  add_curve(slot.fields, false);
  add_follower(slot.fields);

  TypeInfo roller{Group::joint,
                  CamRoller::type,
                  CamRoller::summary,
                  1,
                  {{"i", Form::body, true, "the cam"},
                   {"roller", Form::point, true, "the centre of the roller, on body j"},
                   {"roller_radius", Form::number, true, "its radius, > 0"}}};
  add_curve(roller.fields, true);
  add_lift(roller.fields, true);
  roller.fields.push_back({"side", Form::side, false, "of a closed profile that the roller is on; default \"outside\""});
  add_follower(roller.fields);

  TypeInfo flat{Group::joint,
                CamFlat::type,
                CamFlat::summary,
                1,
                {{"i", Form::body, true, "the cam"}, {"face", Form::line, true, "two points of the face, on body j"}}};
  add_curve(flat.fields, true);
  add_lift(flat.fields, false);
  add_follower(flat.fields);
  return {std::move(slot), std::move(roller), std::move(flat)};
}

bool is_contact(std::string_view type) {
  return type == PointOnCurve::type || type == CamRoller::type || type == CamFlat::type;
}

}  // namespace jounce::planar
