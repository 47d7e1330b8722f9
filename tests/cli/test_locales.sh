#!/bin/sh
# Texts have only ASCII where the locale has no more, and UTF-8 where it has. Tables and JSON do not
# depend on the locale. What is cut of a long value is whole characters.
. "$ANAX_SOURCE/tests/support/script/command.sh"
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
LC_ALL=C
export LC_ALL

ascii() { ! grep -q '[^ -~	]' "$1"; }
run_ok generate halo3d --ranks 64 --iterations 1 -o many.anax
run_ok generate halo2d --ranks 1 --iterations 1 -o one.anax
compare="compare many.anax --machine kim-72 --placement random,block --seeds 3"
# shellcheck disable=SC2086
run_ok $compare -o tables
expect "the text has only ASCII" ascii out
expect_in out "+- "
cp out text
# shellcheck disable=SC2086
run_ok $compare --json
cp out json
run_ok traffic -m kim-72 -r minimal --loads 0.1:0.5:0.2 --seeds 3 --set traffic.warmup=1us --set traffic.measure=2us
expect "ASCII of traffic" ascii out
expect_in out "+- "
if locale -a 2>/dev/null | grep -qix 'C.utf-*8'; then
    LC_ALL=C.UTF-8
    # shellcheck disable=SC2086
    run_ok $compare -o again
    expect_in out "± "
    sed 's/± /+- /g' out | tr -s ' ' >other
    tr -s ' ' <text >same-text
    expect "the text is otherwise the same in both locales" cmp other same-text
    expect "columns stand below each other" [ "$(awk '/mean time/ { print index($0, "to baseline") }' text)" = \
        "$(awk '/mean time/ { print index($0, "to baseline") }' out)" ]
    # shellcheck disable=SC2086
    run_ok $compare --json
    expect "the JSON has no ASCII form" cmp out json
    expect "the tables have no ASCII form" diff -r tables again
    LC_ALL=C
fi
for command in replay place traffic compare info convert export generate topology bisection list help; do
    run_ok help $command
    expect "the text has only ASCII" ascii out
done
"$ANAX" list | cut -d' ' -f1 >families
while read -r family; do
    run_ok list "$family"
    expect "the text has only ASCII" ascii out
done <families
run_ok replay --machine kim-72 --print-config
expect "the text has only ASCII" ascii out
for wrong in "traffic --machine kim-72 --pattern adv+99" "compare one.anax -m kim-72 --vary seed" \
    "traffic --machine kim-72 --pattern hotspot --load 0.1 --set traffic.hotspot_node=99"; do
    # shellcheck disable=SC2086
    run $wrong
    expect_code 2
    expect "errors have only ASCII" ascii err
done

# What is cut of a long value is whole characters.
long=$(printf 'x%.0s' $(seq 59))
run replay one.anax --machine "kim-72" --set network.routing="$longääää"
expect "a list of choices" holds err "is not one of"
for head in x xx; do
    run replay one.anax --machine kim-72 --set network.packet="$head${long#xx}$(printf 'ä%.0s' $(seq 20))"
    expect_code 2
    expect "errors are valid UTF-8" iconv -f UTF-8 -t UTF-8 err
done
finish
