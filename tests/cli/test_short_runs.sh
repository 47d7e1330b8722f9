#!/bin/sh
# Small runs of commands whose own tests are long: texts of each kind of result, scripts for Slurm without Slurm,
# progress on a terminal, manual pages. Where lines are counted, this test stands for the long ones.
. "$ANAX_SOURCE/tests/support/script/command.sh"

run_ok generate halo2d --ranks 9 --iterations 2 --size 1KiB -o small.anax

# ------------------------------------------------------------------------------ texts
run_ok place small.anax -m kim-72 -p block
expect "what a placement is judged by" holds out "placement block"
run_ok place small.anax -m kim-72 -p random --exchange 4 --replays 2 --points placed
expect "the time of the first placement" grep -q "predicted time .*, was " out
run_ok place small.anax -m kim-72 -p block --json
expect "the JSON has the schema of a placement" [ "$(value out schema | cut -d/ -f1)" = anax.place ]
run_ok replay small.anax -m kim-72 --json
cp out before.json
run_ok replay small.anax -m kim-72 --json --set mpi.send_overhead=1us
cp out after.json
run_ok diff before.json before.json
expect_in out "0 ps"
run_ok diff before.json after.json
expect "three sends of 1 us on each of nine ranks and rounds" holds out "+81.00 us (+300.00 %)"
expect "the second result takes longer than the first" [ "$(value after.json time_ps)" -gt "$(value before.json time_ps)" ]
run_ok bisection -a 2 -h 1
expect_in out "proven: no bisecting cut is cheaper, for any alpha"
run_ok bisection -a 4 -h 2 --arrangement helix --time-limit 1
expect "the text says whether the bound is proven" grep -q "^\(NOT \)\{0,1\}proven" out
run_ok topology kim-72
expect_in out "72"

# ------------------------------------------------------------------------------ checkpoints and files of a program
run_ok generate uniform-random --ranks 64 --iterations 1000 --size 2KiB -o longer.anax
run_ok replay longer.anax -m kim-72 --threads 1 --json
digest=$(value out digest)
run_ok replay longer.anax -m kim-72 --threads 1 --set trace.memory=1MiB --json
expect "the digest is the same with the program in files" [ "$(value out digest)" = "$digest" ]
"$ANAX" replay longer.anax -m kim-72 --threads 1 --checkpoint kept --json >out 2>err &
process=$!
sleep 0.3 # until anax minds signals; a run that ends before is none to go on with
while [ ! -e kept/checkpoint ] && kill -s USR1 $process 2>/dev/null; do
    sleep 0.005
done
kill -s TERM $process 2>/dev/null
wait $process 2>wait-err
if [ -e kept/checkpoint ]; then
    run_ok replay longer.anax -m kim-72 --resume kept --json
    expect "the run goes on to the same end" [ "$(value out digest)" = "$digest" ]
fi

# ------------------------------------------------------------------------------ points of traffic
curves="traffic -m kim-72 -r minimal,valiant --loads 0.1:0.3:0.2 --seeds 2 --set traffic.warmup=1us --set traffic.measure=2us"
# shellcheck disable=SC2086 # lists of words, here and below
run_ok $curves -o fresh
cp out expected
run_ok $curves --points parts --part 1/2
expect "four of eight points are done" holds out "4 of 8 points"
# shellcheck disable=SC2086
"$ANAX" $curves --points parts -q -o two >/dev/null 2>two.err &
run_ok $curves --points parts -o merged
wait
expect "merged points are those of a fresh run" cmp fresh/points.csv merged/points.csv
expect "two processes write the points of a fresh run" cmp fresh/points.csv two/points.csv
run_ok traffic -m kim-72 -r minimal -p adv+1 --saturation 0.2 --set traffic.measure=2us
expect "a search for saturation" holds out "saturation load"
expect "the overload that is noticed" grep -q 'notice an overload of [0-9.]* % if all messages' out
run_ok traffic -m kim-72 -r minimal -p hotspot --saturation 0.01
expect "a hotspot is not loaded beyond its channel" holds out "saturation load 0.1250: it is stable"
run_ok $curves --points parts --emit commands --parts 2
expect "a command for each part" [ "$(grep -c -- --part= out)" -eq 2 ]
run_ok place small.anax -m kim-72 -n 2 --mapping
expect "nodes with their ranks" holds out "0-1"

# ------------------------------------------------------------------------------ Slurm
# A command sbatch that runs each job of an array at once, and what depends on it afterwards.
mkdir bin
cat >bin/sbatch <<'END'
#!/bin/sh
echo "$@" >>"$JOBS/options"
cat >"$JOBS/script"
case "$*" in
*--array=1-2*) for id in 1 2; do SLURM_ARRAY_TASK_ID=$id sh "$JOBS/script" >>"$JOBS/log" 2>&1; done ;;
*--dependency=afterany:7*) sh "$JOBS/script" >>"$JOBS/log" 2>&1 ;;
*) exit 1 ;;
esac
echo "7;cluster"
END
chmod +x bin/sbatch
run_ok compare small.anax -m kim-72 -p random,block --seeds 2 --points points --emit slurm --parts 2 -o tables
expect "nothing else is printed" empty err
cp out submit.sh
mkdir jobs
PATH=$work/bin:$PATH JOBS=$work/jobs sh submit.sh --time=1:00:00 >out 2>err
code=$? last="the script for Slurm"
expect_code 0
expect_in out "parts: job 7; merging: job 7"
expect "the options of the user" [ "$(grep -c -- --time=1:00:00 jobs/options)" -eq 2 ]
expect "both parts ran as jobs" [ "$(grep -c '^part [12] of 2' jobs/log)" -eq 2 ]
expect "the folder has all four points" [ "$(ls points/*.json | wc -l)" -eq 4 ]
expect "the merged result has its points" [ -s tables/points.csv ]

# ------------------------------------------------------------------------------ machines
run_ok topology kim-72 --set network.groups=5 --print-machine
cp out own.yaml
run_ok topology kim-72 --set network.groups=5 --json
nodes=$(value out nodes)
run_ok topology ./own.yaml --json
expect "the printed machine is the machine" [ "$(value out nodes)" = "$nodes" ]

# ------------------------------------------------------------------------------ operations in a file
run_ok generate halo2d --ranks 4 --iterations 5000 -o long.anax
run_ok replay long.anax -m kim-72 --json
digest=$(value out digest)
run_ok replay long.anax -m kim-72 --set trace.memory=1MiB --json
expect "the digest of a program in memory" [ "$(value out digest)" = "$digest" ]

# ------------------------------------------------------------------------------ large machines
# Outputs are fetched ahead of arrivals.
large="traffic -m dragonfly-262k --routing minimal --load 0.01 --set traffic.warmup=0 --set traffic.measure=100ns
    --set traffic.drain=500ns --json"
# shellcheck disable=SC2086 # a list
run_ok $large --threads 1
digest=$(value out digest)
# shellcheck disable=SC2086
run_ok $large --threads 2
expect "the digest of one thread" [ "$(value out digest)" = "$digest" ]

# ------------------------------------------------------------------------------ terminal
if has_program script; then
    # Progress is shown every 0.2 s, so a run that takes less is tried again for longer.
    for measured in 300us 3ms 30ms; do
        script -qec "'$ANAX' traffic -m kim-72 --load 0.3 --set traffic.measure=$measured --threads 1" /dev/null >out 2>err </dev/null
        code=$? last="traffic on a terminal"
        expect_code 0
        grep -q '[0-9] %.*ms simulated' out && break
    done
    expect "shares of the run" grep -q '[0-9] %.*ms simulated' out
    script -qec "'$ANAX' replay examples/gromacs/traces.otf2 -m kim-72" /dev/null >out 2>err </dev/null
    code=$? last="replay on a terminal"
    expect_code 0
fi

# ------------------------------------------------------------------------------ manual pages
write_docs=$ANAX_BINARY/anax_write_docs
if [ -x "$write_docs" ]; then
    needs_manual_pages
    for page in anax.1 anax-replay.1 anax-json.5 anax-settings.5; do
        template=$ANAX_SOURCE/docs/man/$page.in
        "$write_docs" page "$template" "$page" >out 2>err
        code=$? last="anax_write_docs page $page"
        expect_code 0
        expect "the page of the build" cmp -s "$page" "$ANAX_BINARY/man/$page"
    done
fi
finish
