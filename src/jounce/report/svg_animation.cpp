#include "jounce/report/svg_animation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace jounce::svg {
namespace {

using Attribute = std::pair<std::string_view, std::string_view>;

// What one line of a drawing says: <tag name="value" …tail
struct Line {
  std::string_view head;  // "<line", "</g>\n", a whole line of text
  std::vector<Attribute> attributes;
  std::string_view tail;  // "/>", ">content</text>"
};

Line parsed(std::string_view text) {
  Line out;
  std::size_t at = text.find_first_of(" >");
  if (text.starts_with("</") || !text.starts_with('<') || at == text.npos) return {text, {}, {}};
  out.head = text.substr(0, at);
  while (at < text.size() && text[at] == ' ') {
    const std::size_t equals = text.find("=\"", at), end = text.find('"', equals + 2);
    out.attributes.emplace_back(text.substr(at + 1, equals - at - 1), text.substr(equals + 2, end - equals - 2));
    at = end + 1;
  }
  out.tail = text.substr(at);
  return out;
}

std::vector<Line> lines_of(std::string_view drawing) {
  std::vector<Line> out;
  while (!drawing.empty()) {
    const std::size_t end = std::min(drawing.find('\n'), drawing.size());
    out.push_back(parsed(drawing.substr(0, end)));
    drawing.remove_prefix(std::min(end + 1, drawing.size()));
  }
  return out;
}

// Attributes that SMIL can move as they are.
bool can_change(std::string_view name) {
  static constexpr std::array<std::string_view, 19> kNames{"d",  "x",  "y",    "x1",     "y1",      "x2",             "y2",           "cx",    "cy",           "r",
                                                           "rx", "ry", "fill", "stroke", "opacity", "stroke-opacity", "fill-opacity", "class", "stroke-width"};
  return std::ranges::find(kNames, name) != kNames.end();
}

// The same element, as far as it can change.
bool alike(const Line& a, const Line& b) {
  if (a.head != b.head || a.tail != b.tail || a.attributes.size() != b.attributes.size()) return false;
  for (std::size_t k = 0; k < a.attributes.size(); ++k) {
    const auto& [name, value] = a.attributes[k];
    if (name != b.attributes[k].first || (value != b.attributes[k].second && !can_change(name))) return false;
  }
  return true;
}

// By how many elements what follows lies deeper.
int deeper(const Line& line) {
  if (line.head.starts_with("</")) return -1;
  return !line.head.starts_with('<') || line.tail.ends_with("/>") || line.tail.find("</") != line.tail.npos ? 0 : 1;
}

// ---- values ------------------------------------------------------------------------------------------------------------

// A value as its numbers and what stands between them.
struct Value {
  std::string shape;  // commands; the flags of arcs belong to it
  std::vector<double> numbers;
};

Value read(std::string_view text) {
  Value out;
  std::size_t since = 0;  // numbers since the last command
  bool arc = false;
  while (!text.empty()) {
    const char c = text.front();
    if (c == ' ' || c == ',') {
      text.remove_prefix(1);
      continue;
    }
    double number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc{}) {
      out.shape += c, since = 0, arc = c == 'A';
      text.remove_prefix(1);
      continue;
    }
    const std::size_t place = since++ % 7;
    if (arc && (place == 3 || place == 4)) out.shape += number != 0 ? '1' : '0';
    out.numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return out;
}

// A tenth of a pixel is enough for what moves.
std::string tenths(double value) {
  std::string out = fmt::format("{:.1f}", std::round(value * 10) / 10 + 0.0);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out == "-0" ? "0" : out;
}

std::string written(std::string_view text) {
  std::string out;
  for (bool first = true; !text.empty();) {
    double number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed == std::errc{}) {
      const std::string digits = tenths(number);
      if (!first && !digits.starts_with('-')) out += ' ';
      out += digits, first = false;
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    } else {
      if (text.front() != ' ' && text.front() != ',') out += text.front(), first = true;
      text.remove_prefix(1);
    }
  }
  return out;
}

// ---- time ----------------------------------------------------------------------------------------------------------------

struct Clock {
  std::size_t frames;
  std::string timing;  // of every element that moves

  [[nodiscard]] std::string part(std::size_t frame) const {
    std::string out = fmt::format("{:.5f}", static_cast<double>(frame) / static_cast<double>(frames - 1));
    while (out.ends_with('0')) out.pop_back();
    if (out.ends_with('.')) out.pop_back();
    return out;
  }
};

class Player {
 public:
  Player(std::span<const std::string> frames, double interval, int turns, std::size_t most) : most_(most) {
    for (const std::string& frame : frames) frames_.push_back(lines_of(frame));
    const double all = interval * static_cast<double>(frames.size() - 1);
    clock_ = {frames.size(), fmt::format(" dur=\"{:.6g}s\" {}", all, turns == 0 ? "repeatCount=\"indefinite\"" : fmt::format("repeatCount=\"{}\" fill=\"freeze\"", turns))};
  }

  // Empty: it would be too much.
  std::string play() {
    const std::vector<Line>& first = frames_.front();
    std::size_t shortest = first.size();
    for (const auto& frame : frames_) shortest = std::min(shortest, frame.size());
    const auto all_alike = [&](auto line_of) {
      return std::ranges::all_of(frames_, [&](const auto& frame) { return alike(line_of(frame), line_of(first)); });
    };
    std::size_t before = 0, after = 0;
    while (before < shortest && all_alike([&](const auto& frame) -> const Line& { return frame[before]; })) ++before;
    // what is shown in turn are whole elements of the drawing's own group
    before = level(first.begin(), before);
    while (before + after < shortest && all_alike([&](const auto& frame) -> const Line& { return frame[frame.size() - 1 - after]; })) ++after;
    after = level(first.rbegin(), after);
    for (std::size_t k = 0; k < before; ++k) write(0, frames_.size() - 1, k, false);
    for (std::size_t from = 0; from < frames_.size() && before + after < frames_[from].size() && !full();) from = play_segment(from, before, after);
    for (std::size_t k = after; k > 0; --k) write(0, frames_.size() - 1, k - 1, true);
    return full() ? "" : std::move(out_);
  }

 private:
  // The last of so many lines, counted from an end of the drawing, behind which one stands in its first group.
  template <class Lines>
  static std::size_t level(Lines line, std::size_t most) {
    int depth = 0;
    std::size_t out = 0;
    for (std::size_t k = 0; k < most; ++k, ++line)
      if (depth += deeper(*line); std::abs(depth) == 2) out = k + 1;
    return out;
  }

  [[nodiscard]] bool full() const { return out_.size() > most_; }

  // The drawings from `from` on that have the same elements in their middle; gives the first that has not.
  std::size_t play_segment(std::size_t from, std::size_t before, std::size_t after) {
    const std::vector<Line>& first = frames_[from];
    std::size_t next = from + 1;
    const auto same = [&](const std::vector<Line>& frame) {
      return frame.size() == first.size() && std::equal(frame.begin() + at(before), frame.end() - at(after), first.begin() + at(before), alike);
    };
    while (next < frames_.size() && same(frames_[next])) ++next;
    std::string shown = from == 0 ? "inline" : "none;inline", times = from == 0 ? "0" : "0;" + clock_.part(from);
    if (next < frames_.size()) shown += ";none", times += ";" + clock_.part(next);
    out_ += fmt::format("<g{}>\n<animate attributeName=\"display\" calcMode=\"discrete\" values=\"{}\" keyTimes=\"{}\"{}/>\n",
                        from == 0 ? "" : " display=\"none\"", shown, times, clock_.timing);
    for (std::size_t k = before; k < first.size() - after && !full(); ++k) write(from, next - 1, k, false);
    out_ += "</g>\n";
    return next;
  }

  static std::ptrdiff_t at(std::size_t k) { return static_cast<std::ptrdiff_t>(k); }

  // Line k of the drawings from `from` to `until`, or the one so far from the end.
  void write(std::size_t from, std::size_t until, std::size_t k, bool from_end) {
    const auto line = [&](std::size_t frame) -> const Line& { return frames_[frame][from_end ? frames_[frame].size() - 1 - k : k]; };
    const Line& own = line(from);
    std::string moves;
    out_ += own.head;
    for (std::size_t a = 0; a < own.attributes.size(); ++a) {
      const auto& [name, value] = own.attributes[a];
      out_ += fmt::format(" {}=\"{}\"", name, value);
      std::vector<std::string_view> values;
      for (std::size_t frame = from; frame <= until; ++frame) values.push_back(line(frame).attributes[a].second);
      if (std::ranges::any_of(values, [&](std::string_view other) { return other != values.front(); })) moves += moving(name, values, from);
    }
    if (moves.empty()) {
      (out_ += own.tail) += '\n';
    } else if (own.tail == "/>") {
      out_ += fmt::format(">{}</{}>\n", moves, own.head.substr(1));
    } else {
      out_ += fmt::format(">{}{}\n", moves, own.tail.substr(1));
    }
  }

  [[nodiscard]] std::string moving(std::string_view name, const std::vector<std::string_view>& values, std::size_t from) const {
    const bool text = name == "class" || name == "fill" || name == "stroke";
    const bool steady = !text && even(values);
    std::string list, times;
    const bool whole = values.size() == clock_.frames;
    const auto add = [&](std::string_view value, std::size_t frame) {
      if (!list.empty()) list += ';', times += ';';
      list += text ? std::string(value) : written(value);
      times += clock_.part(frame);
    };
    if (from > 0) add(values.front(), 0);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (steady || k == 0 || values[k] != values[k - 1]) add(values[k], from + k);
    if (steady && from + values.size() < clock_.frames) add(values.back(), clock_.frames - 1);
    return fmt::format("<animate attributeName=\"{}\"{} values=\"{}\"{}{}/>", name, steady ? "" : " calcMode=\"discrete\"", list,
                       steady && whole ? "" : " keyTimes=\"" + times + '"', clock_.timing);
  }

  // Whether one value leads to the next on the way that the mechanism takes, too: the same commands, and no jump.
  static bool even(const std::vector<std::string_view>& values) {
    constexpr double kJump = 200;  // pixels
    Value last = read(values.front());
    for (std::size_t k = 1; k < values.size(); ++k) {
      Value now = read(values[k]);
      if (now.shape != last.shape || now.numbers.size() != last.numbers.size()) return false;
      for (std::size_t i = 0; i < now.numbers.size(); ++i)
        if (std::abs(now.numbers[i] - last.numbers[i]) > kJump) return false;
      last = std::move(now);
    }
    return true;
  }

  std::vector<std::vector<Line>> frames_;
  Clock clock_{};
  std::size_t most_;
  std::string out_;
};

}  // namespace

Result<std::string> animated(std::span<const std::string> frames, double interval, int turns, std::size_t most) {
  if (frames.empty()) return error({}, "an animation: expected drawings, found none");
  if (frames.size() == 1) return frames.front();
  std::string out = Player(frames, interval, turns, most).play();
  if (out.empty())
    return error({}, fmt::format("the animation of {} drawings would need more than {} MiB as .svg", frames.size(), most >> 20U),
                 "write it as .gif or .mp4, or take fewer frames per second");
  return out;
}

}  // namespace jounce::svg
