// What files can be written, by the endings of their names: one table for every command.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jounce/base/result.hpp"

namespace jounce::app {

enum class Format { csv, xlsx, arrow, svg, png, dxf, gif, mp4, webm };

/// ".csv"
[[nodiscard]] std::string_view ending(Format format);
/// It can go to standard output.
[[nodiscard]] bool can_stream(Format format);

/// The format of a file that a command writes, one of `possible`; `-`, standard output, is the first of them. `plain`: names that end in .txt or in
/// nothing are meant to be the first, too. `option`: which one gives the name.
[[nodiscard]] Result<Format> format_of(std::string_view option, const std::string& path, std::span<const Format> possible, bool plain = false);

/// Why nothing can be written there: it is one of the files that it is made from. `made`: "the figure is made".
[[nodiscard]] Problems objections_to_inputs(const std::string& path, std::span<const std::string> inputs, std::string_view made);

}  // namespace jounce::app
