// Oracles: kappa of planar.json and of the closed forms; and the gradient of the residual by dual numbers over series, for every type
// and order. The engine runs the tape of a type backwards over four elements at a time.
#include "5_analysis/vector_models.hpp"
#include "element_test.hpp"
#include "jounce/plane/equations/direct.hpp"
#include "jounce/plane/equations/planar_system_impl.hpp"

namespace reverse_test {

using namespace jounce;
using namespace jounce::test;

namespace {

constexpr int K = 12;
// Sums of up to 13 products of 13 terms, relative to the largest coefficient that enters.
constexpr double kSameNumber = 1e-12;

struct CollectNumbers {
  std::vector<Lanes>& out;
  void number(double x) const { out.push_back(Lanes::all(x)); }
  void slot(int) const {}
  void motion(int) const {}
};

// What a batch does with its kernel, on one element: its bodies move as `q` says, its motion is `f`.
template <template <class> class E>
class Reversed {
 public:
  using Kernel = p::Kernel<E>;
  using Half = typename Kernel::Half;
  static constexpr std::size_t kPlaces = static_cast<std::size_t>(Kernel::kSlots);
  using Motion = std::array<Series<K>, 3 * kPlaces>;
  using Gradient = std::array<Lanes, kPlaces * std::size_t{p::kLeaves}>;

  Reversed(E<double> element, const Motion& q, const Series<K>& f) : frames_(direct::frames(q)), history_(count(Kernel::kKept)) {
    std::vector<Lanes> numbers, sum(count(Kernel::kSums)), rows(count(Kernel::kRows));
    p::walk(element, CollectNumbers{numbers});
    numbers.push_back(Lanes::all(0));  // never empty
    Kernel::prepare(numbers.data(), fix_.data());
    for (int k = 0; k <= K; ++k) {
      const std::vector<Lanes> motion{Lanes::all(f[k])};
      const Gradient leaf = leaves(k);
      if (k == 0) {
        Kernel::value(fix_.data(), leaf.data(), motion.data(), history_.data(), rows.data());
      } else {
        Kernel::open(k, history_.data(), sum.data());
        Kernel::close(k, fix_.data(), leaf.data(), motion.data(), sum.data(), history_.data(), rows.data());
      }
    }
  }

  // Coefficients of sum lambda_r grad phi_r in x, y, phi of the slots; in one sweep an order, or in two halves.
  [[nodiscard]] Motion gradient(const std::vector<Series<K>>& lambda, bool halves) const {
    std::vector<Lanes> weights(count(Kernel::kWeights));
    std::array<p::Frame<Series<K>>, kPlaces> force{};
    for (int m = 0; m <= K; ++m) {
      std::vector<Lanes> seed;
      for (const auto& l : lambda) seed.push_back(Lanes::all(l[m]));
      const auto add = [&](const Gradient& g) {
        for (std::size_t s = 0; s < kPlaces; ++s) {
          const auto leaf = [&](int which) { return g[s * p::kLeaves + static_cast<std::size_t>(which)][1]; };
          force[s].x[m] += leaf(p::kLeafX), force[s].y[m] += leaf(p::kLeafY), force[s].phi[m] += leaf(p::kLeafPhi);
          force[s].c[m] += leaf(p::kLeafCos), force[s].s[m] += leaf(p::kLeafSin);
        }
      };
      Gradient g;
      const auto sweep = [&]<Half half>() { Kernel::template reverse<half>(m, fix_.data(), history_.data(), seed.data(), weights.data(), g.data()); };
      if (halves) {
        sweep.template operator()<Half::open>(), add(g);
        sweep.template operator()<Half::close>(), add(g);
      } else {
        sweep.template operator()<Half::whole>(), add(g);
      }
    }
    Motion out;
    for (std::size_t s = 0; s < kPlaces; ++s) {  // d cos = -sin d phi, d sin = cos d phi
      out[3 * s] = force[s].x, out[3 * s + 1] = force[s].y;
      out[3 * s + 2] = frames_[s].c * force[s].s - frames_[s].s * force[s].c + force[s].phi;
    }
    return out;
  }

 private:
  static std::size_t count(int n) { return static_cast<std::size_t>(n * (K + 1) + 1); }
  [[nodiscard]] Gradient leaves(int k) const {
    Gradient out;
    for (std::size_t s = 0; s < kPlaces; ++s) {
      const auto set = [&](int which, double x) { out[s * p::kLeaves + static_cast<std::size_t>(which)] = Lanes::all(x); };
      set(p::kLeafX, frames_[s].x[k]), set(p::kLeafY, frames_[s].y[k]), set(p::kLeafPhi, frames_[s].phi[k]);
      set(p::kLeafCos, frames_[s].c[k]), set(p::kLeafSin, frames_[s].s[k]);
    }
    return out;
  }

  std::array<p::Frame<Series<K>>, kPlaces> frames_;
  std::array<Lanes, static_cast<std::size_t>(Kernel::kNodes)> fix_;
  std::vector<Lanes> history_;
};

// The same by dual numbers over series.
template <template <class> class E>
auto by_duals(const direct::LocalConstraint<E>& local, const typename Reversed<E>::Motion& q, const Series<K>& f,
              const std::vector<Series<K>>& lambda) {
  std::array<Series<K>, z(direct::LocalConstraint<E>::kMotions)> motions;
  motions.fill(f);
  typename Reversed<E>::Motion out{};
  std::size_t r = 0;
  for (const auto& row : direct::equations(local.element, q, motions)) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += lambda[r] * row.d[i];
    ++r;
  }
  return out;
}

template <class Motion>
double gap(const Motion& a, const Motion& b) {
  double worst = 0, size = 1;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int k = 0; k <= K; ++k) {
      size = std::max(size, std::abs(b[i][k]));
      worst = std::isfinite(a[i][k]) ? std::max(worst, std::abs(a[i][k] - b[i][k])) : 1e300;
    }
  return worst / size;
}

Series<K> random_series(Random& random, double size) {
  Series<K> s;
  for (int k = 0; k <= K; ++k, size *= 0.7) s[k] = random.between(-size, size);
  return s;
}

}  // namespace

TEST_CASE("the tape backwards gives the series of constraint forces, for every type and order") {
  // oracle: the residual template on dual numbers over series
  Random random;
  p::for_each_type(p::Constraints{}, [&]<template <class> class E>(p::Type<E>) {
    CAPTURE(E<double>::type);
    for (int i = 0; i < 20; ++i) {
      const auto element = varied<E<double>>(random);
      typename Reversed<E>::Motion q;
      for (auto& x : q) x = random_series(random, 2);
      Series<K> f = random_series(random, 1);
      f[0] = random.between(0.3, 2);  // a distance is positive
      std::vector<Series<K>> lambda;
      for (int r = 0; r < p::Kernel<E>::kRows; ++r) lambda.push_back(random_series(random, 5));
      const direct::LocalConstraint<E> local(element);
      const Reversed<E> kernel(element, q, f);
      const auto expected = by_duals<E>(local, q, f, lambda);
      REQUIRE(gap(kernel.gradient(lambda, false), expected) <= kSameNumber);
      REQUIRE(gap(kernel.gradient(lambda, true), expected) <= kSameNumber);
    }
  });
}

TEST_CASE("at order 1 with constant multipliers the open half alone is kappa, for every constraint record") {
  // oracle: planar.json, and the closed forms at other states of the same element
  Random random;
  CHECK(vectors().constraints.size() == 61);
  for (const auto& record : vectors().constraints) {
    CAPTURE(record.type);
    CAPTURE(record.note);
    Model m;
    const std::vector<std::string> names{"i", "j", "k"};
    for (std::size_t b = 0; b < record.bodies.size(); ++b)
      draw(m.body(names[b]), record.bodies[b].x[0], record.bodies[b].y[0], record.bodies[b].phi[0]);
    add_constraint(m, "c", record.type, record.params, names, text_of(record.params.f[0]));
    const PlaneMechanism mechanism = built(m);
    std::vector<Series<K>> lambda;
    for (const double l : record.lambda) lambda.emplace_back(l);
    for (int i = 0; i < 20; ++i) {
      std::vector<oracle::Body> bodies = record.bodies;
      for (auto& b : bodies)
        for (auto* u : {&b.x, &b.y, &b.phi})
          for (std::size_t n = 0; n < 2 && i > 0; ++n) (*u)[n] = random.between(-2, 2);
      const auto kappa = i == 0 ? record.expected.kappa : oracle::closed_form(record.type, record.params, bodies, record.lambda).kappa;
      int seen = 0;
      mechanism.system.impl().each([&]<template <class> class E>(const Batch<E>& batch) {
        if (batch.size() == 0) return;
        ++seen;
        if constexpr (!std::is_same_v<E<double>, p::Equation<double>>) {  // that one has no kernel
          const direct::LocalConstraint<E> local(batch.elements[0]);
          typename Reversed<E>::Motion q{};
          for (int s = 0; s < p::Kernel<E>::kSlots; ++s) {
            const oracle::Body& b = bodies[z(local.bodies[z(s)] - 1)];
            q[z(3 * s)] = {b.x[0], b.x[1]}, q[z(3 * s + 1)] = {b.y[0], b.y[1]}, q[z(3 * s + 2)] = {b.phi[0], b.phi[1]};
          }
          const Series<K> f{record.params.f[0], record.params.f[1]};
          const auto gradient = Reversed<E>(batch.elements[0], q, f).gradient(lambda, true);
          for (int s = 0; s < p::Kernel<E>::kSlots; ++s)
            for (int c = 0; c < 3; ++c) {
              const double expected = kappa[z(local.bodies[z(s)] - 1)][z(c)];
              REQUIRE(std::abs(gradient[z(3 * s + c)][1] - expected) <= kRoundOff * record.scale * 10);
            }
        }
      });
      CHECK(seen == 1);
    }
  }
}

}  // namespace reverse_test
