#!/bin/sh
# bench/validation.sh: the page's rows are as generated, verdicts follow from the figures, and a second
# run has nothing to run.
. "$ANAX_SOURCE/tests/support/script/command.sh"
mkdir build
ln -s "$ANAX" build/anax
ln -s "$ANAX_SOURCE/machines" machines

validation() {
    "$ANAX_BINARY/bench/run_validation" "$@" >out 2>err
    code=$?
    last="run_validation $*"
}

validation --only latency --out page build
expect_code 0
expect "it says what it ran" holds err "aries-latency "
expect "no other measurement is run" holds_not err "aries-stream"
expect "the page is not empty" [ -s page/validation.md ]
expect "what was not run is not judged" grep -q '^| bandwidth of a ping-pong.*not measured' page/validation.md
grep '^| MPI latency.*\[\(aries\|slingshot\)-latency' page/validation.md >given
grep '^| MPI latency.*\[\(aries\|slingshot\)-latency' "$ANAX_SOURCE/docs/validation.md" >expected
expect "rows of the cheap rows" [ "$(wc -l <given)" -ge 11 ]
expect "docs/validation.md has them as they are" cmp given expected
sed -n '/^## Commands/,$p' page/validation.md >given
sed -n '/^## Commands/,$p' "$ANAX_SOURCE/docs/validation.md" >expected
expect "docs/validation.md has the commands as they are" cmp given expected
expect "every cheap row is met" sh -c "! grep '^| MPI latency.*-latency' page/validation.md | grep -q 'not met'"

for file in page/validation/*.svg; do
    last=$file
    expect "the picture is written to its end" [ "$(tail -n 1 "$file")" = "</svg>" ]
    if has_program xmllint; then expect "it is XML" xmllint --noout "$file"; fi
done

# A second run has nothing to run, and writes the same. A kept figure that is another gives another
# verdict.
cp page/validation.md first.md
validation --only latency --out page build
expect "nothing is run again" empty err
expect "a second run writes the same page" cmp first.md page/validation.md
echo 1.5 >"$(ls build/validation/aries-latency-8B-*)"
validation --only latency --out page build
expect "the verdict follows" grep -q '^| MPI latency.* 8B .*| 1.50 | 1.23 | 10 % | \*\*not met\*\*' page/validation.md

# The commands of the page are what anyone can type.
grep -A 4 '^\*\*aries-latency\*\*' page/validation.md | grep '^anax' >commands
expect "the page has two commands" [ "$(wc -l <commands)" -eq 2 ]
while read -r name arguments; do
    last="$name $arguments"
    # shellcheck disable=SC2086 # a list of words
    expect "the command of the page runs" "$ANAX" $arguments --quiet
done <commands >/dev/null

validation --slow build
expect_code 2
expect "the error shows how to call it" holds err "usage: "
validation nowhere
expect_code 1
expect_in err "nowhere/anax"
finish
