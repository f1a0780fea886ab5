# Installs the library into an empty folder, builds the consumer against it and compares what it prints.
# Oracle: the lever's angle is atan2(r sin wt + d, r cos wt); its third derivative at 0.25 s is -3.693411 rad/s^3.
#
# cmake -D BUILD=... -D SOURCE=... -D COMPILER=... -D GENERATOR=... -D FLAGS=... -D CONFIG=... -D FOLDER=... -P use.cmake
function(step words)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${words} failed (${failed}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
step("installing" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix --config ${CONFIG})
# Libraries of which Jounce needs only the headers are not there for its users.
step("configuring the consumer" ${CMAKE_COMMAND} -S ${SOURCE}/tests/8_use/consumer -B ${FOLDER}/build -G ${GENERATOR}
     -D CMAKE_BUILD_TYPE=${CONFIG} -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS} -D CMAKE_PREFIX_PATH=${FOLDER}/prefix
     -D CMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON -D CMAKE_DISABLE_FIND_PACKAGE_tomlplusplus=ON)
step("building the consumer" ${CMAKE_COMMAND} --build ${FOLDER}/build)
step("calling the whole face" ${FOLDER}/build/whole_face ${SOURCE}/models/four-bar/model.toml ${SOURCE}/models/furuta-pendulum/model.toml)

# What computes stays inside: oracle, the folders whose headers only the library itself includes.
foreach(inside planar laws expr plane/mechanism.hpp space api/content.hpp)
  if(EXISTS ${FOLDER}/prefix/include/jounce/${inside})
    message(FATAL_ERROR "jounce/${inside} is installed: expected only what jounce.hpp, tree.hpp and api/json.hpp include")
  endif()
endforeach()

step("running the consumer" ${FOLDER}/build/consumer ${SOURCE}/models/quick-return/model.toml)

set(expected -3.693411)
string(STRIP "${output}" output)
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "the lever's jerk at 0.25 s: expected ${expected}, found ${output}")
endif()
message("the lever's jerk at 0.25 s is ${output} rad/s^3")
