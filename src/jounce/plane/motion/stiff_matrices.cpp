#include "jounce/plane/motion/stiff_matrices.hpp"

#include <algorithm>
#include <set>

#include "jounce/base/index.hpp"
#include "jounce/base/require.hpp"

namespace jounce::stiff {
namespace {

// Rows of each column in which forces and constraints can couple velocities or positions: whole blocks of body and body.
std::vector<std::set<int>> couplings(const PlanarSystem& system) {
  std::vector<std::set<int>> columns(z(system.coordinates()));
  const auto couple = [&](const std::vector<int>& bodies) {
    for (const int a : bodies)
      for (const int b : bodies)
        for (int i = 0; a > 0 && b > 0 && i < 9; ++i) columns[z(3 * (a - 1) + i / 3)].insert(3 * (b - 1) + i % 3);
  };
  for (const AppliedForce& f : system.forces()) {
    std::vector<int> bodies = f.bodies;
    bodies.insert(bodies.end(), f.seen.begin(), f.seen.end());
    couple(bodies);
  }
  for (const Constraint& c : system.constraints()) couple(c.bodies);
  for (int i = 0; i < system.coordinates(); ++i) columns[z(i)].insert(i);
  return columns;
}

SparsePattern pattern_of(int rows, const std::vector<std::set<int>>& columns) {
  SparsePattern p{rows, static_cast<int>(columns.size()), {0}, {}};
  for (const auto& column : columns) {
    p.row.insert(p.row.end(), column.begin(), column.end());
    p.start.push_back(p.entries());
  }
  return p;
}

}  // namespace

std::vector<std::pair<int, int>> used_entries(const PlanarSystem& system, std::span<const int> rows) {
  std::vector<int> used(z(system.equations()), -1);
  for (std::size_t r = 0; r < rows.size(); ++r) used[z(rows[r])] = static_cast<int>(r);
  const SparsePattern& p = system.pattern();
  std::vector<std::pair<int, int>> entries;
  for (int c = 0; c < p.columns; ++c)
    for (int e = p.start[z(c)]; e < p.start[z(c) + 1]; ++e) entries.emplace_back(used[z(p.row[z(e)])], c);
  return entries;
}

StepMatrices::StepMatrices(const PlanarSystem& system, std::span<const int> rows)
    : n_(system.coordinates()), m_(static_cast<int>(rows.size())) {
  const int v = n_, mu = 2 * n_, lambda = mu + m_, size = lambda + m_;
  const auto entries = used_entries(system, rows);
  const auto coupled = couplings(system);
  std::vector<std::set<int>> columns(z(size));
  for (int i = 0; i < n_; ++i) {
    columns[z(i)].insert(i), columns[z(v + i)].insert(i);
    for (const int j : coupled[z(i)]) columns[z(i)].insert(v + j), columns[z(v + i)].insert(v + j);
  }
  // the equations of velocities are the rows `mu`, those of positions the rows `lambda`
  for (const auto& [r, c] : entries) {
    if (r < 0) continue;
    columns[z(c)].insert({mu + r, lambda + r});
    columns[z(v + c)].insert(mu + r);
    columns[z(mu + r)].insert(c);
    columns[z(lambda + r)].insert(v + c);
  }
  std::vector<std::pair<int, int>> by_multiplier;  // friction of a joint, by what the joint carries
  for (const int s : system.rubbing()) {
    const Constraint& joint = system.constraints()[z(system.signals()[z(s)].reaction)];
    for (int r = 0; r < m_; ++r) {
      if (rows[z(r)] < joint.first_row || rows[z(r)] >= joint.first_row + joint.rows) continue;
      for (const int body : joint.bodies)
        for (int c = 0; body > 0 && c < 3; ++c) by_multiplier.emplace_back(v + 3 * (body - 1) + c, lambda + r);
    }
  }
  for (const auto& [row, column] : by_multiplier) columns[z(column)].insert(row);
  pattern_ = pattern_of(size, columns);
  for (const auto& [row, column] : by_multiplier) friction_.push_back(place(row, column));
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto [r, c] = entries[e];
    if (r < 0) continue;
    jacobian_.push_back({static_cast<int>(e), place(lambda + r, c), place(mu + r, v + c), place(mu + r, c), place(c, mu + r),
                         place(v + c, lambda + r)});
  }

  rates_.assign(z(pattern_.entries()), 0), mass_ = fixed_ = values_ = rates_;
  for (int i = 0; i < n_; ++i) {
    mass_[z(place(i, i))] = 1;
    mass_[z(place(v + i, v + i))] = system.mass()[z(i)];
  }
  weights_.assign(z(size), 1);
  real_ = SparseLu(pattern_);
  expand();
}

// Each entry becomes a block of two by two; only those with a mass have entries beside the diagonal.
void StepMatrices::expand() {
  SparsePattern p{2 * pattern_.rows, 2 * pattern_.columns, {0}, {}};
  complex_places_.assign(z(pattern_.entries()), {-1, -1, -1, -1});
  for (int c = 0; c < pattern_.columns; ++c)
    for (const int part : {0, 1}) {
      for (int e = pattern_.start[z(c)]; e < pattern_.start[z(c) + 1]; ++e)
        for (const int row_part : {0, 1}) {
          if (row_part != part && mass_[z(e)] == 0) continue;
          complex_places_[z(e)][row_part == part ? z(part) : z(2 + part)] = p.entries();
          p.row.push_back(2 * pattern_.row[z(e)] + row_part);
        }
      p.start.push_back(p.entries());
    }
  complex_values_.assign(z(p.entries()), 0);
  complex_weights_.assign(z(p.rows), 1);
  complex_right_ = complex_x_ = complex_weights_;
  complex_ = SparseLu(std::move(p));
}

int StepMatrices::place(int row, int column) const {
  const auto begin = pattern_.row.begin() + pattern_.start[z(column)];
  const auto end = pattern_.row.begin() + pattern_.start[z(column) + 1];
  const auto at = std::lower_bound(begin, end, row);
  JOUNCE_REQUIRE(at != end && *at == row, "the pattern has every entry that is ever set");
  return static_cast<int>(at - pattern_.row.begin());
}

void StepMatrices::add(std::span<const Triplet> triplets, int first_column, double sign) {
  for (const Triplet& t : triplets) rates_[z(place(n_ + t.row, first_column + t.column))] += sign * t.value;
}

void StepMatrices::set(std::span<const double> phi_q, std::span<const double> velocity_q, const Linearisation& linearisation) {
  std::ranges::fill(rates_, 0.0);
  for (int i = 0; i < n_; ++i) rates_[z(place(i, n_ + i))] = -1;
  add(linearisation.dQ_dq(), 0, -1);
  add(linearisation.dQ_dv(), n_, -1);
  add(linearisation.d_constraint_force(), 0, 1);
  for (const int at : friction_) fixed_[z(at)] = 0;
  for (const JacobianPlaces& at : jacobian_) {
    for (const int to : {at.position, at.velocity, at.mu, at.lambda}) fixed_[z(to)] = phi_q[z(at.source)];
    fixed_[z(at.velocity_q)] = velocity_q[z(at.source)];
  }
}

void StepMatrices::add_friction(std::span<const Triplet> by_multiplier) {
  for (const Triplet& t : by_multiplier) fixed_[z(place(n_ + t.row, 2 * n_ + m_ + t.column))] -= t.value;
}

// Rows are compared by their entries for q and v: those for multipliers have units of their own.
void StepMatrices::weigh(double h, double shift) {
  std::ranges::fill(weights_, 0.0);
  for (int e = 0; e < pattern_.start[z(2 * n_)]; ++e) {
    double& largest = weights_[z(pattern_.row[z(e)])];
    largest = std::max(largest, std::abs(h * rates_[z(e)] + shift * mass_[z(e)] + fixed_[z(e)]));
  }
  for (std::size_t r = 0; r < weights_.size(); ++r) {
    weights_[r] = weights_[r] > 0 ? 1 / weights_[r] : 1;
    complex_weights_[2 * r] = complex_weights_[2 * r + 1] = weights_[r];
  }
  real_.set_weights(weights_);
  complex_.set_weights(complex_weights_);
}

bool StepMatrices::factor(double h, const StiffForm::Shifts& shifts) {
  weigh(h, shifts.real);
  for (std::size_t e = 0; e < values_.size(); ++e) {
    const double rest = h * rates_[e] + fixed_[e];
    values_[e] = rest + shifts.real * mass_[e];
    const auto& at = complex_places_[e];
    complex_values_[z(at[0])] = complex_values_[z(at[1])] = rest + shifts.complex_real * mass_[e];
    if (at[2] < 0) continue;
    complex_values_[z(at[2])] = shifts.complex_imaginary * mass_[e];   // real column, imaginary row
    complex_values_[z(at[3])] = -shifts.complex_imaginary * mass_[e];
  }
  real_.update(values_);
  complex_.update(complex_values_);
  return real_.full_column_rank() && complex_.full_column_rank();
}

void StepMatrices::solve(const StiffForm::Stages& right, StiffForm::Stages& x) {
  const std::size_t size = x[0].size();
  for (std::size_t i = 0; i < size; ++i) complex_right_[2 * i] = right[1][i], complex_right_[2 * i + 1] = right[2][i];
  real_.solve(right[0], x[0]);
  complex_.solve(complex_right_, complex_x_);
  for (std::size_t i = 0; i < size; ++i) x[1][i] = complex_x_[2 * i], x[2][i] = complex_x_[2 * i + 1];
}

void ForceDerivatives::take(const Linearisation& linearisation) {
  by_q_.assign(linearisation.dQ_dq().begin(), linearisation.dQ_dq().end());
  by_v_.assign(linearisation.dQ_dv().begin(), linearisation.dQ_dv().end());
}

void ForceDerivatives::add(double factor, std::span<const double> qv, std::span<double> to) const {
  const std::size_t n = qv.size() / 2;
  for (const Triplet& t : by_q_) to[z(t.row)] += factor * t.value * qv[z(t.column)];
  for (const Triplet& t : by_v_) to[z(t.row)] += factor * t.value * qv[n + z(t.column)];
}

}  // namespace jounce::stiff
