#!/bin/sh
# `anax __complete`, which the completions of shells call: commands, options, settings and their values.
. "$ANAX_SOURCE/tests/support/command.sh"

offers() { # WORDS EXPECTED: WORDS are what stands behind anax; the last one is completed
    last="anax __complete $1" code=0
    # shellcheck disable=SC2086
    eval "\"$ANAX\" __complete $1" >out 2>err || code=$?
    for word in $2; do
        expect "$word" grep -qx -e "$word" out
    done
}
offers gen generate
offers "replay --machine kim-1" "kim-1k kim-1k-paper"
offers "replay --machine=kim-1" "--machine=kim-1k"
offers "traffic --lo" "--load --loads"
offers "traffic -" "--load --machine"
offers "compare x -r minimal,ug" "minimal,ugal-l minimal,ugal-g"
offers "compare x --machine=kim-72,kim-7" ""
expect "nothing twice" holds_not out "kim-72,kim-72"
offers "replay x --set network.global.la" "network.global.latency="
offers "replay x --set network.routing=ug" "network.routing=ugal-l"
offers "replay x --set=trace.user_regions=" "--set=trace.user_regions=on --set=trace.user_regions=off"
offers "compare x --vary network.routing=minimal,pa" "network.routing=minimal,par"
offers "traffic --vary traffic.pattern=uniform,ad" "traffic.pattern=uniform,adv+N"
offers "compare x --emit s" "slurm"
offers "replay ''" "@files"
offers "replay x --config=a" "@files"
offers "topology kim-1k k" "kim-72"
offers "nosuch x" ""
expect "nothing for no command" empty out

finish
