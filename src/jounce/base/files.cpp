#include "jounce/base/files.hpp"

#include <utility>

#include "jounce/base/disk.hpp"

namespace jounce {
namespace {

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
