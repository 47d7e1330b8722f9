#!/bin/sh
# The bisection bandwidths of Belka et al. 2017, Figures 6 to 9, drawn and held against what the
# paper says of them. See docs/studies/bisection.md.
#
#     bisection_figures.sh ANAX FOLDER [FIGURE...]      figures: 6 7 8 9; all without any
#
# Writes figure-N.svg, figure-N.csv and verdicts.txt into FOLDER. Ends with 1 if a statement does
# not hold. Nautilus is taken in the reading that the figures were computed with (nautilus-index);
# the reading of the paper's text is drawn beside it.
set -eu
anax=$1
folder=$2
shift 2
[ $# -gt 0 ] || set -- 6 7 8 9
mkdir -p "$folder"

machine() {
    case $1 in
    6) echo "4 2" ;;
    7) echo "3 3" ;;
    8) echo "3 4" ;;
    9) echo "2 8" ;;
    *) echo "there is no figure $1" >&2 && exit 2 ;;
    esac
}

# Lines "FIGURE CURVE RELATION CURVE FROM TO": holds for all alpha between, ends included but for
# the strict relations. One differs from the paper: it has helix and nautilus tie up to 1/2 in Figure
# 8, but nautilus has a cut 8 + 24·alpha (docs/studies/bisection.md). `best` is the largest of absolute, relative and circulant.
statements() {
    cat <<'END'
6 helix = nautilus-index 0 5/4
6 helix = circulant 0 5/4
6 circulant > helix 5/4 3
6 circulant > nautilus-index 5/4 3
6 helix > circulant 3 inf
6 helix > nautilus-index 3 inf
6 nautilus-index > circulant 6 inf
6 circulant = best 0 inf
6 nautilus = nautilus-index 0 inf
7 helix = nautilus-index 0 2/3
7 helix = relative 0 1
7 relative > nautilus-index 2/3 2
7 helix > relative 1 inf
7 helix > nautilus-index 1 inf
7 relative = nautilus-index 2 inf
7 relative = best 0 inf
8 circulant = relative 0 3/7
8 circulant = best 0 6/5
8 relative = best 6/5 inf
8 helix = best 0 1/2
8 helix = nautilus-index 0 3/7
8 helix > best 1/2 inf
8 best > nautilus-index 3/7 3/2
8 nautilus-index > best 3/2 inf
8 helix > nautilus-index 3/7 4
8 nautilus-index > helix 4 inf
9 helix = relative 0 inf
9 helix = nautilus-index 0 inf
9 circulant > relative 1/7 3/10
9 relative >= circulant 0 1/7
9 relative >= circulant 3/10 inf
END
}

judge() { # FIGURE CSV
    statements | grep "^$1 " | awk -v csv="$2" '
    function number(text, parts) {
        if (text == "inf") return 1e9
        return split(text, parts, "/") == 2 ? parts[1] / parts[2] : text + 0
    }
    function one(name, alpha, i, value, least) {
        least = -1
        for (i = 0; i < lines; i++)
            if (curve[i] == name) {
                value = locals[i] + alpha * globals[i]
                if (least < 0 || value < least) least = value
            }
        if (least < 0) missing = missing " " name
        return least
    }
    function at(name, alpha, value) {
        if (name != "best") return one(name, alpha)
        value = one("absolute", alpha)
        if (one("relative", alpha) > value) value = one("relative", alpha)
        if (has_circulant && one("circulant", alpha) > value) value = one("circulant", alpha)
        return value
    }
    function holds(alpha, difference) {
        difference = at($2, alpha) - at($4, alpha)
        if ($3 == "=") return difference < 1e-9 && difference > -1e-9
        return $3 == ">" ? difference > 1e-9 : difference > -1e-9
    }
    BEGIN {
        FS = ","
        lines = 0
        getline < csv
        while ((getline < csv) > 0) {
            curve[lines] = $1; locals[lines] = $7; globals[lines] = $8
            corner[lines++] = number($5)
            if ($1 == "circulant") has_circulant = 1
            if ($9 != 1) unproven = unproven " " $1
        }
        FS = " "
    }
    {
        from = number($5); to = number($6)
        if (to == 1e9) { # beyond the last corner all curves are straight
            to = from
            for (i = 0; i < lines; i++) if (corner[i] > to) to = corner[i]
            to += 100
        }
        # corners between, in order, and the middles of what lies between them
        count = 0
        point[count++] = from; point[count++] = to
        for (i = 0; i < lines; i++)
            if (corner[i] > from && corner[i] < to) point[count++] = corner[i]
        for (i = 1; i < count; i++)
            for (j = i; j > 0 && point[j - 1] > point[j]; j--) {
                kept = point[j]; point[j] = point[j - 1]; point[j - 1] = kept
            }
        good = 1
        for (i = 0; i < count; i++) {
            inner = i > 0 && i < count - 1
            if ((inner || $3 != ">") && !holds(point[i])) good = 0
            if (i > 0 && point[i] > point[i - 1] && !holds((point[i] + point[i - 1]) / 2)) good = 0
        }
        if (missing != "" || unproven != "") good = 0
        printf "%s  Figure %s: %s %s %s for alpha from %s to %s\n", good ? "holds " : "FAILS ", $1, $2, $3, $4, $5, $6
        if (!good) failed = 1
    }
    END {
        if (unproven != "") print "not proven:" unproven
        if (missing != "") print "missing:" missing
        exit failed
    }'
}

result=0
: >"$folder/verdicts.txt"
for figure in "$@"; do
    shape=$(machine "$figure")
    arrangements=absolute,relative,circulant,nautilus,nautilus-index,helix
    [ "$figure" -ne 7 ] || arrangements=absolute,relative,nautilus,nautilus-index,helix # h is odd
    "$anax" bisection -a "${shape% *}" -h "${shape#* }" --arrangement "$arrangements" \
        --svg "$folder/figure-$figure.svg" --csv "$folder/figure-$figure.csv" >/dev/null
    judge "$figure" "$folder/figure-$figure.csv" >>"$folder/verdicts.txt" || result=1
done
cat "$folder/verdicts.txt"
exit $result
