#include "xlsx_writer.hpp"

namespace jounce::app {

struct XlsxWriter::Book {};

bool has_xlsx() { return false; }

XlsxWriter::XlsxWriter(const std::string& /*path*/, const std::string& /*title*/) : failure_(kNoXlsx) {}
XlsxWriter::~XlsxWriter() = default;

bool XlsxWriter::header(std::span<const Column> /*columns*/) { return false; }
bool XlsxWriter::row(std::span<const double> /*values*/) { return false; }
void XlsxWriter::add(const Sheet& /*sheet*/) {}
bool XlsxWriter::finish() { return false; }
bool XlsxWriter::check(int /*status*/) { return false; }

}  // namespace jounce::app
