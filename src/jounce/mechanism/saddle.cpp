#include "jounce/mechanism/saddle.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "jounce/base/index.hpp"
#include "jounce/math/dependent_columns.hpp"

namespace jounce {
namespace {

struct Entry {
  int row, column, source;  // source: place in the values of Φq, or −1 − coordinate for a mass
};

// A matrix whose entries are copied from elsewhere.
struct Assembled {
  SparsePattern pattern;
  std::vector<int> source;

  static Assembled from(std::vector<Entry> entries, int rows, int columns) {
    std::ranges::sort(entries, {}, [](const Entry& e) { return std::pair{e.column, e.row}; });
    Assembled out;
    out.pattern.rows = rows, out.pattern.columns = columns;
    out.pattern.start.assign(z(columns) + 1, 0);
    for (const Entry& e : entries) {
      ++out.pattern.start[z(e.column) + 1];
      out.pattern.row.push_back(e.row);
      out.source.push_back(e.source);
    }
    for (std::size_t c = 0; c < z(columns); ++c) out.pattern.start[c + 1] += out.pattern.start[c];
    return out;
  }
};

// Φq by entries, with equations renumbered: `number[row]` is −1 for those left out.
template <class Make>
void each_entry(const SparsePattern& p, std::span<const int> number, Make&& make) {
  for (int c = 0; c < p.columns; ++c)
    for (int e = p.start[z(c)]; e < p.start[z(c) + 1]; ++e)
      if (const int r = number[z(p.row[z(e)])]; r >= 0) make(r, c, e);
}

// What all share: which equations are independent, found when first factored.
class Independent : public SaddleSolver {
 public:
  Independent(const SparsePattern& pattern, std::span<const double> mass) : pattern_(pattern), mass_(mass) {}
  [[nodiscard]] std::span<const int> dropped() const override { return dropped_; }

 protected:
  // Leaves out equations until Φqᵀ has full column rank. Which ones can be left out changes with the position.
  void find_independent(std::span<const double> jacobian) {
    dropped_.clear();
    number_.resize(z(pattern_.rows));
    for (std::size_t r = 0; r < number_.size(); ++r) number_[r] = static_cast<int>(r);
    kept_ = pattern_.rows;
    for (const int r : dependent(jacobian)) dropped_.push_back(r), number_[z(r)] = -1;
    std::ranges::sort(dropped_);
    if (const int count = static_cast<int>(dropped_.size()); surplus_ == 0 || count < surplus_) surplus_ = count;
    kept_ = 0;
    for (int& n : number_)
      if (n >= 0) n = kept_++;
    begun_ = true;
  }

  // By the columns of M^-½ Kᵀ, where M has no zeros.
  [[nodiscard]] std::vector<int> dependent(std::span<const double> jacobian) const {
    std::vector<Entry> entries;
    each_entry(pattern_, number_, [&](int r, int c, int e) { entries.push_back({c, r, e}); });
    const Assembled transposed = Assembled::from(std::move(entries), coordinates(), pattern_.rows);
    const bool heavy = std::ranges::all_of(mass_, [](double m) { return m > 0; });
    std::vector<double> values;
    for (std::size_t e = 0; e < transposed.source.size(); ++e)
      values.push_back(jacobian[z(transposed.source[e])] / (heavy ? std::sqrt(mass_[z(transposed.pattern.row[e])]) : 1.0));
    return dependent_columns(transposed.pattern, values, surplus_);
  }

  [[nodiscard]] int coordinates() const { return pattern_.columns; }
  // Where redundant equations were left out, others may have to be at another position.
  [[nodiscard]] bool must_choose() const { return !begun_ || !dropped_.empty(); }

  const SparsePattern& pattern_;
  std::span<const double> mass_;
  std::vector<int> number_, dropped_;
  int kept_ = 0, surplus_ = 0;  // surplus: fewest that were ever left out
  bool begun_ = false;
};

// λ from S = K M⁻¹ Kᵀ, corrected once: what rounding leaves of K δ + r says by how much.
class LagrangeSolver final : public Independent {
 public:
  using Independent::Independent;

  bool factor(std::span<const double> jacobian, std::span<const double> /*q*/) override {
    const bool fresh = must_choose();
    if (fresh) set_up(jacobian);
    for (std::size_t e = 0; e < source_.size(); ++e) k_transposed_.valuePtr()[e] = jacobian[z(source_[e])];
    for (int r = 0; r < kept_; ++r) {  // rows of one size: their units differ
      double size = 0;
      for (Matrix::InnerIterator it(k_transposed_, r); it; ++it) size += it.value() * it.value() * inverse_mass_[it.row()];
      scale_[r] = size > 0 ? 1 / std::sqrt(size) : 0;
      for (Matrix::InnerIterator it(k_transposed_, r); it; ++it) it.valueRef() *= scale_[r];
    }
    const Matrix schur = k_transposed_.transpose() * inverse_mass_.asDiagonal() * k_transposed_;
    if (fresh) factors_.analyzePattern(schur);
    factors_.factorize(schur);
    return factors_.info() == Eigen::Success && (kept_ == 0 || factors_.vectorD().minCoeff() > 0);
  }

  void solve(std::span<const double> g, std::span<const double> r, std::span<double> delta, std::span<double> lambda) override {
    const auto n = static_cast<Eigen::Index>(g.size());
    const Eigen::Map<const Eigen::VectorXd> force(g.data(), n);
    Eigen::Map<Eigen::VectorXd> motion(delta.data(), n);
    Eigen::VectorXd residual(kept_), own = Eigen::VectorXd::Zero(kept_);
    motion = inverse_mass_.cwiseProduct(force);
    for (int correction = 0; correction < 2; ++correction) {
      residual = k_transposed_.transpose() * motion;
      for (std::size_t i = 0; i < number_.size(); ++i)
        if (number_[i] >= 0) residual[number_[i]] += scale_[number_[i]] * r[i];
      own += factors_.solve(residual);
      motion = inverse_mass_.cwiseProduct(force - k_transposed_ * own);
    }
    for (std::size_t i = 0; i < number_.size(); ++i) lambda[i] = number_[i] >= 0 ? own[number_[i]] * scale_[number_[i]] : 0.0;
  }
  [[nodiscard]] int unknowns() const override { return kept_; }

 private:
  using Matrix = Eigen::SparseMatrix<double>;

  void set_up(std::span<const double> jacobian) {
    find_independent(jacobian);
    std::vector<Entry> entries;
    each_entry(pattern_, number_, [&](int r, int c, int e) { entries.push_back({c, r, e}); });
    const Assembled transposed = Assembled::from(std::move(entries), coordinates(), kept_);
    source_ = transposed.source;
    std::vector<Eigen::Triplet<double>> places;
    for (int r = 0; r < kept_; ++r)
      for (int e = transposed.pattern.start[z(r)]; e < transposed.pattern.start[z(r) + 1]; ++e)
        places.emplace_back(transposed.pattern.row[z(e)], r, 1.0);
    k_transposed_.resize(coordinates(), kept_);
    k_transposed_.setFromTriplets(places.begin(), places.end());
    inverse_mass_ = Eigen::Map<const Eigen::VectorXd>(mass_.data(), coordinates()).cwiseInverse();
    scale_.resize(kept_);
  }

  Matrix k_transposed_;  // scaled
  std::vector<int> source_;
  Eigen::VectorXd inverse_mass_, scale_;
  Eigen::SimplicialLDLT<Matrix> factors_;
};

class KktSolver final : public Independent {
 public:
  using Independent::Independent;

  bool factor(std::span<const double> jacobian, std::span<const double> /*q*/) override {
    if (must_choose()) set_up(jacobian);
    for (std::size_t e = 0; e < values_.size(); ++e) {
      const int s = matrix_.source[e];
      values_[e] = s >= 0 ? jacobian[z(s)] : mass_[z(-1 - s)];
    }
    lu_.update(values_);
    return lu_.full_column_rank();
  }
  void solve(std::span<const double> g, std::span<const double> r, std::span<double> delta, std::span<double> lambda) override {
    std::ranges::copy(g, right_.begin());
    for (std::size_t i = 0; i < number_.size(); ++i)
      if (number_[i] >= 0) right_[g.size() + z(number_[i])] = -r[i];
    lu_.solve(right_, solution_);
    std::copy_n(solution_.begin(), delta.size(), delta.begin());
    for (std::size_t i = 0; i < number_.size(); ++i) lambda[i] = number_[i] >= 0 ? solution_[g.size() + z(number_[i])] : 0.0;
  }
  [[nodiscard]] int unknowns() const override { return coordinates() + kept_; }

 private:
  void set_up(std::span<const double> jacobian) {
    find_independent(jacobian);
    const int n = coordinates();
    std::vector<Entry> entries;
    entries.reserve(z(n) + 2 * z(pattern_.entries()));
    for (int c = 0; c < n; ++c) entries.push_back({c, c, -1 - c});
    each_entry(pattern_, number_, [&](int r, int c, int e) {
      entries.push_back({n + r, c, e});
      entries.push_back({c, n + r, e});
    });
    matrix_ = Assembled::from(entries, n + kept_, n + kept_);
    lu_ = SparseLu(matrix_.pattern);
    values_.resize(matrix_.source.size());
    right_.resize(z(n + kept_)), solution_.resize(right_.size());
  }

  Assembled matrix_;
  SparseLu lu_;
  std::vector<double> values_, right_, solution_;
};

class NullSpaceSolver final : public Independent {
 public:
  using Independent::Independent;

  bool factor(std::span<const double> jacobian, std::span<const double> /*q*/) override {
    if (must_choose()) set_up(jacobian);
    for (std::size_t e = 0; e < values_.size(); ++e) values_[e] = jacobian[z(matrix_.source[e])];
    lu_.update(values_);
    if (!lu_.full_column_rank()) return false;
    find_motions();
    return factor_mass();
  }

  void solve(std::span<const double> g, std::span<const double> r, std::span<double> delta, std::span<double> lambda) override {
    for (std::size_t i = 0; i < number_.size(); ++i)
      if (number_[i] >= 0) short_[z(number_[i])] = -r[i];
    lu_.solve_transposed(short_, delta);  // any δ with Φq δ = −r
    for (std::size_t i = 0; i < g.size(); ++i) rest_[i] = g[i] - mass_[i] * delta[i];
    const std::size_t f = motions_.size();
    for (std::size_t a = 0; a < f; ++a) {
      speed_[a] = 0;
      for (std::size_t i = 0; i < g.size(); ++i) speed_[a] += motions_[a][i] * rest_[i];
    }
    for (std::size_t a = 0; a < f; ++a) {
      for (std::size_t b = 0; b < a; ++b) speed_[a] -= reduced_[a * f + b] * speed_[b];
      speed_[a] /= reduced_[a * f + a];
    }
    for (std::size_t a = f; a-- > 0;) {
      for (std::size_t b = a + 1; b < f; ++b) speed_[a] -= reduced_[b * f + a] * speed_[b];
      speed_[a] /= reduced_[a * f + a];
    }
    for (std::size_t a = 0; a < f; ++a)
      for (std::size_t i = 0; i < g.size(); ++i) delta[i] += motions_[a][i] * speed_[a];
    for (std::size_t i = 0; i < g.size(); ++i) rest_[i] = g[i] - mass_[i] * delta[i];
    lu_.solve(rest_, short_);
    for (std::size_t i = 0; i < number_.size(); ++i) lambda[i] = number_[i] >= 0 ? short_[z(number_[i])] : 0.0;
  }
  [[nodiscard]] int unknowns() const override { return coordinates() - kept_; }

 private:
  void set_up(std::span<const double> jacobian) {
    find_independent(jacobian);
    std::vector<Entry> entries;
    each_entry(pattern_, number_, [&](int r, int c, int e) { entries.push_back({c, r, e}); });
    matrix_ = Assembled::from(entries, coordinates(), kept_);
    lu_ = SparseLu(matrix_.pattern);
    values_.resize(matrix_.source.size());
    const auto n = z(coordinates()), free = n - z(kept_);
    motions_.assign(free, std::vector<double>(n));
    reduced_.assign(free * free, 0.0), speed_.assign(free, 0.0);
    rest_.assign(n, 0.0), short_.assign(z(kept_), 0.0);
  }

  // One for each coordinate that is not a pivot: it moves by 1, the pivots follow.
  void find_motions() {
    const auto independent = lu_.spare_rows();
    for (std::size_t a = 0; a < motions_.size(); ++a) {
      const int u = independent[a];
      std::ranges::fill(short_, 0.0);
      for (int c = 0; c < matrix_.pattern.columns; ++c)
        for (int e = matrix_.pattern.start[z(c)]; e < matrix_.pattern.start[z(c) + 1]; ++e)
          if (matrix_.pattern.row[z(e)] == u) short_[z(c)] = -values_[z(e)];
      lu_.solve_transposed(short_, motions_[a]);
      motions_[a][z(u)] = 1;
    }
  }

  // Cholesky factors of Zᵀ M Z.
  bool factor_mass() {
    const std::size_t f = motions_.size();
    for (std::size_t a = 0; a < f; ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        double sum = 0;
        for (std::size_t i = 0; i < mass_.size(); ++i) sum += motions_[a][i] * mass_[i] * motions_[b][i];
        const double diagonal = sum;
        for (std::size_t c = 0; c < b; ++c) sum -= reduced_[a * f + c] * reduced_[b * f + c];
        if (a == b && !(sum > 1e-13 * diagonal)) return false;
        reduced_[a * f + b] = a == b ? std::sqrt(sum) : sum / reduced_[b * f + b];
      }
    return true;
  }

  Assembled matrix_;  // Φqᵀ
  SparseLu lu_;
  std::vector<double> values_, rest_, short_, reduced_, speed_;
  std::vector<std::vector<double>> motions_;
};

}  // namespace

double SaddleSolver::kinetic(std::span<const double> /*v*/) { return std::numeric_limits<double>::quiet_NaN(); }

std::unique_ptr<SaddleSolver> make_saddle_solver(Formulation formulation, const SparsePattern& pattern, std::span<const double> mass) {
  switch (formulation) {
    case Formulation::lagrange: return std::make_unique<LagrangeSolver>(pattern, mass);
    case Formulation::nullspace: return std::make_unique<NullSpaceSolver>(pattern, mass);
    default: return std::make_unique<KktSolver>(pattern, mass);
  }
}

}  // namespace jounce
