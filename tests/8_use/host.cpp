// What a host sees that includes <jounce/jounce.hpp> alone and must live on after a bug of ours.
#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include <jounce/jounce.hpp>

#include "places.hpp"

namespace {

// As a module of an interpreter has it.
void throw_it(const jounce::BrokenInvariant& broken) { throw std::logic_error(broken.meaning); }

}  // namespace

TEST_CASE("a run that a broken invariant ends leaves the mechanism as it was") {
  // oracle: the bits of a run before; the invariant is broken in the middle of the run, by asking a failed Result for its value
  for (const char* name : {"four-bar", "double-pendulum", "space-double-pendulum", "space-four-bar"}) {
    CAPTURE(name);
    const auto mechanism = jounce::Mechanism::load(places::source() + "/models/" + name + "/model.toml");
    REQUIRE(mechanism.ok());
    jounce::Options options{.to = 0.1, .steps = 10};
    const jounce::Run before = jounce::dynamics(*mechanism, options);
    REQUIRE(before.results.rows() == 11);

    const auto handler = jounce::set_broken_invariant_handler(throw_it);
    const jounce::Result<double> failed = jounce::error({}, "no");
    options.progress = [&](double t) { (void)(t > 0.04 ? failed.value() : 0.0); };
    CHECK_THROWS_WITH_AS((void)jounce::dynamics(*mechanism, options), "the value of a failed Result was asked for", std::logic_error);
    CHECK((jounce::set_broken_invariant_handler(handler) == throw_it));

    options.progress = {};
    const jounce::Run after = jounce::dynamics(*mechanism, options);
    REQUIRE(after.results.rows() == before.results.rows());
    for (std::size_t i = 0; i < before.results.rows(); ++i) {
      const auto row = before.results.row(i), again = after.results.row(i);
      CHECK(std::equal(row.begin(), row.end(), again.begin(), again.end()));
    }
  }
}
