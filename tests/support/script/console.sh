# For tests of documents, to be sourced after command.sh: runs the command lines that they show, and
# compares what the commands print with what is shown below them.
#
#     console_lines DOCUMENT NAME    the lines "$ ..." in blocks ```console of DOCUMENT into lines/NAME,
#                                    continued lines joined; what is shown below line K into shown/NAME.K
#     prints SHOWN OUT               says OUT has the lines of SHOWN; a line "..." stands for any lines
#     run_lines NAME                 runs lines/NAME in the folder in-NAME, and counts them in $count
#     renew DOCUMENT NAME            writes into DOCUMENT what its commands printed in run_lines
#
# With ANAX_UPDATE_SHOWN=1, run_lines compares nothing, and renew does its work. Lines "..." stay.
# shellcheck shell=sh
mkdir bin lines shown renewed
ln -s "$ANAX" bin/anax
PATH=$work/bin:$PATH
XDG_CACHE_HOME=$work
export PATH XDG_CACHE_HOME OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # the same for Open MPI 5
has_recorder=no
if [ -e "$(dirname "$ANAX")/plugins/anax_record.so" ] && command -v mpicc && command -v mpirun; then
    has_recorder=yes
fi >/dev/null
count=0

console_lines() {
    awk -v shown="shown/$2" '
        /^```console/ { on = 1; next }
        /^```/ { on = 0 }
        !on { next }
        continued { sub(/^ */, "") }
        !continued && !/^\$ / { print > (shown "." number); next }
        !continued { number++; sub(/^\$ /, "") }
        { continued = sub(/\\$/, ""); printf "%s%s", $0, continued ? "" : "\n" }' "$1" >"lines/$2"
}

prints() {
    awk '
        NR == FNR { gap[FNR] = /^ *\.\.\.$/; want[wanted = FNR] = $0; next }
        { have[had = FNR] = $0 }
        # Whether the shown lines from `first` to the next gap stand from line `at` on.
        function stand(first, at,    i) {
            for (i = first; i <= wanted && !gap[i]; i++)
                if (at + i - first > had || have[at + i - first] != want[i]) return 0
            return i > wanted ? at + wanted - first == had : 1
        }
        END {
            at = 1
            for (i = 1; i <= wanted; i++) {
                if (gap[i]) { anywhere = 1; continue }
                while (anywhere && at <= had && !stand(i, at)) at++
                if (!stand(i, at)) { print "not printed: " want[i]; exit 1 }
                for (anywhere = 0; i <= wanted && !gap[i]; i++) at++
                i--
            }
        }' "$1" "$2"
}

# What `prints` would accept of OUT: each part of SHOWN between two "..." from the line that begins as
# its first one to the line that begins as its last one.
renewed() {
    awk '
        NR == FNR { want[wanted = FNR] = $0; next }
        { have[had = FNR] = $0 }
        # The line at or behind `at`, and nearest to `near`, that is equal, or else begins the same.
        function find(line, at, near,    i, whole, best) {
            for (whole = 1; whole >= 0 && !best; whole--)
                for (i = at; i <= had; i++)
                    if ((whole ? have[i] == line : substr(have[i], 1, 14) == substr(line, 1, 14)) &&
                        (!best || (i - near) ^ 2 < (best - near) ^ 2)) best = i
            return best
        }
        END {
            at = 1
            for (i = 1; i <= wanted; i++) {
                if (want[i] ~ /^ *\.\.\.$/) { print want[i]; continue }
                first = i == 1 ? 1 : find(want[i], at, at)
                near = first - i
                while (i < wanted && want[i + 1] !~ /^ *\.\.\.$/) i++
                last = i == wanted ? had : find(want[i], first, near + i)
                if (first == 0 || last == 0) { print "no line is like: " want[i]; exit 1 }
                for (at = first; at <= last; at++) print have[at]
            }
        }' "$1" "$2"
}

renew() {
    [ -n "${ANAX_UPDATE_SHOWN:-}" ] || return 0
    awk -v renewed="renewed/$2" '
        /^```console/ { on = 1; print; next }
        /^```/ { on = 0 }
        !on || continued || /^\$ / {
            if (on && !continued) number++
            continued = on && /\\$/
            print
            next
        }
        written != number { while ((getline line < (renewed "." number)) > 0) print line; written = number }' "$1" >document &&
        cp document "$1"
}

run_lines() {
    mkdir "in-$1"
    ln -s "$ANAX_SOURCE/examples" "in-$1/examples"
    ln -s "$ANAX_SOURCE/include" "in-$1/include"
    number=0
    while read -r line; do
        number=$((number + 1))
        case $line in # needs an MPI library, and a recorder for it
        *mpicc* | *mpirun* | *heat.anax* | *heat_*.anax* | *kept.anax*) [ "$has_recorder" = yes ] || continue ;;
        esac
        count=$((count + 1))
        (cd "in-$1" && eval "$line") >out 2>err </dev/null
        code=$?
        last="$1: $line"
        expect_code 0
        [ -e "shown/$1.$number" ] || continue
        if [ -n "${ANAX_UPDATE_SHOWN:-}" ]; then
            expect "each part has its lines" renewed "shown/$1.$number" out
            renewed "shown/$1.$number" out >"renewed/$1.$number" && continue
        fi
        matches=true
        difference=$(prints "shown/$1.$number" out) || matches=false
        expect "it prints what is shown ($difference)" $matches
    done <"lines/$1"
}
