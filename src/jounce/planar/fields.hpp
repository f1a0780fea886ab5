// The table of an element's fields: one list that the reader, the writer, the schema, `jounce types`, the reference pages
// and the binder all walk.
#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "jounce/base/vocabulary.hpp"
#include "jounce/planar/quantities.hpp"

namespace jounce::planar {

using jounce::FieldInfo;
using jounce::Form;

/// One member of an element's struct: its key in the file, and what it means.
template <class Member>
struct Field {
  std::string_view key;
  Member member;
  std::string_view doc;
};

/// A field that may be left out; the member then keeps the value its struct gives it.
template <class Member>
struct Optional {
  std::string_view key;
  Member member;
  std::string_view doc;
};

/// A member that is not written in the file but found from the drawing.
template <class Member>
struct Internal {
  Member member;
};

// clang 14 does not yet deduce the arguments of aggregates by itself
template <class Member>
Field(const char*, Member, const char*) -> Field<Member>;
template <class Member>
Optional(const char*, Member, const char*) -> Optional<Member>;
template <class Member>
Internal(Member) -> Internal<Member>;

template <class F>
inline constexpr bool is_internal = false;
template <class Member>
inline constexpr bool is_internal<Internal<Member>> = true;

template <class F>
inline constexpr bool is_optional = false;
template <class Member>
inline constexpr bool is_optional<Optional<Member>> = true;

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
