// The table of an element's fields: one list that the reader, the writer, the schema, `jounce types`, the reference pages
// and the binder all walk. The plane and space fill it with members of their own kinds.
#pragma once

#include <string_view>

namespace jounce {

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

}  // namespace jounce
