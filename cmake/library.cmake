# libanax, static and shared: the rooms' objects, of which only ANAX_API symbols are exported, with
# versions.
include(CMakePackageConfigHelpers)
set(anax_libraries PkgConfig::OTF2 PkgConfig::FYAML PkgConfig::ZLIB PkgConfig::JSON PkgConfig::PNG
  Threads::Threads m ${CMAKE_DL_LIBS}
  ${anax_unistring} ${anax_metis})

# The targets are anax::static and anax::shared for users, installed or not.
foreach(kind static shared)
  string(TOUPPER ${kind} type)
  add_library(anax_${kind} ${type})
  add_library(anax::${kind} ALIAS anax_${kind})
  foreach(room ${anax_rooms})
    target_sources(anax_${kind} PRIVATE $<TARGET_OBJECTS:${room}>)
  endforeach()
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
