#include "jounce/api/draw.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

#include "jounce/analysis/assembly/assembly.hpp"
#include "jounce/api/content.hpp"
#include "jounce/api/run.hpp"
#include "jounce/base/index.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/base/text.hpp"
#include "jounce/plane/rows/given_loads.hpp"
#include "jounce/report/draw/draw_dxf.hpp"
#include "jounce/report/draw/drawing.hpp"
#include "jounce/report/plane_figure.hpp"
#include "jounce/report/solids/furnish.hpp"
#include "jounce/report/solids/meshes.hpp"
#include "jounce/report/svg_animation.hpp"
#include "jounce/space/equations/equations.hpp"
#include "jounce/space/rows/given_load.hpp"
#include "jounce/space/rows/space_rows.hpp"

namespace jounce {
namespace {

constexpr int kTrailSteps = 400;  // at least; more where [run] has more
constexpr int kMostTrailSteps = 20000;
constexpr std::size_t kInstants = 200;  // of a motion, to see how far joints slide
constexpr int kFigureSteps = 400;      // at most, where slots and guides are all that the run is for
constexpr int kFigureAsked = 2000;     // how often such a run may ask whether it is to go on: a drawing takes no longer than some seconds
constexpr double kBefore = 1e-6;    // a run that ended is drawn this part of its time before
constexpr double kRoughTolerance = 1e-6;  // where only the way of its slides is looked at
constexpr double kTolerance = 1e-10;  // of a forward motion that leads to a drawing

Scene scene_of(const Mechanism& mechanism) {
  return visit(mechanism, [](const auto& m) { return scene(m); });
}

// What the bodies look like, from the files that the model names.
void look_at(const Mechanism& mechanism, Scene& drawn, Problems& problems) {
  visit(mechanism, [&](const auto& m) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(m)>, SpaceMechanism>) add_pictures(drawn, m, mechanism.file(), problems);
  });
}

// The analysis that says where the bodies are; what loads them is not asked for.
Analysis motion_of(const RunPlan& plan) {
  if (!plan.written) return Analysis::kinematics;
  const Analysis analysis = analysis_of(plan.analysis).value_or(Analysis::kinematics);
  return analysis == Analysis::inverse ? Analysis::kinematics : analysis;
}

// Runs it; by dynamics where drivers do not decide the motion.
Run follow(const Mechanism& mechanism, Analysis& analysis, const Options& options, const RowSink& sink) {
  Run out = run(mechanism, analysis, options, sink);
  if (out.outcome.kind != Outcome::Kind::not_driven) return out;
  analysis = Analysis::dynamics;
  return run(mechanism, analysis, options, sink);
}

// The bodies where the joints bring them, without any motion.
std::vector<Frame<double>> poses_of(const PlaneMechanism& mechanism, const Assembly& found) {
  std::vector<Frame<double>> poses(1);
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
    const double* q = found.q.data() + 3 * (b - 1);
    const Vec2<double> com = mechanism.bodies[b].com;
    poses.push_back(plane_frame(q[0], q[1], q[2]));
    poses.back().origin = poses.back() * Vec3<double>{-com.x, -com.y, 0};
  }
  return poses;
}

std::vector<Frame<double>> poses_of(const SpaceMechanism& mechanism, const Assembly& found) {
  std::vector<double> a(mechanism.dofs.size());
  SpaceEquations equations(mechanism);
  equations.move(found.q, found.v, a);
  const std::vector<Column> columns = space_columns(mechanism, false);
  std::vector<double> row(columns.size());
  SpaceOrders orders(equations);
  orders.rest();
  fill_space_row(equations, {.t = 0, .q = found.q, .v = found.v, .a = a, .orders = &orders}, row);
  return Poses(scene(mechanism), columns).all(row);
}

bool can_stand_still(Outcome::Kind kind) {
  return kind == Outcome::Kind::not_run || kind == Outcome::Kind::not_assembled || kind == Outcome::Kind::undecided;
}

struct Instant {
  std::vector<Frame<double>> poses;  // empty: there is nothing to draw
  double t = 0;
  Outcome outcome;
  Problems problems;
  std::vector<double> q{}, v{};  // of the joints of a mechanism in space
  std::vector<double> angles{};  // of the bodies of the plane, as often as they have turned
};

void take_joints(const PlaneMechanism& mechanism, const std::vector<Column>& columns, std::span<const double> row, Instant& out) {
  for (const BodyData& body : mechanism.bodies) {
    const auto found = std::ranges::find(columns, body.name + ".phi", &Column::name);
    out.angles.push_back(found == columns.end() ? 0 : row[static_cast<std::size_t>(found - columns.begin())]);
  }
}
void take_joints(const SpaceMechanism& mechanism, const std::vector<Column>& columns, std::span<const double> row, Instant& out) {
  out.q.resize(z(mechanism.tree.coordinates())), out.v.resize(mechanism.dofs.size());
  const auto read = [&](const std::string& first, int count, auto to) {
    const auto found = std::ranges::find(columns, first, &Column::name);
    if (found != columns.end() && count > 0) std::ranges::copy(row.subspan(static_cast<std::size_t>(found - columns.begin()), z(count)), to);
  };
  for (const SpaceJoint& joint : mechanism.joints) {
    read(joint.name + ".q1", joint.links.coordinates, out.q.begin() + joint.links.q);
    read(joint.name + ".v1", joint.links.dofs, out.v.begin() + joint.links.v);
  }
}

Instant assembled(const Mechanism& mechanism, const Stop& stop) {
  return visit(mechanism, [&](const auto& m) {
    const Assembly found = assemble(m, 0, stop);
    if (found.stopped) return Instant{{}, 0, not_begun(found), {}};
    Outcome outcome;
    outcome.kind = found.assembled ? Outcome::Kind::done : Outcome::Kind::not_assembled;
    return Instant{poses_of(m, found), 0, std::move(outcome), found.problems, found.q, found.v};
  });
}

Instant instant(const Mechanism& mechanism, const Scene& scene, std::optional<double> at, const Stop& stop) {
  Analysis analysis = motion_of(mechanism.run());
  if (at && analysis == Analysis::equilibrium) analysis = Analysis::dynamics;
  const double t = at.value_or(0);
  Options options{.to = t > 0 ? t : mechanism.run().to, .steps = 1, .stop = stop, .events = false, .tolerance = kTolerance};
  std::vector<double> last;
  const RowSink sink = [&](std::span<const double> row) { return last.assign(row.begin(), row.end()), t > 0; };
  Run ran = follow(mechanism, analysis, options, sink);

  Instant out;
  out.outcome = ran.outcome;
  const bool started = !last.empty() && t == 0;
  if (started) out.outcome = {Outcome::Kind::done, 0, "", {}};  // it is stopped after its first row
  if (out.outcome.kind == Outcome::Kind::stopped) return out;
  if (!out.outcome.done()) {
    const double reached = ran.outcome.t * (1 - kBefore);
    if (!(reached > 0) && t == 0 && can_stand_still(ran.outcome.kind)) return assembled(mechanism, stop);
    out.problems = std::move(ran.problems);
    if (!(reached > 0)) return out;
    options.to = reached;
    last.clear();
    if (const Run again = run(mechanism, analysis, options, sink); !again.outcome.done()) return out.outcome = again.outcome, out;
    out.problems.push_back(warning({}, "drawn at " + seconds(reached) + ", as far as the run goes"));
  }
  out.t = t > 0 ? options.to : 0;
  const std::vector<Column> columns = result_columns(mechanism, analysis);
  out.poses = Poses(scene, columns).all(last);
  visit(mechanism, [&](const auto& m) { take_joints(m, columns, last, out); });
  return out;
}

// Whether the motion says how far something reaches.
bool reaches(const Scene& scene) {
  using Symbol = DrawingSymbol;
  return !scene.walls.empty() || std::ranges::any_of(scene.elements, [&](const Scene::Element& e) {
    if (scene.space) return e.symbol == Symbol::slide || e.symbol == Symbol::sleeve || e.symbol == Symbol::screw || e.symbol == Symbol::table;
    return e.symbol == Symbol::slot || e.symbol == Symbol::slider || e.symbol == Symbol::wheel || e.symbol == Symbol::cylinder ||
           e.symbol == Symbol::spring || e.symbol == Symbol::guide;
  });
}

// Whether the ground holds something in space: what its stands look like must not depend on the instant that is drawn.
bool stands(const Scene& scene) {
  return scene.space && std::ranges::any_of(scene.elements, [](const Scene::Element& e) {
    return (e.i == 0 || e.j == 0) && e.frame_i && e.frame_j && e.symbol != DrawingSymbol::afloat;
  });
}

// The paths over the whole run, as far as it goes, and what its motion says of the figure: instants of it in space.
std::vector<Snapshot::Trail> paths(const Mechanism& mechanism, const Scene& scene, const std::vector<TrailPoint>& points, PlaneFigure& figure, const Stop& stop,
                                   std::vector<BodyPoses>& motion, Outcome& outcome, Problems& problems) {
  std::vector<Snapshot::Trail> out;
  out.reserve(points.size());
  for (const TrailPoint& point : points) out.push_back({point.name, {}});
  Analysis analysis = motion_of(mechanism.run());
  const bool far = reaches(scene), short_one = !scene.space || !far;  // what stands where needs some of the motion only
  if (points.empty() && ((!far && !stands(scene)) || (!scene.space && !mechanism.run().written))) return out;
  if (points.empty() && short_one && analysis == Analysis::equilibrium) return out;
  if (analysis == Analysis::equilibrium) analysis = Analysis::dynamics;
  std::optional<Poses> poses;  // which columns there are is known when the run has chosen its analysis
  std::vector<Frame<double>> placed;
  std::size_t rows = 0, every = 1;
  const RowSink sink = [&](std::span<const double> row) {
    if (!poses) poses.emplace(scene, result_columns(mechanism, analysis));
    if (!scene.space) {
      poses->all(row, placed);
      figure.take(placed);
    } else if (rows++ % every == 0) {
      motion.push_back(poses->all(row));
      if (motion.size() >= 2 * kInstants) {  // every second one is enough
        for (std::size_t k = 1; k < kInstants; ++k) motion[k] = std::move(motion[2 * k]);
        motion.resize(kInstants);
        every *= 2;
      }
    }
    for (std::size_t k = 0; k < points.size(); ++k) {
      const auto& [x, y, z] = points[k].p;
      out[k].path.push_back(poses->of(points[k].body, row) * Vec3<double>{x, y, z});
    }
    return true;
  };
  const int steps = mechanism.run().steps;
  bool called_off = false;
  int asked = 0;
  const Stop enough = [&] { return (called_off = stop && stop()) || ++asked > kFigureAsked; };
  if (points.empty() && short_one) {
    Options options{.to = mechanism.run().to, .steps = std::clamp(steps, 1, scene.space ? static_cast<int>(kInstants) : kFigureSteps), .stop = enough};
    if (scene.space) options.tolerance = kRoughTolerance;
    (void)follow(mechanism, analysis, options, sink);
    if (called_off) outcome = {Outcome::Kind::stopped, 0, "", {}};
    return out;
  }
  const Run ran = follow(mechanism, analysis,
                         {.to = mechanism.run().to,
                          .steps = points.empty() ? static_cast<int>(kInstants) : std::clamp(steps, kTrailSteps, kMostTrailSteps),
                          .stop = stop,
                          .tolerance = points.empty() ? kRoughTolerance : kTolerance}, sink);
  if (ran.outcome.kind == Outcome::Kind::stopped) outcome = ran.outcome;
  if (!ran.outcome.done() && !points.empty())
    problems.push_back(warning({}, "the trails end at " + seconds(ran.outcome.t) + ": " + ran.outcome.sentence));
  return out;
}

// The paths of points over the run, and the scene with what its motion and the moments that are shown say of it: how far slots reach, what bodies are made of.
std::vector<Snapshot::Trail> complete(const Mechanism& mechanism, Scene& drawn, std::span<const Snapshot> shown, const std::vector<TrailPoint>& points, const Stop& stop,
                                      Outcome& outcome, Problems& problems) {
  const Scene plain = drawn;
  PlaneFigure figure(plain);
  std::vector<BodyPoses> motion;
  std::vector<Snapshot::Trail> out = paths(mechanism, plain, points, figure, stop, motion, outcome, problems);
  for (const Snapshot& moment : shown) figure.take(moment.poses);
  figure.complete(drawn);
  if (motion.empty()) motion.push_back(shown.front().poses);
  furnish(drawn, motion);
  return out;
}

// What the forces and moments of the model are at this instant.
std::vector<Snapshot::Load> loads(const PlaneMechanism& mechanism, const std::vector<Frame<double>>& poses, const Instant& when) {
  std::vector<planar::FrameRecord> frames(poses.size());
  for (std::size_t b = 0; b < poses.size(); ++b) {
    const Vec2<double> com = mechanism.bodies[b].com;
    const Vec3<double> at = poses[b] * Vec3<double>{com.x, com.y, 0}, along = poses[b].axes.x;
    static_cast<planar::Frame<double>&>(frames[b]) = {at.x, at.y, along.x, along.y, b < when.angles.size() ? when.angles[b] : std::atan2(along.y, along.x)};
  }
  std::vector<Snapshot::Load> out;
  const std::vector<planar::FrameRecord> still(frames.size());  // a drawing knows no rates
  const std::vector<GivenLoad> given = given_loads(mechanism.system, when.t, frames, still);
  for (std::size_t f = 0; f < given.size(); ++f)
    if (given[f].known) out.push_back({mechanism.system.forces()[f].name, given[f].force, given[f].moment});
  return out;
}

std::vector<Snapshot::Load> loads(const SpaceMechanism& mechanism, const std::vector<Frame<double>>&, const Instant& when) {
  std::vector<Snapshot::Load> out;
  const std::vector<GivenLoad> given = given_loads(mechanism, when.t, when.q, when.v);
  for (std::size_t f = 0; f < given.size(); ++f)
    if (given[f].known) out.push_back({mechanism.forces[f].name, given[f].force, given[f].moment});
  return out;
}

std::string meant(const std::string& name, const std::vector<std::string>& known, std::string_view otherwise) {
  const auto guess = nearest_name(name, known);
  return guess ? "did you mean '" + *guess + "'?" : std::string(otherwise) + " " + join_names(known);
}

// The instants of a motion that are drawn.
struct Moments {
  std::vector<Snapshot> at;
  Outcome outcome;
  Problems problems;
};

Moments moments(const Mechanism& mechanism, const Scene& scene, const std::vector<double>& times, const AnimationOptions& wanted) {
  Analysis analysis = motion_of(mechanism.run());
  if (analysis == Analysis::equilibrium) analysis = Analysis::dynamics;
  Moments out;
  std::vector<Column> columns;
  std::optional<Poses> poses;
  const RowSink sink = [&](std::span<const double> row) {
    if (!poses) columns = result_columns(mechanism, analysis), poses.emplace(scene, columns);
    Instant now{poses->all(row), row[0], {}, {}};
    visit(mechanism, [&](const auto& m) {
      take_joints(m, columns, row, now);
      out.at.push_back({{}, {}, loads(m, now.poses, now)});
    });
    out.at.back().poses = std::move(now.poses);
    if (wanted.progress) wanted.progress((row[0] - times.front()) / (times.back() - times.front()));
    return true;
  };
  Run ran = follow(mechanism, analysis, {.times = times, .stop = wanted.stop, .events = false, .tolerance = kTolerance}, sink);
  out.outcome = std::move(ran.outcome), out.problems = std::move(ran.problems);
  return out;
}

// Places and directions are the same to a part of a pixel.
bool same_pose(const Snapshot& a, const Snapshot& b, double size) {
  constexpr double kSame = 1e-5;
  const auto near = [&](const Frame<double>& p, const Frame<double>& q) {
    return length(p.origin - q.origin) < kSame * size && length(p.axes.x - q.axes.x) < kSame && length(p.axes.y - q.axes.y) < kSame;
  };
  return std::ranges::equal(a.poses, b.poses, near);
}

}  // namespace

double usual_speed(double duration) {
  constexpr double kPlain = 60, kWanted = 6;
  if (!(duration > 0 && std::isfinite(duration)) || (duration >= 1 && duration <= kPlain)) return 1;
  const double wanted = duration / kWanted, power = std::pow(10, std::floor(std::log10(wanted)));
  return wanted >= 5 * power ? 5 * power : wanted >= 2 * power ? 2 * power : power;
}

Animation animate(const Mechanism& mechanism, const AnimationOptions& options) {
  Animation out;
  const double to = options.to.value_or(mechanism.run().to), duration = to - options.from;
  const auto refuse = [&](const std::string& sentence) { return out.problems.push_back(error({}, "animate: " + sentence)), out; };
  if (!(options.from >= 0 && std::isfinite(to) && duration > 0))
    return refuse("expected a time from 0 on and a later one, found " + short_number(options.from) + " and " + short_number(to));
  if (!(options.fps > 0 && std::isfinite(options.fps))) return refuse("expected frames per second above 0, found " + short_number(options.fps));
  const double speed = options.speed.value_or(usual_speed(duration));
  if (!(speed > 0 && std::isfinite(speed))) return refuse("expected a speed above 0, found " + short_number(speed));
  const double steps = std::max(1.0, std::round(duration / speed * options.fps));
  if (!(steps < kMostFrames))
    return refuse(short_number(duration) + " s at the speed " + short_number(speed) + " with " + short_number(options.fps) + " frames per second are " +
                  short_number(steps) + " frames: expected at most " + short_number(kMostFrames));
  Scene drawn = scene_of(mechanism);
  std::vector<double> times;
  for (double k = 0; k < steps; ++k) times.push_back(options.from + duration * (k / steps));
  times.push_back(to);
  Moments found = moments(mechanism, drawn, times, options);
  out.outcome = std::move(found.outcome), out.problems = std::move(found.problems);
  out.interval = duration / speed / steps;
  out.from = options.from;
  if (found.at.empty() || out.outcome.kind == Outcome::Kind::stopped) return out;
  out.to = times[found.at.size() - 1];
  if (!out.outcome.done()) out.problems.push_back(warning({}, "it ends at " + seconds(out.to) + ", as far as the run goes"));
  out.round = found.at.size() > 2 && same_pose(found.at.front(), found.at.back(), drawn.size);
  std::vector<Snapshot::Trail> trails = complete(mechanism, drawn, found.at, options.trails, options.stop, out.outcome, out.problems);
  if (out.outcome.kind == Outcome::Kind::stopped) return out;
  DrawingOptions how = options.drawing;
  if (how.title.empty()) how.title = mechanism.name();
  out.frames = draw_frames(drawn, std::move(found.at), std::move(trails), how, options.stop);
  return out;
}

Result<std::string> animated_svg(const Animation& animation, int turns, std::size_t most) {
  return svg::animated(animation.frames, animation.interval, turns, most);
}

Result<TrailPoint> trail_point(const Mechanism& mechanism, std::string_view wanted) {
  const Scene drawn = scene_of(mechanism);
  const std::size_t dot = wanted.find('.');
  const std::string text(wanted), start = text + ": ", body = text.substr(0, dot);
  std::vector<std::string> bodies;
  for (const Scene::Body& b : drawn.bodies) bodies.push_back(b.name);
  const auto found = std::ranges::find(bodies, body);
  if (found == bodies.end()) return error({}, start + "there is no body '" + body + "' (" + meant(body, bodies, "there are") + ")");
  const auto index = static_cast<std::size_t>(found - bodies.begin());
  const Scene::Body& owner = drawn.bodies[index];
  std::vector<std::string> points;
  for (const Scene::Point& p : owner.points) points.push_back(p.name);
  points.insert(points.end(), {"origin", "com"});
  if (dot == text.npos) return error({}, start + "expected a point of '" + body + "', such as " + body + "." + points.front());
  const std::string name = text.substr(dot + 1);
  Vec3<double> p{};
  const auto point = std::ranges::find(owner.points, name, &Scene::Point::name);
  if (point != owner.points.end()) p = point->p;
  else if (name == "com") p = owner.com.value_or(Vec3<double>{});
  else if (name != "origin") return error({}, start + "'" + body + "' has no point '" + name + "' (" + meant(name, points, "it has") + ")");
  return TrailPoint{text, static_cast<int>(index), {p.x, p.y, p.z}};
}

Drawing draw(const Mechanism& mechanism, std::optional<double> at, const std::vector<TrailPoint>& trails, DrawingOptions options,
             const Stop& stop) {
  if (at && !(*at >= 0 && std::isfinite(*at)))
    return {{}, 0, {}, {error({}, "draw: expected a time of 0 or later, found " + short_number(*at))}};
  Scene drawn = scene_of(mechanism);
  for (const TrailPoint& trail : trails)
    if (trail.body < 0 || trail.body >= static_cast<int>(drawn.bodies.size()))
      return {{}, 0, {}, {error({}, "trail '" + trail.name + "': expected one of " + std::to_string(drawn.bodies.size()) + " bodies, found number " +
                                        std::to_string(trail.body))}};
  Instant found = instant(mechanism, drawn, at, stop);
  Drawing out{{}, found.t, std::move(found.outcome), std::move(found.problems)};
  look_at(mechanism, drawn, out.problems);
  if (found.poses.empty()) return out;
  Snapshot snapshot{std::move(found.poses), {}, {}};
  snapshot.trails = complete(mechanism, drawn, std::span(&snapshot, 1), trails, stop, out.outcome, out.problems);
  if (out.outcome.kind == Outcome::Kind::stopped) return out;
  snapshot.loads = visit(mechanism, [&](const auto& m) { return loads(m, snapshot.poses, found); });
  if (options.title.empty()) options.title = mechanism.name();
  out.svg = draw_mechanism(drawn, snapshot, options);
  if (options.dxf) out.dxf = draw_dxf(drawn, snapshot, options);
  return out;
}

}  // namespace jounce
