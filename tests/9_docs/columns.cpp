// The columns that docs/guide/results.md lists are those that there are.
#include "jounce/base/column_endings.hpp"

#include <regex>

#include "pages.hpp"

using namespace jounce;
using namespace jounce::test;

TEST_CASE("the guide names every column of results, and its unit") {
  // oracle: the tables from which the columns are made. A name stands in the guide as `NAME.vx`, as ` .vx` in a row of others, or whole.
  const std::string guide = read_text(root() / "docs" / "guide" / "results.md");
  const auto check = [&](const auto& endings) {
    for (const columns::Ending& ending : endings) {
      const std::string last(ending.text.substr(ending.text.rfind('.') + 1));  // npos + 1 is 0: the whole of it
      CHECK_MESSAGE(std::regex_search(guide, std::regex("[`. ]" + last + "[` ]")), ending.text << " is not in docs/guide/results.md");
      CHECK_MESSAGE(guide.find(ending.unit) != guide.npos, "the unit of " << ending.text << " is not in docs/guide/results.md");
    }
  };
  using namespace columns;
  for (const auto& order : kPlaneMotion) check(order);
  check(kTime), check(kPlace), check(kQuaternion), check(kVelocity), check(kSpin), check(kAcceleration), check(kTurn);
  check(kPlaneReaction), check(kForceSize), check(kTension), check(kForce), check(kMoment), check(kTurningEffort), check(kSlidingEffort), check(kContact), check(kPressureAngle), check(kContactForce);
  check(kExtension), check(kRotation), check(kPlaneLoad), check(kPlaneMoment), check(kLoad), check(kLoadMoment);
  check(kEnergy), check(kPlaneMomentum), check(kMomentum), check(kPlaneCentre), check(kCentre), check(kConstraintError);
  for (const Stem& stem : {kCoordinate, kRate, kRateOfRate, kEffort, kMultiplier})
    CHECK_MESSAGE(guide.find("`NAME." + std::string(stem.text) + "1` …") != guide.npos, stem.text << " is not in docs/guide/results.md");
  CHECK(guide.find("`NAME." + std::string(kMultiplier.text) + "1" + std::string(kOfMultiplierRate) + "` …") != guide.npos);
}
