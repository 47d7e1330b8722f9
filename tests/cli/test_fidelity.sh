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

fidelity --quick --only 16-ugal- build
expect_code 0
expect "it says what it ran" holds err "worst-16-ugal-l "
expect "and nothing else" holds_not err "worst-16-minimal"
page=build/fidelity/quick/fidelity.md
expect "the page is not empty" [ -s "$page" ]
expect "which says that it is quick" holds "$page" "A quick run"
claims=$(grep -c '^ *{"[A-Z][a-z]*, Fig\|^ *{"model,' bench/fidelity/fidelity_claims.c)
expect "a row for every claim" [ "$(grep -cE '^\| [0-9]+ \| (Kim|Garcia|model),' "$page")" -eq "$claims" ]
expect "what was not run is not judged" grep -q 'minimal, WC.*not measured' "$page"
expect "what was run is" grep -qE 'Kim, Fig. 9 .*(holds|does not hold)' "$page"
pictures=$(sed -n 's/^!\[.*\](fidelity\/\(.*\))$/\1/p' "$page")
expect "the page has at least five pictures" [ "$(echo "$pictures" | wc -w)" -ge 5 ]
for picture in $pictures; do
    file=build/fidelity/quick/fidelity/$picture
    last=$file
    expect "it is there, and small" [ -s "$file" -a "$(wc -c <"$file")" -lt 20000 ]
    expect "the picture is written to its end" [ "$(tail -n 1 "$file")" = "</svg>" ]
    expect "no coordinate is lost" sh -c "! grep -qiE \"[ ='LMHV](nan|-?inf)\" $file"
    if has_program xmllint; then expect "it is XML" xmllint --noout "$file"; fi
done

# A second run has nothing to run, and writes the same.
cp "$page" first.md
fidelity --quick --only 16-ugal- build
expect "nothing is run again" empty err
expect "a second run writes the same page" cmp first.md "$page"

# Verdicts follow from the numbers: other numbers, another verdict.
fidelity --quick --only worst-16-minimal build
expect "the accepted load matches 1/(a·h)" grep -q 'minimal, WC.*| holds |' "$page"
points=$(ls build/fidelity/worst-16-minimal-*/points.csv)
sed 's/^0.300000,[0-9.]*/0.300000,0.250000/' "$points" >changed
cp changed "$points"
fidelity --quick --only worst-16-minimal build
expect "an accepted load of 0.25 does not match 1/8" grep -q 'minimal, WC.*0.25000.*\*\*does not hold\*\*' "$page"
echo "0.1,0.1" >>"$points"
fidelity --quick --only worst-16-minimal build
expect "a damaged table is a failure" [ "$code" -eq 1 ]
expect "the error names points.csv" holds err "points.csv"

fidelity --slow build
expect_code 2
fidelity --quick nowhere
expect_code 1
expect_in err "nowhere/anax"
finish
