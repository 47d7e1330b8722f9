#!/bin/sh
# Words of results and messages: one of a thing is not several, nothing but ASCII where the locale has
# no more, and what cannot be had is called what it is.
. "$ANAX_SOURCE/tests/support/script/command.sh"
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
LC_ALL=C
export LC_ALL

# The smallest of everything.
cat >tiny.yaml <<'YAML'
network: {groups: 1, globals_per_router: 0, routers_per_group: 1, nodes_per_router: 1}
YAML
run_ok generate halo2d --ranks 1 --iterations 1 -o one.anax
run_ok generate halo2d --ranks 2 --iterations 1 -o two.anax
few() { # WORDS ARGUMENTS...: they are said, and no "1 nodes"
    words=$1
    shift
    run "$@"
    cat out err >both
    expect_in both "$words"
    expect "one of a thing" sh -c "! sed -e '/^Replay of/d; /^Placement of/d; s/node 1//' both |
        grep -E '(^|[^0-9.,#x=-])1 (more )?[a-z-]{3,}s( |,|;|\$)'"
}
few "1 node, 1 router, 1 group, arrangement" replay one.anax -m ./tiny.yaml
few "rank, anax)" replay one.anax -m ./tiny.yaml
few "2 ranks do not fit: the machine has 1 node and takes 1 rank with" replay two.anax -m ./tiny.yaml
few "1 node, 1 router, 1 group" replay two.anax -m ./tiny.yaml -n 2
few "1 node, 1 router, 1 group" place one.anax -m ./tiny.yaml
few "there is 1" traffic -m ./tiny.yaml --load 0.1
few 'tooltip="1 node"' topology -m ./tiny.yaml --dot
few "(1 rank)" compare one.anax -m ./tiny.yaml --seeds 1
few "1 of 1 point was there" compare one.anax -m ./tiny.yaml --seeds 1
few "1 of 1 point has no time" compare two.anax -m ./tiny.yaml --seeds 1
few "1 of 1 seed has no time" compare two.anax -m ./tiny.yaml --seeds 1
few "0 local and 1 global link" bisection -a 1 -h 1
few "generate.root is 3, but there is only 1 rank;" generate bcast --ranks 1 --root 3 -o x
few "but 1 router per group with 1 global channel each can connect at most a*h + 1 = 2 groups" \
    topology kim-72 --set network.routers_per_group=1 --set network.globals_per_router=1
few "only one group; take another pattern" traffic -m ./tiny.yaml --set network.nodes_per_router=2 \
    --load 0.1 --pattern adv+1
printf '0 1\n1 1\n' >same
few "takes no more than 1 rank;" replay two.anax -m kim-72 -p rankfile --set placement.file=same

# Nodes that have failed are not taken by others.
run_ok generate halo3d --ranks 64 --iterations 1 -o many.anax
failed="--machine kim-72 --set network.failures.routers=6"
# shellcheck disable=SC2086 # a list of words
run place many.anax $failed
expect_code 2
expect "they have failed" holds err "72 nodes, of which 12 have failed, and takes 60 ranks"
# shellcheck disable=SC2086
run replay many.anax $failed --set placement.occupied=25%
expect "and others hold some" grep -Eq "of which 12 have failed and 1[0-9] are taken by others, and" err
printf 'router 0 1\n' >failures
printf '0 3\n1 4\n' >ranks
file="--machine kim-72 --set network.failures.file=failures"
# shellcheck disable=SC2086
run replay two.anax $file -p rankfile --set placement.file=ranks
expect_code 2
expect_in err "ranks:1:1: error: node 3 has failed"
expect "node 4, which works, is not reported" holds_not err "node 4"
printf '2-3\n4\n' >nodes
# shellcheck disable=SC2086
run replay two.anax $file -p nodes --set placement.file=nodes
expect_code 2
expect_in err "lists 3 nodes (of which 2 have failed), which take 1 rank at most"

# What machines have in common is told once.
run_ok compare two.anax --machine kim-72,kim-1k --seeds 1
expect "the arrangement that both machines have is told once" grep -qx 'arrangement *absolute' out
run_ok compare two.anax --machine kim-72,kim-1k --seeds 2 -a helix
expect "the arrangement that was set for both machines is told once" grep -qx 'arrangement *helix' out

# Nothing but ASCII where the locale has no more; UTF-8 where it has. Tables and JSON do not depend on
# it.
ascii() { ! grep -q '[^ -~	]' "$1"; }
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
    expect "the same otherwise" cmp other same-text
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
