# Plug-ins by which anax simulates on several processes, one for each MPI library whose compiler
# wrapper is there. The program itself is not linked with MPI. An MPI library is known by its header.
option(ANAX_MPI "Build plug-ins for the MPI libraries that are installed" ON)
set(anax_plugin_folder ${PROJECT_BINARY_DIR}/plugins)
set(plugins)
set(plugin_options -std=gnu17 -O2 -g1 -Wall -Wextra -fPIC -shared -I${PROJECT_SOURCE_DIR})
set(wrapper_environment)
if(ANAX_COVERAGE)
  # Clang counts the lines of plug-ins, too: the wrappers of both libraries take the compiler from a variable.
  set(wrapper_environment ${CMAKE_COMMAND} -E env OMPI_CC=${CMAKE_C_COMPILER} MPICH_CC=${CMAKE_C_COMPILER})
  list(APPEND plugin_options ${anax_counting_options} -DANAX_COVERAGE)
endif()
if(ANAX_MPI)
  file(WRITE ${PROJECT_BINARY_DIR}/mpi_kind.c "#include <mpi.h>\n#if defined OPEN_MPI\nlibrary=openmpi\n#elif defined MPICH_VERSION\nlibrary=mpich\n#endif\n")
  foreach(wrapper mpicc.openmpi mpicc.mpich mpicc)
    string(MAKE_C_IDENTIFIER ANAX_${wrapper} variable)
    find_program(${variable} ${wrapper})
    mark_as_advanced(${variable})
    if(NOT ${variable})
      continue()
    endif()
    execute_process(COMMAND ${${variable}} -E ${PROJECT_BINARY_DIR}/mpi_kind.c
      OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE code)
    if(NOT code EQUAL 0 OR NOT text MATCHES "library=([a-z]+)")
      continue()
    endif()
    set(plugin ${anax_plugin_folder}/anax_mpi_${CMAKE_MATCH_1}.so)
    if(plugin IN_LIST plugins)
      continue()
    endif()
    set(anax_wrapper_${CMAKE_MATCH_1} ${${variable}})
    add_custom_command(OUTPUT ${plugin} DEPENDS plugins/processes_mpi.c core/processes/processes_plugin.h
      COMMAND ${CMAKE_COMMAND} -E make_directory ${anax_plugin_folder}
      COMMAND ${wrapper_environment} ${${variable}} ${plugin_options} ${PROJECT_SOURCE_DIR}/plugins/processes_mpi.c -o ${plugin} VERBATIM)
    list(APPEND plugins ${plugin})
    install(PROGRAMS ${plugin} DESTINATION ${CMAKE_INSTALL_LIBDIR}/anax)
  endforeach()
endif()
add_custom_target(anax_plugins ALL DEPENDS ${plugins})
# Where plug-ins are looked up after ANAX_PLUGINS and beside the program: where they are installed.
set_property(SOURCE core/processes/processes_launch.c APPEND PROPERTY COMPILE_DEFINITIONS
  "ANAX_PLUGIN_FOLDER=\"${CMAKE_INSTALL_FULL_LIBDIR}/anax\""
  "ANAX_LIBRARY_FOLDER=\"${CMAKE_INSTALL_LIBDIR}\"")

# The recorders, one for each MPI library, and the library that `anax record` preloads: it has no MPI, and chooses
# among them in each process.
set(recorders)
file(GLOB recorder_sources CONFIGURE_DEPENDS plugins/record/*.c)
file(GLOB recorder_headers CONFIGURE_DEPENDS plugins/record/*.h)
foreach(plugin ${plugins})
  string(REGEX REPLACE ".*anax_mpi_(.*)\\.so" "\\1" library ${plugin})
  set(recorder ${anax_plugin_folder}/anax_record_${library}.so)
  set(wrapper ${anax_wrapper_${library}})
  add_custom_command(OUTPUT ${recorder}
    DEPENDS ${recorder_sources} ${recorder_headers} core/files/recording_format.h
    COMMAND ${wrapper_environment} ${wrapper} ${plugin_options} ${recorder_sources} -o ${recorder} -ldl -lz -lpthread VERBATIM)
  list(APPEND recorders ${recorder})
endforeach()
if(recorders)
  # Without the flags of sanitizers: it is loaded into programs that have none.
  set(chooser ${anax_plugin_folder}/anax_record.so)
  add_custom_command(OUTPUT ${chooser} DEPENDS plugins/record_chooser.c
    COMMAND ${CMAKE_COMMAND} -E make_directory ${anax_plugin_folder}
    COMMAND ${CMAKE_C_COMPILER} ${plugin_options} -Wconversion
      ${PROJECT_SOURCE_DIR}/plugins/record_chooser.c -o ${chooser} -ldl VERBATIM)
  list(APPEND recorders ${chooser})
  install(PROGRAMS ${recorders} DESTINATION ${CMAKE_INSTALL_LIBDIR}/anax)
endif()
add_custom_target(anax_recorders ALL DEPENDS ${recorders})
