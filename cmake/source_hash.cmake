# A header with a hash of the library's sources, by which `anax compare` knows what this very program
# has computed. Included it makes the rule, run as a script the header.
if(CMAKE_SCRIPT_MODE_FILE)
  set(all "")
  foreach(source ${SOURCES})
    file(SHA256 ${ROOT}/${source} hash)
    string(APPEND all "${source} ${hash}\n")
  endforeach()
  string(SHA256 hash "${all}")
  file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define SOURCE_HASH \"${hash}\"\n")
  return()
endif()

set(patterns)
foreach(room core traces mapping network replay api)
  list(APPEND patterns ${room}/*.c ${room}/*.h)
endforeach()
file(GLOB_RECURSE hashed CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${patterns})
list(SORT hashed)
set(hash_header ${PROJECT_BINARY_DIR}/generated/source_hash.h)
add_custom_command(OUTPUT ${hash_header} DEPENDS ${hashed} cmake/source_hash.cmake
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DOUTPUT=${hash_header} "-DSOURCES=${hashed}"
    -P ${PROJECT_SOURCE_DIR}/cmake/source_hash.cmake VERBATIM)
target_sources(anax_api PRIVATE ${hash_header})
target_include_directories(anax_api PRIVATE ${PROJECT_BINARY_DIR}/generated)
