#!/bin/sh
# Sums beyond 2^63 ps (9.2 million rank-seconds) are exact everywhere; single times that are too long
# are refused.
. "$ANAX_SOURCE/tests/support/script/command.sh"
# 64 ranks of 200,000 s each.
run_ok generate allreduce --ranks 64 --iterations 200 --compute 1000s -o long.anax

run_ok info long.anax
expect "computation of each" holds out 'computation per rank    200000 s'
run_ok info long.anax --json
expect "computation of all" [ "$(value out compute_ps)" = 12800000000000000000 ]

# A number in the JSON of `out`, of the object with that name: so many digits, and the first.
sum_of() {
    awk -v name="\"name\":\"$1\"" -v key="\"$2\":" '/{/ { value = "" }
        index($1, key) == 1 { value = $1; gsub(/[^0-9.-]/, "", value) }
        index($1, name) == 1 { named = 1 }
        /}/ && named { print value; exit }' out
}
is_sum() { [ ${#1} -eq 20 ] && case $1 in "$2"*) true ;; *) false ;; esac }

# All wait for rank 0, whose computation takes twice as long.
echo 'rank 0 2' >factors
run_ok replay long.anax --machine kim-72 --set replay.compute_factors=factors \
    --set trace.user_regions=on -o tables
expect "the computation's share" holds out 'computation            50.8 % of all ranks'
expect_in out 'MPI                    49.2 %'
expect "collectives are 49.2 % of the time" holds out 'collectives          49.2 %'
expect "the text has the exact sum of the call" grep -q 'MPI_Allreduce *12800  12600000 s  12600000 s' out
expect "the text has the exact sum of the region" grep -q 'iteration *12800  25600000 s  12600000 s  400000 s' out
expect "nothing is negative" [ "$(grep -c -- ' -[0-9]' out)" -eq 0 ]
run_ok replay long.anax --machine kim-72 --set replay.compute_factors=factors \
    --set trace.user_regions=on --json
expect "the sum of the times of MPI_Allreduce is exact" is_sum "$(sum_of MPI_Allreduce time_ps)" 12600000
expect "the call's waiting" is_sum "$(sum_of MPI_Allreduce wait_ps)" 12600000
expect "the region's time" is_sum "$(sum_of iteration time_ps)" 25600000
expect "the region's time in MPI" is_sum "$(sum_of iteration mpi_ps)" 12600000
expect "the table of calls" grep -q '^MPI_Allreduce,12800,12600000[0-9]\{12\},12600000[0-9]\{12\}$' \
    tables/calls.csv
expect "the table of regions" grep -q '^12800,64,25600000[0-9]\{12\},12600000[0-9]\{12\},4000' \
    tables/regions.csv

# Explained: what a setting changes is more than a number of 64 bits with six places holds.
run_ok replay long.anax --machine kim-72 --set replay.compute_factors=factors --explain --json -q \
    --set trace.user_regions=on --report long.html
cp out second.json
expect "the derivative has more digits than 63 bits" grep -q '"derivative":4000000000000000.0' second.json
run_ok replay long.anax --machine kim-72 --set replay.compute_factors=factors --explain -q -o explained
expect "sensitivity.csv has the value of replay.compute_scale" grep -q '^replay.compute_scale,4000000000000000.000000,percent,' explained/sensitivity.csv
# Pages and diffs read sums from JSON.
run_ok report second.json --report again.html
expect "the page made from JSON is the same" cmp long.html again.html
sed 's/&#160;/ /g' long.html >words
expect "the region on the page" grep -q 'iteration: 25600000 s in all' words
run_ok replay long.anax --machine kim-72 --set trace.user_regions=on --json -q
cp out first.json
run_ok diff first.json second.json
expect "the text has the exact difference of the cause" grep -q 'collectives  *[0-9.]* ms  *12600000 s  *+12600000 s' out
expect "the text has the exact difference of the call" grep -q 'MPI_Allreduce  *[0-9.]* ms  *12600000 s  *+12600000 s' out
expect "the text has the exact difference of the region" grep -q 'iteration  *12800000 s  *25600000 s  *+12800000 s (+100.00 %)' out
run_ok diff second.json first.json --json --report diff.html
expect "JSON has the exact difference, of 20 digits" grep -q '"difference_ps":-12[78][0-9]\{17\}$' out
expect "the page of the diff has the exact difference" grep -q -- '-12800000 s (-50.0' diff.html

# Single times that are too long.
refuse() {
    what=$1 number=$2
    shift 2
    run "$@"
    expect "$what: exit code $number" [ "$code" -eq "$number" ]
    expect "$what: the error states the limit of 26 days" grep -q '26 days' err
}
refuse computation 1 replay long.anax --machine kim-72 --set replay.compute_scale=20
refuse "computation of a schedule" 2 export long.anax --set replay.compute_scale=20 --format goal
run_ok generate ping-pong --ranks 2 --iterations 2 --size 1TiB -o large.anax
refuse "a message within a node" 1 replay large.anax --machine kim-72 --ranks-per-node 2 \
    --set network.memory.bandwidth=1MB/s
refuse "the cost of sending" 1 replay large.anax --machine kim-72 --ranks-per-node 2 \
    --set mpi.send_overhead_per_kib=1s
refuse "the cost of receiving" 1 replay large.anax --machine kim-72 --ranks-per-node 2 \
    --set mpi.receive_overhead_per_kib=1s
refuse "synthetic traffic" 2 traffic --machine kim-72 --load 0.1 --set traffic.warmup=1000000s \
    --set traffic.measure=1000000s --set traffic.drain=1000000s

finish
