#!/bin/sh
# The study of docs/studies/placement.md: every placement with two routing policies, for recorded and
# generated applications, alone and beside two other jobs.
#
#     bench/placement_study.sh ANAX TRACES OUT
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

echo "application,routing,placement,other_group_share,max_global_bytes,alone_ps,beside_ps" >results.csv
for application in $applications; do
    for placement in $placements; do
        # The policy contiguous is about a machine that is in use.
        occupied=0
        [ "$placement" = contiguous ] && occupied=0.1
        common="--machine kim-1k --placement $placement --set placement.occupied=$occupied"
        # shellcheck disable=SC2086 # a list of words
        "$anax" place "$application.anax" $common --json >place.json || continue
        static=$(awk '/"other_group":/ { g = 1 } g && /"share":/ { gsub(/[^0-9.]/, ""); s = $0; g = 0 }
            /"global":/ { k = 1 } k && /"max_bytes":/ { gsub(/[^0-9]/, ""); m = $0; k = 0 }
            END { print s "," m }' place.json)
        for routing in minimal ugal-l-vch; do
            # shellcheck disable=SC2086
            "$anax" replay "$application.anax" other-alltoall.anax other-pairs.anax $common \
                --routing $routing --set replay.compute_scale=0 --json >replay.json
            times=$(awk '/"jobs":/ { j = 1 } j && /"time_ps":/ { gsub(/[^0-9]/, ""); t = $0 }
                j && /"alone_ps":/ { gsub(/[^0-9]/, ""); print $0 "," t; exit }' replay.json)
            echo "$application,$routing,$placement,$static,$times" >>results.csv
        done
    done
done

# A table per application: times in microseconds.
awk -F, 'NR == 1 { next }
    { key = $1 SUBSEP $3; if (!(key in seen)) { seen[key] = 1; order[++n] = key }
      share[key] = $4; load[key] = $5; alone[key, $2] = $6; beside[key, $2] = $7 }
    function us(ps) { return sprintf("%.1f", ps / 1e6) }
    END {
        for (i = 1; i <= n; i++) {
            split(order[i], part, SUBSEP)
            if (part[1] != last) {
                printf "\n### %s\n\n", part[1]
                print "| placement | bytes between groups | busiest global link | minimal, alone (µs) | beside others | ugal-l-vch, alone (µs) | beside others |"
                print "|---|---|---|---|---|---|---|"
                last = part[1]
            }
            k = order[i]
            printf "| %s | %.1f %% | %.0f KiB | %s | ×%.2f | %s | ×%.2f |\n", part[2],
                100 * share[k], load[k] / 1024, us(alone[k, "minimal"]),
                beside[k, "minimal"] / alone[k, "minimal"], us(alone[k, "ugal-l-vch"]),
                beside[k, "ugal-l-vch"] / alone[k, "ugal-l-vch"]
        }
    }' results.csv >tables.md
echo "results.csv and tables.md are in $out"
