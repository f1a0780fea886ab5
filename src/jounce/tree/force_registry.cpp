#include "jounce/tree/force_registry.hpp"

namespace jounce::tree {
namespace {

template <class F>
ForceType as_value() {
  ForceType out{F::type, F::summary, {}, F{}};
  each_field(F{}, [&]<class Entry>(const Entry& field, const auto& member) {
    out.fields.push_back({field.key, form_of(member), !is_optional<Entry>, field.doc});
  });
  return out;
}

template <class... F>
std::vector<ForceType> as_values(const std::variant<F...>*) {
  return {as_value<F>()...};
}

template <class F>
constexpr bool is_given = requires(const F& force, Wrench<double>& out) { force.given(0.0, Mat3<double>{}, {}, out); };

}  // namespace

std::span<const ForceType> force_types() {
  static const std::vector<ForceType> types = as_values(static_cast<const AnyForce*>(nullptr));
  return types;
}

const ForceType* find_force_type(std::string_view type) {
  const auto types = force_types();
  const auto it = std::ranges::find(types, type, &ForceType::type);
  return it == types.end() ? nullptr : &*it;
}

std::string_view type_of(const AnyForce& force) {
  return std::visit([](const auto& f) { return std::decay_t<decltype(f)>::type; }, force);
}

bool is_conservative(const AnyForce& force) {
  return std::visit(
      [](const auto& f) {
        if constexpr (requires { f.is_conservative(); }) return f.is_conservative();
        else return false;
      },
      force);
}

bool is_internal(const AnyForce& force) {
  return std::visit(
      [](const auto& f) {
        if constexpr (requires { f.is_internal(); }) return f.is_internal();
        else return false;
      },
      force);
}

std::optional<Strut> strut_of(const AnyForce& force) {
  return std::visit(
      [](const auto& f) -> std::optional<Strut> {
        if constexpr (requires { f.needs_a_line(); }) return Strut{f.i, f.j, f.dry_friction(), f.needs_a_line()};
        else return std::nullopt;
      },
      force);
}

std::vector<int> bodies(const AnyForce& force) {
  std::vector<int> out;
  const auto take = [&](const auto&, const auto& member) {
    if constexpr (requires { member.body; }) out.push_back(member.body);
  };
  std::visit([&](const auto& f) { each_field(f, take); }, force);
  return out;
}

int carrier(const AnyForce& force) {
  int out = 0;
  const auto take = [&](const auto&, const auto& member) {
    if constexpr (requires { member.body; }) out = member.body;
  };
  std::visit([&](const auto& f) { each_field(f, take); }, force);
  return out;
}

bool given(const AnyForce& force, double t, const Mat3<double>& axes, std::span<const double> quantities, Wrench<double>& out) {
  return std::visit(
      [&]<class F>(const F& f) {
        if constexpr (is_given<F>) return !f.given(t, axes, quantities, out);
        else return false;
      },
      force);
}

}  // namespace jounce::tree
