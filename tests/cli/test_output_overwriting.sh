#!/bin/sh
# What is written leaves alone what is read, and files that exist unless --force is given.
. "$ANAX_SOURCE/tests/support/script/command.sh"

run_ok generate halo2d --ranks 4 --iterations 1 -o archive
run_ok generate halo2d --ranks 4 --iterations 1 -o halo.anax
echo 'network: {routing: valiant}' >changes.yaml
cp -R archive archive.before
cp halo.anax halo.before
cp "$ANAX_SOURCE/machines/kim-72.yaml" machine.yaml
cp machine.yaml machine.before
run_ok place halo.anax --machine kim-72 -o ranks
echo '0-71' >nodes
mkdir folder

# Every command that writes a file, once without anything in its way.
commands='export halo.anax --format goal -o|convert halo.anax -o|generate halo2d --ranks 4 -o|place halo.anax -m kim-72 -o|bisection -a 2 -h 1 --csv|bisection -a 2 -h 1 --svg'
each_command() { # FUNCTION
    old_ifs=$IFS
    IFS='|'
    for command in $commands; do
        IFS=$old_ifs
        "$1" "$command"
        IFS='|'
    done
    IFS=$old_ifs
}

existing_files() {
    echo old >there.anax
    # shellcheck disable=SC2086 # a list of words
    run $1 there.anax
    expect_code 2
    expect "the error says how to replace the file" holds err "there.anax: exists already; name another file, or replace it with --force"
    expect "the old file has its content" [ "$(cat there.anax)" = old ]
    expect "no result is printed" empty out
    ln -sf there.anax link.anax
    # shellcheck disable=SC2086
    run $1 link.anax
    expect "exit code 2 for a link to it" [ "$code" -eq 2 ]
    expect "the file behind the link has its content" [ "$(cat there.anax)" = old ]
    # shellcheck disable=SC2086
    run_ok $1 new.anax
    # shellcheck disable=SC2086
    run_ok $1 there.anax --force
    expect "--force replaces the file" cmp there.anax new.anax
    echo old >there.anax
    ln there.anax other.anax
    # shellcheck disable=SC2086
    run_ok $1 link.anax --force
    expect "what the link leads to is replaced" cmp there.anax new.anax
    expect "the output is still a link" [ -L link.anax ]
    expect "another name keeps the old file" [ "$(cat other.anax)" = old ]
    mkdir folder.anax
    # shellcheck disable=SC2086
    run $1 folder.anax --force
    expect "a folder is not replaced" [ -d folder.anax ]
    expect_code 2
    rm -rf there.anax link.anax new.anax other.anax folder.anax
    expect "nothing else is left" [ -z "$(ls -d ./*.part* 2>/dev/null)" ]
}
each_command existing_files

# Nothing is written over what is read, by any name.
untouched() {
    expect_code 2
    expect "the error says that the output is an input" holds err "this output would overwrite an input"
    expect "the archive is as before" diff -r archive archive.before
    expect "the program file has its content" cmp halo.anax halo.before
    expect "the machine file has its content" cmp machine.yaml machine.before
}
ln halo.anax hard.anax
ln -s halo.anax soft.anax
ln -s soft.anax softer.anax
for force in '' --force; do
    for name in halo.anax ./halo.anax "$work/halo.anax" hard.anax soft.anax softer.anax folder/../halo.anax; do
        # shellcheck disable=SC2086 # nothing or a word
        run export halo.anax --format goal -o "$name" $force
        untouched
        # shellcheck disable=SC2086
        run convert halo.anax -o "$name" $force
        untouched
        # shellcheck disable=SC2086
        run place "$name" -m kim-72 -o halo.anax $force
        untouched
    done
    ln archive/traces/0.evt event
    for name in archive/traces.otf2 archive/traces.def archive/traces/3.evt archive/traces/0.def event; do
        for trace in archive archive/ archive/traces.otf2 ./archive/../archive/traces.otf2; do
            # shellcheck disable=SC2086
            run export $trace --format goal -o "$name" $force
            untouched
            # shellcheck disable=SC2086
            run place --trace "$trace" -m kim-72 -o "$name" $force
            untouched
        done
    done
    rm event
    ln -s machine.yaml machine-link
    for name in machine.yaml machine-link; do
        # shellcheck disable=SC2086
        run bisection -m ./machine.yaml --set network.groups=3 --csv "$name" $force
        untouched
        # shellcheck disable=SC2086
        run bisection -c machine.yaml -m kim-72 --svg "$name" $force
        untouched
        # shellcheck disable=SC2086
        run generate halo2d -c machine.yaml -o "$name.anax" --print-config
        expect "exit code 0 without an output" [ "$code" -eq 0 ]
        # shellcheck disable=SC2086
        run export halo.anax --format goal -c machine.yaml -o "$name" $force
        untouched
    done
    rm machine-link
    # shellcheck disable=SC2086
    run place halo.anax -m kim-72 -p rankfile --set placement.file=ranks -o ranks $force
    untouched
    # shellcheck disable=SC2086
    run place halo.anax -m kim-72 --set network.failures.file=nodes -o nodes $force
    untouched
    echo 'machine: ./machine.yaml' >names.yaml
    # shellcheck disable=SC2086
    run place halo.anax -c names.yaml -o machine.yaml $force
    untouched
done
# The machine files that come with anax, in a copy.
mkdir machines
cp machine.yaml machines/mine.yaml
ANAX_MACHINES=$work/machines
export ANAX_MACHINES
run bisection -m mine --set network.groups=3 --csv machines/mine.yaml --force
untouched
unset ANAX_MACHINES

# The standard output, too. What is only a name of a family is no file.
run_into() { # FILE ARGUMENTS...
    into=$1
    shift
    "$ANAX" "$@" >>"$into" 2>err
    code=$?
    last="anax $* >>$into"
}
run_into halo.anax export halo.anax --format goal
untouched
run_into archive/traces/2.evt info archive
untouched
run_into machine.yaml topology -m ./machine.yaml
untouched
run_into machine.yaml replay -m ./machine.yaml --print-config
untouched
printf 'jobs:\n  - trace: halo.anax\n  - trace: halo.anax\n' >list.yaml
cp list.yaml list.before
run_into list.yaml replay --jobs list.yaml -m kim-72
expect_code 2
expect "the list of jobs" cmp list.yaml list.before
run_into halo.anax replay --jobs list.yaml -m kim-72
untouched
run_into kim-72 topology kim-72
expect_code 0
run_into halo2d generate halo2d --print-config
expect_code 0

# Output folders are new, and not among an archive's event files.
for option in -o --timeline; do
    for name in archive folder halo.anax folder/; do
        run replay halo.anax -m kim-72 $option $name
        expect_code 2
        expect_in err "exists already"
    done
    ln -s archive/traces events
    for name in archive/traces/new events/new archive/traces/../traces/new; do
        run replay archive -m kim-72 $option $name
        expect_code 2
        expect "the error says that the output is among the archive's events" holds err "in the folder of the events of archive"
        expect "the archive is as before" diff -r archive archive.before
    done
    printf 'jobs:\n  - trace: archive\n' >list.yaml
    run replay --jobs list.yaml -m kim-72 $option events/new
    expect_code 2
    rm events
    run_ok replay archive -m kim-72 $option archive/beside
    rm -r archive/beside
done
run compare archive halo.anax -m kim-72 --seeds 1 --points points -o archive/traces/new
expect_code 2
run compare archive halo.anax -m kim-72 --seeds 1 --points archive/traces
untouched
for points in tables tables/points ./tables/points/deep; do
    run compare halo.anax -m kim-72 --seeds 1 -o tables --points $points
    expect_code 2
    expect "points are not kept where the tables go" holds err "is given twice"
    expect "there is no folder of tables" [ ! -e tables ]
done
# Nor is anything written among points and into checkpoints.
run_ok compare halo.anax -m kim-72 --routing minimal,par --seeds 1 --points points
run_ok replay halo.anax -m kim-72 --checkpoint check --every 1s
mkdir -p check/deep
ln -s points among
cp -R points points.before
cp -R check check.before
point=$(ls points/*.json | head -1)
for name in "$point" among/new points/deep/../new; do
    [ "$name" = "$point" ] || mkdir -p points/deep points.before/deep
    for command in "compare halo.anax -m kim-72 --routing minimal,par --seeds 1 --report" \
        "traffic -m kim-72 --load 0.1 --report" "place halo.anax -m kim-72 --exchange 2 --replays 1 -o"; do
        # shellcheck disable=SC2086
        run $command "$name" --points points --force
        expect_code 2
        expect "the error says that the output is among the points" holds err "this is in points, whose files are read"
        expect "the folder of points is as before" diff -r points points.before
    done
done
for option in --resume --checkpoint; do
    for name in check/checkpoint check/state check/deep/page; do
        run replay halo.anax -m kim-72 $option check --report $name --force
        expect_code 2
        expect "the error says that the output is in the checkpoint" holds err "this is in check, whose files are read"
        expect "the checkpoint is as before" diff -r check check.before
    done
done
run convert archive -o archive/traces/new.anax
expect_code 2
expect "the error says that the output is among the archive's events" holds err "in the folder of the events of archive"
run bisection -a 2 -h 1 --csv same --svg ./same --force
expect_code 2
expect_in err "is given twice"
expect "neither output was written" [ ! -e same ]
ln -s same link
run bisection -a 2 -h 1 --csv same --svg link --force
expect_code 2
expect "twice, through a link to nothing" holds err "link: this output is given twice"
expect "neither output was written" [ ! -e same ]
echo kept >same
run bisection -a 2 -h 1 --csv link --svg same --force
expect_code 2
expect "twice, through a link to a file" holds err "same: this output is given twice"
expect "the file is untouched" holds same "kept"
rm -f same link

# Devices and open files are written to.
for name in /dev/null /dev/stdout /dev/fd/1; do
    echo before >both
    "$ANAX" export halo.anax --format dot -o $name >>both 2>err
    code=$? last="anax export -o $name >>both"
    expect_code 0
    expect "what the file had before is still there" [ "$(head -1 both)" = before ]
done
expect "the graph follows in the same file" holds both 'digraph program {'
mkfifo pipe
timeout 60 cat pipe >through &
run_ok export halo.anax --format dot -o pipe
wait
expect "the graph arrives through the pipe" holds through 'digraph program {'
expect "the output is still a pipe" [ -p pipe ]
finish
