// Values of a model file by their form, and the sentences for what is not of that form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/io/toml_tree.hpp"
#include "jounce/model/model.hpp"
#include "jounce/planar/catalogue.hpp"

namespace jounce {

/// A name in a sentence: in quotes, on one line, not too long.
[[nodiscard]] std::string called(std::string_view name);

/// " (did you mean 'length'?)", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

/// Reads values and collects problems. `place` is what a sentence begins with: "joint 'B': i".
class ValueReader {
 public:
  static constexpr std::size_t kMaxProblems = 200;  ///< more are counted only: a hopeless file must not fill the screen
  static constexpr std::string_view kTwoNumbers = "two numbers [x, y]";

  void report(Where where, std::string sentence, std::string hint = {});
  void unexpected(const TomlNode& found, std::string_view place, std::string_view expected);
  /// `owner` begins the hint: "a 'revolute' joint has".
  void unknown_key(const TomlEntry& entry, std::string_view place, const std::vector<std::string>& known,
                   std::string_view owner);

  /// A string that is not empty; otherwise a problem, and an empty text.
  [[nodiscard]] Text word(const TomlNode& node, std::string_view place, std::string_view expected);
  /// A finite number, or a string that holds an expression; otherwise a problem, and an empty text.
  [[nodiscard]] Text number(const TomlNode& node, std::string_view place);
  /// An array of two numbers or two points; otherwise a problem, and nothing.
  [[nodiscard]] std::vector<Text> two_numbers(const TomlNode& node, std::string_view place,
                                              std::string_view expected = kTwoNumbers);
  [[nodiscard]] std::vector<Text> two_points(const TomlNode& node, std::string_view place);
  /// The value of an element's field; otherwise a problem, and std::monostate.
  [[nodiscard]] Value field(const TomlNode& node, const std::string& place, planar::Form form, planar::Group group);

  /// All, in the order of the file.
  [[nodiscard]] Problems take_problems();

 private:
  [[nodiscard]] Text number_or(const TomlNode& node, std::string_view place, std::string_view expected);
  [[nodiscard]] bool is_pair(const TomlNode& node, std::string_view place, std::string_view expected);
  [[nodiscard]] Value motion(const TomlNode& node, const std::string& place);

  Problems problems_;
  std::size_t left_out_ = 0;
};

}  // namespace jounce
