#!/bin/sh
# Messages of the library name members, functions and settings, which callers in C have too, and no option of the command.
# The command knows an option for each member and function that they name (cli/option_advice.c).
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
fail() {
    echo "$*"
    status=1
}
cd "$ANAX_SOURCE"

# options_in FILE...: strings with an option of the command. Options of other programs are no such options.
options_in() {
    grep -nHE '^[^/]*"[^"]*(^|[ ("`])--[a-z]' "$@" | grep -vE -- '\.help = |--thread=|--mpi=pmi' || true
}
# Texts, pages and lists of results, help, and files that users of the command read may name its options.
find core traces mapping network replay api -name '*.[ch]' |
    grep -vE '^api/(page|report|table|chart)/|^api/results/verdict\.c$|^api/public/api_(list|place)\.c$|^traces/patterns/generate\.c$|^traces/extrapolate/output/series_report\.c$' \
        >"$work/sources"
# shellcheck disable=SC2046 # names without blanks
options_in $(cat "$work/sources") >"$work/found"
[ ! -s "$work/found" ] || fail "messages of the library name options of the command; name the member, function or setting:
$(cat "$work/found")"
printf 'set(status, "replace it with --force");\n' >"$work/a.c"
[ -n "$(options_in "$work/a.c")" ] || fail "an option in a message was not found"

# names_in FILE...: members of options and plans, and functions that run parts, in strings.
names_in() {
    cat "$@" | grep -oE '"[^"]*"' | grep -oE '\b(anax_options\.[a-z_]+|plan\.[a-z_]+|anax_[a-z]+_part)\b' | LC_ALL=C sort -u || true
}
# shellcheck disable=SC2046 # names without blanks
names_in $(grep -vxE 'api/(option_calls|caller_struct|public/.*)\.c' "$work/sources") >"$work/names"
[ "$(wc -l <"$work/names")" -ge 8 ] || fail "the names in messages were not found"
while read -r name; do
    grep -qF "{\"$name\", \"--" cli/option_advice.c || fail "cli/option_advice.c has no option for $name"
    grep -qw "${name#*.}" include/anax/*.h || fail "no public header has ${name#*.}"
done <"$work/names"
sed -nE 's/^ *\{"([a-z_.]+)", "--.*/\1/p' cli/option_advice.c | while read -r name; do
    # shellcheck disable=SC2046 # names without blanks
    grep -qwF "$name" $(cat "$work/sources") || echo "no message names $name, for which cli/option_advice.c has an option"
done >"$work/left"
[ ! -s "$work/left" ] || fail "$(cat "$work/left")"
exit $status
