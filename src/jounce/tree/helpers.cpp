#include "jounce/tree/helpers.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace jounce::tree {

/// A run is a number that goes up; each thread does its own share, always the same.
struct Helpers::Threads {
  Threads(std::size_t shares, std::function<void(std::size_t)> what) : work(std::move(what)) {
    for (std::size_t k = 1; k < shares; ++k) all.emplace_back([this, k] { wait_and_work(k); });
  }
  ~Threads() {
    {
      const std::lock_guard lock(guard);
      stopped = true;
    }
    begin.notify_all();
    for (std::thread& thread : all) thread.join();
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  void run() {
    {
      const std::lock_guard lock(guard);
      ++number;
      busy = all.size();
    }
    begin.notify_all();
    work(0);
    std::unique_lock lock(guard);
    end.wait(lock, [this] { return busy == 0; });
  }

  void wait_and_work(std::size_t k) {
    for (std::size_t done = 0;; ++done) {
      {
        std::unique_lock lock(guard);
        begin.wait(lock, [&] { return stopped || number > done; });
        if (stopped) return;
      }
      work(k);
      const std::lock_guard lock(guard);
      if (--busy == 0) end.notify_one();
    }
  }

  std::function<void(std::size_t)> work;
  std::vector<std::thread> all;
  std::mutex guard, one;
  std::condition_variable begin, end;
  std::size_t number = 0;  ///< of runs begun
  std::size_t busy = 0;    ///< threads that have not finished the run
  bool stopped = false;
};

Helpers::Helpers(std::size_t shares, std::function<void(std::size_t)> work)
    : threads_(std::make_unique<Threads>(shares, std::move(work))) {}
Helpers::~Helpers() = default;

void Helpers::run() { threads_->run(); }

void Helpers::alone(const std::function<void()>& what) {
  const std::lock_guard lock(threads_->one);
  what();
}

}  // namespace jounce::tree
