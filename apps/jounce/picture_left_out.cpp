#include "picture.hpp"

namespace jounce::app {

bool has_pictures() { return false; }

Result<Picture> picture_of(const std::string& /*svg*/) { return error({}, kNoPictures); }

Result<std::string> png_of(const std::string& /*svg*/) { return error({}, kNoPictures); }

}  // namespace jounce::app
