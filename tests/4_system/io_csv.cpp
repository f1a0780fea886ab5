// Tables of numbers, written and read.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "jounce/io/csv.hpp"

namespace io_csv_test {

using namespace jounce;

namespace {

std::string written(const std::vector<std::string>& names, const std::vector<std::vector<double>>& rows) {
  std::string out;
  CsvWriter csv(out);
  csv.header(names);
  for (const auto& row : rows) csv.row(row);
  CHECK(csv.finish());
  return out;
}

}  // namespace

TEST_CASE("a hundred thousand random doubles survive a table bit for bit") {
  // oracle: the bits themselves; a NaN only has to stay a NaN
  std::mt19937_64 random(20240611);
  constexpr std::size_t kColumns = 25, kRows = 4000;
  std::vector<double> values(kColumns * kRows);
  for (double& x : values) x = std::bit_cast<double>(random());
  values[0] = -0.0;
  values[1] = std::numeric_limits<double>::denorm_min();
  values[2] = std::numeric_limits<double>::max();
  values[3] = std::numeric_limits<double>::infinity();
  values[4] = -std::numeric_limits<double>::infinity();
  values[5] = std::numeric_limits<double>::quiet_NaN();

  const std::string path = (std::filesystem::temp_directory_path() / "jounce_test_io_csv.csv").string();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kColumns; ++i) names.push_back("c" + std::to_string(i));
  std::FILE* file = std::fopen(path.c_str(), "wb");
  REQUIRE(file != nullptr);
  CsvWriter csv(file);
  csv.header(names);
  for (std::size_t i = 0; i < kRows; ++i) csv.row(std::span(values).subspan(i * kColumns, kColumns));
  CHECK(csv.finish());
  CHECK(std::fclose(file) == 0);

  const auto read = read_csv(path);
  std::filesystem::remove(path);
  REQUIRE(read.ok());
  CHECK(read->names == names);
  REQUIRE(read->rows == kRows);
  std::size_t different = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double back = read->values[i];
    const bool same = std::isnan(values[i]) ? std::isnan(back)
                                            : std::bit_cast<std::uint64_t>(values[i]) == std::bit_cast<std::uint64_t>(back);
    different += same ? 0 : 1;
  }
  CHECK(different == 0);
  CHECK(read->column(7)[11] == read->at(11, 7));
  CHECK(read->find("c7") == 7);
  CHECK(!read->find("c77"));
}

TEST_CASE("a table is plain text, and names are quoted only where they must be") {
  // oracle: the text by hand
  CHECK(written({"t", "crank.x", "a,b", "say \"x\""}, {{0, 0.1, -1e-7, 1e300}, {1, 2, 3, 123456.5}}) ==
        "t,crank.x,\"a,b\",\"say \"\"x\"\"\"\n0,0.1,-1e-07,1e+300\n1,2,3,123456.5\n");
}

TEST_CASE("names with commas, quotes and line breaks come back") {
  // oracle: the names themselves
  const std::vector<std::string> names{"plain", " a", "", "x,y", "\"", "two\nlines", "r\r"};
  const auto table = parse_csv(written(names, {{1, 2, 3, 4, 5, 6, 7}}), "t.csv");
  REQUIRE(table.ok());
  CHECK(table->names == names);
  CHECK(table->values == std::vector<double>{1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("tables from elsewhere are accepted") {
  // oracle: by hand
  const auto table = parse_csv("\xEF\xBB\xBF\r\n t , v\r\n0,\"1.5\" \r\n\r\n  2e0 ,-inf\r\n", "t.csv");
  REQUIRE(table.ok());
  CHECK(table->names == std::vector<std::string>{"t", "v"});
  CHECK(table->rows == 2);
  CHECK(table->at(0, 1) == 1.5);
  CHECK(table->at(1, 0) == 2);
  CHECK(std::isinf(table->at(1, 1)));
}

TEST_CASE("errors in a table are located, and all of them are reported") {
  // oracle: lines and columns counted by hand
  const auto problems = [](std::string_view csv) { return text(parse_csv(csv, "t.csv").problems()); };
  CHECK(problems("t,v\n0,1\n1,x\n2\n3,,\n4,\n5,\"6\"7\n") ==
        "t.csv:3:3: error: column 'v': expected a number, found 'x'\n"
        "t.csv:4:1: error: expected 2 numbers, found 1\n"
        "t.csv:5:1: error: expected 2 numbers, found 3\n"
        "t.csv:6:3: error: column 'v': expected a number, found ''\n"
        "t.csv:7:3: error: column 'v': expected a number, found '\"6\"7'\n");
  CHECK(problems("") == "t.csv:1:1: error: expected a row of names, found nothing\n");
  CHECK(problems("t,v\n0,\"1\n") == "t.csv:2:1: error: a quote is opened and never closed\n");
  CHECK(problems("\"two\nlines\"\nx\n") == "t.csv:3:1: error: column 'two\nlines': expected a number, found 'x'\n");
  CHECK(text(read_csv("no/such.csv").problems()) == "no/such.csv: error: cannot read the file: No such file or directory\n");
}

#ifdef __linux__
TEST_CASE("a full disk is reported, not ignored") {
  // oracle: /dev/full refuses every byte
  std::FILE* file = std::fopen("/dev/full", "wb");
  REQUIRE(file != nullptr);
  {
    CsvWriter csv(file);
    const std::vector<double> row(100, 0.123456789);
    bool good = true;
    for (int i = 0; i < 1000; ++i) good = csv.row(row);
    CHECK(!good);
    CHECK(!csv.finish());
    CHECK(csv.failure() == "No space left on device");
  }
  CsvWriter few(file);
  CHECK(few.row(std::vector<double>{1.0}));  // still in the buffer
  CHECK(!few.finish());
  std::fclose(file);
}
#endif

}  // namespace io_csv_test
