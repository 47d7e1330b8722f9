#!/bin/sh
# `anax extrapolate` of recordings with Cartesian topologies (tests/record/cartesian.c): the new
# program has the messages, collectives and topologies of a recording of as many ranks. With Open MPI
# and MPICH; skipped for a library that is not installed.
# shellcheck source=tests/support/script/command.sh
. "$ANAX_SOURCE/tests/support/script/command.sh"
# The MPI libraries leave memory to the end of the process, which the address sanitizer reports.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0:verify_asan_link_order=0"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1

# record RANKS ARGUMENTS: records the program into RANKS.anax. Once more if it hangs.
record() {
    ranks=$1
    shift
    for attempt in 1 2; do
        rm -rf "$ranks.anax" "$ranks.anax.recording"
        timeout -s KILL 100 "$mpirun" -n "$ranks" "$ANAX" record -q -o "$ranks.anax" ./cartesian "$@" >out 2>err
        code=$?
        last="anax record of ./cartesian $* on $ranks ranks with $mpirun, attempt $attempt"
        [ "$code" -eq 137 ] || break
    done
    expect_code 0
}

# messages FILE: which messages a program has, those of collectives as well, in the order of each rank.
messages() {
    rm -f schedule.goal
    run_ok export "$1" --format goal -o schedule.goal
    sed -n -e '/^rank/p' -e 's/^.*: \(send .*\|recv .*\)$/\1/p' schedule.goal
}

# The communicators and topologies of a program.
topologies() {
    run_ok info "$1" --json
    grep -e '"communicators":' -e '"messages":' -e '"message_bytes":' out
    sed -n '/"collectives":{/,/^  }/p' out
    sed -n '/"topologies":\[/,/^  \]/p' out
}

# compare DIMENSIONS PERIODS EXCHANGES RANKS...: the last number of ranks is that of the new program.
# shellcheck disable=SC2086 # the exchanges are several words
compare() {
    dimensions=$1 periods=$2 exchanges=$3 series=
    shift 3
    for target in "$@"; do
        record "$target" "$dimensions" "$periods" $exchanges
    done
    for ranks in "$@"; do
        [ "$ranks" = "$target" ] || series="$series $ranks.anax"
    done
    run_ok extrapolate $series --ranks "$target" --approximate --force -o made.anax
    messages "$target.anax" >recorded_messages
    messages made.anax >made_messages
    topologies "$target.anax" >recorded_topologies
    topologies made.anax >made_topologies
    last="anax extrapolate of $exchanges on $dimensions ($periods) with $mpirun"
    expect "there are messages" [ "$(grep -c send recorded_messages)" -gt 10 ]
    expect "there are topologies" grep -q '"dimensions"' recorded_topologies
    expect "the messages are those of the recording" cmp recorded_messages made_messages
    expect "the topologies are those of the recording" cmp recorded_topologies made_topologies
}

check_library() {
    mpirun=mpirun.$1
    if ! command -v "mpicc.$1" "$mpirun" >/dev/null || [ ! -e "$plugins/anax_record_$1.so" ]; then
        return 0
    fi
    tried=$((tried + 1))
    last="mpicc.$1 cartesian.c"
    "mpicc.$1" -O1 -w "$ANAX_SOURCE/tests/record/cartesian.c" -o cartesian >out 2>err
    code=$?
    expect_code 0
    # 12 ranks are 2 x 6 and not 4 x 3. Pairs along the first dimension have no second neighbour.
    compare 2x0 01 "shift persistent lines" 6 8 10 12
    compare 0x0 00 "neighbours graph" 6 9 12 16
    compare 2x2x0 100 "lines neighbours shift" 8 12 16 20
}

plugins=$(dirname "$ANAX")/plugins tried=0
check_library openmpi
check_library mpich
[ "$tried" -eq 0 ] && [ "$failures" -eq 0 ] && echo "skipped: no mpirun is installed"
finish
