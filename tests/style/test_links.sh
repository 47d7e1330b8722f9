#!/bin/sh
# Links of documents lead to files and headings that exist, docs/README.md, the README or the contents of
# the model name each document, and each picture of docs stands in one.
set -eu
links=$ANAX_SOURCE/tests/style/links.awk
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
fail() {
    echo "$*"
    status=1
}

cd "$ANAX_SOURCE"
documents() { { ls ./*.md && find docs examples tests -name '*.md' | LC_ALL=C sort; } | sed 's|^\./||'; }
# shellcheck disable=SC2046 # a list
awk -f "$links" $(documents) >"$work/out"
grep -v -e '^page ' -e '^links ' "$work/out" && status=1
count=$(sed -n 's/^links //p' "$work/out")
[ "$count" -ge 100 ] || fail "only $count links were found"

# shellcheck disable=SC2046 # a list
awk -f "$links" README.md docs/README.md docs/model.md | sed -n 's/^page //p' >"$work/listed"
for page in $(documents | grep '^docs/'); do
    [ "$page" = docs/README.md ] || grep -qxF "$page" "$work/listed" ||
        fail "$page: neither docs/README.md nor docs/model.md says where it is"
done
find docs -name '*.svg' -o -name '*.png' >"$work/pictures"
while read -r picture; do
    grep -qxF "page $picture" "$work/out" || fail "$picture: no document shows it"
done <"$work/pictures"

# Prints what the rule says of a document with these three headings and the text.
said_of() {
    printf '# A `b`, c: d-e_f (g)\n\n## Same\n\n## Same\n\n%s\n' "$1" >"$work/a.md"
    (cd "$work" && awk -f "$links" a.md)
}
# canary WHY TEXT: a document with this text has a broken link, and WHY says why.
canary() {
    said_of "$2" | grep -q "$1" || fail "the rule was not found broken: $2"
}
canary 'a.md:7: link to b.md, which does not exist' '[x](b.md)'
canary 'a.md:7: link to ../b/c.svg, which' '![x](../b/c.svg) `[y](z)`'
canary 'a.md:7: no heading a.md#b' '[x](#b)'
canary 'a.md:7: no heading a.md#same-2' '[x](a.md#same-2)'
good=$(said_of '[x](#a-b-c-d-e_f-g), [x](#same-1) and `[y](z)` [x](a.md#same)')
[ "$good" = 'links 3' ] || fail "good links were found broken: $good"
exit $status
