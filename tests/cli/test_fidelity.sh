#!/bin/sh
# bench/fidelity.sh in its quick form: runs experiments once, judges by what was measured, draws, and
# goes on where it was.
. "$ANAX_SOURCE/tests/support/script/command.sh"
mkdir build
ln -s "$ANAX" build/anax
ln -s "$ANAX_SOURCE/bench" bench

fidelity() {
    "$ANAX_BINARY/bench/run_fidelity" "$@" >out 2>err
    code=$?
    last="run_fidelity $*"
}

# Cells of the page's row about a statement: "| no. | where | statement | measured | verdict |".
measured() { awk -F ' [|] ' -v statement="$1" '$3 == statement { print $4 }' "$page"; }
verdict() { awk -F ' [|] ' -v statement="$1" '$3 == statement { sub(/ [|]$/, "", $5); print $5 }' "$page"; }
one_link="minimal, WC: 1/(a·h)" # Kim 2008, Figure 8(b): a = 4 and h = 2, so 1/8

fidelity --quick --only 16-ugal- build
expect_code 0
expect "it says that it runs the experiments that were chosen" holds err "worst-16-ugal-l "
expect "it runs no other experiment" holds_not err "worst-16-minimal"
page=build/fidelity/quick/fidelity.md
expect "the page says that the run was a quick one" holds "$page" "A quick run"
claims=$(grep -o 'rule_[a-z0-9_]*,' bench/fidelity/fidelity_claims.c | wc -l)
expect "each claim has a row with its number and one of the four verdicts" awk -F ' [|] ' -v claims="$claims" '
    /^[|] [0-9]+ [|]/ && NF == 5 {
        rows++
        if ($1 != "| " rows) bad = 1
        if ($5 !~ /^(holds|holds in part|[*][*]does not hold[*][*]|not measured) [|]$/) bad = 1
        if (($5 ~ /not measured/) != ($4 ~ /^`[a-z0-9-]*` is not measured$/)) bad = 1 }
    END { exit bad || rows != claims || !rows }' "$page"
expect "a claim whose experiment was not run is not judged" [ "$(verdict "$one_link")" = "not measured" ]
expect "its row names the missing experiment" [ "$(measured "$one_link")" = '`worst-16-minimal` is not measured' ]
expect "ugal-l-vc keeps the throughput of ugal-g under worst-case traffic" \
    [ "$(verdict "ugal-l-vc, WC: throughput as ugal-g")" = holds ]
pictures=$(sed -n 's/^!\[.*\](fidelity\/\(.*\))$/\1/p' "$page")
expect "the page has at least five pictures" [ "$(echo "$pictures" | wc -w)" -ge 5 ]
for picture in $pictures; do
    file=build/fidelity/quick/fidelity/$picture
    last=$file
    expect "the picture $picture is there, and below 20,000 bytes" [ -s "$file" -a "$(wc -c <"$file")" -lt 20000 ]
    expect "the picture $picture is written to its end" [ "$(tail -n 1 "$file")" = "</svg>" ]
    expect "no coordinate of $picture is infinite or not a number" sh -c "! grep -qiE \"[ ='LMHV](nan|-?inf)\" $file"
    if has_program xmllint; then expect "$picture is XML" xmllint --noout "$file"; fi
done

# A second run has nothing to run, and writes the same.
cp "$page" first.md
fidelity --quick --only 16-ugal- build
expect_code 0
expect "a second run computes nothing" empty err
expect "a second run writes the same page" cmp first.md "$page"

# Verdicts follow from the numbers: other numbers, another verdict.
fidelity --quick --only worst-16-minimal build
expect_code 0
expect "the accepted load of 1/(a·h) holds" [ "$(verdict "$one_link")" = holds ]
points=$(ls build/fidelity/worst-16-minimal-*/points.csv)
awk -F, -v OFS=, '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
    NR > 1 && $column["offered_load"] == 0.3 { $column["accepted_load"] = "0.250000"; changed++ }
    { print }
    END { exit changed != 1 }' "$points" >changed
expect "a point at the load 0.3 was changed" [ $? -eq 0 ]
cp changed "$points"
fidelity --quick --only worst-16-minimal build
expect_code 0
expect "an accepted load of 0.25 is not 1/8" [ "$(verdict "$one_link")" = "**does not hold**" ]
expect "the row shows the accepted load" sh -c "echo '$(measured "$one_link")' | grep -qF 0.25000"
echo "0.1,0.1" >>"$points"
fidelity --quick --only worst-16-minimal build
expect_code 1
expect "the error names the damaged table" holds err "points.csv"

fidelity --slow build
expect_code 2
expect "the error shows how to call it" holds err "usage: "
fidelity --quick nowhere
expect_code 1
expect_in err "nowhere/anax"
finish
