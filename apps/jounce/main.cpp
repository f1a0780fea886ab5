#include <cstdio>
#include <cstdlib>
#include <jounce/jounce.hpp>
int main(int argc, char** argv) {
  const auto m = jounce::load(argv[1]);
  std::fputs(jounce::text(m.problems()).c_str(), stderr);
  if (!m) return 2;
  jounce::KinematicsOptions o{.to = argc > 2 ? std::atof(argv[2]) : m->run.to, .steps = argc > 3 ? std::atoi(argv[3]) : m->run.steps};
  const auto run = jounce::kinematics(*m, o);
  std::fputs(jounce::text(run.problems).c_str(), stderr);
  const auto mob = jounce::mobility(*m, run.start.q);
  std::printf("mobility counted %d rank %d undriven %d redundant %d sing %d inf %d reg %g\n", mob.counted, mob.mobility, mob.undriven, mob.redundant, mob.singular_position, mob.only_infinitesimal, mob.regularity);
  for (auto& d : mob.dependent) { for (auto& n : d.names) std::printf(" %s", n.c_str()); std::printf(" consistent %d\n", d.consistent); }
  std::printf("%s samples %d steps %ld rejected %ld fact %ld resid %g iter %d moved %g %g\n", jounce::word(run.outcome.kind).data(), run.statistics.samples, run.statistics.steps, run.statistics.rejected, run.statistics.factorisations, run.statistics.worst_residual, run.start.iterations, run.start.moved_metres, run.start.moved_radians);
}
