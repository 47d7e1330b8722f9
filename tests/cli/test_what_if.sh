#!/bin/sh
# What would be if computation were another: factors by region.
. "$ANAX_SOURCE/tests/support/command.sh"
run_ok generate halo2d --ranks 16 --iterations 5 --compute 10us -o halo2d.anax

# All of halo2d's computation lies in its iterations.
run_ok replay halo2d.anax --machine kim-72 --set trace.compute_scale=iteration:0.5 --json
half=$(value out compute_ps) half_ps=$(value out time_ps)
expect "half of 5 times 10 us" [ "$half" -eq 25000000 ]
expect "the region's times are told" holds out '"name":"iteration"'
expect "where it comes from says so" holds out ', compute iteration:0.5"'
run_ok replay halo2d.anax --machine kim-72 --set replay.compute_scale=0.5 --json
expect "the same as scaling everything" [ "$(value out time_ps)" -eq "$half_ps" ]
run_ok convert halo2d.anax --set trace.compute_scale=iteration:0.5 -o half.anax
run_ok replay half.anax --machine kim-72 --json
expect "a converted trace is the scaled one" [ "$(value out time_ps)" -eq "$half_ps" ]
run replay halo2d.anax --machine kim-72 --set trace.compute_scale=iteratoin:0.5
expect "exit code 2" [ "$code" -eq 2 ]
expect "the nearest" holds err 'did you mean `iteration`?'
run replay halo2d.anax --machine kim-72 --set trace.compute_scale=iteration
expect "exit code 2" [ "$code" -eq 2 ]
expect "how to write it" holds err 'is not REGION:FACTOR (solve:0.5)'
finish
