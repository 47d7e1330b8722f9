# Benchmarks; see docs/bench.md. bench/speed/bench_<what>.c is one program that measures one thing;
# run_benches runs them and the command `anax`. Nothing here is part of the tests.
file(GLOB benches CONFIGURE_DEPENDS bench/speed/bench_*.c)
set(bench_programs)
foreach(file ${benches})
  get_filename_component(name ${file} NAME_WE)
  add_executable(${name} ${file})
  target_link_libraries(${name} PRIVATE ${anax_rooms})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  list(APPEND bench_programs ${name})
endforeach()

add_executable(run_benches bench/speed/run_benches.c bench/speed/figures.c bench/support/child.c)
target_include_directories(run_benches PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(run_benches PRIVATE PkgConfig::JSON)
target_compile_definitions(run_benches PRIVATE
  BENCH_COMPILER="${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}"
  BENCH_BUILD="${CMAKE_BUILD_TYPE}")
set_target_properties(run_benches PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)

set(bench_support bench/support/bench_options.c bench/support/chart_file.c bench/support/child.c
  bench/support/run_cache.c)

# The papers' experiments; see bench/fidelity.
file(GLOB fidelity_files CONFIGURE_DEPENDS bench/fidelity/*.c)
add_executable(run_fidelity ${fidelity_files} ${bench_support})
target_include_directories(run_fidelity PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(run_fidelity PRIVATE ${anax_rooms} PkgConfig::JSON m)
set_target_properties(run_fidelity PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)

# Published measurements of real machines; see bench/validation.
file(GLOB validation_files CONFIGURE_DEPENDS bench/validation/*.c)
add_executable(run_validation ${validation_files} ${bench_support})
target_include_directories(run_validation PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(run_validation PRIVATE ${anax_rooms} PkgConfig::JSON m)
set_target_properties(run_validation PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)

# What bench/selfcheck.sh needs of anax's side; the script compiles its MPI programs itself.
add_executable(selfcheck_archive bench/selfcheck/selfcheck_archive.c
  bench/selfcheck/selfcheck_records.c bench/support/archive_file.c)
target_include_directories(selfcheck_archive PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(selfcheck_archive PRIVATE PkgConfig::OTF2)
set_target_properties(selfcheck_archive PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)

# The archive of bench/speed/large_archive.sh.
add_executable(large_archive bench/speed/large_archive.c bench/support/archive_file.c)
target_include_directories(large_archive PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(large_archive PRIVATE PkgConfig::OTF2)
set_target_properties(large_archive PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)

file(RELATIVE_PATH build_folder ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
add_custom_target(bench
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/bench/out
  COMMAND run_benches ${build_folder}
  DEPENDS anax ${bench_programs}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} USES_TERMINAL)
