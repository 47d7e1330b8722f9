#!/bin/sh
# The house rules that a program can check; see CONTRIBUTING.md.
#
#     tidy.sh ROOT     prints one line per offence below ROOT; silent when there is none
#
# What each room may include stands in `allowed` and `public_headers`, which libraries in
# `library_rules`, and the order inside rooms in ARCHITECTURE.md (layers.awk).
set -eu
prefixes=$(cd "$(dirname "$0")" && pwd)/prefixes.awk
layers=$(cd "$(dirname "$0")" && pwd)/layers.awk
cd "$1"

rooms="core traces mapping network replay api cli"
files=$(for room in $rooms include; do
    if [ -d "$room" ]; then find "$room" -name '*.[ch]'; fi
done | LC_ALL=C sort)

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

# What other rooms may include of a room: its public headers. All of core is public.
public_headers() {
    case $1 in
    core) echo "core/" ;;
    traces) echo "traces/traces.h traces/trace_files.h traces/program/program.h traces/program/program_join.h traces/program/program_coverage.h" ;;
    mapping) echo "mapping/placement.h mapping/placement_graph.h" ;;
    network) echo "network/network.h network/network_choices.h network/network_config.h" \
        "network/topology/topology.h network/topology/failures.h network/traffic/traffic.h" \
        "network/traffic/background.h network/analysis/" ;;
    replay) echo "replay/replay.h replay/replay_traffic.h replay/hosts.h replay/schedule.h" ;;
    api) echo "api/command_support.h" ;;
    esac
}

# Header, then the files that may include it; none if no file may.
library_rules() {
    cat <<'RULES'
otf2/ traces/otf2/otf2_reader traces/otf2/otf2_writer
libfyaml core/yaml_stream.c
unistr.h core/utf8.c
json-c/ api/
zlib.h traces/
pthread.h core/ traces/ mapping/partition_split.c cli/interrupt.c
mpi.h
RULES
}

# A file's code without comments and texts; line numbers stay.
code_of() {
    awk '
    {
        line = $0; out = ""
        while (length(line) > 0) {
            if (inside) {
                end = index(line, "*/")
                if (end == 0) break
                line = substr(line, end + 2); inside = 0
            } else if (substr(line, 1, 2) == "/*") {
                inside = 1; line = substr(line, 3)
            } else if (substr(line, 1, 2) == "//") {
                break
            } else if (substr(line, 1, 1) == "\"") {
                line = substr(line, 2)
                while (length(line) > 0 && substr(line, 1, 1) != "\"")
                    line = substr(line, substr(line, 1, 1) == "\\" ? 3 : 2)
                line = substr(line, 2); out = out "\"\""
            } else {
                out = out substr(line, 1, 1); line = substr(line, 2)
            }
        }
        print NR ":" out
    }' "$1"
}

is_in() { # WORD LIST...
    word=$1
    shift
    for item in "$@"; do
        case $word in "$item" | "$item"*) return 0 ;; esac
    done
    return 1
}

check_includes() {
    room=${1%%/*}
    # the command sees what this header includes
    [ "$1" != api/command_support.h ] || room=support
    sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]\([^">]*\)[">].*/\1/p' "$1" |
        while read -r header; do
            first=${header%%/*}
            case " $rooms anax " in *" $first "*)
                if [ "$first" != "$header" ]; then
                    case " $(allowed "$room") " in
                    *" $first "*) ;;
                    *) echo "$1: includes $header, which $room may not know" ;;
                    esac
                    # shellcheck disable=SC2046 # a list
                    if [ "$first" != "$room" ] && [ "$first" != anax ] &&
                        ! is_in "$header" $(public_headers "$first"); then
                        echo "$1: includes $header, which is private to $first"
                    fi
                fi ;;
            esac
            library_rules | while read -r library owners; do
                # shellcheck disable=SC2086 # owners is a list
                case $header in "$library"*)
                    is_in "$1" $owners || echo "$1: includes $header; ${owners:+only }${owners:-no file} may" ;;
                esac
            done
        done
}

report_matches() { # FILE WHY PATTERN
    code_of "$1" | grep -E "$3" | sed "s|^\([0-9]*\):.*|$1:\1: $2|" || true
}

for file in $files; do
    check_includes "$file"
    lines=$(wc -l <"$file")
    [ "$lines" -le 600 ] || echo "$file: $lines lines; a file has at most 600"
    [ "$(head -c 2 "$file")" = "/*" ] || echo "$file:1: opens without a comment that says what it is"
    grep -nE "[[:blank:]]$|	" "$file" | sed "s|^\([0-9]*\):.*|$file:\1: tab or blank at the end of the line|" || true
    case $file in
    cli/* | include/*) ;;
    *)
        report_matches "$file" "the library never prints and never exits" \
            '(^|[^a-zA-Z0-9_])(printf|vprintf|puts|putchar|perror|exit|_exit|quick_exit|abort|system)[[:space:]]*\(|[^a-zA-Z0-9_](stdout|stderr)[^a-zA-Z0-9_]'
        ;;
    esac
    case $file in
    api/* | cli/* | include/* | */*report*.c | */stall.c) ;; # texts for people
    traces/otf2/otf2_reader_clock.c) ;; # OTF2 hands over a deviation, which is not looked at
    *) report_matches "$file" "floating point decides nothing" '(^|[^a-zA-Z0-9_])(float|double)[^a-zA-Z0-9_]' ;;
    esac
done

# Names that other rooms see tell whose they are.
for room in core traces mapping network replay api; do
    [ -d "$room" ] || continue
    folders=$(find "$room" -type d | sed 's|.*/||; p; s|s$||' | LC_ALL=C sort -u | tr '\n' ' ')
    public=$(public_headers "$room")
    [ "$room" != api ] || public=api/
    # shellcheck disable=SC2086 # a list
    find $public -name '*.h' 2>/dev/null | LC_ALL=C sort | while read -r file; do
        code_of "$file" | awk -v file="$file" -v folders="$folders" -f "$prefixes"
    done
done

# Tests see the state inside the network through one header alone.
find tests/network tests/support -name '*.[ch]' 2>/dev/null | LC_ALL=C sort |
    while read -r file; do
        [ "$file" != tests/support/network_face.h ] || continue
        grep -n '#include "network/engine/' "$file" |
            sed "s|^\([0-9]*\):.*|$file:\1: a header of network/engine; use tests/support/network_face.h|"
        report_matches "$file" "state inside the network; use tests/support/network_face.h" \
            '(->|\.)(domains|outputs|output_vcs|input_vcs|wiring|sleepers|peer_domain|vc_waiting_bytes)\['
    done

# shellcheck disable=SC2086 # a list
if [ -f ARCHITECTURE.md ]; then awk -f "$layers" ARCHITECTURE.md $files | LC_ALL=C sort; fi

{
    for file in $files; do echo "$file"; done
    if [ -d tests ]; then find tests -name '*.[ch]'; fi
} | sed 's|.*/||' | LC_ALL=C sort | uniq -d |
    while read -r name; do echo "$name: more than one file of this name"; done
