#include "jounce/base/path.hpp"

namespace jounce {

std::string beside(std::string_view file, std::string_view name) {
  if (name.starts_with('/')) return std::string(name);
  return std::string(file.substr(0, file.rfind('/') + 1)).append(name);
}

std::string stem(std::string_view file) {
  file.remove_prefix(file.rfind('/') + 1);
  const std::size_t dot = file.rfind('.');
  const bool ending = dot != file.npos && dot > 0 && file != "..";  // what begins with its only dot is a name
  return std::string(ending ? file.substr(0, dot) : file);
}

}  // namespace jounce
