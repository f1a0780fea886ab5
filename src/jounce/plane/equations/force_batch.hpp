// All forces of one type, evaluated four at a time by the type's kernels: one for what they act along, one for how strongly.
#pragma once

#include <vector>

#include "jounce/plane/equations/batch.hpp"

namespace jounce {

/// What a batch of forces remembers between orders.
struct ForceMemory {
  BatchMemory measures, efforts;
  std::vector<Lanes> x;       // [block][order][measure]: coefficients of the measures
  std::vector<Lanes> effort;  // [block][order][measure]
};

template <template <class> class F>
class ForceBatch {
 public:
  using KM = planar::TapeKernel<planar::MeasuresOf<F>>;
  using KE = planar::TapeKernel<planar::EffortsOf<F>>;
  static constexpr int kMeasures = KM::kRows;
  static constexpr int kOwnMotions = KE::kMotions - 2 * kMeasures - 1;  // before measures, rates and signal
  static_assert(KE::kSlots == KM::kSlots);

  /// Whether the efforts depend on the measures, their rates or the signal.
  static constexpr bool kReadsMeasures = [] {
    for (int i = 0; i < KE::kNodes; ++i)
      if (KE::T[i].op == planar::Op::motion && KE::T[i].a >= kOwnMotions)
        for (int r = 0; r < KE::kRows; ++r)
          if (KE::P.reach[static_cast<std::size_t>(r)][static_cast<std::size_t>(i)]) return true;
    return false;
  }();
  /// Whether the bodies enter in a way that makes a constant effort a changing force.
  static constexpr bool kPlain = !kReadsMeasures && KM::kWeights == 0 && KE::kSums == 0;

  std::vector<F<double>> elements;
  std::vector<int> force;   ///< index in the system's list
  std::vector<int> signal;  ///< index of its signal, or −1
  bool constant = false;    ///< loads that never change: all is said at order 0

  [[nodiscard]] int size() const { return static_cast<int>(elements.size()); }
  [[nodiscard]] int blocks() const { return blocks_; }
  [[nodiscard]] std::vector<int> bodies_of(int e) const { return slots_of(elements[static_cast<std::size_t>(e)]); }

  void finish(int bodies) {
    blocks_ = (size() + kLanes - 1) / kLanes;
    const std::size_t n = static_cast<std::size_t>(blocks_);
    measure_fix_.resize(n * KM::kNodes);
    effort_fix_.resize(n * KE::kNodes);
    slots_.resize(blocks_);
    motions_.resize(n * kOwnMotions * kLanes);
    for (int b = 0; b < blocks_; ++b) {
      std::array<Lanes, static_cast<std::size_t>(KM::kParameters + 1)> parameter{};
      for (int lane = 0; lane < kLanes; ++lane) {
        LaneFiller<KM> filler{parameter.data(), slots_, motions_.data() + b * kOwnMotions * kLanes, b, lane};
        planar::walk(elements[static_cast<std::size_t>(std::min(b * kLanes + lane, size() - 1))], filler);
      }
      KM::prepare(parameter.data(), measure_fix_.data() + b * KM::kNodes);
      KE::prepare(parameter.data(), effort_fix_.data() + b * KE::kNodes);
    }
    slots_.finish(size(), bodies);
    for (int e = 0; e < size(); ++e) any_signal_ = any_signal_ || signal[static_cast<std::size_t>(e)] >= 0;
    effort_slots_.take(slots_, blocks_);
  }

  [[nodiscard]] ForceMemory memory(int order) const {
    const auto count = static_cast<std::size_t>(blocks_ * (order + 1) * kMeasures);
    return {batch_memory<KM>(blocks_, order), batch_memory<KE>(blocks_, order), std::vector<Lanes>(count, Lanes::all(0)),
            std::vector<Lanes>(count, Lanes::all(0))};
  }

  /// Coefficient k of the measures. frames are those of order k; out(signal, value) receives those that a signal needs.
  template <class Out>
  void measure(int k, const FrameRecord* frames, int order, ForceMemory& m, Out&& out) const {
    if constexpr (!kReadsMeasures && KM::kKept == 0) return;
    for (int b = 0; b < blocks_; ++b) {
      std::array<Lanes, Slots<KM>::kLeafCount> leaf;
      slots_.gather(b, frames, leaf.data());
      Lanes* const history = m.measures.history.data() + b * (order + 1) * KM::kKept;
      Lanes* const sum = m.measures.sum.data() + b * KM::kSums;
      Lanes* const x = m.x.data() + (b * (order + 1) + k) * kMeasures;
      const Lanes* const fix = measure_fix_.data() + b * KM::kNodes;
      if (k == 0) {
        KM::value(fix, leaf.data(), static_cast<const Lanes*>(nullptr), history, x);
      } else {
        KM::open(k, history, sum);
        KM::close(k, fix, leaf.data(), static_cast<const Lanes*>(nullptr), sum, history, x);
      }
      if (!any_signal_) continue;
      for (int lane = 0; lane < kLanes && b * kLanes + lane < size(); ++lane)
        if (const int s = signal[static_cast<std::size_t>(b * kLanes + lane)]; s >= 0) out(s, x[0][lane]);
    }
  }

  /// Adds coefficient m of the generalized forces to the records of the bodies. frames, motions and signals are those of order m;
  /// the measures must be known to order m + 1.
  void apply(int m, const FrameRecord* frames, const double* motions, const double* signals, int order, ForceMemory& memory,
             FrameRecord* records) const {
    if (m > 0 && constant) return;
    for (int b = 0; b < blocks_; ++b) {
      Lanes* const effort = memory.effort.data() + (b * (order + 1) + m) * kMeasures;
      efforts(b, m, frames, motions, signals, order, memory, effort);
      std::array<Lanes, Slots<KM>::kLeafCount> gradient;
      KM::template reverse<KM::Half::whole>(m, measure_fix_.data() + b * KM::kNodes,
                                            memory.measures.history.data() + b * (order + 1) * KM::kKept, effort,
                                            memory.measures.weight.data() + b * (order + 1) * KM::kWeights, gradient.data());
      slots_.template scatter<1>(b, gradient.data(), records);
    }
  }

  /// Measure n of an element, coefficient k.
  [[nodiscard]] double x(const ForceMemory& m, int element, int n, int k, int order) const {
    return m.x[static_cast<std::size_t>((element / kLanes * (order + 1) + k) * kMeasures + n)][element % kLanes];
  }
  [[nodiscard]] double effort(const ForceMemory& m, int element, int n, int k, int order) const {
    return m.effort[static_cast<std::size_t>((element / kLanes * (order + 1) + k) * kMeasures + n)][element % kLanes];
  }

 private:
  void efforts(int b, int m, const FrameRecord* frames, const double* motions, const double* signals, int order,
               ForceMemory& memory, Lanes* effort) const {
    std::array<Lanes, Slots<KE>::kLeafCount> leaf;
    effort_slots_.gather(b, frames, leaf.data());
    std::array<Lanes, static_cast<std::size_t>(KE::kMotions)> input;
    gather_motions(kOwnMotions, motions_.data() + b * kOwnMotions * kLanes, motions, input.data());
    const Lanes* const x = memory.x.data() + (b * (order + 1) + m) * kMeasures;
    for (int n = 0; n < kMeasures; ++n) {
      input[static_cast<std::size_t>(kOwnMotions + n)] = x[n];
      input[static_cast<std::size_t>(kOwnMotions + kMeasures + n)] = Lanes::all(m + 1.0) * x[kMeasures + n];
    }
    Lanes extra = Lanes::all(0);
    if (any_signal_)
      for (int lane = 0; lane < kLanes && b * kLanes + lane < size(); ++lane)
        if (const int s = signal[static_cast<std::size_t>(b * kLanes + lane)]; s >= 0) extra[lane] = signals[s];
    input.back() = extra;
    Lanes* const history = memory.efforts.history.data() + b * (order + 1) * KE::kKept;
    Lanes* const sum = memory.efforts.sum.data() + b * KE::kSums;
    const Lanes* const fix = effort_fix_.data() + b * KE::kNodes;
    if (m == 0) {
      KE::value(fix, leaf.data(), input.data(), history, effort);
    } else {
      KE::open(m, history, sum);
      KE::close(m, fix, leaf.data(), input.data(), sum, history, effort);
    }
  }

  int blocks_ = 0;
  bool any_signal_ = false;
  std::vector<Lanes> measure_fix_, effort_fix_;
  Slots<KM> slots_;
  Slots<KE> effort_slots_;
  std::vector<int> motions_;  // [block][motion][lane]
};

}  // namespace jounce
