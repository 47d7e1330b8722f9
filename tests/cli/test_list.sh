#!/bin/sh
# `anax list`: every family has members, every member works where it can be used.
. "$ANAX_SOURCE/tests/support/script/command.sh"

run_ok list
cut -d' ' -f1 out >families
expect "there are fifteen families" [ "$(wc -l <families)" -eq 15 ]
while read -r family; do
    run_ok list "$family"
    expect "$family has members" [ -s out ]
    expect "no line without a help text" awk 'NF < 2 { exit 1 }' out
    lines=$(wc -l <out)
    run_ok list "$family" --json
    expect "the JSON lists as many members as the text" [ "$(grep -c '"name":' out)" -eq "$lines" ]
    expect_key out schema anax.list/1
done <families

# A word selects by the dotted name, or else by any part of it.
run_ok list settings network.global
expect "the settings of global channels alone" [ "$(cut -d. -f1,2 out | sort -u)" = network.global ]
expect "bandwidth, latency, buffer, framing, shared_buffer" [ "$(wc -l <out)" -eq 5 ]
run_ok list settings eager_threshold
expect "found inside a name" grep -q '^mpi.eager_threshold ' out
run_ok list collectives mpi.bcast
expect "the algorithms of one collective" [ "$(cut -d= -f1 out | sort -u)" = mpi.bcast ]
run list settings nosuchword
expect_code 2
expect "the error says that no name contains the word" holds err "no name in the family \`settings\` contains \`nosuchword\`"
run_ok list settings network.global.latency --json
expect_key out type time
expect_key out unit ps
expect_key out default 150ns
expect_key out minimum 0
expect "its range in words" [ "$(value out range)" = "a time from 0 to 1s" ]
run_ok list settings --json
expect "every setting has a range" [ "$(grep -c '"range":' out)" -eq "$(grep -c '"name":' out)" ]
settings=$(grep -c '"name":' out)
expect "every setting has a type" [ "$(grep -c '"type":' out)" -eq "$settings" ]
expect "each setting has a default" [ "$(grep -c '"default":' out)" -eq "$settings" ]

# At a terminal texts are wrapped; elsewhere a member is a line.
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    script -qec "stty cols 80; \"$ANAX\" list settings" /dev/null </dev/null 2>err | tr -d '\r' >out
    last="list settings at a terminal" code=0
    expect "no line is longer than 80 columns" awk 'length($0) > 80 { exit 1 }' out
    expect "the list has every setting" [ "$(grep -c '^[a-z]' out)" -eq "$settings" ]
fi

# `anax help` knows families and settings too. It breaks lines for people, and lists have a line for each member.
for family in machines settings; do
    run_ok help $family
    expect "no line is longer than 80 characters" awk 'length($0) > 80 { exit 1 }' out
    tr -d ' \n' <out >help
    run_ok list $family
    tr -d ' \n' <out >list
    expect "help of a family lists it" cmp -s help list
done
run_ok help network.ugal
expect "help of settings" grep -q '^network.ugal.queue ' out
run help nosuch
expect_code 2
expect_in err "there is no command \`nosuch\`"
run_ok version
cp out version
run_ok --version
expect "both commands print the same version" cmp -s version out

"$ANAX" list machines | cut -d' ' -f1 >machines
while read -r machine; do
    run_ok replay --machine "$machine" --print-config
done <machines
"$ANAX" list collectives | cut -d' ' -f1 >pairs
while read -r pair; do
    run_ok replay --machine kim-72 --set "$pair" --print-config
done <pairs

# Folders of ANAX_MACHINES come first.
mkdir mine
printf 'description: mine\nnetwork: {groups: 3, globals_per_router: 2}\n' >mine/kim-72.yaml
printf 'network: {gruops: 3}\n' >mine/faulty.yaml
ANAX_MACHINES=nowhere:$work/mine
export ANAX_MACHINES
run_ok list machines
expect "mine replaces the other" grep -q '^kim-72 *mine$' out
expect "the faulty one is marked" grep -q '^faulty .*faults' out
run_ok replay --machine kim-72 --print-config
expect "the machine of the folder takes the place of the built-in one" grep -q 'groups: *3' out
run replay --machine faulty --print-config
expect_code 2
expect_in err "faulty.yaml:1:11: error:"
finish
