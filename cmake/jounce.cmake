# What is sent to a page is compiled for size: a quarter smaller than by -O2, and a tenth slower. Inner loops have options of their own.
set(JOUNCE_OPTIMISE -O2 CACHE STRING "How what is not an inner loop is optimised")

# What every target of ours is compiled with.
#
# -Wno-restrict, -Wno-array-bounds, -Wno-stringop-overflow, -Wno-stringop-overread: g++ 12 sees overlaps and overruns in string concatenation that are not there
# (GCC bug 105651), the latter ones once <string> is precompiled.
# EIGEN_DONT_VECTORIZE: Eigen adds in an order, and with fused products, that depend on the machine; without, the same bits from every one. And
# its code for AVX-512 reads behind small vectors.
# -ffp-contract=off: the same bits from every compiler.
# -fno-semantic-interposition: code that can be loaded by another program is as fast as code that cannot.
# ggc-min-heapsize: g++ looks for memory to give back all the time, a tenth of its time, if it is not told that there is some (kB).
function(jounce_options target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_definitions(${target} PRIVATE EIGEN_DONT_VECTORIZE)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers -ffp-contract=off $<$<NOT:$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},wasm32>>:-fno-semantic-interposition>
                                           $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;--param=ggc-min-heapsize=1000000>
                                           $<$<CONFIG:Release>:${JOUNCE_OPTIMISE}>
                                           $<$<BOOL:${JOUNCE_WERROR}>:-Werror>
                                           $<$<BOOL:${JOUNCE_NATIVE}>:-march=native>)
endfunction()

# What every program of tests is compiled with. They are compiled for speed of compilation, not of execution.
function(jounce_test_options target)
  target_link_libraries(${target} PRIVATE jounce::jounce Eigen3::Eigen ${JOUNCE_FMT} jounce_toml
                                          nlohmann_json::nlohmann_json doctest::doctest)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  jounce_options(${target})
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# A header that includes all others of a folder: who adds a type adds its file and its line in a registry, nothing else.
function(jounce_umbrella target folder)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/src/${folder}/*.hpp)
  list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"")
  list(JOIN headers "\n" lines)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/umbrellas/${folder}/all.hpp CONTENT "#pragma once\n\n${lines}\n" @ONLY)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/umbrellas>)
endfunction()

# One rung of the test ladder: every .cpp file of a folder, one program, one line in ctest. Its files are compiled a few together, so
# that names in them must differ, or stand in a namespace of the file.
function(jounce_rung rung)
  file(GLOB sources CONFIGURE_DEPENDS ${rung}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${rung} ${sources} $<TARGET_OBJECTS:test_main>)
  add_dependencies(test_${rung} jounce_program)
  jounce_test_options(test_${rung})
  target_precompile_headers(test_${rung} REUSE_FROM test_main)
  jounce_together(test_${rung} 5)
  add_test(NAME ${rung} COMMAND test_${rung})
endfunction()

# The headers of src/ that some of them lead to by their #include lines, those included.
function(jounce_reachable out)
  set(open ${ARGN})
  set(seen)
  while(open)
    list(POP_FRONT open header)
    set(file ${CMAKE_CURRENT_SOURCE_DIR}/src/${header})
    if(file IN_LIST seen)
      continue()
    endif()
    list(APPEND seen ${file})
    file(STRINGS ${file} lines REGEX "^#include \"jounce/")
    foreach(line ${lines})
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
      list(APPEND open ${included})
    endforeach()
  endwhile()
  # an include line more, and the list is another one
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${seen})
  set(${out} ${seen} PARENT_SCOPE)
endfunction()

# Compiles the files of one folder a few together: most of what a small file costs is reading headers. Files with options of their own
# stay by themselves, and so do those given after the size.
function(jounce_together target size)
  if(NOT JOUNCE_TOGETHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # g++ takes every file but the main one for a header, where a private class of a file would be one of many
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(REMOVE_ITEM sources ${ARGN})
  set(folders)
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    list(APPEND folders ${folder})
    list(APPEND in_${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    set(files ${in_${folder}})
    list(LENGTH files count)
    math(EXPR groups "(${count} + ${size} - 1) / ${size}")
    set(k 0)
    foreach(file ${files})
      math(EXPR group "${k} * ${groups} / ${count}")
      file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
      string(REPLACE "/" "_" name ${name})
      set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${name}_${group})
      math(EXPR k "${k} + 1")
    endforeach()
  endforeach()
endfunction()
