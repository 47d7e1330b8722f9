#!/bin/sh
# What texts name exists: functions and members in backquotes or behind an arrow in documents, and files, names, words in
# backquotes and members behind an arrow or a dot in comments, where the comment stands. Documents have names of sources in backquotes only. Headers that list the files of their folder name all of them.
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

# unknown_words DOCUMENT: the words with an underscore, in backquotes, that no source has. Some name a style, a program
# that was measured, or a recording.
unknown_words() {
    grep -o '`[a-z][a-z0-9_]*_[a-z0-9_]*[a-z0-9]`' "$1" | tr -d '`' | LC_ALL=C sort -u >"$work/words"
    LC_ALL=C comm -23 "$work/words" "$work/known" | grep -vxE 'snake_case|ks_imp_dyn|fft3d_16' || true
}
# shellcheck disable=SC2086 # a list
find $rooms include tests bench python -name '*.[chy]' -o -name '*.py' -o -name '*.def' -o -name '*.sh' >"$work/sources"
{
    tr '\n' '\0' <"$work/sources" | xargs -0 cat | grep -ao '[a-z][a-z0-9_]*_[a-z0-9_]*'
    sed 's|.*/||; s|\..*||' "$work/sources"
} | LC_ALL=C sort -u >"$work/known"
# The changelog has names that are gone.
documents=$(ls ./*.md && find docs examples tests -name '*.md')
for document in $(echo "$documents" | grep -vxF ./CHANGELOG.md); do
    for word in $(unknown_words $document); do
        fail "$document: $word is nowhere in the sources"
    done
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
        while (match(line, /[a-zA-Z0-9_*.\/-]+\.[ch](\.?[^a-zA-Z0-9_.]|\.?$)/)) {
            name = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            sub(/\.?[^a-zA-Z0-9_.]?$/, "", name)
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
for text in "See $missing.c and core/base/status.h." "See core/base/status.h: like $missing.c. It is" "See $missing.c."; do
    printf '/* %s */\n' "$text" >"$work/a.c"
    [ "$(unknown_files "$work/a.c")" = $missing.c ] || fail "an unknown file was not found"
done

# unknown_names FILE...: names of functions, members and variables that comments of the files have
# and no source defines. They are words in lower case of at least two parts, of which the first and
# the last have three letters: shorter ones are indices in equations. Other names in comments belong
# to MPI libraries and other projects, or stand for several names.
unknown_names() {
    awk -f "$words" "$@" | sed -n 's/^comment \([a-z][a-z0-9][a-z0-9][a-z0-9]*_[a-z0-9_]*[a-z0-9][a-z0-9][a-z0-9]\)$/\1/p' |
        LC_ALL=C sort -u >"$work/named"
    LC_ALL=C comm -23 "$work/named" "$work/defined" |
        grep -vxE 'coll_.*|(mpi|fy|json)_.*|intro_mpi|linear_sync|collective_rules_|record_' || true
}
words=tests/style/words.awk
{
    tr '\n' '\0' <"$work/sources" | xargs -0 awk -f "$words" | sed -n 's/^code //p'
    sed 's|.*/||; s|\..*||' "$work/sources"
} | LC_ALL=C sort -u >"$work/defined"
# shellcheck disable=SC2046,SC2086 # lists
for name in $(unknown_names $(find $rooms -name '*.[ch]')); do
    fail "a comment names $name, which no source defines"
done
printf '/* See lacks_%s. */\nint status_set; // "text" lacks_%s_too\n' $missing $missing >"$work/b.c"
[ "$(unknown_names "$work/b.c" | paste -sd ' ')" = "lacks_$missing lacks_${missing}_too" ] ||
    fail "an unknown name was not found"

# unknown_members FILE...: names behind an arrow (`packet->vc`), in comments of sources or anywhere in documents, that no
# source has in its code.
unknown_members() {
    awk -v form='->[a-z_][a-z0-9_]*' -f "$words" "$@" | sed -n "s/^$kind ->//p" | LC_ALL=C sort -u >"$work/named"
    LC_ALL=C comm -23 "$work/named" "$work/defined"
}
sources=$(find $rooms include -name '*.[ch]')
kind=comment
# shellcheck disable=SC2086 # a list
for name in $(unknown_members $sources); do
    fail "a comment names the member $name, which no source has"
done
printf '/* What packet->%s_member says, and `status`. */ x->%s_spare = status;\n' $missing $missing >"$work/d.c"
[ "$(unknown_members "$work/d.c")" = ${missing}_member ] || fail "an unknown member was not found"

# unknown_references FOLDER: words in backquotes and members that comments of the sources below the folder name, and that
# are not there for the code that the comment belongs to (references.awk).
unknown_references() {
    (cd "$1" && find $rooms include \( -name '*.[ch]' -o -name '*.def' \) -print0 | LC_ALL=C sort -z | xargs -0 awk -f "$ANAX_SOURCE/tests/style/references.awk")
}
unknown_references . >"$work/references"
while read -r place name; do fail "$place a comment names $name, which is not there"; done <"$work/references"
# plant FILE TEXT OTHER NAME: writes the other text in place of the text in a copy of the file, where NAME is not there then.
mkdir "$work/planted"
# shellcheck disable=SC2046,SC2086 # lists
tar cf - $(find $rooms include -name '*.[ch]' -o -name '*.def') | tar xf - -C "$work/planted"
plant() {
    grep -qF -- "$2" "$1" || fail "$1 does not have the text $2"
    line=$(grep -nF -- "$2" "$1" | head -n 1 | cut -d : -f 1)
    awk -v text="$2" -v other="$3" 'start = index($0, text) { $0 = substr($0, 1, start - 1) other substr($0, start + length(text)) } { print }' \
        "$work/planted/$1" >"$work/other"
    cp "$work/other" "$work/planted/$1"
    echo "$1:$line: $4" >>"$work/wanted"
}
plant network/engine/router/router.c 'which is `output`.' 'which is `number`.' number
plant network/engine/router/router.h 'of `due_allocators`' 'of `due`' due
plant network/topology/failures.h 'topology->link_peers.' 'topology->peer.' 'topology->peer'
plant network/topology/failures.h 'topology->local_distances' 'topology->distance' 'topology->distance'
plant network/topology/topology.h '`node_shape` (' '`node` (' node
plant network/network.h '`save_or_restore` the state' '`saved` the state' saved
plant network/network.h 'network_link.measured' 'network_link.counted' network_link.counted
plant core/settings/nearest_name.h 'struct nearest_name search =' 'nearest search =' nearest
plant core/simulation/windows.c 'before `min_ps`.' 'before `min`.' min
plant replay/critical_path.h '(`is_inverse`)' '(`inverse`)' inverse
unknown_references "$work/planted" >"$work/references"
while read -r line; do
    grep -qxF "$line" "$work/references" || fail "a planted name was not found: $line"
done <"$work/wanted"
[ "$(wc -l <"$work/references")" -eq "$(wc -l <"$work/wanted")" ] || fail "names were found that are there: $(cat "$work/references")"
kind=code # of documents all is code
# shellcheck disable=SC2086 # a list
for name in $(unknown_members $documents); do
    fail "a document names the member $name, which no source has"
done
printf 'The member `packet->%s_member` of `packet->vc`.\n' $missing >"$work/d.md"
[ "$(unknown_members "$work/d.md")" = ${missing}_member ] || fail "an unknown member of a document was not found"

# names_in_prose DOCUMENT...: names of the sources, of parts with at least two letters, that stand outside of
# backquotes, equations and blocks of code: a replacement of a name has then changed a plain word. The
# programs of benchmarks, functions of the system and operations of MPI are named so, and in docs/fidelity.md
# the settings of other simulators.
names_in_prose() {
    awk '
        FNR == 1 { inside = 0 }
        /^```/ { inside = !inside }
        inside || /^```/ || /^    / { next }
        {
            gsub(/`[^`]*`/, "` `")
            gsub(/\]\([^)]*\)/, "]")
            count = split($0, words, /[^A-Za-z0-9_.\/-]+/)
            for (i = 1; i <= count; i++) {
                word = words[i]
                sub(/\.$/, "", word)
                if (word ~ /^[a-z][a-z]+(_[a-z][a-z]+)+$/) print FILENAME, word
            }
        }' "$@" | while read -r document word; do
        case $word in osu_* | sched_yield | reduce_scatter) continue ;; esac
        grep -qxF "$word" "$work/defined" && echo "$document: $word"
    done || true
}
# shellcheck disable=SC2046 # a list
names_in_prose $(echo "$documents" | grep -v fidelity) >"$work/prose"
while read -r line; do fail "$line is a name, which needs backquotes, or should be a plain word"; done <"$work/prose"
printf '# **a status_set.**\nNames `status_set`, osu_bw, t_r,\n[so](a.md#status_set) core/status_set.\n\n    status_set\n' >"$work/c.md"
[ "$(names_in_prose "$work/c.md")" = "$work/c.md: status_set" ] || fail "a name in prose was not found"

# unlisted HEADER FOLDER...: the files of the folders that the header does not name. Of a source file and
# its header, it names one.
unlisted() {
    header=$1
    shift
    find "$@" -maxdepth 1 -name '*.[ch]' | LC_ALL=C sort | while read -r file; do
        name=$(basename "${file%.?}")
        case $name in *_large) continue ;; esac
        if [ "$file" = "$header" ] || { [ "$file" != "${file%.h}" ] && [ -e "${file%.h}.c" ]; }; then continue; fi
        grep -q "[^a-z_]$name\.[ch]" "$header" || echo "$file"
    done
}
while read -r header folders; do
    # shellcheck disable=SC2086 # a list
    for file in $(unlisted "$header" $folders); do
        fail "$header does not name $file"
    done
done <<'HEADERS'
network/engine/state/state.h network/engine network/engine/checks network/engine/exchange network/engine/flow_control network/engine/measurement network/engine/nic network/engine/processes network/engine/router network/engine/state network/routing/observation
replay/engine/engine.h replay/engine replay/engine/causes replay/engine/activations replay/engine/measurement replay/engine/messages replay/engine/ranks replay/engine/state
plugins/record/recorder.h plugins/record
traces/recording/recording.h traces/recording
traces/goal/goal.h traces/goal
traces/program/builder/builder_parts.h traces/program/builder
traces/extrapolate/series.h traces/extrapolate traces/extrapolate/steps traces/extrapolate/divisions traces/extrapolate/grids traces/extrapolate/roles traces/extrapolate/symmetry traces/extrapolate/laws traces/extrapolate/laws/partners traces/extrapolate/laws/sizes traces/extrapolate/laws/fits traces/extrapolate/output
HEADERS
# partly_listed: headers whose first comment names at least three files, and half of all, of those of its folder, or of
# those of its folder that begin with its own name, but not all of them.
partly_listed() { # ROOM...
    find "$@" -name '*.h' | LC_ALL=C sort | while read -r header; do
        start=$(basename "$header" .h)
        start=${start%_parts}
        awk '{ print } /\*\// { exit }' "$header" >"$work/first"
        [ "$(grep -oE '[a-z0-9_]+\.[ch]' "$work/first" | LC_ALL=C sort -u | wc -l)" -ge 3 ] || continue
        for begins in "$start" ''; do
            named=0 lacks=''
            for name in $(find "$(dirname "$header")" -maxdepth 1 -name "$begins*.[ch]" ! -name '*_large.[ch]' -exec basename {} \; | sed 's/\.[ch]$//' | LC_ALL=C sort -u); do
                if [ "$name" = "$(basename "$header" .h)" ]; then continue; fi
                if grep -q "[^a-z_]$name\.[ch]" "$work/first"; then named=$((named + 1)); else lacks="$lacks $name"; fi
            done
            # shellcheck disable=SC2086 # a list
            set -- $lacks
            if [ $named -ge 3 ] && [ $# -gt 0 ] && [ $named -ge $# ]; then
                echo "$header names $named files, and not$lacks"
                break
            fi
        done
    done
}
# shellcheck disable=SC2086 # a list
partly_listed $rooms >"$work/partly"
while read -r line; do fail "$line"; done <"$work/partly"
mkdir -p "$work/listed/own"
for name in a b c d own/e own/f own/g own/h own/own_i own/own_j own/own_k own/own_l; do echo >"$work/listed/$name.c"; done
echo '/* Parts of a.c, b.c and c.c. */' >"$work/listed/all.h"
echo '/* Parts of own_i.c, own_j.c and own_k.c. */' >"$work/listed/own/own_parts.h"
partly_listed "$work/listed" | sed 's|.*/||' >"$work/partly"
printf '%s\n' 'all.h names 3 files, and not d' 'own_parts.h names 3 files, and not own_l' >"$work/wanted"
cmp -s "$work/wanted" "$work/partly" || fail "a header that names some of its files was not found: $(cat "$work/partly")"
[ -n "$(unlisted core/base/status.h core/base)" ] || fail "an unlisted file was not found"
# The table of extrapolation has each file in the folder above it. (Names that are no file are found
# above, as those of any comment.)
misplaced() { # TABLE FOLDER
    awk '/^ \* [a-z\/]*\/: / { folder = $2; sub(/:$/, "", folder) }
        /^ \*   [a-z_]+\.[ch] / { print folder $2 }' "$1" | while read -r file; do
        [ -f "$2/$file" ] || echo "$file"
    done
}
for file in $(misplaced traces/extrapolate/series.h traces/extrapolate); do
    fail "traces/extrapolate/series.h: there is no file $file"
done
printf ' * laws/: x\n *   series_fold.c  x\n' >"$work/table.h"
[ "$(misplaced "$work/table.h" traces/extrapolate)" = laws/series_fold.c ] || fail "a misplaced file was not found"
# The version is the same wherever it stands.
version=$(sed -n -E 's/^#define ANAX_VERSION_(MAJOR|MINOR|PATCH) //p' include/anax/anax.h | paste -sd .)
grep -qF "version(\"$version\")" packaging/spack/package.py || fail "packaging/spack/package.py: no version $version"
grep -qxF "version: $version" CITATION.cff || fail "CITATION.cff: the version is not $version"
grep -qF "\"libanax.so.${version%.*}\"" python/anax/_library.py || fail "python/anax/_library.py: the library is not that of $version"
exit $status
