#!/bin/sh
# The study of docs/studies/placement.md: every placement with two routing policies, for recorded and
# generated applications, alone and beside two other jobs, each with five seeds.
#
#     bench/studies/placement_study.sh ANAX TRACES OUT
#
# ANAX is the program, TRACES the folder of the recorded traces (those that are not there are left
# out, and told), OUT a new folder for results.csv and tables.md. Computation is left out
# (replay.compute_scale=0), so that times are those of communication.
set -eu
if [ $# -ne 3 ]; then
    echo "usage: $0 ANAX TRACES OUT" >&2
    exit 2
fi
case $1 in
*/*) anax=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;;
*) anax=$1 ;;
esac
traces=$(cd "$2" && pwd)
out=$3
mkdir "$out"
cd "$out"

"$anax" generate halo3d --ranks 512 --iterations 4 --neighbours 26 -o halo3d-512.anax
"$anax" generate fft3d --ranks 512 --iterations 1 --size 1KiB -o fft3d-512.anax
"$anax" generate alltoall --ranks 64 --iterations 2 --size 32KiB -o other-alltoall.anax
"$anax" generate random-pairs --ranks 64 --iterations 40 --size 64KiB -o other-pairs.anax
applications="halo3d-512 fft3d-512"
for name in sp_gromacs-pme_8 sp_lammps-melt_8 sp_lammps-peptide_8 sp_qe-si_8; do
    if [ -e "$traces/$name" ]; then
        short=${name#sp_}
        "$anax" convert "$traces/$name" -o "$short.anax"
        applications="$applications $short"
    else
        echo "$traces/$name: not there, left out" >&2
    fi
done
placements=$("$anax" list placement | cut -d' ' -f1 | grep -vx -e nodes -e rankfile)

# measure APPLICATION PLACEMENT SEED: a line of results.csv for each routing policy
measure() {
    # The policy contiguous is about a machine that is in use.
    occupied=0
    [ "$2" = contiguous ] && occupied=0.1
    common="--machine kim-1k --placement $2 --seed $3 --set placement.occupied=$occupied"
    # shellcheck disable=SC2086 # a list of words
    "$anax" place "$1.anax" $common --json >place.json || return 0
    static=$(awk '/"distance":"other_group"/ { g = 1 } g && /"share":/ { gsub(/[^0-9.]/, ""); s = $0; g = 0 }
        /"kind":"global"/ { k = 1 } k && /"max_bytes":/ { gsub(/[^0-9]/, ""); m = $0; k = 0 }
        END { print s "," m }' place.json)
    for routing in minimal ugal-l-vch; do
        # shellcheck disable=SC2086
        "$anax" replay "$1.anax" other-alltoall.anax other-pairs.anax $common \
            --routing $routing --set replay.compute_scale=0 --json >replay.json
        times=$(awk '/"jobs":/ { j = 1 } j && /"time_ps":/ { gsub(/[^0-9]/, ""); t = $0 }
            j && /"alone_ps":/ { gsub(/[^0-9]/, ""); print $0 "," t; exit }' replay.json)
        echo "$1,$routing,$2,$3,$static,$times"
    done
}

echo "application,routing,placement,seed,other_group_share,max_global_bytes,alone_ps,beside_ps" >results.csv
for application in $applications; do
    for placement in $placements; do
        for seed in 1 2 3 4 5; do
            measure "$application" "$placement" "$seed" >>results.csv
        done
    done
done

# A table per application: means over seeds with the half width of their 95 % confidence interval
# (Student's t, 4 degrees of freedom).
awk -F, 'NR == 1 { next }
    function add(name, value) { count[name]++; sum[name] += value; squares[name] += value * value }
    function mean(name) { return sum[name] / count[name] }
    function half(name,    n, variance) {
        n = count[name]
        variance = (squares[name] - sum[name] * sum[name] / n) / (n - 1)
        return variance <= 0 ? 0 : 2.776 * sqrt(variance / n)
    }
    function time(name) { return with_half("%.1f", mean(name) / 1e6, half(name) / 1e6) }
    function ratio(name) { return "×" with_half("%.2f", mean(name), half(name)) }
    function with_half(form, value, width) {
        width = sprintf(form, width)
        return sprintf(form, value) (width + 0 > 0 ? " ± " width : "")
    }
    { key = $1 SUBSEP $3; if (!(key in seen)) { seen[key] = 1; order[++n] = key }
      add("share" key, $5); add("load" key, $6)
      add("alone" key $2, $7); add("slow" key $2, $8 / $7) }
    END {
        for (i = 1; i <= n; i++) {
            k = order[i]
            split(k, part, SUBSEP)
            if (part[1] != last) {
                printf "\n### %s\n\n", part[1]
                print "| placement | bytes between groups | busiest global link | minimal, alone (us) | beside others | ugal-l-vch, alone (us) | beside others |"
                print "|---|---|---|---|---|---|---|"
                last = part[1]
            }
            printf "| %s | %.1f %% | %.0f KiB | %s | %s | %s | %s |\n", part[2],
                100 * mean("share" k), mean("load" k) / 1024,
                time("alone" k "minimal"), ratio("slow" k "minimal"),
                time("alone" k "ugal-l-vch"), ratio("slow" k "ugal-l-vch")
        }
    }' results.csv >tables.md
echo "results.csv and tables.md are in $out"
