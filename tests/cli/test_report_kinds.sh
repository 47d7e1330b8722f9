#!/bin/sh
# Reports of comparisons, searches, traffic, placements, machines, bisections and diffs: --report says the same as
# `anax report` of what --json prints, and what is small or odd has a page, too.
. "$ANAX_SOURCE/tests/support/script/command.sh"
. "$ANAX_SOURCE/tests/support/page/pages.sh"

# One of all things, and equal times.
run_ok generate halo2d --ranks 1 --iterations 2 -o alone.anax
run_ok compare alone.anax -m kim-72 --report one-candidate.html
page 300000 2 one-candidate.html
expect_in one-candidate.html '<h1>1 candidate'
expect "no comparison with itself" holds_not one-candidate.html 'do not differ significantly'
run_ok compare alone.anax -m kim-72 -r minimal,par --seeds 2 --report equal.html
page 300000 3 equal.html
expect_in equal.html '<h1>2 candidates: minimal and par are equally fast, and first</h1>'
run_ok compare alone.anax -m kim-72 -r minimal,par,valiant --seeds 1 --report all-equal.html
expect_in all-equal.html '<h1>3 candidates: all are equally fast</h1>'
expect_in all-equal.html 'All 3 candidates are equally fast.'
run_ok compare alone.anax -m kim-72 -r minimal,par,valiant --vary replay.compute_scale=1,2 --seeds 1 \
    --report some-equal.html
expect_in some-equal.html '<h1>6 candidates: 3 are equally fast, and first</h1>'
expect_in some-equal.html '3 candidates are equally fast, and first; two of them are minimal, 1 and par, 1.'
run_ok compare alone.anax -m kim-72 --vary replay.compute_scale=0,1 --seeds 1 --report no-time.html
expect_in no-time.html '<h1>2 candidates: 0 is first</h1>'
expect_in no-time.html '0 is first; the next, 1, takes 20.00 us longer.'
run_ok search alone.anax -m kim-72 --seeds 1 --report one-found.html
page 300000 2 one-found.html
expect_in one-found.html '<h1>1 of 1 candidate for alone is worth its cost</h1>'
expect_in one-found.html 'The only candidate, kim-72: it costs $151,632 and takes 20.00 us.'
run_ok traffic -m kim-72 --load 0.2 --set traffic.measure=1us --report one-load.html
page 300000 2 one-load.html
expect_in one-load.html '72 nodes), 1 point.'

# Each command.
other() { # LEAST_PICTURES SECTION ARGUMENTS...
    least=$1 section=$2
    shift 2
    rm -rf other.html drawn
    run_ok "$@" --report other.html --figures drawn --json
    cp out other.json
    run_ok report other.json --report again.html --force
    expect "the page of a saved result is that of the run" cmp other.html again.html
    page 300000 "$least" other.html
    expect_in other.html "<section id=\"$section\">"
    expect "as many pictures are written as the page has at least" [ "$(find drawn -name '*.svg' | wc -l)" -ge "$least" ]
}
run_ok generate alltoall --ranks 16 -o alltoall.anax
other 4 trace-1 compare alltoall.anax -m kim-72 -r minimal,par -p random,block --seeds 2
expect_in other.html ">baseline</text>"
expect "one machine has one cost" [ ! -e drawn/costs-1.svg ]
expect_in other.html 'The table is about the first candidate.'
other 3 accepted traffic -m kim-72 -r minimal,valiant --loads 0.2:0.6:0.2 --set traffic.measure=2us
other 2 congestion traffic -m kim-72 --load 0.2 --set traffic.measure=2us --time-bins 16
other 2 accepted traffic -m kim-72,kim-1k --loads 0.2 --set traffic.measure=1us
expect "both machines in the heading" holds other.html '<h1>uniform traffic on kim-72, kim-1k<'
expect_in other.html 'pattern uniform on kim-72, kim-1k, 2 points.'
expect "two machines share one chart of latencies" [ "$(grep -c 'Numbers: latencies' other.html)" -eq 1 ]
other 3 distances place alltoall.anax -m kim-72
cp other.html place.html
other 8 machine-2 topology kim-1k kim-72
expect_in other.html "Each group has a link to each other one."
expect "few cabinets: a line for each pair" [ "$(grep -c "stroke='#0072b2'.* d='M[^h]*'" drawn/machine-2-floor.svg)" -eq 36 ]
expect "the longest cable between cabinets is named" holds other.html 'The longest of 36 global cables between cabinets has 7.2 m; 0 are optical.'
farthest=$(python3 -c "import json
rows = [row for row in json.load(open('other.json'))['floor'] if row['machine'] == 0]
far, near = (pick(rows, key=lambda row: row['mean_length_m']) for pick in (max, min))
print('have %.1f m on average at cabinet %d and %.1f m at cabinet %d; up to %d of them' % (near['mean_length_m'], near['cabinet'],
      far['mean_length_m'], far['cabinet'], max(max(row['cables_right'], row['cables_below']) for row in rows)))")
expect "many: the farthest cabinet" holds other.html "Global cables $farthest run side by side."
expect "all cabinets are drawn" [ "$(grep -c '<title>cabinet' drawn/machine-1-floor.svg)" -eq 33 ]
cp other.html topology.html
# 513 cabinets; and 8208, which share boxes.
other 4 machine-1 topology dragonfly-262k
expect_in drawn/machine-1-floor.svg '>along a row (m), from cabinet 0<'
expect_in drawn/machine-1-floor.svg "data-unit='mean length of cables (m)'"
cp other.html floors.html
other 4 machine-1 topology dragonfly-262k --set floor.cabinets_per_group=16 --set floor.pitch_y=3m
expect_in other.html '2 x 2 neighbouring cabinets are drawn as one, with the number of the first.'
other 3 machine-1 topology kim-72 --set network.groups=1 --set floor.cabinets_per_group=4
expect "cabinets of one group" holds other.html 'No global cables join the 4 cabinets.'
other 1 bisection bisection -a 3 -h 3 --arrangement helix,relative
expect_in other.html 'The table is about the first curve.'
cp other.html bisection.html
other 1 bisection bisection -a 2 -h 2 --set network.local.bandwidth=5TB/s --set network.global.bandwidth=5TB/s
expect "bandwidths have the largest unit that fits" holds other.html 'absolute has 25 TB/s, which is proven.'
other 1 bisection bisection -a 2 -h 2
expect_in other.html 'The machine has 5 groups of 2 routers, and 10 global links.'
expect_in other.html '<h1>Bisection bandwidth of 5 groups of 2 routers<'
expect_in other.html '<td>network.groups</td><td>5</td><td>33</td>'
expect_in drawn/bisection.svg '>absolute</text>'
expect_in other.html "absolute has $(python3 -c "import json
print('%.4g' % (json.load(open('other.json'))['bisection_bytes_per_s'] / 1e9))") GB/s, which is proven."
# The example of docs/search.md, smaller; the front of its numbers is found here once more.
run_ok generate halo2d --ranks 16 --iterations 2 --size 16KiB --compute 1us -o halo2d.anax
other 2 front search halo2d.anax -m kim-72 -r minimal,valiant --vary network.groups=3,5,9 --seeds 2
cat >front.py <<'PYTHON'
import json
rows = [row for row in json.load(open("other.json"))["candidates"] if row["mean_ps"] is not None]
front = [one for one in rows
         if not any(other["cost_dollars"] <= one["cost_dollars"] and other["mean_ps"] < one["mean_ps"] for other in rows)]
cheap = min(front, key=lambda row: row["cost_dollars"])
print(f"costs ${cheap['cost_dollars']:,.0f} and takes")
print(len(front))
PYTHON
python3 front.py >front
expect "the cheapest of the front" holds other.html "$(head -n 1 front)"
expect "as many candidates are marked as the front has" [ "$(grep -c "fill='#d55e00' stroke='#d55e00'" drawn/front.svg)" -eq "$(tail -n 1 front)" ]
expect "the heading counts the candidates of the front" grep -Eq "<h1>$(tail -n 1 front) of 6 candidates for halo2d (is worth its|are worth their) cost</h1>" other.html
# A diff: of two replays that were saved, of one with itself, and one whose numbers are known.
run_ok generate halo3d --ranks 72 --iterations 2 --size 32KiB -o halo3d.anax
run_ok replay halo3d.anax -m kim-72 -p random --explain --json
cp out result.json
run_ok generate alltoall --ranks 4 -o few.anax
run_ok replay few.anax -m kim-72 --time-bins 16 --links hottest:1 --json
cp out few.json
other 5 causes diff result.json few.json
expect_in other.html '<h1>result.json and few.json: '
expect_in other.html '<td>second</td><td>few.json</td><td>'
other 2 links diff result.json result.json
expect "equal runs are told to be equal for each rank" holds other.html 'In both runs each of the'
expect_in other.html 'In both runs the time in MPI calls, over all ranks is the same.'
results differs
run_ok report differs.json --report differs.html --figures differs
page 300000 4 differs.html
expect "the difference is told in time and percent" holds differs.html 'The second run takes 4.000 us, the first one 5.000 us: -1.000 us (-20.0 %).'
expect "the mean of a rank" holds differs.html 'A rank ends after 5.000 us in the mean in the first run, and after 4.000 us in the second.'
expect "the largest change first" holds differs.html 'late senders changes most: -3.000 us (-50.0 %).'
expect "a time from nothing" holds differs.html '<td>network queueing</td><td>0 ps</td><td>1.000 us</td><td>+1.000 us</td>'
expect "no kind of link in both" holds differs.html 'No row of the table is in both results: the busy time of'
expect "a time that only one has" holds differs.html '<td>local</td><td>not among the busiest</td><td>1.000 us</td><td>unknown</td>'
expect "keys of parts that are there" sh -c "grep -c '>late senders<' differs/breakdown.svg && ! grep '>reductions<' differs/breakdown.svg"
expect_in differs.html 'Rank 0 changes most: -1.000 us (-20.0 %).'
expect "results without regions have no part about regions" holds_not differs.html 'User regions'
widths=$(sed -n "s/^<rect .*width='\([0-9.]*\)' height='14' fill='\(#[0-9a-f]*\)'.*/\1 \2/p" differs/causes.svg | tail -n 2)
expect "bars on both sides, the first three times as long" sh -c "echo '$widths' | awk 'NR == 1 { left = \$1 } END {
    exit !(\$2 == \"#d55e00\" && left / \$1 > 2.98 && left / \$1 < 3.02) }'"
run diff result.json few.json --report result.json --force
expect_code 2
expect_in err "result.json"
expect "the result that was compared is not replaced" holds result.json '"schema"'
run topology --rivals --report rivals.html
expect_code 2
expect_in err "--rivals have no report"

# Times of all units, equal ones, and one that there is not, for a reader who sorts. Names that are scripts.
results sorts
run_ok report sorts.json --report sorts.html
page 300000 1 sorts.html
expect "names of calls are no scripts" holds sorts.html '<td>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</td>'

# More candidates than a picture holds, the slowest one as the baseline: the fastest is the last of them.
# Of two curves, the first has no latency at the least load.
results many
drawn() { # RESULT LEAST_PICTURES
    run_ok report "$1.json" --report "$1.html"
    page 300000 "$2" "$1.html"
}
drawn many 4
results single
run_ok report curves.json --figures curves
expect "the largest stable load above all lines" [ "$(tail -n 3 curves/accepted.svg | grep -c "fill='#56b4e9'")" -eq 1 ]
run_ok report single.json --report single.html --figures single
page 300000 2 single.html
expect "one load, as bars" holds single.html 'At an offered load of 50.0 % messages of second are fastest: they take 1.000 us in the mean.'
expect "the notes of a bar" holds single/latency.svg '>1.000 us, 99 %: 3.000 us<'
expect "no latency beyond saturation" holds single/latency.svg '>not stable<'
expect "one load's accepted load" holds single.html 'second accepts most: a load of 50.0 %.'
run_ok report same.json --report same.html --figures same
expect "equal members of a front" holds same.html '2 candidates beat all others; each of them costs $100 and takes 800.0 ns.'
expect "points at one place share a label" holds same/front.svg '>1, 2</text>'
expect "candidates on the axis are whole numbers" sh -c "! grep -q '>[0-9]\.5<' same/stages.svg"
expect "no combination was impossible" holds same.html 'Of 3 combinations none was impossible'
run_ok report near.json --report near.html
expect "small differences have a digit" holds near.html '>-0.004 %</text>'
run_ok report wide.json --report wide.html --figures wide
expect "costs in millions, on a logarithmic axis" [ "$(sed -n "s/.*text-anchor='middle'[^>]*>\([0-9.]*\)<.*/\1/p" wide/costs-1.svg |
    paste -sd ' ')" = "0.2 0.5 1 2 5 10 20 50 100" ]
expect_in wide/costs-1.svg '(million dollars)'
expect "costs have commas" holds wide.html 'costs $150,000 and takes'
run_ok report priced.json --report priced.html --figures priced
page 300000 2 priced.html
expect_in priced.html '2 of 4 candidates are faster than all that cost no more'
expect_in priced.html 'The cheapest, a1, costs $100 and takes 800.0 ns.'
expect_in priced.html '<td>2</td><td>a3</td><td>$200</td>'
expect "two candidates of the front are marked" [ "$(grep -c "fill='#d55e00' stroke='#d55e00'" priced/costs-1.svg)" -eq 2 ]
expect "a comparison without costs has no chart of them" [ "$(grep -c 'Cost against time' many.html)" -eq 0 ]
expect_in many.html 'The fastest of 60 candidates is a-value-with-a-name-that-is-long-14, b3:'
expect_in many.html '>baseline</text>'
expect_in many.html 'have the baseline and the fastest: 40 together.'
expect "the table has the point's own seed" holds many.html '<td>71</td>'
expect "the best of a part" holds many.html 'a-value-with-a-name-that-is-long-11 with b3 is best of those drawn:'
expect "what is left out" holds many.html '12 candidates with other values are not in it.'
expect "cut labels of rows" holds_not many.html '>a-value-with-a-name-that-is-long-11</text>'
drawn curves 3
expect "a curve with a latency" holds curves.html 'At the least load second has the lowest mean latency'
expect "the largest stable load at the line" holds curves.html '>second (to 0.25)</text>'
expect "a curve with a throughput" holds curves.html 'second accepts most: a load of 50.0 %.'
run_ok report none.json --report none.html
expect_not_in none.html 'At the least load'
expect_not_in none.html 'accepts most'
finish
