#!/bin/sh
# `anax record` of a real application: the HPC Challenge benchmark of Debian (hpcc), which uses Open MPI. Skipped
# where it is not installed.
# shellcheck source=tests/support/script/command.sh
. "$ANAX_SOURCE/tests/support/script/command.sh"
# shellcheck source=tests/support/script/recorder.sh
. "$ANAX_SOURCE/tests/support/script/recorder.sh"
export OMPI_MCA_mpi_yield_when_idle=1 # more ranks than processors

# A matrix of 96 on 2 x 2 ranks.
write_input() {
    cat >hpccinf.txt <<'END'
HPLinpack benchmark input file
A small run for a test
HPL.out      output file name
8            device out (6=stdout,7=stderr,file)
1            number of problem sizes (N)
96           Ns
1            number of block sizes (NB)
16           NBs
0            process mapping (0=row,1=column)
1            number of process grids (P x Q)
2            Ps
2            Qs
16.0         threshold
1            number of panel factorisations
1            PFACTs
1            number of recursive stopping criteria
4            NBMINs
1            number of panels in the recursion
2            NDIVs
1            number of recursive panel factorisations
1            RFACTs
1            number of broadcasts
1            BCASTs
1            number of lookahead depths
1            DEPTHs
2            SWAP
64           swapping threshold
0            L1 transposed
0            U transposed
1            equilibration
8            memory alignment
END
}

check_hpcc() {
    write_input
    OPENBLAS_NUM_THREADS=1 record run.anax 4 hpcc
    expect_code 0
    expect "the benchmark has passed its own checks" grep -q '^Success=1' hpccoutf.txt
    expect "its residuals are small" [ "$(grep -c 'PASSED' hpccoutf.txt)" -ge 1 ]
    run_ok info run.anax --json
    expect_key out unmatched_sends 0
    expect_key out unmatched_receives 0
    expect_not_in out '"what":"calls with other processes"'
    expect "thousands of messages" [ "$(value out messages)" -ge 10000 ]
    # HPL has communicators of its rows and columns; others are those of the tests of latency.
    expect "communicators are recorded" [ "$(value out communicators)" -ge 10 ]
    for call in ALLTOALL BCAST ALLREDUCE REDUCE BARRIER; do
        expect "$call is recorded" [ "$(value out $call)" -ge 4 ]
    done
    run_ok replay run.anax --machine kim-72 --json
    expect "its replay comes to its end" holds out '"completed":true'
}

if ! command -v hpcc >/dev/null; then
    echo "skipped: hpcc is not installed"
    finish
fi
mpirun=mpirun.openmpi
if [ -e "$plugins/anax_record_openmpi.so" ] && command -v $mpirun >/dev/null; then
    check_hpcc
else
    echo "skipped: there is no recorder for Open MPI, or no mpirun.openmpi"
fi
finish
