# Packages for Debian, a source archive, and the removal of what was installed.
#
#     cmake --preset package && cmake --build --preset package
#     cpack --config build-package/CPackConfig.cmake -B packages          four .deb files
#     cpack --config build-package/CPackSourceConfig.cmake -B packages    a source archive

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
  -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake VERBATIM)

set(CPACK_PACKAGE_NAME anax)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The anax authors <anax@example.org>")
set(CPACK_STRIP_FILES ON)

set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME anax-${PROJECT_VERSION})
set(CPACK_SOURCE_IGNORE_FILES "/[.]git(/|$)" "/build[^/]*/" "/packages/" "/__pycache__/" "[.]part-")

set(CPACK_GENERATOR DEB)
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/without_scripts.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENTS_ALL library development program python)

# debian_package COMPONENT NAME SECTION SUMMARY TEXT: its description, copyright and changelog.
macro(debian_package component name section summary text)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${text}")
  set(folder ${PROJECT_BINARY_DIR}/debian/${name})
  configure_file(${PROJECT_SOURCE_DIR}/packaging/changelog.in ${folder}/changelog @ONLY)
  execute_process(COMMAND ${ANAX_GZIP} -9nf ${folder}/changelog)
  install(FILES ${folder}/changelog.gz ${PROJECT_SOURCE_DIR}/packaging/copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endmacro()

find_program(ANAX_GZIP gzip)
mark_as_advanced(ANAX_GZIP)
if(NOT ANAX_SOURCE_MACHINES AND ANAX_GZIP)
  set(anax_about "anax replays traces of MPI applications on a simulated dragonfly network,\n\
packet by packet, and predicts how long they take.")
  set(anax_library_package libanax${anax_soversion})
  debian_package(library ${anax_library_package} libs
    "predicts run times of MPI applications on dragonflies - library"
    "${anax_about}\nThis package has the shared library.")
  debian_package(development libanax-dev libdevel
    "predicts run times of MPI applications on dragonflies - development"
    "${anax_about}\nThis package has the headers and the static library.")
  debian_package(program anax science "predicts run times of MPI applications on dragonflies"
    "${anax_about}\nThis package has the command, its manual pages and the machines.")
  debian_package(python python3-anax python
    "predicts run times of MPI applications on dragonflies - Python"
    "${anax_about}\nThis package has the Python package.")
  # As Debian wants them: pages compressed, plug-ins without what only debuggers need.
  install(CODE "
    set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    file(GLOB pages \"\${root}/${CMAKE_INSTALL_MANDIR}/man*/*.[15]\")
    file(GLOB plugins \"\${root}/${CMAKE_INSTALL_LIBDIR}/anax/*.so\")
    execute_process(COMMAND ${ANAX_GZIP} -9nf \${pages})
    execute_process(COMMAND ${CMAKE_STRIP} --strip-unneeded \${plugins})" COMPONENT program)
  file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
  file(WRITE ${PROJECT_BINARY_DIR}/debian/shlibs "libanax ${anax_soversion} ${anax_library_package} (>= ${PROJECT_VERSION})\n")
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA
    ${PROJECT_BINARY_DIR}/debian/triggers ${PROJECT_BINARY_DIR}/debian/shlibs)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS anax)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${anax_library_package} (= ${PROJECT_VERSION}), libopen-trace-format2-dev, libfyaml-dev, zlib1g-dev, libjson-c-dev, libpng-dev, libunistring-dev")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "${anax_library_package} (>= ${PROJECT_VERSION}), anax (>= ${PROJECT_VERSION}), python3")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS python3-pandas)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
endif()
include(CPack)
