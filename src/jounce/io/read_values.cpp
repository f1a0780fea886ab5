#include "jounce/io/read_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jounce/base/suggest.hpp"

namespace jounce {
namespace {

using planar::Form;
using planar::Group;
using Kind = TomlNode::Kind;

Value entry_value(Text text) { return text.text.empty() ? Value{} : Value{std::move(text)}; }
Value entry_value(std::vector<Text> texts) { return texts.empty() ? Value{} : Value{std::move(texts)}; }

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
  return number_or(node, place, planar::expected(Form::number));
}

Text ValueReader::number_or(const TomlNode& node, std::string_view place, std::string_view expected) {
  if (node.kind != Kind::integer && node.kind != Kind::number) return word(node, place, expected);
  const bool finite = node.text.find_first_of("in") == node.text.npos;  // not "inf", not "nan"
  if (!finite) report(node.where, fmt::format("{}: a number must be finite, found {}", place, node.text));
  else if (node.underflow) report(node.where, fmt::format("{}: the number is too small for double precision", place));
  else return {node.text, node.where, false};
  return {"", node.where, false};
}

bool ValueReader::is_pair(const TomlNode& node, std::string_view place, std::string_view expected) {
  if (node.kind == Kind::array && node.size == 2 && node.items.size() == 2) return true;
  return unexpected(node, place, expected), false;
}

std::vector<Text> ValueReader::two_numbers(const TomlNode& node, std::string_view place, std::string_view expected) {
  if (!is_pair(node, place, expected)) return {};
  return complete({number(node.items[0], place), number(node.items[1], place)});
}

std::vector<Text> ValueReader::two_points(const TomlNode& node, std::string_view place) {
  if (!is_pair(node, place, planar::expected(Form::line))) return {};
  const std::string_view expected = planar::expected(Form::point);
  return complete({word(node.items[0], place, expected), word(node.items[1], place, expected)});
}

Value ValueReader::motion(const TomlNode& node, const std::string& place) {
  if (node.kind != Kind::table) return entry_value(number_or(node, place, planar::expected(Form::motion)));
  if (node.size == 0) unexpected(node, place, planar::expected(Form::motion));
  Value out;
  for (const TomlEntry& entry : node.entries) {
    if (entry.key != "table") {
      unknown_key(entry, place, {"table"}, "a tabulated motion has only the key");
      continue;
    }
    Text path = word(entry.value, place + ": table", "the name of a file such as \"motion.csv\"");
    if (!path.text.empty()) out = TableFile{std::move(path)};
  }
  return out;
}

Value ValueReader::field(const TomlNode& node, const std::string& place, Form form, Group group) {
  const std::string_view expected = planar::expected(form);
  switch (form) {
    case Form::point:
      if (group != Group::shape) return entry_value(word(node, place, expected));
      // a shape lies in its own body: "A" rather than "crank.A"
      if (node.kind == Kind::array) return entry_value(two_numbers(node, place));
      return entry_value(word(node, place, "a point of this body such as \"A\", or [x, y]"));
    case Form::body:
    case Form::coordinate:
    case Form::mesh:
    case Form::frame: return entry_value(word(node, place, expected));
    case Form::line: return entry_value(two_points(node, place));
    case Form::pair:
    case Form::vector: return entry_value(two_numbers(node, place, expected));
    case Form::number:
    case Form::law: return entry_value(number_or(node, place, expected));
    case Form::motion: break;
  }
  return motion(node, place);
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
