#!/bin/sh
# The installed library works for others: with pkg-config (shared) and with CMake (static); the
# installed program finds its machines and pages.
. "$ANAX_SOURCE/tests/support/command.sh"
if [ "$ANAX_PLAIN_OBJECTS" != 1 ]; then
    echo "skipped: sanitizers and coverage are not installed"
    exit 0
fi
last="cmake --install"
code=0
prefix=$work/usr
expect "it installs" cmake --install "$ANAX_BINARY" --prefix "$prefix"
for file in bin/anax include/anax/anax.h share/man/man1/anax-replay.1 share/man/man5/anax-json.5 \
    share/anax/machines/kim-1k.yaml share/bash-completion/completions/anax; do
    expect "$file" [ -s "$prefix/$file" ]
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
expect "exit code 0" [ "$code" -eq 0 ]
expect "two predictions" [ "$(grep -c ' ps of it queueing$' out)" -eq 2 ]
./predict nowhere kim-72 >out 2>err
code=$?
expect "exit code 2" [ "$code" -eq 2 ]

mkdir project
cat >project/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(predict LANGUAGES C)
find_package(anax 0.1 REQUIRED)
add_executable(predict ${SOURCE})
target_link_libraries(predict PRIVATE anax::static)
CMAKE
last="find_package(anax)"
cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$ANAX_COMPILER" \
    -DSOURCE="$ANAX_SOURCE/examples/library/predict.c" >out 2>err && cmake --build project/build >>out 2>>err
code=$?
expect "it builds" [ "$code" -eq 0 ]
project/build/predict examples/gromacs/traces.otf2 kim-72 >out 2>err
code=$?
expect "exit code 0" [ "$code" -eq 0 ]

# Completion offers what `anax list` knows.
last="completion"
cat >complete.bash <<'BASH'
PATH=$1:$PATH
. "$2"
COMP_WORDS=(anax replay --machine kim-1)
COMP_CWORD=3
_anax
printf '%s\n' "${COMPREPLY[@]}"
COMP_WORDS=(anax gen)
COMP_CWORD=1
_anax
printf '%s\n' "${COMPREPLY[@]}"
COMP_WORDS=(anax traffic --lo)
COMP_CWORD=2
_anax
printf '%s\n' "${COMPREPLY[@]}"
BASH
if command -v bash >/dev/null; then
    bash complete.bash "$prefix/bin" "$prefix/share/bash-completion/completions/anax" >out 2>err
    code=$?
    for word in kim-1k kim-1k-paper generate --load --loads; do
        expect "$word" grep -qx -e "$word" out
    done
fi
finish
