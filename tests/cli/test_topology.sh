#!/bin/sh
# `anax topology`: figures of known machines, graphs, comparisons, and what it refuses.
. "$ANAX_SOURCE/tests/support/script/command.sh"
needs_manual_pages

# Kim 2008, Figure 5: p=h=2, a=4, g=9.
run_ok topology kim-72 --json
for pair in schema=anax.topology/2 nodes=72 routers=36 groups=9 radix=7 virtual_radix=16 \
    local_links=54 global_links=36 free_global_ports=0 diameter=3 minimal_diameter=3 \
    least_links_per_pair=1 most_links_per_pair=1 crossover_m=7.288 cabinets=9 columns=3 rows=3; do
    expect_key out "${pair%%=*}" "${pair#*=}"
done
expect "no digits of floating point" holds_not out '\.[0-9]*000000'

# Its floor: cabinet 5 in the second row, 1.3 m from its neighbours; and which cables of the first row cross to the
# second column.
cp out result.json
python=$(command -v python3 || true)
if [ -n "$python" ]; then
    "$python" -c "import json
result = json.load(open('result.json'))
rows = {row['cabinet']: row for row in result['floor']}
pairs = {(row['cabinet'], row['other_cabinet']): row for row in result['floor_cables']}
assert len(rows) == 9 and len(pairs) == 36
assert (rows[5]['column'], rows[5]['row'], rows[5]['x_m'], rows[5]['y_m'], rows[5]['cables']) == (2, 1, 2.6, 1.3, 8)
assert pairs[0, 8]['length_m'] == 7.2 and not pairs[0, 8]['optical'] and pairs[0, 8]['cables'] == 1
right = sum(1 for one, two in pairs if one < 3 and (one % 3 == 0) != (two % 3 == 0))
assert rows[0]['cables_right'] == right and rows[2]['cables_right'] == 0, (rows[0], right)
" >err 2>&1 || code=1
    expect_code 0
fi

# Belka 2017, section 3: helix forms one component on (p,4,2), nautilus several, one of 3 routers.
run_ok topology kim-72 --arrangement helix --json
expect_key out global_components 1
run_ok topology kim-72 --arrangement nautilus --json
expect "one of three routers" grep -q '"routers":3,$' out

# Several machines stand side by side, in the order of the command line.
run_ok topology kim-1k kim-72 --set floor.optical_from=8m
expect "each machine has a column" grep -Eq '^machine +kim-1k +kim-72$' out
expect "the text has the nodes of both machines" grep -Eq '^nodes +1056 +72$' out
expect "settings hold for all" grep -Eq '^ +of these global +[0-9]+ / [1-9][0-9]* +36 / 0$' out
run_ok topology kim-1k kim-72 --json
expect "JSON has both machines" [ "$(grep -c '"name":' out)" -eq 2 ]
run_ok topology --machine kim-72
cp out one
run_ok topology kim-72
expect "--machine names the same" cmp -s one out

# Cray XC: 16x6 routers in a group, links 1x3; 15 + 15 local and 10 global links of a router; two
# routers of different groups are at most two hops, a global link and two hops apart.
run_ok topology cray-xc --set floor.cabinets_per_group=2 --json
for pair in nodes=5376 routers=1344 radix=44 local_links=20160 global_links=6720 diameter=4 minimal_diameter=5 \
    cabinets=28; do
    expect_key out "${pair%%=*}" "${pair#*=}"
done
run_ok topology kim-72 --set network.group.dimensions=2x2 --set network.group.links=1x3 --dot
expect "the graph has every parallel link" [ "$(grep -c ' -- ' out)" -eq $((9 * (2 + 2 * 3) + 36)) ]
run topology kim-72 --set network.group.dimensions=3x2
expect_code 2
expect "the error says what dimensions and routers do not fit" holds err "3x2 make a group of 6 routers, but network.routers_per_group is 4"

# A graph has all routers and channels.
run_ok topology kim-72 --dot
expect "the graph has all 36 routers" [ "$(grep -c 'label="[0-9]' out)" -eq 36 ]
expect "the graph has all 90 channels" [ "$(grep -c ' -- ' out)" -eq 90 ]
expect "the graph has all nine groups" [ "$(grep -c 'subgraph cluster_' out)" -eq 9 ]
if has_program dot; then expect "Graphviz reads it" dot -Tplain -o /dev/null out; fi

# Every arrangement works, in a replay, too; one of a file as that file says.
"$ANAX" list arrangements | cut -d' ' -f1 | grep -v '^file$' >names
expect "seven without a file" [ "$(wc -l <names)" -eq 7 ]
while read -r name; do
    run_ok topology kim-72 --arrangement "$name"
    run_ok traffic --machine kim-72 --set network.arrangement="$name" --load 0.2 --json \
        --set traffic.warmup=1us --set traffic.measure=2us
    cp out "of-$name"
done <names
printf '0 0 1 0\n0 1 2 0 # comment\n\n1 1 2 1\n' >links
set_shape="--set network.nodes_per_router=2 --set network.routers_per_group=2
    --set network.globals_per_router=1 --set network.groups=3"
# shellcheck disable=SC2086 # words
run_ok topology kim-72 $set_shape --arrangement file --set network.arrangement_file=links --json
expect "the file is named" [ "$(value out arrangement_file)" = links ]
expect_key out global_links 3
printf '0 0 1 0\n0 0 2 0\n1 1 9 1\n' >links
# shellcheck disable=SC2086
run traffic --machine kim-72 $set_shape --set network.arrangement=file \
    --set network.arrangement_file=links
expect_code 2
expect "the error has the place of the first fault" holds err "links:2:5: error:"
expect "the second fault" holds err "links:3:5: error: there is no such group"

# Seeds of random arrangements make different machines; the run's seed does not.
run_ok topology kim-72 --arrangement random --json
sed '/"settings_changed":/,$d' out >first
run_ok topology kim-72 --arrangement random --set seed=9 --json
sed '/"settings_changed":/,$d' out >other
expect "the seed of a run does not change the machine" cmp -s first other
run_ok topology kim-72 --arrangement random --set network.arrangement_seed=2 --dot
cp out second
run_ok topology kim-72 --arrangement random --dot
expect "another seed wires another machine" [ "$(cmp second out >/dev/null 2>&1; echo $?)" -eq 1 ]

# Where counting would take minutes, it is said that it was not done.
huge="--set network.nodes_per_router=1 --set network.routers_per_group=250
    --set network.globals_per_router=260 --set network.groups=210"
# shellcheck disable=SC2086
run_ok topology kim-72 $huge
expect "large machines have no diameter in the text" grep -Eq '^diameter, in channels +not counted$' out
# shellcheck disable=SC2086
run_ok topology kim-72 $huge --json
expect "no diameter in JSON" holds out '"diameter":null'
expect "that of minimal routes" [ "$(value out minimal_diameter)" -eq 3 ]

# What is printed by --print-config is read again.
run_ok topology kim-72 --set floor.pitch_x=570mm --set price.router=390 --print-config
cp out settings.yaml
expect_in settings.yaml "pitch_x: 570mm"
run_ok topology --config settings.yaml --print-config
expect "the printed settings read back as themselves" cmp -s settings.yaml out

run_ok topology --rivals --json
expect_key out schema anax.rivals/2
expect "seven sizes of five" [ "$(grep -c '"topology":' out)" -eq 35 ]
expect "bills as columns" [ "$(grep -c '"global_longest_m":' out)" -eq 35 ]
run_ok topology --rivals
expect "half the global cables" grep -Eq '^ +65536  flattened butterfly .* 61440 ' out

# Six thousand machines: some seconds, but too many with sanitizers or without optimisation.
if [ "$ANAX_PLAIN_OBJECTS" -eq 1 ]; then
    run_ok topology --gcc-conjecture --json
    expect_key out schema anax.gcc-conjectures/1
    expect_key out hold true
    expect "500 is the largest number of routers in a group" [ "$(value out most_routers_per_group)" -eq 500 ]
    expect "all 16 machines are without exception" [ "$(grep -c '"exceptions":0' out)" -eq 16 ]
    sed -n 's/^ *"\([a-z0-9_]*\)":.*/\1/p' out | sort -u >keys
    tr -cs 'A-Za-z0-9_' '\n' <"$ANAX_BINARY/man/anax-json.5" | sort -u >words
    expect "anax-json(5) documents these: $(comm -23 keys words | tr '\n' ' ')" [ -z "$(comm -23 keys words)" ]
fi

refused() {
    message=$1
    shift
    run topology "$@"
    expect_code 2
    expect "it says: $message" holds err "$message"
    expect "nothing on the standard output" empty out
}
refused "no machine"
refused "unknown machine \`kim-27\` (did you mean \`kim-72\`?)" kim-27
refused "not both" kim-72 --machine kim-1k
refused "exclude each other" kim-72 --dot --json
refused "draws one machine" kim-72 kim-1k --dot
refused "takes an even number" garcia-342-paper --arrangement circulant
refused "needs a file" kim-72 --arrangement file
refused "means nothing with network.arrangement absolute" kim-72 --set network.arrangement_file=links
refused "links-missing" kim-72 --arrangement file --set network.arrangement_file=links-missing
refused "one of them must be 1" kim-72 --set floor.cabinets_per_group=2 \
    --set floor.groups_per_cabinet=2
refused "has only 4 routers" kim-72 --set floor.cabinets_per_group=5
refused "needs one of mm cm m km" kim-72 --set floor.pitch_x=3
refused "take no machine" kim-72 --rivals
refused "exclude each other" --rivals --gcc-conjecture
refused "does not use it" kim-72 --set traffic.pattern=uniform

# Machines that do not fit on 80 columns stand in several tables.
run_ok topology kim-72 kim-1k garcia-5k slingshot cray-xc
expect "no line is longer" awk 'length($0) > 80 { exit 1 }' out
expect "all five machines have figures" [ "$(awk '/^machine / { n += NF - 1 } END { print n }' out)" -eq 5 ]
finish
