#!/bin/sh
# What texts name exists: functions and members in backquotes in ARCHITECTURE.md, files in comments.
# Headers that list the files of their folder name all of them.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
fail() {
    echo "$*"
    status=1
}
cd "$ANAX_SOURCE"
rooms="core traces mapping network replay api cli plugins"

# unknown_words DOCUMENT: the words with an underscore, in backquotes, that no source has.
unknown_words() {
    grep -o '`[a-z][a-z0-9_]*_[a-z0-9_]*`' "$1" | tr -d '`' | LC_ALL=C sort -u >"$work/words"
    LC_ALL=C comm -23 "$work/words" "$work/known"
}
# shellcheck disable=SC2086 # a list
find $rooms include tests bench python -name '*.[chy]' -o -name '*.py' -o -name '*.def' -o -name '*.sh' >"$work/sources"
{
    tr '\n' '\0' <"$work/sources" | xargs -0 cat | grep -ao '[a-z][a-z0-9_]*_[a-z0-9_]*'
    sed 's|.*/||; s|\..*||' "$work/sources"
} | LC_ALL=C sort -u >"$work/known"
for word in $(unknown_words ARCHITECTURE.md); do
    fail "ARCHITECTURE.md: $word is nowhere in the sources"
done
missing=no_such
printf 'The function `%s_function` and `status_set`.\n' $missing >"$work/a.md"
[ "$(unknown_words "$work/a.md")" = ${missing}_function ] || fail "an unknown word was not found"

# unknown_files FILE...: files named in comments that the project does not have, but those of MPI
# libraries.
unknown_files() {
    awk '/^[[:space:]]*(\/\*|\*|\/\/)/ || /\/\*/ {
        line = $0
        sub(/^[^*]*\/\*/, "", line)
        while (match(line, /[a-zA-Z0-9_*.\/-]+\.[ch]([^a-zA-Z0-9_.]|$)/)) {
            name = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            sub(/[^a-zA-Z0-9_]$/, "", name)
            sub(/.*\//, "", name)
            if (name !~ /^(coll_|NAME_|\*)|\*/) print name
        }
    }' "$@" | LC_ALL=C sort -u >"$work/named"
    LC_ALL=C comm -23 "$work/named" "$work/files"
}
sed 's|.*/||' "$work/sources" | LC_ALL=C sort -u >"$work/files"
# shellcheck disable=SC2046,SC2086 # lists
for file in $(unknown_files $(find $rooms -name '*.[ch]')); do
    fail "a comment names $file, which does not exist"
done
printf '/* See %s.c and core/base/status.h. */\n' $missing >"$work/a.c"
[ "$(unknown_files "$work/a.c")" = $missing.c ] || fail "an unknown file was not found"

# unlisted HEADER FOLDER: the files of the folder that the header does not name.
unlisted() {
    for file in "$2"/*.c; do
        name=$(basename "$file" .c)
        case $name in *_large) continue ;; esac
        grep -q "[^a-z_]$name\.[ch]" "$1" || echo "$file"
    done
}
while read -r header; do
    for file in $(unlisted "$header" "$(dirname "$header")"); do
        fail "$header does not name $file"
    done
done <<'HEADERS'
network/engine/state.h
replay/engine/engine.h
plugins/record/recorder.h
traces/recording/recording.h
traces/goal/goal.h
traces/extrapolate/series.h
HEADERS
[ -n "$(unlisted core/base/status.h core)" ] || fail "an unlisted file was not found"
# ARCHITECTURE.md has a table of the headers of core/.
for file in core/*.h; do
    grep -qF "\`$(basename "$file" .h)\`" ARCHITECTURE.md || fail "ARCHITECTURE.md does not name $file"
done
# The version is the same wherever it stands.
version=$(sed -n 's/^#define ANAX_VERSION_[A-Z]* //p' include/anax/anax.h | paste -sd .)
grep -qF "version(\"$version\")" packaging/spack/package.py || fail "packaging/spack/package.py: no version $version"
grep -qxF "version: $version" CITATION.cff || fail "CITATION.cff: the version is not $version"
exit $status
