#!/bin/sh
# `anax extrapolate`: the program and its report, and what is refused without leaving a file.
. "$ANAX_SOURCE/tests/support/script/command.sh"

for ranks in 8 27 64 216; do
    run_ok generate halo3d --ranks $ranks --iterations 2 -o halo_$ranks.anax
done
run_ok info halo_216.anax --json
hash=$(value out hash)
run_ok extrapolate halo_64.anax halo_8.anax halo_27.anax --ranks 216 -o made.anax --json
expect "its hash is that of the program" [ "$(value out hash)" = "$hash" ]
expect_in out '"schema":"anax.extrapolation/1"'
run_ok info made.anax --json
expect "the file holds the program" [ "$(value out hash)" = "$hash" ]
run_ok extrapolate halo_8.anax halo_27.anax halo_64.anax --ranks 100 --grid 4x5x5 -o grid.anax
expect "the grid is the one that was told" holds out "  4 x 5 x 5 "
for ranks in 4 6 8; do
    run_ok generate fft3d --ranks "$ranks" --iterations 1 -o "fft_$ranks.anax"
done
run_ok extrapolate fft_4.anax fft_6.anax fft_8.anax --ranks 16 --grid 4x4 -o fft.anax
expect "an extent that no program changes" holds out "extent 2 is 2 in all programs: what depends on it is not known; UNCERTAIN"

# Patterns of other kinds: the very program, as each of them is an exact rule of ranks.
for pattern in halo2d milc ping-pong allreduce-ring allreduce-recursive-doubling alltoall; do
    for ranks in 8 16 32 64; do
        run_ok generate $pattern --ranks $ranks --iterations 2 -o $pattern-$ranks.anax
    done
    run_ok extrapolate $pattern-8.anax $pattern-16.anax $pattern-32.anax --ranks 64 -o $pattern.anax
    run_ok info $pattern-64.anax --json
    hash=$(value out hash)
    run_ok info $pattern.anax --json
    expect "$pattern: the very program" [ "$(value out hash)" = "$hash" ]
done
# What several rules fit is marked, and what none fits is refused.
for ranks in 8 16 32; do
    run_ok generate sweep3d --ranks $ranks --iterations 2 -o sweep3d-$ranks.anax
    run_ok generate permutation --ranks $ranks --iterations 2 -o permutation-$ranks.anax
done
run_ok extrapolate sweep3d-8.anax sweep3d-16.anax sweep3d-32.anax --ranks 64 -o sweep3d.anax
expect "sweeps are uncertain" holds out UNCERTAIN

# Weak and strong scaling, found and told: the computation of a rank stays, falls as 1/P, or neither.
for ranks in 8 16 32 64; do
    for of in "weak 50000" "strong $((3200000 / ranks))" "amdahl $((50000 + 400000 / ranks))"; do
        run_ok generate allreduce --ranks $ranks --iterations 2 --compute "${of#* }ns" -o "${of% *}-$ranks.anax"
    done
done
scaling() { # SERIES ARGUMENT...
    series=$1
    shift
    run extrapolate "$series-8.anax" "$series-16.anax" "$series-32.anax" "$series-64.anax" --ranks 512 --force \
        -o "$series.anax" "$@"
}
scaling weak
expect_in out "weak (found): a rank computes 100.0 us on 8 ranks, and 100.0 us on 64; by the programs with the fewest and the most ranks"
scaling strong
expect_in out "strong (found): a rank computes 800.0 us on 8 ranks, and 100.0 us on 64"
scaling amdahl
expect_in out "neither weak nor strong (found): a rank computes 200.0 us on 8 ranks, and 112.5 us on 64"
scaling strong --scaling strong
expect_code 0
expect_in out "on 64; a rank of the new program computes 100 % of what this scaling gives"
expect "the new program follows the scaling that was told" holds_not out "UNCERTAIN"
scaling amdahl --scaling strong
expect_code 0
expect_in out "a rank of the new program computes 722 % of what this scaling gives; UNCERTAIN"
# The limits of weak and strong from 8 to 64 ranks: 8^(1/4) = 1.68 and 8^(3/4) = 4.76.
for limit in "16800 10000 weak" "16900 10000 neither" "10000 16800 weak" "10000 16900 neither" \
    "47500 10000 neither" "47600 10000 strong"; do
    few=${limit%% *} kind=${limit##* }
    many=${limit#* }
    many=${many%% *}
    run_ok generate allreduce --ranks 8 --compute "${few}ns" --force -o limit-8.anax
    run_ok generate allreduce --ranks 16 --compute "$(((few + many) / 2))ns" --force -o limit-16.anax
    run_ok generate allreduce --ranks 64 --compute "${many}ns" --force -o limit-64.anax
    run_ok extrapolate limit-8.anax limit-16.anax limit-64.anax --ranks 128 --force -o limit.anax
    expect "$few ns on 8 ranks and $many ns on 64 are $kind" grep -q "^  all ranks  *$kind" out
done

refused() { # TEXT ARGUMENT...
    wanted=$1
    shift
    run extrapolate "$@" -o no.anax
    expect_code 2
    expect "it says: $wanted" holds err "$wanted"
    expect "a refused series leaves no program file" [ ! -e no.anax ]
}
refused "extrapolate.scaling is weak, but the scaling of the series is strong: a rank computes" \
    strong-8.anax strong-16.anax strong-32.anax --ranks 64 --scaling weak
refused "extrapolate.scaling is strong, but the scaling of the series is weak" \
    weak-8.anax weak-16.anax weak-32.anax --ranks 64 --scaling strong
refused "it needs 3 to 64" weak-8.anax weak-16.anax --ranks 216 --scaling strong
refused "a series needs different numbers of ranks" weak-8.anax weak-8.anax weak-8.anax --ranks 216 --scaling strong
refused "it needs 3 to 64" halo_8.anax halo_27.anax --ranks 216
refused "no rule gives the partner" permutation-8.anax permutation-16.anax permutation-32.anax --ranks 64
refused "extrapolate.ranks is not set: the ranks of the new program (--ranks sets" halo_8.anax halo_27.anax halo_64.anax
refused "211 x 1 x 1" halo_8.anax halo_27.anax halo_64.anax --ranks 211
refused "is not a grid" halo_8.anax halo_27.anax halo_64.anax --ranks 216 --grid 6x6x
refused "extrapolate.grid has 36 places" halo_8.anax halo_27.anax halo_64.anax --ranks 216 --grid 6x6
head -c 700 halo_27.anax >damaged.anax
refused "damaged.anax" halo_8.anax damaged.anax halo_64.anax --ranks 216
run extrapolate halo_8.anax halo_27.anax halo_64.anax --ranks 216 -o made.anax
expect_code 2
expect_in err "made.anax: exists already"
run extrapolate halo_8.anax halo_27.anax halo_64.anax --ranks 216 -o made
expect_code 2
expect_in err "the name of a program file ends with .anax"

# 65536 ranks from 64: the very program, in memory that follows the ranks (0.4 GB are used).
for ranks in 16 32 64 65536; do
    run_ok generate halo3d --ranks $ranks --iterations 2 --force -o large-$ranks.anax
done
run_ok info large-65536.anax --json
hash=$(value out hash)
if [ "$ANAX_PLAIN_OBJECTS" = 1 ]; then # sanitizers take memory of their own
    # shellcheck disable=SC3045 # dash, bash and busybox have it
    (
        ulimit -v 700000
        exec "$ANAX" extrapolate large-16.anax large-32.anax large-64.anax --ranks 65536 -o large.anax
    ) >out 2>err
    code=$? last="anax extrapolate to 65536 ranks in 700 MB"
    expect_code 0
else
    run_ok extrapolate large-16.anax large-32.anax large-64.anax --ranks 65536 -o large.anax
fi
run_ok info large.anax --json
expect_key out hash "$hash"
finish
