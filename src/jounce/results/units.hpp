// Units of the user's choice, for what he reads: files, figures, pages and summaries. Models are written, and everything is computed, in SI units.
//
//   [units]                                   --units length=mm,angle=deg,force=kN
//   length = "mm"
//   angle  = "deg"
//   force  = "kN"
//
// The unit of a column is a product of powers, and each word of it is replaced: with these N m becomes kN mm, and rad/s² deg/s². A moment, a turning
// speed, an energy, a power and a pressure may have units of their own.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/result.hpp"
#include "jounce/model/model.hpp"

namespace jounce {

class Units {
 public:
  /// "length=mm,angle=deg"; "si" and nothing: SI units. Problems are those of the option --units.
  [[nodiscard]] static Result<Units> read(std::string_view text);

  struct Trouble {
    std::string sentence, hint;
  };
  /// A quantity in a unit from now on. Trouble where one of them is not known; then nothing has changed.
  [[nodiscard]] std::optional<Trouble> choose(std::string_view quantity, std::string_view unit);
  /// The same for everything that `other` has chosen.
  void choose(const Units& other);
  [[nodiscard]] bool si() const { return chosen_.empty(); }
  /// They were asked for, if only to be SI units.
  [[nodiscard]] bool asked() const { return plain_ || !chosen_.empty(); }

  /// What is not chosen is SI, whatever it is in by itself.
  [[nodiscard]] bool si_otherwise() const { return plain_; }

  /// What is written instead of a unit, and what a number in that unit is multiplied by.
  struct Shown {
    std::string unit;
    double factor = 1;
    bool chosen = false;  ///< something in it was
  };
  /// `si`: as columns have it, "m/s²"; what is not known stays as it is.
  [[nodiscard]] Shown of(std::string_view si) const;
  /// The name of a column in a file: "crank.x", and with units that were chosen "crank.x [mm]".
  [[nodiscard]] std::string heading(const std::string& column, std::string_view si) const;

  /// "length", "angle", …
  [[nodiscard]] static std::vector<std::string> quantities();
  /// Of a quantity, the SI unit first.
  [[nodiscard]] static std::vector<std::string> known(std::string_view quantity);

 private:
  struct Choice {
    std::string unit;
    double in_si = 1;
  };
  std::map<std::string, Choice, std::less<>> chosen_;  // by quantity
  bool plain_ = false;
};

/// Of a model's section [units]; what the reader has refused is left out.
[[nodiscard]] Units units_of(const Model& model);

/// A unit as one writes it, "mm/s²" or "kN mm", in SI units: those, and what a number in it is multiplied by. None where a word of it is not known.
[[nodiscard]] std::optional<Units::Shown> in_si(std::string_view unit);

/// The heading of a column taken apart: "crank.x [mm]" is "crank.x" in "mm"; without brackets the unit is empty.
struct Heading {
  std::string name, unit;
};
[[nodiscard]] Heading heading_of(std::string_view text);

}  // namespace jounce
