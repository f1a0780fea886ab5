// jounce cam MODEL: the profile of a cam, or the curve of a slot, as coordinates or as a drawing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "commands.hpp"
#include "jounce/api/cam.hpp"
#include "model_input.hpp"
#include "svg_file.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

// Why the result cannot go there.
Problems objections(const CamOptions& options, const Mechanism& mechanism) {
  if (!options.output || *options.output == "-") return {};
  std::vector<std::string> inputs = mechanism.tables();
  if (!from_standard_input(options.model)) inputs.push_back(options.model);
  std::error_code ignored;
  for (const std::string& input : inputs)
    if (std::filesystem::equivalent(*options.output, input, ignored))
      return {error({}, fmt::format("-o {}: the profile is made from this file; it would be overwritten", *options.output))};
  const std::string ending = std::filesystem::path(*options.output).extension().string();
  if (ending == ".csv" || ending == ".svg") return {};
  return {error({}, fmt::format("-o {}: expected the name of a .csv or .svg file, or - for standard output",
                                options.output->empty() ? "''" : *options.output))};
}

}  // namespace

int command_cam(const CamOptions& options) {
  constexpr double kMost = 100000;
  Problems problems;
  const auto mechanism = load_model(options, problems);
  if (!mechanism) return kWrong;
  if (const Problems against = objections(options, *mechanism); !against.empty()) return refuse(options, against);
  int count = 720;
  if (options.count) {
    const auto number = option_number("--points", *options.count, *mechanism);
    if (!number) return refuse(options, number.problems());
    if (!(*number >= 3 && *number <= kMost && std::floor(*number) == *number))
      return refuse(options,
                    {error({}, fmt::format("--points {}: expected a whole number from 3 to {:g}", *options.count, kMost))});
    count = static_cast<int>(*number);
  }
  auto profile = curve_profile(*mechanism, options.joint.value_or(""), count);
  if (!profile) {
    if (options.joint)
      for (Problem& problem : profile.problems()) problem.sentence = "--joint: " + problem.sentence;
    return refuse(options, profile.problems());
  }
  print_problems(problems, options.quiet);
  const bool drawing = options.output && std::filesystem::path(*options.output).extension() == ".svg";
  const int code = write_figure(options.output, drawing ? profile_svg(*profile) : profile_csv(*profile));
  if (code != kDone || !options.output || *options.output == "-" || options.quiet) return code;
  print(fmt::format("{}  ({} on '{}')\n  length    {:.6g} m, {}\n", profile->joint, profile->type, profile->body,
                    profile->length, profile->closed ? "closed" : "open"));
  if (profile->smallest_convex > 0)
    print(fmt::format("  bulges    with a radius of at least {:.6g} m\n", profile->smallest_convex));
  if (profile->smallest_hollow > 0)
    print(fmt::format("  hollow    with a radius of at least {:.6g} m\n", profile->smallest_hollow));
  if (profile->roller_radius > 0) print(fmt::format("  roller    radius {:.6g} m\n", profile->roller_radius));
  print(fmt::format("  written   {} ({} points)\n", *options.output, profile->places.size()));
  return code;
}

}  // namespace jounce::app
