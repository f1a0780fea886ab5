// What the texts of a model mean in numbers: the part of building that the plane and space share.
//
// Every mistake is reported once. What only follows from a mistake that has been reported is left out: an expression of a
// parameter that has no value, a reference to a point that could not be read.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jounce/base/vocabulary.hpp"
#include "jounce/expr/expression.hpp"
#include "jounce/expr/table_file.hpp"
#include "jounce/expr/time_function.hpp"
#include "jounce/laws/equation.hpp"
#include "jounce/laws/load_function.hpp"
#include "jounce/mechanism/measures.hpp"
#include "jounce/mechanism/run_plan.hpp"
#include "jounce/mechanism/stops.hpp"
#include "jounce/mechanism/watched_events.hpp"
#include "jounce/laws/spring.hpp"
#include "jounce/model/model.hpp"

namespace jounce {

/// A number as messages show it.
[[nodiscard]] std::string shown(double x);

class Numbers {
 protected:
  /// `known`: tables that need not be read again.
  explicit Numbers(const Model& model, const Tables& known) : model_(model), known_(known), written_stops_(model.stops) {}

  void complain(Where where, std::string sentence, std::string hint = {});

  /// Evaluates [parameters].
  void parameters();
  /// The parameters, and the variables that an expression may use in its place.
  [[nodiscard]] Scope scope(std::vector<std::string> variables) const;
  /// The expression, with its problems moved to where it stands in the file.
  std::optional<Expression> parse(const Text& text, const Scope& scope, const std::string& who);
  std::optional<double> number(const Text& text, const std::string& who);
  /// The friction of a joint; false where something is missing or wrong, which has then been said.
  bool joint_friction(const Entry& entry, Form form, const std::string& who, laws::JointFriction& out);
  /// An expression of t.
  std::optional<TimeFunction> time_function(const Text& text, const std::string& who);
  std::optional<TimeFunction> time_function(const TableFile& table, const std::string& who);
  /// The table of a curve over some quantity, read once so that its problems are told where it is named: its path as it is written, for
  /// 'lookup' of an expression.
  std::optional<std::string> curve_table(const TableFile& table, const std::string& who);
  /// The places of a file; nothing where what is wrong with it has been said.
  std::optional<TablePoints> places(const TableFile& table, const std::string& who);
  /// Adds the names of the model to what expressions over the mechanism know.
  void with_names(MechanismNames::Known& known) const;
  /// The same, and the gaps of stops; refers to this object.
  void name_results(MechanismNames::Known& known) const;
  /// A stop with the law of each of its gaps.
  struct WrittenStop {
    OneSided stop;
    std::vector<laws::EquationLaw> gaps;
  };
  /// Nothing where something in it is wrong.
  std::optional<WrittenStop> stop(const StopSection& section);
  /// The model has measures, stops or events.
  [[nodiscard]] bool has_names_of_results() const { return !model_.measures.empty() || !written_stops_.empty() || !model_.events.empty(); }
  /// What they mean, `known` without the names of the model; all problems so far are put in order.
  void names_of_results(MechanismNames::Known known, std::vector<Measure>& measures, std::vector<WatchedEvent>& events);
  /// Refers to this object.
  [[nodiscard]] MechanismNames::ReadTable table_reader();
  /// An expression of these variables, and of quantities of the state.
  std::optional<laws::StateExpression> state_expression(const Text& text, std::vector<std::string> variables, const std::string& who);
  /// An expression of t and of quantities of the state.
  std::optional<laws::LoadFunction> load_function(const Text& text, const std::string& who);
  /// An equation of t and of positions, with its derivatives. The variables behind t are its quantities.
  std::optional<laws::EquationLaw> equation_law(const Text& text, const std::string& who, Depends depends = Depends::on_positions);
  /// Takes up what is wrong with measures that loads and equations use.
  void judge_load_names();
  /// [run]
  RunPlan run_section();

  /// A table that an expression looks up.
  [[nodiscard]] std::shared_ptr<const LookupTable> lookup_table(const NameSource::TableQuestion& question,
                                                                std::string& trouble);

  const Model& model_;
  Problems problems_;
  Scope constants_;  // the parameters
  bool parameters_failed_ = false;
  const Tables& known_;
  Tables tables_;  // of this model
  std::vector<StopSection> written_stops_;  // of the model, and those that other sections ask for

  /// To be set before the first load is read.
  struct LoadNames {
    std::function<MechanismNames::Known()> known;            // asked once, for the first load that is no plain number
    std::function<int(const std::string& column)> quantity;  // its place in the mechanism's list
  };
  LoadNames in_loads_;
  std::function<MechanismNames::Known(Depends)> in_equations_;  ///< likewise, for the first equation, and for the first stop

 private:
  std::unique_ptr<MechanismNames> load_names_, equation_names_, stop_names_;
  void remember(const std::string& path);
  /// The texts of this model's tables, that of the path among them where it is known.
  [[nodiscard]] FileTexts& texts_at_hand(const std::string& path);
};

}  // namespace jounce
