#include "jounce/tree/orders_of_tree.hpp"

#include "jounce/base/index.hpp"

namespace jounce::tree {
namespace {

/// w× as a matrix, times a number.
Mat3<double> skew(const Vec3<double>& w, double times) {
  const Vec3<double> a = w * times;
  return {{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}};
}

void add(Mat3<double>& to, const Mat3<double>& by) { to.x += by.x, to.y += by.y, to.z += by.z; }

/// to += w× m
void add_cross(Mat3<double>& to, const Vec3<double>& w, const Mat3<double>& m) {
  to.x = detail::plus_cross(to.x, w, m.x), to.y = detail::plus_cross(to.y, w, m.y), to.z = detail::plus_cross(to.z, w, m.z);
}

Mat3<double> scaled(const Mat3<double>& m, double by) { return {m.x * by, m.y * by, m.z * by}; }

/// a j, for a symmetric j.
Mat3<double> times(const Mat3<double>& a, const Sym3<double>& j) {
  return {a.x * j.xx + a.y * j.xy + a.z * j.xz, a.x * j.xy + a.y * j.yy + a.z * j.yz, a.x * j.xz + a.y * j.yz + a.z * j.zz};
}

/// Σ (b p) × (a p) dm where `a_second` is a Σ p pᵀ dm; b is 1, or w×.
Vec3<double> turned_by(const Mat3<double>& a_second) {
  return {a_second.y.z - a_second.z.y, a_second.z.x - a_second.x.z, a_second.x.y - a_second.y.x};
}
Vec3<double> turned_by(const Mat3<double>& a_second, const Vec3<double>& w) {
  // rows of (a J) (w×)ᵀ are w × rows of a J
  const Vec3<double> x{a_second.x.x, a_second.y.x, a_second.z.x}, y{a_second.x.y, a_second.y.y, a_second.z.y},
      last{a_second.x.z, a_second.y.z, a_second.z.z};
  const Vec3<double> rx = cross(w, x), ry = cross(w, y), rz = cross(w, last);
  return {rz.y - ry.z, rx.z - rz.x, ry.x - rx.y};
}

}  // namespace

OrdersOfTree::OrdersOfTree(const Tree& tree)
    : tree_(tree), links_(z(tree.size())), responses_(links_.size()), loads_(links_.size()) {}

void OrdersOfTree::begin(const Workspace<double>& work, std::span<const Rate> rates) {
  work_ = &work;
  ground_.shift[0] = -work.gravity;
  for (int i = 0; i < tree_.size(); ++i) {
    const Link& link = tree_.link(i);
    const LinkWork<double>& from = work.links[z(i)];
    Own& at = links_[z(i)];
    const Own& parent = link.parent == kGround ? ground_ : links_[z(link.parent)];
    at.axes = from.axes;
    at.spin[0] = from.spin, at.spin[1] = from.turn;
    at.shift[0] = from.shift;
    at.way[1] = skew(from.spin, 1);
    at.way[2] = skew(from.turn, 0.5);
    Mat3<double> twice{};
    add_cross(twice, from.spin, at.way[1]);
    add(at.way[2], scaled(twice, 0.5));
    at.axis[0] = from.axes.z;
    at.axis[1] = cross(parent.spin[0], from.axes.z);
    at.arm[0] = from.arm;
    at.arm[1] = cross(parent.spin[0], from.arm);
    if (link.motion == Motion::prismatic || link.motion == Motion::screw)
      at.arm[1] += from.axes.z * (rates[z(link.v)][0] * (link.motion == Motion::screw ? link.advance : 1.0));
    if (link.motion == Motion::free)
      at.arm[1] += from.axes * Vec3<double>{rates[z(link.v + 3)][0], rates[z(link.v + 4)][0], rates[z(link.v + 5)][0]};
    at.arm[2] = (from.shift - parent.shift[0]) * 0.5;
    at.wrench[0] = joint_wrench(work, i);
    if (!link.massive) continue;
    turned_.axes = from.axes;
    detail::turn_inertia(link.inertia, turned_);
    const Sym3<double>& about = turned_.own_about();
    const double half = 0.5 * (about.xx + about.yy + about.zz);
    at.second = {half - about.xx, half - about.yy, half - about.zz, -about.xy, -about.xz, -about.yz};
    at.first[0] = turned_.own_moment;
    at.first[1] = cross(from.spin, at.first[0]);
  }
}

// Coefficient K + 1 of the angular velocity, K + 2 of the rotation and of the arm, K of the accelerations.
template <int K>
void OrdersOfTree::go_on(const Link& link, std::span<const Rate> rates, const Own& parent, Own& at) {
  const auto sum = [&](const auto& of, int v, double times) {  // coefficient K + 1 of of(t) times the rate of a dof
    Vec3<double> out = of[0] * (rates[z(v)][K + 1] * times);
    for (int j = 1; j <= K + 1; ++j) out = detail::plus_scaled(out, of[z(j)], rates[z(v)][z(K + 1 - j)] * times);
    return out;
  };
  const auto own = [&](int first) {  // the same of three that go with the axes of the link
    const auto part = [&](int k) {
      return at.axes * Vec3<double>{rates[z(first)][z(k)], rates[z(first + 1)][z(k)], rates[z(first + 2)][z(k)]};
    };
    Vec3<double> out = part(K + 1);
    for (int j = 1; j <= K + 1; ++j) out = detail::plus_product(out, at.way[z(j)], part(K + 1 - j));
    return out;
  };
  at.axis[K + 1] = parent.way[K + 1] * at.axis[0];
  at.spin[K + 1] = parent.spin[K + 1];
  if (link.motion == Motion::revolute) {
    at.spin[K + 1] += sum(at.axis, link.v, 1);
    at.arm[K + 2] = parent.way[K + 2] * at.arm[0];
  } else {
    Vec3<double> change{};  // of the arm
    for (int j = 0; j <= K + 1; ++j) change = detail::plus_cross(change, parent.spin[z(j)], at.arm[z(K + 1 - j)]);
    switch (link.motion) {
      case Motion::prismatic: change += sum(at.axis, link.v, 1); break;
      case Motion::screw:
        change += sum(at.axis, link.v, link.advance), at.spin[K + 1] += sum(at.axis, link.v, link.turn);
        break;
      case Motion::free: change += own(link.v + 3); [[fallthrough]];
      case Motion::ball: at.spin[K + 1] += own(link.v); break;
      case Motion::revolute:
      case Motion::fixed: break;
    }
    at.arm[K + 2] = change * (1.0 / (K + 2));
  }
  Mat3<double> way = skew(at.spin[K + 1], 1);
  for (int j = 0; j <= K; ++j) add_cross(way, at.spin[z(j)], at.way[z(K + 1 - j)]);
  at.way[K + 2] = scaled(way, 1.0 / (K + 2));
  at.shift[K] = detail::plus_scaled(parent.shift[K], at.arm[K + 2], static_cast<double>((K + 1) * (K + 2)));
}

// Of moments of momentum Σ (E p) × (E' p) dm the products of two equal coefficients vanish, and the others come in pairs.
template <int K>
void OrdersOfTree::find_wrench(const Link& link, Own& at) {
  static_assert(K == 1 || K == 2);
  Wrench<double>& out = at.wrench[K];
  out = {};
  if (!link.massive) return;
  constexpr double kTwice = (K + 1) * (K + 2);
  if constexpr (K == 2) at.first[2] = at.way[2] * at.first[0];
  out.force = detail::plus_scaled(at.shift[K] * link.inertia.mass, at.way[K + 2] * at.first[0], kTwice);
  for (int j = 0; j <= K; ++j) out.moment = detail::plus_cross(out.moment, at.first[z(j)], at.shift[z(K - j)]);
  out.moment = detail::plus_scaled(out.moment, turned_by(times(at.way[K + 2], at.second)), kTwice);
  out.moment =
      detail::plus_scaled(out.moment, turned_by(times(at.way[K + 1], at.second), at.spin[0]), static_cast<double>((K + 1) * K));
}

template <int K>
void OrdersOfTree::need(std::span<const Rate> rates, std::span<double> effort, std::span<const Wrench<double>> external) {
  for (int i = 0; i < tree_.size(); ++i) {
    const Link& link = tree_.link(i);
    Own& at = links_[z(i)];
    go_on<K>(link, rates, link.parent == kGround ? ground_ : links_[z(link.parent)], at);
    find_wrench<K>(link, at);
    if (!external.empty()) at.wrench[K].moment -= external[z(i)].moment, at.wrench[K].force -= external[z(i)].force;
  }
  for (int i = tree_.size() - 1; i >= 0; --i) {
    const Link& link = tree_.link(i);
    const Own& at = links_[z(i)];
    const auto power = [&](const auto& along, auto part) {  // coefficient K of along(t) · the wrench
      double out = dot(along[0], at.wrench[K].*part);
      for (int j = 1; j <= K; ++j) out += dot(along[z(j)], at.wrench[z(K - j)].*part);
      return out;
    };
    const auto own = [&](int first, auto part) {
      for (int d = 0; d < 3; ++d) {
        const Vec3<double>& axis = detail::axis(at.axes, d);
        double out = dot(axis, at.wrench[K].*part);
        for (int j = 1; j <= K; ++j) out += dot(at.way[z(j)] * axis, at.wrench[z(K - j)].*part);
        effort[z(first + d)] = out;
      }
    };
    constexpr auto kMoment = &Wrench<double>::moment;
    constexpr auto kForce = &Wrench<double>::force;
    switch (link.motion) {
      case Motion::revolute: effort[z(link.v)] = power(at.axis, kMoment); break;
      case Motion::prismatic: effort[z(link.v)] = power(at.axis, kForce); break;
      case Motion::screw:
        effort[z(link.v)] = power(at.axis, kMoment) * link.turn + power(at.axis, kForce) * link.advance;
        break;
      case Motion::free: own(link.v + 3, kForce); [[fallthrough]];
      case Motion::ball: own(link.v, kMoment); break;
      case Motion::fixed: break;
    }
    if (link.parent == kGround) continue;
    Wrench<double>& below = links_[z(link.parent)].wrench[K];
    below.force += at.wrench[K].force;
    below.moment += at.wrench[K].moment;
    for (int j = 0; j <= K; ++j) below.moment = detail::plus_cross(below.moment, at.arm[z(j)], at.wrench[z(K - j)].force);
  }
}

// As `respond` does; what it adds to the wrenches is kept as long as another order needs them.
template <int K>
void OrdersOfTree::accelerate(std::span<const double> effort, const std::uint8_t* active, std::span<double> x) {
  using namespace detail;
  constexpr bool kLast = K == kOrders;
  for (Response<double>& response : responses_) response.load = {};
  for (int i = tree_.size() - 1; i >= 0; --i) {
    const Link& link = tree_.link(i);
    const LinkWork<double>& at = work_->links[z(i)];
    Response<double>& own = responses_[z(i)];
    if constexpr (!kLast) loads_[z(i)] = own.load;
    each_passive(tree_, *work_, i, active,
                 [&](int k, const Vec3<double>& push_turn, const Vec3<double>& push_shift, double per_pivot, double) {
                   own.drive[z(k)] = effort[z(link.v + k)] - along(link, at, k, own.load.moment, own.load.force);
                   const double level = own.drive[z(k)] * per_pivot;
                   own.load.moment = plus_scaled(own.load.moment, push_turn, level);
                   own.load.force = plus_scaled(own.load.force, push_shift, level);
                 });
    if (link.parent == kGround) continue;
    Wrench<double>& below = responses_[z(link.parent)].load;
    below.moment = plus_cross(below.moment + own.load.moment, at.arm, own.load.force);
    below.force += own.load.force;
  }
  for (int i = 0; i < tree_.size(); ++i) {
    const Link& link = tree_.link(i);
    const LinkWork<double>& at = work_->links[z(i)];
    Response<double>& own = responses_[z(i)];
    Vec3<double> turn{}, shift{};
    Vec3<double> below{};  // shift of the parent's origin
    if (link.parent != kGround) {
      const Response<double>& parent = responses_[z(link.parent)];
      turn = parent.turn, below = parent.shift;
      shift = plus_cross(parent.shift, parent.turn, at.arm);
    }
    each_passive_backwards(tree_, *work_, i, active,
                           [&](int k, const Vec3<double>& push_turn, const Vec3<double>& push_shift, double per_pivot, double) {
                             const double rate = (own.drive[z(k)] - dot(push_turn, turn) - dot(push_shift, shift)) * per_pivot;
                             x[z(link.v + k)] = rate;
                             add_along(link, at, k, rate, turn, shift);
                           });
    own.turn = turn, own.shift = shift;
    Own& to = links_[z(i)];
    constexpr double kPerTwice = 1.0 / ((K + 1) * (K + 2));
    to.spin[K + 1] = plus_scaled(to.spin[K + 1], turn, 1.0 / (K + 1));
    add(to.way[K + 2], skew(turn, kPerTwice));
    to.arm[K + 2] = plus_scaled(to.arm[K + 2], shift - below, kPerTwice);
    to.shift[K] += shift;
    if constexpr (!kLast) {
      const Wrench<double> moving = detail::times(at.inertia, turn, shift);
      to.wrench[K].moment += moving.moment + loads_[z(i)].moment;
      to.wrench[K].force += moving.force + loads_[z(i)].force;
    }
  }
}

Vec3<double> OrdersOfTree::acceleration(int k, int link, const Vec3<double>& place) const {
  const Own& at = links_[z(link)];
  return detail::plus_scaled(at.shift[z(k)], at.way[z(k + 2)] * (at.axes * place), static_cast<double>((k + 1) * (k + 2)));
}

Vec3<double> OrdersOfTree::turn(int k, int link) const { return links_[z(link)].spin[z(k + 1)] * static_cast<double>(k + 1); }

template void OrdersOfTree::need<1>(std::span<const Rate>, std::span<double>, std::span<const Wrench<double>>);
template void OrdersOfTree::need<2>(std::span<const Rate>, std::span<double>, std::span<const Wrench<double>>);
template void OrdersOfTree::accelerate<1>(std::span<const double>, const std::uint8_t*, std::span<double>);
template void OrdersOfTree::accelerate<2>(std::span<const double>, const std::uint8_t*, std::span<double>);

}  // namespace jounce::tree
