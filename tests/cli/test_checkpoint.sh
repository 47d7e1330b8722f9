#!/bin/sh
# Runs that are stopped or killed go on from their checkpoint, with any number of threads and processes,
# and give what a run that was not stopped gives. What does not fit is refused, and what is damaged is
# found.
# shellcheck source=tests/support/script/command.sh
. "$ANAX_SOURCE/tests/support/script/command.sh"
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" # of the MPI libraries
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # the same for Open MPI 5

trap '' USR1 # for programs that do not wait for it yet

digest_of() { sed -n 's/^ *digest *//p' "$1"; }

# Starts a run, sends it a signal again and again until its first checkpoint is there, and ends it.
stop_by() { # SIGNAL ARGUMENTS...
    signal=$1
    shift
    "$ANAX" "$@" >out 2>err &
    process=$!
    while [ ! -e ck/checkpoint ] && kill -s USR1 $process 2>/dev/null; do
        sleep 0.005
    done
    kill -s "$signal" $process 2>/dev/null
    wait $process 2>wait-err
    code=$? last="anax $*, then $signal"
}

# ------------------------------------------------------------------------------ a replay
run_ok generate halo3d --ranks 216 --iterations 15 --size 8KiB -o halo.anax
replay="replay halo.anax -m kim-72 -n 4 -r par --background-load 0.1"
# shellcheck disable=SC2086 # words
run_ok $replay -o whole --threads 1
digest_of out >whole.digest
# The digest and all tables; of one thread and of two, of one process and of two.
same_as_whole() { # WHAT
    expect "$1: the resumed run ends with 0" [ "$code" -eq 0 ]
    digest_of out >digest
    expect "$1: the digest is that of the whole run" cmp -s whole.digest digest
    expect "$1: the tables are those of the whole run" diff -r whole part
    rm -rf part
}
mkdir ck
touch ck/state-2024-11.csv ck/state--old
# shellcheck disable=SC2086
stop_by TERM $replay --checkpoint ck --every 1h --threads 2
expect "ended by SIGTERM with a checkpoint" [ "$code" -eq 130 ]
expect "files of others stay" ls ck/state-2024-11.csv ck/state--old
rm -f ck/state-2024-11.csv ck/state--old
expect "the message says how to resume" holds err "stopped; go on with --resume ck"
expect "a run that ends at a checkpoint prints no result" empty out
for threads in 1 3; do
    # shellcheck disable=SC2086
    run $replay -o part --resume ck --threads $threads --set trace.memory=${threads}MiB # decides nothing
    same_as_whole "on $threads threads"
done
tried=0
for library in openmpi mpich; do
    mpirun=$(command -v mpirun.$library) || continue
    case $("$ANAX" --version) in *MPI*) ;; *) continue ;; esac
    tried=$((tried + 1))
    # shellcheck disable=SC2086
    timeout -s KILL 120 "$mpirun" -n 2 "$ANAX" $replay -o part --resume ck --threads 1 >out 2>err </dev/null
    code=$? last="mpirun.$library -n 2, resumed"
    same_as_whole "on two processes of $library"
    # shellcheck disable=SC2086
    timeout -s KILL 120 "$mpirun" -n 2 "$ANAX" $replay -o part --resume ck --threads 1 --checkpoint two \
        --every 1s >out 2>err </dev/null
    code=$? last="mpirun.$library -n 2, with checkpoints"
    same_as_whole "two processes of $library that write checkpoints"
    if [ -e two/checkpoint ]; then
        # shellcheck disable=SC2086
        run $replay -o part --resume two
        same_as_whole "one process after two of $library"
    fi
    rm -rf two pid.*
    # A signal to one of two processes ends both, with one exit code.
    # shellcheck disable=SC2016,SC2086 # of the inner shell; words
    timeout -s KILL 120 "$mpirun" -n 2 sh -c 'echo $$ >pid.$$; exec "$0" "$@"' \
        "$ANAX" $replay --checkpoint two --every 1h --threads 1 >out 2>err </dev/null &
    launcher=$!
    while [ "$(ls pid.* 2>/dev/null | wc -l)" -lt 2 ] && kill -0 $launcher 2>/dev/null; do sleep 0.01; done
    # shellcheck disable=SC2012 # names without blanks
    process=$(ls pid.* | tail -1 | sed 's/pid.//')
    while [ ! -e two/checkpoint ] && kill -s USR1 "$process" 2>/dev/null; do sleep 0.005; done
    kill -s TERM "$process"
    wait $launcher
    code=$? last="mpirun.$library -n 2, SIGTERM to one process"
    expect "the exit code of a stopped run" [ "$code" -eq 130 ]
    expect "how to go on, once" [ "$(grep -c 'stopped; go on with --resume two' err)" -eq 1 ]
    # shellcheck disable=SC2086
    run $replay -o part --resume two
    same_as_whole "after two stopped processes of $library"
    rm -rf two
done
[ "$tried" -gt 0 ] || echo "no MPI library: several processes are not tried"

# Two signals at the same time are one request: `timeout` sends two.
rm -rf twice
# shellcheck disable=SC2086
"$ANAX" $replay --checkpoint twice --every 1h >out 2>err &
process=$!
while [ ! -e twice/checkpoint ] && kill -s USR1 $process 2>/dev/null; do sleep 0.005; done
kill -s STOP $process
kill -s TERM $process
kill -s HUP $process
kill -s CONT $process
wait $process 2>wait-err
code=$? last="anax $replay --checkpoint twice, then TERM and HUP"
expect "two signals at the same time end the run with a checkpoint" [ "$code" -eq 130 ]
expect "how to go on, once" [ "$(grep -c 'stopped; go on with --resume twice' err)" -eq 1 ]
expect "nothing unfinished is left" sh -c '! ls twice | grep -q part'
# Another name of the trace is no other trace.
cp halo.anax renamed.anax
# shellcheck disable=SC2086
run replay renamed.anax ${replay#replay halo.anax} --resume twice
expect "the trace may have another name" [ "$code" -eq 0 ]
digest_of out >digest
expect "a trace of another name: the digest" cmp -s whole.digest digest

# A signal where a run reads its trace: what there is stays usable.
while_reading() { # FOLDER OPTIONS...
    folder=$1
    shift
    # shellcheck disable=SC2086
    "$ANAX" $replay --repeat 'iteration*100' --checkpoint "$folder" "$@" >out 2>err &
    process=$!
    # the second thread waits for signals
    until [ "$(ls /proc/$process/task 2>/dev/null | wc -l)" -gt 1 ] || ! kill -0 $process 2>/dev/null; do :; done
    kill -s TERM $process
    wait $process 2>wait-err
    code=$? last="anax replay of a long trace --checkpoint $folder $*, then TERM"
}
while_reading twice --resume twice
expect_code 130
expect_in err "stopped; go on with --resume twice"
for _ in 1 2 3 4 5; do # on a busy computer, the signal may come after the trace is read
    rm -rf none
    while_reading none
    [ "$code" -eq 130 ] || break
done
expect_code 143
expect_in err "stopped before the first checkpoint was written"
rm -rf twice none

# Killed at any moment, while checkpoints are written all the time.
rm -rf ck
# shellcheck disable=SC2086
stop_by KILL $replay --checkpoint ck
expect_code 137
for pause in 0.03 0.07 0.11; do
    # shellcheck disable=SC2086
    "$ANAX" $replay --checkpoint ck --resume ck >out 2>err &
    process=$!
    (while kill -s USR1 $process 2>/dev/null; do sleep 0.005; done) &
    sleep $pause
    kill -s KILL $process 2>/dev/null
    wait
done
# shellcheck disable=SC2086
run $replay -o part --checkpoint ck --resume ck
same_as_whole "after four kills"

# Ranks that are graphs: a schedule in GOAL.
rm -rf ck
run_ok export halo.anax --format goal -o halo.goal
goal="replay halo.goal -m kim-72 -n 4 -r par"
# shellcheck disable=SC2086
{
    run_ok $goal
    digest_of out >goal.digest
    stop_by TERM $goal --checkpoint ck --every 1h
    expect "ended with a checkpoint" [ "$code" -eq 130 ]
    run_ok $goal --resume ck --threads 2
}
digest_of out >digest
expect "a schedule in GOAL goes on" cmp -s goal.digest digest

# ------------------------------------------------------------------------------ what is refused
rm -rf ck
# shellcheck disable=SC2086
stop_by TERM $replay --checkpoint ck
refuse() { # WHAT TEXT ARGUMENTS...
    what=$1 text=$2
    shift 2
    run "$@"
    expect "$what: exit code 2" [ "$code" -eq 2 ]
    expect "$what: the error says: $text" holds err "$text"
    expect "$what: no result" empty out
}
# shellcheck disable=SC2086
{
    refuse "another policy" 'network.routing is `par` there, and `minimal` here' \
        replay halo.anax -m kim-72 -n 4 -r minimal --background-load 0.1 --resume ck
    expect "another policy: nothing else differs" [ "$(grep -c ' there, and ' err)" -eq 1 ]
    refuse "other background traffic" 'background.load is `0.1` there, and `0.2` here' \
        replay halo.anax -m kim-72 -n 4 -r par --background-load 0.2 --resume ck
    refuse "another trace" "the trace of job" \
        replay examples/gromacs -m kim-72 -n 4 -r par --background-load 0.1 --resume ck
    refuse "a part of the trace" "the trace of job 1 is" replay halo.anax --repeat 'iteration*2' -m kim-72 -n 4 -r par \
        --background-load 0.1 --resume ck
    expect "a part of the trace: no word of a timeline that was not asked for" holds_not err "the timeline is"
    refuse "another command" 'the command is `replay` there, and `traffic` here' \
        traffic -m kim-72 --load 0.2 --resume ck
    refuse "one that is there" "has a checkpoint already" $replay --checkpoint ck
    refuse "none" "there is no checkpoint in this folder" $replay --resume nothing
    refuse "an explanation" "remove --explain" $replay --checkpoint new --explain
    refuse "advice" "remove --advise" $replay --checkpoint new --advise
    refuse "a time without a unit" "--every takes a whole number of s, min or h" \
        $replay --checkpoint new --every 5
    refuse "a time alone" "--every needs a folder for the checkpoints: --checkpoint DIR" $replay --every 5s
    refuse "a file" "cannot write checkpoints into this folder" $replay --checkpoint halo.anax/ck
    refuse "the folder of tables" "given twice" $replay --checkpoint same -o same
}
# Two runs at one folder.
rm -rf busy
# shellcheck disable=SC2086
"$ANAX" $replay --checkpoint busy --every 1h >out 2>err &
process=$!
while [ ! -e busy/checkpoint ] && kill -s USR1 $process 2>/dev/null; do sleep 0.005; done
kill -s STOP $process
# shellcheck disable=SC2086
refuse "a folder in use" "another run writes checkpoints into this folder" $replay --checkpoint busy --resume busy
kill -s KILL $process
wait $process 2>wait-err
# shellcheck disable=SC2086
run_ok $replay --checkpoint busy --resume busy
# A byte of any file that is not what it was, and a file that has lost its end.
for file in ck/checkpoint ck/state-*; do
    size=$(wc -c <"$file")
    for place in 20 $((size / 2)); do
        cp "$file" kept
        byte=$(od -An -tu1 -j "$place" -N1 "$file" | tr -d ' ')
        printf "\\$(printf %o $(((byte + 1) % 256)))" |
            dd of="$file" bs=1 seek="$place" conv=notrunc 2>/dev/null
        # shellcheck disable=SC2086
        refuse "byte $place of $file" "damaged" $replay --resume ck
        cp kept "$file"
    done
    head -c $((size - 1)) kept >"$file"
    # shellcheck disable=SC2086
    refuse "the end of $file" "damaged" $replay --resume ck
    cp kept "$file"
done
# shellcheck disable=SC2086
run $replay -o part --resume ck
same_as_whole "as it was"

# ------------------------------------------------------------------------------ a full disk
# A limit on the size of files, below that of a checkpoint. Checkpoints are tried until the command says that
# one failed.
with_full_disk() { # LIMIT SIGNAL ARGUMENTS...
    limit=$1 signal=$2
    shift 2
    : >err
    (
        ulimit -f "$limit"
        exec "$@"
    ) >out 2>err &
    process=$!
    while kill -s USR1 $process 2>/dev/null && ! holds err "warning"; do
        sleep 0.005
    done
    [ "$signal" = none ] || kill -s "$signal" $process 2>/dev/null
    wait $process 2>wait-err
    code=$? last="$* on a full disk"
}
# shellcheck disable=SC2086
with_full_disk 8 none "$ANAX" $replay --checkpoint full
expect "a full disk: the run goes on" [ "$code" -eq 0 ]
digest_of out >digest
expect "a full disk: the digest" cmp -s whole.digest digest
expect "a full disk: why" holds err "cannot write the checkpoint: File too large"
expect "a full disk: what there is" holds err "full: there is no complete checkpoint in this folder yet"
expect "a full disk: nothing is left" [ -z "$(ls full)" ]
cp -R ck kept-ck
# shellcheck disable=SC2086
with_full_disk 8 TERM "$ANAX" $replay --checkpoint ck --resume ck
expect "the last checkpoint fails: exit code 1" [ "$code" -eq 1 ]
expect "the last checkpoint fails: what there is" holds err "the last complete checkpoint is in this folder"
expect "the last checkpoint fails: the one before stays" diff -r ck kept-ck
rm -rf kept-ck full

# ------------------------------------------------------------------------------ traffic
traffic="traffic -m kim-72 --loads 0.2,0.5 -r ugal-l,minimal --set traffic.measure=60us"
rm -rf ck whole
# shellcheck disable=SC2086
run_ok $traffic -o whole
digest_of out >whole.digest
# shellcheck disable=SC2086
stop_by TERM $traffic --checkpoint ck
expect "ended with a checkpoint" [ "$code" -eq 130 ]
# shellcheck disable=SC2086
run $traffic -o part --resume ck --threads 2
expect_code 0
digest_of out >digest
expect "the resumed run has the digest of the whole one" cmp -s whole.digest digest
expect "the resumed run has the tables of the whole one" diff -r whole part
# shellcheck disable=SC2086
refuse "other loads" "the loads is" traffic -m kim-72 --loads 0.2,0.6 -r ugal-l,minimal \
    --set traffic.measure=60us --resume ck
finish
