// All elements of one type, evaluated four at a time by the type's kernel.
#pragma once

#include <vector>

#include "jounce/math/lanes.hpp"
#include "jounce/planar/kernel.hpp"
#include "jounce/planar/element.hpp"

namespace jounce {

using planar::FrameRecord;

/// What a batch remembers between orders.
struct BatchMemory {
  std::vector<Lanes> history;  // [block][order][kept node]
  std::vector<Lanes> sum;      // [block][sum]
};

template <template <class> class E>
class Batch {
 public:
  using K = planar::Kernel<E>;

  std::vector<E<double>> elements;
  std::vector<int> constraint;  ///< index in the system's list
  int first_row = 0;

  [[nodiscard]] int size() const { return static_cast<int>(elements.size()); }
  [[nodiscard]] int blocks() const { return blocks_; }

  /// entry(row, column) gives the place of a Jacobian entry; columns of the ground give the scratch place.
  template <class Entry>
  void finish(Entry&& entry) {
    blocks_ = (size() + kLanes - 1) / kLanes;
    const std::size_t n = static_cast<std::size_t>(blocks());
    fix_.resize(n * K::kNodes);
    bodies_.resize(n * K::kSlots * kLanes);
    motions_.resize(n * K::kMotions * kLanes);
    for (int b = 0; b < blocks(); ++b) {
      std::array<Lanes, static_cast<std::size_t>(K::kParameters + 1)> parameter{};
      for (int lane = 0; lane < kLanes; ++lane) {
        Reader reader{parameter.data(), &body(b, 0, lane), motions(b, lane), lane};
        planar::walk(elements[padded(b, lane)], reader);
      }
      K::prepare(parameter.data(), fix_.data() + b * K::kNodes);
      const auto& P = K::P;
      for (int r = 0; r < K::kRows; ++r)
        for (int s = 0; s < K::kSlots; ++s)
          for (int c = 0; c < 3; ++c) {
            if (!P.entry[static_cast<std::size_t>(r)][static_cast<std::size_t>(s)][static_cast<std::size_t>(c)]) continue;
            for (int lane = 0; lane < kLanes; ++lane) {
              const bool real = b * kLanes + lane < size();
              entries_.push_back(entry(real ? row(b, lane) + r : -1, 3 * (body(b, s, lane) - 1) + c));
            }
          }
    }
  }

  /// Calls visit(row, body, column) for every entry the Jacobian can have, the ground included (body 0).
  template <class Visit>
  void pattern(Visit&& visit) const {
    for (int e = 0; e < size(); ++e) {
      std::array<int, 4> slots{};
      SlotReader reader{slots.data()};
      E<double> copy = elements[static_cast<std::size_t>(e)];
      planar::walk(copy, reader);
      for (int r = 0; r < K::kRows; ++r)
        for (int s = 0; s < K::kSlots; ++s)
          for (int c = 0; c < 3; ++c)
            if (K::P.entry[static_cast<std::size_t>(r)][static_cast<std::size_t>(s)][static_cast<std::size_t>(c)])
              visit(first_row + e * K::kRows + r, slots[static_cast<std::size_t>(s)], c);
    }
  }

  [[nodiscard]] std::vector<int> bodies_of(int e) const {
    std::vector<int> slots(static_cast<std::size_t>(K::kSlots));
    E<double> copy = elements[static_cast<std::size_t>(e)];
    planar::walk(copy, SlotReader{slots.data()});
    return slots;
  }

  [[nodiscard]] BatchMemory memory(int order) const {
    const auto n = static_cast<std::size_t>(blocks());
    return {std::vector<Lanes>(n * static_cast<std::size_t>(order + 1) * static_cast<std::size_t>(K::kKept)), std::vector<Lanes>(n * static_cast<std::size_t>(K::kSums))};
  }

  void value(const FrameRecord* frames, const double* motions, int order, BatchMemory& m, double* phi) const {
    for (int b = 0; b < blocks(); ++b) {
      std::array<Lanes, kLeafCount> leaf;
      std::array<Lanes, kMotionCount> f;
      gather(b, frames, motions, leaf.data(), f.data());
      std::array<Lanes, K::kRows> rows;
      K::value(fix(b), leaf.data(), f.data(), history(m, b, order), rows.data());
      scatter(b, rows, phi);
    }
  }

  void jacobian(const FrameRecord* frames, int order, const BatchMemory& m, double* values) const {
    const int* at = entries_.data();
    for (int b = 0; b < blocks(); ++b) {
      std::array<Lanes, kLeafCount> leaf;
      gather(b, frames, nullptr, leaf.data(), nullptr);
      K::jacobian(fix(b), history(m, b, order), leaf.data(), [&](int, int, int, Lanes v) {
        for (int lane = 0; lane < kLanes; ++lane) values[at[lane]] += v[lane];
        at += kLanes;
      });
    }
  }

  /// frames and motions are those of order k, the coordinates' part left out.
  void open(int k, const FrameRecord* frames, const double* motions, int order, BatchMemory& m, double* phi) const {
    for (int b = 0; b < blocks(); ++b) {
      Lanes* sums = m.sum.data() + b * K::kSums;
      K::open(k, history(m, b, order), sums);
      close_block(b, k, frames, motions, order, m, phi);
    }
  }
  /// The same with q_k in; only the history matters, so types without one have nothing to do.
  void close(int k, const FrameRecord* frames, const double* motions, int order, BatchMemory& m) const {
    if constexpr (K::kKept > 0)
      for (int b = 0; b < blocks(); ++b) close_block(b, k, frames, motions, order, m, nullptr);
  }

 private:
  static constexpr std::size_t kLeafCount = std::size_t{K::kSlots} * std::size_t{planar::kLeaves};
  static constexpr std::size_t kMotionCount = static_cast<std::size_t>(K::kMotions > 0 ? K::kMotions : 1);

  struct Reader {
    Lanes* parameter;
    int* body;
    int* motion_index;
    int lane;
    void number(double x) { (*parameter++)[lane] = x; }
    void slot(int index) { *body = index, body += kLanes; }
    void motion(int index) { *motion_index = index, motion_index += kLanes; }
  };
  struct SlotReader {
    int* out;
    void number(double) const {}
    void slot(int index) { *out++ = index; }
    void motion(int) const {}
  };

  // The last block is filled up with copies of the last element; their results go nowhere.
  [[nodiscard]] std::size_t padded(int block, int lane) const { return static_cast<std::size_t>(std::min(block * kLanes + lane, size() - 1)); }
  [[nodiscard]] int row(int block, int lane) const { return first_row + (block * kLanes + lane) * K::kRows; }
  int& body(int block, int slot, int lane) { return bodies_.data()[(block * K::kSlots + slot) * kLanes + lane]; }
  // nullptr for a type without motions
  int* motions(int block, int lane) { return K::kMotions > 0 ? motions_.data() + block * K::kMotions * kLanes + lane : nullptr; }
  [[nodiscard]] const Lanes* fix(int block) const { return fix_.data() + block * K::kNodes; }
  static Lanes* history(BatchMemory& m, int block, int order) { return m.history.data() + block * (order + 1) * K::kKept; }
  static const Lanes* history(const BatchMemory& m, int block, int order) { return m.history.data() + block * (order + 1) * K::kKept; }

  static constexpr bool leaf_used(int slot, int which) {
    for (int i = 0; i < K::kNodes; ++i)
      if (K::T[i].op == planar::Op::leaf && K::T[i].a == slot && K::T[i].b == which)
        for (int r = 0; r < K::kRows; ++r)
          if (K::P.reach[static_cast<std::size_t>(r)][static_cast<std::size_t>(i)]) return true;
    return false;
  }

  void gather(int block, const FrameRecord* frames, const double* motions, Lanes* leaf, Lanes* f) const {
    const int* body = bodies_.data() + block * K::kSlots * kLanes;
    [&]<int... S>(std::integer_sequence<int, S...>) {
      (gather_slot<S>(frames, body + S * kLanes, leaf + S * planar::kLeaves), ...);
    }(std::make_integer_sequence<int, K::kSlots>{});
    if constexpr (K::kMotions > 0) {
      if (f == nullptr) return;
      const int* index = motions_.data() + block * K::kMotions * kLanes;
      for (int m = 0; m < K::kMotions; ++m, index += kLanes)
        f[m] = Lanes::of(motions[index[0]], motions[index[1]], motions[index[2]], motions[index[3]]);
    }
  }
  template <int Slot>
  static void gather_slot(const FrameRecord* frames, const int* body, Lanes* leaf) {
    const FrameRecord &a = frames[body[0]], &b = frames[body[1]], &c = frames[body[2]], &d = frames[body[3]];
    if constexpr (leaf_used(Slot, planar::kLeafX)) leaf[planar::kLeafX] = Lanes::of(a.x, b.x, c.x, d.x);
    if constexpr (leaf_used(Slot, planar::kLeafY)) leaf[planar::kLeafY] = Lanes::of(a.y, b.y, c.y, d.y);
    if constexpr (leaf_used(Slot, planar::kLeafCos) || leaf_used(Slot, planar::kLeafSin)) {
      leaf[planar::kLeafCos] = Lanes::of(a.c, b.c, c.c, d.c);
      leaf[planar::kLeafSin] = Lanes::of(a.s, b.s, c.s, d.s);
    } else {  // the chain rule of the Jacobian reads them with a factor of 0
      leaf[planar::kLeafCos] = leaf[planar::kLeafSin] = Lanes::all(0);
    }
    if constexpr (leaf_used(Slot, planar::kLeafPhi)) leaf[planar::kLeafPhi] = Lanes::of(a.phi, b.phi, c.phi, d.phi);
  }

  void close_block(int b, int k, const FrameRecord* frames, const double* motions, int order, BatchMemory& m, double* phi) const {
    std::array<Lanes, kLeafCount> leaf;
    std::array<Lanes, kMotionCount> f;
    gather(b, frames, motions, leaf.data(), f.data());
    std::array<Lanes, K::kRows> rows;
    K::close(k, fix(b), leaf.data(), f.data(), m.sum.data() + b * K::kSums, history(m, b, order), rows.data());
    if (phi != nullptr) scatter(b, rows, phi);
  }

  void scatter(int block, const std::array<Lanes, K::kRows>& rows, double* phi) const {
    double* out = phi + row(block, 0);
    const int lanes = std::min(kLanes, size() - block * kLanes);
    for (int lane = 0; lane < lanes; ++lane)
      for (int r = 0; r < K::kRows; ++r) *out++ = rows[static_cast<std::size_t>(r)][lane];
  }

  int blocks_ = 0;  // kept as a number: most batches of a model are empty, and each is asked at every order
  std::vector<Lanes> fix_;
  std::vector<int> bodies_, motions_, entries_;
};

}  // namespace jounce
