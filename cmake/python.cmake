# The Python package: installed beside the library, tested, and as a wheel that holds the library and
# the machines (cmake --build BUILD --target wheel; needs python3-setuptools and python3-wheel).
find_package(Python3 COMPONENTS Interpreter)
set(ANAX_PYTHON_FOLDER "${CMAKE_INSTALL_LIBDIR}/python3/dist-packages" CACHE STRING
  "Folder of the Python package under the prefix")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/anax DESTINATION ${ANAX_PYTHON_FOLDER} COMPONENT python
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)

if(Python3_FOUND AND PROJECT_IS_TOP_LEVEL)
  set(anax_wheel_folder ${PROJECT_BINARY_DIR}/wheel)
  configure_file(python/pyproject.toml.in ${PROJECT_BINARY_DIR}/generated/pyproject.toml @ONLY)
  add_custom_target(wheel
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${anax_wheel_folder}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${anax_wheel_folder}
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/python/anax ${anax_wheel_folder}/anax
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${anax_wheel_folder}/anax/__pycache__
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/machines ${anax_wheel_folder}/anax/machines
    COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:anax_shared> ${anax_wheel_folder}/anax/$<TARGET_SONAME_FILE_NAME:anax_shared>
    COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_BINARY_DIR}/generated/pyproject.toml ${PROJECT_SOURCE_DIR}/LICENSE ${anax_wheel_folder}
    COMMAND ${CMAKE_COMMAND} -E chdir ${anax_wheel_folder} ${Python3_EXECUTABLE}
      ${PROJECT_SOURCE_DIR}/python/build_wheel.py ${PROJECT_BINARY_DIR}
    DEPENDS anax_shared VERBATIM)
endif()
