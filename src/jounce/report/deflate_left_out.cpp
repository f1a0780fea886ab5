// In place of deflate.cpp in a build without zlib (JOUNCE_REPORTS=OFF): the bytes as they are, in the blocks that the format has for that.
#include <algorithm>
#include <cstdint>

#include "jounce/report/deflate.hpp"

namespace jounce {
namespace {

constexpr std::string_view kHead = "\x78\x01";
constexpr std::size_t kMostOfABlock = 0xffff;

std::uint32_t adler32(std::string_view bytes) {
  constexpr std::uint32_t kModulus = 65521;
  std::uint32_t a = 1, b = 0;
  for (const char c : bytes) {
    a = (a + static_cast<unsigned char>(c)) % kModulus;
    b = (b + a) % kModulus;
  }
  return b << 16U | a;
}

char byte_of(std::size_t number, unsigned place) { return static_cast<char>(number >> (8 * place) & 0xffU); }

}  // namespace

std::string deflated(std::string_view bytes) {
  const std::uint32_t sum = adler32(bytes);
  std::string out(kHead);
  do {
    const std::size_t size = std::min(bytes.size(), kMostOfABlock);
    out += size == bytes.size() ? '\1' : '\0';  // the last one
    for (const std::size_t written : {size, ~size})
      for (unsigned place = 0; place < 2; ++place) out += byte_of(written, place);
    out += bytes.substr(0, size);
    bytes.remove_prefix(size);
  } while (!bytes.empty());
  for (unsigned place = 4; place-- > 0;) out += byte_of(sum, place);
  return out;
}

}  // namespace jounce
