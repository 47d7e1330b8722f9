#!/bin/sh
# Damages archives, program files, configurations, lists, options and kept points, and runs anax on
# them under sanitizers, for as long as it is told:
#
#     tests/stress.sh [--seconds N] [--cases N] [--jobs N] [--seed N] [--out DIR] [--case N]
#                     [--limit N] BUILD
#
#     BUILD      a build folder, with the address and undefined-behaviour sanitizers (preset asan)
#     --seconds  how long to go on (600)
#     --cases    after how many cases to stop earlier
#     --jobs     processes at once (1)
#     --seed     what all cases follow from (1): case N of a seed is always the same
#     --out      where failing cases are kept (stress-SEED in the present folder); must not exist
#     --case     only case N, whose files are kept whatever comes out
#     --limit    processor seconds that a run may take (60); ten times as much by the clock
#
# What must hold of every run:
#   - it ends by itself within its limit, with exit code 0, 1 or 2 and no report of a sanitizer, and
#     asks for no more memory once it has 1.5 GB;
#   - what it accepts fits together: tests/support/check looks at each JSON result and its tables;
#     and a predicted timeline takes as long as was predicted;
#   - what it refuses it gives a reason for, and leaves no file behind;
#   - a kept point that is damaged changes nothing in a comparison.
# Exit code 0: all did; 1: some did not, see the folder of --out; 2: wrong usage.
set -u
LC_ALL=C
export LC_ALL
source=$(cd "$(dirname "$0")/.." && pwd)

usage() {
    sed -n '5,15s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

seconds=600 cases='' jobs=1 seed=1 limit=60 out='' only='' build=''
while [ $# -gt 0 ]; do
    case $1 in
    --seconds | --cases | --jobs | --seed | --out | --case | --limit)
        [ $# -ge 2 ] || usage
        case $1 in
        --seconds) seconds=$2 ;;
        --cases) cases=$2 ;;
        --jobs) jobs=$2 ;;
        --seed) seed=$2 ;;
        --out) out=$2 ;;
        --case) only=$2 ;;
        --limit) limit=$2 ;;
        esac
        shift 2
        ;;
    -*) usage ;;
    *)
        [ -z "$build" ] || usage
        build=$1
        shift
        ;;
    esac
done
case "$seconds$cases$jobs$seed$only$limit" in *[!0-9]*) usage ;; esac
[ -n "$build" ] || usage
[ -n "$out" ] || out=stress-$seed
build=$(cd "$build" 2>/dev/null && pwd) || usage
anax=$build/anax mutate=$build/tests/mutate check=$build/tests/check_json
for program in "$anax" "$mutate" "$check"; do
    if [ ! -x "$program" ]; then
        echo "stress.sh: $program is not built" >&2
        exit 2
    fi
done
grep -q '^ANAX_SANITIZE:.*address' "$build/CMakeCache.txt" ||
    echo "stress.sh: $build has no address sanitizer: what it would find stays hidden" >&2
if ! mkdir "$out"; then exit 2; fi
out=$(cd "$out" && pwd)

work=$(mktemp -d)
workers=''
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086 # a list of process ids
trap '[ -z "$workers" ] || kill $workers 2>/dev/null; exit 130' INT TERM

# Damaged records make libotf2 ask for huge memory before it looks at the file, and it does not free
# what it has built up when it refuses one; see tests/fuzz/fuzz_otf2_import.c.
echo 'leak:libopen-trace-format2' >"$work/suppressions"
options=exitcode=99:max_allocation_size_mb=1024:allocator_may_return_null=1:soft_rss_limit_mb=1500
ASAN_OPTIONS=$options UBSAN_OPTIONS=exitcode=99:print_stacktrace=1
LSAN_OPTIONS=exitcode=99:print_suppressions=0:suppressions=$work/suppressions
export ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS

# ------------------------------------------------------------------------------ what is damaged

# Small recordings, since damage to a large one is no other.
list_archives() {
    for folder in "$source"/examples/gromacs "$source"/tests/data/otf2/* \
        "$source"/../shared/traces/recorded/* "$source"/../shared/traces/found/* \
        "$source"/../shared/traces/found/*/one-byte-changed "$source"/../shared/traces/bad/* \
        "$source"/../shared/traces/public/*; do
        for anchor in "$folder"/*.otf2; do
            if [ -f "$anchor" ] && [ "$(du -sk "$folder" | cut -f1)" -le 800 ]; then
                echo "$folder"
                break
            fi
        done
    done
}

make_programs() {
    mkdir "$work/programs"
    "$anax" list patterns | cut -d' ' -f1 | while read -r pattern; do
        size="--size 2KiB"
        case $pattern in
        training) size= ;;
        lulesh | nekbone | minife | amg | milc | swfft | kripke) size="--edge 4" ;;
        esac
        # shellcheck disable=SC2086 # words are arguments
        "$anax" generate "$pattern" --ranks 12 --iterations 2 $size -q \
            -o "$work/programs/$pattern.anax"
    done
    "$anax" generate halo2d --ranks 9 --iterations 2 --size 1KiB -q -o "$work/small"
    for pattern in halo3d fft3d; do
        "$anax" export "$work/programs/$pattern.anax" -f goal -q -o "$work/programs/$pattern.goal"
        "$anax" convert "$work/programs/$pattern.goal" -q -o "$work/programs/$pattern-goal.anax"
    done
    for folder in "$source"/tests/data/otf2/*; do
        "$anax" convert "$folder" -q -o "$work/programs/${folder##*/}.anax"
    done
}

make_configs() {
    mkdir "$work/configs"
    cd "$work/configs" || exit 1
    for machine in kim-72 garcia-342-paper kim-1k-paper; do
        "$anax" replay -m $machine --print-config >replay-$machine.yaml
        "$anax" traffic -m $machine --print-config >traffic-$machine.yaml
    done
    "$anax" topology -m kim-72 --print-config >topology.yaml
    "$anax" generate halo3d --print-config >generate.yaml
    cat >nested.yaml <<'YAML'
# a machine of its own
machine: kim-72
seed: 3
network:
  nodes_per_router: 2
  routers_per_group: 4
  globals_per_router: 2
  groups: 9
  rails: 2
  rail_choice: message
  routing: par
  global: {bandwidth: 12.5GB/s, latency: 300ns, buffer: 32KiB}
  local:
    bandwidth: 25GB/s
    latency: 15ns
    buffer: 16KiB
  failures: {globals: 1%, locals: 2, seed: 7}
  router:
    crossbar: vc
    output_buffer: 8KiB
    speedup: 1.5
    arbitration: oldest
placement: {policy: random, ranks_per_node: 2, order: cyclic, occupied: 10%}
mpi:
  eager_threshold: 8KiB
  protocol: openmpi
  send_overhead: 300ns
  allreduce: ring
noise: {kind: periodic, period: 1ms, duration: 25us, of: node}
replay: {compute_scale: 0.5}
traffic: {pattern: adv+1, message: 4KiB, burst: 2}
YAML
    cat >ofar.yaml <<'YAML'
machine: kim-72
network: {routing: ofar, misrouting: crg+l, ofar: {ring: physical, vcs: 2, threshold: 0.7}}
YAML
}

# Lists that settings name; the word before the first dot is the setting's.
make_lists() {
    mkdir "$work/lists"
    cd "$work/lists" || exit 1
    printf '%s\n' '# nodes' 3 5 '7-20' 1 >nodes
    i=0
    while [ $i -lt 12 ]; do
        echo "$i $((i * 5))"
        i=$((i + 1))
    done >rankfile
    printf '%s\n' 'router 3 0' 'local 0 1 2' 'global 5 7 1' '# none' 'rail 0 router 4 1' >failures
    printf '%s\n' 'rank 3 1.3' 'node 8-15  0.9   # faster' 'rank 0-2 2' >factors
    printf '%s\n' '# ns' '0 5us' '100us, 3us' '1ms' >noise
    printf '%s\n' '0 0   1 0' '0 1   2 0' '1 1   2 1' >arrangement
    cat >jobs.yaml <<'YAML'
jobs:
  - trace: halo2d.anax
    placement: random
  - trace: incast.anax
    name: writer
    start: 2us
    seed: 7
    placement: {policy: contiguous, ranks_per_node: 4}
YAML
    cat >options <<'OPTIONS'
--set
network.global.latency=300ns
--set
mpi.eager_threshold=8KiB
--set
placement.stride=3
--set
replay.compute_scale=0.5
--placement
strided
--routing
ugal-l
--seed
17
--ranks-per-node
2
--from
MPI_Waitall#1
--to
200us
--repeat
iteration#2*2
OPTIONS
}

# A comparison and its points, to be damaged; the result must stay the same.
make_points() {
    mkdir "$work/points"
    cd "$work/points" || exit 1
    cp "$work/programs/halo2d.anax" .
    "$anax" compare halo2d.anax -m kim-72 -r minimal,par -p random --seeds 3 -q --points kept \
        --json >result.json
}

# ------------------------------------------------------------------------------ one run

# Keeps the case that is being run, with the reason; one line for people.
fail() { # CLASS WHY
    echo "$1" >>"$tally"
    failed=$((failed + 1))
    kept=$out/$1-$number
    if [ ! -d "$kept" ]; then
        mkdir "$kept"
        cp -R "$case" "$kept/case" 2>/dev/null
        cp "$logs/out" "$logs/err" "$kept" 2>/dev/null
    fi
    {
        echo "$2"
        echo "  damage: $damage"
        echo "  in case/: anax $command"
        echo "  again: tests/stress.sh --seed $seed --case $number BUILD"
    } >>"$kept/why"
    echo "$1, case $number: $2"
    echo "  $damage"
    echo "  anax $command"
    head -n 4 "$logs/err" | cut -c1-300 | sed 's/^/  | /'
}

# What it says when it refuses: `anax: a reason`, or FILE:LINE:COLUMN: error: a reason. The sanitizer says before
# that it has refused memory.
has_reason() {
    grep -v '^==[0-9]*==WARNING: AddressSanitizer failed to allocate' "$logs/err" | head -n 1 |
        grep -Eq '^anax( [a-z]+)?: [^:].*[^:[:space:]]|^.+:[0-9]+(:[0-9]+)?: error: .+'
}

# try ARGUMENTS...: runs anax in the case's folder and looks at all that comes out. Sets $code.
try() {
    command=$*
    before=$(ls -A "$case")
    (
        cd "$case" || exit 99
        # shellcheck disable=SC3045 # all shells that a system has for sh know it
        ulimit -t "$limit"
        exec timeout -k 5 $((10 * limit)) "$anax" "$@"
    ) >"$logs/out" 2>"$logs/err" </dev/null
    code=$?
    after=$(ls -A "$case")
    echo "run" >>"$tally"
    case $code in
    0) echo "accepted" >>"$tally" ;;
    1) echo "stopped" >>"$tally" ;;
    2) echo "refused" >>"$tally" ;;
    124 | 137 | 152) fail hang "still running after $limit s of processor time, or ten times as long" ;;
    99) fail sanitizer "$(grep -m 1 -E 'ERROR: |runtime error: ' "$logs/err" | cut -c1-200)" ;;
    *) fail crash "exit code $code" ;;
    esac
    if [ $code -le 2 ] && grep -Eq 'ERROR: [A-Za-z]*Sanitizer|runtime error: ' "$logs/err"; then
        fail sanitizer "$(grep -m 1 -E 'ERROR: |runtime error: ' "$logs/err" | cut -c1-200)"
    fi
    if [ $code -eq 1 ] || [ $code -eq 2 ]; then
        has_reason || fail reason "no reason on the standard error"
        [ "$before" = "$after" ] || fail left "files are left: $(echo "$after" | tr '\n' ' ')"
    fi
    [ $code -le 1 ] && check_result "$@"
}

# The JSON that a run printed, with its tables, if it did.
check_result() {
    [ "$(head -c 1 "$logs/out")" = '{' ] || return
    set --
    [ "$code" -eq 0 ] && set -- --completed
    [ "$kind_of" = archive ] && set -- "$@" --recorded
    set -- "$@" "$logs/out"
    [ -d "$case/tables" ] && set -- "$@" "$case/tables"
    if ! "$check" "$@" >"$logs/broken" 2>&1; then
        fail broken "$(head -n 1 "$logs/broken" | sed 's|^[^ ]*: ||' | cut -c1-200)"
        cp "$logs/broken" "$out/broken-$number/" 2>/dev/null
    fi
    rm -rf "$case/tables"
}

# The first number under a key of the last result.
value() { sed -n "s/^ *\"$1\":\([0-9]*\),\{0,1\}\$/\1/p" "$logs/out" | head -n 1; }

# ------------------------------------------------------------------------------ cases

# Some settings for replays; $1 below 10.
settings_of() {
    case $1 in
    0) echo "-r par -p random -n 2 --set trace.user_regions=on" ;;
    1) echo "--set mpi.rendezvous=get --set mpi.eager_threshold=0 --set mpi.progress=software" ;;
    2) echo "-r ofar --set network.rails=2 --set network.rail_choice=packet" ;;
    3) echo "--set mpi.eager_threshold=auto --set mpi.protocol=openmpi-tcp" ;;
    4) echo "-r valiant -p random --from 1us --to 10ms -t 2" ;;
    5) echo "--set noise.kind=gaussian --set noise.share=0.5 -t 2" ;;
    6) echo "--set noise.kind=periodic --set replay.compute_scale=0.25" ;;
    7) echo "-p greedy --set network.router.output_buffer=4KiB --set network.router.crossbar=input" ;;
    8) echo "--set mpi.reduction_per_kib=1us --set mpi.send_overhead_per_kib=10ns -p partition" ;;
    *) echo "" ;;
    esac
}

# A trace, whatever it is: $trace in the case's folder. Replays only what can end in time: where
# messages are huge all ranks share a node, whose memory takes one step for each.
trace_case() { # CHOICE SETTINGS EXTRA
    try place "$trace" -m kim-72 --json -q
    if [ "$code" -eq 2 ]; then
        [ "$1" -lt 2 ] && try info "$trace" --json -q
        return
    fi
    huge=''
    bytes=$(sed -n '/"traffic"/,/"same_node"/s/^ *"bytes":\([0-9]*\),$/\1/p' "$logs/out")
    case ${#bytes} in [0-8]) ;; *) huge='--placement block --ranks-per-node 1000' ;; esac
    # shellcheck disable=SC2046,SC2086 # lists of options
    try replay "$trace" -m kim-72 $(settings_of "$2") $huge --json -q -o tables
    case $3 in
    0) try info "$trace" --json -q ;;
    1) [ -n "$huge" ] || try export "$trace" --format json -q ;;
    2) [ -n "$huge" ] || try export "$trace" --format goal -o schedule.goal -q ;;
    3)
        try convert "$trace" -o converted.anax -q
        [ "$code" -ne 0 ] || try info converted.anax --json -q
        ;;
    4 | 5) timeline_case "$huge" ;;
    6)
        # shellcheck disable=SC2086
        try replay "$trace" -m kim-72 $huge -q
        ;;
    esac
}

# A predicted timeline is read again, and takes as long.
timeline_case() { # OPTIONS
    # shellcheck disable=SC2086
    try replay "$trace" -m kim-72 $1 --timeline predicted --json -q
    [ "$code" -eq 0 ] || return
    predicted=$(value time_ps)
    # shellcheck disable=SC2086
    try replay predicted -m kim-72 $1 --json -q
    if [ "$code" -eq 0 ] && [ "$(value time_ps)" != "$predicted" ]; then
        fail timeline "predicted $predicted ps, its timeline takes $(value time_ps) ps"
    fi
    rm -rf "$case/predicted"
}

archive_case() {
    # shellcheck disable=SC2046
    set -- $("$mutate" draws "$key" "$archive_count" 8 12 10)
    folder=$(sed -n "$(($1 + 1))p" "$work/archives")
    damage="${folder##*/}: $("$mutate" archive "$key" "$folder" "$case/archive")" || return
    trace=archive
    trace_case "$2" "$3" "$4"
}

program_case() {
    # shellcheck disable=SC2046
    set -- $("$mutate" draws "$key" "$program_count" 8 12 10 4)
    file=$(sed -n "$(($1 + 1))p" "$work/program_list")
    kind=program trace=damaged.anax
    [ "$5" -eq 0 ] && kind=bytes
    case $file in *.goal) kind=text trace=damaged.goal ;; esac
    damage="${file##*/}: $("$mutate" $kind "$key" "$file" "$case/$trace" 2>/dev/null)" || return
    trace_case "$2" "$3" "$4"
}

config_case() {
    # shellcheck disable=SC2046
    set -- $("$mutate" draws "$key" "$config_count" 9)
    file=$(sed -n "$(($1 + 1))p" "$work/config_list")
    damage="${file##*/}: $("$mutate" text "$key" "$file" "$case/config.yaml")" || return
    cp "$work/small" "$case/small.anax"
    short='--set traffic.warmup=1us --set traffic.measure=2us --set traffic.drain=1us'
    # shellcheck disable=SC2086
    case $2 in
    0 | 1) try replay small.anax --config config.yaml --json -q -o tables ;;
    2 | 3) try traffic --config config.yaml --load 0.3 $short --json -q -o tables ;;
    4) try traffic --config config.yaml --loads 0.05,0.9 $short --json -q -o tables ;;
    5) try topology --config config.yaml --json -q ;;
    6) try bisection --config config.yaml --json -q --time-limit 2 ;;
    7) try place small.anax --config config.yaml --json -q ;;
    8)
        try generate halo3d --config config.yaml -o generated.anax -q
        mkdir "$case/kept"
        try compare small.anax --config config.yaml --seeds 2 --points kept --json -q
        ;;
    esac
}

list_case() {
    # shellcheck disable=SC2046
    set -- $("$mutate" draws "$key" 8 3)
    cp "$work/programs/halo2d.anax" "$work/programs/incast.anax" "$case"
    # shellcheck disable=SC2046
    set -- "$2" $(sed -n "$(($1 + 1))p" <<'LISTS'
nodes --placement nodes --set placement.file=list
rankfile --placement rankfile --set placement.file=list
failures --set network.failures.file=list
factors --set replay.compute_factors=list
noise --set noise.kind=recorded --set noise.file=list
arrangement --set network.arrangement=file --set network.arrangement_file=list
jobs.yaml --jobs list
options
LISTS
    )
    pick=$1 name=$2
    shift 2
    damage="$name: $("$mutate" text "$key" "$work/lists/$name" "$case/list")" || return
    case $name in
    jobs.yaml) try replay "$@" -m kim-72 --json -q -o tables ;;
    options)
        set -f
        oldifs=$IFS
        IFS='
'
        # shellcheck disable=SC2046
        set -- $(tr -d '\000' <"$case/list")
        IFS=$oldifs
        set +f
        try replay halo2d.anax -m kim-72 --json -q "$@"
        ;;
    arrangement)
        shape='--set network.routers_per_group=2 --set network.globals_per_router=1 --set network.groups=3'
        # shellcheck disable=SC2086
        try topology -m kim-72 $shape "$@" --json -q
        # shellcheck disable=SC2086
        try traffic -m kim-72 $shape "$@" --load 0.5 --json -q --set traffic.measure=2us -o tables
        ;;
    failures)
        if [ "$pick" -eq 0 ]; then
            try topology -m kim-72 "$@" --json -q
        else
            try replay halo2d.anax -m kim-72 "$@" --json -q -o tables
        fi
        ;;
    *) try replay halo2d.anax -m kim-72 "$@" --json -q -o tables ;;
    esac
}

point_case() {
    # shellcheck disable=SC2046
    set -- $("$mutate" draws "$key" 6 2 6)
    cp -R "$work/points/kept" "$case/kept"
    file=$(find "$case/kept" -type f | sort | sed -n "$(($1 + 1))p")
    other=$(find "$case/kept" -type f | sort | sed -n "$(($3 + 1))p")
    kind=text
    [ "$2" -eq 0 ] && kind=bytes
    damage="${file##*/}: $("$mutate" $kind "$key" "$file" "$case/damaged")" || return
    mv "$case/damaged" "$file"
    if [ "$3" -eq 0 ] && [ "$1" -ne 0 ]; then
        cp "$other" "$file"
        damage="${file##*/}: is ${other##*/}"
    fi
    cp "$work/points/halo2d.anax" "$case"
    try compare halo2d.anax -m kim-72 -r minimal,par -p random --seeds 3 -q --points kept --json
    [ "$code" -eq 0 ] && ! cmp -s "$logs/out" "$work/points/result.json" &&
        fail point "a damaged point changed the result"
}

# ------------------------------------------------------------------------------ workers

run_case() { # NUMBER
    number=$1
    key=$((seed * 1000003 + number))
    case=$home/case damage='' command='' failed=0
    rm -rf "$case"
    mkdir "$case"
    case $((number % 10)) in
    0 | 1 | 2 | 3) kind_of=archive ;;
    4 | 5) kind_of=program ;;
    6 | 7) kind_of=config ;;
    8) kind_of=list ;;
    9) kind_of=point ;;
    esac
    tally=$home/tally-$kind_of
    echo "case" >>"$tally"
    "${kind_of}_case"
}

worker() { # NUMBER
    home=$work/worker-$1 logs=$work/worker-$1/logs
    mkdir "$home" "$logs" "$home/cache"
    XDG_CACHE_HOME=$home/cache
    export XDG_CACHE_HOME
    cd "$home" || exit 1
    next=$1
    while [ "$(date +%s)" -lt "$deadline" ] && [ "$next" -lt "${cases:-$((next + 1))}" ]; do
        run_case "$next"
        next=$((next + jobs))
    done
}

count() { # KIND WORD
    cat "$work"/worker-*/tally-"$1" 2>/dev/null | grep -cx "$2"
}

summary() {
    printf '%-9s %7s %7s %9s %8s %8s %6s %6s %7s %6s\n' kind cases runs accepted stopped refused \
        crashes hangs broken others
    for kind in archive program config list point; do
        printf '%-9s %7d %7d %9d %8d %8d %6d %6d %7d %6d\n' $kind "$(count $kind case)" \
            "$(count $kind run)" "$(count $kind accepted)" "$(count $kind stopped)" \
            "$(count $kind refused)" "$(count $kind '\(crash\|sanitizer\)')" "$(count $kind hang)" \
            "$(count $kind broken)" "$(count $kind '\(reason\|left\|timeline\|point\)')"
    done
}

prepare() {
    list_archives >"$work/archives"
    make_programs
    mv "$work/small" "$work/small.folder"
    "$anax" convert "$work/small.folder" -q -o "$work/small.anax" && mv "$work/small.anax" "$work/small"
    make_configs
    make_lists
    make_points
    cd "$work" || exit 1
    ls -d "$work"/programs/* >"$work/program_list"
    ls -d "$work"/configs/* >"$work/config_list"
    archive_count=$(wc -l <"$work/archives")
    program_count=$(wc -l <"$work/program_list")
    config_count=$(wc -l <"$work/config_list")
}

prepare
deadline=$(($(date +%s) + seconds))
if [ -n "$only" ]; then
    home=$work/worker-0 logs=$work/worker-0/logs
    mkdir "$home" "$logs"
    run_case "$only"
    cp -R "$home/case" "$logs" "$out"
    echo "case $only: $kind_of: $damage; last command: anax $command (exit code ${code:-none})"
    echo "kept in $out"
    [ "$failed" -eq 0 ]
    exit
fi
number=0
while [ "$number" -lt "$jobs" ]; do
    worker "$number" &
    workers="$workers $!"
    number=$((number + 1))
done
wait
summary | tee "$out/summary"
if [ -n "$(find "$out" -mindepth 1 -type d | head -n 1)" ]; then
    echo "failing cases are in $out"
    exit 1
fi
rm -r "$out"
