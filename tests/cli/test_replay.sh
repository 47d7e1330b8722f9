#!/bin/sh
# `anax replay` on the bundled recording: what it prints, writes and refuses.
. "$ANAX_SOURCE/tests/support/script/command.sh"
trace=examples/gromacs/traces.otf2

# The summary names what was asked for, and all of its parts.
run_ok replay "$trace" --machine kim-1k --routing ugal-l --placement random --seed 1
expect "a replay prints nothing on the standard error" empty err
for text in "machine kim-1k: 1056 nodes, 264 routers, 33 groups" \
    "routing ugal-l, placement random, seed 1" "Predicted time" "Slowest ranks" "MPI_Sendrecv" \
    "network queueing" "Busiest links" "million events/s" "digest"; do
    expect_in out "$text"
done

# JSON: the keys that others rely on, and the counts of the recording.
run_ok replay "$trace" --machine kim-1k --routing ugal-l --placement random --seed 1 --json
for key in schema version digest trace machine routing placement seed completed time_ps ranks rank \
    node compute_ps mpi_ps network packets packet_hops messages bytes mean_latency_ps simulation \
    events wall_s peak_rss_bytes threads not_modelled assumed configuration; do
    expect_in out "\"$key\":"
done
expect_key out schema anax.replay/2
expect_key out completed true
expect "all eight ranks are in JSON" [ "$(grep -c '"rank":' out)" -eq 8 ]
expect "all messages of the recording are replayed" holds out '"messages":2244'
expect "all bytes of the recording are replayed" holds out '"message_bytes":47299312'
digest=$(value out digest)
time_ps=$(value out time_ps)
expect "the digest has 16 hexadecimal digits" \
    sh -c "echo $digest | grep -qx '[0-9a-f]\{16\}'"
expect "the slowest rank's time is the job's" holds out "\"time_ps\":$time_ps,"

# The same digest for any number of threads and from the program file.
run_ok convert "$trace" -o program.anax
for threads in 1 2 3; do
    run_ok replay "$trace" --machine kim-1k -r ugal-l -p random -s 1 --json --threads $threads
    expect "the same digest with $threads threads" [ "$(value out digest)" = "$digest" ]
done
run_ok replay program.anax --machine kim-1k -r ugal-l -p random --seed 1 --json
expect "the same digest from the program file" [ "$(value out digest)" = "$digest" ]
run_ok replay "$trace" --machine kim-1k -r ugal-l -p random --seed 2 --json
expect "another digest with another seed" [ "$(value out digest)" != "$digest" ]

# Ranks of one node: nothing crosses the network, which is not the same as crossing it in no time.
run_ok replay "$trace" --machine kim-72 -n 8 --json
expect "ranks of one node send no packets" holds out '"packets":0,'
for key in mean_latency_ps p50_latency_ps max_latency_ps mean_hops minimal_share; do
    expect_in out "\"$key\":null"
done

# A part of a trace: from where ranks enter a region to where they leave one.
run_ok generate halo2d --ranks 16 --iterations 5 --compute 10us -o halo2d.anax
run_ok replay halo2d.anax --machine kim-72 --json
whole_ps=$(value out time_ps) messages=$(value out messages)
run_ok replay halo2d.anax --machine kim-72 --from MPI_Waitall#2 --to MPI_Waitall#4 --json
expect_key out completed true
expect "two of five iterations send two fifths of the messages" [ "$(value out messages)" -eq "$((messages * 2 / 5))" ]
expect "the part of the trace takes less time than the whole" [ "$(value out time_ps)" -lt "$whole_ps" ]
part=$(value out digest)
run_ok replay halo2d.anax --machine kim-72 --from iteration#2 --to iteration#4 --json -o part-tables
expect "three iterations of 16 ranks" \
    [ "$(rows '@name == "iteration" { print @count, @ranks, @job }' part-tables/regions.csv)" = "48 16 0" ]
expect "JSON has the iteration's region" holds out '"name":"iteration"'
run_ok convert halo2d.anax --from MPI_Waitall#2 --to MPI_Waitall#4 -o part.anax
run_ok replay part.anax --machine kim-72 --json
expect "a program file of the part has the digest of the part" [ "$(value out digest)" = "$part" ]
run_ok replay halo2d.anax --machine kim-72 --from MPI_Waitall#2 --to MPI_Waitall#4 --print-config
cp out part.yaml
run_ok replay halo2d.anax --config part.yaml --json
expect "the part by a configuration file has the same digest" [ "$(value out digest)" = "$part" ]
run replay halo2d.anax --machine kim-72 --from MPI_Waitall#6
expect_code 2
expect "the error says how often the call is there" holds err "is in MPI_Waitall 5 times"
run replay halo2d.anax --machine kim-72 --to MPI_Waital
expect_code 2
expect_in err 'did you mean `MPI_Waitall`?'
run_ok replay "$trace" --machine kim-72 --from 1s --to 1.5s --json
expect "a window of half a second has at most as much computation" [ "$(value out compute_ps)" -le 500000000000 ]

# A printed configuration gives the same replay again; options override files, files machines.
run_ok replay --machine kim-1k -r ugal-l -p random --seed 1 --print-config
cp out printed.yaml
run_ok replay "$trace" --config printed.yaml --json
expect "the same digest from the printed configuration" [ "$(value out digest)" = "$digest" ]
run_ok replay --config printed.yaml --print-config
expect "a printed configuration is printed the same again" cmp out printed.yaml
cat >mine.yaml <<'YAML'
seed: 5
network:
  routing: valiant
  global: {latency: 1us}
machine: kim-72
YAML
run_ok replay "$trace" --config mine.yaml --seed 6 --json
expect "the machine is that of the configuration" holds out '"machine":"kim-72"'
expect "the file overrides the machine" holds out '"network.global.latency":"1us"'
expect "the option overrides the file" [ "$(value out seed)" = 6 ]
sed '/^machine:/d' mine.yaml >any.yaml
run_ok replay "$trace" --config any.yaml --machine kim-1k --json
expect "the machine of the command line" holds out '"name":"kim-1k, changed"'
expect "the file overrides --machine's settings" [ "$(value out routing)" = valiant ]

# Tables: complete, in a new folder, never over an old one.
run_ok replay "$trace" --machine kim-72 --placement random --seed 1 -o tables # in several groups
for table in ranks calls links groups; do
    expect "$table.csv is not empty" [ -s tables/$table.csv ]
    expect "each row of $table.csv has as many cells" \
        awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' tables/$table.csv
done
expect "ranks.csv has a line for each of 8 ranks" [ "$(wc -l <tables/ranks.csv)" -eq 9 ]
expect "groups.csv has a line for each pair of the nine groups, in both directions" \
    [ "$(wc -l <tables/groups.csv)" -eq $((1 + 9 * 8)) ]
expect "the parts of each rank's time add up to it" rows '{
    sum = @compute_ps + @send_overhead_ps + @receive_overhead_ps + @reduction_ps + @wait_late_sender_ps + \
        @wait_late_receiver_ps + @wait_transit_ps + @wait_queueing_ps + @wait_storage_ps + @collective_ps
    if (sum != @time_ps || sum <= 0) bad = 1
    ranks++ } END { exit bad || ranks != 8 }' tables/ranks.csv
expect "bytes between groups are those of the global links" rows '
    FILENAME ~ /links/ && @kind == "global" { links += @bytes }
    FILENAME ~ /groups/ { groups += @bytes }
    END { exit links != groups || links == 0 }' tables/links.csv tables/groups.csv
cp -r tables before
run replay "$trace" --machine kim-72 -o tables
expect_code 2
expect "the error says: tables: exists already" holds err "tables: exists already"
expect "the tables that existed are as before" diff -r before tables
run replay "$trace" --machine kim-72 -o no/such/folder
expect_code 2
expect "the error names the folder that is missing" holds err "no/such: an output cannot be created in this folder"
expect "no unfinished table is left" sh -c '! ls -d ./*.part* 2>/dev/null'

# The timeline is an archive that anax reads: the same messages, the predicted span.
run_ok replay "$trace" --machine kim-72 --timeline predicted --json
time_ps=$(value out time_ps)
run_ok info predicted --json
expect_in out '"messages":2244'
expect_in out '"message_bytes":47299312'
expect "the timeline has no unmatched sends" [ "$(value out unmatched_sends)" = 0 ]
expect "the timeline ends within the predicted time" [ "$(value out span_ps)" -le "$time_ps" ]

# A graphical viewer draws as many arrows as for the recording. Its own messages go to its output.
if has_program vite; then
    run_ok replay "$trace" --machine kim-72 --explain --timeline explained
    for archive in "$trace" predicted/traces.otf2 explained/traces.otf2; do
        QT_QPA_PLATFORM=offscreen timeout 120 vite -e picture.svg "$archive" >/dev/null 2>&1
        grep -c '<line' picture.svg
        rm -f picture.svg
    done >arrows
    expect "ViTE draws the timeline's messages" [ "$(head -n 1 arrows)" -gt 100 ]
    expect "ViTE draws as many messages as in the recording" [ "$(sort -u arrows | wc -l)" = 1 ]
else
    echo "ViTE is not installed: that it opens the timeline was not tested"
fi

# A trace for Perfetto: the file is written once, for the ranks that are asked for.
run_ok replay "$trace" --machine kim-72 --perfetto run.pftrace
expect "the Perfetto trace is not empty" [ -s run.pftrace ]
cp run.pftrace first.pftrace
run replay "$trace" --machine kim-72 --perfetto run.pftrace
expect_code 2
expect_in err "run.pftrace: exists already"
run_ok replay "$trace" --machine kim-72 --perfetto run.pftrace --force --threads 3
expect "three threads write the same Perfetto trace" cmp run.pftrace first.pftrace
run_ok replay "$trace" --machine kim-72 --perfetto loads.pftrace --time-bins 32
expect "a Perfetto trace with the load of channels is larger" [ "$(wc -c <loads.pftrace)" -gt "$(wc -c <first.pftrace)" ]
run_ok replay "$trace" --machine kim-72 --perfetto two.pftrace --perfetto-ranks 2-3
expect "a Perfetto trace of fewer ranks is smaller" [ "$(wc -c <two.pftrace)" -lt "$(wc -c <first.pftrace)" ]
for ranks in 3-2 x 1-; do
    run replay "$trace" --machine kim-72 --perfetto bad.pftrace --perfetto-ranks $ranks
    expect "$ranks are no ranks" [ "$code" -eq 2 ]
    expect "the error shows what ranks look like" holds err "such as 0-63"
done
run replay "$trace" --machine kim-72 --perfetto bad.pftrace --perfetto-ranks 8
expect_code 2
expect "the error names the ranks that there are" holds err "there is no rank 8; the ranks are 0 to 7"
expect "no file for Perfetto was written" [ ! -e bad.pftrace ]
run replay "$trace" --machine kim-72 --perfetto-ranks 1
expect_code 2
expect_in err "needs --perfetto"

# One-sided operations are in it: replayed, they take as long.
windows="$ANAX_SOURCE/tests/data/otf2/sp_rma_8"
run_ok info "$windows" --json
sed -n '/one_sided/,/}/p' out >one_sided
expect "the trace has one-sided operations" holds one_sided operations
run_ok replay "$windows" --machine kim-72 --timeline predicted_windows --json
time_ps=$(value out time_ps)
run_ok info predicted_windows --json
sed -n '/one_sided/,/}/p' out >predicted_one_sided
expect "the timeline has as many one-sided operations, of as many bytes" cmp one_sided predicted_one_sided
run_ok replay predicted_windows --machine kim-72 --json
expect "a replay of the timeline takes the predicted time" [ "$(value out time_ps)" = "$time_ps" ]

# Nothing that a recording holds is left out, but neighbour collectives; what it does not say is told
# apart. A part of it and its program file say the same.
for folder in "$ANAX_SOURCE"/tests/data/otf2/sp_*; do
    name=${folder##*/}
    [ "$name" != sp_neigh_8 ] || continue
    run_ok replay "$folder" --machine kim-72 --json
    expect "$name: nothing is left out" holds out '"not_modelled":['
    expect "$name: nothing is left out" sh -c "grep -A1 '\"not_modelled\":' out | tail -1 | grep -q '^ *\]'"
done
for assumed in "sp_colls_8 MPI_Alltoallw" "sp_halo2d-noxnb_8 MPI_Isend"; do
    run_ok convert "$ANAX_SOURCE/tests/data/otf2/${assumed% *}" -o assumed.anax
    run_ok replay assumed.anax --machine kim-72 --json
    sed -n '/"assumed":/,$p' out >assumed.json
    expect "what is assumed: ${assumed#* }" holds assumed.json "${assumed#* }"
    run_ok replay assumed.anax --machine kim-72
    expect "the text counts what was assumed" holds out "Assumed, with counts"
    expect "the text has nothing that is not modelled" sh -c '! grep -q "Not modelled" out'
    rm assumed.anax
done

# Ranks may share nodes.
run_ok replay "$trace" --machine kim-72 --ranks-per-node 4 -o shared
expect "four of the eight ranks run on each of two nodes" \
    [ "$(cells shared/ranks.csv node | sort -n | uniq -c | tr -s ' \n' ' ')" = " 4 0 4 1 " ]
finish
