#include "jounce/io/write_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace jounce {
namespace {

constexpr int kMostLinks = 40;   // one behind the other, as many as systems follow
constexpr int kMostParts = 100;  // of the same name at one time, those of ended programs included
constexpr mode_t kAnyMode = 0666, kModeBits = 07777;

// The file that a name leads to.
std::string behind_links(std::string path) {
  std::array<char, 4096> link{};
  for (int i = 0; i < kMostLinks; ++i) {
    const ssize_t size = readlink(path.c_str(), link.data(), link.size());
    if (size <= 0 || size == static_cast<ssize_t>(link.size())) break;
    const std::string to(link.data(), static_cast<std::size_t>(size));
    path = to.starts_with('/') ? to : path.substr(0, path.rfind('/') + 1) + to;
  }
  return path;
}

// Names of open streams: what stands behind them may be a file, but it is not ours to replace.
bool is_stream(const std::string& path) { return path.starts_with("/dev/") || path.starts_with("/proc/"); }

}  // namespace

OutputFile::OutputFile(const std::string& path, Existing existing) : target_(path), existing_(existing) {
  if (!is_stream(path)) open_beside();
  if (file_ != nullptr || failure_ != 0) return;
  file_ = std::fopen(target_.c_str(), existing == Existing::kept ? "wbx" : "wb");
  if (file_ == nullptr) fail(errno);
  else unbuffered();
}

OutputFile::~OutputFile() {
  (void)close();
  if (!beside_.empty()) unlink(beside_.c_str());
}

// Without success and without a failure for what is to be written directly: what is no file, one in a folder that takes no other, and
// one whose name could be no longer.
void OutputFile::open_beside() {
  target_ = behind_links(target_);
  struct stat status {};
  const bool there = stat(target_.c_str(), &status) == 0;
  if (there && existing_ == Existing::kept) return void(fail(EEXIST));
  if (is_stream(target_) || (there && !S_ISREG(status.st_mode))) return;
  if (there && access(target_.c_str(), W_OK) != 0) return void(fail(errno));
  const int descriptor = create_beside();
  if (descriptor < 0 && (errno == EACCES || errno == EPERM || errno == EROFS || errno == ENAMETOOLONG)) return;
  if (descriptor < 0) return void(fail(errno));
  if (there) (void)!fchmod(descriptor, status.st_mode & kModeBits);
  file_ = fdopen(descriptor, "wb");
  if (file_ == nullptr) fail(errno), ::close(descriptor);
  else unbuffered();
}

// What is written together goes to the system together; who writes has a buffer of his own.
void OutputFile::unbuffered() { (void)std::setvbuf(file_, nullptr, _IONBF, 0); }

// The first name that nobody has taken.
int OutputFile::create_beside() {
  for (int i = 1;; ++i) {
    const std::string name = target_ + (i == 1 ? ".part" : ".part-" + std::to_string(i));
    const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kAnyMode);
    if (descriptor >= 0) beside_ = name;
    if (descriptor >= 0 || errno != EEXIST || i == kMostParts) return descriptor;
  }
}

bool OutputFile::write(std::string_view text) {
  errno = 0;
  return std::fwrite(text.data(), 1, text.size(), file_) == text.size() || fail(errno);
}

bool OutputFile::finish() {
  if (!close()) return false;
  if (beside_.empty()) return true;
  if (!take_name()) return fail(errno);
  beside_.clear();
  return true;
}

std::string OutputFile::leave() {
  (void)close();
  return std::exchange(beside_, {});
}

bool OutputFile::close() {
  if (file_ == nullptr) return failure_ == 0;
  const bool written = std::ferror(file_) == 0;
  errno = 0;
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  return written && closed ? failure_ == 0 : fail(errno);
}

bool OutputFile::take_name() {
  if (existing_ == Existing::replaced) return std::rename(beside_.c_str(), target_.c_str()) == 0;
  // a second name is refused where there is a file by now; some file systems know one name only
  if (link(beside_.c_str(), target_.c_str()) == 0) return unlink(beside_.c_str()), true;
  if (errno == EEXIST || access(target_.c_str(), F_OK) == 0) return errno = EEXIST, false;
  return std::rename(beside_.c_str(), target_.c_str()) == 0;
}

bool OutputFile::fail(int number) {
  if (failure_ == 0) failure_ = number != 0 ? number : EIO;
  return false;
}

std::string OutputFile::failure() const { return failure_ == 0 ? "" : std::generic_category().message(failure_); }
bool OutputFile::existed() const { return existing_ == Existing::kept && failure_ == EEXIST; }

std::optional<WriteFailure> write_file(const std::string& path, std::string_view text, Existing existing) {
  OutputFile file(path, existing);
  if (file.stream() == nullptr) return WriteFailure{false, file.existed(), file.failure()};
  if (file.write(text) && file.finish()) return std::nullopt;
  return WriteFailure{true, file.existed(), file.failure()};
}

}  // namespace jounce
