// How far rounding of the prescribed functions moves a driven mechanism about: 5e6 (1 − cos wt) is a smooth motion of some metres, computed as the
// difference of numbers of millions, and every value of it is off by a nanometre, here and there. Prediction and solution of a step
// agree no better than that, however short the step is.
#pragma once

#include <span>

#include "jounce/mechanism/driven_motion.hpp"

namespace jounce {

/// At position q of time t, with the power series of the way from there and the regularity of the equations: the largest difference of
/// prediction and solution that is as large for steps of length h as for much longer ones, with a margin; mechanism sizes and radians. 0 where
/// differences fall with the step, where they come of equations that are close to singular or contradict each other, and where they are too large
/// to be called noise.
[[nodiscard]] double motion_noise(DrivenMotion& motion, double t, std::span<const double> q, std::span<const double> ways, double regularity, double h);

}  // namespace jounce
