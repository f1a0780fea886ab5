#include "jounce/mechanism/joint_friction.hpp"

namespace jounce {

std::optional<Fault> friction_fault(FrictionBalance::Status status, const std::string& joint, Where where) {
  if (status == FrictionBalance::Status::found) return std::nullopt;
  const char* const sentence = status == FrictionBalance::Status::open
                                   ? "its friction jams: it grows with the reaction at least as fast as the reaction with it, so that none or several of "
                                     "them would balance the motion (self-locking, or Painleve's paradox)"
                                   : "no friction was found that agrees with its reaction";
  return Fault{"joint '" + joint + "'", sentence, where, joint};
}

Fault open_friction(const std::string& joint, Where where) {
  return {"joint '" + joint + "'", "its friction grows with a reaction that redundant equations leave open", where, joint};
}

}  // namespace jounce
