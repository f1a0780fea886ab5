#include "jounce/report/dxf_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jounce/base/utf8.hpp"

namespace jounce::dxf {
namespace {

constexpr double kMillimetres = 1000;  // in a metre
constexpr int kUnitIsMillimetre = 4;   // of $INSUNITS

// The format is ASCII: other characters are written by their numbers, and there are no lines within a text.
std::string plain(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t n = std::max<std::size_t>(character_size(text), 1);
    auto code = static_cast<unsigned>(static_cast<unsigned char>(text[0]));
    if (n == 1) {
      out += code < 0x20 || code >= 0x7f ? '?' : text[0];
    } else {
      code &= (0xffU >> (n + 1));
      for (std::size_t k = 1; k < n; ++k) code = code << 6U | (static_cast<unsigned char>(text[k]) & 0x3fU);
      out += code <= 0xffff ? fmt::format("\\U+{:04X}", code) : "?";
    }
    text.remove_prefix(n);
  }
  return out;
}

std::string number(double millimetres) {
  std::string out = fmt::format("{:.9f}", millimetres + 0.0);
  while (out.ends_with("00")) out.pop_back();
  return out;
}

}  // namespace

Writer::Writer(std::string_view comment, std::span<const Layer> layers) {
  group(999, plain(comment));
  group(0, "SECTION"), group(2, "HEADER");
  group(9, "$ACADVER"), group(1, "AC1009");
  group(9, "$INSUNITS"), group(70, kUnitIsMillimetre);
  group(9, "$MEASUREMENT"), group(70, 1);
  head_ = std::move(out_);
  out_.clear();
  group(0, "ENDSEC");
  group(0, "SECTION"), group(2, "TABLES");
  group(0, "TABLE"), group(2, "LTYPE"), group(70, 1);
  group(0, "LTYPE"), group(2, "CONTINUOUS"), group(70, 0), group(3, "Solid line"), group(72, 65), group(73, 0), group(40, "0.0");
  group(0, "ENDTAB");
  group(0, "TABLE"), group(2, "LAYER"), group(70, static_cast<int>(layers.size()) + 1);
  const auto layer = [&](std::string_view name, int colour) {
    group(0, "LAYER"), group(2, name), group(70, 0), group(62, colour), group(6, "CONTINUOUS");
  };
  layer("0", black);
  for (const Layer& own : layers) layer(own.name, own.colour);
  group(0, "ENDTAB");
  group(0, "TABLE"), group(2, "STYLE"), group(70, 1);
  group(0, "STYLE"), group(2, "STANDARD"), group(70, 0), group(40, "0.0"), group(41, "1.0"), group(50, "0.0"), group(71, 0), group(42, "2.5");
  group(3, "txt"), group(4, "");
  group(0, "ENDTAB");
  group(0, "ENDSEC");
  group(0, "SECTION"), group(2, "BLOCKS"), group(0, "ENDSEC");
  group(0, "SECTION"), group(2, "ENTITIES");
}

void Writer::point(std::string_view layer, Vec3<double> p) {
  begin("POINT", layer, by_layer);
  place(10, p);
}

void Writer::line(std::string_view layer, Vec3<double> a, Vec3<double> b, int colour) {
  begin("LINE", layer, colour);
  place(10, a), place(11, b);
}

void Writer::circle(std::string_view layer, Vec3<double> centre, double radius, int colour) {
  if (!(radius > 0)) return;
  begin("CIRCLE", layer, colour);
  place(10, centre), length(40, radius);
  const Vec3<double> reach{radius, radius, 0};
  low_ = {std::min(low_.x, centre.x - reach.x), std::min(low_.y, centre.y - reach.y), low_.z};
  high_ = {std::max(high_.x, centre.x + reach.x), std::max(high_.y, centre.y + reach.y), high_.z};
}

void Writer::polyline(std::string_view layer, std::span<const Vec3<double>> points, bool closed, bool flat, int colour) {
  if (points.size() < 2) return;
  constexpr int kClosed = 1, kInSpace = 8, kVertexInSpace = 32;
  begin("POLYLINE", layer, colour);
  group(66, 1);
  group(10, "0.0"), group(20, "0.0"), group(30, "0.0");
  group(70, (closed ? kClosed : 0) + (flat ? 0 : kInSpace));
  for (const Vec3<double>& p : points) {
    begin("VERTEX", layer, colour);
    place(10, p);
    if (!flat) group(70, kVertexInSpace);
  }
  begin("SEQEND", layer, colour);
}

void Writer::text(std::string_view layer, Vec3<double> at, double height, std::string_view words) {
  begin("TEXT", layer, by_layer);
  place(10, at), length(40, height), group(1, plain(words)), group(7, "STANDARD");
}

std::string Writer::finish() {
  group(0, "ENDSEC"), group(0, "EOF");
  std::string body = std::move(out_);
  out_ = std::move(head_);
  if (low_.x <= high_.x) {
    const Vec3<double> low = low_, high = high_;
    group(9, "$EXTMIN"), place(10, low);
    group(9, "$EXTMAX"), place(10, high);
  }
  return std::move(out_) + body;
}

void Writer::begin(std::string_view kind, std::string_view layer, int colour) {
  group(0, kind), group(8, layer);
  if (colour != by_layer) group(62, colour);
}

void Writer::group(int code, std::string_view value) { out_ += fmt::format("{:3}\n{}\n", code, value); }
void Writer::group(int code, int value) { group(code, fmt::format("{:6}", value)); }
void Writer::length(int code, double metres) { group(code, number(kMillimetres * metres)); }

void Writer::place(int code, Vec3<double> p) {
  low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), std::min(low_.z, p.z)};
  high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y), std::max(high_.z, p.z)};
  length(code, p.x), length(code + 10, p.y), length(code + 20, p.z);
}

}  // namespace jounce::dxf
