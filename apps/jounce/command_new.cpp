// jounce new NAME --template T: a model file to start from.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "commands.hpp"
#include "jounce/base/suggest.hpp"
#include "templates.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

int refuse_name(std::string_view sentence) { return complain(sentence), kWrong; }

std::string with_name(std::string_view text, std::string_view name) {
  constexpr std::string_view kPlace = "@NAME@";
  std::string out(text.substr(1));
  if (const auto at = out.find(kPlace); at != out.npos) out.replace(at, kPlace.size(), name);
  return out;
}

int write(const std::string& path, const std::string& text) {
  // "x": a file that is there stays as it is
  std::FILE* file = std::fopen(path.c_str(), "wbx");
  if (file == nullptr && errno == EEXIST) return refuse_name(fmt::format("'{}' exists already and is left as it is", path));
  if (file == nullptr) return refuse_name(fmt::format("cannot write '{}': {}", path, std::generic_category().message(errno)));
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (written && closed) return kDone;
  return complain(fmt::format("cannot write '{}': {}", path, std::generic_category().message(errno))), kIncomplete;
}

}  // namespace

int command_new(const NewOptions& options) {
  if (options.list) {
    for (const ModelTemplate& t : model_templates()) print(fmt::format("{:<14} {}\n", t.name, t.summary));
    return kDone;
  }
  if (options.name.empty())
    return refuse_name("new: expected a name: jounce new NAME --template T (jounce new --templates lists them)");

  const auto templates = model_templates();
  const auto chosen = std::ranges::find(templates, options.template_name, &ModelTemplate::name);
  if (chosen == templates.end()) {
    std::vector<std::string> names;
    for (const ModelTemplate& t : templates) names.emplace_back(t.name);
    const auto guess = nearest_name(options.template_name, names);
    return refuse_name(fmt::format("there is no template '{}' ({})", options.template_name,
                                   guess ? "did you mean '" + *guess + "'?" : "there are " + join_names(names)));
  }

  std::filesystem::path path(options.name);
  if (path.extension() != ".toml") path += ".toml";
  const std::string name = path.stem().string();
  const bool plain = std::ranges::all_of(name, [](unsigned char c) { return c >= ' ' && c != 127 && c != '"' && c != '\\'; });
  if (name.empty() || name.starts_with('.') || !plain)
    return refuse_name(fmt::format("'{}' cannot be the name of a model: expected one that does not begin with a dot, without "
                                   "quotes, backslashes and control characters",
                                   options.name));
  if (const int code = write(path.string(), with_name(chosen->text, name)); code != kDone) return code;
  print(fmt::format("{} written: {}\ntry: jounce run {}\n", path.string(), chosen->summary, path.string()));
  return kDone;
}

}  // namespace jounce::app
