#!/bin/sh
# Whatever stands in place of an input that is no plain file is refused at once, by name.
. "$ANAX_SOURCE/tests/support/script/command.sh"
XDG_CACHE_HOME=$work
export XDG_CACHE_HOME

run_ok generate halo2d --ranks 4 --iterations 1 -o archive
run_ok generate halo2d --ranks 4 --iterations 1 -o halo.anax
seq 0 71 >nodes
for rank in 0 1 2 3; do echo "$rank $rank"; done >ranks
echo '0 1' >links
echo '10us 1us' >detours
echo 'rank 0 2' >factors
echo 'seed: 3' >settings.yaml
cp "$ANAX_SOURCE/machines/kim-72.yaml" machine.yaml
printf 'jobs:\n  - trace: halo.anax\n  - trace: halo.anax\n' >jobs.yaml
mkfifo pipe
mkdir folder
command -v python3 >/dev/null && python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'

# Puts something else in place of FILE and runs the command, which neither waits nor goes on.
all="pipe folder socket /dev/null /dev/zero /dev/tty"
refused() { # FILE ARGUMENTS...
    file=$1
    shift
    mv "$file" kept
    for kind in ${kinds:-$all}; do
        [ -e "$kind" ] || continue
        case $kind$file in folder*.otf2) continue ;; esac # archives are looked for in it
        case $kind in
        /*) reason="is a device, not a file" target=$kind ;;
        *) reason="is a $kind, not a file" target=$work/$kind ;;
        esac
        ln -sfn "$target" "$file"
        timeout 20 "$ANAX" "$@" >out 2>err
        code=$?
        last="anax $* ($file is ${kind#/dev/})"
        expect_code 2
        expect_in err "${file##*/}: "
        expect "the error says: $reason" holds err "$reason"
        expect "nothing is printed" empty out
    done
    rm -f "$file"
    timeout 20 "$ANAX" "$@" >out 2>err
    code=$? last="anax $* (without $file)"
    expect_code 2
    expect_in err "$file: "
    expect "the error says that it is missing" grep -q "No such file\|: missing; an OTF2 archive" err
    mv kept "$file"
}

# Every command with every file of an archive, every kind in place of every file, and every command with every kind.
number=0
for command in info "replay -m kim-72" "export --format goal" "convert -o new.anax" "place -m kim-72" \
    "compare -m kim-72 --seeds 1"; do
    place=$number
    for file in .otf2 .def /0.def /3.evt; do
        # shellcheck disable=SC2086 # a list of words
        set -- $all $all
        shift $((place % 6))
        kinds="$1 $4"
        place=$((place + 1))
        # shellcheck disable=SC2086 # a list of words
        refused archive/traces$file $command archive/traces.otf2
    done
    number=$((number + 1))
done
run_ok replay halo.anax -m kim-72
some="pipe socket /dev/zero" others="folder /dev/null /dev/tty"
for command in "replay halo.anax" "place halo.anax" traffic topology bisection "compare halo.anax"; do
    kinds=$some
    # shellcheck disable=SC2086
    refused machine.yaml $command -m ./machine.yaml
    kinds=$others
    # shellcheck disable=SC2086
    refused settings.yaml $command -m kim-72 -c settings.yaml
    others=$some some=$kinds
done
kinds=''
refused settings.yaml generate halo2d -c settings.yaml -o new
refused settings.yaml export halo.anax --format goal -c settings.yaml
refused jobs.yaml replay --jobs jobs.yaml -m kim-72
kinds=$some
for command in replay place; do
    refused ranks $command halo.anax -m kim-72 --placement rankfile --set placement.file=ranks
    refused nodes $command halo.anax -m kim-72 --placement nodes --set placement.file=nodes
    refused links $command halo.anax -m kim-72 --set network.arrangement=file \
        --set network.arrangement_file=links
    refused nodes $command halo.anax -m kim-72 --set network.failures.file=nodes
    kinds=$others
done
kinds=''
refused links topology kim-72 --set network.arrangement=file --set network.arrangement_file=links
refused nodes traffic -m kim-72 --set network.failures.file=nodes
refused detours replay halo.anax -m kim-72 --set noise.kind=recorded --set noise.file=detours
refused factors replay halo.anax -m kim-72 --set replay.compute_factors=factors

# Points of a comparison tell it one by one.
run compare halo.anax -m kim-72 --set network.failures.file=pipe
expect_code 1
expect "the error says: pipe: is a pipe, not a file" holds err "pipe: is a pipe, not a file"

# A program file, and an archive's folder, are told apart by content: then it is a path's kind.
for kind in pipe /dev/null; do
    for command in info "replay -m kim-72" "compare -m kim-72"; do
        # shellcheck disable=SC2086
        timeout 20 "$ANAX" $command $kind >out 2>err
        code=$? last="anax $command $kind"
        expect_code 2
        expect "the error says: not a file; anax reads plain files only" holds err "not a file; anax reads plain files only"
    done
done

# A kept point that is none is not waited for, and found anew.
run_ok compare halo.anax -m kim-72 --seeds 1 --points points
cp out first
for point in points/*.json; do rm "$point" && mkfifo "$point"; done
timeout 20 "$ANAX" compare halo.anax -m kim-72 --seeds 1 --points points >out 2>err
code=$? last="anax compare, with a pipe in place of a point"
expect_code 0
expect "points that are pipes change no result" cmp out first

# A plain file can be the standard input; a pipe cannot, nor a process substitution.
run_ok replay halo.anax -m kim-72 -c settings.yaml
cp out first
"$ANAX" replay halo.anax -m kim-72 -c /dev/stdin <settings.yaml >out 2>err
code=$? last="anax replay -c /dev/stdin"
expect_code 0
expect_in out "seed 3"
cat settings.yaml | "$ANAX" replay halo.anax -m kim-72 -c /dev/stdin >out 2>err
code=$? last="anax replay -c /dev/stdin, a pipe"
expect_code 2
expect "the error says: /dev/stdin: is a pipe, not a file" holds err "/dev/stdin: is a pipe, not a file"

# Files that may not be read; root may read all.
if [ "$(id -u)" -ne 0 ]; then
    chmod 0 halo.anax archive/traces/2.evt machine.yaml
    for arguments in "info halo.anax" "info archive" "topology -m ./machine.yaml"; do
        # shellcheck disable=SC2086
        run $arguments
        expect_code 2
        expect "the error says: Permission denied" holds err "Permission denied"
    done
fi
finish
