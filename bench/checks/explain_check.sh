#!/bin/sh
# bench/checks/explain_check.sh BUILD [TRACES]: holds what `anax replay --explain` says against replays.
# It takes some minutes, and is no part of the tests.
#
# 1. The critical path of every generated pattern (but training, whose steps take minutes), and
#    of every archive below TRACES (default: ../shared/traces, if it is there), with every routing
#    policy: its parts add up to the predicted time, and its steps follow each other from 0 to it.
#    With the first policy, on 1, 2 and 3 threads; with each other one on one of these numbers, in
#    turn. Archives of more than 10 MB are replayed with the first policy alone.
# 2. Sensitivity: each setting grows by 0.1 %. Without contention the time changes by the
#    derivative, within 1 %. With contention the table says by how much it differs: in percent of
#    the derivative, and of the predicted time.
# Exits with 1 if anything does not hold.
set -u
build=$(cd "${1:-build}" && pwd) || exit 2
anax=$build/anax
traces=${2:-../shared/traces}
[ ! -d "$traces" ] || traces=$(cd "$traces" && pwd)
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0 runs=0 refused=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

first() { sed -n "s/^ *\"$1\":\([0-9-]*\),\{0,1\}\$/\1/p" result | head -1; }

# The sum of the last column of a table.
sum() { tail -n +2 "$1" | awk -F, '{ s += $NF } END { printf "%.0f", s }'; }

# Where the steps begin, if each begins when the one before it ends, and where they end.
span() {
    tail -n +2 "$1" | sed 's/"[^"]*"//' | awk -F, 'NR == 1 { begin = last = $3 }
        $3 != last || $4 < $3 { bad = 1 } { last = $4 } END { print bad ? "gap" : begin "-" last }'
}

# check NAME THREADS ARGUMENTS: a replay on each of the numbers of threads.
check() {
    name=$1 numbers=$2
    shift 2
    rm -f steps
    for threads in $numbers; do
        rm -rf tables
        if ! "$anax" replay "$@" --path-steps all --threads "$threads" --json -o tables \
            >result 2>why; then
            refused=$((refused + 1))
            echo "not replayed: $name: $(head -1 why)"
            return 1
        fi
        runs=$((runs + 1))
        time=$(first time_ps)
        [ "$(sum tables/critical_path_parts.csv)" = "$time" ] ||
            fail "$name: the parts do not add up"
        [ "$(span tables/critical_path_steps.csv)" = "0-$time" ] ||
            fail "$name: the steps have gaps"
        [ ! -e steps ] || cmp -s steps tables/critical_path_steps.csv ||
            fail "$name: other steps on $threads threads"
        mv tables/critical_path_steps.csv steps
    done
}

# check_all NAME POLICIES ARGUMENTS: a replay with each policy.
check_all() {
    name=$1 listed=$2
    shift 2
    numbers="1 2 3" next=2
    for policy in $listed; do
        check "$name, $policy" "$numbers" "$@" --machine kim-72 --routing "$policy" || return
        numbers=$next next=$((next % 3 + 1))
    done
}

policies=$("$anax" list routing | awk '/^[a-z]/ { print $1 }')
patterns=$("$anax" list patterns | awk '/^[a-z]/ && $1 != "training" { print $1 }')
[ -n "$policies" ] && [ -n "$patterns" ] || fail "no policies or patterns are listed"
for pattern in $patterns; do
    "$anax" generate "$pattern" --ranks 16 --iterations 2 --force -q -o trace.anax ||
        fail "$pattern"
    check_all "$pattern" "$policies" trace.anax --placement random
done
[ ! -d "$traces" ] || find "$traces" -name traces.otf2 | sort >archives
[ ! -e archives ] || while read -r archive; do
    listed=$policies
    [ "$(du -sm "$(dirname "$archive")" | cut -f1)" -le 10 ] || listed=$(echo "$policies" | head -1)
    check_all "$archive" "$listed" "$archive" --set mpi.eager_threshold=auto
done <archives
echo "$runs replays: paths that add up and have no gaps; $refused traces or settings not replayed"

# replay ARGUMENTS: the trace of this part, with settings whose sizes are known.
global=10000000000 # bytes per second
replay() {
    "$anax" replay trace.anax --machine kim-72 --routing minimal --placement random \
        --set network.terminal.latency=10000ps --set network.terminal.bandwidth=10000000000B/s \
        --set network.local.latency=30000ps --set network.local.bandwidth=10000000000B/s \
        --set network.global.latency=300000ps --set network.global.bandwidth=${global}B/s \
        --set network.router.latency=100000ps --set network.nic.overhead=50000ps \
        --set mpi.send_overhead=2000000ps --set mpi.receive_overhead=3000000ps \
        --set mpi.send_overhead_per_kib=20000ps --set mpi.receive_overhead_per_kib=30000ps \
        --json "$@" >result || fail "replay $*"
}

# sensitivity NAME LIMIT: changes every setting; LIMIT percent is the largest distance, unless empty.
sensitivity() {
    rm -rf tables
    replay --explain -o tables
    before=$(first time_ps)
    printf '\n%s: %s ps\n%-34s %14s %14s %10s %9s\n' "$1" "$before" \
        setting derivative measured "of it" "of time"
    while read -r setting from to unit; do
        # Per ps if the table says so, else per percent: the setting grows by 0.1 percent.
        expected=$(awk -F, -v s="$setting" -v from="$from" -v to="$to" '$1 == s {
            printf "%.0f", $3 == "ps" ? $2 * (to - from) : $2 * 0.1 }' tables/sensitivity.csv)
        replay --set "$setting=$to${unit:-}"
        measured=$(($(first time_ps) - before))
        awk -v n="$setting" -v e="${expected:-0}" -v m="$measured" -v limit="$2" \
            -v time="$before" 'BEGIN {
            d = m - e; if (d < 0) d = -d; of = e < 0 ? -e : e
            share = of > 0 ? 100 * d / of : (d > 0 ? 100 : 0)
            printf "%-34s %11d ps %11d ps %8.2f %% %7.3f %%\n", n, e, m, share, 100 * d / time
            exit limit != "" && share > limit && d > 2 }' || fail "$1: $setting"
    done <<END
network.terminal.latency 10000 10010 ps
network.local.latency 30000 30030 ps
network.global.latency 300000 300300 ps
network.router.latency 100000 100100 ps
network.nic.overhead 50000 50050 ps
network.terminal.bandwidth 10000000000 10010000000 B/s
network.local.bandwidth 10000000000 10010000000 B/s
network.global.bandwidth $global $((global / 1000 * 1001)) B/s
mpi.send_overhead 2000000 2002000 ps
mpi.receive_overhead 3000000 3003000 ps
mpi.send_overhead_per_kib 20000 20020 ps
mpi.receive_overhead_per_kib 30000 30030 ps
replay.compute_scale 1 1.001
END
}

"$anax" generate sweep3d --ranks 3 --iterations 20 --size 8KiB --force -q -o trace.anax
sensitivity "a chain of messages, without contention" 1
global=5000000000
sensitivity "the same, where global channels are slower" 1
global=10000000000
"$anax" generate halo3d --ranks 64 --iterations 5 --size 64KiB --force -q -o trace.anax
sensitivity "halo3d, with contention" ""
echo
[ "$failed" -eq 0 ] && echo "everything holds" || echo "$failed failed"
[ "$failed" -eq 0 ]
