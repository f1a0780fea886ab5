// Oracle: models/*/expected.json of the models with stops, made by tools/contact_oracles.py from closed forms between impacts. Walks models/.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/io/load.hpp"
#include "jounce/jounce.hpp"
#include "jounce/plane/motion/mobility.hpp"
#include "model_folders.hpp"

using namespace jounce;
namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr double kStoppedStart = 1e-10, kStoppedTight = 1e-12;  // what models/README.md promises of the start; of a run, relative
// Output times are multiples of to/steps; the file gives them in decimals.
constexpr double kStoppedTime = 1e-9;

template <class F>
void each_stopped_model(F&& f) {
  int found = 0;
  for (const fs::path& folder : jounce_test::model_folders(Space::plane, jounce_test::WithStops::only)) {
    const std::string model = folder.filename().string();
    CAPTURE(model);
    CHECK(fs::exists(folder / "card.md"));
    std::ifstream file(folder / "expected.json");
    REQUIRE(file.good());
    f((folder / "model.toml").string(), Json::parse(file));
    ++found;
  }
  CHECK(found >= 4);
}

Run followed_to_its_end(const std::string& path, Method method) {
  const auto mechanism = load(path);
  REQUIRE_MESSAGE(mechanism.ok(), text(mechanism.problems()));
  CHECK(mechanism.problems().empty());
  Run run = dynamics(*mechanism, {.to = mechanism->run().to, .steps = mechanism->run().steps, .tolerance = kStoppedTight, .method = method});
  REQUIRE_MESSAGE(run.outcome.done(), run.outcome.sentence << text(run.problems));
  return run;
}

std::size_t row_of_time(const Run& run, double t) {
  const auto times = run.results.column("t");
  const auto nearest = std::ranges::min_element(times, {}, [t](double x) { return std::abs(x - t); });
  REQUIRE(std::abs(*nearest - t) <= kStoppedTime);
  return static_cast<std::size_t>(nearest - times.begin());
}

}  // namespace

TEST_CASE("every expected number along the runs of the models with stops is met, by every method") {
  int checks = 0;
  each_stopped_model([&](const std::string& path, const Json& expected) {
    for (const Method method : {Method::taylor, Method::dop853, Method::radau}) {
      CAPTURE(static_cast<int>(method));
      const Run run = followed_to_its_end(path, method);
      const auto check = [&](const Json& one, double t, double tolerance) {
        const std::string column = one.at("column");
        CAPTURE(column);
        CAPTURE(t);
        const auto values = run.results.column(column);
        REQUIRE(values.size() == run.results.rows());
        CHECK(std::abs(values[row_of_time(run, t)] - one.at("value").get<double>()) <= tolerance * one.at("scale").get<double>());
        ++checks;
      };
      for (const Json& one : expected.at("dynamics").at("forward_start")) check(one, 0, kStoppedStart);
      for (const Json& one : expected.at("dynamics").at("end")) check(one, one.at("t"), one.at("tolerance"));
    }
  });
  CHECK(checks > 800);
}

TEST_CASE("every expected impact, contact and release of the models with stops is told, with its time and its impulse") {
  int events = 0;
  each_stopped_model([&](const std::string& path, const Json& expected) {
    const Run run = followed_to_its_end(path, Method::automatic);
    for (const Json& one : expected.at("dynamics").at("events")) {
      const std::string kind = one.at("kind");
      const double t = one.at("t"), tolerance = one.at("tolerance");
      const std::vector<std::string> elements = one.at("elements");
      CAPTURE(kind);
      CAPTURE(t);
      const auto is_it = [&](const Event& e) { return e.kind == kind && e.elements == elements && std::abs(e.t - t) <= tolerance; };
      const auto found = std::ranges::find_if(run.events, is_it);
      REQUIRE(found != run.events.end());
      if (one.contains("impulse")) CHECK(std::abs(found->impulse - one.at("impulse").get<double>()) <= tolerance * one.at("scale").get<double>());
      ++events;
    }
  });
  CHECK(events > 30);
}

TEST_CASE("every model with stops has the mobility its file says: stops do not count") {
  each_stopped_model([](const std::string& path, const Json& expected) {
    const auto mechanism = load_plane(path);
    REQUIRE(mechanism.ok());
    const Assembly start = assemble(*mechanism);
    REQUIRE(start.assembled);
    const Mobility m = mobility(*mechanism, start.q);
    CHECK(m.counted == expected.at("mobility").at("counted").get<int>());
    CHECK(m.mobility == expected.at("mobility").at("rank").get<int>());
  });
}
