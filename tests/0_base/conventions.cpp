// What every file of the repository keeps to.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "places.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = places::source();
constexpr long kLongestFile = 600;  // lines: more than one idea fits in that

// A file that may be longer, and why. Empty is best.
const std::map<std::string, std::string> kLongFiles{};

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string shown(const fs::path& path) { return path.lexically_relative(kRoot).string(); }

std::vector<fs::path> sources(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    const std::string kind = entry.path().extension().string();
    if (entry.is_regular_file() && (kind == ".cpp" || kind == ".hpp")) out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

// A path of this repository: one of its folders, a slash, and nothing that stands for something else.
bool looks_like_a_path(const std::string& word) {
  if (word.find_first_of(" <>*{}$()=|,;:\"'") != word.npos || word.find("...") != word.npos) return false;
  if (std::ranges::any_of(word, [](unsigned char c) { return c >= 0x80; })) return false;
  static const std::vector<std::string> folders{"apps/", "bench/", "cmake/", "docs/", "models/", "src/", "tests/", "tools/"};
  if (std::ranges::none_of(folders, [&](const std::string& folder) { return word.starts_with(folder); })) return false;
  // NAME and T stand for a name of the reader's own
  return std::ranges::none_of(fs::path(word), [](const fs::path& part) {
    const std::string stem = part.stem().string();
    return !stem.empty() && stem != "README" &&
           std::ranges::all_of(stem, [](unsigned char c) { return std::isupper(c) || c == '_'; });
  });
}

// In a line of code without its texts and comments. What begins with `sin(const` is the definition of one of ours.
bool calls_the_sine_of_the_library(const std::string& line) {
  static const std::regex silent("\"([^\"\\\\]|\\\\.)*\"|//.*");
  static const std::regex foreign(
      "\\b(sin|cos)[fl]?\\((?!const )|(^|\\bstd|[^\\w])::sincos[fl]?\\(|\\b(polar|cis)\\(|\\b(AngleAxis|Rotation2D)");
  return std::regex_search(std::regex_replace(line, silent, ""), foreign);
}

}  // namespace

TEST_CASE("no file of the library is too long to be read in one go") {
  // oracle: the count of lines
  for (const fs::path& path : sources("src")) {
    const std::string text = content(path);
    const auto lines = std::ranges::count(text, '\n');
    if (!kLongFiles.contains(shown(path))) CHECK_MESSAGE(lines <= kLongestFile, shown(path) << " has " << lines << " lines");
  }
  for (const auto& entry : kLongFiles) {
    CHECK_MESSAGE(fs::exists(kRoot / entry.first), entry.first << " is in the list of long files but not there");
    CHECK_MESSAGE(!entry.second.empty(), entry.first << " may be long for a reason only");
  }
}

TEST_CASE("nothing in the library is left for later") {
  // oracle: the words that mark unfinished work
  const std::regex unfinished(
      "\\b(TO"
      "DO|FIX"
      "ME|X"
      "XX|HA"
      "CK)\\b");
  for (const char* folder : {"src", "apps"})
    for (const fs::path& path : sources(folder)) CHECK_MESSAGE(!std::regex_search(content(path), unfinished), shown(path));
}

TEST_CASE("sine and cosine are our own") {
  // oracle: the names of the C library's, and of what calls them; our own do so for angles that are too large for them
  for (const fs::path& path : sources("src")) {
    if (shown(path) == "src/jounce/scalar/turn.cpp") continue;
    std::ifstream in(path);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      CHECK_MESSAGE(!calls_the_sine_of_the_library(line), shown(path) << ":" << number << ": write sincos(x).sin or sincos(x).cos");
    }
  }
}

TEST_CASE("nothing is called that writes a variable of the process") {
  // oracle: the C library's functions that do and that numerical code is tempted by; lgamma writes signgam
  const std::regex writes("\\b(lgamma|strtok|localtime|gmtime|rand|srand|setlocale|strerror)\\s*\\(");
  CHECK(std::regex_search(std::string("std::lgamma(x)"), writes));
  for (const char* folder : {"src", "apps"})
    for (const fs::path& path : sources(folder)) CHECK_MESSAGE(!std::regex_search(content(path), writes), shown(path));
}

TEST_CASE("what counts as a sine of the C library is neither too much nor too little") {
  // oracle: by hand
  for (const char* foreign : {"y = std::sin(x);", "return {cos(a), 1};", "-::cos( x )", "std::sincos(x, &s, &c);", "::sincos(x, &s, &c);",
                              "std::polar(1.0, x)", "Eigen::AngleAxisd(x, axis)", "Eigen::Rotation2Dd r(x);", "z = sin(x);  // sine", "std::sinf(x)"})
    CHECK_MESSAGE(calls_the_sine_of_the_library(foreign), std::string(foreign));
  for (const char* ours : {"const auto [s, c] = sincos(x);", "turn.sin[i] = 1;", "Dual<N, T> sin(const Dual<N, T>& a) {", "y = asin(x);",
                           "std::acos(x)", "// sin(x) is the sine", "\"5*sin(2*pi*t)\"", "jounce::sincos(x).cos", "using std::sin;", "case Op::cos: return"})
    CHECK_MESSAGE(!calls_the_sine_of_the_library(ours), std::string(ours));
}

TEST_CASE("every header can be included twice") {
  // oracle: #pragma once
  for (const char* folder : {"src", "apps", "tests"})
    for (const fs::path& path : sources(folder))
      if (path.extension() == ".hpp") CHECK_MESSAGE(content(path).find("#pragma once\n") != std::string::npos, shown(path));
}

TEST_CASE("every file ends with a newline, and has no tabs and no blanks at the end of a line") {
  // oracle: the bytes
  const std::regex stray("\t|[ \r]\n");
  for (const char* folder : {"src", "apps"})
    for (const fs::path& path : sources(folder)) {
      const std::string text = content(path);
      CHECK_MESSAGE(text.ends_with('\n'), shown(path));
      CHECK_MESSAGE(!std::regex_search(text, stray), shown(path));
    }
}

TEST_CASE("every path that a page names in backticks exists") {
  // oracle: the file system
  std::vector<fs::path> pages;
  if (fs::exists(kRoot / "README.md")) pages.push_back(kRoot / "README.md");
  if (fs::exists(kRoot / "docs"))
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / "docs"))
      if (entry.path().extension() == ".md") pages.push_back(entry.path());
  const std::regex quoted("`([^`\n]+)`");
  for (const fs::path& page : pages) {
    const std::string text = content(page);
    for (std::sregex_iterator it(text.begin(), text.end(), quoted), end; it != end; ++it) {
      const std::string word = (*it)[1];
      if (looks_like_a_path(word)) CHECK_MESSAGE(fs::exists(kRoot / word), shown(page) << " names `" << word << "`");
    }
  }
}

TEST_CASE("what counts as a path is neither too much nor too little") {
  // oracle: by hand
  for (const char* path :
       {"src/jounce/io/load.hpp", "docs/", "models/README.md", "tests/bad", "models/quick-return/model.toml"})
    CHECK_MESSAGE(looks_like_a_path(path), path);
  for (const char* other :
       {"crank/2", "models/*/model.toml", "src/...", "models/NAME/model.toml", "jounce run models/x", "sin(t)/t"})
    CHECK_MESSAGE(!looks_like_a_path(other), other);
}
