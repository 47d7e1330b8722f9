#!/bin/sh
# Disks on which not everything fits, by limits on the size of files: every output is whole or not
# there, and the command says why. And streams that are closed or full.
. "$ANAX_SOURCE/tests/support/script/command.sh"
run_ok generate halo2d --ranks 72 --iterations 4 --size 1KiB -o halo.anax
mkdir outputs

# Limits in blocks, from one, which the message needs, to enough.
enough() { # ARGUMENTS...
    failed=0
    for blocks in 1 2 4 8 16 32 64 128 256 512 1024 2048 8192; do
        rm -rf outputs/*
        (
            cd outputs || exit 99
            trap '' XFSZ
            ulimit -f $blocks
            exec "$ANAX" "$@" >/dev/null
        ) 2>err
        code=$?
        last="anax $* with $blocks blocks"
        [ "$code" -eq 0 ] && break
        failed=$((failed + 1))
        expect_code 1
        expect "the error says: File too large" holds err "File too large"
        expect "no output is left on the full disk" [ -z "$(ls outputs)" ]
    done
    expect "some size is enough" [ "$code" -eq 0 ]
    expect "some runs fail on the full disk" [ "$failed" -gt 0 ]
}
enough convert ../halo.anax -o file.anax
enough export ../halo.anax --format goal -o file
enough export ../halo.anax --format json -o file
enough generate halo3d --ranks 27 -o file
enough generate halo3d --ranks 27 -o file.anax
enough replay ../halo.anax -m kim-72 -o file
enough replay ../halo.anax -m kim-72 --timeline file
enough traffic -m kim-72 --load 0.1 -o file
enough place ../halo.anax -m kim-72 -o file
enough bisection -a 2 -h 1 --svg file
enough compare ../halo.anax -m kim-72 --seeds 12 -o file --points ../points

# What was there stays when there is no room for what is to replace it.
echo old >outputs/old.anax
(
    cd outputs || exit 99
    trap '' XFSZ
    ulimit -f 1
    exec "$ANAX" generate halo3d --ranks 64 -o old.anax --force
) >out 2>err
code=$? last="anax generate --force with 1 block"
expect_code 1
expect "the old file keeps its content" [ "$(cat outputs/old.anax)" = old ]
rm -r outputs

# Each command's result on a standard output that is closed or full.
for arguments in "info halo.anax" "export halo.anax --format goal" "export halo.anax --format dot" \
    "replay halo.anax -m kim-72" "replay halo.anax -m kim-72 --json" "place halo.anax -m kim-72" \
    "traffic -m kim-72 --load 0.1" "compare halo.anax -m kim-72 --seeds 1 --points points" \
    "topology kim-72" "topology kim-72 --dot" "bisection -a 2 -h 1" "list machines" help \
    "help replay" --version "replay -m kim-72 --print-config"; do
    # shellcheck disable=SC2086 # a list of words
    "$ANAX" $arguments >&- 2>err
    code=$? last="anax $arguments >&-"
    expect_code 1
    expect "the error says: cannot write to the standard output" holds err "cannot write to the standard output"
    [ -e /dev/full ] || continue
    # shellcheck disable=SC2086
    "$ANAX" $arguments >/dev/full 2>err
    code=$? last="anax $arguments >/dev/full"
    expect_code 1
    expect "the error says: cannot write to the standard output: No space left on device" holds err "cannot write to the standard output: No space left on device"
done

# A file that is written takes no number of a standard stream that is closed.
"$ANAX" export halo.anax --format goal -o whole.goal
for streams in '>&-' '2>&-' '<&-' '<&- >&- 2>&-'; do
    eval "\"\$ANAX\" export halo.anax --format goal -o closed.goal $streams"
    code=$? last="anax export -o closed.goal $streams"
    expect_code 0
    expect "an export with closed streams writes the same file" cmp whole.goal closed.goal
    rm -f closed.goal
done
"$ANAX" export halo.anax --format goal -o /dev/stdout >&- 2>err
code=$? last="anax export -o /dev/stdout >&-"
expect_code 1
finish
