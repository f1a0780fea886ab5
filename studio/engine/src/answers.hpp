// What the page can ask for. Questions are JSON and so is the text of an answer; the numbers of a run go beside it.
#pragma once

#include <jounce/api/json.hpp>
#include <jounce/jounce.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace jounce::studio {

/// A mechanism that moves on by itself, as a screen asks it to.
struct Simulated {
  Mechanism mechanism;  ///< with the hand that is on it
  std::string x, y;     ///< the parameters that say where the hand is; empty without one
  MotionState state;
};

/// What the last study left behind: later questions are about it.
struct Studied {
  std::optional<Mechanism> mechanism;
  Run run;
  bool drawn = false;  ///< there are rows: of the run, or one where it stands
  std::vector<double> pulled;  ///< the coordinates that the last pull has led to; empty before one
  std::optional<Simulated> simulated;
};

struct Answer {
  std::string text;
  bool columns = false;  ///< those of the run go along
};

[[nodiscard]] Answer study(const Json& request, Studied& last);
[[nodiscard]] Answer pull(const Json& request, Studied& last);
[[nodiscard]] Answer pose(const Studied& last);
[[nodiscard]] Answer simulate(const Json& request, Studied& last);
[[nodiscard]] Answer hold(const Json& request, Studied& last);
[[nodiscard]] Answer advance(const Json& request, Studied& last);
[[nodiscard]] Answer csv(const Studied& last);
[[nodiscard]] Answer report(const Studied& last);
[[nodiscard]] Answer drawing(const Json& request, const Studied& last);
[[nodiscard]] Answer types();

/// What a question has under a key; null where it has nothing.
[[nodiscard]] Json member(const Json& object, const char* key);
/// A number of a list; 0 where there is none.
[[nodiscard]] double number(const Json& list, std::size_t k);
/// Where the bodies are: x, y, phi of each.
[[nodiscard]] Json numbers(const std::vector<std::array<double, 3>>& origins);

/// {"error": sentence}: what could not be answered.
[[nodiscard]] Answer refused(const std::string& sentence);

}  // namespace jounce::studio
