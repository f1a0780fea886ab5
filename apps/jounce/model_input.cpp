#include "model_input.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "json.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

constexpr std::size_t kBlock = std::size_t{1} << 16U;  // bytes that are read at a time

// Tables are looked for in the working folder: a text without a file lies nowhere else.
Result<Mechanism> load_standard_input(std::span<const Override> sets) {
  auto text = read_standard_input();
  if (!text) return text.problems();
  return Mechanism::from_text(*text, std::string(kStandardInput), sets);
}

Result<std::vector<Override>> overrides(const std::vector<std::string>& sets) {
  std::vector<Override> out;
  Problems problems;
  for (const std::string& set : sets) {
    const std::size_t equals = set.find('=');
    const std::string_view name = trimmed(std::string_view(set).substr(0, equals));
    const std::string_view value = equals == set.npos ? "" : trimmed(std::string_view(set).substr(equals + 1));
    if (name.empty() || value.empty())
      problems.push_back(error({}, "--set '" + set + "': expected NAME=EXPR such as --set length=0.2"));
    out.emplace_back(name, value);
  }
  if (!problems.empty()) return problems;
  return out;
}

}  // namespace

bool from_standard_input(std::string_view file) { return file == "-"; }

std::string input_name(const std::string& file) { return from_standard_input(file) ? std::string(kStandardInput) : file; }

Result<std::string> read_standard_input(std::size_t at_most) {
  const auto refused = [](std::string why) {
    Problem problem = error({}, "cannot read it: " + std::move(why));
    problem.file = kStandardInput;
    return problem;
  };
  std::string text;
  std::vector<char> block(kBlock);
  errno = 0;
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), stdin)) {
    text.append(block.data(), count);
    if (text.size() > at_most) return refused("it is larger than " + std::to_string(at_most >> 20U) + " MiB");
  }
  if (std::ferror(stdin) != 0) return refused(std::generic_category().message(errno));
  return text;
}

std::optional<Mechanism> load_model(const ModelOptions& options, Problems& problems) {
  const auto sets = overrides(options.sets);
  if (!sets) return refuse(options, sets.problems()), std::nullopt;
  auto mechanism = from_standard_input(options.model) ? load_standard_input(*sets) : load(options.model, *sets);
  if (!mechanism) return refuse(options, mechanism.problems()), std::nullopt;
  problems = mechanism.problems();
  return *std::move(mechanism);
}

std::vector<std::string> input_files(const ModelOptions& options, const Mechanism& mechanism) {
  std::vector<std::string> out = mechanism.tables();
  if (!from_standard_input(options.model)) out.push_back(options.model);
  return out;
}

int refuse(const ModelOptions& options, const Problems& problems) {
  print_problems(problems, options.quiet);
  if (options.json) print_json({{"model", input_name(options.model)}, {"problems", to_json(problems)}});
  return kWrong;
}

int refuse(const ModelOptions& options, std::string sentence, std::string hint) {
  return refuse(options, Problems{error({}, std::move(sentence), std::move(hint))});
}

Result<double> option_number(std::string_view option, const std::string& text, const Mechanism& mechanism) {
  const std::string start = std::string(option) + " '" + text + "': ";
  if (trimmed(text).empty()) return error({}, start + "expected a number");
  auto value = mechanism.evaluate(text);
  if (value) return value;
  for (Problem& p : value.problems()) p.sentence = start + p.sentence;
  return value;
}

std::vector<std::string> comma_list(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string_view part = trimmed(text.substr(start, end - start));
    if (!part.empty()) out.emplace_back(part);
    start = end + 1;
  }
  return out;
}

}  // namespace jounce::app
