// Values of a model file by their form, and the sentences for what is not of that form.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/base/vocabulary.hpp"
#include "jounce/io/toml_tree.hpp"
#include "jounce/model/model.hpp"

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
  static constexpr std::string_view kPointInSpace = "three numbers [x, y, z], or { xyz = [x, y, z], rpy = [roll, pitch, yaw] }";

  void report(Where where, std::string sentence, std::string hint = {});
  void unexpected(const TomlNode& found, std::string_view place, std::string_view expected);
  /// `owner` begins the hint: "a 'revolute' joint has".
  void unknown_key(const TomlEntry& entry, std::string_view place, const std::vector<std::string>& known,
                   std::string_view owner);

  /// A string that is not empty; otherwise a problem, and an empty text.
  [[nodiscard]] Text word(const TomlNode& node, std::string_view place, std::string_view expected);
  /// A finite number, or a string that holds an expression; otherwise a problem, and an empty text.
  [[nodiscard]] Text number(const TomlNode& node, std::string_view place);
  /// true or false; otherwise a problem, and false.
  [[nodiscard]] bool yes_or_no(const TomlNode& node, std::string_view place);
  /// An array of `count` numbers; otherwise a problem, and nothing.
  [[nodiscard]] std::vector<Text> numbers(const TomlNode& node, std::string_view place, std::size_t count,
                                          std::string_view expected);
  /// An array of strings, at least one; otherwise a problem, and nothing.
  [[nodiscard]] std::vector<Text> words(const TomlNode& node, std::string_view place, std::string_view expected);
  /// Whether it is an array of one or more that is not too long; otherwise a problem.
  [[nodiscard]] bool is_list(const TomlNode& node, std::string_view place, std::string_view items, std::string_view expected);
  /// A point in space with its axes; otherwise a problem, and nothing.
  void point_in_space(const TomlNode& node, const std::string& place, NamedPoint& out);
  /// The value of an element's field; otherwise a problem, and std::monostate.
  [[nodiscard]] Value field(const TomlNode& node, const std::string& place, Form form);

  /// All, in the order of the file.
  [[nodiscard]] Problems take_problems();

 private:
  [[nodiscard]] Text number_or(const TomlNode& node, std::string_view place, std::string_view expected);
  [[nodiscard]] bool is_array(const TomlNode& node, std::string_view place, std::size_t count, std::string_view expected);
  [[nodiscard]] std::vector<Text> two_points(const TomlNode& node, std::string_view place);
  [[nodiscard]] PlainValue own_point(const TomlNode& node, std::string_view place, Form form);
  [[nodiscard]] PlainValue motion(const TomlNode& node, const std::string& place);
  [[nodiscard]] PlainValue table_file(const TomlNode& node, const std::string& place, Form form);
  [[nodiscard]] PlainValue plain(const TomlNode& node, const std::string& place, Form form);
  [[nodiscard]] Table table(const TomlNode& node, const std::string& place, std::span<const FieldInfo> fields,
                            std::string_view owner);
  [[nodiscard]] Value placement(const TomlNode& node, const std::string& place);
  [[nodiscard]] Value dofs(const TomlNode& node, const std::string& place);
  [[nodiscard]] Value friction(const TomlNode& node, const std::string& place, Form form);
  [[nodiscard]] Value pose(const TomlNode& node, const std::string& place);
  [[nodiscard]] Value screws(const TomlNode& node, const std::string& place);
  [[nodiscard]] Value places(const TomlNode& node, const std::string& place);

  Problems problems_;
  std::size_t left_out_ = 0;
};

}  // namespace jounce
