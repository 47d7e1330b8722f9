#!/bin/sh
# `anax extrapolate` of recordings with Cartesian topologies (tests/plugins/record/cartesian.c): the new
# program has the messages, collectives and topologies of a recording of as many ranks. With Open MPI
# and MPICH; skipped for a library that is not installed.
# shellcheck source=tests/support/script/command.sh
. "$ANAX_SOURCE/tests/support/script/command.sh"
# shellcheck source=tests/support/script/recorder.sh
. "$ANAX_SOURCE/tests/support/script/recorder.sh"
export OMPI_MCA_mpi_yield_when_idle=1 # more ranks than processors

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
        record "$target.anax" "$target" ./cartesian "$dimensions" "$periods" $exchanges
        expect_code 0
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
    compile cartesian
    # 12 ranks are 2 x 6 and not 4 x 3. Pairs along the first dimension have no second neighbour.
    compare 2x0 01 "shift persistent lines" 6 8 10 12
    compare 0x0 00 "neighbours graph" 6 9 12 16
    compare 2x2x0 100 "lines neighbours shift" 8 12 16 20
}

one_library check_library
finish
