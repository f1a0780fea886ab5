#include "json.hpp"

#include "terminal.hpp"

namespace jounce::app {

Json to_json(const Problems& problems) {
  Json out = Json::array();
  for (const Problem& p : problems) {
    const char* severity = p.severity == Severity::error ? "error" : p.severity == Severity::warning ? "warning" : "note";
    out.push_back({{"severity", severity},
                   {"file", p.file},
                   {"line", p.where.line},
                   {"column", p.where.column},
                   {"sentence", p.sentence},
                   {"hint", p.hint}});
  }
  return out;
}

Json to_json(const Outcome& outcome) {
  return {{"kind", word(outcome.kind)}, {"t", outcome.t}, {"sentence", outcome.sentence}, {"elements", outcome.elements}};
}

Json to_json(const std::vector<Event>& events) {
  Json out = Json::array();
  for (const Event& e : events)
    out.push_back({{"t", e.t}, {"kind", e.kind}, {"sentence", e.sentence}, {"elements", e.elements}});
  return out;
}

void print_json(const Json& json) { print(json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n'); }

}  // namespace jounce::app
