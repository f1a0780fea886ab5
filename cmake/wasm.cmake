# WebAssembly with SIMD and the system interface WASI, by the packages that `./dev studio-engine` installs: clang, lld, libc++ and wasi-libc of
# Debian. No exceptions and no threads; headers of libraries that are headers alone are those of the machine.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-22)
set(CMAKE_RANLIB llvm-ranlib-22)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# the same bytes wherever the sources lie
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -fno-exceptions -fno-rtti -Wno-deprecated -isystem ${CMAKE_CURRENT_LIST_DIR}/wasm/include -ffile-prefix-map=${root}=.")
# Libraries that are headers alone, which the packages of a machine of another kind would refuse.
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR}/wasm)
