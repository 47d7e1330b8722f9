#!/bin/sh
# Several processes started together by the mpirun of Open MPI and of MPICH: the same results as of one
# process, printed once. Skipped for a library that is not installed.
# shellcheck source=tests/support/command.sh
. "$ANAX_SOURCE/tests/support/command.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# together COUNT ARGUMENTS: runs anax in so many processes; mpirun's own words go to err, too.
together() {
    count=$1
    shift
    timeout -s KILL 120 "$mpirun" -n "$count" "$ANAX" "$@" >out 2>err </dev/null
    code=$?
    last="$mpirun -n $count anax $*"
}

digest_of() { sed -n 's/^ *digest *//p' "$1"; }

# ------------------------------------------------------------------------------ without an mpirun
run_ok --version
expect "which libraries there are" grep -q '^runs on several processes of: ' out
if command -v ldd >/dev/null; then
    ldd "$ANAX" >out
    expect "no MPI in the program itself" holds_not out libmpi
fi

(
    export SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2
    run traffic -m kim-72 --load 0.1
    expect "srun without PMI is refused" [ "$code" -eq 2 ]
    expect "and says what to do" holds err "srun --mpi=pmix"
    run list machines
    expect "what does not simulate runs all the same" [ "$code" -eq 0 ]
    ANAX_MPI=none run traffic -m kim-72 --load 0.1
    expect "each process for itself, if wanted" [ "$code" -eq 0 ]
    SLURM_PROCID=1 run list machines
    expect "the second process" [ "$code" -eq 0 ]
    expect "is silent" empty out
    exit "$failures"
) || failures=$((failures + 1))

# A program without plug-ins beside it, unless one is installed.
cp "$ANAX" lonely
ANAX_OWN=$ANAX ANAX=$work/lonely
(
    export OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2
    run traffic -m kim-72 --load 0.1
    if holds err "no support for Open MPI"; then
        expect "a program without support says so" [ "$code" -eq 2 ]
        expect "and prints no result" empty out
    fi
    exit "$failures"
) || failures=$((failures + 1))
ANAX=$ANAX_OWN

# ------------------------------------------------------------------------------ with each mpirun
tried=0
check_library() {
    run_ok traffic -m kim-72 --load 0.3 --threads 1
    digest_of out >one
    for processes in 2 3; do
        for threads in 1 2; do
            together "$processes" traffic -m kim-72 --load 0.3 --threads "$threads"
            expect "exit code 0" [ "$code" -eq 0 ]
            digest_of out >several
            expect "one digest, that of one process" cmp -s one several
        done
    done
    together 2 list machines
    expect "exit code 0" [ "$code" -eq 0 ]
    "$ANAX" list machines >one
    expect "the list once" cmp -s one out
    together 2 traffic -m kim-72 --load 2
    expect "an error of all processes" [ "$code" -eq 2 ]
    expect "is said once" [ "$(grep -c '^anax: ' err)" -eq 1 ]
    together 2 traffic --wrong
    expect "wrong usage" [ "$code" -eq 2 ]
    expect "is said once" [ "$(grep -c 'there is no option' err)" -eq 1 ]
    together 2 compare examples/halo -m kim-72 --routing minimal,valiant
    expect "a command for one process" [ "$code" -eq 2 ]
    expect "says so" holds err "this command runs in one process"
}

for library in openmpi mpich; do
    mpirun=mpirun.$library
    command -v "$mpirun" >/dev/null || continue
    [ -e "$ANAX_BINARY/plugins/anax_mpi_$library.so" ] || continue
    tried=$((tried + 1))
    check_library
done
if [ "$tried" -eq 0 ] && [ "$failures" -eq 0 ]; then echo "skipped: no mpirun whose plug-in was built"; fi
finish
