#!/bin/sh
# Nodes with several NICs in one network: what machines consist of, what replays, placements and
# traffic do with them, and what is refused.
. "$ANAX_SOURCE/tests/support/script/command.sh"

# One router of 8 ports of 10 GB/s, hosts without costs, packets of 100 ns.
cat >star.yaml <<'YAML'
network:
  groups: 1
  routers_per_group: 1
  nodes_per_router: 8
  globals_per_router: 0
  packet: 1000B
  header: 0
  routing: minimal
  terminal: {bandwidth: 10GB/s, latency: 10ns, buffer: 1MiB}
  router: {latency: 100ns, allocation_latency: 0, crossbar: ideal, output_buffer: 0}
  memory: {latency: 200ns, bandwidth: 20GB/s}
mpi: {send_overhead: 0, receive_overhead: 0, eager_threshold: 2MiB, alltoall: pairwise}
YAML
TWO="--set network.node.nics=2 --set network.node.routers=1"

# An all-to-all of 8 ranks on 4 nodes, 1 MB each: one round in the memory of nodes, 200 ns + 50 us,
# and six through the network, 2 * 10 ns + 100 ns + 1 MB / bandwidth of a rank. That bandwidth is
# the one of a NIC if a node has two, and half of it if a node has one.
run_ok generate alltoall --ranks 8 --iterations 1 --size 1MB --compute 0 -o all.anax
alltoall_ps() {
    rows '@name == "MPI_Alltoall" { print @time_ps }' "$1/calls.csv"
}
# shellcheck disable=SC2086 # words are arguments
run_ok replay all.anax --config star.yaml --ranks-per-node 2 $TWO -o two
before=$(rows '@name == "MPI_Init" { print @time_ps }' two/calls.csv)
expect "MPI_Init is reported" [ -n "$before" ]
expect "all-to-all with two NICs" [ "$(alltoall_ps two)" -eq $((8 * (50200000 + 6 * 100120000))) ]
run_ok replay all.anax --config star.yaml --ranks-per-node 2 --set network.nodes_per_router=4 -o one
two_ps=$((8 * 6 * 100000000))
# (less up to two packets a round, since the two ranks that share a NIC do not end together)
expect "with one NIC every round takes at least twice the time" \
    [ $(($(alltoall_ps one) - $(alltoall_ps two))) -ge $((two_ps - 8 * 6 * 200000)) ]
expect "with one NIC every round takes at most twice the time" [ $(($(alltoall_ps one) - $(alltoall_ps two))) -le "$two_ps" ]

# The machine states nodes, NICs and their bandwidth; other tables count nodes.
SMALL="--set network.group.dimensions=0 --set network.node.nics=2"
# shellcheck disable=SC2086 # words are arguments
run_ok topology kim-72 $SMALL --json
for pair in nodes=36 nics_per_node=2 routers_per_node=2 injection_bytes_per_s=50000000000 \
    terminal_links=72 routers=36; do
    expect_key out "${pair%%=*}" "${pair#*=}"
done
# shellcheck disable=SC2086 # words are arguments
run_ok topology kim-72 $SMALL
expect "the text says on how many routers the NICs of a node are" grep -Eq '^NICs of a node in each rail +2 on 2 routers$' out
expect "summary of bandwidth" grep -Eq '^injection bandwidth of a node +50GB/s$' out

# Placements: 36 nodes, two of routers 0 and 1, each rank with its NIC and that NIC's router.
run_ok generate allreduce --ranks 72 --iterations 1 -o reduce.anax
# shellcheck disable=SC2086 # words are arguments
run_ok place reduce.anax --machine kim-72 $SMALL --ranks-per-node 2 --json
tr -d ' \n' <out >line
expect "rank 1 uses NIC 1 of node 0, on router 1" grep -q \
    '{"rank":1,"node":0,"router":1,"group":0,"nic":1}' line
# shellcheck disable=SC2086 # words are arguments
run place reduce.anax --machine kim-72 $SMALL
expect_code 2
expect_in err "the machine has 36 nodes and takes 36 ranks"

# Every choice delivers all traffic over all NICs alike, and its digest does not hang on threads.
"$ANAX" list nics | cut -d' ' -f1 >choices
expect "the list of choices of NICs has at least five" [ "$(wc -l <choices)" -ge 5 ]
while read -r choice; do
    # shellcheck disable=SC2086 # words are arguments
    run_ok traffic --machine kim-72 --load 0.3 $SMALL --set "network.node.nic_choice=$choice" \
        --set network.routing=minimal -o "$choice"
    expect "the text names the choice $choice of NICs" holds out "2 NICs per node by $choice"
    expect "$choice uses both NICs" awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        $column["kind"] == "injection" { packets[$column["port"]] += $column["packets"] }
        END { exit !(packets[0] > 0 && packets[0] < 1.2 * packets[1] && packets[1] < 1.2 * packets[0]) }
    ' "$choice/links.csv"
    # shellcheck disable=SC2086 # words are arguments
    run_ok replay reduce.anax --machine kim-72 $SMALL --ranks-per-node 2 --json --threads 1 \
        --set "network.node.nic_choice=$choice" --set network.node.stripe=4KiB
    digest=$(value out digest)
    # shellcheck disable=SC2086 # words are arguments
    run_ok replay reduce.anax --machine kim-72 $SMALL --ranks-per-node 2 --json --threads 3 \
        --set "network.node.nic_choice=$choice" --set network.node.stripe=4KiB
    expect_key out digest "$digest"
done <choices

# A large message in stripes over two NICs.
run_ok generate ping-pong --ranks 2 --size 1MB --iterations 1 -o ping.anax
# shellcheck disable=SC2086 # words are arguments
run_ok replay ping.anax --config star.yaml $TWO --json
one=$(value out time_ps)
# shellcheck disable=SC2086 # words are arguments
run_ok replay ping.anax --config star.yaml $TWO --set network.node.stripe=64KiB --json
expect "two NICs halve the time of a striped message" [ "$(value out time_ps)" -lt $((one * 6 / 10)) ]

# Reasons name nodes and no endpoints: the first node has a NIC on each of the first two routers.
run topology kim-72 --set network.groups=2 --set network.node.nics=2 --set network.failures.globals=100%
expect_code 2
expect "nodes of a group" holds err "group 0 (nodes 0 to 3) and group 1 (nodes 4 to 7)"
run traffic -m kim-72 -r minimal --load 0.9 --set network.node.nics=2 --set network.vcs=1
expect_code 1
expect "the node of a packet" grep -q 'router 1, injection input port 0, VC 0: packet of [0-9]* bytes from node 0 ' err

run topology kim-72 --set network.node.nics=3
expect_code 2
expect "what does not fit" holds err "multiple of 3, but network.routers_per_group is 4"
run topology kim-72 --set network.node.nics=4 --set network.node.routers=3
expect_code 2
expect "what does not divide" holds err "network.node.routers is 3"
finish
