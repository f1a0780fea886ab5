// Oracle: the project itself. What a page shows must load, run, link and exist.
#include <cmath>
#include <regex>
#include <set>

#include "jounce/io/load.hpp"
#include "pages.hpp"

using namespace jounce;
using namespace jounce::test;

namespace {

// A line "jounce = 1" makes a block a whole model; anything less is a fragment.
bool is_model(const Block& block) {
  static const std::regex version(R"((^|\n)jounce\s*=\s*1\b)");
  return block.language == "toml" && std::regex_search(block.text, version);
}

// A model that is shown for its mistakes says so.
bool is_wrong(const Block& block) { return block.text.find("\n# wrong: ") != std::string::npos; }

std::string place(const Page& page, const Block& block) { return page.path.string() + ":" + std::to_string(block.line); }

struct Command {
  std::string line;
  int code = 0;
};

// The lines of a block that call the program; "# exit 1" behind one says which code it ends with. `./dev run` builds the
// program and then calls it.
std::vector<Command> commands(const Block& block) {
  static const std::regex expected(R"(#\s*exit\s+([0-9]+)\s*$)");
  std::vector<Command> out;
  for (std::string line : lines_of(block.text)) {
    if (line.starts_with("./dev run ")) line = "jounce run " + line.substr(10);
    if (line.starts_with("build/jounce ")) line = line.substr(6);
    if (!line.starts_with("jounce ")) continue;
    Command command{line};
    std::smatch match;
    if (std::regex_search(line, match, expected)) command.code = std::stoi(match[1]);
    out.push_back(command);
  }
  return out;
}

// The same words; numbers to one percent, and anything below 1e-9 is rounding. A line "..." stands for any lines.
bool same_word(const std::string& shown, const std::string& printed) {
  if (shown == printed) return true;
  static const std::regex number(R"([-+]?[0-9]*\.?[0-9]+(e[-+]?[0-9]+)?)");
  const auto split = [&](const std::string& word, std::vector<double>& numbers) {
    for (std::sregex_iterator it(word.begin(), word.end(), number), end; it != end; ++it)
      numbers.push_back(std::stod(it->str()));
    return std::regex_replace(word, number, "#");
  };
  std::vector<double> a, b;
  if (split(shown, a) != split(printed, b) || a.size() != b.size() || a.empty()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double size = std::max(std::abs(a[i]), std::abs(b[i]));
    if (size > 1e-9 && std::abs(a[i] - b[i]) > 0.01 * size) return false;
  }
  return true;
}

bool same_line(const std::string& shown, const std::string& printed) {
  std::istringstream a(shown), b(printed);
  std::string word, other;
  while (a >> word)
    if (!(b >> other) || !same_word(word, other)) return false;
  return !(b >> other);
}

// The first line shown that was not printed there; empty when all is as shown.
std::string first_difference(const std::string& shown, const std::string& printed) {
  const auto want = lines_of(shown), have = lines_of(printed);
  std::size_t at = 0;
  bool skip = false;
  for (const std::string& line : want) {
    if (line == "...") {
      skip = true;
      continue;
    }
    while (skip && at < have.size() && !same_line(line, have[at])) ++at;
    if (at == have.size() || !same_line(line, have[at])) return line.empty() ? "(an empty line)" : line;
    ++at, skip = false;
  }
  return skip || at == have.size() ? "" : "(more was printed) " + have[at];
}

}  // namespace

TEST_CASE("every complete model in the documents loads without a problem") {
  // oracle: jounce::load
  int models = 0;
  for (const Page& page : all_pages()) {
    const Folder folder;
    for (const Block& block : page.blocks) {
      if (const std::string name = file_name(block); !name.empty()) folder.write(name, block.text);
      if (!is_model(block)) continue;
      CAPTURE(place(page, block));
      folder.write("model.toml", block.text);
      const auto mechanism = load_any((folder.path() / "model.toml").string());
      CHECK_MESSAGE(mechanism.ok() != is_wrong(block), text(mechanism.problems()));
      CHECK_MESSAGE(mechanism.problems().empty() != is_wrong(block), text(mechanism.problems()));
      ++models;
    }
  }
  CHECK(models >= 8);
}

TEST_CASE("every command of the README and the guide ends with the exit code the page says, and prints what the page shows") {
  // oracle: the program; a block ```text right behind a block ```sh is what its commands print
  int run = 0, shown = 0;
  for (const Page& page : pages_with_commands()) {
    const Folder folder;
    std::string printed;
    bool is_output_of_commands = false;
    for (const Block& block : page.blocks) {
      CAPTURE(place(page, block));
      if (const std::string name = file_name(block); !name.empty()) folder.write(name, block.text);
      if (block.language == "text" && block.follows && is_output_of_commands) {
        const std::string difference = first_difference(block.text, printed);
        CHECK_MESSAGE(difference.empty(), difference << "\n--- printed:\n" << printed);
        ++shown;
      }
      is_output_of_commands = false;
      if (block.language != "sh") continue;
      printed.clear();
      for (const Command& command : commands(block)) {
        CAPTURE(command.line);
        const Folder::Ran ran = folder.run(command.line);
        CHECK_MESSAGE(ran.code == command.code, ran.text);
        printed += ran.text;
        is_output_of_commands = true;
        ++run;
      }
    }
  }
  CHECK(run >= 30);
  CHECK(shown >= 12);
}

TEST_CASE("the Python of the guide runs on the results of its page") {
  // oracle: python3, where there is one; the page's commands have written the files it reads
  if (std::system("python3 -c '' >/dev/null 2>&1") != 0) return;
  int run = 0;
  for (const Page& page : pages_with_commands()) {
    const Folder folder;
    for (const Block& block : page.blocks) {
      CAPTURE(place(page, block));
      if (const std::string name = file_name(block); !name.empty()) folder.write(name, block.text);
      if (block.language == "sh")
        for (const Command& command : commands(block)) (void)folder.run(command.line);
      if (block.language != "python") continue;
      folder.write("page.py", block.text);
      const Folder::Ran ran = folder.run("python3 page.py");
      CHECK_MESSAGE(ran.code == 0, ran.text);
      ++run;
    }
  }
  CHECK(run >= 1);
}

TEST_CASE("the program in the README is the one that the tests build and run") {
  // oracle: tests/8_use/consumer/main.cpp
  const std::string program = read_text(root() / "tests/8_use/consumer/main.cpp");
  REQUIRE(!program.empty());
  int found = 0;
  for (const Block& block : page("README.md").blocks)
    if (block.language == "cpp") {
      CHECK(block.text == program);
      ++found;
    }
  CHECK(found == 1);
}

TEST_CASE("the joint of CONTRIBUTING is the one that the tests compile") {
  // oracle: tests/9_docs/midpoint.hpp
  const std::string joint = read_text(root() / "tests/9_docs/midpoint.hpp");
  const Page contributing = page("CONTRIBUTING.md");
  CHECK(std::ranges::any_of(contributing.blocks, [&](const Block& b) { return b.language == "cpp" && b.text == joint; }));
}

TEST_CASE("every relative link leads to a file") {
  // oracle: the file system; a link into a page leads to one of its headings
  static const std::regex link(R"(\]\(([^)\s]+)\))");
  const auto anchors = [](const fs::path& file) {
    std::set<std::string> out;
    bool inside = false;
    for (const std::string& line : lines_of(read_text(file))) {
      if (line.starts_with("```")) inside = !inside;
      if (inside || !line.starts_with("#")) continue;
      std::string anchor;
      for (const char c : line.substr(line.find_first_not_of("# "))) {
        const auto u = static_cast<unsigned char>(c);
        if (std::isalnum(u) != 0 || c == '-' || c == '_' || u >= 128)
          anchor += static_cast<char>(std::tolower(u));
        else if (c == ' ')
          anchor += '-';
      }
      out.insert(anchor);
    }
    return out;
  };
  int links = 0;
  for (const Page& page : all_pages())
    for (std::sregex_iterator it(page.prose.begin(), page.prose.end(), link), end; it != end; ++it) {
      const std::string target = (*it)[1];
      if (target.find("://") != target.npos) continue;
      CAPTURE(page.path.string());
      CAPTURE(target);
      const std::size_t hash = target.find('#');
      const fs::path here = root() / page.path;
      const fs::path file = hash == 0 ? here : here.parent_path() / target.substr(0, hash);
      CHECK(fs::exists(file));
      if (hash != target.npos && file.extension() == ".md") CHECK(anchors(file).contains(target.substr(hash + 1)));
      ++links;
    }
  CHECK(links >= 60);
}

TEST_CASE("every path of the project that a document names exists") {
  // oracle: the file system; a path without its root is meant from src/jounce
  static const std::regex code("`([^`\\s]+)`");
  static const std::regex from_root(R"((\./dev|(src|apps|tests|models|docs|tools|bench|cmake)(/[A-Za-z0-9_.-]+)*/?))");
  static const std::regex from_library(R"(([a-z_0-9]+/)+([a-z_0-9]+\.(hpp|cpp))?)");
  int paths = 0;
  for (const Page& page : all_pages())
    for (std::sregex_iterator it(page.prose.begin(), page.prose.end(), code), end; it != end; ++it) {
      const std::string name = (*it)[1];
      CAPTURE(page.path.string());
      CAPTURE(name);
      const bool rooted = std::regex_match(name, from_root);
      if (!rooted && !std::regex_match(name, from_library)) continue;
      const bool exists = fs::exists(root() / name) || (!rooted && fs::exists(root() / "src/jounce" / name));
      CHECK(exists);
      ++paths;
    }
  CHECK(paths >= 60);
}

TEST_CASE("the reference is what its generator writes") {
  // oracle: jounce_reference, run now (./dev docs writes the pages)
  const Folder folder;
  const fs::path fresh = folder.path() / "reference", kept = root() / "docs/reference";
  const Folder::Ran ran = folder.run("'" JOUNCE_REFERENCE "' reference");
  REQUIRE_MESSAGE(ran.code == 0, ran.text);
  const auto names = [](const fs::path& path) {
    std::set<std::string> out;
    for (const auto& entry : fs::directory_iterator(path)) out.insert(entry.path().filename().string());
    return out;
  };
  CHECK(names(fresh) == names(kept));
  for (const std::string& name : names(fresh)) {
    CAPTURE(name);
    CHECK(read_text(fresh / name) == read_text(kept / name));
  }
}
