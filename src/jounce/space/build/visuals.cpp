// What bodies of space look like in drawings.
#include <algorithm>

#include "jounce/space/build/resolve.hpp"
#include "jounce/tree/catalogue.hpp"

namespace jounce {

// Those of the body that was added last.
void SpaceResolve::use_visuals(const Body& body, const std::string& who) {
  if (body.visuals.empty()) return;
  outlines_.pictures.resize(bodies_.size());
  int count = 0;
  for (const Element& visual : body.visuals)
    if (auto made = picture(visual, who + ": visual " + std::to_string(++count))) outlines_.pictures.back().push_back(*std::move(made));
}

std::optional<Picture> SpaceResolve::picture(const Element& visual, const std::string& who) {
  using Kind = Picture::Kind;
  const TypeInfo* type = find_type(tree::visual_types(), visual.type);
  if (type == nullptr) {
    incomplete_ = true;
    if (!visual.type.empty()) complain(visual.type_where, who + ": unknown type '" + visual.type + "' (there are box, cylinder, sphere, mesh)");
    return std::nullopt;
  }
  Picture out;
  bool whole = true;
  const auto fail = [&](Where where, const std::string& sentence) {
    complain(where, who + ": " + sentence);
    whole = false;
  };
  const auto find = [&](std::string_view key) -> const Entry* {
    const Entry* found = visual.find(key);
    if (found == nullptr && type->find(key)->required) fail(visual.where, "'" + std::string(key) + "' is missing: expected " + std::string(type->find(key)->doc));
    return found;
  };
  const auto length_of = [&](std::string_view key) {
    const Entry* found = find(key);
    const Text* text = found == nullptr ? nullptr : std::get_if<Text>(&found->value);
    if (text == nullptr) return whole = false, 0.0;
    const auto x = value(*text, who + ": " + std::string(key));
    if (x && !(*x > 0)) fail(text->where, std::string(key) + ": must be greater than 0, found " + shown(*x));
    whole = whole && x.has_value();
    return x.value_or(0);
  };
  const auto three = [&](const Entry* found, Vec3<double> otherwise) {
    const auto* texts = found == nullptr ? nullptr : std::get_if<std::vector<Text>>(&found->value);
    const auto out_of = texts == nullptr || texts->empty() ? std::nullopt : triple(*texts, who + ": " + found->key);
    if (found != nullptr && !out_of) whole = false;
    return out_of.value_or(otherwise);
  };
  out.kind = visual.type == "box" ? Kind::box : visual.type == "cylinder" ? Kind::cylinder : visual.type == "sphere" ? Kind::sphere : Kind::mesh;
  if (out.kind == Kind::box) {
    const Entry* size = find("size");
    out.size = three(size, {});
    if (whole && !(out.size.x > 0 && out.size.y > 0 && out.size.z > 0)) fail(size->where, "size: all three must be greater than 0");
  }
  if (out.kind == Kind::cylinder || out.kind == Kind::sphere) out.radius = length_of("radius");
  if (out.kind == Kind::cylinder) out.length = length_of("length");
  if (out.kind == Kind::mesh) {
    const Entry* scale = find("scale");
    out.size = three(scale, {1, 1, 1});
    if (whole && (out.size.x == 0 || out.size.y == 0 || out.size.z == 0)) fail(scale->where, "scale: none of the three may be 0");
    const Entry* file = find("file");
    if (const Text* text = file == nullptr ? nullptr : std::get_if<Text>(&file->value)) out.file = text->text, out.where = text->where;
    else whole = false;
  }
  if (const Entry* colour = visual.find("colour")) {
    const Text* text = std::get_if<Text>(&colour->value);
    const auto hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); };
    if (text == nullptr) whole = false;
    else if (text->text.size() != 7 || text->text[0] != '#' || !std::all_of(text->text.begin() + 1, text->text.end(), hex))
      fail(text->where, "colour: expected red, green and blue as in \"#d08020\", found '" + text->text + "'");
    else out.colour = text->text;
  }
  if (const Entry* origin = visual.find("origin")) {
    const auto* table = std::get_if<Table>(&origin->value);
    const auto part = [&](std::string_view key) {
      const Table::Entry* entry = table == nullptr ? nullptr : table->find(key);
      const auto* texts = entry == nullptr ? nullptr : std::get_if<std::vector<Text>>(&entry->value);
      const auto read = texts == nullptr || texts->empty() ? std::nullopt : triple(*texts, who + ": origin: " + std::string(key));
      if (entry != nullptr && !read) whole = false;
      return read.value_or(Vec3<double>{});
    };
    if (table == nullptr) whole = false;
    out.frame = {from_rpy(part("rpy")), part("xyz")};
  }
  if (!whole) return incomplete_ = true, std::nullopt;
  return out;
}

}  // namespace jounce
