// Standard output for results, standard error for messages, and what a terminal gets beyond a pipe: colour and a progress bar.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

#include "jounce/base/problem.hpp"

namespace jounce::app {

/// To be called first. A reader that has gone makes a write fail instead of ending the program, and a standard stream that is
/// closed stays closed: no result file takes its number.
void prepare_streams();

/// Hands over what is left for standard output. `code`, or 1 with a message when results were lost; a reader that has gone away
/// (`jounce … | head`) had what it wanted.
[[nodiscard]] int finish_output(int code);

void print(std::string_view text);                             ///< to standard output
/// Text of others, as it can be shown: what would drive a terminal, or turn the text around, is written as \x1b.
[[nodiscard]] std::string visible(std::string_view text);
void complain(std::string_view sentence);                      ///< "jounce: sentence" to standard error
void print_problems(const Problems& problems, bool quiet);     ///< to standard error, the first few of each kind; quiet: errors only
[[nodiscard]] bool is_terminal(std::FILE* stream);

enum class Tone { strong, good, doubtful, bad };
/// Coloured where the stream is a terminal and NO_COLOR is not set, the text itself elsewhere.
[[nodiscard]] std::string toned(Tone tone, std::string_view text, std::FILE* stream = stdout);

/// A bar on standard error with the part done and the time left: shown on a terminal only, after half a second, and erased at
/// the end.
class Progress {
 public:
  Progress(double to, bool wanted);
  ~Progress() { erase(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(double t);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  double to_;
  bool wanted_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

/// While it lives, Ctrl-C and a request to terminate ask a run to stop where it is; a second one ends the program at once.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] static bool asked();
  /// Returns when somebody asks, or another thread calls `wake`.
  static void wait();
  static void wake();
};

}  // namespace jounce::app
