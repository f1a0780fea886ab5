#include "jounce/api/table.hpp"

#include "jounce/api/version.hpp"

namespace jounce {

Column column_shown(const Column& column, const Units& units, TableForm form) {
  return {form == TableForm::text ? units.heading(column.name, column.unit) : column.name, units.of(column.unit).unit, column.group, column.owner};
}

ArrowFacts table_facts(const Mechanism& mechanism, Analysis analysis) {
  return {{"jounce.model", mechanism.name()}, {"jounce.analysis", std::string(word(analysis))}, {"jounce.version", std::string(version())}};
}

}  // namespace jounce
