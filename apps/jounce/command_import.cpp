// jounce import FILE.urdf -o MODEL.toml: a robot as a model file.
#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "jounce/api/mechanism.hpp"
#include "jounce/io/urdf/urdf.hpp"
#include "jounce/io/write_model.hpp"
#include "json.hpp"
#include "model_input.hpp"
#include "terminal.hpp"
#include "text_file.hpp"

namespace jounce::app {
namespace {

int refuse(const ImportOptions& options, const Problems& problems, int code = kWrong) {
  print_problems(problems, options.quiet);
  if (options.json) print_json({{"input", input_name(options.input)}, {"output", Json()}, {"problems", to_json(problems)}});
  return code;
}

// What keeps the model from being written where it should go; empty: nothing.
std::string objection(const ImportOptions& options) {
  if (!options.output || options.output->empty())
    return "import: expected the model to write: jounce import FILE.urdf -o MODEL.toml (- is standard output)";
  const std::string& output = *options.output;
  if (output == "-") return options.json ? "-o -: standard output carries the summary of --json" : "";
  std::error_code ignored;
  if (!from_standard_input(options.input) && std::filesystem::equivalent(output, options.input, ignored)) return fmt::format("-o {}: this is the robot that is read", output);
  if (std::filesystem::path(output).extension() != ".toml") return fmt::format("-o {}: a model is written as .toml", output);
  return {};
}

// The folder of the robot as seen from that of the model; empty: the same.
std::string folder_from(const std::string& model, const std::string& robot) {
  std::error_code failed;
  const auto folder = [&](const std::string& file) { return std::filesystem::weakly_canonical(std::filesystem::path(file), failed).parent_path(); };
  const std::filesystem::path way = folder(robot).lexically_relative(folder(model));
  return failed || way.empty() || way == "." ? std::string() : way.generic_string();
}

Result<Model> read_robot(const ImportOptions& options) {
  UrdfOptions how{.floating_base = options.floating, .keep_fixed = options.keep_fixed, .folder = {}, .limits = options.limits};
  if (!from_standard_input(options.input)) {
    if (*options.output != "-") how.folder = folder_from(*options.output, options.input);
    return read_urdf(options.input, how);
  }
  const auto text = read_standard_input();
  if (!text) return text.problems();
  return parse_urdf(*text, std::string(kStandardInput), how);
}

std::string counted(std::size_t n, std::string_view one, std::string_view more) {
  return fmt::format("{} {}", n, n == 1 ? one : more);
}

std::string summary(const Model& model, const Mechanism& mechanism) {
  std::string out = counted(model.bodies.size(), "body", "bodies") + ", " + counted(model.joints.size(), "joint", "joints");
  out += " (" + counted(mechanism.rates(), "dof", "dofs") + ")";
  if (!model.couplings.empty()) out += ", " + counted(model.couplings.size(), "coupling", "couplings");
  if (!model.stops.empty()) out += ", " + counted(model.stops.size(), "stop", "stops");
  return out;
}

}  // namespace

int command_import(const ImportOptions& options) {
  if (const std::string why = objection(options); !why.empty()) return refuse(options, {error({}, why)});
  const auto model = read_robot(options);
  if (!model) return refuse(options, model.problems());
  Problems problems = model.problems();
  // what a model must not be is told now, with its place in the robot's file, and not when the model is read
  const auto mechanism = Mechanism::build(*model);
  if (!mechanism) {
    append(problems, mechanism.problems());
    return refuse(options, problems);
  }

  const std::string text = write_model(*model);
  if (*options.output == "-") return print_problems(problems, options.quiet), print(text), kDone;
  if (const auto failure = write_text(*options.output, text)) {
    problems.push_back(error({}, cannot_write(*options.output, *failure)));
    return refuse(options, problems);
  }
  print_problems(problems, options.quiet);
  if (options.json)
    print_json({{"input", input_name(options.input)},
                {"output", *options.output},
                {"name", model->name},
                {"bodies", model->bodies.size()},
                {"joints", model->joints.size()},
                {"dofs", mechanism->rates()},
                {"couplings", model->couplings.size()},
                {"problems", to_json(problems)}});
  else if (!options.quiet)
    print(fmt::format("{} written: {}\ntry: jounce check {}\n", *options.output, summary(*model, *mechanism), *options.output));
  return kDone;
}

}  // namespace jounce::app
