#include "jounce/mechanism/stops.hpp"

#include <fmt/format.h>

namespace jounce {

std::vector<std::string> gap_texts(const StopSection& stop) {
  std::vector<std::string> out;
  if (stop.of.text.empty()) return out;
  if (stop.min && !stop.min->text.empty()) out.push_back(fmt::format("({}) - ({})", stop.of.text, stop.min->text));
  if (stop.max && !stop.max->text.empty()) out.push_back(fmt::format("({}) - ({})", stop.max->text, stop.of.text));
  return out;
}

std::string gap_text(const StopSection& stop) {
  const std::vector<std::string> gaps = gap_texts(stop);
  if (gaps.empty()) return "";
  return gaps.size() == 1 ? gaps.front() : fmt::format("min({}, {})", gaps[0], gaps[1]);
}

std::vector<Measure> gap_columns(const std::vector<StopSection>& stops, MechanismNames& names) {
  std::vector<Measure> out;
  for (const StopSection& stop : stops) {
    Text text(gap_text(stop));
    if (text.text.empty()) continue;
    if (auto value = names.read(text, fmt::format("stop '{}'", stop.name))) {
      std::string unit = value->unit();
      out.push_back({stop.name + ".gap", stop.of.where, *std::move(value), std::nullopt, std::move(unit), {}});
    }
  }
  return out;
}

}  // namespace jounce
