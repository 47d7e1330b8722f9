# libanax, static and shared: the rooms' objects, of which only ANAX_API symbols are exported, in the
# shared library with versions.
include(CMakePackageConfigHelpers)
set(anax_libraries PkgConfig::OTF2 PkgConfig::FYAML PkgConfig::ZLIB PkgConfig::JSON PkgConfig::PNG
  Threads::Threads m ${CMAKE_DL_LIBS}
  ${anax_unistring} ${anax_metis})
set(anax_objects)
foreach(room ${anax_rooms})
  list(APPEND anax_objects $<TARGET_OBJECTS:${room}>)
endforeach()

# The static library is one object, linked from all others, whose internal functions are local: they
# cannot clash with functions of a user's program. gcc compiles objects of link-time optimisation here.
set(anax_static_object ${PROJECT_BINARY_DIR}/libanax.o)
separate_arguments(anax_partial_link NATIVE_COMMAND "${CMAKE_C_FLAGS}")
list(APPEND anax_partial_link -r -nostdlib)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  list(APPEND anax_partial_link -flinker-output=nolto-rel)
endif()
if(CMAKE_C_COMPILER_TARGET)
  list(APPEND anax_partial_link ${CMAKE_C_COMPILE_OPTIONS_TARGET}${CMAKE_C_COMPILER_TARGET})
endif()
if(CMAKE_SYSROOT)
  list(APPEND anax_partial_link ${CMAKE_C_COMPILE_OPTIONS_SYSROOT}${CMAKE_SYSROOT})
endif()
if(NOT CMAKE_OBJCOPY)
  message(FATAL_ERROR "objcopy is missing: install binutils, or name it with -DCMAKE_OBJCOPY=PATH.")
endif()
# A command line with the paths of all objects can be too long.
set(anax_object_list ${PROJECT_BINARY_DIR}/library_objects.txt)
file(GENERATE OUTPUT ${anax_object_list} CONTENT "\"$<JOIN:${anax_objects},\"\n\">\"\n")
add_custom_command(OUTPUT ${anax_static_object}
  COMMAND ${CMAKE_C_COMPILER} ${anax_partial_link} -o ${anax_static_object} @${anax_object_list}
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=anax_* ${anax_static_object}
  DEPENDS ${anax_objects} COMMAND_EXPAND_LISTS VERBATIM)
set_source_files_properties(${anax_static_object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)

# The targets are anax::static and anax::shared for users, installed or not.
add_library(anax_static STATIC ${anax_static_object})
add_dependencies(anax_static ${anax_rooms})
add_library(anax_shared SHARED ${anax_objects})
foreach(kind static shared)
  add_library(anax::${kind} ALIAS anax_${kind})
  target_include_directories(anax_${kind} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(anax_${kind} PRIVATE ${anax_libraries})
  set_target_properties(anax_${kind} PROPERTIES OUTPUT_NAME anax EXPORT_NAME ${kind} LINKER_LANGUAGE C)
endforeach()
# The rule for the soname stands in CONTRIBUTING.md: a new minor version may break programs before
# 1.0, a new major version from then on.
set(anax_soversion ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(anax_soversion 0.${PROJECT_VERSION_MINOR})
endif()
configure_file(cmake/libanax.map.in ${PROJECT_BINARY_DIR}/libanax.map @ONLY)
set_target_properties(anax_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${anax_soversion}
  LINK_DEPENDS ${PROJECT_BINARY_DIR}/libanax.map)
target_link_options(anax_shared PRIVATE LINKER:--version-script=${PROJECT_BINARY_DIR}/libanax.map)

install(TARGETS anax_static anax_shared EXPORT anax
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
        NAMELINK_COMPONENT development)
file(GLOB public_headers CONFIGURE_DEPENDS include/anax/*.h)
install(FILES ${public_headers}
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/anax COMPONENT development)
install(EXPORT anax NAMESPACE anax:: FILE anax-targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/anax COMPONENT development)
configure_package_config_file(cmake/anax-config.cmake.in ${PROJECT_BINARY_DIR}/anax-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/anax)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/anax-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/anax-config.cmake ${PROJECT_BINARY_DIR}/anax-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/anax COMPONENT development)
# Relative to itself, so that --prefix of `cmake --install` works.
file(RELATIVE_PATH anax_up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(anax_private_libraries)
foreach(name unistring ${anax_metis_name})
  string(APPEND anax_private_libraries " -l${name}")
endforeach()
configure_file(cmake/anax.pc.in ${PROJECT_BINARY_DIR}/anax.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/anax.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
