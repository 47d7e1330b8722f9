#!/bin/sh
# `anax bisection`: the interface, exactness, pictures, wrong use.
. "$ANAX_SOURCE/tests/support/script/command.sh"

# The lines of the JSON in out: "from to local global".
lines() {
    sed -n -e 's/^ *"local_links":\([0-9]*\),.*/\1/p' -e 's/^ *"global_links":\([0-9]*\),.*/\1/p' \
        -e 's/^ *"from_alpha":"\([^"]*\)".*/\1/p' -e 's/^ *"to_alpha":"\([^"]*\)".*/\1/p' out |
        tr '\n' ' '
}

run_ok bisection -a 4 -h 2 --arrangement helix --json
expect "nothing on the standard error" empty err
expect_key out schema anax.bisection/2
expect_key out proven true
sed -n '/"lines"/,/^  \]/p' out >lines_only
mv out whole && mv lines_only out
expect "the lines of Belka's Figure 6" [ "$(lines)" = "0 5/4 4 16 5/4 5/2 14 8 5/2 4 24 4 4 inf 32 2 " ]
sed -n 's/^ *"cut":"\([01]*\)".*/\1/p' out >cuts
expect "a cut for each line" [ "$(wc -l <cuts)" -eq 4 ]
while read -r cut; do
    ones=$(printf %s "$cut" | tr -d 0)
    expect "the cut has 18 of 36 routers on each side" [ ${#cut} -eq 36 -a ${#ones} -eq 18 ]
done <cuts
mv whole out

# The same for any number of threads, but for the time it took.
grep -v wall_s out >one
for threads in 1 2 3; do
    run_ok bisection -a 4 -h 2 --arrangement helix --json --threads $threads
    grep -v wall_s out >other
    expect "$threads threads find the same bisections" cmp one other
done

# Groups, machines, settings; a machine of one's own is full unless said otherwise.
run_ok bisection -a 2 -h 2 -g 3 --json
expect_in out '"groups":3'
run_ok bisection -a 2 -h 2 --json
expect_in out '"groups":5'
run_ok bisection --machine kim-72 -a 2 --json
expect "the machine has 5 groups with 2 routers each" holds out '"groups":5'
run_ok bisection --machine kim-72 --json
expect "the machine's 9 groups" holds out '"groups":9'
expect_in out '"name":"kim-72"'
run_ok bisection -a 2 -h 1 --set network.global.bandwidth=10GB/s --set network.local.bandwidth=4GB/s
expect_in out "alpha = 5/2"
run_ok bisection -a 2 -h 1 --print-config
expect "the full size is printed" grep -q "groups: 3" out
expect "only what matters" holds_not out "placement"

# Several arrangements, table and picture.
run_ok bisection -a 2 -h 2 --arrangement relative,helix --csv table.csv --svg picture.svg --json
expect "two arrangements have a curve each" [ "$(grep -c '"arrangement"' out)" -eq 2 ]
expect "the table has the rows of both arrangements" [ "$(cells table.csv arrangement | sort -u | tr '\n' ' ')" = "helix relative " ]
expect "a picture of both" [ "$(grep -c '>relative</text>\|>helix</text>' picture.svg)" -eq 2 ]
expect "no axis of the picture begins at a negative zero" holds_not picture.svg ">-0<"
expect "lines of both, in it and in its legend" [ "$(grep -c "stroke-width='[56].0'" picture.svg)" -eq 4 ]
expect "nothing else was left" [ -z "$(find . -name '*part*')" ]
if has_program xmllint; then
    expect "the picture is well-formed XML" xmllint --noout picture.svg
fi

# Too large for a proof: says so. A time limit that comes too early: bounds, and says so.
run_ok bisection -a 12 -h 1
expect_in out "NOT proven: an upper bound by heuristic search"
run_ok bisection -a 12 -h 1 --json
expect_key out method search
expect_key out proven false
run_ok bisection -a 6 -h 3 --arrangement helix --time-limit 1s
expect_in out "proven lower bound"
expect "the limit is told" holds out "the time limit came first"

refused() { # TEXT ARGUMENTS
    text=$1
    shift
    run "$@"
    expect_code 2
    expect_in err "$text"
    expect "nothing on the standard output" empty out
}
refused "no machine" bisection
refused "no machine: give its shape with -a N and -h N" bisection -a 4
refused "at most a*h + 1 = 9" bisection -a 4 -h 2 -g 10
refused "no two halves" bisection -a 1 -h 1 -g 1
refused "circulant" bisection -a 3 -h 3 --arrangement circulant
refused "helixx" bisection -a 3 -h 3 --arrangement helixx
refused "different names" bisection -a 3 -h 3 --arrangement helix,helix
refused "different names" bisection -a 3 -h 3 --arrangement helix,
refused "one arrangement" bisection -a 3 -h 3 --arrangement helix,relative --print-config
refused "whole seconds" bisection -a 3 -h 3 --time-limit 0
refused "whole seconds" bisection -a 3 -h 3 --time-limit 5x
refused "is empty: name what to write" bisection -a 3 -h 3 --svg ""
refused "missing" bisection -a 3 -h 3 --svg missing/x.svg
refused "does not use it" bisection -a 3 -h 3 --set placement.policy=random

# The paper's figures: here the quick one, all of them by bench/studies/bisection_figures.sh.
"$ANAX_SOURCE/bench/studies/bisection_figures.sh" "$ANAX" figures 7 >out 2>err
code=$? last="bisection_figures.sh 7"
expect "all statements hold" [ "$code" -eq 0 ]
expect "at least 7 statements hold" [ "$(grep -c '^holds' out)" -ge 7 ]
expect_not_in out FAILS
finish
