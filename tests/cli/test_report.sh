#!/bin/sh
# Reports: one page that needs nothing else, whatever the result and its names, the same from a saved
# result and with any number of threads.
. "$ANAX_SOURCE/tests/support/command.sh"
check=$ANAX_SOURCE/tests/support/page/check_page.py
if ! command -v python3 >/dev/null; then
    echo "skipped: no python3, which reads pages"
    exit 0
fi

# page MOST_BYTES LEAST_PICTURES FILE
page() {
    last="check_page.py $1 $3" code=0
    python3 "$check" "$1" "$3" >out 2>err || code=$?
    expect "a good page" [ "$code" -eq 0 ]
    expect "pictures" [ "$(sed -n 's/ pictures$//p' out)" -ge "$2" ]
}

# A replay: the same bytes with 1 to 3 threads, and from the saved result; pictures as files.
run_ok generate halo3d --ranks 72 --iterations 2 --size 32KiB -o '<script>&x.anax'
set -- replay '<script>&x.anax' -m kim-72 -p random --explain
run_ok "$@" --threads 1 --report one.html --figures figures
run_ok "$@" --threads 2 --report two.html
run_ok "$@" --threads 3 --report three.html --json
cp out result.json
expect "threads" cmp one.html two.html
expect "threads" cmp one.html three.html
run_ok report result.json --report saved.html --figures saved
expect "a saved result" cmp one.html saved.html
expect "its pictures" diff -r figures saved
page 300000 9 one.html
expect "the name" holds one.html '&lt;script&gt;&amp;x on kim-72'
for part in verdict breakdown efficiency critical-path ranks calls groups links messages placement settings \
    origin; do
    expect "part $part" holds one.html "<section id=\"$part\">"
done
for picture in breakdown critical-path ranks calls groups group-channels links latencies placement; do
    expect "a whole file" python3 -c "import xml.etree.ElementTree as e; e.parse('figures/$picture.svg')"
done
expect "the verdict first" sh -c "grep -o '<section id=\"[a-z-]*' one.html | head -1 | grep -q verdict"
expect "the JSON's figures" holds one.html "$(value result.json digest)"

# The largest results that people look at have small pages.
run_ok generate halo2d --ranks 1056 --iterations 1 -o large.anax
run_ok replay large.anax -m kim-1k --explain --report large.html
page 300000 9 large.html

# Several jobs; a run that cannot go on.
run_ok generate alltoall --ranks 16 -o alltoall.anax
run_ok replay alltoall.anax '<script>&x.anax' -m kim-1k --report jobs.html
page 300000 7 jobs.html
expect "jobs" holds jobs.html '<section id="jobs">'

# The other commands: --report says the same as `anax report` of what --json prints.
other() { # LEAST_PICTURES SECTION ARGUMENTS...
    least=$1 section=$2
    shift 2
    rm -rf other.html drawn
    run_ok "$@" --report other.html --figures drawn --json
    cp out other.json
    run_ok report other.json --report again.html --force
    expect "a saved result" cmp other.html again.html
    page 300000 "$least" other.html
    expect "part $section" holds other.html "<section id=\"$section\">"
    expect "files" [ "$(find drawn -name '*.svg' | wc -l)" -ge "$least" ]
}
other 4 trace-1 compare alltoall.anax -m kim-72 -r minimal,par -p random,block --seeds 2
expect "the baseline" holds other.html ">baseline</text>"
other 3 accepted traffic -m kim-72 -r minimal,valiant --loads 0.2:0.6:0.2 --set traffic.measure=2us
other 1 accepted traffic -m kim-72 --load 0.2 --set traffic.measure=2us
other 3 accepted traffic -m kim-72,kim-1k --loads 0.2 --set traffic.measure=1us
expect "both machines in the heading" holds other.html '<h1>uniform traffic on kim-72, kim-1k<'
expect "both machines" holds other.html 'pattern uniform on kim-72, kim-1k, 2 points.'
expect "latencies once" [ "$(grep -c 'Numbers: latencies' other.html)" -eq 1 ]
other 3 distances place alltoall.anax -m kim-72
other 6 machine-2 topology kim-1k kim-72
expect "groups" holds other.html "Each group has a link to each other one."
other 1 bisection bisection -a 3 -h 3 --arrangement helix,relative
run topology --rivals --report rivals.html
expect "no report" [ "$code" -eq 2 ]

# More candidates than a picture holds, the slowest one as the baseline: the fastest is the last of them.
# Of two curves, the first has no latency at the least load.
cat >large.py <<'PYTHON'
import json
candidates = [{"trace": "t", "machine": "m", "a": f"a-value-with-a-name-that-is-long-{i // 4}", "b": f"b{i % 4}",
               "mean_ps": 9000000 - 1000 * i, "rank": 60 - i, "baseline": i == 0, "significant": i > 0,
               "difference_share": -0.001 * i, "compute_ps": 5} for i in range(60)]
points = [dict(row, seed=seed, time_ps=row["mean_ps"] + seed) for row in candidates for seed in (71, 72)]
factors = [{"setting": key, "value": value} for key in "ab" for value in sorted({row[key] for row in candidates})]
json.dump({"schema": "anax.compare/2", "traces": [{"name": "t"}], "factors": factors, "candidates": candidates,
           "points": points, "seeds": 2}, open("many.json", "w"))
loads = [{"routing": routing, "offered_load": load, "accepted_load": load, "stable": routing == "second",
          "mean_latency_ps": 1000 * load, "p99_latency_ps": 2000} for routing in ("first", "second")
         for load in (0.25, 0.5)]
curves = [{"routing": "first"}, {"routing": "second", "throughput": 0.5}]
json.dump({"schema": "anax.traffic/2", "curves": curves, "points": loads}, open("curves.json", "w"))
loads[2]["stable"] = False
curves = [{"routing": routing} for routing in ("first", "second")]
json.dump({"schema": "anax.traffic/2", "curves": curves, "points": loads}, open("none.json", "w"))
PYTHON
python3 large.py
drawn() { # RESULT LEAST_PICTURES
    run_ok report "$1.json" --report "$1.html"
    page 300000 "$2" "$1.html"
}
drawn many 4
expect "the winner" holds many.html 'The fastest of 60 candidates is a-value-with-a-name-that-is-long-14, b3:'
expect "the baseline" holds many.html '>baseline</text>'
expect "how many" holds many.html 'have the baseline and the fastest: 40 together.'
expect "its own seed" holds many.html '<td class="n">71</td>'
expect "the best of a part" holds many.html 'a-value-with-a-name-that-is-long-11 with b3 is best of those drawn:'
expect "what is left out" holds many.html '12 candidates with other values are not in it.'
expect "cut labels of rows" holds_not many.html '>a-value-with-a-name-that-is-long-11</text>'
drawn curves 3
expect "a curve with a latency" holds curves.html 'At the least load second has the lowest mean latency'
expect "a curve with a throughput" holds curves.html 'second accepts most: a load of 50.0 %.'
run_ok report none.json --report none.html
expect "no curve" holds_not none.html 'At the least load'
expect "no throughput" holds_not none.html 'accepts most'

# What is no result: said, and nothing written. A result with odd values is drawn as far as it goes.
refused() { # TEXT ARGUMENTS
    text=$1
    shift
    run "$@"
    expect "exit code 2" [ "$code" -eq 2 ]
    expect "why: $text" holds err "$text"
}
refused "nothing to write" report result.json
refused "exists already" report result.json --report one.html
refused "exists already" report result.json --figures figures
run_ok report result.json --report one.html --force
refused "given twice" report result.json --report new.html --figures new.html
refused "would be written over" report result.json --report result.json --force
refused "missing.json" report missing.json --report new.html
echo '{"schema":"anax.list/1"}' >list.json
refused "there is no report for this (schema anax.list/1)" report list.json --report new.html
echo '{"schema":' >cut.json
refused "it ends too early" report cut.json --report new.html
expect "nothing written" [ ! -e new.html ]
cat >odd.json <<'JSON'
{"schema":"anax.replay/2","completed":true,"time_ps":"x","verdict":[1,"<b>"],"machine":{"nodes":-5,"groups":1e30},
"ranks":[1,"x",{},{"rank":0,"node":1e18,"compute_ps":1e300},{"rank":null,"compute_ps":-4}],
"calls":[{"name":7,"time_ps":1e30},[]],"critical_path":{"parts":[{"kind":"\u0000\u001b","time_ps":5},3]},
"efficiency":{"parallel":1e99},"group_channels":[{"group":-1,"kind":"global","links":0}],"group_pairs":[{}],
"link_shares":[{"kind":"local","from_share":9,"links":1}],"network":{"messages":1},"latency_bins":[{}],
"configuration":{"a":null,"b":[1]},"settings_changed":[null],"warnings":[{}],"jobs":[{},{}]}
JSON
run_ok report odd.json --report odd.html --force
last="check_page.py odd.html" code=0
python3 "$check" 300000 odd.html >out 2>err || code=$?
expect "well-formed" empty err

# In a browser, if there is one: nothing is refused, and nothing is wider than a narrow screen.
browser=
for name in chromium-headless-shell chromium; do
    if [ -z "$browser" ] && command -v "$name" >/dev/null; then browser=$name; fi
done
if [ -n "$browser" ] && [ "$failures" -eq 0 ]; then
    for width in 390 1000; do
        cat >frame.html <<HTML
<!DOCTYPE html><iframe src="large.html" width="$width" height="900" style="border:0"></iframe><script>
addEventListener("load", () => { const page = document.querySelector("iframe").contentDocument.documentElement;
document.body.append("over:" + (page.scrollWidth - page.clientWidth) + " high:" + (page.scrollHeight > 3000)); });</script>
HTML
        last="$browser at width $width" code=0
        timeout -s KILL 60 "$browser" --headless --no-sandbox --disable-gpu --allow-file-access-from-files \
            --enable-logging=stderr --dump-dom "file://$work/frame.html" >out 2>err || code=$?
        expect "nothing is wider than the screen" grep -q "over:0 high:true" out
        expect "nothing refused" holds_not err "Refused to"
    done
fi
finish
