#!/bin/sh
# Reports: one page that needs nothing else, whatever the result and its names, the same from a saved
# result and with any number of threads.
. "$ANAX_SOURCE/tests/support/command.sh"
check=$ANAX_SOURCE/tests/support/page/check_page.py
if ! command -v python3 >/dev/null; then
    echo "skipped: no python3, which reads pages"
    exit 0
fi
# Where python3 is a script that looks for an interpreter, starting it takes ten times as long.
python=$(command -v "$(python3 -c 'import sys; print(sys.executable)')")
python3() { "$python" "$@"; }

# Sentences of pages keep numbers and their units on a line, by another blank.
holds() { sed 's/&#160;/ /g' "$1" | grep -qF -- "$2"; }

# page MOST_BYTES LEAST_PICTURES FILE
page() {
    [ "$ANAX_COVERAGE" != ON ] || return 0 # it executes no line of anax
    last="check_page.py $1 $3" code=0
    python3 "$check" "$1" "$3" >out 2>err || code=$?
    expect "a good page" [ "$code" -eq 0 ]
    expect "pictures" [ "$(sed -n 's/ pictures$//p' out)" -ge "$2" ]
}

# A replay: the same bytes with 1 to 3 threads, and from the saved result; pictures as files.
run_ok generate halo3d --ranks 72 --iterations 2 --size 32KiB -o '<script>&x.anax'
set -- replay '<script>&x.anax' -m kim-72 -p random --explain
run_ok "$@" --threads 1 --report one.html --figures figures
run_ok "$@" --threads 2 --report two.html
run_ok "$@" --threads 3 --report three.html --figures three --json
cp out result.json
expect "threads" cmp one.html two.html
expect "threads" cmp one.html three.html
expect "figures of threads" diff -r figures three
run_ok report result.json --report saved.html --figures saved
expect "a saved result" cmp one.html saved.html
expect "its pictures" diff -r figures saved
page 300000 11 one.html
expect "the name" holds one.html '&lt;script&gt;&amp;x on kim-72'
for part in verdict breakdown efficiency critical-path ranks timeline calls groups links congestion messages \
    placement more settings origin; do
    expect "part $part" holds one.html "<section id=\"$part\">"
done
for picture in breakdown critical-path ranks timeline calls groups group-channels links congestion latencies \
    placement; do
    echo "figures/$picture.svg"
done >pictures
expect "whole files" python3 -c "import xml.etree.ElementTree as e
for name in open('pictures'): e.parse(name.strip())"
expect "the verdict first" sh -c "grep -o '<section id=\"[a-z-]*' one.html | head -1 | grep -q verdict"
expect "options and units stay on a line" grep -q '[0-9]&#160;us\. 72 ranks of halo3d <span class="w">--ranks</span> 72' one.html
expect "the JSON's figures" holds one.html "$(value result.json digest)"

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
cat >huge.py <<'PYTHON'
import json
RANKS, GROUPS, NODES, TIME = 65536, 513, 512, 50000000
ranks = [dict(rank=i, node=i * 4099 % (GROUPS * NODES), time_ps=TIME - i * 97 % 9000000, compute_ps=20000000 + i * 31 % 7000000,
              send_overhead_ps=i * 13 % 3000000, wait_late_sender_ps=i * 7 % 5000000, collective_ps=4000000) for i in range(RANKS)]
bins = [dict(bin=i, from_ps=i * 1000000, to_ps=(i + 1) * 1000000) for i in range(50)]
states = [dict(row, ranks=RANKS, compute_ps=RANKS * 400000, wait_late_sender_ps=RANKS * 600000) for row in bins]
rows = [dict(row, first_rank=first, ranks=1024, compute_ps=1024 * (first % 5 + 1) * 100000, wait_transit_ps=1024 * 300000)
        for first in range(0, RANKS, 1024) for row in bins]
pairs = [dict(source_group=i, destination_group=j, links=1, bytes=i * j, busy_ps=(i * 31 + j * 17) % 997 * 1000, stalled_ps=i % 7 * 1000)
         for i in range(GROUPS) for j in range(GROUPS) if i != j]
channels = [dict(group=i, kind=kind, links=512, busy_ps=512 * (i + 1) * 1000, stalled_ps=i)
            for i in range(GROUPS) for kind in ("injection", "ejection", "local", "global")]
loads = [dict(row, group=i, kind=kind, channels=512, busy_ps=(i * 13 + row["bin"]) % 400 * 100000, stalled_ps=i % 5)
         for row in bins for i in range(GROUPS) for kind in ("local", "global")]
json.dump({"schema": "anax.replay/2", "completed": True, "time_ps": TIME, "machine": {"name": "m", "groups": GROUPS, "nodes": GROUPS * NODES},
           "ranks": ranks, "state_bins": states, "rank_bins": rows, "channel_bins": loads, "group_pairs": pairs,
           "group_channels": channels}, open("huge.json", "w"))
PYTHON
python3 huge.py
run_ok report huge.json --report huge.html --figures huge
page 300000 6 huge.html
expect "each file is small" [ -z "$(find huge -size +100k)" ]
rm huge.json
fi

# Of 130 groups, three share a row: a cell has the mean of its links. The second result has such rows itself, long
# names of flows, one iteration, and numbers of ranks that reach the label of their axis.
cat >rows.py <<'PYTHON'
import json
pairs = [dict(source_group=i, destination_group=j, links=2, bytes=1, busy_ps=1000000 if (i, j) == (1, 5) else 0, stalled_ps=0)
         for i in range(3) for j in range(3, 6)]
channels = [dict(group=i, kind="global", links=4, busy_ps=2000000 if i == 4 else 0, stalled_ps=0) for i in range(130)]
json.dump({"schema": "anax.replay/2", "completed": True, "time_ps": 1000000, "machine": {"groups": 130, "nodes": 260},
           "group_pairs": pairs, "group_channels": channels}, open("rows.json", "w"))
rows = dict(groups=3, links=18, bytes=1, busy_ps=9000000)
wait = dict(kind="global", source=5, destination=9, source_rank=41171, destination_rank=43219, behind_source_rank=45513,
            behind_destination_rank=45514, waited_ps=40000)
json.dump({"schema": "anax.replay/2", "completed": True, "time_ps": 1000000, "machine": {"groups": 130, "nodes": 260},
           "group_pairs": [dict(rows, source_group=3, destination_group=126)], "group_channels": [dict(rows, group=126, kind="global")],
           "link_flows": [dict(wait, busy_ps=1)], "longest_link_waits": [wait],
           "efficiency_iterations": [dict(iteration=7, parallel=0.5)],
           "matrix": [dict(by="rank", source=i, sources=10000, destination=0, destinations=10000, messages=1, bytes=1024)
                      for i in range(0, 40000, 10000)]}, open("shared.json", "w"))
PYTHON
python3 rows.py
run_ok report rows.json --report rows.html --figures rows
expect "the busiest pair" holds rows.html 'from group 1 to group 5 are the busiest: 50.0 % of the time'
expect "a cell of nine pairs" holds rows/groups.svg '>% of the time: 5.56</text>'
expect "the busiest group" holds rows.html 'the kind global are the busiest in group 4: 50.0 % of the time'
expect "a row of three groups" holds rows/group-channels.svg '>16.7</text>'
run_ok report shared.json --report shared.html --figures shared
expect "neighbouring groups" holds shared.html 'from groups 3-5 to groups 126-128 are the busiest: 50.0 % of the time'
expect "their channels" holds shared.html 'the kind global are the busiest in groups 126-128: 50.0 %'
expect "a long name of a flow" holds shared/waits.svg '>rank 41171 to 43219 behind 45513 to 45514</text>'
expect "a single iteration" holds shared.html 'There is one iteration, number 7. Its parallel efficiency is 50.0 %.'
expect "without a picture" [ ! -e shared/iterations.svg ]

# A replay over time, of which the numbers are known: rank 0 computes throughout, ranks 1 to 3 wait for late
# senders from bin 2 to bin 4. The channels of group 1 are busy for half of bin 3.
cat >over.py <<'PYTHON'
import json
def bin_of(number, **more):
    return dict(bin=number, from_ps=number * 1000000, to_ps=(number + 1) * 1000000, **more)
def is_late(rank, number):
    return rank > 0 and 2 <= number < 5
ranks = [bin_of(i, first_rank=rank, ranks=1,
                **{"wait_late_sender_ps" if is_late(rank, i) else "compute_ps": 1000000})
         for rank in range(4) for i in range(8)]
sums = [bin_of(i, ranks=4, compute_ps=4000000 - late, wait_late_sender_ps=late)
        for i in range(8) for late in [sum(is_late(rank, i) for rank in range(4)) * 1000000]]
loads = [bin_of(3, group=1, kind="global", channels=2, busy_ps=1000000, stalled_ps=500000),
         bin_of(4, group=0, kind="global", channels=2, busy_ps=200000, stalled_ps=0)]
links = [{"group": group, "kind": "global", "links": 2, "busy_ps": 1000000 * group} for group in range(2)]
steps = [{"rank": 0, "name": "MPI_Init", "from_ps": 0, "to_ps": 500000, "cause": "send", "from_rank": None},
         {"rank": 3, "name": "MPI_Recv", "from_ps": 500000, "to_ps": 2000000, "cause": "message", "from_rank": 0,
          "size_bytes": 2048, "queueing_ps": 70000, "route": "5>9"}]
path = {"rank": 3, "time_ps": 2000000, "messages": 1, "steps": steps,
        "parts": [{"kind": "routers", "name": None, "time_ps": 2000000}]}
matrix = [{"by": "rank", "source": 0, "sources": 1, "destination": 3, "destinations": 1, "messages": 2, "bytes": 3072},
          {"by": "rank", "source": 3, "sources": 1, "destination": 0, "destinations": 1, "messages": 5, "bytes": 1024}]
json.dump({"schema": "anax.replay/2", "completed": True, "time_ps": 8000000, "critical_path": path, "matrix": matrix, "machine": {"groups": 2, "nodes": 4},
           "state_bins": sums, "rank_bins": ranks, "channel_bins": loads, "group_channels": links}, open("over.json", "w"))
PYTHON
python3 over.py
run_ok generate alltoall --ranks 4 -o over.anax
run_ok report over.json --report over.html --figures over
page 300000 6 over.html
expect "how much of the run" holds over.html 'In 37.5 % of the run, ranks compute for less than half of their time.'
expect "which stretch" holds over.html 'from 2.000 us to 5.000 us; most of it is late sender.'
expect "a row of the table" holds over.html \
    '>3.000 us</td><td>4.000 us</td><td>25.0 %</td><td>0.0 %</td><td>75.0 %<'
expect "the load of global links" grep -q '>3.000 us<.*>25.0 %</td></tr>$' over.html
expect "congestion" holds over.html \
    'from group 1 are busiest, from 3.000 us to 4.000 us: for 50.0 % of that time, and stalled for 25.0 %'
expect "the path" holds over.html 'takes 2.000 us and passes 1 message; routers is 100.0 % of it.'
expect "its longest step" holds over.html 'of the kind message on rank 3 in MPI_Recv and takes 1.500 us.'
expect "a line from rank to rank" [ "$(grep -c "stroke='#0072b2' stroke-width='2.5'" over/path-steps.svg)" -eq 1 ]
expect "what it waited for" holds over.html '>70.00 ns</td><td>5&gt;9</td></tr>'
expect "the matrix" holds over.html 'Most goes from rank 0 to rank 3: 3.000 KiB of 4.000 KiB in all.'
expect "its darkest cell" [ "$(grep -c "fill='#062a5c' d='M3 0h1v1h-1z'" over/matrix.svg)" -eq 1 ]
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
expect "the longest waits" python3 -c "import csv, json
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
expect "as many bins as the command line says" [ "$(grep -c '"bin": 16' out)" -eq 0 ]

run_ok replay over.anax -m kim-72 --checkpoint kept --report kept.html
expect "a run with checkpoints" holds_not kept.html '<section id="timeline">'
expect "says what adds it" holds kept.html '<td><span class="w">--time-bins</span> 64</td><td>what ranks do, and congestion, over time'

# What would change the time, user regions, iterations, flows and waits: of a run, and with known numbers.
run_ok replay over.anax -m kim-72 --explain --per-iteration iteration --links hottest:2 --report parts.html
page 300000 13 parts.html
for part in sensitivity regions iterations flows; do
    expect "part $part" holds parts.html "<section id=\"$part\">"
done
cat >parts.py <<'PYTHON'
import json
link = dict(kind="global", source=5, destination=9, call="MPI_Send", region=None, minimal=True)
flows = [dict(link, source_rank=i, destination_rank=7, bytes=1000, busy_ps=100000 * i, waited_ps=5, caused_ps=6) for i in (1, 3, 2)]
waits = [dict(link, source_rank=1, destination_rank=7, behind_source_rank=3, behind_destination_rank=7, waited_ps=40000,
              behind_call="MPI_<B>", behind_region="r"),
         dict(link, source_node=4, destination_node=7, waited_ps=30000)]
factors = dict(load_balance=1, serialisation=1)
regions = [dict(name=name, ranks=4, time_ps=time, parallel=parallel, transfer=parallel, **factors)
           for name, time, parallel in (("solve", 8000000, 0.9), ("<io>", 2000000, 0.25))]
times = [dict(name=row["name"], count=3, time_ps=4 * row["time_ps"], mpi_ps=row["time_ps"], most_ps=row["time_ps"], most_rank=2)
         for row in reversed(regions)]
iterations = [dict(iteration=i, ranks=4, time_ps=1000000, parallel=0.5 + 0.25 * (i != 3), transfer=0.5, **factors) for i in range(1, 6)]
settings = [dict(setting=name, elasticity=share, derivative=1000 * (share or 0), unit="percent")
            for name, share in (("a.small", 0.01), ("b.bandwidth", -0.5), ("c.latency", 0.25), ("d.none", 0), ("e.unknown", None))]
json.dump({"schema": "anax.replay/2", "completed": True, "time_ps": 1000000, "link_flows": flows, "longest_link_waits": waits,
           "regions": times, "efficiency_regions": regions, "efficiency_iterations": iterations, "sensitivity": settings},
          open("parts.json", "w"))
PYTHON
python3 parts.py
run_ok report parts.json --report known.html --figures known
page 300000 6 known.html
expect "the strongest setting" holds known.html 'One percent more of b.bandwidth changes the predicted time most: by -0.500 %.'
expect "bars in this order" [ "$(sed -n "s/^<text.*>\([a-e]\.[a-z]*\)<.*/\1/p" known/sensitivity.svg | paste -sd ' ')" = \
    "b.bandwidth c.latency a.small" ]
expect "settings that do nothing in the table" holds known.html '<td>d.none</td><td>+0.000 %</td>'
expect "the region with most time" holds known.html 'Ranks spend most time in solve: 32.00 us in all, 25.0 % of it in MPI calls.'
expect "the least efficient one" holds known.html 'Of these regions, &lt;io&gt; has the lowest parallel efficiency: 25.0 %.'
expect "marked without colour" grep -q '>25.0 % (low)<' known/region-efficiency.svg
expect "the iteration" holds known.html 'Of 5 iterations, number 3 has the lowest parallel efficiency: 50.0 %.'
expect "whole iterations" sh -c "! grep -q '>[1-5]\.[0-9]' known/iterations.svg"
expect "the flow" holds known.html 'Of 3 flows over the watched links, rank 3 to 7 keeps one busy for longest: 30.0 % of global 5 to 9.'
expect "the wait" holds known.html 'Packets of rank 1 to 7 wait longest: 40.00 ns behind those of rank 3 to 7, for the global link 5 to 9.'
expect "without ranks" grep -q '>node 4 to 7 behind other flows<' known/waits.svg
expect "rank said once" grep -q '>rank 1 to 7 behind 3 to 7<' known/waits.svg
run_ok traffic -m kim-72 --load 0.4 --set traffic.measure=1us --links 0-1 --report watched.html
expect "flows of traffic" holds watched.html '<section id="flows">'

# Several jobs; a run that cannot go on.
run_ok generate alltoall --ranks 16 -o alltoall.anax
run_ok replay alltoall.anax '<script>&x.anax' -m kim-1k --report jobs.html
page 300000 7 jobs.html
expect "jobs" holds jobs.html '<section id="jobs">'
expect "which job is where" holds jobs.html '>Jobs on them<'
expect "keys of both jobs" sh -c "grep -c '>job [01]</text>' jobs.html | grep -qx 2"

# What is small or odd: a run without traffic, traffic in the background, one of all things, equal times.
run_ok generate halo2d --ranks 1 --iterations 2 -o alone.anax
run_ok replay alone.anax -m kim-72 --explain --report alone.html --figures alone
page 300000 7 alone.html
expect "one rank" holds alone.html '1 rank of halo2d'
expect "one step" holds alone.html 'The last step of the path begins at'
expect "no messages" holds_not alone.html 'Slanted lines'
expect "no pictures of nothing" sh -c '! ls alone | grep -E "groups|links|congestion"'
expect "why" holds alone.html 'No message crossed the network.'
expect "a scale of one value" holds alone/placement.svg '>ranks: 1<'
run_ok replay alone.anax -m kim-72 --background uniform --background-load 0.2 --report background.html
expect "background traffic" holds background.html \
    'Besides, 71 nodes without ranks send background traffic: pattern uniform, 20.0 % of their injection bandwidth.'
run_ok compare alone.anax -m kim-72 --report one-candidate.html
page 300000 2 one-candidate.html
expect "one candidate" holds one-candidate.html '<h1>1 candidate'
expect "no comparison with itself" holds_not one-candidate.html 'do not differ significantly'
run_ok compare alone.anax -m kim-72 -r minimal,par --seeds 2 --report equal.html
page 300000 3 equal.html
expect "equal times" holds equal.html '<h1>2 candidates: minimal and par are equally fast, and first</h1>'
run_ok search alone.anax -m kim-72 --seeds 1 --report one-found.html
page 300000 2 one-found.html
expect "one found" holds one-found.html '<h1>1 of 1 candidate for alone is worth its cost</h1>'
expect "dollars" holds one-found.html 'The only candidate, kim-72: it costs $151,632 and takes 20.00 us.'
run_ok traffic -m kim-72 --load 0.2 --set traffic.measure=1us --report one-load.html
page 300000 2 one-load.html
expect "one point" holds one-load.html '72 nodes), 1 point.'

# The other commands: --report says the same as `anax report` of what --json prints.
other() { # LEAST_PICTURES SECTION ARGUMENTS...
    least=$1 section=$2
    shift 2
    rm -rf other.html drawn
    run_ok "$@" --report other.html --figures drawn --json
    cp out other.json
    run_ok report other.json --report again.html --force
    expect "a saved result" cmp other.html again.html
    page 300000 "$least" other.html
    expect "part $section" holds other.html "<section id=\"$section\">"
    expect "files" [ "$(find drawn -name '*.svg' | wc -l)" -ge "$least" ]
}
other 4 trace-1 compare alltoall.anax -m kim-72 -r minimal,par -p random,block --seeds 2
expect "the baseline" holds other.html ">baseline</text>"
expect "one machine has one cost" [ ! -e drawn/costs-1.svg ]
expect "whose settings" holds other.html 'The table is about the first candidate.'
other 3 accepted traffic -m kim-72 -r minimal,valiant --loads 0.2:0.6:0.2 --set traffic.measure=2us
other 2 congestion traffic -m kim-72 --load 0.2 --set traffic.measure=2us --time-bins 16
other 2 accepted traffic -m kim-72,kim-1k --loads 0.2 --set traffic.measure=1us
expect "both machines in the heading" holds other.html '<h1>uniform traffic on kim-72, kim-1k<'
expect "both machines" holds other.html 'pattern uniform on kim-72, kim-1k, 2 points.'
expect "latencies once" [ "$(grep -c 'Numbers: latencies' other.html)" -eq 1 ]
other 3 distances place alltoall.anax -m kim-72
cp other.html place.html
other 8 machine-2 topology kim-1k kim-72
expect "groups" holds other.html "Each group has a link to each other one."
expect "few cabinets: a line for each pair" [ "$(grep -c "stroke='#0072b2'.* d='M[^h]*'" drawn/machine-2-floor.svg)" -eq 36 ]
expect "the longest cable" holds other.html 'The longest of 36 global cables between cabinets has 7.2 m; 0 are optical.'
farthest=$(python3 -c "import json
rows = [row for row in json.load(open('other.json'))['floor'] if row['machine'] == 0]
far, near = (pick(rows, key=lambda row: row['mean_length_m']) for pick in (max, min))
print('have %.1f m on average at cabinet %d and %.1f m at cabinet %d; up to %d of them' % (near['mean_length_m'], near['cabinet'],
      far['mean_length_m'], far['cabinet'], max(max(row['cables_right'], row['cables_below']) for row in rows)))")
expect "many: the farthest cabinet" holds other.html "Global cables $farthest run side by side."
expect "all of them" [ "$(grep -c '<title>cabinet' drawn/machine-1-floor.svg)" -eq 33 ]
cp other.html topology.html
# 513 cabinets; and 8208, which share boxes.
other 4 machine-1 topology dragonfly-262k
expect "metres" holds drawn/machine-1-floor.svg '>along a row (m), from cabinet 0<'
expect "its values" holds drawn/machine-1-floor.svg "data-unit='mean length of cables (m)'"
cp other.html floors.html
other 4 machine-1 topology dragonfly-262k --set floor.cabinets_per_group=16 --set floor.pitch_y=3m
expect "boxes" holds other.html '2 x 2 neighbouring cabinets are drawn as one, with the number of the first.'
other 3 machine-1 topology kim-72 --set network.groups=1 --set floor.cabinets_per_group=4
expect "cabinets of one group" holds other.html 'No global cables join the 4 cabinets.'
other 1 bisection bisection -a 3 -h 3 --arrangement helix,relative
expect "whose settings" holds other.html 'The table is about the first curve.'
cp other.html bisection.html
other 1 bisection bisection -a 2 -h 2 --set network.local.bandwidth=5TB/s --set network.global.bandwidth=5TB/s
expect "a large unit" holds other.html 'absolute has 25 TB/s, which is proven.'
other 1 bisection bisection -a 2 -h 2
expect "one arrangement" holds other.html 'The machine has 5 groups of 2 routers, and 10 global links.'
expect "which machine" holds other.html '<h1>Bisection bandwidth of 5 groups of 2 routers<'
expect "the options" holds other.html '<td>network.groups</td><td>5</td><td>33</td>'
expect "its curve" holds drawn/bisection.svg '>absolute</text>'
expect "its bandwidth" holds other.html "absolute has $(python3 -c "import json
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
expect "its marks" [ "$(grep -c "fill='#d55e00' stroke='#d55e00'" drawn/front.svg)" -eq "$(tail -n 1 front)" ]
expect "the heading" grep -Eq "<h1>$(tail -n 1 front) of 6 candidates for halo2d (is worth its|are worth their) cost</h1>" other.html
# A diff: of two replays that were saved, of one with itself, and one whose numbers are known.
other 5 causes diff result.json few.json
expect "short names" holds other.html '<h1>result.json and few.json: '
expect "both runs" holds other.html '<td>second</td><td>few.json</td><td>'
other 2 links diff result.json result.json
expect "no rank differs" holds other.html 'In both runs each of the'
expect "nothing differs" holds other.html 'In both runs the time in MPI calls, over all ranks is the same.'
cat >differs.json <<'JSON'
{"schema":"anax.diff/1","results":[{"path":"a","trace":"t","ranks":2,"time_ps":5000000},{"path":"b","trace":"t","ranks":2,"time_ps":4000000}],
"changes":[{"by":"cause","name":"computation","first_ps":4000000,"second_ps":4000000},
{"by":"cause","name":"reductions","first_ps":0,"second_ps":0},
{"by":"cause","name":"late senders","first_ps":6000000,"second_ps":3000000},{"by":"cause","name":"network queueing","first_ps":0,"second_ps":1000000},
{"by":"rank","name":"0","first_ps":5000000,"second_ps":4000000},{"by":"rank","name":"1","first_ps":5000000,"second_ps":4500000},
{"by":"call","name":"MPI_<Recv>","first_ps":6000000,"second_ps":4500000},
{"by":"link kind","name":"local","first_ps":null,"second_ps":1000000}]}
JSON
run_ok report differs.json --report differs.html --figures differs
page 300000 4 differs.html
expect "by how much" holds differs.html 'The second run takes 4.000 us, the first one 5.000 us: -1.000 us (-20.0 %).'
expect "the mean of a rank" holds differs.html 'A rank ends after 5.000 us in the mean in the first run, and after 4.000 us in the second.'
expect "the largest change first" holds differs.html 'late senders changes most: -3.000 us (-50.0 %).'
expect "a time from nothing" holds differs.html '<td>network queueing</td><td>0 ps</td><td>1.000 us</td><td>+1.000 us</td>'
expect "no kind of link in both" holds differs.html 'No row of the table is in both results: the busy time of'
expect "a time that only one has" holds differs.html '<td>local</td><td>not among the busiest</td><td>1.000 us</td><td>unknown</td>'
expect "keys of parts that are there" sh -c "grep -c '>late senders<' differs/breakdown.svg && ! grep '>reductions<' differs/breakdown.svg"
expect "which rank" holds differs.html 'Rank 0 changes most: -1.000 us (-20.0 %).'
expect "no such part" holds_not differs.html 'User regions'
widths=$(sed -n "s/^<rect .*width='\([0-9.]*\)' height='14' fill='\(#[0-9a-f]*\)'.*/\1 \2/p" differs/causes.svg | tail -n 2)
expect "bars on both sides, the first three times as long" sh -c "echo '$widths' | awk 'NR == 1 { left = \$1 } END {
    exit !(\$2 == \"#d55e00\" && left / \$1 > 2.98 && left / \$1 < 3.02) }'"
run diff result.json few.json --report result.json --force
expect "exit code 2" [ "$code" -eq 2 ]
run topology --rivals --report rivals.html
expect "no report" [ "$code" -eq 2 ]

# Times of all units, equal ones, and one that there is not, for a reader who sorts. Names that are scripts.
cat >sorts.json <<'JSON'
{"schema":"anax.diff/1","results":[{"path":"a","trace":"t","ranks":2,"time_ps":5000000},{"path":"b","trace":"t","ranks":2,"time_ps":4000000}],
"changes":[{"by":"call","name":"c10","first_ps":5000000000,"second_ps":999000000},{"by":"call","name":"c9","first_ps":4000000000,"second_ps":1000000000},
{"by":"call","name":"c2","first_ps":3000000000,"second_ps":5000},{"by":"call","name":"c1","first_ps":2000000000,"second_ps":5000},
{"by":"call","name":"</script><script>alert(1)</script>","first_ps":1000000000,"second_ps":2}]}
JSON
run_ok report sorts.json --report sorts.html
page 300000 1 sorts.html
expect "names of calls are no scripts" holds sorts.html '<td>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</td>'

# More candidates than a picture holds, the slowest one as the baseline: the fastest is the last of them.
# Of two curves, the first has no latency at the least load.
cat >large.py <<'PYTHON'
import json
priced = [dict(trace="t", machine="m", a=f"a{i}", mean_ps=time, cost_dollars=cost, low_ps=time - 5, high_ps=time + 5)
          for i, (cost, time) in enumerate(((100, 900000), (100, 800000), (300, 850000), (200, 700000)))]
json.dump({"schema": "anax.compare/2", "traces": [{"name": "t"}], "seeds": 1, "candidates": priced,
           "factors": [{"setting": "a", "value": row["a"]} for row in priced]}, open("priced.json", "w"))
wide = [dict(row, cost_dollars=cost * 1000) for row, cost in zip(priced, (150, 2500, 3000, 90000))]
json.dump({"schema": "anax.compare/2", "traces": [{"name": "t"}], "seeds": 1, "candidates": wide,
           "factors": [{"setting": "a", "value": row["a"]} for row in wide]}, open("wide.json", "w"))
candidates = [{"trace": "t", "machine": "m", "a": f"a-value-with-a-name-that-is-long-{i // 4}", "b": f"b{i % 4}",
               "mean_ps": 9000000 - 1000 * i, "rank": 60 - i, "baseline": i == 0, "significant": i > 0,
               "difference_share": -0.001 * i, "compute_ps": 5} for i in range(60)]
points = [dict(row, seed=seed, time_ps=row["mean_ps"] + seed) for row in candidates for seed in (71, 72)]
factors = [{"setting": key, "value": value} for key in "ab" for value in sorted({row[key] for row in candidates})]
json.dump({"schema": "anax.compare/2", "traces": [{"name": "t"}], "factors": factors, "candidates": candidates,
           "points": points, "seeds": 2}, open("many.json", "w"))
loads = [{"routing": routing, "offered_load": load, "accepted_load": load, "stable": routing == "second",
          "mean_latency_ps": 1000 * load, "p99_latency_ps": 2000} for routing in ("first", "second")
         for load in (0.25, 0.5)]
curves = [{"routing": "first"}, {"routing": "second", "throughput": 0.5, "stable_load": 0.25}]
json.dump({"schema": "anax.traffic/2", "curves": curves, "points": loads}, open("curves.json", "w"))
loads[2]["stable"] = False
curves = [{"routing": routing} for routing in ("first", "second")]
json.dump({"schema": "anax.traffic/2", "curves": curves, "points": loads}, open("none.json", "w"))
PYTHON
python3 large.py
drawn() { # RESULT LEAST_PICTURES
    run_ok report "$1.json" --report "$1.html"
    page 300000 "$2" "$1.html"
}
drawn many 4
cat >single.py <<'PYTHON'
import json
loads = [{"routing": routing, "offered_load": 0.5, "accepted_load": load, "stable": load == 0.5, "mean_latency_ps": 1000000,
          "p99_latency_ps": 3000000} for routing, load in (("first", 0.25), ("second", 0.5))]
curves = [{"routing": row["routing"], "throughput": row["accepted_load"]} for row in loads]
json.dump({"schema": "anax.traffic/2", "curves": curves, "points": loads}, open("single.json", "w"))
same = [dict(trace="t", machine="m", a=f"a{i}", mean_ps=800000 + (i == 2) * 9, cost_dollars=100, front=i < 2) for i in range(3)]
json.dump({"schema": "anax.search/1", "candidates": same, "factors": [{"setting": "a", "value": row["a"]} for row in same],
           "candidate_count": 3, "left_out": 0, "point_count": 3,
           "stages": [{"stage": 1, "share": 1, "seeds": 1, "candidates": 3, "kept": 3, "points": 3}]}, open("same.json", "w"))
near = [dict(trace="t", machine="m", a=f"a{i}", b="b", mean_ps=1000000 - 40 * i, rank=3 - i, baseline=i == 0, significant=False,
             difference_share=-0.00004 * i) for i in range(3)]
json.dump({"schema": "anax.compare/2", "traces": [{"name": "t"}], "seeds": 1, "candidates": near,
           "factors": [{"setting": key, "value": row[key]} for key in "ab" for row in near]}, open("near.json", "w"))
PYTHON
python3 single.py
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
expect "share a label" holds same/front.svg '>1, 2</text>'
expect "whole candidates" sh -c "! grep -q '>[0-9]\.5<' same/stages.svg"
expect "none left out" holds same.html 'Of 3 combinations none was impossible'
run_ok report near.json --report near.html
expect "small differences have a digit" holds near.html '>-0.004 %</text>'
run_ok report wide.json --report wide.html --figures wide
expect "costs in millions, on a logarithmic axis" [ "$(sed -n "s/.*text-anchor='middle'[^>]*>\([0-9.]*\)<.*/\1/p" wide/costs-1.svg |
    paste -sd ' ')" = "0.2 0.5 1 2 5 10 20 50 100" ]
expect "their unit" holds wide/costs-1.svg '(million dollars)'
expect "dollars with commas" holds wide.html 'costs $150,000 and takes'
run_ok report priced.json --report priced.html --figures priced
page 300000 2 priced.html
expect "the front" holds priced.html '2 of 4 candidates are faster than all that cost no more'
expect "its cheapest" holds priced.html 'The cheapest, a1, costs $100 and takes 800.0 ns.'
expect "its row" holds priced.html '<td>2</td><td>a3</td><td>$200</td>'
expect "its marks" [ "$(grep -c "fill='#d55e00' stroke='#d55e00'" priced/costs-1.svg)" -eq 2 ]
expect "no costs" [ "$(grep -c 'Cost against time' many.html)" -eq 0 ]
expect "the winner" holds many.html 'The fastest of 60 candidates is a-value-with-a-name-that-is-long-14, b3:'
expect "the baseline" holds many.html '>baseline</text>'
expect "how many" holds many.html 'have the baseline and the fastest: 40 together.'
expect "its own seed" holds many.html '<td>71</td>'
expect "the best of a part" holds many.html 'a-value-with-a-name-that-is-long-11 with b3 is best of those drawn:'
expect "what is left out" holds many.html '12 candidates with other values are not in it.'
expect "cut labels of rows" holds_not many.html '>a-value-with-a-name-that-is-long-11</text>'
drawn curves 3
expect "a curve with a latency" holds curves.html 'At the least load second has the lowest mean latency'
expect "the largest stable load at the line" holds curves.html '>second (to 0.25)</text>'
expect "a curve with a throughput" holds curves.html 'second accepts most: a load of 50.0 %.'
run_ok report none.json --report none.html
expect "no curve" holds_not none.html 'At the least load'
expect "no throughput" holds_not none.html 'accepts most'

# What is no result: said, and nothing written. A result with odd values is drawn as far as it goes.
refused() { # TEXT ARGUMENTS
    text=$1
    shift
    run "$@"
    expect "exit code 2" [ "$code" -eq 2 ]
    expect "why: $text" holds err "$text"
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
expect "nothing written" [ ! -e new.html ]
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
expect "well-formed" empty err
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
    expect "a well-formed floor" empty err
    expect "no place that is none" sh -c "! grep -E \"='[^']*(nan|inf)\" odd-$pairs/machine-1-floor.svg"
done

# In a browser, if there is one: the rules of tests/support/page/rules.js hold of every kind of page, narrow
# and wide; scripts make no difference; pictures look as they did.
. "$ANAX_SOURCE/tests/support/page/browser.sh"
if [ -n "$browser" ] && [ "$failures" -eq 0 ]; then
    mv again.html search.html
    set -- large.html huge.html shared.html over.html known.html parts.html jobs.html differs.html many.html priced.html curves.html search.html \
        place.html topology.html floors.html bisection.html
    rules "$@"
    expect "all pages" [ "$(grep -c '|4' out)" -eq $(($# * 2)) ]
    expect "no rule is broken" sh -c "! grep '|4|' out"
    expect "nothing refused" holds_not err "Refused to"
    # Faults are found.
    sed -e 's/<html lang="en"/<html/; s/<h2>/<h4>/; s/<\/h2>/<\/h4>/; s/color: *#[0-9a-f]*/color: #bbb/' differs.html |
        sed "s/<text x='[0-9.]*' y='[0-9.]*'/<text x='-20' y='9'/" >bad.html
    rules bad.html
    for fault in "has no language" "skips a level" "has a contrast of" "is cut off in" "lies on"; do
        expect "found: $fault" holds out "$fault"
    done
    # With scripts, and where a policy blocks them, as artefact viewers do.
    frame() { # BLOCKED
        echo "<!DOCTYPE html><iframe $1 src=\"over.html\" width=\"900\" height=\"2900\"></iframe>" >framed.html
        # A frame in a process of its own may not be painted yet when the picture is taken.
        browse --disable-features=IsolateSandboxedIframes --window-size=1000,3000 --screenshot="framed$1.png" \
            "file://$work/framed.html" >out
    }
    frame ""
    frame sandbox
    last="screenshots"
    expect "the same without scripts" cmp framed.png framedsandbox.png
    cp over.html whole.html
    sed -i "s/script-src '[^']*'/script-src 'none'/" over.html
    frame " "
    expect "and with scripts that the policy blocks" cmp framed.png "framed .png"
    browse --dump-dom "file://$work/over.html" >out
    expect "the policy blocks it" holds err "violates the following Content Security Policy directive"
    expect "nothing has run" holds_not out 'class="scripts"'
    mv whole.html over.html
    expect "titles for browsers" holds over.html '<title>rank 0&#10;send&#10;simulated time (us): 0 to 0.5</title>'
    browse --dump-dom "file://$work/over.html" >out
    expect "it runs" holds out 'class="scripts"'
    expect "and changes no picture by itself" [ "$(grep -c '<title>' out)" -eq "$(grep -c '<title>' over.html)" ]
    # A reader with a mouse and a keyboard: see tests/support/page/acts.js.
    acts over.html <<'JS'
read(() => {
    tell("rank 2", hover("timeline", 62 + 682 * 3.5 / 8, 22 + 96 * 2.5 / 4));
    tell("rank 0", hover("timeline", 62 + 682 * 3.5 / 8, 22 + 96 * 0.5 / 4));
    tell("bytes", hover("matrix", 46 + 290 * 3.5 / 4, 24 + 290 * 0.5 / 4));
    tell("white", hover("matrix", 46 + 290 * 1.5 / 4, 24 + 290 * 0.5 / 4));
    tell("busy", hover("congestion", 46 + 310 * 3.5 / 5, 24 + 60 * 0.75));
    tell("beside", hover("congestion", 5, 5));
    tell("titles", box_of("timeline").querySelectorAll("title").length, box_of("timeline").querySelector("svg").getAttribute("aria-label"));
    tell("step", press(box_of("path-steps"), "ArrowRight"));
    const frame = box_of("timeline").querySelector(".frame");
    drag("timeline", 62 + 682 * 2.5 / 8, 22 + 96 * 1.5 / 4, 62 + 682 * 3.5 / 8, 22 + 96 * 2.5 / 4);
    tell("zoomed", frame.firstElementChild.getAttribute("transform"), ticks("timeline", "x"), ticks("timeline", "y"));
    tell("in it", hover("timeline", 62 + 682 * 0.75, 22 + 96 * 0.75));
    press(box_of("timeline"), "Escape");
    tell("whole", frame.classList.contains("zoomed"), ticks("timeline", "x"), ticks("timeline", "y"));
    hover("timeline", 62 + 682 * 3.5 / 8, 22 + 96 * 2.5 / 4);
    press(box_of("timeline"), "Enter");
    tell("a row", ticks("timeline", "x"), ticks("timeline", "y"), hover("timeline", 62 + 682 * 3.5 / 8, 22 + 96 * 0.1));
    press(box_of("timeline"), "Escape", "+", "+", "+", "+");
    tell("nearest", ticks("timeline", "y"));
    press(box_of("timeline"), "-", "-", "-", "-");
    tell("back", ticks("timeline", "y"));
    tell("keys", press(box_of("matrix"), "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"));
    const views = [...box_of("matrix").parentNode.querySelectorAll(".views button")];
    views[1].click();
    tell("views", views.map((one) => one.textContent), box_of("matrix").querySelector("svg").getAttribute("viewBox"),
        hover("matrix", 46 + 290 * 3.5 / 4, 24 + 290 * 0.5 / 4));
    views[0].click();
    tell("all", box_of("matrix").querySelector("svg").getAttribute("viewBox"));
});
JS
    told "rank 2|Ranks; rank: 2; simulated time (us): 3 to 4; late sender: 100 %"
    told "rank 0|Ranks; rank: 0; simulated time (us): 3 to 4; computation: 100 %"
    told "bytes|Bytes; from rank: 0; to rank: 3; 3 KiB"
    told "white|Bytes; from rank: 0; to rank: 1; nothing"
    told "busy|Global channels: busy; group: 1; simulated time (us): 3 to 4; 50 % of the time"
    told "beside|nothing shown"
    told "titles|0|What ranks do over time, and the load of the network"
    told "keys|Bytes; from rank: 0; to rank: 3; 3 KiB"
    told "step|rank 0; send; simulated time (us): 0 to 0.5"
    told "zoomed|translate(-868 -70) scale(4 2)|2,2.5,3,3.5,4|1,2"
    told "in it|Ranks; rank: 2; simulated time (us): 3 to 4; late sender: 100 %"
    told "whole|false|0,1,2,3,4,5,6,7,8|0,1,2,3"
    told "a row|0,1,2,3,4,5,6,7,8|2|Ranks; rank: 2; simulated time (us): 3 to 4; late sender: 100 %"
    told "nearest|2"
    told "back|0,1,2,3"
    told "views|all,Bytes,Messages|-15 0 380 392|Bytes; from rank: 0; to rank: 3; 3 KiB"
    told "all|0 0 760 392"
    acts sorts.html <<'JS'
read(() => {
    const name = head("calls", "call"), time = head("calls", "second"), before = column(name);
    tell("before", before, time.getAttribute("aria-sort"));
    time.click();
    tell("largest first", column(name), time.getAttribute("aria-sort"));
    press(time, "Enter");
    tell("least first", column(name), time.getAttribute("aria-sort"));
    press(name, " ");
    tell("by name", column(name), time.getAttribute("aria-sort"), name.getAttribute("aria-sort"));
});
JS
    hostile='&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;'
    told "before|c10,c9,c2,c1,$hostile|"
    told "largest first|c9,c10,c2,c1,$hostile|descending"
    told "least first|$hostile,c2,c1,c10,c9|ascending"
    told "by name|$hostile,c1,c2,c9,c10||ascending"
    # Pictures of results whose numbers are in this script, at fixed places: they do not move with fonts.
    gallery() { # SHOT
        echo '<!DOCTYPE html><body style="margin:0;background:#fff">' >gallery.html
        top=0
        for picture in over/timeline over/matrix over/path-steps over/congestion known/sensitivity known/iterations \
            known/regions known/waits differs/causes differs/breakdown priced/costs-1; do
            echo "<img src=\"$picture.svg\" style=\"position:absolute;left:0;top:${top}px\">"
            top=$((top + $(sed -n "s/.* height='\([0-9]*\).*/\1/p;q" $picture.svg) + 20))
        done >>gallery.html
        browse --window-size=760,$top --screenshot="$1" "file://$work/gallery.html" >out
    }
    looks() { # SHOT REFERENCE
        code=0 last="compare_pictures.py $1"
        python3 "$ANAX_SOURCE/tests/support/page/compare_pictures.py" "$1" "$ANAX_SOURCE/tests/data/golden/$2" \
            ${3:+"$3"} >out 2>err || code=$?
    }
    as_before() { # SHOT REFERENCE
        [ -z "${ANAX_UPDATE_GOLDEN:-}" ] || looks "$1" "$2" --update
        looks "$1" "$2"
    }
    gallery gallery.png
    as_before gallery.png pictures.txt
    expect "pictures look as they did" [ "$code" -eq 0 ]
    # Whole pages, narrow and wide, half as large. Where lines break depends on the font.
    pages() { # SHOT
        echo '<!DOCTYPE html><body style="margin:0;background:#fff">' >pages.html
        left=0
        for shown in over known differs many curves; do
            for width in 390 900; do
                echo "<iframe src=\"$shown.html\" width=\"$width\" height=\"3000\" style=\"border:0;position:absolute;top:0;left:${left}px\"></iframe>"
                left=$((left + width))
            done
        done >>pages.html
        browse --force-device-scale-factor=0.5 --window-size="$left,3000" --screenshot="$1" "file://$work/pages.html" >out
    }
    if fc-match 'DejaVu Sans' 2>/dev/null | grep -q DejaVu; then
        pages pages.png
        as_before pages.png pages.txt
        expect "pages look as they did" [ "$code" -eq 0 ]
        sed -i 's/max-width:54rem/max-width:30rem/' known.html
        pages wrong.png
        looks wrong.png pages.txt
        expect "another layout is found" [ "$code" -eq 1 ]
    else
        echo "the font DejaVu Sans is not installed: layouts of pages are not compared"
    fi
    sed -i "s/#d55e00/#56b4e9/g" differs/causes.svg known/waits.svg
    gallery wrong.png
    looks wrong.png pictures.txt
    expect "another colour is found" [ "$code" -eq 1 ]
fi
finish
