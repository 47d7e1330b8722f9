#!/bin/sh
# Saturation and beyond, for long: every routing policy under every traffic pattern at load 1.0, what
# is accepted after the papers' warm-up (20 us: 20000 cycles) and after five times that. Fails when a
# run does (deadlock, starvation, a broken law of conservation), or when accepted load falls by more
# than a twentieth. A quarter of an hour on the small machine that it takes by itself.
#
#     bench/checks/saturation.sh [ANAX [OPTION...]]
#
# ANAX: the program, build/anax unless given. OPTION: of `anax traffic`, in place of the small machine.
# In the environment: PATTERNS in place of all, WARMUP and MEASURE in us in place of 20 and 50.
set -eu
cd "$(dirname "$0")/../.."
anax=${1:-build/anax}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- --machine garcia-342-paper --set network.groups=9 \
    --set network.routers_per_group=4 --set network.nodes_per_router=2 \
    --set network.globals_per_router=2
warmup=${WARMUP:-20}
measure=${MEASURE:-50}us
failed=0

# accepted POLICY PATTERN WARMUP OPTION...
accepted() {
    policy=$1 pattern=$2 after=$3
    shift 3
    "$anax" traffic "$@" --routing "$policy" --pattern "$pattern" --load 1.0 --quiet --json \
        --set "traffic.warmup=$after" --set "traffic.measure=$measure" --set traffic.drain=1us |
        sed -n 's/^ *"accepted_load":\([0-9.]*\),*$/\1/p'
}

printf '%-13s %-12s %9s %9s\n' routing pattern "${warmup}us" "$((5 * warmup))us"
for policy in $("$anax" list routing | cut -d' ' -f1); do
    for pattern in ${PATTERNS:-$("$anax" list traffic | cut -d' ' -f1 | sed 's/+N$/+2/')}; do
        early=$(accepted "$policy" "$pattern" "${warmup}us" "$@")
        late=$(accepted "$policy" "$pattern" "$((5 * warmup))us" "$@")
        verdict=$(echo "${early:-0} ${late:-0}" |
            awk '{ print $1 == 0 || $2 == 0 ? "FAILED" : $2 < 0.95 * $1 ? "FALLS" : "" }')
        [ -z "$verdict" ] || failed=1
        printf '%-13s %-12s %9s %9s  %s\n' "$policy" "$pattern" "$early" "$late" "$verdict"
    done
done
exit $failed
