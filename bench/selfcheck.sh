#!/bin/sh
# Holds anax against the computer on which it runs: measures ping-pongs of Open MPI and MPICH,
# calibrates a machine with them, measures and records programs, replays the recordings, and prints
# predicted against measured times.
#
#     bench/selfcheck.sh [--mpi LIST] [--program LIST] [--command COMMAND] [--ranks N]
#                                  [--runs N] [--quick] [--page FILE]
#
# --mpi: libraries, of openmpi and mpich (default: both). --program: programs, of stencil (our own,
# for each library) and lammps (for the library that it was built with; default: both). --command: a
# program of yours, such as "./a.out 100", for the one library of --mpi; without --program alone.
# --ranks: ranks of the programs (default: processors without load, at least 2). --runs: measured and
# recorded runs of each program (default 5). --quick: short measurements, whose figures mean little.
# --page: writes the table to FILE too. BUILD names another build folder than build.
#
# Missing programs are named, and the exit code is 2. Nothing else should run on the computer.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}

libraries="openmpi mpich"
programs=
own_command=
ranks=
runs=5
rounds=200
page=
machine=kim-72 # any machine: all ranks run on one node of it

usage() {
    echo "bench/selfcheck.sh: $1" >&2
    echo "usage: bench/selfcheck.sh [--mpi LIST] [--program LIST] [--command COMMAND] [--ranks N]" \
        "[--runs N] [--quick] [--page FILE]" >&2
    exit 2
}

check_words() {
    for word in $2; do
        case " $3 " in
        *" $word "*) ;;
        *) usage "$1: \`$word\` is none of $3" ;;
        esac
    done
}

check_count() {
    case $2 in
    '' | *[!0-9]* | 0*) usage "$1: \`$2\` is no number from 1 on" ;;
    esac
}

stencil_arguments=
lammps_steps=100
while [ $# -gt 0 ]; do
    case $1 in
    --quick)
        runs=2
        rounds=20
        stencil_arguments="256 50"
        lammps_steps=20
        shift
        continue
        ;;
    --mpi | --program | --command | --ranks | --runs | --page) [ $# -gt 1 ] || usage "$1 needs a value" ;;
    *) usage "unknown option $1" ;;
    esac
    case $1 in
    --mpi) libraries=$(echo "$2" | tr , ' ') && check_words --mpi "$libraries" "openmpi mpich" ;;
    --program)
        programs=$(echo "$2" | tr , ' ')
        check_words --program "$programs" "stencil lammps"
        ;;
    --command) own_command=$2 ;;
    --ranks) ranks=$2 && check_count --ranks "$2" ;;
    --runs) runs=$2 && check_count --runs "$2" ;;
    --page) page=$2 ;;
    esac
    shift 2
done

if [ -n "$own_command" ]; then
    case $libraries in *" "*) usage "--command needs the library of the program: --mpi NAME" ;; esac
    programs="$programs command"
elif [ -z "$programs" ]; then
    programs="stencil lammps"
fi

# ---------------------------------------------------------------------------- what is needed

missing=
need() {
    command -v "$1" >/dev/null || missing="$missing
  $1 (Debian: apt-get install $2)"
}

for library in $libraries; do
    case $library in
    openmpi) packages="openmpi-bin libopenmpi-dev" ;;
    *) packages="mpich libmpich-dev" ;;
    esac
    need "mpicc.$library" "$packages"
    need "mpirun.$library" "$packages"
done
case " $programs " in *" lammps "*) need lmp lammps ;; esac
if [ -n "$missing" ]; then
    echo "bench/selfcheck.sh: missing:$missing" >&2
    echo "or leave them out by --mpi and --program" >&2
    exit 2
fi

# Returns the library that LAMMPS was built with.
library_of_lammps() {
    if ldd "$(command -v lmp)" | grep -q libmpich; then echo mpich; else echo openmpi; fi
}

load=$(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null || echo 0)
processors=$(getconf _NPROCESSORS_ONLN)
if [ -z "$ranks" ]; then
    ranks=$(awk -v all="$processors" -v load="$load" \
        'BEGIN { free = int(all - load + 0.5); print (free < 2 ? 2 : free) }')
fi
if awk -v load="$load" 'BEGIN { exit !(load > 0.5) }'; then
    echo "bench/selfcheck.sh: the computer is busy (load $load): measured times will be too long" >&2
fi

[ -e "$build/CMakeCache.txt" ] || cmake --preset release >/dev/null
cmake --build "$build" --target anax selfcheck_archive -j 2 >/dev/null
anax=$(cd "$build" && pwd)/anax
archive=$(cd "$build" && pwd)/bench/selfcheck_archive
work=$(cd "$build" && pwd)/bench/selfcheck.d
sources=$PWD/bench/selfcheck
rm -rf "$work"
mkdir -p "$work"

# ---------------------------------------------------------------------------- measuring

# Open MPI refuses to run as root, and more processes than processors, unless it is told.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
run() { # LIBRARY RANKS COMMAND...
    launcher=mpirun.$1
    count=$2
    case $1 in openmpi) options="--oversubscribe" ;; *) options="-bind-to none" ;; esac
    shift 2
    # shellcheck disable=SC2086 # a list of words
    timeout -s KILL 1800 "$launcher" $options -np "$count" "$@" </dev/null
}

stop() {
    echo "bench/selfcheck.sh: $1" >&2
    [ -z "${2:-}" ] || tail -n 5 "$2" >&2
    exit 1
}

# Settings of the replay that belong to the library and not to what was measured: which algorithms
# its collectives use, how large messages are moved, and that only ranks make progress.
settings_of() {
    case $1 in
    openmpi) echo "--set mpi.collectives=openmpi --set mpi.rendezvous=get" ;;
    *) echo "--set mpi.collectives=mpich --set mpi.rendezvous=put" ;;
    esac
    echo "--set mpi.progress=software"
}

# Compiles the programs of a library, and calibrates the machine `computer.yaml` in its folder.
prepare() {
    folder=$work/$1
    mkdir "$folder"
    "mpicc.$1" -std=gnu17 -O2 -fPIC -shared -o "$folder/recorder.so" \
        "$sources/selfcheck_recorder.c"
    "mpicc.$1" -std=gnu17 -O2 -o "$folder/pingpong" "$sources/selfcheck_pingpong.c"
    "mpicc.$1" -std=gnu17 -O2 -o "$folder/stencil" "$sources/selfcheck_stencil.c"
    echo "$1: ping-pong" >&2
    run "$1" 2 "$folder/pingpong" "$rounds" >"$folder/latency.txt" 2>"$folder/errors" ||
        stop "the ping-pong of $1 failed:" "$folder/errors"
    # shellcheck disable=SC2046 # a list of words
    "$anax" calibrate "$folder/latency.txt" --machine "$machine" \
        --distance same-node $(settings_of "$1") -o "$folder/computer.yaml" \
        --svg "$folder/calibration.svg" >"$folder/calibration.txt" 2>"$folder/warnings" ||
        stop "the calibration with $1 failed:" "$folder/warnings"
}

# Prints the time of the longest rank and the mean time in MPI, in seconds.
times_in() {
    cat "$1"/time.* | awk '
        $1 == "elapsed" && $2 > longest { longest = $2 }
        $1 == "mpi" { mpi += $2; ranks++ }
        END { printf "%.9f %.9f\n", longest / 1e9, mpi / ranks / 1e9 }'
}

predicted_in() {
    awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        { if ($column["time_ps"] > longest) longest = $column["time_ps"]; mpi += $column["mpi_ps"] }
        END { printf "%.9f %.9f\n", longest / 1e12, mpi / (NR - 1) / 1e12 }' "$1/ranks.csv"
}

# Runs a program once into a folder. RECORD: 1 to record it.
run_program() { # LIBRARY PROGRAM FOLDER RECORD
    mkdir "$3"
    case $2 in
    stencil) command="$work/$1/stencil $stencil_arguments" ;;
    command) command=$own_command ;;
    *) command="lmp -in $work/lammps.in -log none" ;;
    esac
    # shellcheck disable=SC2086 # a list of words
    run "$1" "$ranks" env "LD_PRELOAD=$work/$1/recorder.so" "SELFCHECK_OUT=$3" \
        "SELFCHECK_RECORD=$4" $command >"$3/output" 2>"$3/errors" ||
        stop "$2 with $1 failed:" "$3/errors"
    [ -e "$3/time.0" ] || stop "$2 wrote no times: it does not use the MPI library $1" "$3/errors"
}

rows=$work/rows.txt
: >"$rows"
check() { # LIBRARY PROGRAM
    number=1
    while [ "$number" -le "$runs" ]; do
        echo "$1: $2, run $number of $runs" >&2
        base=$work/$1/$2.$number
        run_program "$1" "$2" "$base.measured" 0
        echo "$1 $2 $ranks measured $(times_in "$base.measured")" >>"$rows"
        run_program "$1" "$2" "$base.recorded" 1
        "$archive" "$base.recorded" "$base.archive"
        # shellcheck disable=SC2046 # a list of words
        "$anax" replay "$base.archive/traces.otf2" --machine "$work/$1/computer.yaml" \
            --ranks-per-node "$ranks" $(settings_of "$1") -o "$base.result" >"$base.text" \
            2>"$base.errors" || stop "the replay of $2 with $1 failed:" "$base.errors"
        echo "$1 $2 $ranks predicted $(predicted_in "$base.result")" >>"$rows"
        number=$((number + 1))
    done
}

lammps=
case " $programs " in
*" lammps "*)
    lammps=$(library_of_lammps)
    case " $libraries " in
    *" $lammps "*) ;;
    *) echo "bench/selfcheck.sh: lmp uses $lammps, so lammps is left out" >&2 ;;
    esac
    ;;
esac
sed "s/^run 100$/run ${lammps_steps}/" "$sources/selfcheck_lammps.in" \
    >"$work/lammps.in"
for library in $libraries; do
    prepare "$library"
    for program in $programs; do
        if [ "$program" = lammps ] && [ "$library" != "$lammps" ]; then continue; fi
        check "$library" "$program"
    done
done

{
    echo "On $(uname -m), $processors processors, $ranks ranks, load $load before it began; medians of $runs runs."
    echo
    awk -f "$sources/selfcheck_table.awk" "$rows"
} >"$work/table.md"
cat "$work/table.md"
if [ -n "$page" ]; then cp "$work/table.md" "$page"; fi
echo "Everything is in $work." >&2
