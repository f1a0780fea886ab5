#include "jounce/io/write_model.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "jounce/base/vocabulary.hpp"
#include "jounce/expr/tokens.hpp"
#include "jounce/io/model_names.hpp"

namespace jounce {
namespace {

constexpr std::size_t kLongLine = 110;  // points that need more get a section of their own, lists a line for each item

std::string in_quotes(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (code < 0x20 || code == 0x7F) (out += "\\u00").append({kHex[code >> 4U], kHex[code & 15U]});
        else out += c;
    }
  }
  return out += '"';
}

// Whether a number prints as exactly this text, so that it can stand without quotes and be read back the same.
template <class Number>
bool prints_as(Number number, std::string_view text) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return std::string_view(buffer.data(), static_cast<std::size_t>(end - buffer.data())) == text;
}

// A number as it was written, an expression in quotes.
std::string written(const Text& text) {
  if (text.quoted) return in_quotes(text.text);
  if (text.text == "true" || text.text == "false") return text.text;
  std::int64_t integer = 0;
  double number = 0;
  std::from_chars(text.text.data(), text.text.data() + text.text.size(), integer);
  if (prints_as(integer, text.text)) return text.text;
  if (!to_number(text.text, number) || !prints_as(number, text.text)) return in_quotes(text.text);
  // "-0" and integers beyond 64 bits are floats only with a point
  return text.text.find_first_of(".e") == text.text.npos ? text.text + ".0" : text.text;
}

std::string written(const std::vector<Text>& texts) {
  if (texts.empty()) return {};
  std::string out = "[";
  for (const Text& text : texts) out.append(out.size() > 1 ? ", " : "").append(written(text));
  return out += ']';
}

std::string written(const TableFile& file) { return "{ table = " + written(file.path) + " }"; }
std::string written(std::monostate) { return {}; }

std::string key_text(std::string_view key) { return is_bare_key(key) ? std::string(key) : in_quotes(key); }

// All on one line with `blank` inside the brackets, or a line for each where that would be long.
std::string listed(const std::vector<std::string>& items, std::string_view blank) {
  if (items.empty()) return {};
  std::string line, lines = "[\n";
  for (const std::string& item : items) {
    if (line.empty()) line.append("[").append(blank).append(item);
    else line.append(", ").append(item);
    lines.append("  ").append(item).append(",\n");
  }
  return line.size() < kLongLine ? line.append(blank).append("]") : lines + ']';
}

std::string written(const Table& table);
std::string written(const std::vector<Table>& tables);
std::string written(const std::vector<std::vector<Text>>& rows) {
  std::vector<std::string> items;
  items.reserve(rows.size());
  for (const std::vector<Text>& row : rows) items.push_back(written(row));
  return listed(items, "");
}

// Keys and values, written with their equal signs in one column.
class Lines {
 public:
  void add(std::string_view key, std::string value) {
    if (!value.empty()) lines_.push_back({key_text(key), std::move(value)});
  }
  void add(std::string_view key, const std::optional<Text>& value) {
    if (value && !value->text.empty()) add(key, written(*value));
  }
  void add(std::string_view key, const std::optional<std::vector<Text>>& value) {
    if (value) add(key, written(*value));
  }
  template <class Entries>
  void add(const Entries& entries) {
    const auto text = [](const auto& value) { return written(value); };
    for (const auto& entry : entries) add(entry.key, std::visit(text, entry.value));
  }

  void append_to(std::string& out) const {
    std::size_t width = 0;
    for (const Line& line : lines_) width = std::max(width, line.key.size());
    for (const Line& line : lines_)
      out.append(line.key).append(width - line.key.size(), ' ').append(" = ").append(line.value).append("\n");
  }

  [[nodiscard]] bool empty() const { return lines_.empty(); }

  /// `{ a = 1, b = 2 }`
  [[nodiscard]] std::string as_table() const {
    std::string out;
    for (const Line& line : lines_) out.append(out.empty() ? "{ " : ", ").append(line.key).append(" = ").append(line.value);
    return out.empty() ? "{}" : out + " }";
  }

 private:
  struct Line {
    std::string key, value;
  };
  std::vector<Line> lines_;
};

Lines lines_of(const Table& table) {
  Lines out;
  out.add(table.entries);
  return out;
}

std::string written(const Table& table) {
  const Lines lines = lines_of(table);
  return lines.empty() ? std::string() : lines.as_table();
}

std::string written(const std::vector<Table>& tables) {
  std::vector<std::string> items;
  items.reserve(tables.size());
  for (const Table& table : tables) items.push_back(lines_of(table).as_table());  // a dof that says nothing keeps its place
  return listed(items, " ");
}

std::string written(const NamedPoint& point) {
  if (point.at.empty() || point.rpy.empty()) return written(point.at);
  return "{ xyz = " + written(point.at) + ", rpy = " + written(point.rpy) + " }";
}

Lines points_of(const Body& body) {
  Lines out;
  for (const NamedPoint& point : body.points) out.add(point.name, written(point));
  return out;
}

void append_section(std::string& out, const std::string& header, const Lines& lines) {
  out.append("\n[").append(header).append("]\n");
  lines.append_to(out);
}

void append_body(std::string& out, const Body& body, const std::string& header) {
  Lines lines;
  lines.add("mass", body.mass);
  if (body.inertia_matrix) lines.add("inertia", body.inertia_matrix);
  else lines.add("inertia", body.inertia);
  if (body.inertia_as_written) lines.add("inertia_as_written", std::string("true"));
  lines.add("com", body.com);
  lines.add("position", body.position);
  lines.add("angle", body.angle);
  lines.add("velocity", body.velocity);
  lines.add("spin", body.spin);

  const Lines points = points_of(body);
  const std::string points_table = points.as_table();
  const bool own_section = points_table.size() > kLongLine;
  if (!body.points.empty() && !own_section) lines.add("points", points_table);
  if (body.shape && !body.shape->type.empty()) {
    Lines shape;
    shape.add("type", in_quotes(body.shape->type));
    shape.add(body.shape->entries);
    lines.add("shape", shape.as_table());
  }
  std::vector<std::string> visuals;
  for (const Element& visual : body.visuals) {
    if (visual.type.empty()) continue;
    Lines one;
    one.add("type", in_quotes(visual.type));
    one.add(visual.entries);
    visuals.push_back(one.as_table());
  }
  lines.add("visuals", listed(visuals, " "));
  append_section(out, header, lines);
  if (own_section) append_section(out, header + ".points", points);
}

void append_elements(std::string& out, const std::vector<Element>& elements, Group group) {
  const std::string section = std::string(word(group)) + 's';
  for (const Element& element : elements) {
    if (has_type(group) && element.type.empty()) continue;
    Lines lines;
    if (has_type(group)) lines.add("type", in_quotes(element.type));
    lines.add(element.entries);
    append_section(out, section + '.' + key_text(element.name), lines);
  }
}

}  // namespace

std::string write_model(const Model& model) {
  std::string out;
  Lines head;
  head.add("jounce", std::string("1"));
  if (!model.name.empty()) head.add("name", in_quotes(model.name));
  if (model.space == Space::three) head.add("space", in_quotes("3d"));
  head.add("gravity", written(model.gravity));
  head.append_to(out);

  if (!model.parameters.empty()) {
    Lines lines;
    for (const Parameter& parameter : model.parameters) lines.add(parameter.name, std::optional(parameter.value));
    append_section(out, "parameters", lines);
  }
  if (!model.measures.empty()) {
    Lines lines;
    for (const Parameter& measure : model.measures) lines.add(measure.name, std::optional(measure.value));
    append_section(out, "measures", lines);
  }
  for (const StopSection& stop : model.stops) {
    Lines lines;
    lines.add("of", std::optional(stop.of));
    lines.add("min", stop.min);
    lines.add("max", stop.max);
    lines.add("restitution", stop.restitution);
    append_section(out, "stops." + key_text(stop.name), lines);
  }
  for (const EventSection& event : model.events) {
    Lines lines;
    lines.add("when", std::optional(event.when));
    lines.add("direction", event.direction);
    if (event.stop) lines.add("stop", std::string("true"));
    append_section(out, "events." + key_text(event.name), lines);
  }
  if (!model.ground.points.empty() || !model.ground.visuals.empty()) append_body(out, model.ground, "ground");
  for (const Body& body : model.bodies) append_body(out, body, "bodies." + key_text(body.name));
  append_elements(out, model.joints, Group::joint);
  append_elements(out, model.drivers, Group::driver);
  append_elements(out, model.couplings, Group::coupling);
  append_elements(out, model.loops, Group::loop);
  if (model.base) {
    Lines lines;
    lines.add("start_momentum", model.base->start_momentum);
    append_section(out, "base", lines);
  }
  if (model.actuators && !model.actuators->dofs.empty()) {
    Lines lines;
    std::vector<std::string> names;
    for (const Text& dof : model.actuators->dofs) names.push_back(in_quotes(dof.text));
    lines.add("dofs", listed(names, ""));
    append_section(out, "actuators", lines);
  }
  append_elements(out, model.forces, Group::force);
  if (!model.units.empty()) {
    Lines lines;
    for (const Parameter& unit : model.units) lines.add(unit.name, std::optional(unit.value));
    append_section(out, "units", lines);
  }
  if (model.run) {
    Lines lines;
    lines.add("analysis", model.run->analysis);
    lines.add("to", model.run->to);
    lines.add("steps", model.run->steps);
    append_section(out, "run", lines);
  }
  return out;
}

}  // namespace jounce
