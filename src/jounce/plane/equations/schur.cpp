#include "jounce/plane/equations/schur.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "jounce/base/index.hpp"
#include "jounce/plane/equations/batch.hpp"

namespace jounce {
namespace {

using Pair = double __attribute__((vector_size(16)));

Pair load_pair(const double* p) { return *reinterpret_cast<const Pair*>(p); }
void store_pair(double* p, Pair v) { *reinterpret_cast<Pair*>(p) = v; }

#if defined(__AVX__)
/// (p0, p1, p0, p1)
Lanes twice(const double* p) { return {__builtin_shufflevector(load_pair(p), load_pair(p), 0, 1, 0, 1)}; }
/// (p0, p0, p1, p1)
Lanes each_twice(const double* p) { return {__builtin_shufflevector(load_pair(p), load_pair(p), 0, 0, 1, 1)}; }
/// (p0, p0, p2, p2) and (p1, p1, p3, p3)
Lanes evens_twice(const Lanes& p) { return {__builtin_shufflevector(p.v, p.v, 0, 0, 2, 2)}; }
Lanes odds_twice(const Lanes& p) { return {__builtin_shufflevector(p.v, p.v, 1, 1, 3, 3)}; }
/// (p0, p2, p0, p2) and (p1, p3, p1, p3)
Lanes evens_again(const Lanes& p) { return {__builtin_shufflevector(p.v, p.v, 0, 2, 0, 2)}; }
Lanes odds_again(const Lanes& p) { return {__builtin_shufflevector(p.v, p.v, 1, 3, 1, 3)}; }
#else
Lanes twice(const double* p) { return Lanes::of(p[0], p[1], p[0], p[1]); }
Lanes each_twice(const double* p) { return Lanes::of(p[0], p[0], p[1], p[1]); }
Lanes evens_twice(const Lanes& p) { return Lanes::of(p[0], p[0], p[2], p[2]); }
Lanes odds_twice(const Lanes& p) { return Lanes::of(p[1], p[1], p[3], p[3]); }
Lanes evens_again(const Lanes& p) { return Lanes::of(p[0], p[2], p[0], p[2]); }
Lanes odds_again(const Lanes& p) { return Lanes::of(p[1], p[3], p[1], p[3]); }
#endif

const double* doubles(const Lanes& a) { return reinterpret_cast<const double*>(&a); }

}  // namespace

SchurComplement::SchurComplement(std::vector<SchurRow> rows, std::span<const double> inverse_mass, int places)
    : rows_(std::move(rows)), inverse_mass_(inverse_mass.begin(), inverse_mass.end()), places_(places) {
  int records = 0;
  for (const SchurRow& row : rows_) {
    real_rows_ += row.place[1] < 0 ? 1 : 2;
    for (const auto& slot : row.slots) records = std::max(records, slot.record + 1);
  }
  record_body_.assign(z(records), 0);
  for (const SchurRow& row : rows_)
    for (const auto& slot : row.slots) record_body_[z(slot.record)] = slot.body;
  weighted_.assign(z(2 * records), Lanes::all(0));
  choose_order();
  list_blocks();
  work_.assign(2 * rows_.size() + 4, 0.0);
  dropped_.reserve(z(real_rows_));
  if (real_rows_ <= kSmall && places_ <= 12 * kLanes) {
    inverse_.assign(z((places_ + 1) * (places_ / kLanes) + 1), Lanes::all(0));
    columns_.assign(2 * rows_.size(), Lanes::all(0));
    for (const SchurRow& row : rows_)
      for (const int place : row.place) {
        row_place_.push_back(place);
        column_place_.push_back((place < 0 ? places_ : place) * places_);
      }
    column_place_.resize(column_place_.size() + 2, places_ * places_);
    // a second row that does not exist is written onto the place of the first, and then by it
    for (std::size_t i = 0; i < row_place_.size(); ++i)
      if (row_place_[i] < 0) row_place_[i] = row_place_[i - 1];
  }
}

// Minimum degree, but a row that hangs on many eliminations one after another waits: short chains can be worked on side by side.
void SchurComplement::choose_order() {
  const int n = static_cast<int>(rows_.size());
  std::vector<std::vector<int>> of_body(inverse_mass_.size() / 3);
  for (int i = 0; i < n; ++i)
    for (const auto& slot : rows_[z(i)].slots)
      if (slot.body > 0) of_body[z(slot.body)].push_back(i);
  std::vector<std::set<int>> near(z(n));
  for (const auto& list : of_body)
    for (const int a : list)
      for (const int b : list)
        if (a != b) near[z(a)].insert(b);

  std::vector<int> level(z(n), 0), order, position(z(n), -1);
  std::set<std::pair<int, int>> queue;
  const auto key = [&](int i) { return std::pair{static_cast<int>(near[z(i)].size()) + level[z(i)], i}; };
  for (int i = 0; i < n; ++i) queue.insert(key(i));
  std::vector<std::vector<int>> below(z(n));
  while (!queue.empty()) {
    const int i = queue.begin()->second;
    queue.erase(queue.begin());
    below[z(i)].assign(near[z(i)].begin(), near[z(i)].end());
    order.push_back(i);
    for (const int a : below[z(i)]) queue.erase(key(a));
    for (const int a : below[z(i)]) {
      near[z(a)].erase(i);
      level[z(a)] = std::max(level[z(a)], level[z(i)] + 1);
      for (const int b : below[z(i)])
        if (b != a) near[z(a)].insert(b);
    }
    for (const int a : below[z(i)]) queue.insert(key(a));
  }
  std::ranges::stable_sort(order, {}, [&](int i) { return level[z(i)]; });  // keeps every row before those that wait for it
  for (int p = 0; p < n; ++p) position[z(order[z(p)])] = p;

  std::vector<SchurRow> sorted;
  structure_.assign(z(n), {});
  for (int p = 0; p < n; ++p) {
    sorted.push_back(std::move(rows_[z(order[z(p)])]));
    for (const int a : below[z(order[z(p)])]) structure_[z(p)].push_back(position[z(a)]);
    std::ranges::sort(structure_[z(p)]);
  }
  rows_ = std::move(sorted);
}

void SchurComplement::list_blocks() {
  const int n = static_cast<int>(rows_.size());
  std::vector<std::vector<std::pair<int, int>>> left(z(n));  // of each row: (column, block)
  std::vector<int> slot_of(z(n), -1);                         // block of (row, column at hand)
  column_start_.assign(1, 0);
  for (int j = 0; j < n; ++j) {
    blocks_.push_back({j, j, 0, 0});
    for (const int i : structure_[z(j)]) blocks_.push_back({i, j, 0, 0});
    for (int b = column_start_.back(); b < static_cast<int>(blocks_.size()); ++b) {
      const int i = blocks_[z(b)].row;
      for (const auto& p : rows_[z(i)].slots)
        for (const auto& q : rows_[z(j)].slots)
          if (p.body == q.body && p.body > 0) contributions_.push_back({p.record, q.record, p.body});
      // both rows reach an earlier column
      auto at_j = left[z(j)].begin();
      for (const auto& [column, block] : left[z(i)]) {
        while (at_j != left[z(j)].end() && at_j->first < column) ++at_j;
        if (at_j != left[z(j)].end() && at_j->first == column) products_.push_back({block, at_j->second});
      }
      blocks_[z(b)].contributions = static_cast<int>(contributions_.size());
      blocks_[z(b)].products = static_cast<int>(products_.size());
    }
    for (int b = column_start_.back() + 1; b < static_cast<int>(blocks_.size()); ++b) left[z(blocks_[z(b)].row)].emplace_back(j, b);
    column_start_.push_back(static_cast<int>(blocks_.size()));
  }
  row_start_.assign(1, 0);
  for (const auto& row : left) {
    for (const auto& [column, block] : row) row_block_.push_back(block), row_column_.push_back(column);
    row_start_.push_back(static_cast<int>(row_block_.size()));
  }
  factor_.assign(blocks_.size(), Lanes::all(0));
  scaled_.assign(blocks_.size(), Lanes::all(0));
}

void SchurComplement::weigh(const PairRecord* jacobian) {
  for (std::size_t r = 0; r < record_body_.size(); ++r) {
    const double* w = inverse_mass_.data() + 3 * record_body_[r];
    weighted_[2 * r] = Lanes::load(jacobian[r].value) * Lanes::of(w[0], w[0], w[1], w[1]);
    weighted_[2 * r + 1] = Lanes::load(jacobian[r].value + 4) * Lanes::of(w[2], w[2], 0, 0);
  }
}

// The inverse of a pivot block [a b; b d], by its determinant: one division. A pivot that vanished leaves its row out.
[[gnu::always_inline]] inline bool SchurComplement::invert_pivot(const SchurRow& row, const Lanes& block, double diagonal_0,
                                                                 double diagonal_1, Lanes& inverse) {
  const double a = block[0], b = block[1], d = block[3], determinant = a * d - b * b;
  const bool pair = row.place[1] >= 0;
  // the second pivot is determinant / a; ratios are compared without dividing
  if (a > kRankTolerance * diagonal_0 && pair && determinant > kRankTolerance * diagonal_1 * a) [[likely]] {
    if (a * worst_diagonal_ < worst_pivot_ * diagonal_0) worst_pivot_ = a, worst_diagonal_ = diagonal_0;
    if (determinant * worst_diagonal_ < worst_pivot_ * diagonal_1 * a) worst_pivot_ = determinant, worst_diagonal_ = diagonal_1 * a;
    const double scale = 1 / determinant, off = -b * scale;
    inverse = Lanes::of(d * scale, off, off, a * scale);
    return true;
  }
  return invert_poor_pivot(row, block, diagonal_0, diagonal_1, inverse);
}

// The same for a single equation, and where a pivot vanishes.
bool SchurComplement::invert_poor_pivot(const SchurRow& row, const Lanes& block, double diagonal_0, double diagonal_1, Lanes& inverse) {
  const double a = block[0], b = block[1], d = block[3];
  if (!std::isfinite(a + b + d)) return smallest_pivot_ = std::numeric_limits<double>::quiet_NaN(), false;
  const auto keep = [&](double pivot, double diagonal, int place) {
    if (!(pivot > kRankTolerance * diagonal)) return dropped_.push_back(place), false;
    if (pivot * worst_diagonal_ < worst_pivot_ * diagonal) worst_pivot_ = pivot, worst_diagonal_ = diagonal;
    return true;
  };
  const double inverse_a = keep(a, diagonal_0, row.place[0]) ? 1 / a : 0;
  const double share = b * inverse_a, schur = d - b * share;
  const double inverse_d = row.place[1] >= 0 && keep(schur, diagonal_1, row.place[1]) ? 1 / schur : 0;
  const double off = -share * inverse_d;
  inverse = Lanes::of(inverse_a - off * share, off, off, inverse_d);
  return true;
}

void SchurComplement::factor(const PairRecord* jacobian, bool inverse) {
  weigh(jacobian);
  worst_pivot_ = worst_diagonal_ = 1;
  smallest_pivot_ = 1;
  dropped_.clear();
  has_inverse_ = false;
  if (redundant_) return factor_pivoted(jacobian, kPivotedTolerance);
  factor_in_order(jacobian);
  if (!begun_) {
    begun_ = true;
    const bool small = 2 * static_cast<int>(rows_.size()) <= kDense, doubtful = small && dropped_.empty() && smallest_pivot_ < kDoubtful;
    if (doubtful) factor_pivoted(jacobian, kSquareOfRounding);
    redundant_ = small && !dropped_.empty();
    if (redundant_ || doubtful) return factor(jacobian, inverse);
  }
  if (inverse && !inverse_.empty()) form_inverse();
}

// A block of S.
[[gnu::always_inline]] inline Lanes SchurComplement::product_sum(const Block& block, const Contribution*& from, const PairRecord* jacobian) const {
  Lanes sum = Lanes::all(0);
  for (const Contribution* end = contributions_.data() + block.contributions; from != end; ++from) {
    const double* l = doubles(weighted_[z(2 * from->left)]);
    const double* r = jacobian[from->right].value;
    sum = sum + each_twice(l) * twice(r) + each_twice(l + 2) * twice(r + 2) + each_twice(l + 4) * twice(r + 4);
  }
  return sum;
}

void SchurComplement::factor_in_order(const PairRecord* jacobian) {
  const Contribution* c = contributions_.data();
  const Product* p = products_.data();
  const int n = static_cast<int>(rows_.size());
  for (int j = 0; j < n; ++j) {
    Lanes left = Lanes::all(0), right = left;  // the columns of the inverse pivot
    for (int b = column_start_[z(j)]; b < column_start_[z(j) + 1]; ++b) {
      const Block& block = blocks_[z(b)];
      Lanes sum = product_sum(block, c, jacobian);
      const double diagonal_0 = sum[0], diagonal_1 = sum[3];
      for (const Product* end = products_.data() + block.products; p != end; ++p) {
        const Lanes u = scaled_[z(p->left)];
        const double* l = doubles(factor_[z(p->right)]);
        sum = sum - evens_twice(u) * twice(l) - odds_twice(u) * twice(l + 2);
      }
      if (block.row == j) {
        Lanes& inverse = factor_[z(b)];
        if (!invert_pivot(rows_[z(j)], sum, diagonal_0, diagonal_1, inverse)) return;
        left = Lanes::of(inverse[0], inverse[0], inverse[1], inverse[1]);
        right = Lanes::of(inverse[2], inverse[2], inverse[3], inverse[3]);
      } else {
        scaled_[z(b)] = sum;
        factor_[z(b)] = evens_again(sum) * left + odds_again(sum) * right;  // L = (L D) D⁻¹, stored by columns
      }
    }
  }
  smallest_pivot_ = worst_pivot_ / worst_diagonal_;
}

// ---- redundant equations ---------------------------------------------------------------------------------------------

// Cholesky factors with the largest pivot first, each measured by its own diagonal.
void SchurComplement::factor_pivoted(const PairRecord* jacobian, double tolerance) {
  const auto n = 2 * rows_.size();
  dense_.assign(n * n, 0.0);
  diagonal_.assign(n, 0.0);
  const Contribution* c = contributions_.data();
  for (const Block& block : blocks_) {
    const Lanes sum = product_sum(block, c, jacobian);
    for (std::size_t r = 0; r < 2; ++r)
      for (std::size_t s = 0; s < 2; ++s) {
        const std::size_t row = 2 * z(block.row) + r, column = 2 * z(block.column) + s;
        dense_[row * n + column] = dense_[column * n + row] = sum[static_cast<int>(2 * r + s)];
      }
  }
  pivots_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    diagonal_[i] = dense_[i * n + i];
    if (rows_[i / 2].place[i % 2] >= 0) pivots_.push_back(static_cast<int>(i));
    if (!std::isfinite(diagonal_[i])) smallest_pivot_ = std::numeric_limits<double>::quiet_NaN();
  }
  if (!std::isfinite(smallest_pivot_)) return;
  const auto at = [&](std::size_t a, std::size_t b) -> double& { return dense_[z(pivots_[a]) * n + z(pivots_[b])]; };
  const auto ratio = [&](std::size_t k) { return at(k, k) / diagonal_[z(pivots_[k])]; };
  for (rank_ = 0; z(rank_) < pivots_.size(); ++rank_) {
    const std::size_t k = z(rank_);
    std::size_t best = k;
    for (std::size_t i = k + 1; i < pivots_.size(); ++i)
      if (ratio(i) > ratio(best)) best = i;
    std::swap(pivots_[k], pivots_[best]);
    if (!(ratio(k) > tolerance)) break;
    smallest_pivot_ = std::min(smallest_pivot_, ratio(k));
    const double root = std::sqrt(at(k, k));
    at(k, k) = root;
    for (std::size_t i = k + 1; i < pivots_.size(); ++i) at(i, k) /= root;
    for (std::size_t j = k + 1; j < pivots_.size(); ++j)
      for (std::size_t i = j; i < pivots_.size(); ++i) at(i, j) -= at(i, k) * at(j, k), at(j, i) = at(i, j);
  }
  for (std::size_t k = z(rank_); k < pivots_.size(); ++k) dropped_.push_back(rows_[z(pivots_[k]) / 2].place[pivots_[k] % 2]);
}

void SchurComplement::solve_pivoted(const double* r, double* x) {
  const auto n = 2 * rows_.size(), rank = z(rank_);
  const auto at = [&](std::size_t a, std::size_t b) { return dense_[z(pivots_[a]) * n + z(pivots_[b])]; };
  const auto place = [&](std::size_t k) { return rows_[z(pivots_[k]) / 2].place[pivots_[k] % 2]; };
  double* const y = work_.data();
  for (std::size_t i = 0; i < rank; ++i) {
    y[i] = r[place(i)];
    for (std::size_t k = 0; k < i; ++k) y[i] -= at(i, k) * y[k];
    y[i] /= at(i, i);
  }
  for (std::size_t i = rank; i-- > 0;) {
    for (std::size_t k = i + 1; k < rank; ++k) y[i] -= at(k, i) * y[k];
    y[i] /= at(i, i);
  }
  std::fill(x, x + places_, 0.0);
  for (std::size_t i = 0; i < rank; ++i) x[place(i)] = y[i];
}

// ---- the fixed order ---------------------------------------------------------------------------------------------------

// Forward, diagonal, backward: work_ = S⁻¹ r, two for each block row.
void SchurComplement::substitute(const double* r) {
  const int n = static_cast<int>(rows_.size());
  double* const y = work_.data();
  const Lanes* const L = factor_.data();
  for (int i = 0; i < n; ++i) {
    const SchurRow& row = rows_[z(i)];
    Pair sum = {r[row.place[0]], row.place[1] < 0 ? 0.0 : r[row.place[1]]};
    for (int e = row_start_[z(i)]; e < row_start_[z(i) + 1]; ++e) {
      const double* l = doubles(L[row_block_[z(e)]]);
      const double* x = y + 2 * row_column_[z(e)];
      sum = sum - load_pair(l) * x[0] - load_pair(l + 2) * x[1];
    }
    store_pair(y + 2 * i, sum);
  }
  for (int j = n - 1; j >= 0; --j) {
    const int diagonal = column_start_[z(j)];
    const double* d = doubles(L[diagonal]);
    Pair sum = load_pair(d) * y[2 * j] + load_pair(d + 2) * y[2 * j + 1];
    for (int b = diagonal + 1; b < column_start_[z(j) + 1]; ++b) {
      const double* l = doubles(L[b]);
      const Pair x = load_pair(y + 2 * blocks_[z(b)].row);
      const Pair first = load_pair(l) * x, second = load_pair(l + 2) * x;
      sum = sum - Pair{first[0] + first[1], second[0] + second[1]};
    }
    store_pair(y + 2 * j, sum);
  }
}

// Four columns of S⁻¹ at a time, each lane one of them, from the diagonal down; what is above is the same by symmetry.
void SchurComplement::form_inverse() {
  const int n = static_cast<int>(rows_.size());
  Lanes* const y = columns_.data();
  const Lanes* const L = factor_.data();
  for (int first = 0; first < n; first += 2) {  // two block rows are four columns
    for (int i = first; i < n; ++i) {
      Lanes top = Lanes::all(0), bottom = Lanes::all(0);
      if (i == first) top[0] = 1, bottom[1] = 1;
      if (i == first + 1) top[2] = 1, bottom[3] = 1;
      for (int e = row_start_[z(i)]; e < row_start_[z(i) + 1]; ++e) {
        const int k = row_column_[z(e)];
        if (k < first) continue;
        const Lanes l = L[row_block_[z(e)]];
        top = top - Lanes::all(l[0]) * y[2 * k] - Lanes::all(l[2]) * y[2 * k + 1];
        bottom = bottom - Lanes::all(l[1]) * y[2 * k] - Lanes::all(l[3]) * y[2 * k + 1];
      }
      y[2 * i] = top, y[2 * i + 1] = bottom;
    }
    for (int j = n - 1; j >= first; --j) {
      const int diagonal = column_start_[z(j)];
      const Lanes d = L[diagonal];
      Lanes top = Lanes::all(d[0]) * y[2 * j] + Lanes::all(d[2]) * y[2 * j + 1];
      Lanes bottom = Lanes::all(d[1]) * y[2 * j] + Lanes::all(d[3]) * y[2 * j + 1];
      for (int b = diagonal + 1; b < column_start_[z(j) + 1]; ++b) {
        const Lanes l = L[b];
        const Lanes *x = y + 2 * blocks_[z(b)].row;
        top = top - Lanes::all(l[0]) * x[0] - Lanes::all(l[1]) * x[1];
        bottom = bottom - Lanes::all(l[2]) * x[0] - Lanes::all(l[3]) * x[1];
      }
      y[2 * j] = top, y[2 * j + 1] = bottom;
    }
    // Columns that do not exist go to the scratch column behind the matrix.
    double* const out = reinterpret_cast<double*>(inverse_.data());
    double* const to[4] = {out + column_place_[z(2 * first)], out + column_place_[z(2 * first + 1)],
                           out + column_place_[z(2 * first + 2)], out + column_place_[z(2 * first + 3)]};
    const int* const from = row_place_.data() + 2 * first;
    const int columns = std::min(4, 2 * (n - first));
    for (int i = 2 * n - 1; i >= 2 * first; --i) {
      const Lanes value = y[i];
      const int at = row_place_[z(i)];
      double* const mirrored = out + column_place_[z(i)];
      for (int c = columns - 1; c >= 0; --c) mirrored[from[c]] = value[c], to[c][at] = value[c];
    }
  }
  has_inverse_ = true;
}

template <int kQuads>
void SchurComplement::multiply_inverse(const double* r, double* x) const {
  std::array<Lanes, kQuads> sum;
  for (Lanes& s : sum) s = Lanes::all(0);
  const Lanes* column = inverse_.data();
  for (int c = 0; c < kQuads * kLanes; ++c, column += kQuads) {
    const Lanes factor = Lanes::all(r[c]);
    for (int i = 0; i < kQuads; ++i) sum[z(i)] = sum[z(i)] + column[i] * factor;
  }
  for (int i = 0; i < kQuads; ++i) sum[z(i)].store(x + kLanes * i);
}

void SchurComplement::solve(const double* r, double* x) {
  if (redundant_) return solve_pivoted(r, x);
  if (has_inverse_) {
    switch (places_ / kLanes) {  // a fixed length stays in registers
      case 1: return multiply_inverse<1>(r, x);
      case 2: return multiply_inverse<2>(r, x);
      case 3: return multiply_inverse<3>(r, x);
      case 4: return multiply_inverse<4>(r, x);
      case 5: return multiply_inverse<5>(r, x);
      case 6: return multiply_inverse<6>(r, x);
      case 7: return multiply_inverse<7>(r, x);
      case 8: return multiply_inverse<8>(r, x);
      case 9: return multiply_inverse<9>(r, x);
      case 10: return multiply_inverse<10>(r, x);
      case 11: return multiply_inverse<11>(r, x);
      case 12: return multiply_inverse<12>(r, x);
      default: break;
    }
  }
  substitute(r);
  std::fill(x, x + places_, 0.0);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (std::size_t half = 0; half < 2; ++half)
      if (const int place = rows_[i].place[half]; place >= 0) x[place] = work_[2 * i + half];
}

}  // namespace jounce
