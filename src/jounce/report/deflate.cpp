#include "jounce/report/deflate.hpp"

#include <zlib.h>

#include "jounce/base/require.hpp"

namespace jounce {
namespace {

constexpr int kLevel = 6;  // 9 takes six times as long for 2 % less

}  // namespace

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int state = compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                              static_cast<uLong>(bytes.size()), kLevel);
  JOUNCE_REQUIRE(state == Z_OK, "the buffer is as large as zlib asks for");
  out.resize(size);
  return out;
}

}  // namespace jounce
