#!/bin/sh
# Bisection bandwidths against an independent solver: the graph that `anax topology --dot` draws, as
# a mixed integer program for glpsol (GLPK, Debian package glpk-utils). Skips where there is none.
. "$ANAX_SOURCE/tests/support/script/command.sh"
if ! command -v glpsol >/dev/null; then
    echo "skipped: there is no glpsol (glpk-utils)"
    exit 0
fi

# minimize q·(local links cut) + p·(global links cut); x says a switch's side, y whether a link is
# cut. Global links are those drawn blue.
program() { # Q P DOT
    awk -v q="$1" -v p="$2" '
        BEGIN { weight = q }
        /edge \[color=blue\]/ { weight = p }
        / -- / { gsub(/;/, ""); n++; from[n] = $1; to[n] = $3; cost[n] = weight }
        / \[label=/ && $1 ~ /^r[0-9]+$/ { switch_name[++switches] = $1 }
        END {
            print "Minimize\n cut:"
            for (i = 1; i <= n; i++) print " + " cost[i] " y" i
            print "Subject To\n half:"
            for (i = 1; i <= switches; i++) print " + " switch_name[i]
            print " = " int(switches / 2)
            for (i = 1; i <= n; i++) {
                print " y" i " - " from[i] " + " to[i] " >= 0"
                print " y" i " + " from[i] " - " to[i] " >= 0"
            }
            if (switches % 2 == 0) print " " switch_name[1] " = 0"
            print "Binary"
            for (i = 1; i <= switches; i++) print " " switch_name[i]
            print "End"
        }' "$3"
}

compare() { # ARRANGEMENT A H G
    shape="--set network.routers_per_group=$2 --set network.globals_per_router=$3 --set network.groups=$4"
    # shellcheck disable=SC2086 # a list of words
    run_ok topology --machine kim-72 $shape --arrangement "$1" --dot
    cp out dot
    run_ok bisection -a "$2" -h "$3" -g "$4" --arrangement "$1" --csv lines
    expect "all lines of the curve are proven" sh -c "! tail -n +2 lines | grep -qv ',1$'"
    for alpha in 0/1 1/2 1/1 5/2 6/1; do
        p=${alpha%/*} q=${alpha#*/}
        program "$q" "$p" dot >program.lp
        last="glpsol, $1 a=$2 h=$3 g=$4, alpha $alpha"
        timeout 60 glpsol --lp program.lp -o solution >out 2>err
        optimum=$(sed -n 's/^Objective: *[a-z]* = \([0-9]*\) (MINimum)$/\1/p' solution)
        least=$(rows '{ v = q * @local_links + p * @global_links; if (FNR == 2 || v < m) m = v }
            END { print m }' q="$q" p="$p" lines)
        expect "the solver calls its solution optimal" grep -q '^Status: *INTEGER OPTIMAL' solution
        expect "$least is the optimum $optimum" [ "$least" = "$optimum" ]
        rm -f solution
    done
    rm -f lines
}
compare absolute 4 1 5
compare relative 2 2 5
compare helix 4 2 4
compare circulant 2 2 4
compare random 3 2 3
finish
