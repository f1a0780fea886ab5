#include "terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <semaphore.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "commands.hpp"
#include "jounce/base/shown_problems.hpp"
#include "jounce/base/utf8.hpp"

namespace jounce::app {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 500ms;  // nobody needs a bar for less
constexpr auto kRedraw = 100ms;
constexpr std::size_t kBar = 30;
constexpr int kBesideBar = 26;  // "[] 100 %  999 h 59 min left"

int output_error = 0;  // of the first write that failed

void put(std::FILE* stream, std::string_view text) { std::fwrite(text.data(), 1, text.size(), stream); }

std::string_view code(Tone tone) {
  switch (tone) {
    case Tone::strong: return "\x1b[1m";
    case Tone::good: return "\x1b[32m";
    case Tone::doubtful: return "\x1b[33m";
    case Tone::bad: break;
  }
  return "\x1b[31m";
}

std::string duration(double seconds) {
  const auto s = static_cast<long>(std::min(seconds + 0.5, 1e8));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

// A terminal that knows no escape sequences.
bool is_dumb() {
  const char* const term = std::getenv("TERM");
  return term != nullptr && std::string_view(term) == "dumb";
}

// As wide as the line has room for beside the words; a bar that wraps would fill the screen.
std::size_t bar_width() {
  winsize size{};
  if (ioctl(fileno(stderr), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kBar;
  return static_cast<std::size_t>(std::clamp(static_cast<int>(size.ws_col) - kBesideBar, 0, static_cast<int>(kBar)));
}

volatile std::sig_atomic_t interrupted = 0;
sem_t interrupts;  // what a handler of signals may use to wake a thread

void on_interrupt(int signal) {
  const int before = errno;
  interrupted = 1;
  std::signal(signal, SIG_DFL);
  sem_post(&interrupts);
  errno = before;
}

}  // namespace

void prepare_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  // opened for reading, so that writing still fails
  for (int stream = 0; stream <= 2; ++stream)
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) (void)!open("/dev/null", O_RDONLY);
}

int finish_output(int code) {
  if (std::fflush(stdout) != 0 && output_error == 0) output_error = errno;
  if (output_error == 0 || output_error == EPIPE) return code;
  complain("cannot write to standard output: " + std::generic_category().message(output_error));
  return std::max<int>(code, kIncomplete);
}

void print(std::string_view text) {
  if (output_error == 0 && std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) output_error = errno;
}

std::string visible(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = std::max<std::size_t>(character_size(text), 1);
    const std::string_view one = text.substr(0, size);
    const auto first = static_cast<unsigned char>(one.front());
    const bool control = (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f || (size == 1 && first >= 0x80);
    const bool second_set = one >= "\xc2\x80" && one <= "\xc2\x9f";
    const bool turns_text = (one >= "\xe2\x80\xaa" && one <= "\xe2\x80\xae") || (one >= "\xe2\x81\xa6" && one <= "\xe2\x81\xa9");
    if (control || second_set || turns_text)
      for (const char byte : one) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    else
      out += one;
    text.remove_prefix(size);
  }
  return out;
}

void complain(std::string_view sentence) { put(stderr, fmt::format("jounce: {}\n", visible(sentence))); }

void print_problems(const Problems& problems, bool quiet) {
  for (const ShownProblem& shown : first_of_each(problems)) {
    const Problem& problem = *shown.problem;
    if (quiet && problem.severity != Severity::error) continue;
    std::string text = visible((problem.file.empty() ? "jounce: " : "") + problem.text() + '\n');
    if (shown.more > 0)
      text += fmt::format("  and {} more like this{}\n", shown.more, shown.last > 0 ? fmt::format(", the last in line {}", shown.last) : "");
    const bool is_error = problem.severity == Severity::error;
    const std::string_view word = is_error ? "error:" : problem.severity == Severity::warning ? "warning:" : "note:";
    if (const auto at = text.find(word); at != text.npos)
      text.replace(at, word.size(), toned(is_error ? Tone::bad : Tone::doubtful, word, stderr));
    put(stderr, text);
  }
}

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

std::string toned(Tone tone, std::string_view text, std::FILE* stream) {
  const char* const no_color = std::getenv("NO_COLOR");
  if ((no_color != nullptr && *no_color != '\0') || !is_terminal(stream) || is_dumb()) return visible(text);
  return fmt::format("{}{}\x1b[0m", code(tone), visible(text));
}

Progress::Progress(double to, bool wanted)
    : to_(to), wanted_(wanted && is_terminal(stderr) && !is_dumb()), next_(start_ + kPatience) {}

void Progress::show(double t) {
  if (!wanted_) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + kRedraw;
  const double part = std::clamp(t / to_, 0.0, 1.0);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const std::string left = part > 0 ? duration(elapsed * (1 - part) / part) + " left" : "";
  const std::size_t wide = bar_width();
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(wide));
  const std::string bar = std::string(filled, '#') + std::string(wide - filled, '.');
  put(stderr, fmt::format("\r[{}] {:3.0f} %  {}\x1b[K", bar, std::floor(100 * part), left));
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::erase() {
  if (drawn_) put(stderr, "\r\x1b[K");
  drawn_ = false;
}

Interrupt::Interrupt() {
  interrupted = 0;
  sem_init(&interrupts, 0, 0);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  sem_destroy(&interrupts);
}

bool Interrupt::asked() { return interrupted != 0; }

void Interrupt::wait() {
  while (sem_wait(&interrupts) != 0 && errno == EINTR) continue;
}

void Interrupt::wake() { sem_post(&interrupts); }

}  // namespace jounce::app
