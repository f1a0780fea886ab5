#include "jounce/io/read_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jounce/base/suggest.hpp"
#include "jounce/tree/catalogue.hpp"

namespace jounce {
namespace {

using Kind = TomlNode::Kind;

PlainValue entry_value(Text text) { return text.text.empty() ? PlainValue{} : PlainValue{std::move(text)}; }
PlainValue entry_value(std::vector<Text> texts) { return texts.empty() ? PlainValue{} : PlainValue{std::move(texts)}; }

// All of them, or none when one could not be read.
std::vector<Text> complete(std::vector<Text> texts) {
  if (std::ranges::any_of(texts, [](const Text& text) { return text.text.empty(); })) texts.clear();
  return texts;
}

}  // namespace

std::string called(std::string_view name) {
  std::string out(name.substr(0, 60));
  const auto cut_inside_character = [&] {
    return !out.empty() && out.size() < name.size() && (static_cast<unsigned char>(name[out.size()]) & 0xC0U) == 0x80U;
  };
  while (cut_inside_character()) out.pop_back();
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return '\'' + out + (out.size() < name.size() ? "...'" : "'");
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const auto meant = nearest_name(word, known);
  return meant ? fmt::format(" (did you mean '{}'?)", *meant) : "";
}

void ValueReader::report(Where where, std::string sentence, std::string hint) {
  if (problems_.size() < kMaxProblems) problems_.push_back(error(where, std::move(sentence), std::move(hint)));
  else ++left_out_;
}

void ValueReader::unexpected(const TomlNode& found, std::string_view place, std::string_view expected) {
  report(found.where, fmt::format("{}: expected {}, found {}", place, expected, described(found)));
}

void ValueReader::unknown_key(const TomlEntry& entry, std::string_view place, const std::vector<std::string>& known,
                              std::string_view owner) {
  if (problems_.size() >= kMaxProblems) return void(++left_out_);  // looking for the nearest name takes time
  report(entry.where,
         fmt::format("{}{}unknown key {}{}", place, place.empty() ? "" : ": ", called(entry.key),
                     did_you_mean(entry.key, known)),
         fmt::format("{} {}", owner, join_names(known, known.size())));
}

Text ValueReader::word(const TomlNode& node, std::string_view place, std::string_view expected) {
  if (node.kind == Kind::string && !node.text.empty()) return {node.text, node.text_where, true};
  unexpected(node, place, expected);
  return {"", node.where, true};
}

Text ValueReader::number(const TomlNode& node, std::string_view place) {
  return number_or(node, place, jounce::expected(Form::number));
}

bool ValueReader::yes_or_no(const TomlNode& node, std::string_view place) {
  if (node.kind != Kind::boolean) unexpected(node, place, "true or false");
  return node.kind == Kind::boolean && node.text == "true";
}

Text ValueReader::number_or(const TomlNode& node, std::string_view place, std::string_view expected) {
  if (node.kind != Kind::integer && node.kind != Kind::number) return word(node, place, expected);
  const bool finite = node.text.find_first_of("in") == node.text.npos;  // not "inf", not "nan"
  if (!finite) report(node.where, fmt::format("{}: a number must be finite, found {}", place, node.text));
  else if (node.underflow) report(node.where, fmt::format("{}: the number is too small for double precision", place));
  else return {node.text, node.where, false};
  return {"", node.where, false};
}

bool ValueReader::is_array(const TomlNode& node, std::string_view place, std::size_t count, std::string_view expected) {
  if (node.kind == Kind::array && node.size == count && node.items.size() == count) return true;
  return unexpected(node, place, expected), false;
}

// An array of one or more.
bool ValueReader::is_list(const TomlNode& node, std::string_view place, std::string_view items, std::string_view expected) {
  if (node.kind != Kind::array || node.items.empty()) return unexpected(node, place, expected), false;
  if (node.size == node.items.size()) return true;
  return unexpected(node, place, fmt::format("at most {} {}", TomlNode::kMaxItems, items)), false;
}

std::vector<Text> ValueReader::numbers(const TomlNode& node, std::string_view place, std::size_t count,
                                       std::string_view expected) {
  std::vector<Text> out;
  if (!is_array(node, place, count, expected)) return out;
  for (const TomlNode& item : node.items) out.push_back(number(item, place));
  return complete(std::move(out));
}

std::vector<Text> ValueReader::two_points(const TomlNode& node, std::string_view place) {
  if (!is_array(node, place, 2, jounce::expected(Form::line))) return {};
  const std::string_view expected = jounce::expected(Form::point);
  return complete({word(node.items[0], place, expected), word(node.items[1], place, expected)});
}

// A point of a shape, which lies in its own body: "A" rather than "crank.A".
PlainValue ValueReader::own_point(const TomlNode& node, std::string_view place, Form form) {
  if (node.kind != Kind::array) return entry_value(word(node, place, jounce::expected(form)));
  if (form == Form::own_point) return entry_value(numbers(node, place, 2, kTwoNumbers));
  return entry_value(numbers(node, place, 3, jounce::expected(Form::triple)));
}

PlainValue ValueReader::motion(const TomlNode& node, const std::string& place) {
  if (node.kind != Kind::table) return entry_value(number_or(node, place, jounce::expected(Form::motion)));
  return table_file(node, place, Form::motion);
}

PlainValue ValueReader::table_file(const TomlNode& node, const std::string& place, Form form) {
  PlainValue out;
  if (node.kind != Kind::table || node.size == 0) return unexpected(node, place, jounce::expected(form)), out;
  for (const TomlEntry& entry : node.entries) {
    if (entry.key != "table") {
      unknown_key(entry, place, {"table"}, form == Form::motion ? "a tabulated motion has only the key" : "a table has only the key");
      continue;
    }
    Text path = word(entry.value, place + ": table", "the name of a file such as \"motion.csv\"");
    if (!path.text.empty()) out = TableFile{std::move(path)};
  }
  return out;
}

PlainValue ValueReader::plain(const TomlNode& node, const std::string& place, Form form) {
  const std::string_view expected = jounce::expected(form);
  switch (form) {
    case Form::line: return entry_value(two_points(node, place));
    case Form::own_point:
    case Form::own_point_in_space: return own_point(node, place, form);
    case Form::number:
    case Form::law:
    case Form::equation:
    case Form::function: return entry_value(number_or(node, place, expected));
    case Form::pair:
    case Form::vector: return entry_value(numbers(node, place, 2, expected));
    case Form::triple:
    case Form::vector_in_space:
    case Form::turns: return entry_value(numbers(node, place, 3, expected));
    case Form::six:
    case Form::wrench: return entry_value(numbers(node, place, 6, expected));
    case Form::numbers:
      return is_list(node, place, "numbers", expected) ? entry_value(numbers(node, place, node.size, expected)) : PlainValue{};
    case Form::motion: return motion(node, place);
    case Form::table: return table_file(node, place, form);
    case Form::lift: return node.kind == Kind::table ? table_file(node, place, form) : entry_value(number_or(node, place, expected));
    case Form::yes_no:
      if (node.kind == Kind::boolean) return Text(node.text, node.where, false);
      return unexpected(node, place, expected), PlainValue{};
    default: return entry_value(word(node, place, expected));  // references and words
  }
}

// `owner` begins the hint for an unknown key: "a dof has the keys".
Table ValueReader::table(const TomlNode& node, const std::string& place, std::span<const FieldInfo> fields,
                         std::string_view owner) {
  Table out{.where = node.where, .entries = {}};
  for (const TomlEntry& entry : node.entries) {
    if (const FieldInfo* field = find_field(fields, entry.key)) {
      out.entries.push_back({entry.key, entry.where, plain(entry.value, place + ": " + entry.key, field->form)});
      continue;
    }
    std::vector<std::string> known;
    for (const FieldInfo& field : fields) known.emplace_back(field.key);
    unknown_key(entry, place, known, owner);
  }
  return out;
}

Value ValueReader::placement(const TomlNode& node, const std::string& place) {
  if (node.kind != Kind::table || node.size == 0) return unexpected(node, place, jounce::expected(Form::placement)), Value{};
  return table(node, place, tree::placement_fields(), "a placement has the keys");
}

void ValueReader::point_in_space(const TomlNode& node, const std::string& place, NamedPoint& out) {
  if (node.kind == Kind::array) return void(out.at = numbers(node, place, 3, jounce::expected(Form::triple)));
  if (node.kind != Kind::table || node.size == 0) return unexpected(node, place, kPointInSpace);
  const Table read = table(node, place, tree::placement_fields(), "a point has the keys");
  const auto take = [&](std::string_view key, std::vector<Text>& to) {
    const Table::Entry* entry = read.find(key);
    if (entry == nullptr) return false;
    if (const auto* texts = std::get_if<std::vector<Text>>(&entry->value)) to = *texts;
    return true;
  };
  if (!take("xyz", out.at)) out.at.assign(3, Text(0.0));
  take("rpy", out.rpy);
}

Value ValueReader::dofs(const TomlNode& node, const std::string& place) {
  if (!is_list(node, place, "dofs", jounce::expected(Form::dofs))) return {};
  std::vector<Table> out;
  bool all_tables = true;
  for (const TomlNode& item : node.items) {
    const std::string one = fmt::format("{}: dof {}", place, out.size() + 1);
    if (item.kind != Kind::table) unexpected(item, one, "a table such as { stiffness = 3, damping = 0.1 }"), all_tables = false;
    out.push_back(table(item, one, tree::dof_fields(), "a dof has the keys"));
  }
  return all_tables ? Value{std::move(out)} : Value{};
}

Value ValueReader::friction(const TomlNode& node, const std::string& place, Form form) {
  if (node.kind != Kind::table || node.size == 0) return unexpected(node, place, jounce::expected(form)), Value{};
  Table read = table(node, place, friction_fields(form), "the friction of such a joint has the keys");
  return read.entries.size() < node.size ? Value{} : Value{std::move(read)};
}

Value ValueReader::pose(const TomlNode& node, const std::string& place) {
  if (node.kind != Kind::table || node.size == 0) return unexpected(node, place, jounce::expected(Form::pose)), Value{};
  Table read = table(node, place, tree::pose_fields(), "the motion of such a joint has the keys");
  // a misspelt key was reported: what the others lack without it is no second mistake
  return read.entries.size() < node.size ? Value{} : Value{std::move(read)};
}

std::vector<Text> ValueReader::words(const TomlNode& node, std::string_view place, std::string_view expected) {
  if (!is_list(node, place, "names", expected)) return {};
  std::vector<Text> out;
  for (const TomlNode& item : node.items) out.push_back(word(item, place, expected));
  return complete(std::move(out));
}

Value ValueReader::screws(const TomlNode& node, const std::string& place) {
  if (!is_list(node, place, "screws", jounce::expected(Form::screws))) return {};
  std::vector<std::vector<Text>> out;
  for (const TomlNode& item : node.items)
    out.push_back(numbers(item, fmt::format("{}: screw {}", place, out.size() + 1), 6,
                          "six numbers [wx, wy, wz, ux, uy, uz]"));
  const bool all_read = std::ranges::none_of(out, &std::vector<Text>::empty);
  return all_read ? Value{std::move(out)} : Value{};
}

Value ValueReader::places(const TomlNode& node, const std::string& place) {
  if (node.kind == Kind::table) {
    PlainValue file = table_file(node, place, Form::places);
    if (auto* table = std::get_if<TableFile>(&file)) return std::move(*table);
    return {};
  }
  if (!is_list(node, place, "points", jounce::expected(Form::places))) return {};
  std::vector<std::vector<Text>> out;
  for (const TomlNode& item : node.items) out.push_back(numbers(item, fmt::format("{}: point {}", place, out.size() + 1), 2, kTwoNumbers));
  return std::ranges::none_of(out, &std::vector<Text>::empty) ? Value{std::move(out)} : Value{};
}

Value ValueReader::field(const TomlNode& node, const std::string& place, Form form) {
  if (form == Form::placement) return placement(node, place);
  if (form == Form::dofs) return dofs(node, place);
  if (form == Form::screws) return screws(node, place);
  if (form == Form::pose) return pose(node, place);
  if (form == Form::bearing_friction || form == Form::guide_friction) return friction(node, place, form);
  if (form == Form::places) return places(node, place);
  return std::visit([](auto&& value) { return Value{std::forward<decltype(value)>(value)}; }, plain(node, place, form));
}

Problems ValueReader::take_problems() {
  sort_by_place(problems_);
  if (left_out_ > 0) {
    Problem note{.severity = Severity::note, .sentence = fmt::format("{} further errors are not shown", left_out_)};
    note.where = problems_.back().where;
    problems_.push_back(std::move(note));
  }
  return std::move(problems_);
}

}  // namespace jounce
