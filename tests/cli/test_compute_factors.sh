#!/bin/sh
# What would be if computation were another: factors by region, rank and node; noise; and
# if there were more iterations.
. "$ANAX_SOURCE/tests/support/script/command.sh"
run_ok generate halo2d --ranks 16 --iterations 5 --compute 10us -o halo2d.anax

# All of halo2d's computation lies in its iterations.
run_ok replay halo2d.anax --machine kim-72 --set trace.compute_scale=iteration:0.5 --json
half=$(value out compute_ps) half_ps=$(value out time_ps)
expect "half of 5 times 10 us" [ "$half" -eq 25000000 ]
expect "the region's times are told" holds out '"name":"iteration"'
expect "where it comes from says so" holds out ', compute iteration:0.5"'
run_ok replay halo2d.anax --machine kim-72 --set replay.compute_scale=0.5 --json
expect "a factor for all ranks is the same as replay.compute_scale" [ "$(value out time_ps)" -eq "$half_ps" ]
run_ok convert halo2d.anax --set trace.compute_scale=iteration:0.5 -o half.anax
run_ok replay half.anax --machine kim-72 --json
expect "a converted trace is the scaled one" [ "$(value out time_ps)" -eq "$half_ps" ]
run replay halo2d.anax --machine kim-72 --set trace.compute_scale=iteratoin:0.5
expect_code 2
expect_in err 'did you mean `iteration`?'
run replay halo2d.anax --machine kim-72 --set trace.compute_scale=iteration
expect_code 2
expect "the error says how to write a factor" holds err 'is not REGION:FACTOR (solve:0.5)'

# Factors of ranks and nodes; two ranks share a node.
printf '# slow ones\nrank 3 2\nrank 6-7  50%%\n\nnode 0-1 3 # both\n' >factors
run_ok replay halo2d.anax --machine kim-72 --ranks-per-node 2 --set replay.compute_factors=factors \
    -o scaled
times=$(cells scaled/ranks.csv compute_ps | head -8 | tr '\n' ' ')
expect "each has its factor" [ "$times" = \
    "150000000 150000000 150000000 300000000 50000000 50000000 25000000 25000000 " ]
printf 'rank 16 2\nnode 1-0 2\nrank 1\ncore 3 1\nrank 1 2ms\nrank 4 1\nrank 2-5 1 1\nrank 3-4 1\n' >wrong
run replay halo2d.anax --machine kim-72 --set replay.compute_factors=wrong
expect_code 2
for line in "wrong:1:6: error: there is no such rank: they are numbered from 0 to 15" \
    "wrong:2:6: error: the range ends before it starts" "wrong:3:7: error: a factor is expected" \
    "wrong:4:1: error: \`core\` is neither rank nor node" "wrong:5:8: error:" \
    "wrong:7:12: error: nothing more is expected" "wrong:8:1: error: rank 4 has a factor already"; do
    expect_in err "$line"
done
expect "all seven faults of the file are reported" [ "$(grep -c error: err)" -eq 7 ]
run export halo2d.anax --format goal --set replay.compute_factors=factors
expect_code 2
expect_in err "replay.compute_factors: \`anax export\` does not use it"

# Noise: more time, the same for any number of threads, another for another seed.
printf '1us 2us\n5000,3000 # in ns\n10us\n' >detours
for noise in "kind=gaussian share=20%" "kind=exponential share=0.1" "kind=exponential of=node" \
    "kind=periodic period=20us duration=2us" "kind=recorded file=detours"; do
    set --
    for setting in $noise; do set -- "$@" --set "noise.$setting"; done
    run_ok replay halo2d.anax --machine kim-72 --ranks-per-node 2 "$@" --json --threads 1
    digest=$(value out digest) noisy=$(value out compute_ps)
    expect "$noise: other times" [ "$noisy" -ne 50000000 ]
    run_ok replay halo2d.anax --machine kim-72 --ranks-per-node 2 "$@" --json --threads 3
    expect "$noise: the same digest" [ "$(value out digest)" = "$digest" ]
    run_ok replay halo2d.anax --machine kim-72 --ranks-per-node 2 "$@" --json --seed 2
    expect "$noise: another seed" [ "$(value out digest)" != "$digest" ]
done
expect "half of the time is away" [ "$noisy" -ge 90000000 ] # 50 us of CPU time in periods of 10 us
printf '5us 2us\n6us 1us\n20us\n30us 1\nx 1us\n' >wrong
run replay halo2d.anax --machine kim-72 --set noise.kind=recorded --set noise.file=wrong
expect_code 2
for line in "wrong:2:1: error: this is before the end of the detour above it" \
    "wrong:4:1: error: a time alone is the end" "wrong:5:1: error:"; do
    expect_in err "$line"
done
run replay halo2d.anax --machine kim-72 --set noise.kind=recorded
expect_code 2
expect "the error says that noise.file is missing" holds err "noise.file names no file"

# An iteration repeated is a longer run: the same digest.
run_ok generate halo3d --ranks 27 --iterations 3 -o short.anax
run_ok generate halo3d --ranks 27 --iterations 10 -o long.anax
run_ok replay long.anax --machine kim-72 --set trace.user_regions=on --json
digest=$(value out digest)
run_ok replay short.anax --machine kim-72 --repeat 'iteration#2*8' --json
expect_key out digest "$digest"
expect "the name of the program shows the repetition" holds out ', repeat iteration#2*8"'
run_ok compare short.anax --machine kim-72 --seeds 1 --repeat 'iteration#2*8' --points points --json
expect "comparisons read the factors, too" holds out "\"digest\":\"$digest\""
run_ok convert short.anax --repeat 'iteration#3*8' -o repeated.anax
run_ok replay repeated.anax --machine kim-72 --json
expect "a program file replays with the same factors" [ "$(value out digest)" = "$digest" ]
run_ok replay short.anax --machine kim-72 --from iteration#2 --to iteration#3 --repeat 'iteration*5' --json
expect "the result is that of the part that is left" holds out '"messages":1620'
run replay long.anax --machine kim-72 --repeat 'MPI_Waitall#3*8'
expect_code 2
expect_in err "rank 0, MPI_Waitall: waits for a request posted before"

# Alone, a job has the noise that it has beside others: on nodes of their own these two meet nobody.
run_ok replay halo2d.anax halo2d.anax --machine kim-72 --routing minimal --set noise.kind=exponential \
    --set noise.share=1 --set replay.compute_factors=factors --json
expect "both jobs have their time alone" [ "$(grep -c '"alone_ps"' out)" -eq 2 ]
expect "no slowdown beyond the network's" awk '
    /"slowdown"/ { gsub(/[^0-9.]/, ""); if ($0 > 1.05) exit 1 }' out
finish
