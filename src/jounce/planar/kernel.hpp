// From a tape to machine code: the residual of one element type, its Jacobian and its Taylor coefficients, unrolled by the
// compiler for four elements at a time. See docs/theory/kernels.md for the idea in prose.
//
// Every node of the tape has a kind:
//   fixed    parameters and numbers only: evaluated once per model
//   linear   in the leaves: one operation an order, nothing remembered
//   curved   a true product, quotient or root: one convolution an order, over remembered coefficients of its operands
//
// An order k comes in two halves. For a product z = a b,
//   z_k = [ Σ a_i b_{k−i}, i = 1 … k−1 ] + a_0 b_k + a_k b_0,
// the bracket needs lower orders only (`open`, all nodes in one loop), the rest is O(1) a node (`close`) and is run
// twice: with the highest coefficient of the coordinates left out, to give the right-hand side, and with it solved.
//
// The same tape run backwards gives Φqᵀλ as a series (`reverse`), which is where joint reactions, κ and generalized forces come from.
#pragma once

#include <utility>

#include "jounce/base/index.hpp"
#include "jounce/planar/tape.hpp"

namespace jounce::planar {

/// `Source::tape` is what is unrolled: ResidualOf<Revolute>, MeasuresOf<Spring>, …
template <class Source>
struct TapeKernel {
  static constexpr Tape T = Source::tape;
  static constexpr int kNodes = T.size;
  static constexpr int kRows = T.outputs;
  static constexpr int kSlots = T.slots;
  static constexpr int kMotions = T.motions;
  static constexpr int kParameters = T.parameters;

  struct Plan {
    std::array<bool, kNodes> varies{};  // depends on a body or on time
    std::array<bool, kNodes> active{};  // depends on a body: has a derivative with respect to the coordinates
    std::array<bool, kNodes> curved{};
    std::array<int, kNodes> keep{};  // where the coefficients of a node are remembered, or −1
    std::array<int, kNodes> sum{};   // where the open half of a curved node is gathered, or −1
    std::array<int, kNodes> weight{};  // where the adjoint of an active curved node is remembered, or −1
    std::array<bool, kNodes> live{};   // active and part of some output
    std::array<std::array<bool, kNodes>, 4> reach{};  // the node contributes to that row
    // whether d phi_row / d (x, y, phi) of a slot can differ from 0
    std::array<std::array<std::array<bool, 3>, 4>, 4> entry{};
    int kept = 0, sums = 0, weights = 0;
  };

  static constexpr Plan plan() {
    Plan p;
    const auto at = [](auto& list, int i) -> auto& { return list[static_cast<std::size_t>(i)]; };
    for (int& k : p.keep) k = -1;
    for (int& s : p.sum) s = -1;
    for (int& w : p.weight) w = -1;
    for (int i = 0; i < kNodes; ++i) {
      const Node n = T[i];
      switch (n.op) {
        case Op::parameter:
        case Op::number: break;
        case Op::leaf: at(p.varies, i) = at(p.active, i) = true; break;
        case Op::motion: at(p.varies, i) = true; break;
        case Op::root:
          at(p.varies, i) = at(p.varies, n.a), at(p.active, i) = at(p.active, n.a);
          at(p.curved, i) = at(p.varies, i);
          break;
        default: {
          at(p.varies, i) = at(p.varies, n.a) || at(p.varies, n.b);
          at(p.active, i) = at(p.active, n.a) || at(p.active, n.b);
          if (n.op == Op::multiply) at(p.curved, i) = at(p.varies, n.a) && at(p.varies, n.b);
          if (n.op == Op::divide) at(p.curved, i) = at(p.varies, n.b);
        }
      }
    }
    const auto remember = [&](int i) {
      if (at(p.varies, i) && at(p.keep, i) < 0) at(p.keep, i) = p.kept++;
    };
    for (int i = 0; i < kNodes; ++i) {
      if (!at(p.curved, i)) continue;
      const Node n = T[i];
      at(p.sum, i) = p.sums++;
      if (n.op == Op::multiply) remember(n.a), remember(n.b);
      if (n.op == Op::divide) remember(n.b), remember(i);
      if (n.op == Op::root) remember(i);
    }
    for (int r = 0; r < kRows; ++r) {
      auto& reach = at(p.reach, r);
      at(reach, at(T.output, r)) = true;
      for (int i = kNodes - 1; i >= 0; --i) {
        if (!at(reach, i)) continue;
        const Node n = T[i];
        if (n.op >= Op::add) at(reach, n.a) = true;
        if (n.op >= Op::add && n.op != Op::root) at(reach, n.b) = true;
        if (n.op == Op::leaf) {
          const int column = n.b == kLeafX ? 0 : n.b == kLeafY ? 1 : 2;
          at(at(at(p.entry, r), n.a), column) = true;
        }
      }
    }
    for (int i = 0; i < kNodes; ++i) {
      for (int r = 0; r < kRows; ++r) at(p.live, i) = at(p.live, i) || (at(p.active, i) && at(at(p.reach, r), i));
      if (at(p.curved, i) && at(p.live, i)) at(p.weight, i) = p.weights++;
    }
    return p;
  }
  static constexpr Plan P = plan();
  static constexpr int kKept = P.kept, kSums = P.sums, kWeights = P.weights;

  template <class V>
  using Values = std::array<V, static_cast<std::size_t>(kNodes)>;

  template <class F>
  static constexpr void each_node(F&& f) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (f.template operator()<I>(), ...); }(std::make_integer_sequence<int, kNodes>{});
  }
  template <class F>
  static constexpr void each_node_backwards(F&& f) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (f.template operator()<kNodes - 1 - I>(), ...);
    }(std::make_integer_sequence<int, kNodes>{});
  }

  /// The fixed nodes, once per model. `fix` has one value per node; those that vary are left alone.
  template <class V>
  static void prepare(const V* parameter, V* fix) {
    using std::sqrt;
    each_node([&]<int I>() {
      constexpr Node n = T[I];
      if constexpr (n.op == Op::parameter) fix[I] = parameter[n.a];
      else if constexpr (n.op == Op::number) fix[I] = V::all(n.number);
      else if constexpr (P.varies[z(I)]) return;
      else if constexpr (n.op == Op::add) fix[I] = fix[n.a] + fix[n.b];
      else if constexpr (n.op == Op::subtract) fix[I] = fix[n.a] - fix[n.b];
      else if constexpr (n.op == Op::multiply) fix[I] = fix[n.a] * fix[n.b];
      else if constexpr (n.op == Op::divide) fix[I] = fix[n.a] / fix[n.b];
      else if constexpr (n.op == Op::root) fix[I] = sqrt(fix[n.a]);
    });
  }

  /// Order 0: the residual itself. `leaf` and `motion` are the values at hand; history[kept node] is filled.
  template <class V>
  static void value(const V* fix, const V* leaf, const V* motion, V* history, V* row) {
    using std::sqrt;
    Values<V> val;
    const auto get = [&]<int I>() -> V {
      if constexpr (P.varies[z(I)]) return val[z(I)];
      else return fix[I];
    };
    each_node([&]<int I>() {
      constexpr Node n = T[I];
      if constexpr (!P.varies[z(I)]) return;
      else {
        if constexpr (n.op == Op::leaf) val[z(I)] = leaf[n.a * kLeaves + n.b];
        else if constexpr (n.op == Op::motion) val[z(I)] = motion[n.a];
        else if constexpr (n.op == Op::root) val[z(I)] = sqrt(get.template operator()<n.a>());
        else {
          const V a = get.template operator()<n.a>(), b = get.template operator()<n.b>();
          if constexpr (n.op == Op::add) val[z(I)] = a + b;
          else if constexpr (n.op == Op::subtract) val[z(I)] = a - b;
          else if constexpr (n.op == Op::multiply) val[z(I)] = a * b;
          else if constexpr (n.op == Op::divide) val[z(I)] = a / b;
        }
        if constexpr (P.keep[z(I)] >= 0) history[P.keep[z(I)]] = val[z(I)];
      }
    });
    [&]<int... R>(std::integer_sequence<int, R...>) {
      ((row[R] = get.template operator()<T.output[z(R)]>()), ...);
    }(std::make_integer_sequence<int, kRows>{});
  }

  /// The brackets of order k, from the remembered orders below it. history is [order][kept node].
  template <class V>
  static void open(int k, const V* history, V* sum) {
    if constexpr (kSums > 0) {
      // two chains of additions for each sum: they wait for their own kind only
      std::array<V, z(kSums)> odd, even;
      for (V& s : odd) s = V::all(0);
      for (V& s : even) s = V::all(0);
      for (int i = 1; i < k; i += 2) add_products(history + i * kKept, history + (k - i) * kKept, odd.data());
      for (int i = 2; i < k; i += 2) add_products(history + i * kKept, history + (k - i) * kKept, even.data());
      for (int s = 0; s < kSums; ++s) sum[s] = odd[z(s)] + even[z(s)];
    }
  }

  /// The rest of order k >= 1, with the leaves' coefficients of that order. history[k] is written.
  template <class V>
  static void close(int k, const V* fix, const V* leaf, const V* motion, const V* sum, V* history, V* row) {
    Values<V> val;
    V* const H = history + k * kKept;
    const auto get = [&]<int I>() -> V {  // a fixed node has no coefficient of order k >= 1
      if constexpr (P.varies[z(I)]) return val[z(I)];
      else return V::all(0);
    };
    const auto zero = [&]<int I>() -> V {  // coefficient 0 of an operand of a curved node
      if constexpr (P.varies[z(I)]) return history[P.keep[z(I)]];
      else return fix[I];
    };
    each_node([&]<int I>() {
      constexpr Node n = T[I];
      if constexpr (!P.varies[z(I)]) return;
      else {
        if constexpr (n.op == Op::leaf) val[z(I)] = leaf[n.a * kLeaves + n.b];
        else if constexpr (n.op == Op::motion) val[z(I)] = motion[n.a];
        else if constexpr (n.op == Op::add) {
          if constexpr (!P.varies[z(n.a)]) val[z(I)] = val[z(n.b)];
          else if constexpr (!P.varies[z(n.b)]) val[z(I)] = val[z(n.a)];
          else val[z(I)] = val[z(n.a)] + val[z(n.b)];
        } else if constexpr (n.op == Op::subtract) {
          if constexpr (!P.varies[z(n.a)]) val[z(I)] = -val[z(n.b)];
          else if constexpr (!P.varies[z(n.b)]) val[z(I)] = val[z(n.a)];
          else val[z(I)] = val[z(n.a)] - val[z(n.b)];
        } else if constexpr (n.op == Op::multiply && !P.varies[z(n.a)]) val[z(I)] = fix[n.a] * val[z(n.b)];
        else if constexpr (n.op == Op::multiply && !P.varies[z(n.b)]) val[z(I)] = val[z(n.a)] * fix[n.b];
        else if constexpr (n.op == Op::multiply)  // z_k = Σ + a_0 b_k + a_k b_0
          val[z(I)] = sum[P.sum[z(I)]] + zero.template operator()<n.a>() * val[z(n.b)] + val[z(n.a)] * zero.template operator()<n.b>();
        else if constexpr (n.op == Op::divide && !P.varies[z(n.b)]) val[z(I)] = val[z(n.a)] / fix[n.b];
        else if constexpr (n.op == Op::divide)  // z b = a:  z_k = (a_k − Σ b_i z_{k−i} − b_k z_0) / b_0
          val[z(I)] = (get.template operator()<n.a>() - sum[P.sum[z(I)]] - val[z(n.b)] * history[P.keep[z(I)]]) /
                      zero.template operator()<n.b>();
        else if constexpr (n.op == Op::root)  // z z = a:  z_k = (a_k − Σ z_i z_{k−i}) / (2 z_0)
          val[z(I)] = (val[z(n.a)] - sum[P.sum[z(I)]]) / (history[P.keep[z(I)]] + history[P.keep[z(I)]]);
        if constexpr (P.keep[z(I)] >= 0) H[P.keep[z(I)]] = val[z(I)];
      }
    });
    [&]<int... R>(std::integer_sequence<int, R...>) {
      ((row[R] = get.template operator()<T.output[z(R)]>()), ...);
    }(std::make_integer_sequence<int, kRows>{});
  }

  /// One row's derivatives with respect to the leaves, by the reverse sweep over the tape at order 0. gradient is [slot][leaf].
  template <int Row, class V>
  static void gradient(const V* fix, const V* history, V* gradient) {
    Values<V> adjoint;
    each_node([&]<int I>() {
      if constexpr (P.active[z(I)] && P.reach[z(Row)][z(I)]) adjoint[z(I)] = V::all(I == T.output[z(Row)] ? 1.0 : 0.0);
    });
    for (int s = 0; s < kSlots * kLeaves; ++s) gradient[s] = V::all(0);
    const auto zero = [&]<int I>() -> V {
      if constexpr (P.varies[z(I)]) return history[P.keep[z(I)]];
      else return fix[I];
    };
    each_node_backwards([&]<int I>() {
      constexpr Node n = T[I];
      if constexpr (P.active[z(I)] && P.reach[z(Row)][z(I)]) {
        const V w = adjoint[z(I)];
        if constexpr (n.op == Op::leaf) gradient[n.a * kLeaves + n.b] = w;
        if constexpr (n.op == Op::add || n.op == Op::subtract) {
          if constexpr (P.active[z(n.a)]) adjoint[z(n.a)] = adjoint[z(n.a)] + w;
          if constexpr (P.active[z(n.b)] && n.op == Op::add) adjoint[z(n.b)] = adjoint[z(n.b)] + w;
          if constexpr (P.active[z(n.b)] && n.op == Op::subtract) adjoint[z(n.b)] = adjoint[z(n.b)] - w;
        }
        if constexpr (n.op == Op::multiply) {
          if constexpr (P.active[z(n.a)]) adjoint[z(n.a)] = adjoint[z(n.a)] + w * zero.template operator()<n.b>();
          if constexpr (P.active[z(n.b)]) adjoint[z(n.b)] = adjoint[z(n.b)] + w * zero.template operator()<n.a>();
        }
        if constexpr (n.op == Op::divide) {
          const V share = w / zero.template operator()<n.b>();
          if constexpr (P.active[z(n.a)]) adjoint[z(n.a)] = adjoint[z(n.a)] + share;
          if constexpr (P.active[z(n.b)]) adjoint[z(n.b)] = adjoint[z(n.b)] - share * history[P.keep[z(I)]];
        }
        if constexpr (n.op == Op::root)
          adjoint[z(n.a)] = adjoint[z(n.a)] + w / (history[P.keep[z(I)]] + history[P.keep[z(I)]]);
      }
    });
  }

  /// Which half of a coefficient of the gradients' sum is asked for.
  enum class Half {
    open,   ///< what lower orders of the seeds contribute; the weights of order m are set
    close,  ///< what the seeds of order m contribute; the weights are added to
    whole,  ///< both
  };

  /// Coefficient m of Σ_row seed_row ∇ phi_row in the leaves, where seeds and gradients are series in time: the reverse sweep over
  /// the tape, at order m. For a product with adjoint w, a' = w b and b' = w a are convolutions; their open part runs over the
  /// remembered adjoints, `weights` [order][weight]. `history` must be complete to order m. gradient is [slot][leaf] and is set.
  template <Half half, class V>
  static void reverse(int m, const V* fix, const V* history, const V* seed, V* weights, V* gradient) {
    Values<V> adjoint;
    [[maybe_unused]] std::array<V, z(kWeights > 0 ? 2 * kWeights : 1)> lower;
    if constexpr (half != Half::close && kWeights > 0) open_adjoints(m, history, weights, lower.data());
    each_node([&]<int I>() {
      if constexpr (P.live[z(I)]) adjoint[z(I)] = V::all(0);
    });
    if constexpr (half != Half::open)
      [&]<int... R>(std::integer_sequence<int, R...>) {
        (plant<R>(seed, adjoint), ...);
      }(std::make_integer_sequence<int, kRows>{});
    for (int s = 0; s < kSlots * kLeaves; ++s) gradient[s] = V::all(0);
    [[maybe_unused]] V* const W = weights + m * kWeights;
    const auto zero = [&]<int I>() -> V {
      if constexpr (P.varies[z(I)]) return history[P.keep[z(I)]];
      else return fix[I];
    };
    const auto give = [&]<int To>(const V& share) {
      if constexpr (P.live[z(To)]) adjoint[z(To)] = adjoint[z(To)] + share;
    };
    const auto keep = [&]<int I>(const V& w) {
      if constexpr (half == Half::close) W[P.weight[z(I)]] = W[P.weight[z(I)]] + w;
      else W[P.weight[z(I)]] = w;
    };
    each_node_backwards([&]<int I>() {
      constexpr Node n = T[I];
      if constexpr (P.live[z(I)]) {
        const V w = adjoint[z(I)];
        if constexpr (n.op == Op::leaf) gradient[n.a * kLeaves + n.b] = w;
        else if constexpr (n.op == Op::add || n.op == Op::subtract) {
          give.template operator()<n.a>(w);
          if constexpr (n.op == Op::add) give.template operator()<n.b>(w);
          else give.template operator()<n.b>(-w);
        } else if constexpr (!P.curved[z(I)]) {
          if constexpr (n.op == Op::multiply && P.active[z(n.a)]) give.template operator()<n.a>(w * fix[n.b]);
          if constexpr (n.op == Op::multiply && P.active[z(n.b)]) give.template operator()<n.b>(w * fix[n.a]);
          if constexpr (n.op == Op::divide) give.template operator()<n.a>(w / fix[n.b]);
        } else if constexpr (n.op == Op::multiply) {  // a' = Σ w_i b_{m−i},  b' = Σ w_i a_{m−i}
          keep.template operator()<I>(w);
          constexpr int at = 2 * P.weight[z(I)];
          V to_a = w * zero.template operator()<n.b>(), to_b = w * zero.template operator()<n.a>();
          if constexpr (half != Half::close) to_a = to_a + lower[at], to_b = to_b + lower[at + 1];
          give.template operator()<n.a>(to_a);
          give.template operator()<n.b>(to_b);
        } else {  // u = w / b for a quotient z = a / b, w / (2 z) for a root: a' = u, and b' = −Σ u_i z_{m−i}
          constexpr int at = 2 * P.weight[z(I)];
          V rest = w;
          if constexpr (n.op == Op::root) rest = rest * V::all(0.5);
          if constexpr (half != Half::close) rest = rest - lower[at];
          const V z_0 = history[P.keep[z(I)]];
          V u = rest;
          if constexpr (n.op == Op::root) u = rest / z_0;
          else u = rest / zero.template operator()<n.b>();
          keep.template operator()<I>(u);
          give.template operator()<n.a>(u);
          if constexpr (n.op == Op::divide) {
            V to_b = u * z_0;
            if constexpr (half != Half::close) to_b = to_b + lower[at + 1];
            give.template operator()<n.b>(-to_b);
          }
        }
      }
    });
  }

  /// d phi_row / d (x, y, phi) of every slot: visit(row, slot, column, value) for the entries that can differ from 0.
  template <class V, class Visit>
  static void jacobian(const V* fix, const V* history, const V* leaf, Visit&& visit) {
    [&]<int... R>(std::integer_sequence<int, R...>) {
      (jacobian_row<R>(fix, history, leaf, visit), ...);
    }(std::make_integer_sequence<int, kRows>{});
  }

 private:
  // One term of every open sum: H of one order, G of the other.
  template <class V>
  static void add_products(const V* H, const V* G, V* total) {
    each_node([&]<int I>() {
      constexpr Node n = T[I];
      if constexpr (P.sum[z(I)] >= 0) {
        V& s = total[P.sum[z(I)]];
        if constexpr (n.op == Op::multiply) s = s + H[P.keep[z(n.a)]] * G[P.keep[z(n.b)]];
        else if constexpr (n.op == Op::divide) s = s + H[P.keep[z(n.b)]] * G[P.keep[z(I)]];
        else s = s + H[P.keep[z(I)]] * G[P.keep[z(I)]];
      }
    });
  }

  template <int Row, class V>
  static void plant(const V* seed, Values<V>& adjoint) {
    constexpr int out = T.output[z(Row)];
    if constexpr (P.live[z(out)]) adjoint[z(out)] = adjoint[z(out)] + seed[Row];
  }

  // The sums over lower orders that `reverse` needs: two for each weight.
  template <class V>
  static void open_adjoints(int m, const V* history, const V* weights, V* lower) {
    std::array<V, z(2 * kWeights)> total;
    for (V& s : total) s = V::all(0);
    for (int i = 0; i < m; ++i) {
      const V* W = weights + i * kWeights;
      const V* G = history + (m - i) * kKept;
      each_node([&]<int I>() {
        constexpr Node n = T[I];
        if constexpr (P.weight[z(I)] >= 0) {
          const V w = W[P.weight[z(I)]];
          V& first = total[z(2 * P.weight[z(I)])];
          V& second = total[z(2 * P.weight[z(I)] + 1)];
          if constexpr (n.op == Op::multiply) {
            if constexpr (P.active[z(n.a)]) first = first + w * G[P.keep[z(n.b)]];
            if constexpr (P.active[z(n.b)]) second = second + w * G[P.keep[z(n.a)]];
          } else if constexpr (n.op == Op::divide) {
            first = first + w * G[P.keep[z(n.b)]];
            second = second + w * G[P.keep[z(I)]];
          } else {
            first = first + w * G[P.keep[z(I)]];
          }
        }
      });
    }
    for (std::size_t s = 0; s < total.size(); ++s) lower[s] = total[s];
  }

  template <int Row, class V, class Visit>
  static void jacobian_row(const V* fix, const V* history, const V* leaf, Visit& visit) {
    std::array<V, z(kSlots * kLeaves)> g;
    gradient<Row>(fix, history, g.data());
    [&]<int... S>(std::integer_sequence<int, S...>) {
      (jacobian_block<Row, S>(g.data() + S * kLeaves, leaf + S * kLeaves, visit), ...);
    }(std::make_integer_sequence<int, kSlots>{});
  }

  // The chain rule to the angle: d cos = −sin d phi, d sin = cos d phi.
  template <int Row, int Slot, class V, class Visit>
  static void jacobian_block(const V* g, const V* leaf, Visit& visit) {
    constexpr auto entry = P.entry[z(Row)][z(Slot)];
    if constexpr (entry[0]) visit(Row, Slot, 0, g[kLeafX]);
    if constexpr (entry[1]) visit(Row, Slot, 1, g[kLeafY]);
    if constexpr (entry[2]) visit(Row, Slot, 2, g[kLeafSin] * leaf[kLeafCos] - g[kLeafCos] * leaf[kLeafSin] + g[kLeafPhi]);
  }
};

/// The kernel of a constraint type.
template <template <class> class E>
using Kernel = TapeKernel<ResidualOf<E>>;

}  // namespace jounce::planar
