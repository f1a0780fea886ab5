#include "jounce/plane/spanning/spanning_tree.hpp"
#include "jounce/base/index.hpp"

#include <algorithm>
#include <array>
#include <queue>
#include <string_view>
#include <tuple>
#include <utility>

namespace jounce {
namespace {

// Those whose motion plane/spanning/kane.cpp writes as turns and slides.
constexpr std::array<std::string_view, 6> kCarrying{"revolute", "translational", "weld", "pin-in-slot", "distance", "parallel"};

bool can_carry(const Constraint& c) {
  return c.group == planar::Group::joint && c.bodies.size() == 2 && std::ranges::find(kCarrying, c.type) != kCarrying.end();
}

class Grow {
 public:
  explicit Grow(const PlanarSystem& system) : system_(system), joints_of_(z(system.bodies()) + 1) {
    out_.edge_of.assign(joints_of_.size(), -1);
    reached_.assign(joints_of_.size(), false);
    const auto& constraints = system.constraints();
    for (std::size_t c = 0; c < constraints.size(); ++c)
      if (can_carry(constraints[c]))
        for (const int body : constraints[c].bodies) joints_of_[z(body)].push_back(static_cast<int>(c));
  }

  SpanningTree run() {
    reach(0, 0);
    grow();
    for (int body = 1; body <= system_.bodies(); ++body) {
      if (reached_[z(body)]) continue;
      const int root = middle_of_group(body);
      carry({root, 0, -1, 1});
      grow();
    }
    std::vector<bool> carries(system_.constraints().size(), false);
    for (const SpanningTree::Edge& edge : out_.edges)
      if (edge.constraint >= 0) carries[z(edge.constraint)] = true;
    for (std::size_t c = 0; c < carries.size(); ++c)
      if (!carries[c]) out_.closures.push_back(static_cast<int>(c));
    return std::move(out_);
  }

 private:
  // The body at the other end of a joint.
  [[nodiscard]] int across(int constraint, int body) const {
    const std::vector<int>& bodies = system_.constraints()[z(constraint)].bodies;
    return bodies[0] == body ? bodies[1] : bodies[0];
  }

  void reach(int body, int depth) {
    reached_[z(body)] = true;
    for (const int c : joints_of_[z(body)]) {
      const Constraint& joint = system_.constraints()[z(c)];
      if (!reached_[z(across(c, body))]) waiting_.push({3 - joint.rows, depth + (joint.rows < 3 ? 1 : 0), c, body});
    }
  }

  void carry(const SpanningTree::Edge& edge) {
    out_.edge_of[z(edge.body)] = static_cast<int>(out_.edges.size());
    out_.edges.push_back(edge);
    out_.depth = std::max(out_.depth, edge.depth);
    reach(edge.body, edge.depth);
  }

  void grow() {
    while (!waiting_.empty()) {
      const auto [freedoms, depth, joint, parent] = waiting_.top();
      waiting_.pop();
      const int body = across(joint, parent);
      if (!reached_[z(body)]) carry({body, parent, joint, depth});
    }
  }

  // Of the bodies tied to this one: the middle of a longest way between two of them.
  [[nodiscard]] int middle_of_group(int body) const {
    const int end = walk(body).back();
    std::vector<int> from(joints_of_.size(), -1);
    std::vector<int> way{walk(end, &from).back()};
    while (way.back() != end) way.push_back(from[z(way.back())]);
    return way[way.size() / 2];
  }

  // The bodies that joints tie to one, nearest first; `from`: how each was reached.
  std::vector<int> walk(int start, std::vector<int>* from = nullptr) const {
    std::vector<bool> seen(joints_of_.size(), false);
    std::vector<int> order{start};
    seen[z(start)] = true;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const int c : joints_of_[z(order[i])])
        if (const int next = across(c, order[i]); next != 0 && !seen[z(next)]) {
          seen[z(next)] = true;
          if (from != nullptr) (*from)[z(next)] = order[i];
          order.push_back(next);
        }
    return order;
  }

  using Candidate = std::tuple<int, int, int, int>;  // freedoms, depth, joint, the body that is reached: the smallest is next

  const PlanarSystem& system_;
  std::vector<std::vector<int>> joints_of_;
  std::vector<bool> reached_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> waiting_;
  SpanningTree out_;
};

}  // namespace

SpanningTree spanning_tree(const PlanarSystem& system) { return Grow(system).run(); }

}  // namespace jounce
