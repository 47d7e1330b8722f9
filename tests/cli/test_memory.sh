#!/bin/sh
# Too little memory: every command says so, ends with exit code 1, and leaves nothing unfinished.
. "$ANAX_SOURCE/tests/support/script/command.sh"
if [ "$ANAX_PLAIN_OBJECTS" != 1 ]; then
    echo "skipped: sanitizers need more address space than any limit"
    exit 0
fi

run_ok generate halo2d --ranks 64 --iterations 20 -o archive
run_ok convert archive -o halo.anax
mkdir outputs

# A damaged count that asks for memory without end is no lack of memory.
cp -R "$ANAX_SOURCE/tests/data/otf2/sp_threads_8" damaged
chmod -R u+w damaged
printf '\377' | dd of=damaged/traces/0.evt bs=1 seek=42 conv=notrunc 2>/dev/null
# shellcheck disable=SC3045 # dash, bash and busybox have it
(ulimit -v 4000000 && exec "$ANAX" info damaged) >out 2>err
code=$? last="anax info of a damaged count"
expect_code 2
expect "the error names the damaged file" holds err "damaged/traces/0.evt: damaged: a record claims more than the file can hold"

# Limits from where the program starts up to where the command succeeds.
loads() { # LIMIT
    # shellcheck disable=SC3045 # dash, bash and busybox have it
    ! (ulimit -v "$1" && exec "$ANAX" --version) 2>&1 |
        grep -qE 'error while loading shared libraries|cannot allocate TLS data'
}
all="7000 8000 10000 12000 15000 19000 24000 30000 38000 48000 60000 75000 95000 130000 200000 400000 1000000"
limits=$all
for limit in $all; do
    loads "$limit" && break
    limits=${limits#* }
done

# Few processes, since hundreds of runs end here.
enough() { # ARGUMENTS...
    last="anax $*"
    for limit in $limits; do
        for left in outputs/*; do
            [ ! -e "$left" ] || rm -rf "$left"
        done
        (
            cd outputs || exit 99
            # shellcheck disable=SC3045 # dash, bash and busybox have it
            ulimit -v $limit
            exec "$ANAX" "$@"
        ) >out 2>err
        code=$?
        [ "$code" -eq 0 ] && return
        memory=false word=false
        while IFS= read -r line || [ -n "$line" ]; do
            case $line in 'anax: '*memory*) memory=true ;; esac
            case $line in *[[:alnum:]\)]) word=true ;; esac
        done <err
        last="anax $* with $limit KiB"
        expect_code 1
        expect "the error is a lack of memory" $memory
        expect "the reason ends with a word" $word
        for left in outputs/*; do
            case $left in *part*) expect "a run without memory leaves nothing unfinished" false ;; esac
        done
        expect "nothing that stays without an end" [ ! -e outputs/file ]
    done
    expect "some limit is enough" [ "$code" -eq 0 ]
}

enough info ../archive
enough info ../halo.anax --json
enough convert ../archive -o file.anax
enough export ../halo.anax --format goal -o file
enough export ../archive --format json
enough generate halo3d --ranks 256 --iterations 20 -o file
enough generate halo3d --ranks 2048 --iterations 20 -o file.anax
enough generate random-pairs --ranks 20000 --iterations 2 -o file.anax
enough replay ../halo.anax -m kim-72 --threads 1
enough replay ../halo.anax -m kim-1k --threads 2 --json
enough replay ../halo.anax -m kim-1k --threads 2 --timeline file
enough replay ../archive ../halo.anax -m kim-1k --background uniform --background-load 0.1 -o file
enough place ../halo.anax -m kim-1k -p greedy -o file
enough place ../halo.anax -m kim-1k -p partition -o file
enough traffic -m kim-1k --load 0.2 --set traffic.warmup=1us --set traffic.measure=1us -o file
enough traffic -m kim-1k --loads 0.1,0.2 -r minimal,ofar --set traffic.warmup=1us \
    --set traffic.measure=1us --threads 2 -o file
enough compare ../halo.anax -m kim-1k --seeds 2 -o file --points ../points
enough topology garcia-5k
enough topology --rivals
enough bisection -a 4 -h 2 --csv file
enough list settings

# An explanation has memory of its own, which may end in any part of the run.
run_ok generate halo3d --ranks 512 --iterations 4 --size 64KiB -o halo3d.anax
run_ok generate alltoall --ranks 64 --iterations 2 -o alltoall.anax
limits="$(seq 30000 2100 120000) 500000 1000000"
enough replay ../halo3d.anax -m kim-1k --threads 1 --explain --set trace.memory=64MiB
limits="$(seq 30000 4500 120000) 500000 1000000"
enough replay ../alltoall.anax -m kim-1k --threads 1 --explain --set trace.memory=64MiB \
    --set mpi.eager_threshold=0

# Points that were not finished are not kept as failed ones.
expect "points have times" sh -c '! grep -l failure points/*.json'
finish
