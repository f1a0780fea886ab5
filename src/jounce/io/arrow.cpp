#include "jounce/io/arrow.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <system_error>

#include "jounce/io/flat_buffer.hpp"

namespace jounce {
namespace {

// Numbers of the format's own description (Schema.fbs, Message.fbs, File.fbs).
constexpr std::int64_t kVersion = 4;  // V5
constexpr std::int64_t kSchema = 1, kRecordBatch = 3;
constexpr std::int64_t kFloatingPoint = 3, kDouble = 2;
constexpr std::string_view kMagic = "ARROW1";
constexpr std::string_view kContinued = "\xff\xff\xff\xff";

constexpr std::size_t kBatch = std::size_t{4} << 20U;  // bytes, about
constexpr std::size_t kFewest = 64, kMost = 65536;     // rows of a batch

static_assert(std::endian::native == std::endian::little, "numbers are written as the machine has them");

std::string four_bytes(std::size_t value) {
  std::string out(4, '\0');
  for (std::size_t k = 0; k < 4; ++k) out[k] = static_cast<char>(value >> (8 * k));
  return out;
}

FlatBuffer::Place facts_in(FlatBuffer& out, const ArrowFacts& facts) {
  if (facts.empty()) return 0;
  std::vector<FlatBuffer::Place> all;
  for (const auto& [key, value] : facts) {
    const auto k = out.text(key), v = out.text(value);
    all.push_back(out.table(2, {FlatBuffer::reference(0, k), FlatBuffer::reference(1, v)}));
  }
  return out.references(all);
}

FlatBuffer::Place schema_in(FlatBuffer& out, const std::vector<Column>& columns, const ArrowFacts& facts) {
  std::vector<FlatBuffer::Place> fields;
  for (const Column& column : columns) {
    const auto name = out.text(column.name);
    const auto type = out.table(1, {FlatBuffer::number(0, 2, kDouble)});
    const auto children = out.references({});
    ArrowFacts own;
    if (!column.unit.empty()) own.emplace_back("unit", column.unit);
    const auto about = facts_in(out, own);
    fields.push_back(out.table(7, {FlatBuffer::reference(0, name), FlatBuffer::reference(3, type), FlatBuffer::reference(5, children),
                                   FlatBuffer::reference(6, about), FlatBuffer::number(2, 1, kFloatingPoint)}));
  }
  const auto all = out.references(fields);
  const auto about = facts_in(out, facts);
  return out.table(4, {FlatBuffer::reference(1, all), FlatBuffer::reference(2, about)});
}

std::string message(FlatBuffer& out, std::int64_t kind, FlatBuffer::Place header, std::int64_t body) {
  return out.finish(out.table(5, {FlatBuffer::number(3, 8, body), FlatBuffer::reference(2, header), FlatBuffer::number(0, 2, kVersion), FlatBuffer::number(1, 1, kind)}));
}

}  // namespace

bool ArrowWriter::put(std::string_view bytes) {
  if (!failure_.empty()) return false;
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) failure_ = std::generic_category().message(errno);
  written_ += static_cast<std::int64_t>(bytes.size());
  return failure_.empty();
}

bool ArrowWriter::put_message(const std::string& metadata) { return put(std::string(kContinued) + four_bytes(metadata.size()) + metadata); }

bool ArrowWriter::header(std::span<const Column> columns) {
  columns_.assign(columns.begin(), columns.end());
  most_ = std::clamp(kBatch / (sizeof(double) * std::max<std::size_t>(columns_.size(), 1)), kFewest, kMost);
  waiting_.resize(most_ * columns_.size());
  FlatBuffer out;
  const auto schema = schema_in(out, columns_, facts_);
  return put(std::string(kMagic) + std::string(2, '\0')) && put_message(message(out, kSchema, schema, 0));
}

bool ArrowWriter::row(std::span<const double> values) {
  for (std::size_t c = 0; c < columns_.size(); ++c) waiting_[c * most_ + rows_] = values[c];
  return ++rows_ < most_ || put_batch();
}

bool ArrowWriter::put_batch() {
  if (rows_ == 0) return failure_.empty();
  const auto count = static_cast<std::int64_t>(rows_), size = count * static_cast<std::int64_t>(sizeof(double));
  std::vector<std::int64_t> nodes, buffers;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::int64_t at = static_cast<std::int64_t>(c) * size;
    nodes.insert(nodes.end(), {count, 0});               // no number is missing,
    buffers.insert(buffers.end(), {at, 0, at, size});    // so that nothing needs to say which
  }
  FlatBuffer out;
  const auto all_buffers = out.structs(buffers, 2), all_nodes = out.structs(nodes, 2);
  const auto batch = out.table(4, {FlatBuffer::number(0, 8, count), FlatBuffer::reference(1, all_nodes), FlatBuffer::reference(2, all_buffers)});
  const std::int64_t body = size * static_cast<std::int64_t>(columns_.size());
  const std::string metadata = message(out, kRecordBatch, batch, body);
  batches_.push_back({written_, static_cast<std::int32_t>(metadata.size() + 8), body});
  put_message(metadata);
  for (std::size_t c = 0; c < columns_.size(); ++c)
    put({reinterpret_cast<const char*>(waiting_.data() + c * most_), static_cast<std::size_t>(size)});  // NOLINT: bytes are bytes
  rows_ = 0;
  return failure_.empty();
}

bool ArrowWriter::finish() {
  put_batch();
  put(std::string(kContinued) + four_bytes(0));
  FlatBuffer out;
  std::vector<std::int64_t> blocks;
  for (const Block& block : batches_) blocks.insert(blocks.end(), {block.at, block.metadata, block.body});
  const auto batches = out.structs(blocks, 3), none = out.structs({}, 3);
  const auto schema = schema_in(out, columns_, facts_);
  const std::string footer =
      out.finish(out.table(5, {FlatBuffer::reference(1, schema), FlatBuffer::reference(2, none), FlatBuffer::reference(3, batches), FlatBuffer::number(0, 2, kVersion)}));
  put(footer);
  put(four_bytes(footer.size()) + std::string(kMagic));
  errno = 0;
  if (failure_.empty() && std::fflush(file_) != 0) failure_ = std::generic_category().message(errno);
  return failure_.empty();
}

}  // namespace jounce
