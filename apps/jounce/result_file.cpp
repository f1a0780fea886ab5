#include "result_file.hpp"

#include <cerrno>
#include <system_error>

namespace jounce::app {
namespace {

std::string message(int number) { return std::generic_category().message(number); }

}  // namespace

ResultFile::~ResultFile() { close(); }

bool ResultFile::row(std::span<const double> values) {
  if (path_.empty()) return true;
  return open() && check(csv_->row(values));
}

void ResultFile::finish() {
  if (path_.empty()) return;
  if (open()) check(csv_->finish());
  close();
}

std::string ResultFile::sentence() const {
  return "cannot write " + (path_ == "-" ? "to standard output" : "'" + path_ + "'") + ": " + reason_;
}

bool ResultFile::open() {
  if (state_ != State::good) return false;
  if (csv_) return true;
  file_ = path_ == "-" ? stdout : std::fopen(path_.c_str(), "wb");
  if (file_ == nullptr) {
    state_ = State::unopened;
    reason_ = message(errno);
    return false;
  }
  csv_.emplace(file_);
  return check(csv_->header(names_));
}

bool ResultFile::check(bool written) {
  if (written) return true;
  reason_ = csv_->failure();
  state_ = reason_ == message(EPIPE) ? State::reader_gone : State::unwritable;
  return false;
}

void ResultFile::close() {
  if (file_ == nullptr || file_ == stdout) return;
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (closed || state_ != State::good) return;
  reason_ = message(errno);
  state_ = State::unwritable;
}

}  // namespace jounce::app
