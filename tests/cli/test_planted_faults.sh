#!/bin/sh
# The checker of results (tests/support/check) finds what is wrong: faults are planted in the numbers
# of good results and of their tables, and few may stay unseen.
. "$ANAX_SOURCE/tests/support/script/command.sh"
check=$ANAX_BINARY/tests/check_json
plant=$ANAX_BINARY/tests/plant_faults
trace=examples/gromacs/traces.otf2

# What no other figure follows from, in any result: facts about the computer, settings, and figures of
# the network that stand alone. All else must be seen by a change of one, another sign always.
alone="wall_s peak_rss_bytes threads processes events windows parallel_limit bounds span_ps links_span_ps memory_messages ring_entries
    eager_threshold_bytes mean_latency_ps p50_latency_ps p95_latency_ps p99_latency_ps max_latency_ps
    unmatched_sends unmatched_receives links.csv:port links.csv:busy_ps links.csv:stalled_ps"

planted() { # FILE FOLDER MORE...: but for these keys too, each fault is found
    file=$1 folder=$2
    shift 2
    for key in $alone "$@"; do
        echo "more $key"
    done >unseen
    last="plant_faults $file $folder" code=0
    "$plant" "$file" ${folder:+"$folder"} >planted 2>err || code=$?
    expect "the result without faults passes the rules" [ "$code" -eq 0 ]
    sort -u planted | grep -vxFf unseen >out
    expect "no fault of these is unseen" [ ! -s out ]
}

# messages: of the network; collective, one_sided: bounds only, as their sizes are not told.
run_ok replay $trace -m kim-72 -r par -p random --json -o tables
cp out replay.json
planted replay.json tables messages collective one_sided packets stalled_ps busy_ps minimal_share count

run_ok generate halo2d --ranks 16 --iterations 2 -o halo2d.anax
run_ok generate random-pairs --ranks 16 --iterations 2 -o pairs.anax
run_ok replay halo2d.anax pairs.anax -m kim-72 --background uniform --background-load 0.1 \
    --set trace.user_regions=on --json -o jobs
cp out jobs.json
planted jobs.json jobs messages collective one_sided bytes refused nodes \
    most_rank most_ps time_ps mpi_ps count ranks load minimal_share

run_ok traffic -m kim-72 -p adv+1 --load 0.4 --set traffic.measure=5us --json -o point
cp out point.json
planted point.json point minimal_share links.csv:measured_packets links.csv:measured_busy_ps \
    links.csv:measured_stalled_ps

run_ok traffic -m kim-72 -r minimal,valiant --loads 0.2:0.8:0.3 --set traffic.measure=5us --json -o curves
cp out curves.json
planted curves.json curves messages unfinished mean_hops minimal_share accepted_load \
    minimal_mean_latency_ps nonminimal_mean_latency_ps accepted_mean_latency_ps offered_load bytes

# Means and probabilities are held against points with a tolerance.
run_ok compare halo2d.anax -m kim-72 -r minimal,par -p random,block --seeds 4 --points kept --json -o seeds
cp out compare.json
planted compare.json seeds busy_ps stalled_ps negligible difference_mean_ps injection_bytes_per_s time_ps p holm_p ranks globals_per_router

run_ok place $trace -m kim-72 --json
cp out place.json
# bytes: of local links bounds only.
planted place.json "" pairs messages message_bytes bytes source destination links used

run_ok topology kim-72 cray-xc --json
cp out topology.json
planted topology.json "" injection_bytes_per_s global_bandwidth_share crossover_m columns rows longest_m dollars \
    minimal_diameter minimal_mean_hops cabinets least_nonminimal_paths_per_pair \
    most_nonminimal_paths_per_pair mean_nonminimal_paths_per_pair

echo '{machine: kim-72, network: {routing: ofar, ofar: {ring: physical}}}' >ring.yaml
run_ok topology -c ring.yaml --json
last="check_json of a physical ring" code=0
"$check" out >planted 2>err || code=$?
expect "ports of the ring are no local ones" [ "$code" -eq 0 ]

run_ok bisection -a 3 -h 3 --arrangement helix --json
cp out bisection.json
planted bisection.json "" global_links local_links globals_per_router

run_ok info $trace --json
cp out info.json
planted info.json "" locations communicators compute_ps message_bytes span_ps count \
    operations bytes window_synchronisations BCAST GATHER SCATTER SCATTERV ALLREDUCE ALLTOALL BARRIER \
    CREATE_HANDLE DESTROY_HANDLE ranks

# What is no result at all.
wrong() { # WHAT SCRIPT FILE
    sed "$2" "$3" >bad.json
    last="check_json after sed $2 $3" code=0
    "$check" bad.json >out 2>err || code=$?
    expect_code 1
}
wrong "a missing key" '/"compute_ps"/d' replay.json
wrong "a key twice" 's/^\( *\)"compute_ps":[0-9]*,/&&/' replay.json
wrong "a text in place of a number" 's/"time_ps":[0-9]*/"time_ps":"1"/' replay.json
wrong "a number that is none" 's/"time_ps":[0-9]*/"time_ps":nan/' replay.json
wrong "an exponent" 's/"seed":1/"seed":1e0/' replay.json
wrong "another schema" 's/anax.replay.2/anax.replay\/9/' replay.json
wrong "an end too early" '$d' replay.json
wrong "half a cut" 's/"cut":"0/"cut":"1/' bisection.json
wrong "a value that is no factor" 's/"network.routing":"par"/"network.routing":"minimal"/' compare.json
wrong "a run that did not finish, with figures" 's/"completed":true/"completed":false/' replay.json
echo '{"schema":"anax.replay/2","version":"1","completed":true}' >empty.json
"$check" empty.json >out 2>err && code=0 || code=$?
expect "a result without its parts is found" [ "$code" -eq 1 ]
"$check" --completed replay.json tables >out 2>err && code=$? || code=$?
expect "the result without a fault is accepted" [ "$code" -eq 0 ]
finish
