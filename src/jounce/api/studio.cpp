#include "jounce/api/studio.hpp"

#include <array>
#include <filesystem>

#include "jounce/api/mechanism.hpp"
#include "jounce/api/studio_page.hpp"
#include "jounce/base/require.hpp"
#include "jounce/report/encode.hpp"
#include "jounce/report/json_text.hpp"
#include "jounce/report/report.hpp"

namespace jounce {
namespace {

// Where the page has something to be filled in: the only content of an element, and not in a script's text.
std::size_t place_of(std::string_view page, std::string_view mark) {
  const std::size_t at = page.find(">" + std::string(mark) + "</");
  JOUNCE_REQUIRE(at != page.npos, "the page of the studio has the marks of its parts");
  return at + 1;
}

void fill(std::string& page, std::string_view mark, std::string_view content) { page.replace(place_of(page, mark), mark.size(), content); }

// The element says where the part lies in place of holding it.
void refer(std::string& page, std::string_view mark, std::string_view file) {
  const std::size_t at = place_of(page, mark);
  page.erase(at, mark.size());
  page.insert(at - 1, " data-file=\"" + std::string(file) + "\"");
}

constexpr std::size_t kMost = std::size_t{64} << 20U;  // bytes of a model file

constexpr std::string_view kModel = "\"__JOUNCE_MODEL__\"";
constexpr std::string_view kEngine = "\"__JOUNCE_ENGINE__\"";
constexpr std::array<std::string_view, 2> kReports = {"\"__JOUNCE_REPORT_PLANE__\"", "\"__JOUNCE_REPORT_SPACE__\""};
constexpr std::array<std::string_view, 2> kReportFiles = {"report-plane.html", "report-space.html"};
constexpr std::string_view kEngineFile = "engine.wasm.gz";

void fill_model(std::string& page, const std::optional<StudioModel>& model) {
  if (!model) return;
  std::string out;
  {
    JsonObject object(out);
    object.text("file", model->file);
    object.text("text", model->text);
    JsonObject tables(object.next("tables"));
    for (const auto& [path, text] : model->tables) tables.text(path, *text);
  }
  fill(page, kModel, out);
}

}  // namespace

bool has_studio() { return true; }

Result<StudioModel> studio_model(const std::string& path) {
  auto text = read_file(path, kMost, "model");
  if (!text) return text.problems();
  StudioModel model{std::filesystem::path(path).filename().string(), *text, {}};
  // a model that is wrong is shown with its messages; its tables are looked for when it is right
  const auto mechanism = load(path);
  if (!mechanism) return model;
  const auto folder = std::filesystem::path(path).parent_path();
  for (const auto& [table, content] : mechanism->files()) {
    const auto relative = std::filesystem::path(table).lexically_relative(folder.empty() ? "." : folder);
    model.tables.emplace((relative.empty() ? std::filesystem::path(table) : relative).generic_string(), content);
  }
  return model;
}

Result<std::string> studio_html(const std::optional<StudioModel>& model) {
  std::string page(studio_page());
  fill_model(page, model);
  fill(page, kEngine, base64(studio_engine()));
  for (std::size_t k = 0; k < kReports.size(); ++k) fill(page, kReports[k], json_text(report_template(k == 1)));
  return page;
}

Result<std::vector<StudioFile>> studio_folder(const std::optional<StudioModel>& model) {
  std::string page(studio_page());
  fill_model(page, model);
  refer(page, kEngine, kEngineFile);
  for (std::size_t k = 0; k < kReports.size(); ++k) refer(page, kReports[k], kReportFiles[k]);
  // its own server, and nobody else
  constexpr std::string_view kNobody = "connect-src 'none'";
  const std::size_t at = page.find(kNobody);
  JOUNCE_REQUIRE(at != page.npos, "the page of the studio says whom it may ask");
  page.replace(at, kNobody.size(), "connect-src 'self'");
  std::vector<StudioFile> files{{"index.html", std::move(page)}, {std::string(kEngineFile), std::string(studio_engine())}};
  for (std::size_t k = 0; k < kReports.size(); ++k) files.push_back({std::string(kReportFiles[k]), std::string(report_template(k == 1))});
  return files;
}

}  // namespace jounce
