#include "jounce/space/motion/rest.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "jounce/base/index.hpp"
#include "jounce/space/size.hpp"
#include "jounce/tree/dof_quantity.hpp"

namespace jounce {
namespace {

/// Of two vectors of velocity variables: how moving along one and then the other differs from the other way round.
void bracket(const tree::Tree& tree, std::span<const double> a, std::span<const double> b, std::span<double> out) {
  std::ranges::fill(out, 0.0);
  const auto part = [](std::span<const double> x, int first) {
    return Vec3<double>{x[z(first)], x[z(first + 1)], x[z(first + 2)]};
  };
  const auto put = [&](int first, const Vec3<double>& x) { out[z(first)] = x.x, out[z(first + 1)] = x.y, out[z(first + 2)] = x.z; };
  for (const tree::Link& link : tree.links()) {
    if (tree::dofs(link.motion) < 3) continue;
    const Vec3<double> turn_a = part(a, link.v), turn_b = part(b, link.v);
    put(link.v, cross(turn_a, turn_b));
    if (link.motion == tree::Motion::free)
      put(link.v + 3, cross(turn_a, part(b, link.v + 3)) - cross(turn_b, part(a, link.v + 3)));
  }
}

}  // namespace

SpaceRest::SpaceRest(const SpaceMechanism& mechanism)
    : mechanism_(mechanism),
      equations_(mechanism),
      derivatives_(mechanism),
      passive_(equations_.passive_dofs().begin(), equations_.passive_dofs().end()),
      size_(length_scale(mechanism)),
      still_(mechanism.dofs.size()),
      way_(mechanism.dofs.size()) {
  equations_.hold_time();
}

// ---- positions ------------------------------------------------------------------------------------------------------------

RestMotion::Position SpaceRest::begin(std::span<const double> q) {
  unit_.clear(), row_unit_.clear();
  for (const int dof : passive_) unit_.push_back(dof_quantity(mechanism_.tree, dof) == tree::Quantity::length ? size_ : 1);
  for (const LoopClosures::Row& row : equations_.closures().rows()) row_unit_.push_back(row.metres ? size_ : 1);
  return {q.begin(), q.end()};
}

double SpaceRest::reach(const Position& at) const { return largest(at) * std::max(1.0, 1 / size_); }

void SpaceRest::move(Position& at, std::span<const double> step) {
  spread(step, way_);
  tree::move(mechanism_.tree, at, way_);
}

std::vector<double> SpaceRest::way(const Position& from, const Position& to) {
  tree::difference(mechanism_.tree, from, to, way_);
  std::vector<double> out = passive_part(way_);
  for (std::size_t p = 0; p < out.size(); ++p) out[p] /= unit_[p];
  return out;
}

std::vector<double> SpaceRest::passive_part(std::span<const double> of_dofs) const {
  std::vector<double> out;
  out.reserve(passive_.size());
  for (const int dof : passive_) out.push_back(of_dofs[z(dof)]);
  return out;
}

// Scaled numbers of the passive dofs to a motion of all.
void SpaceRest::spread(std::span<const double> scaled, std::span<double> to) const {
  std::ranges::fill(to, 0.0);
  for (std::size_t p = 0; p < scaled.size(); ++p) to[z(passive_[p])] = scaled[p] * unit_[p];
}

// ---- equations and forces -------------------------------------------------------------------------------------------------

std::vector<double> SpaceRest::residual(const Position& at) {
  equations_.evaluate_closures(at, still_);
  const auto phi = equations_.closures().residual();
  std::vector<double> out(phi.begin(), phi.end());
  for (std::size_t r = 0; r < out.size(); ++r) out[r] /= row_unit_[r];
  return out;
}

Matrix SpaceRest::gradients(const Position& at) {
  Matrix out(static_cast<int>(passive_.size()), static_cast<int>(row_unit_.size()));
  if (out.columns == 0) return out;
  (void)residual(at);
  const std::vector<double> jacobian = equations_.closures().jacobian();
  for (int r = 0; r < out.columns; ++r)
    for (int p = 0; p < out.rows; ++p)
      out.at(p, r) = jacobian[z(r) * still_.size() + z(passive_[z(p)])] / row_unit_[z(r)] * unit_[z(p)];
  return out;
}

// Forces and their derivatives; those of the last position are kept.
std::optional<Fault> SpaceRest::evaluate(const Position& at) {
  if (at == rest_at_) return std::nullopt;
  rest_at_.reset();
  if (auto fault = derivatives_.of_forces(0, at, rest_)) return fault;
  rest_at_ = at;
  return std::nullopt;
}

std::optional<Fault> SpaceRest::forces(const Position& at, Forces& out) {
  if (auto fault = evaluate(at)) return fault;
  out.along = passive_part(rest_.force);
  std::vector<double> own = passive_part(rest_.tau);
  for (std::size_t p = 0; p < unit_.size(); ++p) out.along[p] *= unit_[p], own[p] *= unit_[p];
  out.work = std::max(largest(out.along), largest(own));
  out.work = std::max(out.work, rest_.tension * size_);
  const double g = length(mechanism_.tree.gravity);
  for (const tree::Link& link : mechanism_.tree.links()) out.work = std::max(out.work, link.inertia.mass * g * size_);
  return std::nullopt;
}

// ---- along free motions ---------------------------------------------------------------------------------------------------

// Of a matrix with a row for each dof and a column for each passive one, row after row.
Matrix SpaceRest::reduced(std::span<const double> entries, const Matrix& Z) const {
  const int n = static_cast<int>(unit_.size());
  Matrix own(n, n);
  for (int p = 0; p < n; ++p)
    for (int c = 0; c < n; ++c) own.at(p, c) = entries[z(passive_[z(p)]) * z(n) + z(c)] * unit_[z(c)] * unit_[z(p)];
  return congruent(own, Z);
}

Matrix SpaceRest::stiffness(const Position& at, std::span<const double> y, const Matrix& Z) {
  (void)evaluate(at);  // had values when the search came here
  Matrix out = reduced(rest_.by_position, Z);
  for (double& x : out.value) x = -x;
  if (row_unit_.empty()) return out;
  std::vector<double> lambda(y.begin(), y.end());
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] = -lambda[r] / row_unit_[r];
  const Matrix of_reactions = turning_of_reactions(at, lambda, Z);
  for (std::size_t i = 0; i < out.value.size(); ++i) out.value[i] -= of_reactions.value[i];
  return out;
}

// ∂(Kᵀλ)/∂q along the free motions. Moving on with constant rates v, d²φ/dt² = −k(v): half of it and of λ's work is the symmetric
// part, by polarisation. The rest comes of rates about axes that turn.
Matrix SpaceRest::turning_of_reactions(const Position& at, std::span<const double> lambda, const Matrix& Z) {
  const int f = Z.columns;
  std::vector<std::vector<double>> motions(z(f), still_);
  for (int i = 0; i < f; ++i) spread(Z.column(i), motions[z(i)]);
  const auto bending = [&](const std::vector<double>& v) {
    equations_.evaluate_closures(at, v);
    return dot(lambda, equations_.closures().right().first(lambda.size()));
  };
  std::vector<double> alone;
  alone.reserve(motions.size());
  for (const std::vector<double>& motion : motions) alone.push_back(bending(motion));
  Matrix k(static_cast<int>(still_.size()), static_cast<int>(lambda.size()));  // Kᵀ: K comes row after row
  std::ranges::copy(equations_.closures().jacobian(), k.value.begin());
  const std::vector<double> effort = times(k, lambda);
  Matrix out(f, f);
  std::vector<double> both(still_.size());
  for (int i = 0; i < f; ++i)
    for (int j = 0; j <= i; ++j) {
      for (std::size_t d = 0; d < both.size(); ++d) both[d] = motions[z(i)][d] + motions[z(j)][d];
      const double symmetric = -0.5 * (bending(both) - alone[z(i)] - alone[z(j)]);
      bracket(mechanism_.tree, motions[z(j)], motions[z(i)], both);
      const double turned = 0.5 * dot(effort, both);
      out.at(i, j) = symmetric + turned;
      out.at(j, i) = symmetric - turned;
    }
  return out;
}

Matrix SpaceRest::damping(const Position& at, const Matrix& Z) {
  (void)evaluate(at);
  Matrix out = reduced(rest_.by_rate, Z);
  for (double& x : out.value) x = -x;
  return all_finite(out.value) ? out : Matrix{};
}

Matrix SpaceRest::mass(const Position& at, const Matrix& Z) {
  const int n = static_cast<int>(unit_.size());
  tree::Workspace<double> work(mechanism_.tree);
  std::vector<double> h(still_.size() * still_.size());
  tree::crba<double>(mechanism_.tree, work, at.data(), h.data());
  Matrix own(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      own.at(i, j) = h[z(passive_[z(i)]) * still_.size() + z(passive_[z(j)])] * unit_[z(i)] * unit_[z(j)];
  return congruent(own, Z);
}

Matrix SpaceRest::shapes(const Matrix& Z) const {
  Matrix out(static_cast<int>(still_.size()), Z.columns);
  for (int c = 0; c < Z.columns; ++c)
    for (int p = 0; p < Z.rows; ++p) out.at(passive_[z(p)], c) = Z.at(p, c);
  return out;
}

// ---- for results and messages ---------------------------------------------------------------------------------------------

std::vector<double> SpaceRest::multipliers(const Position& at, std::span<const double> /*y*/) {
  (void)equations_.balance(0, at, still_, still_);  // had values when the search came here
  return {equations_.multipliers().begin(), equations_.multipliers().end()};
}

std::vector<std::string> SpaceRest::components() const {
  std::vector<std::string> out;
  for (std::size_t dof = 0; dof < mechanism_.dofs.size(); ++dof) out.push_back(mechanism_.dof_label(static_cast<int>(dof)));
  return out;
}

RestMotion::Direction SpaceRest::direction(int index) const {
  const int dof = passive_[z(index)];
  return {mechanism_.dof_name(dof), "", mechanism_.joint_of(dof).name, mechanism_.dofs[z(dof)].where, dof_quantity(mechanism_.tree, dof) == tree::Quantity::angle,
          unit_[z(index)]};
}

std::string SpaceRest::advice() const { return "a spring, a loop or a motion has to hold every dof that a force drives"; }

}  // namespace jounce
