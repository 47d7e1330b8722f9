#!/bin/sh
# What routing policies cost: instructions of `anax traffic` for each packet-hop, counted by
# `valgrind --tool=callgrind` (so nothing else on the computer matters), under uniform traffic from
# an empty network on; building the machine, measured by the same traffic for 1 ps, is taken off.
# Fails when a policy costs more than 1.5 times minimal routing. Some minutes.
#
#     bench/speed/policy_costs.sh [ANAX [MACHINE:TIME:LOAD...]]
#
# ANAX: the program, build/anax unless given. Each MACHINE under LOAD for TIME; POLICIES in the
# environment in place of all.
set -eu
cd "$(dirname "$0")/../.."
anax=${1:-build/anax}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- kim-1k-paper:200ns:0.3 kim-1k-paper:200ns:0.8 kim-1k:6us:0.3 kim-1k:6us:0.8 \
    garcia-5k-paper:300ns:0.3 garcia-5k-paper:300ns:0.8 cray-xc:2us:0.3 cray-xc:2us:0.8
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# count MACHINE TIME LOAD POLICY: instructions and packet-hops
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$anax" traffic --machine "$1" \
        --routing "$4" --pattern uniform --load "$3" --threads 1 --quiet --json \
        --set traffic.warmup=1ps --set "traffic.measure=$2" --set traffic.drain=1ps \
        >"$out/json" 2>"$out/count"
    echo "$(sed -n 's/.*Collected : //p' "$out/count")" \
        "$(sed -n 's/^ *"packet_hops":\([0-9]*\),*$/\1/p' "$out/json")"
}

printf '%-16s %5s  %-13s %12s %8s\n' machine load routing instructions minimal
for point; do
    machine=${point%%:*} time=${point#*:} load=${point##*:}
    time=${time%:*}
    for policy in ${POLICIES:-$("$anax" list routing | cut -d' ' -f1)}; do
        echo "$machine $load $policy $(count "$machine" 1ps "$load" "$policy")" \
            "$(count "$machine" "$time" "$load" "$policy")"
    done
done | awk '
    {
        cost = ($6 - $4) / ($7 - $5)
        if ($3 == "minimal") minimal = cost
        ratio = cost / minimal
        verdict = ratio > 1.5 ? "TOO MUCH" : ""
        printf "%-16s %5s  %-13s %12.0f %8.2f  %s\n", $1, $2, $3, cost, ratio, verdict
        fflush()
        if (verdict != "") failed = 1
    }
    END { exit failed }'
