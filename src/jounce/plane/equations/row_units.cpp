#include "jounce/plane/equations/row_units.hpp"

#include <cmath>

#include "jounce/base/index.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"

namespace jounce {
namespace {

constexpr double kTwice = 2;

// What may be a length in the data of a joint. An angle doubled with them does no harm: no scale depends on one.
void lengthen(planar::Point<double>& point) { point.p = point.p + point.p; }
void lengthen(planar::Line<double>& line) {
  line.p = line.p + line.p;
  line.a = line.a + line.a;
}
void lengthen(planar::Drawn<double>& drawn) { drawn.value *= kTwice; }
void lengthen(auto&) {}

template <class E>
E lengthened(E element) {
  std::apply([&](const auto&... field) { (lengthen(element.*(field.member)), ...); }, E::fields);
  return element;
}

}  // namespace

std::string RowUnit::multiplier() const {
  const int power = (unit == planar::Unit::radian ? 1 : 0) - lengths;  // of the metre beside the newton
  if (power == 0) return "N";
  if (power == 1) return "N m";
  if (power == -1) return "N/m";
  return power == -2 ? "N/m²" : "";
}

std::vector<RowUnit> row_units(const PlanarSystem& system) {
  std::vector<RowUnit> out(z(system.equations()));
  const std::vector<planar::Frame<double>> frames(z(system.bodies() + 1));
  const std::vector<double> ones(system.motions().size(), 1.0), twos(system.motions().size(), kTwice);
  const planar::World<double> drawn{frames, ones}, doubled{frames, twos};
  system.impl().each([&](const auto& batch) {
    std::size_t row = z(batch.first_row);
    for (const auto& element : batch.elements) {
      const auto scale = element.scale(drawn), larger = lengthened(element).scale(doubled);
      for (std::size_t r = 0; r < scale.size(); ++r)
        out[row++] = {scale[r].unit, static_cast<int>(std::lround(std::log2(larger[r].divisor / scale[r].divisor)))};
    }
  });
  return out;
}

}  // namespace jounce
