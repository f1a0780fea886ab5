#include "jounce/io/urdf/urdf_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <pugixml.hpp>

#include "jounce/base/utf8.hpp"
#include "jounce/expr/names.hpp"

namespace jounce::urdf {
namespace {

constexpr std::size_t kMaxAttributes = 100;  // of one element

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Places by byte; columns count characters.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {
    lines_.push_back(0);
    for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) lines_.push_back(at + 1);
  }

  // Asked in the order of the file as a rule: then a line of any length is gone through once only.
  [[nodiscard]] Where operator()(std::size_t byte) {
    byte = std::min(byte, text_.size());
    const auto next = std::ranges::upper_bound(lines_, byte);
    const std::size_t start = *(next - 1);
    if (last_ < start || last_ > byte) {
      last_ = start;
      column_ = 1;
    }
    for (; last_ < byte; ++last_) column_ += continues_character(text_[last_]) ? 0 : 1;
    return {static_cast<int>(next - lines_.begin()), column_};
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> lines_;  // where each begins
  std::size_t last_ = 0;            // the last byte asked for, and its column
  int column_ = 1;
};

// The first byte that no UTF-8 text has there, or the size of the text. A zero byte is none of a text either.
std::size_t first_bad_byte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = text[at] == '\0' ? 0 : character_size(text.substr(at));
    if (size == 0) return at;
    at += size;
  }
  return text.size();
}

// The name of the tag whose name begins here.
std::string tag_name(std::string_view text, std::size_t at) {
  text.remove_prefix(std::min(at, text.size()));
  return shortened(text.substr(0, text.find_first_of("<>/ \t\r\n\"'=")));
}

std::string reason(const pugi::xml_parse_result& parsed, std::string_view text, const pugi::xml_document& document) {
  const auto at = static_cast<std::size_t>(parsed.offset);
  switch (parsed.status) {
    case pugi::status_unrecognized_tag: return "'<' begins no tag here (the sign itself is written &lt;)";
    case pugi::status_bad_pi: return "'<?' without its '?>'";
    case pugi::status_bad_comment: return "a comment without its '-->'";
    case pugi::status_bad_cdata: return "a CDATA section without its ']]>'";
    case pugi::status_bad_doctype: return "a DOCTYPE that is not closed";
    case pugi::status_bad_pcdata: return "text that does not end";
    case pugi::status_bad_start_element: return "a start tag without its '>'";
    case pugi::status_bad_attribute: return "expected an attribute such as name=\"value\", with both quotes";
    case pugi::status_bad_end_element: return "an end tag without its '>'";
    case pugi::status_end_element_mismatch:
      if (at > 1 && text.substr(at - 2, 2) == "</")
        return fmt::format("</{}> does not close the element that is open here", tag_name(text, at));
      return fmt::format("the text ends before </{}>", shortened(document.document_element().name()));
    default: return parsed.description();
  }
}

class XmlConverter {
 public:
  XmlConverter(std::string_view text, std::string_view buffer) : place_(text), buffer_(buffer) {}

  // Fills `out`; what is wrong is in `problem` afterwards.
  void convert(const pugi::xml_node& from, XmlElement& out, int depth) {
    out.name = from.name();
    out.where = place(from.name() - 1, {});
    if (depth > XmlElement::kMaxDepth) {
      problem = error(out.where, fmt::format("elements are nested more than {} deep", XmlElement::kMaxDepth));
      return;
    }
    for (const pugi::xml_attribute& attribute : from.attributes()) {
      if (out.attributes.size() == kMaxAttributes) {
        problem = error(out.where, fmt::format("<{}> has more than {} attributes", shortened(out.name), kMaxAttributes));
        return;
      }
      if (out.find(attribute.name()) != nullptr) {
        problem = error(place(attribute.name(), out.where),
                        fmt::format("<{}> has the attribute '{}' twice", shortened(out.name), shortened(attribute.name())));
        return;
      }
      out.attributes.push_back({attribute.name(), attribute.value(), place(attribute.value(), out.where)});
    }
    for (const pugi::xml_node& child : from.children()) {
      if (child.type() != pugi::node_element) continue;
      convert(child, out.children.emplace_back(), depth + 1);
      if (problem) return;
    }
  }

  std::optional<Problem> problem;

 private:
  // The library parses in place: its names and values lie where they stood in the text, empty ones perhaps elsewhere.
  Where place(const char* at, Where otherwise) {
    const bool inside = !std::less<>()(at, buffer_.data()) && std::less<>()(at, buffer_.data() + buffer_.size());
    return inside ? place_(static_cast<std::size_t>(at - buffer_.data())) : otherwise;
  }

  Places place_;
  std::string_view buffer_;
};

}  // namespace

Result<XmlElement> parse_xml(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (const std::size_t bad = first_bad_byte(text); bad < text.size())
    return error(Places(text)(bad), "the text is not valid UTF-8 from here on");

  std::string buffer(text);
  pugi::xml_document document;
  const pugi::xml_parse_result parsed =
      document.load_buffer_inplace(buffer.data(), buffer.size(), pugi::parse_cdata | pugi::parse_escapes, pugi::encoding_utf8);
  if (parsed.status == pugi::status_no_document_element)
    return error({1, 1}, "expected XML with an element at the top, found none");
  if (!parsed)
    return error(Places(text)(static_cast<std::size_t>(parsed.offset)), "not valid XML: " + reason(parsed, text, document));

  XmlConverter converter(text, buffer);
  XmlElement out;
  converter.convert(document.document_element(), out, 1);
  if (converter.problem) return *std::move(converter.problem);
  for (pugi::xml_node next = document.document_element().next_sibling(); next; next = next.next_sibling())
    if (next.type() == pugi::node_element)
      return error(Places(text)(static_cast<std::size_t>(next.offset_debug() - 1)),
                   fmt::format("not valid XML: a second element <{}> after the end of <{}>", shortened(next.name()),
                               shortened(out.name)));
  return out;
}

}  // namespace jounce::urdf
