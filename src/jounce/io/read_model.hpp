// Model file to Model: what the file says, checked for its form only.
//
// Keys, types and kinds of values are those of the catalogue of element types (planar/catalogue.hpp, tree/catalogue.hpp); nothing
// is evaluated and no name is looked up, that is the work of `build`. Everything wrong is found in one pass, each with its place.
//
// What could not be read has been reported, and stands in the model in a form that later stages can leave alone:
// std::monostate for an entry, an empty text or an empty list for a number or several, an element without a type.
// A text that was read is never empty.
#pragma once

#include <string>
#include <string_view>

#include "jounce/base/problem.hpp"
#include "jounce/model/model.hpp"

namespace jounce {

struct ReadModel {
  Model model;        ///< as much as could be read; empty after a syntax error
  Problems problems;  ///< in the order of the file
  std::string text;   ///< of the file
  Where space;        ///< of what the file says about its space
};

/// `file_name` is for messages, for table paths and for the name of a model that gives none; nothing is opened.
[[nodiscard]] ReadModel parse_model(std::string_view text, std::string file_name);

/// A file that cannot be read, or larger than 64 MiB, is an error without a place.
[[nodiscard]] ReadModel parse_model_file(const std::string& path);

}  // namespace jounce
