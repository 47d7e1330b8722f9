#!/bin/sh
# Generated training steps, replayed: the bubble of the pipeline, archives, options, refusals.
. "$ANAX_SOURCE/tests/support/script/command.sh"

# A model whose layers take 17.8 s forward in all, on one stage; messages of 2 KiB cost microseconds.
small="--set training.layers=16 --set training.hidden=64 --set training.feed_forward=128
    --set training.heads=4 --set training.key_value_heads=4 --set training.vocabulary=1
    --set training.sequence=16 --set training.gated=off --set training.rate=1"
steps() { # steps RANKS OPTIONS...: time of one step, in ps
    ranks=$1
    shift
    # shellcheck disable=SC2086 # a list
    run_ok generate training --ranks "$ranks" --iterations 1 $small "$@" -o step.anax --force
    run_ok replay step.anax --machine kim-72 --json
    time=$(value out time_ps)
}
# One forward pass: 16 layers of 1,114,112 operations, and 2,048 for the output; 1,000 ps each.
layers=17825792000 output=2048000
steps 1
expect "one rank: 8 micro-batches, backward twice forward" \
    [ "$time" -eq $((8 * 3 * (layers + output))) ]
for chunks in 1 2 4; do
    steps 4 --set training.pipeline=4 --set training.chunks=$chunks
    # 4 stages share the layers; the first and last 3 wait, for a part of the model each
    ideal=$((3 * layers / 4 * 8 + 3 * 3 * layers / 4 / chunks))
    expect "$chunks chunks: no faster than the schedule" [ "$time" -ge $ideal ]
    expect "$chunks chunks: 0.1 % for messages" [ "$time" -le $((ideal + ideal / 1000)) ]
done

# An archive holds the same program as a program file, with every kind of call.
all="--ranks 16 --iterations 2 $small --set training.tensor=2 --set training.context=2
    --set training.pipeline=2 --set training.expert=2 --set training.experts=2
    --set training.sequence_parallel=on"
for sharding in none optimiser full; do
    # shellcheck disable=SC2086
    run_ok generate training $all --set training.sharding=$sharding -o all.anax --force
    run_ok replay all.anax --machine kim-72 --json
    digest=$(value out digest)
    # shellcheck disable=SC2086
    run_ok generate training $all --set training.sharding=$sharding -o all-$sharding
    run_ok replay all-$sharding --machine kim-72 --threads 2 --json
    expect "$sharding: the same digest" [ "$(value out digest)" = "$digest" ]
done
run_ok info all.anax
expect "its options name it" holds out "training --ranks 16 --iterations 2 --set training.layers=16"
expect "its options leave out those with their default" holds_not out "training.micro_batch="

run_ok list models
expect_in out "Brown et al. 2020"
run generate training --model gpt5 -o x.anax
expect_code 2
expect_in err "mixtral-8x7b"
# shellcheck disable=SC2086
run_ok generate training --ranks 1 $small --size 1KiB -o x.anax
expect "an option of others" holds err "--size has no effect: training has sizes and times of its own (settings training.*)"
rm x.anax
run generate halo3d --set training.tensor=2 -o x.anax
expect_code 2
expect "a setting of training" holds err "halo3d does not use training.tensor, but only training"
run generate training --ranks 8 --set training.tensor=3 -o x.anax
expect_code 2
expect "what does not fit" holds err "cannot be divided into replicas of 3"
expect "a refused model leaves no program file" [ ! -e x.anax ]

# The rate of reductions is that of a CPU unless it is set.
# shellcheck disable=SC2086
run_ok generate training --ranks 2 --iterations 1 $small -o two.anax
run_ok replay two.anax --machine kim-72
expect "a warning of the rate" holds err "ranks combine data at the rate of a CPU core (mpi.reduction_per_kib=100ns)"
run_ok compare two.anax --machine kim-72 --routing minimal,valiant
expect "a comparison has it, too" holds err "ranks combine data at the rate of a CPU core"
run_ok replay two.anax --machine kim-72 --set mpi.reduction_per_kib=1ns
expect "none if it is set" empty err
# shellcheck disable=SC2086
run_ok generate training --ranks 1 --iterations 1 $small -o one.anax
run_ok replay one.anax --machine kim-72
expect "none for one rank" empty err
run_ok generate allreduce --ranks 2 --iterations 1 -o sum.anax
run_ok replay sum.anax --machine kim-72
expect "none for other programs" empty err
run_ok replay two.anax sum.anax --machine kim-72 --set jobs.alone=off
expect "the job is named" holds err "job two: ranks combine data"
finish
