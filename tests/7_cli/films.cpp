// Films of the motion: SVG and GIF are read back by readers of their own, and a stand-in for ffmpeg keeps what it is given.
#include <cmath>
#include <pugixml.hpp>
#include <sstream>

#include "cli_test.hpp"
#include "gif_reader.hpp"

using namespace jounce;

namespace {

// The crank of the quick return turns about the origin: P is at r (cos 3t, sin 3t).
constexpr double kCrank = 0.1, kSpeed = 3;

std::vector<double> numbers(const std::string& list) {
  std::vector<double> out;
  std::istringstream in(list);
  for (std::string one; std::getline(in, one, ';');) out.push_back(std::stod(one));
  return out;
}

struct OnPaper {
  double scale = 0, x = 0, y = 0;  // the ground's origin
  explicit OnPaper(const pugi::xml_document& svg) {
    const pugi::xml_node group = svg.select_node("//*[@data-scale]").node();
    scale = group.attribute("data-scale").as_double();
    std::istringstream(group.attribute("data-origin").value()) >> x >> y;
  }
};

pugi::xml_document read_svg(const std::string& text) {
  pugi::xml_document out;
  const auto result = out.load_string(text.c_str());
  REQUIRE_MESSAGE(result, result.description());
  return out;
}

}  // namespace

TEST_CASE("an animated drawing moves its pins as the mechanism does") {
  // oracle: the closed form of the crank; a tenth of a pixel is what is written
  const Folder here;
  const Ran ran = here.jounce("animate " + model("quick-return") + " --to 2 --fps 20 --trail lever.T");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  const pugi::xml_document svg = read_svg(ran.out);
  const OnPaper paper(svg);
  int found = 0;
  for (const pugi::xpath_node& circle : svg.select_nodes("//circle[animate/@attributeName='cx']")) {
    const auto values = [&](const char* name) {
      return numbers(circle.node().find_child_by_attribute("animate", "attributeName", name).attribute("values").value());
    };
    const std::vector<double> x = values("cx"), y = values("cy");
    if (x.size() != 41 || y.size() != 41) continue;
    double worst = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double phi = kSpeed * 0.05 * static_cast<double>(k);
      worst = std::max(worst, std::hypot(x[k] - paper.x - paper.scale * kCrank * std::cos(phi), y[k] - paper.y + paper.scale * kCrank * std::sin(phi)));
    }
    found += worst < 0.12 ? 1 : 0;
  }
  CHECK(found >= 1);
  const pugi::xml_node moving = svg.select_node("//animate").node();
  CHECK(std::string(moving.attribute("dur").value()) == "2s");
  CHECK(std::string(moving.attribute("repeatCount").value()) == "indefinite");
  CHECK(svg.select_nodes("//path[@class='trail']").size() == 1);  // what stands still is there once
  CHECK(svg.select_nodes("//path[@class='trail']/animate").empty());
  const pugi::xml_document once = read_svg(here.jounce("animate " + model("quick-return") + " --fps 5 --loop 1").out);
  CHECK(std::string(once.select_node("//animate").node().attribute("repeatCount").value()) == "1");
}

TEST_CASE("animated drawings of every kind of mechanism are well formed, and show one drawing at every time") {
  // oracle: the XML parser; the groups that are shown in turn begin where the one before ends
  const Folder here;
  for (const char* name : {"andrews-squeezer", "rack-and-wheel", "planetary", "roller-cam", "stewart", "seven-joint-arm", "thrown-top", "spring-balance"}) {
    CAPTURE(name);
    const Ran ran = here.jounce("animate " + model(name) + " --fps 4");
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    const pugi::xml_document svg = read_svg(ran.out);
    std::string ends = "0";
    for (const pugi::xpath_node& group : svg.select_nodes("//g[animate/@attributeName='display']")) {
      const pugi::xml_node shown = group.node().child("animate");
      const std::string values = shown.attribute("values").value(), times = shown.attribute("keyTimes").value();
      std::vector<double> at = numbers(times);
      if (values.starts_with("none")) at.erase(at.begin());
      CHECK(at.front() == std::stod(ends));
      ends = at.size() > 1 ? std::to_string(at.back()) : "1";
    }
    CHECK(std::stod(ends) == (svg.select_nodes("//g[animate/@attributeName='display']").empty() ? 0 : 1));
  }
}

TEST_CASE("a GIF shows the drawings of the motion, each for its time") {
  // oracle: the closed form of the crank, by the scale of the animated drawing; a pin is white with a dark rim
  const Folder here;
  const std::string words = model("quick-return") + " --to 2 --fps 20 --width 600";
  const Ran ran = here.jounce("animate " + words + " -o film.gif");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  CHECK(contains(ran.out, "film.gif (41 frames)"));
  const OnPaper paper(read_svg(here.jounce("animate " + words).out));
  const Gif gif = read_gif(here.read("film.gif"));
  CHECK(gif.width == 600);
  CHECK(gif.turns == 0);
  REQUIRE(gif.frames.size() == 41);
  int hundredths = 0;
  for (std::size_t k = 0; k < gif.frames.size(); ++k) {
    const Gif::Frame& frame = gif.frames[k];
    hundredths += frame.hundredths;
    const double phi = kSpeed * 0.05 * static_cast<double>(k);
    const double x = paper.x + paper.scale * kCrank * std::cos(phi), y = paper.y - paper.scale * kCrank * std::sin(phi);
    CAPTURE(k);
    CHECK(gif.brightness(frame, x, y) > 240);
    int dark = 0;
    for (int part = 0; part < 64; ++part) {
      const double turn = 0.0981747704 * part;
      double least = 255;
      for (double r = 3; r < 7; r += 0.5) least = std::min(least, gif.brightness(frame, x + r * std::cos(turn), y + r * std::sin(turn)));
      dark += least < 140 ? 1 : 0;
    }
    CHECK(dark >= 60);
  }
  CHECK(hundredths == 41 * 5);
  REQUIRE(here.jounce("animate " + words + " --loop 3 -o thrice.gif").code == 0);
  CHECK(read_gif(here.read("thrice.gif")).turns == 2);  // after the first
}

TEST_CASE("where the end is the beginning, a film has it once") {
  // oracle: one revolution of the crank, 2 pi / 3 s
  const Folder here;
  REQUIRE(here.jounce("animate " + model("quick-return") + " --to \"2*pi/3\" --fps 10 -o round.gif").code == 0);
  CHECK(read_gif(here.read("round.gif")).frames.size() == 21);
}

TEST_CASE("MP4 and WebM are made by ffmpeg, which is given every picture") {
  // oracle: a stand-in that writes down its arguments and what it reads; as many bytes as pixels
  const Folder here;
  std::filesystem::create_directory(here / "bin");
  here.write("bin/ffmpeg", "#!/bin/sh\necho \"$@\" > words\nfor last; do :; done\ncat > \"${last#file:}\"\n");
  std::filesystem::permissions(here / "bin/ffmpeg", std::filesystem::perms::owner_all);
  const std::string with = "PATH=\"$PWD/bin:$PATH\" \"" + places::program() + "\" animate " + model("quick-return") + " --to 1 --fps 5 --width 200 -o ";
  for (const std::string ending : {"mp4", "webm"}) {
    const Ran ran = here.shell(with + "film." + ending);
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    const std::string said = here.read("words");
    CHECK(contains(said, "-framerate 5 "));
    CHECK(contains(said, "-f " + ending));
    int width = 0, height = 0;
    REQUIRE(std::sscanf(said.c_str() + said.find("-video_size ") + 12, "%dx%d", &width, &height) == 2);
    CHECK(width == 200);
    CHECK(here.read("film." + ending).size() == static_cast<std::size_t>(6 * 3 * width * height));
  }
  here.write("bin/ffmpeg", "#!/bin/sh\necho no such codec >&2\nexit 3\n");
  const Ran failed = here.shell(with + "other.mp4");
  CHECK(failed.code == 1);
  CHECK_MESSAGE(contains(failed.err, "cannot write 'other.mp4': ffmpeg ended with code 3 and said: no such codec"), failed.err);
  CHECK(!here.has("other.mp4"));
  CHECK(!here.has("other.mp4.part"));
  const Ran none = here.shell("PATH=/nonexistent \"" + places::program() + "\" animate " + model("quick-return") + " -o film2.mp4");
  CHECK(none.code == 2);
  CHECK_MESSAGE(contains(none.err, "expected the program ffmpeg on PATH, which writes .mp4 files, found none"), none.err);
}

TEST_CASE("a film that cannot be made says why before anything is computed") {
  // oracle: exit code 2 of the interface, and what was expected and found
  const Folder here;
  const std::string linkage = model("quick-return");
  const auto expect = [&](const std::string& words, const std::string& part) {
    CAPTURE(words);
    const Ran ran = here.jounce("animate " + linkage + " " + words);
    CHECK(ran.code == 2);
    CHECK_MESSAGE(contains(ran.err, part), ran.err);
    CHECK(ran.out.empty());
  };
  expect("-o film.avi", "-o film.avi: expected the name of a .svg, .gif, .mp4 or .webm file, or - for standard output, found '.avi'");
  expect("-o film", "found no ending");
  expect("-o film.gif --fps 60", "--fps 60: must be a number from 1 to 50: no browser shows a .gif faster");
  expect("--fps 0", "--fps 0: must be a number from 1 to 240");
  expect("--speed 0", "--speed 0: must be greater than 0");
  expect("--speed fast", "--speed 'fast'");
  expect("--from -1", "--from -1: must be 0 or a later time");
  expect("--from 1 --to 0.5", "--to 0.5: must be a time later than 1");
  expect("--from 9", "--from 9: must be before the end of the run, 2.1 s");
  expect("--loop 1.5", "--loop 1.5: must be how often it plays");
  expect("-o film.webm --loop 2", "--loop 2: a .webm file plays once");
  expect("--width 5", "expected a number of pixels");
  expect("--view iso", "--view: is for models in space");
  expect("--trail lever.Z", "--trail lever.Z: 'lever' has no point 'Z'");
  const Ran long_one = here.jounce("animate " + linkage + " --speed 0.001 --fps 100");
  CHECK(long_one.code != 0);
  CHECK_MESSAGE(contains(long_one.err, "frames: expected at most 10000"), long_one.err);
  here.write("dead.toml", kDeadCentre);
  const Ran dead = here.jounce("animate dead.toml -o dead.gif --fps 5");
  CHECK(dead.code == 1);
  CHECK_MESSAGE(contains(dead.err, "as far as the run goes"), dead.err);
  CHECK(read_gif(here.read("dead.gif")).frames.size() > 5);
  here.write("short.toml", kTooShort);
  CHECK(here.jounce("animate short.toml -o short.gif").code != 0);
  CHECK(!here.has("short.gif"));
}
