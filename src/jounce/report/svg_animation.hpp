// Drawings of several instants as one SVG that plays by itself (SMIL): every element once, with the places that it takes in time.
//
// Drawings of one mechanism have the same elements, one after the other, and differ in some of their attributes: those become lists of values. Where what
// is drawn changes on the way (something hidden comes to the front), the drawings before and after become groups that are shown in turn.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "jounce/base/result.hpp"

namespace jounce::svg {

/// `frames`: by svg::Writer, one element a line. `interval`: s, from one to the next. `turns`: how often it plays, 0 on and on. Refused where it would
/// need more than `most` bytes.
[[nodiscard]] Result<std::string> animated(std::span<const std::string> frames, double interval, int turns, std::size_t most);

}  // namespace jounce::svg
