// How an analysis ended, and what happened on the way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jounce {

/// A time at which something happened to the mechanism.
struct Event {
  double t = 0;
  std::string kind;                   ///< "dead-point", "change-point", "singular-position", "stick", "slip", …; "event": one of the model's own
  std::string sentence;
  std::vector<std::string> elements;  ///< the joints and drivers concerned, by name; the event's own
  std::string direction = {};         ///< of an event of the model: "rising" or "falling"
  double impulse = 0;                 ///< of an impact, N s or N m s
};

struct Outcome {
  enum class Kind {
    not_run,        ///< a fresh outcome: nothing has been computed
    done,           ///< everything asked for was computed
    not_assembled,  ///< the joints cannot be met together; nothing was computed
    not_driven,     ///< free motions are left; nothing was computed
    conflicting,    ///< surplus equations contradict the others once the mechanism moves; valid up to t
    dead_point,     ///< the drivers cannot move the mechanism further; valid up to t
    change_point,   ///< the mechanism can go on in more than one way; valid up to t
    undefined,      ///< a prescribed function has no value; valid up to t
    step_too_small, ///< the motion could not be followed; valid up to t
    stopped,        ///< the caller asked to stop; valid up to t
    undecided,      ///< masses and joints do not decide the motion; valid up to t
    no_equilibrium, ///< the forces balance nowhere the mechanism was led to
    unbalanced,     ///< energy came from nowhere or is gone, more than the tolerance explains; valid up to the last row
  };
  Kind kind = Kind::not_run;
  double t = 0;          ///< how far it came
  std::string sentence;  ///< why it ended, for a person
  std::vector<std::string> elements;

  [[nodiscard]] bool done() const { return kind == Kind::done; }
};

[[nodiscard]] std::string_view word(Outcome::Kind kind);

}  // namespace jounce
