// Where files come from: models, tables, robots and results are all read through here.
//
// A host without a file system (a page in a browser), or one that holds models in memory, sets a provider of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "jounce/base/result.hpp"

namespace jounce {

/// The whole content of a file, or an error whose sentence is the reason: "No such file or directory". More than `at_most` bytes
/// need not be read: they are refused anyway.
using FileProvider = std::function<Result<std::string>(const std::string& path, std::size_t at_most)>;

/// Texts of files by their paths.
using FileTexts = std::map<std::string, std::shared_ptr<const std::string>, std::less<>>;

/// To be set once, before anything is read: reading from several threads is safe, and setting meanwhile is not. An empty
/// provider stands for the file system. The provider may be called from several threads at once.
void set_file_provider(FileProvider provider);

/// From the provider. The error names the file, and says "cannot read the `what`" with the reason; a file of more than `at_most` bytes is
/// refused.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t at_most, std::string_view what = "file");

}  // namespace jounce
