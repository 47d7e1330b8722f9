#!/bin/sh
# Names and paths that hold anything: nothing that is written breaks by them.
. "$ANAX_SOURCE/tests/support/script/command.sh"

odd=$(printf 'new\nline\033[31m"q,x %%s\377')
mkdir "$odd"
run_ok generate halo2d --ranks 4 --iterations 1 -o "$odd/archive"
run_ok convert "$odd/archive" -o "$odd/halo.anax"
for trace in "$odd/archive" "$odd/archive/traces.otf2" "$odd/halo.anax"; do
    for command in info "replay -m kim-72"; do
        # shellcheck disable=SC2086 # a list of words
        run_ok $command "$trace"
        expect "no control characters but ends of lines" sh -c "! tr -d '\\n' <out | grep -q '[[:cntrl:]]'"
    done
    rm -f ranks
    run_ok place "$trace" -m kim-72 -p random -o ranks
    expect "a comment and four ranks" [ "$(wc -l <ranks)" -eq 5 ]
    run_ok replay "$trace" -m kim-72 -p rankfile --set placement.file=ranks
    run_ok export "$trace" --format goal
    expect "ranks follow the comment" [ "$(sed -n 2p out)" = "num_ranks 4" ]
done
run_ok replay "$odd/halo.anax" -m kim-72 -o "$odd/tables" --timeline "$odd/timeline"
run_ok info "$odd/timeline"
cp ranks "$odd/ranks"
run_ok place "$odd/halo.anax" -m kim-72 -p rankfile --set "placement.file=$odd/ranks" -o "$odd/again"
expect "the rank file places ranks as the first one does" sh -c "grep -v '#' ranks >a; grep -v '#' '$odd/again' >b; cmp a b"

# Errors do not control the terminal either, whatever the command line holds.
odd=$(printf 'odd\033[31m')
for command in info replay place topology traffic diff report convert export compare search bisection \
    generate calibrate extrapolate list help; do
    for arguments in 1 2 3; do
        case $arguments in
        1) run "$command" "$odd" "$odd" ;;
        2)
            run "$command" "--$odd"
            expect_in err 'odd\x1B[31m'
            ;;
        3) run "$command" "$odd" --set "$odd" -m "$odd" ;;
        esac
        expect_code 2
        expect "the error has no escape character" sh -c "! grep -q '$(printf '\033')' err"
    done
done
run "$odd"
expect_in err 'odd\x1B[31m'

# What a configuration prints is read back.
odd=$(printf 'new\nline\033[31m"q,x %%s: #')
run_ok replay -m kim-72 --set "placement.file=$odd" --set "network.failures.file=$odd" --print-config
cp out printed.yaml
run_ok replay -c printed.yaml --print-config
expect "the printed configuration reads back as itself" cmp out printed.yaml

# Names as long as the system takes are written, longer ones refused before the run.
long=$(printf '%0250d' 0)
longer=$(printf '%0300d' 0)
run_ok generate halo2d --ranks 4 --iterations 1 -o "$long.anax"
run_ok generate halo2d --ranks 4 --iterations 1 -o "$long"
run_ok bisection -a 2 -h 1 --csv "$long.csv"
for command in "generate halo2d -o $longer" "generate halo2d -o $longer.anax" \
    "export $long.anax --format goal -o $longer" "place $long.anax -m kim-72 -o $longer" \
    "replay $long.anax -m kim-72 -o $longer" "replay $long.anax -m kim-72 --timeline $longer" \
    "bisection -a 2 -h 1 --csv $longer" "traffic -m kim-72 -o $longer"; do
    # shellcheck disable=SC2086
    run $command
    expect_code 2
    expect "the error says: File name too long" holds err "File name too long"
    expect "the command prints no result" empty out
done
for command in "info $longer" "replay $longer -m kim-72" "topology -m ./$longer.yaml" \
    "replay --jobs $longer -m kim-72" "replay -c $longer -m kim-72 $long.anax"; do
    # shellcheck disable=SC2086
    run $command
    expect_code 2
    expect "the error says: File name too long" holds err "File name too long"
done
finish
