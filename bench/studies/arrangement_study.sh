#!/bin/sh
# The study of docs/studies/arrangements.md: five link arrangements under three routing policies, two
# placements and four ratios of global to local bandwidth, for recorded and generated applications.
#
#     bench/studies/arrangement_study.sh ANAX TRACES OUT [SEEDS]
#
# ANAX is the program, TRACES the folder of the recorded traces (those that are not there are left
# out, and told). OUT gets results.csv, bisection.csv, tables.md and arrangements.svg; it may hold
# what an earlier run finished. SEEDS is 4 unless given. ANAX_STUDY_JOBS says how many points run at
# once, ANAX_STUDY_ALPHAS and ANAX_STUDY_ROUTING which ratios and policies to take in place of all.
# Computation is left out (replay.compute_scale=0), so that times are those of communication.
set -eu
if [ $# -lt 3 ] || [ $# -gt 4 ]; then
    echo "usage: $0 ANAX TRACES OUT [SEEDS]" >&2
    exit 2
fi
bench=$(cd "$(dirname "$0")" && pwd)
case $1 in
*/*) anax=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;;
*) anax=$1 ;;
esac
traces=$(cd "$2" && pwd)
seeds=${4:-4}
mkdir -p "$3"
cd "$3"

applications=
for name in sp_gromacs-pme_8 sp_lammps-melt_8 sp_qe-si_8 sp_fft3d_16; do
    if [ -e "$traces/$name" ]; then
        short=${name#sp_}
        "$anax" convert -q --force "$traces/$name" -o "$short.anax"
        applications="$applications $short.anax"
    else
        echo "$traces/$name: not there, left out" >&2
    fi
done
"$anax" generate alltoall -q --force --ranks 72 --iterations 1 --size 16KiB --compute 0 -o alltoall-72.anax
"$anax" generate random-pairs -q --force --ranks 72 --iterations 8 --size 128KiB --compute 0 \
    -o random-pairs-72.anax
applications="$applications alltoall-72.anax random-pairs-72.anax"

arrangements=absolute,relative,circulant,nautilus,helix
"$anax" bisection -q --force -a 4 -h 2 --arrangement $arrangements --csv bisection.csv >/dev/null

# One comparison per cell, so that arrangements are compared with all else equal.
: >lines
for alpha in ${ANAX_STUDY_ALPHAS:-0.5=12.5GB/s 1=25GB/s 2=50GB/s 3.58=89.5GB/s}; do
    for placement in block random; do
        for routing in ${ANAX_STUDY_ROUTING:-minimal ugal-l-vch par}; do
            echo "alpha ${alpha%=*}, $placement, $routing" >&2
            rm -rf cell
            # shellcheck disable=SC2086 # a list of words
            "$anax" compare -q $applications --machine kim-72 --arrangement $arrangements \
                --set network.global.bandwidth="${alpha#*=}" --placement $placement \
                --routing $routing --set replay.compute_scale=0 --seeds "$seeds" \
                --jobs "${ANAX_STUDY_JOBS:-1}" --points points -o cell >/dev/null
            head -n 1 cell/candidates.csv | sed 's/^/alpha,/' >header
            tail -n +2 cell/candidates.csv | sed "s/^/${alpha%=*},/" >>lines
        done
    done
done
rm -rf cell
# A changed machine's name has a comma, which would be one column more.
cat header lines | sed 's/, changed"/ changed"/' | tr -d '"' >results.csv
rm header lines
awk -f "$bench/arrangement_study.awk" bisection.csv results.csv >tables.md
echo "tables.md and arrangements.svg are in $(pwd)"
