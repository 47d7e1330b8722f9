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
    last="check_json"
    "$ANAX_BINARY/tests/check_json" out >checked 2>&1
    code=$?
    expect "contents of a recording keep the rules of results" [ "$code" -eq 0 ]
    for threshold in 0B 1MiB; do
        rm -rf run.timeline
        run_ok replay run.anax --machine kim-72 --set mpi.eager_threshold=$threshold --json --timeline run.timeline
        expect_in out '"completed":true'
    done
    run_ok info run.timeline/traces.otf2 --json
    expect_key out messages "$2"
    expect_key out unmatched_sends 0
}

# A signal to `anax record` ends the command. The program file has what was recorded until then.
ended_by_signal() {
    rm -rf run.anax run.anax.recording
    last="anax record that SIG$1 ends with $mpirun"
    "$ANAX" record -q -o run.anax "$mpirun" -n 2 ./matching minute >out 2>err &
    recorder=$! tries=0
    while [ ! -e run.anax.recording/rank-000001.rec ] && [ $tries -lt 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    sleep 1
    kill "-$1" "$recorder"
    wait "$recorder"
    code=$?
    expect "the exit code is that of the launcher, or shows the signal" [ "$code" -ne 0 ]
    expect "the recording was cut, and anax says so" holds err "the recording was cut by a signal: 2 ranks"
    run_ok info run.anax
    expect_in out "ranks that were cut"
    expect "the recording is kept" [ -e run.anax.recording/rank-000001.rec ]
}

# Calls that few programs make (tests/plugins/record/rare.c), on 4 ranks.
rare() {
    # Messages: 80 of persistent collectives and 4 of requests whose communicator is freed; with MPI 4 also 4 on a
    # duplicate and 3 on a communicator of a session; with MPICH 8 with large counts; with Open MPI 2 between ranks
    # that join. Open MPI has no large counts, and MPI_Comm_join of MPICH 4.0 needs a network other than UCX.
    compile rare -ldl
    messages=$((80 + 4)) bytes=$((480 + 36)) unknown=20 early=
    set -- persistent parted
    if has_mpi_4; then
        messages=$((messages + 4 + 3)) bytes=$((bytes + 80 + 90)) unknown=26 early=early
        set -- "$@" duplicate session
    fi
    if [ "$library" = mpich ]; then
        messages=$((messages + 8)) bytes=$((bytes + 484)) operations=12
        set -- "$@" large
    else
        messages=$((messages + 2)) bytes=$((bytes + 100)) operations=0
        set -- "$@" join
    fi
    record run.anax 4 ./rare "$@"
    expect "rare calls" [ "$code" -eq 0 ]
    run_ok info run.anax --json
    expect_key out messages "$messages"
    expect_key out message_bytes "$bytes"
    expect_key out unmatched_sends 0
    expect_key out unmatched_receives 0
    for call in BARRIER BCAST GATHER GATHERV SCATTERV ALLGATHER ALLGATHERV ALLTOALL ALLTOALLV ALLTOALLW ALLREDUCE REDUCE \
        REDUCE_SCATTER REDUCE_SCATTER_BLOCK SCAN EXSCAN; do
        expect_key out "I:$call" 8
    done
    if has_mpi_4; then
        expect_key out ALLREDUCE 7
        expect_key out ALLGATHER 4
    fi
    if [ "$library" = mpich ]; then
        expect_key out I:SCATTER 4
        expect_key out operations "$operations"
    else
        expect_key out I:SCATTER 8
    fi
    expect "all communicators and requests are known" all_known
    run_ok replay run.anax --machine kim-72 --json
    expect_in out '"completed":true'

    # What is not recorded is counted, with its reason. MPICH of Debian spawns no processes.
    set -- unknown unknown_requests
    [ -z "$early" ] || set -- early "$@"
    if [ "$library" = mpich ]; then
        others=
    else
        set -- "$@" spawn
        others=$((4 * 5))
    fi
    record run.anax 4 ./rare "$@"
    expect "calls with unknown handles" [ "$code" -eq 0 ]
    run_ok info run.anax --json
    expect_key out messages 4
    expect_key out message_bytes 280
    expect "each call on a communicator that is not known counts" \
        [ "$(count_of out "calls on unknown communicators")" = $((4 * unknown)) ]
    expect "each start of a request that is not known counts" [ "$(count_of out "starts of unknown requests")" = 16 ]
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
        expect_key out messages 36
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
    "$compiler" -O1 -w -I"$ANAX_SOURCE" "$ANAX_SOURCE/tests/plugins/record/map.c" \
        "$ANAX_SOURCE/plugins/record/record_map.c" -o map && ./map >out 2>err
    code=$?
    last="map"
    expect "handles of several requests are those of the first one" [ "$code" -eq 0 ]

    # In all parts of 3 ranks together: 21 messages of modes, 9 of persistent, 15 of neighbours, 6
    # of regions, 3 of communicators, 300 of threads, and their bytes; with MPI 4 also 9 of
    # partitioned.
    parts=modes,persistent,collectives,communicators,neighbours,remote,files,regions,threads
    messages=354 bytes=$((105 + 900 + 6 + 66 + 54 + 3150)) begun=3
    if has_mpi_4; then
        parts=$parts,partitioned
        messages=$((messages + 12)) bytes=$((bytes + 414)) begun=9
    fi
    record run.anax 3 ./known_messages "$parts"
    expect_code 0
    expect "no folder is left" [ ! -e run.anax.recording ]
    run_ok info run.anax --json
    expect_key out messages "$messages"
    expect_key out message_bytes "$bytes"
    expect_key out unmatched_sends 0
    expect_key out bytes 288
    expect_key out locks 18
    has_mpi_4 && expect_in out '"what":"receives of unknown length"' # of MPI_Isendrecv
    expect "MPI-IO is counted" holds out '"what":"MPI-IO"'
    expect_in out '"name":"known_messages.out"'
    expect "three writes of 24 bytes are counted" [ "$(value out writes) $(value out written_bytes)" = "3 24" ]
    for call in "6 ALLTOALLV" "3 ALLTOALLW" "3 I:ALLTOALLV" "$begun I:ALLREDUCE" "3 GATHERV" \
        "3 SCATTERV" "3 EXSCAN" "6 ALLGATHER" "24 ALLREDUCE" "6 BCAST"; do
        expect_key out "${call#* }" "${call% *}"
    done
    run_ok replay run.anax --machine kim-72 --set trace.user_regions=on
    expect "the region of the header" grep -q '^  solve  *6 ' out
    expect "the region of MPI_Pcontrol" grep -q '^  phase 3  *6 ' out
    expect "sizes of MPI_Alltoallv are known" holds_not out "sizes of MPI_Alltoallv"
    run_ok replay run.anax --machine kim-72 --set io.nodes=2 --json
    expect "three requests at one I/O node" [ "$(value out requests)" = 3 ]
    expect_key out written_bytes 24
    run_ok replay run.anax --machine kim-72 --set io.nodes=3 --set io.rule=rank \
        --set io.stripe_size=4KiB --matrix rank --explain --json
    last="check_json"
    "$ANAX_BINARY/tests/check_json" out >checked 2>&1
    code=$?
    expect "I/O nodes keep the rules of results" [ "$code" -eq 0 ]
    run replay run.anax --machine kim-72 --set io.nodes=71
    expect "I/O nodes take no ranks" [ "$code" -eq 2 ]
    expect_in err "are I/O nodes (io.nodes, io.share)"

    record run.anax 3 ./known_messages waits,places
    expect_code 0
    run_ok info run.anax --json
    expect_key out messages 24
    expect_key out message_bytes $((93 + 30 + 21))
    expect_key out unmatched_sends 0
    expect "three ranks read twice and write twice" [ "$(value out reads) $(value out writes)" = "6 6" ]
    expect "all bytes of files are counted" [ "$(value out read_bytes) $(value out written_bytes)" = "18 48" ]
    run_ok replay run.anax --machine kim-72 --set io.nodes=2 --json
    expect "a replay of all ways to wait comes to its end" holds out '"completed":true'
    compile matching
    matching probes 15 1500201
    expect "matched probes take their messages" holds_not probes.json "length mismatch"
    matching cut 54 2922
    if has_mpi_4; then
        matching partitioned 18 1860
        expect "partitioned messages are paired as MPI does" holds_not partitioned.json "length mismatch"
    fi
    matching topologies 0 0
    expect "two process topologies are graphs with 6 edges" [ "$(grep -o '"kind":"graph"' topologies.json | wc -l) $(grep -o '"edges":6' topologies.json | wc -l)" = "2 2" ]
    run_ok info run.anax
    expect_in out "cartesian 3x1 "
    expect_in out "3 ranks, periodic in 1"
    ended_by_signal TERM
    ended_by_signal HUP

    record run.anax 3 ./known_messages overlap
    expect "two threads that depend on each other" [ "$code" -eq 0 ]
    run_ok info run.anax --json
    expect_key out messages 60
    expect_key out ALLREDUCE 120
    run_ok replay run.anax --machine kim-72 --explain --json
    expect "the replay of the recording ends" holds out '"completed":true'

    for time in wall processor; do # two ranks that wait 0.4 s before MPI_Init
        run_ok record -q --force -o run.anax --set trace.computation=$time "$mpirun" -n 2 ./known_messages late
        run_ok info run.anax --json
        picoseconds=$(value out compute_ps)
        [ $time = wall ] && waits=$([ "$picoseconds" -ge 800000000000 ] && echo yes)
    done
    expect "the time that passed counts waiting" [ "$waits" = yes ]
    expect "processor time does not" [ "$picoseconds" -lt 400000000000 ]

    record run.anax 2 ./known_messages files,odd_files,ignored
    expect "odd files, and arguments that MPI ignores" [ "$code" -eq 0 ]
    run_ok info run.anax --json
    expect "bytes of short reads" holds out '"read_bytes":32'
    run_ok replay run.anax --machine kim-72 --set io.nodes=2 --json

    whole_interface
    rare
    fortran
    other_version

    # bash defines getenv and setenv itself.
    if has_program bash; then
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
    fi

    # A program that ends early leaves what it has done.
    how="kill"
    [ "$library" = mpich ] && how=abort
    record_launcher run.anax 3 ./known_messages "$how"
    expect "another exit code" [ "$code" -ne 0 ]
    expect "the recording is kept" [ -e run.anax.recording/rank-000002.rec ]
    run_ok info run.anax.recording --json
    expect "nearly all messages of the killed run are recorded" [ "$(value out messages)" -ge 2970 ]
    expect "the output says: the recording was cut: rank" holds out "the recording was cut: rank"
    run_ok replay run.anax.recording --machine kim-72 --json
    expect_in out '"completed":true'
    rm -rf run.anax run.anax.recording
    PATTERNS_NO_SPACE=1 record run.anax 2 ./known_messages collectives
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
