// The documents as the tests see them: pages, their fenced blocks, and the folder in which their commands run.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "places.hpp"

namespace jounce::test {

namespace fs = std::filesystem;

inline const fs::path& root() {
  static const fs::path path = places::source();
  return path;
}

inline std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// What stands between two fences, with the word behind the first: ```toml.
struct Block {
  std::string language;
  std::string text;
  int line = 0;          ///< of the first fence, from 1
  bool follows = false;  ///< nothing but blank lines between it and the block before it
};

struct Page {
  fs::path path;  ///< from the root
  std::vector<Block> blocks;
  std::string prose;  ///< the page without its blocks; line breaks kept
};

inline Page page(const fs::path& path) {
  Page out{path, {}, {}};
  bool inside = false, only_blanks = false;
  int number = 0;
  for (const std::string& line : lines_of(read_text(root() / path))) {
    ++number;
    if (line.starts_with("```")) {
      if (!inside) out.blocks.push_back({line.substr(3), {}, number, only_blanks});
      inside = !inside;
      only_blanks = true;
      out.prose += '\n';
      continue;
    }
    if (inside)
      out.blocks.back().text += line + '\n';
    else if (!line.empty())
      only_blanks = false;
    out.prose += inside ? "\n" : line + '\n';
  }
  REQUIRE_MESSAGE(!inside, path.string() << ": a fence is not closed");
  return out;
}

/// Every document of the project: what ends in .md, outside of build folders and of packages.
inline std::vector<Page> all_pages() {
  std::vector<fs::path> paths;
  for (fs::recursive_directory_iterator it(root()), end; it != end; ++it) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() &&
        (name.starts_with(".") || name == "node_modules" || (it.depth() == 0 && name.starts_with("build"))))
      it.disable_recursion_pending();
    else if (it->path().extension() == ".md")
      paths.push_back(fs::relative(it->path(), root()));
  }
  std::ranges::sort(paths);
  std::vector<Page> out;
  for (const fs::path& path : paths) out.push_back(page(path));
  return out;
}

/// A temporary folder that looks like the root of the project to a command: build/jounce, models/.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "jounce-docs-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
    fs::create_directory(path_ / "build");
    fs::create_symlink(places::program(), path_ / "build/jounce");
    fs::create_symlink(root() / "models", path_ / "models");
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name, std::ios::binary) << text; }

  struct Ran {
    int code = -1;
    std::string text;  ///< standard output and standard error, as they came
  };
  /// A command line of bash, which finds `jounce` and is at home in the folder.
  [[nodiscard]] Ran run(const std::string& command) const {
    write(".command", command + "\n");
    const std::string line =
        "cd '" + path_.string() + "' && HOME=\"$PWD\" PATH=\"$PWD/build:$PATH\" bash .command >.output 2>&1 </dev/null";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(path_ / ".output")};
  }

 private:
  fs::path path_;
};

/// The name in a first line "# file: NAME" or "<!-- file: NAME -->", or nothing.
inline std::string file_name(const Block& block) {
  for (const std::string_view mark : {"# file: ", "<!-- file: "})
    if (block.text.starts_with(mark))
      return block.text.substr(mark.size(), block.text.find_first_of(" \n", mark.size()) - mark.size());
  return {};
}

}  // namespace jounce::test
