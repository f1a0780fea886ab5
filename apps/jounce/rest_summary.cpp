#include "rest_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "terminal.hpp"

namespace jounce::app {
namespace {

constexpr std::size_t kModes = 10;       // shown to a person
constexpr std::size_t kComponents = 3;   // of each
constexpr double kNoComponent = 1e-6;    // of the largest, which is 1: not worth a place

std::string mode_text(const Equilibrium& rest, std::size_t number, const NaturalMode& mode) {
  const bool swings = mode.growth <= 0 && mode.omega != 0;
  const std::string swing =
      swings ? fmt::format("{:>13.6g} Hz {:>12.6g} rad/s", mode.frequency, mode.omega) : swing_text(mode);
  return fmt::format("  {:<5} {:>35}   {}\n", number, swing, shape_text(rest, mode));
}

std::string more(std::size_t all, std::size_t shown) {
  return all > shown ? fmt::format("  ... and {} more\n", all - shown) : "";
}

std::string modes_text(const Equilibrium& rest) {
  if (rest.modes.empty()) return {};
  std::string out = fmt::format("\n  {:<5} {:>16} {:>18}   {}\n", "modes", "frequency", "omega",
                                "largest parts (lengths in mechanism sizes)");
  const std::size_t shown = std::min(rest.modes.size(), kModes);
  for (std::size_t i = 0; i < shown; ++i) out += mode_text(rest, i + 1, rest.modes[i]);
  return out + more(rest.modes.size(), shown);
}

// One line for each root on or above the real axis.
std::string roots_text(const Equilibrium& rest) {
  std::string out;
  std::size_t count = 0;
  for (const std::complex<double>& s : rest.eigenvalues) {
    if (s.imag() < 0 || count++ >= kModes) continue;
    if (out.empty()) out = "\n  small motions with damping and all forces: exp(s t)\n";
    const std::string swing = s.imag() == 0 ? "" : fmt::format(" +- {:.6g} i", s.imag());
    out += fmt::format("  s = {:.6g}{} 1/s\n", s.real(), swing);
  }
  return out + more(count, kModes);
}

Tone stability_tone(const Equilibrium& rest) {
  return rest.unstable > 0 ? Tone::bad : rest.neutral > 0 ? Tone::doubtful : Tone::good;
}

}  // namespace

std::string shape_text(const Equilibrium& rest, const NaturalMode& mode) {
  std::vector<std::size_t> order(mode.shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return std::abs(mode.shape[i]); });
  std::string out;
  for (const std::size_t i : std::span(order).first(std::min(order.size(), kComponents)))
    if (std::abs(mode.shape[i]) > kNoComponent)
      out += fmt::format("{}{} {:.3g}", out.empty() ? "" : ", ", rest.components[i], mode.shape[i]);
  return out;
}

std::string swing_text(const NaturalMode& mode) {
  if (mode.growth > 0) return fmt::format("leaves with exp({:.6g} t)", mode.growth);
  return mode.omega == 0 ? "does not swing" : fmt::format("{:.6g} Hz, {:.6g} rad/s", mode.frequency, mode.omega);
}

std::string stability_text(const Equilibrium& rest) {
  const int all = rest.free_motions;
  if (all == 0) return "stable: nothing can move";
  if (rest.unstable > 0) return fmt::format("unstable in {} of {} free motions", rest.unstable, all);
  if (rest.neutral > 0) return fmt::format("neutral in {} of {} free motions: no force resists", rest.neutral, all);
  return fmt::format("stable ({} free motion{})", all, all == 1 ? "" : "s");
}

std::string work_text(const Equilibrium& rest) {
  return fmt::format("{} iterations, {:.3g} N unbalanced", rest.iterations, rest.unbalanced);
}

std::string rest_text(const Equilibrium& rest, std::FILE* stream) {
  std::string out;
  if (rest.outcome.done()) out += fmt::format("  {:<10}{}\n", "stability", toned(stability_tone(rest), stability_text(rest), stream));
  out += fmt::format("  {:<10}{}\n", "work", work_text(rest));
  if (!rest.note.empty()) out += fmt::format("  {:<10}{}\n", "note", rest.note);
  return out + modes_text(rest) + roots_text(rest);
}

Json rest_json(const Equilibrium& rest) {
  Json frequencies = Json::array(), modes = Json::array(), eigenvalues = Json::array();
  for (const NaturalMode& mode : rest.modes) {
    frequencies.push_back(mode.frequency);
    Json shape = Json::object();
    for (std::size_t i = 0; i < mode.shape.size(); ++i) shape[rest.components[i]] = mode.shape[i];
    modes.push_back({{"frequency_hz", mode.frequency}, {"omega", mode.omega}, {"growth", mode.growth}, {"shape", shape}});
  }
  for (const std::complex<double>& s : rest.eigenvalues) eigenvalues.push_back({s.real(), s.imag()});
  return {{"stable", rest.stable},
          {"unstable", rest.unstable},
          {"neutral", rest.neutral},
          {"free_motions", rest.free_motions},
          {"iterations", rest.iterations},
          {"unbalanced", rest.unbalanced},
          {"frequencies_hz", frequencies},
          {"modes", modes},
          {"eigenvalues", eigenvalues},
          {"note", rest.note}};
}

}  // namespace jounce::app
