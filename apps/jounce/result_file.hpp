// Where the rows of results go: a file, in the form that its name says, standard output, or nowhere.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formats.hpp"
#include "jounce/io/arrow.hpp"
#include "jounce/io/rows_writer.hpp"
#include "jounce/io/write_file.hpp"
#include "xlsx_writer.hpp"

namespace jounce::app {

/// The forms of tables, the usual one first.
inline constexpr std::array kTables{Format::csv, Format::xlsx, Format::arrow};

class ResultFile {
 public:
  /// What a table says beside its rows, where its form has a place for it.
  struct About {
    std::string title;
    ArrowFacts facts;
  };

  /// Nothing is opened before there is something to write. `path`: "-" is standard output, empty is nowhere.
  ResultFile(std::string path, Format format, std::vector<Column> columns, About about)
      : path_(std::move(path)), format_(format), columns_(std::move(columns)), about_(std::move(about)) {}

  /// False as soon as something could not be written: a long run may stop.
  bool row(std::span<const double> values);
  /// Writes what is left, or only the names when there was no row, and gives the file its name. To be called however a run ends:
  /// without it, the rows are lost. `sheets`: what is known of the run by then, for a workbook.
  void finish(const std::vector<Sheet>& sheets = {});

  enum class State { good, unopened, unwritable, reader_gone };
  [[nodiscard]] State state() const { return state_; }
  /// "cannot write 'x.csv': No space left on device"
  [[nodiscard]] std::string sentence() const;

 private:
  bool open();
  bool check(bool written);

  std::string path_;
  Format format_;
  std::vector<Column> columns_;
  About about_;
  std::optional<OutputFile> file_;  // none: standard output
  std::unique_ptr<RowsWriter> rows_;
  State state_ = State::good;
  std::string reason_;
  std::string left_;  // the file that holds the rows when they could not all be written
};

}  // namespace jounce::app
