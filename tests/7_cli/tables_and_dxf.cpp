// Files for other programs: DXF, workbooks and Arrow files, read back by strict readers and compared with the results as CSV.
#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "cli_test.hpp"

using namespace jounce;

namespace {

// ---- DXF ---------------------------------------------------------------------------------------------------------------

struct DxfGroup {
  int code = 0;
  std::string value;
};

struct DxfEntity {
  std::string kind, layer;
  std::map<int, double> numbers;
  std::string text;
  std::vector<std::array<double, 3>> vertices;  // of a polyline
};

struct Dxf {
  std::map<std::string, std::string> header;
  std::set<std::string> layers;
  std::vector<DxfEntity> entities;

  [[nodiscard]] std::vector<DxfEntity> of(const std::string& kind, const std::string& layer) const {
    std::vector<DxfEntity> out;
    for (const DxfEntity& e : entities)
      if (e.kind == kind && e.layer == layer) out.push_back(e);
    return out;
  }
};

// Sections in their order, tables and polylines that end, no layer that is not there.
Dxf read_dxf(const std::string& text) {
  std::vector<DxfGroup> groups;
  std::istringstream in(text);
  for (std::string code, value; std::getline(in, code);) {
    REQUIRE(std::getline(in, value));
    CHECK(std::ranges::all_of(value, [](char c) { return c >= 0x20 && c < 0x7f; }));
    groups.push_back({std::stoi(code), value});
  }
  Dxf out;
  std::size_t k = 0;
  const auto expect = [&](int code, const std::string& value) {
    REQUIRE(k < groups.size());
    CHECK(groups[k].code == code);
    REQUIRE(groups[k].value == value);
    ++k;
  };
  CHECK(groups[k++].code == 999);
  for (const std::string section : {"HEADER", "TABLES", "BLOCKS", "ENTITIES"}) {
    expect(0, "SECTION"), expect(2, section);
    for (; groups[k].value != "ENDSEC" || groups[k].code != 0; ++k) {
      REQUIRE(k + 1 < groups.size());
      if (section == "HEADER" && groups[k].code == 9) out.header[groups[k].value] = groups[k + 1].value;
      if (section == "TABLES" && groups[k].code == 0 && groups[k].value == "LAYER") out.layers.insert(groups[k + 1].value);
      if (section != "ENTITIES") continue;
      if (groups[k].code == 0) {
        if (groups[k].value == "VERTEX") out.entities.back().vertices.emplace_back();
        else if (groups[k].value != "SEQEND") out.entities.push_back({groups[k].value, {}, {}, {}, {}});
        CHECK(groups[k + 1].code == 8);
        CHECK(out.layers.contains(groups[k + 1].value));
        out.entities.back().layer = groups[++k].value;
      } else if (groups[k].code == 1) {
        out.entities.back().text = groups[k].value;
      } else if (groups[k].code >= 10 && groups[k].code < 60) {
        DxfEntity& e = out.entities.back();
        const double value = std::stod(groups[k].value);
        const int axis = groups[k].code / 10 - 1;
        if (!e.vertices.empty() && groups[k].code % 10 == 0 && axis < 3) e.vertices.back()[static_cast<std::size_t>(axis)] = value;
        else e.numbers[groups[k].code] = value;
      } else if (groups[k].code == 70 && out.entities.back().vertices.empty()) {
        out.entities.back().numbers[70] = std::stod(groups[k].value);
      }
    }
    expect(0, "ENDSEC");
  }
  expect(0, "EOF");
  CHECK(k == groups.size());
  return out;
}

// ---- ZIP and XML -------------------------------------------------------------------------------------------------------

std::uint32_t number_at(const std::string& bytes, std::size_t at, std::size_t size) {
  REQUIRE(at + size <= bytes.size());
  std::uint32_t out = 0;
  for (std::size_t k = size; k > 0; --k) out = out << 8U | static_cast<unsigned char>(bytes[at + k - 1]);
  return out;
}

// A file of an archive, by its central directory.
std::string unzipped(const std::string& zip, const std::string& wanted) {
  const std::size_t end = zip.rfind("PK\x05\x06");
  REQUIRE(end != zip.npos);
  std::size_t at = number_at(zip, end + 16, 4);
  for (std::uint32_t n = number_at(zip, end + 10, 2); n > 0; --n) {
    REQUIRE(zip.compare(at, 4, "PK\x01\x02") == 0);
    const std::size_t name = number_at(zip, at + 28, 2), rest = number_at(zip, at + 30, 2) + number_at(zip, at + 32, 2);
    if (zip.substr(at + 46, name) == wanted) {
      const std::size_t packed = number_at(zip, at + 20, 4), size = number_at(zip, at + 24, 4), local = number_at(zip, at + 42, 4);
      const std::size_t data = local + 30 + number_at(zip, local + 26, 2) + number_at(zip, local + 28, 2);
      std::string out(size, '\0');
      z_stream stream{};
      REQUIRE(inflateInit2(&stream, -MAX_WBITS) == Z_OK);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(zip.data() + data));
      stream.avail_in = static_cast<uInt>(packed);
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(size);
      CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
      inflateEnd(&stream);
      return out;
    }
    at += 46 + name + rest;
  }
  FAIL("no " << wanted);
  return {};
}

// Cells of a sheet as texts, row by row.
std::vector<std::vector<std::string>> cells(const std::string& book, int sheet) {
  pugi::xml_document shared, xml;
  const std::string text = unzipped(book, "xl/worksheets/sheet" + std::to_string(sheet) + ".xml");
  REQUIRE(xml.load_string(text.c_str(), pugi::parse_default | pugi::parse_ws_pcdata));
  std::vector<std::string> strings;
  if (book.find("xl/sharedStrings.xml") != book.npos) {
    REQUIRE(shared.load_string(unzipped(book, "xl/sharedStrings.xml").c_str(), pugi::parse_default | pugi::parse_ws_pcdata));
    for (const pugi::xml_node& one : shared.child("sst").children("si")) strings.emplace_back(one.child("t").text().get());
  }
  std::vector<std::vector<std::string>> out;
  for (const pugi::xml_node& row : xml.child("worksheet").child("sheetData").children("row")) {
    out.emplace_back();
    for (const pugi::xml_node& cell : row.children("c")) {
      const std::string kind = cell.attribute("t").value();
      if (kind == "inlineStr") out.back().emplace_back(cell.child("is").child("t").text().get());
      else if (kind == "s") out.back().push_back(strings.at(static_cast<std::size_t>(cell.child("v").text().as_int())));
      else out.back().emplace_back(cell.child("v").text().get());
    }
  }
  return out;
}

// ---- Arrow -------------------------------------------------------------------------------------------------------------

// A table of FlatBuffers, by the description of the format.
class FlatTable {
 public:
  FlatTable(const std::string& bytes, std::size_t at) : bytes_(bytes), at_(at) {
    REQUIRE(at + 4 <= bytes.size());
    CHECK(at % 4 == 0);
  }
  static FlatTable root(const std::string& bytes) { return {bytes, number_at(bytes, 0, 4)}; }

  template <class T>
  [[nodiscard]] T number(std::size_t slot) const {
    const std::size_t place = field(slot);
    T out{};
    if (place == 0) return out;
    CHECK(place % sizeof(T) == 0);
    REQUIRE(place + sizeof(T) <= bytes_.size());
    std::memcpy(&out, bytes_.data() + place, sizeof(T));
    return out;
  }
  [[nodiscard]] FlatTable table(std::size_t slot) const { return {bytes_, follow(slot)}; }
  [[nodiscard]] std::string text(std::size_t slot) const {
    const std::size_t place = follow(slot);
    return bytes_.substr(place + 4, number_at(bytes_, place, 4));
  }
  [[nodiscard]] std::size_t count(std::size_t slot) const { return field(slot) == 0 ? 0 : number_at(bytes_, follow(slot), 4); }
  [[nodiscard]] FlatTable each(std::size_t slot, std::size_t k) const {
    const std::size_t place = follow(slot) + 4 + 4 * k;
    return {bytes_, place + number_at(bytes_, place, 4)};
  }
  // The k-th number of a vector of structs of 64-bit numbers.
  [[nodiscard]] std::int64_t of_structs(std::size_t slot, std::size_t k) const {
    const std::size_t place = follow(slot) + 4 + 8 * k;
    CHECK(place % 8 == 0);
    REQUIRE(place + 8 <= bytes_.size());
    std::int64_t out = 0;
    std::memcpy(&out, bytes_.data() + place, 8);
    return out;
  }

 private:
  [[nodiscard]] std::size_t field(std::size_t slot) const {
    std::int32_t back = 0;
    std::memcpy(&back, bytes_.data() + at_, 4);
    const std::size_t told = at_ - static_cast<std::size_t>(back), size = number_at(bytes_, told, 2);
    if (4 + 2 * slot >= size) return 0;
    const std::size_t by = number_at(bytes_, told + 4 + 2 * slot, 2);
    return by == 0 ? 0 : at_ + by;
  }
  [[nodiscard]] std::size_t follow(std::size_t slot) const {
    const std::size_t place = field(slot);
    REQUIRE(place != 0);
    return place + number_at(bytes_, place, 4);
  }

  const std::string& bytes_;
  std::size_t at_;
};

struct ArrowTable {
  std::vector<std::string> names, units;
  std::map<std::string, std::string> facts;
  std::vector<std::vector<double>> columns;
  std::size_t batches = 0;
};

ArrowTable read_arrow(const std::string& file) {
  REQUIRE(file.starts_with(std::string("ARROW1\0\0", 8)));
  REQUIRE(file.ends_with("ARROW1"));
  const std::size_t size = number_at(file, file.size() - 10, 4);
  const std::string footer = file.substr(file.size() - 10 - size, size);
  const FlatTable root = FlatTable::root(footer);
  CHECK(root.number<std::int16_t>(0) == 4);  // V5
  ArrowTable out;
  const FlatTable schema = root.table(1);
  for (std::size_t k = 0; k < schema.count(2); ++k) out.facts[schema.each(2, k).text(0)] = schema.each(2, k).text(1);
  for (std::size_t k = 0; k < schema.count(1); ++k) {
    const FlatTable field = schema.each(1, k);
    out.names.push_back(field.text(0));
    CHECK(field.number<std::uint8_t>(2) == 3);             // FloatingPoint
    CHECK(field.table(3).number<std::int16_t>(0) == 2);    // DOUBLE
    out.units.push_back(field.count(6) > 0 ? field.each(6, 0).text(1) : "");
  }
  out.columns.resize(out.names.size());
  out.batches = root.count(3);
  for (std::size_t b = 0; b < out.batches; ++b) {
    const auto at = static_cast<std::size_t>(root.of_structs(3, 3 * b));
    const auto metadata = static_cast<std::size_t>(root.of_structs(3, 3 * b + 1) & 0xffffffff), body = static_cast<std::size_t>(root.of_structs(3, 3 * b + 2));
    CHECK(at % 8 == 0);
    CHECK(metadata % 8 == 0);
    CHECK(number_at(file, at, 4) == 0xffffffffU);
    CHECK(number_at(file, at + 4, 4) == metadata - 8);
    const std::string message = file.substr(at + 8, metadata - 8);
    const FlatTable head = FlatTable::root(message);
    CHECK(head.number<std::uint8_t>(1) == 3);  // RecordBatch
    CHECK(head.number<std::int64_t>(3) == static_cast<std::int64_t>(body));
    const FlatTable batch = head.table(2);
    const auto rows = static_cast<std::size_t>(batch.number<std::int64_t>(0));
    REQUIRE(batch.count(1) == out.names.size());
    REQUIRE(batch.count(2) == 2 * out.names.size());
    for (std::size_t c = 0; c < out.names.size(); ++c) {
      CHECK(batch.of_structs(1, 2 * c) == static_cast<std::int64_t>(rows));
      CHECK(batch.of_structs(1, 2 * c + 1) == 0);
      const auto from = static_cast<std::size_t>(batch.of_structs(2, 4 * c + 2)), long_by = static_cast<std::size_t>(batch.of_structs(2, 4 * c + 3));
      REQUIRE(long_by == 8 * rows);
      REQUIRE(from + long_by <= body);
      std::vector<double> numbers(rows);
      std::memcpy(numbers.data(), file.data() + at + metadata + from, long_by);
      out.columns[c].insert(out.columns[c].end(), numbers.begin(), numbers.end());
    }
  }
  return out;
}

}  // namespace

TEST_CASE("the drawing as DXF has the mechanism to scale, in millimetres and on layers") {
  // oracle: the closed form of the crank at t = 0.5, r (cos 1.5, sin 1.5); the end of the lever goes on a circle about its pivot
  const Folder here;
  REQUIRE(here.jounce("draw " + model("quick-return") + " --at 0.5 --names --trail lever.T -o x.dxf").code == 0);
  const Dxf dxf = read_dxf(here.read("x.dxf"));
  CHECK(dxf.header.at("$ACADVER") == "AC1009");
  CHECK(std::stoi(dxf.header.at("$INSUNITS")) == 4);
  const double x = 100 * std::cos(1.5), y = 100 * std::sin(1.5);
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-6; };
  int cranks = 0, pins = 0;
  for (const DxfEntity& e : dxf.of("LINE", "BODIES")) {
    const auto& n = e.numbers;
    cranks += (near(n.at(10), 0) && near(n.at(20), 0) && near(n.at(11), x) && near(n.at(21), y)) || (near(n.at(11), 0) && near(n.at(21), 0) && near(n.at(10), x) && near(n.at(20), y)) ? 1 : 0;
  }
  CHECK(cranks == 1);
  for (const DxfEntity& e : dxf.of("POINT", "JOINTS")) pins += near(e.numbers.at(10), x) && near(e.numbers.at(20), y) ? 1 : 0;
  CHECK(pins == 1);
  const auto paths = dxf.of("POLYLINE", "PATHS");
  REQUIRE(paths.size() == 1);
  CHECK(paths[0].vertices.size() > 300);
  for (const auto& v : paths[0].vertices) CHECK(near(std::hypot(v[0], v[1] + 250), 550));
  std::set<std::string> names;
  for (const DxfEntity& e : dxf.of("TEXT", "LABELS")) names.insert(e.text);
  for (const char* name : {"crank", "lever", "ram", "link", "crank-bearing", "lever.T"}) CHECK_MESSAGE(names.contains(name), name);

  // in space every place has its three coordinates
  REQUIRE(here.jounce("draw " + model("seven-joint-arm") + " --trail hand.tip -o arm.dxf").code == 0);
  const Dxf arm = read_dxf(here.read("arm.dxf"));
  REQUIRE(arm.of("POLYLINE", "PATHS").size() == 1);
  CHECK(arm.of("POLYLINE", "PATHS")[0].numbers.at(70) == 8);
  CHECK(arm.of("LINE", "JOINTS").size() == 7);
}

TEST_CASE("every model can be taken to CAD") {
  // oracle: the reader
  const Folder here;
  for (const char* name : {"rack-and-wheel", "planetary", "stewart", "hooke-joint", "valve-train", "truss", "rope-hoist", "flat-cam", "screw-nut"}) {
    CAPTURE(name);
    REQUIRE(here.jounce("draw " + model(name) + " --names -o x.dxf").code == 0);
    CHECK(!read_dxf(here.read("x.dxf")).entities.empty());
  }
}

TEST_CASE("a cam as DXF is the closed polyline of its coordinates") {
  // oracle: the coordinates as CSV
  const Folder here;
  const std::string words = "cam " + model("roller-cam") + " --points 90 -o ";
  const Ran as_csv = here.jounce(words + "cam.csv"), as_dxf = here.jounce(words + "cam.dxf");
  REQUIRE_MESSAGE(as_dxf.code == 0, as_dxf.err);
  const auto table = parse_csv(here.read("cam.csv"), "cam.csv");
  REQUIRE(table.ok());
  const std::vector<double> x = column(*table, "x"), y = column(*table, "y");
  const Dxf dxf = read_dxf(here.read("cam.dxf"));
  const auto profile = dxf.of("POLYLINE", "PROFILE");
  REQUIRE(profile.size() == 1);
  CHECK(profile[0].numbers.at(70) == 1);
  REQUIRE(profile[0].vertices.size() == 90);
  for (std::size_t k = 0; k < 90; ++k) {
    CHECK(std::abs(profile[0].vertices[k][0] - 1000 * x[k]) < 1e-6);
    CHECK(std::abs(profile[0].vertices[k][1] - 1000 * y[k]) < 1e-6);
  }
}

TEST_CASE("a workbook has the rows with their units, what the run came to, and the model") {
  // oracle: the same run as CSV; a sheet keeps sixteen digits
  const Folder here;
  for (const std::string command : {"inverse", "kinematics", "run"}) {
    CAPTURE(command);
    const Ran ran = here.jounce(command + " " + model("quick-return") + " --steps 20 -o x.xlsx");
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    REQUIRE(here.jounce(command + " " + model("quick-return") + " --steps 20 -o x.csv").code == 0);
    const auto table = parse_csv(here.read("x.csv"), "x.csv");
    REQUIRE(table.ok());
    const std::string book = here.read("x.xlsx");
    const auto results = cells(book, 1);
    REQUIRE(results.size() == table->rows + 2);
    CHECK(results[0] == table->names);
    CHECK(results[1][0] == "s");
    CHECK(results[1][*table->find("crank.vphi")] == "rad/s");
    for (std::size_t r = 0; r < table->rows; ++r)
      for (std::size_t c = 0; c < table->names.size(); ++c) {
        const double expected = table->at(r, c), found = std::stod(results[r + 2][c]);
        if (!(std::abs(found - expected) <= 6e-16 * std::abs(expected))) FAIL_CHECK(table->names[c] << ": " << found << ", expected " << expected);
      }
    const auto summary = cells(book, 2), about = cells(book, 3);
    const auto has = [](const auto& sheet, const std::string& text) {
      return std::ranges::any_of(sheet, [&](const auto& row) { return std::ranges::find(row, text) != row.end(); });
    };
    CHECK(has(summary, "Driven"));
    if (command == "inverse") CHECK(has(summary, "Efforts"));
    CHECK(has(about, "Crank-shaper quick return"));
    CHECK(has(about, "model.toml"));
    CHECK(has(about, "pivot_drop"));
    CHECK(!has(about, model("quick-return")));
    CHECK(contains(unzipped(book, "xl/worksheets/sheet1.xml"), "state=\"frozen\""));
  }
  const Ran rest = here.jounce("equilibrium " + model("spring-balance") + " -o rest.xlsx");
  CHECK_MESSAGE(rest.code == 0, rest.err);
  CHECK(cells(here.read("rest.xlsx"), 1).size() == 3);
}

TEST_CASE("what a sheet has no room for is refused before the run") {
  // oracle: 1048576 rows and 16384 columns of a sheet, two rows above the numbers
  const Folder here;
  const Ran rows = here.jounce("kinematics " + model("quick-return") + " --steps 1048574 -o x.xlsx");
  CHECK(rows.code == 2);
  CHECK_MESSAGE(contains(rows.err, "-o x.xlsx: a sheet has room for 1048574 rows of numbers, found 1048575"), rows.err);
  CHECK(here.files() == 0);
}

TEST_CASE("an Arrow file has the numbers of the run to the last bit, with their units, in batches") {
  // oracle: the same run as CSV, which is exact; batches of 65536 rows where there are few columns
  const Folder here;
  for (const std::string& words : {"inverse " + model("quick-return") + " --steps 20", "inverse " + model("seven-joint-arm") + " --steps 7",
                                  "kinematics " + model("quick-return") + " --steps 70000 --columns \"crank.vphi\"", "equilibrium " + model("spring-balance")}) {
    CAPTURE(words);
    const Ran ran = here.jounce(words + " -o x.arrow");
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    REQUIRE(here.jounce(words + " -o x.csv").code == 0);
    const auto table = parse_csv(here.read("x.csv"), "x.csv");
    REQUIRE(table.ok());
    const ArrowTable arrow = read_arrow(here.read("x.arrow"));
    CHECK(arrow.names == table->names);
    CHECK(arrow.units[0] == "s");
    CHECK(arrow.facts.contains("jounce.model"));
    CHECK(arrow.batches == (table->rows > 65536 ? 2 : 1));
    for (std::size_t c = 0; c < arrow.names.size(); ++c) CHECK(arrow.columns[c] == table->column(c));
  }
  const Ran failed = here.jounce("kinematics " + model("quick-return") + " --steps 9 -o none/x.arrow");
  CHECK(failed.code == 2);
  CHECK(contains(failed.err, "cannot write 'none/x.arrow'"));
}

TEST_CASE("a drawing can be a picture") {
  // oracle: the head of a PNG, which says how large it is
  const Folder here;
  REQUIRE(here.jounce("draw " + model("four-bar") + " --width 300 -o x.png").code == 0);
  const std::string png = here.read("x.png");
  CHECK(png.starts_with("\x89PNG\r\n"));
  CHECK(static_cast<unsigned char>(png[18]) * 256 + static_cast<unsigned char>(png[19]) == 300);
  const Ran wrong = here.jounce("draw " + model("four-bar") + " -o x.pdf");
  CHECK(wrong.code == 2);
  CHECK_MESSAGE(contains(wrong.err, "-o x.pdf: expected the name of a .svg, .png or .dxf file, or - for standard output, found '.pdf'"), wrong.err);
}
