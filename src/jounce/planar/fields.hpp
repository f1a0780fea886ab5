// The keys of a planar element, from its table of fields (base/fields.hpp): how each kind of member is written in a file.
#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "jounce/base/fields.hpp"
#include "jounce/base/vocabulary.hpp"
#include "jounce/planar/quantities.hpp"

namespace jounce::planar {

using jounce::FieldInfo;
using jounce::Form;

using jounce::Field;
using jounce::Internal;
using jounce::is_internal;
using jounce::is_optional;
using jounce::Optional;

namespace detail {
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool required, std::string_view doc, const BodyRef&) {
  out.push_back({key, Form::body, required, doc});
}
template <class R>
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool required, std::string_view doc, const Point<R>&) {
  out.push_back({key, Form::point, required, doc});
}
template <class R>
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool required, std::string_view doc, const Line<R>&) {
  out.push_back({key, Form::line, required, doc});
}
template <class R>
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool required, std::string_view doc,
                        const Coordinate<R>&) {
  out.push_back({key, Form::coordinate, required, doc});
}
template <class R>
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool, std::string_view doc, const Drawn<R>&) {
  out.push_back({key, Form::number, false, doc});
}
template <class R>
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool, std::string_view doc, const Ratio<R>&) {
  out.push_back({key, Form::number, false, doc});
  out.push_back({"radii", Form::pair, false, "pitch radii (or tooth numbers) of i and j, instead of `ratio`"});
  out.push_back({"mesh", Form::mesh, false, "with `radii`: external (default) and crossed-belt turn opposite ways, internal and belt the same way"});
}
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool required, std::string_view doc, const Motion&) {
  out.push_back({key, Form::motion, required, doc});
}
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool required, std::string_view doc, const MotionPair&) {
  out.push_back({key, Form::vector, required, doc});
}
template <class R>
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool required, std::string_view doc, const Rest<R>&) {
  out.push_back({key, Form::number, required, doc});
}
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool required, std::string_view doc, const Curve&) {
  out.push_back({key, Form::table, required, doc});
}
template <class R>
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool required, std::string_view doc, const Triple<R>&) {
  out.push_back({key, Form::triple, required, doc});
}
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool required, std::string_view doc, const BearingFriction&) {
  out.push_back({key, Form::bearing_friction, required, doc});
}
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool required, std::string_view doc, const GuideFriction&) {
  out.push_back({key, Form::guide_friction, required, doc});
}
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool required, std::string_view doc, const Law&) {
  out.push_back({key, Form::law, required, doc});
}
constexpr void describe(std::vector<FieldInfo>& out, std::string_view key, bool required, std::string_view doc, double) {
  out.push_back({key, Form::number, required, doc});
}
}  // namespace detail

/// The keys of an element type, from its `fields`.
template <template <class> class E>
std::vector<FieldInfo> describe() {
  std::vector<FieldInfo> out;
  std::apply(
      [&](const auto&... field) {
        const E<double> blank{};
        const auto one = [&]<class F>(const F& f) {
          if constexpr (!is_internal<F>) detail::describe(out, f.key, !is_optional<F>, f.doc, blank.*(f.member));
        };
        (one(field), ...);
      },
      E<double>::fields);
  return out;
}

}  // namespace jounce::planar
