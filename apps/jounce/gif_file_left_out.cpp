#include "gif_file.hpp"

namespace jounce::app {

struct GifFile::Encoder {};

GifFile::GifFile(int width, int height, Palette palette, int /*turns*/) : width_(width), height_(height), palette_(std::move(palette)) {}
GifFile::~GifFile() = default;

void GifFile::add(const Picture& /*picture*/, int /*hundredths*/) {}
void GifFile::write_waiting() {}

Result<std::string> GifFile::finish() { return error({}, kNoPictures); }

}  // namespace jounce::app
