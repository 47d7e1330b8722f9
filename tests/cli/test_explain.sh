#!/bin/sh
# The critical path adds up to the predicted time whatever is replayed, its derivatives are those of
# the time where there is no contention, and explaining changes no result.
. "$ANAX_SOURCE/tests/support/script/command.sh"

# The sum of the times in a CSV file.
sum() { rows '{ s += @time_ps } END { printf "%.0f\n", s }' "$1"; }

# The steps of a file follow each other up to the end that is given, and none is longer than its
# message's waiting. Prints where the first one begins.
begins() {
    awk -F, -v end="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        {
            call = $column["name"]; from = $column["from_ps"]; to = $column["to_ps"]
            kind = $column["cause"]; sender = $column["from_rank"]; waited = $column["queueing_ps"]
        }
        NR == 2 { begin = last = from }
        from != last { bad = NR ": a gap" }
        to < from { bad = NR ": an end before the begin" }
        kind == "computation" && call ~ /^"MPI_/ { bad = NR ": computation in a call" }
        kind != "computation" && call != "" && call !~ /^"MPI_/ { bad = NR ": " kind " outside calls" }
        (sender != "") != (kind == "message" || kind == "rendezvous" || kind == "departure") { bad = NR ": sender" }
        waited > to - from { bad = NR ": more waiting than time" }
        { last = to }
        END { if (bad || last != end) print "line " bad; else print begin }' "$1"
}

# Replays with the arguments: the parts add up, on one thread and in turn on 2 or 3 threads alike.
several=3
explain() {
    several=$((5 - several)) # 2 and 3 threads in turn: both for all cases would take too long
    run_ok replay "$@" --json
    digest=$(value out digest)
    expect "no path unless asked for" holds_not out '"critical_path"'
    for threads in 1 $several; do
        steps=20
        [ "$threads" -eq 1 ] || steps=all
        rm -rf "path$threads"
        run_ok replay "$@" --explain --path-steps $steps --threads "$threads" --json \
            -o "path$threads"
        expect "explaining leaves the digest" [ "$(value out digest)" = "$digest" ]
        expect "the parts add up" \
            [ "$(sum "path$threads/critical_path_parts.csv")" = "$(value out time_ps)" ]
        for table in critical_path_parts critical_path_channels sensitivity; do
            expect "$table.csv is the same on any number of threads" cmp path1/$table.csv "path$threads/$table.csv"
        done
    done
    expect "all steps of the path" \
        [ "$(begins "path$several/critical_path_steps.csv" "$(value out time_ps)")" = 0 ]
    tail -n +2 path1/critical_path_steps.csv >kept
    tail -n +2 "path$several/critical_path_steps.csv" | tail -n 20 >last
    expect "the same steps, which are the last ones of all" cmp last kept
}

for pattern in halo2d alltoall sweep3d; do
    run_ok generate "$pattern" --ranks 24 --iterations 2 --force -o "$pattern.anax"
    explain "$pattern.anax" --machine kim-72 --placement random --routing minimal
    explain "$pattern.anax" --machine kim-72 --placement random --routing ugal-l \
        --set mpi.eager_threshold=0 --set mpi.progress=software
    explain "$pattern.anax" --machine kim-72 --ranks-per-node 2 --routing valiant \
        --set noise.kind=gaussian --set mpi.send_overhead=1us --set mpi.receive_overhead_per_kib=10ns
done
for archive in "$ANAX_SOURCE"/tests/data/otf2/*/; do
    explain "$archive" --machine kim-72
done

# Derivatives: a chain of messages without contention. Each setting grows by 0.1 %.
run_ok generate sweep3d --ranks 3 --iterations 3 --force -o chain.anax
on_machine() { # TRACE OPTION...
    trace=$1
    shift
    run_ok replay "$trace" --machine kim-72 --placement random --routing minimal \
        --set network.router.latency=200ns --set network.global.latency=1us --set mpi.send_overhead=2us \
        --set mpi.receive_overhead=3us --set mpi.send_completion_per_kib=1us \
        --set network.terminal.bandwidth=10GB/s --set network.local.bandwidth=10GB/s \
        --set network.global.bandwidth=4GB/s "$@"
}
chain() { on_machine chain.anax "$@"; }
chain --explain --json -o chain
before=$(value out time_ps)
while read -r setting from to; do
    derivative=$(rows '@setting == wanted { print @derivative }' wanted="$setting" chain/sensitivity.csv)
    chain --set "$setting=$to" --json
    changed=$(($(value out time_ps) - before))
    by=0.1 # percent
    [ "${to%ps}" = "$to" ] || by=$((${to%ps} - ${from%ps}))
    expect "$setting: $changed ps, derivative $derivative" awk -v d="$derivative" -v c="$changed" -v by="$by" \
        'BEGIN { e = d * by; x = c - e; if (x < 0) x = -x; if (e < 0) e = -e; exit !(e > 0 && x <= e / 100) }'
done <<END
network.router.latency 200000ps 200200ps
network.global.latency 1000000ps 1001000ps
mpi.send_overhead 2000000ps 2002000ps
mpi.receive_overhead 3000000ps 3003000ps
mpi.send_completion_per_kib 1us 1001ns
network.terminal.bandwidth 10 10010000000B/s
network.global.bandwidth 4 4004000000B/s
replay.compute_scale 1 1.001
END

# How far the derivatives hold: each of these settings changes by a little less than it may, both ways.
run_ok replay chain.anax --machine kim-72 --placement random --routing minimal --explain --json -o range
unchanged=$(value out time_ps)
expect "the range in which a derivative holds is not empty" [ "$(value out margin_ps)" -gt 0 ]
while read -r setting was unit; do
    for way in up=+1 down=-1; do
        to=$(rows "@setting == wanted { h = @holds_${way%=*}"'
            if (h == "" || h > 0.9) h = 0.9; printf "%d", was * (1 + 0.98 * way * h) }' \
            wanted="$setting" was="$was" way="${way#*=}" range/sensitivity.csv)
        expected=$(rows '@setting == wanted {
            printf "%.0f", @unit == "ps" ? @derivative * (to - was) : @effect_ps * (to - was) / was }' \
            wanted="$setting" was="$was" to="$to" range/sensitivity.csv)
        run_ok replay chain.anax --machine kim-72 --placement random --routing minimal --set "$setting=$to$unit" --json
        changed=$(($(value out time_ps) - unchanged))
        expect "$setting=$to$unit changes the time by $changed ps, not $expected" \
            awk -v e="$expected" -v c="$changed" 'BEGIN { exit !(c - e <= 100 && e - c <= 100) }'
        expect "$setting=$to is another value" [ "$to" -ne "$was" ]
    done
done <<END
network.router.latency 100000 ps
mpi.send_overhead 250000 ps
mpi.receive_overhead 250000 ps
network.global.latency 150000 ps
END
run_ok replay chain.anax --machine kim-72 --explain --set mpi.progress=software --json -o unknown
expect "nothing is known where order decides" [ "$(value out margin_ps)" -eq 0 ]
expect "no setting has a range" rows '@holds_up > 0 || @holds_down > 0 { bad = 1 } END { exit bad || FNR < 2 }' unknown/sensitivity.csv

# What messages of the path waited for, by channel: all of the queueing where there are few.
queueing() { rows '@kind == "queueing" { s += @time_ps } END { printf "%.0f\n", s }' "$1"; }
run_ok generate incast --ranks 5 --iterations 2 --size 64KiB --force -o incast.anax
run_ok replay incast.anax --machine kim-72 --routing minimal --explain --json -o incast
expect "the critical path of an incast waits in queues" [ "$(queueing incast/critical_path_parts.csv)" -gt 0 ]
expect "the channels have all queueing of the path" [ "$(sum incast/critical_path_channels.csv)" = \
    "$(queueing incast/critical_path_parts.csv)" ]
expect "the channel to the root has a row" rows '
    @kind == "ejection" && @source == 0 && @destination == 0 { found = 1 } END { exit !found }' incast/critical_path_channels.csv
run_ok replay incast.anax --machine kim-72 --routing minimal --explain
expect "the text names a channel between routers" grep -q '^    local  *[0-9.]* %  router 1 to router 0$' out

# Routers of several rails have numbers of their own, as links have.
run_ok replay incast.anax --machine kim-72 --routing minimal --set network.rails=2 \
    --set network.rail_choice=packet --path-steps all --json -o rails
expect "the path goes over routers of the second rail" grep -Eq '"?3[67]>3[678]' rails/critical_path_steps.csv

# Where channels between routers are slow, several paths can be faster than the one of T_distance.
run_ok replay incast.anax --machine kim-72 --routing ugal-l --set network.local.bandwidth=5GB/s --explain
expect "the gain without contention supposes one path for each message" sh -c "tr '\n' ' ' <out | grep -q 'without contention with one path for each message\|without contention (.* times faster with one path for each message'"

# The path in a timeline: a location of its own, which MPI ranks do not know.
chain --path-steps all --json --timeline timeline
expect "the timeline leaves the time" [ "$(value out time_ps)" = "$before" ]
run_ok info timeline/traces.otf2
expect "the timeline has a location for the path" grep -q '^locations  *4$' out
expect "the timeline has no rank more" grep -q '^ranks  *3$' out
if has_program otf2-print; then
    otf2-print timeline/traces.otf2 >events 2>errors
    expect "the timeline is well-formed" [ ! -s errors ]
    expect "the path goes from the start to the end of the run" awk -v end="$before" '$2 == 3 && $1 == "ENTER" && !begin { begin = $3 }
        $2 == 3 { last = $3 } END { exit !(begin == 1e12 && last == 1e12 + end) }' events
    expect "steps of the path are named in the timeline" grep -q '^LEAVE .* 3 .*"message: MPI_' events
fi
on_machine timeline/traces.otf2 --json
expect "it replays as before" [ "$(value out time_ps)" = "$before" ]

# POP: half of the ranks compute twice as long.
run_ok replay chain.anax --machine kim-72 --explain
expect "the text has the efficiencies" holds out 'load balance'
expect "the text has the steps of the path" grep -q '^ *[0-9]* *[0-9.]* *[0-9.]*  message from [0-9]* *MPI_' out
expect "no blanks at the end of a line" sh -c "! grep -q ' \$' out"
run replay chain.anax --machine kim-72 --path-steps 0
expect_code 2
expect "the error says: --path-steps takes a number from 1 to 1000000, or all, not 0" holds err '--path-steps takes a number from 1 to 1000000, or all, not 0'
chain --per-iteration iteration --json -o parts
expect_in out '"critical_path"'
for time in time_ps ideal_ps hosts_ps distance_ps; do
    expect "$time of iterations adds up" \
        [ "$(rows "{ s += @$time } END { printf \"%.0f\", s }" parts/efficiency_iterations.csv)" = "$(value out $time)" ]
done
for table in regions iterations; do
    expect "the factors in the table of $table multiply to the efficiency" rows '
        { parts++; p = @load_balance * @serialisation * @transfer - @parallel
          t = @transfer_hosts * @transfer_distance * @transfer_contention - @transfer }
        p > 1e-5 || p < -1e-5 || t > 1e-5 || t < -1e-5 { bad = 1 }
        END { exit bad || !parts }' parts/efficiency_$table.csv
done
expect "the table has a row for each of three iterations" [ "$(tail -n +2 parts/efficiency_iterations.csv | wc -l)" -eq 3 ]
expect "a region takes the time of its slowest rank" [ "$(cells parts/efficiency_regions.csv time_ps)" = \
    "$(cells parts/regions.csv most_ps)" ]
chain --per-iteration iteration
expect "efficiencies of parts for people" grep -q '^    3  *[0-9.]* %  *[0-9.]* %  *[0-9.]* %  *[0-9.]* %$' out
run replay chain.anax --machine kim-72 --per-iteration iteratio
expect_code 2
expect "the error has the nearest name of a region" holds err 'did you mean `iteration`'
run traffic --machine kim-72 --explain
expect_code 2
expect_in err "there is no option --explain"
finish
