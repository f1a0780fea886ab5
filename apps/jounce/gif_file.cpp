#include "gif_file.hpp"

#include <gif_lib.h>

#include <algorithm>

namespace jounce::app {
namespace {

constexpr int kBits = 8;
constexpr int kUnchanged = 255;  // the index of what shows the drawing before

int append_bytes(GifFileType* file, const GifByteType* bytes, int count) {
  static_cast<std::string*>(file->UserData)->append(bytes, bytes + count);
  return count;
}

}  // namespace

struct GifFile::Encoder {
  std::string bytes;
  GifFileType* file = nullptr;
  int failure = 0;  // giflib's number

  void check(int status) {
    if (status == GIF_ERROR && failure == 0) failure = file != nullptr && file->Error != 0 ? file->Error : E_GIF_ERR_WRITE_FAILED;
  }
  void close() {
    if (file == nullptr) return;
    int why = 0;
    if (EGifCloseFile(file, &why) == GIF_ERROR && failure == 0) failure = why;
    file = nullptr;
  }
};

GifFile::GifFile(int width, int height, Palette palette, int turns)
    : width_(width), height_(height), palette_(std::move(palette)), encoder_(std::make_unique<Encoder>()) {
  Encoder& e = *encoder_;
  e.file = EGifOpen(&e.bytes, append_bytes, &e.failure);
  if (e.file == nullptr) return;
  EGifSetGifVersion(e.file, true);
  std::array<GifColorType, std::size_t{1} << kBits> colours{};
  for (std::size_t k = 0; k < palette_.colours().size(); ++k) {
    const auto& [red, green, blue] = palette_.colours()[k];
    colours[k] = {red, green, blue};
  }
  ColorMapObject* const table = GifMakeMapObject(static_cast<int>(colours.size()), colours.data());
  e.check(EGifPutScreenDesc(e.file, width, height, kBits, 0, table));
  GifFreeMapObject(table);
  if (turns == 1) return;
  constexpr std::array<GifByteType, 11> kLoop{'N', 'E', 'T', 'S', 'C', 'A', 'P', 'E', '2', '.', '0'};
  const unsigned again = turns == 0 ? 0U : static_cast<unsigned>(turns - 1);  // after the first
  const std::array<GifByteType, 3> count{1, static_cast<GifByteType>(again & 255U), static_cast<GifByteType>(again >> 8U)};
  e.check(EGifPutExtensionLeader(e.file, APPLICATION_EXT_FUNC_CODE));
  e.check(EGifPutExtensionBlock(e.file, kLoop.size(), kLoop.data()));
  e.check(EGifPutExtensionBlock(e.file, count.size(), count.data()));
  e.check(EGifPutExtensionTrailer(e.file));
}

GifFile::~GifFile() { encoder_->close(); }

void GifFile::add(const Picture& picture, int hundredths) {
  const std::size_t count = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  std::vector<std::uint8_t> now(count);
  for (std::size_t k = 0; k < count; ++k)
    now[k] = palette_.nearest(std::uint32_t{picture.rgb[3 * k]} << 16U | std::uint32_t{picture.rgb[3 * k + 1]} << 8U | picture.rgb[3 * k + 2]);
  Waiting fresh{{}, 0, 0, width_, height_, hundredths};
  if (!shown_.empty()) {
    int left = width_, right = -1, top = height_, bottom = -1;
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const auto k = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
        if (now[k] == shown_[k]) continue;
        left = std::min(left, x), right = std::max(right, x), top = std::min(top, y), bottom = y;
      }
    if (right < 0 && waiting_) return void(waiting_->hundredths += hundredths);  // nothing has moved
    fresh = {{}, left, top, right - left + 1, bottom - top + 1, hundredths};
  }
  fresh.pixels.reserve(static_cast<std::size_t>(fresh.width) * static_cast<std::size_t>(fresh.height));
  for (int y = fresh.y; y < fresh.y + fresh.height; ++y)
    for (int x = fresh.x; x < fresh.x + fresh.width; ++x) {
      const auto k = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
      fresh.pixels.push_back(!shown_.empty() && now[k] == shown_[k] ? std::uint8_t{kUnchanged} : now[k]);
    }
  write_waiting();
  waiting_ = std::move(fresh);
  shown_ = std::move(now);
}

void GifFile::write_waiting() {
  Encoder& e = *encoder_;
  if (!waiting_ || e.file == nullptr) return;
  Waiting& w = *waiting_;
  constexpr int kLongest = 65535;
  const GraphicsControlBlock control{DISPOSE_DO_NOT, false, std::min(w.hundredths, kLongest), kUnchanged};
  std::array<GifByteType, 4> bytes{};
  const auto size = EGifGCBToExtension(&control, bytes.data());
  e.check(EGifPutExtension(e.file, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(size), bytes.data()));
  e.check(EGifPutImageDesc(e.file, w.x, w.y, w.width, w.height, false, nullptr));
  for (int y = 0; y < w.height; ++y)
    e.check(EGifPutLine(e.file, w.pixels.data() + static_cast<std::ptrdiff_t>(y) * w.width, w.width));
  waiting_.reset();
}

Result<std::string> GifFile::finish() {
  write_waiting();
  encoder_->close();
  if (encoder_->failure == 0) return std::move(encoder_->bytes);
  const char* const why = GifErrorString(encoder_->failure);
  return error({}, std::string("the film cannot be written as .gif: ") + (why != nullptr ? why : "unknown"));
}

}  // namespace jounce::app
