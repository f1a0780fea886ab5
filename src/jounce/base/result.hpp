// Result<T>: a value, or the problems that prevented it; warnings may accompany a value.
//
// The library throws nothing across its boundary. A failed step passes its problems on, so a chain of calls is looked at once:
//
//   const auto model = read("crank.toml");
//   if (!model) return print(model.problems());
#pragma once

#include <optional>
#include <utility>

#include "jounce/base/problem.hpp"
#include "jounce/base/require.hpp"

namespace jounce {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value, Problems warnings = {}) : value_(std::move(value)), problems_(std::move(warnings)) {}
  Result(Problem problem) : problems_{std::move(problem)} {}
  Result(Problems problems) : problems_(std::move(problems)) {
    JOUNCE_REQUIRE(any_error(problems_), "a Result without a value carries at least one error");
  }

  [[nodiscard]] bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] const T& value() const& { return checked(), *value_; }
  [[nodiscard]] T& value() & { return checked(), *value_; }
  [[nodiscard]] T&& value() && { return checked(), *std::move(value_); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  /// Errors when there is no value, warnings when there is one.
  [[nodiscard]] const Problems& problems() const { return problems_; }
  [[nodiscard]] Problems& problems() { return problems_; }

 private:
  void checked() const { JOUNCE_REQUIRE(value_.has_value(), "the value of a failed Result was asked for"); }

  std::optional<T> value_;
  Problems problems_;
};

}  // namespace jounce
