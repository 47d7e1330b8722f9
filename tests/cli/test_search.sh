#!/bin/sh
# `anax search`: on a small space it finds what replaying everything finds; its points are kept; limits
# and costs; the same for any number of threads.
. "$ANAX_SOURCE/tests/support/script/command.sh"
run_ok generate halo2d --ranks 16 --iterations 30 --size 32KiB --compute 1us -o halo.anax
space="--machine kim-72 --routing minimal,valiant,ugal-l --placement block,random,greedy
    --vary network.groups=3,5,9 --vary network.globals_per_router=1,2 --seeds 2"

# The search's candidates, and all of them.
# shellcheck disable=SC2086
run_ok search halo.anax $space --points kept -o searched
cp out text
# shellcheck disable=SC2086
run compare halo.anax $space --points all -o compared
expect "impossible machines are in the comparison" [ "$code" -eq 1 ]
expect "45 of 54 are possible" holds text "54 candidates"
expect "9 candidates are left out" holds text "9 left out"
expect "the search has three stages" [ "$(wc -l <searched/stages.csv)" -eq 4 ]
expect "fewer points than all" sh -c "[ \$(ls kept | wc -l) -lt \$(ls all | wc -l) ]"

# The front by exhaustion, with the costs of `anax topology`.
run_ok topology kim-72 --json
cost=$(value out cable_dollars)
expect "candidates.csv has kim-72 with the cost that topology states" rows '
    @machine == "kim-72" && @network.groups == 9 && @network.globals_per_router == 2 {
        found++; if (@nodes != 72 || @radix != 7 || @cost_dollars - cost > 1 || cost - @cost_dollars > 1) bad = 1 }
    END { exit bad || !found }' cost="$cost" searched/candidates.csv
candidate='@network.routing "," @placement.policy "," @network.groups "," @network.globals_per_router'
rows "@cost_dollars != \"\" { print $candidate, @cost_dollars }" searched/candidates.csv >costs
rows "@mean_ps != \"\" { print $candidate, @mean_ps }" compared/candidates.csv >means
awk 'NR == FNR { cost[$1] = $2; next }
    { time[$1] = $2 }
    END {
        for (a in time) {
            beaten = 0
            for (b in time)
                if (cost[b] <= cost[a] && time[b] <= time[a] && (cost[b] < cost[a] || time[b] < time[a]))
                    beaten = 1
            if (!beaten) print a
        }
    }' costs means | sort >front
rows "@front == 1 { print $candidate }" searched/candidates.csv | sort >found
expect "there is a front" [ "$(wc -l <front)" -ge 2 ]
expect "the search finds the front of all candidates" cmp front found

# The same again, from kept points, by other threads.
# shellcheck disable=SC2086
run_ok search halo.anax $space --points kept --threads 3 --json
cp out first.json
expect "nothing is run again" sh -c "grep -q '^\([0-9]*\) of \1 points were there from before' err"
# shellcheck disable=SC2086
run_ok search halo.anax $space --points fresh --threads 2 --jobs 2 --json
expect "other threads find the same candidates" cmp first.json out
expect "no line is longer than 80 characters" awk '{ gsub("±", "+") } length($0) > 80 { exit 1 }' text

# Parts search together: none computes what another one has, each ends when the search does, and the
# command without --part finds all points.
for part in 1 2 3; do
    # shellcheck disable=SC2086
    "$ANAX" search halo.anax $space --points shared --part $part/3 -q >part$part 2>part$part.err &
done
wait
last="search --part"
expect "each says what it did" [ "$(cat part1 part2 part3 | grep -c '^part [123] of 3: .*; kept in shared$')" -eq 3 ]
computed=$(sed -n 's/^part .* \([0-9]*\) computed, .*/\1/p' part1 part2 part3 | awk '{ sum += $1 } END { print sum }')
expect "each point is computed once" [ "$computed" -eq "$(find shared -name '*.json' | wc -l)" ]
# shellcheck disable=SC2086
run_ok search halo.anax $space --points shared --json
expect "nothing is run again" sh -c "grep -q '^\([0-9]*\) of \1 points were there from before' err"
expect "parts find the same candidates" cmp first.json out
# shellcheck disable=SC2086
run_ok search halo.anax $space --points other --part 2/2
expect "a single part does all of it" holds out "part 2 of 2: "
# shellcheck disable=SC2086
run_ok search halo.anax $space --points other --emit commands --parts 2
expect "each of the two parts has a command" [ "$(grep -c -- '--part=[12]/2 halo.anax$' out)" -eq 2 ]
expect "the text shows the command that merges the parts" grep -q '^# when all parts have ended: .* search ' out
run search halo.anax --machine kim-72 --points other --part 3/2
expect "there is no such part" [ "$code" -eq 2 ]
expect "the error says: --part takes K/N" holds err "--part takes K/N"

expect_checked "its figures fit together" first.json searched

# Limits.
run_ok search halo.anax --machine kim-72 --vary network.groups=3,5,9 --limit nodes=30:60 --seeds 1 --points kept
expect "one candidate is within the limits" grep -q '^ *1 *100.0 % *1 *1 ' out
expect "why others are not" holds out "nodes 24, less than 30"
run_ok search halo.anax --machine kim-72 --vary network.groups=3,5,9 --limit cost=100000 --limit radix=:7 \
    --seeds 1 --points kept --set price.router=1
expect "the cost of routers counts" holds out "more than \$100000"
refused() { # TEXT ARGUMENTS
    text=$1
    shift
    run search "$@"
    expect_code 2
    expect_in err "$text"
}
refused "beyond the limits" halo.anax --machine kim-72 --limit nodes=1:10
refused "nodes=MOST" halo.anax --machine kim-72 --limit size=4
refused "the least one first" halo.anax --machine kim-72 --limit nodes=9:8
refused "limited twice" halo.anax --machine kim-72 --limit nodes=9 --limit nodes=8
refused "cannot vary" halo.anax --machine kim-72 --vary seed=1,2
refused "no machine" halo.anax
finish
