// Assembly in space: positions of loops and couplings, then their rates and the start condition.
#include "jounce/analysis/assembly/misaligned.hpp"
#include "jounce/analysis/assembly/search.hpp"
#include "jounce/analysis/assembly/space_rates.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/text.hpp"
#include "jounce/scalar/series.hpp"
#include "jounce/space/motion/closing.hpp"
#include "jounce/space/prescribed.hpp"

namespace jounce {
namespace {

void prescribe(const SpaceMechanism& mechanism, double t, Assembly& out) {
  const auto fault = prescribed_rates<1>(mechanism, t, out.q, [&](int dof, const Series<1>& rate) { out.v[z(dof)] = rate.value(); });
  if (fault) out.problems.push_back(error(fault->where, fault->text() + ", at t = " + short_number(t)));
}

// Axes that are nearly parallel let a loop close to within what an assembly allows, and hold it then, or not, by rounding.
void refuse_nearly_redundant(const SpaceMechanism& mechanism, ScaledClosures& closures, const Stop& stop, Assembly& out) {
  closures.evaluate(out.q);
  if (closures.passive().empty() || !between_dependent_and_independent(closures.gradients())) return;
  std::string hint = misaligned_axes(mechanism, out, stop);
  if (hint.empty()) return;
  const Where where = mechanism.loops.empty() ? Where{} : mechanism.loops.front().where;
  out.problems.push_back(error(where, "the loops have equations that nearly follow from others: expected them to do so to " +
                                          short_number(kDependentClosure) + " (sizes of the mechanism, or rad), or not to " +
                                          short_number(kIndependentClosure),
                               std::move(hint)));
}

void find_position(const SpaceMechanism& mechanism, ScaledClosures& closures, const Stop& stop, Assembly& out) {
  const std::vector<double> start = out.q;
  SpaceClosing motion(mechanism, start, closures);
  const bool closed = close(motion, stop, out);
  if (out.stopped) return;
  if (closed) return refuse_nearly_redundant(mechanism, closures, stop, out);
  closures.evaluate(start);
  if (const auto& fault = closures.closures().fault()) return out.problems.push_back(error(fault->where, fault->text() + ", in the position that is written"));
  const bool held = closures.passive().empty();
  std::string hint = held ? "every dof has a motion of its own: none is left that could close it" : misaligned_axes(mechanism, out, stop);
  out.problems.push_back(not_assembled(motion, out, std::move(hint)));
}

}  // namespace

Assembly assemble(const SpaceMechanism& mechanism, double t, const Stop& stop) {
  Assembly out;
  out.q = mechanism.q;
  out.v = mechanism.v;
  ScaledClosures closures(mechanism);
  closures.at_time(t);
  prescribe(mechanism, t, out);
  if (out.problems.empty()) find_position(mechanism, closures, stop, out);
  if (out.problems.empty() && !out.stopped) {
    find_rates(mechanism, closures, out);
    out.assembled = !any_error(out.problems);
  }
  locate(out.problems, mechanism.file);
  return out;
}

}  // namespace jounce
