#!/bin/sh
# The installed library works for others: with pkg-config (shared) and with CMake (static); the
# installed program finds its machines and pages.
. "$ANAX_SOURCE/tests/support/script/command.sh"
if [ "$ANAX_PLAIN_OBJECTS" != 1 ]; then
    echo "skipped: sanitizers and coverage are not installed"
    exit 0
fi
last="cmake --install"
code=0
prefix=$work/usr
expect "cmake --install ends well" cmake --install "$ANAX_BINARY" --prefix "$prefix"
for file in bin/anax include/anax/anax.h share/man/man1/anax-replay.1 share/man/man5/anax-json.5 \
    share/anax/machines/kim-1k.yaml share/bash-completion/completions/anax \
    share/zsh/site-functions/_anax share/fish/vendor_completions.d/anax.fish; do
    expect "$file is installed and not empty" [ -s "$prefix/$file" ]
done
pc=$(find "$prefix" -name anax.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
LD_LIBRARY_PATH=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH LD_LIBRARY_PATH

last="pkg-config"
# shellcheck disable=SC2046 # flags are words
expect "predict.c compiles" "$ANAX_COMPILER" -Wall -Wextra -Werror $(pkg-config --cflags anax) \
    "$ANAX_SOURCE/examples/library/predict.c" $(pkg-config --libs anax) -o predict
./predict examples/gromacs/traces.otf2 kim-72 >out 2>err
code=$?
expect_code 0
expect "predict prints a line for each placement" [ "$(grep -c ' ps of it queueing$' out)" -eq 2 ]
./predict nowhere kim-72 >out 2>err
code=$?
expect_code 2
for example in latencies placements; do
    # shellcheck disable=SC2046 # flags are words
    expect "$example.c compiles" "$ANAX_COMPILER" -Wall -Wextra -Werror $(pkg-config --cflags anax) \
        "$ANAX_SOURCE/examples/library/$example.c" $(pkg-config --libs anax) -o "$example"
done
expect "latencies.c ends well" sh -c './latencies kim-72 >out'
expect "minimal paths saturate below a load of 0.5, and UGAL does not at 0.4" \
    sh -c 'grep -q "^minimal .*saturated" out && grep -q "^ugal-l   0.40 [0-9]* ps" out'
mean_ps=$("$prefix/bin/anax" traffic --machine kim-72 --routing ugal-l --loads 0.4 --set traffic.pattern=adv+1 --json |
    sed -n 's/.*"mean_latency_ps":\([0-9]*\),/\1/p' | head -n 1)
expect "the mean latency is that of the command" grep -qx "ugal-l   0.40 $mean_ps ps" out
expect "placements.c ends well" sh -c './placements examples/gromacs/traces.otf2 kim-72 >out'
expect "blocks of ranks lie in one group and are the faster ones" \
    sh -c 'grep -q "^block .*same_group [0-9]*% other_group 0%" out && grep -q "^block    number 1," out'

# Each public header compiles alone, and as C++.
include=$prefix/include
for header in "$include"/anax/*.h; do
    last="#include <anax/$(basename "$header")>"
    printf '#include <anax/%s>\nint main(void) { return 0; }\n' "$(basename "$header")" >alone.c
    expect "it compiles as C11" "$ANAX_COMPILER" -std=c11 -pedantic -Wall -Wextra -Werror -I"$include" \
        -fsyntax-only alone.c
    ! has_program c++ || expect "it compiles as C++" c++ -x c++ -std=c++11 -pedantic -Wall \
        -Wextra -Werror -I"$include" -fsyntax-only alone.c
done

# version_part NAME: the number of ANAX_VERSION_NAME.
version_part() { sed -n "s/^#define ANAX_VERSION_$1 \([0-9][0-9]*\)$/\1/p" "$ANAX_SOURCE/include/anax/anax.h"; }
mkdir project
cat >project/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(predict LANGUAGES C)
find_package(anax ${WANTED_VERSION} REQUIRED)
add_executable(predict ${SOURCE})
target_link_libraries(predict PRIVATE anax::static)
CMAKE
last="find_package(anax)"
cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$ANAX_COMPILER" \
    -DSOURCE="$ANAX_SOURCE/examples/library/predict.c" \
    -DWANTED_VERSION="$(version_part MAJOR).$(version_part MINOR)" >out 2>err &&
    cmake --build project/build >>out 2>>err
code=$?
expect_code 0
project/build/predict examples/gromacs/traces.otf2 kim-72 >out 2>err
code=$?
expect_code 0

# A project that contains this one may have targets of any name that is not of anax, and gets no other ones.
mkdir around
cat >around/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(around LANGUAGES C)
foreach(name static shared bench site uninstall wheel)
  add_custom_target(${name})
endforeach()
include(FetchContent)
FetchContent_Declare(anax SOURCE_DIR ${SOURCE})
FetchContent_MakeAvailable(anax)
add_executable(predict ${SOURCE}/examples/library/predict.c)
target_link_libraries(predict PRIVATE anax::shared)
get_property(targets DIRECTORY ${SOURCE} PROPERTY BUILDSYSTEM_TARGETS)
list(FILTER targets EXCLUDE REGEX "^anax")
if(targets)
  message(FATAL_ERROR "${targets}")
endif()
CMAKE
last="FetchContent"
expect "the project with anax inside it configures" cmake -S around -B around/build -DCMAKE_C_COMPILER="$ANAX_COMPILER" -DSOURCE="$ANAX_SOURCE"

# Completion offers what the tables know, also behind commas and =.
cat >complete.bash <<'BASH'
PATH=$1:$PATH
. "$2"
completed() { # LINE
    COMP_LINE=$1 COMP_POINT=${#1}
    _anax
    printf '%s\n' "${COMPREPLY[@]}"
}
completed "anax replay --machine kim-1"
completed "anax gen"
completed "anax replay --set network.routing=val"
completed "anax compare -m kim-72,garcia-5"
completed "anax info examples/gro"
completed "anax replay --config=examples/gro"
completed "anax replay x "
BASH
if has_program bash; then
    last="completion for bash"
    bash complete.bash "$prefix/bin" "$prefix/share/bash-completion/completions/anax" >out 2>err
    code=$?
    for word in kim-1k generate valiant kim-72,garcia-5k examples/gromacs; do
        expect "the completions include $word" grep -qx -e "$word" out
    done
    expect "completion offers the archive once for each place" [ "$(grep -cx examples/gromacs out)" -eq 2 ]
fi
if has_program zsh; then
    last="completion for zsh"
    zsh -n "$prefix/share/zsh/site-functions/_anax" >out 2>err
    code=$?
    expect "zsh reads the completion file" [ "$code" -eq 0 ]
fi
if has_program fish; then
    cat >complete.fish <<'FISH'
set -x PATH $argv[1] $PATH
source $argv[2]
complete -C "anax replay --machine kim-1"
complete -C "anax compare x -r minimal,ug"
complete -C "anax replay x --set network.routing=val"
FISH
    last="completion for fish"
    HOME=$work fish complete.fish "$prefix/bin" "$prefix/share/fish/vendor_completions.d/anax.fish" >out 2>err
    code=$?
    for word in kim-1k minimal,ugal-l network.routing=valiant; do
        expect "the completions include $word" grep -qx -e "$word" out
    done
fi
finish
