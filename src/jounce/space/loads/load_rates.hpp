// Forces of space and their rates along a motion: the same laws as everywhere, on series of order 1.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jounce/laws/signal.hpp"
#include "jounce/space/mechanism.hpp"

namespace jounce {

struct LoadAndRate {
  /// On a body: force, then moment about its centre of mass, in ground axes.
  struct OnBody {
    int body = 0;
    std::array<double, 6> Q{}, Q_rate{};
  };
  std::vector<double> value, rate;  ///< one for each of its columns
  std::vector<OnBody> bodies;       ///< the moving ones, in the order of its fields
  std::string trouble;              ///< why it has no value, or no rate, here; empty when it has
};

/// What exact dry friction does in a spring: its direction where it slides, and the tension that it holds where it is stuck, with its rate.
struct StrutFriction {
  double direction = laws::kSignOfRate;
  double held = 0, held_rate = 0;
};

class LoadRates {
 public:
  /// The mechanism must outlive it.
  explicit LoadRates(const SpaceMechanism& mechanism);
  LoadRates(LoadRates&&) noexcept;
  ~LoadRates();

  /// One for each force, at coordinates, rates and accelerations of the dofs, until it is asked again; `friction` likewise, or empty: the signs of the rates.
  [[nodiscard]] std::span<const LoadAndRate> at(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a,
                                                std::span<const StrutFriction> friction = {});

 private:
  struct Moved;

  std::unique_ptr<Moved> moved_;
  std::vector<LoadAndRate> found_;
};

}  // namespace jounce
