#!/bin/sh
# `anax compare`: candidates ranked, differences paired by seed, points kept and found again.
. "$ANAX_SOURCE/tests/support/script/command.sh"
XDG_CACHE_HOME=$work/new/cache
export XDG_CACHE_HOME

run_ok generate alltoall --ranks 16 --iterations 1 --size 64KiB -o all.anax
run_ok generate random-pairs --ranks 16 --iterations 4 --size 64KiB -o pairs.anax

# Text, JSON and tables say the same for any number of jobs, whether run or found.
same="all.anax pairs.anax --machine kim-72 --routing minimal,par --placement random,block --seeds 4 --seed 3"
# shellcheck disable=SC2086 # a list of words
run_ok compare $same --jobs 1
cp out text
expect "no word of earlier points, since the folder was empty" empty err
expect "the text has both traces with their ranks" [ "$(grep -c ' (16 ranks)$' text)" -eq 2 ]
expect "each trace has four candidates" [ "$(grep -c '^ *[1-4]  ' text)" -eq 8 ]
expect "each trace has one baseline" [ "$(grep -c 'baseline$' text)" -eq 2 ]
expect "the first combination is the baseline" grep -q '^baseline *minimal, random$' text
expect "the machine is not a column" grep -q '^machine *kim-72$' text
# Of each trace, three candidates draw with each of 4 seeds; minimal routing of a block draws nothing.
expect "a file per point, one where no seed has an influence" \
    [ "$(ls new/cache/anax/points/*.json | wc -l)" -eq $((2 * (3 * 4 + 1))) ]
expect "the folder of kept points is the user's alone" [ "$(stat -c %a new/cache)" = 700 ]
# shellcheck disable=SC2086
run_ok compare $same --jobs 3 --json -o tables
expect "all points come from the folder" holds err "32 of 32 points were there from before"
cp out json
# shellcheck disable=SC2086
run_ok compare $same --jobs 3 --json -o again --points points
expect "another number of points at once gives the same JSON" cmp out json
expect "another number of points at once gives the same tables" diff -r tables again
expect_key json schema anax.compare/2
expect "JSON has 32 points" [ "$(grep -c '"digest":' json)" -eq 32 ]
expect "a line per candidate" [ "$(wc -l <tables/candidates.csv)" -eq 9 ]
expect "a line per point" [ "$(wc -l <tables/points.csv)" -eq 33 ]

# A point is what `anax replay` says; means and differences are those of the points.
run_ok replay pairs.anax --machine kim-72 --routing par --placement random --seed 5 --json
expect "the point of seed 5 is that of a replay" [ "$(rows '
    @trace == "pairs" && @network.routing == "par" && @placement.policy == "random" && @seed == 5 {
        print @machine, @time_ps, @digest, @failure, @completed }' tables/points.csv)" = \
    "kim-72 $(value out time_ps) $(value out digest)  1" ]
expect "figures follow from the points" rows '
    { k = @trace "," @machine "," @network.routing "," @placement.policy }
    NR == FNR { n[k]++; s[k] += @time_ps; next }
    n[k] != 4 || @seeds != 4 { bad = 1 }
    { d = s[k] / 4 - @mean_ps; if (d > 1 || d < -1) bad = 1 }
    @rank == 1 && (@trace in best) || @low_ps > @mean_ps || @high_ps < @mean_ps { bad = 1 }
    @rank == 1 { best[@trace] = @mean_ps }
    !(@trace in base) { base[@trace] = s[k]; bases++; if (@difference_seeds != 0) bad = 1; next }
    { d = (s[k] - base[@trace]) / 4 - @difference_mean_ps
      if (d > 1 || d < -1 || @p > @holm_p || @significant != (@holm_p < 0.05)) bad = 1 }
    END { exit bad || bases != 2 }' tables/points.csv tables/candidates.csv

# More of the same computes only what is new; several machines; alpha by the bandwidth.
run_ok compare all.anax --machine kim-72 --routing minimal --placement random \
    --vary network.global.bandwidth=25GB/s,12.5GB/s --seed 3 --seeds 4
expect "half of the points come from the folder" holds err "4 of 8 points were there"
expect "less bandwidth is slower" sh -c "grep -A1 '^ *2  12.5GB/s\$' out | grep -q ' times slower  *significant, p '"
expect "no line is longer than 80 characters" awk 'length($0) > 80 { exit 1 }' out
run_ok compare all.anax --machine kim-72,kim-1k --seeds 1
expect "the text has a row for each of two machines" [ "$(grep -c '^ *[12]  kim-' out)" -eq 2 ]
expect "one seed tests nothing" grep -q 'kim-1k .* times slower  *not tested$' out

# Where no seed has an influence, times are exact and the same for every seed.
run_ok compare pairs.anax --machine kim-72 --routing minimal,ugal-l --seeds 3 --points exact -o exactly
expect "minimal routing draws nothing, so its time is exact" grep -q '^ *[12]  minimal  *[0-9.]* us  *exact ' out
expect "UGAL draws, so its time has an interval" grep -q '^ *[12]  ugal-l  *[0-9.]* us  *± ' out
expect "an exact candidate has one point, the other one three" [ "$(ls exact | wc -l)" -eq 4 ]
for seed in 1 2 3; do
    run_ok replay pairs.anax --machine kim-72 --routing minimal --seed $seed --json
    expect "the point of seed $seed is that of a replay" [ "$(rows '
        @network.routing == "minimal" && @seed == wanted { print @time_ps, @digest }' wanted=$seed exactly/points.csv)" = \
        "$(value out time_ps) $(value out digest)" ]
done

replayed() { # ARGUMENTS...: sets time_ps, the time that a replay predicts
    run_ok replay "$@" --json
    time_ps=$(value out time_ps)
}

# Times with digits enough, small differences, and why the best one is the best.
first=$(grep -l 'minimal' exact/*.json | head -1)
echo >>"$first"
run_ok compare pairs.anax --machine kim-72 --routing minimal,ugal-l --seeds 3 --points exact
expect "the damaged point is counted" holds err "1 of 6 points was kept, but damaged since"
expect "its copies were not" holds err "5 of 6 points were there from before"
replayed examples/gromacs --machine kim-72 --routing minimal
slower_ps=$time_ps
replayed examples/gromacs --machine kim-1k --routing minimal
longer=$(awk -v slower="$slower_ps" -v faster="$time_ps" 'BEGIN { printf "%.2g", 100 * (slower - faster) / faster }')
run_ok compare examples/gromacs --machine kim-72,kim-1k --routing minimal --seeds 2
expect "times that can be told apart" [ "$(awk '/^ *[12]  kim/ { print $3 }' out | sort -u | wc -l)" -eq 2 ]
expect "a difference below the share is called negligible" grep -q 'kim-1k .* % less *negligible$' out
expect_in out "kim-1k is first; the next, kim-72, takes $longer % longer"
run_ok compare examples/gromacs --machine kim-72,kim-1k --routing minimal --negligible 0.0001%
expect "with a smaller share the difference is not negligible" grep -q 'kim-1k .* times faster *exact$' out
for threshold in 16KiB 64KiB 1MiB; do
    replayed examples/gromacs --machine kim-72 --set mpi.eager_threshold=$threshold
    echo "$time_ps $threshold" >>by_threshold
done
sort -n by_threshold | sed 's/.* //' >fastest_first
expect "the largest threshold is the fastest one" [ "$(sed -n 1p fastest_first)" = 1MiB ]
run_ok compare examples/gromacs --machine kim-72 --vary mpi.eager_threshold=16KiB,64KiB,1MiB --json
sed -n '/"winners"/,/]/p' out >winners
expect "the winner is the fastest one of three replays" \
    holds winners "\"winner\":\"$(sed -n 1p fastest_first)\""
expect "the winner's runner-up is the second one" \
    holds winners "\"runner_up\":\"$(sed -n 2p fastest_first)\""
expect "winners says: less in late receivers" holds winners "less in late receivers"
expect "the text names the part that differs most" awk -F: '/"wait_late_receiver_ps"/ { sub(",", "", $2); w[n++] = $2 }
    END { exit !(n == 3 && w[0] > w[1]) }' out

# Traces of one name go by their paths; one given twice is a slip.
mkdir other
cp pairs.anax other/all.anax
run_ok compare all.anax other/all.anax --machine kim-72 --seeds 1 -o by-path
expect "points.csv names both traces by their paths" \
    [ "$(cells by-path/points.csv trace machine seed | tr '\n' ' ')" = "all.anax,kim-72,1 other/all.anax,kim-72,1 " ]
run compare all.anax pairs.anax all.anax --machine kim-72
expect_code 2
expect_in err "trace all.anax is given twice"

# A file that a setting names is part of the point, whichever setting it is: the same name with other
# contents is another point.
echo "rank 0-15 1" >factors
echo "0 5us
1ms" >detours
: >failures
files="all.anax --machine kim-72 --seeds 1 --set replay.compute_factors=factors
    --set noise.kind=recorded --set noise.file=detours --set network.failures.file=failures"
# shellcheck disable=SC2086
run_ok compare $files
for file in factors detours failures; do
    echo "# changed" >>$file
    # shellcheck disable=SC2086
    run_ok compare $files
    expect "$file changed: another point" empty err
done
# shellcheck disable=SC2086
run_ok compare $files
expect_in err "1 of 1 point was there"

# Candidates that cannot be are told, without a rank.
run compare all.anax --machine kim-72 --vary network.groups=9,1,99 --seeds 2 -q
expect_code 1
expect "the one that runs" grep -q '^ *1  9 ' out
expect "a machine that is too small for the trace has no time" grep -q '2 of 2 seeds have no time: .*16 ranks' out
expect "no machine at all" grep -q '2 of 2 seeds have no time: .*at most' out
expect_in err "4 of 6 points have no time"

# An interrupt keeps what is there. On a busy computer the first point takes long, and so does this script to see it: the
# comparison has far more points than it finishes meanwhile.
run_ok generate alltoall --ranks 256 --iterations 1 --size 16KiB -o large.anax
"$ANAX" compare large.anax --machine kim-1k --seeds 100 --jobs 1 --threads 1 --points kept >out 2>err &
pid=$!
until find kept -name '*.json' 2>/dev/null | grep -q . || ! kill -0 $pid 2>/dev/null; do sleep 0.1; done
kill -TERM $pid
wait $pid
code=$? last="a signal"
expect_code 130
expect "an interrupted comparison prints no result" empty out
expect "the interrupted command says where the points are" holds err "which are kept in kept"
expect "no unfinished point is left" sh -c "! ls kept | grep -qv '\.json$'"
kept=$(ls kept | wc -l)
expect "some of the points" [ "$kept" -ge 1 ]
expect "an interrupted comparison did not run all of its points" [ "$kept" -lt 100 ]

wrong() { # HINT ARGUMENTS...
    hint=$1
    shift
    run compare "$@"
    expect_code 2
    expect "nothing on the standard output" empty out
    expect "the error has the hint: $hint" holds err "$hint"
}
wrong "missing argument: TRACE" --machine kim-72
wrong "no machine: choose one" all.anax
wrong "varies twice" all.anax --machine kim-72 --routing par --vary network.routing=minimal
wrong "did you mean" all.anax --machine kim-72 --vary network.routng=par
wrong "ugal-x" all.anax --machine kim-72 --routing par,ugal-x
wrong "given twice" all.anax --machine kim-72 --routing par,par
wrong "kim-72 is given twice" all.anax --machine kim-72,kim-72
wrong "negligible" all.anax --machine kim-72 --negligible 2
wrong "--seeds takes a number" all.anax --machine kim-72 --seeds 0
wrong "exists already" all.anax --machine kim-72 -o tables
wrong "is empty: name what to write" all.anax --machine kim-72 --points ''
wrong "nowhere.anax" nowhere.anax --machine kim-72

# Where the cache cannot be, points are kept at home, or not at all; both are told.
mkdir home
for cache in /dev/null/cache relative; do
    HOME=$work/home XDG_CACHE_HOME=$cache run_ok compare all.anax --machine kim-72 --seeds 1
    expect "where it is not" holds err "cannot write to the folder \$XDG_CACHE_HOME ($cache)"
    expect "the cache of the home folder is named" holds err "kept in $work/home/.cache/anax/points"
done
expect_in err "1 of 1 point was there"
for home in "$work/nowhere" /dev/null relative; do
    HOME=$home XDG_CACHE_HOME='' run_ok compare all.anax --machine kim-72 --seeds 1
    expect_in err "finished points are not kept"
    HOME=$home XDG_CACHE_HOME='' run_ok compare all.anax --machine kim-72 --seeds 1 -q
    expect "no warning about the folder of points" empty err
done
expect "no home was made" sh -c '! ls -d nowhere relative 2>/dev/null'

# What machines have in common is told once.
run_ok generate halo2d --ranks 2 --iterations 1 -o two.anax
run_ok compare two.anax --machine kim-72,kim-1k --seeds 1
expect "the arrangement that both machines have is told once" grep -qx 'arrangement *absolute' out
run_ok compare two.anax --machine kim-72,kim-1k --seeds 2 -a helix
expect "the arrangement that was set for both machines is told once" grep -qx 'arrangement *helix' out
finish
