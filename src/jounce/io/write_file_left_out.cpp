// In place of write_file.cpp where there are no files (JOUNCE_FILES=OFF): nothing can be opened.
#include <cerrno>
#include <system_error>

#include "jounce/io/write_file.hpp"

namespace jounce {

OutputFile::OutputFile(const std::string& path, Existing existing) : target_(path), existing_(existing), failure_(ENOSYS) {}
OutputFile::~OutputFile() = default;
bool OutputFile::write(std::string_view) { return false; }
bool OutputFile::finish() { return false; }
std::string OutputFile::leave() { return {}; }
std::string OutputFile::failure() const { return std::generic_category().message(failure_); }
bool OutputFile::existed() const { return false; }

std::optional<WriteFailure> write_file(const std::string& path, std::string_view, Existing existing) {
  return WriteFailure{false, false, OutputFile(path, existing).failure()};
}

}  // namespace jounce
