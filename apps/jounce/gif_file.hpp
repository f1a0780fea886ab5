// Films as GIF: one table of colours for all, and of each drawing only what is new.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "picture.hpp"

namespace jounce::app {

/// At most 255 colours that stand for all of some pictures: those that are there most are there exactly, the others by median cut.
class Palette {
 public:
  void take(const Picture& picture);
  /// Chooses them. To be called once, after the last picture.
  void choose();

  using Colour = std::array<std::uint8_t, 3>;
  [[nodiscard]] const std::vector<Colour>& colours() const { return colours_; }
  /// The nearest.
  [[nodiscard]] std::uint8_t nearest(std::uint32_t rgb);

 private:
  std::unordered_map<std::uint32_t, std::uint32_t> seen_;  // how often
  std::vector<Colour> colours_;
  std::unordered_map<std::uint32_t, std::uint8_t> found_;
};

class GifFile {
 public:
  /// `turns`: how often it plays, 0 on and on.
  GifFile(int width, int height, Palette palette, int turns);
  ~GifFile();
  GifFile(const GifFile&) = delete;
  GifFile& operator=(const GifFile&) = delete;

  /// `hundredths` of a second that it is shown.
  void add(const Picture& picture, int hundredths);
  /// The bytes of the file; the reason where it failed.
  [[nodiscard]] Result<std::string> finish();

 private:
  struct Encoder;
  struct Waiting {  // drawn with the next, which may be the same
    std::vector<std::uint8_t> pixels;
    int x = 0, y = 0, width = 0, height = 0;
    int hundredths = 0;
  };
  void write_waiting();

  [[maybe_unused]] int width_, height_;
  Palette palette_;
  std::vector<std::uint8_t> shown_;  // indices; empty: nothing is shown yet
  std::optional<Waiting> waiting_;
  std::unique_ptr<Encoder> encoder_;
};

}  // namespace jounce::app
