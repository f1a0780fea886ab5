// Oracle: identities that every residual obeys whatever its formula, checked by walking the registry.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "element_test.hpp"
#include "jounce/planar/catalogue.hpp"
#include "places.hpp"

namespace every_constraint_test {

using namespace jounce;
using namespace jounce::test;

namespace {

// Central differences with h = 1e-5 of residuals of size 10: h² times a third derivative of that size, and rounding / h.
constexpr double kDifference = 1e-7;
// The same with h = 1e-4, relative to the largest derivative up to the third above: h²/6 and rounding / h.
constexpr double kRate = 1e-8;

std::string snake(std::string_view type, bool joint_of_two) {
  std::string out(type);
  std::replace(out.begin(), out.end(), '-', '_');
  return joint_of_two ? out + "_joint" : out;
}

// "PinInSlot" out of "pin_in_slot"
std::string camel(const std::string& stem) {
  std::string out;
  bool up = true;
  for (const char c : stem)
    if (c == '_') up = true;
    else out += up ? static_cast<char>(std::toupper(c)) : c, up = false;
  return out;
}

template <template <class> class E>
std::string struct_name() {
  // the name inside the compiler's text of this function: "... E = jounce::planar::Revolute]"
  std::string text = __PRETTY_FUNCTION__;
  text = text.substr(text.rfind("E = ") + 4);
  text = text.substr(0, text.find_first_of("];<"));
  return text.substr(text.rfind(':') == std::string::npos ? 0 : text.rfind(':') + 1);
}

std::set<std::string> stems(const char* folder) {
  std::set<std::string> out;
  for (const auto& file : std::filesystem::directory_iterator(std::string(places::source() + "/src/jounce/planar/") + folder))
    if (file.path().extension() == ".hpp") out.insert(file.path().stem().string());
  return out;
}

}  // namespace

TEST_CASE("the Jacobian by dual numbers is the one by central differences") {
  // oracle: (Φ(q + h) − Φ(q − h)) / 2h
  Random random;
  p::for_each_type(p::Constraints{}, [&]<template <class> class E>(p::Type<E>) {
    CAPTURE(E<double>::type);
    bool ever_different = false;
    for (int i = 0; i < kStates; ++i) {
      const auto element = varied<E<double>>(random);
      const auto motion = random_motion<1>(random);
      const Position q = position(motion);
      const auto exact = jacobian(element, q, motion.f[0]);
      REQUIRE(static_cast<int>(exact.size()) == p::equations<E>);
      for (std::size_t column = 0; column < 3 * kSlots; ++column) {
        constexpr double h = 1e-5;
        Position up = q, down = q;
        up[column / 3][column % 3] += h, down[column / 3][column % 3] -= h;
        const auto above = residual(element, up, motion.f[0]), below = residual(element, down, motion.f[0]);
        for (std::size_t row = 0; row < exact.size(); ++row) {
          const double difference = (above[row] - below[row]) / (2 * h);
          REQUIRE(std::abs(difference - exact[row][column]) <= kDifference);
          ever_different = ever_different || difference != exact[row][column];
        }
      }
    }
    // Two routes must differ in the last bits, or they are one route.
    CHECK(ever_different);
  });
}

TEST_CASE("a common rigid motion leaves the residual unchanged exactly where the type says so") {
  // oracle: r → R r + s, phi → phi + angle for all bodies; the numbers of an element are in body axes and do not change
  Random random;
  p::for_each_type(p::Constraints{}, [&]<template <class> class E>(p::Type<E>) {
    CAPTURE(E<double>::type);
    double worst = 0;
    for (int i = 0; i < kStates; ++i) {
      const auto element = E<double>::example();
      const auto motion = random_motion<1>(random);
      const Position q = position(motion);
      Position moved = q;
      const double angle = random.between(-4, 4), sx = random.between(-3, 3), sy = random.between(-3, 3);
      for (std::size_t b = 0; b < kSlots; ++b) {
        moved[b][0] = std::cos(angle) * q[b][0] - std::sin(angle) * q[b][1] + sx;
        moved[b][1] = std::sin(angle) * q[b][0] + std::cos(angle) * q[b][1] + sy;
        moved[b][2] += angle;
      }
      const auto before = residual(element, q, motion.f[0]), after = residual(element, moved, motion.f[0]);
      // A vector turns with the world: two rows that are one vector keep its length only.
      if (before.size() > 1 && struct_name<E>() != "Translational") {
        worst = std::max(worst, std::abs(std::hypot(before[0], before[1]) - std::hypot(after[0], after[1])));
        for (std::size_t row = 2; row < before.size(); ++row) worst = std::max(worst, std::abs(before[row] - after[row]));
      } else {
        for (std::size_t row = 0; row < before.size(); ++row) worst = std::max(worst, std::abs(before[row] - after[row]));
      }
    }
    if (E<double>::invariance == p::Invariance::rigid_motion) CHECK(worst <= kRoundOff * 100);
    else CHECK(worst > 0.1);
  });
}

TEST_CASE("each Taylor coefficient of a residual is the rate of change of the one before") {
  // oracle: k! c_k(t) = d/dt of (k−1)! c_{k−1}(t), by central differences along a polynomial motion
  constexpr int K = 6;
  constexpr double h = 1e-4;
  Random random;
  p::for_each_type(p::Constraints{}, [&]<template <class> class E>(p::Type<E>) {
    CAPTURE(E<double>::type);
    for (int i = 0; i < 20; ++i) {
      const auto element = varied<E<double>>(random);
      const auto motion = random_motion<K>(random);
      // the same motion, expanded around a time h away: an exact shift of the polynomial
      const auto around = [&](double dt) {
        const auto shifted = [&](const Series<K>& s) {
          Series<K> out = s;
          for (int j = 0; j < K; ++j)
            for (int k = K - 1; k >= j; --k) out[k] += dt * out[k + 1];
          return out;
        };
        RandomMotion<K> m = motion;
        for (auto& body : m.q)
          for (auto& x : body) x = shifted(x);
        m.f = shifted(m.f);
        return residual(element, m.q, m.f);
      };
      const auto here = around(0), after = around(h), before = around(-h);
      for (std::size_t row = 0; row < here.size(); ++row) {
        double scale = 1;
        for (int k = 0; k <= K; ++k) scale = std::max(scale, std::abs(here[row].derivative(k)));
        for (int k = 1; k <= K - 2; ++k) {
          const double rate = (after[row].derivative(k - 1) - before[row].derivative(k - 1)) / (2 * h);
          REQUIRE(std::abs(rate - here[row].derivative(k)) <= kRate * scale);
        }
      }
    }
  });
}

TEST_CASE("every file of the joints and drivers is in the registry once, under its own name") {
  // oracle: the folders; one stem for file, type name and struct (guide, section b)
  const auto check = [](auto list, const char* folder, const std::set<std::string>& other_types) {
    std::set<std::string> registered;
    p::for_each_type(list, [&]<template <class> class E>(p::Type<E>) {
      const std::string type(E<double>::type);
      CAPTURE(type);
      const bool driver = std::string(folder) == "drivers";
      const std::string stem = driver ? snake(type, false) + "_driver" : snake(type, type == "coordinate" && other_types.contains(type));
      CHECK(registered.insert(stem).second);
      CHECK(struct_name<E>() == camel(stem));
    });
    CHECK(registered == stems(folder));
  };
  std::set<std::string> joints, drivers;
  p::for_each_type(p::Joints{}, [&]<template <class> class E>(p::Type<E>) { joints.insert(std::string(E<double>::type)); });
  p::for_each_type(p::Drivers{}, [&]<template <class> class E>(p::Type<E>) { drivers.insert(std::string(E<double>::type)); });
  check(p::Joints{}, "joints", drivers);
  check(p::Drivers{}, "drivers", joints);
  CHECK(p::types(p::Group::joint).size() == p::Joints::size + 4);  // and what users write themselves, and what touches curves
  CHECK(p::types(p::Group::driver).size() == p::Drivers::size);
}

TEST_CASE("a row divided by its scale changes by about one per metre or radian") {
  // oracle: the norm of the scaled gradient, at states on the manifold's own scale: lengths of half a metre, links not collapsed
  Random random;
  p::for_each_type(p::Constraints{}, [&]<template <class> class E>(p::Type<E>) {
    CAPTURE(E<double>::type);
    const auto element = E<double>::example();
    std::vector<double> steepest(static_cast<std::size_t>(p::equations<E>), 0.0);
    for (int i = 0; i < kStates; ++i) {
      const auto motion = random_motion<1>(random);
      const Position q = position(motion);
      const std::array<double, 1> f{1.0};
      const auto scales = element.scale(p::World<double>{{}, f});
      const auto rows = jacobian(element, q, 1.0);
      REQUIRE(scales.size() == rows.size());
      for (std::size_t row = 0; row < rows.size(); ++row) {
        REQUIRE(scales[row].divisor > 0);
        double sum = 0;
        for (const double x : rows[row]) sum += x * x / (scales[row].divisor * scales[row].divisor);
        steepest[row] = std::max(steepest[row], std::sqrt(sum));
      }
    }
    for (const double s : steepest) {
      CHECK(s > 0.3);
      CHECK(s < 30);  // arms of up to 4 m between bodies that are drawn apart, and distances violated by as much
    }
  });
}

}  // namespace every_constraint_test
