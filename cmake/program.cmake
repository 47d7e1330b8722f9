# The command `anax`, its manual pages and its completion for shells. Of the library it sees the public header and
# api/command_support.h.
file(GLOB sources CONFIGURE_DEPENDS cli/*.c)
add_library(anax_cli OBJECT ${sources})
target_include_directories(anax_cli PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
add_executable(anax cli/main/anax.c)
target_link_libraries(anax PRIVATE anax_cli ${anax_rooms} ${anax_libraries})
set_target_properties(anax PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

# Pages are written by the command's own tables, so that they cannot disagree.
add_executable(anax_write_docs cli/main/write_docs.c)
target_link_libraries(anax_write_docs PRIVATE anax_cli ${anax_rooms} ${anax_libraries})
file(GLOB templates CONFIGURE_DEPENDS docs/man/*.in)
set(pages)
foreach(template ${templates})
  get_filename_component(page ${template} NAME_WLE)
  set(output ${PROJECT_BINARY_DIR}/man/${page})
  add_custom_command(OUTPUT ${output} DEPENDS ${template} anax_write_docs
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
    COMMAND anax_write_docs page ${template} ${output})
  list(APPEND pages ${output})
  string(REGEX REPLACE ".*\\." "" section ${page})
  install(FILES ${output} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
add_custom_target(anax_docs ALL DEPENDS ${pages})

install(TARGETS anax DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES cli/completion/anax.bash RENAME anax
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES cli/completion/_anax DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES cli/completion/anax.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
file(GLOB machines CONFIGURE_DEPENDS machines/*.yaml machines/*.arr)
install(FILES ${machines} DESTINATION ${CMAKE_INSTALL_DATADIR}/anax/machines)
