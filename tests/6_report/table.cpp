// Columns and rows as a page carries them.
#include "jounce/report/table.hpp"

#include <doctest/doctest.h>

#include "jounce/analysis/dynamic_rows.hpp"
#include "jounce/analysis/rows.hpp"
#include "jounce/analysis/tree_rows.hpp"
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
    const auto mechanism = load_tree((folder / "model.toml").string());
    REQUIRE(mechanism.ok());
    check(scene(*mechanism), tree_columns(*mechanism, true));
  }
}

namespace {

// Two columns that are stored and one that follows from a body.
Scene one_body() {
  Scene out;
  out.bodies.resize(2);
  out.bodies[1].name = "a";
  out.bodies[1].points.push_back({"P", {0.1, 0.2, 0}});
  return out;
}

}  // namespace

TEST_CASE("columns of points in the plane follow from their body and are not kept") {
  // oracle: the scene's own point
  const ReportTable table(one_body(), {"t", "a.x", "a.P.vx"});
  REQUIRE(table.columns()[2].from.has_value());
  CHECK(table.columns()[2].from->body == 1);
  CHECK(table.columns()[2].from->p.x == 0.1);
  CHECK(table.columns()[2].from->p.y == 0.2);
  CHECK_FALSE(table.columns()[1].from.has_value());
  CHECK(table.stored().size() == 2);
}

TEST_CASE("a run of any length keeps every k-th row and the last, and never more than allowed") {
  // oracle: counting; row n holds t = n and a.x = 2 n
  for (const std::size_t limit : {4U, 5U, 14U, 20U, 2000U})
    for (const int rows : {1, 2, 3, 4, 5, 9, 10, 11, 99, 100, 101, 1000}) {
      CAPTURE(limit);
      CAPTURE(rows);
      ReportTable table(one_body(), {"t", "a.x", "a.P.x"}, limit);
      for (int n = 0; n < rows; ++n) table.take(std::array{1.0 * n, 2.0 * n, 0.0});
      const auto stored = table.stored();
      const std::size_t samples = table.samples(), every = table.every(), last = static_cast<std::size_t>(rows) - 1;
      CHECK(table.rows_seen() == static_cast<std::size_t>(rows));
      CHECK(samples <= std::max<std::size_t>(limit / 2, 2) + 1);
      CHECK(samples == last / every + 1 + (last % every != 0 ? 1 : 0));
      for (std::size_t s = 0; s < samples; ++s) {
        const double expected = static_cast<double>(s + 1 < samples ? s * every : last);
        CHECK(stored[0][s] == expected);
        CHECK(stored[1][s] == 2 * expected);
      }
      CHECK(table.thinned() == (static_cast<std::size_t>(rows) > std::max<std::size_t>(limit / 2, 2)));
      if (table.thinned()) CHECK(samples >= std::max<std::size_t>(limit / 2, 2) / 2);
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
