#!/bin/sh
# Schedules in GOAL as traces: every command that takes a trace takes them, what the export writes is
# read back, NICs, refusals. Documentation: docs/goal.md.
. "$ANAX_SOURCE/tests/support/script/command.sh"

run_ok generate halo2d --ranks 9 --iterations 2 --size 1KiB --compute 10us -o halo.anax
run_ok export halo.anax --format goal -o halo.goal
run_ok replay halo.goal --machine kim-72 --json -o tables
digest=$(value out digest)
expect "the replay has a digest" [ -n "$digest" ]
cp out result.json
expect_checked "the results fit together" --completed result.json tables
expect "the receives of the schedule are counted" rows '
    @name == "recv (GOAL)" { receives = @count } END { exit receives < 1 }' tables/calls.csv
run_ok replay halo.goal --machine kim-72 --json --threads 3
expect "three threads, same digest" [ "$(value out digest)" = "$digest" ]

# A program file is the same program; the export of a schedule is the schedule.
run_ok convert halo.goal -o again.anax
run_ok replay again.anax --machine kim-72 --json
expect "a program file gives the same digest" [ "$(value out digest)" = "$digest" ]
run_ok export again.anax --format goal -o again.goal
expect "the export of a schedule is the schedule" cmp halo.goal again.goal
run_ok export halo.goal --format dot
run_ok export halo.goal --format json
expect "JSON of all sends" [ "$(grep -c '"kind":"send"' out)" -eq "$(grep -c ': send ' halo.goal)" ]
expect "JSON has all nine ranks" [ "$(grep -c '"rank":[0-9]*,"operations"' out)" -eq 9 ]
run_ok info halo.goal --json
expect "the trace has messages" [ "$(value out messages)" -gt 0 ]
run_ok place halo.goal --machine kim-72 --placement greedy
run_ok compare halo.goal --machine kim-72 --routing minimal,valiant
cp halo.goal no_extension
run_ok replay no_extension --machine kim-72 --json
expect "recognised by its content" [ "$(value out digest)" = "$digest" ]
run_ok replay halo.goal halo.anax --machine kim-72 --set jobs.alone=off
expect "beside an ordinary job" holds out "Replay of 2 jobs (18 ranks)"

# Messages that only one side has are told of.
run_ok export halo.anax --format goal
expect "an export of matched messages warns of nothing" empty err
unmatched=$ANAX_SOURCE/tests/fuzz/seeds/program_file/file14
run_ok info "$unmatched" --json
sends=$(value out unmatched_sends) receives=$(value out unmatched_receives)
expect "there are sends without a receive" [ "$sends" -gt 0 ]
for format in goal json dot; do
    run_ok export "$unmatched" --format "$format"
    expect "sends are told of ($format)" holds err "sends without a receive in the trace: $sends ("
    cp err told
    run_ok export "$unmatched" --format "$format" -o "unmatched.$format"
    expect "the same sends are named if the export goes to a file" cmp err told
done
expect "the schedule says how many sends lack a receive" holds unmatched.goal "// sends without a receive: $sends"
expect "JSON counts sends" [ "$(value unmatched.json unmatched_sends)" = "$sends" ]
expect_key unmatched.json unmatched_receives "$receives"

# Two messages of two CPUs: side by side over two NICs, in turn over one.
two_nics() {
    printf 'num_ranks 2\nrank 0 {\nsend 1000000b to 1 nic 1\nsend 1000000b to 1 tag 1 cpu 1 nic %s\n}\n' "$1"
    printf 'rank 1 {\nrecv 1000000b from 0\nrecv 1000000b from 0 tag 1 cpu 1\n}\n'
}
two_nics 0 >both.goal
two_nics 1 >one.goal
run_ok replay both.goal --machine kim-72 --set network.node.nics=2 --json
both=$(value out time_ps)
run_ok replay one.goal --machine kim-72 --set network.node.nics=2 --json
expect "NICs of the schedule" [ $((both * 19 / 10)) -lt "$(value out time_ps)" ]

# Time bins and matrices are kept.
run_ok replay halo.goal --machine kim-72 --time-bins 8 --matrix rank --json -o bins
cp out bins.json
expect_checked "they fit together" --completed bins.json bins
expect "recording time bins leaves the digest as it is" [ "$(value bins.json digest)" = "$digest" ]

# What a schedule does not have is refused before anything is written.
for wrong in "replay halo.goal --machine kim-72 --explain" "replay halo.goal --machine kim-72 --timeline t" \
    "replay halo.goal --machine kim-72 --from 1us" "replay halo.goal --machine kim-72 --set trace.repeat=a:2"; do
    # shellcheck disable=SC2086 # words are arguments
    run $wrong
    expect_code 2
    expect "because it is a schedule" grep -q 'a schedule in GOAL' err
done
expect "a refused timeline leaves no folder" [ ! -e t ]
printf 'num_ranks 2\nrank 0 {\na: calc 9 cpu 0\nb: send 4b to 1 cpu 1\n}\nrank 1 {\na: recv 4b from 0\n}\n' >cpus.goal
for schedule in cpus.goal halo.goal; do # several CPUs, one CPU
    run replay $schedule --machine kim-72 --explain --json -o explained
    expect "no explanation of $schedule" [ "$code" -eq 2 ]
    expect_in err "ranks that do several things at once, so no single chain of causes"
    expect "a refused run writes nothing" [ ! -e explained ]
done
run_ok replay cpus.goal --machine kim-72

# Many packets are told of before the run. These ranks wait for each other, so the run ends at once.
wait_for_each_other() { # wait_for_each_other BYTES
    printf 'num_ranks 2\nrank 0 {\na: recv 8b from 1\nb: send %sb to 1\nb requires a\n}\n' "$1"
    printf 'rank 1 {\na: recv %sb from 0\nb: send 8b to 0\nb requires a\n}\n' "$1"
}
wait_for_each_other 1099511627776 >large.goal
wait_for_each_other 1073741824 >small.goal
run replay large.goal --machine kim-72
expect_code 1
expect "packets, time and the largest message" holds err "the messages have about 537 million packets of 2KiB, and at a million packets per second the replay takes about 8 min (the largest message has up to 1TiB)"
run replay large.goal --machine kim-72 --set network.packet=14KiB
expect_code 1
expect "with packets of 14KiB the error does not blame their number" holds_not err "million packets"
run replay small.goal --machine kim-72
expect_code 1
expect "a smaller message" holds_not err "million packets"
head -c 300 halo.goal >cut.goal
run info cut.goal
expect "a schedule that is cut short is refused" [ "$code" -eq 2 ]
expect "names file and line" grep -q '^anax: cut.goal:[0-9]*: ' err
finish
