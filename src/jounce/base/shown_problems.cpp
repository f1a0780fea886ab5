#include "jounce/base/shown_problems.hpp"

#include <map>
#include <string>

namespace jounce {
namespace {

// What is wrong, without the names of what is wrong; the name of a key stays, which tells one misspelling from another.
std::string pattern(const Problem& problem) {
  std::string out = std::to_string(static_cast<int>(problem.severity)) + problem.file + ':';
  bool inside = false;  // of quotes
  bool key = false;     // these hold the name of a key
  for (const char c : problem.sentence) {
    if (c == '\'' && !inside) key = out.ends_with("key ");
    if (c == '\'') inside = !inside;
    if (!inside || key) out += c;
  }
  return out;
}

}  // namespace

std::vector<ShownProblem> first_of_each(const Problems& problems, int alike) {
  struct Met {
    int times = 0;
    std::size_t shown = 0;  // the place of the last one shown
  };
  std::map<std::string, Met> met;
  std::vector<ShownProblem> out;
  for (const Problem& problem : problems) {
    Met& before = met[pattern(problem)];
    if (before.times++ < alike) {
      before.shown = out.size();
      out.push_back({&problem});
    } else {
      ++out[before.shown].more;
      out[before.shown].last = problem.where.line;
    }
  }
  return out;
}

}  // namespace jounce
