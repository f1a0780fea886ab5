// Trees of links for programs that call the algorithms themselves: inverse and forward dynamics, the inertia matrix, hybrids of both,
// momentum, and batches of states. Templates: a program that includes it compiles them.
#pragma once

#include "jounce/api/tree_of.hpp"
#include "jounce/tree/algorithms.hpp"
#include "jounce/tree/batch.hpp"
#include "jounce/tree/joint_type.hpp"
