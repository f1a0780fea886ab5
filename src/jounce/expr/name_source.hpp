// Names that a text may use beyond constants and parameters: quantities of a mechanism, found while the text is read.
//
// Whoever knows the mechanism says what a name means; this folder knows no mechanics. Every quantity becomes a variable of the
// expression, called by a key, and whoever evaluates the expression gives the variables their values in that order
// (Expression::variables).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/result.hpp"

namespace jounce {

struct Argument;
struct LookupTable;

class NameSource {
 public:
  virtual ~NameSource() = default;

  /// One of the first two, or why there is neither.
  struct Meaning {
    std::optional<std::string> variable{};  ///< its key: the same key is the same variable
    std::optional<std::string> text{};      ///< it stands for this text, which is read in its place
    std::string trouble{};                  ///< a sentence; empty: whoever reads this has been told already
    bool unknown = false;                   ///< there is no such name: `trouble` says so
    std::string hint{};
  };
  [[nodiscard]] virtual Meaning of_name(std::string_view name) = 0;
  /// Names without a dot, offered when one is misspelt.
  [[nodiscard]] virtual std::vector<std::string> plain_names() const = 0;
  /// So many characters of the text are a name with a '-' in it; 0: there is none. Two names with a minus between them are what
  /// they are.
  [[nodiscard]] virtual std::size_t name_with_dashes(std::string_view text) const = 0;
  /// distance(jaw.A, ground.B): whether a function takes names of points or bodies, and what it means with these.
  [[nodiscard]] virtual bool takes_names(std::string_view function) const = 0;
  [[nodiscard]] virtual Meaning of_call(std::string_view function, std::span<const std::string> names) = 0;
  /// The derivative of a variable by time.
  [[nodiscard]] virtual Meaning rate_of(const std::string& variable) = 0;
  /// The unit of a variable, "m/s"; empty: not known.
  [[nodiscard]] virtual std::string unit_of(const std::string& variable) const = 0;

  /// max(crank.x): whether a function with so many arguments makes one number of all that happens along a run. Its arguments are read by whoever says so.
  [[nodiscard]] virtual bool reduces(std::string_view /*function*/, std::size_t /*arguments*/) const { return false; }
  /// The key of that number; problems are placed at columns of the whole text. `call` is all of it, as it is written.
  [[nodiscard]] virtual Result<std::string> reduced(const Argument& /*call*/, std::string_view /*function*/, std::span<const Argument> /*arguments*/) {
    return std::string();
  }
  /// The names of such functions, offered when one is misspelt.
  [[nodiscard]] virtual std::vector<std::string> reductions() const { return {}; }

  struct TableQuestion {
    std::string path, column;  ///< column: by its heading; empty: the one beside the first
    double period = 0;         ///< 0: none
  };
  /// Null where it cannot be read, with a sentence; empty: whoever reads this has been told already.
  [[nodiscard]] virtual std::shared_ptr<const LookupTable> table(const TableQuestion& question, std::string& trouble) = 0;
};

}  // namespace jounce
