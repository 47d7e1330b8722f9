#!/bin/sh
# `anax place`: the mapping that a replay would use, and figures that a replay confirms.
. "$ANAX_SOURCE/tests/support/script/command.sh"
trace=examples/gromacs/traces.otf2
check=$ANAX_BINARY/tests/check_json

# The text has all of its parts; the trace may be an argument or an option, but not both.
run_ok place "$trace" --machine kim-72 --placement greedy
for text in "Placement of $trace (8 ranks" "placement greedy, seed 1" "Used" "Traffic by distance" \
    "same router" "Expected link loads" "injection" "global"; do
    expect_in out "$text"
done
expect "no mapping unless it is asked for" holds_not out Mapping
run_ok place "$trace" --machine kim-72 --placement greedy --mapping -n 2
expect "--mapping prints the nodes in use" [ "$(sed -n '/^Mapping/,$p' out | wc -l)" -eq 6 ]
run_ok place "$trace" --machine kim-72 --placement greedy
cp out argument
run_ok place --trace "$trace" --machine kim-72 --placement greedy
expect "--trace gives the same as the argument" cmp out argument
run place "$trace" --trace "$trace" --machine kim-72
expect_code 2
expect "the error says: given twice" holds err "given twice"
run place --machine kim-72
expect_code 2
expect "the error says: missing argument: TRACE" holds err "missing argument: TRACE"
run place no/such --machine kim-72
expect_code 2
expect_in err "no/such: cannot be read"
run place "$trace"
expect_in err "no machine"

# What is counted is what a replay sends, and minimal routing loads the links as expected: without
# headers and rendezvous, on a machine with one link between any two groups. An empty message still
# takes a byte; all others are whole packets of 2 KiB.
run_ok generate halo3d --ranks 60 --iterations 3 -o loads.anax
same="--machine kim-72 --set network.header=0B --set mpi.eager_threshold=1GiB"
sum() { awk -F, -v kind="$1" '$1 == kind { b = int($8 / 2048) * 2048
    n += b; if (b > m) m = b } END { print n "," m + 0 }' t/links.csv; }
field() { # KIND KEY of the expected links in file `place`
    awk -v kind="\"kind\":\"$1\"," -v key="\"$2\":" '$1 == kind { on = 1 }
        on && index($1, key) == 1 { gsub(/[^0-9]/, "", $1); print $1; exit }' place
}
for placement in block random greedy round-robin-groups; do
    rm -rf t
    # shellcheck disable=SC2086 # a list of words
    run_ok place loads.anax $same --placement $placement --json
    cp out place
    expect_key place schema anax.place/2
    messages=$(awk '/"traffic":/ { on = 1 } on && /"messages":/ { gsub(/[^0-9]/, ""); print; exit }' place)
    # shellcheck disable=SC2086
    run_ok replay loads.anax $same --placement $placement --routing minimal --json -o t
    counted=$(awk '/"network":/ { on = 1 } /}/ { on = 0 }
        on && /"(memory_)?messages":/ { gsub(/[^0-9]/, ""); n += $0 }
        END { print n }' out)
    expect "the expected load has as many messages as the replay" [ "$messages" -eq "$counted" ]
    for kind in injection ejection local global; do
        expect "$kind links carry what was expected" \
            [ "$(sum $kind)" = "$(field $kind bytes),$(field $kind max_bytes)" ]
    done
    cells t/ranks.csv rank node | tr , ' ' >replayed
    # shellcheck disable=SC2086
    run_ok place loads.anax $same --placement $placement -o ranks --force
    expect "the rank file is the replay's mapping" sh -c "grep -v '^#' ranks | cmp - replayed"
done

# Greedy and partitioned placements keep more within routers than a random one, and a rank file
# gives the same run as what wrote it.
run_ok generate halo3d --ranks 512 --iterations 2 --compute 0 -o halo.anax
other_group() {
    "$ANAX" place halo.anax --machine kim-1k --json --placement "$1" |
        awk '/"distance":"other_group"/ { on = 1 } on && /"bytes":/ { gsub(/[^0-9]/, ""); print; exit }'
}
expect "greedy is better than random" [ "$(other_group greedy)" -lt "$(($(other_group random) * 2 / 3))" ]
"$ANAX" list placement | cut -d' ' -f1 | grep -vx -e nodes -e rankfile >policies
expect "eleven policies place ranks without a file" [ "$(wc -l <policies)" -eq 11 ]
while read -r policy; do
    run place halo.anax --machine kim-1k -n 2 --placement "$policy" -o "$policy.ranks"
    if [ "$policy" = partition ] && [ "$code" -eq 2 ]; then
        expect "it says what to install" holds err "libmetis-dev"
        continue
    fi
    expect_code 0
    run_ok replay halo.anax --machine kim-1k -n 2 --placement "$policy" --json
    digest=$(value out digest)
    expect_key out placement "$policy"
    run_ok replay halo.anax --machine kim-1k -n 2 --placement rankfile \
        --set placement.file="$policy.ranks" --json
    expect "$policy: the rank file gives the same digest" [ "$(value out digest)" = "$digest" ]
done <policies

# Settings of placements have an effect, and are refused where they have none.
run_ok place halo.anax --machine kim-1k -n 4 --set placement.order=cyclic -o cyclic
expect "cyclic placement puts rank 128 on node 0" grep -qx "128 0" cyclic
run_ok place halo.anax --machine kim-1k --placement strided --set placement.stride=5 -o strided
expect "a stride of five puts rank 3 on node 15" grep -qx "3 15" strided
run_ok place halo.anax --machine kim-1k --placement hybrid --set placement.share=100% --json
expect "the placement uses 16 full groups" holds out '"groups":16'
run_ok place halo.anax --machine kim-1k --placement contiguous --set placement.occupied=40% --seed 3 \
    -o holes
expect "ranks leave out the nodes that others occupy" sh -c "! grep -v '^#' holes | awk '\$1 != \$2 { exit 1 }'"
run place halo.anax --machine kim-1k --set placement.occupied=60%
expect_code 2
expect "the error says how many ranks fit beside the taken nodes" holds err "of which 633 are taken by others, and takes 423 ranks"
run place halo.anax --machine kim-1k --placement greedy --set placement.order=cyclic
expect_code 2
expect "the error says: placement.order" holds err "placement.order"
run place "$trace" --machine kim-72 -o no/such/file
expect_code 2
expect_in err "no/such: an output cannot be created in this folder"

run_ok place --machine kim-72 --placement hybrid --print-config
expect "the printed configuration has the policy hybrid" grep -q "policy: *hybrid" out
expect "the printed configuration has no settings of traffic" sh -c "! grep -q '^traffic' out"

# The search by exchange: on a machine of four nodes it finds what all 24 placements of four ranks
# show, by links and by replays; the rank file gives the predicted time.
run_ok generate random-pairs --ranks 4 --size 64KiB --iterations 3 --compute 0ns --seed 5 -o pairs.anax
small="--machine kim-72 --set network.nodes_per_router=1 --set network.routers_per_group=2 \
    --set network.globals_per_router=1 --set network.groups=2 --set network.routing=minimal"
best_ps=
best_load=
for a in 0 1 2 3; do for b in 0 1 2 3; do for c in 0 1 2 3; do
    d=$((6 - a - b - c))
    case "$a$b$c" in *"$d"*) continue ;; esac
    if [ $a = $b ] || [ $a = $c ] || [ $b = $c ] || [ $d -lt 0 ] || [ $d -gt 3 ]; then continue; fi
    printf '0 %s\n1 %s\n2 %s\n3 %s\n' $a $b $c $d >all.ranks
    # shellcheck disable=SC2086 # several options
    run_ok replay pairs.anax $small --placement rankfile --set placement.file=all.ranks --json
    ps=$(value out time_ps)
    if [ -z "$best_ps" ] || [ "$ps" -lt "$best_ps" ]; then best_ps=$ps; fi
    # shellcheck disable=SC2086
    run_ok place pairs.anax $small --placement rankfile --set placement.file=all.ranks --exchange 1 --json
    load=$(value out start_busiest_ps)
    if [ -z "$best_load" ] || [ "$load" -lt "$best_load" ]; then best_load=$load; fi
done; done; done
for threads in 1 3; do
    # shellcheck disable=SC2086
    run_ok place pairs.anax $small --exchange 24 --replays 24 --threads $threads --json \
        -o found.$threads --force --points points.$threads
    expect "no replay is taken from before" holds_not err "from before"
    cp out found.$threads.json
done
cmp -s found.1 found.3 || expect "3 threads find the same placement" false
"$check" found.1.json >out || expect "the figures fit together" false
# The replays are kept: a second search replays nothing, and a larger one or one with damage what is
# missing.
# shellcheck disable=SC2086
{
    run_ok place pairs.anax $small --exchange 24 --replays 24 --points points.1 --json
    expect "nothing is replayed" grep -qx '24 of 24 points were there from before' err
    cmp -s out found.1.json || expect "the same search" false
    expect "the folder has 24 points, one for each replay" [ "$(find points.1 -type f | wc -l)" -eq 24 ]
    first=$(find points.1 -type f | sort | head -n 1)
    second=$(find points.1 -type f | sort | sed -n 2p)
    rm "$first"
    sed 's/"time_ps": *[0-9]*/"time_ps": 1/' "$second" >changed && mv changed "$second"
    run_ok place pairs.anax $small --exchange 24 --replays 24 --points points.1 --json
    expect "the second search finds 22 of 24 points" grep -qx '22 of 24 points were there from before' err
    expect "the command says that one of 24 points was damaged" grep -qx 'anax: 1 of 24 points was kept, but damaged since, and was computed anew' err
    cmp -s out found.1.json || expect "the same search" false
    run_ok place pairs.anax $small --exchange 24 --replays 24 --points points.1 --seed 2 --set mpi.eager_threshold=0
    expect "other settings are other points" holds_not err "from before"
}
# shellcheck disable=SC2086
run_ok place pairs.anax $small --exchange 24 --json
expect "no replays, no points" holds_not err "points"
expect "the least load of all: $best_load" [ "$(value out busiest_ps)" = "$best_load" ]
expect "the least time of all: $best_ps" [ "$(value found.1.json time_ps)" = "$best_ps" ]
# shellcheck disable=SC2086
run_ok replay pairs.anax $small --placement rankfile --set placement.file=found.1 --json
expect "which a replay confirms" [ "$(value out time_ps)" = "$best_ps" ]
# shellcheck disable=SC2086
run_ok place pairs.anax $small --exchange 24 --replays 24
expect "the text counts the placements compared by the load of links" grep -qx '  24 placements compared by the load of links' out
expect "the text counts the placements compared by replays" grep -qx '  24 placements compared by replays' out
expect "the text has the predicted times before and after" grep -q 'predicted time .* was ' out
# What a search gains is said as a share of the bytes.
run_ok place pairs.anax --machine kim-72 --placement random --exchange 200
expect "the text states how many bytes on links were saved" grep -qE '^  bytes on all links +[0-9.]+ [KM]iB, was [0-9.]+ [KM]iB \([0-9.]+ % less\)$' out
# The replay of the policy's placement is one of those that are allowed; both starts are the first two.
for replays in 1 2 3; do
    # shellcheck disable=SC2086
    run_ok place pairs.anax $small --placement rankfile --set placement.file=all.ranks --exchange 24 \
        --replays $replays --json -o few.ranks --force
    expect "the search makes as many replays as it may" [ "$(value out replays)" = $replays ]
done
# The loads of links are those of the placement that is written, also if replays have chosen it.
run_ok generate random-pairs --ranks 8 --size 64KiB --iterations 3 --compute 0ns --seed 5 -o eight.anax
run_ok place eight.anax --machine kim-72 --exchange 100 --replays 40 --json -o eight.ranks
cp out eight.json
"$check" eight.json >out || expect "the loads are those of the links" false
run_ok place eight.anax --machine kim-72 --placement rankfile --set placement.file=eight.ranks \
    --exchange 1 --json
for key in busiest_ps bytes; do
    sed -n '/"search":/,$p' eight.json >searched
    sed -n '/"search":/,$p' out >again
    expect_key searched $key "$(value again start_$key)"
done
run place pairs.anax --machine kim-72 --replays 5
expect "replays need the search by links" [ "$code" -eq 2 ]
expect_in err "set exchange.placements, too (--exchange sets exchange.placements"
run place pairs.anax --machine kim-72 --exchange 5 --points unused
expect "a folder that no replay would use is refused" [ "$code" -eq 2 ]
expect_in err "--points keeps replays of a search, and there is none"
expect "it is not made" [ ! -e unused ]
finish
