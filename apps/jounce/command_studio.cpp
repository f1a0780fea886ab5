// jounce studio [MODEL]: the page in which mechanisms are drawn, dragged and watched, as a file or as a folder for a web server.
#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "jounce/api/studio.hpp"
#include "model_input.hpp"
#include "terminal.hpp"
#include "text_file.hpp"

namespace jounce::app {
namespace {

int write_part(const std::string& path, const std::string& content) {
  const auto failure = write_text(path, content);
  if (!failure) return kDone;
  complain(cannot_write(path, *failure));
  return failure->opened ? kIncomplete : kWrong;
}

int write_folder(const std::filesystem::path& folder, const std::optional<StudioModel>& model, bool quiet) {
  const auto files = studio_folder(model);
  if (!files) return refuse(ModelOptions{}, files.problems());
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return complain(fmt::format("cannot make the folder '{}': {}", folder.string(), failure.message())), kWrong;
  for (const StudioFile& file : *files)
    if (const int code = write_part((folder / file.name).string(), file.content); code != kDone) return code;
  if (!quiet) print(fmt::format("{} written ({} files, to be served by a web server)\n", folder.string(), files->size()));
  return kDone;
}

}  // namespace

int command_studio(const StudioOptions& options) {
  std::optional<StudioModel> model;
  if (!options.model.empty()) {
    auto found = from_standard_input(options.model) ? [] {
      auto text = read_standard_input();
      return text ? Result<StudioModel>(StudioModel{"model.toml", *text, {}}) : Result<StudioModel>(text.problems());
    }() : studio_model(options.model);
    if (!found) return refuse(ModelOptions{}, found.problems());
    model = std::move(*found);
  }
  const std::string output = options.output.value_or("studio.html");
  if (output.ends_with('/') || std::filesystem::is_directory(output)) return write_folder(output, model, options.quiet);
  if (!output.ends_with(".html") && !output.ends_with(".htm"))
    return refuse(ModelOptions{}, fmt::format("-o {}: expected a page, .html or .htm, or a folder, with a / at its end", output));
  const auto page = studio_html(model);
  if (!page) return refuse(ModelOptions{}, page.problems());
  if (const int code = write_part(output, *page); code != kDone) return code;
  if (!options.quiet) print(fmt::format("{} written: open it in a browser\n", output));
  return kDone;
}

}  // namespace jounce::app
