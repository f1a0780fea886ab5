#include "jounce/io/urdf/urdf_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "jounce/base/suggest.hpp"

namespace jounce::urdf {
namespace {

using Index = std::unordered_map<std::string_view, std::size_t>;

template <class Item>
Index index_of(const std::vector<Item>& items, std::string_view what, Problems& problems) {
  Index out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto [known, is_new] = out.try_emplace(items[i].name.text, i);
    if (!is_new)
      problems.push_back(
          error(items[i].name.where, fmt::format("{0} '{1}': line {2} has a {0} of this name already", what,
                                                 shown(items[i].name.text), items[known->second].name.where.line)));
  }
  return out;
}

template <class Item>
std::string suggestion(const std::vector<Item>& items, const std::string& name) {
  constexpr std::size_t kMostToCompare = 1000;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(items.size(), kMostToCompare); ++i) names.push_back(items[i].name.text);
  const auto near = nearest_name(name, names);
  return near ? fmt::format(" (did you mean '{}'?)", shown(*near)) : "";
}

std::string_view kind_name(Joint::Kind kind) {
  switch (kind) {
    case Joint::Kind::revolute: return "revolute";
    case Joint::Kind::prismatic: return "prismatic";
    case Joint::Kind::planar: return "planar";
    case Joint::Kind::floating: return "floating";
    case Joint::Kind::fixed: break;
  }
  return "fixed";
}

bool has_one_dof(const Joint& joint) { return joint.kind == Joint::Kind::revolute || joint.kind == Joint::Kind::prismatic; }

class Finder {
 public:
  Finder(const Robot& robot, Problems& problems, Remarks& remarks) : robot_(robot), problems_(problems), remarks_(remarks) {}

  std::optional<Tree> find() {
    const Index links = index_of(robot_.links, "link", problems_), joints = index_of(robot_.joints, "joint", problems_);
    find_ends(links);
    find_mimicked(joints);
    if (!problems_.empty()) return std::nullopt;
    find_holders();
    find_order();
    find_start();
    if (!problems_.empty()) return std::nullopt;
    return tree_;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  enum class Mark : char { unseen, on_the_way, done };

  void fail(Where where, std::string sentence) { problems_.push_back(error(where, std::move(sentence))); }
  [[nodiscard]] std::string label(std::size_t joint) const {
    return fmt::format("joint '{}'", shown(robot_.joints[joint].name.text));
  }

  void find_ends(const Index& links) {
    const auto find = [&](const Name& name, std::size_t joint, std::string_view end) {
      const auto it = links.find(name.text);
      if (it != links.end()) return it->second;
      fail(name.where, fmt::format("{}: {}: there is no link '{}'{}", label(joint), end, shown(name.text),
                                   suggestion(robot_.links, name.text)));
      return kNone;
    };
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const Joint& joint = robot_.joints[j];
      tree_.parent.push_back(find(joint.parent, j, "parent"));
      tree_.child.push_back(find(joint.child, j, "child"));
    }
  }

  void find_mimicked(const Index& joints) {
    tree_.mimicked.resize(robot_.joints.size());
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const Joint& joint = robot_.joints[j];
      if (!joint.mimic) continue;
      const Name& other = joint.mimic->joint;
      const auto it = joints.find(other.text);
      if (joint.kind == Joint::Kind::fixed) {
        remarks_.add("a fixed joint has nothing to mimic with: <mimic> is left out", "joint", other.where, joint.name.text);
      } else if (!has_one_dof(joint)) {
        fail(other.where, fmt::format("{}: mimic: only a revolute or prismatic joint can mimic, this one is {}", label(j),
                                      kind_name(joint.kind)));
      } else if (it == joints.end()) {
        fail(other.where, fmt::format("{}: mimic: there is no joint '{}'{}", label(j), shown(other.text),
                                      suggestion(robot_.joints, other.text)));
      } else if (!has_one_dof(robot_.joints[it->second])) {
        fail(other.where, fmt::format("{}: mimic: only a revolute or prismatic joint can be mimicked, '{}' is {}", label(j),
                                      shown(other.text), kind_name(robot_.joints[it->second].kind)));
      } else {
        tree_.mimicked[j] = it->second;
      }
    }
  }

  void find_holders() {
    holder_.assign(robot_.links.size(), kNone);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      std::size_t& holder = holder_[tree_.child[j]];
      if (holder == kNone) {
        holder = j;
        continue;
      }
      const Joint& joint = robot_.joints[j];
      fail(joint.child.where, fmt::format("{}: child: link '{}' is already the child of {} (line {})", label(j),
                                          shown(joint.child.text), label(holder), robot_.joints[holder].name.where.line));
    }
  }

  void find_order() {
    std::vector<std::vector<std::size_t>> held(robot_.links.size());  // joints, by parent
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) held[tree_.parent[j]].push_back(j);

    std::vector<std::size_t> roots, links;
    for (std::size_t l = 0; l < robot_.links.size(); ++l)
      if (holder_[l] == kNone) roots.push_back(l);
    for (std::size_t k = 1; k < roots.size(); ++k) {
      const Name &first = robot_.links[roots[0]].name, &other = robot_.links[roots[k]].name;
      fail(other.where, fmt::format("link '{}': no joint has it as its child, and neither has link '{}' (line {}): "
                                    "expected one root",
                                    shown(other.text), shown(first.text), first.where.line));
    }
    if (!roots.empty()) tree_.root = roots[0];

    std::vector<Mark> marks(robot_.links.size(), Mark::unseen);
    links = roots;
    for (std::size_t k = 0; k < links.size(); ++k) {
      marks[links[k]] = Mark::done;
      for (const std::size_t j : held[links[k]]) {
        if (holder_[tree_.child[j]] != j) continue;  // a second parent, which has been told
        tree_.order.push_back(j);
        links.push_back(tree_.child[j]);
      }
    }
    for (std::size_t l = 0; l < robot_.links.size(); ++l)
      if (marks[l] == Mark::unseen) find_loop(l, marks);
  }

  // From a link that no root holds, back along the joints that hold it: to a loop, or to links that have been looked at.
  void find_loop(std::size_t link, std::vector<Mark>& marks) {
    std::vector<std::size_t> way;
    while (marks[link] == Mark::unseen) {
      marks[link] = Mark::on_the_way;
      way.push_back(link);
      link = tree_.parent[holder_[link]];
    }
    if (marks[link] == Mark::on_the_way) {
      std::vector<std::size_t> loop;
      for (auto it = std::ranges::find(way, link); it != way.end(); ++it) loop.push_back(holder_[*it]);
      std::ranges::reverse(loop);
      std::rotate(loop.begin(), std::ranges::min_element(loop), loop.end());
      std::vector<std::string> names;
      names.reserve(loop.size());
      for (const std::size_t j : loop) names.push_back(shown(robot_.joints[j].name.text));
      fail(robot_.joints[loop[0]].name.where,
           fmt::format("{}: expected a tree of links, found a loop of {} joint{}: {}", label(loop[0]), loop.size(),
                       loop.size() == 1 ? "" : "s", join_names(names)));
    }
    for (const std::size_t l : way) marks[l] = Mark::done;
  }

  void find_start() {
    tree_.start.assign(robot_.joints.size(), 0);
    std::vector<Mark> marks(robot_.joints.size(), Mark::unseen);
    for (std::size_t first = 0; first < robot_.joints.size(); ++first) {
      std::vector<std::size_t> way;
      std::optional<std::size_t> j = first;
      for (; j && marks[*j] == Mark::unseen; j = tree_.mimicked[*j]) {
        marks[*j] = Mark::on_the_way;
        way.push_back(*j);
      }
      if (j && marks[*j] == Mark::on_the_way)
        fail(robot_.joints[*j].mimic->joint.where, label(*j) + ": mimic: this joint mimics itself, directly or through others");
      std::ranges::reverse(way);  // what is mimicked comes first
      for (const std::size_t k : way) {
        marks[k] = Mark::done;
        if (!tree_.mimicked[k]) continue;
        const Mimic& mimic = *robot_.joints[k].mimic;
        tree_.start[k] = mimic.multiplier * tree_.start[*tree_.mimicked[k]] + mimic.offset;
      }
    }
  }

  const Robot& robot_;
  Problems& problems_;
  Remarks& remarks_;
  Tree tree_;
  std::vector<std::size_t> holder_;  // joints, by link: the joint whose child it is
};

}  // namespace

std::optional<Tree> find_tree(const Robot& robot, Problems& problems, Remarks& remarks) {
  return Finder(robot, problems, remarks).find();
}

}  // namespace jounce::urdf
