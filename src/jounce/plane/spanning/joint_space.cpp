#include "jounce/plane/spanning/joint_space.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "jounce/base/index.hpp"
#include "jounce/plane/spanning/kane_partials.hpp"

namespace jounce {
namespace {

/// A pivot below this part of what it was made from is rounding: the joint moves no mass.
constexpr double kNoMass = 1e-13;

/// Symmetric, of x, y, phi.
struct Inertia {
  double xx = 0, xy = 0, yy = 0, xp = 0, yp = 0, pp = 0;

  [[nodiscard]] Planar3 times(const Planar3& d) const {
    return {xx * d.x + xy * d.y + xp * d.phi, xy * d.x + yy * d.y + yp * d.phi, xp * d.x + yp * d.y + pp * d.phi};
  }
  /// Less u uᵀ / pivot.
  void reduce(const Planar3& u, double inverse_pivot) {
    const Planar3 v = u * inverse_pivot;
    xx -= v.x * u.x, xy -= v.x * u.y, yy -= v.y * u.y;
    xp -= v.x * u.phi, yp -= v.y * u.phi, pp -= v.phi * u.phi;
  }
  /// With Xᵀ a X, where X carries the parent's motion to the link.
  void take(const Inertia& a, double arm_x, double arm_y) {
    const double turned_x = a.xp - arm_y * a.xx + arm_x * a.xy, turned_y = a.yp - arm_y * a.xy + arm_x * a.yy;
    xx += a.xx, xy += a.xy, yy += a.yy;
    xp += turned_x, yp += turned_y;
    pp += a.pp - arm_y * (a.xp + turned_x) + arm_x * (a.yp + turned_y);
  }
};

Inertia own_inertia(const SpanningLink& link) { return {link.mass[0], 0, link.mass[1], 0, 0, link.mass[2]}; }

// Of each link: the place of its first dof on the way from the ground.
std::vector<int> dof_starts(const SpanningTree& tree, const PlanarSystem& system) {
  std::vector<int> out{0};
  for (const SpanningTree::Edge& edge : tree.edges)
    out.push_back(out.back() + 3 - (edge.constraint < 0 ? 0 : system.constraints()[z(edge.constraint)].rows));
  return out;
}

// ---- aba -------------------------------------------------------------------------------------------------------------
//
// D = Sᵀ IA S = C Cᵀ with a triangular C. The columns of S are kept as W = S C⁻ᵀ, so that Wᵀ IA W = 1, and U = IA W:
//
//   y = Wᵀ p,  the parent gets Xᵀ (p − U y);     motion = X d + W (y − Uᵀ X d)
//
// Along a chain every link waits for the one before, so what stands between them is kept as one matrix, T = (1 − W Uᵀ) X:
//
//   the parent gets Tᵀ p;     motion = T d + W y

class Articulated final : public JointSpace {
 public:
  Articulated(const PlanarSystem& system, const SpanningTree& tree) : dofs_(dof_starts(tree, system).back()), links_(tree.edges.size()) {}

  [[nodiscard]] int dofs() const override { return dofs_; }
  [[nodiscard]] std::vector<int> reach(const SpanningPath& path) const override { return path.dofs; }

  bool factor(std::span<const SpanningLink> links, std::span<const double> /*q*/) override {
    for (std::size_t i = 0; i < links.size(); ++i) links_[i].inertia = own_inertia(links[i]);
    for (std::size_t i = links.size(); i-- > 0;) {
      const SpanningLink& link = links[i];
      Own& own = links_[i];
      Planar3 push[3];
      Inertia rest{own.inertia.xx, own.inertia.xy, own.inertia.yy, own.inertia.xp, own.inertia.yp, own.inertia.pp};
      for (int a = 0; a < link.dofs; ++a) {  // Gram and Schmidt, in the metric of the inertia
        const Planar3 s = copied(link.allowed[a]);
        Planar3 w = s, u = own.inertia.times(s);
        const double square = dot(s, u);
        double pivot = square;
        if (a > 0) {
          for (int b = 0; b < a; ++b) w -= own.allowed[b] * dot(push[b], s);
          u = own.inertia.times(w);
          pivot = dot(w, u);
        }
        if (!(pivot > kNoMass * square)) return false;
        const double inverse = 1 / pivot, scale = std::sqrt(inverse);
        rest.reduce(u, inverse);
        own.allowed[a] = w * scale;
        push[a] = u * scale;
      }
      if (link.parent < 0) continue;
      links_[z(link.parent)].inertia.take(rest, link.arm_x, link.arm_y);
      own.set_across(link, push);
    }
    return true;
  }

  void inward(std::span<const SpanningLink> links, std::span<Planar3> force, std::span<double> y) override {
    for (std::size_t i = links.size(); i-- > 0;) pass(links, i, force, y.data() + links[i].first_dof);
  }
  void inward(std::span<const SpanningLink> links, const SpanningPath& path, std::span<Planar3> force, std::span<double> y) override {
    double* out = y.data();
    for (const int i : path.links) {
      pass(links, z(i), force, out);
      out += links[z(i)].dofs;
      force[z(i)] = {};
    }
  }
  void outward(std::span<const SpanningLink> links, std::span<double> y, std::span<Planar3> motion) override {
    for (std::size_t i = 0; i < links.size(); ++i) {
      const SpanningLink& link = links[i];
      const Own& own = links_[i];
      Planar3 d;
      for (int a = 0; a < link.dofs; ++a) d += own.allowed[a] * y[z(link.first_dof + a)];
      if (link.parent >= 0) d += own.carried(motion[z(link.parent)]);
      motion[i].x = d.x, motion[i].y = d.y, motion[i].phi = d.phi;
    }
  }

 private:
  struct Own {
    Inertia inertia;
    Planar3 allowed[3];  // W
    Planar3 across[3];   // columns of T: what a step of the parent in x, y, phi does to the link

    void set_across(const SpanningLink& link, const Planar3* push) {
      Planar3 x{1, 0, 0}, y{0, 1, 0};
      for (int a = 0; a < link.dofs; ++a) x -= allowed[a] * push[a].x, y -= allowed[a] * push[a].y;
      Planar3 phi{0, 0, 1};
      for (int a = 0; a < link.dofs; ++a) phi -= allowed[a] * push[a].phi;
      phi -= x * link.arm_y, phi += y * link.arm_x;
      across[0] = x, across[1] = y, across[2] = phi;
    }
    [[nodiscard]] Planar3 carried(const Planar3& d) const {
      return {across[0].x * d.x + across[1].x * d.y + across[2].x * d.phi, across[0].y * d.x + across[1].y * d.y + across[2].y * d.phi,
              across[0].phi * d.x + across[1].phi * d.y + across[2].phi * d.phi};
    }
    [[nodiscard]] Planar3 passed_on(const Planar3& f) const { return {dot(across[0], f), dot(across[1], f), dot(across[2], f)}; }
  };

  void pass(std::span<const SpanningLink> links, std::size_t i, std::span<Planar3> force, double* y) const {
    const SpanningLink& link = links[i];
    const Own& own = links_[i];
    const Planar3 f = copied(force[i]);
    if (link.parent >= 0) force[z(link.parent)] += own.passed_on(f);
    for (int a = 0; a < link.dofs; ++a) y[a] = dot(own.allowed[a], f);
  }

  int dofs_;
  std::vector<Own> links_;
};

// ---- crba ------------------------------------------------------------------------------------------------------------
//
// Row k of H has an entry for each dof on the way from the ground to k, k last: the way to a carrier is the beginning of the way to what
// it carries. H = Lᵀ L from the tips inward (Featherstone) fills in nothing.

class Composite final : public JointSpace {
 public:
  Composite(const PlanarSystem& system, const SpanningTree& tree) : inertia_(tree.edges.size()) {
    const std::vector<int> first = dof_starts(tree, system);
    way_start_.push_back(0);
    for (std::size_t i = 0; i < tree.edges.size(); ++i) {
      const int parent = tree.edges[i].parent == 0 ? -1 : tree.edge_of[z(tree.edges[i].parent)];
      int before = parent < 0 ? -1 : last_dof_[z(parent)];
      for (int dof = first[i]; dof < first[i + 1]; ++dof) {
        const std::vector<int> way = before < 0 ? std::vector<int>{} : std::vector<int>(way_.begin() + way_start_[z(before)], way_.begin() + way_start_[z(before) + 1]);
        way_.insert(way_.end(), way.begin(), way.end());
        way_.push_back(dof);
        way_start_.push_back(static_cast<int>(way_.size()));
        before = dof;
      }
      last_dof_.push_back(before);
    }
    h_.assign(way_.size(), 0.0);
    spread_.assign(z(dofs()), 0.0);
  }

  [[nodiscard]] int dofs() const override { return static_cast<int>(way_start_.size()) - 1; }
  [[nodiscard]] std::vector<int> reach(const SpanningPath& path) const override { return path.dofs; }

  bool factor(std::span<const SpanningLink> links, std::span<const double> /*q*/) override {
    for (std::size_t i = 0; i < links.size(); ++i) inertia_[i] = own_inertia(links[i]);
    for (std::size_t i = links.size(); i-- > 0;) {
      const SpanningLink& link = links[i];
      for (int a = 0; a < link.dofs; ++a) fill_row(links, i, a);
      if (link.parent >= 0) inertia_[z(link.parent)].take(inertia_[i], link.arm_x, link.arm_y);
    }
    return eliminate();
  }

  void inward(std::span<const SpanningLink> links, std::span<Planar3> force, std::span<double> y) override {
    for (std::size_t i = links.size(); i-- > 0;) project(links, i, force, y.data() + links[i].first_dof);
    for (int k = dofs(); k-- > 0;) solve_step(k, y.data());
  }
  void inward(std::span<const SpanningLink> links, const SpanningPath& path, std::span<Planar3> force, std::span<double> y) override {
    for (const int i : path.links) {
      project(links, z(i), force, spread_.data() + links[z(i)].first_dof);
      force[z(i)] = {};
    }
    for (const int i : path.links)
      for (int a = links[z(i)].dofs; a-- > 0;) solve_step(links[z(i)].first_dof + a, spread_.data());
    for (std::size_t k = 0; k < path.dofs.size(); ++k) y[k] = std::exchange(spread_[z(path.dofs[k])], 0.0);
  }
  void outward(std::span<const SpanningLink> links, std::span<double> y, std::span<Planar3> motion) override {
    for (int k = 0; k < dofs(); ++k) {
      const int length = row_length(k);
      const double* row = h_.data() + way_start_[z(k)];
      const int* way = way_.data() + way_start_[z(k)];
      double sum = y[z(k)];
      for (int p = 0; p < length - 1; ++p) sum -= row[p] * y[z(way[p])];
      y[z(k)] = sum / row[length - 1];
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
      const SpanningLink& link = links[i];
      motion[i] = link.parent < 0 ? Planar3{} : link.carried(motion[z(link.parent)]);
      for (int a = 0; a < link.dofs; ++a) motion[i] += link.allowed[a] * y[z(link.first_dof + a)];
    }
  }

 private:
  [[nodiscard]] int row_length(int k) const { return way_start_[z(k) + 1] - way_start_[z(k)]; }

  // Along dof a of a link everything beyond it moves as one body: what its joint and all before it feel of that.
  void fill_row(std::span<const SpanningLink> links, std::size_t i, int a) {
    const int k = links[i].first_dof + a;
    double* entry = h_.data() + way_start_[z(k) + 1];
    Planar3 momentum = inertia_[i].times(links[i].allowed[a]);
    for (int b = a; b >= 0; --b) *--entry = dot(links[i].allowed[b], momentum);
    for (int at = static_cast<int>(i); links[z(at)].parent >= 0;) {
      momentum = links[z(at)].passed_on(momentum);
      at = links[z(at)].parent;
      for (int b = links[z(at)].dofs; b-- > 0;) *--entry = dot(links[z(at)].allowed[b], momentum);
    }
  }

  bool eliminate() {
    for (int k = dofs(); k-- > 0;) {
      const int last = row_length(k) - 1;
      double* row = h_.data() + way_start_[z(k)];
      const int* way = way_.data() + way_start_[z(k)];
      const double pivot = row[last];
      if (!(pivot > 0)) return false;
      const double root = std::sqrt(pivot);
      row[last] = root;
      for (int p = 0; p < last; ++p) row[p] /= root;
      for (int p = 0; p < last; ++p) {
        double* other = h_.data() + way_start_[z(way[p])];
        const double factor = row[p], diagonal = other[p];
        for (int s = 0; s <= p; ++s) other[s] -= factor * row[s];
        if (!(other[p] > kNoMass * diagonal)) return false;
      }
    }
    return true;
  }

  static void project(std::span<const SpanningLink> links, std::size_t i, std::span<Planar3> force, double* tau) {
    const SpanningLink& link = links[i];
    for (int a = 0; a < link.dofs; ++a) tau[a] = dot(link.allowed[a], force[i]);
    if (link.parent >= 0) force[z(link.parent)] += link.passed_on(force[i]);
  }

  // One step of y = L⁻ᵀ τ.
  void solve_step(int k, double* y) const {
    const int last = row_length(k) - 1;
    const double* row = h_.data() + way_start_[z(k)];
    const int* way = way_.data() + way_start_[z(k)];
    y[k] /= row[last];
    for (int p = 0; p < last; ++p) y[way[p]] -= row[p] * y[k];
  }

  std::vector<Inertia> inertia_;
  std::vector<int> way_start_, way_, last_dof_;  // dofs from the ground to each dof; of each link, the last dof on its way
  std::vector<double> h_;                        // H, then L
  std::vector<double> spread_;
};

// ---- kane ------------------------------------------------------------------------------------------------------------

class Partial final : public JointSpace {
 public:
  Partial(const PlanarSystem& system, const SpanningTree& tree)
      : partials_(system, tree), mass_(system.mass()), n_(static_cast<int>(partials_.coordinates().size())), m_(n_, n_) {}

  [[nodiscard]] int dofs() const override { return n_; }
  [[nodiscard]] std::vector<int> reach(const SpanningPath&) const override {
    std::vector<int> all(z(n_));
    for (int k = 0; k < n_; ++k) all[z(k)] = k;
    return all;
  }

  bool factor(std::span<const SpanningLink> /*links*/, std::span<const double> q) override {
    partials_.set_position(q);
    joint_inertia(partials_, mass_, m_);
    return cholesky();
  }

  void inward(std::span<const SpanningLink> links, std::span<Planar3> force, std::span<double> y) override {
    const DenseMatrix &V = partials_.Vpd(), &W = partials_.Wpd();
    for (int k = 0; k < n_; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < links.size(); ++i) {
        const int b = links[i].body - 1;
        sum += V.at(k, 2 * b) * force[i].x + V.at(k, 2 * b + 1) * force[i].y + W.at(k, b) * force[i].phi;
      }
      y[z(k)] = sum;
    }
    substitute(y);
  }
  void inward(std::span<const SpanningLink> links, const SpanningPath& path, std::span<Planar3> force, std::span<double> y) override {
    const DenseMatrix &V = partials_.Vpd(), &W = partials_.Wpd();
    for (int k = 0; k < n_; ++k) {
      y[z(k)] = 0;
      for (const int i : path.links) {
        const int b = links[z(i)].body - 1;
        const Planar3& f = force[z(i)];
        y[z(k)] += V.at(k, 2 * b) * f.x + V.at(k, 2 * b + 1) * f.y + W.at(k, b) * f.phi;
      }
    }
    for (const int i : path.links) force[z(i)] = {};
    substitute(y);
  }
  void outward(std::span<const SpanningLink> links, std::span<double> y, std::span<Planar3> motion) override {
    for (int i = n_; i-- > 0;) {
      for (int j = i + 1; j < n_; ++j) y[z(i)] -= m_.at(j, i) * y[z(j)];
      y[z(i)] /= m_.at(i, i);
    }
    const DenseMatrix &V = partials_.Vpd(), &W = partials_.Wpd();
    for (std::size_t i = 0; i < links.size(); ++i) {
      const int b = links[i].body - 1;
      Planar3 sum;
      for (int k = 0; k < n_; ++k) sum += Planar3{V.at(k, 2 * b), V.at(k, 2 * b + 1), W.at(k, b)} * y[z(k)];
      motion[i] = sum;
    }
  }

 private:
  bool cholesky() {
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j <= i; ++j) {
        const double* a = &m_.value[z(i) * z(n_)];
        const double* b = &m_.value[z(j) * z(n_)];
        double sum = a[j];
        for (int k = 0; k < j; ++k) sum -= a[k] * b[k];
        if (i == j && !(sum > kNoMass * a[i])) return false;
        m_.at(i, j) = i == j ? std::sqrt(sum) : sum / b[j];
      }
    return true;
  }
  void substitute(std::span<double> y) const {
    for (int i = 0; i < n_; ++i) {
      const double* row = &m_.value[z(i) * z(n_)];
      double sum = y[z(i)];
      for (int k = 0; k < i; ++k) sum -= row[k] * y[z(k)];
      y[z(i)] = sum / row[i];
    }
  }

  KanePartials partials_;
  std::span<const double> mass_;
  int n_;
  DenseMatrix m_;  // M, then its factor
};

}  // namespace

void joint_inertia(const KanePartials& partials, std::span<const double> mass, DenseMatrix& out) {
  const DenseMatrix &V = partials.Vpd(), &W = partials.Wpd();
  for (int i = 0; i < W.rows; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int b = 0; b < W.columns; ++b)
        sum += mass[z(3 * b)] * (V.at(i, 2 * b) * V.at(j, 2 * b) + V.at(i, 2 * b + 1) * V.at(j, 2 * b + 1)) +
               mass[z(3 * b + 2)] * W.at(i, b) * W.at(j, b);
      out.at(i, j) = sum;
    }
}

std::unique_ptr<JointSpace> make_joint_space(Formulation formulation, const PlanarSystem& system, const SpanningTree& tree) {
  if (formulation == Formulation::kane) return std::make_unique<Partial>(system, tree);
  if (formulation == Formulation::crba) return std::make_unique<Composite>(system, tree);
  return std::make_unique<Articulated>(system, tree);
}

}  // namespace jounce
