#!/bin/sh
# Who runs which group, how many threads there are and how long they take changes nothing: digest,
# events, windows and parallel limit are equal. ANAX_TEST_DEALING chooses how groups are dealt, and
# with delays threads pause now and then.
. "$ANAX_SOURCE/tests/support/script/command.sh"
trace=examples/gromacs/traces.otf2
run_ok generate alltoall --ranks 32 --iterations 1 --size 2KiB -o alltoall.anax
run_ok generate halo3d --ranks 27 --iterations 2 --size 20KiB --compute 1us -o halo.anax

figures() { sed -n '/^ *"\(digest\|events\|windows\|parallel_limit\)":/p' out | tr -d ' \n'; }

turn=0
same() { # ARGUMENTS: a command that simulates; a third of the dealings each, in turn
    turn=$((turn + 1))
    dealt=$turn
    unset ANAX_TEST_DEALING
    run_ok "$@" -q --json --threads 1
    expected=$(figures)
    expect "the expected result has at least four figures" [ "$(echo "$expected" | tr "," "\n" | grep -c :)" -ge 4 ]
    for threads in 1 2 3 5; do
        for dealing in static dynamic random random,delays; do
            [ $threads = 1 ] && [ $dealing != random ] && continue
            [ $threads != 3 ] && [ $dealing = random,delays ] && continue
            dealt=$((dealt + 1))
            [ $((dealt % 3)) -eq 0 ] || continue
            export ANAX_TEST_DEALING=$dealing
            run_ok "$@" -q --json --threads $threads
            expect "with $threads threads, $dealing: $expected, not $(figures)" \
                [ "$(figures)" = "$expected" ]
        done
    done
    unset ANAX_TEST_DEALING
}

brief="--set traffic.warmup=1us --set traffic.measure=1us --set traffic.drain=1us"
# shellcheck disable=SC2086 # words are arguments
for routing in minimal ugal-l-cr piggyback ofar; do
    same traffic --machine kim-72 --routing $routing --pattern worst-case --load 0.7 $brief
done
# shellcheck disable=SC2086 # words are arguments
same traffic --machine kim-72 --routing ugal-l --load 0.6 --set network.rails=2 $brief \
    --set traffic.message=20KiB --set network.nic.window=16KiB --set network.acknowledgement=packet
same replay "$trace" --machine kim-72 --placement random --routing par
same replay halo.anax --machine kim-72 --placement block --set mpi.progress=software
same replay halo.anax alltoall.anax --machine kim-72 --placement random --routing ugal-l \
    --set jobs.alone=off --set background.load=0.2
same replay "$ANAX_SOURCE/tests/data/otf2/sp_rma_8/traces.otf2" --machine kim-72 --placement random

# The loads of windows, dealt again to more cores than there are groups, give parallel_limit; to fewer, less.
export ANAX_TEST_LOADS=loads
# shellcheck disable=SC2086 # words are arguments
run_ok traffic --machine kim-72 --load 0.5 $brief -q --json --threads 2
limit=$(awk "BEGIN { printf \"%.1f\", $(value out parallel_limit) }")
awk -f "$ANAX_SOURCE/bench/speed/window_bounds.awk" loads >bounds
expect "a line for each window" grep -q "^$(value out windows) windows" bounds
expect "the limit $limit" [ "$(awk '$1 == 1024 { print $2 }' bounds)" = "$limit" ]
expect "less with 8 cores" awk '$1 == 8 { few = $2 } $1 == 1024 { exit !(few < $2 && $3 < $2) }' bounds
export ANAX_TEST_LOADS=/nonexistent/loads
run traffic --machine kim-72 --load 0.5
expect_code 2
expect_in err "ANAX_TEST_LOADS: /nonexistent/loads cannot be written"
unset ANAX_TEST_LOADS

# A single busy group goes on in one window for as long as nothing leaves it.
run_ok generate stream --ranks 2 --iterations 20 -o pair.anax
run_ok replay pair.anax --machine kim-1k --placement block -q --json
expect "nothing to divide" [ "$(value out parallel_limit)" = 1.0 ]
expect "a window has 100 events or more" [ "$(value out windows)" -le $(($(value out events) / 100)) ]
digest=$(value out digest)
run_ok replay pair.anax --machine kim-1k --placement block -q --json --threads auto
expect "the automatic number" [ "$(value out digest)" = "$digest" ]
run replay pair.anax --machine kim-72 --threads some
expect_code 2
expect_in err "--threads takes a number from 1 to 1024 or auto, not some"
export ANAX_TEST_DEALING=none
run replay pair.anax --machine kim-72
expect_code 2
expect "the error says: ANAX_TEST_DEALING is 'none'" holds err 'ANAX_TEST_DEALING is `none`'
finish
