#include "jounce/report/solids/meshes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "jounce/base/files.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/path.hpp"

namespace jounce {
namespace {

constexpr std::size_t kMaxMeshFile = std::size_t{256} << 20U;
constexpr std::size_t kStlHead = 84, kStlTriangle = 50;  // bytes

// Corners, each place once.
class Corners {
 public:
  explicit Corners(TriangleMesh& mesh) : mesh_(mesh) {}

  std::uint32_t at(const Vec3<double>& p) {
    const auto [found, is_new] = known_.try_emplace(std::array{p.x, p.y, p.z}, static_cast<std::uint32_t>(mesh_.corners.size()));
    if (is_new) mesh_.corners.push_back(p);
    return found->second;
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (a != b && b != c && c != a) mesh_.triangles.push_back({a, b, c});
  }

 private:
  TriangleMesh& mesh_;
  std::map<std::array<double, 3>, std::uint32_t> known_;
};

std::uint32_t whole_number(std::string_view bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t k = 0; k < 4; ++k) out |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + k])) << (8 * k);
  return out;
}

Problem unlike(const std::string& sentence) { return error({}, sentence); }

Problem too_many(std::size_t found) {
  return unlike("expected at most " + std::to_string(kMostTriangles) + " triangles, found " + std::to_string(found));
}

// The words of a text, one after another.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  std::string_view next() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    const std::size_t from = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  std::string_view text_;
  std::size_t at_ = 0;
};

bool read_number(std::string_view word, double& out) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), out);
  return fault == std::errc{} && end == word.data() + word.size() && std::isfinite(out);
}

std::string line_of(std::string_view text, std::string_view word) {
  return "line " + std::to_string(1 + std::count(text.data(), word.data(), '\n'));
}

Result<TriangleMesh> binary_stl(std::string_view bytes) {
  if (bytes.size() < kStlHead) return unlike("expected an STL file of at least 84 bytes, found " + std::to_string(bytes.size()));
  const std::size_t count = whole_number(bytes, kStlHead - 4);
  if (count > kMostTriangles) return too_many(count);
  if (bytes.size() < kStlHead + count * kStlTriangle)
    return unlike("expected " + std::to_string(count) + " triangles of 50 bytes after the head, found " + std::to_string(bytes.size() - kStlHead) + " bytes");
  TriangleMesh out;
  Corners corners(out);
  for (std::size_t t = 0; t < count; ++t) {
    std::array<std::uint32_t, 3> own{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = kStlHead + t * kStlTriangle + 12 * (k + 1);
      const auto part = [&](std::size_t axis) { return static_cast<double>(std::bit_cast<float>(whole_number(bytes, at + 4 * axis))); };
      const Vec3<double> p{part(0), part(1), part(2)};
      if (!is_finite(p)) return unlike("triangle " + std::to_string(t + 1) + ": expected numbers, found one that is none");
      own[k] = corners.at(p);
    }
    corners.triangle(own[0], own[1], own[2]);
  }
  return out;
}

Result<TriangleMesh> text_stl(std::string_view text) {
  TriangleMesh out;
  Corners corners(out);
  Words words(text);
  std::vector<std::uint32_t> facet;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "facet") facet.clear();
    if (word == "vertex") {
      Vec3<double> p{};
      for (double* part : {&p.x, &p.y, &p.z})
        if (const std::string_view number = words.next(); !read_number(number, *part))
          return unlike(line_of(text, word) + ": expected three numbers after 'vertex', found '" + std::string(number.substr(0, 20)) + "'");
      facet.push_back(corners.at(p));
    }
    if (word != "endfacet") continue;
    if (facet.size() != 3) return unlike(line_of(text, word) + ": expected a facet of three corners, found " + std::to_string(facet.size()));
    corners.triangle(facet[0], facet[1], facet[2]);
    if (out.triangles.size() > kMostTriangles) return too_many(out.triangles.size());
  }
  return out;
}

Result<TriangleMesh> obj(std::string_view text) {
  TriangleMesh out;
  Corners corners(out);
  std::vector<std::uint32_t> places;
  std::size_t line = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    Words words(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
    const std::string here = "line " + std::to_string(line) + ": ";
    const std::string_view what = words.next();
    if (what == "v") {
      Vec3<double> p{};
      for (double* part : {&p.x, &p.y, &p.z})
        if (const std::string_view number = words.next(); !read_number(number, *part))
          return unlike(here + "expected three numbers after 'v', found '" + std::string(number.substr(0, 20)) + "'");
      places.push_back(corners.at(p));
    }
    if (what != "f") continue;
    std::vector<std::uint32_t> face;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      long long at = 0;
      const std::string_view number = word.substr(0, word.find('/'));
      const auto [stop, fault] = std::from_chars(number.data(), number.data() + number.size(), at);
      const auto count = static_cast<long long>(places.size());
      const bool known = fault == std::errc{} && stop == number.data() + number.size() && at != 0 && at <= count && at >= -count;
      if (!known) return unlike(here + "expected the number of one of " + std::to_string(count) + " corners before it, found '" + std::string(word.substr(0, 20)) + "'");
      face.push_back(places[z(at > 0 ? at - 1 : count + at)]);
    }
    if (face.size() < 3) return unlike(here + "expected a face of three corners or more, found " + std::to_string(face.size()));
    for (std::size_t k = 1; k + 1 < face.size(); ++k) corners.triangle(face[0], face[k], face[k + 1]);
    if (out.triangles.size() > kMostTriangles) return too_many(out.triangles.size());
  }
  return out;
}

std::string lower_ending(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  std::string out(dot == name.npos ? std::string_view() : name.substr(dot));
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

// In the axes of the body, in metres.
std::shared_ptr<const TriangleMesh> placed(const TriangleMesh& mesh, const Picture& picture) {
  auto out = std::make_shared<TriangleMesh>(mesh);
  const Vec3<double>& s = picture.size;
  for (Vec3<double>& p : out->corners) p = picture.frame * Vec3<double>{s.x * p.x, s.y * p.y, s.z * p.z};
  if (s.x * s.y * s.z < 0)  // a mirror turns the outside in
    for (auto& [a, b, c] : out->triangles) std::swap(b, c);
  return out;
}

Solid solid_of(const Picture& picture) {
  Solid out;
  out.role = Solid::Role::body;
  out.colour = picture.colour;
  out.points = {picture.frame.origin};
  out.radius = out.end_radius = picture.radius;
  switch (picture.kind) {
    case Picture::Kind::box:
      out.kind = Solid::Kind::block;
      out.axes = picture.frame.axes, out.size = picture.size;
      break;
    case Picture::Kind::cylinder: {
      const Vec3<double> half = picture.frame.axes.z * (picture.length / 2);
      out.kind = Solid::Kind::rod;
      out.points = {picture.frame.origin - half, picture.frame.origin + half};
      break;
    }
    case Picture::Kind::sphere: out.kind = Solid::Kind::ball; break;
    case Picture::Kind::mesh: out.kind = Solid::Kind::mesh; break;
  }
  return out;
}

}  // namespace

Result<TriangleMesh> parse_mesh(std::string_view content, std::string_view name) {
  const std::string ending = lower_ending(name);
  if (ending != ".stl" && ending != ".obj") return unlike("expected an STL or OBJ file, found '" + (ending.empty() ? std::string(name) : ending) + "'");
  // many files of bytes begin with the word of those of text too
  const bool text = content.starts_with("solid") && content.find("facet") != content.npos && content.substr(0, 1024).find('\0') == content.npos;
  Result<TriangleMesh> out = ending == ".obj" ? obj(content) : text ? text_stl(content) : binary_stl(content);
  if (out.ok() && out->triangles.empty()) return unlike("expected triangles, found none");
  return out;
}

void add_pictures(Scene& scene, const SpaceMechanism& mechanism, const std::string& model_file, Problems& problems) {
  std::map<std::string, std::shared_ptr<const TriangleMesh>, std::less<>> read;  // each file once; null: it cannot be read
  const auto load = [&](const std::string& path, const Picture& picture, const std::string& who) {
    const auto complain = [&](const std::string& why) {
      problems.push_back({Severity::warning, model_file, picture.where, who + ": the mesh '" + picture.file + "' is not drawn: " + why, {}});
      return std::shared_ptr<const TriangleMesh>();
    };
    if (picture.file.starts_with("package://")) return complain("its package was not found; expected a file as seen from the model's folder");
    const Result<std::string> content = read_file(path, kMaxMeshFile, "mesh");
    if (!content.ok()) return complain(content.problems().front().sentence);
    const Result<TriangleMesh> mesh = parse_mesh(*content, path);
    if (!mesh.ok()) return complain(mesh.problems().front().sentence);
    return std::shared_ptr<const TriangleMesh>(std::make_shared<TriangleMesh>(*mesh));
  };
  const auto& pictures = mechanism.outlines.pictures;
  for (std::size_t b = 0; b < pictures.size(); ++b)
    for (const Picture& picture : pictures[b]) {
      Solid solid = solid_of(picture);
      solid.body = static_cast<int>(b);
      if (picture.kind == Picture::Kind::mesh) {
        const std::string path = beside(model_file, picture.file);
        auto found = read.find(path);
        if (found == read.end()) found = read.emplace(path, load(path, picture, b == 0 ? "ground" : "body '" + mechanism.bodies[b].name + "'")).first;
        if (!found->second) {
          scene.bodies[b].unseen = true;
          continue;
        }
        solid.mesh = placed(*found->second, picture);
      }
      scene.bodies[b].pictures.push_back(std::move(solid));
    }
}

}  // namespace jounce
