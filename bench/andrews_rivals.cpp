#include "andrews_rivals.hpp"

#include <algorithm>
#include <cmath>
#include <jounce/analysis/integrators/dop853.hpp>
#include <span>

#include "andrews_ode.hpp"

#ifdef JOUNCE_BENCH_SUNDIALS
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#endif

namespace {

std::array<double, 7> first_seven(const double* y) {
  std::array<double, 7> angles;
  std::copy_n(y, 7, angles.begin());
  return angles;
}

template <void (*rate)(const double*, double*)>
class Dop853Run : public AndrewsRun {
 public:
  explicit Dop853Run(double tol) : ode_(14, {tol}) { std::copy(andrews::kStart.begin(), andrews::kStart.end(), start_); }

  bool run() override {
    const auto f = [](double, std::span<const double> y, std::span<double> out) { rate(y.data(), out.data()); };
    if (!ode_.start(0, start_, f)) return false;
    while (ode_.t() < andrews::kEnd)
      if (ode_.step(f, andrews::kEnd) != jounce::Dop853::Step::accepted) return false;
    return true;
  }
  [[nodiscard]] std::array<double, 7> angles() const override { return first_seven(ode_.y().data()); }
  [[nodiscard]] long steps() const override { return ode_.statistics().steps; }
  [[nodiscard]] long evaluations() const override { return ode_.statistics().evaluations; }

 private:
  jounce::Dop853 ode_;
  double start_[14] = {};
};

#ifdef JOUNCE_BENCH_SUNDIALS

using andrews::Pair;

constexpr long kMostSteps = 1000000;

/// What both solvers of SUNDIALS need: a context and the state.
class SundialsState {
 public:
  explicit SundialsState(int n) {
    SUNContext_Create(nullptr, &context);
    y = N_VNew_Serial(n, context);
    N_VEnableFusedOps_Serial(y, SUNTRUE);
    start = N_VClone(y);
    N_VConst(0, start);
    std::copy(andrews::kStart.begin(), andrews::kStart.end(), N_VGetArrayPointer(start));
  }
  ~SundialsState() {
    N_VDestroy(y);
    N_VDestroy(start);
    SUNContext_Free(&context);
  }
  SundialsState(const SundialsState&) = delete;
  SundialsState& operator=(const SundialsState&) = delete;

  SUNContext context = nullptr;
  N_Vector y = nullptr, start = nullptr;
};

/// Adams, orders 1 to 12, fixed-point iteration: the problem is not stiff.
class CvodeRun : public AndrewsRun {
 public:
  explicit CvodeRun(double tol) : state_(14) {
    memory_ = CVodeCreate(CV_ADAMS, state_.context);
    CVodeInit(memory_, rate, 0, state_.start);
    CVodeSStolerances(memory_, tol, tol);
    iteration_ = SUNNonlinSol_FixedPoint(state_.y, 0, state_.context);
    CVodeSetNonlinearSolver(memory_, iteration_);
    CVodeSetMaxNumSteps(memory_, kMostSteps);
    CVodeSetErrFile(memory_, nullptr);
  }
  ~CvodeRun() override {
    CVodeFree(&memory_);
    SUNNonlinSolFree(iteration_);
  }
  CvodeRun(const CvodeRun&) = delete;
  CvodeRun& operator=(const CvodeRun&) = delete;

  bool run() override {
    double t = 0;
    CVodeReInit(memory_, 0, state_.start);
    return CVode(memory_, andrews::kEnd, state_.y, &t, CV_NORMAL) == CV_SUCCESS;
  }
  [[nodiscard]] std::array<double, 7> angles() const override { return first_seven(N_VGetArrayPointer(state_.y)); }
  [[nodiscard]] long steps() const override {
    long n = 0;
    CVodeGetNumSteps(memory_, &n);
    return n;
  }
  [[nodiscard]] long evaluations() const override {
    long n = 0;
    CVodeGetNumRhsEvals(memory_, &n);
    return n;
  }

 private:
  static int rate(double, N_Vector y, N_Vector out, void*) {
    andrews::rate(N_VGetArrayPointer(y), N_VGetArrayPointer(out));
    return 0;
  }

  SundialsState state_;
  void* memory_ = nullptr;
  SUNNonlinearSolver iteration_ = nullptr;
};

/// BDF, orders 1 to 5, on the equations of index 1 with unknowns q, v, a and the forces that hold the chains together in E.
class IdaRun : public AndrewsRun {
 public:
  explicit IdaRun(double tol) : state_(kUnknowns) {
    slope_ = N_VClone(state_.y);
    start_slope_ = N_VClone(state_.y);
    consistent_start();
    memory_ = IDACreate(state_.context);
    IDAInit(memory_, residual, 0, state_.start, start_slope_);
    jacobian_ = SUNDenseMatrix(kUnknowns, kUnknowns, state_.context);
    linear_ = SUNLinSol_Dense(state_.y, jacobian_, state_.context);
    IDASetLinearSolver(memory_, linear_, jacobian_);
    IDASetJacFn(memory_, jacobian);
    control_errors(tol);
    IDASetMaxNumSteps(memory_, kMostSteps);
    IDASetErrFile(memory_, nullptr);
    IDASetUserData(memory_, this);
  }
  ~IdaRun() override {
    IDAFree(&memory_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(jacobian_);
    N_VDestroy(slope_);
    N_VDestroy(start_slope_);
  }
  IdaRun(const IdaRun&) = delete;
  IdaRun& operator=(const IdaRun&) = delete;

  bool run() override {
    double t = 0;
    differences_ = 0;
    IDAReInit(memory_, 0, state_.start, start_slope_);
    return IDASolve(memory_, andrews::kEnd, &t, state_.y, slope_, IDA_NORMAL) == IDA_SUCCESS;
  }
  [[nodiscard]] std::array<double, 7> angles() const override { return first_seven(N_VGetArrayPointer(state_.y)); }
  [[nodiscard]] long steps() const override {
    long n = 0;
    IDAGetNumSteps(memory_, &n);
    return n;
  }
  [[nodiscard]] long evaluations() const override {
    long n = 0;
    IDAGetNumResEvals(memory_, &n);
    return n + differences_;
  }

 private:
  static constexpr int kV = 7, kA = 14, kForce = 21, kUnknowns = 27;

  /// Accelerations and forces follow from the rest: their errors are not controlled, and Newton's iteration ends at `tol` of
  /// the size they have; with `tol` itself it fails from 3e-12 on.
  void control_errors(double tol) {
    constexpr double kAcceleration = 1e5, kForceSize = 1e2;
    N_Vector differential = N_VClone(state_.y), absolute = N_VClone(state_.y);
    for (int i = 0; i < kUnknowns; ++i) {
      N_VGetArrayPointer(differential)[i] = i < kA ? 1 : 0;
      N_VGetArrayPointer(absolute)[i] = tol * (i < kA ? 1 : i < kForce ? kAcceleration : kForceSize);
    }
    IDASVtolerances(memory_, tol, absolute);
    IDASetId(memory_, differential);
    IDASetSuppressAlg(memory_, SUNTRUE);
    N_VDestroy(differential);
    N_VDestroy(absolute);
  }

  /// M a − f − Φqᵀ λ and Φqq̇q̇ + Φq a, Φ = (E1 − E2, E1 − E3, E1 − E4).
  static void dynamics(const double* y, double* out) {
    const andrews::Terms t = andrews::terms(y, y + kV);
    const double *a = y + kA, *force = y + kForce;
    const Pair held[3] = {{force[0], force[1]}, {force[2], force[3]}, {force[4], force[5]}};
    const auto balance = [&](const andrews::Chain& chain, int i, Pair at_end) {
      const Pair rest = chain.times_mass({a[i], a[i + 1]}) - chain.force;
      out[i] = rest.x - dot(chain.first, at_end);
      out[i + 1] = rest.y - dot(chain.second, at_end);
      return a[i] * chain.first + a[i + 1] * chain.second + chain.bend;
    };
    const Pair crank = balance(t.crank, 0, held[0] + held[1] + held[2]);
    const Pair gap[3] = {crank - a[2] * t.rocker - t.rocker_bend, crank - balance(t.upper, 3, -1 * held[1]),
                         crank - balance(t.lower, 5, -1 * held[2])};
    out[2] = t.rocker_mass * a[2] - t.rocker_force + dot(t.rocker, held[0]);
    for (int i = 0; i < 3; ++i) {
      out[7 + 2 * i] = gap[i].x;
      out[8 + 2 * i] = gap[i].y;
    }
  }

  static int residual(double, N_Vector state, N_Vector slope, N_Vector out, void*) {
    const double *y = N_VGetArrayPointer(state), *dy = N_VGetArrayPointer(slope);
    double* r = N_VGetArrayPointer(out);
    for (int i = 0; i < kA; ++i) r[i] = dy[i] - y[i + 7];
    dynamics(y, r + kA);
    return 0;
  }

  /// Written down where it is constant, by differences elsewhere: half the price of the one IDA would make. Exact for a and λ,
  /// which enter linearly and so may take large differences.
  static int jacobian(double, double cj, N_Vector state, N_Vector, N_Vector, SUNMatrix into, void* self, N_Vector, N_Vector,
                      N_Vector) {
    SUNMatZero(into);
    for (int i = 0; i < kA; ++i) {
      SM_ELEMENT_D(into, i, i) = cj;
      SM_ELEMENT_D(into, i, i + 7) = -1;
    }
    double* y = N_VGetArrayPointer(state);
    double before[13], after[13];
    dynamics(y, before);
    static_cast<IdaRun*>(self)->differences_ += kUnknowns + 1;
    for (int j = 0; j < kUnknowns; ++j) {
      const double kept = y[j], h = j < kA ? 1e-7 * std::max(1.0, std::abs(kept)) : std::max(1.0, std::abs(kept));
      y[j] += h;
      dynamics(y, after);
      y[j] = kept;
      for (int i = 0; i < 13; ++i) SM_ELEMENT_D(into, kA + i, j) = (after[i] - before[i]) / h;
    }
    return 0;
  }

  /// At rest only crank and rod accelerate; the forces between the chains hold the spring.
  void consistent_start() {
    double* y = N_VGetArrayPointer(state_.start);
    double rate[14];
    andrews::rate(y, rate);
    std::copy(rate + 7, rate + 14, y + kA);
    const andrews::Terms t = andrews::terms(y, y + kV);
    // rocker · λ1 = its force, second · λ1 = M a − f of the rod; the dyads carry nothing
    const double rod = t.crank.times_mass({y[kA], y[kA + 1]}).y - t.crank.force.y, scale = 1 / cross(t.rocker, t.crank.second);
    y[kForce] = scale * (t.rocker_force * t.crank.second.y - rod * t.rocker.y);
    y[kForce + 1] = scale * (rod * t.rocker.x - t.rocker_force * t.crank.second.x);
    N_VConst(0, start_slope_);
    std::copy(rate, rate + 14, N_VGetArrayPointer(start_slope_));
  }

  SundialsState state_;
  N_Vector slope_ = nullptr, start_slope_ = nullptr;
  void* memory_ = nullptr;
  SUNMatrix jacobian_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  long differences_ = 0;  // evaluations for the Jacobian
};

#endif

template <class Run>
AndrewsSolver solver(const char* name) {
  return {name, [](double tol) { return std::make_unique<Run>(tol); }};
}

}  // namespace

std::vector<AndrewsSolver> andrews_rivals() {
  return {
      solver<Dop853Run<andrews::rate>>("dop853"),
      solver<Dop853Run<andrews::rate_closed_form>>("dop853 closed"),
#ifdef JOUNCE_BENCH_SUNDIALS
      solver<CvodeRun>("cvode adams"),
      solver<IdaRun>("ida"),
#endif
  };
}
