#!/bin/sh
# The tables and steps of "Where to change what" in ARCHITECTURE.md: each file that a row names exists, and each
# word in backquotes is defined in one of the files of its row. And each path in backquotes in any document leads to
# a file or folder.
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

# rows_of DOCUMENT: for each row of these tables, each step of a list and each text in backquotes: "ROW file PATTERN" or
# "ROW word WORD". NAME stands for any name. Settings, expressions and endings of files are left out.
rows_of() {
    awk -F '`' '
        /^## / { inside = $0 == "## Where to change what" }
        !inside || !/^(\||[0-9]+\.) / { next }
        {
            row++
            for (i = 2; i <= NF; i += 2) {
                text = $i
                sub(/^(enum|struct) /, "", text)
                gsub(/NAME/, "*", text)
                if (text ~ /^[a-z0-9_*\/]+\.([ch]|def|yaml|txt)$/) print row, "file", text
                else if (text ~ /^[A-Za-z_][A-Za-z0-9_]*$/) print row, "word", text
            }
        }' "$1"
}

# files_of PATTERN: the files of that name; of a name without a folder, in any folder.
files_of() {
    # shellcheck disable=SC2086 # a pattern, and a list
    case $1 in
    */*) ls $1 2>/dev/null || true ;;
    *) find $rooms tests -name "$1" ;;
    esac
}

# defines WORD FILE...: whether one of the files defines a macro, type, function, variable, member or
# constant of that name, a setting's list of words, or a key of YAML.
defines() {
    word=$1
    shift
    grep -hE "^#define ${word}\b|^(typedef )?(enum|struct) ${word} \{|^[a-z].*\b${word}\(|\b${word}(\[[^]]*\])* = |^ +[a-z_0-9 ]+ \**${word}(\[[^]]*\])*;|^ +${word}[,;] |^ +${word}$|^[A-Z_]+\(${word}\b|^${word}:" \
        "$@" | grep -qvE '^ *(return|goto) '
}

# undefined DOCUMENT: a line for each file that does not exist, and for each word that no file of its
# row defines.
undefined() {
    rows_of "$1" >"$work/texts"
    for row in $(awk '{ print $1 }' "$work/texts" | sort -nu); do
        : >"$work/files"
        for pattern in $(awk -v row="$row" '$1 == row && $2 == "file" { print $3 }' "$work/texts"); do
            files_of "$pattern" >"$work/found"
            [ -s "$work/found" ] || echo "$1: $pattern does not exist"
            cat "$work/found" >>"$work/files"
        done
        for word in $(awk -v row="$row" '$1 == row && $2 == "word" { print $3 }' "$work/texts"); do
            # shellcheck disable=SC2046 # a list
            [ -s "$work/files" ] && defines "$word" $(cat "$work/files") ||
                echo "$1: no file in the row of $word defines it"
        done
    done
}

undefined ARCHITECTURE.md >"$work/wrong"
while read -r line; do fail "$line"; done <"$work/wrong"
[ "$(awk '$2 == "word"' "$work/texts" | wc -l)" -ge 20 ] || fail "the tables were not found"

# Canaries: a table in another file than the row says, one that is only used there, and a file that
# does not exist.
cat >"$work/a.md" <<'DOCUMENT'
## Where to change what

| to add a | row in |
|---|---|
| library | `LIBRARIES` in `replay/collectives/collective_libraries.h` |
| library | `LIBRARIES` in `replay/collectives/collectives.c` |
| policy | `network/routing/routing_policies.c`, `network/routing/no_such_*.c` |
| policy | `routing_policies` and `routing_ofar_find_output` of `routing_policies.c` |

### A recipe below a heading

1. `network/network.h`: `network_link_numbers`, in `no_such.c`.
DOCUMENT
[ "$(undefined "$work/a.md" | sed 's|.*: ||' | paste -sd ';')" = "no file in the row of LIBRARIES defines it;network/routing/no_such_*.c does not exist;no file in the row of routing_ofar_find_output defines it;no_such.c does not exist" ] ||
    fail "what is wrong in a table was not found: $(undefined "$work/a.md")"

# lost_paths DOCUMENT: the paths in backquotes that match nothing, from the project's folder or the document's.
# NAME stands for any name.
lost_paths() {
    grep -oE '`(core|traces|mapping|network|replay|api|cli|plugins|tests|bench|include|docs|examples|machines|python)/[A-Za-z0-9_./*-]+`' "$1" |
        tr -d '`' | sed 's/NAME/*/' | sort -u | while read -r path; do
        # shellcheck disable=SC2086 # a pattern
        ls -d $path >/dev/null 2>&1 || (cd "${1%/*}" && ls -d $path >/dev/null 2>&1) || echo "$path"
    done
}
paths=0
for document in $(ls ./*.md && find docs examples tests -name '*.md'); do
    for path in $(lost_paths "$document"); do fail "$document: $path matches nothing"; done
    paths=$((paths + $(grep -oE '`(core|network|replay|traces)/[a-z_./]+`' "$document" | wc -l)))
done
[ "$paths" -ge 150 ] || fail "the paths in documents were not found: $paths"
# shellcheck disable=SC2016 # backquotes of a document
echo 'See `network/engine/`, `network/routing/routing_NAME.c`, `network/no_such_*` and `core/nothing.h`.' >"$work/b.md"
[ "$(lost_paths "$work/b.md" | paste -sd ' ')" = "core/nothing.h network/no_such_*" ] ||
    fail "a path that matches nothing was not found: $(lost_paths "$work/b.md")"
exit $status
