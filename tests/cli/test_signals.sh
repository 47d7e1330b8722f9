#!/bin/sh
# What was begun and is not finished is gone after a signal, and after what a run that was killed left
# behind is found; and points that were damaged are run anew.
. "$ANAX_SOURCE/tests/support/script/command.sh"

unfinished() { find . -name '*.part-*'; }

# Sends a signal as soon as something unfinished is there; waits for the end.
end_by() { # SIGNAL ARGUMENTS...
    signal=$1
    shift
    env --default-signal=INT "$ANAX" "$@" >out 2>err &
    process=$!
    seen=
    for _ in $(seq 6000); do
        for seen in *.part-*; do break; done # what takes no process is seen sooner
        [ -e "$seen" ] && break
        seen=
        sleep 0.005
    done
    kill -s "$signal" $process
    wait $process 2>wait-err
    code=$? last="anax $*, then $signal"
}
case_of() { # WHAT SIGNALS ARGUMENTS...
    case=$1 signals=$2
    shift 2
    for signal in $signals; do
        case $signal in HUP) number=129 ;; INT) number=130 ;; TERM) number=143 ;; esac
        end_by $signal "$@"
        expect "$case: it was being written" [ -n "$seen" ]
        expect "$case: ended by $signal" [ "$code" -eq "$number" ]
        expect "$case: nothing unfinished after $signal" [ -z "$(unfinished)" ]
        expect "$case: nothing under its name" sh -c '! ls -d result* 2>/dev/null'
        expect "$case: nothing is said" empty err
        rm -rf result* # what should not be there must not disturb the next case
    done
}
run_ok generate alltoall --ranks 256 --iterations 1 --size 1KiB -o large.anax
run_ok generate alltoall --ranks 512 --iterations 2 --size 1KiB -o larger.anax
case_of "an archive" "HUP INT TERM" generate alltoall --ranks 1024 --iterations 4 -o result
if [ "$ANAX_PLAIN_OBJECTS" -eq 1 ]; then # sanitizers take too long for these
    case_of "an archive named with a slash" TERM generate alltoall --ranks 1024 --iterations 4 -o ./result//
    case_of "a program file" INT generate halo3d --ranks 4096 --iterations 400 -o result.anax
    case_of "a converted program" "HUP TERM" convert larger.anax -o result.anax --repeat 'iteration*2000'
    case_of "a timeline" INT replay larger.anax --machine kim-1k --timeline result
    case_of "tables" TERM replay large.anax --machine dragonfly-262k -o result
    case_of "an export" HUP export larger.anax --format goal -o result
fi

# A signal that is ignored from the start stays ignored.
(trap '' HUP; exec "$ANAX" generate alltoall --ranks 512 --iterations 2 -o stays >out 2>err) &
process=$!
for _ in $(seq 3000); do
    [ -n "$(unfinished)" ] && break
    sleep 0.01
done
kill -s HUP $process
wait $process
code=$? last="generate, HUP ignored"
expect "anax ends with 0 after a HUP that it ignores" [ "$code" -eq 0 ]
expect "the archive is there after the ignored HUP" [ -e stays/traces.otf2 ]

# Files that may not grow so far are an error, not an end.
(ulimit -f 64; "$ANAX" generate alltoall --ranks 512 -o limited.anax >out 2>err)
code=$? last="generate under ulimit -f"
expect_code 1
expect_in err "limited.anax: cannot write: File too large"
expect "a write that failed leaves nothing unfinished" [ -z "$(unfinished)" ]

# A comparison keeps what is finished at the first signal, whichever it is, and ends at the second.
for signal in HUP INT TERM; do
    rm -rf kept
    env --default-signal=INT "$ANAX" compare large.anax --machine kim-1k --jobs 1 --threads 1 \
        --points kept >out 2>err &
    process=$!
    for _ in $(seq 3000); do
        [ -n "$(ls kept 2>/dev/null)" ] && break
        sleep 0.01
    done
    kill -s $signal $process
    wait $process
    code=$? last="compare, then $signal"
    expect_code 130
    expect "a run that a signal ended prints no result" empty out
    expect "the message names the folder with the points" holds err "which are kept in kept"
    expect "whole files only" sh -c "! ls kept | grep -qv '\.json$'"
done
env --default-signal=INT "$ANAX" compare large.anax larger.anax --machine kim-1k --seeds 2 \
    --points none >out 2>err &
process=$!
while [ ! -e none ]; do sleep 0.01; done
while kill -s TERM $process 2>wait-err; do sleep 0.01; done
wait $process
code=$? last="compare, then TERM again and again"
# 130: the first one had stopped the run before the second came
expect "the second TERM ends the comparison" sh -c "[ $code -eq 143 ] || [ $code -eq 130 ]"
expect "a run that a signal ended leaves nothing unfinished" [ -z "$(unfinished)" ]

# A run that does not stop by itself in time is ended; what it has kept says so.
if [ "$ANAX_PLAIN_OBJECTS" -eq 1 ]; then
    run_ok generate alltoall --ranks 1024 --iterations 1 --size 16KiB -o huge.anax
    env --default-signal=INT "$ANAX" compare huge.anax --machine kim-1k --seeds 1 --threads 1 \
        --set network.groups=1 --set network.routers_per_group=256 --points alone >out 2>err &
    process=$!
    while [ -z "$(ls -A alone 2>/dev/null)" ]; do sleep 0.01; done
    begun=$(date +%s%N)
    kill -s INT $process
    wait $process 2>wait-err
    code=$? last="compare on one group, then INT"
    expect_code 130
    expect "where points are kept" holds err "kept in alone"
    # half a second is promised; the computer may be busy with other tests
    expect "the run ends within three seconds of the signal" [ $((($(date +%s%N) - begun) / 1000000)) -lt 3000 ]
fi

# What a killed run has left among the points is removed by the next one; what others write is not.
run_ok generate alltoall --ranks 16 --iterations 1 --size 64KiB -o all.anax
same="compare all.anax --machine kim-72 --routing minimal,par --placement random --seeds 2 --points points"
# shellcheck disable=SC2086 # a list of words
run_ok $same
cp out result
point=$(ls points/*.json | head -1)
sleep 0 &
dead=$!
wait $dead
cp "$point" "$point.part-$dead-0"
cp "$point" "$point.part-$$-0"
cp "$point" "$point.part-$$-1"
touch -d '2 hours ago' "$point.part-$$-1"
echo mine >points/notes.part-$dead-0
# shellcheck disable=SC2086
run_ok $same
expect "the dead one's is gone" [ ! -e "$point.part-$dead-0" ]
expect "the living one's is there" [ -e "$point.part-$$-0" ]
expect "unless it is old" [ ! -e "$point.part-$$-1" ]
expect "other files are left alone" [ -e points/notes.part-$dead-0 ]

# Whatever is damaged in a kept point is found out: it is run anew, and kept as it was.
# What the clock says is in the file, and in its checksum; all else is the same again.
without_clock() { sed '/"seconds":/d;s/"check":.*//' "$1"; }
damaged() { # WHAT
    # shellcheck disable=SC2086
    run_ok $same -q
    expect "$1: the command says that a point was damaged" holds err "1 of 4 points was kept, but damaged since"
    expect "$1: the same result" cmp out result
    without_clock "$point" >mended
    expect "$1: it is mended" cmp mended expected
}
cp "$point" whole
without_clock whole >expected
size=$(wc -c <whole)
# A bit of many bytes: in turn the lowest, and the one that makes small letters of capitals.
i=0
while [ $i -lt "$size" ]; do
    byte=$(od -An -tu1 -j $i -N 1 whole)
    [ $((i % 2)) -eq 0 ] && bit=1 || bit=32
    cp whole "$point" # the one that was mended has other seconds, perhaps with more digits
    printf "\\$(printf %03o $((byte ^ bit)))" | dd of="$point" bs=1 seek=$i conv=notrunc 2>/dev/null
    damaged "bit $bit of byte $i"
    i=$((i + 31))
done
# shellcheck disable=SC2086
run_ok $same -q
expect "nothing to tell of what was mended" empty err
head -c 100 whole >"$point"
damaged "cut off"
: >"$point"
damaged "empty"
printf '\0' >>"$point"
damaged "more at its end"
other=$(ls points/*.json | tail -1)
cp "$other" "$point"
damaged "another point"
sed 's/"time_ps":[0-9]*/"time_ps":1/' whole >"$point"
damaged "another time"
# shellcheck disable=SC2086
cp "$other" "$point" && cp whole "$other" && run_ok $same
expect_in err "2 of 4 points were kept, but damaged since"
expect "points that were exchanged do not change the result" cmp out result
finish
