// Numbers and texts as a page carries them.
#include "jounce/report/encode.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "jounce/report/json_text.hpp"
#include "report_data.hpp"

using namespace jounce;
using namespace jounce_test;

TEST_CASE("base 64 gives the vectors of its standard") {
  // oracle: RFC 4648, section 10
  const std::vector<std::pair<std::string, std::string>> vectors{{"", ""},           {"f", "Zg=="},         {"fo", "Zm8="},
                                                                 {"foo", "Zm9v"},    {"foob", "Zm9vYg=="},  {"fooba", "Zm9vYmE="},
                                                                 {"foobar", "Zm9vYmFy"}};
  for (const auto& vector : vectors) CHECK(base64(vector.first) == vector.second);
}

TEST_CASE("rounding to 40 bits moves a number by less than 5e-13 of itself") {
  // oracle: half a unit in the 40th place, 2^-41; multiples of 2^-40 between 1 and 2 are such numbers already
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-300, 300);
  for (int i = 0; i < 20000; ++i) {
    const double x = mantissa(random) * std::pow(10.0, exponent(random)), y = rounded_to_40_bits(x);
    REQUIRE(std::abs(y - x) <= std::ldexp(std::abs(x), -41));
    REQUIRE(rounded_to_40_bits(y) == y);
  }
  CHECK(rounded_to_40_bits(1 + std::ldexp(1.0, -40)) == 1 + std::ldexp(1.0, -40));
  CHECK(rounded_to_40_bits(1 + std::ldexp(1.0, -42)) == 1);
  CHECK(rounded_to_40_bits(2 - std::ldexp(1.0, -52)) == 2);
}

TEST_CASE("what cannot be rounded so closely stays as it is") {
  // oracle: the number itself
  using Limits = std::numeric_limits<double>;
  for (const double x : {0.0, Limits::denorm_min(), 3 * Limits::denorm_min(), Limits::min() / 3, Limits::max(), -Limits::max()})
    CHECK(rounded_to_40_bits(x) == x);
  CHECK(std::signbit(rounded_to_40_bits(-0.0)));
}

TEST_CASE("columns come back as they were, to the rounding") {
  // oracle: the numbers that went in; a decoder written from the format's description
  std::vector<std::vector<double>> columns{{0, 0.1, 0.2, 0.3}, {-1e-300, 1e300, 3.14159265358979, -0.0}, {5, 5, 5, 5}};
  const auto back = decoded(encoded(columns), 3, 4);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t s = 0; s < 4; ++s) CHECK(std::abs(back[c][s] - columns[c][s]) <= 5e-13 * std::abs(columns[c][s]));
  CHECK(decoded(encoded(std::vector<std::vector<double>>{{1.5}}), 1, 1)[0][0] == 1.5);
  CHECK(decoded(encoded({}), 0, 0).empty());
}

TEST_CASE("whatever the numbers are, they come back bit by bit once they are rounded") {
  // oracle: the numbers that went in; a decoder written from the format's description
  using Limits = std::numeric_limits<double>;
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-300, 300);
  const std::vector<double> edges{0.0, -0.0, Limits::max(), -Limits::max(), Limits::denorm_min(), Limits::min(), -Limits::min(), 1e308, 1.0};
  for (const std::size_t samples : {1U, 2U, 3U, 9U, 10U, 500U, 8192U, 8193U}) {
    std::vector<std::vector<double>> columns(40);
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t s = 0; s < samples; ++s) {
        const double t = static_cast<double>(s) / static_cast<double>(samples), k = static_cast<double>(c);
        const std::array<double, 6> kinds{std::sin(k + 6 * t), k, (t - 0.5) * (t - 0.3) * k, mantissa(random) * std::pow(10.0, exponent(random)),
                                          edges[(s * (c + 1)) % edges.size()], std::exp(700 * t)};
        columns[c].push_back(kinds[c % kinds.size()]);
      }
    const auto back = decoded(encoded(columns), columns.size(), samples);
    std::size_t other = 0;
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t s = 0; s < samples; ++s) other += bits(back[c][s]) != bits(rounded_to_40_bits(columns[c][s])) ? 1U : 0U;
    CAPTURE(samples);
    CHECK(other == 0);
  }
}

TEST_CASE("a smooth column takes little room") {
  // oracle: counting. The eighth difference of sin over 1000 steps of 2 pi / 1000 is (2 pi / 1000)^8 < 2^-58, less than the rounding to
  // 40 bits; what is left is that rounding's, at most 2^8 units of the 40th place: 9 bits and a sign, of 64
  std::vector<double> wave;
  for (int k = 0; k < 8000; ++k) wave.push_back(2 + std::sin(2 * 3.14159265358979 * k / 1000));
  CHECK(encoded(std::vector<std::vector<double>>{wave}).size() < 8000 * (10.0 / 8) * (4.0 / 3));
}

TEST_CASE("no text can leave the JSON or the script it stands in") {
  // oracle: another reader of JSON gives the text back; the characters that mean something to HTML are absent
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  const std::vector<std::string> texts{"</script><script>alert(1)</script>", "<!--", "]]>", "&lt;&amp;", "a\"b\\c/d'e`f${g}",
                                       "line\nfeed\r\ttab", "\xe2\x80\xa8 \xe2\x80\xa9", "\xf0\x9f\x94\xa9 schr\xc3\xa4g",
                                       std::string(10000, '<'), all, ""};
  for (const std::string& text : texts) {
    const std::string json = json_text(text);
    CHECK(json.find_first_of("<>&") == std::string::npos);
    CHECK(json.find("\xe2\x80\xa8") == std::string::npos);
    CHECK(json.find("\xe2\x80\xa9") == std::string::npos);
    for (const char c : json) REQUIRE((static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
    REQUIRE(ReportJson::accept(json));
    CHECK(ReportJson::parse(json).get<std::string>() == text);
  }
}

TEST_CASE("bytes that are no UTF-8 become the replacement character") {
  // oracle: U+FFFD for each byte that begins no character (a lone continuation, an overlong form, a surrogate, a cut end)
  const std::string mark = "\xef\xbf\xbd";
  const std::vector<std::pair<std::string, std::string>> cases{{"a\x80z", "a" + mark + "z"},
                                                               {"\xc0\xaf", mark + mark},
                                                               {"\xed\xa0\x80", mark + mark + mark},
                                                               {"\xf4\x90\x80\x80", mark + mark + mark + mark},
                                                               {"\xe2\x82", mark + mark},
                                                               {"\xff", mark}};
  for (const auto& one : cases) CHECK(ReportJson::parse(json_text(one.first)).get<std::string>() == one.second);
}

TEST_CASE("numbers of the JSON read back as they are, and what is no number is null") {
  // oracle: another reader of JSON
  for (const double x : {0.0, -0.1, 1.0 / 3, 1e-300, 1.7976931348623157e308, 1e16, 211.0})
    CHECK(ReportJson::parse(json_number(x)).get<double>() == x);
  CHECK(json_number(std::nan("")) == "null");
  CHECK(json_number(HUGE_VAL) == "null");
}
