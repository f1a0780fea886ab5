// Oracle: Eigen's dense decompositions of the same matrices, and matrices whose rank and solution are known by construction.
#include "jounce/math/sparse_lu.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace sparse_lu_test {

namespace {

using jounce::SparseLu;
using jounce::SparsePattern;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Growth in an LU with threshold pivoting (0.1) on matrices of up to 40 columns with a condition below 1e6.
constexpr double kSolved = 1e-9;
// The same operations in the same order: refactor with unchanged values repeats factor to the last bits.
constexpr double kRepeated = 1e-14;

struct Random {
  std::mt19937 engine{20250717};
  double unit() { return 2.0 * double(engine()) / double(std::mt19937::max()) - 1.0; }
  int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }
};

struct Sample {
  Matrix dense;
  SparsePattern pattern;
  std::vector<double> values;
};

// The pattern is where `mask` is not zero, so an entry of the pattern may well have the value 0.
Sample sample(const Matrix& dense, const Matrix& mask) {
  Sample s{dense, {static_cast<int>(dense.rows()), static_cast<int>(dense.cols()), {0}, {}}, {}};
  for (Eigen::Index c = 0; c < dense.cols(); ++c) {
    for (Eigen::Index r = 0; r < dense.rows(); ++r)
      if (mask(r, c) != 0) s.pattern.row.push_back(static_cast<int>(r)), s.values.push_back(dense(r, c));
    s.pattern.start.push_back(static_cast<int>(s.pattern.row.size()));
  }
  return s;
}

// About four entries a row; entries of sizes 1e-2 to 1, so that pivoting matters.
Matrix random_matrix(Random& random, int rows, int columns) {
  Matrix a = Matrix::Zero(rows, columns);
  for (int r = 0; r < rows; ++r) {
    a(r, r % columns) = random.unit() * (random.below(3) == 0 ? 1e-2 : 1.0);
    for (int k = 0; k < 3; ++k) a(r, random.below(columns)) = random.unit();
  }
  return a;
}

double condition(const Matrix& a) {
  const Vector s = Eigen::JacobiSVD<Matrix>(a).singularValues();
  return s[0] / s[s.size() - 1];
}

Vector solve(SparseLu& lu, const Vector& b) {
  Vector x(lu.pattern().columns);
  lu.solve({b.data(), static_cast<std::size_t>(b.size())}, {x.data(), static_cast<std::size_t>(x.size())});
  return x;
}

Vector random_vector(Random& random, Eigen::Index n) {
  Vector v(n);
  for (double& x : v) x = random.unit();
  return v;
}

}  // namespace

TEST_CASE("square systems are solved as a dense decomposition solves them, forwards and transposed") {
  // oracle: Eigen::FullPivLU
  Random random;
  int tried = 0;
  while (tried < 200) {
    const int n = 1 + random.below(40);
    const Matrix a = random_matrix(random, n, n);
    if (!(condition(a) < 1e6)) continue;
    ++tried;
    const Sample s = sample(a, a);
    SparseLu lu(s.pattern);
    lu.factor(s.values);
    REQUIRE(lu.full_column_rank());
    REQUIRE(lu.spare_rows().empty());
    const Vector b = random_vector(random, n), x = solve(lu, b), exact = a.fullPivLu().solve(b);
    CHECK((x - exact).norm() <= kSolved * std::max(1.0, exact.norm()));
    CHECK(lu.misfit() == 0);
    Vector y(n);
    lu.solve_transposed({b.data(), static_cast<std::size_t>(n)}, {y.data(), static_cast<std::size_t>(n)});
    const Vector exact_t = a.transpose().fullPivLu().solve(b);
    CHECK((y - exact_t).norm() <= kSolved * std::max(1.0, exact_t.norm()));
  }
}

TEST_CASE("the determinant has the sign and the size of the dense one") {
  // oracle: Eigen's determinant
  Random random;
  int tried = 0, positive = 0;
  while (tried < 200) {
    const int n = 1 + random.below(25);
    const Matrix a = random_matrix(random, n, n);
    if (!(condition(a) < 1e6)) continue;
    ++tried;
    const Sample s = sample(a, a);
    SparseLu lu(s.pattern);
    lu.factor(s.values);
    const auto d = lu.determinant();
    const double exact = a.determinant();
    CHECK(std::ldexp(d.mantissa, static_cast<int>(d.exponent)) == doctest::Approx(exact).epsilon(kSolved));
    positive += exact > 0;
  }
  CHECK(positive > 40);  // both signs were met
  CHECK(positive < 160);
}

TEST_CASE("a determinant beyond the range of double is still told apart from zero") {
  // oracle: diag(1e30, ..., 1e30) of order 60 has the determinant 1e1800
  const Matrix a = 1e30 * Matrix::Identity(60, 60);
  const Sample s = sample(a, a);
  SparseLu lu(s.pattern);
  lu.factor(s.values);
  const auto d = lu.determinant();
  CHECK(d.mantissa > 0);
  CHECK(double(d.exponent) + std::log2(d.mantissa) == doctest::Approx(1800 * std::log2(10.0)));
}

TEST_CASE("tall systems with consistent surplus rows are solved, and their misfit is rounding") {
  // oracle: b = A x for a known x
  Random random;
  int tried = 0;
  while (tried < 200) {
    const int n = 1 + random.below(25), m = n + 1 + random.below(10);
    const Matrix a = random_matrix(random, m, n);
    if (!(condition(a) < 1e4)) continue;
    ++tried;
    const Sample s = sample(a, a);
    SparseLu lu(s.pattern);
    lu.factor(s.values);
    REQUIRE(lu.full_column_rank());
    const Vector exact = random_vector(random, n);
    Vector b = a * exact;
    CHECK((solve(lu, b) - exact).norm() <= kSolved);
    CHECK(lu.misfit() <= kSolved);

    // pivot rows and spare rows share out all rows
    std::vector<int> all(lu.pivot_rows().begin(), lu.pivot_rows().end());
    all.insert(all.end(), lu.spare_rows().begin(), lu.spare_rows().end());
    std::sort(all.begin(), all.end());
    REQUIRE(static_cast<int>(all.size()) == m);
    for (int r = 0; r < m; ++r) CHECK(all[static_cast<std::size_t>(r)] == r);
    REQUIRE(static_cast<int>(lu.spare_rows().size()) == m - n);

    // a spare row put in contradiction is reported with the size of the contradiction, and does not change the solution
    b[lu.spare_rows()[0]] += 0.25;
    CHECK((solve(lu, b) - exact).norm() <= kSolved);
    CHECK(lu.misfit() == doctest::Approx(0.25).epsilon(kSolved));
    // ... in the units of the weights
    const std::vector<double> weights(static_cast<std::size_t>(m), 4.0);
    lu.set_weights(weights);
    (void)solve(lu, b);
    CHECK(lu.misfit() == doctest::Approx(1.0).epsilon(kSolved));

    // transposed: a solution of Aᵀ y = c that is 0 on the spare rows
    const Vector c = random_vector(random, n);
    Vector y(m);
    lu.solve_transposed({c.data(), static_cast<std::size_t>(n)}, {y.data(), static_cast<std::size_t>(m)});
    CHECK((a.transpose() * y - c).norm() <= kSolved * std::max(1.0, y.norm()));
    for (const int r : lu.spare_rows()) CHECK(y[r] == 0);
  }
}

TEST_CASE("the rank of a matrix that lost some is found, with its free columns") {
  // oracle: a product of random factors of k columns has rank k
  Random random;
  for (int i = 0; i < 200; ++i) {
    const int n = 2 + random.below(20), m = n + random.below(6), k = random.below(n);
    Matrix left(m, k), right(k, n);
    for (double& x : left.reshaped()) x = random.unit();
    for (double& x : right.reshaped()) x = random.unit();
    const Matrix a = left * right;
    const Sample s = sample(a, Matrix::Ones(m, n));
    SparseLu lu(s.pattern);
    lu.factor(s.values);
    CHECK(lu.rank() == k);
    CHECK(static_cast<int>(lu.free_columns().size()) == n - k);
    CHECK(static_cast<int>(lu.pivot_rows().size()) == k);
    std::vector<double> units(static_cast<std::size_t>(n), 1.0), direction = units;
    CHECK(lu.smallest_stretch(units, direction, 3) == 0);
    CHECK(!lu.refactor(s.values));
    if (m == n) CHECK(lu.determinant().mantissa == 0);
  }
}

TEST_CASE("refactoring repeats the factorisation, and with new numbers solves the new system") {
  // oracle: factor of the same values, and Eigen for others
  Random random;
  int tried = 0;
  while (tried < 100) {
    const int n = 2 + random.below(30), m = n + random.below(4);
    const Matrix a = random_matrix(random, m, n);
    if (!(condition(a) < 1e4)) continue;
    ++tried;
    const Sample s = sample(a, a);
    SparseLu lu(s.pattern);
    lu.factor(s.values);
    const Vector exact = random_vector(random, n), b = a * exact;
    const Vector first = solve(lu, b);
    const auto determinant = lu.determinant();
    REQUIRE(lu.refactor(s.values));
    CHECK((solve(lu, b) - first).norm() <= kRepeated * std::max(1.0, first.norm()));
    CHECK(lu.determinant().mantissa == determinant.mantissa);
    CHECK(lu.determinant().exponent == determinant.exponent);
    CHECK(lu.pivoting() == 1);

    Matrix changed = a;
    for (double& x : changed.reshaped()) x *= 1 + 1e-3 * random.unit();
    const Sample next = sample(changed, a);
    REQUIRE(lu.refactor(next.values));
    CHECK((solve(lu, Vector(changed * exact)) - exact).norm() <= kSolved);
  }
}

TEST_CASE("refactoring refuses pivots that have become small, and update then finds others") {
  // oracle: [[1, 1], [1, e]] needs the other row as soon as its first pivot is tiny
  const Matrix good{{1.0, 1.0}, {0.5, -1.0}}, bad{{1e-6, 1.0}, {0.5, -1.0}};
  const Sample s = sample(good, good);
  SparseLu lu(s.pattern);
  CHECK(!lu.refactor(s.values));  // nothing to repeat yet
  lu.factor(s.values);
  // whichever column came first, row 0 or row 1 was its pivot; both changes cannot be harmless
  const Matrix other{{1.0, 1e-6}, {0.5, -1.0}}, third{{1.0, 1.0}, {1e-9, -1.0}}, fourth{{1.0, 1.0}, {0.5, -1e-9}};
  int refused = 0;
  for (const Matrix* a : {&bad, &other, &third, &fourth}) {
    SparseLu fresh(s.pattern);
    fresh.factor(s.values);
    const Sample changed = sample(*a, Matrix::Ones(2, 2));
    refused += !fresh.refactor(changed.values);
    CHECK(fresh.pivoting() == 1);
    fresh.update(changed.values);
    const Vector b{{1.0, 2.0}};
    CHECK((solve(fresh, b) - a->fullPivLu().solve(b)).norm() <= kSolved);
  }
  CHECK(refused >= 1);
}

TEST_CASE("a spare row takes over when the chosen rows become dependent") {
  // oracle: three rows in the plane, any two of them independent at first, two of them parallel later
  const Matrix before{{1.0, 0.1}, {0.1, 1.0}, {0.9, 1.1}}, after{{1.0, 0.1}, {1.0, 0.1}, {0.9, 1.1}}, after2{{1.0, 1.1}, {0.1, 1.0}, {0.1, 1.0}};
  for (const Matrix* a : {&after, &after2}) {
    const Sample s = sample(before, Matrix::Ones(3, 2)), t = sample(*a, Matrix::Ones(3, 2));
    SparseLu lu(s.pattern);
    lu.factor(s.values);
    lu.update(t.values);
    REQUIRE(lu.full_column_rank());
    const Vector exact{{0.3, -0.7}};
    CHECK((solve(lu, Vector(*a * exact)) - exact).norm() <= kSolved);
    CHECK(lu.misfit() <= kSolved);
  }
}

TEST_CASE("the factors of a long chain stay as sparse as the chain") {
  // oracle: a block-tridiagonal matrix has factors of a bounded number of entries a column
  Random random;
  double per_column = 0;
  for (const int links : {200, 2000}) {
    const int n = 3 * links;
    SparsePattern pattern{n, n, {0}, {}};
    std::vector<double> values;
    for (int c = 0; c < n; ++c) {
      const int first = std::max(0, 3 * (c / 3) - 3), last = std::min(n, 3 * (c / 3) + 6);
      for (int r = first; r < last; ++r) pattern.row.push_back(r), values.push_back(r == c ? 4.0 : random.unit());
      pattern.start.push_back(static_cast<int>(pattern.row.size()));
    }
    SparseLu lu(pattern);
    lu.factor(values);
    REQUIRE(lu.full_column_rank());
    const double now = double(lu.factor_entries()) / n;
    CHECK(now < 30);  // 9 in the pattern, and as many again in L and U for the pivoting
    if (per_column > 0) CHECK(now < 1.2 * per_column);
    per_column = now;
  }
}

TEST_CASE("matrices without rows or without columns are factored too") {
  // oracle: an empty system has rank 0 and nothing to solve
  SparseLu none(SparsePattern{0, 0, {0}, {}});
  none.factor({});
  CHECK(none.rank() == 0);
  CHECK(none.full_column_rank());
  SparseLu free(SparsePattern{0, 3, {0, 0, 0, 0}, {}});
  free.factor({});
  CHECK(free.rank() == 0);
  CHECK(free.free_columns().size() == 3);
}

TEST_CASE("the smallest stretch is the smallest singular value of the matrix in its units") {
  // oracle: 1 / |A⁻¹|, the largest eigenvalue of (AᵀA)⁻¹ found by squaring it
  Random random;
  for (int i = 0; i < 50; ++i) {
    const int n = 2 + random.below(15);
    const Matrix a = random_matrix(random, n, n);
    if (!(condition(a) < 1e3)) continue;
    const Sample s = sample(a, a);
    std::vector<double> units, weights, direction(static_cast<std::size_t>(n), 1.0);
    for (int k = 0; k < n; ++k) units.push_back(1.5 + random.unit()), weights.push_back(2.0 + random.unit());
    const Matrix scaled = Eigen::Map<Vector>(weights.data(), n).asDiagonal() * a * Eigen::Map<Vector>(units.data(), n).asDiagonal();
    Matrix power = (scaled.transpose() * scaled).inverse();
    double logarithm = 0;
    for (int k = 0; k < 30; ++k) {  // |P^(2^k)|^(1/2^k)
      logarithm += std::log(power.norm()) / std::exp2(k);
      power = (power / power.norm()).eval();
      power = (power * power).eval();
    }
    SparseLu lu(s.pattern);
    lu.set_weights(weights);
    lu.factor(s.values);
    const double expected = std::exp(-0.5 * logarithm);
    CHECK(lu.smallest_stretch(units, direction, 400) == doctest::Approx(expected).epsilon(1e-3));
  }
}

}  // namespace sparse_lu_test
