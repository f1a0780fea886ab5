// A reader of GIF films, strict: whatever is not as the format says ends the test. It knows what a program of ours writes, one table of colours for all.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace jounce {

struct Gif {
  struct Frame {
    std::vector<std::uint8_t> pixels;  // of the whole picture: indices
    int hundredths = 0;
  };
  int width = 0, height = 0;
  int turns = -1;  // after the first; 0: on and on; -1: it is not said
  std::vector<std::uint8_t> colours;
  std::vector<Frame> frames;

  [[nodiscard]] double brightness(const Frame& frame, double x, double y) const {
    const auto column = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
    if (column < 0 || row < 0 || column >= width || row >= height) return 255;
    const std::size_t index = frame.pixels[static_cast<std::size_t>(row * width + column)];
    return (colours[3 * index] + colours[3 * index + 1] + colours[3 * index + 2]) / 3.0;
  }
};

class GifBytes {
 public:
  explicit GifBytes(const std::string& bytes) : bytes_(bytes) {}
  int byte() {
    REQUIRE(at_ < bytes_.size());
    return static_cast<unsigned char>(bytes_[at_++]);
  }
  int word() {
    const int low = byte();
    return low | byte() << 8;
  }
  std::string text(std::size_t size) {
    std::string out;
    while (size-- > 0) out += static_cast<char>(byte());
    return out;
  }
  std::string blocks() {
    std::string out;
    for (int size = byte(); size != 0; size = byte()) out += text(static_cast<std::size_t>(size));
    return out;
  }
  [[nodiscard]] bool ended() const { return at_ == bytes_.size(); }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

// Lempel, Ziv and Welch as GIF has it: codes of growing size, lowest bits first.
inline std::vector<std::uint8_t> unpacked(const std::string& data, int least) {
  std::vector<std::uint8_t> out;
  const int clear = 1 << least, end = clear + 1;
  std::vector<std::vector<std::uint8_t>> table;
  const auto reset = [&] {
    table.assign(static_cast<std::size_t>(end) + 1, {});
    for (int k = 0; k < clear; ++k) table[static_cast<std::size_t>(k)] = {static_cast<std::uint8_t>(k)};
  };
  reset();
  int size = least + 1, bits = 0;
  unsigned held = 0;
  std::vector<std::uint8_t> last;
  for (const char c : data) {
    held |= static_cast<unsigned>(static_cast<unsigned char>(c)) << bits;
    bits += 8;
    while (bits >= size) {
      const int code = static_cast<int>(held & ((1U << size) - 1));
      held >>= size, bits -= size;
      if (code == end) return out;
      if (code == clear) {
        reset(), last.clear(), size = least + 1;
        continue;
      }
      std::vector<std::uint8_t> now;
      if (code < static_cast<int>(table.size())) {
        now = table[static_cast<std::size_t>(code)];
      } else {
        REQUIRE(code == static_cast<int>(table.size()));
        REQUIRE(!last.empty());
        now = last, now.push_back(last[0]);
      }
      if (!last.empty() && table.size() < 4096) {
        last.push_back(now[0]);
        table.push_back(last);
      }
      if (static_cast<int>(table.size()) == 1 << size && size < 12) ++size;
      out.insert(out.end(), now.begin(), now.end());
      last = now;
    }
  }
  FAIL("the data of a picture has no end");
  return out;
}

inline Gif read_gif(const std::string& bytes) {
  GifBytes in(bytes);
  Gif out;
  REQUIRE(in.text(6) == "GIF89a");
  out.width = in.word(), out.height = in.word();
  const int packed = in.byte();
  REQUIRE((packed & 0x80) != 0);
  in.byte(), in.byte();
  for (int k = 0; k < 3 * (2 << (packed & 7)); ++k) out.colours.push_back(static_cast<std::uint8_t>(in.byte()));
  std::vector<std::uint8_t> sheet(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height));
  int hundredths = 0, unchanged = -1;
  for (int what = in.byte(); what != 0x3b; what = in.byte()) {
    if (what == 0x21) {
      const int kind = in.byte();
      const std::string data = in.blocks();
      if (kind == 0xf9) {
        REQUIRE(data.size() == 4);
        hundredths = static_cast<unsigned char>(data[1]) | static_cast<unsigned char>(data[2]) << 8;
        unchanged = (data[0] & 1) != 0 ? static_cast<unsigned char>(data[3]) : -1;
      }
      if (kind == 0xff && data.starts_with("NETSCAPE2.0")) out.turns = static_cast<unsigned char>(data[12]) | static_cast<unsigned char>(data[13]) << 8;
      continue;
    }
    REQUIRE(what == 0x2c);
    const int left = in.word(), top = in.word(), width = in.word(), height = in.word();
    REQUIRE(left + width <= out.width);
    REQUIRE(top + height <= out.height);
    REQUIRE(in.byte() == 0);
    const int least = in.byte();
    const std::vector<std::uint8_t> own = unpacked(in.blocks(), least);
    REQUIRE(own.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const std::uint8_t index = own[static_cast<std::size_t>(y * width + x)];
        if (index != unchanged) sheet[static_cast<std::size_t>((top + y) * out.width + left + x)] = index;
      }
    out.frames.push_back({sheet, hundredths});
  }
  CHECK(in.ended());
  return out;
}

}  // namespace jounce
