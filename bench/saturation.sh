#!/bin/sh
# Saturation and beyond, for long: every routing policy under every traffic pattern at load 1.0, what
# is accepted after the papers' warm-up (20000 cycles) and after five times that. Fails when a run
# does (deadlock, starvation, a broken law of conservation), or when accepted load falls by more
# than a twentieth. A quarter of an hour on the small
# machine that it takes by itself.
#
#     bench/saturation.sh [ANAX [OPTION...]]
#
# ANAX: the program, build/anax unless given. OPTION: of `anax traffic`, in place of the small machine.
set -eu
cd "$(dirname "$0")/.."
anax=${1:-build/anax}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- --machine garcia-342-paper --set network.groups=9 \
    --set network.routers_per_group=4 --set network.nodes_per_router=2 \
    --set network.globals_per_router=2
failed=0

# accepted POLICY PATTERN WARMUP OPTION...
accepted() {
    policy=$1 pattern=$2 warmup=$3
    shift 3
    "$anax" traffic "$@" --routing "$policy" --pattern "$pattern" --load 1.0 --quiet --json \
        --set "traffic.warmup=$warmup" --set traffic.measure=50us --set traffic.drain=1us |
        sed -n 's/^ *"accepted_load":\([0-9.]*\),*$/\1/p'
}

printf '%-13s %-12s %9s %9s\n' routing pattern '20us' '100us'
for policy in $("$anax" list routing | cut -d' ' -f1); do
    for pattern in $("$anax" list traffic | cut -d' ' -f1 | sed 's/+N$/+2/'); do
        early=$(accepted "$policy" "$pattern" 20us "$@")
        late=$(accepted "$policy" "$pattern" 100us "$@")
        verdict=$(echo "${early:-0} ${late:-0}" |
            awk '{ print $1 == 0 || $2 == 0 ? "FAILED" : $2 < 0.95 * $1 ? "FALLS" : "" }')
        [ -z "$verdict" ] || failed=1
        printf '%-13s %-12s %9s %9s  %s\n' "$policy" "$pattern" "$early" "$late" "$verdict"
    done
done
exit $failed
