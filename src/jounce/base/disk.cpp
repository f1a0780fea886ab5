#include "jounce/base/disk.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <vector>

namespace jounce {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16U;  // bytes that are read at a time

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

Result<std::string> read_from_disk(const std::string& path, std::size_t at_most) {
  errno = 0;
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file) return error({}, std::generic_category().message(errno));
  std::string text;
  std::vector<char> block(kBlock);
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    text.append(block.data(), count);
    if (text.size() > at_most) break;
  }
  if (std::ferror(file.get()) != 0) return error({}, std::generic_category().message(errno));
  return text;
}

}  // namespace jounce
