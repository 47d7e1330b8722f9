#!/bin/sh
# `anax record` and Score-P record the same: tests/plugins/record/recorded.c makes the calls of archives that Score-P wrote
# from the same patterns. Each rank has the same messages, bytes and collectives in the same order. The archives are
# those of tests/data/otf2, and of ../shared/traces/recorded where it is. Skipped where no MPI library is installed.
# shellcheck source=tests/support/script/command.sh
. "$ANAX_SOURCE/tests/support/script/command.sh"
# shellcheck source=tests/support/script/recorder.sh
. "$ANAX_SOURCE/tests/support/script/recorder.sh"
export OMPI_MCA_mpi_yield_when_idle=1 # more ranks than processors

# Writes the messages of each rank in their order, collectives as those of their algorithms. Score-P does not record
# the sizes of MPI_Alltoallw's messages, so that only the number of these calls is compared.
messages_of() { # messages_of TRACE FILE
    run_ok export "$1" --format json
    grep -e '"kind":"send"' -e '"kind":"receive"' -e '"rank":' out | grep -v MPI_Alltoallw |
        sed 's/"label":[0-9]*,//; s/"tag":[0-9]*,//; s/,"requires".*//; s/},*$//' >"$2"
}

# The two messages of MPI_Sendrecv have no order among themselves: all sends, then all receives.
one_side_each() {
    for kind in '"kind":"send"' '"kind":"receive"'; do
        grep -e "$kind" -e '"rank":' "$1"
    done >"$1.sides"
    mv "$1.sides" "$1"
}

totals_of() { # totals_of TRACE FILE
    run_ok info "$1" --json
    sed -n -e '/"messages"/p' -e '/"message_bytes"/p' -e '/"unmatched_/p' -e '/"message_sizes"/,/\]/p' \
        -e '/"collectives"/,/}/p' out | sort >"$2"
}

compare() { # compare PATTERN RANKS
    archive=$ANAX_SOURCE/tests/data/otf2/sp_$1_$2
    [ -e "$archive" ] || archive=$ANAX_SOURCE/../shared/traces/recorded/sp_$1_$2
    [ -e "$archive" ] || return 0
    record run.anax "$2" ./recorded "$1"
    expect_code 0
    messages_of run.anax own
    messages_of "$archive" theirs
    last="$1 on $2 ranks with $mpirun"
    expect "there are messages of $2 ranks" [ "$(grep -c '"rank":' theirs)" -eq "$2" ]
    expect "there are messages" [ "$(grep -c '"kind":"send"' theirs)" -ge 100 ]
    if [ "$1" = sendrecv ]; then
        one_side_each own
        one_side_each theirs
    fi
    diff theirs own >out
    expect "the same messages of calls and collectives, in the same order" cmp theirs own
    totals_of run.anax own
    totals_of "$archive" theirs
    last="totals of $1 on $2 ranks with $mpirun"
    diff theirs own >out
    expect "totals are those of the other recording" cmp theirs own
    compared=$((compared + 1))
}

check_library() {
    compared=0
    compile recorded
    for pattern in halo2d persist order sendrecv modes colls; do
        compare $pattern 8
    done
    for pattern in halo3d sweep nbc; do
        compare $pattern 16
    done
    expect "archives of the project are compared" [ "$compared" -ge 5 ]
}

one_library check_library
finish
