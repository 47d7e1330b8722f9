#!/bin/sh
# How many times as fast as one core many cores can be: runs six workloads with one thread, records the events
# of every group in each window, and replays these loads on 8 to 1,024 cores (window_bounds.awk).
#
#   bench/speed/window_bounds.sh ANAX [VARIABLE=VALUE ...]
#
# Variables of the model (docs/scaling.md): event_ns, first_ns and level_ns.
set -eu
anax=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk_variables=
for pair in "$@"; do awk_variables="$awk_variables -v $pair"; done

bounds() { # TITLE ARGUMENTS
    title=$1
    shift
    echo "$title"
    ANAX_TEST_LOADS="$work/loads" "$anax" "$@" --threads 1 -q >"$work/result"
    # shellcheck disable=SC2086 # words are options
    awk $awk_variables -f "$here/window_bounds.awk" "$work/loads"
}

# shellcheck disable=SC2086 # words are options
{
    times="--set traffic.warmup=1us --set traffic.measure=1us --set traffic.drain=1us"
    "$anax" generate halo3d --ranks 1024 --iterations 2 -o "$work/1024.anax" -q
    "$anax" generate halo3d --ranks 4096 --iterations 2 -o "$work/4096.anax" -q
    "$anax" generate alltoall --ranks 256 --iterations 1 --size 2KiB -o "$work/alltoall.anax" -q
    bounds "traffic, kim-1k-paper, uniform 0.3, minimal" \
        traffic -m kim-1k-paper --load 0.3 --routing minimal $times
    bounds "traffic, slingshot, uniform 0.3, ugal-l" \
        traffic -m slingshot --load 0.3 --routing ugal-l $times
    bounds "halo3d, 1,024 ranks, kim-1k, block placement" \
        replay "$work/1024.anax" -m kim-1k --placement block
    bounds "halo3d, 4,096 ranks, slingshot, block placement" \
        replay "$work/4096.anax" -m slingshot --placement block
    bounds "halo3d, 4,096 ranks, slingshot, random placement" \
        replay "$work/4096.anax" -m slingshot --placement random
    bounds "alltoall, 256 ranks, kim-1k, random placement" \
        replay "$work/alltoall.anax" -m kim-1k --placement random
}
