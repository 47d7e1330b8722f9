#!/bin/sh
# How much two threads do, against two independent programs with one thread each.
#
#     bench/speed/two_threads.sh [ANAX [RUNS]]      the anax to run (build/anax), and how often (5)
#
# In turn: two programs with one thread at the same time, and one program with two threads. A rate is
# events over the elapsed time of the simulation. The ratio is the rate with two threads over the sum
# of the rates of the two programs. Both share the computer with whatever else runs on it, so the
# ratio means something where plain rates do not. The last column is the rate of the automatic choice
# (no --threads) over that of one thread, each alone, in turn.
set -eu
anax=${1:-build/anax}
runs=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The rate of a result: events over seconds.
rate() {
    awk -F'[:,]' '/"simulation"/ { inside = 1 }
        inside && /"events"/ { events = $2 }
        inside && /"wall_s"/ { seconds = $2 }
        END { print events / seconds }' "$1"
}
median() { sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }

measure() { # NAME ARGUMENTS
    name=$1
    shift
    : >"$work/ratios"
    : >"$work/automatic"
    for _ in $(seq "$runs"); do
        "$anax" "$@" -q --json --threads 1 >"$work/first" &
        "$anax" "$@" -q --json --threads 1 >"$work/second"
        wait
        "$anax" "$@" -q --json --threads 2 >"$work/both"
        echo "$(rate "$work/first") $(rate "$work/second") $(rate "$work/both")" |
            awk '{ print $3 / ($1 + $2) }' >>"$work/ratios"
        "$anax" "$@" -q --json --threads 1 >"$work/one"
        "$anax" "$@" -q --json >"$work/chosen"
        echo "$(rate "$work/chosen") $(rate "$work/one")" | awk '{ print $1 / $2 }' \
            >>"$work/automatic"
    done
    printf '%-44s %6.2f  %6.2f\n' "$name" "$(median <"$work/ratios")" "$(median <"$work/automatic")"
}

"$anax" generate halo3d --ranks 1024 --iterations 5 -q -o "$work/halo.anax"
printf '%-44s %6s  %6s\n' "" "ratio" "automatic"
measure "traffic: kim-1k-paper, uniform 0.3, minimal" traffic --machine kim-1k-paper \
    --routing minimal --load 0.3 --set traffic.warmup=2us --set traffic.measure=2us
measure "traffic: dragonfly-262k, uniform 0.3, minimal" traffic --machine dragonfly-262k \
    --routing minimal --load 0.3 --set traffic.warmup=1us --set traffic.measure=1ps \
    --set traffic.drain=0
measure "replay: halo3d, 1024 ranks, kim-1k, block" replay "$work/halo.anax" --machine kim-1k \
    --placement block
