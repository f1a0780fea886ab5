// The engine as a page calls it: one text in, one text and perhaps columns of numbers out. What is handed out stays where it is until the next call.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "answers.hpp"

namespace jounce::studio {
namespace {

// As the page reads it: little-endian words of 32 bits.
struct Handed {
  const char* text = nullptr;
  std::uint32_t size = 0;           // of the text, in bytes
  const double* const* columns = nullptr;
  std::uint32_t count = 0;          // of columns
  std::uint32_t rows = 0;
};
static_assert(sizeof(Handed) == 20, "what the page reads");

struct Door {
  std::string question;
  Studied studied;
  Answer answer;
  std::vector<const double*> columns;
  Handed handed;
};

// Never destroyed: a module that is called has no end.
Door& door() {
  static Door* const only = new Door;
  return *only;
}

Answer answered(const Json& request, Studied& studied) {
  const auto it = request.find("do");
  const std::string what = it != request.end() && it->is_string() ? it->get<std::string>() : "";
  if (what == "study") return study(request, studied);
  if (what == "pull") return pull(request, studied);
  if (what == "pose") return pose(studied);
  if (what == "simulate") return simulate(request, studied);
  if (what == "hold") return hold(request, studied);
  if (what == "advance") return advance(request, studied);
  if (what == "csv") return csv(studied);
  if (what == "report") return report(studied);
  if (what == "drawing") return drawing(request, studied);
  if (what == "types") return types();
  if (what == "version") return {Json{{"version", version()}}.dump(), false};
  return refused("'" + what + "' is no question");
}

}  // namespace
}  // namespace jounce::studio

using namespace jounce::studio;

extern "C" {

/// What a thread would destroy at its end: there is one thread, and it has none.
int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }

/// Room for a question of so many bytes.
[[clang::export_name("jounce_room")]] char* jounce_room(std::uint32_t size) {
  door().question.resize(size);
  return door().question.data();
}

/// Answers the question that was written there.
[[clang::export_name("jounce_ask")]] const void* jounce_ask() {
  Door& own = door();
  const jounce::Json request = jounce::Json::parse(own.question, nullptr, false);
  own.answer = request.is_object() ? answered(request, own.studied) : refused("the question is no object of JSON");
  own.columns.clear();
  const jounce::Trajectory& rows = own.studied.run.results;
  for (std::size_t c = 0; c < rows.columns().size() && own.answer.columns; ++c) own.columns.push_back(rows.column(c).data());
  own.handed = {own.answer.text.data(), static_cast<std::uint32_t>(own.answer.text.size()), own.columns.data(), static_cast<std::uint32_t>(own.columns.size()),
                static_cast<std::uint32_t>(own.answer.columns ? rows.rows() : 0)};
  return &own.handed;
}

}  // extern "C"
