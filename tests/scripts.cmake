# Tests that are scripts (tests/<folder>/test_*.sh, run with the built program), and the check that
# the public header stands alone.
if(ANAX_SANITIZE OR ANAX_COVERAGE OR ANAX_FUZZ)
  set(plain_objects 0)
else()
  set(plain_objects 1)
endif()
foreach(folder style cli python)
  anax_test_files(files ${folder} test_*.sh)
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    add_test(NAME ${folder}.${name} COMMAND sh ${file})
    # The system's Python comes before a manager of versions: some scripts start it a hundred times.
    set_tests_properties(${folder}.${name} PROPERTIES TIMEOUT 600
      ENVIRONMENT_MODIFICATION "PATH=path_list_prepend:/usr/bin"
      SKIP_REGULAR_EXPRESSION "(^|\n)skipped: " ENVIRONMENT
      "ANAX=$<TARGET_FILE:anax>;ANAX_SOURCE=${PROJECT_SOURCE_DIR};ANAX_BINARY=${PROJECT_BINARY_DIR};ANAX_PLAIN_OBJECTS=${plain_objects};ANAX_UNITY=${ANAX_UNITY};ANAX_COVERAGE=${ANAX_COVERAGE};ANAX_COMPILER=${CMAKE_C_COMPILER}")
  endforeach()
endforeach()
# A limit for what hangs: processes of MPI libraries take long on a busy computer.
if(TEST cli.test_processes)
  set_tests_properties(cli.test_processes PROPERTIES TIMEOUT 3600)
endif()

# The public header compiles alone, first, in C and in C++, with pedantic warnings as errors.
include(CheckLanguage)
file(WRITE ${PROJECT_BINARY_DIR}/header/public_header.c "#include <anax/anax.h>\nint public_header(void);\nint public_header(void) { return (int)sizeof(anax_error); }\n")
add_library(anax_header_c OBJECT ${PROJECT_BINARY_DIR}/header/public_header.c)
target_include_directories(anax_header_c PRIVATE ${PROJECT_SOURCE_DIR}/include)
set_target_properties(anax_header_c PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF)
target_compile_options(anax_header_c PRIVATE -pedantic -Werror)
check_language(CXX)
if(CMAKE_CXX_COMPILER AND plain_objects)
  enable_language(CXX)
  file(WRITE ${PROJECT_BINARY_DIR}/header/public_header.cpp "#include <anax/anax.h>\nstatic const anax_options options = ANAX_OPTIONS_INIT;\nint public_header() { return static_cast<int>(options.threads); }\n")
  add_library(anax_header_cxx OBJECT ${PROJECT_BINARY_DIR}/header/public_header.cpp)
  target_include_directories(anax_header_cxx PRIVATE ${PROJECT_SOURCE_DIR}/include)
  set_target_properties(anax_header_cxx PROPERTIES CXX_STANDARD 11 CXX_EXTENSIONS OFF)
  target_compile_options(anax_header_cxx PRIVATE -pedantic -Werror)
endif()
