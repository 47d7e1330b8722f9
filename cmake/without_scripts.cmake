# Runs after cpack has written packages: takes the scripts out of the library's Debian package with which
# cpack calls ldconfig. The trigger in the package does the same, as Debian wants it.
foreach(package ${CPACK_PACKAGE_FILES})
  if(NOT package MATCHES "/libanax[0-9][^/]*\\.deb$")
    continue()
  endif()
  find_program(AR ar REQUIRED)
  set(folder ${package}.parts)
  file(REMOVE_RECURSE ${folder})
  file(MAKE_DIRECTORY ${folder}/control)
  execute_process(COMMAND ${AR} x ${package} control.tar.gz WORKING_DIRECTORY ${folder} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND tar -xzf ../control.tar.gz WORKING_DIRECTORY ${folder}/control COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${folder}/control/postinst ${folder}/control/postrm)
  execute_process(COMMAND tar --owner=root:0 --group=root:0 --sort=name -czf ../control.tar.gz .
    WORKING_DIRECTORY ${folder}/control COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${AR} r ${package} control.tar.gz WORKING_DIRECTORY ${folder} COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE ${folder})
endforeach()
