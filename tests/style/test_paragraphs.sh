#!/bin/sh
# Documents have one form: each paragraph and each list item is one line, of at most 800 bytes outside the
# changelog.
set -eu
form=$ANAX_SOURCE/tests/style/paragraphs.awk
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
fail() {
    echo "$*"
    status=1
}

cd "$ANAX_SOURCE"
# shellcheck disable=SC2046 # a list
awk -f "$form" $({ ls ./*.md && find docs examples tests -name '*.md' | LC_ALL=C sort; } | sed 's|^\./||') >"$work/out"
if [ -s "$work/out" ]; then
    cat "$work/out"
    fail "awk -v join=1 -f tests/style/paragraphs.awk FILE prints a document with its paragraphs joined"
fi

# shellcheck disable=SC2046 # a list
awk -v most=800 -f "$form" $({ ls ./*.md && find docs examples tests -name '*.md' | LC_ALL=C sort; } | sed 's|^\./||' |
    grep -v CHANGELOG) >"$work/out"
if [ -s "$work/out" ]; then
    cat "$work/out"
    fail "make a list or a table of it, or several paragraphs"
fi
printf 'Text of more.\n| a table of more |\n\n    an equation of more\n' >"$work/a.md"
[ "$(awk -v most=12 -f "$form" "$work/a.md" | wc -l)" -eq 2 ] || fail "the limit does not hold as it should"

# canary LINES TEXT: TEXT breaks the rule at these lines, and joined it has LINES fewer lines and the same words.
canary() {
    printf '%b' "$2" >"$work/a.md"
    found=$(awk -f "$form" "$work/a.md" | wc -l)
    [ "$found" -eq "$1" ] || fail "$found lines instead of $1 break the rule: $2"
    awk -v join=1 -f "$form" "$work/a.md" >"$work/joined"
    [ "$(($(wc -l <"$work/joined") + $1))" -eq "$(wc -l <"$work/a.md")" ] || fail "joined wrongly: $2"
    [ "$(tr -s ' \n' '\n' <"$work/joined")" = "$(tr -s ' \n' '\n' <"$work/a.md")" ] || fail "words changed: $2"
}
canary 1 'One\ntwo\n'
canary 2 "- item\n  more\n  most\n- item\n"
canary 1 '1. item\n    deep\n'
canary 1 '1. item\n   - inner\n     more\n'
canary 0 '# A\ntext\n\n    equation\n    equation\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- a\n- b\n'
canary 0 '- item\n\n  | a |\n  |---|\n'
canary 0 'text\n\n```sh\na\nb\n```\n- a\n\n      equation\n\n  text\n'
exit $status
