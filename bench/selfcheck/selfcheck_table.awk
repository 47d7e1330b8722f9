# The table of bench/selfcheck.sh, from rows
#     LIBRARY PROGRAM RANKS KIND TOTAL_S MPI_S
# where KIND is `measured` or `predicted`, one row for each run, and times are in seconds (MPI_S: the
# mean over ranks). Prints medians, their ratios, and whether they are within the bounds: 5 % of the
# run time, 25 % of the time in MPI. Fails if a row is wrong or half of a pair is missing.

function median(list, count,    sorted, i, k, x) {
    for (i = 1; i <= count; i++) {
        x = list[i]
        for (k = i - 1; k >= 1 && sorted[k] > x; k--)
            sorted[k + 1] = sorted[k]
        sorted[k + 1] = x
    }
    return count % 2 ? sorted[(count + 1) / 2] : (sorted[count / 2] + sorted[count / 2 + 1]) / 2
}

# The median of what was collected under `kind` and `column` for a case.
function median_of(name, kind, column,    list, i) {
    for (i = 1; i <= runs[name, kind]; i++)
        list[i] = value[name, kind, column, i]
    return median(list, runs[name, kind])
}

function fail(text) {
    printf "selfcheck_table: %s\n", text > "/dev/stderr"
    failed = 1
    exit 2
}

function off(predicted, measured) {
    return measured > 0 ? predicted / measured - 1 : 0
}

function verdict(total, mpi) {
    if (total < 0) total = -total
    if (mpi < 0) mpi = -mpi
    if (total <= 0.05 && mpi <= 0.25) return "within"
    return total <= 0.05 ? "MPI off" : mpi <= 0.25 ? "run time off" : "off"
}

NF == 0 || /^#/ { next }

NF != 6 || ($4 != "measured" && $4 != "predicted") || $5 !~ /^[0-9.]+(e[-+]?[0-9]+)?$/ ||
$6 !~ /^[0-9.]+(e[-+]?[0-9]+)?$/ {
    fail("line " NR ": `" $0 "` is no row of LIBRARY PROGRAM RANKS KIND TOTAL_S MPI_S")
}

{
    name = $1 " | " $2 " | " $3
    if (!(name in known)) {
        known[name] = 1
        names[++count] = name
    }
    run = ++runs[name, $4]
    value[name, $4, 1, run] = $5 + 0
    value[name, $4, 2, run] = $6 + 0
}

END {
    if (failed) exit 2
    if (count == 0) fail("no rows")
    print "| library | program | ranks | runs | run time measured | predicted | off | in MPI " \
          "measured | predicted | off | verdict |"
    print "|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; i++) {
        name = names[i]
        if (!runs[name, "measured"] || !runs[name, "predicted"])
            fail(name ": measured and predicted runs are needed")
        total = median_of(name, "measured", 1)
        mpi = median_of(name, "measured", 2)
        total_off = off(median_of(name, "predicted", 1), total)
        mpi_off = off(median_of(name, "predicted", 2), mpi)
        printf "| %s | %d | %.4g s | %.4g s | %+.1f %% | %.4g s | %.4g s | %+.1f %% | %s |\n", name,
               runs[name, "measured"], total, median_of(name, "predicted", 1), 100 * total_off, mpi,
               median_of(name, "predicted", 2), 100 * mpi_off, verdict(total_off, mpi_off)
    }
}
