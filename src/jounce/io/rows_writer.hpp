// Rows of results on their way into a file, whatever its form.
#pragma once

#include <span>
#include <string>

#include "jounce/results/column.hpp"

namespace jounce {

class RowsWriter {
 public:
  RowsWriter() = default;
  RowsWriter(const RowsWriter&) = delete;
  RowsWriter& operator=(const RowsWriter&) = delete;
  virtual ~RowsWriter() = default;

  // Each is true as long as everything could be written. After a failure nothing more is written, and a long run may stop.
  virtual bool header(std::span<const Column> columns) = 0;
  virtual bool row(std::span<const double> values) = 0;
  /// To be called last: only then is it known that all is written.
  [[nodiscard]] virtual bool finish() = 0;
  /// The reason for the failure, empty when there was none.
  [[nodiscard]] virtual const std::string& failure() const = 0;
};

}  // namespace jounce
