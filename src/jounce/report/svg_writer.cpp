#include "jounce/report/svg_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "jounce/base/utf8.hpp"

namespace jounce::svg {
namespace {

// A figure inside a page takes the page's colour; one of its own has the reader's, and with the scheme the browser's ground for it.
constexpr std::string_view kStyle =
    "svg:root.jounce-figure{color:#1f2428;color-scheme:light dark}"
    ".jounce-figure{font-family:system-ui,'Segoe UI','DejaVu Sans',sans-serif;stroke-linecap:round;stroke-linejoin:round}"
    ".jounce-figure .paper{fill:#fff}.jounce-figure .halo{fill:none;stroke:#fff}"
    "@media(prefers-color-scheme:dark){svg:root.jounce-figure{color:#e3e7eb}"
    ".jounce-figure .paper{fill:#1b1f24}.jounce-figure .halo{stroke:#1b1f24}}";

constexpr std::array<std::string_view, 8> kColours{"#2f7fd1", "#d9622b", "#2a9d5c", "#a35fc4",
                                                   "#b08600", "#d6455d", "#1f9aa8", "#8f7a66"};
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The size of the character that a text begins with; 0 also for those that XML leaves out.
std::size_t xml_character(std::string_view text) {
  const std::size_t n = character_size(text);
  const auto first = static_cast<unsigned char>(text[0]);
  if (n == 1 && first < 0x20 && first != '\t' && first != '\n') return 0;
  if (text.starts_with("\xEF\xBF\xBE") || text.starts_with("\xEF\xBF\xBF")) return 0;
  return n;
}

std::string_view markup(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
  }
}

}  // namespace

std::string number(double value) {
  if (!std::isfinite(value)) return "0";
  const double hundredths = std::round(value * 100);
  if (std::abs(hundredths) > 1e15) return fmt::format("{:.6e}", value);
  std::string out = fmt::format("{:.2f}", hundredths / 100 + 0.0);
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  return out == "-0" ? "0" : out;
}

std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t n = xml_character(text);
    if (n == 0)
      out += kReplacement;
    else if (const std::string_view safe = markup(text[0]); !safe.empty())
      out += safe;
    else
      out += text.substr(0, n);
    text.remove_prefix(std::max<std::size_t>(n, 1));
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t longest) {
  std::size_t characters = 0, cut = 0;
  for (std::size_t at = 0; at < text.size(); ++characters) {
    if (characters + 1 == longest) cut = at;
    at += std::max<std::size_t>(character_size(text.substr(at)), 1);
  }
  return characters <= longest ? std::string(text) : std::string(text.substr(0, cut)) + "…";
}

double text_width(std::string_view text, double font_size) {
  const auto starts = std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; });
  return 0.6 * font_size * static_cast<double>(starts);
}

std::string path(std::span<const Pixel> points, bool closed) {
  std::string out;
  for (const Pixel& p : points) {
    out += out.empty() ? 'M' : 'L';
    const std::string y = number(p.y);
    out += number(p.x) + (y.starts_with('-') ? "" : " ") + y;
  }
  if (closed) out += 'Z';
  return out;
}

std::string_view colour(std::size_t index) { return kColours[index % kColours.size()]; }
std::size_t colours() { return kColours.size(); }

Writer::Writer(double width, double height, std::string_view title, std::string_view style) {
  const std::string w = number(width), h = number(height);
  open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
               {"class", "jounce-figure"},
               {"width", w},
               {"height", h},
               {"viewBox", "0 0 " + w + " " + h},
               {"role", "img"},
               {"fill", "none"},
               {"stroke", "currentColor"}});
  out_ += "<title>" + escaped(title) + "</title>\n<style>";
  out_ += kStyle;
  out_ += style;
  out_ += "</style>\n";
}

void Writer::start(std::string_view tag, Attributes attributes) {
  out_ += '<';
  out_ += tag;
  for (const auto& [name, value] : attributes) {
    if (value.empty()) continue;
    out_ += ' ';
    out_ += name;
    out_ += "=\"" + escaped(value) + '"';
  }
}

void Writer::open(std::string_view tag, Attributes attributes) {
  start(tag, attributes);
  out_ += ">\n";
  open_.emplace_back(tag);
}

void Writer::close() {
  out_ += "</" + open_.back() + ">\n";
  open_.pop_back();
}

void Writer::element(std::string_view tag, Attributes attributes) {
  start(tag, attributes);
  out_ += "/>\n";
}

void Writer::text(std::string_view content, Attributes attributes) {
  start("text", attributes);
  out_ += ">" + escaped(content) + "</text>\n";
}

void Writer::line(Pixel a, Pixel b, std::string_view style_class) {
  element("line", {{"class", std::string(style_class)},
                   {"x1", number(a.x)},
                   {"y1", number(a.y)},
                   {"x2", number(b.x)},
                   {"y2", number(b.y)}});
}

void Writer::circle(Pixel centre, double radius, std::string_view style_class) {
  element("circle",
          {{"class", std::string(style_class)}, {"cx", number(centre.x)}, {"cy", number(centre.y)}, {"r", number(radius)}});
}

void Writer::path(std::string data, std::string_view style_class) {
  element("path", {{"class", std::string(style_class)}, {"d", std::move(data)}});
}

std::string Writer::finish() {
  while (!open_.empty()) close();
  return std::move(out_);
}

}  // namespace jounce::svg
