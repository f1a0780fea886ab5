#include "jounce/analysis/compare/compare_arithmetic.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "jounce/base/index.hpp"
#include "jounce/math/dense.hpp"
#include "jounce/math/dependent_columns.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/scalar/scalar.hpp"

namespace jounce {
namespace {

/// Roundings that come together: a result is a sum of many products, each rounded.
constexpr double kRoundings = 256;
/// No formulation is better than this, however well conditioned its equations are.
constexpr double kBest = 1e-12;
/// And numbers that differ by more than this do not agree, whatever explains it.
constexpr double kMost = 1e-3;
/// Up to here all eigenvalues are found, which takes the cube of it.
constexpr int kDense = 400;
constexpr int kIterations = 40, kScalings = 8;

/// What one formulation says, ready to be compared.
struct Said {
  Formulation formulation;
  std::span<const double> values;
};

Comparison::Apart farthest(std::span<const Said> all, std::span<const std::string> columns, std::span<const double> weights,
                           double floor) {
  Comparison::Apart out;
  double scale = floor, most = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Said *low = nullptr, *high = nullptr;
    for (const Said& said : all) {
      const double value = said.values[c];
      if (!std::isfinite(value))
        return {std::numeric_limits<double>::infinity(), columns[c], all.front().formulation, said.formulation};
      if (!low || value < low->values[c]) low = &said;
      if (!high || value > high->values[c]) high = &said;
      scale = std::max(scale, std::abs(value) * weights[c]);
    }
    if (!low) continue;
    const double difference = (high->values[c] - low->values[c]) * weights[c];
    if (difference > most) most = difference, out = {0, columns[c], low->formulation, high->formulation};
  }
  if (most > 0) out.relative = most / scale;
  out.scale = scale;
  return out;
}

/// A symmetric matrix by its columns, both halves.
struct Symmetric {
  SparsePattern pattern;
  std::vector<double> values;

  [[nodiscard]] int size() const { return pattern.columns; }
  template <class F>
  void each(F&& f) {
    for (int c = 0; c < pattern.columns; ++c)
      for (int e = pattern.start[z(c)]; e < pattern.start[z(c) + 1]; ++e) f(pattern.row[z(e)], c, values[z(e)]);
  }
};

/// Which rows of K are independent: numbered, and −1 for the others.
std::vector<int> independent(const SparsePattern& k, std::span<const double> jacobian) {
  std::vector<std::vector<int>> entries(z(k.rows)), columns(z(k.rows));
  for (int c = 0; c < k.columns; ++c)
    for (int e = k.start[z(c)]; e < k.start[z(c) + 1]; ++e) {
      entries[z(k.row[z(e)])].push_back(e);
      columns[z(k.row[z(e)])].push_back(c);
    }
  SparsePattern transposed{k.columns, k.rows, {0}, {}};
  std::vector<double> values;
  for (std::size_t r = 0; r < entries.size(); ++r) {
    transposed.row.insert(transposed.row.end(), columns[r].begin(), columns[r].end());
    for (const int e : entries[r]) values.push_back(jacobian[z(e)]);
    transposed.start.push_back(transposed.entries());
  }
  std::vector<int> number(z(k.rows));
  for (const int r : dependent_columns(transposed, values)) number[z(r)] = -1;
  int next = 0;
  for (int& n : number)
    if (n == 0) n = next++;
  return number;
}

Symmetric saddle(const SparsePattern& k, std::span<const double> jacobian, std::span<const double> mass) {
  const std::vector<int> number = independent(k, jacobian);
  const int n = k.columns, rows = number.empty() ? 0 : *std::ranges::max_element(number) + 1;
  std::vector<std::vector<int>> column(z(n + rows));
  std::vector<std::vector<double>> value(column.size());
  for (int c = 0; c < n; ++c) {
    column[z(c)].push_back(c), value[z(c)].push_back(mass[z(c)]);
    for (int e = k.start[z(c)]; e < k.start[z(c) + 1]; ++e) {
      const int r = number[z(k.row[z(e)])];
      if (r < 0) continue;
      column[z(c)].push_back(n + r), value[z(c)].push_back(jacobian[z(e)]);
      column[z(n + r)].push_back(c), value[z(n + r)].push_back(jacobian[z(e)]);
    }
  }
  Symmetric out{{n + rows, n + rows, {0}, {}}, {}};
  for (std::size_t c = 0; c < column.size(); ++c) {
    out.pattern.row.insert(out.pattern.row.end(), column[c].begin(), column[c].end());
    out.values.insert(out.values.end(), value[c].begin(), value[c].end());
    out.pattern.start.push_back(out.pattern.entries());
  }
  return out;
}

/// Rows and columns by the same factors, until the largest entry of each is about 1.
void scale(Symmetric& a) {
  std::vector<double> largest(z(a.size()));
  for (int i = 0; i < kScalings; ++i) {
    std::ranges::fill(largest, 0.0);
    a.each([&](int r, int, double x) { largest[z(r)] = std::max(largest[z(r)], std::abs(x)); });
    for (double& x : largest) x = x > 0 ? 1 / std::sqrt(x) : 1.0;
    a.each([&](int r, int c, double& x) { x *= largest[z(r)] * largest[z(c)]; });
  }
}

double dense_condition(const Matrix& a) {
  if (a.rows == 0) return 1;
  if (!all_finite(a.value)) return std::numeric_limits<double>::infinity();
  std::vector<double> size = symmetric_eigenvalues(a);
  for (double& x : size) x = std::abs(x);
  return std::ranges::max(size) / std::ranges::min(size);
}

/// The length to which f brings a vector of length 1 in the end.
template <class F>
double growth(int n, F&& f) {
  std::vector<double> x, y(z(n));
  for (int i = 0; i < n; ++i) x.push_back(sincos(1.0 + 2.3 * i).sin);  // anything that is at right angles to nothing
  double size = norm(x);
  for (double& own : x) own /= size;
  for (int i = 0; i < kIterations; ++i) {
    f(x, y);
    size = norm(y);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = y[k] / size;
  }
  return size;
}

double sparse_condition(Symmetric& a) {
  SparseLu lu(a.pattern);
  lu.factor(a.values);
  if (!lu.full_column_rank()) return std::numeric_limits<double>::infinity();
  const double large = growth(a.size(), [&](std::span<const double> x, std::span<double> y) {
    std::ranges::fill(y, 0.0);
    a.each([&](int r, int c, double value) { y[z(r)] += value * x[z(c)]; });
  });
  const double small = growth(a.size(), [&](std::span<const double> x, std::span<double> y) { lu.solve(x, y); });
  return large * small;
}

}  // namespace

Comparison::Apart farthest_apart(std::span<const ComparedFormulation> formulations,
                                 std::vector<double> ComparedFormulation::*values, std::span<const std::string> columns,
                                 std::span<const double> weights, double floor) {
  std::vector<Said> all;
  for (const ComparedFormulation& f : formulations)
    if (f.applies()) all.push_back({f.formulation, f.*values});
  return farthest(all, columns, weights, floor);
}

Comparison::Apart energies_apart(std::span<const ComparedFormulation> formulations, double floor) {
  const std::array<std::string, 2> columns{"energy.kinetic", "energy.potential"};
  const std::array<double, 2> weights{1, 1};
  std::vector<std::array<double, 2>> values;
  values.reserve(formulations.size());
  std::vector<Said> all;
  for (const ComparedFormulation& f : formulations) {
    if (!f.applies()) continue;
    values.push_back({f.kinetic, f.potential});
    all.push_back({f.formulation, values.back()});
  }
  return farthest(all, columns, weights, floor);
}

double saddle_condition(const SparsePattern& pattern, std::span<const double> jacobian, std::span<const double> mass) {
  Symmetric a = saddle(pattern, jacobian, mass);
  scale(a);
  if (a.size() > kDense) return sparse_condition(a);
  Matrix dense(a.size(), a.size());
  a.each([&](int r, int c, double value) { dense.at(r, c) = value; });
  return dense_condition(dense);
}

double mass_condition(const SparsePattern& pattern, std::span<const double> jacobian, std::span<const double> mass,
                      std::span<const double> alike) {
  const std::vector<int> number = independent(pattern, jacobian);
  const int rows = number.empty() ? 0 : *std::ranges::max_element(number) + 1;
  if (rows == 0 || rows > kDense || std::ranges::any_of(mass, [](double m) { return !(m > 0); })) return 1;
  const auto schur = [&](std::span<const double> by) {
    Matrix k(pattern.columns, rows);  // one column for each equation, of length 1
    for (int c = 0; c < pattern.columns; ++c)
      for (int e = pattern.start[z(c)]; e < pattern.start[z(c) + 1]; ++e)
        if (const int r = number[z(pattern.row[z(e)])]; r >= 0) k.at(c, r) = jacobian[z(e)] / std::sqrt(by[z(c)]);
    for (int r = 0; r < rows; ++r) {
      const double size = norm(k.column(r));
      for (int c = 0; size > 0 && c < k.rows; ++c) k.at(c, r) /= size;
    }
    return dense_condition(gram(k));
  };
  return std::max(1.0, schur(mass) / std::sqrt(schur(alike)));
}

double symmetric_condition(std::span<const double> matrix, int n) {
  Matrix a(n, n);
  std::ranges::copy(matrix.first(a.value.size()), a.value.begin());
  std::vector<double> scale(z(n));
  for (int i = 0; i < n; ++i) scale[z(i)] = 1 / std::sqrt(a.at(i, i));
  for (int c = 0; c < n; ++c)
    for (int r = 0; r < n; ++r) a.at(r, c) = scale[z(r)] * a.at(r, c) * scale[z(c)];
  return dense_condition(a);
}

double allowed_by(double condition) {
  const double explained = kRoundings * std::numeric_limits<double>::epsilon() * condition;
  return std::clamp(explained, kBest, kMost);
}

double fastest(const std::function<void()>& call) {
  using Clock = std::chrono::steady_clock;
  constexpr double kLong = 2e-3;  // altogether
  constexpr int kMostCalls = 1000;
  double best = std::numeric_limits<double>::infinity(), spent = 0;
  for (int i = 0; i < kMostCalls && spent < kLong; ++i) {
    const auto start = Clock::now();
    call();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}

void measure_from_first(Comparison& comparison, std::span<const double> acceleration_weights, std::span<const double> reaction_weights) {
  const auto first = std::ranges::find_if(comparison.formulations, &ComparedFormulation::applies);
  const auto farthest_from = [](std::span<const double> a, std::span<const double> b, std::span<const double> weights, double scale) {
    double most = 0;
    for (std::size_t c = 0; c < a.size(); ++c) most = std::max(most, std::abs(a[c] - b[c]) * weights[c]);
    return most > 0 ? most / scale : 0.0;
  };
  for (ComparedFormulation& f : comparison.formulations) {
    if (!f.applies()) continue;
    const double energy = std::max(std::abs(f.kinetic - first->kinetic), std::abs(f.potential - first->potential));
    f.apart = std::max({farthest_from(f.accelerations, first->accelerations, acceleration_weights, comparison.accelerations.scale),
                        farthest_from(f.reactions, first->reactions, reaction_weights, comparison.reactions.scale),
                        energy > 0 ? energy / comparison.energy.scale : 0.0});
  }
}

double Comparison::disagreement() const { return std::max({accelerations.relative, reactions.relative, energy.relative}); }

}  // namespace jounce
