#!/bin/sh
# `anax info`, `anax convert` and `anax generate`.
. "$ANAX_SOURCE/tests/support/command.sh"
trace=examples/gromacs/traces.otf2

# The counts of an independent reader.
run_ok info "$trace" --json
for pair in ranks:8 events:17162 messages:2244 message_bytes:47299312 unmatched_sends:0 \
    unmatched_receives:0 ALLREDUCE:162 ALLTOALL:164 BARRIER:16 BCAST:604 CREATE_HANDLE:66 \
    DESTROY_HANDLE:40 GATHER:8 SCATTER:6 SCATTERV:18; do
    expect "$pair" [ "$(value out "${pair%:*}")" = "${pair#*:}" ]
done
expect "schema" [ "$(value out schema)" = anax.info/1 ]
hash=$(value out hash)
run_ok info "$trace"
expect "for people" holds out "ALLREDUCE"

# The folder stands for its archive; a program file holds the same.
run_ok info examples/gromacs --json
expect "the folder is the archive" [ "$(value out hash)" = "$hash" ]
run_ok convert "$trace" -o a.anax
expect "silent" empty out
expect "smaller than the archive" [ "$(wc -c <a.anax)" -lt "$(cat examples/gromacs/traces/*.evt | wc -c)" ]
run_ok info a.anax --json
expect "the same content" [ "$(value out hash)" = "$hash" ]
run_ok convert a.anax -o b.anax
expect "converting again changes nothing" cmp a.anax b.anax

# Damaged and foreign files.
head -c 1000 a.anax >short.anax
run info short.anax
expect "exit code 2" [ "$code" -eq 2 ]
expect "it names the file" holds err short.anax
echo "not a trace" >foreign.anax
run info foreign.anax
expect "exit code 2" [ "$code" -eq 2 ]
run info .
expect "exit code 2 for a folder without an archive" [ "$code" -eq 2 ]
run convert "$trace" -o no/such/folder.anax
expect "exit code 1 or 2" [ "$code" -ne 0 ]

# Every pattern, as an archive and as a program file: the same messages.
"$ANAX" list patterns | cut -d' ' -f1 >patterns
while read -r pattern; do
    run_ok generate "$pattern" --ranks 16 --iterations 2 --size 4KiB -o "$pattern"
    run_ok generate "$pattern" --ranks 16 --iterations 2 --size 4KiB -o "$pattern.anax"
    run_ok info "$pattern" --json
    cp out archive.json
    run_ok info "$pattern.anax" --json
    for key in ranks messages message_bytes unmatched_sends unmatched_receives; do
        expect "$pattern: $key" [ "$(value archive.json $key)" = "$(value out $key)" ]
    done
    run_ok replay "$pattern.anax" --machine kim-72 --json
    expect "$pattern replays" [ "$(value out completed)" = true ]
done <patterns
run generate ping-pong --ranks 16 -o ping-pong
expect "an existing folder is refused" [ "$code" -eq 2 ]
expect "it says so" holds err "ping-pong: exists already"
run generate halo3d --ranks 16 --neighbours 7 -o seven
expect "exit code 2" [ "$code" -eq 2 ]
expect "nothing was written" [ ! -e seven ]
finish
