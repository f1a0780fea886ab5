#include "picture.hpp"

#include <librsvg/rsvg.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace jounce::app {
namespace {

template <auto kFree>
struct Freed {
  void operator()(auto* p) const { kFree(p); }
};
using Handle = std::unique_ptr<RsvgHandle, Freed<g_object_unref>>;
using Surface = std::unique_ptr<cairo_surface_t, Freed<cairo_surface_destroy>>;
using Pen = std::unique_ptr<cairo_t, Freed<cairo_destroy>>;

Problem no_picture(const std::string& why) { return error({}, "the drawing cannot be made a picture: " + why); }

Result<Surface> drawn(const std::string& svg) {
  GError* problem = nullptr;
  const Handle handle(rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &problem));  // NOLINT: bytes are bytes
  const auto refuse = [&] {
    const std::unique_ptr<GError, Freed<g_error_free>> owner(problem);
    return no_picture(problem != nullptr ? problem->message : "unknown");
  };
  if (!handle) return refuse();
  double width = 0, height = 0;
  if (rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height) == 0) return no_picture("it has no size");
  const int columns = static_cast<int>(std::lround(width)), rows = static_cast<int>(std::lround(height));
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows));
  if (const auto status = cairo_surface_status(surface.get()); status != CAIRO_STATUS_SUCCESS) return no_picture(cairo_status_to_string(status));
  const Pen pen(cairo_create(surface.get()));
  cairo_set_source_rgb(pen.get(), 1, 1, 1);
  cairo_paint(pen.get());
  const RsvgRectangle whole{0, 0, static_cast<double>(columns), static_cast<double>(rows)};
  if (rsvg_handle_render_document(handle.get(), pen.get(), &whole, &problem) == 0) return refuse();
  cairo_surface_flush(surface.get());
  return surface;
}

}  // namespace

bool has_pictures() { return true; }

Result<Picture> picture_of(const std::string& svg) {
  auto surface = drawn(svg);
  if (!surface) return surface.problems();
  const Surface image = *std::move(surface);
  Picture out{cairo_image_surface_get_width(image.get()), cairo_image_surface_get_height(image.get()), {}};
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(image.get()));
  const unsigned char* const data = cairo_image_surface_get_data(image.get());
  out.rgb.reserve(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 3);
  for (std::size_t y = 0; y < static_cast<std::size_t>(out.height); ++y)
    for (std::size_t x = 0; x < static_cast<std::size_t>(out.width); ++x) {
      std::uint32_t pixel = 0;  // in the machine's own order: 0x00rrggbb
      static_assert(sizeof pixel == 4);
      std::copy_n(data + y * stride + 4 * x, 4, reinterpret_cast<unsigned char*>(&pixel));  // NOLINT: bytes are bytes
      for (const unsigned shift : {16U, 8U, 0U}) out.rgb.push_back(static_cast<std::uint8_t>(pixel >> shift));
    }
  return out;
}

Result<std::string> png_of(const std::string& svg) {
  auto surface = drawn(svg);
  if (!surface) return surface.problems();
  const Surface image = *std::move(surface);
  std::string out;
  const auto take = [](void* to, const unsigned char* bytes, unsigned int count) {
    static_cast<std::string*>(to)->append(bytes, bytes + count);
    return CAIRO_STATUS_SUCCESS;
  };
  if (const auto status = cairo_surface_write_to_png_stream(image.get(), take, &out); status != CAIRO_STATUS_SUCCESS)
    return no_picture(cairo_status_to_string(status));
  return out;
}

}  // namespace jounce::app
