// All elements of one type, evaluated four at a time by the type's kernel.
//
// Two layouts of rows: `row` numbers equations as the outside sees them, element by element; lane rows are whole blocks,
// [block][row of the type][lane], so that residuals and multipliers move as vectors. The last block of a batch is filled up with
// copies of the last element, whose results go nowhere.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "jounce/planar/element.hpp"
#include "jounce/plane/equations/slots.hpp"

namespace jounce {

struct EquationMemory;

/// What a batch remembers between orders.
struct BatchMemory {
  std::vector<Lanes> history;  // [block][order][kept node]
  std::vector<Lanes> sum;      // [block][sum]
  std::vector<Lanes> weight;   // [block][order][weight]
  std::shared_ptr<EquationMemory> equations{};  // of those that users write
};

template <class K>
BatchMemory batch_memory(int blocks, int order) {
  const auto n = static_cast<std::size_t>(blocks), orders = static_cast<std::size_t>(order + 1);
  const auto make = [](std::size_t count) { return std::vector<Lanes>(count, Lanes::all(0)); };
  return {make(n * orders * static_cast<std::size_t>(K::kKept)), make(n * static_cast<std::size_t>(K::kSums)),
          make(n * orders * static_cast<std::size_t>(K::kWeights)), nullptr};
}

/// Copies the numbers, bodies and motions of one element into its lane of a block.
template <class K>
struct LaneFiller {
  Lanes* parameter;
  Slots<K>& slots;
  int* motion_index;  // [motion][lane]
  int block, lane;
  int slot_count = 0;

  void number(double x) { (*parameter++)[lane] = x; }
  void slot(int body) { slots.body(block, slot_count++, lane) = body; }
  void motion(int index) { motion_index[lane] = index, motion_index += kLanes; }
};

/// The motions of a block, [motion][lane] indices into `values`.
inline void gather_motions(int count, const int* index, const double* values, Lanes* out) {
  for (int m = 0; m < count; ++m, index += kLanes)
    out[m] = Lanes::of(values[index[0]], values[index[1]], values[index[2]], values[index[3]]);
}

struct CollectSlots {
  std::vector<int>& out;
  void number(double) const {}
  void slot(int body) const { out.push_back(body); }
  void motion(int) const {}
};

/// The bodies of an element, in the order of its fields.
template <class E>
std::vector<int> slots_of(E element) {
  std::vector<int> out;
  planar::walk(element, CollectSlots{out});
  return out;
}

/// A Jacobian by pairs of rows and bodies: columns x, y, phi, two rows each.
struct alignas(64) PairRecord {
  double value[8];  // (r0, r1) of x, of y, of phi, and nothing
};

/// What λᵀΦ changes by per x, y and phi of one body of an element: minus the force on it, about its centre of mass. The turn is that of an angle that
/// stands by itself and of the body's cosine and sine: `angle` + `sin` c − `cos` s.
struct SlotShare {
  int body;
  double x, y, turn;
  double angle, cos, sin;
};

template <template <class> class E>
class Batch {
 public:
  using K = planar::Kernel<E>;
  static constexpr int kPairs = (K::kRows + 1) / 2;

  std::vector<E<double>> elements;
  std::vector<int> constraint;  ///< index in the system's list
  int first_row = 0;
  int first_lane_row = 0;  ///< in vectors of lanes
  int first_record = 0;    ///< in the list of pair records

  [[nodiscard]] int size() const { return static_cast<int>(elements.size()); }
  [[nodiscard]] int blocks() const { return blocks_; }
  [[nodiscard]] int lane_rows() const { return blocks_ * K::kRows; }
  [[nodiscard]] int records() const { return blocks_ * kLanes * kPairs * K::kSlots; }
  /// Place of a row of an element in a vector of doubles that is laid out by lanes.
  [[nodiscard]] int lane_row(int element, int row) const {
    return (first_lane_row + element / kLanes * K::kRows + row) * kLanes + element % kLanes;
  }
  [[nodiscard]] int record(int element, int pair, int slot) const {
    return first_record + (element * kPairs + pair) * K::kSlots + slot;
  }

  void set_blocks() { blocks_ = (size() + kLanes - 1) / kLanes; }

  /// entry(row, column) gives the place of a Jacobian entry; columns of the ground give the scratch place.
  template <class Entry>
  void finish(int bodies, Entry&& entry) {
    const std::size_t n = static_cast<std::size_t>(blocks());
    fix_.resize(n * K::kNodes);
    slots_.resize(blocks());
    motions_.resize(n * K::kMotions * kLanes);
    for (int b = 0; b < blocks(); ++b) {
      std::array<Lanes, static_cast<std::size_t>(K::kParameters + 1)> parameter{};
      for (int lane = 0; lane < kLanes; ++lane) {
        LaneFiller<K> filler{parameter.data(), slots_, motions(b), b, lane};
        planar::walk(elements[padded(b, lane)], filler);
      }
      K::prepare(parameter.data(), fix_.data() + b * K::kNodes);
      const auto& P = K::P;
      for (int r = 0; r < K::kRows; ++r)
        for (int s = 0; s < K::kSlots; ++s)
          for (int c = 0; c < 3; ++c) {
            if (!P.entry[static_cast<std::size_t>(r)][static_cast<std::size_t>(s)][static_cast<std::size_t>(c)]) continue;
            for (int lane = 0; lane < kLanes; ++lane) {
              const bool real = b * kLanes + lane < size();
              entries_.push_back(entry(real ? row(b, lane) + r : -1, 3 * (slots_.body(b, s, lane) - 1) + c));
            }
          }
    }
    slots_.finish(size(), bodies);
  }

  /// Calls visit(row, body, column) for every entry the Jacobian can have, the ground included (body 0).
  template <class Visit>
  void pattern(Visit&& visit) const {
    for (int e = 0; e < size(); ++e) {
      const std::vector<int> slots = bodies_of(e);
      for (int r = 0; r < K::kRows; ++r)
        for (int s = 0; s < K::kSlots; ++s)
          for (int c = 0; c < 3; ++c)
            if (K::P.entry[static_cast<std::size_t>(r)][static_cast<std::size_t>(s)][static_cast<std::size_t>(c)])
              visit(first_row + e * K::kRows + r, slots[static_cast<std::size_t>(s)], c);
    }
  }

  [[nodiscard]] std::vector<int> bodies_of(int e) const { return slots_of(elements[static_cast<std::size_t>(e)]); }

  [[nodiscard]] BatchMemory memory(int order) const { return batch_memory<K>(blocks(), order); }

  // ---- rows as the outside sees them -------------------------------------------------------------------------------

  void value(const FrameRecord* frames, const double* motions, int order, BatchMemory& m, double* phi) const {
    for (int b = 0; b < blocks(); ++b) {
      std::array<Lanes, K::kRows> rows;
      value_block(b, frames, motions, order, m, rows.data());
      scatter_rows(b, rows, phi);
    }
  }

  void jacobian(const FrameRecord* frames, int order, const BatchMemory& m, double* values) const {
    const int* at = entries_.data();
    for (int b = 0; b < blocks(); ++b) {
      std::array<Lanes, Slots<K>::kLeafCount> leaf;
      slots_.gather(b, frames, leaf.data());
      K::jacobian(fix(b), history(m, b, order), leaf.data(), [&](int, int, int, Lanes v) {
        for (int lane = 0; lane < kLanes; ++lane) values[at[lane]] += v[lane];
        at += kLanes;
      });
    }
  }

  /// frames and motions are those of order k, the coordinates' part left out.
  void open(int k, const FrameRecord* frames, const double* motions, int order, BatchMemory& m, double* phi) const {
    for (int b = 0; b < blocks(); ++b) {
      std::array<Lanes, K::kRows> rows;
      K::open(k, history(m, b, order), m.sum.data() + b * K::kSums);
      close_block(b, k, frames, motions, order, m, rows.data());
      scatter_rows(b, rows, phi);
    }
  }
  /// The same with q_k in; only the history matters, so types without one have nothing to do.
  void close(int k, const FrameRecord* frames, const double* motions, int order, BatchMemory& m) const {
    if constexpr (K::kKept > 0)
      for (int b = 0; b < blocks(); ++b) {
        std::array<Lanes, K::kRows> rows;
        close_block(b, k, frames, motions, order, m, rows.data());
      }
  }

  // ---- rows by lanes -----------------------------------------------------------------------------------------------

  /// Coefficient k of the residual, k = 0 its value, with frames and motions of that order as they are.
  void lane_residual(int k, const FrameRecord* frames, const double* motions, int order, BatchMemory& m, Lanes* phi) const {
    for (int b = 0; b < blocks(); ++b) {
      Lanes* const rows = phi + first_lane_row + b * K::kRows;
      if (k == 0) {
        value_block(b, frames, motions, order, m, rows);
      } else {
        K::open(k, history(m, b, order), m.sum.data() + b * K::kSums);
        close_block(b, k, frames, motions, order, m, rows);
      }
    }
  }

  /// Φq at order 0, by pair records.
  void jacobian_records(const FrameRecord* frames, int order, const BatchMemory& m, PairRecord* out) const {
    for (int b = 0; b < blocks(); ++b) {
      std::array<Lanes, Slots<K>::kLeafCount> leaf;
      slots_.gather(b, frames, leaf.data());
      Lanes entry[2 * kPairs][K::kSlots][3];
      for (auto& of_row : entry)
        for (auto& of_slot : of_row)
          for (Lanes& e : of_slot) e = Lanes::all(0);
      K::jacobian(fix(b), history(m, b, order), leaf.data(), [&](int r, int s, int c, Lanes v) { entry[r][s][c] = v; });
      for (int p = 0; p < kPairs; ++p)
        for (int s = 0; s < K::kSlots; ++s) {
          const auto &top = entry[2 * p][s], &bottom = entry[2 * p + 1][s];
          Lanes plane[4] = {top[0], bottom[0], top[1], bottom[1]}, turn[4] = {top[2], bottom[2], Lanes::all(0), Lanes::all(0)};
          transpose(plane[0], plane[1], plane[2], plane[3]);
          transpose(turn[0], turn[1], turn[2], turn[3]);
          for (int lane = 0; lane < kLanes; ++lane) {
            double* const at = out[record(b * kLanes + lane, p, s)].value;
            plane[lane].store(at);
            turn[lane].store(at + 4);
          }
        }
    }
  }

  /// Takes from the records of the bodies the part of coefficient m of Φqᵀλ that lower orders of λ contribute.
  void reverse_open(int m, int order, BatchMemory& memory, FrameRecord* records) const {
    if constexpr (K::kWeights > 0) reverse<K::Half::open>(m, nullptr, order, memory, records);
  }
  /// Takes from them what coefficient m of λ contributes.
  void reverse_close(int m, const Lanes* lambda, int order, BatchMemory& memory, FrameRecord* records) const {
    reverse<K::Half::close>(m, lambda, order, memory, records);
  }

  // ---- element by element ------------------------------------------------------------------------------------------

  /// Coefficient `Order` of Φqᵀλ along a motion, with a λ that stays, of every body of an element for itself: visit(element, shares). `frames` and
  /// `motions` are those of the orders up to that one; `lambda` has rows as the outside sees them.
  template <std::size_t Order, class Visit>
  void shares(const std::array<const FrameRecord*, Order + 1>& frames, const std::array<const double*, Order + 1>& motions, const double* lambda,
              Visit&& visit) const {
    for (int b = 0; b < blocks(); ++b) {
      // one more than there are, so that none is not a special case
      std::array<Lanes, (Order + 1) * K::kKept + 1> history;
      std::array<Lanes, (Order + 1) * K::kWeights + 1> weights;
      std::array<Lanes, K::kSums + 1> sum;
      std::array<std::array<Lanes, Slots<K>::kLeafCount>, Order + 1> leaf, gradient;
      std::array<Lanes, kMotionCount> f;
      std::array<Lanes, K::kRows> rows;
      for (std::size_t k = 0; k <= Order; ++k) {
        gather(b, frames[k], motions[k], leaf[k].data(), f.data());
        if (k == 0) {
          K::value(fix(b), leaf[k].data(), f.data(), history.data(), rows.data());
        } else {
          K::open(static_cast<int>(k), history.data(), sum.data());
          K::close(static_cast<int>(k), fix(b), leaf[k].data(), f.data(), sum.data(), history.data(), rows.data());
        }
      }
      for (int lane = 0; lane < kLanes; ++lane)
        for (int r = 0; r < K::kRows; ++r) rows[static_cast<std::size_t>(r)][lane] = lambda[first_row + static_cast<int>(padded(b, lane)) * K::kRows + r];
      for (std::size_t k = 0; k <= Order; ++k) {
        K::template reverse<K::Half::whole>(static_cast<int>(k), fix(b), history.data(), rows.data(), weights.data(), gradient[k].data());
        rows.fill(Lanes::all(0));
      }
      std::array<Lanes, K::kSlots> turn;
      for (std::size_t s = 0; s < K::kSlots; ++s) {
        const std::size_t at = s * planar::kLeaves;
        turn[s] = gradient[Order][at + planar::kLeafPhi];
        for (std::size_t k = 0; k <= Order; ++k)  // d cos = −sin d phi, d sin = cos d phi
          turn[s] = turn[s] + (gradient[k][at + planar::kLeafSin] * leaf[Order - k][at + planar::kLeafCos] -
                               gradient[k][at + planar::kLeafCos] * leaf[Order - k][at + planar::kLeafSin]);
      }
      for (int lane = 0; lane < std::min(kLanes, size() - b * kLanes); ++lane) {
        std::array<SlotShare, K::kSlots> own;
        for (int s = 0; s < K::kSlots; ++s) {
          const Lanes* const of = &gradient[Order][static_cast<std::size_t>(s) * planar::kLeaves];
          own[static_cast<std::size_t>(s)] = {slots_.body(b, s, lane), of[planar::kLeafX][lane], of[planar::kLeafY][lane], turn[static_cast<std::size_t>(s)][lane],
                                              of[planar::kLeafPhi][lane], of[planar::kLeafCos][lane], of[planar::kLeafSin][lane]};
        }
        visit(b * kLanes + lane, own);
      }
    }
  }

 private:
  static constexpr std::size_t kMotionCount = static_cast<std::size_t>(K::kMotions > 0 ? K::kMotions : 1);

  [[nodiscard]] std::size_t padded(int block, int lane) const { return static_cast<std::size_t>(std::min(block * kLanes + lane, size() - 1)); }
  [[nodiscard]] int row(int block, int lane) const { return first_row + (block * kLanes + lane) * K::kRows; }
  int* motions(int block) { return motions_.data() + block * K::kMotions * kLanes; }
  [[nodiscard]] const Lanes* fix(int block) const { return fix_.data() + block * K::kNodes; }
  static Lanes* history(BatchMemory& m, int block, int order) { return m.history.data() + block * (order + 1) * K::kKept; }
  static const Lanes* history(const BatchMemory& m, int block, int order) { return m.history.data() + block * (order + 1) * K::kKept; }

  void gather(int block, const FrameRecord* frames, const double* motions, Lanes* leaf, Lanes* f) const {
    slots_.gather(block, frames, leaf);
    if constexpr (K::kMotions > 0) gather_motions(K::kMotions, motions_.data() + block * K::kMotions * kLanes, motions, f);
  }

  void value_block(int b, const FrameRecord* frames, const double* motions, int order, BatchMemory& m, Lanes* rows) const {
    std::array<Lanes, Slots<K>::kLeafCount> leaf;
    std::array<Lanes, kMotionCount> f;
    gather(b, frames, motions, leaf.data(), f.data());
    K::value(fix(b), leaf.data(), f.data(), history(m, b, order), rows);
  }
  void close_block(int b, int k, const FrameRecord* frames, const double* motions, int order, BatchMemory& m, Lanes* rows) const {
    std::array<Lanes, Slots<K>::kLeafCount> leaf;
    std::array<Lanes, kMotionCount> f;
    gather(b, frames, motions, leaf.data(), f.data());
    K::close(k, fix(b), leaf.data(), f.data(), m.sum.data() + b * K::kSums, history(m, b, order), rows);
  }

  template <typename K::Half half>
  void reverse(int m, const Lanes* lambda, int order, BatchMemory& memory, FrameRecord* records) const {
    for (int b = 0; b < blocks(); ++b) {
      std::array<Lanes, Slots<K>::kLeafCount> gradient;
      const Lanes* seed = half == K::Half::open ? nullptr : lambda + first_lane_row + b * K::kRows;
      K::template reverse<half>(m, fix(b), history(memory, b, order), seed,
                                memory.weight.data() + b * (order + 1) * K::kWeights, gradient.data());
      slots_.template scatter<-1>(b, gradient.data(), records);
    }
  }

  void scatter_rows(int block, const std::array<Lanes, K::kRows>& rows, double* phi) const {
    double* out = phi + row(block, 0);
    const int lanes = std::min(kLanes, size() - block * kLanes);
    for (int lane = 0; lane < lanes; ++lane)
      for (int r = 0; r < K::kRows; ++r) *out++ = rows[static_cast<std::size_t>(r)][lane];
  }

  int blocks_ = 0;  // kept as a number: most batches of a model are empty, and each is asked at every order
  std::vector<Lanes> fix_;
  Slots<K> slots_;
  std::vector<int> motions_, entries_;
};

}  // namespace jounce
