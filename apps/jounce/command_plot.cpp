// jounce plot RESULT.csv COLUMN...: a figure of results, as SVG or PNG.
#include <array>
#include <limits>

#include "commands.hpp"
#include "jounce/io/csv.hpp"
#include "jounce/report/plot.hpp"
#include "model_input.hpp"
#include "figure_file.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

Result<CsvTable> read_table(const std::string& input) {
  if (!from_standard_input(input)) return read_csv(input);
  const auto text = read_standard_input(std::numeric_limits<std::size_t>::max());
  if (!text) return text.problems();
  return parse_csv(*text, std::string(kStandardInput));
}

}  // namespace

int command_plot(const PlotCommandOptions& options) {
  const auto inputs = from_standard_input(options.input) ? std::vector<std::string>{} : std::vector{options.input};
  const auto format = figure_format(options.output, std::array{Format::svg, Format::png}, inputs);
  Problems problems = format.problems();
  PlotOptions plot_options{.x = options.x.value_or(""), .title = options.title.value_or("")};
  take_figure_size("--width", options.width, plot_options.width, problems);
  take_figure_size("--height", options.height, plot_options.height, problems);
  if (options.x && options.x->empty()) problems.push_back(error({}, "--x: expected the name of a column"));
  if (options.units) {
    auto units = Units::read(*options.units);
    if (!units) append(problems, units.problems());
    else plot_options.units = *std::move(units);
  }
  const auto table = read_table(options.input);
  if (!table) append(problems, table.problems());
  if (!problems.empty()) return print_problems(problems, options.quiet), kWrong;

  // a list with commas is what --columns takes: it is understood here too
  std::vector<std::string> columns;
  for (const std::string& word : options.columns)
    for (std::string& name : table->find(word) ? std::vector{word} : comma_list(word)) columns.push_back(std::move(name));
  auto figure = plot(*table, columns, plot_options);
  locate(figure.problems(), input_name(options.input));
  print_problems(figure.problems(), options.quiet);
  return figure ? write_figure(options.output, *format, *figure) : kWrong;
}

}  // namespace jounce::app
