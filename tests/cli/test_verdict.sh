#!/bin/sh
# What a result says first: the verdict, by the rules of docs/model.md, 9.14, and what was run.
. "$ANAX_SOURCE/tests/support/script/command.sh"

gromacs=examples/gromacs/traces.otf2
# The text without line breaks has the words. Starting processes takes longer than reading it.
says() {
    text=''
    while read -r part; do text="$text$part "; done <out
    case $text in *"$1"*) return 0 ;; *) return 1 ;; esac
}

# pattern ARGUMENTS: makes a trace and replays it.
pattern() {
    of=$1
    shift
    run_ok generate $of --force -o trace.anax
    run_ok replay trace.anax --machine kim-72 "$@"
}

# Each bound, where it is known which one it must be.
pattern "halo2d --ranks 16 --compute 1ms"
expect "the first sentence says that computation bounds the run" sh -c "head -1 out | grep -q '^Computation bounds the run: it is 9[0-9]'"
expect "no change is recommended" sh -c "! grep -q '^Try' out"
pattern "incast --ranks 32 --size 64KiB" --routing minimal
expect "incast is bound by contention" says "Contention bounds the run"
expect "the busiest link leads to the node that receives" says "busiest links are ejection router 0 -> node 0"
expect "no routing is recommended" sh -c "! grep -q '^Try network' out"
expect "routing gains at most a tenth" says "; routing alone at most 1.1"
expect "the reason is the busy ejection channel" says " times, since ejection router 0 -> node 0 is busy for "
run_ok replay trace.anax --machine kim-72 --routing minimal --explain
expect "without contention the ejection channel still limits the run" says "if nothing but the busiest channel of a node limited it (1.1"
# A gain of routing of 1 % or less is none, and a node without ranks limits nothing.
pattern "stream --ranks 2 --size 1MiB" --routing minimal
expect "a gain of at most 1 % is not mentioned" sh -c "! tr '\n' ' ' <out | grep -q 'routing alone'"
hotspot="background.load=0.3 background.pattern=hotspot background.hotspot_node=60 background.hotspot_share=0.9"
for explain in "" --explain; do
    # shellcheck disable=SC2046,SC2086 # several settings
    pattern "halo3d --ranks 32 --iterations 3 --size 64KiB" $explain $(printf ' --set %s' $hotspot)
    expect "$explain: the link of the background traffic is the busiest" says "ejection router 30 -> node 60 (busy 1"
    expect "$explain: the link of the background traffic limits nothing" sh -c "! tr '\n' ' ' <out | grep -q 'routing alone\|channel of a node'"
done
expect "the times without contention leave out the background" says "without contention"

# Waits in collectives are told by their causes.
pattern "alltoall --ranks 64 --size 64KiB"
expect "large collectives are bound by distance and bandwidth" says "Distance and bandwidth bound the run"
expect "contention comes second" says ". The next largest part is contention (3"
expect "the verdict points to --explain" says "times faster (--explain finds what each of them can gain)"
pattern "allreduce --ranks 16 --size 8B --compute 1ms" --set noise.kind=gaussian --set noise.share=200%
expect "noise makes late partners bound the run" says "Late partners bound the run"
expect "waits of less than 0.1 % are left out, so collectives come first" says "is waiting for them: 65.3 % for partners in collectives; rank"
expect "no busiest link is named" sh -c "! tr '\n' ' ' <out | grep -q 'busiest links are'"
expect "computation comes second" says ". The next largest part is computation ("
pattern "halo2d --ranks 16 --size 8B --compute 0ns"
expect "small messages are bound by overheads" says "The processors' work for messages bounds the run"
pattern "random-pairs --ranks 64 --size 64KiB --compute 0ns"
expect "the verdict names distance and bandwidth" says "Distance and bandwidth bound the run"

# Two jobs: one computes longer, which is no imbalance, and the later one ends last by its start.
run_ok generate halo2d --ranks 4 --compute 10us -o short.anax
run_ok generate halo2d --ranks 4 --compute 100us -o long.anax
run_ok replay short.anax long.anax --machine kim-72
expect_not_in out "times as long as the mean"
printf 'jobs: [{trace: short.anax}, {trace: short.anax, start: 5ms}]\n' >late.yaml
run_ok replay --jobs late.yaml --machine kim-72
expect "the start is no work" says "for the start of a job at 5.000 ms, and the computation and overheads of rank 4"
expect "the start of a job is nothing to gain from" says "cannot make it 1 % faster"
run_ok replay --jobs late.yaml --machine kim-72 --explain
expect "the critical path says the same of a late start" says "Placement, routing and network cannot make it 1 % faster"
run_ok replay $gromacs --machine kim-72 --json -o tables
cp out json
run_ok replay $gromacs --machine kim-72
expect "the verdict names the protocol" says "The rendezvous protocol bounds the run"

# The sentences are those of the JSON, and their numbers those of the ranks.
expect "the verdict in JSON is three sentences" [ "$(sed -n '/"verdict":/,/\]/p' json | grep -c '\.",*$')" -eq 3 ]
expect "the text has the sentence of the JSON" says "$(sed -n '/"verdict":/,/\]/s/^ *"\(The rendezvous.*\)",*$/\1/p' json)"
expect "the limit is that of the busiest rank" rows 'NR == FNR {
    busy = @compute_ps + @send_overhead_ps + @receive_overhead_ps + @reduction_ps
    if (busy > least) { least = busy; rank = @rank } next }
    /If nobody waited/ { found = index($0, sprintf("take %.1f ms", least / 1e9)) > 0 &&
        index($0, "of rank " rank ":") > 0 } END { exit !found }' tables/ranks.csv json

# The recommendation, and its gain: what a replay with it gives.
expect "an eager threshold that all messages fit" says "Try mpi.eager_threshold=64KiB (--advise"
run_ok replay $gromacs --machine kim-72 --set mpi.eager_threshold=64KiB --json
after=$(value out time_ps)
before=$(value json time_ps)
gain=$(awk "BEGIN { printf \"%.2f\", 100 * ($before - $after) / $before }")
run_ok replay $gromacs --machine kim-72 --advise
expect "the verdict states the gain that the replay with the change had" says "With mpi.eager_threshold=64KiB the run takes 1.625 s, $gain % less."
expect "the result is that of the run itself" holds out "$(value json digest)"
pattern "stream --ranks 32 --size 64KiB" --routing minimal --advise
expect "the better one of two changes" says "With placement.policy=random the run takes"
better=$(tr '\n' ' ' <out | sed 's/.*=random the run takes \([^,]*\),.*/\1/')
run_ok replay trace.anax --machine kim-72 --routing minimal --placement random
expect "$better is its time" holds out "Predicted time          $better"
# A change with which packets block each other for ever is named.
pattern "both-ways --ranks 72 --size 64KiB" --routing minimal --set network.vcs=1 --advise
expect "a change that cannot be replayed" says "network.routing=ugal-l could not be replayed."
expect "the other advice is there as well" says "placement.policy=random"
pattern "stream --ranks 32 --size 64KiB" --routing minimal
expect "the verdict recommends another routing policy" says "Try network.routing=ugal-l"
pattern "allreduce --ranks 64 --size 8B --compute 0ns"
expect "links that are hardly busy need no change" sh -c "! grep -q '^Try' out"
pattern "stream --ranks 32 --size 64KiB" --routing ugal-l --advise
expect "the verdict recommends another placement" says "placement.policy=random"

# A time that differs from the recorded span is explained; what anax wrote is no recording.
run_ok replay $gromacs --machine kim-72
expect "the text says why the predicted time differs" says "The predicted time is 0.53 times the recorded span. A rank computes"
run_ok replay $gromacs --machine kim-72 --set replay.compute_scale=3
expect "the verdict says that scaled computation is another run" says "replay.compute_scale makes it another run than the recorded one."
pattern "halo2d --ranks 4"
expect "a generated trace has no recorded span" holds_not out "recorded span"

# What was run: ranks of a node, failures that were drawn.
for command in replay place; do
    run_ok $command $gromacs --machine kim-72 -n 4 --set network.failures.globals=3
    expect "$command: ranks of a node" holds out "placement block, 4 ranks per node, seed 1"
    expect_in out "failed: 0 routers, 0 local and 3 global links"
    expect_in out "network.failures.globals=3 (kim-72: 0)"
done
run_ok traffic --machine kim-72 --load 0.1 --set network.failures.routers=1
expect_in out "failed: 1 router, 3 local and 2 global links"
run_ok bisection -a 3 -h 1 --arrangement helix --set network.failures.locals=1
expect_in out "failed: 0 routers, 1 local and 0 global links"

# Two results side by side: every difference is that of the results themselves.
run_ok replay $gromacs --machine kim-72 --set mpi.eager_threshold=64KiB --json
cp out after.json
run_ok diff json after.json
expect "no line is longer than 80 characters" awk 'length($0) > 80 { exit 1 }' out
expect "the text says which result is the first" sh -c 'grep -q "^first: json: " out && grep -q "^second: after.json: " out'
expect "the text has both predicted times and their difference" grep -q '^Predicted time  *1.695 s  *1.625 s  *-70.47 ms (-4.16 %)$' out
expect "the cause that changed most comes first" sh -c "grep -A1 '^By cause' out | grep -q '^  late receivers .*-'"
expect "the text has the changes by rank" grep -q '^  and [0-9]* more that changed$\|^By rank' out
run_ok diff json after.json --json
cp out diff.json
ranks() { sed -n '/"ranks":/,/"jobs":/p' "$1" | awk -F: '/"wait_late_sender_ps"/ { s += $2 } END { printf "%.0f", s }'; }
expect "a cause adds up over the ranks" awk -F: -v first="$(ranks json)" -v second="$(ranks after.json)" '
    /"name":"late senders"/ { here = 1 } here && /first_ps/ { a = $2 + 0 }
    here && /second_ps/ { b = $2 + 0 } here && /difference_ps/ { exit !(a == first && b == second && $2 + 0 == b - a) }
    END { if (!here) exit 1 }' diff.json
run_ok diff json json
expect "a result is equal to itself" [ "$(grep -c '%' out)" -eq 1 ]
run_ok replay trace.anax --machine kim-72 --json
cp out other.json
run_ok diff json other.json
expect "a call that only one has takes no time in the other" grep -q '^  MPI_Sendrecv .* 0 ps  ' out
# A time that one of the results does not have is unknown, not 0; waits for I/O nodes are a cause.
parts='"compute_ps":1,"send_overhead_ps":0,"receive_overhead_ps":0,"reduction_ps":0,"wait_late_sender_ps":0,
"wait_late_receiver_ps":70,"wait_transit_ps":0,"wait_queueing_ps":0,"collective_ps":0'
of() { echo "{\"schema\":\"anax.replay/2\",\"time_ps\":71,\"ranks\":[$1],\"calls\":[],$2}"; }
of "{$parts,\"wait_storage_ps\":60,\"time_ps\":71},{$parts,\"time_ps\":71}" \
    '"regions":[{"name":"solve","time_ps":9}],"busiest_links":[{"kind":"local","busy_ps":5}]' >some.json
of "{$parts,\"wait_storage_ps\":20,\"time_ps\":71}" '"regions":[],"busiest_links":[]' >fewer.json
run_ok diff some.json fewer.json
expect "the text has the change of the time at I/O nodes" grep -q '^  I/O nodes  *60 ps  *20 ps  *-40 ps (-66.67 %)$' out
expect "late receivers without them" grep -q '^  late receivers  *80 ps  *50 ps  *-30 ps (-37.50 %)$' out
expect "a rank of one result" grep -q '^  1  *71 ps  *-  *no such rank$' out
expect "a region of one result" grep -q '^  solve  *9 ps  *-  *not recorded$' out
expect "links of one result" grep -q '^  local  *5 ps  *-  *not among the busiest$' out
run_ok diff some.json fewer.json --json --report fewer.html
expect "three times without a difference" [ "$(grep -c '"difference_ps":null' out)" -eq 3 ]
expect "neither on a page" holds fewer.html '<td>local</td><td>5 ps</td><td>not among the busiest</td><td>unknown</td>'
expect "a rank that one result lacks is told" holds fewer.html '<td>1</td><td>71 ps</td><td>no such rank</td><td>unknown</td>'
expect "no row of both results" holds fewer.html 'No row of the table is in both results: '
expect "what cannot be compared" holds fewer.html 'by kind cannot be compared.'
of "{$parts,\"wait_storage_ps\":90,\"time_ps\":71}" '"calls":[]' >fewer.json
run diff some.json fewer.json
expect "more storage than late receivers" holds err "rank 0 has no wait_storage_ps that is part of wait_late_receiver_ps"
echo '{"schema":"anax.replay/2"}' >empty.json
head -c 2000 json >half.json
run_ok info $gromacs --json
cp out info.json
for wrong in "empty.json|it has no time_ps" "half.json|it ends too early" "info.json|this is no result of a replay" \
    "nowhere.json|nowhere.json" "tables/ranks.csv|this is no JSON object"; do
    run diff json "${wrong%|*}"
    expect "exit code 2: ${wrong%|*}" [ "$code" -eq 2 ]
    expect_in err "${wrong#*|}"
    expect "the error names the file" holds err "${wrong%|*}"
done

# Of an explained run the path and the ideal machines speak; their numbers are those of the tables.
pattern "stream --ranks 32 --size 64KiB" --routing minimal --explain
expect "contention on the path" says "Contention bounds the run: waiting of messages behind other messages is 9"
expect "what routing can gain" says " %, if it avoids all contention"
expect "the verdict states an upper bound of the gain" says "; it can gain at most "
run_ok replay trace.anax --machine kim-72 --routing minimal --explain --json -o explained
expect "the verdict names the share of queueing in the path" rows 'NR == FNR { all += @time_ps; if (@kind == "queueing") part += @time_ps; next }
    /is [0-9.]* % of the critical path/ { found = index($0, sprintf("is %.1f %% of", 100 * part / all)) > 0 }
    END { exit !found }' explained/critical_path_parts.csv out
expect "the limit of routing, the busiest channel of a node" awk '
    FILENAME ~ /links/ { split($0, cell, ","); if (FNR == 1) { for (i in cell) if (cell[i] == "busy_ps") at = i; next }
        if ((cell[1] == "injection" || cell[1] == "ejection") && cell[at] > busy) busy = cell[at]; next }
    /"time_ps"/ && !t { split($0, part, "[:,]"); t = part[2] }
    /limited it/ { text = $0 }
    END { exit !index(text, sprintf("a node limited it (%.2f times faster: all that routing can gain)", t / busy)) }
    ' explained/links.csv out
pattern "alltoall --ranks 64 --size 64KiB" --explain --json
expect "without watched channels the verdict names the run without contention" awk -F'[:,]' '/"time_ps"/ && !t { t = $2 } /"distance_ps"/ { d = $2 }
    /without contention/ { text = $0 } END { exit !index(text, sprintf("without contention (%.2f times faster: all that routing can gain)", t / d)) }' out
pattern "halo2d --ranks 16 --size 8B --compute 0ns" --explain
expect "the host on the path" says "work for messages bounds the run: it is 9"
pattern "halo2d --ranks 16 --compute 1ms" --explain
expect "computation on the path" says "Computation bounds the run: it is 99."
finish
