// What a Mechanism refers to: the model as it was written, and the equations of the plane or of space. For the library itself.
#pragma once

#include <variant>

#include "jounce/api/mechanism.hpp"
#include "jounce/api/over.hpp"
#include "jounce/mechanism/analysis.hpp"
#include "jounce/plane/mechanism.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

struct Mechanism::Content {
  Model model;
  Problems problems;   ///< warnings of reading and building
  std::string source;  ///< the text that it was read from; empty: it was built in code
  std::variant<PlaneMechanism, SpaceMechanism> equations;
  std::shared_ptr<const Holding> holding{};  ///< where a coordinate is held
};

/// Of a model that differs from the mechanism's own: tables that both name are not read again.
[[nodiscard]] Result<Mechanism> built_like(const Mechanism& mechanism, Model model);
/// The same with a coordinate held: to people it is the mechanism that it was made from.
[[nodiscard]] Result<Mechanism> built_held(const Mechanism& mechanism, Model model, std::shared_ptr<const Holding> holding);

/// The columns of the rows that an analysis fills: those of the results without measures.
[[nodiscard]] std::vector<Column> row_columns(const Mechanism& mechanism, Analysis analysis);

/// Calls `f` with the PlaneMechanism or the SpaceMechanism.
template <class F>
decltype(auto) visit(const Mechanism& mechanism, F&& f) {
  return std::visit(std::forward<F>(f), mechanism.content().equations);
}

}  // namespace jounce
