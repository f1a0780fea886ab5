// The few forms of FlatBuffers that the metadata of an Arrow file consists of, written from the end to the beginning as the format wants it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jounce {

class FlatBuffer {
 public:
  using Place = std::uint32_t;  ///< of something that has been written, from the end; 0: nothing

  struct Field {
    std::size_t slot = 0;
    std::size_t size = 0;  ///< bytes: 1, 2, 4 or 8
    std::int64_t value = 0;
    Place at = 0;  ///< what it refers to; then it has 4 bytes
  };
  static Field number(std::size_t slot, std::size_t size, std::int64_t value) { return {slot, size, value, 0}; }
  static Field reference(std::size_t slot, Place at) { return {slot, 4, 0, at}; }

  Place text(std::string_view words) {
    align(4, words.size() + 1);
    bytes_.push_back(0);
    bytes_.insert(bytes_.end(), words.rbegin(), words.rend());
    put(4, static_cast<std::int64_t>(words.size()));
    return here();
  }

  Place references(std::span<const Place> all) {
    align(4, 4 * all.size());
    for (std::size_t k = all.size(); k > 0; --k) put(4, here() + 4 - all[k - 1]);
    put(4, static_cast<std::int64_t>(all.size()));
    return here();
  }

  /// Structs of whole numbers of 8 bytes, one after the other; `each`: how many make one.
  Place structs(std::span<const std::int64_t> numbers, std::size_t each) {
    align(8, 8 * numbers.size());
    for (std::size_t k = numbers.size(); k > 0; --k) put(8, numbers[k - 1]);
    put(4, static_cast<std::int64_t>(numbers.size() / each));
    return here();
  }

  /// The fields with the most bytes first.
  Place table(std::size_t slots, std::initializer_list<Field> fields) {
    std::vector<Place> places(slots);
    const Place end = here();
    for (const Field& field : fields) {
      if (field.size == 4 && field.at == 0 && field.value == 0) continue;  // refers to nothing
      align(field.size, field.size);
      put(field.size, field.at != 0 ? here() + 4 - field.at : field.value);
      places[field.slot] = here();
    }
    align(4, 4);
    put(4, 0);  // how far before it the places of its fields are told: comes below
    const Place start = here();
    for (std::size_t k = slots; k > 0; --k) put(2, places[k - 1] == 0 ? 0 : start - places[k - 1]);
    put(2, start - end);
    put(2, static_cast<std::int64_t>(4 + 2 * slots));
    const Place told = here() - start;
    for (std::size_t k = 0; k < 4; ++k) bytes_[start - 1 - k] = static_cast<char>(told >> (8 * k));
    return start;
  }

  /// A whole number of 8 bytes.
  [[nodiscard]] std::string finish(Place root) {
    align(8, 4);
    put(4, here() + 4 - root);
    return {bytes_.rbegin(), bytes_.rend()};
  }

 private:
  [[nodiscard]] Place here() const { return static_cast<Place>(bytes_.size()); }

  // So that what is written after `more` further bytes stands at a multiple of `size`.
  void align(std::size_t size, std::size_t more) {
    while ((bytes_.size() + more) % size != 0) bytes_.push_back(0);
  }

  void put(std::size_t size, std::int64_t value) {
    for (std::size_t k = size; k > 0; --k) bytes_.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * (k - 1))));
  }

  std::vector<char> bytes_;  // the last first
};

}  // namespace jounce
