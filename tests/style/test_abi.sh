#!/bin/sh
# The binary interface of libanax.so is the one that tests/data/abi/libanax.xml describes; and a
# change of it is found. After a change that is meant (see CONTRIBUTING.md for the soname):
#
#     ANAX_UPDATE_ABI=1 ctest --preset release -R test_abi
set -eu
kept=$ANAX_SOURCE/tests/data/abi/libanax.xml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! command -v abidiff >/dev/null || ! command -v abidw >/dev/null; then
    echo "skipped: abidiff and abidw (package abigail-tools) are not installed"
    exit 0
fi
if [ "$ANAX_PLAIN_OBJECTS" != 1 ] || [ "$(uname -m)" != x86_64 ]; then
    echo "skipped: the description is of an x86-64 library without sanitizers and counters"
    exit 0
fi

# describe LIBRARY INCLUDE: its symbols, and the types of the headers. No path of this computer, no
# place in a source file, and no division into source files, which are not part of the interface.
describe() {
    abidw --headers-dir "$2" --drop-private-types --exported-interfaces-only --drop-undefined-syms \
        --no-elf-needed --no-corpus-path --no-comp-dir-path --no-show-locs --no-parameter-names \
        --type-id-style hash "$1" |
        sed -e "1,/<abi-instr /!{/<abi-instr /d}" -e "s/\(<abi-instr [^>]*\) path='[^']*'/\1 path='anax.h'/" \
            -e "s/ visibility='default'//" -e "s/ is-defined='yes'//" -e "/<\/abi-instr>/d" \
            -e "s|</abi-corpus>|  </abi-instr>\n</abi-corpus>|"
}

describe "$ANAX_BINARY/libanax.so" "$ANAX_SOURCE/include" >"$work/present.xml"
if [ "${ANAX_UPDATE_ABI:-}" = 1 ]; then
    mkdir -p "$(dirname "$kept")"
    cp "$work/present.xml" "$kept"
fi
status=0
if grep -q "$ANAX_SOURCE" "$work/present.xml"; then
    echo "the description has a path of this computer"
    status=1
fi
if ! abidiff --harmless "$kept" "$work/present.xml"; then
    echo "The binary interface changed. If this is meant, and programs that are compiled already still"
    echo "work (otherwise see CONTRIBUTING.md, \"The binary interface\"), update its description:"
    echo "    ANAX_UPDATE_ABI=1 ctest --preset release -R test_abi"
    status=1
fi

# A library of two functions from a header, as it is and changed by sed: the change is found.
cat >"$work/two.c" <<'C'
#include <anax/anax.h>
#pragma GCC diagnostic ignored "-Wunused-parameter"
#ifndef WITHOUT
anax_code anax_file_check(const char *path, const anax_options *options, anax_error *error) {
    return ANAX_OK;
}
#endif
anax_code anax_trace_get_info(anax_trace_info *info, const anax_trace *trace, anax_error *error) {
    return ANAX_OK;
}
C
build() { # NAME SED [OPTION]
    mkdir -p "$work/$1/anax"
    for header in "$ANAX_SOURCE"/include/anax/*.h; do
        sed "$2" "$header" >"$work/$1/anax/$(basename "$header")"
    done
    sed "$2" "$work/two.c" >"$work/$1/two.c"
    "$ANAX_COMPILER" -g -shared -fPIC -fvisibility=hidden "-I$work/$1" ${3:+"$3"} "$work/$1/two.c" \
        -o "$work/$1/two.so"
    describe "$work/$1/two.so" "$work/$1" >"$work/$1.xml"
}
build same ''
build again ''
if ! abidiff --harmless "$work/same.xml" "$work/again.xml"; then
    echo "the same header gives another description"
    status=1
fi
found() { # WHAT SED [OPTION]
    build changed "$2" ${3:+"$3"}
    if abidiff --harmless "$work/same.xml" "$work/changed.xml" >"$work/report"; then
        echo "the change was not found: $1"
        status=1
    fi
}
found "a member amid others" 's/^    unsigned threads;.*/&\n    uint64_t added;/'
found "a member at the end" 's/^} anax_trace_info;/    uint64_t added;\n&/'
found "a member of another type" 's/^    uint32_t ranks;/    int32_t ranks;/'
found "a member of another name" 's/^    uint64_t events;/    uint64_t records;/'
found "an enumerator of another value" 's/^    ANAX_ERROR_RUN,/    ANAX_ERROR_RUN = 7,/'
found "a parameter of another type" 's/anax_code anax_file_check(const char \*path/anax_code anax_file_check(char *path/'
found "a parameter more" 's/\(anax_trace_get_info(anax_trace_info \*info,\)/\1 int more,/'
found "a function less" '' -DWITHOUT
exit $status
