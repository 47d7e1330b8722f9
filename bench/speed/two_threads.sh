#!/bin/sh
# How much two threads, and two processes, do against two independent programs with one thread each.
#
#     bench/speed/two_threads.sh [ANAX [RUNS]]      the anax to run (build/anax), and how often (5)
#
# In turn: two programs with one thread at the same time, one program with two threads, and two processes
# with one thread each under mpirun (the variable MPIRUN names another one). A rate is events over the
# elapsed time of the simulation. A ratio is the rate with two threads or processes over the sum of the
# rates of the two programs. All share the computer with whatever else runs on it, so the ratio means
# something where plain rates do not. The last column is the rate of the automatic choice (no --threads)
# over that of one thread, each alone, in turn.
set -eu
anax=${1:-build/anax}
runs=${2:-5}
mpirun=$(command -v "${MPIRUN:-mpirun}" || true)
case $("$anax" --version) in *'Open MPI'* | *MPICH*) ;; *) mpirun= ;; esac
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # the same for Open MPI 5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The rate of a result: events over seconds.
rate() {
    awk -F'[:,]' '/"simulation"/ { inside = 1 }
        inside && /"events"/ { events = $2 }
        inside && /"wall_s"/ { seconds = $2 }
        END { print events / seconds }' "$1"
}
over() { # FILE FILE...: the rate of the first over the sum of the rates of the others
    for result in "$@"; do rate "$result"; done |
        awk 'NR == 1 { rate = $1 } NR > 1 { sum += $1 } END { print rate / sum }'
}
median() { sort -n | awk '{ value[NR] = $1 } END { if (NR) printf "%.2f", value[int((NR + 1) / 2)]; else printf "-" }'; }

measure() { # NAME ARGUMENTS
    name=$1
    shift
    rm -f "$work"/*.ratios
    for _ in $(seq "$runs"); do
        "$anax" "$@" -q --json --threads 1 >"$work/first" &
        "$anax" "$@" -q --json --threads 1 >"$work/second"
        wait
        "$anax" "$@" -q --json --threads 2 >"$work/both"
        over "$work/both" "$work/first" "$work/second" >>"$work/threads.ratios"
        if [ -n "$mpirun" ]; then
            "$mpirun" -n 2 "$anax" "$@" -q --json --threads 1 >"$work/processes"
            over "$work/processes" "$work/first" "$work/second" >>"$work/processes.ratios"
        fi
        "$anax" "$@" -q --json --threads 1 >"$work/one"
        "$anax" "$@" -q --json >"$work/chosen"
        over "$work/chosen" "$work/one" >>"$work/chosen.ratios"
    done
    : >>"$work/processes.ratios"
    printf '%-44s %9s  %11s  %9s\n' "$name" "$(median <"$work/threads.ratios")" \
        "$(median <"$work/processes.ratios")" "$(median <"$work/chosen.ratios")"
}

"$anax" generate halo3d --ranks 1024 --iterations 5 -q -o "$work/halo.anax"
printf '%-44s %9s  %11s  %9s\n' "" "2 threads" "2 processes" "automatic"
measure "traffic: kim-1k-paper, uniform 0.3, minimal" traffic --machine kim-1k-paper \
    --routing minimal --load 0.3 --set traffic.warmup=2us --set traffic.measure=2us
measure "traffic: dragonfly-262k, uniform 0.3, minimal" traffic --machine dragonfly-262k \
    --routing minimal --load 0.3 --set traffic.warmup=1us --set traffic.measure=1us \
    --set traffic.drain=0
measure "replay: halo3d, 1024 ranks, kim-1k, block" replay "$work/halo.anax" --machine kim-1k \
    --placement block
