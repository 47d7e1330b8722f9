#!/bin/sh
# Reports of replays: one page that needs nothing else, whatever the result and its names, the same from a saved
# result and with any number of threads. What is no result is refused.
. "$ANAX_SOURCE/tests/support/script/command.sh"
. "$ANAX_SOURCE/tests/support/page/pages.sh"

# A replay: the same bytes with 1 to 3 threads, and from the saved result; pictures as files.
run_ok generate halo3d --ranks 72 --iterations 2 --size 32KiB -o '<script>&x.anax'
set -- replay '<script>&x.anax' -m kim-72 -p random --explain
run_ok "$@" --threads 1 --report one.html --figures figures
run_ok "$@" --threads 2 --report two.html
run_ok "$@" --threads 3 --report three.html --figures three --json
cp out result.json
expect "the page is the same with two threads as with one" cmp one.html two.html
expect "the page is the same with three threads as with one" cmp one.html three.html
expect "pictures are the same on three threads" diff -r figures three
run_ok report result.json --report saved.html --figures saved
expect "the page of a saved result is that of the run" cmp one.html saved.html
expect "a saved result gives the pictures of the run" diff -r figures saved
page 300000 11 one.html
expect_in one.html '&lt;script&gt;&amp;x on kim-72'
for part in verdict breakdown efficiency critical-path ranks timeline calls groups links congestion messages \
    placement more settings origin; do
    expect_in one.html "<section id=\"$part\">"
done
for picture in breakdown critical-path ranks timeline calls groups group-channels links congestion latencies \
    placement; do
    echo "figures/$picture.svg"
done >pictures
expect "each picture is well-formed XML" python3 -c "import xml.etree.ElementTree as e
for name in open('pictures'): e.parse(name.strip())"
expect "the page begins with the verdict" sh -c "grep -o '<section id=\"[a-z-]*' one.html | head -1 | grep -q verdict"
expect "options and units stay on a line" grep -q '[0-9]&#160;us\. 72 ranks of halo3d <span class="w">--ranks</span> 72' one.html
# Texts and pages show the same columns of the busiest links, by the headings of their table.
run_ok replay '<script>&x.anax' -m kim-72 -p random
expect "columns in the text" grep -q '^  kind  *from  *to  *carried  *busy  *stalled$' out
for heading in carried busy stalled; do
    expect "$heading on the page" sh -c "grep -A 9 'The busiest links:' one.html | grep -q '>$heading</th>'"
done
expect "the page has the digest of the JSON" holds one.html "$(value result.json digest)"

# The largest results that people look at have small pages, also where no two ranks are alike. They execute no
# other lines.
if [ "$ANAX_COVERAGE" != ON ]; then
run_ok generate uniform-random --ranks 1056 --iterations 8 -o large.anax
run_ok replay large.anax -m kim-1k -p random --explain --matrix rank --per-iteration iteration \
    --links 0-1,0-2,0-3,1-2,1-3,2-3,n0-0,n1-0,n2-0,n3-0 --set noise.kind=exponential \
    --set noise.share=30% --report large.html --figures large
page 300000 16 large.html
expect "a picture of many cells is a PNG" grep -q "href='data:image/png;base64,iVBOR" large/congestion.svg

# 65,536 ranks on 262,656 nodes in 513 groups: as small.
results huge
run_ok report huge.json --report huge.html --figures huge
page 300000 6 huge.html
expect "each file is small" [ -z "$(find huge -size +100k)" ]
rm huge.json
fi

# Of 130 groups, three share a row: a cell has the mean of its links. The second result has such rows itself, long
# names of flows, one iteration, and numbers of ranks that reach the label of their axis.
results rows
run_ok report rows.json --report rows.html --figures rows
expect "the busiest pair of groups is named" holds rows.html 'from group 1 to group 5 are the busiest: 50.0 % of the time'
expect "a cell of nine pairs" holds rows/groups.svg '>% of the time: 5.56</text>'
expect "the busiest group is named" holds rows.html 'the kind global are the busiest in group 4: 50.0 % of the time'
expect "a row of three groups" holds rows/group-channels.svg '>16.7</text>'
run_ok report shared.json --report shared.html --figures shared
expect_in shared.html 'from groups 3-5 to groups 126-128 are the busiest: 50.0 % of the time'
expect_in shared.html 'the kind global are the busiest in groups 126-128: 50.0 %'
expect "a long name of a flow" holds shared/waits.svg '>rank 41171 to 43219 behind 45513 to 45514</text>'
expect "a single iteration is told in a sentence" holds shared.html 'There is one iteration, number 7. Its parallel efficiency is 50.0 %.'
expect "a single iteration has no picture" [ ! -e shared/iterations.svg ]

# A replay over time, of which the numbers are known: rank 0 computes throughout, ranks 1 to 3 wait for late
# senders from bin 2 to bin 4. The channels of group 1 are busy for half of bin 3.
results over
run_ok generate alltoall --ranks 4 -o over.anax
run_ok report over.json --report over.html --figures over
page 300000 6 over.html
expect "how much of the run" holds over.html 'In 37.5 % of the run, ranks compute for less than half of their time.'
expect_in over.html 'from 2.000 us to 5.000 us; most of it is late sender.'
expect "a row of the table" holds over.html \
    '>3.000 us</td><td>4.000 us</td><td>25.0 %</td><td>0.0 %</td><td>75.0 %<'
expect "the load of global links" grep -q '>3.000 us<.*>25.0 %</td></tr>$' over.html
expect_in over.html \
    'from group 1 are busiest, from 3.000 us to 4.000 us: for 50.0 % of that time, and stalled for 25.0 %'
python3 -c "import json
result = json.load(open('over.json'))
result['channel_bins'].append(dict(bin=5, from_ps=5000000, to_ps=6000000, group=0, kind='local', channels=1, busy_ps=900000, stalled_ps=0))
json.dump(result, open('local.json', 'w'))"
run_ok report local.json --report local.html
expect_in local.html 'The local channels from group 0 are busiest, from 5.000 us to 6.000 us: for 90.0 % of that time'
expect_in over.html 'takes 2.000 us and passes 1 message; routers is 100.0 % of it.'
expect "the longest step of the path is named" holds over.html 'of the kind message on rank 3 in MPI_Recv and takes 1.500 us.'
expect "a line from rank to rank" [ "$(grep -c "stroke='#0072b2' stroke-width='2.5'" over/path-steps.svg)" -eq 1 ]
expect "what it waited for" holds over.html '>70.00 ns</td><td>5&gt;9</td></tr>'
expect_in over.html 'Most goes from rank 0 to rank 3: 3.000 KiB of 4.000 KiB in all.'
expect "the matrix has one darkest cell" [ "$(grep -c "fill='#062a5c' d='M3 0h1v1h-1z'" over/matrix.svg)" -eq 1 ]
expect "and with more messages" [ "$(grep -c "fill='#062a5c' d='M0 3h1v1h-1z'" over/matrix.svg)" -eq 1 ]
pixel() { # SHARE_ACROSS SHARE_DOWN COLOUR
    colour=$(python3 "$ANAX_SOURCE/tests/support/page/pixel.py" over/timeline.svg "$1" "$2")
    expect "$3 at $1, $2, not $colour" [ "$colour" = "$3" ]
}
pixel 0.4 0.1 '#56b4e9'
pixel 0.4 0.9 '#e69f00'
pixel 0.2 0.9 '#56b4e9'
run_ok replay over.anax -m kim-72 --report few.html --time-bins 16 --links hottest:1 --json -o few
cp out few.json
expect "the page's waits are the longest of the table" python3 -c "import csv, json
def key(row): return tuple(str(row[name]) for name in ('source', 'source_rank', 'behind_source_rank', 'waited_ps'))
waits = sorted(csv.DictReader(open('few/link_waits.csv')), key=lambda row: -int(row['waited_ps']))[:100]
assert waits and [key(row) for row in waits] == [key(row) for row in json.load(open('few.json'))['longest_link_waits']]"
page 300000 9 few.html
busiest=$(python3 -c "import json; rows = json.load(open('few.json'))['link_flows']
best = max(rows, key=lambda row: row['busy_ps']); print(best['source_rank'], best['destination_rank'], sep='</td><td>')")
expect "the largest flow first" sh -c "grep -A 2 'kind of link<' few.html | grep -qF '>$busiest</td>'"
named=$(python3 -c "import json; rows = json.load(open('few.json'))['link_flows']
best = max(rows, key=lambda row: row['busy_ps'])
ends = {'injection': ('node', 'router'), 'ejection': ('router', 'node')}.get(best['kind'], ('router', 'router'))
cell = '</td><td>'
print(cell.join([best['kind'], ends[0] + ' ' + str(best['source']), ends[1] + ' ' + str(best['destination'])]),
      cell.join([best['call'] or 'none', best['region'] or 'none', 'no' if best['minimal'] else 'yes']), sep='|')")
expect "its link has routers and nodes" sh -c "grep -A 2 'kind of link<' few.html | grep -qF '<td>${named%|*}</td>'"
expect "it has a call, a region, and a way" sh -c "grep -A 2 'kind of link<' few.html | grep -qF '<td>${named#*|}</td>'"
expect "there is no bin beyond those of the command line" [ "$(grep -c '"bin": 16' out)" -eq 0 ]

run_ok replay over.anax -m kim-72 --checkpoint kept --report kept.html
expect "a run with checkpoints" holds_not kept.html '<section id="timeline">'
expect "says what adds it" holds kept.html '<td><span class="w">--time-bins</span> 64</td><td>what ranks do, and congestion, over time'

# What would change the time, user regions, iterations, flows and waits: of a run, and with known numbers.
run_ok replay over.anax -m kim-72 --explain --per-iteration iteration --links hottest:2 --report parts.html
page 300000 13 parts.html
for part in sensitivity regions iterations flows; do
    expect_in parts.html "<section id=\"$part\">"
done
results parts
run_ok report parts.json --report known.html --figures known
page 300000 6 known.html
expect "the setting that changes most is named" holds known.html 'One percent more of b.bandwidth changes the predicted time most: by -0.500 %.'
expect "bars in this order" [ "$(sed -n "s/^<text.*>\([a-e]\.[a-z]*\)<.*/\1/p" known/sensitivity.svg | paste -sd ' ')" = \
    "b.bandwidth c.latency a.small" ]
expect "settings that do nothing in the table" holds known.html '<td>d.none</td><td>+0.000 %</td>'
expect "the region with most time" holds known.html 'Ranks spend most time in solve: 32.00 us in all, 25.0 % of it in MPI calls.'
expect "the least efficient one" holds known.html 'Of these regions, &lt;io&gt; has the lowest parallel efficiency: 25.0 %.'
expect "a low efficiency is marked by a word, too" grep -q '>25.0 % (low)<' known/region-efficiency.svg
expect_in known.html 'Of 5 iterations, number 3 has the lowest parallel efficiency: 50.0 %.'
expect "iterations on the axis are whole numbers" sh -c "! grep -q '>[1-5]\.[0-9]' known/iterations.svg"
expect_in known.html 'Of 3 flows over the watched links, rank 3 to 7 keeps one busy for longest: 30.0 % of global 5 to 9.'
expect_in known.html 'Packets of rank 1 to 7 wait longest: 40.00 ns behind those of rank 3 to 7, for the global link 5 to 9.'
expect "a flow without ranks is named by its nodes" grep -q '>node 4 to 7 behind other flows<' known/waits.svg
expect "the word rank is said once for both sides" grep -q '>rank 1 to 7 behind 3 to 7<' known/waits.svg
run_ok traffic -m kim-72 --load 0.4 --set traffic.measure=1us --links 0-1 --report watched.html
expect "the page of traffic has the flows of watched links" holds watched.html '<section id="flows">'

# Several jobs; a run that cannot go on.
run_ok generate alltoall --ranks 16 -o alltoall.anax
run_ok replay alltoall.anax '<script>&x.anax' -m kim-1k --report jobs.html
page 300000 7 jobs.html
expect_in jobs.html '<section id="jobs">'
expect "which job is where" holds jobs.html '>Jobs on them<'
expect "keys of both jobs" sh -c "grep -c '>job [01]</text>' jobs.html | grep -qx 2"

# What is small: a run without traffic, and traffic in the background.
run_ok generate halo2d --ranks 1 --iterations 2 -o alone.anax
run_ok replay alone.anax -m kim-72 --explain --report alone.html --figures alone
page 300000 7 alone.html
expect_in alone.html '1 rank of halo2d'
expect_in alone.html 'The last step of the path begins at'
expect_not_in alone.html 'Slanted lines'
expect "no pictures of nothing" sh -c '! ls alone | grep -E "groups|links|congestion"'
expect "alone.html says: No message crossed the network." holds alone.html 'No message crossed the network.'
expect "a scale of one value" holds alone/placement.svg '>ranks: 1<'
run_ok replay alone.anax -m kim-72 --background uniform --background-load 0.2 --report background.html
expect_in background.html \
    'Besides, 71 nodes without ranks send background traffic: pattern uniform, 20.0 % of their injection bandwidth.'

# What is no result: said, and nothing written. A result with odd values is drawn as far as it goes.
refused() { # TEXT ARGUMENTS
    text=$1
    shift
    run "$@"
    expect_code 2
    expect_in err "$text"
}
refused "nothing to write" report result.json
refused "exists already" report result.json --report one.html
refused "exists already" report result.json --figures figures
run_ok report result.json --report one.html --force
refused "given twice" report result.json --report new.html --figures new.html
refused "would overwrite an input" report result.json --report result.json --force
refused "missing.json" report missing.json --report new.html
echo '{"schema":"anax.list/1"}' >list.json
refused "there is no report for this (schema anax.list/1)" report list.json --report new.html
echo '{"schema":' >cut.json
refused "it ends too early" report cut.json --report new.html
expect "a refused report leaves no page" [ ! -e new.html ]
cat >odd.json <<'JSON'
{"schema":"anax.replay/2","completed":true,"time_ps":"x","verdict":[1,"<b>"],"machine":{"nodes":-5,"groups":1e30},
"ranks":[1,"x",{},{"rank":0,"node":1e18,"compute_ps":1e300},{"rank":null,"compute_ps":-4}],
"calls":[{"name":7,"time_ps":1e30},[]],"critical_path":{"parts":[{"kind":"\u0000\u001b","time_ps":5},3]},
"efficiency":{"parallel":1e99},"group_channels":[{"group":-1,"kind":"global","links":0}],"group_pairs":[{}],
"link_shares":[{"kind":"local","from_share":9,"links":1}],"network":{"messages":1},"latency_bins":[{}],
"configuration":{"a":null,"b":[1]},"settings_changed":[null],"warnings":[{}],"jobs":[{},{}]}
JSON
run_ok report odd.json --report odd.html --force
last="check_page.py odd.html" code=0
python3 "$check" 300000 odd.html >out 2>err || code=$?
expect "the page of a result with odd values is well-formed" empty err
cat >odd.json <<'JSON'
{"schema":"anax.topology/2","machines":[{"name":"odd","groups":2,"global_links":1,"routers_per_group":4,"cabinets":3,"columns":16,"rows":16,
"pitch_x_m":1e-9,"pitch_y_m":1e9}],"cables":[3],
"floor":[1,{},{"machine":0,"side":1,"column":0,"row":0,"cabinets":1,"cabinet":0,"cables_right":1e300},
{"machine":0,"side":1,"column":0,"row":0,"cabinets":1,"cabinet":1},{"machine":0,"side":2,"column":4,"row":0},
{"machine":0,"side":1,"column":15,"row":99,"cabinets":1},{"machine":0,"side":1,"column":15,"row":15,"cabinets":1,"cabinet":2,
"mean_length_m":-1e300}],"floor_cables":[{},{"machine":0,"cabinet":0,"other_cabinet":0,"cables":1},
{"machine":0,"cabinet":0,"other_cabinet":7,"cables":1},{"machine":0,"cabinet":0,"other_cabinet":2,"cables":1e308}]}
JSON
for pairs in floor_cables none; do
    sed -i "s/floor_cables/$pairs/" odd.json
    run_ok report odd.json --report odd.html --figures "odd-$pairs" --force
    last="check_page.py odd.html" code=0
    python3 "$check" 300000 odd.html >out 2>err || code=$?
    expect "odd figures of floors give no warning" empty err
    expect "no place that is none" sh -c "! grep -E \"='[^']*(nan|inf)\" odd-$pairs/machine-1-floor.svg"
done
finish
