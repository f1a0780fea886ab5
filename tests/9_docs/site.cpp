// Oracle: a run of the program made now, for the page of validation; the folder models/, for what the pages must name; a site
// with known faults, for the script that looks for them.
#include <set>

#include "pages.hpp"
#include "places.hpp"
#include "sanitized.hpp"

using namespace jounce::test;

namespace {

// A Python that can run the scripts: tomllib came with 3.11.
bool has_python() { return std::system("python3 -c 'import tomllib' >/dev/null 2>&1") == 0; }

std::string script(const char* name) { return "python3 '" + (root() / "tools" / name).string() + "'"; }

std::set<std::string> models() {
  std::set<std::string> out;
  for (const auto& entry : fs::directory_iterator(root() / "models"))
    if (fs::exists(entry.path() / "model.toml")) out.insert(entry.path().filename().string());
  return out;
}

}  // namespace

TEST_CASE("the validation page agrees with a fresh run, and no number is beyond what is allowed") {
  // oracle: the program; tools/validation.py compares numbers to the digits shown and errors to their order of magnitude
#ifdef JOUNCE_SANITIZED
  return;  // some hundred runs: ten times slower here, and the same numbers
#endif
  if (!has_python()) return;
#ifdef __clang__
  const std::string orders = " --orders 2";  // the page is of g++: the rounding of another compiler is another one
#else
  const std::string orders;
#endif
  const Folder folder;
  const Folder::Ran ran = folder.run(script("validation.py") + " --program '" + places::program() + "' --check --quiet" + orders);
  CHECK_MESSAGE(ran.code == 0, ran.text);
  CHECK(ran.text.find("numbers compared, 0 beyond what is allowed; the page agrees with a fresh run") != std::string::npos);
}

TEST_CASE("a number that changes on the validation page is found, rounding is not") {
  // oracle: the page itself, changed by hand in one line at a time
  if (!has_python()) return;
  struct Change {
    std::string from, to;
    int found;  ///< lines that differ, as the script says
  };
  const std::vector<Change> changes{{"15.81077119629904", "15.81077119629904", 0},
                                    {"15.81077119629904", "15.81077119629944", 1},  // a published number
                                    {"0.478385057761,", "0.478385057762,", 0},  // the last digit shown may round the other way
                                    {"0.478385057761,", "0.478385057764,", 1},  // but no more
                                    {"| 3e-10 | 1e-9 |", "| 6e-10 | 1e-9 |", 0},    // the same order of magnitude
                                    {"| 3e-10 | 1e-9 |", "| 6e-9 | 1e-9 |", 1},     // another
                                    {"| 3e-10 | 1e-9 |", "| 3e-10 | 1e-8 |", 1},    // what is allowed stays
                                    {"| 1e-16 | 1e-12 |", "| 3e-14 | 1e-12 |", 0},  // rounding has no order of magnitude
                                    {"| N | bodies |", "| N | rods |", 1}};
  const Folder folder;
  const std::string kept = read_text(root() / "docs/validation.md");
  folder.write("kept.md", kept);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    std::string text = kept;
    const std::size_t at = text.find(changes[i].from);
    REQUIRE_MESSAGE(at != text.npos, "docs/validation.md: expected '" << changes[i].from << "'");
    folder.write("fresh" + std::to_string(i) + ".md", text.replace(at, changes[i].from.size(), changes[i].to));
  }
  folder.write("compare.py",
               "import sys\nsys.path.insert(0, sys.argv[1])\nimport validation\nkept = open('kept.md').read()\n"
               "for i in range(int(sys.argv[2])):\n  print(len(validation.differences(kept, open(f'fresh{i}.md').read())))\n");
  const Folder::Ran ran =
      folder.run("python3 compare.py '" + (root() / "tools").string() + "' " + std::to_string(changes.size()));
  const auto found = lines_of(ran.text);
  REQUIRE_MESSAGE(found.size() == changes.size(), ran.text);
  for (std::size_t i = 0; i < changes.size(); ++i)
    CHECK_MESSAGE(found[i] == std::to_string(changes[i].found), changes[i].from << " to " << changes[i].to);
}

TEST_CASE("every model is on the validation page and in the table that orders the gallery") {
  // oracle: the folders of models/
  const std::string validation = read_text(root() / "docs/validation.md"), table = read_text(root() / "models/README.md");
  for (const std::string& name : models()) {
    CAPTURE(name);
    CHECK(validation.find("(../models/" + name + "/card.md)") != std::string::npos);
    CHECK(table.find("(" + name + "/card.md)") != std::string::npos);
  }
  const std::string gallery = read_text(root() / "docs/gallery.md");
  for (const char* mark : {"<!-- models: driven -->", "<!-- models: moving -->", "<!-- models: stops -->", "<!-- models: space -->"})
    CHECK(gallery.find(mark) != std::string::npos);
}

TEST_CASE("the check of the site finds a missing file, a missing anchor and a script from elsewhere") {
  // oracle: a site with these three faults, and one without
  if (!has_python()) return;
  const Folder folder;
  const auto checked = [&](const std::string& body) {
    fs::create_directories(folder.path() / "site");
    folder.write("site/index.html", "<html><body><h1 id=\"top\">x</h1>" + body + "</body></html>");
    return folder.run(script("check_site.py") + " site");
  };
  const Folder::Ran good = checked("<a href=\"index.html#top\">x</a><a href=\"https://example.org/\">text</a>");
  CHECK_MESSAGE(good.code == 0, good.text);
  for (const auto& [body, said] : {std::pair{"<a href=\"away.html\">x</a>", "away.html: no such file"},
                                   {"<a href=\"#bottom\">x</a>", "#bottom: no such anchor"},
                                   {"<script src=\"https://example.org/x.js\"></script>", "loaded from elsewhere"}}) {
    const Folder::Ran bad = checked(body);
    CHECK(bad.code == 1);
    CHECK_MESSAGE(bad.text.find(said) != std::string::npos, bad.text);
  }
}
