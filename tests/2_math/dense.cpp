// Oracles: the identities that define each result, put together again by plain loops.
#include "jounce/math/dense.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "jounce/math/even_cholesky.hpp"
#include "jounce/math/free_motions.hpp"
#include "jounce/math/least_squares.hpp"
#include "jounce/math/row_factors.hpp"
#include "jounce/math/rows.hpp"
#include "jounce/math/small_matrices.hpp"

namespace dense_test {

using namespace jounce;

namespace {

// A few roundings of numbers of size 1, times a condition of at most 1e2.
constexpr double kSame = 1e-12;

std::mt19937 numbers(7);

double number() { return std::uniform_real_distribution<double>(-1, 1)(numbers); }

Matrix random_matrix(int rows, int columns) {
  Matrix out(rows, columns);
  for (double& x : out.value) x = number();
  return out;
}
std::vector<double> random_vector(int n) {
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(number());
  return out;
}
// The last column is the sum of the first two.
Matrix dependent_columns(int rows, int columns) {
  Matrix out = random_matrix(rows, columns);
  for (int r = 0; r < rows; ++r) out.at(r, columns - 1) = out.at(r, 0) + out.at(r, 1);
  return out;
}
double entry(const Matrix& a, const Matrix& b, int r, int c) {  // of Aᵀ B
  double sum = 0;
  for (int k = 0; k < a.rows; ++k) sum += a.at(k, r) * b.at(k, c);
  return sum;
}
std::vector<double> product(const Matrix& a, const std::vector<double>& x) {
  std::vector<double> out(static_cast<std::size_t>(a.rows), 0.0);
  for (int c = 0; c < a.columns; ++c)
    for (int r = 0; r < a.rows; ++r) out[static_cast<std::size_t>(r)] += a.at(r, c) * x[static_cast<std::size_t>(c)];
  return out;
}
Matrix transposed(const Matrix& a) {
  Matrix out(a.columns, a.rows);
  for (int c = 0; c < a.columns; ++c)
    for (int r = 0; r < a.rows; ++r) out.at(c, r) = a.at(r, c);
  return out;
}
std::vector<double> less(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

}  // namespace

TEST_CASE("the largest of some numbers tells of one that is none") {
  CHECK(largest(std::vector<double>{}) == 0);
  CHECK(largest(std::vector<double>{1, -3, 2}) == 3);
  CHECK(largest_place(std::vector<double>{1, -3, 3}) == 1);
  CHECK(std::isnan(largest(std::vector<double>{1, std::numeric_limits<double>::quiet_NaN(), 2})));
}

TEST_CASE("factors of rows find their rank, what they leave free, and the shortest solutions") {
  const Matrix gradients = dependent_columns(6, 4);
  const RowFactors factors(gradients, 1e-9);
  REQUIRE(factors.rank() == 3);
  const Matrix& Z = factors.free();
  REQUIRE(Z.columns == 3);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) CHECK(std::abs(entry(Z, Z, i, k) - (i == k ? 1 : 0)) < kSame);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) CHECK(std::abs(entry(gradients, Z, i, k)) < kSame);

  // Aᵀ y = c for a c that has nothing along Z; the null space of Aᵀ is (1, 1, 0, −1), and the shortest y has nothing along it
  const std::vector<double> c = product(gradients, random_vector(4)), y = factors.shortest_multipliers(c);
  CHECK(largest(less(product(gradients, y), c)) < kSame);
  CHECK(std::abs(y[0] + y[1] - y[3]) < kSame);

  // A x = b for a b that the rows agree on; the shortest x has nothing along Z
  const std::vector<double> b = product(transposed(gradients), random_vector(6));
  const std::vector<double> x = factors.shortest(factors.independent_first(b));
  CHECK(largest(less(product(transposed(gradients), x), b)) < kSame);
  CHECK(largest(product(transposed(Z), x)) < kSame);
}

TEST_CASE("without equations everything is free") {
  const RowFactors factors(Matrix(3, 0), 1e-9);
  CHECK(factors.rank() == 0);
  CHECK(factors.free().columns == 3);
  CHECK(factors.shortest_multipliers(random_vector(3)).empty());
}

TEST_CASE("least squares leave what is square to the columns, and are shortest") {
  const Matrix a = dependent_columns(5, 3);
  const std::vector<double> b = random_vector(5);
  const LeastSquares found = least_squares(a, b, 1e-9);
  CHECK(found.rank == 2);
  CHECK(largest(product(transposed(a), less(product(a, found.x), b))) < kSame);
  CHECK(std::abs(found.x[0] + found.x[1] - found.x[2]) < kSame);
}

TEST_CASE("sparse normal equations are those of the dense matrix") {
  // (1 0; 2 3; 0 4) by columns
  const SparsePattern pattern{3, 2, {0, 2, 4}, {0, 1, 1, 2}};
  SparseNormal normal(pattern);
  normal.set(std::vector<double>{1, 2, 3, 4});
  CHECK(normal.transposed_times(std::vector<double>{1, 1, 1}) == std::vector<double>{3, 7});
  REQUIRE(normal.factor(std::vector<double>{1, 2}));
  // AᵀA + D = (6 6; 6 27)
  const std::vector<double> x = normal.solve(std::vector<double>{12, 33});
  CHECK(x[0] == doctest::Approx(1).epsilon(kSame));
  CHECK(x[1] == doctest::Approx(1).epsilon(kSame));
  CHECK(normal.curvature(std::vector<double>{1, 1}) == doctest::Approx(45).epsilon(kSame));
  CHECK(!solve_positive(Matrix(2, 2), std::vector<double>{1, 1}, 1e-14));
}

TEST_CASE("equations are solved within some combinations of them, and say when they contradict each other") {
  // B Bᵀ with a row that repeats another: λ and λ + (1, −1, 0) do the same; within (1, 1, 0) and (0, 0, 1) the shortest
  const std::vector<double> b{1, 2, 3, 1, 2, 3, 0, 1, -1};
  std::vector<double> schur(9), x(3);
  multiply_by_transposed({b, 3, 3}, {b, 3, 3}, schur);
  CHECK(schur[0] == 14);
  CHECK(schur[2] == -1);
  Matrix within(3, 2);
  within.at(0, 0) = within.at(1, 0) = 1, within.at(2, 1) = 1;
  CHECK(solve_within({schur, 3, 3}, std::vector<double>{14, 14, -1}, within, x) < kSame);
  CHECK(x[0] == doctest::Approx(0.5).epsilon(kSame));
  CHECK(x[1] == doctest::Approx(0.5).epsilon(kSame));
  CHECK(std::abs(x[2]) < kSame);
  CHECK(solve_within({schur, 3, 3}, std::vector<double>{14, 12, -1}, within, x) == doctest::Approx(1).epsilon(kSame));  // the mean of both is met
  CHECK(solve_within({schur, 3, 3}, std::vector<double>{14, 12, -1}, Matrix(3, 0), x) == 14);
  CHECK(x == std::vector<double>{0, 0, 0});
}

TEST_CASE("rows are put in the order of what they say") {
  // (3 0), (3 1e-7), (0 2): the second repeats the first but for 1e-7 of another direction, which the third has
  Matrix gradients(2, 3);
  gradients.at(0, 0) = 3, gradients.at(0, 1) = 3, gradients.at(1, 1) = 1e-7, gradients.at(1, 2) = 2;
  const RowOrder found = row_order(gradients);
  REQUIRE(found.left.size() == 2);
  CHECK(found.left[0] == doctest::Approx(3).epsilon(kSame));
  CHECK(found.left[1] == doctest::Approx(2).epsilon(kSame));
  CHECK(found.order[1] == 2);
  CHECK(row_order(Matrix(0, 2)).order == std::vector<int>{0, 1});
}

TEST_CASE("two halves of even Cholesky factors make the inverse, and what has no pivot is left alone") {
  // oracle: A x put together again; rows of very different sizes, and five apart where four are used
  const std::vector<double> a{4e6, 0, 0, 0, 9, -1e3, 1, 0, 0, 9, 2e3, 0.1, 3, 0, 9, 0, 0.2, -1, 2, 9};
  const auto entry = [&](std::size_t r, std::size_t c) { return a[std::max(r, c) * 5 + std::min(r, c)]; };
  EvenCholesky factors;
  factors.factor(a.data(), 4, 5);
  std::vector<double> x{1e3, -2, 0.5, 3}, b = x;
  factors.half(x.data());
  factors.other_half(x.data());
  for (std::size_t r = 0; r < 4; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < 4; ++c) sum += entry(r, c) * x[c];
    CHECK(sum == doctest::Approx(b[r]).epsilon(1e-13));
  }
  const std::vector<double> twice{1, 0, 2, 4};  // its rows are multiples of each other
  factors.factor(twice.data(), 2, 2);
  std::vector<double> y{3, 6};
  factors.half(y.data());
  factors.other_half(y.data());
  CHECK(y[0] + 2 * y[1] == doctest::Approx(3).epsilon(kSame));
}

TEST_CASE("motions that equations leave decide the rest") {
  // two masses of 2 and 3 on a line, tied together twice: they fall as one, and the ties share what keeps them so
  DenseMatrix M(2, 2), K(2, 2);
  M.at(0, 0) = 2, M.at(1, 1) = 3;
  K.at(0, 0) = K.at(1, 0) = 1, K.at(0, 1) = K.at(1, 1) = -1;
  const std::vector<double> f{10, 0}, k{0, 0};
  const FreeMotionSolution found = solve_by_free_motions(M, f, K, k, {1e-9, 1e-6, 1e-15});
  CHECK(found.decided);
  CHECK(found.rank == 1);
  CHECK(found.contradiction == -1);
  for (const double x : found.x) CHECK(x == doctest::Approx(2).epsilon(kSame));
  for (const double lambda : found.lambda) CHECK(lambda == doctest::Approx(3).epsilon(kSame));
  CHECK(solve_by_free_motions(M, f, K, std::vector<double>{0, 1}, {1e-9, 1e-6, 1e-15}).contradiction >= 0);
  CHECK(!solve_by_free_motions(DenseMatrix(2, 2), f, K, k, {1e-9, 1e-6, 1e-15}).decided);
}

TEST_CASE("principal axes are right-handed and make the matrix diagonal") {
  const Sym3<double> m{3, 4, 5, 0.5, -0.25, 1};
  const PrincipalAxes found = principal_axes(m);
  const std::array<Vec3<double>, 3> axes{found.axes.x, found.axes.y, found.axes.z};
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3<double> turned = m * axes[k], wanted = axes[k] * found.moments[k];
    CHECK(length(turned - wanted) < kSame);
    CHECK(principal_moments(m)[k] == doctest::Approx(found.moments[k]).epsilon(kSame));
  }
  CHECK(dot(cross(axes[0], axes[1]), axes[2]) == doctest::Approx(1).epsilon(kSame));
}

TEST_CASE("a basis of six: dual vectors, and what is square to all") {
  std::array<Six, 2> s{};
  for (Six& own : s)
    for (double& x : own) x = number();
  const auto found = six_basis(s, 1e-8);
  REQUIRE(found);
  const auto along = [](const Six& a, const Six& b) {
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
    return sum;
  };
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t k = 0; k < 2; ++k) CHECK(std::abs(along(found->dual[i], s[k]) - (i == k ? 1 : 0)) < kSame);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < 2; ++k) {
      CHECK(std::abs(along(found->across[i], s[k])) < kSame);
      CHECK(std::abs(along(found->across[i], found->dual[k])) < kSame);
    }
  s[1] = s[0];
  CHECK(!six_basis(s, 1e-8));
}

TEST_CASE("eigenvalues of a matrix that swings, and of one that is symmetric") {
  Matrix swing(2, 2);
  swing.at(0, 1) = 1, swing.at(1, 0) = -4;  // ẍ = −4 x
  for (const auto& s : eigenvalues(swing)) {
    CHECK(std::abs(s.real()) < kSame);
    CHECK(std::abs(s.imag()) == doctest::Approx(2).epsilon(kSame));
  }
  const Matrix own = symmetric_part(random_matrix(4, 4));
  const SymmetricEigen found = symmetric_eigen(own);
  for (int k = 0; k < 4; ++k) {
    const std::vector<double> v(found.vectors.column(k).begin(), found.vectors.column(k).end());
    std::vector<double> wanted = v;
    for (double& x : wanted) x *= found.values[static_cast<std::size_t>(k)];
    CHECK(largest(less(product(own, v), wanted)) < kSame);
    CHECK(symmetric_eigenvalues(own)[static_cast<std::size_t>(k)] == doctest::Approx(found.values[static_cast<std::size_t>(k)]).epsilon(kSame));
  }
}

}  // namespace dense_test
