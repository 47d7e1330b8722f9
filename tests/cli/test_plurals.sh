#!/bin/sh
# Results and messages have the singular for one thing.
. "$ANAX_SOURCE/tests/support/script/command.sh"
XDG_CACHE_HOME=$work/cache
LC_ALL=C
export XDG_CACHE_HOME LC_ALL
# The smallest of everything.
cat >tiny.yaml <<'YAML'
network: {groups: 1, globals_per_router: 0, routers_per_group: 1, nodes_per_router: 1}
YAML
run_ok generate halo2d --ranks 1 --iterations 1 -o one.anax
run_ok generate halo2d --ranks 2 --iterations 1 -o two.anax
says_one() { # WORDS ARGUMENTS...: the output has the words, and nowhere "1 nodes"
    words=$1
    shift
    run "$@"
    cat out err >both
    expect_in both "$words"
    expect "no plural follows the number 1" sh -c "! sed -e '/^Replay of/d; /^Placement of/d; s/node 1//' both |
        grep -E '(^|[^0-9.,#x=-])1 (more )?[a-z-]{3,}s( |,|;|\$)'"
}
says_one "1 node, 1 router, 1 group, arrangement" replay one.anax -m ./tiny.yaml
says_one "rank, anax)" replay one.anax -m ./tiny.yaml
says_one "2 ranks do not fit: the machine has 1 node and takes 1 rank with" replay two.anax -m ./tiny.yaml
says_one "1 node, 1 router, 1 group" replay two.anax -m ./tiny.yaml -n 2
says_one "1 node, 1 router, 1 group" place one.anax -m ./tiny.yaml
says_one "there is 1" traffic -m ./tiny.yaml --load 0.1
says_one 'tooltip="1 node"' topology -m ./tiny.yaml --dot
says_one "(1 rank)" compare one.anax -m ./tiny.yaml --seeds 1
says_one "1 of 1 point was there" compare one.anax -m ./tiny.yaml --seeds 1
says_one "1 of 1 point has no time" compare two.anax -m ./tiny.yaml --seeds 1
says_one "1 of 1 seed has no time" compare two.anax -m ./tiny.yaml --seeds 1
says_one "0 local and 1 global link" bisection -a 1 -h 1
says_one "generate.root is 3, but there is only 1 rank;" generate bcast --ranks 1 --root 3 -o x
says_one "but 1 router per group with 1 global channel each can connect at most a*h + 1 = 2 groups" \
    topology kim-72 --set network.routers_per_group=1 --set network.globals_per_router=1
says_one "only one group; take another pattern" traffic -m ./tiny.yaml --set network.nodes_per_router=2 \
    --load 0.1 --pattern adv+1
printf '0 1\n1 1\n' >same
says_one "takes no more than 1 rank;" replay two.anax -m kim-72 -p rankfile --set placement.file=same
finish
