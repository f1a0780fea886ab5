// The force types of space: their list, and what every type must do.
#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>

#include "jounce/tree/catalogue.hpp"
#include "jounce/tree/force_registry.hpp"
#include "places.hpp"

namespace forces_test {

using namespace jounce;
using namespace jounce::tree;

namespace {

constexpr double kRounding = 1e-13;

// Two bodies that move past each other: places that a force may ask for, and the sums of what it does.
struct Bench {
  using Scalar = double;

  double t = 0.3, direction = jounce::laws::kSignOfRate;
  Vec3<double> shift{};  // of everything, to see that nothing depends on where the ground's origin is
  std::array<Wrench<double>, 3> sum{};
  double potential = 0, power = 0, kept = 0;
  ForceReading<double> reading{};
  std::span<const double> quantities{};

  [[nodiscard]] jounce::tree::Place<double> place(const BodyPoint& at) const {
    const Mat3<double> axes = at.body == 0 ? identity3() : from_rpy({0.4, -0.3, 0.2 * at.body});
    const Vec3<double> origin = at.body == 0 ? Vec3<double>{} : Vec3<double>{1.0 * at.body, 0.5, -0.2};
    const Vec3<double> velocity = at.body == 0 ? Vec3<double>{} : Vec3<double>{0.3, 0.2 * at.body, -0.1};
    const Vec3<double> spin = at.body == 0 ? Vec3<double>{} : Vec3<double>{0.2, -0.3 * at.body, 0.5}, arm = axes * at.p;
    return {at.body, shift + origin + arm, velocity + cross(spin, arm), axes, spin};
  }
  [[nodiscard]] jounce::tree::Place<double> place(const BodyRef& at) const { return place(BodyPoint{at.body, {}}); }
  void push(const jounce::tree::Place<double>& at, const Wrench<double>& load) {
    Wrench<double>& on = sum[static_cast<std::size_t>(at.body)];
    on.force += load.force;
    on.moment += load.moment + cross(at.position, load.force);
    power += dot(load.force, at.velocity) + dot(load.moment, at.spin);
  }
  void pull(const jounce::tree::Place<double>& i, const jounce::tree::Place<double>& j, const Vec3<double>& d, double length, double tension) {
    push(i, {{}, d * (tension / length)});
    push(j, {{}, -(d * (tension / length))});
  }
  void keep(double energy, double growth) { potential += energy, kept += growth; }
  template <std::size_t N>
  void show(const double (&numbers)[N]) {
    std::ranges::copy(numbers, reading.begin());
  }
};

template <class Visit>
void each_example(const Visit& visit) {
  for (const ForceType& type : force_types())
    std::visit([&](const auto& blank) { visit(std::decay_t<decltype(blank)>::example()); }, type.blank);
}

}  // namespace

TEST_CASE("every file of tree/forces is registered, and the catalogue lists what is") {
  // oracle: the folder
  std::set<std::string> files, registered;
  for (const auto& file : std::filesystem::directory_iterator(places::source() + "/src/jounce/tree/forces"))
    files.insert(file.path().stem().string());
  for (const ForceType& type : force_types()) {
    std::string stem(type.type);
    std::ranges::replace(stem, '-', '_');
    CHECK(registered.insert(stem).second);
    const TypeInfo* info = find_type(Group::force, type.type);
    REQUIRE(info != nullptr);
    CHECK(info->summary == type.summary);
    CHECK(info->fields.size() == type.fields.size());
    CHECK(find_force_type(type.type) == &type);
    CHECK(type_of(type.blank) == type.type);
  }
  CHECK(files == registered);
  CHECK(find_force_type("thrust") == nullptr);
}

TEST_CASE("a force of space acts, and shows one number for each of its columns") {
  // oracle: every example has a value other than 0 in every column, and none of them is what was there before
  each_example([]<class F>(const F& force) {
    CAPTURE(F::type);
    Bench bench;
    bench.reading.fill(-77);
    CHECK_FALSE(force.act(bench).has_value());
    const auto numbers = shown(force, bench.t, bench.place(BodyPoint{carrier(force), {}}).axes, bench.quantities, bench.reading);
    CHECK(numbers.size() == F::columns.size());
    for (const double x : numbers) CHECK((x != 0 && x != -77));
    for (const columns::Ending& ending : F::columns) CHECK(ending.group == "force");
  });
}

TEST_CASE("what a force of space acts with is what it gives, in ground axes about its point") {
  // oracle: the sum of forces on the body; every given load of these has all components
  each_example([]<class F>(const F& force) {
    CAPTURE(F::type);
    Bench bench;
    REQUIRE_FALSE(force.act(bench).has_value());
    Wrench<double> load;
    const int on = carrier(force);
    if (!given(force, bench.t, bench.place(BodyPoint{on, {}}).axes, bench.quantities, load)) return;
    CHECK(length(bench.sum[static_cast<std::size_t>(on)].force - load.force) <= kRounding);
  });
}

TEST_CASE("a force between two bodies leaves their momentum alone") {
  // oracle: Newton's third law: forces add up to zero, and their moments about any point
  forces::Spring spring = forces::Spring::example();
  spring.i.body = 2, spring.friction = 0.5, spring.friction_speed = 0.01;
  spring.settle();
  Bench bench;
  bench.shift = {3, -2, 5};
  REQUIRE_FALSE(spring.act(bench).has_value());
  CHECK(jounce::tree::is_internal(spring));
  CHECK_FALSE(is_conservative(spring));
  CHECK(length(bench.sum[1].force) > 1);
  CHECK(length(bench.sum[1].force + bench.sum[2].force) <= kRounding);
  CHECK(length(bench.sum[1].moment + bench.sum[2].moment) <= 10 * kRounding * length(bench.sum[1].moment));
  // its power is tension times rate, taken from what it stores and what it loses
  CHECK(std::abs(bench.power + bench.reading[1] * bench.reading[2]) <= kRounding * std::abs(bench.power));
}

TEST_CASE("motors and bushings between two bodies leave their momentum alone, moments and all") {
  // oracle: Newton's third law about any point; the power of a motor is that of its column; what a bushing keeps grows by what it does not lose
  const auto balanced = [](auto force, Bench& bench) {
    force.i.body = 2;
    bench.shift = {3, -2, 5};
    REQUIRE_FALSE(force.act(bench).has_value());
    CHECK(jounce::tree::is_internal(force));
    CHECK(length(bench.sum[1].moment) > 1);
    CHECK(length(bench.sum[1].force + bench.sum[2].force) <= kRounding * (1 + length(bench.sum[1].force)));
    CHECK(length(bench.sum[1].moment + bench.sum[2].moment) <= 10 * kRounding * length(bench.sum[1].moment));
  };
  Bench driven, held, kept;
  balanced(forces::Motor::example(), driven);
  CHECK(std::abs(driven.power - driven.reading[2]) <= kRounding * std::abs(driven.power));
  CHECK(std::abs(driven.reading[1] - 60 * (1 - 2 * driven.reading[0] / 25)) <= 100 * kRounding);
  forces::Bushing bushing = forces::Bushing::example();
  CHECK_FALSE(is_conservative(bushing));
  balanced(bushing, held);
  bushing.damping = {};
  CHECK(is_conservative(bushing));
  balanced(bushing, kept);
  CHECK(std::abs(kept.power + kept.kept) <= 10 * kRounding * std::abs(kept.power));
  CHECK(held.power + held.kept < -1e-3);
  CHECK(held.potential == kept.potential);
}

TEST_CASE("a spring of space: what it stores it gives back, and its line of action must not be lost") {
  // oracle: the law by hand: f = k (l − l0) + c l' + F sign(l') + l v + t
  forces::Spring spring = forces::Spring::example();
  CHECK_FALSE(is_conservative(spring));
  spring.damping = 0, spring.settle();
  CHECK(is_conservative(spring));
  spring.damping = 2, spring.friction = 0.7, spring.friction_speed = 0;
  spring.actuator = laws::StateExpression{*Expression::parse("l*v + t", {{}, {"l", "v", "t"}})};
  spring.settle();
  CHECK(strut_of(spring)->friction > 0);
  Bench bench;
  REQUIRE_FALSE(spring.act(bench).has_value());
  const double l = bench.reading[0], v = bench.reading[1];
  CHECK(std::abs(bench.reading[2] - (30 * (l - 0.25) + 2 * v + 0.7 * (v > 0 ? 1 : -1) + l * v + bench.t)) <= 100 * kRounding);
  CHECK(std::abs(bench.potential - 15 * (l - 0.25) * (l - 0.25)) <= 100 * kRounding);
  CHECK(std::abs(bench.kept - 30 * (l - 0.25) * v) <= 100 * kRounding);

  spring.i = spring.j;
  const Trouble lost = spring.act(bench);
  REQUIRE(lost.has_value());
  CHECK(*lost == "its length has become zero: a spring needs a line of action");
}

}  // namespace forces_test
