// Loops in MuJoCo: `connect` constraints, as hard as it lets them be.
#ifdef JOUNCE_BENCH_MUJOCO
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "loop_rivals.hpp"

namespace {

using Vector = std::array<double, 3>;

/// Its largest impedance: what is left of a constraint's violation by accelerations is a ten-thousandth of it.
constexpr double kHard = 0.9999;

/// A frame in another.
struct Placed {
  std::array<double, 4> turn{1, 0, 0, 0};
  Vector at{};
};
Placed placed(const RivalLink& link) {
  Placed out{{}, link.origin};
  mju_mat2Quat(out.turn.data(), link.axes.data());
  return out;
}
Placed operator*(const Placed& a, const Placed& b) {
  Placed out;
  mju_mulQuat(out.turn.data(), a.turn.data(), b.turn.data());
  mju_rotVecQuat(out.at.data(), b.at.data(), a.turn.data());
  mju_addTo3(out.at.data(), a.at.data());
  return out;
}
Placed inverse(const Placed& a) {
  Placed out;
  mju_negQuat(out.turn.data(), a.turn.data());
  mju_rotVecQuat(out.at.data(), a.at.data(), out.turn.data());
  mju_scl3(out.at.data(), out.at.data(), -1);
  return out;
}

/// Links without mass are no bodies there: their joints are more joints of the body that they carry.
mjModel* model_of(const RivalLoops& loops) {
  mjSpec* spec = mj_makeSpec();
  spec->option.gravity[2] = -kTreeGravity;
  spec->option.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_SPRING | mjDSBL_DAMPER |
                               mjDSBL_ACTUATION | mjDSBL_SENSOR | mjDSBL_ISLAND | mjDSBL_WARMSTART;
  spec->option.iterations = 1;  // Newton's method: with equalities alone one is exact
  std::vector<mjsBody*> body(loops.links.size());
  const auto name = [](int link) { return "link" + std::to_string(link); };
  Placed frame;                  // of the link in the last body
  std::vector<int> without;      // links without mass before it
  std::vector<Placed> frame_of;  // of those
  for (std::size_t i = 0; i < loops.links.size(); ++i) {
    const RivalLink& link = loops.links[i];
    frame = without.empty() ? placed(link) : frame * placed(link);
    if (!(link.mass > 0)) {
      without.push_back(static_cast<int>(i)), frame_of.push_back(frame);
      continue;
    }
    const int parent = without.empty() ? link.parent : loops.links[static_cast<std::size_t>(without.front())].parent;
    mjsBody* at = body[i] =
        mjs_addBody(parent < 0 ? mjs_findBody(spec, "world") : body[static_cast<std::size_t>(parent)], nullptr);
    mjs_setName(at->element, name(static_cast<int>(i)).c_str());
    std::copy_n(frame.at.data(), 3, at->pos), std::copy_n(frame.turn.data(), 4, at->quat);
    at->mass = link.mass;
    std::copy_n(link.com.data(), 3, at->ipos);
    const auto& [xx, xy, xz, yy, yz, zz] = link.inertia;
    const double its_order[6] = {xx, yy, zz, xy, xz, yz};
    std::copy_n(its_order, 6, at->fullinertia);
    at->explicitinertial = 1;
    without.push_back(static_cast<int>(i)), frame_of.push_back(frame);
    for (std::size_t k = 0; k < without.size(); ++k) {
      const RivalLink& moved = loops.links[static_cast<std::size_t>(without[k])];
      if (moved.free) {
        mjs_addFreeJoint(at)->align = mjALIGNFREE_FALSE;
        continue;
      }
      const Placed seen = inverse(frame) * frame_of[k];
      constexpr double kAxis[3] = {0, 0, 1};
      mjsJoint* joint = mjs_addJoint(at, nullptr);
      joint->type = moved.slides ? mjJNT_SLIDE : mjJNT_HINGE;
      mju_rotVecQuat(joint->axis, kAxis, seen.turn.data());
      std::copy_n(seen.at.data(), 3, joint->pos);
    }
    without.clear(), frame_of.clear();
  }
  for (const RivalBall& ball : loops.balls) {
    mjsEquality* equality = mjs_addEquality(spec, nullptr);
    equality->type = mjEQ_CONNECT;
    equality->objtype = mjOBJ_SITE;
    const auto site = [&](int link, const Vector& at) {
      mjsSite* to = mjs_addSite(body[static_cast<std::size_t>(link)], nullptr);
      std::copy_n(at.data(), 3, to->pos);
      const std::string own = "site" + std::to_string(&ball - loops.balls.data()) + "of" + std::to_string(link);
      mjs_setName(to->element, own.c_str());
      return own;
    };
    mjs_setString(equality->name1, site(ball.i, ball.on_i).c_str());
    mjs_setString(equality->name2, site(ball.j, ball.on_j).c_str());
    equality->solimp[0] = equality->solimp[1] = kHard;
  }
  mjModel* model = mj_compile(spec, nullptr);
  if (model == nullptr) {
    std::fprintf(stderr, "MuJoCo does not take the mechanism: %s\n", mjs_getError(spec));
    std::exit(1);
  }
  mj_deleteSpec(spec);
  return model;
}

class MujocoLoops : public LoopRival {
 public:
  explicit MujocoLoops(const RivalLoops& loops)
      : model_(model_of(loops)), data_(mj_makeData(model_)), free_(loops.links.front().free) {}
  ~MujocoLoops() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

  [[nodiscard]] std::string name() const override { return std::string("MuJoCo ") + mj_versionString(); }
  [[nodiscard]] std::vector<std::string> ways() const override { return {"mj_forward, dense", "mj_forward, sparse"}; }

  void set_state(std::span<const double> q, std::span<const double> v) override {
    q_.assign(q.begin(), q.end()), v_.assign(v.begin(), v.end());
    if (!free_) return;
    std::copy_n(q.data() + 4, 3, q_.data()), std::copy_n(q.data(), 4, q_.data() + 3);  // position first
    mju_rotVecQuat(v_.data(), v.data() + 3, q.data());  // the linear part in ground axes, and first
    std::copy_n(v.data(), 3, v_.data() + 3);
  }

  void run(int way) override {
    model_->opt.jacobian = way == 0 ? mjJAC_DENSE : mjJAC_SPARSE;
    mju_copy(data_->qpos, q_.data(), static_cast<int>(model_->nq));
    mju_copy(data_->qvel, v_.data(), static_cast<int>(model_->nv));
    mj_forward(model_, data_);
  }

  /// The acceleration of the plate's origin becomes the rate of its velocity in axes that turn.
  [[nodiscard]] std::vector<double> acceleration() const override {
    std::vector<double> out(data_->qacc, data_->qacc + model_->nv);
    if (!free_) return out;
    std::array<double, 4> back;
    Vector rate, own, around;
    mju_negQuat(back.data(), q_.data() + 3);
    mju_rotVecQuat(rate.data(), data_->qacc, back.data());
    mju_rotVecQuat(own.data(), v_.data(), back.data());
    mju_cross(around.data(), v_.data() + 3, own.data());
    for (std::size_t k = 0; k < 3; ++k) out[k] = data_->qacc[3 + k], out[3 + k] = rate[k] - around[k];
    return out;
  }

 private:
  mjModel* model_;
  mjData* data_;
  bool free_;
  std::vector<double> q_, v_;
};

}  // namespace

std::unique_ptr<LoopRival> open_loops_in_mujoco(const RivalLoops& loops) { return std::make_unique<MujocoLoops>(loops); }
#endif
