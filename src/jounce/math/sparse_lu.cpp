#include "jounce/math/sparse_lu.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "jounce/base/index.hpp"
#include "jounce/base/require.hpp"

namespace jounce {
namespace {

/// With more spare rows than this, pivot rows are not exchanged: the search costs a solve for each.
constexpr int kMostSpareRows = 64;

// A column order that keeps the factors sparse whatever rows are chosen as pivots.
std::vector<int> sparse_column_order(const SparsePattern& p) {
  std::vector<int> order(z(p.columns));
  std::iota(order.begin(), order.end(), 0);
  if (p.columns < 2 || p.entries() == 0) return order;
  std::vector<double> ones(p.row.size(), 1.0);
  const Eigen::Map<const Eigen::SparseMatrix<double>> a(p.rows, p.columns, p.entries(), p.start.data(), p.row.data(), ones.data());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::COLAMDOrdering<int>{}(Eigen::SparseMatrix<double>(a), permutation);
  for (int column = 0; column < p.columns; ++column) order[z(permutation.indices()[column])] = column;
  return order;
}

int parity_of(std::vector<int> permutation) {
  int parity = 1;
  for (std::size_t i = 0; i < permutation.size(); ++i)
    while (permutation[i] != static_cast<int>(i)) {
      std::swap(permutation[i], permutation[z(permutation[i])]);
      parity = -parity;
    }
  return parity;
}

}  // namespace

SparseLu::SparseLu(SparsePattern pattern) : pattern_(std::move(pattern)), weight_(z(pattern_.rows), 1.0), row_count_(z(pattern_.rows), 0) {
  for (const int r : pattern_.row) ++row_count_[z(r)];
  column_order_ = sparse_column_order(pattern_);
  barred_.assign(z(pattern_.rows), 0);
  if (pattern_.rows > pattern_.columns) {  // exchanges need the matrix by rows
    row_start_.assign(z(pattern_.rows) + 1, 0);
    for (const int r : pattern_.row) ++row_start_[z(r) + 1];
    std::partial_sum(row_start_.begin(), row_start_.end(), row_start_.begin());
    row_entry_.resize(pattern_.row.size()), row_column_.resize(pattern_.row.size());
    std::vector<int> next(row_start_.begin(), row_start_.end() - 1);
    for (int c = 0; c < pattern_.columns; ++c)
      for (int p = pattern_.start[z(c)]; p < pattern_.start[z(c) + 1]; ++p) {
        const int at = next[z(pattern_.row[z(p)])]++;
        row_entry_[z(at)] = p, row_column_[z(at)] = c;
      }
    row_values_.resize(z(pattern_.columns)), shares_.resize(z(pattern_.rows));
  }
  work_.assign(z(pattern_.rows), 0.0);
  right_.assign(z(pattern_.rows), 0.0);
}

void SparseLu::set_weights(std::span<const double> weights) {
  JOUNCE_REQUIRE(weights.size() == weight_.size(), "one weight per row");
  weight_.assign(weights.begin(), weights.end());
  for (std::size_t k = 0; k < row_order_.size(); ++k) step_weight_[k] = weight_[z(row_order_[k])];
}

void SparseLu::factor(std::span<const double> values) {
  const int m = pattern_.rows, n = pattern_.columns;
  ++pivoting_;
  rank_ = 0;
  free_columns_.clear();
  step_column_.clear();
  l_row_.clear(), l_value_.clear(), u_row_.clear(), u_value_.clear(), diagonal_.clear();
  l_start_.assign(1, 0), u_start_.assign(1, 0);

  std::vector<int> step_of(z(m), -1);  // original row → elimination step
  std::vector<double>& x = work_;
  std::fill(x.begin(), x.end(), 0.0);
  std::vector<int> mark(z(m), -1), stack, place, order, reached;
  std::vector<int> pivot_row;  // step → original row

  for (int position = 0; position < n; ++position) {
    const int column = column_order_[z(position)];

    // 1. Which rows this column reaches through the steps so far, in an order in which they can be eliminated.
    order.clear(), reached.clear();
    double largest_entry = 0;
    for (int p = pattern_.start[z(column)]; p < pattern_.start[z(column) + 1]; ++p) {
      const int first = pattern_.row[z(p)];
      x[z(first)] = values[z(p)];
      largest_entry = std::max(largest_entry, std::abs(values[z(p)]) * weight_[z(first)]);
      if (mark[z(first)] == position) continue;
      stack.assign(1, first), place.assign(1, 0);
      mark[z(first)] = position;
      while (!stack.empty()) {
        const int r = stack.back();
        const int step = step_of[z(r)];
        bool descended = false;
        if (step >= 0) {
          for (int e = l_start_[z(step)] + place.back(); e < l_start_[z(step) + 1]; ++e) {
            const int next = l_row_[z(e)];
            if (mark[z(next)] == position) continue;
            mark[z(next)] = position;
            place.back() = e - l_start_[z(step)] + 1;
            stack.push_back(next), place.push_back(0);
            descended = true;
            break;
          }
        }
        if (descended) continue;
        (step >= 0 ? order : reached).push_back(r);
        stack.pop_back(), place.pop_back();
      }
    }

    // 2. Eliminate.
    std::ranges::sort(order, {}, [&](int r) { return step_of[z(r)]; });  // ascending steps: a valid order, and fixed for refactor
    for (const int r : order) {
      const int step = step_of[z(r)];
      const double u = x[z(r)];
      u_row_.push_back(step), u_value_.push_back(u);
      x[z(r)] = 0;
      for (int e = l_start_[z(step)]; e < l_start_[z(step) + 1]; ++e) x[z(l_row_[z(e)])] -= l_value_[z(e)] * u;
    }

    // 3. The pivot: large, and in a row with few entries; the lowest row number decides ties, so the choice is reproducible.
    double largest = 0;
    for (const int r : reached)
      if (!barred_[z(r)]) largest = std::max(largest, std::abs(x[z(r)]) * weight_[z(r)]);
    if (!(largest > kRankTolerance * largest_entry)) {
      for (const int r : reached) x[z(r)] = 0;
      u_row_.resize(z(u_start_.back())), u_value_.resize(z(u_start_.back()));
      free_columns_.push_back(column);
      continue;
    }
    int pivot = -1;
    for (const int r : reached) {
      if (barred_[z(r)] || std::abs(x[z(r)]) * weight_[z(r)] < kPivotThreshold * largest) continue;
      if (pivot < 0 || row_count_[z(r)] < row_count_[z(pivot)] || (row_count_[z(r)] == row_count_[z(pivot)] && r < pivot)) pivot = r;
    }
    const double diagonal = x[z(pivot)];
    step_of[z(pivot)] = rank_++;
    pivot_row.push_back(pivot);
    step_column_.push_back(column);
    diagonal_.push_back(diagonal);
    u_start_.push_back(static_cast<int>(u_row_.size()));
    std::ranges::sort(reached);
    for (const int r : reached) {
      if (r != pivot) l_row_.push_back(r), l_value_.push_back(x[z(r)] / diagonal);
      x[z(r)] = 0;
    }
    l_start_.push_back(static_cast<int>(l_row_.size()));
  }

  // Renumber rows by elimination step, the spare ones behind.
  row_order_ = pivot_row;
  for (int r = 0; r < m; ++r)
    if (step_of[z(r)] < 0) step_of[z(r)] = static_cast<int>(row_order_.size()), row_order_.push_back(r);
  for (int& r : l_row_) r = step_of[z(r)];
  a_row_.resize(pattern_.row.size());
  for (std::size_t p = 0; p < pattern_.row.size(); ++p) a_row_[p] = step_of[z(pattern_.row[p])];
  step_weight_.resize(z(m));
  for (int k = 0; k < m; ++k) step_weight_[z(k)] = weight_[z(row_order_[z(k)])];
  parity_ = m == n && rank_ == n ? parity_of(row_order_) * parity_of(step_column_) : 1;
}

bool SparseLu::refactor(std::span<const double> values) {
  if (pivoting_ == 0 || rank_ < pattern_.columns) return false;
  double* const x = work_.data();
  for (int k = 0; k < rank_; ++k) {
    const int column = step_column_[z(k)];
    double largest_entry = 0;
    for (int p = pattern_.start[z(column)]; p < pattern_.start[z(column) + 1]; ++p) {
      const int r = a_row_[z(p)];
      x[r] = values[z(p)];
      largest_entry = std::max(largest_entry, std::abs(values[z(p)]) * step_weight_[z(r)]);
    }
    for (int e = u_start_[z(k)]; e < u_start_[z(k) + 1]; ++e) {
      const int step = u_row_[z(e)];
      const double u = x[step];
      u_value_[z(e)] = u;
      x[step] = 0;
      for (int l = l_start_[z(step)]; l < l_start_[z(step) + 1]; ++l) x[l_row_[z(l)]] -= l_value_[z(l)] * u;
    }
    const double diagonal = x[k];
    const double size = std::abs(diagonal) * step_weight_[z(k)];
    x[k] = 0;
    double largest = size;
    for (int e = l_start_[z(k)]; e < l_start_[z(k) + 1]; ++e) {
      const int r = l_row_[z(e)];
      if (r < rank_) largest = std::max(largest, std::abs(x[r]) * step_weight_[z(r)]);  // spare rows have their test in `update`
    }
    if (!(size >= kRefactorThreshold * largest) || !(size > kRankTolerance * largest_entry)) {
      std::fill(work_.begin(), work_.end(), 0.0);
      return false;
    }
    diagonal_[z(k)] = diagonal;
    for (int e = l_start_[z(k)]; e < l_start_[z(k) + 1]; ++e) {
      const int r = l_row_[z(e)];
      l_value_[z(e)] = x[r] / diagonal;
      x[r] = 0;
    }
  }
  return true;
}

void SparseLu::update(std::span<const double> values) {
  if (!refactor(values)) factor(values);
  const int spare = pattern_.rows - rank_;
  if (spare == 0 || spare > kMostSpareRows || !full_column_rank()) return;
  for (int exchanges = 0; exchanges < 2 * spare + 8; ++exchanges) {
    const Exchange e = worthwhile_exchange(values);
    if (e.spare < 0) return;
    const int enters = row_order_[z(e.spare)], leaves = row_order_[z(e.step)];
    std::ranges::fill(barred_, char{1});
    for (const int r : pivot_rows()) barred_[z(r)] = 0;
    barred_[z(enters)] = 0, barred_[z(leaves)] = 1;
    factor(values);
    std::ranges::fill(barred_, char{0});
    if (!full_column_rank()) return factor(values);
  }
}

// A spare row is a combination of the pivot rows. Where it takes more than kExchange of one of them, the exchange multiplies the
// determinant by that much; when no such row is left, the pivot rows are within a modest factor of the best choice.
SparseLu::Exchange SparseLu::worthwhile_exchange(std::span<const double> values) {
  Exchange best;
  double most = kExchange;
  for (std::size_t k = z(rank_); k < row_order_.size(); ++k) {
    const int r = row_order_[k];
    std::ranges::fill(row_values_, 0.0);
    for (int e = row_start_[z(r)]; e < row_start_[z(r) + 1]; ++e) row_values_[z(row_column_[z(e)])] = values[z(row_entry_[z(e)])];
    solve_transposed(row_values_, shares_);
    for (int step = 0; step < rank_; ++step) {
      const double share = std::abs(shares_[z(row_order_[z(step)])]) * weight_[z(r)] / step_weight_[z(step)];
      if (share > most) most = share, best = {static_cast<int>(k), step};
    }
  }
  return best;
}

void SparseLu::solve(std::span<const double> b, std::span<double> x) {
  JOUNCE_REQUIRE(full_column_rank(), "solve needs full column rank");
  double* const y = right_.data();
  for (std::size_t k = 0; k < row_order_.size(); ++k) y[k] = b[z(row_order_[k])];
  for (int k = 0; k < rank_; ++k) {
    const double yk = y[k];
    for (int e = l_start_[z(k)]; e < l_start_[z(k) + 1]; ++e) y[l_row_[z(e)]] -= l_value_[z(e)] * yk;
  }
  for (int k = rank_ - 1; k >= 0; --k) {
    const double xk = y[k] / diagonal_[z(k)];
    for (int e = u_start_[z(k)]; e < u_start_[z(k) + 1]; ++e) y[u_row_[z(e)]] -= u_value_[z(e)] * xk;
    x[z(step_column_[z(k)])] = xk;
  }
  misfit_ = 0;
  for (std::size_t k = z(rank_); k < row_order_.size(); ++k) misfit_ = std::max(misfit_, std::abs(y[k]) * step_weight_[k]);
}

void SparseLu::solve_transposed(std::span<const double> c, std::span<double> y) {
  JOUNCE_REQUIRE(full_column_rank(), "solve_transposed needs full column rank");
  double* const w = right_.data();
  for (int k = 0; k < rank_; ++k) {  // Uᵀ w = c
    double sum = c[z(step_column_[z(k)])];
    for (int e = u_start_[z(k)]; e < u_start_[z(k) + 1]; ++e) sum -= u_value_[z(e)] * w[u_row_[z(e)]];
    w[k] = sum / diagonal_[z(k)];
  }
  std::fill(y.begin(), y.end(), 0.0);
  for (int k = rank_ - 1; k >= 0; --k) {  // Lᵀ y = w, the spare rows held at 0
    double sum = w[k];
    for (int e = l_start_[z(k)]; e < l_start_[z(k) + 1]; ++e)
      if (l_row_[z(e)] < rank_) sum -= l_value_[z(e)] * w[l_row_[z(e)]];
    w[k] = sum;
    y[z(row_order_[z(k)])] = sum;
  }
}

double SparseLu::smallest_stretch(std::span<const double> units, std::span<double> direction, int iterations) {
  if (!full_column_rank()) return 0;
  stretched_.resize(z(pattern_.rows));
  double stretch = 0;
  for (int i = 0; i < iterations; ++i) {
    double size = 0;
    for (const double x : direction) size += x * x;
    size = std::sqrt(size);
    // (W A U)⁻ᵀ, then (W A U)⁻¹: the part along the smallest singular value grows by its inverse square
    for (std::size_t c = 0; c < direction.size(); ++c) direction[c] /= size * units[c];
    solve_transposed(direction, stretched_);
    for (std::size_t r = 0; r < stretched_.size(); ++r) stretched_[r] /= weight_[r] * weight_[r];
    solve(stretched_, direction);
    size = 0;
    for (std::size_t c = 0; c < direction.size(); ++c) {
      direction[c] /= units[c];
      size += direction[c] * direction[c];
    }
    stretch = 1 / std::sqrt(std::sqrt(size));
  }
  return std::isfinite(stretch) ? stretch : 0;
}

SparseLu::Determinant SparseLu::determinant() const {
  if (!full_column_rank()) return {};
  Determinant d{static_cast<double>(parity_), 0};
  int since = 0;
  for (const double pivot : diagonal_) {
    d.mantissa *= pivot;
    if (++since < 8) continue;  // eight pivots of reasonable size cannot overflow
    since = 0;
    int exponent = 0;
    d.mantissa = std::frexp(d.mantissa, &exponent);
    d.exponent += exponent;
  }
  int exponent = 0;
  d.mantissa = std::frexp(d.mantissa, &exponent);
  d.exponent += exponent;
  return d;
}

}  // namespace jounce
