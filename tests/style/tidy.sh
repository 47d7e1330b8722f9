#!/bin/sh
# The house rules that a program can check; see CONTRIBUTING.md.
#
#     tidy.sh ROOT     prints one line per offence below ROOT; silent when there is none
#
# What each room may include stands in `allowed`, which libraries in `library_rules`, and the public
# headers of rooms (public_headers.awk) and the order inside rooms (layers.awk) in docs/layers.md.
set -eu
prefixes=$(cd "$(dirname "$0")" && pwd)/prefixes.awk
layers=$(cd "$(dirname "$0")" && pwd)/layers.awk
includes=$(cd "$(dirname "$0")" && pwd)/includes.awk
public_headers=$(cd "$(dirname "$0")" && pwd)/public_headers.awk
cd "$1"

rooms="core traces mapping network replay api cli"
files=$(for room in $rooms include; do
    if [ -d "$room" ]; then find "$room" -name '*.[ch]'; fi
done | LC_ALL=C sort)

# What plugins/ has, which is compiled apart; only the rules of includes hold there.
plugins=$(if [ -d plugins ]; then find plugins -name '*.[ch]'; fi | LC_ALL=C sort)

allowed() {
    case $1 in
    core) echo "core" ;;
    traces) echo "core traces" ;;
    mapping) echo "core mapping" ;;
    network) echo "core network" ;;
    replay) echo "core traces mapping network replay" ;;
    api) echo "core traces mapping network replay api anax" ;;
    cli) echo "cli api anax" ;;
    support) echo "anax" ;;
    include) echo "anax" ;;
    esac
}

# Lines "public ROOM/ HEADER": what other rooms may include of a room.
declared=$(if [ -f docs/layers.md ]; then awk -f "$public_headers" docs/layers.md; fi)

# Header, then the files that may include it.
library_rules() {
    cat <<'RULES'
otf2/ traces/otf2/otf2_reader traces/otf2/otf2_writer
libfyaml core/settings/yaml_stream.c
unistr.h core/base/utf8.c
json-c/ api/
png.h api/chart/raster.c
zlib.h traces/ plugins/record/
pthread.h core/ traces/ mapping/partition_split.c cli/interrupt.c plugins/
mpi.h plugins/
RULES
}

# All files' code without comments and texts, as lines "NUMBER:CODE", each file's in a file of its own.
cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
looked_at() {
    for file in $files; do echo "$file"; done
    find tests/network tests/support -name '*.[ch]' 2>/dev/null || true
}
# shellcheck disable=SC2046 # a list
[ -z "$(looked_at)" ] || awk -v cache="$cache" '
    FNR == 1 {
        if (target != "") close(target)
        inside = 0
        target = FILENAME
        gsub("/", "%", target)
        target = cache "/" target
    }
    {
        line = $0; out = ""
        while (length(line) > 0) {
            if (inside) {
                end = index(line, "*/")
                if (end == 0) break
                line = substr(line, end + 2); inside = 0
            } else if (!match(line, "/\\*|//|\"")) {
                out = out line
                break
            } else {
                out = out substr(line, 1, RSTART - 1)
                token = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                if (token == "//") break
                if (token == "/*") { inside = 1; continue }
                match(line, "^([^\"\\\\]|\\\\.)*\"?")
                line = substr(line, RLENGTH + 1); out = out "\"\""
            }
        }
        print FNR ":" out > target
    }' $(looked_at)

# What the rules say, one line each, and then the includes of all files: see includes.awk.
check_includes() {
    {
        for room in $rooms support include; do
            echo "allowed $room $(allowed "$room")"
            echo "public $room $(echo "$declared" | sed -n "s|^public $room/ ||p" | tr '\n' ' ')"
        done
        echo "narrow plugins core/processes/processes_plugin.h core/files/recording_format.h"
        library_rules | sed 's/^/library /'
        # shellcheck disable=SC2086 # a list
        [ -z "$files$plugins" ] || awk '/^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]/ {
            header = $0
            sub(/^[^"<]*["<]/, "", header); sub(/[">].*/, "", header)
            print "include", FILENAME, header
        }' $files $plugins
    } | awk -f "$includes"
}

report_matches() { # WHY PATTERN FILE...
    why=$1 pattern=$2
    shift 2
    [ $# -eq 0 ] ||
        (cd "$cache" && echo "$*" | tr '/ ' '%\n' | xargs grep -HE "$pattern") |
        awk -F: -v why="$why" '{ gsub("%", "/", $1); print $1 ":" $2 ": " why }' || true
}

# FILE... without those that the pattern fits.
but() { # PATTERN
    for file in $files; do echo "$file"; done | grep -vE "$1" || true
}

check_includes
echo "$declared" | while read -r _ _ header; do
    [ -z "$header" ] || [ -e "$header" ] || echo "docs/layers.md: there is no public header $header"
done
# Files of all rooms, of the tests and of all else that is compiled.
sources=$(for folder in $rooms include tests plugins bench examples; do
    if [ -d "$folder" ]; then find "$folder" -name '*.[ch]'; fi
done | LC_ALL=C sort)
# shellcheck disable=SC2086 # a list
[ -z "$sources" ] || awk '
    function end_file() {
        if (lines > 600) print name ": " lines " lines; a file has at most 600"
    }
    FNR == 1 {
        end_file()
        name = FILENAME
        item = 0
        if (substr($0, 1, 2) != "/*") print name ":1: opens without a comment that says what it is"
    }
    { lines = FNR }
    # The items of a list in a comment, which clang-format flattens when it breaks a line.
    /^ *\* *$|\*\// { item = 0 }
    /^ *\*  ?- / { item = index($0, "-") }
    item && !/^ *\*  ?- / && match($0, /^ *\* */) && RLENGTH < item {
        print name ":" FNR ": an item of a list goes on below its text; break lines of 100 columns by hand"
        item = 0
    }
    /[ \t]$|\t/ { print name ":" FNR ": tab or blank at the end of the line" }
    END { end_file() }' $sources
# shellcheck disable=SC2046 # a list
report_matches "the library never prints and never exits" \
    '(^|[^a-zA-Z0-9_])(printf|vprintf|puts|putchar|perror|exit|_exit|quick_exit|abort|system)[[:space:]]*\(|[^a-zA-Z0-9_](stdout|stderr)[^a-zA-Z0-9_]' \
    $(but '^(cli|include)/')
# Not otf2_reader_clock.c: it corrects times as the OTF2 library does, in the same numbers.
# shellcheck disable=SC2046 # a list
report_matches "floating point decides nothing" '(^|[^a-zA-Z0-9_])(float|double)[^a-zA-Z0-9_]' \
    $(but '^(api|cli|include)/|^traces/otf2/otf2_reader_clock\.c$')

# Names that several files see tell whose they are.
for room in core traces mapping network replay api; do
    [ -d "$room" ] || continue
    folders=$(find "$room" -type d | sed 's|.*/||; p; s|s$||' | LC_ALL=C sort -u | tr '\n' ' ')
    headers=$(find "$room" -name '*.h' | LC_ALL=C sort | tr / %)
    # shellcheck disable=SC2086 # a list
    [ -z "$headers" ] || (cd "$cache" && awk -v folders="$folders" -v sources="$(echo $files)" -f "$prefixes" $headers)
done

# Tests see what changes inside the network through one header alone. What is constant during a run,
# the first members of struct network, they read themselves, but do not set.
# tests/fuzz/fuzz_checkpoint.c restores a rail group from any bytes.
tests=$(find tests -name '*.[ch]' 2>/dev/null | grep -vxF -e tests/support/network/network_face.h -e tests/fuzz/fuzz_checkpoint.c | LC_ALL=C sort)
# shellcheck disable=SC2086 # a list
[ -z "$tests" ] || grep -Hn '#include "network/engine/' $tests |
    awk -F: '{ print $1 ":" $2 ": a header of network/engine; use tests/support/network/network_face.h" }'
tests=$(find tests/network tests/support -name '*.[ch]' 2>/dev/null | grep -vxF tests/support/network/network_face.h | LC_ALL=C sort)
# shellcheck disable=SC2086 # a list
report_matches "state inside the network; use tests/support/network/network_face.h" \
    '(->|\.)(rail_groups|outputs|output_vcs|input_vcs|wiring|sleepers|peer_group|vc_waiting_bytes)\[|network->(rail_groups|port_state|seed_was_read|run|distribution)([^a-z_]|$)|(^|[^a-z_])(rail_group|face_rail_group\([^)]*\))->' $tests
# shellcheck disable=SC2086 # a list
report_matches "sets a constant of the network; use tests/support/network/network_face.h" \
    'network(\([^)]*\))?->[a-z_.]+(\[[^]]*\])* *([-+|&^]?=[^=]|\+\+|--)' $tests

# shellcheck disable=SC2086 # a list
if [ -f docs/layers.md ]; then awk -f "$layers" docs/layers.md $files | LC_ALL=C sort; fi

# Public headers have the name of their subject, and are included as anax/NAME.h.
{
    but '^include/'
    if [ -d tests ]; then find tests -name '*.[ch]'; fi
} | sed 's|.*/||' | LC_ALL=C sort | uniq -d |
    while read -r name; do echo "$name: more than one file of this name"; done
