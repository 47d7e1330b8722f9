# Texts of pages that are files of their own (the style sheet and the script), as arrays of C. Included
# it makes the rule, run as a script the file.
#
# The script stands in a CDATA section that HTML takes for comments, so that pages are also XML; the
# hash by which the page's policy knows it is of the whole text of the element, in Base64.
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)
  set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  function(array_of text variable)
    string(HEX "${text}" hex)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    set(${variable} "${bytes}0" PARENT_SCOPE)
  endfunction()
  function(base64_of hex variable) # 32 bytes
    string(APPEND hex 00)
    set(all "")
    foreach(at RANGE 0 60 6)
      string(SUBSTRING ${hex} ${at} 6 three)
      foreach(shift 18 12 6 0)
        math(EXPR digit "0x${three} >> ${shift} & 63")
        string(SUBSTRING ${alphabet} ${digit} 1 letter)
        string(APPEND all ${letter})
      endforeach()
    endforeach()
    string(SUBSTRING ${all} 0 43 all)
    set(${variable} ${all}= PARENT_SCOPE)
  endfunction()
  file(READ ${ROOT}/api/page/page.css style)
  file(READ ${ROOT}/api/page/page.js script)
  string(REGEX REPLACE "^/\\*([^*]|\\*[^/])*\\*/\n" "" style "${style}")
  string(REGEX REPLACE "\n +" "\n" script "${script}")
  string(REGEX REPLACE "\n/\\*[^\n]*\\*/" "" script "${script}")
  string(REGEX REPLACE "^/\\*([^*]|\\*[^/])*\\*/\n" "" script "${script}")
  set(script "//<![CDATA[\n${script}//]]>\n")
  array_of("${style}" style_bytes)
  array_of("${script}" script_bytes)
  string(SHA256 hash "${script}")
  base64_of(${hash} hash)
  file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "/* Made by cmake/embedded.cmake. */
#include \"api/page/page.h\"

const char page_style[] = {@style_bytes@};
const char page_script[] = {@script_bytes@};
const char page_script_hash[] = \"@hash@\";
")
  return()
endif()

set(embedded ${PROJECT_BINARY_DIR}/generated/page_texts.c)
add_custom_command(OUTPUT ${embedded}
  DEPENDS api/page/page.css api/page/page.js cmake/embedded.cmake
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DOUTPUT=${embedded}
    -P ${PROJECT_SOURCE_DIR}/cmake/embedded.cmake VERBATIM)
target_sources(anax_api PRIVATE ${embedded})
