#include "jounce/api/table.hpp"

#include "jounce/api/version.hpp"

namespace jounce {

ArrowFacts table_facts(const Mechanism& mechanism, Analysis analysis) {
  return {{"jounce.model", mechanism.name()}, {"jounce.analysis", std::string(word(analysis))}, {"jounce.version", std::string(version())}};
}

}  // namespace jounce
