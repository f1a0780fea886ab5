#include "jounce/plane/spanning/joint_solver.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "jounce/base/index.hpp"
#include "jounce/math/dependent_columns.hpp"
#include "jounce/plane/spanning/joint_space.hpp"

namespace jounce {
namespace {

/// Gradients of a joint that span less than this part of the space that they should.
constexpr double kFlat = 1e-12;
/// An equation of a loop that moves the joints of the tree by less than this part of what it could says nothing to them.
constexpr double kNothing = 1e-10;
/// Equations of loops up to this number are solved for as one full matrix.
constexpr int kDense = 12;

// Where the three entries of a body stand in the values of Φq; −1 where there is none.
using Places = std::array<int, 3>;

Planar3 gather(std::span<const double> jacobian, const Places& at) {
  const auto entry = [&](int place) { return place < 0 ? 0.0 : jacobian[z(place)]; };
  return {entry(at[0]), entry(at[1]), entry(at[2])};
}

// ---- the joint of a link ----------------------------------------------------------------------------------------------

Planar3 cross(const Planar3& a, const Planar3& b) {
  return {a.y * b.phi - a.phi * b.y, a.phi * b.x - a.x * b.phi, a.x * b.y - a.y * b.x};
}

// What the equations of a joint leave to its body, and what makes up for each of them. In units in which a radian counts as much as the
// length scale: `turn` is its inverse. How long the motions are that it leaves is of no account.
class JointBasis {
 public:
  JointBasis(SpanningLink& link, double turn) : link_(link), turn_(turn) {}

  [[nodiscard]] bool find() {
    switch (link_.rows) {
      case 0: link_.allowed[0] = {1, 0, 0}, link_.allowed[1] = {0, 1, 0}, link_.allowed[2] = {0, 0, 1}; return true;
      case 1: return one();
      case 2: return two();
      default: return three();
    }
  }

 private:
  // Rows turn with 1 / length, motions with length.
  [[nodiscard]] Planar3 scaled(const Planar3& row) const { return {row.x, row.y, row.phi * turn_}; }
  [[nodiscard]] Planar3 motion(const Planar3& scaled_motion) const {
    return {scaled_motion.x, scaled_motion.y, scaled_motion.phi * turn_};
  }

  bool one() {
    const Planar3 a = scaled(link_.own[0]);
    const double square = dot(a, a);
    if (!(square > 0)) return false;
    link_.undo[0] = motion(a * (1 / square));
    const double in_plane = std::hypot(a.x, a.y);
    const Planar3 first = in_plane > kFlat * std::sqrt(square) ? Planar3{-a.y / in_plane, a.x / in_plane, 0} : Planar3{1, 0, 0};
    link_.allowed[0] = motion(first);
    link_.allowed[1] = motion(cross(a, first) * (1 / std::sqrt(square)));
    return true;
  }
  bool two() {
    const Planar3 a = scaled(link_.own[0]), b = scaled(link_.own[1]), s = cross(a, b);
    const double square = dot(s, s);
    if (!(square > kFlat * kFlat * dot(a, a) * dot(b, b))) return false;
    const double inverse = 1 / square;
    link_.undo[0] = motion(cross(b, s) * inverse);
    link_.undo[1] = motion(cross(s, a) * inverse);
    link_.allowed[0] = motion(s);
    return true;
  }
  bool three() {
    const Planar3 a = scaled(link_.own[0]), b = scaled(link_.own[1]), c = scaled(link_.own[2]);
    const Planar3 bc = cross(b, c);
    const double volume = dot(a, bc);
    if (!(volume * volume > kFlat * kFlat * dot(a, a) * dot(b, b) * dot(c, c))) return false;
    link_.undo[0] = motion(bc * (1 / volume));
    link_.undo[1] = motion(cross(c, a) * (1 / volume));
    link_.undo[2] = motion(cross(a, b) * (1 / volume));
    return true;
  }

  SpanningLink& link_;
  double turn_;
};

// ---- equations that close loops ----------------------------------------------------------------------------------------

/// Symmetric and positive definite, with a pattern that stays: full where it is small, sparse otherwise.
class ClosureFactors {
 public:
  /// `neighbours` of i: the j ≤ i with an entry, i the last.
  void set_up(const std::vector<std::vector<int>>& neighbours) {
    size_ = static_cast<int>(neighbours.size());
    dense_ = size_ <= kDense;
    value_.assign(z(size_) * z(dense_ ? size_ : 0), 0.0);
    if (dense_) return;
    std::vector<Eigen::Triplet<double>> places;
    for (int i = 0; i < size_; ++i)
      for (const int j : neighbours[z(i)]) places.emplace_back(j, i, 1.0);
    sparse_.resize(size_, size_);
    sparse_.setFromTriplets(places.begin(), places.end());
    factors_.analyzePattern(sparse_);
  }
  /// An order of the unknowns in which few entries are filled in.
  static std::vector<int> good_order(const std::vector<std::vector<int>>& neighbours) {
    std::vector<Eigen::Triplet<double>> places;
    const int size = static_cast<int>(neighbours.size());
    for (int i = 0; i < size; ++i)
      for (const int j : neighbours[z(i)]) places.emplace_back(j, i, 1.0);
    Matrix upper(size, size);
    upper.setFromTriplets(places.begin(), places.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
    Eigen::AMDOrdering<int>{}(upper.selfadjointView<Eigen::Upper>(), permutation);
    return {permutation.indices().begin(), permutation.indices().end()};
  }

  /// The entries of i with its neighbours.
  void set_row(int i, std::span<const int> neighbours, std::span<const double> entries) {
    if (!dense_) {
      std::ranges::copy(entries, sparse_.valuePtr() + sparse_.outerIndexPtr()[i]);
      return;
    }
    std::fill_n(&at(i, 0), i, 0.0);
    for (std::size_t n = 0; n < neighbours.size(); ++n) at(i, neighbours[n]) = entries[n];
  }
  bool factor() {
    if (!dense_) {
      factors_.factorize(sparse_);
      return factors_.info() == Eigen::Success;
    }
    for (int i = 0; i < size_; ++i)
      for (int j = 0; j <= i; ++j) {
        double sum = at(i, j);
        for (int k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
        if (i == j && !(sum > 0)) return false;
        at(i, j) = i == j ? std::sqrt(sum) : sum / at(j, j);
      }
    return true;
  }
  void solve(std::span<double> x) const {
    if (!dense_) {
      Eigen::Map<Eigen::VectorXd> own(x.data(), size_);
      factors_.matrixL().solveInPlace(own);
      factors_.matrixU().solveInPlace(own);
      return;
    }
    for (int i = 0; i < size_; ++i) {
      for (int k = 0; k < i; ++k) x[z(i)] -= at(i, k) * x[z(k)];
      x[z(i)] /= at(i, i);
    }
    for (int i = size_; i-- > 0;) {
      for (int k = i + 1; k < size_; ++k) x[z(i)] -= at(k, i) * x[z(k)];
      x[z(i)] /= at(i, i);
    }
  }

 private:
  using Matrix = Eigen::SparseMatrix<double>;

  double& at(int i, int j) { return value_[z(i) * z(size_) + z(j)]; }
  [[nodiscard]] double at(int i, int j) const { return value_[z(i) * z(size_) + z(j)]; }

  int size_ = 0;
  bool dense_ = true;
  std::vector<double> value_;
  Matrix sparse_;  // the upper half
  Eigen::SimplicialLLT<Matrix, Eigen::Upper, Eigen::NaturalOrdering<int>> factors_;
};

/// One equation of C.
struct Closure {
  struct On {
    int link = 0;
    Places places;
    Planar3 gradient;
  };
  int row = 0;
  std::vector<On> on;  // the moving bodies
  SpanningPath path;
  std::vector<int> reach;
  std::vector<double> y;       // by reach
  int number = 0;              // among the independent ones; −1: it depends on the others
  std::vector<double> shared;  // products with those before it that it shares dofs with, and its own
  std::vector<int> neighbours;
};

// Σ carrier undoᵀ: what a force on a link does to its parent through the joint.
struct HandOn {
  Planar3 x, y, phi;

  HandOn() = default;
  explicit HandOn(const SpanningLink& link) {
    for (int row = 0; row < link.rows; ++row) {
      x += link.undo[row] * link.carrier[row].x;
      y += link.undo[row] * link.carrier[row].y;
      phi += link.undo[row] * link.carrier[row].phi;
    }
  }
  [[nodiscard]] Planar3 operator()(const Planar3& f) const { return {dot(x, f), dot(y, f), dot(phi, f)}; }
};

class JointSolver final : public SaddleSolver {
 public:
  JointSolver(Formulation formulation, const PlanarSystem& system)
      : system_(system), tree_(spanning_tree(system)), space_(make_joint_space(formulation, system, tree_)),
        turn_(1 / system.length_scale()) {
    find_lightest();
    set_up_links();
    set_up_closures();
    y_.resize(z(space_->dofs()));
    spread_.resize(y_.size());
    force_.resize(links_.size()), motion_.resize(links_.size()), hand_on_.resize(links_.size());
    multiplier_.reserve(closures_.size());
  }

  [[nodiscard]] std::span<const int> dropped() const override { return dropped_; }

  bool factor(std::span<const double> jacobian, std::span<const double> q) override {
    for (std::size_t i = 0; i < links_.size(); ++i)
      if (!place(i, jacobian, q)) return false;
    if (!space_->factor(links_, q)) return false;
    std::ranges::fill(force_, Planar3{});
    for (Closure& c : closures_) answer(c, jacobian);
    if (!begun_ || !dropped_.empty()) choose_independent();
    return independent_ == 0 || factor_closures();
  }

  void solve(std::span<const double> g, std::span<const double> r, std::span<double> delta, std::span<double> lambda) override {
    start(g, r);
    space_->inward(links_, force_, y_);
    close(r, lambda);
    settle(g, delta);
    balance(lambda);
  }

  // v = J w: y = H½ Jᵀ M v = H½ H w, and ½ yᵀ y = ½ wᵀ H w.
  double kinetic(std::span<const double> v) override {
    for (std::size_t i = 0; i < links_.size(); ++i) force_[i] = momentum(links_[i], of(v, links_[i].body));
    space_->inward(links_, force_, y_);
    double sum = 0;
    for (const double a : y_) sum += a * a;
    return 0.5 * sum;
  }
  [[nodiscard]] int unknowns() const override { return space_->dofs() + independent_; }

 private:
  // ---- once ----

  void find_lightest() {
    double mass = std::numeric_limits<double>::infinity(), inertia = mass;
    for (std::size_t i = 0; i < system_.mass().size(); ++i)
      if (double& least = i % 3 == 2 ? inertia : mass; system_.mass()[i] > 0) least = std::min(least, system_.mass()[i]);
    if (std::isfinite(mass)) lightest_[0] = mass;
    if (std::isfinite(inertia)) lightest_[1] = inertia;
  }

  void set_up_links() {
    int dofs = 0;
    for (const SpanningTree::Edge& edge : tree_.edges) {
      SpanningLink link;
      link.body = edge.body;
      link.parent = edge.parent == 0 ? -1 : tree_.edge_of[z(edge.parent)];
      if (edge.constraint >= 0) {
        const Constraint& joint = system_.constraints()[z(edge.constraint)];
        link.first_row = joint.first_row, link.rows = joint.rows;
      }
      link.first_dof = dofs, link.dofs = 3 - link.rows;
      dofs += link.dofs;
      for (int c = 0; c < 3; ++c) link.mass[c] = system_.mass()[z(3 * (link.body - 1) + c)];
      links_.push_back(link);
      for (int row = 0; row < link.rows; ++row) {
        own_places_.push_back(places(link.first_row + row, edge.body));
        carrier_places_.push_back(places(link.first_row + row, edge.parent));
      }
    }
  }

  void set_up_closures() {
    for (const int c : tree_.closures) {
      const Constraint& constraint = system_.constraints()[z(c)];
      for (int row = 0; row < constraint.rows; ++row) {
        Closure closure;
        closure.row = constraint.first_row + row;
        std::vector<int> bodies = constraint.bodies;
        std::ranges::sort(bodies);
        bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
        for (const int body : bodies)
          if (body > 0) closure.on.push_back({tree_.edge_of[z(body)], places(closure.row, body), {}});
        closure.path = path(closure);
        closure.reach = space_->reach(closure.path);
        closure.y.resize(closure.reach.size());
        closures_.push_back(std::move(closure));
      }
    }
  }

  [[nodiscard]] Places places(int row, int body) const {
    Places out{-1, -1, -1};
    if (body == 0) return out;
    const SparsePattern& p = system_.pattern();
    for (int c = 0; c < 3; ++c) {
      const int column = 3 * (body - 1) + c;
      const auto first = p.row.begin() + p.start[z(column)], last = p.row.begin() + p.start[z(column) + 1];
      const auto at = std::lower_bound(first, last, row);
      if (at != last && *at == row) out[z(c)] = static_cast<int>(at - p.row.begin());
    }
    return out;
  }

  // All that carries the bodies of an equation, tips first.
  [[nodiscard]] SpanningPath path(const Closure& closure) const {
    SpanningPath out;
    for (const Closure::On& on : closure.on)
      for (int link = on.link; link >= 0; link = links_[z(link)].parent) out.links.push_back(link);
    std::ranges::sort(out.links, std::greater<>());
    out.links.erase(std::unique(out.links.begin(), out.links.end()), out.links.end());
    for (const int link : out.links)
      for (int a = 0; a < links_[z(link)].dofs; ++a) out.dofs.push_back(links_[z(link)].first_dof + a);
    return out;
  }

  // ---- at a position ----

  // Flat: it spends more time in calls than in its sums otherwise.
  [[gnu::flatten]] bool place(std::size_t i, std::span<const double> jacobian, std::span<const double> q) {
    SpanningLink& link = links_[i];
    const double* own = q.data() + 3 * (link.body - 1);
    if (link.parent >= 0) {
      const double* parent = q.data() + 3 * (links_[z(link.parent)].body - 1);
      link.arm_x = own[0] - parent[0], link.arm_y = own[1] - parent[1];
    }
    const std::size_t first = first_place(i);
    for (int row = 0; row < link.rows; ++row) {
      link.own[row] = gather(jacobian, own_places_[first + z(row)]);
      link.carrier[row] = gather(jacobian, carrier_places_[first + z(row)]);
    }
    if (!JointBasis(link, turn_).find()) return false;
    hand_on_[i] = HandOn(link);
    return true;
  }
  [[nodiscard]] std::size_t first_place(std::size_t i) const { return 3 * i - z(links_[i].first_dof); }  // each link has rows + dofs = 3

  // y = H½ Jᵀ of the equation's gradient.
  void answer(Closure& c, std::span<const double> jacobian) {
    for (Closure::On& on : c.on) {
      on.gradient = gather(jacobian, on.places);
      force_[z(on.link)] += on.gradient;
    }
    space_->inward(links_, c.path, force_, c.y);
  }

  // Leaves out equations of C until the rest are independent.
  void choose_independent() {
    begun_ = true;
    dropped_.clear();
    independent_ = 0;
    if (closures_.empty()) return;
    for (Closure& c : closures_) c.number = 0;
    for (const int c : dependent()) closures_[z(c)].number = -1;
    for (Closure& c : closures_) {
      if (c.number < 0) dropped_.push_back(c.row);
      else c.number = independent_++;
    }
    std::ranges::sort(dropped_);
    if (const int count = static_cast<int>(dropped_.size()); surplus_ == 0 || count < surplus_) surplus_ = count;
    find_neighbours();
  }

  // The longest that y can be: M½ J H½ᵀ has orthonormal columns, so y is the shadow of M^-½ times the gradient. What the tree makes
  // zero is rounding against this, not against itself.
  [[nodiscard]] double longest(const Closure& c) const {
    double square = 0;
    for (const Closure::On& on : c.on) {
      const double* mass = links_[z(on.link)].mass;
      square += on.gradient.x * on.gradient.x / std::max(mass[0], lightest_[0]);
      square += on.gradient.y * on.gradient.y / std::max(mass[1], lightest_[0]);
      square += on.gradient.phi * on.gradient.phi / std::max(mass[2], lightest_[1]);
    }
    return std::sqrt(square);
  }

  // Columns of Yᵀ that others make up.
  [[nodiscard]] std::vector<int> dependent() const {
    SparsePattern pattern{space_->dofs(), static_cast<int>(closures_.size()), {0}, {}};
    std::vector<double> values, sizes;
    for (const Closure& c : closures_) {
      sizes.push_back(longest(c));
      std::vector<std::pair<int, double>> column;
      for (std::size_t k = 0; k < c.reach.size(); ++k) column.emplace_back(c.reach[k], c.y[k]);
      std::ranges::sort(column);
      double square = 0;
      for (const double a : c.y) square += a * a;
      const bool nothing = !(std::sqrt(square) > kNothing * sizes.back());
      for (const auto& [dof, value] : column) pattern.row.push_back(dof), values.push_back(nothing ? 0.0 : value);
      pattern.start.push_back(pattern.entries());
    }
    return dependent_columns(pattern, values, surplus_, sizes);
  }

  // Numbers the independent ones so that their matrix stays sparse.
  void find_neighbours() {
    chosen_.clear();
    for (std::size_t c = 0; c < closures_.size(); ++c)
      if (closures_[c].number >= 0) chosen_.push_back(static_cast<int>(c));
    const std::vector<int> order = ClosureFactors::good_order(neighbour_lists());
    std::vector<int> ordered;
    ordered.reserve(order.size());
    for (const int i : order) ordered.push_back(chosen_[z(i)]);
    chosen_ = ordered;
    const std::vector<std::vector<int>> lists = neighbour_lists();
    factors_.set_up(lists);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      Closure& closure = closures_[z(chosen_[i])];
      closure.number = static_cast<int>(i);
      closure.neighbours = lists[i];
      closure.shared.assign(lists[i].size(), 0.0);
    }
    multiplier_.assign(z(independent_), 0.0);
  }

  // Equations that share a dof meet in Y Yᵀ. Of each chosen one: those not after it, in its order, itself the last.
  [[nodiscard]] std::vector<std::vector<int>> neighbour_lists() const {
    std::vector<std::vector<int>> users(y_.size()), lists;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      std::vector<int>& own = lists.emplace_back(1, static_cast<int>(i));
      for (const int dof : closures_[z(chosen_[i])].reach) {
        own.insert(own.end(), users[z(dof)].begin(), users[z(dof)].end());
        users[z(dof)].push_back(static_cast<int>(i));
      }
      std::ranges::sort(own);
      own.erase(std::unique(own.begin(), own.end()), own.end());
    }
    return lists;
  }

  bool factor_closures() {
    for (const int c : chosen_) {
      Closure& own = closures_[z(c)];
      for (std::size_t k = 0; k < own.reach.size(); ++k) spread_[z(own.reach[k])] = own.y[k];
      for (std::size_t n = 0; n < own.neighbours.size(); ++n) {
        const Closure& other = closures_[z(chosen_[z(own.neighbours[n])])];
        double sum = 0;
        for (std::size_t k = 0; k < other.reach.size(); ++k) sum += other.y[k] * spread_[z(other.reach[k])];
        own.shared[n] = sum;
      }
      for (const int dof : own.reach) spread_[z(dof)] = 0;
      factors_.set_row(own.number, own.neighbours, own.shared);
    }
    return factors_.factor();
  }

  // ---- one right-hand side ----

  static Planar3 of(std::span<const double> x, int body) {
    const double* at = x.data() + 3 * (body - 1);
    return {at[0], at[1], at[2]};
  }
  static Planar3 momentum(const SpanningLink& link, const Planar3& d) { return {link.mass[0] * d.x, link.mass[1] * d.y, link.mass[2] * d.phi}; }

  void start(std::span<const double> g, std::span<const double> r) {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const SpanningLink& link = links_[i];
      Planar3 d;
      for (int row = 0; row < link.rows; ++row) d -= link.undo[row] * r[z(link.first_row + row)];
      if (link.parent >= 0) d += link.carried(motion_[z(link.parent)]);
      motion_[i] = d;
      force_[i] = of(g, link.body);
      force_[i] -= momentum(link, d);
    }
  }

  void close(std::span<const double> r, std::span<double> lambda) {
    for (const int row : dropped_) lambda[z(row)] = 0;
    if (independent_ == 0) return;
    for (const int c : chosen_) {
      const Closure& own = closures_[z(c)];
      double sum = r[z(own.row)];
      for (const Closure::On& on : own.on) sum += dot(on.gradient, motion_[z(on.link)]);
      for (std::size_t k = 0; k < own.reach.size(); ++k) sum += own.y[k] * y_[z(own.reach[k])];
      multiplier_[z(own.number)] = sum;
    }
    factors_.solve(multiplier_);
    for (const int c : chosen_) {
      const Closure& own = closures_[z(c)];
      const double value = multiplier_[z(own.number)];
      lambda[z(own.row)] = value;
      for (std::size_t k = 0; k < own.reach.size(); ++k) y_[z(own.reach[k])] -= own.y[k] * value;
    }
  }

  // The motion, and what it leaves of the forces on each body for the joints.
  void settle(std::span<const double> g, std::span<double> delta) {
    space_->outward(links_, y_, force_);
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const SpanningLink& link = links_[i];
      Planar3 d = copied(motion_[i]);
      d += force_[i];
      double* at = delta.data() + 3 * (link.body - 1);
      at[0] = d.x, at[1] = d.y, at[2] = d.phi;
      force_[i] = of(g, link.body);
      force_[i] -= momentum(link, d);
    }
  }

  void balance(std::span<double> lambda) {
    for (const int c : chosen_)
      for (const Closure::On& on : closures_[z(c)].on) force_[z(on.link)] -= on.gradient * lambda[z(closures_[z(c)].row)];
    for (std::size_t i = links_.size(); i-- > 0;) {
      const SpanningLink& link = links_[i];
      const Planar3 f = copied(force_[i]);
      if (link.parent >= 0) force_[z(link.parent)] -= hand_on_[i](f);
      for (int row = 0; row < link.rows; ++row) lambda[z(link.first_row + row)] = dot(link.undo[row], f);
    }
  }

  const PlanarSystem& system_;
  SpanningTree tree_;
  std::unique_ptr<JointSpace> space_;
  double turn_;
  std::vector<SpanningLink> links_;
  std::vector<HandOn> hand_on_;
  std::vector<Places> own_places_, carrier_places_;  // [link][row]
  std::vector<Closure> closures_;
  std::vector<int> chosen_;  // closures that are independent
  ClosureFactors factors_;
  std::array<double, 2> lightest_{1, 1};  // mass and inertia, of those that are not zero
  int independent_ = 0, surplus_ = 0;  // surplus: the fewest that were ever left out
  bool begun_ = false;
  std::vector<int> dropped_;
  std::vector<double> y_, spread_, multiplier_;
  std::vector<Planar3> force_, motion_;
};

}  // namespace

std::unique_ptr<SaddleSolver> make_joint_solver(Formulation formulation, const PlanarSystem& system) {
  return std::make_unique<JointSolver>(formulation, system);
}

}  // namespace jounce
