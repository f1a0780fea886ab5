# What every target of ours is compiled with.
#
# -Wno-restrict: g++ 12 sees overlaps in string concatenation that are not there (GCC bug 105651).
# -ffp-contract=off: the same bits from every compiler.
function(jounce_options target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> -ffp-contract=off
                                           $<$<CONFIG:Release>:-O2>
                                           $<$<BOOL:${JOUNCE_WERROR}>:-Werror>
                                           $<$<BOOL:${JOUNCE_NATIVE}>:-march=native>)
endfunction()

# What every program of tests is compiled with. They are compiled for speed of compilation, not of execution.
function(jounce_test_options target)
  target_link_libraries(${target} PRIVATE jounce::jounce Eigen3::Eigen fmt::fmt-header-only jounce_toml
                                          nlohmann_json::nlohmann_json doctest::doctest)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(${target} PRIVATE JOUNCE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" JOUNCE_PROGRAM="$<TARGET_FILE:jounce_program>")
  jounce_options(${target})
  # g++ 12 sees overruns in string concatenation that are not there, once <string> is precompiled.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>
                                           $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
endfunction()

# One rung of the test ladder: every .cpp file of a folder, one program, one line in ctest.
function(jounce_rung rung)
  file(GLOB sources CONFIGURE_DEPENDS ${rung}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${rung} ${sources} $<TARGET_OBJECTS:test_main>)
  jounce_test_options(test_${rung})
  target_precompile_headers(test_${rung} REUSE_FROM test_main)
  add_test(NAME ${rung} COMMAND test_${rung})
endfunction()
