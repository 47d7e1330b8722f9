#!/bin/sh
# The parts of bench/selfcheck.sh that need no MPI: archives from records, the table, and what is said
# where programs are missing.
. "$ANAX_SOURCE/tests/support/script/command.sh"
archive=$ANAX_BINARY/bench/selfcheck_archive
table=$ANAX_SOURCE/bench/selfcheck/selfcheck_table.awk
last=selfcheck
code=0 # of what expect tells of

fail() {
    failures=$((failures + 1))
    echo "FAILED: $1"
}

# ---- records: rank 1 computes 3 ms, sends a message, both reduce
record() { # FOLDER
    mkdir "$1"
    cat >"$1/record.0" <<'END'
selfcheck-record 1 rank 0 of 2
communicator 1002 1 0
begin 1000000
enter 2000000 MPI_Irecv
irecv_request 2000100 0
leave 2000200 MPI_Irecv
enter 2000300 MPI_Wait
irecv 4100000 0 1 5 100000 0
leave 4100100 MPI_Wait
enter 5000000 MPI_Allreduce
collective 5001000 ALLREDUCE 1002 -1 8 8 1
leave 5001100 MPI_Allreduce
end 6000000
END
    cat >"$1/record.1" <<'END'
selfcheck-record 1 rank 1 of 2
begin 1000000
enter 4000000 MPI_Isend
isend 4000100 0 0 5 100000 0
leave 4000200 MPI_Isend
enter 4000300 MPI_Wait
isend_complete 4000400 0
leave 4000500 MPI_Wait
enter 5000000 MPI_Allreduce
collective 5001000 ALLREDUCE 1002 -1 8 8 1
leave 5001100 MPI_Allreduce
end 6000000
END
}
record good
"$archive" good made || fail "good records are refused"
run_ok info made/traces.otf2
expect_in out "anax bench/selfcheck.sh"
expect_in out "communicators           3"
expect_in out "messages                1, 97.66 KiB"
run_ok replay made/traces.otf2 --machine kim-72 --ranks-per-node 2 --json
expect_in out '"compute_ps"'
run_ok export made/traces.otf2 --format json
expect "8 bytes of 2 ranks in place are a vector of 8" holds out '"bytes":8,"call":"MPI_Allreduce"'

# ---- damaged records are refused with their line
refuse() { # WHAT, FILE, LINE AND REASON
    rm -rf wrong
    code=0
    "$archive" "$1" wrong 2>errors || code=$?
    [ "$code" -eq 2 ] || fail "$1: exit code $code"
    grep -q "$2" errors || fail "$1: no \`$2\` in: $(cat errors)"
}
damage() { # NAME, SED SCRIPT FOR RECORD 1, REASON
    record "$1"
    sed -i "$2" "$1/record.1"
    refuse "$1" "$3"
}
damage unknown 's/^isend_complete/isend_finished/' "record.1:7: unknown event"
damage backwards 's/^leave 4000200/leave 3999999/' "record.1:5: an event before the one above"
damage short 's/ 100000 0$//' "record.1:4: a word is missing"
damage long 's/^end 6000000/end 6000000 7/' "record.1:12: more words"
damage letters 's/ 100000 / 1e5 /' "record.1:4: no number"
damage rank 's/ 0 0 5 100000 / 0 2 5 100000 /' "record.1:4: a number out of range"
damage operation 's/ALLREDUCE 1002/ALLREDUCES 1002/' "record.1:10: unknown collective"
damage endless '/^end/d' "the record has no end"
damage other 's/of 2/of 3/' "record.1:1: this is the record of another run"
damage stranger '1s/.*/a text/' "record.1:1: this is no record"
record missing
rm missing/record.1
refuse missing "missing/record.1: No such file"

# ---- the table
cat >rows <<'END'
openmpi stencil 2 measured 1.00 0.20
openmpi stencil 2 predicted 1.04 0.24
openmpi stencil 2 measured 9.00 9.00
openmpi stencil 2 predicted 1.03 0.23
openmpi stencil 2 measured 1.02 0.21
openmpi stencil 2 predicted 1.02 0.22
mpich stencil 2 measured 2 1
mpich stencil 2 predicted 1 1
END
awk -f "$table" rows >out || fail "the table of good rows"
expect_in out "| openmpi | stencil | 2 | 3 | 1.02 s | 1.03 s | +1.0 % | 0.21 s | 0.23 s | +9.5 % | within |"
expect_in out "| mpich | stencil | 2 | 1 | 2 s | 1 s | -50.0 % | 1 s | 1 s | +0.0 % | run time off |"
for wrong in "openmpi stencil 2 measured 1.00" "openmpi stencil 2 guessed 1 1" \
    "openmpi stencil 2 measured x 1" "openmpi stencil 2 measured 1 1"; do
    echo "$wrong" >row
    if awk -f "$table" row >out 2>errors; then fail "a wrong row is accepted: $wrong"; fi
    grep -q selfcheck_table errors || fail "no reason for: $wrong"
done

# ---- options, and missing programs
tools=$PWD/tools
mkdir "$tools"
for tool in dirname tr; do ln -s "$(command -v $tool)" "$tools/$tool"; done
shell=$(command -v sh)
refuse_selfcheck() { # REASON, ARGUMENTS...
    reason=$1
    shift
    code=0
    PATH=$tools BUILD=$ANAX_BINARY "$shell" "$ANAX_SOURCE/bench/selfcheck.sh" "$@" >out 2>errors ||
        code=$?
    [ "$code" -eq 2 ] || fail "selfcheck $*: exit $code"
    grep -q -e "$reason" errors || fail "selfcheck $*: no \`$reason\` in: $(cat errors)"
}
refuse_selfcheck "unknown option --mpy" --mpy openmpi
refuse_selfcheck "is none of openmpi mpich" --mpi intel
refuse_selfcheck "is no number from 1 on" --runs 0
refuse_selfcheck "--command needs the library of the program" --command ./a.out
refuse_selfcheck "mpicc.mpich" --mpi mpich --command ./a.out
refuse_selfcheck "--page needs a value" --page
refuse_selfcheck "mpicc.openmpi (Debian: apt-get install openmpi-bin libopenmpi-dev)"
refuse_selfcheck "mpirun.mpich (Debian: apt-get install mpich libmpich-dev)" --mpi mpich
refuse_selfcheck "lmp (Debian: apt-get install lammps)" --program lammps
finish
