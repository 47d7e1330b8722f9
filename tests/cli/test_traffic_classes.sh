#!/bin/sh
# Traffic classes on the command line: of jobs, control messages, background and synthetic traffic.
. "$ANAX_SOURCE/tests/support/script/command.sh"
run_ok generate halo3d --ranks 27 --iterations 3 --size 64KiB -o halo.anax
numbers() { sed -n "s/^ *\"$1\":\([0-9]*\),\{0,1\}\$/\1/p" out | tr '\n' ' '; } # all values of a key
two="--set network.classes=2"

# One class: results do not speak of classes.
run_ok replay halo.anax --machine kim-72 --json
expect_not_in out '"classes"'
plain=$(value out digest)
run_ok replay halo.anax --machine kim-72 --json --set network.class0.priority=3
expect "a priority among one changes nothing" [ "$(value out digest)" = "$plain" ]

# Control messages in a class of their own, which goes first: 64 bytes each, and quicker.
run_ok replay halo.anax --machine kim-72 --json $two --set mpi.control_class=1 \
    --set network.class1.priority=1
expect "the job has class 0, and there are the classes 0 and 1" [ "$(numbers class | cut -d' ' -f1-3)" = "0 0 1" ]
expect "the setting is named" holds out '"name":"mpi.control_class"'
messages=$(sed -n '/"classes"/,$p' out | sed -n 's/^ *"messages":\([0-9]*\),$/\1/p' | sed -n 2p)
bytes=$(sed -n '/"classes"/,$p' out | sed -n 's/^ *"bytes":\([0-9]*\),$/\1/p' | sed -n 2p)
expect "all of class 1 are control messages" [ "$bytes" -eq $((64 * messages)) ]
expect "class 1 has more than 100 messages" [ "$messages" -gt 100 ]

# Jobs with classes, from a list; the same for any number of threads; classes.csv.
cat >jobs.yaml <<'YAML'
jobs:
  - trace: halo.anax
    name: first
    class: 1
  - trace: halo.anax
    name: second
YAML
run_ok replay --jobs jobs.yaml --machine kim-72 --json $two --set network.class1.maximum=20% -o tables
digest=$(value out digest)
expect "the jobs have the classes 1 and 0" [ "$(sed -n '/"jobs"/,/"calls"/p' out | sed -n 's/^ *"class":\([0-9]*\),\{0,1\}$/\1/p' | tr '\n' ' ')" = "1 0 " ]
first=$(numbers alone_ps | cut -d' ' -f1)
second=$(numbers alone_ps | cut -d' ' -f2)
expect "a maximum share makes the first job slower, alone too" [ "$first" -gt $((2 * second)) ]
expect "classes.csv has a header and two classes" [ "$(wc -l <tables/classes.csv)" -eq 3 ]
for threads in 1 2 3; do
    run_ok replay --jobs jobs.yaml --machine kim-72 --json $two --set network.class1.maximum=20% \
        --threads $threads
    expect "the same digest with $threads threads" [ "$(value out digest)" = "$digest" ]
done

# Background traffic and synthetic traffic.
run_ok replay halo.anax --machine kim-72 --json $two --set background.load=0.4 --set background.class=1
expect "messages of both classes" [ "$(grep -c '"bytes_share":0\.[0-9]*[1-9]' out)" -eq 2 ]
run_ok traffic --machine kim-72 --load 0.5 --json $two --set traffic.class=each --set traffic.measure=5us
expect "half of the bytes each" [ "$(grep -c '"bytes_share":0.[45]' out)" -eq 2 ]

# Classes that do not exist, and contradictions.
refuse() { run "$@"; expect_code 2; expect "nothing on the standard output" empty out; }
refuse replay halo.anax --machine kim-72 --set mpi.class=1
expect_in err "mpi.class is 1, but there is only 1 traffic class"
refuse replay halo.anax --machine kim-72 $two --set mpi.control_class=2
expect_in err "mpi.control_class is 2, but there are only 2 traffic classes"
refuse replay halo.anax --machine kim-72 --set background.class=1 --set background.load=0.1
expect_in err "background.class is 1, but there is only 1"
refuse traffic --machine kim-72 --load 0.1 --set traffic.class=3
expect_in err "traffic.class is 3, but there is only 1"
refuse replay --jobs jobs.yaml --machine kim-72
expect_in err "job first: class is 1, but there is only 1"
refuse traffic --machine kim-72 --load 0.1 $two --set network.class0.minimum=60% \
    --set network.class1.minimum=60%
expect_in err "add up to 120.0000 %"
refuse traffic --machine kim-72 --load 0.1 --set network.class1.priority=1
expect_in err "network.class1 is set, but there is only 1 traffic class"
finish
