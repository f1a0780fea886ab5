// Dormand and Prince's explicit Runge-Kutta method of order 8; errors estimated by orders 5 and 3, dense output of order 7.
//
//   y' = f(t, y)     k_i = f(t + c_i h, y + h Σ a_ij k_j),  y(t + h) = y + h Σ b_i k_i,  12 stages
//
// For smooth problems that are not stiff and want many digits. A step is accepted when its error is at most
// tolerance · (1 + |y_i|), in the norm chosen; one in which f cannot be evaluated is halved. Time may run backwards.
//
// Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I, 2nd edition, sections II.4 to II.6 and II.10.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "jounce/base/require.hpp"
#include "jounce/math/lanes.hpp"

namespace jounce {

namespace dop853 {

/// Σ weight[j] k[stage[j]]: one row of the tableau, without its zeros.
template <int N>
struct Row {
  std::array<int, N> stage;
  std::array<double, N> weight;
};

// Stage 12 is the step itself: its row is b, its time the end. 13 to 15 are for the dense output only.
inline constexpr double kTime[16] = {0.0, 0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726,
    0.3333333333333333, 0.25, 0.3076923076923077, 0.6512820512820513, 0.6, 0.8571428571428571, 1.0, 1.0, 0.1, 0.2,
    0.7777777777777778};
inline constexpr Row<1> kStage1{{0}, {0.05260015195876773}};
inline constexpr Row<2> kStage2{{0, 1}, {0.0197250569845379, 0.0591751709536137}};
inline constexpr Row<2> kStage3{{0, 2}, {0.02958758547680685, 0.08876275643042054}};
inline constexpr Row<3> kStage4{{0, 2, 3}, {0.2413651341592667, -0.8845494793282861, 0.924834003261792}};
inline constexpr Row<3> kStage5{{0, 3, 4}, {0.037037037037037035, 0.17082860872947386, 0.12546768756682242}};
inline constexpr Row<4> kStage6{{0, 3, 4, 5}, {0.037109375, 0.17025221101954405, 0.06021653898045596, -0.017578125}};
inline constexpr Row<5> kStage7{{0, 3, 4, 5, 6}, {0.03709200011850479, 0.17038392571223998, 0.10726203044637328,
    -0.015319437748624402, 0.008273789163814023}};
inline constexpr Row<6> kStage8{{0, 3, 4, 5, 6, 7}, {0.6241109587160757, -3.3608926294469414, -0.868219346841726,
    27.59209969944671, 20.154067550477894, -43.48988418106996}};
inline constexpr Row<7> kStage9{{0, 3, 4, 5, 6, 7, 8}, {0.47766253643826434, -2.4881146199716677, -0.590290826836843,
    21.230051448181193, 15.279233632882423, -33.28821096898486, -0.020331201708508627}};
inline constexpr Row<8> kStage10{{0, 3, 4, 5, 6, 7, 8, 9}, {-0.9371424300859873, 5.186372428844064, 1.0914373489967295,
    -8.149787010746927, -18.52006565999696, 22.739487099350505, 2.4936055526796523, -3.0467644718982196}};
inline constexpr Row<9> kStage11{{0, 3, 4, 5, 6, 7, 8, 9, 10}, {2.273310147516538, -10.53449546673725, -2.0008720582248625,
    -17.9589318631188, 27.94888452941996, -2.8589982771350235, -8.87285693353063, 12.360567175794303, 0.6433927460157636}};
inline constexpr Row<8> kStage12{{0, 5, 6, 7, 8, 9, 10, 11}, {0.054293734116568765, 4.450312892752409, 1.8915178993145003,
    -5.801203960010585, 0.3111643669578199, -0.1521609496625161, 0.20136540080403034, 0.04471061572777259}};
inline constexpr Row<8> kStage13{{0, 6, 7, 8, 9, 10, 11, 12}, {0.056167502283047954, 0.25350021021662483, -0.2462390374708025,
    -0.12419142326381637, 0.15329179827876568, 0.00820105229563469, 0.007567897660545699, -0.008298}};
inline constexpr Row<8> kStage14{{0, 5, 6, 7, 10, 11, 12, 13}, {0.03183464816350214, 0.028300909672366776,
    0.053541988307438566, -0.05492374857139099, -0.00010834732869724932, 0.0003825710908356584, -0.00034046500868740456,
    0.1413124436746325}};
inline constexpr Row<8> kStage15{{0, 5, 6, 7, 8, 12, 13, 14}, {-0.42889630158379194, -4.697621415361164, 7.683421196062599,
    4.06898981839711, 0.3567271874552811, -0.0013990241651590145, 2.9475147891527724, -9.15095847217987}};
inline constexpr Row<8> kError5{{0, 5, 6, 7, 8, 9, 10, 11}, {0.01312004499419488, -1.2251564463762044, -0.4957589496572502,
    1.6643771824549864, -0.35032884874997366, 0.3341791187130175, 0.08192320648511571, -0.022355307863886294}};
inline constexpr Row<8> kError3{{0, 5, 6, 7, 8, 9, 10, 11}, {-0.18980075407240762, 4.450312892752409, 1.8915178993145003,
    -5.801203960010585, -0.4226823213237919, -0.1521609496625161, 0.20136540080403034, 0.02265179219836082}};
inline constexpr Row<12> kDense4{{0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {-8.428938276109013, 0.5667149535193777,
    -3.0689499459498917, 2.38466765651207, 2.117034582445028, -0.871391583777973, 2.2404374302607883, 0.6315787787694688,
    -0.08899033645133331, 18.148505520854727, -9.194632392478356, -4.436036387594894}};
inline constexpr Row<12> kDense5{{0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {10.427508642579134, 242.28349177525817,
    165.20045171727028, -374.5467547226902, -22.113666853125306, 7.733432668472264, -30.674084731089398, -9.332130526430229,
    15.697238121770845, -31.139403219565178, -9.35292435884448, 35.81684148639408}};
inline constexpr Row<12> kDense6{{0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {19.985053242002433, -387.0373087493518,
    -189.17813819516758, 527.8081592054236, -11.57390253995963, 6.8812326946963, -1.0006050966910838, 0.7777137798053443,
    -2.778205752353508, -60.19669523126412, 84.32040550667716, 11.99229113618279}};
inline constexpr Row<12> kDense7{{0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {-25.69393346270375, -154.18974869023643,
    -231.5293791760455, 357.6391179106141, 93.40532418362432, -37.45832313645163, 104.0996495089623, 29.8402934266605,
    -43.53345659001114, 96.32455395918828, -39.17726167561544, -149.72683625798564}};

inline constexpr int kStages = 16, kEnd = 12;

}  // namespace dop853

struct OdeOptions {
  enum class Norm { rms, largest };

  double tolerance = 1e-8;  ///< of the error in one step, relative to 1 + |y_i|
  Norm norm = Norm::rms;
  double largest_step = std::numeric_limits<double>::infinity();
  int along = 0;  ///< so many numbers, the last of y, are integrated along: f does not depend on them and need not give all of their rates, and no step is chosen for their sake
};

struct OdeStatistics {
  long steps = 0;        ///< accepted
  long rejected = 0;     ///< because of their error, or because f failed
  long evaluations = 0;  ///< of f
};

/// f is called as f(t, y, dydt) with spans of n numbers, of dydt without those integrated along where they are not wanted; it may return false where it cannot be evaluated. Only the constructor
/// allocates.
class Dop853 {
 public:
  enum class Step { accepted, too_small };

  /// A step refused this often in succession, each time made smaller, is given up.
  static constexpr int kMostRefusals = 60;

  explicit Dop853(int n, const OdeOptions& options = {})
      : n_(static_cast<std::size_t>(n)),
        judged_(n_ - static_cast<std::size_t>(options.along)),
        padded_((n_ + kLanes - 1) / kLanes * kLanes),
        options_(options),
        stages_(dop853::kStages * padded_),
        state_(padded_),
        previous_(padded_),
        trial_(padded_),
        dense_(4 * padded_) {}

  /// Begins, or begins anew, at y(t); false when f fails there. The size of the first step is found by the first `step`.
  template <class F>
  [[nodiscard]] bool start(double t, std::span<const double> y, F&& f) {
    statistics_ = {};
    t_ = previous_t_ = t;
    h_ = 0;
    return replace(y, f);
  }

  /// Changes y at the current time (projected, or after an event), keeps the size of the next step; false when f fails there.
  template <class F>
  [[nodiscard]] bool replace(std::span<const double> y, F&& f) {
    JOUNCE_REQUIRE(y.size() == n_, "a state has n numbers");
    std::copy(y.begin(), y.end(), state_.begin());
    previous_t_ = t_;
    slope_ = 0;
    return evaluate(f, t_, state_.data(), 0);
  }

  /// Changes y only in what f does not see, such as the length of a quaternion that f makes a unit one: its slope stays.
  void amend(std::span<const double> y) {
    JOUNCE_REQUIRE(y.size() == n_, "a state has n numbers");
    std::copy(y.begin(), y.end(), state_.begin());
  }

  /// One accepted step towards `limit`, at most up to it; rejected ones are tried again shorter. When it became too small, t
  /// and y are as before.
  template <class F>
  [[nodiscard]] Step step(F&& f, double limit) {
    JOUNCE_REQUIRE(limit != t_, "a step needs somewhere to go");
    if (slope_ == dop853::kEnd) std::copy_n(stage(dop853::kEnd), padded_, stage(0));
    slope_ = 0;
    previous_t_ = t_;
    const double way = limit - t_;
    if (h_ == 0) h_ = first_step(f, way);
    // a last step is stretched rather than followed by a tiny one
    double h = std::min(1.01 * h_ >= std::abs(way) ? std::abs(way) : h_, options_.largest_step);
    const bool last = h == std::abs(way);
    for (int refusals = 0; refusals < kMostRefusals; ++refusals) {
      const double signed_h = std::copysign(h, way);
      const double end = h == std::abs(way) ? limit : t_ + signed_h;
      const double error = try_step(f, signed_h, end);
      if (error <= 1) return accept(end, h, error, last, refusals > 0);
      ++statistics_.rejected;
      h *= std::isfinite(error) ? std::max(kShrink, kSafety * std::pow(error, -kExponent)) : 0.5;
      if (h <= 4 * std::numeric_limits<double>::epsilon() * std::abs(t_)) break;
    }
    return Step::too_small;
  }

  [[nodiscard]] double t() const { return t_; }
  [[nodiscard]] std::span<const double> y() const { return {state_.data(), n_}; }
  /// f(t, y).
  [[nodiscard]] std::span<const double> slope() const { return {stage(slope_), n_}; }
  [[nodiscard]] double previous_t() const { return previous_t_; }
  [[nodiscard]] const OdeStatistics& statistics() const { return statistics_; }

  /// The size that the next step will try; 0 when still to be found.
  [[nodiscard]] double next_step() const { return h_; }
  void set_next_step(double h) { h_ = std::abs(h); }

  /// Of the last accepted step: its size times how much f changes with y, where its last stage and its end differ. Beyond 6
  /// stability bounds the steps, not the tolerance (Hairer, Wanner: Solving Ordinary Differential Equations II, section IV.2).
  [[nodiscard]] double steepness() const {
    JOUNCE_REQUIRE(slope_ == dop853::kEnd, "steepness belongs to an accepted step");
    double rise = 0, way = 0;
    for (std::size_t i = 0; i < judged_; i += kLanes) {
      const Lanes moved = sum<dop853::kStage12>(i) - sum<dop853::kStage11>(i);
      const Lanes change = load(stage(dop853::kEnd) + i) - load(stage(11) + i);
      for (int j = 0; j < static_cast<int>(kLanes) && i + static_cast<std::size_t>(j) < judged_; ++j)
        rise += change[j] * change[j], way += moved[j] * moved[j];
    }
    return way > 0 ? std::sqrt(rise / way) : 0;
  }

  /// Three more evaluations, once for each step inside which `dense` is wanted; false when f fails in one of them.
  template <class F>
  [[nodiscard]] bool prepare_dense(F&& f) {
    JOUNCE_REQUIRE(slope_ == dop853::kEnd, "dense output belongs to an accepted step");
    const double h = t_ - previous_t_;
    if (!extra_stage<dop853::kStage13>(f, h, 13) || !extra_stage<dop853::kStage14>(f, h, 14) ||
        !extra_stage<dop853::kStage15>(f, h, 15))
      return false;
    combine<dop853::kDense4>(nullptr, h, dense_.data());
    combine<dop853::kDense5>(nullptr, h, dense_.data() + padded_);
    combine<dop853::kDense6>(nullptr, h, dense_.data() + 2 * padded_);
    combine<dop853::kDense7>(nullptr, h, dense_.data() + 3 * padded_);
    return true;
  }

  /// y at a time inside the last step, after `prepare_dense`.
  void dense(double t, std::span<double> y) const {
    const double h = t_ - previous_t_, s = (t - previous_t_) / h, r = 1 - s;
    const double *slope0 = stage(0), *slope1 = stage(dop853::kEnd);
    for (std::size_t i = 0; i < n_; ++i) {
      const double change = state_[i] - previous_[i];
      const double bend0 = h * slope0[i] - change, bend1 = change - h * slope1[i] - bend0;
      const double* c = dense_.data() + i;
      const double rest = c[0] + s * (c[padded_] + r * (c[2 * padded_] + s * c[3 * padded_]));
      y[i] = previous_[i] + s * (change + r * (bend0 + s * (bend1 + r * rest)));
    }
  }

 private:
  static constexpr double kExponent = 1.0 / 8, kSafety = 0.9, kShrink = 1.0 / 3, kGrow = 6;

  double* stage(int i) { return stages_.data() + static_cast<std::size_t>(i) * padded_; }
  [[nodiscard]] const double* stage(int i) const { return stages_.data() + static_cast<std::size_t>(i) * padded_; }

  static Lanes load(const double* from) {
    Lanes x;
    std::memcpy(&x, from, sizeof x);
    return x;
  }

  template <class F>
  [[nodiscard]] bool evaluate(F& f, double t, const double* y, int into) {
    ++statistics_.evaluations;
    const std::span<const double> state(y, n_);
    const bool counts = into == 0 || into > 4;  // for what is integrated along: not even dense output takes anything from the other stages
    const std::span<double> rate(stage(into), counts ? n_ : judged_);
    if constexpr (std::is_void_v<decltype(f(t, state, rate))>) {
      f(t, state, rate);
      return true;
    } else {
      return f(t, state, rate);
    }
  }

  /// Four entries, from i on, of what the row makes of the stages.
  template <const auto& row>
  [[nodiscard]] Lanes sum(std::size_t i) const {
    return [&]<std::size_t... J>(std::index_sequence<J...>) {
      return (... + (Lanes::all(row.weight[J]) * load(stage(row.stage[J]) + i)));
    }(std::make_index_sequence<row.stage.size()>{});
  }

  /// out = base + h · row, without base where there is none.
  template <const auto& row>
  void combine(const double* base, double h, double* out) const {
    for (std::size_t i = 0; i < padded_; i += kLanes) {
      Lanes y = Lanes::all(h) * sum<row>(i);
      if (base) y = load(base + i) + y;
      std::memcpy(out + i, &y, sizeof y);
    }
  }

  template <const auto& row, class F>
  [[nodiscard]] bool next_stage(F& f, double h, int i) {
    combine<row>(state_.data(), h, trial_.data());
    return evaluate(f, t_ + dop853::kTime[i] * h, trial_.data(), i);
  }

  template <const auto& row, class F>
  [[nodiscard]] bool extra_stage(F& f, double h, int i) {
    combine<row>(previous_.data(), h, trial_.data());
    return evaluate(f, previous_t_ + dop853::kTime[i] * h, trial_.data(), i);
  }

  /// Leaves y(t + h) in trial_ and its slope in stage 12; the error in tolerances, not finite when f failed.
  template <class F>
  [[nodiscard]] double try_step(F& f, double h, double end) {
    using namespace dop853;
    constexpr double kFailed = std::numeric_limits<double>::infinity();
    if (!next_stage<kStage1>(f, h, 1) || !next_stage<kStage2>(f, h, 2) || !next_stage<kStage3>(f, h, 3) ||
        !next_stage<kStage4>(f, h, 4) || !next_stage<kStage5>(f, h, 5) || !next_stage<kStage6>(f, h, 6) ||
        !next_stage<kStage7>(f, h, 7) || !next_stage<kStage8>(f, h, 8) || !next_stage<kStage9>(f, h, 9) ||
        !next_stage<kStage10>(f, h, 10) || !next_stage<kStage11>(f, h, 11))
      return kFailed;
    combine<kStage12>(state_.data(), h, trial_.data());
    const double error = error_of(h);
    // the slope at the end is wanted only where the step will be accepted
    if (error <= 1 && !evaluate(f, end, trial_.data(), kEnd)) return kFailed;
    return error;
  }

  /// The estimate of order 5, made smaller where that of order 3 shows it to be pessimistic.
  [[nodiscard]] double error_of(double h) const {
    Size size5(options_.norm), size3(options_.norm);
    for (std::size_t i = 0; i < judged_; i += kLanes) {
      const Lanes error5 = sum<dop853::kError5>(i), error3 = sum<dop853::kError3>(i);
      for (std::size_t j = 0; j < kLanes && i + j < judged_; ++j) {
        const double scale = scale_of(std::max(std::abs(state_[i + j]), std::abs(trial_[i + j])));
        size5.add(error5[static_cast<int>(j)] / scale);
        size3.add(error3[static_cast<int>(j)] / scale);
      }
    }
    const double squared5 = size5.squared(judged_), squared3 = size3.squared(judged_);
    if (squared5 == 0) return 0;
    return std::abs(h) * squared5 / std::sqrt(squared5 + 0.01 * squared3);
  }

  [[nodiscard]] double scale_of(double y) const { return options_.tolerance * (1 + y); }

  /// The square of a norm, gathered number by number. NaN stays NaN.
  class Size {
   public:
    explicit Size(OdeOptions::Norm norm) : rms_(norm == OdeOptions::Norm::rms) {}
    void add(double x) {
      const double square = x * x;
      if (rms_) sum_ += square;
      else if (square > sum_ || std::isnan(square)) sum_ = square;
    }
    [[nodiscard]] double squared(std::size_t n) const { return rms_ ? sum_ / static_cast<double>(n) : sum_; }

   private:
    bool rms_;
    double sum_ = 0;
  };

  Step accept(double end, double h, double error, bool last, bool refused) {
    ++statistics_.steps;
    previous_t_ = t_;
    t_ = end;
    std::swap(previous_, state_);
    std::swap(state_, trial_);
    slope_ = dop853::kEnd;
    // right after a rejection a step does not grow
    const double grow = refused ? 1 : kGrow;
    const double next = h * std::clamp(kSafety * std::pow(error, -kExponent), kShrink, grow);
    // a step cut short by its limit says nothing against the longer one that was planned
    h_ = last && !refused ? std::max(next, h_) : next;
    return Step::accepted;
  }

  /// Section II.4: from the sizes of y, of its slope, and of the change of slope over one Euler step.
  template <class F>
  [[nodiscard]] double first_step(F& f, double way) {
    const double longest = std::min(std::abs(way), options_.largest_step);
    Size size0(options_.norm), size1(options_.norm);
    for (std::size_t i = 0; i < judged_; ++i) {
      const double scale = scale_of(std::abs(state_[i]));
      size0.add(state_[i] / scale);
      size1.add(stage(0)[i] / scale);
    }
    const double y = std::sqrt(size0.squared(judged_)), slope = std::sqrt(size1.squared(judged_));
    double h = std::min(longest, y < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * y / slope);
    for (int tries = 0; !euler_step(f, std::copysign(h, way)); ++tries) {
      if (tries == kMostRefusals) return h;
      h /= 2;
    }
    Size size2(options_.norm);
    for (std::size_t i = 0; i < judged_; ++i) size2.add((stage(1)[i] - stage(0)[i]) / scale_of(std::abs(state_[i])));
    const double steepest = std::max(slope, std::sqrt(size2.squared(judged_)) / h);
    const double by_slopes = steepest <= 1e-15 ? std::max(1e-6, 1e-3 * h) : std::pow(0.01 / steepest, kExponent);
    return std::min({100 * h, by_slopes, longest});
  }

  template <class F>
  [[nodiscard]] bool euler_step(F& f, double h) {
    for (std::size_t i = 0; i < n_; ++i) trial_[i] = state_[i] + h * stage(0)[i];
    return evaluate(f, t_ + h, trial_.data(), 1);
  }

  std::size_t n_, judged_, padded_;  // arrays end in zeros up to whole lanes
  OdeOptions options_;
  std::vector<double> stages_;  // [stage][n]
  std::vector<double> state_, previous_, trial_;
  std::vector<double> dense_;   // the last four coefficients of the interpolating polynomial
  double t_ = 0, previous_t_ = 0;
  double h_ = 0;   // of the next step, without its sign
  int slope_ = 0;  // the stage that holds f(t, y)
  OdeStatistics statistics_;
};

}  // namespace jounce
