#include "jounce/plane/motion/stiff_form.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "jounce/base/index.hpp"
#include "jounce/plane/equations/equations_of_motion.hpp"

namespace jounce {
namespace {

std::vector<int> all_rows(const PlanarSystem& system) {
  std::vector<int> rows(z(system.equations()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace

PlaneStiffForm::PlaneStiffForm(const PlanarSystem& system) : PlaneStiffForm(system, all_rows(system)) {}

PlaneStiffForm::PlaneStiffForm(const PlanarSystem& system, std::vector<int> rows)
    : system_(&system),
      rows_(std::move(rows)),
      n_(z(system.coordinates())),
      m_(rows_.size()),
      linearisation_(system),
      matrices_(system, rows_),
      entries_(stiff::used_entries(system, rows_)),
      load_rows_(load_rows(system)),
      used_(z(system.equations()), -1),
      loads_(system.signals().size()),
      along_(n_),
      multipliers_(z(system.equations())),
      motion_(n_),
      phi_q_(z(system.pattern().entries())),
      velocity_q_(phi_q_.size()),
      forward_(multipliers_.size()),
      inertia_(n_, 1.0),
      f_(2 * (n_ + m_)) {
  inertia_.insert(inertia_.end(), system.mass().begin(), system.mass().end());
  for (int i = 0; i < kStages; ++i) at_.emplace_back(system, 2);
  at_.emplace_back(system, 1);
  for (std::size_t r = 0; r < m_; ++r) used_[z(rows_[r])] = static_cast<int>(r);
  colour_columns();
}

// Greedy: the first colour that no column with a common row has.
void PlaneStiffForm::colour_columns() {
  const SparsePattern& p = system_->pattern();
  std::vector<std::set<int>> taken(z(p.rows));
  for (int c = 0; c < p.columns; ++c) {
    int colour = 0;
    const auto free = [&](int e) { return !taken[z(p.row[z(e)])].contains(colour); };
    const auto fits = [&] {
      for (int e = p.start[z(c)]; e < p.start[z(c) + 1]; ++e)
        if (!free(e)) return false;
      return true;
    };
    while (!fits()) ++colour;
    for (int e = p.start[z(c)]; e < p.start[z(c) + 1]; ++e) taken[z(p.row[z(e)])].insert(colour);
    colour_.push_back(colour);
    colours_ = std::max(colours_, colour + 1);
  }
}

std::vector<double> PlaneStiffForm::multipliers(const Vector& u) const {
  std::vector<double> out(multipliers_.size());
  for (std::size_t r = 0; r < m_; ++r) out[z(rows_[r])] = u[2 * n_ + m_ + r];
  return out;
}

bool PlaneStiffForm::set_time(int place, double t) {
  auto wrong = at(place).set_time(t);
  if (!wrong) return true;
  no_value_ = {t, std::nullopt, std::move(wrong)};
  return false;
}

// An equation of the user's at the position that was set last.
bool PlaneStiffForm::without_value(int place) {
  auto wrong = at(place).without_value();
  if (!wrong) return false;
  no_value_ = {at(place).time(), std::nullopt, std::nullopt, std::move(wrong)};
  return true;
}

bool PlaneStiffForm::evaluate(int place, const Vector& u, Vector& f, bool derivatives) {
  const double t = at(place).time();
  const std::span<const double> q(u.data(), n_), v(u.data() + n_, n_);
  if (!load_rows_.empty()) set_loads(u);
  auto wrong = derivatives ? linearisation_.forces(t, q, v) : linearisation_.forces_alone(t, q, v);
  if (wrong) {
    no_value_ = {t, std::move(wrong), std::nullopt};
    return false;
  }
  std::copy_n(u.data() + n_, n_, f.data());
  std::ranges::copy(linearisation_.Q(), f.data() + n_);
  residuals(place, u, f);
  if (without_value(place)) return false;
  if (derivatives) stage_forces_[z(place)].take(linearisation_);
  return true;
}

// And what the multipliers take from the right-hand sides.
void PlaneStiffForm::residuals(int place, const Vector& u, Vector& f) {
  Evaluation& here = at(place);
  const std::span<const double> phi = here.set_position({u.data(), n_}), phi_q = here.jacobian(), phi_t = here.open(1);
  const double *v = u.data() + n_, *mu = v + n_, *lambda = mu + m_;
  double *force = f.data() + n_, *velocity = force + n_, *position = velocity + m_;
  for (std::size_t r = 0; r < m_; ++r) {
    velocity[r] = phi_t[z(rows_[r])];
    position[r] = phi[z(rows_[r])];
  }
  for (std::size_t e = 0; e < phi_q.size(); ++e) {
    const auto [r, c] = entries_[e];
    if (r < 0) continue;
    f[z(c)] -= phi_q[e] * mu[r];
    force[c] -= phi_q[e] * lambda[r];
    velocity[r] += phi_q[e] * v[c];
  }
}

void PlaneStiffForm::first_guess(double time, const Vector& u, Vector& way) const {
  std::ranges::fill(way, 0.0);
  for (std::size_t i = 0; i < n_; ++i) way[i] = time * u[n_ + i];
  if (!load_rows_.empty()) guess_multipliers(u, way);
}

// Without loads there is no friction of joints, and nothing tells how it grows: an iteration that looks at states alone would be content with that.
void PlaneStiffForm::guess_multipliers(const Vector& u, Vector& way) const {
  EquationsOfMotion here(*system_, 2);
  here.set_directions(linearisation_.directions());
  if (here.set_time(at_.front().time(), 2)) return;
  here.set_position({u.data(), n_});
  here.factor(false);
  here.set_velocity({u.data() + n_, n_});
  if (!std::isfinite(here.smallest_pivot()) || here.expand(2)) return;
  std::vector<double> lambda(z(system_->equations()));
  here.multipliers(0, lambda);
  for (std::size_t r = 0; r < m_; ++r) way[2 * n_ + m_ + r] = lambda[z(rows_[r])] - u[2 * n_ + m_ + r];
}

// Friction of joints grows with multipliers that are unknowns themselves.
void PlaneStiffForm::set_loads(const Vector& u) {
  for (std::size_t r = 0; r < m_; ++r) multipliers_[z(rows_[r])] = u[2 * n_ + m_ + r];
  friction_loads(*system_, load_rows_, multipliers_, loads_);
  linearisation_.set_loads(loads_);
}

// Q = c |R| a, with a what friction acts along: ∂Q/∂R = c a nᵀ, n the direction of R. Where there is no load there is none.
void PlaneStiffForm::friction_by_multipliers(const Vector& u) {
  by_multiplier_.clear();
  for (std::size_t f = 0; f < load_rows_.size(); ++f) {
    const int signal = system_->rubbing()[f];
    const double load = loads_[z(signal)];
    if (load == 0) continue;
    const double factor = linearisation_.readings()[z(system_->signals()[z(signal)].force)].effort / load;
    unit_friction(*system_, signal, {u.data(), n_}, along_);
    const JointLoad carried = joint_load(load_rows_[f], multipliers_);
    for (std::size_t i = 0; i < load_rows_[f].size(); ++i) {
      const LoadRow& of = load_rows_[f][i];
      if (used_[z(of.row)] < 0) continue;
      for (std::size_t c = 0; c < n_; ++c)
        if (along_[c] != 0) by_multiplier_.push_back({static_cast<int>(c), used_[z(of.row)], factor * along_[c] * carried[i] / load * of.newtons});
    }
  }
  matrices_.add_friction(by_multiplier_);
}

bool PlaneStiffForm::linearise(const Vector& u) {
  if (!evaluate(kMiddle, u, f_, true)) return false;
  Evaluation& here = at(kMiddle);
  std::ranges::copy(here.jacobian(), phi_q_.begin());
  for (std::size_t r = 0; r < m_; ++r) multipliers_[z(rows_[r])] = u[2 * n_ + m_ + r];
  linearisation_.constraint_forces(here.time(), {u.data(), n_}, multipliers_);
  velocity_equations_q(here, {u.data() + n_, n_});
  if (without_value(kMiddle)) return false;
  matrices_.set(phi_q_, velocity_q_, linearisation_);
  if (!load_rows_.empty()) friction_by_multipliers(u);
  middle_forces_.take(linearisation_);
  return true;
}

// (Φq v + Φt)q. Twice coefficient 2 of Φ along q + w s is Φqq(w, w) + 2 Φqt w + Φtt; the difference between w = v + s e and
// w = v − s e is 4 s times (Φq v + Φt)q e, without any error but rounding. Columns of one colour go together in e.
void PlaneStiffForm::velocity_equations_q(Evaluation& here, std::span<const double> v) {
  const SparsePattern& p = system_->pattern();
  double s = 0;
  for (const double x : v) s = std::max(s, std::abs(x));
  if (s == 0) s = 1;
  for (int colour = 0; colour < colours_; ++colour) {
    const auto coefficient = [&](double sign) {
      for (std::size_t c = 0; c < n_; ++c) motion_[c] = v[c] + (colour_[c] == colour ? sign * s : 0);
      (void)here.open(1);
      here.close(1, motion_);
      return here.open(2);
    };
    std::ranges::copy(coefficient(1), forward_.begin());
    const std::span<const double> backward = coefficient(-1);
    for (std::size_t c = 0; c < n_; ++c)
      for (int e = p.start[c]; colour_[c] == colour && e < p.start[c + 1]; ++e) {
        const std::size_t r = z(p.row[z(e)]);
        velocity_q_[z(e)] = (forward_[r] - backward[r]) / (2 * s);
      }
  }
}

void PlaneStiffForm::add_difference(int stage, std::span<const double> states, std::span<double> to) const {
  stage_forces_[z(stage)].add(1, states, to);
  middle_forces_.add(-1, states, to);
}

Fault PlaneStiffForm::fault() const {
  if (no_value_.force) {
    const AppliedForce& force = system_->forces()[z(no_value_.force->force)];
    const Where at = no_value_.force->where.line > 0 ? no_value_.force->where : force.where;
    return {force.text(), no_value_.force->sentence, {at.line, at.column + std::max(no_value_.force->column - 1, 0)}, force.name};
  }
  if (no_value_.equation) return *no_value_.equation;
  if (no_value_.motion) {
    const PrescribedMotion& motion = system_->motions()[z(no_value_.motion->motion)];
    return {"driver '" + motion.owner + "'", no_value_.motion->sentence,
            {motion.where.line, motion.where.column + std::max(no_value_.motion->column - 1, 0)}, motion.owner};
  }
  return {};
}

}  // namespace jounce
