#include "jounce/results/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "jounce/base/suggest.hpp"

namespace jounce {
namespace {

struct Word {
  std::string_view text;
  std::string_view si;  // what it is in SI units
  double value = 1;     // of one of it
};

constexpr double kInch = 0.0254, kFoot = 0.3048, kPound = 0.45359237, kPoundForce = 4.4482216152605;
constexpr double kDegree = std::numbers::pi / 180, kTurn = 2 * std::numbers::pi;

// The SI unit of each quantity stands first.
constexpr std::array kWords{
    Word{"m", "m"},           Word{"mm", "m", 1e-3},      Word{"cm", "m", 1e-2},     Word{"dm", "m", 1e-1},      Word{"um", "m", 1e-6},
    Word{"µm", "m", 1e-6},    Word{"km", "m", 1e3},       Word{"in", "m", kInch},    Word{"ft", "m", kFoot},     Word{"rad", "rad"},
    Word{"deg", "rad", kDegree}, Word{"°", "rad", kDegree}, Word{"mrad", "rad", 1e-3}, Word{"rev", "rad", kTurn},  Word{"s", "s"},
    Word{"ms", "s", 1e-3},    Word{"us", "s", 1e-6},      Word{"µs", "s", 1e-6},     Word{"min", "s", 60},       Word{"h", "s", 3600},
    Word{"N", "N"},           Word{"mN", "N", 1e-3},      Word{"kN", "N", 1e3},      Word{"MN", "N", 1e6},       Word{"lbf", "N", kPoundForce},
    Word{"kg", "kg"},         Word{"g", "kg", 1e-3},      Word{"t", "kg", 1e3},      Word{"lb", "kg", kPound},   Word{"Nm", "N m"},
    Word{"Nmm", "N m", 1e-3}, Word{"kNm", "N m", 1e3},    Word{"J", "J"},            Word{"mJ", "J", 1e-3},      Word{"kJ", "J", 1e3},
    Word{"MJ", "J", 1e6},     Word{"Wh", "J", 3600},      Word{"kWh", "J", 3.6e6},   Word{"W", "W"},             Word{"mW", "W", 1e-3},
    Word{"kW", "W", 1e3},     Word{"MW", "W", 1e6},       Word{"hp", "W", 745.69987158227022}, Word{"rpm", "rad/s", kTurn / 60},
    Word{"Pa", "N/m²"},       Word{"kPa", "N/m²", 1e3},   Word{"MPa", "N/m²", 1e6},  Word{"GPa", "N/m²", 1e9},   Word{"bar", "N/m²", 1e5}};

struct Quantity {
  std::string_view name, si;
  std::array<std::string_view, 3> written{};  // units of it that are no single words, for messages
};
constexpr std::array kQuantities{Quantity{"length", "m"},
                                 Quantity{"angle", "rad"},
                                 Quantity{"time", "s"},
                                 Quantity{"force", "N"},
                                 Quantity{"mass", "kg"},
                                 Quantity{"torque", "N m", {"N m", "N mm", "kN m"}},
                                 Quantity{"rotation", "rad/s", {"rad/s", "deg/s", "rev/s"}},
                                 Quantity{"energy", "J"},
                                 Quantity{"power", "W"},
                                 Quantity{"pressure", "N/m²", {"N/m²", "N/mm²", ""}}};

const Word* find_word(std::string_view text) {
  const auto it = std::ranges::find(kWords, text, &Word::text);
  return it == kWords.end() ? nullptr : &*it;
}
const Quantity* find_quantity(std::string_view name) {
  const auto it = std::ranges::find(kQuantities, name, &Quantity::name);
  return it == kQuantities.end() ? nullptr : &*it;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

constexpr std::array<std::string_view, 5> kPowers{"", "", "²", "³", "⁴"};

// The words of a unit with their powers, what stands below the line with negative ones; `each` gives what is written instead of a word.
template <class Each>
std::string replaced(std::string_view unit, const Each& each) {
  std::string out;
  int sign = 1;
  while (!unit.empty()) {
    const char first = unit.front();
    if (first == '/') sign = -1;
    if (first == '/' || first == ' ' || first == '(' || first == ')' || first == '*') {
      out += first == '*' ? ' ' : first;
      unit.remove_prefix(1);
      continue;
    }
    const std::size_t length = std::min(unit.find_first_of("/ ()*"), unit.size());
    std::string_view word = unit.substr(0, length), exponent;
    unit.remove_prefix(length);
    int power = 1;
    for (std::size_t k = 2; k < kPowers.size(); ++k)
      if (word.ends_with(kPowers[k])) exponent = kPowers[k], power = static_cast<int>(k);
    if (word.size() > 2 && word[word.size() - 2] == '^' && word.back() >= '2' && word.back() <= '9')
      exponent = word.substr(word.size() - 2), power = word.back() - '0';
    word.remove_suffix(exponent.size());
    out += each(word, sign * power);
    out += power >= 2 && power <= 4 ? kPowers[static_cast<std::size_t>(power)] : exponent;
  }
  return out;
}

std::string quantities_text() { return "units are chosen for " + join_names(Units::quantities()); }

}  // namespace

std::optional<Units::Shown> in_si(std::string_view unit) {
  Units::Shown out;
  bool known = !trimmed(unit).empty();
  out.unit = replaced(trimmed(unit), [&](std::string_view word, int power) -> std::string {
    if (word == "1") return "1";
    const Word* found = find_word(word);
    // "bar²" would be two words to a power
    if (found == nullptr || (power != 1 && found->si.find_first_of(" /") != found->si.npos)) return known = false, std::string(word);
    out.factor *= std::pow(found->value, power);
    return std::string(found->si);
  });
  if (!known) return std::nullopt;
  return out;
}

std::vector<std::string> Units::quantities() {
  std::vector<std::string> out;
  for (const Quantity& quantity : kQuantities) out.emplace_back(quantity.name);
  return out;
}

std::vector<std::string> Units::known(std::string_view quantity) {
  std::vector<std::string> out;
  const Quantity* of = find_quantity(quantity);
  if (of == nullptr) return out;
  for (const std::string_view written : of->written)
    if (!written.empty()) out.emplace_back(written);
  for (const Word& word : kWords)
    if (word.si == of->si) out.emplace_back(word.text);
  return out;
}

std::optional<Units::Trouble> Units::choose(std::string_view quantity, std::string_view unit) {
  const Quantity* of = find_quantity(quantity);
  const auto meant = [](std::string_view word, const std::vector<std::string>& names) {
    const auto guess = nearest_name(word, names);
    return guess ? " (did you mean '" + *guess + "'?)" : std::string();
  };
  if (of == nullptr) return Trouble{"unknown quantity '" + std::string(quantity) + "'" + meant(quantity, quantities()), quantities_text()};
  const auto found = in_si(unit);
  // an energy is a force times a length, too, and a torque is no energy
  const bool fits = found && (found->unit == of->si || (of->name == "energy" && found->unit == "N m"));
  if (!fits) {
    const std::vector<std::string> all = known(quantity);
    const std::string what = found ? "'" + std::string(unit) + "' is no unit of " + std::string(quantity)
                                   : "unknown unit '" + std::string(unit) + "' of " + std::string(quantity) + meant(unit, all);
    return Trouble{what, std::string(quantity) + " has " + join_names(all, all.size())};
  }
  chosen_.insert_or_assign(std::string(quantity), Choice{replaced(trimmed(unit), [](std::string_view word, int) { return std::string(word); }), found->factor});
  return std::nullopt;
}

void Units::choose(const Units& other) {
  if (other.plain_) *this = {};
  plain_ = plain_ || other.plain_;
  for (const auto& [quantity, choice] : other.chosen_) chosen_.insert_or_assign(quantity, choice);
}

Result<Units> Units::read(std::string_view text) {
  Units out;
  Problems problems;
  while (!trimmed(text).empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = trimmed(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (part.empty()) continue;
    if (part == "si" || part == "SI") {
      out = {};
      out.plain_ = true;
      continue;
    }
    const std::size_t equals = part.find('=');
    if (equals == part.npos) {
      problems.push_back(error({}, "--units: expected QUANTITY=UNIT such as length=mm, or si, found '" + std::string(part) + "'", quantities_text()));
      continue;
    }
    if (const auto trouble = out.choose(trimmed(part.substr(0, equals)), trimmed(part.substr(equals + 1))))
      problems.push_back(error({}, "--units: " + trouble->sentence, trouble->hint));
  }
  if (problems.empty() && !out.asked()) problems.push_back(error({}, "--units: expected QUANTITY=UNIT such as length=mm, or si", quantities_text()));
  if (!problems.empty()) return problems;
  return out;
}

Units::Shown Units::of(std::string_view si) const {
  const auto choice = [&](std::string_view quantity) {
    const auto it = chosen_.find(quantity);
    return it == chosen_.end() ? nullptr : &it->second;
  };
  // what is chosen as a whole; "N m/s" is a torque a second
  for (const Quantity& quantity : kQuantities) {
    const Choice* own = choice(quantity.name);
    const bool torque = quantity.name == "torque" && si.starts_with(quantity.si) && (si.size() == quantity.si.size() || si[quantity.si.size()] == '/');
    if (own == nullptr || (si != quantity.si && !torque)) continue;
    const Shown rest = of(si.substr(quantity.si.size()));
    return {own->unit + rest.unit, rest.factor / own->in_si, true};
  }
  Shown out;
  out.unit = replaced(si, [&](std::string_view word, int power) {
    for (const Quantity& quantity : kQuantities)
      if (const Choice* own = quantity.si == word ? choice(quantity.name) : nullptr) {
        for (int k = 0; k < std::abs(power); ++k) {
          if (power > 0) out.factor /= own->in_si;
          else out.factor *= own->in_si;
        }
        out.chosen = true;
        return own->unit;
      }
    return std::string(word);
  });
  return out;
}

std::string Units::heading(const std::string& column, std::string_view si) const {
  const std::string unit = asked() ? of(si).unit : "";
  return unit.empty() ? column : column + " [" + unit + "]";
}

Units units_of(const Model& model) {
  Units out;
  for (const Parameter& one : model.units) (void)out.choose(one.name, one.value.text);
  return out;
}

Heading heading_of(std::string_view text) {
  if (text.ends_with(']'))
    if (const std::size_t open = text.rfind(" ["); open != text.npos)
      return {std::string(trimmed(text.substr(0, open))), std::string(trimmed(text.substr(open + 2, text.size() - open - 3)))};
  return {std::string(text), ""};
}

}  // namespace jounce
