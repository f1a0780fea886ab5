# toml++ is headers alone: clang looks into /usr/include behind its own folders.
find_file(tomlplusplus_header toml++/toml.h PATHS /usr/include REQUIRED NO_DEFAULT_PATH)
add_library(tomlplusplus::tomlplusplus INTERFACE IMPORTED)
target_include_directories(tomlplusplus::tomlplusplus INTERFACE /usr/include)
set(tomlplusplus_FOUND TRUE)
