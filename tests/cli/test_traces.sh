#!/bin/sh
# `anax info`, `anax convert` and `anax generate`.
. "$ANAX_SOURCE/tests/support/script/command.sh"
trace=examples/gromacs/traces.otf2

# The counts of an independent reader.
run_ok info "$trace" --json
for pair in ranks:8 events:17162 messages:2244 message_bytes:47299312 unmatched_sends:0 \
    unmatched_receives:0 ALLREDUCE:162 ALLTOALL:164 BARRIER:16 BCAST:604 CREATE_HANDLE:66 \
    DESTROY_HANDLE:40 GATHER:8 SCATTER:6 SCATTERV:18; do
    expect_key out "${pair%:*}" "${pair#*:}"
done
expect_key out schema anax.info/1
hash=$(value out hash)
run_ok info "$trace"
expect_in out "ALLREDUCE"

# The folder stands for its archive; a program file holds the same.
run_ok info examples/gromacs --json
expect "the folder is the archive" [ "$(value out hash)" = "$hash" ]
run_ok convert "$trace" -o a.anax
expect "convert prints nothing" empty out
expect "smaller than the archive" [ "$(wc -c <a.anax)" -lt "$(cat examples/gromacs/traces/*.evt | wc -c)" ]
run_ok info a.anax --json
expect "the program file has the hash of the archive" [ "$(value out hash)" = "$hash" ]
run_ok convert a.anax -o b.anax
expect "converting again changes nothing" cmp a.anax b.anax

# Operations in a temporary file instead of memory: the same program, and the same replay.
paged="--set trace.memory=0B --set trace.memory_folder=."
# shellcheck disable=SC2086 # words
for threads in 1 3; do
    run_ok convert "$trace" -o paged.anax --force --threads $threads $paged
    expect "an archive that memory does not hold, $threads threads" cmp a.anax paged.anax
    run_ok convert a.anax -o paged.anax --force --threads $threads $paged
    expect "a program file that memory does not hold, $threads threads" cmp a.anax paged.anax
done
run_ok replay a.anax -m kim-72 --set trace.from=1ms --json -q
digest=$(value out digest)
# shellcheck disable=SC2086
run_ok replay "$trace" -m kim-72 --set trace.from=1ms --json -q $paged
expect "the program file of a part replays as the part" [ "$(value out digest)" = "$digest" ]
expect "no temporary file is left" [ -z "$(find . -name 'anax-*')" ]
run info a.anax --set trace.memory=0B --set trace.memory_folder=/nonexistent
expect "no folder for it: exit code 1" [ "$code" -eq 1 ]
expect "no folder for it: says so" holds err "/nonexistent: cannot make a temporary file"
run_ok info a.anax --set trace.memory_folder=/nonexistent
run generate halo3d --ranks 8 -o paged-8.anax --set trace.memory=0B --set trace.memory_folder=/nonexistent
expect_code 1
expect "generated programs heed the folder for what trace.memory leaves no room for" holds err "/nonexistent: cannot make a temporary file"
run_ok generate halo3d --ranks 8 --iterations 2 -o 8.anax
run_ok replay a.anax 8.anax -m kim-72 --json -q
digest=$(value out digest)
# shellcheck disable=SC2086
{
    run_ok generate halo3d --ranks 8 --iterations 2 -o paged-8.anax $paged
    expect "a generated program that memory does not hold" cmp 8.anax paged-8.anax
    run_ok generate halo3d --ranks 8 --iterations 2 -o paged-8 $paged
    run_ok convert paged-8 -o again-8.anax $paged
    expect "the second archive was converted" [ -s again-8.anax ]
    run_ok replay a.anax 8.anax -m kim-72 --json -q $paged
}
expect "the program file of two jobs replays as the jobs" [ "$(value out digest)" = "$digest" ]

# A replay of all operations, of which memory holds some: ranks read ahead (300kB) or not.
run_ok generate halo3d --ranks 8 --iterations 400 -o long.anax
run_ok replay long.anax -m kim-72 --json -q
digest=$(value out digest)
for memory in 0B 20kB 300kB 600kB; do
    run_ok replay long.anax -m kim-72 --json -q --threads 2 --set trace.memory_folder=. \
        --set trace.memory=$memory
    expect "the replay within $memory has the same digest" [ "$(value out digest)" = "$digest" ]
done
expect "no temporary file is left" [ -z "$(find . -name 'anax-*')" ]

# User regions: `info` lists them, `convert` keeps them unless told otherwise, and with or without
# them it is the same trace.
run_ok generate halo2d --ranks 16 --iterations 3 -o regions
run_ok info regions
expect "the region was entered 48 times" grep -q '^  iteration  *48  ' out
run_ok info regions --json
expect "JSON has the region's times" [ "$(value out most_ps)" -gt 0 ]
with=$(value out hash)
run_ok info regions --set trace.user_regions=off
expect "regions that are left out are not shown" holds_not out iteration
run_ok info regions --set trace.user_regions=off --json
expect "regions leave the hash" [ "$(value out hash)" = "$with" ]
run_ok replay regions -m kim-72 --json --set trace.user_regions=on
digest=$(value out digest)
for wanted in on off; do
    run_ok convert regions -o "$wanted.anax" --set trace.user_regions=$wanted
    run_ok replay "$wanted.anax" -m kim-72 --json
    expect "$wanted: the same digest" [ "$(value out digest)" = "$digest" ]
    run_ok replay "$wanted.anax" -m kim-72 --set trace.user_regions=$wanted
    expect "$wanted: nothing is warned of" empty err
done
run_ok convert regions -o kept.anax
expect "kept unless told otherwise" cmp kept.anax on.anax
run_ok replay kept.anax -m kim-72 --from 'iteration#2'
run_ok replay off.anax -m kim-72 --set trace.user_regions=on
expect "a trace without regions is told" holds err "trace.user_regions=on: the trace has no user regions"
run replay regions -m kim-72 --from step
expect "those that there are" sh -c "grep -qF 'has no region \`step\`; its user regions are' err && grep -q '^  iteration' err"
run replay "$ANAX_SOURCE/tests/data/otf2/sp_neigh_8" -m kim-72 --from step
expect "only those that are entered" holds err "no user regions at all"

# An archive one folder deeper is named.
mkdir -p deeper/empty && mv regions deeper/
run info deeper
expect_code 2
expect "the error has the archive that is one folder deeper" sh -c "grep -qF 'one folder deeper there is' err && grep -q '^  deeper/regions/traces.otf2' err"
run info deeper/empty
expect "an error about an empty folder names no other folder" \
    sh -c "grep -q 'in this folder; name the file or the folder of a trace\$' err"

# What a trace lacks is said aloud, whatever is done with it.
neighbours=$ANAX_SOURCE/tests/data/otf2/sp_neigh_8
warning='anax: warning: 90.9 % of the MPI calls (160 of 176, most often MPI_Ineighbor_alltoall) are not modelled'
for arguments in "info $neighbours" "info $neighbours --json" "convert $neighbours -o n.anax" "info n.anax" \
    "replay $neighbours -m kim-72" "replay n.anax -m kim-72 --json --quiet" \
    "export $neighbours --format goal -o n.goal" "place $neighbours -m kim-72" \
    "compare $neighbours -m kim-72 --vary network.routing=minimal --seeds 1 --points points"; do
    # shellcheck disable=SC2086
    run_ok $arguments
    expect "a warning on the standard error" holds err "$warning"
done
run_ok replay "$neighbours" -m kim-72
expect "the text has the warning of calls that are not modelled" holds out "Warning: 90.9 % of the MPI calls"
run_ok replay "$neighbours" -m kim-72 --json
expect "the JSON has the warning of calls that are not modelled" holds out '"what":"calls that are not modelled"'
run_ok info "$trace"
expect "this trace has no warning" holds_not err warning

# Exports: all messages are there, once on each side; what is not written whole does not appear.
run_ok generate halo2d --ranks 16 --iterations 3 --size 4KiB -o halo2d.anax
run_ok info halo2d.anax --json
messages=$(value out messages)
run_ok export halo2d.anax --format goal
expect "the schedule has 16 ranks" [ "$(grep -c '^rank [0-9]* {$' out)" -eq 16 ]
expect "GOAL has the number of ranks" holds out "num_ranks 16"
expect "the schedule has every send" [ "$(grep -c '^l[0-9]*: send 4096b to [0-9]* tag [0-9]*$' out)" -eq "$messages" ]
expect "the schedule has every receive" [ "$(grep -c '^l[0-9]*: recv 4096b from [0-9]* tag [0-9]*$' out)" -eq "$messages" ]
expect "every line of the schedule is of a known form" [ "$(grep -Evc '^(//.*|num_ranks 16||rank [0-9]* \{|\}|l[0-9]*: (calc [0-9]*|send .*|recv .*)|l[0-9]* i?requires l[0-9]*)$' out)" -eq 0 ]
cp out first
run_ok export halo2d.anax --format goal -o halo2d.goal
expect "export prints nothing" empty out
expect "a file has the same schedule" cmp first halo2d.goal
expect "no unfinished file is left" [ ! -e halo2d.goal.part ]
run_ok export halo2d.anax --format goal --set replay.compute_scale=2
expect "computation takes twice the time" [ "$(grep -o 'calc [0-9]*' out | awk '{ s += $2 } END { print s }')" -eq \
    "$(($(grep -o 'calc [0-9]*' first | awk '{ s += $2 } END { print s }') * 2))" ]
run_ok export "$trace" --format json
expect_in out '"schema":"anax.program/1"'
expect "as many receives as sends" [ "$(grep -c '"kind":"send"' out)" -eq "$(grep -c '"kind":"receive"' out)" ]
run_ok export "$ANAX_SOURCE/tests/data/otf2/sp_rma_8" --format json
expect "one-sided operations have both ends" [ "$(grep -c '"kind":"send"' out)" -eq "$(grep -c '"kind":"receive"' out)" ]
expect "the targets' NICs do their part" [ "$(grep -c '"nic":true' out)" -eq 800 ] # 2 of 400
run_ok export halo2d.anax --format dot
expect_in out 'digraph program {'
("$ANAX" export halo2d.anax --format goal >/dev/full) 2>err; code=$? last="anax export >/dev/full"
expect_code 1
expect_in err "No space left on device"

# Damaged and foreign files.
head -c 1000 a.anax >short.anax
run info short.anax
expect_code 2
expect "it names the file" holds err short.anax
echo "not a trace" >foreign.anax
run info foreign.anax
expect_code 2
expect_in err "foreign.anax"
run info .
expect_code 2
expect_in err "no OTF2 archive (NAME.otf2) in this folder"
run convert "$trace" -o no/such/folder.anax
expect "exit code 1 or 2" [ "$code" -ne 0 ]

# Every pattern, as an archive and as a program file: the same messages.
"$ANAX" list patterns | cut -d' ' -f1 >patterns
while read -r pattern; do
    size="--size 4KiB"
    case $pattern in
    training) size="--set training.layers=2 --set training.hidden=48 --set training.vocabulary=99" ;;
    lulesh | nekbone | minife | amg | milc | swfft | kripke) size="--edge 6" ;;
    esac
    # shellcheck disable=SC2086
    run_ok generate "$pattern" --ranks 16 --iterations 2 $size -o "$pattern"
    # shellcheck disable=SC2086
    run_ok generate "$pattern" --ranks 16 --iterations 2 $size -o "$pattern.anax" --force
    run_ok info "$pattern" --json
    cp out archive.json
    run_ok info "$pattern.anax" --json
    for key in ranks messages message_bytes unmatched_sends unmatched_receives; do
        expect_key archive.json $key "$(value out $key)"
    done
    run_ok replay "$pattern.anax" --machine kim-72 --json
    expect_key out completed true
done <patterns
run generate ping-pong --ranks 16 -o ping-pong
expect "an existing folder is refused" [ "$code" -eq 2 ]
expect "the error says: ping-pong: exists already" holds err "ping-pong: exists already"
run generate halo3d --ranks 16 --neighbours 7 -o seven
expect_code 2
expect_in err "halo3d has 6 or 26 neighbours, not 7"
expect "no program was written" [ ! -e seven ]
finish
