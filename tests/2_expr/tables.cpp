#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "expr_test.hpp"
#include "jounce/expr/table_file.hpp"

using namespace jounce;

namespace {

struct TableFile {
  std::string path = (std::filesystem::temp_directory_path() / ("jounce_table_" + std::to_string(getpid()) + ".csv")).string();
  explicit TableFile(std::string_view content) { std::ofstream(path, std::ios::binary) << content; }
  ~TableFile() { std::filesystem::remove(path); }
};

Result<QuinticSpline> read(std::string_view content) { return read_table(TableFile(content).path); }

// line:column: sentence of each problem
std::string problems(std::string_view content) {
  std::string out;
  const auto spline = read(content);
  for (const Problem& p : spline.problems()) {
    CHECK(p.file == TableFile("").path);
    out += std::to_string(p.where.line) + ":" + std::to_string(p.where.column) + ": " + p.sentence + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("a table is read with commas, semicolons or blanks, with headings, comments and blank lines") {
  // oracle: the points (0, 1), (1, 3), (2, 9): 1 + 2 t^2
  for (const char* content : {"0,1\n1,3\n2,9\n", "0,1\n1,3\n2,9", "t,value\n0, 1\n1 ,3\n2 , 9\n",
                              "# made by hand\n\ntime;angle\n0;1\n1;3  # a comment\n\n2;9\n", "0 1\n  1\t3  \n2   9\n",
                              "\xEF\xBB\xBFt,value\r\n0,1\r\n1,3\r\n2,9\r\n", "t value\n+0 1e0\n.1e1 +3.0\n2. 9\n"}) {
    const auto spline = read(content);
    INFO(std::string(content), text(spline.problems()));
    REQUIRE(spline.ok());
    CHECK(spline->front() == 0);
    CHECK(spline->back() == 2);
    CHECK((*spline)(1.0) == doctest::Approx(3).epsilon(round_off(10)));
    CHECK((*spline)(0.5) == doctest::Approx(1 + 2 * 0.5 * 0.5).epsilon(round_off(10)));
  }
}

TEST_CASE("every wrong line of a table is reported where it stands") {
  // oracle: the messages
  CHECK(problems("") == "1:1: a table needs at least 2 points, found 0\n");
  CHECK(problems("t,value\n0,1\n") == "2:1: a table needs at least 2 points, found 1\n");
  CHECK(problems("0,1\n1,x\n2\n1.5,2,3\n0,7\n3,\n,4\n5,6\n") ==
        "2:3: expected a number, found 'x'\n"
        "3:1: expected a time and a value, found 1 field\n"
        "4:7: expected a time and a value, found 3 fields\n"
        "5:1: times must increase: found 0 after 0\n"
        "6:3: expected a number, found nothing\n"
        "7:1: expected a number, found nothing\n");
  CHECK(problems("t,value\nt,value\n0,1\n1,2\n") == "2:1: expected a number, found 't'\n");
  CHECK(problems("0x,1\n1,2\n2,2\n") == "1:1: expected a number, found '0x'\n");
  CHECK(problems("0,1\n1,inf\n2,nan\n") == "2:3: expected a number, found 'inf'\n3:3: expected a number, found 'nan'\n");
  CHECK(problems("0,1\n0,2\n0,3\n") ==
        "2:1: times must increase: found 0 after 0\n3:1: times must increase: found 0 after 0\n");
  CHECK(problems("0,0\n5e-324,1\n1,1\n") ==
        "0:0: the numbers of the table are too large, or its times too close, for double precision\n");
}

TEST_CASE("a table that cannot be read says so") {
  // oracle: the operating system's words
  const auto missing = read_table("/nowhere/motion.csv");
  REQUIRE(!missing);
  CHECK(missing.problems()[0].text() == "/nowhere/motion.csv: error: cannot read the table: No such file or directory");
  const auto folder = read_table(std::filesystem::temp_directory_path().string());
  REQUIRE(!folder);
  CHECK(folder.problems()[0].sentence.starts_with("cannot read the table: "));
}
