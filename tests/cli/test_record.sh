#!/bin/sh
# `anax record` with Open MPI and MPICH: programs whose messages are known (tests/plugins/record/known_messages.c),
# programs that end early, and a full disk. Skipped for a library that is not installed.
# shellcheck source=tests/support/script/command.sh
. "$ANAX_SOURCE/tests/support/script/command.sh"
# shellcheck source=tests/support/script/recorder.sh
. "$ANAX_SOURCE/tests/support/script/recorder.sh"

# ------------------------------------------------------------------------------ without an MPI
without_library() {
    run record true
    expect_code 2
    expect_in err "missing option: -o FILE.anax"
    run record -o out.txt true
    expect_code 2
    expect_in err "the name of a program file ends with .anax: -o out.txt.anax"
    if [ ! -e "$plugins/anax_record.so" ]; then
        run record -o a.anax true
        expect "a build without a recorder says so" holds err "has no recorder"
        return
    fi
    run record -o a.anax true
    expect "a command without MPI" [ "$code" -eq 1 ]
    expect_in err "has called no MPI_Init"
    run record -o a.anax sh -c 'exit 7'
    expect "the exit code of the command" [ "$code" -eq 7 ]
    run record -o a.anax sh -c 'ulimit -f 0; echo more >file'
    expect "a limit on files ends the command as without anax record" [ "$code" -eq 153 ]
    "$ANAX" record -o a.anax sh -c 'trap "exit 0" TERM; touch begun; while :; do sleep 0.1; done' >out 2>err &
    recorder=$! tries=0
    while [ ! -e begun ] && [ $tries -lt 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    kill -TERM "$recorder"
    wait "$recorder"
    code=$?
    last="anax record that a signal ends, of a command that then ends with 0"
    expect "the exit code shows the signal" [ "$code" -eq 143 ]
    expect_in err "a signal ended sh before it called MPI_Init"
    run record -o a.anax ./no-such-command
    expect "a command that is not there" [ "$code" -eq 127 ]
    touch a.anax
    run record -o a.anax true
    expect_code 2
    expect_in err "a.anax exists already; --force replaces it"
}

# ------------------------------------------------------------------------------ with each library
# matching PATTERN MESSAGES BYTES: records a pattern of tests/plugins/record/matching.c on 3 ranks. Every send has its receive.
matching() {
    record run.anax 3 ./matching "$1"
    expect_code 0
    run_ok info run.anax --json
    expect_key out messages "$2"
    expect_key out message_bytes "$3"
    expect_key out unmatched_sends 0
    expect_key out unmatched_receives 0
    cp out "$1.json"
    expect_checked "contents of a recording keep the rules of results" out
    for threshold in 0B 1MiB; do
        rm -rf run.timeline
        run_ok replay run.anax --machine kim-72 --set mpi.eager_threshold=$threshold --json --timeline run.timeline
        expect_in out '"completed":true'
    done
    run_ok info run.timeline/traces.otf2 --json
    expect_key out messages "$2"
    expect_key out unmatched_sends 0
}

# ended_by_signal SIGNAL NUMBER: a signal to `anax record` ends the command. The program file has what was recorded until
# then. The exit code of the launcher of MPICH is 0 at times and 15 at others: keeps_code.sh passes the signal on and
# keeps that code.
ended_by_signal() {
    cat >keeps_code.sh <<'END'
"$@" &
launcher=$!
trap 'kill -TERM $launcher' TERM
wait $launcher # until the signal
wait $launcher
code=$?
echo $code >launcher_code
exit $code
END
    rm -rf run.anax run.anax.recording exchanged-* launcher_code
    last="anax record that SIG$1 ends with $mpirun"
    "$ANAX" record -q -o run.anax sh keeps_code.sh "$mpirun" -n 2 ./matching minute >out 2>err &
    recorder=$! tries=0
    while { [ ! -e exchanged-0 ] || [ ! -e exchanged-1 ]; } && [ $tries -lt 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    kill "-$1" "$recorder"
    wait "$recorder"
    code=$?
    expect "rank 0 has exchanged a message" [ -e exchanged-0 ]
    expect "rank 1 has exchanged a message" [ -e exchanged-1 ]
    expected_code=$(cat launcher_code)
    [ "$expected_code" != 0 ] || expected_code=$((128 + $2))
    expect "the exit code is that of the launcher, or shows the signal where that is 0" [ "$code" -eq "$expected_code" ]
    expect "the recording was cut, and anax says so" holds err "the recording was cut by a signal: 2 ranks"
    run_ok info run.anax
    expect_in out "ranks that were cut"
    expect "the recording is kept" [ -e run.anax.recording/rank-000001.rec ]
}

# no_parts                      begins a list of the parts of a program, with what all ranks together send in them
# add_part NAME MESSAGES BYTES  adds one to $parts, and what it sends to $messages and $bytes
no_parts() {
    parts='' messages=0 bytes=0
}
add_part() {
    parts="$parts${parts:+ }$1" messages=$((messages + $2)) bytes=$((bytes + $3))
}

# Calls that few programs make (tests/plugins/record/rare.c), on 4 ranks.
rare() {
    compile rare -ldl
    rare_calls
    unknown_handles
}

# Open MPI has no large counts, and MPI_Comm_join of MPICH 4.0 needs a network other than UCX.
rare_calls() {
    no_parts
    add_part persistent $((4 * 5 * 2 * 2)) $((4 * 5 * 2 * 2 * 6)) # 5 calls of neighbours, started twice, to both sides
    add_part parted 4 $((4 * 9))
    if has_mpi_4; then
        add_part duplicate 4 $((4 * 20))
        add_part session 3 $((3 * 30)) # all ranks but the last one
    fi
    if [ "$library" = mpich ]; then
        add_part large $((4 * 2)) $((4 * (60 + 61)))
    else
        add_part join 2 $((2 * 50))
    fi
    # shellcheck disable=SC2086 # a list of words
    record run.anax 4 ./rare $parts
    expect "rare calls" [ "$code" -eq 0 ]
    run_ok info run.anax --json
    expect_key out messages "$messages"
    expect_key out message_bytes "$bytes"
    expect_key out unmatched_sends 0
    expect_key out unmatched_receives 0
    for call in BARRIER BCAST GATHER GATHERV SCATTERV ALLGATHER ALLGATHERV ALLTOALL ALLTOALLV ALLTOALLW ALLREDUCE REDUCE \
        REDUCE_SCATTER REDUCE_SCATTER_BLOCK SCAN EXSCAN; do
        expect_key out "I:$call" $((4 * 2)) # started twice
    done
    if has_mpi_4; then
        expect_key out ALLREDUCE $((4 + 3)) # in duplicate, in session
        expect_key out ALLGATHER 4          # in session
    fi
    if [ "$library" = mpich ]; then
        expect_key out I:SCATTER 4           # started once
        expect_key out operations $((4 * 3)) # one in each of three windows
    else
        expect_key out I:SCATTER $((4 * 2))
    fi
    expect "all communicators and requests are known" all_known
    run_ok replay run.anax --machine kim-72 --json
    expect_in out '"completed":true'
}

# What is not recorded is counted, with its reason. MPICH of Debian spawns no processes.
unknown_handles() {
    set -- unknown unknown_requests
    unknown=20 others=
    if has_mpi_4; then
        set -- early "$@"            # early comes first, since it begins before MPI_Init
        unknown=$((unknown + 3 + 3)) # of MPI 4 in unknown; both ends of a message and an allreduce in early
    fi
    if [ "$library" != mpich ]; then
        set -- "$@" spawn
        others=$((4 * 5))
    fi
    record run.anax 4 ./rare "$@"
    expect "calls with unknown handles" [ "$code" -eq 0 ]
    run_ok info run.anax --json
    expect_key out messages 4 # of unknown_requests
    expect_key out message_bytes $((4 * 70))
    expect "each call on a communicator that is not known counts" \
        [ "$(count_of out "calls on unknown communicators")" = $((4 * unknown)) ]
    expect "each start of a request that is not known counts" \
        [ "$(count_of out "starts of unknown requests")" = $((4 * 4)) ]
    expect "only processes that were spawned are outside" [ "$(count_of out "calls with other processes")" = "$others" ]
    run_ok replay run.anax --machine kim-72 --json
    expect_in out '"completed":true'
}

# Every function of the library's headers that is given a place for a handle, or takes a handle by its place, is
# recorded, but for those that docs/record.md names.
whole_interface() {
    has_program nm || return 0
    printf '#include <mpi.h>\n#if __has_include(<mpi-ext.h>)\n#include <mpi-ext.h>\n#endif\n' >interface.c
    "$compiler" -E interface.c | grep -v '^#' | tr '\n' ' ' | tr ';' '\n' |
        grep -E 'MPI_(Comm|Request|Win|Message|File) *(\*|[a-z_]*\[)' |
        grep -oE 'MPIX?_[A-Z][A-Za-z0-9_]* *\(' | tr -d ' (' | sort -u >declared
    nm -D --defined-only "$plugins/anax_record_$library.so" | sed 's/.* //' | sort >recorded
    comm -23 declared recorded | grep -vxE 'MPI_Comm_get_parent|MPIX_Comm_shrink|MPIX_Comm_iagree|MPIX?_Grequest_.*' |
        grep -vxE 'MPIX_(Stream|Threadcomm)_.*|MPIX_.*_enqueue(_c)?' |
        grep -vxE 'MPI_(Buffer_iflush|(Comm|Session)_iflush_buffer|Request_get_status_(all|any|some))' >out
    last="the functions of $library that make handles"
    expect "the headers declare them" [ "$(wc -l <declared)" -gt 100 ]
    expect "the recorder has them" empty out
}

all_known() { holds_not out "calls on unknown" && holds_not out "starts of unknown"; }

# The count of a note in the JSON of FILE.
count_of() { sed -n "/\"what\":\"$2\"/{n;n;s/.*\"count\":\([0-9]*\).*/\1/p;q;}" "$1"; }

# A Fortran program (tests/plugins/record/fortran.F90) with each interface: 21 messages of modes, 9 of persistent and 6 of
# neighbours, as programs in C have them.
fortran() {
    has_program "mpifort.$library" || return 0
    for interface in MPIF MPI F08; do
        set -- -D$interface
        if [ $interface = MPIF ]; then # MPIX_Bcast_init of Open MPI 4 calls the function of the same name in C
            if has_mpi_4; then init=MPI_Bcast_init; else init=MPIX_Bcast_init; fi
            set -- "$@" -DBCAST_INIT=$init
        fi
        last="mpifort.$library -D$interface"
        "mpifort.$library" -O1 -w "$@" "$ANAX_SOURCE/tests/plugins/record/fortran.F90" -o fortran >out 2>err
        code=$?
        expect_code 0
        record run.anax 3 ./fortran
        expect "a Fortran program, $interface" [ "$code" -eq 0 ]
        run_ok info run.anax --json
        expect_key out messages $((21 + 9 + 6))
        expect_key out message_bytes $((105 + 900 + 30))
        expect_key out unmatched_sends 0
        for call in "15 BARRIER" "3 BCAST" "9 ALLREDUCE" "3 I:ALLREDUCE" "3 ALLTOALLV" "12 CREATE_HANDLE" \
            "3 operations" "24 written_bytes"; do
            expect_key out "${call#* }" "${call% *}"
        done
        if [ $interface = MPIF ]; then expect_key out I:BCAST 6; fi
        expect "the region of MPI_Pcontrol in Fortran" holds out '"name":"phase 3"'
        expect "all communicators and requests of Fortran are known" all_known
    done
}

# The recorder was built with one version of Open MPI, and the program uses another.
other_version() {
    record run.anax 2 ./known_messages modes
    expect "no warning where the versions are equal" holds_not err "was built with"
    [ "$library" = openmpi ] || return 0
    cat >version.c <<'END'
#include <string.h>
int PMPI_Get_library_version(char *text, int *length) {
    strcpy(text, "Open MPI v3.1.0, package: none");
    *length = (int)strlen(text);
    return 0;
}
END
    "$compiler" -w -shared -fPIC version.c -o version.so
    # shellcheck disable=SC2016 # the shell of each process expands it
    record run.anax 2 sh -c 'LD_PRELOAD=$0:$LD_PRELOAD exec ./known_messages modes' "$PWD/version.so"
    expect "the warning names the program's library, once" [ "$(grep -c 'but the program uses Open MPI v3.1.0: ' err)" -eq 1 ]
}

check_library() {
    compile known_messages -I"$ANAX_SOURCE/include" -lpthread -rdynamic
    compile matching
    handles
    all_parts
    waits_and_places
    confused_messages
    ended_by_signal TERM 15
    ended_by_signal HUP 1
    overlapping_threads
    computation_by_each_clock
    odd_files
    whole_interface
    rare
    fortran
    other_version
    scripts_of_bash
    programs_that_end_early
    full_disks
}

# The recorder's map from handles to what they stand for (tests/plugins/record/map.c).
handles() {
    "$compiler" -O1 -w -I"$ANAX_SOURCE" "$ANAX_SOURCE/tests/plugins/record/map.c" \
        "$ANAX_SOURCE/plugins/record/record_map.c" -o map && ./map >out 2>err
    code=$?
    last="map"
    expect "handles of several requests are those of the first one" [ "$code" -eq 0 ]
}

# Parts of known_messages.c on 3 ranks. Rank r = 0, 1, 2 sends messages whose sizes depend on it.
all_parts() {
    no_parts
    add_part modes $((3 * 7)) $((3 * (1 + 2 + 3 + 4 + 5 + 6 + 7) + (0 + 1 + 2) * 7)) # r + 1 to r + 7
    add_part persistent $((3 * 3)) $((3 * 3 * 100))
    add_part collectives 0 0
    add_part communicators 3 $((1 + 2 + 3))                             # r + 1
    add_part neighbours $((3 * 5)) $((3 * (5 + 5 + 7) + (3 + 5 + 7))) # 5, 5, 7, r + 1 and r + 2
    add_part remote 0 0
    add_part files 0 0
    add_part regions $((3 * 2)) $((3 * 2 * 9))
    add_part threads $((3 * 2 * 50)) $((3 * 50 * (10 + 11)))
    begun=3 # MPI_Iallreduce in collectives
    if has_mpi_4; then
        # Two of 4 x 10 bytes; one of 50 + r; one of 7
        add_part partitioned $((3 * 4)) $((3 * (2 * 4 * 10 + 50 + 7) + (0 + 1 + 2)))
        begun=$((begun + 3 * 2)) # a persistent one that starts twice
    fi
    record run.anax 3 ./known_messages "$(echo "$parts" | tr ' ' ,)"
    expect_code 0
    expect "no folder is left" [ ! -e run.anax.recording ]
    run_ok info run.anax --json
    expect_key out messages "$messages"
    expect_key out message_bytes "$bytes"
    expect_key out unmatched_sends 0
    expect_key out bytes $((3 * (24 + 16 + 40 + 8 + 8))) # puts, a get and a fetch in remote
    # An exclusive lock and its unlock count twice (docs/record.md), those of all ranks once.
    expect_key out locks $((3 * (2 * 2 + 2)))
    has_mpi_4 && expect_in out '"what":"receives of unknown length"' # of MPI_Isendrecv
    expect "MPI-IO is counted" holds out '"what":"MPI-IO"'
    expect_in out '"name":"known_messages.out"'
    expect "each of three ranks writes 8 bytes once" [ "$(value out writes) $(value out written_bytes)" = "3 24" ]
    # Of 3 ranks: ALLTOALLV also on MPI_COMM_SELF; ALLGATHER and BCAST also on an intercommunicator; ALLREDUCE once in
    # collectives and on 7 communicators.
    for call in "6 ALLTOALLV" "3 ALLTOALLW" "3 I:ALLTOALLV" "$begun I:ALLREDUCE" "3 GATHERV" \
        "3 SCATTERV" "3 EXSCAN" "6 ALLGATHER" "24 ALLREDUCE" "6 BCAST"; do
        expect_key out "${call#* }" "${call% *}"
    done
    replays_of_all_parts
}

replays_of_all_parts() {
    run_ok replay run.anax --machine kim-72 --set trace.user_regions=on
    expect "each of three ranks is twice in the region of the header" grep -q '^  solve  *6 ' out
    expect "each is twice in the region of MPI_Pcontrol" grep -q '^  phase 3  *6 ' out
    expect "sizes of MPI_Alltoallv are known" holds_not out "sizes of MPI_Alltoallv"
    run_ok replay run.anax --machine kim-72 --set io.nodes=2 --json
    expect "three requests at one I/O node" [ "$(value out requests)" = 3 ]
    expect_key out written_bytes $((3 * 8))
    run_ok replay run.anax --machine kim-72 --set io.nodes=3 --set io.rule=rank \
        --set io.stripe_size=4KiB --matrix rank --explain --json
    expect_checked "I/O nodes keep the rules of results" out
    run replay run.anax --machine kim-72 --set io.nodes=71
    expect "I/O nodes take no ranks" [ "$code" -eq 2 ]
    expect_in err "are I/O nodes (io.nodes, io.share)"
}

# All ways to wait, and to read and write at places of a file, on 3 ranks.
waits_and_places() {
    no_parts
    # r + 1, 2, 3, 4, 7 and 8 bytes; 10; 7
    add_part waits $((3 * 8)) $((3 * (1 + 2 + 3 + 4 + 7 + 8 + 10 + 7) + (0 + 1 + 2) * 6))
    add_part places 0 0
    record run.anax 3 ./known_messages "$(echo "$parts" | tr ' ' ,)"
    expect_code 0
    run_ok info run.anax --json
    expect_key out messages "$messages"
    expect_key out message_bytes "$bytes"
    expect_key out unmatched_sends 0
    expect_key out reads $((3 * 2))
    expect_key out read_bytes $((3 * (4 + 2)))
    expect_key out writes $((3 * 2))
    expect_key out written_bytes $((3 * (8 + 8)))
    run_ok replay run.anax --machine kim-72 --set io.nodes=2 --json
    expect "a replay of all ways to wait comes to its end" holds out '"completed":true'
}

# Patterns of matching.c on 3 ranks.
confused_messages() {
    matching probes $((3 * 5)) $((3 * (200000 + 21 + 22 + 300000 + 24)))
    expect "matched probes take their messages" holds_not probes.json "length mismatch"
    matching cut $((3 * (8 * 2 + 2))) $((3 * (8 * (100 + 20) + 2 * 7)))
    if has_mpi_4; then
        matching partitioned $((3 * 2 * 3)) $((3 * 2 * (2 * 50 + 2 * 100 + 10)))
        expect "partitioned messages are paired as MPI does" holds_not partitioned.json "length mismatch"
    fi
    matching topologies 0 0
    # A ring with two edges for each of 3 ranks, and a graph in which each sends to the next one twice.
    expect "two process topologies are graphs" [ "$(grep -o '"kind":"graph"' topologies.json | wc -l)" -eq 2 ]
    expect "both have 6 edges" [ "$(grep -o '"edges":6' topologies.json | wc -l)" -eq 2 ]
    run_ok info run.anax
    expect_in out "cartesian 3x1 "
    expect_in out "3 ranks, periodic in 1"
}

overlapping_threads() {
    record run.anax 3 ./known_messages overlap
    expect "two threads that depend on each other" [ "$code" -eq 0 ]
    run_ok info run.anax --json
    expect_key out messages $((3 * 20))
    expect_key out ALLREDUCE $((3 * 2 * 20)) # of two threads
    run_ok replay run.anax --machine kim-72 --explain --json
    expect "the replay of the recording ends" holds out '"completed":true'
}

# Two ranks wait 0.4 s each before MPI_Init, and compute nothing.
computation_by_each_clock() {
    record_late wall
    expect "the time that passed counts waiting" [ "$compute_ps" -ge $((2 * 400000000000)) ]
    record_late processor
    expect "processor time does not" [ "$compute_ps" -lt 400000000000 ]
}

record_late() { # wall|processor
    run_ok record -q --force -o run.anax --set "trace.computation=$1" "$mpirun" -n 2 ./known_messages late
    run_ok info run.anax --json
    compute_ps=$(value out compute_ps)
}

odd_files() {
    record run.anax 2 ./known_messages files,odd_files,ignored
    expect "odd files, and arguments that MPI ignores" [ "$code" -eq 0 ]
    run_ok info run.anax --json
    expect_key out read_bytes $((2 * 2 * 8)) # two short reads of each rank
    run_ok replay run.anax --machine kim-72 --set io.nodes=2 --json
}

# bash defines getenv and setenv itself.
scripts_of_bash() {
    has_program bash || return 0
    echo '"$@"; exit $?' >wrapper.sh
    for form in record record_launcher; do
        $form run.anax 2 bash wrapper.sh ./known_messages modes
        expect "a program that a script of bash starts, $form" [ "$code" -eq 0 ]
        expect "the recording is a file" [ -e run.anax ]
    done
    rm -rf run.anax
    echo "$mpirun -n 2 ./known_messages modes && $mpirun -n 2 ./known_messages collectives" >wrapper.sh
    timeout -s KILL 60 "$ANAX" record -q -o run.anax bash wrapper.sh >out 2>err
    code=$?
    last="anax record of two programs with $mpirun"
    expect_code 0
    expect "the second one is not recorded" holds err "has the first MPI program of this command"
    run_ok info run.anax
    expect "the first one is" holds_not out "ALLTOALLV"
}

# A program that ends early leaves what it has done.
programs_that_end_early() {
    how="kill"
    [ "$library" = mpich ] && how=abort
    record_launcher run.anax 3 ./known_messages "$how"
    expect "another exit code" [ "$code" -ne 0 ]
    expect "the recording is kept" [ -e run.anax.recording/rank-000002.rec ]
    run_ok info run.anax.recording --json
    # 3 ranks send 1000 messages each, with an allreduce after every 10; those of the last round may be missing.
    expect "nearly all messages of the killed run are recorded" [ "$(value out messages)" -ge $((3 * (1000 - 10))) ]
    expect "the output says: the recording was cut: rank" holds out "the recording was cut: rank"
    run_ok replay run.anax.recording --machine kim-72 --json
    expect_in out '"completed":true'
    rm -rf run.anax run.anax.recording
}

full_disks() {
    KNOWN_MESSAGES_NO_SPACE=1 record run.anax 2 ./known_messages collectives
    expect "a recording that cannot begin" [ "$code" -ne 0 ]
    expect_in err "No space left on device"
    expect "leaves no folder" [ ! -e run.anax.recording ]
    record_launcher run.anax 2 ./known_messages uneven
    expect "a program of which one rank has a full disk ends well" [ "$code" -eq 0 ]
    expect "one rank has stopped" [ "$(grep -c "recording stops here" err)" -eq 1 ]
    [ "$library" = mpich ] || return 0
    record_launcher run.anax 2 ./known_messages full
    expect "a program on a full disk ends well" [ "$code" -eq 0 ]
    expect "recording has stopped" holds err "recording stops here, the program goes on"
    run_ok replay run.anax --machine kim-72 --json
    expect_in out '"completed":true'
}

without_library
each_library check_library
finish
