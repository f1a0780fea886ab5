// jounce cam MODEL: the profile of a cam, or the curve of a slot, as coordinates, as a drawing or for CAD.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "commands.hpp"
#include "jounce/api/cam.hpp"
#include "model_input.hpp"
#include "figure_file.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

std::string written(const CurveProfile& profile, Format format) {
  if (format == Format::csv) return profile_csv(profile);
  return format == Format::dxf ? profile_dxf(profile) : profile_svg(profile);
}

}  // namespace

int command_cam(const CamOptions& options) {
  constexpr double kMost = 100000;
  Problems problems;
  const auto mechanism = load_model(options, problems);
  if (!mechanism) return kWrong;
  const auto format = figure_format(options.output, std::array{Format::csv, Format::svg, Format::dxf, Format::png}, input_files(options, *mechanism), "the profile is made");
  if (!format) return refuse(options, format.problems());
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
  const int code = write_figure(options.output, *format, written(*profile, *format));
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
