// jounce animate MODEL: the motion of a mechanism as a film, drawn as jounce draw does it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "commands.hpp"
#include "drawn.hpp"
#include "figure_file.hpp"
#include "film_file.hpp"
#include "gif_file.hpp"
#include "model_input.hpp"
#include "terminal.hpp"
#include "text_file.hpp"
#include "timed_run.hpp"

namespace jounce::app {
namespace {

constexpr double kMostFps = 240, kMostFpsOfGif = 50;  // browsers show a picture of a .gif for two hundredths of a second at least
constexpr double kMostTurns = 65535;
constexpr double kPartOfRun = 0.2;  // of the work: making pictures takes longer
constexpr std::size_t kSamples = 16;  // pictures whose colours are looked at

struct WantedFilm {
  Format format{};
  AnimationOptions film;
  int turns = 0;  // 0: on and on
  std::string ffmpeg;
};

Result<WantedFilm> wanted(const AnimateOptions& options, const Mechanism& mechanism) {
  const auto format = figure_format(options.output, std::array{Format::svg, Format::gif, Format::mp4, Format::webm}, input_files(options, mechanism),
                                    "the film is made");
  Problems problems = format.problems();
  WantedFilm out;
  if (format) out.format = *format;
  const bool filmed = out.format == Format::mp4 || out.format == Format::webm;
  const auto take = [&](std::string_view option, const std::optional<std::string>& text, const auto& accept, const std::string& expected) {
    if (!text) return;
    const auto value = option_number(option, *text, mechanism);
    if (!value) append(problems, value.problems());
    else if (!accept(*value)) problems.push_back(error({}, fmt::format("{} {}: must be {}", option, *text, expected)));
  };
  take("--from", options.from, [&](double v) { return out.film.from = v, v >= 0 && std::isfinite(v); }, "0 or a later time");
  const double end = mechanism.run().to;
  take("--to", options.to, [&](double v) { return out.film.to = v, v > out.film.from && std::isfinite(v); },
       fmt::format("a time later than {:g}", out.film.from));
  if (!options.to && out.film.from >= end)
    problems.push_back(error({}, fmt::format("--from {:g}: must be before the end of the run, {:g} s", out.film.from, end)));
  const double most = out.format == Format::gif ? kMostFpsOfGif : kMostFps;
  take("--fps", options.fps, [&](double v) { return out.film.fps = v, v >= 1 && v <= most; },
       fmt::format("a number from 1 to {:g}{}", most, out.format == Format::gif ? ": no browser shows a .gif faster" : ""));
  take("--speed", options.speed, [&](double v) { return out.film.speed = v, v > 0 && std::isfinite(v); },
       "greater than 0: seconds of the motion for a second of the film");
  take("--loop", options.turns, [&](double v) { return v >= 0 && v <= kMostTurns && v == std::floor(v) && (out.turns = static_cast<int>(v), true); },
       fmt::format("how often it plays, a whole number from 1 to {:g}, or 0: on and on", kMostTurns));
  if (options.turns && filmed)
    problems.push_back(error({}, fmt::format("--loop {}: a {} file plays once; its player repeats it", *options.turns, ending(out.format))));
  take_view(options, mechanism, out.film.drawing, problems);
  out.film.trails = trails_of(options, mechanism, problems);
  if (filmed) {
    const auto ffmpeg = find_ffmpeg();
    if (!ffmpeg)
      problems.push_back(error({}, fmt::format("-o {}: expected the program ffmpeg on PATH, which writes {} files, found none", *options.output,
                                               ending(out.format)), "install ffmpeg, or write a .gif or .svg"));
    else out.ffmpeg = *ffmpeg;
  }
  if (!problems.empty()) return problems;
  return out;
}

struct Written {
  int code = kDone;
  bool interrupted = false;
};

Written failed(const std::string& sentence) { return complain(sentence), Written{kIncomplete}; }
Written failed(const Problems& problems) { return print_problems(problems, false), Written{kIncomplete}; }

using Showing = std::function<void(std::size_t frame)>;

// Every picture of a film, one after the other.
template <class Take>
std::optional<Written> each_picture(const Animation& film, std::size_t frames, const Showing& shown, const Take& take) {
  for (std::size_t k = 0; k < frames; ++k) {
    if (Interrupt::asked()) return Written{kIncomplete, true};
    const auto picture = picture_of(film.frames[k]);
    if (!picture) return failed(picture.problems());
    if (!take(*picture, k)) break;
    shown(k);
  }
  return std::nullopt;
}

Written write_gif(const AnimateOptions& options, const Animation& film, std::size_t frames, int turns, const Showing& shown) {
  Palette palette;
  const std::size_t step = std::max<std::size_t>(1, frames / kSamples);
  int width = 0, height = 0;
  for (std::size_t k = 0; k < frames; k += step) {
    const auto picture = picture_of(film.frames[k]);
    if (!picture) return failed(picture.problems());
    palette.take(*picture);
    width = picture->width, height = picture->height;
  }
  palette.choose();
  GifFile gif(width, height, std::move(palette), turns);
  const auto hundredths = [&](std::size_t k) { return std::lround(100 * film.interval * static_cast<double>(k)); };
  const auto ended = each_picture(film, frames, shown, [&](const Picture& picture, std::size_t k) {
    return gif.add(picture, static_cast<int>(hundredths(k + 1) - hundredths(k))), true;
  });
  if (ended) return *ended;
  const auto bytes = gif.finish();
  return bytes ? Written{write_figure(options.output, *bytes)} : failed(bytes.problems());
}

Written write_film(const AnimateOptions& options, const WantedFilm& wanted, const Animation& film, std::size_t frames, const Showing& shown) {
  OutputFile file(*options.output);
  if (file.stream() == nullptr) return complain(cannot_write(*options.output, {false, false, file.failure()})), Written{kWrong};
  std::optional<FilmFile> to;
  const auto ended = each_picture(film, frames, shown, [&](const Picture& picture, std::size_t) {
    if (!to) to.emplace(wanted.ffmpeg, file.place(), wanted.format, picture.width, picture.height, film.interval);
    return to->add(picture);
  });
  if (ended) return *ended;
  if (const auto why = to->finish()) return failed(fmt::format("cannot write '{}': {}", *options.output, *why));
  if (!file.finish()) return failed(cannot_write(*options.output, {true, false, file.failure()}));
  return {};
}

}  // namespace

int command_animate(const AnimateOptions& options) {
  Problems problems;
  const auto mechanism = load_model(options, problems);
  if (!mechanism) return kWrong;
  auto asked = wanted(options, *mechanism);
  if (!asked) return refuse(options, asked.problems());

  const Interrupt interrupt;
  Animation film;
  Written written;
  std::size_t frames = 0;
  {
    Progress progress(1, !options.quiet && !((!options.output || *options.output == "-") && is_terminal(stdout)));
    asked->film.stop = [] { return Interrupt::asked(); };
    asked->film.progress = [&](double part) { progress.show(kPartOfRun * part); };
    film = animate(*mechanism, asked->film);
    frames = film.frames.size();
    // where the end is the beginning, a film that is shown again and again has it once
    if (film.round && asked->format != Format::svg) --frames;
    const Showing shown = [&](std::size_t k) { progress.show(kPartOfRun + (1 - kPartOfRun) * static_cast<double>(k) / static_cast<double>(frames)); };
    append(problems, film.problems);
    progress.erase();
    print_problems(problems, options.quiet);
    if (Interrupt::asked() || film.frames.empty()) {
      written.interrupted = Interrupt::asked();
    } else if (asked->format == Format::svg) {
      const auto svg = animated_svg(film, asked->turns);
      written = svg ? Written{write_figure(options.output, *svg)} : failed(svg.problems());
    } else if (asked->format == Format::gif) {
      written = write_gif(options, film, frames, asked->turns, shown);
    } else {
      written = write_film(options, *asked, film, frames, shown);
    }
  }
  if (written.interrupted) return complain("interrupted: nothing was written"), kIncomplete;
  const int code = film.frames.empty() ? std::max<int>(exit_code(film.outcome.kind), kIncomplete) : std::max(exit_code(film.outcome.kind), written.code);
  if (written.code == kDone && frames > 0 && options.output && *options.output != "-" && !options.quiet)
    print(fmt::format("{}\n  motion    {:.6g} s to {:.6g} s, {:.4g} s of film{}\n  written   {} ({} frames)\n", mechanism->name(), film.from, film.to,
                      film.interval * static_cast<double>(film.frames.size() - 1), film.round ? ", its end is its beginning" : "", *options.output, frames));
  return code;
}

}  // namespace jounce::app
