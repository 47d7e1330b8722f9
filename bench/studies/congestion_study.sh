#!/bin/sh
# The study of docs/studies/congestion.md: how much an incast slows a ping-pong of 8 bytes, on a machine like
# Malbec (Slingshot, 512 nodes), without and with congestion control, and how much each of its
# settings matters.
#
#     bench/studies/congestion_study.sh ANAX OUT
#
# ANAX is the program, OUT a new folder for results.csv and tables.md.
set -eu
if [ $# -ne 2 ]; then
    echo "usage: $0 ANAX OUT" >&2
    exit 2
fi
case $1 in
*/*) anax=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;;
*) anax=$1 ;;
esac
mkdir "$2"
cd "$2"

machine="--machine slingshot --set mpi.send_overhead=905ns --set mpi.receive_overhead=905ns
    --set network.nic.send_latency=300ns --set network.nic.receive_latency=300ns
    --set network.groups=4 --set network.routers_per_group=8
    --set network.globals_per_router=18 --set network.terminal.bandwidth=12.5GB/s --routing ugal-l"
nodes=512

# The aggressors: 10, 50 and 90 % of the nodes send 128 KiB to the first of them, again and again.
# The victims: all other nodes, in pairs.
for share in 10 50 90; do
    senders=$((nodes * share / 100))
    "$anax" generate incast --ranks $senders --iterations $((30 * 51 / senders + 2)) --size 128KiB \
        --compute 0 -o incast-$share.anax
    "$anax" generate ping-pong --ranks $(((nodes - senders) / 2 * 2)) --iterations 1500 --size 8B \
        --compute 0 -o ping-pong-$share.anax
done

# measure NAME SHARE PLACEMENT SETTING…: a line of results.csv
measure() {
    name=$1 share=$2 placement=$3
    shift 3
    settings=""
    for setting in "$@"; do
        settings="$settings --set network.$setting"
    done
    # shellcheck disable=SC2086 # lists of words
    "$anax" replay "incast-$share.anax" "ping-pong-$share.anax" $machine --placement "$placement" \
        --seed 1 $settings --json >replay.json
    times=$(awk '/"jobs":/ { j = 1 } j && /"time_ps":/ { gsub(/[^0-9]/, ""); t = $0 }
        j && /"alone_ps":/ { gsub(/[^0-9]/, ""); printf ",%.2f,%d", t / $0, t / 1000000 }' replay.json)
    echo "$name,$share,$placement$times" | tee -a results.csv
}

# The settings' defaults; the machine has its own recovery.
on="acknowledgement=delay congestion_control=endpoint congestion.recovery=100us congestion.recovery_waits=0"
echo "settings,share,placement,incast_slowdown,incast_us,victim_slowdown,victim_us" >results.csv
for share in 10 50 90; do
    for placement in block random; do
        measure off "$share" "$placement" congestion_control=off
        measure window "$share" "$placement" congestion_control=off nic.pair_window=64KiB
        # shellcheck disable=SC2086
        measure on "$share" "$placement" $on
    done
done
for change in begin=12KiB,end=8KiB begin=32KiB,end=16KiB begin=64KiB,end=32KiB end=4KiB end=12KiB \
    hold=1 hold=1.25 hold=2 window=16KiB recovery=10us recovery=50us recovery=200us \
    recovery=5us,recovery_waits=4; do
    # shellcheck disable=SC2046,SC2086
    measure "$change" 50 random $on $(echo "$change" | tr , '\n' | sed 's/^/congestion./')
done
# shellcheck disable=SC2086
measure "pair window" 50 random $on nic.pair_window=64KiB

awk -F, 'NR == 1 { print "| settings | share | placement | incast | victim |"; print "|---|---|---|---|---|"; next }
    { printf "| %s | %s %% | %s | %s | %s |\n", $1, $(NF-5), $(NF-4), $(NF-3), $(NF-1) }' results.csv >tables.md
