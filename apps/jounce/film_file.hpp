// Films as MP4 or WebM, by the program ffmpeg: it is given the pictures one after the other.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <optional>
#include <string>

#include "formats.hpp"
#include "picture.hpp"

namespace jounce::app {

/// Where ffmpeg is: on PATH.
[[nodiscard]] std::optional<std::string> find_ffmpeg();

class FilmFile {
 public:
  /// `ffmpeg`: the program. `path`: the file, which is replaced. `interval`: s, from one picture to the next.
  FilmFile(const std::string& ffmpeg, const std::string& path, Format format, int width, int height, double interval);
  ~FilmFile();
  FilmFile(const FilmFile&) = delete;
  FilmFile& operator=(const FilmFile&) = delete;

  /// False as soon as it takes no more.
  bool add(const Picture& picture);
  /// Why there is no film; nothing when all went well.
  [[nodiscard]] std::optional<std::string> finish();

 private:
  [[nodiscard]] std::string said() const;

  std::FILE* to_ = nullptr;    // its standard input
  std::FILE* said_ = nullptr;  // its standard error
  pid_t process_ = -1;
  std::string failure_;
};

}  // namespace jounce::app
