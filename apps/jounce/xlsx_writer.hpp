// Tables as workbooks for spreadsheets: the rows with their units, and sheets about the run and about the model.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jounce/io/rows_writer.hpp"
#include "jounce/results/summary_table.hpp"

namespace jounce::app {

/// False where the program was built without libxlsxwriter (JOUNCE_XLSX=OFF).
[[nodiscard]] bool has_xlsx();
/// What is said then.
inline constexpr const char* kNoXlsx = "this build of Jounce was made without workbooks (JOUNCE_XLSX=OFF)";

inline constexpr std::size_t kXlsxColumns = 16384, kXlsxRows = 1048576, kXlsxHead = 2;  ///< of a sheet; rows above those of numbers

/// A sheet of texts and numbers; a cell that is a number becomes one.
struct Sheet {
  std::string name;
  std::vector<SummaryTable> tables;
};

class XlsxWriter final : public RowsWriter {
 public:
  /// `path`: of the file to write. `title`: what it is about.
  XlsxWriter(const std::string& path, const std::string& title);
  ~XlsxWriter() override;

  bool header(std::span<const Column> columns) override;
  bool row(std::span<const double> values) override;
  /// A further sheet.
  void add(const Sheet& sheet);
  [[nodiscard]] bool finish() override;
  [[nodiscard]] const std::string& failure() const override { return failure_; }

 private:
  struct Book;
  bool check(int status);

  std::unique_ptr<Book> book_;
  [[maybe_unused]] std::size_t rows_ = 0;
  std::string failure_;
};

}  // namespace jounce::app
