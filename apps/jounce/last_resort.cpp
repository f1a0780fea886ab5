#include "last_resort.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "terminal.hpp"

namespace jounce::app {
namespace {

constexpr std::chrono::milliseconds kTimeToAnswer{25};

}  // namespace

struct LastResort::Watch {
  std::function<void()> end;
  std::mutex mutex;
  std::condition_variable changed;
  bool over = false;
  std::thread thread;

  void wait() {
    Interrupt::wait();
    std::unique_lock lock(mutex);
    if (!changed.wait_for(lock, kTimeToAnswer, [&] { return over; })) end();
  }
};

LastResort::LastResort(std::function<void()> end) : watch_(std::make_unique<Watch>()) {
  watch_->end = std::move(end);
  watch_->thread = std::thread([watch = watch_.get()] { watch->wait(); });
}

LastResort::~LastResort() {
  {
    const std::scoped_lock lock(watch_->mutex);
    watch_->over = true;
  }
  watch_->changed.notify_one();
  Interrupt::wake();
  watch_->thread.join();
}

}  // namespace jounce::app
