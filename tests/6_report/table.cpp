// Columns and rows as a page carries them.
#include "jounce/report/table.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "jounce/plane/rows/dynamic_rows.hpp"
#include "jounce/plane/rows/kinematic_rows.hpp"
#include "jounce/results/row_collector.hpp"
#include "jounce/space/rows/space_rows.hpp"
#include "jounce/io/load.hpp"
#include "jounce/results/column_name.hpp"
#include "jounce/results/noise.hpp"
#include "model_folders.hpp"

using namespace jounce;

TEST_CASE("a column says what it is by its name") {
  // oracle: section 4 of the interface
  CHECK(column_of_name("t") == Column{"t", "s", "time", ""});
  CHECK(column_of_name("crank.phi") == Column{"crank.phi", "rad", "position", "crank"});
  CHECK(column_of_name("crank.A.vx") == Column{"crank.A.vx", "m/s", "velocity", "crank.A"});
  CHECK(column_of_name("rod.jphi") == Column{"rod.jphi", "rad/s³", "jerk", "rod"});
  CHECK(column_of_name("rod.A.sy") == Column{"rod.A.sy", "m/s⁴", "snap", "rod.A"});
  CHECK(column_of_name("pin.fy") == Column{"pin.fy", "N", "reaction", "pin"});
  CHECK(column_of_name("pin.torque") == Column{"pin.torque", "N m", "reaction", "pin"});
  CHECK(column_of_name("pin.lambda2") == Column{"pin.lambda2", "", "multiplier", "pin"});
  CHECK(column_of_name("pin.lambda12_rate") == Column{"pin.lambda12_rate", "", "multiplier", "pin"});
  CHECK(column_of_name("strut.f") == Column{"strut.f", "N", "force", "strut"});
  CHECK(column_of_name("strut.v") == Column{"strut.v", "m/s", "force", "strut"});
  CHECK(column_of_name("wrist.v2") == Column{"wrist.v2", "", "joint-velocity", "wrist"});
  CHECK(column_of_name("wrist.tau1") == Column{"wrist.tau1", "", "effort", "wrist"});
  CHECK(column_of_name("arm.alz") == Column{"arm.alz", "rad/s²", "acceleration", "arm"});
  CHECK(column_of_name("energy.total") == Column{"energy.total", "J", "energy", ""});
  CHECK(column_of_name("momentum.px") == Column{"momentum.px", "kg m/s", "momentum", ""});
  CHECK(column_of_name("momentum.lz") == Column{"momentum.lz", "kg m²/s", "momentum", ""});
  CHECK(column_of_name("com.y") == Column{"com.y", "m", "com", ""});
  CHECK(column_of_name("constraint.error") == Column{"constraint.error", "", "error", ""});
  for (const char* other : {"", ".", "x", "crank", "crank.", "crank.lambda", "crank.lambda0", "crank.q1x", "crank.phi_rate"})
    CHECK_MESSAGE(column_of_name(other).group.empty(), other);
}

TEST_CASE("an angle far below what doubles tell from 0 is rounding, also where nothing else turns") {
  // oracle: 1e-12 rad, the size of rounding that drawings and summaries go by, and the unit
  const std::vector<Column> columns{{"elbow.q1", "rad", "joint-position", "elbow"}, {"rail.q1", "m", "joint-position", "rail"}};
  CHECK(noise(columns, std::array{1.7e-24, 0.0}, 0) == std::vector{true, false});
  CHECK(noise(columns, std::array{1e-9, 0.0}, 0) == std::vector{false, false});
  CHECK(noise(columns, std::array{0.0, 1.7e-24}, 0) == std::vector{false, false});  // a mechanism may be as small as that
}

TEST_CASE("every column of every model is known, and efforts have their units") {
  // oracle: effort times rate is power: N for lengths, N m for angles; only multipliers, quaternions and the error have no unit
  const auto check = [](const std::vector<Column>& columns) {
    for (const Column& column : columns) {
      CHECK_MESSAGE(!column.group.empty(), column.name);
      const bool bare = column.group == "multiplier" || column.group == "error" || column.group == "joint-position" ||
                        column.name.find(".q") != std::string::npos;
      CHECK_MESSAGE((bare || !column.unit.empty()), column.name);
      if (column.group == "effort") CHECK_MESSAGE((column.unit == "N" || column.unit == "N m"), column.name);
    }
  };
  for (const auto& folder : jounce_test::model_folders(Space::plane, jounce_test::WithStops::too)) {
    const auto mechanism = load_plane((folder / "model.toml").string());
    REQUIRE(mechanism.ok());
    check(dynamic_columns(*mechanism, true));
  }
  for (const auto& folder : jounce_test::model_folders(Space::three)) {
    const auto mechanism = load_space((folder / "model.toml").string());
    REQUIRE(mechanism.ok());
    check(space_columns(*mechanism, true));
  }
}

namespace {

std::vector<Column> named(const std::vector<std::string>& names) {
  std::vector<Column> out;
  for (const std::string& name : names) out.push_back(column_of_name(name));
  return out;
}

// A body with one point.
Scene one_body() {
  Scene out;
  out.bodies.resize(2);
  out.bodies[1].name = "a";
  out.bodies[1].points.push_back({"P", {0.1, 0.2, 0}});
  return out;
}

}  // namespace

TEST_CASE("columns of points in the plane follow from their body and are not kept") {
  // oracle: the scene's own point; a row that was never there misses nothing
  const ReportTable table(one_body(), named({"t", "a.x", "a.vx", "a.phi", "a.vphi", "a.P.x", "a.P.vx"}));
  for (const std::size_t c : {5U, 6U}) {
    const auto from = table.columns()[c].from;
    REQUIRE(from.has_value());
    CHECK(from->body == 1);
    CHECK(from->p.x == 0.1);
    CHECK(from->p.y == 0.2);
  }
  CHECK_FALSE(table.columns()[1].from.has_value());
  CHECK(table.stored().size() == 5);
}

TEST_CASE("a point's column is kept where its body has not the columns that it follows from") {
  // oracle: x of a point needs x and phi of its body, vx needs vx, phi and vphi
  CHECK_FALSE(ReportTable(one_body(), named({"t", "a.x", "a.P.x"})).columns()[2].from.has_value());
  CHECK_FALSE(ReportTable(one_body(), named({"t", "a.vx", "a.vphi", "a.P.vx"})).columns()[3].from.has_value());
  CHECK_FALSE(ReportTable(one_body(), named({"t", "a.vx", "a.phi", "a.P.vx"})).columns()[3].from.has_value());
}

TEST_CASE("a point's column is kept where the body's rounded numbers do not give its own") {
  // oracle: the body turns about a place at a distance d from its point, so that the point goes round a circle of that radius: with
  // d = 0.1 it follows from the body to 1e-12 of d; with d = 1e-9 the 40 bits of the body (4.5e-13 of 0.22) leave no ten digits of it
  for (const double d : {0.1, 1e-9}) {
    CAPTURE(d);
    ReportTable table(one_body(), named({"t", "a.x", "a.phi", "a.P.x"}));
    std::vector<double> expected;
    for (int k = 0; k < 100; ++k) {
      const double phi = 0.05 * k, along = d * std::cos(phi);
      table.take(std::array{0.01 * k, along - (0.1 * std::cos(phi) - 0.2 * std::sin(phi)), phi, along});
      expected.push_back(along);
    }
    CHECK(table.columns()[3].from.has_value() == (d > 1e-6));
    REQUIRE(table.stored().size() == (d > 1e-6 ? 3 : 4));
    if (d < 1e-6) CHECK(table.stored()[3] == expected);
  }
}

TEST_CASE("the last row counts for that even where it is the only one to differ") {
  // oracle: a body at rest whose point, in the last of 8 rows alone, is not where it belongs; 5 rows of 3 numbers fit
  ReportTable table(one_body(), named({"t", "a.x", "a.phi", "a.P.x"}), 16);
  for (int k = 0; k < 8; ++k) table.take(std::array{1.0 * k, 1.0, 0.0, k == 7 ? 1.2 : 1.1});
  REQUIRE(table.every() == 2);
  CHECK_FALSE(table.columns()[3].from.has_value());
  CHECK(table.stored()[3] == std::vector<double>{1.1, 1.1, 1.1, 1.1, 1.2});
}

TEST_CASE("a run of any length keeps every k-th row and the last, and never more than allowed") {
  // oracle: counting; row n holds t = n, a.x = 2 n, an angle of 0 and a.P.x = 2 n + 0.1, so that three columns are stored
  for (const std::size_t limit : {4U, 6U, 8U, 21U, 30U, 3000U})
    for (const int rows : {1, 2, 3, 4, 5, 9, 10, 11, 99, 100, 101, 1000}) {
      CAPTURE(limit);
      CAPTURE(rows);
      ReportTable table(one_body(), named({"t", "a.x", "a.phi", "a.P.x"}), limit);
      for (int n = 0; n < rows; ++n) table.take(std::array{1.0 * n, 2.0 * n, 0.0, 2.0 * n + 0.1});
      const auto stored = table.stored();
      REQUIRE(stored.size() == 3);
      const std::size_t samples = table.samples(), every = table.every(), last = static_cast<std::size_t>(rows) - 1;
      const std::size_t most = std::max<std::size_t>(limit / 3, 2);
      CHECK(table.rows_seen() == static_cast<std::size_t>(rows));
      CHECK(samples <= most + 1);
      CHECK(samples == last / every + 1 + (last % every != 0 ? 1 : 0));
      for (std::size_t s = 0; s < samples; ++s) {
        const double expected = static_cast<double>(s + 1 < samples ? s * every : last);
        CHECK(stored[0][s] == expected);
        CHECK(stored[1][s] == 2 * expected);
      }
      CHECK(table.thinned() == (static_cast<std::size_t>(rows) > most));
      if (table.thinned()) CHECK(samples >= most / 2);
    }
}

TEST_CASE("a table without rows is empty") {
  // oracle: nothing in, nothing out
  const ReportTable table(one_body(), named({"t", "a.x"}));
  CHECK(table.samples() == 0);
  CHECK(table.stored().size() == 2);
  CHECK(table.stored()[0].empty());
  CHECK_FALSE(table.thinned());
}
