// In place of studio.cpp in a build without the studio (JOUNCE_STUDIO_PAGE=OFF), which carries no page and no second engine.
#include "jounce/api/studio.hpp"

namespace jounce {
namespace {

Problem left_out() { return error({}, "this build of Jounce was made without the studio", "build it with -DJOUNCE_STUDIO_PAGE=ON"); }

}  // namespace

bool has_studio() { return false; }
Result<StudioModel> studio_model(const std::string&) { return left_out(); }
Result<std::string> studio_html(const std::optional<StudioModel>&) { return left_out(); }
Result<std::vector<StudioFile>> studio_folder(const std::optional<StudioModel>&) { return left_out(); }

}  // namespace jounce
