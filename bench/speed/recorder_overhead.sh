#!/bin/sh
# What `anax record` costs an application: the processor time of its ranks from MPI_Init to
# MPI_Finalize with and without the recorder, in turn, so that both see the same load of the
# computer. Ranks that wait spin: take 1 rank, or as many as there are idle processors.
#
#     bench/speed/recorder_overhead.sh LIBRARY RANKS PAIRS COMMAND...
#
# LIBRARY: openmpi or mpich, that of the command. PAIRS: pairs of runs, 7 or more. ANAX in the
# environment: the program, build/anax of this project unless given. The command runs in the
# current folder. For instance:
#
#     bench/speed/recorder_overhead.sh openmpi 2 7 lmp -in in.melt -log none
#
# Prints the medians over the runs of the sums over ranks, with the least and the largest, in user
# mode and in all, and what a call costs more by the medians in all. The start of the recorder (some
# 30 ms for each rank) is in it. CALLS in the environment: calls of all ranks, where tests and
# probes that fail, which are not counted, are most of them.
set -eu
[ $# -ge 4 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0" >&2; exit 2; }
library=$1 ranks=$2 pairs=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
anax=${ANAX:-$here/../../build/anax}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"mpicc.$library" -shared -fPIC -O1 "$here/recorder_overhead.c" -o "$out/timer.so" -ldl

# run KIND COMMAND...: appends the sums over ranks to the file of the kind.
run() {
    kind=$1
    shift
    rm -f "$out/times"
    "mpirun.$library" -n "$ranks" env OVERHEAD_FILE="$out/times" LD_PRELOAD="$out/timer.so" "$@" \
        >"$out/said" 2>&1 </dev/null || { cat "$out/said" >&2; exit 1; }
    awk -v ranks="$ranks" '{ user += $1; all += $2 }
        END { if (NR != ranks) exit 1; print user / 1e3, all / 1e3 }' "$out/times" >>"$out/$kind"
}

# figures KIND COLUMN: median, least and largest
figures() {
    cut -d' ' -f"$2" "$out/$1" | sort -n | awk '{ v[NR] = $1 }
        END { printf "%.1f %.1f %.1f", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[1], v[NR] }'
}

pair=0
while [ "$pair" -lt "$pairs" ]; do
    pair=$((pair + 1))
    run plain "$@"
    rm -f "$out/run.anax"
    run recorded "$anax" record -q -o "$out/run.anax" "$@"
done
calls=${CALLS:-$("$anax" info "$out/run.anax" --json | sed -n 's/^ *"events":\([0-9]*\),*$/\1/p')}
for column in 1 2; do
    echo "$column $(figures plain "$column") $(figures recorded "$column")"
done | awk -v calls="$calls" -v ranks="$ranks" -v pairs="$pairs" '
    BEGIN { printf "%-12s %9s %20s %9s %20s %8s\n", "ms, " ranks " ranks", "plain", "(least, largest)", "recorded", "(least, largest)", "more" }
    {
        printf "%-12s %9.1f %20s %9.1f %20s %7.2f%%\n", $1 == 1 ? "user" : "user, system", $2, "(" $3 ", " $4 ")", $5, "(" $6 ", " $7 ")", ($5 / $2 - 1) * 100
        each = ($5 - $2) * 1e6 / calls
    }
    END {
        printf "%d calls, %.0f ns each; %d pairs\n", calls, each, pairs
    }'
