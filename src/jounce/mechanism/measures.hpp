// Measures: named expressions of what a mechanism does, and what names mean in them.
//
//   [measures]
//   opening = "distance(jaw.A, ground.B)"        power = "motor.effort * crank.vphi"
//
// Everything that has a result column has a name, and a name can stand in an expression. A measure is put together from columns
// alone: a distance is written as the coordinates of its points, another measure as its text, a rate by differentiating what is
// written. So measures know neither the plane nor space.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/expr/expression.hpp"
#include "jounce/expr/name_source.hpp"
#include "jounce/model/model.hpp"
#include "jounce/results/column.hpp"

namespace jounce {

/// Columns that follow from all rows before: known at rows alone, and nowhere between.
inline constexpr std::array<std::string_view, 2> kKeptInBooks{"energy.work", "energy.balance"};

struct Measure {
  std::string name;
  Where where;                     ///< of its text
  Expression value;                ///< its variables are t and columns by their names
  std::optional<Expression> rate;  ///< none where something in it has no rate
  std::string unit, rate_unit;     ///< empty: not known
};

/// What can be named in an expression.
class MechanismNames : public NameSource {
 public:
  struct Known {
    std::vector<Column> columns;      ///< that can stand in the expression
    std::vector<std::string> bodies;  ///< the ground first
    std::vector<std::string> others;  ///< names of joints, drivers, forces, …
    /// The coordinates of a point as texts of columns and numbers; nothing where a body has no such point.
    std::function<std::optional<std::vector<std::string>>(std::string_view body, std::string_view point)> place;
    /// Why a name that exists cannot stand here; empty: it does not exist.
    std::function<std::string(std::string_view name)> why_not;
    /// Names that stand for a text: "spring.l".
    std::function<std::optional<std::string>(std::string_view name)> text = {};
  };
  using ReadTable = std::function<std::shared_ptr<const LookupTable>(const TableQuestion& question, std::string& trouble)>;

  MechanismNames(const std::vector<Parameter>& measures, Scope constants, Known known, ReadTable read_table);
  MechanismNames(const MechanismNames&) = delete;
  MechanismNames& operator=(const MechanismNames&) = delete;

  /// What each measure means; problems are placed in the file.
  [[nodiscard]] std::vector<Measure> compile(Problems& problems);
  /// Another expression; `who` begins the sentences of its problems, which `take_problems` gives.
  [[nodiscard]] std::optional<Expression> read(const Text& text, const std::string& who);
  /// Problems of measures that were met while others were read, each once, placed in the file.
  [[nodiscard]] Problems take_problems() { return std::move(problems_); }

  [[nodiscard]] Meaning of_name(std::string_view name) override;
  [[nodiscard]] std::vector<std::string> plain_names() const override;
  [[nodiscard]] std::size_t name_with_dashes(std::string_view text) const override;
  [[nodiscard]] bool takes_names(std::string_view function) const override;
  [[nodiscard]] Meaning of_call(std::string_view function, std::span<const std::string> names) override;
  [[nodiscard]] Meaning rate_of(const std::string& variable) override;
  [[nodiscard]] std::string unit_of(const std::string& variable) const override;
  [[nodiscard]] std::shared_ptr<const LookupTable> table(const TableQuestion& question, std::string& trouble) override {
    return read_table_(question, trouble);
  }

 private:
  enum class State { unseen, open, good, failed };

  [[nodiscard]] const Column* column(std::string_view name) const;
  [[nodiscard]] bool is_name(std::string_view name) const;
  /// Reads a measure by itself.
  void settle(std::size_t measure);
  [[nodiscard]] Meaning of_measure(std::size_t measure);
  [[nodiscard]] Meaning unknown(std::string_view name) const;

  const std::vector<Parameter>& measures_;
  Scope constants_;
  Known known_;
  ReadTable read_table_;
  std::vector<State> state_;
  std::vector<std::optional<Expression>> values_;
  std::vector<std::size_t> path_;  // measures that are being read
  std::string refused_;            // why the measure that was read last cannot stand here
  std::vector<std::string> refusals_;  // the same of every measure
  Problems problems_;
};

/// What an expression of the model itself may depend on: a load on the state, an equation and a stop on positions.
enum class Depends { on_state, on_positions, of_stop };

/// Takes away what it cannot, since it follows from loads and equations, and says why; lengths and angles of springs stand for what they are of.
void restrict_to(Depends depends, MechanismNames::Known& known, const Model& model);

}  // namespace jounce
