#!/bin/sh
# Converts and replays an archive that is larger than memory.
#
#     bench/speed/large_archive.sh GIGABYTES MEMORY [BUILD [FOLDER]]
#
# GIGABYTES: the size of the archive. MEMORY: trace.memory, in MiB. BUILD: the folder of the build
# (build). FOLDER: where the archive, the program file and temporary files are made (/var/tmp); they
# are removed at the end. It needs room for some twice GIGABYTES. RUN, in the environment, is what each
# anax runs under; without it bench/speed/small_cache.sh with MEMORY and a half. A system with limits of
# memory can have RUN="systemd-run --user --scope -q -p MemoryMax=1500M" instead.
#
# The archive has 256 ranks, and as many iterations as make that size (bench/speed/large_archive.c).
set -eu
gigabytes=$1 memory=$2 build=${3:-build} work=$(mktemp -d "${4:-/var/tmp}/large_archive.XXXXXX")
here=$(dirname "$0")
run=${RUN:-$here/small_cache.sh $((memory * 3 / 2))}
ranks=256 calls=100
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
export TMPDIR="$work"

bytes_of() { du -sb "$1" | cut -f 1; }

"$build/bench/large_archive" "$work/small" "$ranks" 200 "$calls"
iterations=$(echo "$gigabytes $(bytes_of "$work/small")" | awk '{ print int($1 * 1e9 / ($2 / 200)) }')
rm -r "$work/small"
"$build/bench/large_archive" "$work/large" "$ranks" "$iterations" "$calls"
echo "archive: $(bytes_of "$work/large") bytes, $iterations iterations of $ranks ranks"
echo "anax convert:"
$run "$build/anax" convert "$work/large" -o "$work/large.anax" -q \
    --set trace.memory="${memory}MiB" --set trace.user_regions=off
rm -r "$work/large"
echo "program file: $(bytes_of "$work/large.anax") bytes"
echo "anax replay:"
$run "$build/anax" replay "$work/large.anax" --machine kim-1k -q \
    --set trace.memory="${memory}MiB" | grep -E '^  (predicted time|digest)'
