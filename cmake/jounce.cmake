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

# One rung of the test ladder: every .cpp file of a folder, one program, one line in ctest.
function(jounce_rung rung)
  file(GLOB sources CONFIGURE_DEPENDS ${rung}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${rung} ${sources} main.cpp)
  target_link_libraries(test_${rung} PRIVATE jounce::jounce Eigen3::Eigen fmt::fmt-header-only jounce_toml
                                             nlohmann_json::nlohmann_json doctest::doctest)
  target_include_directories(test_${rung} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(test_${rung} PRIVATE JOUNCE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                  JOUNCE_PROGRAM="$<TARGET_FILE:jounce_program>")
  jounce_options(test_${rung})
  # Tests are compiled for speed of compilation, not of execution.
  target_compile_options(test_${rung} PRIVATE $<$<CONFIG:Release>:-O1>)
  add_test(NAME ${rung} COMMAND test_${rung})
endfunction()
