// Oracle: the program, its help and that of ./dev. Every command that a document shows is run, and prints what stands below it;
// one that only names a command (in a sentence, or one that takes minutes) names a command and options that exist.
#include <cmath>
#include <map>
#include <regex>
#include <set>

#include "pages.hpp"

using namespace jounce::test;

namespace {

using Words = std::vector<std::string>;

// A line of the shell that a document shows; "# exit 1" behind it says which code it ends with.
struct Shown {
  std::string line;
  std::string where;  ///< file:line
  int code = 0;
};

// Blocks that a reader would type. Without a language it could be anything, and is taken for the worst.
bool is_script(const Block& block) {
  return std::set<std::string>{"sh", "bash", "zsh", "shell", "console", ""}.contains(block.language);
}

// Its lines without prompts, blank lines and comments; a line that ends in \ goes on in the next one.
std::vector<Shown> script(const Page& page, const Block& block) {
  static const std::regex expected(R"(#\s*exit\s+([0-9]+)\s*$)");
  std::vector<Shown> out;
  bool goes_on = false;
  int number = block.line;
  for (std::string line : lines_of(block.text)) {
    ++number;
    if (line.starts_with("$ ")) line.erase(0, 2);
    if (!goes_on && (line.find_first_not_of(' ') == std::string::npos || line.starts_with("#"))) continue;
    if (!goes_on) out.push_back({{}, page.path.string() + ":" + std::to_string(number)});
    goes_on = line.ends_with("\\");
    if (goes_on) line.back() = ' ';
    out.back().line += line;
  }
  for (Shown& shown : out)
    if (std::smatch match; std::regex_search(shown.line, match, expected)) shown.code = std::stoi(match[1]);
  return out;
}

Words words_of(const std::string& line) {
  Words out;
  std::istringstream in(line);
  for (std::string word; in >> word && !word.starts_with("#");) out.push_back(word);
  return out;
}

// ---- what there is to call
// -------------------------------------------------------------------------------------------------------

std::string printed_by(const std::string& command) {
  static const Folder folder;
  return folder.run(command).text;
}

// Options at the beginning of a line of help: "  -o,--output FILE".
std::set<std::string> options_in(const std::string& help) {
  static const std::regex option(R"((?:^|\n)  (-[^ \n]*))");
  std::set<std::string> out;
  for (std::sregex_iterator it(help.begin(), help.end(), option), end; it != end; ++it) {
    std::istringstream in((*it)[1]);
    for (std::string name; std::getline(in, name, ',');) out.insert(name);
  }
  return out;
}

// The commands of the program with their options, by their help.
const std::map<std::string, std::set<std::string>>& commands() {
  static const auto all = [] {
    std::map<std::string, std::set<std::string>> out;
    const std::string help = printed_by("jounce --help");
    static const std::regex entry(R"(\n  ([a-z]+) )");
    const std::size_t first = help.find("Subcommands:"), last = help.find("Examples:");
    REQUIRE_MESSAGE((first != std::string::npos && last != std::string::npos), help);
    const std::string list = help.substr(first, last - first);
    for (std::sregex_iterator it(list.begin(), list.end(), entry), end; it != end; ++it)
      out[(*it)[1]] = options_in(printed_by("jounce " + (*it)[1].str() + " --help"));
    out[""] = options_in(help);
    return out;
  }();
  return all;
}

// The commands of ./dev, each with the words of its entry in the usage.
const std::map<std::string, std::string>& dev_commands() {
  static const auto all = [] {
    std::map<std::string, std::string> out;
    std::string* entry = nullptr;
    for (const std::string& line : lines_of(printed_by("'" + (root() / "dev").string() + "'"))) {
      if (line.size() > 2 && line.starts_with("  ") && line[2] != ' ') entry = &out[words_of(line)[0]];
      if (entry != nullptr) *entry += line + " ";
    }
    return out;
  }();
  return all;
}

std::string list_of(const auto& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

std::string names_of(const auto& map) {
  Words names;
  for (const auto& [name, what] : map)
    if (!name.empty()) names.push_back(name);
  return list_of(names);
}

// What is wrong with "jounce COMMAND --option …" where it is only named; empty when command and options exist.
std::string fault_of_program(const Words& words) {
  const bool is_general = words.size() < 2 || words[1].starts_with("-") || words[1] == "help" || words[1] == "COMMAND";
  const std::string command = is_general ? "" : words[1];
  if (!commands().contains(command)) return "expected one of " + names_of(commands()) + ", found '" + command + "'";
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "|" || words[i] == "&&" || words[i] == ">") break;
    const std::string option = words[i].substr(0, words[i].find('='));
    if (!option.starts_with("-") || option == "-" || std::isdigit(static_cast<unsigned char>(option[1])) != 0) continue;
    if (!commands().at(command).contains(option) && words[1] != "COMMAND")
      return "expected an option of jounce " + command + " (" + list_of(commands().at(command)) + "), found '" + option + "'";
  }
  return {};
}

// The same for ./dev. Words in capitals stand for something, and so do numbers and paths.
std::string fault_of_dev(const Words& words) {
  static const std::regex literal("-.*|[a-z]+");
  if (words.size() < 2) return {};
  if (!dev_commands().contains(words[1])) return "expected one of " + names_of(dev_commands()) + ", found '" + words[1] + "'";
  const std::string& usage = dev_commands().at(words[1]);
  for (std::size_t i = 2; i < words.size(); ++i)
    if (std::regex_match(words[i], literal) && !std::regex_search(usage, std::regex("[ \\[(]" + words[i] + "[ \\]),]")))
      return "expected what ./dev says about it (" + usage + "), found '" + words[i] + "'";
  return {};
}

// What is wrong with a command in a sentence; empty for anything that is not one.
std::string fault_in_sentence(const std::string& code) {
  static const std::set<std::string> other_tools{"-ffp-contract"};  // of the compiler
  const Words words = words_of(code);
  if (words.empty() || (words.size() > 1 && words[1] == "=")) return {};
  if (words[0] == "jounce") return fault_of_program(words);
  if (words[0] == "build/jounce" && words.size() > 1) return fault_of_program(words);
  if (words[0] == "./dev") return fault_of_dev(words);
  static const std::regex tool(R"((tools|site|bench)/\S+\.(py|sh))");
  if (std::regex_match(words[0], tool)) return fs::exists(root() / words[0]) ? "" : "expected a file, found none: " + words[0];
  const std::string option = words[0].substr(0, words[0].find('='));
  if (!std::regex_match(option, std::regex("--?[a-z][a-z-]*")) || other_tools.contains(option)) return {};
  const auto has_it = [&](const auto& entry) { return entry.second.contains(option); };
  const auto names_it = [&](const auto& entry) { return entry.second.find(option) != std::string::npos; };
  if (std::ranges::any_of(commands(), has_it) || std::ranges::any_of(dev_commands(), names_it)) return {};
  return "expected an option of a command, found '" + option + "'";
}

// ---- what is done with a line
// ----------------------------------------------------------------------------------------------------

// Not run here, and why. Their names and options are checked all the same.
const std::map<std::string, std::string> kNotRun{{"build", "builds; done before any test"},
                                                 {"test", "would run this test"},
                                                 {"bench", "measures for minutes"},
                                                 {"lint", "takes minutes"},
                                                 {"format", "changes the sources"},
                                                 {"docs", "builds the site; its parts are tested beside this"},
                                                 {"validate", "a test of its own compares it"},
                                                 {"fuzz", "takes minutes"},
                                                 {"wheel", "builds for minutes"},
                                                 {"attack", "goes on for as long as it is given; a piece of it is a test"}};

// The line as it is run; nothing when it is only checked. Whatever is neither is a fault.
std::string to_run(const Shown& shown) {
  static const std::regex program(R"(([A-Z_]+=\S* )*(build/)?jounce( .*)?)"), helper(R"((mkdir|source) .*)");
  if (std::regex_match(shown.line, program) || std::regex_match(shown.line, helper)) return shown.line;
  if (shown.line.starts_with("pip install ./python")) return {};  // the tests of the package install it
  const Words words = words_of(shown.line);
  if (words[0] != "./dev" || words.size() < 2) {
    FAIL_CHECK(shown.where << ": expected a line that begins with jounce, ./dev, pip, mkdir or source, found '" << shown.line
                           << "'");
    return {};
  }
  const std::string fault = fault_of_dev(words);
  CHECK_MESSAGE(fault.empty(), shown.where << ": " << shown.line << ": " << fault);
  if (words[1] == "run")
    return "jounce run " + shown.line.substr(shown.line.find("run ") + 4);  // builds the program, then calls it
  CHECK_MESSAGE(kNotRun.contains(words[1]), shown.where << ": expected ./dev run, or a reason in this test why it is not run");
  return {};
}

// ---- what was printed
// ------------------------------------------------------------------------------------------------------------

// The same words; numbers to one percent, and anything below 1e-9 is rounding.
bool same_word(const std::string& shown, const std::string& printed) {
  if (shown == printed) return true;
  static const std::regex number(R"([-+]?[0-9]*\.?[0-9]+(e[-+]?[0-9]+)?)");
  const auto split = [&](const std::string& word, std::vector<double>& numbers) {
    for (std::sregex_iterator it(word.begin(), word.end(), number), end; it != end; ++it)
      numbers.push_back(std::stod(it->str()));
    return std::regex_replace(word, number, "#");
  };
  std::vector<double> a, b;
  if (split(shown, a) != split(printed, b) || a.size() != b.size() || a.empty()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double size = std::max(std::abs(a[i]), std::abs(b[i]));
    if (size > 1e-9 && std::abs(a[i] - b[i]) > 0.01 * size) return false;
  }
  return true;
}

bool same_line(const std::string& shown, const std::string& printed) {
  // times are of this machine, now; the largest of many roundings is here on one machine and there on another
  static const std::regex by_chance(R"([0-9.]+ (ns|µs|ms)|(largest disagreement) \S+ \([^)]*\))");
  std::istringstream a(std::regex_replace(shown, by_chance, "$2#")), b(std::regex_replace(printed, by_chance, "$2#"));
  std::string word, other;
  while (a >> word)
    if (!(b >> other) || !same_word(word, other)) return false;
  return !(b >> other);
}

// The first line shown that was not printed there; empty when all is as shown. A line "..." stands for any lines.
std::string first_difference(const std::string& shown, const std::string& printed) {
  const auto want = lines_of(shown), have = lines_of(printed);
  std::size_t at = 0;
  bool skip = false;
  for (const std::string& line : want) {
    if (line == "...") {
      skip = true;
      continue;
    }
    while (skip && at < have.size() && !same_line(line, have[at])) ++at;
    if (at == have.size() || !same_line(line, have[at])) return line.empty() ? "(an empty line)" : line;
    ++at, skip = false;
  }
  return skip || at == have.size() ? "" : "(more was printed) " + have[at];
}

// One page, in a folder of its own, from top to bottom.
class Reader {
 public:
  explicit Reader(const Page& page) : page_(page) {}

  int run = 0, compared = 0;

  void read() {
    for (const Block& block : page_.blocks) {
      if (const std::string name = file_name(block); !name.empty()) folder_.write(name, block.text);
      if (block.language == "text" && block.follows && is_output_) compare(block);
      is_output_ = false;
      if (is_script(block)) type(block);
      if (block.language == "python" && has_python() && !of_package(page_)) python(block);
    }
  }

 private:
  // What uses the package is run by the tests of the package, python/tests/test_documents.py, which names these pages.
  static bool of_package(const Page& page) {
    return std::ranges::any_of(page.blocks, [](const Block& block) { return block.language == "python" && block.text.find("import jounce") != block.text.npos; });
  }
  static bool has_python() {
    static const bool has = std::system("python3 -c '' >/dev/null 2>&1") == 0;
    return has;
  }

  std::string where(const Block& block) const { return page_.path.string() + ":" + std::to_string(block.line); }

  void type(const Block& block) {
    printed_.clear();
    for (const Shown& shown : script(page_, block)) {
      const std::string line = to_run(shown);
      if (line.empty()) continue;
      const Folder::Ran ran = folder_.run(line);
      CHECK_MESSAGE(ran.code == shown.code, shown.where << ": " << line << ": expected exit code " << shown.code << ", found "
                                                        << ran.code << "\n--- printed:\n"
                                                        << ran.text);
      printed_ += ran.text;
      is_output_ = true;
      ++run;
    }
  }

  void compare(const Block& block) {
    const std::string difference = first_difference(block.text, printed_);
    CHECK_MESSAGE(difference.empty(), where(block) << ": expected from the command above: " << difference << "\n--- printed:\n"
                                                   << printed_);
    ++compared;
  }

  void python(const Block& block) {
    folder_.write("page.py", block.text);
    const Folder::Ran ran = folder_.run("python3 page.py");
    CHECK_MESSAGE(ran.code == 0, where(block) << ": expected a Python program that runs\n" << ran.text);
    ++run;
  }

  const Page& page_;
  const Folder folder_;
  std::string printed_;
  bool is_output_ = false;  // of the block before
};

// The line of a place in the prose, whose line breaks are those of the page.
auto line_at(const Page& page, std::ptrdiff_t at) { return 1 + std::count(page.prose.begin(), page.prose.begin() + at, '\n'); }

}  // namespace

TEST_CASE("every command of the documents ends with the exit code the page says, and prints what the page shows") {
  // oracle: the program; a block ```text right behind a block ```sh is what its commands print. The Python of a page reads
  // their files
  int run = 0, compared = 0;
  for (const Page& page : all_pages()) {
    Reader reader(page);
    reader.read();
    run += reader.run, compared += reader.compared;
  }
  CHECK(run >= 90);
  CHECK(compared >= 35);
}

TEST_CASE("every block of a document has a language that the tests know what to do with") {
  // oracle: the list. ```sh is run, ```text compared, ```cpp compiled, ```toml loaded, ```python run; KaTeX reads ```math
  const std::set<std::string> known{
      "sh",   "text", "cpp", "toml",   "python",
      "math", "csv",  "xml", "gnuplot"};  // ./dev does not install it, and the page shows three lines of it
  for (const Page& page : all_pages())
    for (const Block& block : page.blocks)
      CHECK_MESSAGE((known.contains(block.language) || is_script(block)),
                    page.path.string() << ":" << block.line << ": expected one of " << list_of(known) << ", found '"
                                       << block.language << "'");
}

TEST_CASE("every command and option that a sentence of the documents names exists") {
  // oracle: jounce COMMAND --help, and the usage of ./dev
  static const std::regex code("`([^`]+)`");
  int named = 0;
  for (const Page& page : all_pages())
    for (std::sregex_iterator it(page.prose.begin(), page.prose.end(), code), end; it != end; ++it) {
      const std::string fault = fault_in_sentence((*it)[1]);
      CHECK_MESSAGE(fault.empty(), page.path.string()
                                       << ":" << line_at(page, it->position()) << ": `" << (*it)[1].str() << "`: " << fault);
      ++named;
    }
  CHECK(named >= 1000);
}

TEST_CASE("a command or an option that does not exist is found") {
  // oracle: names made up here, next to names that exist
  for (const char* good :
       {"jounce run -o FILE", "jounce", "jounce new --templates", "./dev bench trees FOLDER", "./dev test --all", "--set a=1",
        "-o -", "-2^2", "build/jounce", "jounce = 1", "jounce COMMAND --help", "tools/validation.py --check", "--check"})
    CHECK_MESSAGE(fault_in_sentence(good).empty(), good << ": " << fault_in_sentence(good));
  for (const char* bad : {"jounce fly", "jounce run --fast", "jounce check --to 1", "./dev deploy", "./dev test --some",
                          "./dev bench flight", "--reports FILE.html", "build/jounce fly", "tools/none.py"})
    CHECK_MESSAGE(!fault_in_sentence(bad).empty(), bad);
}

TEST_CASE("the examples of the help name commands and options that exist") {
  // oracle: jounce COMMAND --help
  int examples = 0;
  for (const auto& entry : commands())
    for (const std::string& line : lines_of(printed_by("jounce " + entry.first + " --help"))) {
      const std::size_t at = line.find("jounce ");
      if (!line.starts_with("  ") || at == std::string::npos || (at != 2 && !line.starts_with("  source <("))) continue;
      const std::string fault = fault_of_program(words_of(line.substr(at, line.find(')', at) - at)));
      CHECK_MESSAGE(fault.empty(), "jounce " << entry.first << " --help: " << line << ": " << fault);
      ++examples;
    }
  CHECK(examples >= 30);
}

TEST_CASE("the table of shared options names exactly the commands that have them") {
  // oracle: jounce COMMAND --help. The first column has the option, the second its commands
  static const std::regex row(R"(\n\| `(-[a-z-]+)[^`]*` \| ([a-z, ]+) \|)");
  const std::string prose = page("docs/guide/command-line.md").prose;
  int rows = 0;
  for (std::sregex_iterator it(prose.begin(), prose.end(), row), end; it != end; ++it, ++rows) {
    const std::string option = (*it)[1];
    std::set<std::string> shown, real;
    std::istringstream in((*it)[2]);
    for (std::string name; std::getline(in >> std::ws, name, ',');) shown.insert(name);
    for (const auto& [command, options] : commands())
      if (!command.empty() && options.contains(option)) real.insert(command);
    CHECK_MESSAGE(shown == real,
                  "docs/guide/command-line.md: " << option << ": expected " << list_of(real) << ", found " << list_of(shown));
  }
  CHECK(rows >= 10);
}

TEST_CASE("the usage of ./dev names what it does, and nothing else") {
  // oracle: the branches of its case
  static const std::regex branch(R"(\n  ([a-z-]+)\))");
  const std::string text = read_text(root() / "dev");
  const std::string cases = text.substr(text.find("case \"$command\" in"));
  std::set<std::string> branches, shown;
  for (std::sregex_iterator it(cases.begin(), cases.end(), branch), end; it != end; ++it) branches.insert((*it)[1]);
  for (const auto& [name, usage] : dev_commands()) shown.insert(name);
  CHECK_MESSAGE(branches == shown, "expected " << list_of(branches) << ", found " << list_of(shown));
}
