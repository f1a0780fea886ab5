// Every broken model of tests/bad, and word for word what a user reads about it.
//
// To add one: NAME.toml, as small as it can be, its first line saying what is wrong; and NAME.txt, what `jounce check NAME.toml`
// prints in that folder, once it is a message you would be glad to get.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "jounce/io/load.hpp"
#include "jounce/io/read_model.hpp"
#include "places.hpp"

namespace bad_models_test {

using namespace jounce;

namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(places::source()) / "tests" / "bad";

std::vector<fs::path> bad_models() {
  std::vector<fs::path> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder))
    if (entry.path().extension() == ".toml") out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Messages as they are when the program runs inside the folder.
std::string without_folder(std::string messages) {
  const std::string folder = (kFolder / "").string();
  for (std::size_t at = messages.find(folder); at != messages.npos; at = messages.find(folder, at))
    messages.erase(at, folder.size());
  return messages;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

// The lines that differ: "-" was expected, "+" was found.
std::string difference(const std::string& expected, const std::string& found) {
  const std::vector<std::string> a = lines_of(expected), b = lines_of(found);
  std::string out;
  for (std::size_t k = 0; k < std::max(a.size(), b.size()); ++k) {
    if (k < a.size() && k < b.size() && a[k] == b[k]) continue;
    if (k < a.size()) out += "  - " + a[k] + '\n';
    if (k < b.size()) out += "  + " + b[k] + '\n';
  }
  return out;
}

}  // namespace

TEST_CASE("every broken model gets exactly its messages") {
  // oracle: NAME.txt beside NAME.toml, written as a user should read it; file, line, column and sentence are compared
  const std::vector<fs::path> models = bad_models();
  CHECK(models.size() >= 100);
  for (const fs::path& path : models) {
    const auto loaded = load_plane(path.string());
    const std::string found = without_folder(text(loaded.problems()));
    const fs::path messages = fs::path(path).replace_extension(".txt");
    const std::string name = path.filename().string();
    CHECK_MESSAGE(!loaded.ok(), name << " was accepted");
    REQUIRE_MESSAGE(fs::exists(messages), name << " has no " << messages.filename().string() << "; it gives\n" << found);
    const std::string expected = content(messages);
    CHECK_MESSAGE(found == expected, name << " (- expected, + found)\n" << difference(expected, found));
  }
}

TEST_CASE("every file of expected messages belongs to a broken model, and every model says what is wrong with it") {
  // oracle: the folder itself
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder))
    if (entry.path().extension() == ".txt")
      CHECK_MESSAGE(fs::exists(fs::path(entry.path()).replace_extension(".toml")), entry.path().filename().string());
  for (const fs::path& path : bad_models()) {
    const std::string name = path.filename().string();
    if (name == "empty-file.toml" || name == "binary-garbage.toml") continue;  // a comment would change what they are
    CHECK_MESSAGE(content(path).starts_with("# "), name);
  }
}

TEST_CASE("every message names a place, says something, and is said once") {
  // oracle: the interface: `file:line:column: error: element: key: ...`; only a model without bodies has no place to point at
  for (const fs::path& path : bad_models()) {
    const auto loaded = load_plane(path.string());
    const Problems& problems = loaded.problems();
    CAPTURE(path.filename().string());
    for (std::size_t k = 0; k < problems.size(); ++k) {
      CAPTURE(problems[k].text());
      CHECK(!problems[k].file.empty());
      if (path.filename() != "no-bodies.toml") CHECK(problems[k].where.line >= 1);
      CHECK(problems[k].sentence.size() > 10);
      CHECK(std::ranges::count(problems, problems[k]) == 1);
      if (k > 0) CHECK(problems[k - 1].where <= problems[k].where);
    }
  }
}

TEST_CASE("a broken model that is cut off anywhere still gives an answer") {
  // oracle: no crash, and either a mechanism or at least one error
  int answers = 0;
  for (const fs::path& path : bad_models()) {
    const std::string whole = content(path);
    for (std::size_t size = 0; size < whole.size(); size += 37) {
      const ReadModel read = parse_model(std::string_view(whole).substr(0, size), path.string());
      const auto built = build_plane(read.model);
      CHECK(built.ok() != any_error(built.problems()));
      ++answers;
    }
  }
  CHECK(answers > 300);
}

TEST_CASE("a parameter set from outside is blamed by its name, without a place in the file") {
  // oracle: by hand; the file is right, so no line of it is to blame
  const std::string path = (fs::path(places::source()) / "models" / "quick-return" / "model.toml").string();
  const auto messages = [&](const std::string& name, const std::string& value) {
    const std::vector<Override> overrides{{name, value}};
    return text(load_plane(path, overrides).problems());
  };
  CHECK(messages("speed", "4") == "");
  CHECK(messages("speed", "1/0") == path + ": error: parameter 'speed': division by zero: 1/0\n");
  CHECK(messages("speed", "") == path + ": error: parameter 'speed': expected a number, a name or '(', found the end\n");
  CHECK(messages("sped", "4") == "error: cannot set sped = 4: the model has no parameter 'sped' (did you mean 'speed'?)\n");
}

}  // namespace bad_models_test
