// What a run came to, as a table: for a terminal and for a page.
#pragma once

#include <string>
#include <vector>

namespace jounce {

/// Rows of any number of cells each, under a title.
struct SummaryTable {
  std::string title;
  std::vector<std::string> head{};  ///< what the columns are; empty where each row says it
  std::vector<std::vector<std::string>> rows{};
};

}  // namespace jounce
