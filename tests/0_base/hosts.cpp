// What a program around the library can take into its own hands: broken invariants, and where files come from.
#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csetjmp>
#include <csignal>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "jounce/base/files.hpp"
#include "jounce/base/path.hpp"
#include "jounce/base/require.hpp"
#include "jounce/base/result.hpp"
#include "places.hpp"

using namespace jounce;

namespace {

[[noreturn]] void throw_it(const BrokenInvariant& broken) { throw std::logic_error(broken.meaning); }

void come_back(const BrokenInvariant&) {}

// How a process ended that broke an invariant under this handler, and what it had written to its error output.
std::pair<int, std::string> last_words(BrokenInvariantHandler handler) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    (void)std::signal(SIGABRT, SIG_DFL);
    set_broken_invariant_handler(handler);
    broken_invariant("1 == 2", "one is two", "here.cpp", 7);
  }
  REQUIRE(child > 0);
  close(ends[1]);
  std::string words;
  std::array<char, 256> part{};
  for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0;) words.append(part.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return {WIFSIGNALED(status) ? WTERMSIG(status) : 0, words};
}

std::jmp_buf way_out;
[[noreturn]] void jump_away(const BrokenInvariant&) { std::longjmp(way_out, 1); }

// Files in memory for as long as it lives.
struct MemoryFiles {
  explicit MemoryFiles(std::map<std::string, std::string> files) {
    set_file_provider([files = std::move(files)](const std::string& path, std::size_t) -> Result<std::string> {
      const auto found = files.find(path);
      if (found == files.end()) return error({}, "it is not in this memory");
      return found->second;
    });
  }
  ~MemoryFiles() { set_file_provider({}); }
};

}  // namespace

TEST_CASE("without a handler a broken invariant is printed and ends the program") {
  // oracle: the signal and the words of a process that did it
  const auto [signal, words] = last_words(nullptr);
  CHECK(signal == SIGABRT);
  CHECK(words == "jounce: internal error: one is two (1 == 2) at here.cpp:7\nThis is a bug in Jounce; please report it with the model.\n");
}

TEST_CASE("a handler that comes back ends the program all the same") {
  // oracle: the signal; the handler had the word, so nothing is printed
  const auto [signal, words] = last_words(come_back);
  CHECK(signal == SIGABRT);
  CHECK(words.empty());
}

TEST_CASE("a broken invariant goes to the handler that a host has set, which may throw") {
  // oracle: the meaning of the invariant that a failed Result breaks
  const BrokenInvariantHandler before = set_broken_invariant_handler(throw_it);
  const Result<int> failed = error({}, "no");
  CHECK_THROWS_WITH_AS((void)failed.value(), "the value of a failed Result was asked for", std::logic_error);
  CHECK((set_broken_invariant_handler(before) == throw_it));
}

TEST_CASE("a handler may jump away as well, and a handler can be taken back") {
  // oracle: the place that is jumped to is reached
  const BrokenInvariantHandler before = set_broken_invariant_handler(jump_away);
  bool reached = false;
  if (setjmp(way_out) == 0) broken_invariant("1 == 2", "one is two", "here.cpp", 1);
  else reached = true;
  CHECK(reached);
  CHECK((set_broken_invariant_handler(nullptr) == jump_away));
  CHECK((set_broken_invariant_handler(before) == before));
}

TEST_CASE("files are read from where the host says") {
  // oracle: the map
  const MemoryFiles memory({{"a", "one"}, {"b", std::string(100, 'x')}});
  CHECK(*read_file("a", 10) == "one");
  CHECK(text(read_file("b", 99).problems()) == "b: error: cannot read the file: it is larger than 0 MiB\n");
  CHECK(text(read_file("c", 99, "table").problems()) == "c: error: cannot read the table: it is not in this memory\n");
}

TEST_CASE("without a provider files come from the file system, with its reasons") {
  // oracle: this file, and the words of the system
  const auto here = read_file(places::source() + "/tests/0_base/hosts.cpp", 1U << 20U);
  REQUIRE(here.ok());
  CHECK(here->starts_with("// What a program around the library"));
  CHECK(text(read_file("/nowhere/x", 10).problems()) == "/nowhere/x: error: cannot read the file: No such file or directory\n");
  CHECK(text(read_file("/", 10).problems()) == "/: error: cannot read the file: Is a directory\n");
}

TEST_CASE("names of files are put together as text") {
  // oracle: by hand
  CHECK(beside("models/cam/model.toml", "lift.csv") == "models/cam/lift.csv");
  CHECK(beside("model.toml", "tables/lift.csv") == "tables/lift.csv");
  CHECK(beside("models/model.toml", "/data/lift.csv") == "/data/lift.csv");
  CHECK(beside("/model.toml", "lift.csv") == "/lift.csv");
  CHECK(stem("models/four-bar.v2.toml") == "four-bar.v2");
  CHECK(stem("four-bar") == "four-bar");
  CHECK(stem("a.b/.toml") == ".toml");
  CHECK(stem("models/..") == "..");
  CHECK(stem("").empty());
}
