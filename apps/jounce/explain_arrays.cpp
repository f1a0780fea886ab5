#include "explain_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "json.hpp"
#include "terminal.hpp"
#include "timed_run.hpp"

namespace jounce::app {
namespace {

constexpr std::size_t kPage = 100;          // characters in a line
constexpr std::size_t kNumber = 14;         // of a number with seven digits, and a blank
constexpr std::size_t kNarrow = 3;          // columns of a matrix that stands among vectors
constexpr std::size_t kMostBodiesShown = 12;
constexpr std::size_t kMostDofsShown = 24;  // a person reads no larger matrix

// One column of a table: its head, and where its numbers are.
struct TableColumn {
  std::string head;
  const ExplainedArray* of = nullptr;
  std::size_t column = 0;
};

// How many characters a reader sees.
std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::size_t width_of(const ExplainedArray& array) { return array.columns.empty() && !array.value.empty() ? 1 : array.columns.size(); }

// As many columns side by side as fit on a page.
std::string table(std::span<const std::string> rows, std::span<const TableColumn> columns) {
  std::size_t head = 8, width = kNumber;
  for (const std::string& row : rows) head = std::max(head, characters(row) + 1);
  for (const TableColumn& column : columns) width = std::max(width, characters(column.head) + 2);
  const std::size_t per_page = std::max<std::size_t>(1, (kPage - std::min(kPage, head + 2)) / width);
  std::string out;
  for (std::size_t first = 0; first < columns.size(); first += per_page) {
    const auto page = columns.subspan(first, std::min(per_page, columns.size() - first));
    out += fmt::format("  {:<{}}", "", head);
    for (const TableColumn& column : page) out += fmt::format("{:>{}}", column.head, width);
    out += '\n';
    for (std::size_t r = 0; r < rows.size(); ++r) {
      out += fmt::format("  {:<{}}", rows[r], head);
      for (const TableColumn& column : page)
        out += fmt::format("{:>{}.7g}", column.of->value[r * width_of(*column.of) + column.column] + 0.0, width);  // no "-0"
      out += '\n';
    }
  }
  return out;
}

// Vectors and narrow matrices over the same rows stand side by side, each under its letter; a wide matrix stands alone, under its own.
std::string text(const std::vector<ExplainedArray>& arrays) {
  std::string out;
  std::vector<TableColumn> together;
  const ExplainedArray* first = nullptr;
  const auto finish = [&] {
    if (first != nullptr && !together.empty()) out += table(first->rows, together);
    together.clear();
    first = nullptr;
  };
  for (const ExplainedArray& array : arrays) {
    if (array.value.empty()) continue;
    const bool wide = array.columns.size() > kNarrow;
    if (wide || (first != nullptr && first->rows != array.rows)) finish();
    if (wide) out += fmt::format("  {}\n", toned(Tone::strong, array.name));
    if (first == nullptr) first = &array;
    for (std::size_t c = 0; c < width_of(array); ++c)
      together.push_back({array.columns.empty() ? array.name : wide ? array.columns[c] : array.name + " " + array.columns[c], &array, c});
    if (wide) finish();
  }
  finish();
  return out;
}

std::string text(const ExplainedLinkageBody& body) {
  std::string out = fmt::format("\nbody '{}'  on joint '{}', {}, carried by '{}'", toned(Tone::strong, body.name), body.joint, body.type, body.parent);
  for (std::size_t k = 0; k < body.dofs.size(); ++k)
    out += fmt::format("{}{}", k == 0 ? ": " : ", ", body.prescribed[k] ? "prescribed" : "passive");
  return out + '\n' + text(body.arrays);
}

std::string_view title(LinkageFormulation formulation) {
  switch (formulation) {
    case LinkageFormulation::kane: return "by Kane's method";
    case LinkageFormulation::aba: return "by articulated bodies";
    case LinkageFormulation::crba: return "by composite bodies";
    case LinkageFormulation::nullspace: return "by the null space";
    case LinkageFormulation::method_1: return "by method 1, projection";
    case LinkageFormulation::method_2: return "by method 2, multipliers";
    default: return "by method 3, generalized coordinates";
  }
}

std::string text(const Mechanism& mechanism, const ArraysExplanation& e) {
  std::string out = fmt::format("{} at t = {:.12g} s, {}\n", toned(Tone::strong, mechanism.name()), e.t, title(e.formulation));
  if (e.by == Analysis::dynamics && e.t > 0) out += "Passive dofs are where dynamics has brought them.\n";
  for (const std::string& law : e.laws) out += law + '\n';
  const std::size_t dofs = e.arrays.empty() ? 0 : e.arrays.back().rows.size();
  if (e.bodies.size() > kMostBodiesShown || dofs > kMostDofsShown) return out + fmt::format("{} bodies, {} dofs: with --json\n", e.bodies.size(), dofs);
  for (const ExplainedLinkageBody& body : e.bodies) out += text(body);
  if (!e.arrays.empty()) out += "\nall dofs\n" + text(e.arrays);
  return out;
}

}  // namespace

int explain_by_arrays(const ExplainOptions& options, const Mechanism& mechanism, LinkageFormulation formulation, double at, Problems problems) {
  const ArraysExplainResult result = explain_arrays(mechanism, formulation, at);
  append(problems, result.problems);
  print_problems(problems, options.quiet);
  if (!result.explanation && problems.empty()) complain(result.outcome.sentence);
  if (options.json) print_json(explain_json(mechanism, at, formulation, result, problems));
  else if (result.explanation) print(text(mechanism, *result.explanation));
  return exit_code(result.outcome.kind);
}

}  // namespace jounce::app
