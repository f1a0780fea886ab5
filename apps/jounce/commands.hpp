// The commands of the program, and what each is told. A command calls the library and prints; it gives back the exit code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jounce/mechanism/analysis.hpp"

namespace jounce::app {

/// 0: done. 1: the analysis could not be completed; what was computed is written. 2: the command or the model is wrong.
enum ExitCode : int { kDone = 0, kIncomplete = 1, kWrong = 2 };

/// Every command that reads a model.
struct ModelOptions {
  std::string model;
  std::vector<std::string> sets;  ///< NAME=EXPR
  bool json = false;
  bool quiet = false;
};

/// An analysis over time. Numbers are text: they may be expressions of the model's parameters.
struct RunOptions : ModelOptions {
  std::optional<std::string> to, steps, tol, columns, units, output, report;
  std::optional<std::string> method, formulation, order;  ///< of dynamics
  std::optional<std::string> over;                        ///< of an equilibrium: COORDINATE=RANGE
};

struct ExplainOptions : ModelOptions {
  std::optional<std::string> at, lambda, formulation;
};

struct CompareOptions : ModelOptions {
  std::optional<std::string> at;
};

struct TypesOptions {
  std::string type;  ///< empty: all
  bool json = false;
};

struct NewOptions {
  std::string name;
  std::string template_name = "four-bar";
  bool list = false;
};

struct ImportOptions {
  std::string input;
  std::optional<std::string> output;  ///< "-": standard output
  bool floating = false, keep_fixed = false, limits = false;
  bool json = false, quiet = false;
};

struct PlotCommandOptions {
  std::string input;
  std::vector<std::string> columns;
  std::optional<std::string> output, x, title, width, height, units;
  bool quiet = false;
};

/// A mechanism that is drawn.
struct ViewOptions : ModelOptions {
  std::optional<std::string> output, view, width;
  std::vector<std::string> trails;
};

struct DrawOptions : ViewOptions {
  std::optional<std::string> at;
  bool names = false;
};

struct AnimateOptions : ViewOptions {
  std::optional<std::string> from, to, fps, speed, turns;
};

struct CamOptions : ModelOptions {
  std::optional<std::string> output, joint, count;
};

struct StudioOptions {
  std::string model;  ///< empty: what the page begins with by itself
  std::optional<std::string> output;
  bool quiet = false;
};

/// The command line as its parser knows it, for shells.
struct CommandWords {
  struct Option {
    std::vector<std::string> names;  ///< "-o", "--output"
    std::string value;               ///< what is to follow, "FILE"; empty: a flag
    std::string help;
  };
  std::string name, summary;
  std::vector<Option> options;
  std::vector<std::string> arguments;  ///< "MODEL"; the last may be repeated
};

int command_check(const ModelOptions& options);
/// One of the analyses, by its own name.
int command_analysis(Analysis analysis, const RunOptions& options);
int command_run(const RunOptions& options);
int command_explain(const ExplainOptions& options);
/// 1 also where the formulations disagree.
int command_compare(const CompareOptions& options);
int command_types(const TypesOptions& options);
int command_new(const NewOptions& options);
int command_import(const ImportOptions& options);
int command_schema();
int command_plot(const PlotCommandOptions& options);
int command_draw(const DrawOptions& options);
int command_animate(const AnimateOptions& options);
int command_cam(const CamOptions& options);
int command_studio(const StudioOptions& options);
int command_completion(const std::string& shell, const std::vector<CommandWords>& commands);

}  // namespace jounce::app
