#include "jounce/system/saddle.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace jounce {

std::string_view word(Formulation formulation) {
  static constexpr std::array<std::string_view, 4> words{"auto", "lagrange", "nullspace", "kkt"};
  return words[static_cast<std::size_t>(formulation)];
}

namespace {

std::size_t z(int i) { return static_cast<std::size_t>(i); }

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

// What both share: which equations are independent, found when first factored.
class Independent : public SaddleSolver {
 public:
  explicit Independent(const PlanarSystem& system) : system_(system) {}
  [[nodiscard]] std::span<const int> dropped() const override { return dropped_; }

 protected:
  // Leaves out equations until Φqᵀ has full column rank. Which ones can be left out changes with the position.
  void find_independent(std::span<const double> jacobian) {
    dropped_.clear();
    number_.resize(z(system_.equations()));
    for (std::size_t r = 0; r < number_.size(); ++r) number_[r] = static_cast<int>(r);
    kept_ = system_.equations();
    std::vector<Entry> entries;
    each_entry(system_.pattern(), number_, [&](int r, int c, int e) { entries.push_back({c, r, e}); });
    const Assembled transposed = Assembled::from(entries, system_.coordinates(), kept_);
    SparseLu lu(transposed.pattern);
    std::vector<double> values;
    for (const int s : transposed.source) values.push_back(jacobian[z(s)]);
    lu.factor(values);
    for (const int r : lu.free_columns()) dropped_.push_back(r), number_[z(r)] = -1;
    std::ranges::sort(dropped_);
    kept_ = 0;
    for (int& n : number_)
      if (n >= 0) n = kept_++;
    begun_ = true;
  }

  const PlanarSystem& system_;
  std::vector<int> number_, dropped_;
  int kept_ = 0;
  bool begun_ = false;
};

class KktSolver final : public Independent {
 public:
  using Independent::Independent;

  bool factor(std::span<const double> jacobian) override {
    if (!begun_ || !dropped_.empty()) set_up(jacobian);
    for (std::size_t e = 0; e < values_.size(); ++e) {
      const int s = matrix_.source[e];
      values_[e] = s >= 0 ? jacobian[z(s)] : system_.mass()[z(-1 - s)];
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

 private:
  void set_up(std::span<const double> jacobian) {
    find_independent(jacobian);
    const int n = system_.coordinates();
    std::vector<Entry> entries;
    entries.reserve(z(n) + 2 * z(system_.pattern().entries()));
    for (int c = 0; c < n; ++c) entries.push_back({c, c, -1 - c});
    each_entry(system_.pattern(), number_, [&](int r, int c, int e) {
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

  bool factor(std::span<const double> jacobian) override {
    if (!begun_ || !dropped_.empty()) set_up(jacobian);
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
    const auto mass = system_.mass();
    for (std::size_t i = 0; i < g.size(); ++i) rest_[i] = g[i] - mass[i] * delta[i];
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
    for (std::size_t i = 0; i < g.size(); ++i) rest_[i] = g[i] - mass[i] * delta[i];
    lu_.solve(rest_, short_);
    for (std::size_t i = 0; i < number_.size(); ++i) lambda[i] = number_[i] >= 0 ? short_[z(number_[i])] : 0.0;
  }

 private:
  void set_up(std::span<const double> jacobian) {
    find_independent(jacobian);
    std::vector<Entry> entries;
    each_entry(system_.pattern(), number_, [&](int r, int c, int e) { entries.push_back({c, r, e}); });
    matrix_ = Assembled::from(entries, system_.coordinates(), kept_);
    lu_ = SparseLu(matrix_.pattern);
    values_.resize(matrix_.source.size());
    const auto n = z(system_.coordinates()), free = n - z(kept_);
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
    const auto mass = system_.mass();
    for (std::size_t a = 0; a < f; ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        double sum = 0;
        for (std::size_t i = 0; i < mass.size(); ++i) sum += motions_[a][i] * mass[i] * motions_[b][i];
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

std::unique_ptr<SaddleSolver> make_saddle_solver(Formulation formulation, const PlanarSystem& system) {
  if (formulation == Formulation::nullspace) return std::make_unique<NullSpaceSolver>(system);
  return std::make_unique<KktSolver>(system);
}

}  // namespace jounce
