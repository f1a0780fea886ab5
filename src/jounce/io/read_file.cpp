#include "jounce/io/read_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace jounce {
namespace {

Problem failure(const std::string& path, const std::string& reason) {
  Problem out = error({}, "cannot read the file: " + reason);
  out.file = path;
  return out;
}

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t at_most) {
  errno = 0;
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file) return failure(path, std::generic_category().message(errno));

  std::string text;
  std::array<char, 65536> block;
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    text.append(block.data(), count);
    if (text.size() > at_most) return failure(path, "it is larger than " + std::to_string(at_most >> 20U) + " MiB");
  }
  if (std::ferror(file.get()) != 0) return failure(path, std::generic_category().message(errno));
  return text;
}

}  // namespace jounce
