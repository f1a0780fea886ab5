#include <algorithm>
#include <limits>
#include <span>

#include "gif_file.hpp"

namespace jounce::app {
namespace {

constexpr std::size_t kColours = 255;  // and one for what stays as it is
constexpr std::size_t kExact = 96;

struct Counted {
  Palette::Colour colour;
  std::uint32_t count;
};

Palette::Colour split(std::uint32_t rgb) {
  return {static_cast<std::uint8_t>(rgb >> 16U), static_cast<std::uint8_t>(rgb >> 8U), static_cast<std::uint8_t>(rgb)};
}

using Box = std::span<Counted>;

// The channel in which the colours of a box differ most, and by how much.
std::pair<std::size_t, int> widest(const Box& box) {
  std::pair<std::size_t, int> out{0, -1};
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const auto [low, high] = std::ranges::minmax(box, {}, [&](const Counted& c) { return c.colour[channel]; });
    if (const int by = high.colour[channel] - low.colour[channel]; by > out.second) out = {channel, by};
  }
  return out;
}

Palette::Colour mean(const Box& box) {
  std::array<std::uint64_t, 3> sum{};
  std::uint64_t all = 0;
  for (const Counted& c : box) {
    all += c.count;
    for (std::size_t channel = 0; channel < 3; ++channel) sum[channel] += std::uint64_t{c.count} * c.colour[channel];
  }
  Palette::Colour out{};
  for (std::size_t channel = 0; channel < 3; ++channel) out[channel] = static_cast<std::uint8_t>((sum[channel] + all / 2) / all);
  return out;
}

}  // namespace

void Palette::take(const Picture& picture) {
  for (std::size_t k = 0; k + 2 < picture.rgb.size(); k += 3)
    ++seen_[std::uint32_t{picture.rgb[k]} << 16U | std::uint32_t{picture.rgb[k + 1]} << 8U | picture.rgb[k + 2]];
}

void Palette::choose() {
  std::vector<Counted> all;
  for (const auto& [rgb, count] : seen_) all.push_back({split(rgb), count});
  std::ranges::sort(all, [](const Counted& a, const Counted& b) { return a.count != b.count ? a.count > b.count : a.colour < b.colour; });
  const std::size_t exact = all.size() <= kColours ? all.size() : kExact;
  for (const Counted& c : std::span(all).first(exact)) colours_.push_back(c.colour);
  std::vector<Box> boxes;
  if (exact < all.size()) boxes.push_back(std::span(all).subspan(exact));
  while (!boxes.empty() && exact + boxes.size() < kColours) {
    // the box whose cut gains most: wide, and of many pixels
    const auto gain = [](const Box& box) {
      double pixels = 0;
      for (const Counted& c : box) pixels += c.count;
      return box.size() < 2 ? 0 : widest(box).second * pixels;
    };
    const auto chosen = std::ranges::max_element(boxes, {}, gain);
    if (chosen->size() < 2) break;
    const std::size_t channel = widest(*chosen).first;
    std::ranges::sort(*chosen, {}, [&](const Counted& c) { return std::pair(c.colour[channel], c.colour); });
    std::uint64_t all_of_it = 0, half = 0;
    for (const Counted& c : *chosen) all_of_it += c.count;
    auto middle = chosen->begin();
    while (middle + 1 != chosen->end() && (half + middle->count) * 2 <= all_of_it) half += (middle++)->count;
    if (middle == chosen->begin()) ++middle;
    const auto first = static_cast<std::size_t>(middle - chosen->begin());
    const Box second = chosen->subspan(first);
    *chosen = chosen->first(first);
    boxes.push_back(second);
  }
  for (const Box& box : boxes) colours_.push_back(mean(box));
  seen_.clear();
}

std::uint8_t Palette::nearest(std::uint32_t rgb) {
  const auto [place, fresh] = found_.try_emplace(rgb, std::uint8_t{0});
  if (!fresh) return place->second;
  const Colour wanted = split(rgb);
  int least = std::numeric_limits<int>::max();
  for (std::size_t k = 0; k < colours_.size(); ++k) {
    int away = 0;
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const int by = int{wanted[channel]} - int{colours_[k][channel]};
      away += by * by;
    }
    if (away < least) least = away, place->second = static_cast<std::uint8_t>(k);
  }
  return place->second;
}

}  // namespace jounce::app
