// Where the rows of results go: a file, standard output, or nowhere.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/io/csv.hpp"
#include "jounce/io/write_file.hpp"

namespace jounce::app {

class ResultFile {
 public:
  /// Nothing is opened before there is something to write. `path`: "-" is standard output, empty is nowhere.
  ResultFile(std::string path, std::vector<std::string> names) : path_(std::move(path)), names_(std::move(names)) {}

  /// False as soon as something could not be written: a long run may stop.
  bool row(std::span<const double> values);
  /// Writes what is left, or only the names when there was no row, and gives the file its name. To be called however a run ends:
  /// without it, the rows are lost.
  void finish();

  enum class State { good, unopened, unwritable, reader_gone };
  [[nodiscard]] State state() const { return state_; }
  /// "cannot write 'x.csv': No space left on device"
  [[nodiscard]] std::string sentence() const;

 private:
  bool open();
  bool check(bool written);

  std::string path_;
  std::vector<std::string> names_;
  std::optional<OutputFile> file_;  // none: standard output
  std::optional<CsvWriter> csv_;
  State state_ = State::good;
  std::string reason_;
  std::string left_;  // the file that holds the rows when they could not all be written
};

}  // namespace jounce::app
