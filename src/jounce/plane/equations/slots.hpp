// Which bodies the elements of a batch are on, and how coefficients travel between bodies and blocks of four elements.
//
// Bodies publish their coefficients as records {x, y, cos, sin | phi}: four elements are four loads and a transposition, and the way
// back is a transposition and four additions. What would go to the ground or comes from a padding lane ends in scratch records
// behind the bodies, one for each lane, so that no two lanes wait for each other.
#pragma once

#include <vector>

#include "jounce/math/lanes.hpp"
#include "jounce/planar/kernel.hpp"

namespace jounce {

using planar::FrameRecord;

/// Records behind those of the bodies that take what nobody wants.
inline constexpr int kScratchRecords = kLanes;

template <class K>
class Slots {
 public:
  static constexpr std::size_t kLeafCount = std::size_t{K::kSlots} * std::size_t{planar::kLeaves};

  static constexpr int kSlotCount = K::kSlots;

  void resize(int blocks) {
    bodies_.resize(static_cast<std::size_t>(blocks) * K::kSlots * kLanes);
    sinks_.resize(bodies_.size());
  }
  int& body(int block, int slot, int lane) { return bodies_.data()[(block * K::kSlots + slot) * kLanes + lane]; }
  [[nodiscard]] int body(int block, int slot, int lane) const { return bodies_.data()[(block * K::kSlots + slot) * kLanes + lane]; }
  /// Where results go, once all bodies are set. Lanes from `size` on are padding.
  void finish(int size, int bodies) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const int lane = static_cast<int>(i) % kLanes;
      const int element = static_cast<int>(i) / (K::kSlots * kLanes) * kLanes + lane;
      sinks_[i] = bodies_[i] == 0 || element >= size ? bodies + 1 + lane : bodies_[i];
    }
  }

  /// The same bodies for another kernel.
  template <class Other>
  void take(const Slots<Other>& other, int blocks) {
    static_assert(Slots<Other>::kSlotCount == kSlotCount);
    resize(blocks);
    for (int b = 0; b < blocks; ++b)
      for (int s = 0; s < K::kSlots; ++s)
        for (int lane = 0; lane < kLanes; ++lane) body(b, s, lane) = other.body(b, s, lane);
  }

  static constexpr bool leaf_used(int slot, int which) {
    for (int i = 0; i < K::kNodes; ++i)
      if (K::T[i].op == planar::Op::leaf && K::T[i].a == slot && K::T[i].b == which)
        for (int r = 0; r < K::kRows; ++r)
          if (K::P.reach[static_cast<std::size_t>(r)][static_cast<std::size_t>(i)]) return true;
    return false;
  }

  /// The leaves of a block, [slot][leaf]; those that the kernel does not use stay as they are.
  [[gnu::always_inline]] void gather(int block, const FrameRecord* frames, Lanes* leaf) const {
    const int* body = bodies_.data() + block * K::kSlots * kLanes;
    [&]<int... S>(std::integer_sequence<int, S...>) {
      (gather_slot<S>(frames, body + S * kLanes, leaf + S * planar::kLeaves), ...);
    }(std::make_integer_sequence<int, K::kSlots>{});
  }

  /// Adds `gradient`, [slot][leaf], times `sign` to the records of the bodies.
  template <int sign>
  [[gnu::always_inline]] void scatter(int block, const Lanes* gradient, FrameRecord* records) const {
    const int* sink = sinks_.data() + block * K::kSlots * kLanes;
    [&]<int... S>(std::integer_sequence<int, S...>) {
      (scatter_slot<S, sign>(sink + S * kLanes, gradient + S * planar::kLeaves, records), ...);
    }(std::make_integer_sequence<int, K::kSlots>{});
  }

 private:
  static constexpr bool plane_used(int slot) {
    return leaf_used(slot, planar::kLeafX) || leaf_used(slot, planar::kLeafY) || leaf_used(slot, planar::kLeafCos) ||
           leaf_used(slot, planar::kLeafSin);
  }

  template <int Slot>
  static void gather_slot(const FrameRecord* frames, const int* body, Lanes* leaf) {
    const FrameRecord &a = frames[body[0]], &b = frames[body[1]], &c = frames[body[2]], &d = frames[body[3]];
    if constexpr (plane_used(Slot)) {
      leaf[0] = Lanes::load(&a.x), leaf[1] = Lanes::load(&b.x), leaf[2] = Lanes::load(&c.x), leaf[3] = Lanes::load(&d.x);
      transpose(leaf[0], leaf[1], leaf[2], leaf[3]);
    } else {  // the chain rule of the Jacobian reads cos and sin with a factor of 0
      leaf[planar::kLeafCos] = leaf[planar::kLeafSin] = Lanes::all(0);
    }
    if constexpr (leaf_used(Slot, planar::kLeafPhi)) leaf[planar::kLeafPhi] = Lanes::of(a.phi, b.phi, c.phi, d.phi);
  }

  template <int Slot, int sign>
  static void scatter_slot(const int* sink, const Lanes* gradient, FrameRecord* records) {
    if constexpr (plane_used(Slot)) {
      Lanes part[4] = {gradient[0], gradient[1], gradient[2], gradient[3]};
      transpose(part[0], part[1], part[2], part[3]);
      for (int lane = 0; lane < kLanes; ++lane) {
        double* at = &records[sink[lane]].x;
        const Lanes sum = sign > 0 ? Lanes::load(at) + part[lane] : Lanes::load(at) - part[lane];
        sum.store(at);
      }
    }
    if constexpr (leaf_used(Slot, planar::kLeafPhi))
      for (int lane = 0; lane < kLanes; ++lane) records[sink[lane]].phi += sign * gradient[planar::kLeafPhi][lane];
  }

  std::vector<int> bodies_, sinks_;  // [block][slot][lane]
};

static_assert(planar::kLeafX == 0 && planar::kLeafY == 1 && planar::kLeafCos == 2 && planar::kLeafSin == 3);

}  // namespace jounce
