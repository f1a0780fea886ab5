#include "jounce/base/suggest.hpp"

#include <algorithm>
#include <vector>

namespace jounce {
namespace {

// Optimal string alignment distance: D(i, j) from the three neighbours, and D(i-2, j-2) + 1 for swapped letters.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view word, std::span<const std::string> candidates) {
  if (word.size() > 64) return std::nullopt;  // nobody misspells a name of that length; keep the search cheap
  // One slip for short names, two or three for longer ones.
  const std::size_t allowed = 1 + (word.size() > 4 ? 1U : 0U) + (word.size() > 8 ? 1U : 0U);
  const std::string* best = nullptr;
  std::size_t best_distance = allowed + 1, best_edits = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > 64) continue;
    // A word cut short or written out ("degree" for "deg") is as good as one slip.
    const bool begins = std::min(word.size(), candidate.size()) >= 3 && (word.starts_with(candidate) || candidate.starts_with(word));
    const std::size_t edits = edit_distance(word, candidate), distance = begins ? std::min<std::size_t>(1, edits) : edits;
    if (distance < word.size() && (distance < best_distance || (best != nullptr && distance == best_distance && edits < best_edits))) {
      best = &candidate;
      best_distance = distance;
      best_edits = edits;
    }
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::string join_names(std::span<const std::string> names, std::size_t at_most) {
  if (names.empty()) return "none";
  std::string out;
  const std::size_t shown = std::min(at_most, names.size());
  for (std::size_t i = 0; i < shown; ++i) out.append(i == 0 ? "" : ", ").append(names[i]);
  if (shown < names.size()) out += " and " + std::to_string(names.size() - shown) + " more";
  return out;
}

}  // namespace jounce
