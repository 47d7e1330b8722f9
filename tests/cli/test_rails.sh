#!/bin/sh
# Several rails: what machines consist of, what replays and traffic do with them, and what is refused.
. "$ANAX_SOURCE/tests/support/script/command.sh"

# Three copies of all but the nodes: 36 routers, 54 local and 36 global links each.
run_ok topology kim-72 --set network.rails=3 --json
for pair in nodes=72 rails=3 routers=108 local_links=162 global_links=108 terminal_links=216 \
    diameter=3 cabinets=9; do
    expect_key out "${pair%%=*}" "${pair#*=}"
done
run_ok topology kim-72
price() { awk '/^all cables/ { sub(/\$/, "", $3); print $3 }' out; }
one=$(price)
run_ok topology kim-72 --set network.rails=2
expect "twice the cables' cost" [ "$(($(price) - 2 * one))" -ge -1 -a "$(($(price) - 2 * one))" -le 1 ]
expect "the text states two rails" grep -Eq '^rails +2$' out

# Twice the rails, twice the bisection.
run_ok bisection -a 2 -h 1 --json
local_links=$(value out local_links)
run_ok bisection -a 2 -h 1 --set network.rails=2 --json
expect "local links of the cut" [ "$(value out local_links)" -eq $((2 * local_links)) ]

# Every choice of rail delivers; loads are shares of what all rails inject.
"$ANAX" list rails | cut -d' ' -f1 >choices
expect "the list of rails has at least three choices" [ "$(wc -l <choices)" -ge 3 ]
while read -r choice; do
    run_ok traffic --machine kim-72 --load 0.4 --set network.rails=2 \
        --set "network.rail_choice=$choice" --set network.routing=minimal -o "$choice"
    expect "$choice keeps up" holds_not out unstable
    expect "the text names the choice $choice of rails" holds out "2 rails by $choice"
    expect "$choice uses both rails alike" rows '
        @kind == "injection" { packets[@rail] += @packets }
        END { exit !(packets[0] > 0 && packets[0] < 1.2 * packets[1] && packets[1] < 1.2 * packets[0]) }
    ' "$choice/links.csv"
    expect "routers.csv has the routers of both rails under $choice" [ "$(wc -l <"$choice/routers.csv")" -eq 73 ]
done <choices

# A large message is faster packet by packet over two rails; its digest does not hang on threads.
run_ok generate ping-pong --ranks 2 --size 1MB --iterations 1 -o ping.anax
run_ok replay ping.anax --machine kim-72 --placement random --json
one=$(value out time_ps)
run_ok replay ping.anax --machine kim-72 --placement random --json \
    --set network.rails=2 --set network.rail_choice=packet
expect "nearly twice as fast" [ "$(value out time_ps)" -lt $((one * 6 / 10)) ]
digest=$(value out digest)
run_ok replay ping.anax --machine kim-72 --placement random --json --threads 3 \
    --set network.rails=2 --set network.rail_choice=packet
expect_key out digest "$digest"

run topology kim-72 --set network.rails=17
expect_code 2
expect_in err "network.rails"
finish
