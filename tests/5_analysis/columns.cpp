// What the columns of results say about themselves, and the table that keeps them.
#include "jounce/results/column.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "analysis_test.hpp"
#include "jounce/plane/rows/dynamic_rows.hpp"
#include "jounce/space/rows/space_rows.hpp"
#include "jounce/io/load.hpp"
#include "jounce/results/column_name.hpp"
#include "jounce/space/mechanism.hpp"
#include "model_folders.hpp"

namespace columns_test {

using namespace jounce;
using namespace jounce::test;

namespace {

const Column& named(const std::vector<Column>& columns, const std::string& name) {
  const auto it = std::ranges::find(columns, name, &Column::name);
  REQUIRE_MESSAGE(it != columns.end(), name);
  return *it;
}

using List = std::vector<Text>;

Element& between_points(Model& m, const std::string& name, const std::string& type, Element& (Model::*add)(std::string, std::string)) {
  return (m.*add)(name, type).set("i", Text("ground.O")).set("j", Text("bar.B"));
}

// One body and every type of joint and driver, whether or not they go together: nothing is solved.
Model everything() {
  Model m;
  m.ground.point("O", 0.0, 0.0).point("P", 1.0, 0.0);
  bar(m, "bar", 2.0, 0.5, 0.1, 0.2);
  const List slot{"ground.O", "ground.P"}, slider{"bar.A", "bar.B"};
  pin(m, "revolute", "ground.O", "bar.A");
  between_points(m, "distance", "distance", &Model::joint);
  between_points(m, "weld", "weld", &Model::joint);
  m.joint("parallel", "parallel").set("i", slot).set("j", slider);
  m.joint("slot", "pin-in-slot").set("slot", slot).set("pin", Text("bar.B"));
  m.joint("guide", "translational").set("slot", slot).set("slider", slider);
  m.joint("x", "coordinate").set("j", Text("bar.x"));
  m.joint("phi", "coordinate").set("j", Text("bar.phi"));
  motor(m, "motor", "ground", "bar", "t");
  between_points(m, "cylinder", "distance", &Model::driver).set("motion", Text("2 + t"));
  m.driver("along", "slot-distance").set("line", slot).set("point", Text("bar.B")).set("motion", Text("t"));
  m.driver("dy", "coordinate").set("j", Text("bar.y")).set("motion", Text("t"));
  m.driver("dphi", "coordinate").set("j", Text("bar.phi")).set("motion", Text("t"));
  return m;
}

}  // namespace

TEST_CASE("a multiplier has the unit that makes the reaction of its joint a force or a moment") {
  // oracle: the table of reactions in docs/theory/multipliers-and-reactions.md: force −λ of a revolute joint, −2 λ d of a rod, moment
  // −λ a·a of parallel lines, ... One of the lengths is 1 and one is 2: the unit does not follow from numbers.
  struct Expected {
    const char *name, *unit;
  };
  const auto columns = dynamic_columns(built(everything()), true);
  for (const Expected& e : {Expected{"revolute.lambda1", "N"}, {"revolute.lambda2", "N"}, {"distance.lambda1", "N/m"},
                                   {"weld.lambda1", "N"}, {"weld.lambda3", "N m"}, {"parallel.lambda1", "N/m"}, {"slot.lambda1", "N/m"},
                                   {"guide.lambda1", "N/m"}, {"guide.lambda2", "N/m"}, {"x.lambda1", "N"}, {"phi.lambda1", "N m"},
                                   {"motor.lambda1", "N m"}, {"cylinder.lambda1", "N/m"}, {"along.lambda1", "N"},
                                   {"revolute.lambda1_rate", "N/s"}, {"phi.lambda1_rate", "N m/s"}, {"distance.lambda1_rate", "N/(m s)"}}) {
    CAPTURE(e.name);
    CHECK(named(columns, e.name).unit == e.unit);
    CHECK(named(columns, e.name).group == "multiplier");
  }
}

TEST_CASE("the effort of a driver is a force along a length and a moment about an angle") {
  // oracle: effort times rate is power
  const auto columns = dynamic_columns(built(everything()), false);
  CHECK(named(columns, "motor.effort").unit == "N m");
  CHECK(named(columns, "dphi.effort").unit == "N m");
  for (const char* name : {"cylinder.effort", "along.effort", "dy.effort"}) CHECK_MESSAGE(named(columns, name).unit == "N", name);
}

TEST_CASE("every dof of a custom joint knows whether it turns or slides") {
  // oracle: the screws: a rotation, a translation, a helix (measured by its turning), a translation that is not of unit length
  Model model;
  model.space = Space::three;
  model.body("a").mass = Text(1.0);
  model.joint("leg", "custom")
      .set("parent", Text("ground"))
      .set("child", Text("a"))
      .set("screws", std::vector<List>{{0.0, 0.0, 1.0, 0.0, 0.0, 0.0},
                                       {0.0, 0.0, 0.0, 0.0, 1.0, 0.0},
                                       {1.0, 0.0, 0.0, 0.2, 0.0, 0.0},
                                       {0.0, 0.0, 0.0, 0.0, 0.0, 2.0}});
  const auto mechanism = build_space(model);
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  const auto columns = space_columns(*mechanism, true);
  const std::array<bool, 4> turns{true, false, true, false};
  for (std::size_t k = 0; k < turns.size(); ++k) {
    const std::string n = std::to_string(k + 1);
    CAPTURE(n);
    CHECK(named(columns, "leg.q" + n).unit == (turns[k] ? "rad" : "m"));
    CHECK(named(columns, "leg.v" + n).unit == (turns[k] ? "rad/s" : "m/s"));
    CHECK(named(columns, "leg.a" + n).unit == (turns[k] ? "rad/s²" : "m/s²"));
    CHECK(named(columns, "leg.tau" + n).unit == (turns[k] ? "N m" : "N"));
  }
}

TEST_CASE("the coordinates of joints in space have the units of their types") {
  // oracle: the table of joints in docs/guide/model-file.md: what q1, q2, ... of a type are; a dash is a part of a quaternion
  struct Expected {
    const char *type, *coordinates, *dofs;
  };
  for (const Expected& e :
       {Expected{"revolute", "a", "a"}, {"prismatic", "l", "l"}, {"helical", "a", "a"}, {"cylindrical", "al", "al"}, {"planar", "all", "all"},
        {"translation", "lll", "lll"}, {"universal", "aa", "aa"}, {"gimbal", "aaa", "aaa"}, {"spherical", "----", "aaa"},
        {"free", "----lll", "aaalll"}}) {
    CAPTURE(e.type);
    Model model;
    model.space = Space::three;
    model.body("a").mass = Text(1.0);
    Element& joint = model.joint("J", e.type).set("parent", Text("ground")).set("child", Text("a"));
    if (std::string_view(e.type) == "helical") joint.set("pitch", Text(0.1));
    const auto mechanism = build_space(model);
    REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
    const auto columns = space_columns(*mechanism, true);
    const auto check = [&](const std::string& stem, std::string_view kinds, const char* angle, const char* length) {
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        CAPTURE(k);
        const std::string& unit = named(columns, "J." + stem + std::to_string(k + 1)).unit;
        CHECK(unit == (kinds[k] == 'a' ? angle : kinds[k] == 'l' ? length : ""));
      }
      CHECK(std::ranges::find(columns, "J." + stem + std::to_string(kinds.size() + 1), &Column::name) == columns.end());
    };
    check("q", e.coordinates, "rad", "m");
    check("v", e.dofs, "rad/s", "m/s");
    check("a", e.dofs, "rad/s²", "m/s²");
    check("tau", e.dofs, "N m", "N");
  }
}

TEST_CASE("what a name alone says of a column agrees with what the column says") {
  // oracle: the columns of every model; where a name does not tell the unit it says nothing; a load looks like a reaction, and the size of a reaction (pin.f) like the force of a spring
  const auto check = [](const std::vector<Column>& columns) {
    for (const Column& column : columns) {
      const Column read = column_of_name(column.name);
      CHECK_MESSAGE((read.unit.empty() || read.unit == column.unit), column.name);
      CHECK_MESSAGE(read.owner == column.owner, column.name);
      CHECK_MESSAGE((read.group == column.group || (column.group == "force" && read.group == "reaction") || (column.group == "reaction" && read.group == "force")), column.name);
    }
  };
  for (const auto& folder : jounce_test::model_folders(Space::plane, jounce_test::WithStops::too)) check(dynamic_columns(*load_plane((folder / "model.toml").string()), true));
  for (const auto& folder : jounce_test::model_folders(Space::three)) check(space_columns(*load_space((folder / "model.toml").string()), true));
}

TEST_CASE("a trajectory gives columns as they lie in memory, and rows") {
  // oracle: number r of column c is 100 c + r, appended one row at a time, several at a time, and beyond what was reserved
  for (const std::size_t reserved : {0U, 1U, 512U, 4096U})
    for (const std::size_t at_once : {1U, 7U, 64U}) {
      CAPTURE(reserved);
      CAPTURE(at_once);
      Trajectory all({Column{"t", "s", "time", ""}, Column{"a.x", "m", "position", "a"}, Column{"a.y", "m", "position", "a"}});
      if (reserved > 0) all.reserve(reserved);
      const std::size_t rows = 20 * at_once + 3;
      std::vector<double> waiting;
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < 3; ++c) waiting.push_back(100.0 * static_cast<double>(c) + static_cast<double>(r));
        if (waiting.size() == 3 * at_once || r + 1 == rows) all.append(waiting), waiting.clear();
      }
      REQUIRE(all.rows() == rows);
      for (std::size_t c = 0; c < 3; ++c) {
        const std::span<const double> column = all.column(c);
        REQUIRE(column.size() == rows);
        bool right = true;
        for (std::size_t r = 0; r < rows; ++r) right = right && column[r] == 100.0 * static_cast<double>(c) + static_cast<double>(r);
        CHECK(right);
        CHECK(all.column(all.columns()[c].name).data() == column.data());  // looked at, not copied
      }
      CHECK(all.row(rows - 1) == std::vector<double>{static_cast<double>(rows - 1), 99.0 + static_cast<double>(rows), 199.0 + static_cast<double>(rows)});
      CHECK(all.at(2, "a.y") == 202.0);
      CHECK_FALSE(all.at(rows, "a.y").has_value());
      CHECK_FALSE(all.at(0, "b.y").has_value());
      CHECK(all.column("b.y").empty());
    }
  CHECK(Trajectory().rows() == 0);
}

}  // namespace columns_test
