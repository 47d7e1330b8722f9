#!/bin/sh
# `anax traffic`: curves, keys, determinism.
. "$ANAX_SOURCE/tests/support/script/command.sh"

run_ok traffic --machine kim-72 --routing minimal --pattern uniform --load 0.2
expect "nothing on the standard error" empty err
for text in "Traffic uniform" "machine kim-72: 72 nodes" "routing minimal" "0.2000" "digest"; do
    expect_in out "$text"
done

run_ok traffic --machine kim-72 --routing minimal --pattern uniform --loads 0.1:0.3:0.1 --json
for key in schema version digest machine routing seed completed points offered_load accepted_load \
    mean_latency_ps p50_latency_ps p99_latency_ps mean_hops minimal_share stable network packets \
    packet_hops messages bytes simulation events wall_s peak_rss_bytes threads configuration; do
    expect_in out "\"$key\":"
done
expect_key out schema anax.traffic/2
expect "each of the three loads has a point" [ "$(grep -c offered_load out)" -eq 3 ]
expect "the offered loads are exact" [ "$(sed -n 's/.*offered_load":\(.*\),/\1/p' out | tr '\n' ' ')" = "0.1 0.2 0.3 " ]
expect "minimal routing is minimal" holds out '"minimal_share":1.0'
digest=$(value out digest)

# A point does not depend on the list it is in, nor on threads.
sed -n '/"offered_load":0.2,/,/digest/p' out >in_list
run_ok traffic --machine kim-72 --routing minimal --pattern uniform --load 0.2 --json
sed -n '/"offered_load":0.2,/,/digest/p' out >alone
expect "a point alone is that of the curve" cmp in_list alone
for threads in 1 2 3; do
    run_ok traffic --machine kim-72 -r minimal -p uniform --loads 0.1:0.3:0.1 --json -t $threads
    expect "the same digest with $threads threads" [ "$(value out digest)" = "$digest" ]
done
run_ok traffic --machine kim-72 -r minimal -p uniform --loads 0.1:0.3:0.1 --json --seed 2
expect "another digest with another seed" [ "$(value out digest)" != "$digest" ]

# Every pattern and policy runs.
"$ANAX" list traffic | cut -d' ' -f1 >patterns
while read -r pattern; do
    run_ok traffic --machine kim-72 --pattern "$(echo "$pattern" | sed 's/+N$/+1/')" --load 0.1
done <patterns
"$ANAX" list misrouting | cut -d' ' -f1 | grep -v '+l$' >misroutings
while read -r misrouting; do
    run_ok traffic --machine kim-72 --routing valiant --misrouting "$misrouting" --load 0.1
    [ "$misrouting" = auto ] ||
        expect "the text names it" holds out "routing valiant, misrouting $misrouting, seed"
done <misroutings
run traffic --machine kim-72 --routing minimal --misrouting crg --load 0.1
expect_code 2
expect "what does not fit" holds err "network.misrouting crg does not go with network.routing minimal"
run traffic --machine kim-72 --routing valiant --misrouting crg+l --load 0.1
expect_code 2
expect_in err "virtual channels for local misrouting"

"$ANAX" list routing | cut -d' ' -f1 >policies
while read -r policy; do
    run_ok traffic --machine kim-72 --routing "$policy" --load 0.1
done <policies

# The escape ring.
run_ok traffic --machine kim-72 --routing ofar --pattern adv+1 --load 0.9
expect "the text says how often it was entered" grep -q "escape ring  *entered [1-9][0-9]* times" out
run_ok traffic --machine kim-72 --routing ofar --pattern adv+1 --load 0.9 --json
expect "so does the JSON" grep -q '"ring_entries":[1-9]' out
run_ok traffic --machine kim-72 --routing ugal-l --pattern adv+1 --load 0.5 --json
expect "none without a ring" holds out '"ring_entries":0'
digest=$(value out digest)

# What UGAL takes for a queue.
run_ok traffic --machine kim-72 --routing ugal-l --pattern adv+1 --load 0.5 --json \
    --set network.ugal.queue=output
expect "another queue, other paths" [ "$(value out digest)" != "$digest" ]
run traffic --machine kim-72 --routing ugal-l --set network.ugal.queue=input --load 0.1
expect_code 2
expect "the error names the queue channel" holds err "channel"

# Deciding anew: those that look at queues.
for policy in minimal valiant ofar ugal-l; do
    point="traffic --machine kim-72 --routing $policy --pattern adv+1 --load 0.5 --json"
    run_ok $point
    once=$(value out digest)
    run_ok $point --set network.reroute=10
    if [ $policy = ugal-l ]; then
        expect "UGAL takes other paths if routers decide again" [ "$(value out digest)" != "$once" ]
    else
        expect "nothing to decide anew" [ "$(value out digest)" = "$once" ]
    fi
done

# Tables.
run_ok traffic --machine kim-72 --loads 0.1,0.2 -o curve
expect "several points have no table but points.csv" [ "$(ls curve)" = points.csv ]
expect "points.csv has a header and two points" [ "$(wc -l <curve/points.csv)" -eq 3 ]
run_ok traffic --machine kim-72 --load 0.1 -o point
expect "a single point has the tables of links, groups, routers and latencies" [ "$(ls point | tr '\n' ' ')" = "groups.csv latencies.csv links.csv points.csv routers.csv " ]

# Several routing policies: a curve each, the same points as alone, in any number of threads and jobs.
curves="traffic --machine kim-72 -p worst-case --loads 0.1:0.5:0.2"
run_ok $curves -r minimal,valiant,ugal-l --json -o three
expect "the policies asked for" holds out '"routing":"minimal,valiant,ugal-l"'
digest=$(value out digest)
grep -v '"wall_s"\|"peak_rss\|"threads"\|"events"\|"windows"' out >threads_default
for options in "-t 1" "-t 2" "-t 3" "-t 3 --jobs 1" "-t 4 --jobs 2" "-t 1 --jobs 5"; do
    run_ok $curves -r minimal,valiant,ugal-l --json $options
    expect "the same digest with $options" [ "$(value out digest)" = "$digest" ]
    grep -v '"wall_s"\|"peak_rss\|"threads"\|"events"\|"windows"' out >threads_other
    expect "the same result with $options" cmp threads_default threads_other
done
expect "points of three policies" [ "$(cells three/points.csv routing | tr '\n' ' ')" = \
    "minimal minimal minimal valiant valiant valiant ugal-l ugal-l ugal-l " ]
run_ok $curves -r valiant -o one
rows '@routing == "valiant"' three/points.csv >in_list
rows '@routing == "valiant"' one/points.csv >alone
expect "the curve of valiant has three points" [ "$(wc -l <alone)" -eq 3 ]
expect "a curve alone is that of several policies" cmp in_list alone
run_ok $curves -r valiant,minimal
expect "a paragraph for each policy" [ "$(grep -c '^routing ' out)" -eq 2 ]
run $curves -r minimal,valiant,minimal
expect "a policy given twice is refused" [ "$code" -eq 2 ]
expect_in err '`minimal` is given twice'
run $curves -r minimal,valliant
expect "a wrong name is refused" [ "$code" -eq 2 ]
expect "the nearest is told" holds err "valiant"
run $curves -r minimal,
expect_code 2
expect_in err "\`\` is not one of minimal, valiant"
run traffic --machine kim-72 -r minimal,valiant --print-config
expect_code 2
expect_in err "--print-config prints one configuration"
for loads in 0.1,0.2,0.1 0.1,10% 0.1:0.5:0.1,0.3 0.5,0.1:0.5:0.2; do
    run traffic --machine kim-72 --loads "$loads"
    expect "$loads: a load given twice is refused" [ "$code" -eq 2 ]
    expect "$loads: which one" holds err 'is given twice; remove one'
done
run $curves --jobs 0
expect_code 2
expect_in err "--jobs takes a number from 1 to 1024, not 0"
run traffic --machine kim-72 --loads 0.1-0.5
expect "a range of another form is refused" [ "$code" -eq 2 ]
expect "how to write one" holds err "a range is first:last:step"

# A single point's tables agree with each other and with its figures.
run_ok traffic --machine kim-72 -r ugal-l -p worst-case --load 0.3 --json -o tables
messages=$(value out messages)
within_a_percent() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a / b > 0.99 && a / b < 1.01) }'; }
sum() { rows "{ s += @$2 } END { print s + 0 }" "$1"; } # FILE COLUMN
expect "every measured message has a bin" [ "$(sum tables/latencies.csv messages)" -eq "$messages" ]
minimal=$(sum tables/latencies.csv minimal_messages)
expect "minimal ones are a part of them" [ "$minimal" -gt 0 ]
expect "not all messages are minimal" [ "$minimal" -lt "$messages" ]
expect "nodes send what the injection channels carry" [ "$(sum tables/routers.csv sent_packets)" -eq \
    "$(rows '@kind == "injection" { s += @measured_packets } END { print s }' tables/links.csv)" ]
# At 0.3 nodes keep next to nothing in their buffers; at 1 a short run fills these up.
expect "routers inject it" within_a_percent "$(sum tables/routers.csv injected_packets)" "$(sum tables/routers.csv sent_packets)"
run_ok traffic --machine kim-72 -r minimal -p worst-case --load 1 --set traffic.warmup=0ns --set traffic.measure=2us -o filling
expect "what fills the buffers is not injected" [ "$(($(sum filling/routers.csv injected_packets) * 2))" -lt \
    "$(sum filling/routers.csv sent_packets)" ]
expect "a channel is busy at most all the time" rows '@utilisation < 0 || @utilisation > 1.01 { bad = 1 }
    END { exit bad || FNR < 2 }' tables/links.csv
# 72 nodes offer 0.3 of their channels' time.
expect "injection channels carry the offered load" rows '@kind == "injection" { s += @utilisation }
    END { exit !(s / 72 > 0.27 && s / 72 < 0.33) }' tables/links.csv
expect "replays have no measurement" sh -c \
    '"$ANAX" replay examples/gromacs --machine kim-72 -o replayed >/dev/null && ! grep -q utilisation replayed/links.csv'

# What was not measured has no figures, which is not 0.
quiet="traffic --machine kim-72 --load 0.00001 --set traffic.warmup=0ns --set traffic.measure=1ps"
run_ok $quiet --json -o unmeasured
expect_in out '"messages":0'
for key in mean_latency_ps p50_latency_ps p95_latency_ps p99_latency_ps max_latency_ps mean_hops; do
    expect "$key is null in the JSON" holds out "\"$key\":null"
done
expect "a point without a measured message has empty latencies" rows '
    @offered_load != 0.00001 || @accepted_load != 0 || @messages != 0 || @unfinished != 0 { bad = 1 }
    @mean_latency_ps @p50_latency_ps @p95_latency_ps @p99_latency_ps @max_latency_ps != "" { bad = 1 }
    @minimal_mean_latency_ps @nonminimal_mean_latency_ps @accepted_mean_latency_ps != "" { bad = 1 }
    @mean_hops @minimal_share != "" { bad = 1 }
    END { exit bad || FNR != 2 }' unmeasured/points.csv
run_ok $quiet
expect "the time it took is not rounded to nothing" sh -c "grep -q '^  took .*s with' out && ! grep -q 'took *0.00 s' out"
expect "the text shows dashes for what was not measured" grep -q '^  0.0000 *0.0000  -  *-  *-  *-  *-  ' out

# Virtual channels: more than a policy has use for are refused, fewer may deadlock, which is told.
run traffic --machine kim-72 --routing minimal --load 0.1 --set network.vcs=3
expect_code 2
expect "the error says how many VCs the routing uses" holds err "network.vcs is 3, but network.routing minimal has use for 2"
run traffic --machine kim-72 --routing minimal --load 0.1 --set network.valiant=router
expect_code 2
expect "what does not fit" holds err "network.valiant router does not go with network.routing minimal"
run traffic --machine kim-72 --routing valiant --pattern adv+1 --load 1 --set network.vcs=1 \
    --set network.local.buffer=4KiB --set network.global.buffer=4KiB
expect_code 1
expect_in err "network: deadlock: "
expect "the error says how many VCs the routing needs" holds err "the routing needs 3 VCs"

# A bias is bytes times hops: a number, or the bytes of one hop.
biased="traffic --machine kim-72 -p adv+1 --load 0.2 --json --set network.routing_bias"
run_ok $biased=100000
digest=$(value out digest)
run_ok $biased=100kB
expect "100000 and 100kB are one bias" [ "$(value out digest)" = "$digest" ]
run_ok $biased=0
expect "which does something" [ "$(value out digest)" != "$digest" ]
run traffic --machine kim-72 --set network.routing_bias=9hops
expect "a bias in another unit is refused" [ "$code" -eq 2 ]
expect "the error says how to write a bias" holds err "write e.g. 960 or 960B"

# Several candidates, links by packet, paths by routers and biases by hop: other paths, the same on
# any number of threads; what contradicts each other is refused.
several="traffic --machine kim-72 -p uniform --load 0.7 --json --set network.groups=4 --routing par"
run_ok $several
digest=$(value out digest)
for setting in ugal.minimal_candidates=2 ugal.nonminimal_candidates=2 link_choice=packet \
    link_choice=shortest intragroup_paths=router routing_mode=adaptive-3 \
    routing_bias_by_hop=0:100kB; do
    run_ok $several --set network.$setting --threads 1
    one=$(value out digest)
    expect "$setting: other paths" [ "$one" != "$digest" ]
    run_ok $several --set network.$setting --threads 3 --jobs 1
    expect "$setting: on three threads, too" [ "$(value out digest)" = "$one" ]
done
run $several --set network.routing_mode=adaptive-1 --set network.routing_bias_by_hop=1:2
expect_code 2
expect_in err "network.routing_mode adaptive-1 has biases of its own"
run $several --set network.routing_bias_by_hop=1:2ns
expect_code 2
expect_in err "value 2"
run $several --set network.ugal.minimal_candidates=9
expect_code 2
expect_in err "from 1 to 8"

run_ok traffic --machine kim-72 --print-config
expect "only what matters" holds_not out "placement"
finish
