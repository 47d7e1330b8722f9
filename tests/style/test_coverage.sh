#!/bin/sh
# .ci/coverage prints the coverage of each room and fails below its floors.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

judge() { # EXPECTED-CODE TEXT LINE...
    expected=$1 text=$2
    shift 2
    printf '%s\n' "$@" >"$work/table.csv"
    code=0
    sh "$ANAX_SOURCE/.ci/coverage" "$work/table.csv" >"$work/out" 2>&1 || code=$?
    if [ "$code" -ne "$expected" ] || ! grep -qF "$text" "$work/out"; then
        echo "expected exit code $expected and \`$text\`, found $code and:"
        cat "$work/out"
        status=1
    fi
}
head="filename,line_total,line_covered,line_percent,branch_total"
judge 0 "core      93.33 % of   300 lines" "$head" core/a.c,200,200,1.0,0 core/b.c,100,80,0.8,0
judge 0 "all       93.00 % of   200 lines" "$head" api/a.c,100,93,0.93,0 cli/main/a.c,100,93,0.93,0
judge 1 "core/b.c: 79.0 % of 100 lines; a file has at least 80 %" "$head" core/a.c,900,900,1.0,0 \
    core/b.c,100,79,0.79,0
judge 1 "core/b.h: 70.0 % of 10 lines; a file has at least 80 %" "$head" core/a.c,900,900,1.0,0 \
    core/b.h,10,7,0.7,0
judge 0 "core      99.89 % of   902 lines" "$head" core/a.c,900,900,1.0,0 core/b.h,2,1,0.5,0
judge 1 "coverage: below 93 %" "$head" core/a.c,1000,929,0.92,0
judge 1 "coverage: no lines were counted" "$head"
judge 1 "coverage: this is no table of .ci/executed_lines" "name,percent" core/a.c,100
exit $status
