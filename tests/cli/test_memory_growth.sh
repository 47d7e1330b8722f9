#!/bin/sh
# Memory follows the ranks: a table of ranks by ranks would show. (bench/speed/figures.c has 65536 ranks.)
# And it follows the nodes, of which large machines have many.
. "$ANAX_SOURCE/tests/support/script/command.sh"
[ "$ANAX_PLAIN_OBJECTS" = 1 ] || exit 0 # sanitizers take memory of their own
unset GLIBC_TUNABLES                     # huge pages of malloc take more than what is used

peak_of() { # of a replay of so many ranks
    run_ok generate halo3d --ranks "$1" --neighbours 26 --iterations 2 --size 1KiB -o "$1.anax"
    run_ok replay "$1.anax" --machine garcia-5k --threads 1 --json
    expect_in out "\"messages\":$(($1 * 26 * 2))"
    peak=$(value out peak_rss_bytes)
}

peak_of 256
few=$peak
peak_of 4096
# 6 KiB of it are the program, which is too short to be packed, and 8 KiB what is in flight; 4096 ranks in one byte
# each would be 4 KiB.
expect "at most 15500 bytes a rank" [ $(((peak - few) / (4096 - 256))) -le 15500 ]

run_ok traffic --machine dragonfly-262k --load 0.3 --threads 1 --json --set traffic.warmup=0 \
    --set traffic.measure=1ps --set traffic.drain=0
# 15 of them are an empty process.
expect "at most 1090 bytes a node of a machine as built" [ $(($(value out peak_rss_bytes) / 262656)) -le 1090 ]
run_ok traffic --machine dragonfly-262k --load 0.3 --threads 1 --json --set traffic.warmup=1us \
    --set traffic.measure=1us --set traffic.drain=0
expect "at most 1620 bytes a node under traffic" [ $(($(value out peak_rss_bytes) / 262656)) -le 1620 ]
finish
