#include "arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "commands.hpp"
#include "jounce/api/version.hpp"
#include "jounce/base/suggest.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

constexpr const char* kExamples = R"(Examples:
  jounce new crank --template slider-crank
  jounce check crank.toml
  jounce run crank.toml
  jounce kinematics crank.toml --to 0.6 --steps 300 --columns "piston.*" -o piston.csv
  jounce inverse crank.toml --columns "motor.effort" -o effort.csv --report effort.html
  jounce new swing --template pendulum
  jounce dynamics swing.toml --to 10 --steps 500 -o swing.csv
  jounce equilibrium swing.toml
  jounce explain crank.toml --at 0.1
  jounce compare swing.toml --at 0.5
  jounce types pin-in-slot
  jounce import robot.urdf -o robot.toml
  jounce plot piston.csv piston.x piston.vx -o piston.svg
  jounce draw crank.toml --at 0.1 -o crank.svg
  jounce animate crank.toml -o crank.gif

Results go to standard output or to a file, messages to standard error.
Exit codes: 0 done; 1 the analysis could not be completed, what was computed is written, or formulations disagree;
2 the command or the model is wrong.
jounce COMMAND --help tells more about a command.)";

constexpr const char* kWithSummary = "results as .csv, .xlsx (with a sheet of the summary) or .arrow, and a summary; - is standard output, CSV (default; with --json: not written)";
constexpr const char* kSolved = "no effect on a driven mechanism: its positions are solved to rounding";
constexpr const char* kFormulationsHelp = R"(
Formulations, roads from the forces to the accelerations (they give the same numbers: jounce compare shows it):
  auto        chosen by size and structure (default)
  lagrange    all bodies free, held together by multipliers, which are found first
  kkt         accelerations and multipliers together; bodies may be without mass
  nullspace   only the independent motions of the bodies; multipliers afterwards
  kane        joints of a tree, by partial velocities; in the plane
  crba        joints of a tree, by the inertia of composite bodies
  aba         joints of a tree, link by link, without an inertia matrix
kane, crba and aba have multipliers only where loops are cut.)";

void add_text(CLI::App& command, const std::string& name, std::optional<std::string>& value, const std::string& help,
              const std::string& shown) {
  command.add_option_function<std::string>(name, [&value](const std::string& text) { value = text; }, help)->type_name(shown);
}

void add_model(CLI::App& command, ModelOptions& o) {
  command.add_option("MODEL", o.model, "the model file (TOML); - is standard input")->required()->type_name("");
  command.add_option("--set", o.sets, "another value for a parameter of the model; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=EXPR");
  command.add_flag("--json", o.json, "a summary for programs, as JSON on standard output");
}

void add_quiet(CLI::App& command, bool& quiet, const std::string& help) { command.add_flag("--quiet", quiet, help); }

constexpr const char* kUnitsHelp = "what files, report and summary are in, e.g. length=mm,angle=deg,force=kN, or si (default: the model's [units], else SI)";
constexpr const char* kReport = "a page to look at, as .html: the mechanism moving, its curves, a summary";

void add_output(CLI::App& command, RunOptions& o, const std::string& output) {
  add_text(command, "-o,--output", o.output, output, "FILE");
  add_text(command, "--columns", o.columns, "columns to write, with * for any characters, e.g. \"crank.*,rod.phi\"; rates of forces only so: \"*_rate\"", "LIST");
  add_text(command, "--units", o.units, kUnitsHelp, "LIST");
  add_text(command, "--report", o.report, kReport, "FILE");
}

void add_run(CLI::App& command, RunOptions& o, const std::string& output, const std::string& tolerance) {
  add_model(command, o);
  add_text(command, "--to", o.to, "end time in seconds, e.g. 2 or \"2*pi/speed\" (default: [run], else 1)", "T");
  add_text(command, "--steps", o.steps, "equal intervals: N + 1 rows, both ends (default: [run], else 100)", "N");
  add_output(command, o, output);
  add_text(command, "--tol", o.tol, tolerance, "X");
}

void add_dynamics(CLI::App& command, RunOptions& o, const std::string& when) {
  add_text(command, "--method", o.method,
           when + "auto (default: taylor, and radau where the motion is stiff; in space dop853), taylor, radau or dop853",
           "M");
  add_text(command, "--formulation", o.formulation,
           when + "auto (default), lagrange, kkt (allows bodies without mass), nullspace, kane (in the plane), crba or aba",
           "F");
  add_text(command, "--order", o.order, when + "of the Taylor series, 6 to 40 (default: from the tolerance)", "P");
}

void add_view(CLI::App& command, ViewOptions& o, const std::string& output) {
  command.add_option("MODEL", o.model, "the model file (TOML); - is standard input")->required()->type_name("");
  add_text(command, "-o,--output", o.output, output, "FILE");
  command.add_option("--trail", o.trails, "the path of a point, such as rod.B, over the whole run; may be repeated")->allow_extra_args(false)->type_name("POINT");
  add_text(command, "--view", o.view, "in space: along x, y or z, or iso (default)", "V");
  add_text(command, "--width", o.width, "in pixels (default 720)", "W");
  command.add_option("--set", o.sets, "another value for a parameter of the model; may be repeated")->allow_extra_args(false)->type_name("NAME=EXPR");
}

struct Commands {
  CLI::App app{"Jounce: mechanisms from position to snap.", "jounce"};
  ModelOptions check;
  RunOptions kinematics, inverse, dynamics, equilibrium, run;
  ExplainOptions explain;
  CompareOptions compare;
  TypesOptions types;
  NewOptions fresh;
  ImportOptions import;
  PlotCommandOptions plot;
  DrawOptions draw;
  AnimateOptions animate;
  CamOptions cam;
  StudioOptions studio;
  std::string shell;

  Commands() {
    app.set_version_flag("--version", "jounce " + std::string(version()));
    app.footer(kExamples);
    app.get_formatter()->column_width(28);
    add_analyses();
    add_instants();
    add_run_command();
    add_models();
    add_figures();
    add_cam();
    add_studio();
    add_completion();
  }

 private:
  void add_analyses() {
    CLI::App& c = *app.add_subcommand("check", "what the model is, how it can move, and whether it assembles (exit 1 if not)");
    add_model(c, check);
    add_quiet(c, check.quiet, "print nothing but errors: the exit code tells");
    c.footer("Example:\n  jounce check crank.toml --set crank_length=0.06");

    CLI::App& k = *app.add_subcommand("kinematics", "position, velocity, acceleration, jerk and snap of a driven mechanism");
    add_run(k, kinematics, "results as .csv, .xlsx or .arrow; - is standard output, CSV (default; with --json: not written)", kSolved);
    add_quiet(k, kinematics.quiet, "errors only: no warnings, notes or progress");
    k.footer("Examples:\n  jounce kinematics crank.toml --to 0.6 --steps 300 -o crank.csv\n"
             "  jounce kinematics crank.toml --columns \"piston.x,piston.v*\" | head");

    CLI::App& i = *app.add_subcommand("inverse", "the same, with every joint reaction and driver effort (needs masses)");
    add_run(i, inverse, kWithSummary, kSolved);
    add_quiet(i, inverse.quiet, "errors only: no summary, warnings, notes or progress");
    i.footer("Examples:\n  jounce inverse crank.toml --to 0.6 --steps 300 -o crank.csv\n"
             "  jounce inverse crank.toml --columns \"motor.effort\" | head");

    CLI::App& d = *app.add_subcommand("dynamics", "how the mechanism moves on its own, with every reaction (needs masses)");
    add_run(d, dynamics, kWithSummary, "error allowed per step, against 1 + the size of a position or velocity (default 1e-8)");
    add_dynamics(d, dynamics, "");
    add_quiet(d, dynamics.quiet, "errors only: no summary, warnings, notes or progress");
    d.footer("Examples:\n  jounce dynamics swing.toml --to 10 --steps 500 -o swing.csv\n"
             "  jounce dynamics swing.toml --tol 1e-12 --columns \"arm.phi,energy.total\" | tail -n 1\n" +
             std::string(kFormulationsHelp));

    CLI::App& q =
        *app.add_subcommand("equilibrium", "where it comes to rest, whether it stays there, and how it swings about it");
    add_model(q, equilibrium);
    add_output(q, equilibrium, "the row of results as .csv, .xlsx or .arrow; - is standard output, CSV (default; with --json: not written)");
    add_text(q, "--over", equilibrium.over,
             "hold a coordinate at many values, e.g. \"crank.phi=0:360*deg:73\" or \"piston.x=0.1,0.2\": one row each, with what it takes to hold it",
             "RANGE");
    add_quiet(q, equilibrium.quiet, "errors only: no summary, warnings or notes");
    q.footer("Examples:\n  jounce equilibrium swing.toml\n  jounce equilibrium swing.toml --json\n"
             "  jounce equilibrium crank.toml --over \"crank.phi=0:360*deg:73\" -o torque.csv --report torque.html");
  }

  void add_instants() {
    CLI::App& e = *app.add_subcommand("explain", "every constraint's residual, Jacobian and right-hand sides at one instant");
    add_model(e, explain);
    add_text(e, "--at", explain.at, "the time in seconds (default 0)", "T");
    add_text(e, "--lambda", explain.lambda,
             "multipliers for kappa, one for each equation in the order of the file (default: from the masses, else 1)",
             "LIST");
    add_text(e, "--formulation", explain.formulation,
             "the arrays of a formulation instead: kane; aba, crba, nullspace (in space); method-1, method-2, method-3 (of one\nbody in space)", "F");
    add_quiet(e, explain.quiet, "errors only: no warnings or notes");
    e.footer("Examples:\n  jounce explain crank.toml --at 0.1\n  jounce explain swing.toml --formulation aba");

    CLI::App& x =
        *app.add_subcommand("compare", "every formulation that applies, side by side, and whether they agree (exit 1 if not)");
    add_model(x, compare);
    add_text(x, "--at", compare.at, "the time in seconds, reached by the model's own motion (default 0)", "T");
    add_quiet(x, compare.quiet, "print nothing but errors: the exit code tells");
    x.footer("Examples:\n  jounce compare swing.toml\n  jounce compare swing.toml --at 0.5 --json");
  }

  void add_run_command() {
    CLI::App& r = *app.add_subcommand("run", "what the model's [run] section says; writes NAME.csv and NAME.html here and a summary");
    add_run(r, run, "results as .csv, .xlsx or .arrow instead of NAME.csv; - is standard output, with the summary on standard error",
            "dynamics: error allowed per step (default 1e-8)");
    add_dynamics(r, run, "dynamics: ");
    r.get_option("--report")->description("the page, as .html, instead of NAME.html");
    add_quiet(r, run.quiet, "errors only: no summary, warnings or progress");
    r.footer("Examples:\n  jounce run crank.toml --set speed=\"200*rpm\"\n  jounce run crank.toml -o fast.csv --report fast.html");
  }

  void add_models() {
    CLI::App& t = *app.add_subcommand("types", "the joint, driver, force and shape types and their fields");
    t.add_option("TYPE", types.type, "show one type, with a section to paste")->type_name("");
    t.add_flag("--json", types.json, "as JSON");
    t.footer("Example:\n  jounce types revolute");

    CLI::App& n = *app.add_subcommand("new", "a model to start from: writes NAME.toml");
    n.add_option("NAME", fresh.name, "name of the model and of its file")->type_name("");
    n.add_option("--template", fresh.template_name, "what to start from (default four-bar)")->type_name("T");
    n.add_flag("--templates", fresh.list, "list the templates");
    n.footer("Example:\n  jounce new press --template slider-crank");

    CLI::App& u = *app.add_subcommand("import", "a robot described in URDF as a model in space");
    u.add_option("FILE", import.input, "the robot (URDF); - is standard input")->required()->type_name("");
    add_text(u, "-o,--output", import.output, "the model, as .toml; - is standard output", "MODEL");
    u.add_flag("--floating", import.floating, "the root link on a free joint; otherwise it is the ground");
    u.add_flag("--keep-fixed", import.keep_fixed, "fixed joints stay joints; otherwise their links are merged");
    u.add_flag("--limits", import.limits, "limits of joints become stops; otherwise they are left out");
    u.add_flag("--json", import.json, "a summary for programs, as JSON on standard output");
    add_quiet(u, import.quiet, "errors only: no summary or warnings");
    u.footer("Example:\n  jounce import robot.urdf -o robot.toml --floating");

    CLI::App& s = *app.add_subcommand("schema", "the JSON Schema of the model file, for editors");
    s.footer("Example:\n  jounce schema > jounce.schema.json");
  }

  void add_figures() {
    CLI::App& p = *app.add_subcommand("plot", "a figure of results (SVG): columns over time");
    p.add_option("RESULT", plot.input, "the results (CSV); - is standard input")->required()->type_name("");
    p.add_option("COLUMN", plot.columns, "columns, with * for any characters; those of one unit share a panel")->required()->type_name("");
    add_text(p, "-o,--output", plot.output, "the figure, as .svg or .png; - is standard output, SVG (default)", "FILE");
    add_text(p, "--x", plot.x, "the column along the horizontal axis (default t)", "COLUMN");
    add_text(p, "--units", plot.units, "what the axes are in, e.g. length=mm,angle=deg (default: those of the file)", "LIST");
    add_text(p, "--title", plot.title, "a line above the figure", "TEXT");
    add_text(p, "--width", plot.width, "in pixels (default 720)", "W");
    add_text(p, "--height", plot.height, "in pixels (default: by the number of panels)", "H");
    add_quiet(p, plot.quiet, "errors only: no warnings");
    p.footer("Examples:\n  jounce plot crank.csv piston.x piston.vx -o piston.svg\n"
             "  jounce plot crank.csv rod.B.y --x rod.B.x -o coupler-curve.svg");

    CLI::App& d = *app.add_subcommand("draw", "a drawing of the mechanism at one instant of its run");
    add_view(d, draw, "the drawing, as .svg, .png, or .dxf for CAD; - is standard output, SVG (default)");
    add_text(d, "--at", draw.at, "the time in seconds (default 0; of an equilibrium: at rest)", "T");
    d.add_flag("--names", draw.names, "with the names of bodies, joints, drivers and forces");
    add_quiet(d, draw.quiet, "errors only: no warnings");
    d.footer("Examples:\n  jounce draw crank.toml -o crank.svg\n  jounce draw crank.toml --at 0.1 --names --trail rod.B -o crank.svg\n"
             "  jounce draw crank.toml --trail rod.B -o crank.dxf");

    CLI::App& m = *app.add_subcommand("animate", "the motion of the mechanism as a film");
    add_view(m, animate, "the film, as .svg, .gif, .mp4 or .webm (the last two need ffmpeg); - is standard output, SVG (default)");
    add_text(m, "--from", animate.from, "where it begins, in seconds of the motion (default 0)", "T");
    add_text(m, "--to", animate.to, "where it ends (default: the end of the run)", "T");
    add_text(m, "--speed", animate.speed, "seconds of the motion for a second of the film (default: 1; very short and very long motions take some 6 s)", "V");
    add_text(m, "--fps", animate.fps, "pictures for a second of the film (default 25)", "N");
    add_text(m, "--loop", animate.turns, "how often a .gif or .svg plays; 0 is on and on (default)", "N");
    add_quiet(m, animate.quiet, "errors only: no summary, warnings or progress");
    m.footer("Examples:\n  jounce animate crank.toml -o crank.gif\n  jounce animate crank.toml --trail rod.B --to 0.6 --speed 0.1 --width 1280 -o crank.mp4");
  }

  void add_cam() {
    CLI::App& c = *app.add_subcommand("cam", "the profile of a cam, or the curve of a slot, as coordinates (CSV), as a drawing (SVG) or for CAD (DXF)");
    c.add_option("MODEL", cam.model, "the model file (TOML); - is standard input")->required()->type_name("");
    add_text(c, "-o,--output", cam.output, "coordinates as .csv, a drawing as .svg or .png, or .dxf for CAD; - is standard output, coordinates (default)", "FILE");
    add_text(c, "--joint", cam.joint, "the joint, where several have curves", "NAME");
    add_text(c, "--points", cam.count, "how many, evenly along the curve (default 720)", "N");
    c.add_option("--set", cam.sets, "another value for a parameter of the model; may be repeated")->allow_extra_args(false)->type_name("NAME=EXPR");
    add_quiet(c, cam.quiet, "errors only: no warnings");
    c.footer("Examples:\n  jounce cam valve.toml -o profile.csv\n  jounce cam valve.toml --joint lift -o profile.dxf");
  }

  void add_studio() {
    CLI::App& s = *app.add_subcommand("studio", "a page to draw mechanisms, drag them and watch every curve follow; works without a network");
    s.add_option("MODEL", studio.model, "the model file (TOML) that it shows first; - is standard input")->type_name("");
    add_text(s, "-o,--output", studio.output, "the page, as .html (default studio.html), or a folder for a web server, with a / at its end", "FILE");
    add_quiet(s, studio.quiet, "errors only");
    s.footer("Examples:\n  jounce studio\n  jounce studio crank.toml -o crank-studio.html\n  jounce studio -o public/");
  }

  void add_completion() {
    CLI::App& w = *app.add_subcommand("completion", "a script that lets bash or zsh complete what is typed after jounce");
    w.add_option("SHELL", shell, "bash or zsh")->required()->type_name("");
    w.footer("Examples:\n  source <(jounce completion bash)\n  jounce completion zsh > ~/.zfunc/_jounce");
  }

 public:
  [[nodiscard]] std::vector<CommandWords> words() const {
    std::vector<CommandWords> out;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
      CommandWords words{command->get_name(), command->get_description(), {}, {}};
      for (const CLI::Option* option : command->get_options()) {
        if (option->get_positional()) {
          words.arguments.push_back(option->get_name(true));
          continue;
        }
        if (option->get_group().empty()) continue;
        CommandWords::Option o{{}, option->get_items_expected_max() > 0 ? option->get_type_name() : "", option->get_description()};
        for (const std::string& name : option->get_snames()) o.names.push_back("-" + name);
        for (const std::string& name : option->get_lnames()) o.names.push_back("--" + name);
        words.options.push_back(std::move(o));
      }
      out.push_back(std::move(words));
    }
    return out;
  }

  int run_chosen() const {
    const CLI::App* chosen = app.get_subcommands().front();
    const std::string& name = chosen->get_name();
    if (name == "check") return command_check(check);
    if (name == "kinematics") return command_analysis(Analysis::kinematics, kinematics);
    if (name == "inverse") return command_analysis(Analysis::inverse, inverse);
    if (name == "dynamics") return command_analysis(Analysis::dynamics, dynamics);
    if (name == "equilibrium") return command_analysis(Analysis::equilibrium, equilibrium);
    if (name == "explain") return command_explain(explain);
    if (name == "compare") return command_compare(compare);
    if (name == "run") return command_run(run);
    if (name == "types") return command_types(types);
    if (name == "new") return command_new(fresh);
    if (name == "import") return command_import(import);
    if (name == "plot") return command_plot(plot);
    if (name == "draw") return command_draw(draw);
    if (name == "animate") return command_animate(animate);
    if (name == "cam") return command_cam(cam);
    if (name == "studio") return command_studio(studio);
    if (name == "completion") return command_completion(shell, words());
    return command_schema();
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    const auto all = [](const CLI::App*) { return true; };
    for (const CLI::App* command : app.get_subcommands(all)) out.push_back(command->get_name());
    return out;
  }
};

int unknown_command(const std::string& word, const Commands& commands) {
  const std::vector<std::string> names = commands.names();
  std::string hint = "the commands are " + join_names(names);
  if (const auto guess = nearest_name(word, names)) hint = "did you mean '" + *guess + "'?";
  else if (std::filesystem::path(word).extension() == ".toml") hint = "did you mean 'jounce run " + word + "'?";
  complain("'" + word + "' is not a command (" + hint + ")");
  return kWrong;
}

// What the parser says, as one line; a misspelt option with the one that is meant.
std::string sentence(const CLI::ParseError& error, const CLI::App& command) {
  const std::vector<std::string> rest = command.remaining();
  const bool extra = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) && !rest.empty();
  if (!extra) return error.what();
  std::string word = rest.front().substr(0, rest.front().find('='));
  if (!word.starts_with('-')) return "'" + word + "' is one argument too many";
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames())
      if (!option->get_group().empty()) names.push_back("--" + name);
  const auto guess = nearest_name(word, names);
  return "'" + word + "' is not an option" + (guess ? " (did you mean '" + *guess + "'?)" : "");
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  Commands commands;
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  if (arguments.empty()) return std::fputs(commands.app.help().c_str(), stderr), kWrong;
  if (arguments.front() == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  const std::vector<std::string> names = commands.names();
  if (!arguments.front().starts_with('-') && std::ranges::find(names, arguments.front()) == names.end())
    return unknown_command(arguments.front(), commands);

  try {
    std::ranges::reverse(arguments);  // the parser takes them from the back
    commands.app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    return print(commands.app.help()), kDone;
  } catch (const CLI::CallForVersion& version) {
    return print(std::string(version.what()) + '\n'), kDone;
  } catch (const CLI::ParseError& error) {
    const auto chosen = commands.app.get_subcommands();
    const CLI::App& command = chosen.empty() ? commands.app : *chosen.front();
    const std::string program = chosen.empty() ? "jounce" : "jounce " + command.get_name();
    const std::string start = chosen.empty() ? "" : command.get_name() + ": ";
    complain(fmt::format("{}{}\nsee {} --help", start, sentence(error, command), program));
    return kWrong;
  }
  if (commands.app.get_subcommands().empty()) return std::fputs(commands.app.help().c_str(), stderr), kWrong;
  return commands.run_chosen();
}

}  // namespace jounce::app
