// Pinocchio from its headers alone, so that its algorithms are compiled for this machine like ours.
#ifdef JOUNCE_BENCH_PINOCCHIO
// Pinocchio has more kinds of joints than Boost's lists hold by default.
#define BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS
#define BOOST_MPL_LIMIT_LIST_SIZE 30
#define BOOST_MPL_LIMIT_VECTOR_SIZE 30
#define BOOST_FUSION_INVOKE_MAX_ARITY 12
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/config.hpp>
#include <pinocchio/multibody.hpp>

#include "tree_rivals.hpp"

namespace {

using Eigen::Index;
using Eigen::VectorXd;
using pinocchio::Convention;

Eigen::Map<const Eigen::Vector3d> vector_of(const std::array<double, 3>& a) {
  return Eigen::Map<const Eigen::Vector3d>(a.data());
}

pinocchio::Inertia inertia_of(const RivalLink& link) {
  const auto& [xx, xy, xz, yy, yz, zz] = link.inertia;
  Eigen::Matrix3d about_com;
  about_com << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return pinocchio::Inertia(link.mass, vector_of(link.com), about_com);
}

pinocchio::Model model_of(const std::vector<RivalLink>& links) {
  pinocchio::Model model;
  model.gravity.linear() << 0, 0, -kTreeGravity;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const RivalLink& link = links[i];
    using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    const pinocchio::SE3 placement(Eigen::Map<const Rows>(link.axes.data()), vector_of(link.origin));
    const auto parent = static_cast<pinocchio::JointIndex>(link.parent + 1);
    const std::string name = "joint" + std::to_string(i);
    const auto joint = link.free ? model.addJoint(parent, pinocchio::JointModelFreeFlyer(), placement, name)
                                 : model.addJoint(parent, pinocchio::JointModelRZ(), placement, name);
    model.appendBodyToJoint(joint, inertia_of(link), pinocchio::SE3::Identity());
  }
  return model;
}

class PinocchioRival : public TreeRival {
 public:
  explicit PinocchioRival(const std::vector<RivalLink>& links) : model_(model_of(links)), data_(model_) {
    int v = 0;
    for (const RivalLink& link : links) {
      if (link.free) free_.push_back({v, v + static_cast<int>(free_.size())});
      v += link.free ? 6 : 1;
    }
  }

  [[nodiscard]] std::string name() const override { return "Pinocchio " PINOCCHIO_VERSION; }

  [[nodiscard]] std::vector<std::string> ways(TreeTask task) const override {
    if (task == TreeTask::rnea) return {"rnea"};
    return {"local", "world"};
  }

  void set_states(const TreeStates& states) override {
    block_ = states.block;
    q_.clear(), v_.clear(), acceleration_.clear(), effort_.clear();
    for (int k = 0; k < states.count; ++k) {
      q_.push_back(vector(states.row(states.q, states.nq, k)));
      v_.push_back(swapped(states.row(states.v, states.nv, k)));
      acceleration_.push_back(swapped(states.row(states.acceleration, states.nv, k)));
      effort_.push_back(swapped(states.row(states.effort, states.nv, k)));
      for (const Free& free : free_) {  // position first, then the quaternion x, y, z, w
        const VectorXd ours = q_.back().segment(free.q, 7);
        q_.back().segment(free.q, 7) << ours[4], ours[5], ours[6], ours[1], ours[2], ours[3], ours[0];
      }
    }
  }

  void run(TreeTask task, int way, int block) override {
    for (int k = block * block_; k < (block + 1) * block_; ++k) run_one(task, way, static_cast<std::size_t>(k));
  }

  void result(TreeTask task, int way, int state, std::span<double> out) override {
    data_.M.setZero();
    run_one(task, way, static_cast<std::size_t>(state));
    if (task != TreeTask::crba) {
      const VectorXd ours = swapped({task == TreeTask::aba ? data_.ddq.data() : data_.tau.data(), out.size()});
      std::copy(ours.begin(), ours.end(), out.begin());
      return;
    }
    Eigen::MatrixXd full = data_.M.selfadjointView<Eigen::Upper>();
    for (const Free& free : free_) {
      full.middleRows<3>(free.v).swap(full.middleRows<3>(free.v + 3));
      full.middleCols<3>(free.v).swap(full.middleCols<3>(free.v + 3));
    }
    std::copy_n(full.data(), out.size(), out.data());
  }

 private:
  struct Free {
    int v, q;  // where it begins among velocities and coordinates
  };

  void run_one(TreeTask task, int way, std::size_t k) {
    const Convention convention = way == 0 ? Convention::LOCAL : Convention::WORLD;
    switch (task) {
      case TreeTask::aba: pinocchio::aba(model_, data_, q_[k], v_[k], effort_[k], convention); break;
      case TreeTask::rnea: pinocchio::rnea(model_, data_, q_[k], v_[k], acceleration_[k]); break;
      case TreeTask::crba: pinocchio::crba(model_, data_, q_[k], convention); break;
    }
  }

  [[nodiscard]] static VectorXd vector(std::span<const double> numbers) {
    return Eigen::Map<const VectorXd>(numbers.data(), static_cast<Index>(numbers.size()));
  }
  /// Linear before angular and back.
  [[nodiscard]] VectorXd swapped(std::span<const double> numbers) const {
    VectorXd out = vector(numbers);
    for (const Free& free : free_) out.segment<3>(free.v).swap(out.segment<3>(free.v + 3));
    return out;
  }

  pinocchio::Model model_;
  pinocchio::Data data_;
  std::vector<Free> free_;
  int block_ = 0;
  std::vector<VectorXd> q_, v_, acceleration_, effort_;
};

}  // namespace

__attribute__((visibility("default"))) std::unique_ptr<TreeRival> open_pinocchio(const std::vector<RivalLink>& links) {
  return std::make_unique<PinocchioRival>(links);
}
#endif
