// Files that are written whole or not at all.
//
// What is written goes into NAME.part beside NAME, which takes the name when it is complete: whoever looks at NAME sees what was there
// before or all of the new, whatever happens on the way (a full disk, Ctrl-C, a crash). What is no file of its own, such as a pipe
// or /dev/stdout, is written directly, and so is a file in a folder that takes no other.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace jounce {

enum class Existing { replaced, kept };  ///< what becomes of a file of this name that is there

class OutputFile {
 public:
  /// Opens the file beside. A symbolic link is followed: the file it leads to is replaced, and the link stays.
  explicit OutputFile(const std::string& path, Existing existing = Existing::replaced);
  /// Unless it has been finished or left, what was written is removed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Null when the file could not be opened.
  [[nodiscard]] std::FILE* stream() const { return file_; }
  [[nodiscard]] bool write(std::string_view text);
  /// The file that is being written, for who writes it by its name; what was written through `stream` comes first.
  [[nodiscard]] const std::string& place() const { return beside_.empty() ? target_ : beside_; }
  /// Gives the file its name. False when something could not be written: then what was there before is there still.
  [[nodiscard]] bool finish();
  /// Leaves what was written beside the file of this name, and tells under which name; empty when it is written directly.
  std::string leave();
  /// The system's reason for the first failure, empty when there was none.
  [[nodiscard]] std::string failure() const;
  /// A file of this name was there and is kept.
  [[nodiscard]] bool existed() const;

 private:
  void open_beside();
  void unbuffered();
  [[nodiscard]] int create_beside();
  [[nodiscard]] bool close();
  [[nodiscard]] bool take_name();
  bool fail(int number);

  std::string target_;  // the name to take
  std::string beside_;  // the name until then; empty: the target itself is written
  Existing existing_;
  std::FILE* file_ = nullptr;
  int failure_ = 0;  // the system's number
};

struct WriteFailure {
  bool opened = false;   ///< it could be opened, and not be written
  bool existed = false;  ///< a file of this name is there, and was to be kept
  std::string reason;    ///< "No space left on device"
};

/// A text as a file; nothing when all went well.
[[nodiscard]] std::optional<WriteFailure> write_file(const std::string& path, std::string_view text,
                                                     Existing existing = Existing::replaced);

}  // namespace jounce
