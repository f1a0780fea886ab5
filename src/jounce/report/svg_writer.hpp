// Figures as SVG: well-formed whatever the names in them are, and readable on light and dark paper.
//
// Lines and text take the colour of the text around the figure (currentColor); a figure that stands alone follows the reader's
// setting. There is no background; `paper` fills what must hide what lies under it.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jounce/math/vec2.hpp"

namespace jounce::svg {

using Pixel = Vec2<double>;

/// Hundredths of a pixel, in as few characters as possible.
[[nodiscard]] std::string number(double value);
/// Markup becomes text; what is no character of XML becomes U+FFFD.
[[nodiscard]] std::string escaped(std::string_view text);
/// At most `longest` characters, the last an ellipsis when some are left out.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t longest);
/// About how wide a text is in a usual font.
[[nodiscard]] double text_width(std::string_view text, double font_size);

/// "M1 2L3 4": a path through points; with `closed` back to the first.
[[nodiscard]] std::string path(std::span<const Pixel> points, bool closed = false);

/// Tells curves and bodies apart: each has a contrast of at least 3 against white and against near-black.
[[nodiscard]] std::string_view colour(std::size_t index);
[[nodiscard]] std::size_t colours();

using Attributes = std::initializer_list<std::pair<std::string_view, std::string>>;

class Writer {
 public:
  /// `title`: for readers that cannot see it. `style`: rules of this kind of figure, each selector below .jounce-figure.
  Writer(double width, double height, std::string_view title, std::string_view style);

  void open(std::string_view tag, Attributes attributes);
  void close();
  void element(std::string_view tag, Attributes attributes);
  /// An element with text in it.
  void text(std::string_view content, Attributes attributes);

  // The usual ones.
  void line(Pixel a, Pixel b, std::string_view style_class);
  void circle(Pixel centre, double radius, std::string_view style_class);
  void path(std::string data, std::string_view style_class);

  /// Everything is closed and given away.
  [[nodiscard]] std::string finish();

 private:
  void start(std::string_view tag, Attributes attributes);

  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace jounce::svg
