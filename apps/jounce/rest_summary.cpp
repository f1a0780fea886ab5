#include "rest_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jounce/api/facts.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

constexpr std::size_t kModes = 10;       // shown to a person

std::string mode_text(const Equilibrium& rest, std::size_t number, const NaturalMode& mode) {
  const bool swings = mode.growth <= 0 && mode.omega != 0;
  const std::string swing =
      swings ? fmt::format("{:>13.6g} Hz {:>12.6g} rad/s", mode.frequency, mode.omega) : swing_text(mode);
  const std::string damped = mode.damping == 0 ? "" : "   (" + damping_text(mode) + ")";
  return fmt::format("  {:<5} {:>35}   {}{}\n", number, swing, shape_text(rest, mode), damped);
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

std::string rest_text(const Equilibrium& rest, std::FILE* stream) {
  std::string out;
  if (rest.outcome.done()) out += fmt::format("  {:<10}{}\n", "stability", toned(stability_tone(rest), stability_text(rest), stream));
  out += fmt::format("  {:<10}{}\n", "work", work_text(rest));
  if (!rest.note.empty()) out += fmt::format("  {:<10}{}\n", "note", rest.note);
  return out + modes_text(rest) + roots_text(rest);
}

}  // namespace jounce::app
