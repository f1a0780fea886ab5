// Oracle: the program. Every figure that docs/figures/commands.txt lists is what its commands draw now, and is shown on a page; no other drawing lies
// in the folder. `./dev figures` makes them anew.
#include <set>

#include "pages.hpp"

using namespace jounce::test;

namespace {

struct Figure {
  std::string name, commands;
};

std::vector<Figure> figures() {
  std::vector<Figure> out;
  for (const std::string& line : lines_of(read_text(root() / "docs/figures/commands.txt"))) {
    if (line.empty() || line.starts_with("#")) continue;
    const std::size_t colon = line.find(": ");
    REQUIRE_MESSAGE(colon != line.npos, line);
    out.push_back({line.substr(0, colon), line.substr(colon + 2)});
  }
  return out;
}

}  // namespace

TEST_CASE("figures of the documents are what the program draws") {
  for (const Figure& figure : figures()) {
    CAPTURE(figure.name);
    const Folder folder;
    fs::create_symlink(root() / "docs", folder.path() / "docs");
    // what the commands before the last one say is no part of the figure
    const std::size_t last = figure.commands.rfind(" && ");
    const std::string before = last == std::string::npos ? "" : "(" + figure.commands.substr(0, last) + ") >/dev/null && ";
    const auto drawn = folder.run(before + (last == std::string::npos ? figure.commands : figure.commands.substr(last + 4)));
    CHECK(drawn.code == 0);
    CHECK_MESSAGE(drawn.text == read_text(root() / "docs/figures" / figure.name), figure.name << ": not what is drawn now; ./dev figures makes it anew");
  }
}

TEST_CASE("every figure has its commands, and a page that shows it") {
  std::set<std::string> listed, shown;
  for (const Figure& figure : figures()) listed.insert(figure.name);
  for (const Page& page : all_pages()) {
    std::size_t at = 0;
    while ((at = page.prose.find("figures/", at)) != std::string::npos) {
      at += std::string("figures/").size();
      shown.insert(page.prose.substr(at, page.prose.find_first_of(")\" \n", at) - at));
    }
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(root() / "docs/figures")) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() || name == "commands.txt") continue;
    CHECK_MESSAGE(shown.contains(name), name << ": no page shows it");
    const bool measured = name.starts_with("formulations-") && name != "formulations-mechanism.svg";  // times, by tools/plot_formulations.py
    if (name.ends_with(".svg") && !measured) CHECK_MESSAGE(listed.contains(name), name << ": no commands make it");
  }
  for (const std::string& name : listed) CHECK_MESSAGE(fs::exists(root() / "docs/figures" / name), name);
}
