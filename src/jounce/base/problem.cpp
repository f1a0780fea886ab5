#include "jounce/base/problem.hpp"

#include <algorithm>
#include <utility>

namespace jounce {
namespace {

std::string_view word(Severity severity) {
  switch (severity) {
    case Severity::warning: return "warning";
    case Severity::note: return "note";
    case Severity::error: break;
  }
  return "error";
}

}  // namespace

std::string Problem::text() const {
  std::string out = file;
  if (where.line > 0) {
    if (!out.empty()) out += ':';
    out += std::to_string(where.line) + ':' + std::to_string(where.column);
  }
  if (!out.empty()) out += ": ";
  out.append(word(severity)).append(": ").append(sentence);
  if (!hint.empty()) out.append("\n  hint: ").append(hint);
  return out;
}

Problem error(Where where, std::string sentence, std::string hint) {
  return {Severity::error, {}, where, std::move(sentence), std::move(hint)};
}

Problem warning(Where where, std::string sentence, std::string hint) {
  return {Severity::warning, {}, where, std::move(sentence), std::move(hint)};
}

bool any_error(const Problems& problems) {
  return std::ranges::any_of(problems, [](const Problem& p) { return p.severity == Severity::error; });
}

void locate(Problems& problems, std::string_view file) {
  for (Problem& p : problems)
    if (p.file.empty()) p.file = file;
}

void sort_by_place(Problems& problems) {
  std::ranges::stable_sort(problems, {}, [](const Problem& p) { return p.where; });
}

std::string text(const Problems& problems) {
  std::string out;
  for (const Problem& p : problems) out += p.text() + '\n';
  return out;
}

}  // namespace jounce
