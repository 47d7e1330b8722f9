#!/bin/sh
# The speed of one core of two programs, held against each other: the targets of docs/bench.md.
#
#     bench/speed/before_after.sh OLD NEW [RUNS]      two programs `anax`, and how many pairs of runs (5)
#
# Both run in turn, with one thread. Times are user times of whole commands, less those of the same
# commands without the work: the machine built, the trace read. Prints the median time of each program, and
# the median, least and most of the ratios of pairs. Each program makes its own trace, since the formats of
# program files differ.
set -eu
old=$1
new=$2
runs=${3:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

user_s() { # COMMAND…: its user time in seconds
    LC_ALL=C bash -c 'TIMEFORMAT=%U; time "$@" >/dev/null' bash "$@" 2>&1 | tail -1
}

# The time of the work: program, arguments with the work, arguments without it; TRACE is its trace.
net_s() { # PROGRAM NAME WITH WITHOUT
    # shellcheck disable=SC2046 # arguments are words
    whole=$(user_s "$1" $(echo "$3" | sed "s|TRACE|$folder/$2.anax|"))
    # shellcheck disable=SC2046
    idle=$(user_s "$1" $(echo "$4" | sed "s|TRACE|$folder/$2.anax|"))
    echo "$whole $idle" | awk '{ print $1 - $2 }'
}
column() { # FILE COLUMN WHICH: the least, the median or the most of a column
    sort -n -k "$2,$2" "$1" | awk -v column="$2" -v which="$3" '{ value[NR] = $column }
        END { print value[which == "least" ? 1 : which == "most" ? NR : int((NR + 1) / 2)] }'
}

compare() { # NAME WITH WITHOUT
    : >"$folder/pairs"
    for _ in $(seq "$runs"); do
        echo "$(net_s "$old" old "$2" "$3") $(net_s "$new" new "$2" "$3")" |
            awk '{ print $1, $2, $1 / $2 }' >>"$folder/pairs"
    done
    printf '%-44s %8.3f %8.3f  %5.2f  (%.2f … %.2f)\n' "$1" "$(column "$folder/pairs" 1 median)" \
        "$(column "$folder/pairs" 2 median)" "$(column "$folder/pairs" 3 median)" \
        "$(column "$folder/pairs" 3 least)" "$(column "$folder/pairs" 3 most)"
}

traffic() { # MACHINE WARMUP MEASURE DRAIN
    echo "traffic --machine $1 --routing minimal --pattern uniform --load 0.3 --threads 1 --quiet" \
        "--set traffic.warmup=$2 --set traffic.measure=$3 --set traffic.drain=$4"
}
for which in old new; do
    eval "program=\$$which"
    # shellcheck disable=SC2154 # set by eval
    "$program" generate halo3d --ranks 1024 --iterations 40 --size 8KiB --quiet --output "$folder/$which.anax"
done
printf '%-44s %8s %8s  %5s\n' "user time in s" old new ratio
compare "kim-1k-paper, uniform 0.3, minimal" "$(traffic kim-1k-paper 4us 8us 4us)" \
    "$(traffic kim-1k-paper 0 1ps 0)"
compare "dragonfly-262k, uniform 0.3, minimal" "$(traffic dragonfly-262k 1us 1us 0)" \
    "$(traffic dragonfly-262k 0 1ps 0)"
compare "halo3d, 1024 ranks, 8 KiB, kim-1k, block" \
    "replay TRACE --machine kim-1k --placement block --threads 1 --quiet" "info TRACE --threads 1 --quiet"
