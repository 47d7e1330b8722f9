#!/bin/sh
# Time bins (--time-bins) and the communication matrix (--matrix): they add up to the ranks' times, the
# links' load and all messages, are the same for any number of threads, and change no result.
. "$ANAX_SOURCE/tests/support/script/command.sh"
check=$ANAX_BINARY/tests/check_json

# Replays with the arguments on 1, 2 and 3 threads.
over_time() {
    run_ok replay "$@" --json
    digest=$(value out digest)
    expect "no bins unless asked for" holds_not out '"rank_bins"'
    for threads in 1 2 3; do
        rm -rf "bins$threads"
        run_ok replay "$@" --time-bins 33 --matrix rank --threads "$threads" --json -o "bins$threads"
        expect "recording leaves the digest" [ "$(value out digest)" = "$digest" ]
        for table in rank_bins state_bins channel_bins matrix; do
            expect "$table.csv is the same on any number of threads" cmp "bins1/$table.csv" "bins$threads/$table.csv"
        done
    done
    cp out result.json
    "$check" --completed result.json bins3 >out || expect "the figures fit together" false
}

run_ok generate fft3d --ranks 24 --iterations 2 -o fft3d.anax
run_ok generate halo3d --ranks 24 --iterations 2 -o halo3d.anax
over_time fft3d.anax --machine kim-72 --placement random --routing valiant
over_time halo3d.anax --machine kim-72 -n 2 --routing par --set mpi.eager_threshold=0 \
    --set mpi.progress=software --set network.rails=2 --set noise.kind=gaussian
over_time fft3d.anax halo3d.anax --machine kim-72 --routing ugal-l --background uniform \
    --background-load 0.2
over_time "$ANAX_SOURCE/tests/data/otf2/sp_persist_8" --machine kim-72
run_ok replay "$ANAX_SOURCE/tests/data/otf2/sp_persist_8" --machine kim-72 --time-bins 33 --explain \
    -o explained
expect "an explanation leaves the bins as they are" cmp bins1/rank_bins.csv explained/rank_bins.csv
last_width=$(rows '{ width = @to_ps - @from_ps } END { print width }' bins1/state_bins.csv)
used=$(cells bins1/state_bins.csv bin | tail -n 1)
expect "$used of 33 bins are used" [ "$used" -ge 16 ]
expect "a width of $last_width ps" awk -v w="$last_width" \
    'BEGIN { while (w > 1024) w /= 2; exit w != 1024 }'

# More than 1,024 ranks share rows.
run_ok generate halo2d --ranks 1100 --iterations 1 -o many.anax
run_ok replay many.anax --machine kim-1k -n 2 --placement random --time-bins 8 --matrix rank --json \
    -o many
cp out result.json
# has_ranks FIRST COUNT FILE FIRST_COLUMN COUNT_COLUMN: says a row has these ranks.
has_ranks() {
    rows "@$4 == first && @$5 == count { found = 1 } END { exit !found }" first="$1" count="$2" "$3"
}
expect "the last two of 1100 ranks share a row" has_ranks 1098 2 many/rank_bins.csv first_rank ranks
run_ok replay many.anax --machine kim-1k -n 2 --placement random --time-bins 8 --set record.rank_rows=7 -o fewer
expect "1100 ranks share seven rows" [ "$(cells fewer/rank_bins.csv first_rank | sort -u | wc -l)" -eq 7 ]
expect "the last of seven rows has 152 ranks" has_ranks 948 152 fewer/rank_bins.csv first_rank ranks
expect "fewer rows of ranks leave the sums over ranks" cmp many/state_bins.csv fewer/state_bins.csv
"$check" --completed result.json many >out || expect "the figures fit together" false

expect "the last two of 1100 ranks share a row of the matrix" has_ranks 1098 2 many/matrix.csv source sources

# Places: block placement puts ranks 0 to 3 of a ring on routers 0 and 1 of kim-72, of 2 nodes each.
run_ok generate halo2d --ranks 4 --iterations 1 -o four.anax
for by in node router group; do
    rm -rf places
    run_ok replay four.anax --machine kim-72 --matrix $by --json -o places
    cp out result.json
    "$check" --completed result.json places >out || expect "the figures fit together" false
    cells places/matrix.csv source destination >"$by"
done
expect "nodes are ranks here" [ "$(wc -l <node)" -eq 10 ]
expect "the matrix has all pairs of routers" [ "$(tr '\n' ' ' <router)" = "0,0 0,1 1,0 1,1 " ]
expect "all messages stay in one group" [ "$(cat group)" = 0,0 ]

# Traffic with a single point.
run_ok traffic --machine kim-72 --load 0.3 --time-bins 16 --set traffic.measure=5us --json -o point
cp out result.json
"$check" result.json point >out || expect "the figures fit together" false
run_ok traffic --machine kim-72 --loads 0.1,0.3 --time-bins 16 --set traffic.measure=5us -o points
expect "no bins of several points" [ ! -e points/channel_bins.csv ]

# Watched links: the flows add up to the links, and the waits to what flows waited behind others.
# sums FILE COLUMN...: sums by link.
sums() {
    file=$1
    shift
    awk -F, -v names="$*" '
        NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        { link = $at["kind"] " " $at["source"] " " $at["destination"] " " $at["port"] " " $at["rail"]
          for (i = 1; i <= n; i++) sum[link, i] += $at[name[i]]; seen[link] = 1 }
        END { for (link in seen) { line = link
            for (i = 1; i <= n; i++) line = line " " sprintf("%.0f", sum[link, i]); print line } }' "$file" | sort
}
watched() { # COMMAND...
    for threads in 1 3; do
        rm -rf "flows$threads"
        run_ok "$@" --threads "$threads" -o "flows$threads"
    done
    cmp flows1/link_flows.csv flows3/link_flows.csv && cmp flows1/link_waits.csv flows3/link_waits.csv ||
        expect "3 threads have the same flows" false
    sums flows1/link_flows.csv packets bytes busy_ps stalled_ps >flows
    sums flows1/links.csv packets bytes busy_ps stalled_ps >links
    expect "flows add up to their links" [ -z "$(comm -23 flows links)" ]
    expect "the watched links have flows" [ -s flows ]
    sums flows1/link_flows.csv behind_ps >behind
    sums flows1/link_flows.csv caused_ps >caused
    sums flows1/link_waits.csv waited_ps >waits
    expect "what is waited behind a flow is what it caused" cmp -s behind caused
    expect "the waits of a flow add up to its waiting" [ -z "$(comm -13 behind waits)" ]
}
run_ok generate alltoall --ranks 40 --iterations 1 -o alltoall.anax
watched replay alltoall.anax --machine kim-72 --routing ugal-l --links hottest:4
expect "four of the hottest links are watched" [ "$(wc -l <flows)" -eq 4 ]
expect_in out 'Who loads these links'
# The first flow of the text: how long others waited behind it, without its own packets.
run_ok generate stream --ranks 32 --size 64KiB -o stream.anax
run_ok replay stream.anax --machine kim-72 --routing minimal --links 0-8 -o stream
expect "others behind a flow" awk -F, '
    FILENAME == "out" { if (/rank 0 to 16, MPI_Isend:/) { getline; told = $0 } next }
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["behind_source_rank"] == 0 && $at["behind_destination_rank"] == 16 && $at["behind_call"] == "MPI_Isend" {
        if ($at["source_rank"] != 0 || $at["call"] != "MPI_Isend") others += $at["waited_ps"]
        else own += $at["waited_ps"] }
    END { exit !(own > 0 && index(told, sprintf("other flows waited %.2f ms behind it", others / 1e9))) }' \
    out stream/link_waits.csv
watched replay alltoall.anax --machine kim-72 -n 2 --routing par --links 0-1,n3-1,1-n3 \
    --set network.rails=2
watched traffic --machine kim-72 --load 0.6 --pattern adv+1 --routing valiant --links 0-1,7-4,0-n0 \
    --set traffic.measure=5us
run_ok replay four.anax --machine kim-72 --links n0-0 --json -o only
expect "rank 0 sends by its own link" [ "$(cells only/link_flows.csv source_rank | sort -u)" = 0 ]

# Flows are told apart by ranks, MPI calls and user regions. Two ranks share node 0. What they send
# from it is what the matrix of messages says, eagerly and by rendezvous, on one rail and on two; the
# answers to requests, 64 bytes each, belong to the calls in which ranks wait.
for options in mpi.eager_threshold=1MiB mpi.eager_threshold=0 \
    "mpi.eager_threshold=0 --set network.rails=2 --set network.rail_choice=packet"; do
    rm -rf origins
    # shellcheck disable=SC2086 # several options
    run_ok replay four.anax --machine kim-72 -n 2 --matrix rank --set trace.user_regions=on \
        --set network.header=0B -o origins --set $options \
        --links "n0-0$(case $options in *rails*) echo ,n0-36 ;; esac)"
    rows '@call != "MPI_Init" { sum[@source_rank "," @destination_rank "," @call "," @region] += @bytes }
        END { for (flow in sum) print flow "," sum[flow] }' origins/link_flows.csv | sort >flows
    # Data and requests of 64 bytes by MPI_Isend; as many answers as requests from there.
    rows '@by == "rank" && (@source == 0 && @destination == 2 || @source == 1 && @destination == 3) {
        print @source "," @destination ",MPI_Isend,iteration," @bytes + @control_bytes / 2
        if (@control_bytes > 0) print @source "," @destination ",MPI_Waitall,iteration," @control_bytes / 2 }' origins/matrix.csv |
        sort >sent
    expect "flows by rank, call and region: $(paste -s flows) ($options)" cmp -s flows sent
done
run_ok generate allreduce --ranks 4 --iterations 2 -o sums.anax
run_ok replay four.anax sums.anax --machine kim-72 --links n4-2,n3-1 -o jobs
expect "flows of the second job" [ "$(rows '@job == 1 { print (@source_rank > 3) @call }' \
    jobs/link_flows.csv | grep -v MPI_Init | sort -u)" = 1MPI_Allreduce ]
run_ok replay alltoall.anax --machine kim-72 -n 2 --links 0-1,1-0 --routing valiant -o waiting
rows '{ print (@source_rank != "") (@destination_rank != "") (@behind_source_rank != "") \
    (@behind_destination_rank != "") @call @behind_call }' waiting/link_waits.csv |
    grep -v MPI_Init | sort -u >kinds
expect "waits name ranks and calls: $(paste -s kinds)" [ "$(cat kinds)" = 1111MPI_AlltoallMPI_Alltoall ]
# The links at which the messages of a rank wait longest are those of a run that watches all links of
# a small machine, on one thread and on three.
small="--machine kim-72 --set network.groups=3 --set network.routers_per_group=3 -n 2"
run_ok generate alltoall --ranks 18 --size 16KiB --iterations 1 -o eighteen.anax
# shellcheck disable=SC2086 # several options
run_ok replay eighteen.anax $small -o all.first
rows '@kind == "local" || @kind == "global" { print @source "-" @destination }
    @kind == "ejection" { print @source "-n" @destination }' \
    all.first/links.csv | sort -u | paste -s -d, >names
# shellcheck disable=SC2086
run_ok replay eighteen.anax $small --links "$(cat names)" -o all.links
for rank in 5 16; do
    awk -F, -v rank=$rank '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["source_rank"] == rank || $at["destination_rank"] == rank {
            waits[$at["kind"] " " $at["source"] " " $at["destination"]] += $at["waited_ps"] }
        END { for (link in waits) if (waits[link] > 0) print waits[link], link }' all.links/link_flows.csv |
        sort -k 1,1nr | head -n 10 | cut -d ' ' -f 2- | sort >longest
    expect "it waits at ten links" [ "$(wc -l <longest)" -eq 10 ]
    for threads in 1 3; do
        # shellcheck disable=SC2086
        run_ok replay eighteen.anax $small --links victim:$rank --threads $threads -o victim.$rank.$threads
        rows '{ print @kind, @source, @destination }' victim.$rank.$threads/link_flows.csv | sort -u >watched
        expect "the longest waits of rank $rank" cmp -s longest watched
    done
    expect "flows of the victim are the same on any number of threads" cmp -s victim.$rank.1/link_flows.csv victim.$rank.3/link_flows.csv
done
run_ok generate stream --ranks 2 --size 1KiB -o pair.anax
run_ok replay pair.anax --machine kim-72 -n 2 --links victim:0 -o idle
expect "no wait, no links" [ "$(wc -l <idle/link_flows.csv)" -eq 1 ]
for links in 0 0-99 n0-n1 hottest:0 hottest:2,0-1 x-1 victim: victim:n3 victim:4 victim:1,0-1 victim:1,hottest:2; do
    run replay four.anax --machine kim-72 --links $links
    expect "$links is refused" [ "$code" -eq 2 ]
    expect "the error names the setting" holds err record.links
done

for bins in 1 513 x; do
    run replay halo3d.anax --machine kim-72 --time-bins $bins
    expect "$bins bins are refused" [ "$code" -eq 2 ]
    expect "the error says which numbers are possible" holds err "from 2 to 512"
done
finish
