#include "formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "jounce/base/text.hpp"
#include "picture.hpp"
#include "xlsx_writer.hpp"

namespace jounce::app {
namespace {

struct Known {
  Format format;
  std::string_view ending;
  bool streams;       // to standard output
  const char* missing;  // what is said where it was left out; null: it is always there
};

const std::array<Known, 9>& known() {
  static const std::array<Known, 9> kKnown{{{Format::csv, ".csv", true, nullptr},
                                            {Format::xlsx, ".xlsx", false, has_xlsx() ? nullptr : kNoXlsx},
                                            {Format::arrow, ".arrow", false, nullptr},
                                            {Format::svg, ".svg", true, nullptr},
                                            {Format::png, ".png", false, has_pictures() ? nullptr : kNoPictures},
                                            {Format::dxf, ".dxf", false, nullptr},
                                            {Format::gif, ".gif", false, has_pictures() ? nullptr : kNoPictures},
                                            {Format::mp4, ".mp4", false, has_pictures() ? nullptr : kNoPictures},
                                            {Format::webm, ".webm", false, has_pictures() ? nullptr : kNoPictures}}};
  return kKnown;
}

const Known& of(Format format) { return *std::ranges::find(known(), format, &Known::format); }

// ".csv, .xlsx or .arrow"
std::string endings(std::span<const Format> possible) {
  std::string out;
  for (std::size_t k = 0; k < possible.size(); ++k) {
    if (k > 0) out += k + 1 == possible.size() ? " or " : ", ";
    out += ending(possible[k]);
  }
  return out;
}

}  // namespace

std::string_view ending(Format format) { return of(format).ending; }
bool can_stream(Format format) { return of(format).streams; }

Result<Format> format_of(std::string_view option, const std::string& path, std::span<const Format> possible, bool plain) {
  if (path == "-") return possible.front();
  std::string found = std::filesystem::path(path).extension().string();
  std::ranges::transform(found, found.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto format = std::ranges::find(possible, found, ending);
  const bool unmarked = plain && !path.empty() && (found.empty() || found == ".txt");
  if (format == possible.end() && !unmarked)
    return error({}, fmt::format("{} {}: expected the name of a {} file, or - for standard output{}", option, path.empty() ? "''" : path,
                                 endings(possible), path.empty() ? "" : found.empty() ? ", found no ending" : ", found '" + found + "'"));
  const Format chosen = unmarked ? possible.front() : *format;
  if (const char* const missing = of(chosen).missing) return error({}, fmt::format("{} {}: {}", option, path, missing));
  return chosen;
}

Problems objections_to_inputs(const std::string& path, std::span<const std::string> inputs, std::string_view made) {
  std::error_code ignored;
  for (const std::string& input : inputs)
    if (std::filesystem::equivalent(path, input, ignored))
      return {error({}, fmt::format("-o {}: {} from this file; it would be overwritten", path, made))};
  return {};
}

}  // namespace jounce::app
