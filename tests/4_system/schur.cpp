// Oracle: S = Φq M⁻¹ Φqᵀ formed densely from the same records, and Eigen's factorisations of it.
#include "jounce/plane/equations/schur.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>

#include "jounce/base/index.hpp"
#include "jounce/plane/equations/batch.hpp"

namespace schur_test {

using namespace jounce;

namespace {

// Relative to the largest unknown, times the condition of S.
constexpr double kSolves = 1e-13;

struct Random {
  std::mt19937 engine{20250919};
  double between(double low, double high) { return low + (high - low) * (double(engine()) / double(std::mt19937::max())); }
  int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }
};

// Rows on bodies, with random Jacobians and masses. Places are given out with gaps, as the lanes of batches leave them.
struct Structure {
  std::vector<SchurRow> rows;
  std::vector<double> inverse_mass{0, 0, 0};
  std::vector<PairRecord> jacobian;
  int places = 0;

  Structure(Random& random, int bodies) {
    for (int i = 0; i < 3 * bodies; ++i) inverse_mass.push_back(random.between(0.3, 3));
  }
  [[nodiscard]] int bodies() const { return static_cast<int>(inverse_mass.size()) / 3 - 1; }

  void add(Random& random, std::vector<int> on, bool pair) {
    SchurRow row;
    row.place[0] = places++;
    if (pair) row.place[1] = places++;
    for (const int body : on) {
      row.slots.push_back({body, static_cast<int>(jacobian.size())});
      PairRecord record{};
      for (int c = 0; c < 6; ++c) record.value[c] = c % 2 == 1 && !pair ? 0 : random.between(-1, 1);
      jacobian.push_back(record);
    }
    rows.push_back(row);
    if (random.below(4) == 0) ++places;
  }
  /// The first row of block `to` becomes a combination of the rows of others: factor times the first row of each.
  void depend(std::size_t to, std::size_t of, double factor) {
    for (std::size_t s = 0; s < rows[to].slots.size(); ++s)
      for (int c = 0; c < 3; ++c)
        jacobian[z(rows[to].slots[s].record)].value[2 * c] = factor * jacobian[z(rows[of].slots[s].record)].value[2 * c];
  }
  void finish() { places = (places + kLanes - 1) / kLanes * kLanes; }

  /// Φq by place.
  [[nodiscard]] Eigen::MatrixXd dense() const {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(places, 3 * bodies());
    for (const SchurRow& row : rows)
      for (int half = 0; half < 2; ++half)
        for (const auto& slot : row.slots)
          for (int c = 0; c < 3 && row.place[half] >= 0 && slot.body > 0; ++c)
            out(row.place[half], 3 * (slot.body - 1) + c) += jacobian[z(slot.record)].value[2 * c + half];
    return out;
  }
  [[nodiscard]] std::vector<int> used() const {
    std::vector<int> out;
    for (const SchurRow& row : rows)
      for (const int place : row.place)
        if (place >= 0) out.push_back(place);
    std::ranges::sort(out);
    return out;
  }
};

// Solves with and without the inverse; checks S x = r against the dense S, and x itself where no row depends on others.
void check(Random& random, const Structure& s, std::size_t dependent) {
  const Eigen::MatrixXd phi = s.dense();
  Eigen::VectorXd weights(3 * s.bodies());
  for (int i = 0; i < 3 * s.bodies(); ++i) weights[i] = s.inverse_mass[z(i) + 3];
  const Eigen::MatrixXd S = phi * weights.asDiagonal() * phi.transpose();
  const std::vector<int> used = s.used();
  const Eigen::MatrixXd rows = S(used, used);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum(rows);
  const auto n = static_cast<Eigen::Index>(used.size()), missing = static_cast<Eigen::Index>(dependent);
  const double condition = spectrum.eigenvalues()[n - 1] / spectrum.eigenvalues()[missing];
  REQUIRE(condition < 1e6);
  REQUIRE((missing == 0 || spectrum.eigenvalues()[missing - 1] < 1e-12 * spectrum.eigenvalues()[n - 1]));

  SchurComplement schur(s.rows, s.inverse_mass, s.places);
  REQUIRE(schur.rows() == static_cast<int>(used.size()));
  for (const bool inverse : {false, true}) {
    CAPTURE(inverse);
    schur.factor(s.jacobian.data(), inverse);
    CHECK(schur.dropped().size() == dependent);
    CHECK(schur.smallest_pivot() > 0);
    CHECK(schur.smallest_pivot() <= 1);
    // r in the range of S, so that rows left out hold all the same
    Eigen::VectorXd motion(3 * s.bodies());
    for (int i = 0; i < 3 * s.bodies(); ++i) motion[i] = random.between(-1, 1);
    const Eigen::VectorXd range = phi * motion;
    std::vector<Lanes> r(z(s.places) / kLanes, Lanes::all(0)), x(z(s.places) / kLanes, Lanes::all(99));
    for (int i = 0; i < s.places; ++i) r[z(i / kLanes)][i % kLanes] = range[i];
    schur.solve(reinterpret_cast<const double*>(r.data()), reinterpret_cast<double*>(x.data()));
    Eigen::VectorXd found(s.places);
    for (int i = 0; i < s.places; ++i) found[i] = x[z(i / kLanes)][i % kLanes];
    const double size = std::max(1.0, found.cwiseAbs().maxCoeff());
    CHECK((S * found - range).cwiseAbs().maxCoeff() <= kSolves * condition * size);
    for (const int place : schur.dropped()) CHECK(found[place] == 0);
    for (int i = 0; i < s.places; ++i)
      if (!std::ranges::binary_search(used, i)) CHECK(found[i] == 0);
    if (dependent == 0) {
      const Eigen::VectorXd expected = rows.ldlt().solve(range(used));
      CHECK((found(used) - expected).cwiseAbs().maxCoeff() <= kSolves * condition * size);
    }
    schur.solve(reinterpret_cast<const double*>(r.data()), reinterpret_cast<double*>(r.data()));  // in place
    for (int i = 0; i < s.places; ++i) CHECK(r[z(i / kLanes)][i % kLanes] == found[i]);
  }
}

}  // namespace

TEST_CASE("the small symmetric system is solved like a dense one, whatever its structure") {
  // single rows and pairs, rows on the ground, several rows on the same bodies; from 1 row to some 80, across kSmall
  Random random;
  int small = 0, large = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const int bodies = 1 + trial / 4;
    Structure s(random, bodies);
    int rows = 0;
    while (rows < 3 * bodies - 2) {
      const bool pair = random.below(3) > 0 && rows + 2 <= 3 * bodies - 2;
      const int i = random.below(bodies + 1);
      int j = random.below(bodies + 1);
      if (i == j) j = i == 0 ? 1 : 0;
      std::vector<int> on{i, j};
      if (random.below(6) == 0 && bodies > 2) on = {1, 2, 3};
      // no body may carry more equations than it has coordinates: attach each new row to the least burdened as well
      std::vector<int> load(z(bodies + 1), 0);
      for (const SchurRow& row : s.rows)
        for (const auto& slot : row.slots) load[z(slot.body)] += row.place[1] < 0 ? 1 : 2;
      load[0] = 1 << 20;
      const int least = static_cast<int>(std::ranges::min_element(load) - load.begin());
      if (std::ranges::find(on, least) == on.end()) on.back() = least;
      if (on.size() == 2 && on[0] == on[1]) on[0] = 0;
      s.add(random, on, pair);
      rows += pair ? 2 : 1;
    }
    if (rows == 0) continue;
    s.finish();
    CAPTURE(trial);
    CAPTURE(rows);
    const Eigen::MatrixXd phi = s.dense();
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(phi(s.used(), Eigen::all));
    const auto values = svd.singularValues();
    if (values[values.size() - 1] < 1e-2 * values[0]) continue;  // by chance close to singular: not what is asked here
    (rows <= SchurComplement::kSmall ? small : large) += 1;
    check(random, s, 0);
  }
  CHECK(small >= 30);
  CHECK(large >= 5);
}

TEST_CASE("a chain of two thousand bodies") {
  // oracle: the residual S x − r itself; a chain hangs on the ground, two equations a joint
  Random random;
  constexpr int bodies = 2000;
  Structure s(random, bodies);
  for (int b = 1; b <= bodies; ++b) s.add(random, {b - 1, b}, true);
  s.finish();
  SchurComplement schur(s.rows, s.inverse_mass, s.places);
  CHECK(schur.rows() == 2 * bodies);
  CHECK(schur.block_count() < 8 * bodies);  // what elimination adds to a chain is a small multiple of it
  schur.factor(s.jacobian.data(), true);
  CHECK(schur.dropped().empty());
  std::vector<Lanes> r(z(s.places) / kLanes, Lanes::all(0)), x = r;
  for (const int place : s.used()) r[z(place / kLanes)][place % kLanes] = random.between(-1, 1);
  schur.solve(reinterpret_cast<const double*>(r.data()), reinterpret_cast<double*>(x.data()));
  const auto at = [](const std::vector<Lanes>& v, int place) { return place < 0 ? 0.0 : v[z(place / kLanes)][place % kLanes]; };
  std::vector<double> motion(z(3 * (bodies + 1)), 0.0);  // M⁻¹ Φqᵀ x
  double largest = 1;
  for (const SchurRow& row : s.rows)
    for (const auto& slot : row.slots)
      for (int c = 0; c < 3; ++c) {
        const double* J = s.jacobian[z(slot.record)].value + 2 * c;
        motion[z(3 * slot.body + c)] += s.inverse_mass[z(3 * slot.body + c)] * (J[0] * at(x, row.place[0]) + J[1] * at(x, row.place[1]));
      }
  for (const Lanes& v : x)
    for (int lane = 0; lane < kLanes; ++lane) largest = std::max(largest, std::abs(v[lane]));
  double worst = 0;
  for (const SchurRow& row : s.rows)
    for (int half = 0; half < 2; ++half) {
      double sum = -at(r, row.place[half]);
      for (const auto& slot : row.slots)
        for (int c = 0; c < 3; ++c) sum += s.jacobian[z(slot.record)].value[2 * c + half] * motion[z(3 * slot.body + c)];
      worst = std::max(worst, std::abs(sum));
    }
  CHECK(worst <= 1e-11 * largest);
}

TEST_CASE("rows that depend on others are left out, and hold all the same") {
  // oracle: the dense S has as many eigenvalues 0 as rows were made dependent
  Random random;
  for (const int bodies : {4, 20}) {
    for (std::size_t dependent = 1; dependent <= 3; ++dependent) {
      CAPTURE(bodies);
      CAPTURE(dependent);
      Structure s(random, bodies);
      for (int b = 1; b <= bodies; ++b) s.add(random, {b - 1, b}, true);
      for (std::size_t d = 0; d < dependent; ++d) {
        const int b = 1 + static_cast<int>(d) * (bodies / 3);
        s.add(random, {b - 1, b}, d % 2 == 1);
        s.depend(s.rows.size() - 1, z(b - 1), d == 0 ? 1.0 : -2.5);
      }
      s.finish();
      check(random, s, dependent);
    }
  }
}

TEST_CASE("a Jacobian that is not finite is reported by the pivot") {
  Random random;
  Structure s(random, 2);
  s.add(random, {0, 1}, true);
  s.add(random, {1, 2}, true);
  s.finish();
  s.jacobian[0].value[2] = s.jacobian[1].value[2] = std::nan("");
  SchurComplement schur(s.rows, s.inverse_mass, s.places);
  schur.factor(s.jacobian.data(), true);
  CHECK(std::isnan(schur.smallest_pivot()));
}

}  // namespace schur_test
