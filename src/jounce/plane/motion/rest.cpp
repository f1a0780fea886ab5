#include "jounce/plane/motion/rest.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "jounce/base/index.hpp"
#include "jounce/plane/motion/scaled_jacobian.hpp"

namespace jounce {

PlaneRest::PlaneRest(const PlaneMechanism& mechanism)
    : mechanism_(mechanism),
      system_(mechanism.system),
      evaluation_(system_, 0),
      linear_(system_),
      size_(system_.length_scale()),
      unit_(z(system_.coordinates())) {
  for (std::size_t i = 0; i < unit_.size(); ++i) unit_[i] = column_unit(static_cast<int>(i), size_);
}

// ---- positions ------------------------------------------------------------------------------------------------------------

RestMotion::Position PlaneRest::begin(std::span<const double> q) {
  (void)evaluation_.set_time(0);  // assembled, so every motion has a value
  Position out(q.begin(), q.end());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] /= unit_[i];
  return out;
}

std::vector<double> PlaneRest::coordinates(const Position& at) const {
  std::vector<double> q = at;
  for (std::size_t i = 0; i < q.size(); ++i) q[i] *= unit_[i];
  return q;
}

void PlaneRest::move(Position& at, std::span<const double> step) {
  for (std::size_t i = 0; i < at.size(); ++i) at[i] += step[i];
}

std::vector<double> PlaneRest::way(const Position& from, const Position& to) {
  std::vector<double> out = to;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] -= from[i];
  return out;
}

// ---- equations and forces -------------------------------------------------------------------------------------------------

std::vector<double> PlaneRest::residual(const Position& at) {
  const auto phi = evaluation_.set_position(coordinates(at));
  std::vector<double> out(phi.begin(), phi.end());
  for (std::size_t r = 0; r < out.size(); ++r) out[r] /= row_unit(evaluation_.scales()[r], size_);
  return out;
}

Matrix PlaneRest::gradients(const Position& at) {
  Matrix out(static_cast<int>(at.size()), system_.equations());
  if (out.columns > 0) out.value = scaled_jacobian(system_, evaluation_, coordinates(at)).value;  // by rows: by columns it is Aᵀ
  return out;
}

std::optional<Fault> PlaneRest::forces(const Position& at, Forces& out) {
  if (const auto fault = linear_.forces_at_rest(0, coordinates(at))) return no_value(*fault);
  out.along.assign(linear_.Q().begin(), linear_.Q().end());
  for (std::size_t i = 0; i < unit_.size(); ++i) out.along[i] *= unit_[i];
  out.work = largest(out.along);
  for (std::size_t f = 0; f < system_.forces().size(); ++f) {
    const planar::ForceKind kind = system_.forces()[f].kind;
    const bool along_a_length = kind == planar::ForceKind::extension || kind == planar::ForceKind::compliance;
    out.work = std::max(out.work, std::abs(linear_.readings()[f].effort) * (along_a_length ? size_ : 1.0));
  }
  const double g = length(system_.gravity());
  for (std::size_t b = 0; b < system_.mass().size(); b += 3) out.work = std::max(out.work, system_.mass()[b] * g * size_);
  return std::nullopt;
}

Fault PlaneRest::no_value(const ForceFault& fault) const {
  const AppliedForce& force = system_.forces()[z(fault.force)];
  Where where = fault.where;
  if (fault.column > 0 && where.line > 0) where.column += fault.column - 1;
  return {force.text(), fault.sentence, where, force.name};
}

// ---- along free motions ---------------------------------------------------------------------------------------------------

Matrix PlaneRest::reduced(std::span<const Triplet> entries, const Matrix& Z) const {
  Matrix full(Z.rows, Z.rows);
  for (const Triplet& e : entries) full.at(e.row, e.column) += e.value * unit_[z(e.row)] * unit_[z(e.column)];
  return congruent(full, Z);
}

Matrix PlaneRest::stiffness(const Position& at, std::span<const double> y, const Matrix& Z) {
  const std::vector<double> q = coordinates(at);
  (void)linear_.forces_at_rest(0, q);  // had values when the search came here
  linear_.constraint_forces(0, q, multipliers(at, y));
  Matrix out = reduced(linear_.d_constraint_force(), Z);
  const Matrix of_forces = reduced(linear_.dQ_dq(), Z);
  for (std::size_t i = 0; i < out.value.size(); ++i) out.value[i] -= of_forces.value[i];
  return out;
}

Matrix PlaneRest::damping(const Position& at, const Matrix& Z) {
  const std::vector<double> rest(at.size());
  if (linear_.forces(0, coordinates(at), rest)) return {};
  Matrix out = reduced(linear_.dQ_dv(), Z);
  for (double& x : out.value) x = -x;
  return out;
}

Matrix PlaneRest::mass(const Position& /*at*/, const Matrix& Z) {
  std::vector<double> diagonal(unit_.size());
  for (std::size_t i = 0; i < diagonal.size(); ++i) diagonal[i] = unit_[i] * unit_[i] * system_.mass()[i];
  return congruent(diagonal, Z);
}

// ---- for results and messages ---------------------------------------------------------------------------------------------

std::vector<double> PlaneRest::multipliers(const Position& at, std::span<const double> y) {
  (void)residual(at);  // the scales of rows belong to a position
  std::vector<double> lambda(y.begin(), y.end());
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] /= row_unit(evaluation_.scales()[r], size_);
  return lambda;
}

std::vector<std::string> PlaneRest::components() const {
  std::vector<std::string> out;
  for (const BodyData& body : std::span(mechanism_.bodies).subspan(1))
    for (const char* coordinate : {".x", ".y", ".phi"}) out.push_back(body.name + coordinate);
  return out;
}

RestMotion::Direction PlaneRest::direction(int index) const {
  const std::string& body = mechanism_.bodies[z(index / 3) + 1].name;
  const char* along = index % 3 == 0 ? " along x" : index % 3 == 1 ? " along y" : "";
  return {"body '" + body + "'", along, body, {}, index % 3 == 2, unit_[z(index)]};
}

std::string PlaneRest::advice() const { return "a spring, a joint or a driver has to hold every motion that a force drives"; }

}  // namespace jounce
