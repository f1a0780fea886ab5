// Where the rows of results go: a file, standard output, or nowhere.
#pragma once

#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/io/csv.hpp"

namespace jounce::app {

class ResultFile {
 public:
  /// Nothing is opened before there is something to write. `path`: "-" is standard output, empty is nowhere.
  ResultFile(std::string path, std::vector<std::string> names) : path_(std::move(path)), names_(std::move(names)) {}
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  /// False as soon as something could not be written: a long run may stop.
  bool row(std::span<const double> values);
  /// Writes what is left, or only the names when there was no row.
  void finish();

  enum class State { good, unopened, unwritable, reader_gone };
  [[nodiscard]] State state() const { return state_; }
  /// "cannot write 'x.csv': No space left on device"
  [[nodiscard]] std::string sentence() const;

 private:
  bool open();
  bool check(bool written);
  void close();

  std::string path_;
  std::vector<std::string> names_;
  std::FILE* file_ = nullptr;
  std::optional<CsvWriter> csv_;
  State state_ = State::good;
  std::string reason_;
};

}  // namespace jounce::app
