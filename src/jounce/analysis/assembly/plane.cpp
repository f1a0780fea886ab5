// Assembly in the plane: which way round joints close is told from the drawing.
#include <cmath>
#include <memory>

#include "jounce/analysis/assembly/search.hpp"
#include "jounce/plane/motion/closing.hpp"
#include "jounce/plane/mechanism.hpp"

namespace jounce {
namespace {

Problem undefined_motion(const PlanarSystem& system, const MotionFault& fault, double t) {
  const PrescribedMotion& motion = system.motions()[static_cast<std::size_t>(fault.motion)];
  Where where = motion.where;
  if (fault.column > 0 && where.line > 0) where.column += fault.column - 1;
  return error(where, "driver '" + motion.owner + "': motion: " + fault.sentence + ", at t = " + Text(t).text);
}

void refuse_right_angles(const PlanarSystem& system, const std::vector<double>& alignment, Problems& problems) {
  for (std::size_t c = 0; c < alignment.size(); ++c) {
    const Constraint& constraint = system.constraints()[c];
    if (constraint.type == "pin-in-slot" || !(std::abs(alignment[c]) < 1e-6)) continue;
    problems.push_back(error(constraint.where, constraint.text() + ": drawn at 90 degrees, where it cannot tell parallel from anti-parallel",
                             "turn one of the bodies towards the position you mean"));
  }
}

std::string hint_of_right_angles(const PlanarSystem& system, const std::vector<double>& alignment) {
  std::string hint;
  for (std::size_t c = 0; c < alignment.size(); ++c)
    if (std::abs(alignment[c]) < 1e-3)
      hint = system.constraints()[c].text() +
             " is drawn at 90 degrees, where it cannot tell which way to turn: draw it closer to the position you mean";
  return hint;
}

void warn_of_flips(const PlanarSystem& system, const std::vector<double>& drawn, const std::vector<double>& found, Problems& problems) {
  for (std::size_t c = 0; c < drawn.size(); ++c) {
    if (!(drawn[c] * found[c] < 0)) continue;
    const Constraint& constraint = system.constraints()[c];
    const std::string how = constraint.type == "pin-in-slot" ? "with the pin on the other side of the slot's first point than drawn"
                                                             : "the other way round than drawn (its two lines point in opposite senses)";
    problems.push_back(warning(constraint.where, constraint.text() + ": assembled " + how));
  }
}

// An equation that has no value where the search begins.
bool refuse_without_value(Evaluation& evaluation, std::span<const double> start, Assembly& out) {
  (void)evaluation.set_position(start);
  const auto fault = evaluation.without_value();
  if (fault) out.problems.push_back(error(fault->where, fault->text() + ", in the drawing"));
  return fault.has_value();
}

void find_position(const PlanarSystem& system, Evaluation& evaluation, std::span<const double> start, double t, const Stop& stop,
                   Assembly& out) {
  const auto alignment = system.alignments(start, t);
  refuse_right_angles(system, alignment, out.problems);
  if (any_error(out.problems)) return;
  PlaneClosing motion(system, start, evaluation);
  out.assembled = close(motion, stop, out);
  if (out.assembled) warn_of_flips(system, alignment, system.alignments(out.q, t), out.problems);
  else if (!out.stopped && !refuse_without_value(evaluation, start, out)) out.problems.push_back(not_assembled(motion, out, hint_of_right_angles(system, alignment)));
}

}  // namespace

struct AssembledDrawing {
  std::vector<double> drawn;
  Assembly found;
};

Assembly assemble(const PlaneMechanism& mechanism, double t, const Stop& stop) {
  if (t != 0) return assemble_from(mechanism, mechanism.drawn, t, stop);
  if (const AssembledDrawing* known = mechanism.assembled.get(); known != nullptr && known->drawn == mechanism.drawn) return known->found;
  Assembly found = assemble_from(mechanism, mechanism.drawn, t, stop);
  if (!found.stopped) mechanism.assembled.keep(std::make_shared<const AssembledDrawing>(AssembledDrawing{mechanism.drawn, found}));
  return found;
}

Assembly assemble_from(const PlaneMechanism& mechanism, std::span<const double> start, double t, const Stop& stop) {
  const PlanarSystem& system = mechanism.system;
  Assembly out;
  out.q.assign(start.begin(), start.end());
  Evaluation evaluation(system, 0);
  if (const auto fault = evaluation.set_time(t)) out.problems.push_back(undefined_motion(system, *fault, t));
  else find_position(system, evaluation, start, t, stop, out);
  locate(out.problems, mechanism.file);
  return out;
}

}  // namespace jounce
