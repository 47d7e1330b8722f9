# Reads the loads of windows (ANAX_TEST_LOADS), a line for each: the events of every busy group. Prints for
# some numbers of cores how many times as fast as one core they can be at most, if groups are dealt by the
# rule "longest first, to the core with the least": the bound, which counts events alone, and the
# prediction of the model, in which an event takes event_ns and the meeting of n cores after a window
# first_ns + level_ns * log2(n).
function makespan(count, cores,   i, core, best, most) {
    if (cores >= count) return load[1]
    for (core = 1; core <= cores; core++) sum[core] = 0
    for (i = 1; i <= count; i++) {
        best = 1
        for (core = 2; core <= cores; core++) if (sum[core] < sum[best]) best = core
        sum[best] += load[i]
    }
    most = 0
    for (core = 1; core <= cores; core++) if (sum[core] > most) most = sum[core]
    return most
}
BEGIN {
    if (event_ns == "") event_ns = 85
    if (first_ns == "") first_ns = 500
    if (level_ns == "") level_ns = 300
}
NF > 0 {
    windows++
    for (i = 1; i <= NF; i++) { # sorts from most to fewest
        for (j = i - 1; j > 0 && load[j] < $i; j--) load[j + 1] = load[j]
        load[j + 1] = $i + 0
        all += $i
    }
    for (cores = 8; cores <= 1024; cores *= 2) longest[cores] += makespan(NF, cores)
}
END {
    if (windows == 0) { print "no windows" > "/dev/stderr"; exit 1 }
    printf "%d windows, %.0f events in each\n", windows, all / windows
    printf "%6s %8s %8s\n", "cores", "bound", "model"
    for (cores = 8; cores <= 1024; cores *= 2)
        printf "%6d %8.1f %8.1f\n", cores, all / longest[cores], all * event_ns / \
            (longest[cores] * event_ns + windows * (first_ns + level_ns * log(cores) / log(2)))
}
