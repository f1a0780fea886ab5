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
#include "model_folders.hpp"

using namespace jounce;

TEST_CASE("a column says what it is by its name") {
  // oracle: section 4 of the interface
  CHECK(describe("t") == ColumnInfo{"s", "time", ""});
  CHECK(describe("crank.phi") == ColumnInfo{"rad", "position", "crank"});
  CHECK(describe("crank.A.vx") == ColumnInfo{"m/s", "velocity", "crank.A"});
  CHECK(describe("rod.jphi") == ColumnInfo{"rad/s³", "jerk", "rod"});
  CHECK(describe("rod.A.sy") == ColumnInfo{"m/s⁴", "snap", "rod.A"});
  CHECK(describe("pin.fy") == ColumnInfo{"N", "reaction", "pin"});
  CHECK(describe("pin.torque") == ColumnInfo{"N m", "reaction", "pin"});
  CHECK(describe("pin.lambda2") == ColumnInfo{"", "multiplier", "pin"});
  CHECK(describe("pin.lambda12_rate") == ColumnInfo{"", "multiplier", "pin"});
  CHECK(describe("strut.f") == ColumnInfo{"N", "force", "strut"});
  CHECK(describe("strut.v") == ColumnInfo{"m/s", "force", "strut"});
  CHECK(describe("wrist.v2") == ColumnInfo{"", "joint-velocity", "wrist"});
  CHECK(describe("wrist.tau1") == ColumnInfo{"", "effort", "wrist"});
  CHECK(describe("arm.alz") == ColumnInfo{"rad/s²", "acceleration", "arm"});
  CHECK(describe("energy.total") == ColumnInfo{"J", "energy", ""});
  CHECK(describe("momentum.px") == ColumnInfo{"kg m/s", "momentum", ""});
  CHECK(describe("momentum.lz") == ColumnInfo{"kg m²/s", "momentum", ""});
  CHECK(describe("com.y") == ColumnInfo{"m", "com", ""});
  CHECK(describe("constraint.error") == ColumnInfo{"", "error", ""});
  for (const char* other : {"", ".", "x", "crank", "crank.", "crank.lambda", "crank.lambda0", "crank.q1x", "crank.phi_rate"})
    CHECK_MESSAGE(describe(other).group.empty(), other);
}

TEST_CASE("every column of every model is known, and efforts have their units") {
  // oracle: effort times rate is power: N for lengths, N m for angles; only multipliers, quaternions and the error have no unit
  const auto check = [](const Scene& drawn, const std::vector<std::string>& columns) {
    for (const std::string& name : columns) {
      const ColumnInfo info = describe(name, drawn);
      CHECK_MESSAGE(!info.group.empty(), name);
      const bool bare = info.group == "multiplier" || info.group == "error" || info.group == "joint-position" ||
                        name.find(".q") != std::string::npos;
      CHECK_MESSAGE((bare || !info.unit.empty()), name);
      if (info.group == "effort") CHECK_MESSAGE((info.unit == "N" || info.unit == "N m"), name);
    }
  };
  for (const auto& folder : jounce_test::model_folders(Space::plane)) {
    const auto mechanism = load((folder / "model.toml").string());
    REQUIRE(mechanism.ok());
    check(scene(*mechanism), dynamic_columns(*mechanism, true));
  }
  for (const auto& folder : jounce_test::model_folders(Space::three)) {
    const auto mechanism = load_space((folder / "model.toml").string());
    REQUIRE(mechanism.ok());
    check(scene(*mechanism), space_columns(*mechanism, true));
  }
}

namespace {

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
  const ReportTable table(one_body(), {"t", "a.x", "a.vx", "a.phi", "a.vphi", "a.P.x", "a.P.vx"});
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
  CHECK_FALSE(ReportTable(one_body(), {"t", "a.x", "a.P.x"}).columns()[2].from.has_value());
  CHECK_FALSE(ReportTable(one_body(), {"t", "a.vx", "a.vphi", "a.P.vx"}).columns()[3].from.has_value());
  CHECK_FALSE(ReportTable(one_body(), {"t", "a.vx", "a.phi", "a.P.vx"}).columns()[3].from.has_value());
}

TEST_CASE("a point's column is kept where the body's rounded numbers do not give its own") {
  // oracle: the body turns about a place at a distance d from its point, so that the point goes round a circle of that radius: with
  // d = 0.1 it follows from the body to 1e-12 of d; with d = 1e-9 the 40 bits of the body (4.5e-13 of 0.22) leave no ten digits of it
  for (const double d : {0.1, 1e-9}) {
    CAPTURE(d);
    ReportTable table(one_body(), {"t", "a.x", "a.phi", "a.P.x"});
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
  ReportTable table(one_body(), {"t", "a.x", "a.phi", "a.P.x"}, 16);
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
      ReportTable table(one_body(), {"t", "a.x", "a.phi", "a.P.x"}, limit);
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
  const ReportTable table(one_body(), {"t", "a.x"});
  CHECK(table.samples() == 0);
  CHECK(table.stored().size() == 2);
  CHECK(table.stored()[0].empty());
  CHECK_FALSE(table.thinned());
}
