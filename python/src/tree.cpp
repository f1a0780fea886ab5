// The algorithms for trees of links: arrays in, arrays out, many states at once on all cores.
//
// Arrays come with the numbers of a state side by side, states along the first axis; the package sees to that.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>

#include <jounce/tree.hpp>

#include "door.hpp"

namespace jounce::python {
namespace {

using In = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Out = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The tree of a mechanism, and teams of threads that wait for the next call. Several threads of Python may call at once: each gets a team of its own.
class Algorithms {
 public:
  explicit Algorithms(const Mechanism& mechanism) : mechanism_(mechanism), tree_(tree_of(mechanism)) {
    if (tree_ == nullptr) throw nb::value_error("jounce.tree: expected a mechanism with space = \"3d\", found one of the plane");
  }

  [[nodiscard]] int coordinates() const { return tree_->coordinates(); }
  [[nodiscard]] int dofs() const { return tree_->dofs(); }
  [[nodiscard]] const tree::Tree& tree() const { return *tree_; }

  /// True where all states could be solved.
  bool aba(const In& q, const In& v, const In& tau, const Out& qdd, int threads) const {
    const int count = states(q, coordinates(), "q");
    same(v, count, "v"), same(tau, count, "tau"), same(qdd, count, "out");
    return with_team(threads, count, [&](tree::Batch& batch) { return batch.aba(count, q.data(), v.data(), tau.data(), qdd.data(), nullptr, tree::BatchOrder::by_state); });
  }
  void rnea(const In& q, const In& v, const In& qdd, const Out& tau, int threads) const {
    const int count = states(q, coordinates(), "q");
    same(v, count, "v"), same(qdd, count, "qdd"), same(tau, count, "out");
    with_team(threads, count, [&](tree::Batch& batch) { return batch.rnea(count, q.data(), v.data(), qdd.data(), tau.data(), tree::BatchOrder::by_state), true; });
  }
  void crba(const In& q, const Out& h, int threads) const {
    const int count = states(q, coordinates(), "q");
    if (h.shape(0) != q.shape(0) || h.shape(1) != static_cast<std::size_t>(dofs()) * static_cast<std::size_t>(dofs())) throw nb::value_error("out: expected a matrix for each state");
    with_team(threads, count, [&](tree::Batch& batch) { return batch.crba(count, q.data(), h.data(), tree::BatchOrder::by_state), true; });
  }

  /// Accelerations of the passive dofs for given efforts, efforts of the active ones for given accelerations: `given` has one or the other;
  /// `qdd` and `tau` get all of them. True where all states could be solved.
  bool hybrid(const In& q, const In& v, const In& given, const Flags& active, const Out& qdd, const Out& tau, int threads) const {
    const int count = states(q, coordinates(), "q");
    same(v, count, "v"), same(given, count, "given"), same(qdd, count, "qdd"), same(tau, count, "tau");
    if (active.shape(0) != static_cast<std::size_t>(dofs())) throw nb::value_error("active: expected a flag for each dof");
    const nb::gil_scoped_release free;
    const auto n = static_cast<std::size_t>(dofs()), m = static_cast<std::size_t>(coordinates());
    std::atomic<bool> good = true;
    const auto some = [&](std::size_t from, std::size_t to) {
      tree::Workspace<double> work(*tree_);
      for (std::size_t i = from; i < to; ++i) {
        const double* in = given.data() + i * n;
        double *a = qdd.data() + i * n, *e = tau.data() + i * n;
        std::copy_n(in, n, a);
        const bool solved = tree::hybrid<double>(*tree_, work, q.data() + i * m, v.data() + i * n, in, active.data(), a, nullptr, nullptr);
        if (solved) tree::efforts<double>(*tree_, work, e);
        for (std::size_t k = 0; k < n; ++k) {
          if (!solved) a[k] = e[k] = std::numeric_limits<double>::quiet_NaN();
          else if (active.data()[k] == 0) e[k] = in[k];
        }
        if (!solved) good = false;
      }
    };
    const auto workers = static_cast<std::size_t>(team_size(threads, count)), all = static_cast<std::size_t>(count);
    std::vector<std::thread> others;
    for (std::size_t k = 1; k < workers; ++k) others.emplace_back(some, all * k / workers, all * (k + 1) / workers);
    some(0, all / workers);
    for (std::thread& other : others) other.join();
    return good;
  }

  [[nodiscard]] std::vector<double> neutral() const { return tree::neutral(*tree_); }

 private:
  struct Team {
    int threads;
    std::unique_ptr<tree::Batch> batch;
  };

  static int states(const In& q, int numbers, const char* name) {
    if (q.shape(1) != static_cast<std::size_t>(numbers)) wrong(name, numbers, q.shape(1));
    if (q.shape(0) > static_cast<std::size_t>(std::numeric_limits<int>::max())) throw nb::value_error("q: expected at most 2147483647 states");
    return static_cast<int>(q.shape(0));
  }
  template <class Array>
  void same(const Array& x, int count, const char* name) const {
    if (x.shape(1) != static_cast<std::size_t>(dofs())) wrong(name, dofs(), x.shape(1));
    if (x.shape(0) != static_cast<std::size_t>(count))
      throw nb::value_error((std::string(name) + ": expected as many states as q has, " + std::to_string(count) + ", found " + std::to_string(x.shape(0))).c_str());
  }
  [[noreturn]] static void wrong(const char* name, int expected, std::size_t found) {
    throw nb::value_error((std::string(name) + ": expected " + std::to_string(expected) + " numbers a state, found " + std::to_string(found)).c_str());
  }

  // 0 threads: as many as there are cores; more than that never help. Fewer states than that are done before a thread has woken up.
  static int team_size(int threads, int count) {
    constexpr int kStatesPerThread = 64;
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return std::clamp(count / kStatesPerThread, 1, threads > 0 ? std::min(threads, cores) : cores);
  }

  template <class F>
  bool with_team(int threads, int count, F&& work) const {
    const int wanted = team_size(threads, count);
    const nb::gil_scoped_release free;
    Team team{wanted, nullptr};
    {
      const std::scoped_lock lock(guard_);
      const auto waiting = std::ranges::find(teams_, wanted, &Team::threads);
      if (waiting != teams_.end()) team = std::move(*waiting), teams_.erase(waiting);
    }
    if (!team.batch) team.batch = std::make_unique<tree::Batch>(*tree_, wanted);
    const bool out = std::forward<F>(work)(*team.batch);
    const std::scoped_lock lock(guard_);
    teams_.push_back(std::move(team));
    return out;
  }

  Mechanism mechanism_;
  const tree::Tree* tree_;
  mutable std::mutex guard_;
  mutable std::vector<Team> teams_;
};

}  // namespace

void bind_tree(nb::module_& m) {
  nb::class_<Algorithms>(m, "Tree")
      .def(nb::init<const Mechanism&>(), nb::arg("mechanism"))
      .def_prop_ro("coordinates", &Algorithms::coordinates)
      .def_prop_ro("dofs", &Algorithms::dofs)
      .def("neutral", [](const Algorithms& self) { return owned(self.neutral()); })
      .def("aba", &Algorithms::aba, nb::arg("q"), nb::arg("v"), nb::arg("tau"), nb::arg("out"), nb::arg("threads"))
      .def("rnea", &Algorithms::rnea, nb::arg("q"), nb::arg("v"), nb::arg("qdd"), nb::arg("out"), nb::arg("threads"))
      .def("crba", &Algorithms::crba, nb::arg("q"), nb::arg("out"), nb::arg("threads"))
      .def("hybrid", &Algorithms::hybrid, nb::arg("q"), nb::arg("v"), nb::arg("given"), nb::arg("active"), nb::arg("qdd"), nb::arg("tau"), nb::arg("threads"))
      .def("move",
           [](const Algorithms& self, const In& q, const In& way, const Out& out) {
             const auto m = static_cast<std::size_t>(self.coordinates()), n = static_cast<std::size_t>(self.dofs());
             if (q.shape(1) != m || out.shape(1) != m || way.shape(1) != n || way.shape(0) != q.shape(0) || out.shape(0) != q.shape(0))
               throw nb::value_error("move: expected coordinates and as many rates a state");
             std::copy_n(q.data(), q.size(), out.data());
             for (std::size_t i = 0; i < q.shape(0); ++i) tree::move(self.tree(), {out.data() + i * m, m}, {way.data() + i * n, n});
           },
           nb::arg("q"), nb::arg("way"), nb::arg("out"))
      .def("difference",
           [](const Algorithms& self, const In& from, const In& to, const Out& out) {
             const auto m = static_cast<std::size_t>(self.coordinates()), n = static_cast<std::size_t>(self.dofs());
             if (from.shape(1) != m || to.shape(1) != m || out.shape(1) != n || to.shape(0) != from.shape(0) || out.shape(0) != from.shape(0))
               throw nb::value_error("difference: expected two sets of coordinates");
             for (std::size_t i = 0; i < from.shape(0); ++i)
               tree::difference(self.tree(), {from.data() + i * m, m}, {to.data() + i * m, m}, {out.data() + i * n, n});
           },
           nb::arg("q0"), nb::arg("q1"), nb::arg("out"));
}

}  // namespace jounce::python
