#!/bin/sh
# A machine is what its name says, or results say that it was changed, and how: for every command, with
# files of --print-config and with machines of one's own.
. "$ANAX_SOURCE/tests/support/script/command.sh"
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
mkdir cache
run_ok generate halo2d --ranks 16 --iterations 1 -o halo.anax
short="--set traffic.warmup=1us --set traffic.measure=2us --load 0.1"

# Every command that takes a machine, by a name for it.
command_of() { # NAME MACHINE [ARGUMENTS...]
    name=$1 machine=$2
    shift 2
    # shellcheck disable=SC2086 # a list of words
    case $name in
    replay) run replay halo.anax --machine "$machine" "$@" ;;
    place) run place halo.anax --machine "$machine" "$@" ;;
    traffic) run traffic --machine "$machine" $short "$@" ;;
    compare) run compare halo.anax --machine "$machine" --seeds 1 "$@" ;;
    topology) run topology "$machine" "$@" ;;
    topology-option) run topology --machine "$machine" "$@" ;;
    bisection) run bisection --machine "$machine" "$@" ;;
    esac
}
all="replay place traffic compare topology topology-option bisection"

# Files of another machine are refused: with its name; without it; with the wrong one; its own file.
for scope in replay place traffic topology bisection; do
    run_ok $scope --machine kim-1k-paper --print-config
    cp out $scope.yaml
done
sed '/^machine:/d' replay.yaml >nameless.yaml
sed 's/^machine:.*/machine: kim-72/' replay.yaml >wrong.yaml
cp "$ANAX_SOURCE/machines/kim-1k-paper.yaml" own.yaml
refused() { # FILE PLACE WORDS
    for name in $all; do
        command_of "$name" kim-72 --config "$1"
        expect "$name: exit code 2" [ "$code" -eq 2 ]
        expect "$name: no result is printed" empty out
        expect "$name: the error has file and line" holds err "$1:$2"
        expect "$name: the error names both machines" holds err "$3"
        expect "$name: what to do" holds err "leave one of them out"
    done
}
for scope in replay place traffic topology bisection; do
    refused $scope.yaml 2:1: "machine \`kim-1k-paper\` contradicts \`kim-72\`"
done
this="the network of machine \`kim-1k-paper\`, but \`kim-72\` was chosen"
refused nameless.yaml 8:3: "$this"
refused wrong.yaml 9:3: "$this"
refused own.yaml "$(grep -n nodes_per_router own.yaml | cut -d: -f1):3:" "$this"
run compare halo.anax --machine kim-1k,kim-72 --config nameless.yaml
expect_code 2

# So is the whole network of a machine without a name, unless its file says what it is a change of.
sed 's/^  packet:.*/  packet: 123B/' nameless.yaml >fancy.yaml
for name in $all; do
    command_of "$name" kim-72 --config fancy.yaml
    expect "$name: exit code 2" [ "$code" -eq 2 ]
    expect "$name: the error has file, line and column" holds err "fancy.yaml:8:3:"
    expect "$name: what to do" holds err "write \`machine: kim-72\` into this file"
done

# Two choices of a machine contradict each other, whoever makes them; the same one may be named twice.
contradicts() { # ARGUMENTS...
    run replay halo.anax "$@"
    expect_code 2
    expect_in err 'machine `kim-1k` contradicts `kim-72`'
}
echo 'machine: kim-72' >one.yaml
echo 'machine: kim-1k' >other.yaml
contradicts --config one.yaml --config other.yaml
contradicts --config one.yaml --set machine=kim-1k
contradicts --machine kim-72 --set machine=kim-1k
contradicts --machine kim-72 --config other.yaml
run_ok replay halo.anax --machine kim-72 --config one.yaml --set network.groups=5 \
    --set machine=kim-72 --set machine="$ANAX_SOURCE/machines/kim-72.yaml" --json
expect "a setting after the machine stays" holds out '"network.groups":"5"'
undoes() { # ARGUMENTS...
    run replay halo.anax "$@"
    expect_code 2
    expect "what would be lost" holds err 'machine `kim-72` would undo network.groups'
}
echo 'network: {groups: 5}' >groups.yaml
undoes --config groups.yaml --config one.yaml
undoes --config groups.yaml --set machine=kim-72
undoes --set network.groups=5 --set machine=kim-72

# Settings on top of a machine change it: no result calls it by its bare name, and all of them tell
# what was changed, whether by a file, by --set, or by a printed file that was changed.
json_change() { # NAME VALUE DEFAULT FROM
    awk -v name="\"name\":\"$1\"," -v value="\"value\":\"$2\"," -v was="\"default\":\"$3\"," \
        -v from="\"from\":\"$4\"" '
        /"settings_changed":/ { on = 1 } { gsub(/^ +/, "") }
        on && $0 == name { getline; gsub(/^ +/, ""); a = $0 == value
            getline; gsub(/^ +/, ""); b = $0 == was; getline; gsub(/^ +/, "")
            if (a && b && $0 == from) found = 1 }
        END { exit !found }' out
}
changed() { # ARGUMENTS... that set the latency
    for name in $all; do
        command_of "$name" kim-72 "$@"
        expect "$name: exit code 0" [ "$code" -eq 0 ]
        expect "$name: not the bare name" holds out "kim-72, changed"
        expect "$name: what was changed" holds out "network.global.latency=1us (kim-72: 150ns)"
        expect "$name: the text has the changed seed" holds out "seed=3 (default: 1)"
        command_of "$name" kim-72 "$@" --json
        expect "$name: JSON calls the machine changed" grep -q '"kim-72, changed",*$' out
        expect "$name: that it is changed" holds out '"changed":true'
        expect "$name: JSON has the machine's changed setting" json_change network.global.latency 1us 150ns machine
        expect "$name: JSON has the changed seed" json_change seed 3 1 defaults
    done
}
printf 'seed: 3\nnetwork:\n  global: {latency: 1us}\n' >latency.yaml
printf 'machine: kim-72\nseed: 3\nnetwork:\n  global: {latency: 2us}\n' >longer.yaml
run_ok replay --machine kim-72 --config latency.yaml --print-config
cp out printed.yaml
expect_in printed.yaml 'machine: "kim-72"'
changed --config latency.yaml
changed --config longer.yaml --set network.global.latency=1us
changed --config printed.yaml
changed --set network.global.latency=1us --set seed=3

# Without changes there is nothing to tell, and complete files of the machine are no change.
run_ok replay --machine kim-72 --print-config
cp out same.yaml
sed '/^machine:/d' same.yaml >same-nameless.yaml
for file in same.yaml same-nameless.yaml; do
    for name in $all; do
        command_of "$name" kim-72 --config $file
        expect "$name: exit code 0" [ "$code" -eq 0 ]
        expect "$name: its bare name" holds_not out changed,
        expect "$name: the text has no changed setting of the network" holds_not out 'settings changed: network'
        command_of "$name" kim-72 --config $file --json
        expect "$name: its bare name" grep -q '"kim-72",*$' out
        expect "$name: that it is not changed" holds out '"changed":false'
    done
done
run_ok replay halo.anax --machine kim-72 --json
expect "JSON has an empty list of changed settings" sh -c "grep -A1 '\"settings_changed\":\\[' out | grep -q '^ *\\]'"

# Routing is chosen for a run; it is told, but makes no other machine.
run_ok replay halo.anax --machine kim-72 -r minimal --json
expect "another routing policy leaves the machine its bare name" holds out '"name":"kim-72"'
expect "a changed policy is a change of the machine" json_change network.routing minimal ugal-l machine
# shellcheck disable=SC2086
run_ok traffic --machine kim-72 $short -r minimal,valiant --json
expect "several policies are one change of the machine" json_change network.routing minimal,valiant ugal-l machine
run_ok replay halo.anax --set network.groups=9 --config groups.yaml --set network.groups=7 --json
expect_in out '"name":"custom"'
expect "a machine without a name has its changes from the defaults" json_change network.groups 7 33 defaults
run_ok topology --rivals --set price.router=390
expect_in out "settings changed: price.router=390 (default:"
run_ok topology --rivals --set price.router=390 --json
expect "the comparison of topologies in JSON states its changed settings" grep -q '"name":"price.router"' out

# Candidates of a comparison are different machines, each with what was changed.
run_ok compare halo.anax --machine kim-72,kim-1k --seeds 1 --set network.header=0 -n 2
expect_in out "settings changed, kim-72: network.header=0 (kim-72: 32B)"
expect_in out "settings changed, kim-1k: network.header=0 (kim-1k: 32B)"
expect_in out "settings changed: placement.ranks_per_node=2 (default: 1)"
expect "both changed machines have a row" [ "$(grep -c '^ *[12]  kim-[71][2k], changed' out)" -eq 2 ]
run_ok compare halo.anax --machine kim-72 --seeds 1 -a helix -o one-arrangement
expect "one value is a setting" holds out "kim-72, changed"
expect "the table calls the machine changed" holds one-arrangement/candidates.csv '"kim-72, changed","helix"'
run_ok compare halo.anax --machine kim-72 --seeds 1 -a absolute,helix
expect "several are told in a column" holds_not out changed
cp "$ANAX_SOURCE/machines/kim-72.yaml" copy.yaml
run compare halo.anax --machine kim-72,copy.yaml --seeds 1
expect_code 2
expect "the error says that the two machines are the same" holds err "machines kim-72 and copy.yaml are the same with these settings"
run compare halo.anax --machine kim-72 --seeds 1 --vary network.global.latency=1us,1000ns
expect_code 2
expect "the error says that the two values are the same" holds err "the value 1000ns is given twice (1us)"

# A machine can be printed as a machine file, which every command takes, with all that was changed.
changed="--machine kim-72 --set network.groups=5 --routing par --set mpi.eager_threshold=4KiB"
# shellcheck disable=SC2086 # a list of options
run_ok replay $changed --print-machine
cp out five.yaml
expect "it is no longer called kim-72" holds five.yaml 'description: "kim-72, changed"'
expect "the written machine lists its changes" holds five.yaml "with network.groups=5, network.routing=par"
# shellcheck disable=SC2086
run_ok replay halo.anax $changed --json
wanted=$(value out digest)
run_ok replay halo.anax --machine ./five.yaml --json
expect "the written machine gives the same digest" [ "$(value out digest)" = "$wanted" ]
for name in $all; do
    command_of "$name" ./five.yaml
    expect "$name takes the written machine" [ "$code" -eq 0 ]
done
for scope in replay place traffic topology bisection; do
    run_ok $scope --machine slingshot --print-machine
    run_ok $scope --machine kim-1k --print-machine
    expect "unchanged, it keeps its description" holds out "1056-node dragonfly"
    cp out kept.yaml
    run_ok $scope --machine ./kept.yaml --print-machine
    grep -v '^source:' kept.yaml >first
    grep -v '^source:' out >second
    expect "printed again, it is the same" cmp -s first second
done
run replay --print-machine
expect_code 2
expect "there is none to print" holds err "no machine"

# Machines of one's own go by the same rules.
mkdir mine
sed 's/latency: 150ns/latency: 151ns/' "$ANAX_SOURCE/machines/kim-72.yaml" >mine/kim-73.yaml
ANAX_MACHINES=$work/mine
export ANAX_MACHINES
run_ok replay --machine kim-73 --print-config
cp out mine.yaml
run_ok replay halo.anax --config mine.yaml
expect_in out "machine kim-73: 72 nodes"
run_ok replay halo.anax --machine kim-73 --config mine.yaml --set network.global.latency=150ns
expect_in out "network.global.latency=150ns (kim-73: 151ns)"
refused mine.yaml 2:1: "machine \`kim-73\` contradicts \`kim-72\`"
sed '/^machine:/d' mine.yaml >mine-nameless.yaml
refused mine-nameless.yaml 8:3: "the network of machine \`kim-73\`, but \`kim-72\` was chosen"
run_ok place halo.anax --machine ./mine/kim-73.yaml --set network.groups=5 -o ranks
expect "the rank file calls the machine changed" holds ranks "on ./mine/kim-73.yaml, changed, placement block"

# A machine that says which MPI goes with it: results say so too, and what of it was changed.
{
    cat "$ANAX_SOURCE/machines/kim-72.yaml"
    printf 'mpi: {protocol: mpich-ch4-ofi, send_overhead: 1us/4KiB:2us}\n'
} >mine/kim-74.yaml
run_ok replay halo.anax --machine kim-74
expect_in out "MPI of kim-74: mpi.protocol=mpich-ch4-ofi, mpi.send_overhead=1us/4KiB:2us"
expect_not_in out "changed"
run_ok replay halo.anax --machine kim-74 --json
cp out machine.json
expect_in machine.json '"mpi_of_machine"'
expect_key machine.json mpi.send_overhead 1us/4KiB:2us
expect_checked "the result in JSON fits together" --completed machine.json
run_ok replay halo.anax --machine kim-72 --set mpi.protocol=mpich-ch4-ofi \
    --set mpi.send_overhead=1us/4KiB:2us --json
expect "the protocol by name gives the time of the machine that sets it" [ "$(value out time_ps)" = "$(value machine.json time_ps)" ]
expect "a machine without settings of MPI lists none" [ "$(sed -n '/"mpi_of_machine":{/{n;p;}' out | tr -d ' ,')" = '}' ]
run_ok replay halo.anax --machine kim-74 --set mpi.protocol=openmpi
expect_in out "mpi.protocol=openmpi (kim-74: mpich-ch4-ofi)"
expect "a protocol of one's own leaves the machine its bare name" holds_not out "kim-74, changed"
run_ok compare halo.anax --machine kim-72,kim-74 --seeds 1
expect_in out "MPI of kim-74: mpi.protocol=mpich-ch4-ofi"
expect "a comparison lists no MPI for a machine that sets none" holds_not out "MPI of kim-72"
run_ok topology --machine kim-74
expect "a topology lists no MPI settings" holds_not out mpi

# A machine that starts from another: beside it, by name, or by a path. Only what it says differs.
printf 'base: kim-74\ndescription: more groups\nnetwork: {global: {latency: 200ns}}\n' >mine/kim-75.yaml
run_ok replay halo.anax --machine kim-75
expect "the MPI of the base holds" holds out "MPI of kim-75: mpi.protocol=mpich-ch4-ofi"
expect "what the base sets is no change" holds_not out "changed"
run_ok replay --machine kim-75 --print-config
cp out mine-75.yaml
run_ok replay --machine kim-74 --set network.global.latency=200ns --print-config
sed 's/kim-74/kim-75/' out | sed '/^description/d' >expected
sed '/^description/d' mine-75.yaml >given
expect "all else is the base's" cmp -s expected given
printf 'base: ./kim-75.yaml\nmpi: {send_overhead: 3us}\n' >mine/kim-76.yaml
run_ok replay halo.anax --machine ./mine/kim-76.yaml
expect "a base of a base" holds out "mpi.send_overhead=3us"
printf 'base: slingshot\nnetwork: {groups: 9}\n' >mine/nine.yaml
run_ok topology nine
expect "a name without a folder is a named machine" holds out 4608
printf 'base: kim-78\n' >mine/kim-77.yaml
printf 'base: kim-77\n' >mine/kim-78.yaml
run replay halo.anax --machine kim-77
expect_code 2
expect_in err "the bases form a circle: this file is being read already"
printf 'base: kim-79\n' >mine/kim-80.yaml
run replay halo.anax --machine kim-80
expect "a base that does not exist ends with exit code 2" [ "$code" -eq 2 ]
expect_in err "kim-80.yaml: base: unknown machine \`kim-79\`"
rm mine/kim-7[78].yaml mine/kim-80.yaml

# Files that a machine names are beside it, wherever it is read.
for a in 1 2 3; do echo "0 0  $a 0"; done >mine/wires.arr
printf '1 1  2 1\n1 2  3 1\n2 2  3 2\n' >>mine/wires.arr
cat >mine/wired.yaml <<EOF
base: kim-72
network: {groups: 4, globals_per_router: 3, arrangement: file, arrangement_file: wires.arr}
EOF
run_ok topology ./mine/wired.yaml
cp out wired.txt
mkdir away
printf 'base: ../mine/wired.yaml\n' >away/wired.yaml
run_ok topology ./away/wired.yaml
grep -v '^machine' out >given
grep -v '^machine' wired.txt >expected
expect "the file of the wiring gives the same machine" cmp -s expected given
finish
