// Problems, results and suggestions: what every message is made of.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "jounce/base/problem.hpp"
#include "jounce/base/result.hpp"
#include "jounce/base/shown_problems.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/base/utf8.hpp"

using namespace jounce;

namespace {

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  return nearest_name(word, known).value_or("-");
}

}  // namespace

TEST_CASE("a problem reads like a compiler's message") {
  // oracle: the example of the interface
  Problem problem = error({14, 5}, "joint 'B': i: 'crank' has no point 'C' (it has A, B)");
  problem.file = "crank.toml";
  CHECK(problem.text() == "crank.toml:14:5: error: joint 'B': i: 'crank' has no point 'C' (it has A, B)");
  problem.hint = "add the point";
  CHECK(problem.text() ==
        "crank.toml:14:5: error: joint 'B': i: 'crank' has no point 'C' (it has A, B)\n  hint: add the point");
}

TEST_CASE("a problem without a place or without a file leaves them out") {
  // oracle: by hand
  CHECK(error({}, "no").text() == "error: no");
  CHECK(warning({3, 1}, "odd").text() == "3:1: warning: odd");
  Problem problem{.severity = Severity::note, .file = "a.toml", .sentence = "more"};
  CHECK(problem.text() == "a.toml: note: more");
}

TEST_CASE("problems are printed one per line, in the order of the file once sorted") {
  // oracle: by hand; problems at the same place keep their order
  Problems problems{error({2, 5}, "c"), error({2, 1}, "a"), warning({}, "first"), error({2, 1}, "b"), error({10, 1}, "d")};
  sort_by_place(problems);
  CHECK(text(problems) == "warning: first\n2:1: error: a\n2:1: error: b\n2:5: error: c\n10:1: error: d\n");
  CHECK(text({}).empty());
}

TEST_CASE("of problems that differ in names only the first five are shown, with the number of the others") {
  // oracle: by hand; a key that is misspelt in another way and a warning are others, and so is a sentence of its own
  Problems problems;
  for (int i = 1; i <= 8; ++i) {
    problems.push_back(error({2 * i, 1}, "body 'b" + std::to_string(i) + "': unknown key 'lenght'"));
    problems.push_back(error({2 * i + 1, 1}, "joint 'j" + std::to_string(i) + "': i: 'b" + std::to_string(i) + "' has no point 'C'"));
  }
  problems.push_back(error({20, 1}, "body 'b9': unknown key 'widht'"));
  problems.push_back(warning({21, 1}, "body 'b9': unknown key 'lenght'"));
  const std::vector<ShownProblem> shown = first_of_each(problems);
  REQUIRE(shown.size() == 12);
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(shown[i].problem == &problems[i]);
    CHECK(shown[i].more == (i < 8 ? 0 : 3));
  }
  CHECK(shown[8].last == 16);
  CHECK(shown[9].last == 17);
  CHECK(shown[10].problem->where.line == 20);
  CHECK(shown[11].more == 0);
  CHECK(first_of_each(problems, 8).size() == problems.size());
}

TEST_CASE("locating gives a file to those problems that have none") {
  // oracle: by hand
  Problems problems{error({1, 1}, "a"), error({1, 1}, "b")};
  problems[0].file = "table.csv";
  locate(problems, "model.toml");
  CHECK(problems[0].file == "table.csv");
  CHECK(problems[1].file == "model.toml");
}

TEST_CASE("only errors are errors") {
  // oracle: by hand
  CHECK(!any_error({}));
  CHECK(!any_error({warning({}, "w"), Problem{.severity = Severity::note}}));
  CHECK(any_error({warning({}, "w"), error({}, "e")}));
}

TEST_CASE("a result has a value, perhaps with warnings, or the problems that prevented it") {
  // oracle: by hand
  const Result<int> good = 7;
  REQUIRE(good.ok());
  CHECK(*good == 7);
  CHECK(good.problems().empty());
  const Result<int> odd{7, {warning({}, "odd")}};
  CHECK(odd);
  CHECK(odd.problems().size() == 1);
  const Result<int> bad = error({}, "no");
  CHECK(!bad);
  CHECK(bad.problems().at(0).sentence == "no");
}

TEST_CASE("a value that can only be moved can be taken out of its result") {
  // oracle: the type itself
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  const std::unique_ptr<int> value = *std::move(result);
  CHECK(*value == 5);
}

TEST_CASE("one slip is forgiven: a letter too many, too few, wrong, or two letters swapped") {
  // oracle: each word is one edit away from 'length'
  const std::vector<std::string> known{"type", "length", "offset"};
  for (const char* word : {"lenght", "lengthh", "lengt", "langth", "elngth", "Length", "lengh"})
    CHECK_MESSAGE(nearest(word, known) == "length", word);
  CHECK(nearest("tpye", known) == "type");
  CHECK(nearest("ofset", known) == "offset");
  CHECK(nearest("type", known) == "type");
}

TEST_CASE("a swap of neighbours counts as one edit, not as two") {
  // oracle: 'ba' is one swap from 'ab' and two replacements from it; a word of three letters is allowed one edit only
  CHECK(nearest("abd", {"adb"}) == "adb");
  CHECK(nearest("xi", {"ix"}) == "ix");
}

TEST_CASE("a word that is like nothing known gets no suggestion") {
  // oracle: the rule: about one letter in three may be wrong
  CHECK(nearest("flywheel", {"crank", "rod", "ground"}) == "-");
  CHECK(nearest("A", {"B", "C"}) == "-");
  CHECK(nearest("", {"a", "bc"}) == "-");
  CHECK(nearest("crank", {}) == "-");
  CHECK(nearest("wxyz", {"abcd"}) == "-");
}

TEST_CASE("of several names the nearest is suggested, and of equals the first") {
  // oracle: edit distances by hand
  CHECK(nearest("crnk", {"drink", "crank"}) == "crank");
  CHECK(nearest("rod3", {"rod1", "rod2"}) == "rod1");
}

TEST_CASE("a long word is answered at once") {
  // oracle: the limit of 64 letters
  CHECK(nearest(std::string(100000, 'a'), {std::string(100000, 'a')}) == "-");
  CHECK(nearest(std::string(64, 'a'), {std::string(63, 'a')}) == std::string(63, 'a'));
}

TEST_CASE("names are joined by commas, and a long list is cut") {
  // oracle: by hand
  CHECK(join_names({}) == "none");
  CHECK(join_names(std::vector<std::string>{"A"}) == "A");
  CHECK(join_names(std::vector<std::string>{"A", "B"}) == "A, B");
  CHECK(join_names(std::vector<std::string>{"A", "B", "C", "D"}, 2) == "A, B and 2 more");
  CHECK(join_names(std::vector<std::string>{"A", "B"}, 2) == "A, B");
}

TEST_CASE("a character is as long as UTF-8 says, and what is none has no length") {
  // oracle: the table of well-formed sequences of the Unicode standard (3-7), at its corners
  struct Case {
    std::string text;
    std::size_t size;
  };
  for (const Case& c :
       {Case{"", 0}, Case{"a", 1}, Case{std::string(1, '\0'), 1}, Case{"\x7f", 1}, Case{"é", 2}, Case{"\xc2\x80", 2}, Case{"€uro", 3},
        Case{"\xed\x9f\xbf", 3}, Case{"\xef\xbf\xbf", 3}, Case{"🙂", 4}, Case{"\xf4\x8f\xbf\xbf", 4}, Case{"\x80", 0},
        Case{"\xc1\xbf", 0}, Case{"\xc3", 0}, Case{"\xc3(", 0}, Case{"\xe0\x9f\xbf", 0}, Case{"\xed\xa0\x80", 0},
        Case{"\xe2\x82", 0}, Case{"\xf0\x8f\xbf\xbf", 0}, Case{"\xf4\x90\x80\x80", 0}, Case{"\xf5\x80\x80\x80", 0}})
    CHECK_MESSAGE(character_size(c.text) == c.size, c.text);
}
