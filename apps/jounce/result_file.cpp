#include "result_file.hpp"

#include <cerrno>
#include <system_error>

#include "jounce/io/csv.hpp"

namespace jounce::app {
namespace {

std::string message(int number) { return std::generic_category().message(number); }

}  // namespace

bool ResultFile::row(std::span<const double> values) {
  if (path_.empty()) return true;
  return open() && check(rows_->row(values));
}

void ResultFile::finish(const std::vector<Sheet>& sheets) {
  if (path_.empty()) return;
  if (open()) {
    if (auto* const book = dynamic_cast<XlsxWriter*>(rows_.get()))
      for (const Sheet& sheet : sheets) book->add(sheet);
    check(rows_->finish());
  }
  if (!file_ || state_ == State::unopened) return;
  if (state_ == State::good && file_->finish()) return;
  if (state_ == State::good) state_ = State::unwritable, reason_ = file_->failure();
  left_ = file_->leave();
}

std::string ResultFile::sentence() const {
  return "cannot write " + (path_ == "-" ? "to standard output" : "'" + path_ + "'") + ": " + reason_ +
         (left_.empty() ? "" : "; the rows that could be written are in '" + left_ + "'");
}

bool ResultFile::open() {
  if (state_ != State::good) return false;
  if (rows_) return true;
  if (path_ != "-") file_.emplace(path_);
  std::FILE* const stream = file_ ? file_->stream() : stdout;
  if (stream == nullptr) {
    state_ = State::unopened;
    reason_ = file_->failure();
    return false;
  }
  if (format_ == Format::arrow) rows_ = std::make_unique<ArrowWriter>(stream, std::move(about_.facts));
  else if (format_ == Format::xlsx) rows_ = std::make_unique<XlsxWriter>(file_->place(), about_.title);
  else rows_ = std::make_unique<CsvWriter>(stream);
  return check(rows_->header(columns_));
}

bool ResultFile::check(bool written) {
  if (written) return true;
  reason_ = rows_->failure();
  state_ = reason_ == message(EPIPE) ? State::reader_gone : State::unwritable;
  return false;
}

}  // namespace jounce::app
