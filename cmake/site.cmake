# The documentation site, static files that a browser opens from disk:
#
#     cmake --build build --target site     writes build/site/html/index.html
#
# docs/site/build.py says what is missing where Sphinx and its extensions are not installed.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_custom_target(site DEPENDS anax_docs VERBATIM USES_TERMINAL
    COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/docs/site/build.py
      --manuals ${PROJECT_BINARY_DIR}/man --output ${PROJECT_BINARY_DIR}/site)
else()
  add_custom_target(site VERBATIM
    COMMAND ${CMAKE_COMMAND} -E echo "site: the documentation site needs python3"
    COMMAND ${CMAKE_COMMAND} -E false)
endif()
