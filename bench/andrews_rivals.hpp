// Andrews' squeezing mechanism solved by others: hand-written equations (andrews_ode.hpp) and the solvers people use for them.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// One solver at one tolerance, its memory allocated. `run` solves the whole problem, as often as it is asked to.
class AndrewsRun {
 public:
  AndrewsRun() = default;
  virtual ~AndrewsRun() = default;
  AndrewsRun(const AndrewsRun&) = delete;
  AndrewsRun& operator=(const AndrewsRun&) = delete;

  /// False when the solver itself says that it did not arrive.
  virtual bool run() = 0;
  /// β, θ, γ, φ, δ, Ω, ε at the end.
  [[nodiscard]] virtual std::array<double, 7> angles() const = 0;
  /// Of the last run.
  [[nodiscard]] virtual long steps() const = 0;
  [[nodiscard]] virtual long evaluations() const = 0;
};

struct AndrewsSolver {
  std::string name;
  std::function<std::unique_ptr<AndrewsRun>(double tolerance)> make;
};

/// DOP853 twice, on the equations in seven angles and on their closed form; CVODE and IDA where SUNDIALS was found, on the
/// seven angles.
[[nodiscard]] std::vector<AndrewsSolver> andrews_rivals();
