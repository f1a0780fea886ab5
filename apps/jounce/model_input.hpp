// What the command line says about a model, checked and given meaning.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "jounce/api/mechanism.hpp"

namespace jounce::app {

/// What messages call a text that `-` stands for.
inline constexpr std::string_view kStandardInput = "standard input";

/// Whether an argument that names a file to be read is `-`. A file of this name is written `./-`.
[[nodiscard]] bool from_standard_input(std::string_view file);
/// The argument as messages name it.
[[nodiscard]] std::string input_name(const std::string& file);
/// All of it; more than a model or a robot may have is refused.
[[nodiscard]] Result<std::string> read_standard_input(std::size_t at_most = std::size_t{64} << 20U);

/// The model with its parameters overridden, and its warnings in `problems`. When it is wrong, everything has been said: on
/// standard error, and with --json on standard output too.
[[nodiscard]] std::optional<Mechanism> load_model(const ModelOptions& options, Problems& problems);

/// The files that a mechanism is made from: nothing may be written over them.
[[nodiscard]] std::vector<std::string> input_files(const ModelOptions& options, const Mechanism& mechanism);

/// Says what is wrong with a command and gives the exit code for it.
int refuse(const ModelOptions& options, const Problems& problems);
int refuse(const ModelOptions& options, std::string sentence, std::string hint = {});

/// The value of an option: a finite number, or an expression of the model's parameters.
[[nodiscard]] Result<double> option_number(std::string_view option, const std::string& text, const Mechanism& mechanism);

/// "a, b,c" in parts without blanks around them.
[[nodiscard]] std::vector<std::string> comma_list(std::string_view text);

}  // namespace jounce::app
