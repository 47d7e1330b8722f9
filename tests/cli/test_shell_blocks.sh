#!/bin/sh
# What documents show without running it here (blocks ```sh: clusters, hours, whole builds) names what there is: options,
# settings, machines, scripts, presets, targets and tests. Machine files (blocks ```yaml) are machines.
. "$ANAX_SOURCE/tests/support/script/command.sh"
documents=$(cd "$ANAX_SOURCE" && find . -name '*.md' -not -path './build*' -not -path './.*/*' | sed 's|^\./||' | LC_ALL=C sort)

# blocks LANGUAGE FILE: the lines of the blocks of a language, continued lines joined.
blocks() {
    awk -v fence="\`\`\`$1" '
        $0 == fence { on = 1; next }
        /^```/ { on = 0 }
        on { if (sub(/\\$/, "")) printf "%s", $0; else print }' "$2"
}

# Commands of `sh` lines, one a line: without comments, quotes, launchers and variables.
commands() {
    sed -e '/^#/d' -e 's/ #.*//' -e "s/[\"'{}]//g" | sed -e 's/&&/\n/g' -e 's/||/\n/g' -e 's/[;|]/\n/g' |
        sed -E -e 's/^ *//' -e 's/^([A-Z_]+=[^ ]* +)+//' -e 's/^(mpirun|srun) .*[ /](anax |sh -c )/\2/' -e 's/^sh -c //' \
            -e 's|^[^ ]*/anax |anax |' -e '/^$/d'
}

anax_of() { "$ANAX" "$@"; }
anax_of list settings | awk '{ print $1 }' | sort >settings
anax_of list machines | awk '{ print $1 }' | sort >machines
anax_of help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | sort >anax_commands
sed -n 's/^ *{\{0,1\}"name": "\([a-z]*\)".*/\1/p' "$ANAX_SOURCE/CMakePresets.json" | sort -u >presets
# The help of Ninja leaves out targets that have the name of their file.
{
    cmake --build "$ANAX_BINARY" --target help
    [ ! -e "$ANAX_BINARY/build.ninja" ] || ninja -C "$ANAX_BINARY" -t targets all
} | sed -n 's/^\.\.\. \([a-z_]*\).*/\1/p; s/^\([a-z_]*\): .*/\1/p' | sort >targets
ctest --test-dir "$ANAX_BINARY" -N | sed -n 's/^ *Test *#[0-9]*: *//p' >tests

# in_list WHAT NAME FILE: says what is wrong if FILE does not have the name.
in_list() { grep -qxF -- "$2" "$3" || echo "$1 $2 is unknown: $line"; }

# Says what is wrong with the commands on the standard input.
wrong_commands() {
    while read -r line; do
        # shellcheck disable=SC2086 # words
        set -f -- $line
        case $1 in
        anax)
            shift
            in_list "the command" "$1" anax_commands
            help=$1
            "$ANAX" help "$help" >help-text 2>/dev/null
            shift
            while [ $# -gt 0 ]; do
                word=$1
                shift
                case $word in
                --) break ;;
                -*) grep -qE -- "(^|[ ,])$word( |,|$)" help-text || echo "$help has no option $word: $line" ;;
                esac
                case $word in
                --set) in_list "the setting" "${1%%=*}" settings ;;
                --machine) case $1 in *[./]*) ;; *) in_list "the machine" "$1" machines ;; esac ;;
                -o) [ "$help" != record ] || break ;; # an application follows
                esac
            done
            ;;
        cmake | ctest)
            while [ $# -gt 0 ]; do
                word=$1
                shift
                case $word in
                --preset) in_list "the preset" "$1" presets ;;
                --target)
                    for target in "$@"; do
                        case $target in -*) break ;; esac
                        in_list "the target" "$target" targets
                    done
                    ;;
                -R) grep -qE -- "$1" tests || echo "no test is called $1: $line" ;;
                esac
            done
            ;;
        ./*/* | .ci/* | bench/* | tests/* | docs/* | ./bootstrap)
            [ -x "$ANAX_SOURCE/$1" ] || [ ! -d "$ANAX_SOURCE/${1%%/*}" ] || echo "there is no script $1: $line"
            ;;
        build/tests/test_*)
            name=${1#build/tests/test_}
            grep -qxF "$name.$2" tests || echo "there is no test $name.$2: $line"
            ;;
        esac
    done
}

# Each kind of mistake is found.
cat >mistakes <<'END'
anax replay traces.otf2 --machine kim-1001
anax replay traces.otf2 --threads 8 --thread 8
mpirun -n 4 anax replya traces.otf2
X=1 srun -n 8 sh -c 'anax compare a --set network.grups=3 --part $((N + 1))/$T'
cmake --preset asam && ctest --preset asan
cmake --build build --target sites
ctest --preset release -R cli.test_processen
bench/selfchek.sh --page table.md
build/tests/test_network test_nik
END
commands <mistakes >lines
wrong_commands <lines >out
last="a list of mistakes" code=0
expect "every line of it is wrong once" [ "$(wc -l <out)" -eq "$(wc -l <mistakes)" ]

count=0
for document in $documents; do
    blocks sh "$ANAX_SOURCE/$document" | commands >lines
    count=$((count + $(wc -l <lines)))
    wrong_commands <lines >out
    last=$document
    expect "its blocks name what there is" empty out
done
last="all documents"
expect "there are such commands" [ "$count" -ge 30 ]

count=0
for document in $documents; do
    blocks yaml "$ANAX_SOURCE/$document" >machine.yaml
    [ -s machine.yaml ] || continue
    count=$((count + 1))
    run_ok topology ./machine.yaml
done
expect "machine files were found" [ "$count" -ge 1 ]

# No block is of a language that no test looks at.
last="languages of blocks"
(cd "$ANAX_SOURCE" && for document in $documents; do sed -n 's/^```\([a-z]\{1,\}\)$/\1/p' "$document"; done) |
    sort -u | grep -vxE 'console|sh|yaml|python|text' >out
expect "these have a test: console, sh, yaml, python" empty out
finish
