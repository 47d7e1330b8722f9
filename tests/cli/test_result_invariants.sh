#!/bin/sh
# Whatever is simulated, figures fit together: every archive at hand, patterns and machines, under
# several settings, through the checker of results (tests/support/check).
. "$ANAX_SOURCE/tests/support/script/command.sh"
check=$ANAX_BINARY/tests/check_json
runs=0

# checked ARGUMENTS: runs anax with --json, and where it may write tables, with them, too; what comes
# out fits together. A replay that cannot go on has a report, which is checked as well.
checked() {
    rm -rf tables
    case $1 in
    replay | traffic | compare) run "$@" --json -q -o tables ;;
    *) run "$@" --json -q ;;
    esac
    expect "exit code 0, or 1 of what cannot go on" [ "$code" -le 1 ]
    [ -s out ] || return
    cp out result.json
    runs=$((runs + 1))
    case $2 in
    */*) recorded=--recorded ;; # archives; programs lie in this folder
    *) recorded='' ;;
    esac
    if [ -d tables ]; then set -- tables; else set --; fi
    "$check" ${recorded:+"$recorded"} result.json "$@" >out || expect "the figures fit together" false
}

# Small recordings: a large one says no more about sums.
archives=$(for folder in "$ANAX_SOURCE"/examples/gromacs "$ANAX_SOURCE"/tests/data/otf2/* \
    "$ANAX_SOURCE"/../shared/traces/recorded/* "$ANAX_SOURCE"/../shared/traces/public/*; do
    if [ -e "$folder/traces.otf2" ] && [ "$(du -sk "$folder" | cut -f1)" -le 600 ]; then echo "$folder"; fi
done)
number=0
for archive in $archives; do
    case $archive in *threads-nothr*) continue ;; esac # refused: recorded without its threads
    number=$((number + 1)) turn=both
    case $archive in */../shared/*) turn=$((number % 2)) ;; esac # of many, each with one of two settings
    [ $turn = 1 ] || checked replay "$archive" -m kim-72 --set trace.user_regions=on --time-bins 40 --matrix rank
    [ $turn = 0 ] || checked replay "$archive" -m kim-72 -r par -p random -n 3 --set mpi.rendezvous=get \
        --set mpi.eager_threshold=1kB --set mpi.progress=software --set network.rails=2 --time-bins 9 \
        --matrix router
done
for archive in "$ANAX_SOURCE"/tests/data/otf2/*; do
    checked info "$archive"
    checked place "$archive" -m kim-72 -p greedy
done
run_ok export "$ANAX_SOURCE/examples/gromacs" --format json -o schedule.json
"$check" schedule.json >out || expect "its messages meet" false

"$ANAX" list patterns | cut -d' ' -f1 >names
while read -r pattern; do
    size=''
    case $pattern in # as large as applications are, they take most of this test's time
    training) size="--set training.layers=2 --set training.hidden=48 --set training.vocabulary=99" ;;
    lulesh | nekbone | minife | amg | milc | swfft | kripke) size="--edge 6" ;;
    esac
    # shellcheck disable=SC2086 # a list of words
    run_ok generate "$pattern" --ranks 16 --iterations 2 $size -o "$pattern.anax"
    checked replay "$pattern.anax" -m kim-72 -p random -r valiant --set network.header=0
done <names
checked replay halo3d.anax alltoall.anax -m kim-72 -p random --set noise.kind=periodic
checked replay incast.anax -m kim-72 --background adv+1 --background-load 0.3 --time-bins 20
checked replay halo3d.anax -m kim-72 -p random -r par --set network.acknowledgement=packet \
    --set network.nic.window=8KiB --set network.classes=2 --set mpi.control_class=1
checked traffic -m kim-72 -r ugal-l --load 0.5 --set traffic.measure=5us \
    --set network.acknowledgement=packet --time-bins 30
checked replay sweep3d.anax -m kim-72 --set network.failures.globals=5 --set network.rails=2 \
    --set network.rail_choice=packet --repeat 'iteration*3'
checked replay halo3d.anax -m kim-72 -p random --explain
files=$ANAX_SOURCE/../shared/traces/recorded/sp_mpiio_8
[ ! -e "$files" ] || checked replay "$files" -m kim-72 --set io.nodes=2 --explain
checked compare halo2d.anax bcast.anax -m kim-72 -r minimal,par -p random,block --seeds 3 --points kept

while read -r routing; do
    checked traffic -m kim-72 -r "$routing" -p adv+1 --load 0.5 --set traffic.measure=5us --time-bins 8
done <<ROUTINGS
$("$ANAX" list routing | cut -d' ' -f1)
ROUTINGS
for settings in traffic.message=10000B "traffic.burst=7 network.nic.overhead=50ns" \
    "network.rails=3 network.rail_choice=message" "network.failures.routers=3 traffic.queue=4" \
    "network.group.dimensions=2x2 network.group.links=2" "network.header=0 network.nic.bandwidth=9GB/s" \
    "network.router.crossbar=vc network.router.output_buffer=8KiB"; do
    # shellcheck disable=SC2046,SC2086 # a list
    checked traffic -m kim-72 --loads 0.1,0.9 $(printf -- '--set %s ' $settings) --set traffic.measure=5us
    # shellcheck disable=SC2046,SC2086
    checked traffic -m kim-72 --load 1 $(printf -- '--set %s ' $settings) --set traffic.measure=5us
done

for arrangement in absolute relative circulant nautilus nautilus-index helix random; do
    checked topology kim-72 kim-1k --arrangement $arrangement --set network.failures.locals=2
    checked bisection -a 3 -h 2 --arrangement $arrangement
done
expect "results were checked" [ "$runs" -gt 80 ]
finish
