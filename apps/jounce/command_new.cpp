// jounce new NAME --template T: a model file to start from.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "commands.hpp"
#include "jounce/base/suggest.hpp"
#include "templates.hpp"
#include "terminal.hpp"
#include "text_file.hpp"

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
  const auto failure = write_text(path, text, Existing::kept);
  if (!failure) return kDone;
  if (failure->existed) return refuse_name(fmt::format("'{}' exists already and is left as it is", path));
  complain(cannot_write(path, *failure));
  return failure->opened ? kIncomplete : kWrong;
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
