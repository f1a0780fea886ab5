// A mechanism that can be computed with, of the plane or of space: constant, cheap to copy, and safe to use from many threads at once.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jounce/base/files.hpp"
#include "jounce/base/result.hpp"
#include "jounce/io/override.hpp"
#include "jounce/mechanism/run_plan.hpp"
#include "jounce/model/model.hpp"

namespace jounce {

class Mechanism {
 public:
  /// Reads a model file, sets parameters, evaluates and resolves. All problems come at once, in the order of the file; a mechanism may come
  /// with warnings.
  [[nodiscard]] static Result<Mechanism> load(const std::string& path, std::span<const Override> overrides = {});
  /// The same from text; `file` is what messages call it, and tables are looked for beside it. `files`: texts of tables that need not be read.
  [[nodiscard]] static Result<Mechanism> from_text(std::string_view text, std::string file, std::span<const Override> overrides = {},
                                                   const FileTexts& files = {});
  /// Of a model that was written in code (model/model.hpp).
  [[nodiscard]] static Result<Mechanism> build(Model model);

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] const std::string& file() const;  ///< that it was read from; empty when it was built in code
  [[nodiscard]] Space space() const { return model().space; }
  /// By name, evaluated.
  [[nodiscard]] const std::map<std::string, double, std::less<>>& parameters() const;
  /// What the model's [run] section says, or the defaults.
  [[nodiscard]] const RunPlan& run() const;
  /// Paths of the tables that the model reads.
  [[nodiscard]] std::vector<std::string> tables() const;
  /// Their texts as they were read: with these, `from_text` makes the mechanism where the files are not.
  [[nodiscard]] const FileTexts& files() const;
  /// Warnings of reading and building it; those of `load` are the same.
  [[nodiscard]] const Problems& problems() const;
  /// The text of the model file as it was read; of a mechanism that was built in code: the file that would give it.
  [[nodiscard]] std::string source() const;
  /// How many coordinates and rates its state has (MotionState): in the plane three for each body, in space those of the joints.
  [[nodiscard]] std::size_t coordinates() const;
  [[nodiscard]] std::size_t rates() const;
  /// What they are: "crank.x" (of the centre of mass), "elbow.q1"; and of rates "crank.vx", "elbow.v1".
  [[nodiscard]] std::vector<std::string> coordinate_names() const;
  [[nodiscard]] std::vector<std::string> rate_names() const;
  /// The value of an expression of the model's parameters: "2*crank + 5*mm".
  [[nodiscard]] Result<double> evaluate(std::string_view expression) const;
  /// As it was written, with the parameters that were set.
  [[nodiscard]] const Model& model() const;

  /// The same mechanism with other parameters: nothing is read again, neither the model file nor its tables.
  [[nodiscard]] Result<Mechanism> with(std::span<const Override> overrides) const;
  [[nodiscard]] Result<Mechanism> with(std::initializer_list<std::pair<std::string, double>> parameters) const;

  /// What the engine works on; for the library itself.
  struct Content;
  [[nodiscard]] const Content& content() const { return *content_; }
  explicit Mechanism(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

 private:
  std::shared_ptr<const Content> content_;
};

/// The value of an expression of numbers, as a model file writes them, and of these names: "90*deg".
[[nodiscard]] Result<double> evaluate(std::string_view expression, const std::map<std::string, double, std::less<>>& parameters = {});

/// Reads a model file: Mechanism::load.
[[nodiscard]] inline Result<Mechanism> load(const std::string& path, std::span<const Override> overrides = {}) {
  return Mechanism::load(path, overrides);
}

}  // namespace jounce
