// Oracle: the project itself. What a page shows must load, run, link and exist.
#include <regex>
#include <set>

#include "jounce/api/mechanism.hpp"
#include "pages.hpp"
#include "places.hpp"

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
      const auto mechanism = jounce::load((folder.path() / "model.toml").string());
      CHECK_MESSAGE(mechanism.ok() != is_wrong(block), text(mechanism.problems()));
      CHECK_MESSAGE(mechanism.problems().empty() != is_wrong(block), text(mechanism.problems()));
      ++models;
    }
  }
  CHECK(models >= 8);
}

TEST_CASE("every C++ block of a document is a file that the tests compile") {
  // oracle: the files themselves; the tests of their rungs build them and look at what they compute
  const std::vector<std::pair<std::string, std::string>> compiled{{"README.md", "tests/8_use/consumer/main.cpp"},
                                                                  {"CONTRIBUTING.md", "tests/9_docs/midpoint.hpp"},
                                                                  {"docs/guide/algorithms.md", "tests/9_docs/arm.hpp"},
                                                                  {"docs/guide/from-cpp.md", "tests/9_docs/from_cpp.hpp"}};
  std::set<std::string> seen;
  for (const Page& page : all_pages())
    for (const Block& block : page.blocks) {
      if (block.language != "cpp" && block.language != "c++") continue;
      const auto same = [&](const auto& pair) {
        return pair.first == page.path && read_text(root() / pair.second) == block.text;
      };
      CHECK_MESSAGE(std::ranges::any_of(compiled, same),
                    place(page, block) << ": expected the text of a file that is compiled (the list is in this test), found\n"
                                       << block.text);
      seen.insert(page.path.string());
    }
  for (const auto& pair : compiled)
    CHECK_MESSAGE(seen.contains(pair.first), pair.first << ": expected the text of " << pair.second);
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
  static const std::regex from_root(R"((\./dev|(src|apps|tests|models|docs|tools|bench|cmake|site)(/[A-Za-z0-9_.-]+)*/?))");
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
  const Folder::Ran ran = folder.run("'" + places::reference() + "' reference");
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
