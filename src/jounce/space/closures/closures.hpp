// What loops, couplings and equations demand of the joint coordinates: φ(q) = 0, K v = 0 and K q̈ = k.
//
// A loop of any joint type says that frame j, seen from frame i, is somewhere that the joint's own motion reaches: its
// coordinates s are found from the two frames, and what they cannot reach is the residual. With S(s) the directions the joint
// allows and T a basis of the wrenches it resists, Tᵀ S = 0:
//
//   φ = Tᵀ (error of the frames)      K = Tᵀ (J_j − J_i)      k = −Tᵀ (a_j − a_i − bias of the joint), at q̈ = 0
//
// so one piece of code serves all types, from the same steps that make a joint of the tree (tree/joint.hpp).
//
// An equation of the user's (SpaceEquation) is one row more, with a series of second order in place of the frames: φ(u(t), t) along the motion at q̈ = 0. It may
// move what it holds: K v = ν, which is zero for all others.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/scalar/series.hpp"
#include "jounce/space/closures/loop_joint.hpp"
#include "jounce/space/mechanism.hpp"
#include "jounce/tree/algorithms.hpp"

namespace jounce {

class LoopClosures {
 public:
  explicit LoopClosures(const SpaceMechanism& mechanism);

  struct Loop {
    LoopJoint joint;
    int link_i, link_j;
    Frame<double> frame_i, frame_j;  ///< in the links
    int row;                         ///< its first
    Vec3<double> at{};               ///< origin of frame j
  };
  [[nodiscard]] std::span<const Loop> loops() const { return loops_; }
  /// Couplings have one row each, from here on.
  [[nodiscard]] int first_coupling() const { return first_coupling_; }
  /// Equations of the user's likewise.
  [[nodiscard]] int first_equation() const { return first_equation_; }
  /// Idle turns that are held likewise. Their rows know rates alone: no position is wrong.
  [[nodiscard]] int first_idle() const { return first_idle_; }
  /// Of an idle turn, of length 1, in ground axes.
  [[nodiscard]] const Vec3<double>& line(int idle) const { return lines_[static_cast<std::size_t>(idle)]; }
  /// What a row resists, in ground axes about the origin of frame j of its loop; zero for couplings.
  [[nodiscard]] std::span<const Twist> basis() const { return basis_; }

  struct Row {
    int element = 0;     ///< loops, then couplings, equations and idle turns
    bool metres = true;  ///< its unit: metres or radians
  };
  [[nodiscard]] int size() const { return static_cast<int>(rows_.size()); }
  [[nodiscard]] std::span<const Row> rows() const { return rows_; }
  /// Loops, couplings, equations and idle turns.
  [[nodiscard]] int elements() const { return static_cast<int>(links_of_.size()); }
  /// "loop 'closure'", "coupling 'finger'" or "joint 'rope'".
  [[nodiscard]] std::string name(int element) const;
  /// "closure", "finger", "rope"; of an idle turn the body.
  [[nodiscard]] const std::string& plain_name(int element) const;
  /// The names of all but idle turns.
  [[nodiscard]] std::vector<std::string> plain_names() const;
  /// In the model file; of an idle turn none.
  [[nodiscard]] Where where(int element) const;

  /// From now on equations are taken at this time. Held, they are so for good: nothing moves with t.
  void at_time(double t) { t_ = t; }
  void hold_time() { held_ = true; }
  /// Some equation depends on t.
  [[nodiscard]] bool of_time() const { return of_time_; }

  /// At a state; `work` and `links` are what tree::motion left there with qdd = 0.
  void evaluate(std::span<const double> q, std::span<const double> v, const tree::Workspace<double>& work,
                std::span<const tree::LinkMotion<double>> links);

  [[nodiscard]] std::span<const double> residual() const { return residual_; }
  /// The largest of them, metres or radians.
  [[nodiscard]] double worst() const;
  /// K of one equation: the dofs on the way round its loop, or the two of a coupling. Everything else is zero.
  struct Entries {
    std::span<const int> dofs;
    std::span<const double> values;
    [[nodiscard]] double times(std::span<const double> x) const;
  };
  [[nodiscard]] Entries row(int r) const;
  /// out = K x
  void multiply(std::span<const double> x, std::span<double> out) const;
  /// All of K, row after row, one column for each dof: for a look at a mechanism that is small.
  [[nodiscard]] std::vector<double> jacobian() const;
  /// The links on the way round a loop, or between the two of a coupling: what carries both ends is not among them.
  [[nodiscard]] std::span<const int> links_of(int element) const { return links_of_[static_cast<std::size_t>(element)]; }
  /// k
  [[nodiscard]] std::span<const double> right() const { return right_; }
  /// ν, what K v has to be; of idle turns their rates.
  [[nodiscard]] std::span<const double> drift() const { return drift_; }
  /// An equation that had no value at the last `evaluate`, whose residual is not a number then.
  [[nodiscard]] const std::optional<Fault>& fault() const { return fault_; }
  /// By what a multiplier of a row is divided to be that of the equation as it is written.
  [[nodiscard]] double scale(int row) const;

  /// What multipliers do: wrenches on links, about the ground's origin in ground axes, and efforts of couplings, added.
  void add_forces(std::span<const double> lambda, std::span<tree::Wrench<double>> external, std::span<double> tau) const;
  /// Of some elements alone, idle turns excepted.
  void add_forces_of(std::span<const int> elements, std::span<const double> lambda, std::span<tree::Wrench<double>> external, std::span<double> tau) const;
  /// The wrench that a loop applies on its body j, about the origin of frame j, in ground axes.
  [[nodiscard]] tree::Wrench<double> reaction(int loop, std::span<const double> lambda) const;
  /// What a unit multiplier of an equation does: on links, about the ground's origin in ground axes, or along dofs.
  struct Push {
    int link = tree::kGround;  ///< or none, and a dof
    int dof = -1;
    Vec3<double> at{}, force{};
    double effort = 0;
  };
  [[nodiscard]] std::span<const Push> pushes(int equation) const { return equations_[static_cast<std::size_t>(equation)].pushes; }
  /// The wrench that an equation applies on the body that it names first, about the point that is named, in ground axes; none without such a body.
  [[nodiscard]] tree::Wrench<double> reaction_of_equation(int equation, std::span<const double> lambda) const;

 private:
  struct Equation {
    std::vector<Push> pushes;  // one for each quantity
    std::vector<Series<2>> along;
    std::vector<double> now;   // t and the quantities
  };
  void evaluate_loop(Loop& loop, const tree::Workspace<double>& work, std::span<const tree::LinkMotion<double>> links);
  void set_pattern();
  void add_force(std::size_t loop, std::span<const double> lambda, std::span<tree::Wrench<double>> external) const;
  void add_effort(std::size_t coupling, std::span<const double> lambda, std::span<double> tau) const;
  void add_pushes(std::size_t equation, std::span<const double> lambda, std::span<tree::Wrench<double>> external, std::span<double> tau) const;
  void fill_row(int row, const Loop& loop, const tree::Workspace<double>& work, std::span<const tree::LinkMotion<double>> links);
  void evaluate_couplings(std::span<const double> q);
  void evaluate_equation(std::size_t equation, std::span<const double> q, std::span<const double> v, const tree::Workspace<double>& work,
                         std::span<const tree::LinkMotion<double>> links);
  void fill_equation(std::size_t equation, const tree::Workspace<double>& work, std::span<const tree::LinkMotion<double>> links);
  void evaluate_idle(const tree::Workspace<double>& work, std::span<const tree::LinkMotion<double>> links);

  const SpaceMechanism* mechanism_;
  std::vector<Row> rows_;
  std::vector<double> residual_, values_, right_, drift_;
  std::vector<std::vector<int>> links_of_, dofs_of_;  // of each element
  std::vector<std::size_t> first_;                    // of each row, in values_
  std::vector<Loop> loops_;
  std::vector<Twist> basis_;  // of the rows of loops: T, in ground axes about the origin of frame j
  std::vector<Equation> equations_;
  int first_coupling_ = 0, first_equation_ = 0, first_idle_ = 0;  // rows
  std::vector<Vec3<double>> lines_;                               // of idle turns, of length 1
  double t_ = 0;
  bool held_ = false, of_time_ = false;
  std::optional<Fault> fault_;
  struct Through {
    tree::Wrench<double> load;
    double force = 0, moment = 0;  // how large the parts are that it was added up from
  };
  std::vector<Through> through_;  // of each link, of the equation at hand
};

}  // namespace jounce
