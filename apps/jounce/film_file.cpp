#include "film_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <vector>

namespace jounce::app {
namespace {

std::string system_message(int number) { return std::generic_category().message(number); }

// Any player shows these: colours at half the resolution, and sizes that are even.
std::vector<std::string> coding(Format format) {
  if (format == Format::webm) return {"-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-row-mt", "1", "-pix_fmt", "yuv420p", "-f", "webm"};
  return {"-c:v", "libx264", "-crf", "18", "-preset", "medium", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"};
}

}  // namespace

std::optional<std::string> find_ffmpeg() {
  const char* const path = std::getenv("PATH");
  if (path == nullptr) return std::nullopt;
  const std::string folders(path);
  for (std::size_t from = 0; from <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', from), folders.size());
    std::string program = folders.substr(from, end - from) + "/ffmpeg";
    if (end > from && access(program.c_str(), X_OK) == 0) return program;
    from = end + 1;
  }
  return std::nullopt;
}

FilmFile::FilmFile(const std::string& ffmpeg, const std::string& path, Format format, int width, int height, double interval) {
  std::vector<std::string> words{ffmpeg, "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", fmt::format("{}x{}", width, height),
                                 "-framerate", fmt::format("{:.9g}", 1 / interval), "-i", "pipe:0", "-vf",
                                 "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-an"};
  for (std::string& word : coding(format)) words.push_back(std::move(word));
  words.insert(words.end(), {"-y", "file:" + path});
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  std::array<int, 2> ends{-1, -1};
  said_ = std::tmpfile();
  if (said_ == nullptr || pipe2(ends.data(), O_CLOEXEC) != 0) {
    failure_ = system_message(errno);
    return;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(said_), 1);
  posix_spawn_file_actions_adddup2(&actions, fileno(said_), 2);
  const int number = posix_spawn(&process_, ffmpeg.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (number != 0) process_ = -1, failure_ = system_message(number), close(ends[1]);
  else to_ = fdopen(ends[1], "wb");
}

FilmFile::~FilmFile() {
  if (process_ > 0) kill(process_, SIGKILL);
  (void)finish();
  if (said_ != nullptr) std::fclose(said_);
}

bool FilmFile::add(const Picture& picture) {
  return to_ != nullptr && std::fwrite(picture.rgb.data(), 1, picture.rgb.size(), to_) == picture.rgb.size();
}

std::optional<std::string> FilmFile::finish() {
  if (to_ != nullptr) std::fclose(to_), to_ = nullptr;
  if (process_ > 0) {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
    process_ = -1;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      failure_ = "ffmpeg " + (WIFEXITED(status) ? fmt::format("ended with code {}", WEXITSTATUS(status)) : std::string("was ended"));
      if (const std::string words = said(); !words.empty()) failure_ += " and said: " + words;
    }
  }
  return failure_.empty() ? std::nullopt : std::optional(failure_);
}

// What it has said last, on one line.
std::string FilmFile::said() const {
  constexpr std::size_t kMost = 400;
  std::string out;
  std::rewind(said_);
  for (int c = std::fgetc(said_); c != EOF; c = std::fgetc(said_)) out += c == '\n' ? ' ' : static_cast<char>(c);
  while (out.ends_with(' ')) out.pop_back();
  return out.size() > kMost ? "… " + out.substr(out.size() - kMost) : out;
}

}  // namespace jounce::app
