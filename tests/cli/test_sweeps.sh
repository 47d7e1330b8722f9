#!/bin/sh
# Sweeps: points of traffic that are kept, parts, several processes at one folder, and the commands for
# GNU parallel and Slurm.
. "$ANAX_SOURCE/tests/support/script/command.sh"

short="--set traffic.warmup=2us --set traffic.measure=4us --set traffic.drain=4us"
figures() { grep -v '"wall_s"\|"peak_rss\|"threads"' "$1"; }

# Points are kept, and found again with all their figures.
curves="traffic -m kim-72 -r minimal,valiant --loads 0.1:0.5:0.2 --seeds 2 $short"
# shellcheck disable=SC2086 # lists of words, here and below
run_ok $curves --json -o fresh
figures out >expected
run_ok $curves --json --points kept -o first
expect "no word of earlier points, since the folder was empty" empty err
expect "a file for each point" [ "$(ls kept/*.json | wc -l)" -eq 12 ]
run_ok $curves --json --points kept -o again
expect "all points come from the folder" holds err "12 of 12 points were there from before"
figures out >found
expect "kept points give the figures of a run without a folder" cmp expected found
expect "kept points give the tables of a run without a folder" diff -r fresh again
expect "the format has a version" grep -q '"schema":"anax.traffic-point/2"' "$(ls kept/*.json | head -1)"
acknowledged="traffic -m kim-72 -r minimal --load 0.2 --seeds 2 --set network.acknowledgement=packet $short"
run_ok $acknowledged --json -q --points kept_packets
figures out >expected_packets
run_ok $acknowledged --json --points kept_packets
expect "both points were there" holds err "2 of 2 points were there from before"
figures out >found
expect "the result from kept points is the same, acknowledgements included" cmp expected_packets found
expect "the figures have responses" grep -q '"responses":[1-9]' found
sed -i 's/"accepted_messages":/"accepted_messages":1/' "$(ls kept/*.json | head -1)"
run_ok $curves --json --points kept -q
expect "a damaged point is told" holds err "1 of 12 points was kept, but damaged since"
figures out >found
expect "points computed anew give the same figures" cmp expected found

# Several machines and values; a point is that of a run of its own.
run_ok traffic -m kim-72,kim-1k --vary traffic.pattern=uniform,adv+1 -r minimal --load 0.2 --seeds 2 $short -o wide
expect "a line for each point" [ "$(wc -l <wide/points.csv)" -eq 9 ]
run_ok traffic -m kim-1k -p adv+1 -r minimal --load 0.2 --seed 2 $short -o single
expect "a point alone has the row that it has in the curve" [ "$(sed -n 2p single/points.csv)" = \
    "$(grep '"kim-1k","adv+1"' wide/points.csv | sed -n '2s/,"kim-1k","adv+1"$//p')" ]
expect "loads.csv has the means of points.csv" rows '
    { k = @machine "," @traffic.pattern }
    NR == FNR { n[k]++; a[k] += @accepted_load; l[k] += @mean_latency_ps; b[k] += @beyond_saturation; next }
    n[k] != 2 { bad = 1; next }
    { means++; d = a[k] / n[k] - @accepted_load; e = l[k] / n[k] - @mean_latency_ps }
    d > 1e-6 || d < -1e-6 || @seeds_beyond_saturation != b[k] { bad = 1 }
    b[k] == 0 && (e > 1 || e < -1 || @mean_latency_low_ps > @mean_latency_ps ||
        @mean_latency_high_ps < @mean_latency_ps) { bad = 1 }
    END { exit bad || means != 4 }' wide/points.csv wide/loads.csv

# The search for saturation brackets it; what lies beyond is marked and has no latencies in the text.
run_ok traffic -m kim-72 -r minimal,ugal-l -p adv+1 --saturation 0.02 $short -o search
expect "each bracket of a saturation load is at most 0.02 wide" rows '
    @unstable_load - @saturation_load > 0.02 || @unstable_load <= @saturation_load { bad = 1 }
    { curves++ } END { exit bad || curves != 2 }' search/saturation.csv
expect "the ends of a bracket are loads that were run" rows '
    NR == FNR { low[@routing] = @saturation_load; high[@routing] = @unstable_load; next }
    @offered_load == low[@routing] && @stable == 1 && @beyond_saturation == 0 { s[@routing] = 1 }
    @offered_load == high[@routing] && @stable == 0 && @beyond_saturation == 1 { u[@routing] = 1 }
    @offered_load > high[@routing] && @beyond_saturation != 1 { bad = 1 }
    END { exit bad || !(s["minimal"] && u["minimal"] && s["ugal-l"] && u["ugal-l"]) }' search/saturation.csv search/points.csv
expect "the text names the load" grep -q '^  saturation load 0\.[0-9]*: it is stable, and 0\.[0-9]* is not$' out
expect "no latency is shown beyond saturation" grep -q '^  1.0000  *0.[0-9]*  beyond saturation .*  no$' out

wrong() { # HINT ARGUMENTS...
    hint=$1
    shift
    run "$@"
    expect_code 2
    expect "nothing on the standard output" empty out
    expect "the error has the hint: $hint" holds err "$hint"
}
for part in 0/3 4/3 1/0 1 x 1/3x 1/ /3 -1/3 ''; do
    wrong "--part takes K/N" traffic -m kim-72 --points kept "--part=$part"
done
wrong "name one with --points" traffic -m kim-72 --part 1/2
wrong "--part and --json exclude" traffic -m kim-72 --points kept --part 1/2 --json
wrong "--part and --output exclude" traffic -m kim-72 --points kept --part 1/2 -o no
wrong "--part and --emit exclude" traffic -m kim-72 --points kept --part 1/2 --emit slurm
wrong "--emit and --checkpoint exclude each other" traffic -m kim-72 --points kept --emit commands --checkpoint ck
wrong "give --emit too" traffic -m kim-72 --points kept --parts 2
wrong "takes slurm or commands" traffic -m kim-72 --points kept --emit sge
wrong "from 1 to 1000" traffic -m kim-72 --points kept --emit slurm --parts 1001
wrong "exclude each other" traffic -m kim-72 --saturation 0.1 --load 0.1
wrong "from 0.0001 to 0.5" traffic -m kim-72 --saturation 0.6
wrong "several policies instead" traffic -m kim-72 --vary network.routing=par
wrong "no effect on synthetic traffic" traffic -m kim-72 --vary placement.policy=random
wrong "kim-72 is given twice" traffic -m kim-72,kim-72
wrong "prints one configuration" traffic -m kim-72,kim-1k --print-config

# Parts of both commands, merged by the command without --part.
run_ok generate alltoall --ranks 16 --iterations 1 --size 64KiB -o all.anax
compare="compare all.anax -m kim-72 -r minimal,par -p random --seeds 3"
for command in "$curves" "$compare"; do
    run_ok $command --points whole --json -q
    figures out >expected
    rm -rf parts
    for part in 1 2 3 4 5; do run_ok $command --points parts --part $part/5; done
    expect "a part says what it did" grep -q '^part 5 of 5: . of .* points, 0 there from before, . computed, 0 failed; kept in parts$' out
    run_ok $command --points parts --part 5/5
    expect "nothing is computed twice" holds out " 0 computed"
    run_ok $command --points parts --json
    expect "merging computes no point" grep -q '^\([0-9]*\) of \1 points were there' err
    figures out >merged
    expect "the parts make the whole" cmp expected merged
done

# Processes at one folder at the same time compute each point once; the claims of one that is killed
# are taken over.
run_ok generate alltoall --ranks 64 --iterations 1 --size 64KiB -o large.anax
compare="compare large.anax -m kim-72 -p random --seeds 12 --jobs 1 -t 1 --points shared"
"$ANAX" $compare --part 1/1 >one 2>&1 &
one=$!
"$ANAX" $compare --part 1/1 >two 2>&1 &
wait $one
wait
computed() { sed -n 's/.* before, \([0-9]*\) computed.*/\1/p' "$1"; }
cat one two >out
expect "12 points are computed by both together" [ $(($(computed one) + $(computed two))) -eq 12 ]
expect "no claim is left" [ -z "$(find shared -name '*.claim')" ]

rm -rf shared
"$ANAX" $compare >out 2>err &
victim=$!
for _ in $(seq 1000); do
    claim=$(find shared -name '*.claim' 2>/dev/null | head -1)
    [ -n "$claim" ] && break
    sleep 0.01
done
kill -KILL $victim
wait $victim 2>/dev/null
code=$? last="compare, then KILL"
claim=$(find shared -name '*.claim' | head -1)
expect "the killed comparison leaves a claim" [ -n "$claim" ]
expect "it names its process" holds "$claim" "\"process\":$victim,"
expect "the claim names the host" holds "$claim" "\"host\":\"$(uname -n)\""
expect "the claim has the time" holds "$claim" "\"time\":\"20"
run_ok $compare
expect "the command goes on" holds out "12 seeds"
expect "the run leaves no claim" [ -z "$(find shared -name '*.claim')" ]

# The claim of a process of another host is waited for until it is old.
point=$(ls shared/*.json | head -1)
name=$(basename "$point" .json)
rm "$point"
printf '{"schema":"anax.claim/1","host":"elsewhere","process":1,"process_begun":1,"process_space":"x","time":""}\n' >"shared/.$name.claim"
timeout 10 "$ANAX" $compare -q >quiet 2>&1 &
quiet=$!
timeout 10 "$ANAX" $compare >out 2>err
code=$? last="compare with a claim of another host"
wait $quiet
expect "it waits, and a signal ends the wait" [ "$code" -eq 124 ]
expect "which claim it waits for, once" [ "$(grep -c "waiting for shared/.$name.claim, claimed by process 1 on elsewhere" err)" -eq 1 ]
expect "--quiet says nothing of it" holds_not quiet waiting
expect "the claim is there" [ -e "shared/.$name.claim" ]
touch -d '10 minutes ago' "shared/.$name.claim"
run_ok $compare
expect "an old claim is taken over" holds err "11 of 12 points were there"
expect "the claim of the point is released" [ ! -e "shared/.$name.claim" ]

# A process that has ended, and of whose end its parent takes no note, is dead.
rm "shared/$name.json"
sh -c 'sleep 1 & echo $! >zombie; exec sleep 600' &
parent=$!
tries=0
until [ -s zombie ] && grep -q ') Z ' "/proc/$(cat zombie)/stat" || [ $tries -ge 1000 ]; do
    sleep 0.01
    tries=$((tries + 1))
done
printf '{"schema":"anax.claim/1","host":"%s","process":%s,"process_begun":%s,"process_space":"%s","time":""}\n' "$(uname -n)" \
    "$(cat zombie)" "$(cut -d ' ' -f 22 "/proc/$(cat zombie)/stat")" "$(readlink /proc/self/ns/pid)" >"shared/.$name.claim"
timeout -s KILL 60 "$ANAX" $compare >out 2>err
code=$? last="compare with the claim of a zombie"
expect "the claim of a zombie is taken over" holds err "11 of 12 points were there"
kill $parent
wait $parent 2>/dev/null

# What nobody would take over is refused.
rm "shared/$name.json"
mkdir "shared/.$name.claim"
timeout -s KILL 60 "$ANAX" $compare >out 2>err
code=$? last="compare with a folder where a claim would be"
expect_code 1
expect "it is named" holds err "shared/.$name.claim: a point cannot be claimed: Is a directory"
rmdir "shared/.$name.claim"
run compare large.anax -m kim-72 --points large.anax
expect_code 2
expect_in err "large.anax"
run traffic -m kim-72 --load 0.1 --points zombie
expect_code 2
expect_in err "zombie: cannot keep points in this folder: Not a directory"

# Commands for parts arrive as they were given, whatever is in their words.
odd="a b'c\"d\$e;f&g*h\\i"
mkdir "$odd" && cp all.anax "$odd/all.anax"
run_ok compare "$odd/all.anax" -m kim-72 -p random --seeds 3 --points "$odd/kept" --emit commands --parts 3 --json -o "$odd/tables"
expect "nothing else is printed" empty err
expect "a line for each part, and a comment" [ "$(wc -l <out)" -eq 4 ]
expect "the comment has the command that merges, with its outputs" grep -q '^# when all parts have ended: .* --json .*--output=' out
expect "parts write no tables" sh -c '! grep -v "^#" out | grep -q "output\|json"'
cp out commands
sed -n 2p commands | sh >out 2>err
expect "part 2 of 3 has one of three points" holds out "part 2 of 3: 1 of 3 points"
sh commands >out 2>err
expect "the folder has the points of all three parts" [ "$(ls "$odd"/kept/*.json | wc -l)" -eq 3 ]
sed -n 's/^# when all parts have ended: //p' commands | sh >out 2>err
expect "the command in the comment writes the tables" [ -e "$odd/tables/points.csv" ]
wrong "has a newline in it" compare all.anax -m kim-72 --set "description=a
b" --emit commands
run_ok traffic -m kim-72 --points new --emit commands
expect "a part for each point while no times are known" [ "$(grep -c -- --part= out)" -eq 5 ]

if has_program parallel && parallel --version 2>/dev/null | grep -q GNU; then
    rm -rf "$odd/kept"
    parallel --will-cite -j2 --joblog log --resume <commands >out 2>err
    expect "three parts by GNU parallel" [ "$(grep -c '^part ' out)" -eq 3 ]
    expect "the folder has the points of all three parts" [ "$(ls "$odd"/kept/*.json | wc -l)" -eq 3 ]
    parallel --will-cite -j2 --joblog log --resume <commands >out 2>err
    expect "resumed, nothing is left to do" empty out
else
    echo "GNU parallel is not installed: not tested"
fi
. "$ANAX_SOURCE/tests/support/script/slurm.sh"
if slurm_start; then
    run_ok compare "$odd/all.anax" -m kim-72 -p random --seeds 4 --points "$odd/batch" --emit slurm --parts 2 -o "$odd/merged"
    expect "nothing else is printed" empty err
    cp out "submit it.sh"
    sh "./submit it.sh" --output="$work/job-%A-%a.log" >out 2>err
    code=$? last="the script for Slurm"
    expect_code 0
    for _ in $(seq 600); do
        [ -e "$odd/merged/points.csv" ] && break
        sleep 0.1
    done
    cat job-*.log >out 2>/dev/null
    expect "each of two parts ran 2 of 4 points" [ "$(grep -c '^part [12] of 2: 2 of 4 points' out)" -eq 2 ]
    expect "the merged table has four points" [ "$(wc -l <"$odd/merged/points.csv")" -eq 5 ]
    expect "the merge takes all points from the folder" holds out "4 of 4 points were there from before"
    slurm_stop
fi
finish
