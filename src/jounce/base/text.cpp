#include "jounce/base/text.hpp"

#include <array>
#include <cstdio>

namespace jounce {
namespace {

std::string printed(const char* format, double x) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, x);
  return buffer.data();
}

}  // namespace

std::string short_number(double x) { return printed("%.6g", x); }
std::string seconds(double t) { return "t = " + printed("%.12g", t) + " s"; }

}  // namespace jounce
