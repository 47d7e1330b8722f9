#!/bin/sh
# Several processes started together by the mpirun of Open MPI and of MPICH: the same results as of one
# process, printed once. Here three processes and more send to each other after a reduction, as without
# ANAX_TEST_DIRECT_PROCESSES more than 32 do, except where programs are divided. The same by the srun of Slurm. Skipped for a library that is
# not installed.
# shellcheck source=tests/support/script/command.sh
. "$ANAX_SOURCE/tests/support/script/command.sh"
# The MPI libraries leave memory to the end of the process, which the address sanitizer reports.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
export ANAX_TEST_DIRECT_PROCESSES=2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # the same for Open MPI 5

# The limit ends what hangs. It is far above what any of these runs takes: with twelve other busy programs on two
# processors, a run with three processes took more than two minutes.
limit_s=1200

# together COUNT ARGUMENTS: runs anax in so many processes; mpirun's own words go to err, too.
together() {
    count=$1
    shift
    last="$mpirun -n $count anax $*"
    together_once "$@"
    # The launcher of MPICH can be killed by SIGPIPE when its processes end at once, on a busy computer.
    [ "$code" -ne 141 ] || { echo "once more: $last" && together_once "$@"; }
}
together_once() {
    timeout -s KILL "$limit_s" "$mpirun" -n "$count" "$ANAX" "$@" >out 2>err </dev/null
    code=$?
}

digest_of() { sed -n 's/^ *digest *//p' "$1"; }

# ------------------------------------------------------------------------------ without an mpirun
run_ok --version
expect "which libraries there are" grep -q '^runs on several processes of: ' out
if has_program ldd; then
    ldd "$ANAX" >out
    expect "no MPI in the program itself" holds_not out libmpi
fi

(
    export SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2
    run traffic -m kim-72 --load 0.1
    expect "srun without PMI is refused" [ "$code" -eq 2 ]
    expect "the error says what to do" holds err "srun --mpi=pmix"
    run list machines
    expect "what does not simulate runs all the same" [ "$code" -eq 0 ]
    ANAX_MPI=none run traffic -m kim-72 --load 0.1
    expect "each process for itself, if wanted" [ "$code" -eq 0 ]
    SLURM_PROCID=1 run list machines
    expect "the second process ends with exit code 0" [ "$code" -eq 0 ]
    expect "the second process prints nothing" empty out
    short="--set traffic.warmup=1us --set traffic.measure=1us"
    # shellcheck disable=SC2086 # words
    SLURM_PROCID=1 run traffic -m kim-72 --loads 0.1,0.2 $short --points kept --part 2/2
    expect "a part of its own" [ "$code" -eq 0 ]
    expect "says what it did" holds out "part 2 of 2: 1 of 2 points"
    run compare examples/gromacs -m kim-72 -p random --seeds 2 --points kept --part=1/2
    expect "a part of a comparison" holds out "part 1 of 2: 1 of 2 points"
    run traffic -m kim-72 --load 0.1 --points kept
    expect "points alone are refused" [ "$code" -eq 2 ]
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
        expect "a failed run prints no result" empty out
    fi
    exit "$failures"
) || failures=$((failures + 1))
ANAX=$ANAX_OWN

# Too little address space for MPI libraries, which would hang or crash.
if [ "$ANAX_PLAIN_OBJECTS" = 1 ]; then
    (
        export OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2
        # shellcheck disable=SC3045 # dash, bash and busybox have it
        ulimit -v 180000
        run traffic -m kim-72 --load 0.1
        expect "a small address space is refused" [ "$code" -eq 2 ]
        expect "the error names the limit of memory" holds err "limited to 175 MiB (ulimit -v)"
        exit "$failures"
    ) || failures=$((failures + 1))
fi

# Before they have joined, nobody else can print the error of a process.
(
    export OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 ANAX_MPI=bogus
    run traffic -m kim-72 --load 0.1
    expect "a process that cannot join" [ "$code" -eq 2 ]
    expect "says so, with its number and host" holds err "anax: process 1 on $(uname -n): ANAX_MPI=bogus: there is no such MPI library"
    unset ANAX_MPI OMPI_COMM_WORLD_RANK
    export SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2
    run traffic -m kim-72 --load 0.1
    expect "where all fail in the same way, process 0 alone says so" empty err
    exit "$failures"
) || failures=$((failures + 1))

# A process without memory for an exchange, which cannot tell the others: here the exchange of its plug-in fails.
if [ "$ANAX_PLAIN_OBJECTS" = 1 ] && has_program "$ANAX_COMPILER"; then
    cat >broken.c <<'END'
#include "core/processes/processes_plugin.h"
#include <unistd.h>
static int begin(unsigned *number, unsigned *count, unsigned *local, char *error, size_t error_bytes) {
    (void)error, (void)error_bytes;
    *number = 1;
    *count = *local = 2;
    return 0;
}
static int exchange(const struct processes_block *sent, struct processes_block *received, int is_patient) {
    (void)sent, (void)received, (void)is_patient;
    return PROCESSES_NO_MEMORY;
}
static void end(void) {}
static void end_all(int exit_code) { _exit(40 + exit_code); }
static const struct processes_plugin plugin = {.version = PROCESSES_PLUGIN_VERSION, .begin = begin,
    .exchange = exchange, .end = end, .end_all = end_all};
const struct processes_plugin *anax_processes_plugin(void);
const struct processes_plugin *anax_processes_plugin(void) { return &plugin; }
END
    mkdir broken
    last="$ANAX_COMPILER -shared broken.c" code=0
    expect "a plug-in is compiled" "$ANAX_COMPILER" -shared -fPIC -I"$ANAX_SOURCE" broken.c -o broken/anax_mpi_openmpi.so
    (
        export OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 ANAX_PLUGINS="$PWD/broken"
        run traffic -m kim-72 --load 0.1
        expect "it ends all processes" [ "$code" -eq 41 ]
        expect "the error says why, once" [ "$(grep -c '^anax: process 1 on .*: out of memory for what processes send to each other' err)" -eq 1 ]
        expect "no other process than 0 prints a result" empty out
        exit "$failures"
    ) || failures=$((failures + 1))
fi

# Waits until so many processes simulate, which is when they write the loads of windows, or until the run has ended, which
# `timeout` sees to.
await_processes() { # COUNT PROCESS: that of the run
    until [ "$(find . -maxdepth 1 -name 'loads.*' -size +0 | wc -l)" -ge "$1" ] || ! kill -0 "$2" 2>/dev/null; do
        sleep 0.1
    done
}

# ------------------------------------------------------------------------------ with each mpirun
# Compares two archives, apart from their anchor files, which have a random number.
same_archive() {
    expect "several processes write the same definitions" cmp -s "$1/traces.def" "$2/traces.def"
    expect "several processes write the same events" diff -rq "$1/traces" "$2/traces"
    expect "the archive has nothing but its own files" [ "$(ls "$2" | tr '\n' ' ')" = "traces traces.def traces.otf2 " ]
    "$ANAX" info "$2" >info 2>&1
    expect "an archive that can be read" holds info ranks
}
# Process 1 has no room for its copy of the program that process 0 makes.
no_room() {
    echo "trap '' XFSZ; [ \"\$OMPI_COMM_WORLD_RANK\" != 1 ] || ulimit -f 8
exec '$ANAX' replay halo.anax -m kim-72 --from 'iteration#2' --set trace.memory=64KiB" >no_room.sh
    timeout -k 10 "$limit_s" "$mpirun" -n 3 sh no_room.sh >out 2>err </dev/null
    code=$? last="mpirun.$library -n 3, process 1 may write 4 KiB"
    expect "no room ends all processes" [ "$code" -eq 1 ]
    expect "because of the temporary file" holds err "cannot write the temporary file of a trace: File too large"
    expect "the error says to set trace.memory_folder" holds err "set trace.memory_folder to a folder with room"
    expect "no digest is printed" holds_not out digest
}
# One process cannot join: all end, and it says why.
cannot_join() {
    echo "[ \"\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}\" != 1 ] || export ANAX_MPI=bogus
exec '$ANAX' traffic -m kim-72 --load 0.1" >apart.sh
    timeout -k 10 "$limit_s" "$mpirun" -n 3 sh apart.sh >out 2>err </dev/null
    code=$? last="mpirun.$library -n 3, process 1 with another ANAX_MPI"
    expect_code 2
    expect "one process says why it cannot join" [ "$(grep -c 'anax: process 1 on .*: ANAX_MPI=bogus' err)" -eq 1 ]
}
# The command line of one process is wrong: all end, and process 0 says why, once.
one_wrong() { # PROCESS
    echo "[ \"\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}\" = $1 ] || exec '$ANAX' traffic -m kim-72 --load 0.1
exec '$ANAX' traffic -m kim-72 --bogus" >apart.sh
    timeout -k 10 "$limit_s" "$mpirun" -n 3 sh apart.sh >out 2>err </dev/null
    code=$? last="mpirun.$library -n 3, process $1 with --bogus"
    expect_code 2
    expect "the wrong option is named once" [ "$(grep -c 'there is no option --bogus' err)" -eq 1 ]
    expect "no digest is printed" holds_not out digest
}
tried=0
check_library() {
    run_ok traffic -m kim-72 --load 0.3 --threads 1
    digest_of out >one
    together 2 traffic -m kim-72 --load 0.3 --threads 2
    expect_code 0
    digest_of out >many
    expect "one digest, that of one process" cmp -s one many
    # A replay with its tables and timeline, all of which come from process 0.
    rm -rf alone several
    run_ok replay halo.anax -m kim-72 --placement random -o alone --threads 1 --time-bins 32 \
        --matrix node --links 0-1,16-17,n40-20 --path-steps all
    digest_of out >one
    together 3 replay halo.anax -m kim-72 --placement random -o several --threads 1 --time-bins 32 \
        --matrix node --links 0-1,16-17,n40-20 --path-steps all
    expect_code 0
    digest_of out >many
    expect "one digest, that of one process" cmp -s one many
    for table in ranks calls links groups rank_bins state_bins channel_bins matrix link_flows \
        link_waits critical_path_parts critical_path_channels critical_path_steps sensitivity; do
        expect "several processes write the same $table.csv" cmp -s "alone/$table.csv" "several/$table.csv"
    done
    rm -rf alone several
    run_ok replay halo.anax -m kim-72 --placement random -o alone --links victim:3
    together 3 replay halo.anax -m kim-72 --placement random -o several --links victim:3
    expect "several processes watch the same links of a victim" cmp -s alone/link_flows.csv several/link_flows.csv
    # An archive, which the processes read together.
    run_ok replay "$archive" -m kim-72 --threads 1 --json
    cp out alone.json
    together 3 replay "$archive" -m kim-72 --threads 1 --json
    cp out several.json
    expect_code 0
    for key in hash digest events; do
        grep "\"$key\"" alone.json >one
        grep "\"$key\"" several.json >many
        expect "several processes give the same $key" cmp -s one many
    done
    export ANAX_TEST_DIRECT_PROCESSES=32
    # Programs that the processes divide: from a program file, an archive, and what is made of them.
    for options in "divided.anax --timeline timeline" "divided.anax --explain --placement greedy" \
        "divided.anax --set mpi.eager_threshold=auto --set trace.user_regions=on" \
        "$archive --timeline timeline" "divided.anax halo.anax --placement random --explain" \
        "halo.anax --from iteration#2 --explain" \
        "halo.anax --perfetto perfetto --set trace.user_regions=on" \
        "divided.anax --placement block --perfetto perfetto"; do
        rm -rf alone several timeline perfetto
        run_ok replay -m kim-72 $options -o alone
        rm -rf timeline_alone
        rm -f perfetto_alone
        [ ! -e timeline ] || mv timeline timeline_alone
        [ ! -e perfetto ] || mv perfetto perfetto_alone
        together 3 replay -m kim-72 $options -o several --set trace.memory=64KiB
        expect_code 0
        for table in alone/*.csv; do
            expect "several processes write the same ${table#alone/}" cmp -s "$table" "several/${table#alone/}"
        done
        [ ! -e timeline_alone ] || same_archive timeline_alone timeline
        [ ! -e perfetto_alone ] || expect "several processes write the same trace for Perfetto" cmp perfetto_alone perfetto
    done
    [ -e schedule.goal ] || run_ok export halo.anax --format goal -o schedule.goal
    # A schedule in GOAL, of which each process has all, beside a program that they divide.
    run_ok replay schedule.goal divided.anax -m kim-72
    digest_of out >one
    together 3 replay schedule.goal divided.anax -m kim-72 --set trace.memory=64KiB
    digest_of out >many
    expect "one digest of both kinds of jobs" cmp -s one many
    # MPICH itself needs larger files.
    [ "$library" != openmpi ] || no_room
    # A placement that process 0 alone finds, and does not find.
    together 3 replay halo.anax -m kim-72 --placement greedy --set placement.occupied=80% --set trace.memory=64KiB
    expect "an error of process 0" [ "$code" -eq 2 ]
    expect "one process prints the error" [ "$(grep -c '^anax: ' err)" -eq 1 ]
    export ANAX_TEST_DIRECT_PROCESSES=2
    # Windows that groups of ranks synchronise.
    rm -rf timeline timeline_alone
    run_ok replay "$ANAX_SOURCE/tests/data/otf2/sp_rma_8" -m kim-72 --placement random --timeline timeline_alone
    together 2 replay "$ANAX_SOURCE/tests/data/otf2/sp_rma_8" -m kim-72 --placement random --timeline timeline
    same_archive timeline_alone timeline
    together 2 replay halo.anax -m kim-72 --timeline timeline
    expect "a folder that exists is refused" [ "$code" -eq 2 ]
    together 3 replay damaged -m kim-72
    expect "a damaged archive is refused" [ "$code" -eq 2 ]
    expect "for its lowest damaged rank, once" [ "$(grep -c 'rank 2,' err)" -eq 1 ]
    expect "the error names no other rank" holds_not err "rank 6"
    # Processes that do not run the same: another trace, another policy.
    for other in "$PWD/halo.anax" "par.anax -r par"; do
        echo "[ \"\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}\" = 1 ] || exec '$ANAX' replay par.anax -m kim-72; exec '$ANAX' replay $other -m kim-72" >differ.sh
        timeout -k 10 "$limit_s" "$mpirun" -n 2 sh differ.sh >out 2>err </dev/null
        code=$? last="mpirun.$library -n 2, process 1 replays $other"
        expect_code 2
        expect "because it is not the same" holds err "process 1 has another trace, placement, setting or build"
        expect "no digest is printed" holds_not out digest
    done
    cannot_join
    one_wrong 0
    one_wrong 2
    expect "process 2 is named" holds err "anax: process 2: traffic: there is no option --bogus"
    killed_process 2
    # The others notice it themselves where the launcher does not end them.
    case $library in
        openmpi) killed_process 3 --mca orte_abort_on_non_zero_status 0 ;;
        mpich) killed_process 3 -disable-auto-cleanup ;;
    esac
    together 5 traffic -m kim-72 --load 0.3 --threads 1
    digest_of out >many
    run_ok traffic -m kim-72 --load 0.3 --threads 1
    digest_of out >one
    expect "one digest of five processes, and of one" cmp -s one many
    together 2 list machines
    expect_code 0
    "$ANAX" list machines >one # mpirun may give processes a terminal, at which texts are wrapped
    grep -o '^[a-z][^ ]*' one >names
    expect "one process prints the list" sh -c "grep -o '^[a-z][^ ]*' out | cmp -s names -"
    together 2 traffic -m kim-72 --load 2
    expect "an error of all processes" [ "$code" -eq 2 ]
    expect "one process prints the error" [ "$(grep -c '^anax: ' err)" -eq 1 ]
    together 2 traffic --wrong
    expect_code 2
    expect "one process prints the error about the option" [ "$(grep -c 'there is no option' err)" -eq 1 ]
    together 2 compare examples/halo -m kim-72 --routing minimal,valiant
    expect "a command for one process" [ "$code" -eq 2 ]
    expect_in err "this command runs in one process"
}

# One of the processes is killed while they simulate: all end, and nothing was written.
killed_process() { # PROCESSES OPTIONS OF mpirun
    processes=$1
    shift
    rm -rf pid.* loads.* tables
    # A process that is killed while it writes its counts of executed lines damages them: elsewhere.
    # shellcheck disable=SC2016 # of the inner shell
    GCOV_PREFIX=$work timeout -k 10 "$limit_s" "$mpirun" "$@" -n "$processes" sh -c 'echo $$ >pid.$$; ANAX_TEST_LOADS=loads.$$ exec "$0" "$@"' "$ANAX" traffic -m kim-1k \
        --load 0.3 --set traffic.measure=10ms -o tables >out 2>err </dev/null &
    waited=$!
    last="$mpirun $* -n $processes anax traffic, one process killed"
    await_processes "$processes" "$waited"
    # shellcheck disable=SC2012 # names without blanks
    kill -KILL "$(ls pid.* | head -1 | sed 's/pid.//')"
    wait $waited
    code=$?
    expect "all processes end with an error" [ "$code" -ne 0 ]
    expect "no process was ended by the limit of time" [ "$code" -ne 124 ]
    expect_not_in out digest
    expect "a failed run leaves no tables" [ ! -e tables ]
    for name in pid.*; do
        process=${name#pid.}
        for _ in $(seq 100); do
            kill -0 "$process" 2>/dev/null || break
            sleep 0.1
        done
        expect "no process is left" sh -c "! kill -0 $process"
    done
}

run_ok generate halo3d --ranks 40 --iterations 3 --size 20KiB -o halo.anax
run_ok convert "$ANAX_SOURCE/tests/data/otf2/sp_colls_8" -o divided.anax --set trace.user_regions=on
run_ok generate halo3d --ranks 40 --iterations 2 --size 20KiB -o par.anax
archive=$ANAX_SOURCE/tests/data/otf2/sp_order_8
cp -r "$archive" damaged
for rank in 2 6; do
    head -c 100 "$archive/traces/$rank.evt" >"damaged/traces/$rank.evt"
done
for library in openmpi mpich; do
    mpirun=mpirun.$library
    command -v "$mpirun" >/dev/null || continue
    [ -e "$ANAX_BINARY/plugins/anax_mpi_$library.so" ] || continue
    [ "$ANAX_COVERAGE$tried" != ON1 ] || continue # a second library executes no other line of anax
    tried=$((tried + 1))
    check_library
done

# ------------------------------------------------------------------------------ with srun
# srun does not end a step because one of its processes was killed, unless its plug-in for MPI does.
check_srun() { # PLUG-IN
    run_ok traffic -m kim-72 --load 0.3 --threads 1
    digest_of out >one
    timeout -k 10 "$limit_s" srun --mpi="$1" -n 2 "$ANAX" traffic -m kim-72 --load 0.3 --threads 1 >out 2>err </dev/null
    code=$? last="srun --mpi=$1 -n 2 anax traffic"
    expect_code 0
    digest_of out >many
    expect "one digest, that of one process" cmp -s one many
    rm -rf pid.* loads.*
    # shellcheck disable=SC2016 # of the inner shell
    timeout -k 10 "$limit_s" srun --mpi="$1" -n 2 sh -c 'echo $$ >pid.$SLURM_PROCID; ANAX_TEST_LOADS=loads.$SLURM_PROCID exec "$0" "$@"' "$ANAX" \
        traffic -m kim-72 --load 0.1 --threads 1 --set traffic.measure=1s -o tables >out 2>err </dev/null &
    waited=$!
    last="srun --mpi=$1 -n 2 anax traffic, one process killed"
    await_processes 2 "$waited"
    kill -KILL "$(cat pid.1)"
    wait $waited
    code=$?
    expect "all processes end with an error" [ "$code" -ne 0 ]
    expect "no process was ended by the limit of time" [ "$code" -ne 124 ]
    expect "a failed run prints no result" empty out
    expect "a failed run leaves no tables" [ ! -e tables ]
    [ "$1" != pmi2 ] || expect "process 0 says why" holds err "another process of this run has ended"
}
. "$ANAX_SOURCE/tests/support/script/slurm.sh"
if [ "$tried" -gt 0 ] && [ "$ANAX_COVERAGE" != ON ] && slurm_start; then
    # shellcheck disable=SC2016 # of the inner shell
    srun -n 2 sh -c 'exec "$0" "$@" --part $((SLURM_PROCID + 1))/$SLURM_NTASKS' "$ANAX" traffic -m kim-72 --loads 0.1,0.3 \
        --set traffic.measure=1us --points parts >out 2>err </dev/null
    code=$? last="srun -n 2 anax traffic --part"
    expect "each process of srun ran its part" [ "$(grep -c '^part [12] of 2: 1 of 2 points' out)" -eq 2 ]
    for row in pmix/openmpi pmi2/mpich; do
        [ -e "$ANAX_BINARY/plugins/anax_mpi_${row#*/}.so" ] || continue
        srun --mpi=list 2>&1 | grep -q "${row%/*}" || continue
        check_srun "${row%/*}"
    done
    slurm_stop
fi
if [ "$tried" -eq 0 ] && [ "$failures" -eq 0 ]; then echo "skipped: no mpirun whose plug-in was built"; fi
finish
