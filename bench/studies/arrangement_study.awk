# Tables (to the standard output) and a picture (arrangements.svg) of the study of arrangements:
#
#     awk -f arrangement_study.awk bisection.csv results.csv
#
# A cell is one application under one alpha, placement and routing policy; in it there is one time
# per arrangement.
BEGIN { FS = "," }

function number(text) { return text == "inf" ? 1e9 : text + 0 }

# Which list a name stands in, and where; first come, first listed.
function note(list, name) {
    if ((list, name) in place) return
    place[list, name] = ++count[list]
    names[list, count[list]] = name
}

# The second table's columns by their names: it is a comparison's, which may get more of them.
FNR == 1 {
    file++
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}

function value_of(name) {
    if (!(name in column)) {
        print FILENAME ": there is no column " name >"/dev/stderr"
        failed = 1
        exit
    }
    return $column[name]
}

file == 1 { # arrangement, local and global links of a line
    lines[$1]++
    locals[$1, lines[$1]] = $7
    globals[$1, lines[$1]] = $8
    next
}

{
    alpha = value_of("alpha"); application = value_of("trace"); routing = value_of("network.routing")
    arrangement = value_of("network.arrangement"); placement = value_of("placement.policy")
    note("alpha", alpha); note("application", application); note("arrangement", arrangement)
    note("placement", placement); note("routing", routing)
    key = application SUBSEP alpha SUBSEP placement SUBSEP routing SUBSEP arrangement
    mean[key] = value_of("mean_ps"); half[key] = (value_of("high_ps") - value_of("low_ps")) / 2
    difference[key] = value_of("difference_mean_ps"); significant[key] = value_of("significant") == 1
}

function bisection(arrangement, alpha,    i, value, least) {
    least = 1e18
    for (i = 1; i <= lines[arrangement]; i++) {
        value = locals[arrangement, i] + alpha * globals[arrangement, i]
        if (value < least) least = value
    }
    return least
}

function key_of(a, x, p, r, w) {
    return names["application", a] SUBSEP names["alpha", x] SUBSEP names["placement", p] SUBSEP \
        names["routing", r] SUBSEP names["arrangement", w]
}

# Ranks of values[1 … n], equal ones sharing their mean rank.
function ranks_of(values, ranks, n,    i, j, below, equal) {
    for (i = 1; i <= n; i++) {
        below = equal = 0
        for (j = 1; j <= n; j++) {
            below += values[j] < values[i] - 1e-9
            equal += values[j] <= values[i] + 1e-9 && values[j] >= values[i] - 1e-9
        }
        ranks[i] = below + (equal + 1) / 2
    }
}

# Spearman's rank correlation: Pearson's of the ranks. "" where one of both does not vary.
function spearman(first, second, n,    i, u, v, middle, uv, uu, vv) {
    ranks_of(first, u, n)
    ranks_of(second, v, n)
    middle = (n + 1) / 2
    for (i = 1; i <= n; i++) {
        uv += (u[i] - middle) * (v[i] - middle)
        uu += (u[i] - middle) ^ 2
        vv += (v[i] - middle) ^ 2
    }
    return uu > 0 && vv > 0 ? uv / sqrt(uu * vv) : ""
}

# How far the times of a cell's neighbours along one list are apart: largest over least, less one.
function spread(a, list, x, p, r, w,    i, t, least, most) {
    least = 1e30; most = 0
    for (i = 1; i <= count[list]; i++) {
        t = mean[key_of(a, list == "alpha" ? i : x, list == "placement" ? i : p,
                        list == "routing" ? i : r, list == "arrangement" ? i : w)]
        if (t < least) least = t
        if (t > most) most = t
    }
    return 100 * (most / least - 1)
}

function median_of(values, n,    i, j, kept) {
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && values[j - 1] > values[j]; j--) {
            kept = values[j]; values[j] = values[j - 1]; values[j - 1] = kept
        }
    return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
}

function bisection_table(    x, w) {
    print "### Bisection bandwidth, in local links\n"
    printf "| alpha |"
    for (w = 1; w <= count["arrangement"]; w++) printf " %s |", names["arrangement", w]
    printf "\n|---|"
    for (w = 1; w <= count["arrangement"]; w++) printf "---|"
    print ""
    for (x = 1; x <= count["alpha"]; x++) {
        printf "| %s |", names["alpha", x]
        for (w = 1; w <= count["arrangement"]; w++)
            printf " %.4g |", bisection(names["arrangement", w], names["alpha", x])
        print ""
    }
}

function one_effect(a, list,    x, p, r, w, n, values, most) {
    for (x = 1; x <= (list == "alpha" ? 1 : count["alpha"]); x++)
        for (p = 1; p <= (list == "placement" ? 1 : count["placement"]); p++)
            for (r = 1; r <= (list == "routing" ? 1 : count["routing"]); r++)
                for (w = 1; w <= (list == "arrangement" ? 1 : count["arrangement"]); w++) {
                    values[++n] = spread(a, list, x, p, r, w)
                    if (values[n] > most) most = values[n]
                }
    return sprintf(" %.1f (%.1f) |", median_of(values, n), most)
}

function effects_table(    a) {
    print "\n### How much longer the slowest choice takes than the fastest, everything else equal, in percent: median (largest)\n"
    print "| application | arrangement | routing | placement | alpha |\n|---|---|---|---|---|"
    for (a = 1; a <= count["application"]; a++)
        print "| " names["application", a] " |" one_effect(a, "arrangement") \
            one_effect(a, "routing") one_effect(a, "placement") one_effect(a, "alpha")
}

# Of the differences to absolute that are significant, how many have the sign that the bisection
# bandwidths tell; and the rank correlation of bandwidth and time within cells.
function prediction_row(a, p, r, x_from, x_to,    x, b, q, w, k, s, all, sure, right, wrong, tie, t, width, n, sum, from_a, to_a, from_p, to_p, from_r, to_r, rho) {
    from_a = a ? a : 1; to_a = a ? a : count["application"]
    from_p = p ? p : 1; to_p = p ? p : count["placement"]
    from_r = r ? r : 1; to_r = r ? r : count["routing"]
    all = sure = right = wrong = tie = n = sum = 0
    for (b = from_a; b <= to_a; b++)
        for (x = x_from; x <= x_to; x++)
            for (q = from_p; q <= to_p; q++)
                for (s = from_r; s <= to_r; s++) {
                    for (w = 1; w <= count["arrangement"]; w++) {
                        k = key_of(b, x, q, s, w)
                        t[w] = -mean[k]
                        width[w] = bisection(names["arrangement", w], names["alpha", x])
                        if (w == 1) continue
                        all++
                        if (!significant[k]) continue
                        sure++
                        if (width[w] == width[1]) tie++
                        else if ((width[w] > width[1]) == (difference[k] < 0)) right++
                        else wrong++
                    }
                    rho = spearman(width, t, count["arrangement"])
                    if (rho != "") { sum += rho; n++ }
                }
    return sprintf(" %d of %d | %d | %d | %d | %s |", sure, all, right, wrong, tie,
                   n > 0 ? sprintf("%+.2f (%d)", sum / n, n) : "-")
}

function prediction_table(    i) {
    print "\n### Does bisection bandwidth predict the differences?\n"
    print "| | significant | as predicted | opposite | bandwidths equal | mean rank correlation (cells) |\n|---|---|---|---|---|---|"
    for (i = 1; i <= count["application"]; i++)
        print "| " names["application", i] " |" prediction_row(i, 0, 0, 1, count["alpha"])
    for (i = 1; i <= count["alpha"]; i++)
        print "| alpha " names["alpha", i] " |" prediction_row(0, 0, 0, i, i)
    for (i = 1; i <= count["routing"]; i++)
        print "| " names["routing", i] " |" prediction_row(0, 0, i, 1, count["alpha"])
    for (i = 1; i <= count["placement"]; i++)
        print "| " names["placement", i] " |" prediction_row(0, i, 0, 1, count["alpha"])
    print "| all |" prediction_row(0, 0, 0, 1, count["alpha"])
}

function times_table(a,    x, p, r, w, k, base) {
    printf "\n### %s\n\n| alpha | placement | routing | absolute (us) |", names["application", a]
    for (w = 2; w <= count["arrangement"]; w++) printf " %s |", names["arrangement", w]
    printf "\n|---|---|---|---|"
    for (w = 2; w <= count["arrangement"]; w++) printf "---|"
    print ""
    for (x = 1; x <= count["alpha"]; x++)
        for (p = 1; p <= count["placement"]; p++)
            for (r = 1; r <= count["routing"]; r++) {
                base = mean[key_of(a, x, p, r, 1)]
                printf "| %s | %s | %s | %.1f ± %.1f |", names["alpha", x], names["placement", p],
                    names["routing", r], base / 1e6, half[key_of(a, x, p, r, 1)] / 1e6
                for (w = 2; w <= count["arrangement"]; w++) {
                    k = key_of(a, x, p, r, w)
                    printf significant[k] ? " **%+.1f %%** |" : " %+.1f %% |", 100 * difference[k] / base
                }
                print ""
            }
}

# ---- The picture: time over bisection bandwidth, both against absolute, a field per application.

function dot(out, x, y, color, title) {
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s</title></circle>\n",
        x, y, color, title >out
}

function field(out, a, left, top, wide, high,    x, p, r, w, k, u, v, base, most) {
    most = 5
    for (x = 1; x <= count["alpha"]; x++)
        for (p = 1; p <= count["placement"]; p++)
            for (r = 1; r <= count["routing"]; r++)
                for (w = 2; w <= count["arrangement"]; w++) {
                    v = 100 * difference[key_of(a, x, p, r, w)] / mean[key_of(a, x, p, r, 1)]
                    if (v > most) most = v
                    if (-v > most) most = -v
                }
    printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>\n", left, top, wide, high >out
    printf "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ccc\"/>\n", left, top + high / 2, left + wide, top + high / 2 >out
    printf "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>\n", left, top - 6, names["application", a] >out
    printf "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">+%.0f %%</text>\n", left - 4, top + 10, most >out
    printf "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">−%.0f %%</text>\n", left - 4, top + high, most >out
    for (u = 0; u <= 60; u += 20)
        printf "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">+%d %%</text>\n", left + 10 + (wide - 20) * u / 60, top + high + 14, u >out
    for (x = 1; x <= count["alpha"]; x++)
        for (p = 1; p <= count["placement"]; p++)
            for (r = 1; r <= count["routing"]; r++)
                for (w = 2; w <= count["arrangement"]; w++) {
                    k = key_of(a, x, p, r, w)
                    base = bisection(names["arrangement", 1], names["alpha", x])
                    u = bisection(names["arrangement", w], names["alpha", x]) / base - 1
                    v = difference[k] / mean[key_of(a, x, p, r, 1)]
                    dot(out, left + 10 + (wide - 20) * u / 0.6, top + high / 2 * (1 - 100 * v / most),
                        significant[k] ? palette[r] : "#bbb",
                        names["arrangement", w] ", alpha " names["alpha", x] ", " names["placement", p] ", " names["routing", r])
                }
}

function picture(out,    a, r, column, row) {
    palette[1] = "#d55e00"; palette[2] = "#0072b2"; palette[3] = "#009e73"
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\"><style>circle{fill-opacity:.6}</style>\n",
        90 + 230 * int((count["application"] + 2) / 3) >out
    print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>" >out
    print "<text x=\"50\" y=\"20\" font-size=\"13\">Time against bisection bandwidth, both relative to the absolute arrangement</text>" >out
    for (r = 1; r <= count["routing"]; r++) {
        dot(out, 55 + 110 * (r - 1), 36, palette[r], names["routing", r])
        printf "<text x=\"%d\" y=\"40\">%s</text>\n", 63 + 110 * (r - 1), names["routing", r] >out
    }
    dot(out, 385, 36, "#bbb", "not significant")
    print "<text x=\"393\" y=\"40\">not significant</text>" >out
    for (a = 1; a <= count["application"]; a++) {
        column = (a - 1) % 3; row = int((a - 1) / 3)
        field(out, a, 50 + 290 * column, 75 + 230 * row, 230, 180)
    }
    print "</svg>" >out
    close(out)
}

END {
    if (failed) exit 1
    bisection_table()
    effects_table()
    prediction_table()
    print "\n## All times"
    print "\nDifferences to absolute with all else equal; bold ones are significant.\n"
    for (a = 1; a <= count["application"]; a++) times_table(a)
    picture("arrangements.svg")
}
