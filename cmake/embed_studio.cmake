# Writes the page of the studio and its engine as C++ source: an installed library or program needs no files.
#   cmake -D PAGE=studio.html -D ENGINE=engine.wasm.gz -D OUT=file.cpp -P embed_studio.cmake
foreach(name PAGE ENGINE)
  file(READ ${${name}} bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" ${name}_literal "${bytes}")
endforeach()
file(WRITE ${OUT}
"// Written by cmake/embed_studio.cmake.
#include \"jounce/api/studio_page.hpp\"

namespace jounce {
namespace {
constexpr char kPage[] = \"${PAGE_literal}\";
constexpr char kEngine[] = \"${ENGINE_literal}\";
}  // namespace

std::string_view studio_page() { return {kPage, sizeof(kPage) - 1}; }
std::string_view studio_engine() { return {kEngine, sizeof(kEngine) - 1}; }

}  // namespace jounce
")
