#include "jounce/results/column_name.hpp"

#include <charconv>

#include "jounce/base/column_endings.hpp"

namespace jounce {
namespace {

using columns::Ending;

template <std::size_t N>
const Ending* find_in(const std::array<Ending, N>& endings, std::string_view text) {
  for (const Ending& ending : endings)
    if (ending.text == text) return &ending;
  return nullptr;
}

// The first that has it.
template <class... Arrays>
const Ending* find(std::string_view text, const Arrays&... all) {
  const Ending* found = nullptr;
  ((found = found != nullptr ? found : find_in(all, text)), ...);
  return found;
}

const Ending* of_the_mechanism(std::string_view name) {
  using namespace columns;
  return find(name, kTime, kEnergy, kAudit, kPlaneMomentum, kMomentum, kPlaneCentre, kCentre, kConstraintError);
}

const Ending* of_an_element(std::string_view ending) {
  using namespace columns;
  for (const auto& order : kPlaneMotion)
    if (const Ending* found = find_in(order, ending)) return found;
  return find(ending, kPlace, kQuaternion, kVelocity, kSpin, kAcceleration, kTurn, kJerk, kTurnJerk, kSnap, kTurnSnap, kPlaneReaction, kForce, kMoment, kTension, kExtension,
              kDrive, kContact, kPressureAngle, kContactForce);
}

// "tau12" is "tau" and 12; false where no number from 1 on follows.
bool numbered(std::string_view ending, std::string_view stem) {
  if (!ending.starts_with(stem)) return false;
  ending.remove_prefix(stem.size());
  int number = 0;
  const auto [end, fault] = std::from_chars(ending.data(), ending.data() + ending.size(), number);
  return fault == std::errc{} && end == ending.data() + ending.size() && number >= 1;
}

std::string_view group_of_number(std::string_view ending) {
  for (const columns::Stem& stem : {columns::kCoordinate, columns::kRate, columns::kRateOfRate, columns::kJointJerk, columns::kJointSnap, columns::kEffort})
    if (numbered(ending, stem.text)) return stem.group;
  if (ending.ends_with(columns::kOfMultiplierRate)) ending.remove_suffix(columns::kOfMultiplierRate.size());
  return numbered(ending, columns::kMultiplier.text) ? columns::kMultiplier.group : std::string_view();
}

}  // namespace

Column column_of_name(std::string_view name) {
  Column out{std::string(name), "", "", ""};
  if (const Ending* found = of_the_mechanism(name)) {
    out.unit = found->unit, out.group = found->group;
    return out;
  }
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return out;
  const std::string_view ending = name.substr(dot + 1);
  if (const Ending* found = of_an_element(ending)) out.unit = found->unit, out.group = found->group;
  else if (ending == columns::kTurningEffort[0].text) out.group = columns::kTurningEffort[0].group;
  else if (ending == columns::kTurningFriction[0].text) out.group = columns::kTurningFriction[0].group;
  else if (ending == columns::kTurningStop[0].text) out.group = columns::kTurningStop[0].group;
  else out.group = group_of_number(ending);
  if (!out.group.empty()) out.owner = name.substr(0, dot);
  return out;
}

}  // namespace jounce
