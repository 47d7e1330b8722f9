#!/bin/sh
# bench/checks/digest_matrix.sh BUILD [POLICY...]: every routing policy (or those that are named) with traffic,
# replays, several jobs and one-sided operations, on 1, 2, 3 and 5 threads in each of 1, 2 and 3 processes,
# with groups dealt to threads in each way. Digest, events, windows and, in replays, the ranks' times are
# those of one thread. Processes are started by the mpirun of Open MPI and of MPICH in turn, as far as they
# are installed, with and without a reduction before they send to each other. It takes about an hour, and is
# no part of the tests. Exits with 1 if anything differs.
#
# BUILD may be a build with the thread sanitizer (the preset tsan): a race that it finds is a failure. It is
# told to leave out what MPI libraries do, which have not been compiled with it, and UCX not to intercept
# what the sanitizer does.
set -u
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:-build}" && pwd) || exit 2
[ $# -eq 0 ] || shift
anax=$build/anax
[ -x "$anax" ] || { echo "$0: there is no $anax: build first" >&2; exit 2; }
policies=${*:-$("$anax" list routing | awk '/^[a-z]/ { print $1 }')}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # the same for Open MPI 5
export TSAN_OPTIONS="${TSAN_OPTIONS:-ignore_noninstrumented_modules=1}" UCX_MEM_EVENTS=no
launchers=$(for launcher in mpirun.openmpi mpirun.mpich; do
    ! command -v $launcher >/dev/null || echo $launcher
done)
[ -n "$launchers" ] || echo "there is no mpirun: on one process only"
failed=0 runs=0 turn=0

# What must not change: the figures of the run, and what each rank did and when.
figures() {
    sed -n '/^ *"\(digest\|events\|windows\|time_ps\|parallel_limit\)":/p' result | tr -d ' \n'
    [ ! -e tables/ranks.csv ] || cksum <tables/ranks.csv
}

# once PROCESSES ARGUMENTS: one run; its figures on stdout.
once() {
    processes=$1
    shift
    rm -rf tables result
    launch=
    [ "$processes" -eq 1 ] || launch="$launcher -n $processes"
    # shellcheck disable=SC2086 # words are arguments
    timeout -s KILL 300 $launch "$anax" "$@" -q --json -o tables >result 2>why </dev/null || {
        echo "exit code $?: $(head -1 why)"
        return
    }
    figures
}

# same NAME ARGUMENTS: everywhere as on one thread.
same() {
    name=$1
    shift
    unset ANAX_TEST_DEALING
    expected=$(once 1 "$@" --threads 1)
    case $expected in
    *digest*) ;;
    *)
        echo "FAILED: $name: $expected"
        failed=$((failed + 1))
        return
        ;;
    esac
    for processes in 1 2 3; do
        [ "$processes" -eq 1 ] || [ -n "$launchers" ] || continue
        for threads in 1 2 3 5; do
            for dealing in static dynamic random random,delays; do
                # One thread is dealt all groups.
                [ $threads -gt 1 ] || [ $dealing = static ] || continue
                turn=$((turn + 1))
                launcher=$(echo "$launchers" | sed -n "$((turn % $(echo "$launchers" | wc -l) + 1))p")
                export ANAX_TEST_DEALING=$dealing
                # Each second pair of runs with a reduction before processes send to each other.
                export ANAX_TEST_DIRECT_PROCESSES=$((turn / 2 % 2 * 32))
                found=$(once "$processes" "$@" --threads "$threads")
                runs=$((runs + 1))
                [ "$found" = "$expected" ] && continue
                echo "FAILED: $name, $processes processes, $threads threads, $dealing: $found, not $expected"
                failed=$((failed + 1))
            done
        done
    done
}

"$anax" generate halo3d --ranks 27 --iterations 2 --size 20KiB --compute 1us -q -o halo.anax &&
    "$anax" generate alltoall --ranks 24 --iterations 1 --size 2KiB -q -o alltoall.anax &&
    "$anax" convert "$source/tests/data/otf2/sp_rma_8" -q -o remote.anax || exit 1
for policy in $policies; do
    same "traffic, $policy" traffic -m kim-72 -r "$policy" --pattern worst-case --load 0.6 \
        --set traffic.warmup=1us --set traffic.measure=1us --set traffic.drain=1us
    same "halo3d, $policy" replay halo.anax -m kim-72 -r "$policy" -p random
    same "jobs, $policy" replay halo.anax alltoall.anax -m kim-72 -r "$policy" -p random \
        --background uniform --background-load 0.1
    same "one-sided, $policy" replay remote.anax -m kim-72 -r "$policy" -p random
    echo "$policy: $runs runs so far, $failed failed"
done
[ "$failed" -eq 0 ]
