// MuJoCo: its smooth dynamics alone, without contacts, limits or sensors.
#ifdef JOUNCE_BENCH_MUJOCO
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tree_rivals.hpp"

namespace {

using Vector = std::array<double, 3>;

Vector cross(const double* a, const double* b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

void fill(mjsBody& at, const RivalLink& link) {
  std::copy(link.origin.begin(), link.origin.end(), at.pos);
  mju_mat2Quat(at.quat, link.axes.data());
  at.mass = link.mass;
  std::copy(link.com.begin(), link.com.end(), at.ipos);
  const auto& [xx, xy, xz, yy, yz, zz] = link.inertia;
  const double its_order[6] = {xx, yy, zz, xy, xz, yz};
  std::copy_n(its_order, 6, at.fullinertia);
  at.explicitinertial = 1;
  if (link.free) {
    mjs_addFreeJoint(&at)->align = mjALIGNFREE_FALSE;
  } else {
    constexpr double kAxis[3] = {0, 0, 1};
    mjsJoint* joint = mjs_addJoint(&at, nullptr);
    joint->type = mjJNT_HINGE;
    std::copy_n(kAxis, 3, joint->axis);
  }
}

mjModel* model_of(const std::vector<RivalLink>& links) {
  mjSpec* spec = mj_makeSpec();
  spec->option.gravity[2] = -kTreeGravity;
  spec->option.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS |
                               mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_ACTUATION | mjDSBL_SENSOR | mjDSBL_ISLAND;
  std::vector<mjsBody*> added;
  for (const RivalLink& link : links) {
    mjsBody* parent = link.parent < 0 ? mjs_findBody(spec, "world") : added[static_cast<std::size_t>(link.parent)];
    added.push_back(mjs_addBody(parent, nullptr));
    fill(*added.back(), link);
  }
  mjModel* model = mj_compile(spec, nullptr);
  if (model == nullptr) {
    std::fprintf(stderr, "MuJoCo does not take the tree: %s\n", mjs_getError(spec));
    std::exit(1);
  }
  mj_deleteSpec(spec);
  return model;
}

class MujocoRival : public TreeRival {
 public:
  explicit MujocoRival(const std::vector<RivalLink>& links) : model_(model_of(links)), data_(mj_makeData(model_)) {
    number_dofs(links);
  }
  ~MujocoRival() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

  [[nodiscard]] std::string name() const override { return std::string("MuJoCo ") + mj_versionString(); }

  [[nodiscard]] std::vector<std::string> ways(TreeTask task) const override {
    if (task == TreeTask::aba) return {"by parts", "mj_forward"};
    return {task == TreeTask::rnea ? "mj_rne" : "mj_crb"};
  }

  void set_states(const TreeStates& states) override {
    states_ = TreeStates{.count = states.count, .block = states.block, .nq = states.nq, .nv = states.nv};
    const auto nq = static_cast<std::size_t>(states.nq), nv = static_cast<std::size_t>(states.nv);
    const auto count = static_cast<std::size_t>(states.count);
    states_.q.resize(count * nq), states_.v.resize(count * nv);
    states_.acceleration.resize(count * nv), states_.effort.resize(count * nv);
    ours_ = states;
    for (int k = 0; k < states.count; ++k) convert(k);
  }

  void run(TreeTask task, int way, int block) override {
    for (int k = block * states_.block; k < (block + 1) * states_.block; ++k) run_one(task, way, k);
  }

  void result(TreeTask task, int way, int state, std::span<double> out) override {
    run_one(task, way, state);
    if (task == TreeTask::crba) return inertia_matrix(state, out);
    const double* numbers = task == TreeTask::rnea ? force_.data() : way == 0 ? acceleration_.data() : data_->qacc;
    for (std::size_t i = 0; i < dof_.size(); ++i) out[i] = numbers[dof_[i]];
    for (const Free& free : free_) {
      double* six = out.data() + free.v;
      const double* theirs = numbers + dof_[static_cast<std::size_t>(free.v)] - 3;
      const double* twist = ours_.v.data() + static_cast<std::ptrdiff_t>(state) * ours_.nv + free.v;
      mju_mulMatTVec3(six + 3, rotation(free, state).data(), theirs);
      if (task == TreeTask::aba)
        for (std::size_t i = 0; i < 3; ++i) six[3 + i] -= cross(twist, twist + 3)[i];
    }
  }

 private:
  struct Free {
    int v, q;  // where it begins among our velocities and coordinates
  };

  /// Its bodies are numbered depth first, ours in any order that has parents first.
  void number_dofs(const std::vector<RivalLink>& links) {
    std::vector<std::vector<int>> children(links.size() + 1);
    std::vector<int> first_v, first_q;
    int v = 0, q = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
      children[static_cast<std::size_t>(links[i].parent + 1)].push_back(static_cast<int>(i));
      first_v.push_back(v), first_q.push_back(q);
      if (links[i].free) free_.push_back({v, q});
      v += links[i].free ? 6 : 1;
      q += links[i].free ? 7 : 1;
    }
    dof_.resize(static_cast<std::size_t>(v));
    coordinate_.resize(static_cast<std::size_t>(q));
    force_.resize(dof_.size()), acceleration_.resize(dof_.size());
    std::vector<int> open(children[0].rbegin(), children[0].rend());
    for (int at_v = 0, at_q = 0; !open.empty();) {
      const auto i = static_cast<std::size_t>(open.back());
      open.pop_back();
      open.insert(open.end(), children[i + 1].rbegin(), children[i + 1].rend());
      // a free joint: its angular velocity after the linear one, its quaternion after the position
      for (int k = 0; k < (links[i].free ? 6 : 1); ++k)
        dof_[static_cast<std::size_t>(first_v[i] + k)] = at_v + (links[i].free ? (k + 3) % 6 : k);
      for (int k = 0; k < (links[i].free ? 7 : 1); ++k)
        coordinate_[static_cast<std::size_t>(first_q[i] + k)] = at_q + (links[i].free ? (k + 3) % 7 : k);
      at_v += links[i].free ? 6 : 1;
      at_q += links[i].free ? 7 : 1;
    }
  }

  [[nodiscard]] std::array<double, 9> rotation(const Free& free, int state) const {
    std::array<double, 9> rows;
    mju_quat2Mat(rows.data(), ours_.q.data() + static_cast<std::ptrdiff_t>(state) * ours_.nq + free.q);
    return rows;
  }

  /// The linear part of a free joint is in the axes of the ground, and its acceleration that of the point.
  void convert(int k) {
    const auto at_q = static_cast<std::ptrdiff_t>(k) * ours_.nq, at_v = static_cast<std::ptrdiff_t>(k) * ours_.nv;
    for (std::size_t i = 0; i < coordinate_.size(); ++i)
      states_.q.data()[at_q + coordinate_[i]] = ours_.q.data()[at_q + static_cast<std::ptrdiff_t>(i)];
    for (std::size_t i = 0; i < dof_.size(); ++i) {
      const auto from = at_v + static_cast<std::ptrdiff_t>(i), to = at_v + dof_[i];
      states_.v.data()[to] = ours_.v.data()[from];
      states_.acceleration.data()[to] = ours_.acceleration.data()[from];
      states_.effort.data()[to] = ours_.effort.data()[from];
    }
    for (const Free& free : free_) {
      const std::array<double, 9> r = rotation(free, k);
      const auto from = at_v + free.v + 3, to = at_v + dof_[static_cast<std::size_t>(free.v)] - 3;
      const double* twist = ours_.v.data() + at_v + free.v;
      Vector point = cross(twist, twist + 3);
      for (std::size_t i = 0; i < 3; ++i) point[i] += ours_.acceleration.data()[from + static_cast<std::ptrdiff_t>(i)];
      mju_mulMatVec3(states_.v.data() + to, r.data(), twist + 3);
      mju_mulMatVec3(states_.acceleration.data() + to, r.data(), point.data());
      mju_mulMatVec3(states_.effort.data() + to, r.data(), ours_.effort.data() + from);
    }
  }

  void run_one(TreeTask task, int way, int k) {
    const auto nv = static_cast<int>(model_->nv);
    const auto at_v = static_cast<std::ptrdiff_t>(k) * states_.nv;
    mju_copy(data_->qpos, states_.q.data() + static_cast<std::ptrdiff_t>(k) * states_.nq, static_cast<int>(model_->nq));
    if (task != TreeTask::crba) mju_copy(data_->qvel, states_.v.data() + at_v, nv);
    if (task == TreeTask::aba && way == 1) {
      mju_copy(data_->qfrc_applied, states_.effort.data() + at_v, nv);
      mj_forward(model_, data_);
      return;
    }
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    if (task != TreeTask::rnea) mj_crb(model_, data_);
    if (task == TreeTask::crba) return;
    mj_comVel(model_, data_);
    if (task == TreeTask::rnea) {
      mju_copy(data_->qacc, states_.acceleration.data() + at_v, nv);
      mj_rne(model_, data_, 1, force_.data());
      return;
    }
    mj_factorM(model_, data_);
    mj_rne(model_, data_, 0, data_->qfrc_bias);
    mju_sub(force_.data(), states_.effort.data() + at_v, data_->qfrc_bias, nv);
    mj_solveM(model_, data_, acceleration_.data(), force_.data(), 1);
  }

  /// H = Bᵀ M B, where B takes our velocities to its own.
  void inertia_matrix(int state, std::span<double> out) {
    const std::size_t n = dof_.size();
    std::vector<double> full(n * n);
    mj_fullM(model_, data_, full.data());
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        out[i * n + j] = full[static_cast<std::size_t>(dof_[i]) * n + static_cast<std::size_t>(dof_[j])];
    for (const Free& free : free_) {
      const std::array<double, 9> r = rotation(free, state);
      const auto first = static_cast<std::size_t>(free.v) + 3;
      for (std::size_t j = 0; j < n; ++j) {
        const Vector column{out[first * n + j], out[(first + 1) * n + j], out[(first + 2) * n + j]};
        for (std::size_t i = 0; i < 3; ++i)
          out[(first + i) * n + j] = r[i] * column[0] + r[3 + i] * column[1] + r[6 + i] * column[2];
      }
      for (std::size_t i = 0; i < n; ++i) {
        const Vector row{out[i * n + first], out[i * n + first + 1], out[i * n + first + 2]};
        mju_mulMatTVec3(out.data() + i * n + first, r.data(), row.data());
      }
    }
  }

  mjModel* model_;
  mjData* data_;
  std::vector<Free> free_;
  std::vector<int> dof_, coordinate_;  // of ours, its number there
  std::vector<double> force_, acceleration_;
  TreeStates ours_, states_;  // in our conventions and in its own
};

}  // namespace

std::unique_ptr<TreeRival> open_mujoco(const std::vector<RivalLink>& links) { return std::make_unique<MujocoRival>(links); }
#endif
