# fmt compiled into every file: clang looks into /usr/include behind its own folders.
find_file(fmt_header fmt/format.h PATHS /usr/include REQUIRED NO_DEFAULT_PATH)
add_library(fmt::fmt-header-only INTERFACE IMPORTED)
target_compile_definitions(fmt::fmt-header-only INTERFACE FMT_HEADER_ONLY FMT_STATIC_THOUSANDS_SEPARATOR=',')  # which would be asked of the locale
set(fmt_FOUND TRUE)
