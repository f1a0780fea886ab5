// Loops in Pinocchio, from its headers alone, so that its algorithms are compiled for this machine like ours.
#ifdef JOUNCE_BENCH_PINOCCHIO
// Pinocchio has more kinds of joints than Boost's lists hold by default.
#define BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS
#define BOOST_MPL_LIMIT_LIST_SIZE 30
#define BOOST_MPL_LIMIT_VECTOR_SIZE 30
#define BOOST_FUSION_INVOKE_MAX_ARITY 12
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/config.hpp>

#include "loop_rivals.hpp"

namespace {

using Eigen::VectorXd;

/// Points that stay on each other have independent equations here: no damping, and one iteration is exact.
constexpr double kAccuracy = 1e-12, kNoDamping = 0;

Eigen::Map<const Eigen::Vector3d> vector_of(const std::array<double, 3>& a) {
  return Eigen::Map<const Eigen::Vector3d>(a.data());
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
    const auto joint = link.free     ? model.addJoint(parent, pinocchio::JointModelFreeFlyer(), placement, name)
                       : link.slides ? model.addJoint(parent, pinocchio::JointModelPZ(), placement, name)
                                     : model.addJoint(parent, pinocchio::JointModelRZ(), placement, name);
    const auto& [xx, xy, xz, yy, yz, zz] = link.inertia;
    Eigen::Matrix3d about_com;
    about_com << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    model.appendBodyToJoint(joint, pinocchio::Inertia(link.mass, vector_of(link.com), about_com), pinocchio::SE3::Identity());
  }
  return model;
}

class PinocchioLoops : public LoopRival {
 public:
  explicit PinocchioLoops(const RivalLoops& loops)
      : model_(model_of(loops.links)), free_(loops.links.front().free), tau_(VectorXd::Zero(model_.nv)) {
    for (int way = 0; way < 2; ++way) {
      for (const RivalBall& ball : loops.balls)
        balls_[way].emplace_back(pinocchio::CONTACT_3D, model_, static_cast<pinocchio::JointIndex>(ball.i + 1),
                                 pinocchio::SE3(Eigen::Matrix3d::Identity(), vector_of(ball.on_i)),
                                 static_cast<pinocchio::JointIndex>(ball.j + 1),
                                 pinocchio::SE3(Eigen::Matrix3d::Identity(), vector_of(ball.on_j)),
                                 way == 0 ? pinocchio::LOCAL : pinocchio::LOCAL_WORLD_ALIGNED);
      for (const auto& ball : balls_[way]) found_[way].emplace_back(ball);
      data_[way] = std::make_unique<pinocchio::Data>(model_);
      pinocchio::initConstraintDynamics(model_, *data_[way], balls_[way], found_[way]);
    }
  }

  [[nodiscard]] std::string name() const override { return "Pinocchio " PINOCCHIO_VERSION; }
  [[nodiscard]] std::vector<std::string> ways() const override {
    return {"constraintDynamics, local", "constraintDynamics, ground axes"};
  }

  void set_state(std::span<const double> q, std::span<const double> v) override {
    q_ = Eigen::Map<const VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
    v_ = Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
    if (!free_) return;
    q_.head<7>() << q[4], q[5], q[6], q[1], q[2], q[3], q[0];
    v_.head<6>() << v[3], v[4], v[5], v[0], v[1], v[2];
  }

  void run(int way) override {
    last_ = way;
    const auto k = static_cast<std::size_t>(way);
    pinocchio::constraintDynamics(model_, *data_[k], q_, v_, tau_, balls_[k], found_[k], settings_);
  }

  [[nodiscard]] std::vector<double> acceleration() const override {
    VectorXd a = data_[static_cast<std::size_t>(last_)]->ddq;
    if (free_) a.segment<3>(0).swap(a.segment<3>(3));
    return {a.begin(), a.end()};
  }

 private:
  pinocchio::Model model_;
  bool free_;
  std::array<std::vector<pinocchio::RigidConstraintModel>, 2> balls_;
  std::array<std::vector<pinocchio::RigidConstraintData>, 2> found_;
  std::array<std::unique_ptr<pinocchio::Data>, 2> data_;
  pinocchio::ProximalSettings settings_{kAccuracy, kNoDamping, 1};
  int last_ = 0;
  VectorXd q_, v_, tau_;
};

}  // namespace

__attribute__((visibility("default"))) std::unique_ptr<LoopRival> open_loops_in_pinocchio(const RivalLoops& loops) {
  return std::make_unique<PinocchioLoops>(loops);
}
#endif
