// A mechanism at rest as the search for an equilibrium sees it, in the plane and in space.
//
// A position is whatever numbers the mechanism keeps it in. Directions, forces and equations are scaled: lengths count in sizes of the
// mechanism, so that forces and moments are both in N m and one number means one thing.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/base/fault.hpp"
#include "jounce/math/dense.hpp"

namespace jounce {

class RestMotion {
 public:
  using Position = std::vector<double>;

  RestMotion() = default;
  virtual ~RestMotion() = default;
  RestMotion(const RestMotion&) = delete;
  RestMotion& operator=(const RestMotion&) = delete;

  // ---- positions -------------------------------------------------------------------------------------------------------

  /// The position of the assembled coordinates q, where the search begins. The mechanism is as large as it is there.
  [[nodiscard]] virtual Position begin(std::span<const double> q) = 0;
  [[nodiscard]] virtual std::vector<double> coordinates(const Position& at) const = 0;
  /// Metres.
  [[nodiscard]] virtual double size() const = 0;
  /// How far the coordinates of a position are from zero.
  [[nodiscard]] virtual double reach(const Position& at) const = 0;
  /// One number for each direction.
  virtual void move(Position& at, std::span<const double> step) = 0;
  [[nodiscard]] virtual std::vector<double> way(const Position& from, const Position& to) = 0;

  // ---- equations and forces --------------------------------------------------------------------------------------------

  /// What is left of each equation.
  [[nodiscard]] virtual std::vector<double> residual(const Position& at) = 0;
  /// One column for each equation, one row for each direction.
  [[nodiscard]] virtual Matrix gradients(const Position& at) = 0;

  struct Forces {
    std::vector<double> along;  ///< each direction
    double work = 0;            ///< the size of the forces at work: they may cancel in the sum
  };
  /// The fault of a force that has no value.
  [[nodiscard]] virtual std::optional<Fault> forces(const Position& at, Forces& out) = 0;

  // ---- along free motions, the columns of Z ----------------------------------------------------------------------------

  /// How the reactions and the forces change; y are the scaled multipliers with Aᵀ y = force, A the gradients transposed.
  [[nodiscard]] virtual Matrix stiffness(const Position& at, std::span<const double> y, const Matrix& Z) = 0;
  /// Empty where some law has no derivative at rest.
  [[nodiscard]] virtual Matrix damping(const Position& at, const Matrix& Z) = 0;
  [[nodiscard]] virtual Matrix mass(const Position& at, const Matrix& Z) = 0;
  /// One row for each of `components`.
  [[nodiscard]] virtual Matrix shapes(const Matrix& Z) const = 0;
  /// The directions of a shape: one number for each of `components` to one for each direction.
  [[nodiscard]] virtual std::vector<double> directions(std::span<const double> shape) const = 0;

  // ---- for results and messages ----------------------------------------------------------------------------------------

  /// Multipliers as results have them, of the y above.
  [[nodiscard]] virtual std::vector<double> multipliers(const Position& at, std::span<const double> y) = 0;
  /// What the numbers of a shape belong to: "crank.phi", "wrist.2".
  [[nodiscard]] virtual std::vector<std::string> components() const = 0;

  struct Direction {
    std::string who;    ///< "body 'crank'"
    std::string along;  ///< " along x"; empty where there is only one way
    std::string name;   ///< "crank"
    Where where;
    bool turns = false;
    double unit = 1;    ///< what counts as one, in metres or radians
  };
  [[nodiscard]] virtual Direction direction(int index) const = 0;
  /// What to do about a motion that nothing holds.
  [[nodiscard]] virtual std::string advice() const = 0;
};

}  // namespace jounce
