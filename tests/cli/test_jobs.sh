#!/bin/sh
# Several jobs at once: from arguments and from a list, with and without background traffic.
. "$ANAX_SOURCE/tests/support/script/command.sh"
trace=examples/gromacs/traces.otf2
run_ok generate alltoall --ranks 16 --iterations 4 -o alltoall.anax
run_ok generate halo3d --ranks 27 --iterations 4 -o halo.anax
numbers() { sed -n "s/^ *\"$1\":\([0-9]*\),\{0,1\}\$/\1/p" out; } # all values of a key

# One job: the keys of one job, no second run, and its job is all of it.
run_ok replay "$trace" --machine kim-72 --placement random --json
expect "one trace gives one job" [ "$(grep -c '"first_rank":' out)" -eq 1 ]
expect_in out '"name":"gromacs"'
expect "nothing to compare it with" holds out '"alone_ps":null'
expect "all ranks are of this job" [ "$(grep -c '"job":0' out)" -eq 9 ]
run_ok replay "$trace" --machine kim-72 --placement random
expect "no table of jobs" holds_not out "slowdown"

# Several: nodes are disjoint, each job has its figures, the same for any number of threads.
run_ok replay alltoall.anax "$trace" halo.anax --machine kim-72 --placement random --routing ugal-l \
    --json -o tables
digest=$(value out digest)
expect "three traces give three jobs" [ "$(grep -c '"first_rank":' out)" -eq 3 ]
expect "the ranks of each job follow those of the job before" [ "$(numbers first_rank | tr '\n' ' ')" = "0 16 24 " ]
expect "all 51 ranks of the three jobs are in JSON" [ "$(grep -c '"job_rank":' out)" -eq 51 ]
expect "no two ranks share a node" [ "$(numbers node | sort -u | wc -l)" -eq 51 ]
expect "seeds of their own" [ "$(numbers seed | tail -3 | tr '\n' ' ')" = "1 2 3 " ]
expect "each job has its slowdown" [ "$(grep -c '"slowdown":' out)" -eq 3 ]
expect "one entry per MPI call" [ "$(grep -c '"name":"MPI_Barrier"' out)" -le 1 ]
for threads in 1 2 3; do
    run_ok replay alltoall.anax "$trace" halo.anax --machine kim-72 --placement random \
        --routing ugal-l --json --threads $threads --set jobs.alone=off
    expect "the same digest with $threads threads" [ "$(value out digest)" = "$digest" ]
    expect "without jobs.alone no job has a time alone" [ "$(grep -c '"alone_ps":null' out)" -eq 3 ]
done
expect "jobs.csv has a header and three jobs" [ "$(wc -l <tables/jobs.csv)" -eq 4 ]
expect "ranks.csv has a header and 51 ranks" [ "$(wc -l <tables/ranks.csv)" -eq 52 ]
run_ok replay alltoall.anax "$trace" halo.anax --machine kim-72 --placement random
expect "tables of 80 columns" awk 'length($0) > 80 && !/^Replay/ { exit 1 }' out
expect_in out "Replay of 3 jobs (51 ranks)"
expect_in out "slowdown"

# Alone means alone: the same time as a replay of that job by itself.
run_ok replay alltoall.anax halo.anax --machine kim-72 --json
alone=$(numbers alone_ps | head -1)
run_ok replay alltoall.anax --machine kim-72 --json
expect "the time of a single replay" [ "$(value out time_ps)" = "$alone" ]

# Jobs that share no link do not slow each other down, whenever they start: minimal routing, a group
# each.
run_ok generate halo2d --ranks 8 --iterations 4 -o small.anax
cat >apart.yaml <<'YAML'
jobs:
  - trace: small.anax
    name: first
  - trace: small.anax
    name: second
    start: 3us
  - name: third
    trace: small.anax
    start: 1ms
    placement: {policy: block}
YAML
run_ok replay --jobs apart.yaml --machine kim-72 --routing minimal --json
expect "jobs that share nothing do not slow each other down" [ "$(grep -c '"slowdown":1.0' out)" -eq 3 ]
expect "jobs start when the list says" [ "$(numbers start_ps | tr '\n' ' ')" = "0 3000000 1000000000 " ]
expect "the last end is the time" [ "$(numbers end_ps | tail -1)" = "$(value out time_ps)" ]

# Regions of several jobs are told apart.
run_ok generate halo2d --ranks 4 --iterations 2 -o regions.anax
run_ok replay regions.anax regions.anax --machine kim-72 --set trace.user_regions=on --json
sed -n '/"regions":/,/]/p' out >regions
expect "each job has a region in the table" [ "$(sed -n 's/.*"job":\([0-9]*\).*/\1/p' regions | tr '\n' ' ')" = "0 1 " ]
expect "the regions of both jobs have the same name" [ "$(grep -c '"name":"iteration"' regions)" -eq 2 ]
run_ok replay regions.anax regions.anax --machine kim-72 --set trace.user_regions=on
expect "the second's in the text" grep -q "iteration .*(rank [4-7], job regions)" out

# A list beside its traces, with placements of all kinds.
mkdir lists
mv small.anax lists
printf '0 70\n1 71\n2 69\n3 68\n4 67\n5 66\n6 65\n7 64\n' >ranks
cat >lists/mixed.yaml <<'YAML'
# a comment
jobs:
  - {trace: small.anax, placement: random, seed: 9}
  - trace: small.anax
    placement:
      policy: rankfile
      file: ranks
  - trace: alltoall.anax # of the present folder
    placement: {policy: greedy, ranks_per_node: 2}
YAML
run_ok replay --jobs lists/mixed.yaml --machine kim-72 --json --timeline predicted
expect "the rank file's nodes" [ "$(numbers node | sed -n 9p)" = 70 ]
expect "each job has the placement of the list" sh -c "grep -c '\"placement\":\"random\"\|\"placement\":\"rankfile\"\|\"placement\":\"greedy\"' out | grep -qx 3"
expect "all 32 ranks of the jobs are in JSON" [ "$(grep -c '"job_rank":' out)" -eq 32 ]
run_ok info predicted --json
expect "a timeline of all" [ "$(value out ranks)" = 32 ]
printf 'jobs:\n- {trace: small.anax}\n- {trace: small.anax, start: 5ms}\n' >lists/late.yaml
run_ok replay --jobs lists/late.yaml --machine kim-72 --timeline late --json
run_ok info late --json
expect "a timeline as long as the later job" [ "$(value out span_ps)" -ge 5000000000 ]

# Background traffic slows down what shares links with it; where it ends does not depend on threads.
run_ok replay alltoall.anax --machine kim-72 --placement random --background uniform \
    --background-load 0.5 --json --threads 1
digest=$(value out digest)
expect_in out '"background":{'
expect "nodes without ranks" holds out '"nodes":56'
expect "slower than alone" [ "$(numbers alone_ps)" -lt "$(value out time_ps)" ]
for threads in 2 3; do
    run_ok replay alltoall.anax --machine kim-72 --placement random --background uniform \
        --background-load 0.5 --json --threads $threads
    expect "the same digest with $threads threads" [ "$(value out digest)" = "$digest" ]
done
# Channels carry it beyond the last rank's end, and shares are of the time until they are idle.
run_ok replay alltoall.anax --machine kim-72 --placement random --background uniform \
    --background-load 1 --set background.message=1MiB --json -o loaded --force
expect "the network is busy for longer" [ "$(value out links_span_ps)" -gt "$(value out time_ps)" ]
expect_checked "no share above 1" out loaded
run_ok replay alltoall.anax --machine kim-72 --placement random --background uniform \
    --background-load 1 --set background.message=1MiB
expect "no link is busy for more than 100 %" awk '/^Busiest links/ { inside = 1 } /^$/ { inside = 0 }
    inside && /%/ { for (i = 2; i <= NF; i++) if ($i == "%" && $(i - 1) > 100) exit 1 }' out
expect "what the shares are of" holds out ": the time until the last channel is idle."
run_ok replay alltoall.anax --machine kim-72 --placement random --background permutation \
    --background-load 1 --set background.message=1MiB --links hottest:2 --report loaded.html
expect "nor in the report" awk '/id=.flows/ { inside = 1; seen = 1 } /id=.latenc|<\/body/ { inside = 0 }
    inside { while (match($0, /[0-9.]+ %/)) { if (substr($0, RSTART) + 0 > 100) exit 1; $0 = substr($0, RSTART + RLENGTH) } }
    END { exit !seen }' loaded.html
run_ok replay alltoall.anax --machine kim-72 --placement random --background worst-case \
    --background-load 0.2
expect "the output says: worst-case at load 0.2, among 56 nodes without ranks" holds out "worst-case at load 0.2, among 56 nodes without ranks"

# Names do not control the terminal.
escape=$(printf '\033[31m')
cp halo.anax "red$escape.anax"
run_ok replay "red$escape.anax" halo.anax --machine kim-72 --set jobs.alone=off
expect "its job's name is readable" holds out 'red\x1B[31m'
expect "the output has no escape character" holds_not out "$escape"
run replay "none$escape.anax" --machine kim-72
expect_code 2
expect_in err 'none\x1B[31m.anax'

# What is wrong is said where it is.
wrong() {
    hint=$1
    shift
    run "$@"
    expect_code 2
    expect "the hint: $hint" holds err "$hint"
    expect "nothing on the standard output" empty out
}
wrong "job halo: 27 ranks do not fit: the machine has 72 nodes, of which 54 are taken" \
    replay halo.anax halo.anax halo.anax --machine kim-72
wrong "exclude each other" replay halo.anax --jobs apart.yaml --machine kim-72
for pattern in adv+1 uniform; do
    wrong "no background traffic without a load" replay halo.anax --machine kim-72 --background $pattern
done
run_ok replay halo.anax --machine kim-72 --background adv+1 --background-load 0
expect "a load of 0 is no traffic" holds_not out "Background traffic"
wrong "background.pattern: no pattern is named" replay halo.anax --machine kim-72 --background x --background-load 0.1
echo >unreadable.anax
wrong "background.pattern: no pattern is named" replay unreadable.anax --machine kim-72 --background x \
    --background-load 0.1
wrong "has ranks on it" replay halo.anax --machine kim-72 --background hotspot --background-load 0.1
wrong "without ranks; there are 0" replay halo.anax --machine kim-72 --background-load 0.1 \
    --set network.groups=3 --set network.routers_per_group=9 --set network.nodes_per_router=1
wrong "none.yaml: cannot be opened" replay --jobs none.yaml --machine kim-72
: >empty.yaml
wrong "lists no jobs" replay --jobs empty.yaml --machine kim-72
printf 'jobs:\n  - start: 1us\n' >list.yaml
wrong "list.yaml:2: error: this job has no \`trace\`" replay --jobs list.yaml --machine kim-72
printf 'jobs:\n  - trace: no/such\n' >list.yaml
wrong "list.yaml:2: no/such" replay --jobs list.yaml --machine kim-72
printf 'jobs: 7\nmachine: kim-72\n' >list.yaml
wrong "list.yaml:1:7: error: \`jobs\` is a list" replay --jobs list.yaml --machine kim-72
wrong "list.yaml:2:1: error: there is nothing called \`machine\`" \
    replay --jobs list.yaml --machine kim-72
printf 'jobs:\n  - trace: a\n    strat: 1us\n  - 3\n  - trace: b\n    trace: c\n' >list.yaml
wrong "list.yaml:3:5: error: there is no setting \`strat\`" replay --jobs list.yaml --machine kim-72
wrong "did you mean \`start\`" replay --jobs list.yaml --machine kim-72
wrong "list.yaml:4:5: error: a job is a map" replay --jobs list.yaml --machine kim-72
wrong "list.yaml:6:5: error: \`trace\` is given twice" replay --jobs list.yaml --machine kim-72
printf 'jobs:\n  - trace: a\n    placement: {occupied: 3%%}\n' >list.yaml
wrong "there is no setting \`placement.occupied\`" replay --jobs list.yaml --machine kim-72
finish
