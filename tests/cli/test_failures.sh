#!/bin/sh
# Failed routers and links: what topologies, traffic and replays make of them, and what is refused.
. "$ANAX_SOURCE/tests/support/script/command.sh"

# Counts: a router of kim-72 has three local and two global links.
run_ok topology kim-72 --set network.failures.routers=1 --set network.failures.globals=2 --json
for pair in failed_routers=1 failed_local_links=3 failed_global_links=4 local_links=51 \
    global_links=32 free_global_ports=0; do
    expect_key out "${pair%%=*}" "${pair#*=}"
done
expect "failed links lengthen minimal routes to three channels or more" [ "$(value out minimal_diameter)" -ge 3 ]
run_ok topology kim-72 --set network.failures.globals=9 --json
degraded=$(value out minimal_mean_hops)
run_ok topology kim-72 --json
expect "longer minimal routes" awk "BEGIN { exit !($degraded > $(value out minimal_mean_hops)) }"
run_ok topology kim-72 --set network.failures.locals=3
expect "the text counts three failed local links and nothing else" grep -Eq '^failed routers, locals, globals +0, 3, 0$' out
expect "the diameter is four or five channels" grep -Eq '^diameter, in channels +[45]$' out
run_ok topology kim-72 --dot --set network.failures.locals=3
expect "channels that work" [ "$(grep -c ' -- ' out)" -eq 87 ]

# A share, and what is set is printed as it was given.
run_ok topology kim-72 --set network.failures.globals=12.5% --json
expect "5 of 36 global links have failed" [ "$(value out failed_global_links)" -eq 5 ]
run_ok topology kim-72 --set network.failures.globals=12.5% --print-config
expect "the configuration keeps failed links as a share" grep -q 'globals: 12.5%' out
run topology kim-72 --set network.failures.globals=120%
expect_code 2
expect "the error says: share" holds err "share"

# From a file: one link and one router; nothing goes over them.
printf 'local 0 0 1\nrouter 2 3 # nodes 22 and 23\n' >failed
for routing in minimal ugal-l par ofar ofar-ordered; do
    run_ok traffic --machine kim-72 --routing $routing --load 0.3 --set network.failures.file=failed \
        -o "$routing"
    expect_not_in out unstable
    expect "links.csv has no link of router 11 and none between routers 0 and 1" rows '
        @kind != "injection" && @source == 11 || between_routers() && @destination == 11 { bad = 1 }
        @kind == "local" && (@source "-" @destination ~ /^(0-1|1-0)$/) { bad = 1 }
        between_routers() { links++ }
        END { exit bad || !links }
        function between_routers() { return @kind == "local" || @kind == "global" }' "$routing/links.csv"
done

# Without the link between two groups, by a third one; ranks are not placed on failed nodes.
printf 'global 0 0 0\nrouter 0 1\n' >failed
run_ok replay examples/gromacs/traces.otf2 --machine kim-72 --routing minimal --json \
    --set network.failures.file=failed
digest=$(value out digest)
run_ok replay examples/gromacs/traces.otf2 --machine kim-72 --routing minimal --json --threads 3 \
    --set network.failures.file=failed
expect "any number of threads" [ "$(value out digest)" = "$digest" ]
run_ok place examples/gromacs/traces.otf2 --machine kim-72 --set network.failures.file=failed -o nodes
expect "no rank runs on nodes 2 and 3, which have failed" [ "$(grep -Ec '(^| )[23]$' nodes)" -eq 0 ]

# Every policy delivers, by groups and by routers, whatever the ring.
for settings in routing=ugal-l,valiant=router routing=valiant,valiant=router \
    routing=ofar,ofar.ring=physical routing=ofar,misrouting=rrg+l; do
    # shellcheck disable=SC2046 # a list of options
    run_ok traffic --machine kim-72 --load 0.9 --set network.failures.routers=2 \
        --set network.failures.locals=5 --set network.failures.globals=5 \
        $(echo "$settings" | sed 's/^/--set network./; s/,/ --set network./g')
done

# Rails have failures of their own: node 2 goes by the second one alone, and no node is left out.
printf 'rail 0 router 0 1\n' >failed
run_ok topology kim-72 --set network.rails=2 --set network.failures.file=failed --json
for pair in failed_routers=1 failed_local_links=3 failed_global_links=2 local_links=105 \
    global_links=70; do
    expect_key out "${pair%%=*}" "${pair#*=}"
done
run_ok traffic --machine kim-72 --load 0.3 --set network.rails=2 --set network.failures.file=failed \
    -o rails
expect "node 2 sends by rail 1" rows '
    @kind == "injection" && @source == 2 && @rail == 1 && @packets > 0 { channels++ }
    END { exit channels != 1 }' rails/links.csv
expect "nothing goes by router 1" rows '(@kind == "local" || @kind == "global") && (@source == 1 || @destination == 1) { bad = 1 }
    END { exit bad || FNR < 2 }' rails/links.csv
run bisection -a 4 -h 2 --set network.rails=2 --set network.failures.locals=1
expect_code 2
expect "the error says: rails differ" holds err "rails differ"

# Nodes that no rail joins are refused, by what needs no simulation too.
printf 'rail 0 router 0 1\nrail 1 router 0 2\n' >failed
for command in place replay; do
    run $command examples/gromacs/traces.otf2 --machine kim-72 --set network.rails=2 \
        --set network.failures.file=failed
    expect "$command: exit 2" [ "$code" -eq 2 ]
    expect_in err "no rail in which node 2 and node 4 both have a router"
done

# Faults of a file are told with their lines, all of them; what falls apart is named.
printf 'router 0 9\nlocal 0 1 1\nwire 1 2\n' >failed
run topology kim-72 --set network.failures.file=failed
expect_code 2
for line in 1 2 3; do expect_in err "failed:$line:"; done
printf 'local 8 2 0\nlocal 8 2 1\nlocal 8 2 3\n' >failed
run traffic --machine kim-72 --load 0.1 --set network.failures.file=failed
expect_code 2
expect "the error names the nodes that are cut off" holds err "nodes 68 to 69 (router 2 of group 8)"
run replay examples/gromacs/traces.otf2 --machine kim-72 --set network.failures.routers=30
expect_code 2
expect_in err "failures leave groups without a path"

# Nodes that have failed are not taken by others.
run_ok generate halo3d --ranks 64 --iterations 1 -o many.anax
run_ok generate halo2d --ranks 2 --iterations 1 -o two.anax
failed="--machine kim-72 --set network.failures.routers=6"
# shellcheck disable=SC2086 # a list of words
run place many.anax $failed
expect_code 2
expect "they have failed" holds err "72 nodes, of which 12 have failed, and takes 60 ranks"
# shellcheck disable=SC2086
run replay many.anax $failed --set placement.occupied=25%
expect "the error counts nodes that others hold, too" grep -Eq "of which 12 have failed and 1[0-9] are taken by others, and" err
printf 'router 0 1\n' >failures
printf '0 3\n1 4\n' >ranks
file="--machine kim-72 --set network.failures.file=failures"
# shellcheck disable=SC2086
run replay two.anax $file -p rankfile --set placement.file=ranks
expect_code 2
expect_in err "ranks:1:1: error: node 3 has failed"
expect "node 4, which works, is not reported" holds_not err "node 4"
printf '2-3\n4\n' >nodes
# shellcheck disable=SC2086
run replay two.anax $file -p nodes --set placement.file=nodes
expect_code 2
expect_in err "lists 3 nodes (of which 2 have failed), which take 1 rank at most"
finish
