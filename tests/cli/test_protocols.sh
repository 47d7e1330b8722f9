#!/bin/sh
# What messages take on an idle network by every protocol, by name and by number: the equations of
# docs/model.md, 9.3, to the picosecond.
. "$ANAX_SOURCE/tests/support/script/command.sh"
overheads=500000 # of sending and receiving, by default 250 ns each

# Sets $way to what a message of SIZE takes from one rank to the other: a part of a ping-pong.
way_of() {
    size=$1
    shift
    for iterations in 3 7; do
        [ -e "$size.$iterations.anax" ] || run_ok generate ping-pong --ranks 2 --size "${size}B" \
            --iterations "$iterations" --compute 0 -o "$size.$iterations.anax"
        run_ok replay "$size.$iterations.anax" --machine kim-72 --routing minimal --json "$@"
        [ "$iterations" -eq 3 ] && few=$(value out time_ps)
    done
    way=$((($(value out time_ps) - few) / 8))
}
eager() { # SIZE
    way_of "$1" --set mpi.eager_threshold=1GiB
}
eager 64
control=$((way - overheads)) # Z(64)

# The receiver computes 100 us longer than the sender: the data leave late. Sets $sender and
# $receiver to the times at which they are through.
run_ok generate incast --ranks 2 --size 1MiB --iterations 1 --compute 100us -o late.anax
echo "rank 0 2" >slow
late() {
    run_ok replay late.anax --machine kim-72 --routing minimal --set replay.compute_factors=slow \
        --json "$@"
    receiver=$(value out time_ps)
    sender=$(sed -n 's/^ *"time_ps":\([0-9]*\),$/\1/p' out | sed -n 3p)
    waited=$(sed -n 's/^ *"wait_late_receiver_ps":\([0-9]*\),$/\1/p' out | tail -1)
}
late --set mpi.eager_threshold=0 --set mpi.rendezvous=put
put_receiver=$receiver put_sender=$sender
expect "the sender waits for the receiver" [ "$waited" -eq $((100000000 - 250000 - control)) ]
for progress in hardware software; do # the receiver is in its wait when it answers
    late --set mpi.eager_threshold=0 --set mpi.rendezvous=get --set mpi.progress=$progress
    expect "get: the same for the receiver" [ "$receiver" -eq "$put_receiver" ]
    expect "get: a note ends the send" [ "$sender" -eq $((receiver - 250000 + control)) ]
done
expect "put: the send ends with its data" [ "$put_sender" -lt $((put_receiver - 250000)) ]

protocols="generic:16384:put mpich-ch4-ofi:16384:get mpich-ch3:131072:put openmpi:12288:get \
openmpi-tcp:65536:put"
for protocol in $protocols; do
    name=${protocol%%:*} kind=${protocol##*:} limit=${protocol#*:}
    limit=${limit%:*}
    eager "$limit"
    want=$way
    way_of "$limit" --set mpi.protocol="$name"
    expect "$name: eager up to $limit" [ "$way" -eq "$want" ]
    eager $((limit + 1))
    want=$((way + 2 * control))
    way_of $((limit + 1)) --set mpi.protocol="$name"
    expect "$name: a request and an answer above" [ "$way" -eq "$want" ]
    late --set mpi.protocol="$name"
    [ "$kind" = put ] && want=$put_sender || want=$((receiver - 250000 + control))
    expect "$name: the sender waits as under the protocol $kind" [ "$sender" -eq "$want" ]
done
run_ok list protocols
expect "all five protocols are listed" [ "$(wc -l <out)" -eq 5 ]

# Numbers go before names.
eager 16385
want=$way
way_of 16385 --set mpi.protocol=openmpi --set mpi.eager_threshold=16385B
expect "the threshold given" [ "$way" -eq "$want" ]
late --set mpi.protocol=openmpi --set mpi.rendezvous=put
expect "the rendezvous given" [ "$sender" -eq "$put_sender" ]
finish
