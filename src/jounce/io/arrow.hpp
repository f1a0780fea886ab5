// Tables of numbers as Arrow IPC files (Feather version 2): what Python, R, Julia and databases read without parsing, column by column.
//
// Every column is of 64-bit floats, uncompressed, so that a reader can map the file. Each has its unit in the metadata of its field, as "unit". Rows are
// written in batches of a few MiB: memory stays bounded however long a run is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jounce/io/rows_writer.hpp"

namespace jounce {

/// Names and values about a table as a whole, in the metadata of its schema.
using ArrowFacts = std::vector<std::pair<std::string, std::string>>;

class ArrowWriter final : public RowsWriter {
 public:
  /// The file stays the caller's.
  ArrowWriter(std::FILE* file, ArrowFacts facts) : file_(file), facts_(std::move(facts)) {}

  bool header(std::span<const Column> columns) override;
  bool row(std::span<const double> values) override;
  [[nodiscard]] bool finish() override;
  [[nodiscard]] const std::string& failure() const override { return failure_; }

 private:
  struct Block {
    std::int64_t at = 0;
    std::int32_t metadata = 0;
    std::int64_t body = 0;
  };

  bool put(std::string_view bytes);
  bool put_message(const std::string& metadata);
  bool put_batch();

  std::FILE* file_;
  ArrowFacts facts_;
  std::vector<Column> columns_;
  std::vector<double> waiting_;  // column after column, `most_` places for each
  std::size_t most_ = 0, rows_ = 0;
  std::vector<Block> batches_;
  std::int64_t written_ = 0;
  std::string failure_;
};

}  // namespace jounce
