#include "jounce/base/files.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

namespace jounce {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16U;  // bytes that are read at a time

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

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

FileProvider& provider() {
  static FileProvider chosen = read_from_disk;
  return chosen;
}

}  // namespace

void set_file_provider(FileProvider chosen) { provider() = chosen ? std::move(chosen) : read_from_disk; }

Result<std::string> read_file(const std::string& path, std::size_t at_most, std::string_view what) {
  Result<std::string> text = provider()(path, at_most);
  if (text && text->size() > at_most) text = error({}, "it is larger than " + std::to_string(at_most >> 20U) + " MiB");
  if (text) return text;
  for (Problem& problem : text.problems()) {
    problem.sentence = "cannot read the " + std::string(what) + ": " + problem.sentence;
    problem.file = path;
  }
  return text;
}

}  // namespace jounce
