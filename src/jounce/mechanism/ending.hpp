// Why a run cannot go on.
#pragma once

#include <string>
#include <vector>

#include "jounce/base/fault.hpp"
#include "jounce/base/text.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce {

struct Ending {
  Outcome::Kind kind = Outcome::Kind::not_run;
  std::string sentence;
  std::vector<std::string> elements{};  ///< the joints, loops or drivers concerned, by name
  std::string hint{};
  Where where{};                        ///< in the model file, where the reason stands there
};

/// Where a forward run would start, the equations do not decide the motion.
[[nodiscard]] inline Ending singular_start(std::vector<std::string> names) {
  return {.kind = Outcome::Kind::change_point,
          .sentence = "the start is a singular position: the mechanism can leave it in more than one way, and the equations do not say which",
          .elements = std::move(names),
          .hint = "move the drawing a little, to the side it is to start on"};
}

/// Something has no value.
[[nodiscard]] inline Ending no_value(const Fault& fault, double t) {
  const std::string sentence = fault.text() + ", near " + seconds(t);
  return {.kind = Outcome::Kind::undefined, .sentence = sentence, .elements = fault.names(), .hint = {}, .where = fault.where};
}

}  // namespace jounce
