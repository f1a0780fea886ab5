// jounce completion bash|zsh: a script for the shell, made from the parser's own commands and options.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "commands.hpp"
#include "jounce/mechanism/method.hpp"
#include "jounce/base/suggest.hpp"
#include "jounce/io/model_types.hpp"
#include "jounce/mechanism/formulation.hpp"
#include "templates.hpp"
#include "terminal.hpp"

namespace jounce::app {
namespace {

using Words = std::vector<std::string>;

Words type_words() {
  Words out;
  for (const Space space : {Space::plane, Space::three})
    for (const Group group : {Group::joint, Group::driver, Group::coupling, Group::loop, Group::force, Group::shape})
      for (const TypeInfo& info : types(space, group))
        if (std::ranges::find(out, info.type) == out.end()) out.emplace_back(info.type);
  return out;
}

// What may follow an option or stand for an argument, where it is one of a few words.
std::map<std::string, Words> known_words() {
  std::map<std::string, Words> out{{"--view", {"iso", "x", "y", "z"}}, {"SHELL", {"bash", "zsh"}}, {"TYPE", type_words()}};
  for (const Method method : kMethods)
    out["--method"].emplace_back(word(method));
  out["--formulation"].emplace_back(word(Formulation::automatic));
  for (const Formulation formulation : kFormulations) out["--formulation"].emplace_back(word(formulation));
  for (const ModelTemplate& t : model_templates()) out["--template"].emplace_back(t.name);
  return out;
}

// Which files an argument or the value of an option names; empty: it names none.
std::string files_of(std::string_view value) {
  if (value == "MODEL") return "*.toml";
  if (value == "RESULT") return "*.csv";
  if (value == "FILE") return "*";
  return {};
}

std::string joined(const Words& words, std::string_view between) { return fmt::format("{}", fmt::join(words, between)); }

// ---- bash --------------------------------------------------------------------------------------------------------------

std::string bash_reply(const std::string& value, const std::string& key, const std::map<std::string, Words>& known) {
  if (const auto it = known.find(key); it != known.end()) return fmt::format("_jounce_words '{}'", joined(it->second, " "));
  if (value == "COLUMN") return "_jounce_columns";
  const std::string files = files_of(value);
  return files.empty() ? "return" : fmt::format("_jounce_files '{}'", files);
}

constexpr std::string_view kBashHead = R"bash(# jounce completion for bash: source <(jounce completion bash)
_jounce_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_jounce_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -X "!$1" -- "$cur"; [[ $1 == '*' ]] || compgen -d -- "$cur")
}
# Names from a file are never expanded, and quoted for the command line.
_jounce_columns() {
  local name names
  [[ -r $file ]] || return
  IFS=, read -ra names < <(head -n 1 -- "$file" | tr -d '\r"')
  for name in "${names[@]}"; do
    [[ $name == "$cur"* ]] && COMPREPLY+=("$(printf %q "$name")")
  done
}
_jounce() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} word at file= skip=
  COMPREPLY=()
)bash";

std::string bash_script(const std::vector<CommandWords>& commands) {
  const std::map<std::string, Words> known = known_words();
  std::string out(kBashHead);
  Words names{"help", "--help", "--version"};
  for (const CommandWords& command : commands) names.push_back(command.name);
  out += fmt::format("  if ((COMP_CWORD == 1)); then _jounce_words '{}'; return; fi\n", joined(names, " "));
  out += "  case ${COMP_WORDS[1]} in\n";
  for (const CommandWords& command : commands) {
    out += fmt::format("  {})\n    case $prev in\n", command.name);
    Words all, with_value;
    for (const CommandWords::Option& option : command.options) {
      all.insert(all.end(), option.names.begin(), option.names.end());
      if (option.value.empty()) continue;
      with_value.insert(with_value.end(), option.names.begin(), option.names.end());
      out += fmt::format("      {}) {}; return ;;\n", joined(option.names, "|"),
                         bash_reply(option.value, option.names.back(), known));
    }
    out += "    esac\n";
    out += fmt::format("    if [[ $cur == -* ]]; then _jounce_words '{}'; return; fi\n", joined(all, " "));
    // which argument this is: words that are neither options nor their values
    out += "    at=0\n    for word in \"${COMP_WORDS[@]:2:COMP_CWORD-2}\"; do\n";
    out += "      if [[ -n $skip ]]; then skip=; continue; fi\n      case $word in\n";
    if (!with_value.empty()) out += fmt::format("        {}) skip=1 ;;\n", joined(with_value, "|"));
    out += "        -?*) ;;\n        *) ((at)) || file=$word; at=$((at + 1)) ;;\n      esac\n    done\n    case $at in\n";
    for (std::size_t k = 0; k < command.arguments.size(); ++k) {
      const std::string& argument = command.arguments[k];
      const bool repeated = argument == "COLUMN";
      out += fmt::format("      {}) {} ;;\n", repeated ? "*" : std::to_string(k), bash_reply(argument, argument, known));
    }
    out += "    esac ;;\n";
  }
  out += fmt::format("  help) _jounce_words '{}' ;;\n  esac\n}}\ncomplete -F _jounce jounce\n",
                     joined(Words(names.begin() + 3, names.end()), " "));
  return out;
}

// ---- zsh ---------------------------------------------------------------------------------------------------------------

// In single quotes; `special` are the characters that the specification of an argument has a use for.
std::string zsh_text(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != special.npos) out += '\\';
    out += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return out;
}

std::string zsh_action(const std::string& value, const std::string& key, const std::map<std::string, Words>& known) {
  if (const auto it = known.find(key); it != known.end()) return "(" + joined(it->second, " ") + ")";
  if (value == "COLUMN") return "{_jounce_columns}";
  const std::string files = files_of(value);
  return files.empty() ? " " : files == "*" ? "_files" : "_files -g \"" + files + "\"";
}

std::string zsh_script(const std::vector<CommandWords>& commands) {
  const std::map<std::string, Words> known = known_words();
  std::string out =
      "#compdef jounce\n# jounce completion for zsh: write it to a file _jounce in a folder of $fpath\n"
      "_jounce_columns() { compadd -- ${(s:,:)\"$(head -n 1 -- ${words[(r)*.csv]} 2>/dev/null)\"} }\n"
      "_jounce() {\n  if (( CURRENT == 2 )); then\n    local -a commands=(\n";
  for (const CommandWords& command : commands)
    out += fmt::format("      '{}:{}'\n", command.name, zsh_text(command.summary, ":\\"));
  out += "    )\n    _describe command commands\n    return\n  fi\n  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n";
  for (const CommandWords& command : commands) {
    out += fmt::format("    {}) _arguments -s", command.name);
    for (const CommandWords::Option& option : command.options)
      for (const std::string& name : option.names) {
        out += fmt::format(" \\\n      '{}[{}]", name, zsh_text(option.help, "[]:\\"));
        out += option.value.empty()
                   ? "'"
                   : fmt::format(":{}:{}'", option.value, zsh_action(option.value, option.names.back(), known));
      }
    for (const std::string& argument : command.arguments)
      out += fmt::format(" \\\n      '{}:{}:{}'", argument == "COLUMN" ? "*" : "", argument,
                         zsh_action(argument, argument, known));
    out += " ;;\n";
  }
  return out + "  esac\n}\nif [[ $funcstack[1] == _jounce ]]; then _jounce \"$@\"; else compdef _jounce jounce; fi\n";
}

}  // namespace

int command_completion(const std::string& shell, const std::vector<CommandWords>& commands) {
  if (shell == "bash") return print(bash_script(commands)), kDone;
  if (shell == "zsh") return print(zsh_script(commands)), kDone;
  const auto guess = nearest_name(shell, std::vector<std::string>{"bash", "zsh"});
  complain(fmt::format("completion '{}': expected bash or zsh{}", shell, guess ? " (did you mean '" + *guess + "'?)" : ""));
  return kWrong;
}

}  // namespace jounce::app
