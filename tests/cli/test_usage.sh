#!/bin/sh
# Wrong command lines: exit code 2, nothing on the standard output, and a hint that helps.
. "$ANAX_SOURCE/tests/support/script/command.sh"

wrong() { # HINT ARGUMENTS...
    hint=$1
    shift
    run "$@"
    expect_code 2
    expect "nothing on the standard output" empty out
    expect "the hint: $hint" holds err "$hint"
}
trace=examples/gromacs/traces.otf2

wrong "Try \`anax help\`"
wrong "did you mean \`replay\`?" repaly
wrong "there is no command \`xyzzy\`" xyzzy
wrong "did you mean --routing?" replay "$trace" --roating minimal
wrong "there is no option -x" replay "$trace" -x
wrong "there is no option --xyzzyxyzzy" replay "$trace" --xyzzyxyzzy
wrong "an argument is missing after --machine" replay "$trace" --machine
wrong "an argument is missing after -m" replay "$trace" -m
wrong "takes no argument: --json=yes" replay "$trace" --json=yes
wrong "missing argument: TRACE" replay
for command in replay place info "convert -o x.anax" "export -f goal" compare; do
    # shellcheck disable=SC2086 # a list of words
    wrong "an argument is empty: TRACE" $command ''
done
wrong "an argument is empty: TRACE..." replay "$trace" '' --machine kim-72
wrong "an argument is empty: PATTERN" generate '' -o x
wrong "an argument is empty: [MACHINE...]" topology ''
wrong "the argument of --config is empty: name what to read" replay "$trace" --config ''
wrong "the argument of --jobs is empty: name what to read" replay --machine kim-72 --jobs ''
wrong "the argument of --trace is empty: name what to read" place --machine kim-72 --trace ''
wrong "the machine has no name" replay "$trace" --machine ''

# A value that looks like an option is a slip: it would make a folder of that name.
for value in --json -j -x --; do
    wrong "--output is followed by $value, which looks like an option; for a file or folder of that name, write ./$value" \
        replay "$trace" --machine kim-72 -o $value
    wrong "--output is followed by $value, which looks like" generate halo3d --output $value
    wrong "--timeline is followed by $value, which looks like" replay "$trace" --machine kim-72 --timeline $value
    wrong "--csv is followed by $value, which looks like" bisection -a 2 -h 1 --csv $value
    wrong "--config is followed by $value, which looks like" replay "$trace" --config $value
    wrong "if it is meant, write --machine=$value" replay "$trace" -m $value
done
wrong "--output is followed by -, which looks like" generate halo3d -o -
wrong "-o=halo: write -o halo, or --output=halo" generate halo3d -o=halo
wrong "-m=kim-72: write -m kim-72, or --machine=kim-72" replay "$trace" -m=kim-72
wrong "seed: \`-5\` is out of range; it takes a number of at least 0" replay "$trace" --machine kim-72 --seed -5
wrong "no region \`-x\`" replay "$trace" --machine kim-72 --from=-x
expect "nothing was made" [ "$(ls -A | sort | tr '\n' ' ')" = "err examples out " ]
run_ok generate halo3d --ranks 8 --iterations 1 -o ./--json
run_ok replay ./--json --machine kim-72 --output=--tables
expect "what is meant is made" ls ./--json/traces.otf2 ./--tables/ranks.csv
rm -r ./--json ./--tables
wrong "one argument too many: b" info a b
wrong "a number from 1 to 1024" replay "$trace" --machine kim-72 --threads 0
wrong "a number from 1 to 1024" replay "$trace" --machine kim-72 --threads two
wrong "no machine: choose one" replay "$trace"
wrong "no machine: choose one" traffic
echo hello >text.anax
wrong "text.anax: not an OTF2 anchor file (NAME.otf2), a program file, a recording or a schedule in GOAL; name the file of a trace" \
    info text.anax
rm text.anax
wrong "--loads and --saturation exclude each other; a search for the saturation load chooses its loads itself, so remove --loads" \
    traffic --machine kim-72 --saturation 0.1 --loads 0.1
wrong "--saturation is 0.9; the width of the search is from 0.0001 to 0.5" traffic --machine kim-72 --saturation 0.9
wrong "--negligible is 5; it takes a share from 0 to 1, e.g. 0.5%" \
    compare "$trace" --machine kim-72 --routing minimal,par --negligible 5
wrong "unknown machine \`kim-1l\` (did you mean \`kim-1k\`?)" replay "$trace" --machine kim-1l
wrong "  garcia-5k-paper" replay "$trace" --machine kim-1l
wrong "./nowhere.yaml: cannot be opened: No such file or directory" replay "$trace" --machine ./nowhere.yaml
wrong "network.routing: \`ugal-x\` is not one of minimal, valiant, ugal-l, " replay "$trace" --machine kim-72 --routing ugal-x
wrong "; did you mean \`ugal-l\`?" replay "$trace" --machine kim-72 --routing ugal-x
wrong "there is no setting \`network.global.latencie\`; did you mean \`network.global.latency\`?" \
    replay "$trace" --machine kim-72 --set network.global.latencie=1us
wrong "network.global.latency: \`300\` has no unit; a time needs one of ps ns us ms s min h, e.g. 300ns" \
    replay "$trace" --machine kim-72 --set network.global.latency=300
wrong "nowhere.yaml: cannot be opened: No such file or directory" replay "$trace" --config nowhere.yaml
wrong "nowhere.otf2: cannot be read: No such file or directory" replay nowhere.otf2 --machine kim-72
wrong "nowhere.otf2: cannot be read: No such file or directory" info nowhere.otf2
wrong "did you mean \`machines\`?" list machnes
wrong "missing option: -o FILE.anax" convert "$trace"
wrong "the name of a program file ends with .anax: -o file.anax" convert "$trace" -o file
wrong "missing option: --format NAME" export "$trace"
wrong "there is no format \`goul\` (did you mean \`goal\`?)" export "$trace" --format goul
wrong "missing: an output cannot be created in this folder" export "$trace" --format goal -o missing/a.goal
wrong "missing option: -o DIR or -o FILE.anax" generate halo3d
wrong "there is no pattern halo4d (did you mean \`halo2d\`?); there are" generate halo4d --ranks 8 -o x
wrong "load \`0\`: a load is a share of the injection bandwidth, above 0 and at most 1" traffic --machine kim-72 --load 0
wrong "load \`1.5\`: a load is a share of the injection bandwidth, above 0 and at most 1" traffic --machine kim-72 --load 1.5
wrong "loads \`0.1:0.5\`: a range is first:last:step, e.g. 0.1:0.9:0.1" traffic --machine kim-72 --loads 0.1:0.5
wrong "goes up from first to last" traffic --machine kim-72 --loads 0.5:0.1:0.1
wrong "no pattern is named \`unifrom\` (did you mean \`uniform\`?); there are:" \
    traffic --machine kim-72 --pattern unifrom --load 0.1
wrong "--load and --loads exclude each other" traffic --load 0.1 --machine kim-72 --loads 0.2
wrong "--loads is given twice" traffic --machine kim-72 --loads 0.2 --loads 0.1
wrong "18001 loads, and at most 1000 in one run; use a larger step" traffic --machine kim-72 --loads 0.1:1:0.00005
wrong "1001 loads, and at most 1000 in one run; use a larger step" traffic --machine kim-72 --loads 0.1,0.0001:0.1:0.0001
wrong "load \`0.5:1000000:0.5\`: a load is a share of the injection bandwidth, above 0 and at most 1" \
    traffic --machine kim-72 --loads 0.5:1000000:0.5
wrong "--machine is given twice" replay "$trace" -m kim-72 --machine kim-1k
wrong "--seed is given twice" replay "$trace" --seed 1 -s 1
wrong "--placement is given twice" replay "$trace" -p block -m kim-72 -p random
wrong "takes nothing after it" --version replay
wrong "does not use it, but only \`anax traffic\`" \
    replay "$trace" --machine kim-72 --set traffic.pattern=foo
wrong "only \`anax generate\`" replay "$trace" --machine kim-72 --set generate.root=1
wrong "only \`anax replay\`" traffic --machine kim-72 --set mpi.eager_threshold=1KiB
wrong "only \`anax replay\`" traffic --machine kim-72 --set placement.policy=random
wrong "only \`anax replay\`, \`anax place\`, \`anax traffic\`" info "$trace" --set network.groups=3
wrong "only \`anax replay\`, \`anax place\`, \`anax traffic\`" generate halo3d -o x --set network.groups=3
wrong "traffic.pattern: no pattern is named \`foo\`; there are:" traffic --machine kim-72 --load 0.1 --set traffic.pattern=foo
wrong "no pattern is named \`\`; there are:" traffic --machine kim-72 --load 0.1 --pattern ""
wrong "no pattern is named \`unifrm\`" traffic --machine kim-72 --pattern unifrm --print-config
wrong "did you mean \`all-to-all\`?" traffic --machine kim-72 --pattern alltoall
wrong "no pattern is named \`adv+N\`; there are:" traffic --machine kim-72 --pattern adv+N --print-config
wrong "N is 1 or more, and less than the number of groups" traffic --machine kim-72 --pattern adv+0 --load 0.3
wrong "at most a*h + 1 = 9 groups" replay --machine kim-72 --set network.groups=99 --print-config
wrong "there is no setting \`nonsense\`; \`anax list settings\` shows all" info "$trace" --set nonsense=3
for option in --output --timeline; do
    wrong "is empty: name what to write" replay "$trace" --machine kim-72 $option ''
    wrong "missing: an output cannot be created in this folder" replay "$trace" --machine kim-72 $option missing/tables
    wrong "err: an output cannot be created here" replay "$trace" --machine kim-72 $option err/tables
done
wrong "did you mean \`allreduce-ring\`?" generate ring -o x
wrong "does not use --root (generate.root), but only bcast, incast" generate halo3d --root 1 -o x
wrong "there is no pattern halo4d" generate halo4d --root 1 -o x
wrong "but only halo3d" generate alltoall --neighbours 26 -o x
wrong "but only halo3d" generate alltoall --set generate.neighbours=26 -o x
wrong "is empty: name what to write" generate halo3d -o ''
wrong "is empty: name what to write" convert "$trace" -o ''
wrong "missing: an output cannot be created in this folder" generate halo3d -o missing/halo3d
wrong "missing: an output cannot be created in this folder" generate halo3d -o missing/halo3d.anax
wrong "missing: an output cannot be created in this folder" convert "$trace" -o missing/a.anax
wrong "needs a name before .anax" generate halo3d -o .anax
wrong "needs a name before .anax" generate halo3d -o ./.anax
wrong "needs a name before .anax" convert "$trace" -o .anax
wrong "./x/: this output is given twice; name one each" replay "$trace" --machine kim-72 -o x --timeline ./x/
wrong "nowhere.otf2: cannot read the trace" replay nowhere.otf2
expect "nothing was written" [ ! -e x ]
run_ok generate halo3d --set seed=5 --print-config
expect "the seed of random patterns" holds out "seed: 5"

# A machine too small for the trace says how many ranks fit.
run replay "$trace" --machine kim-72 --set network.groups=1 --set network.globals_per_router=0 \
    --set network.routers_per_group=1 --set network.nodes_per_router=4
expect_code 2
expect "the error says how many ranks fit" holds err "8 ranks do not fit: the machine has 4 nodes and takes 4 ranks with placement.ranks_per_node=1"

# All faults of a file in one run, each with its place.
cat >wrong.yaml <<'YAML'
machine: kim-72
network:
  routnig: minimal
  global:
    latency: 300
YAML
wrong "wrong.yaml:3:3: error:" replay "$trace" --config wrong.yaml
wrong "wrong.yaml:5:14: error:" replay "$trace" --config wrong.yaml
expect "faults start the line" grep -q '^wrong.yaml:3:3' err

# A machine file sets the network and nothing else.
cat >hybrid.yaml <<'YAML'
description: two machines in one
machine: kim-72
network: {groups: 5}
replay: {compute_scale: 2}
YAML
wrong "hybrid.yaml:2:1: error:" replay "$trace" --machine hybrid.yaml
wrong "hybrid.yaml:4:1: error:" replay "$trace" --machine hybrid.yaml
wrong "a machine file sets network.*" replay "$trace" --machine hybrid.yaml
echo 'description: no machine' >nothing.yaml
wrong "sets no network.* value" traffic --machine ./nothing.yaml
: >empty.yaml
wrong "sets no network.* value" traffic --set machine=./empty.yaml
run_ok replay --config hybrid.yaml --print-config
expect_in out 'machine: "kim-72"'

# What is not a plain file is written to, not replaced by one.
"$ANAX" export "$trace" --format dot -o /dev/stdout 2>err | cat >out; last="anax export -o /dev/stdout"
expect "the graph comes through the pipe" holds out 'digraph program {'
for option in "export $trace --format goal -o" "place $trace --machine kim-72 -o" \
    "bisection -a 2 -h 1 --csv" "bisection -a 2 -h 1 --svg"; do
    # shellcheck disable=SC2086 # a list of words
    run $option /dev/full
    expect_code 1
    expect_in err "/dev/full: cannot write: No space left on device"
    expect "/dev/full is still a device" [ -c /dev/full ]
done
mkdir folder.anax
wrong "folder.anax: is a folder; name a file" convert "$trace" -o folder.anax
wrong "folder.anax: is a folder; name a file" export "$trace" --format goal -o folder.anax
for arguments in --version help "help replay" "list settings" "info $trace"; do
    # shellcheck disable=SC2086
    ("$ANAX" $arguments >/dev/full) 2>err; code=$?; last="anax $arguments >/dev/full"
    expect_code 1
    expect_in err "cannot write to the standard output"
done

# A file that describes no machine does not stand for one.
echo 'seed: 3' >seed.yaml
wrong "no machine: choose one" replay "$trace" --config seed.yaml
wrong "no machine: choose one" traffic --config empty.yaml
echo 'network: {groups: 5}' >groups.yaml
run_ok replay "$trace" --config groups.yaml --config seed.yaml

# Errors of the library come in the command's words: options in place of members, and the options that set the settings
# that an error names, unless it is about a file.
run_ok generate halo2d --ranks 4 -o there.anax
wrong "name another file, or replace it with --force" generate halo2d --ranks 4 -o there.anax
expect_not_in err "anax_options"
wrong "give several machines instead (--machine)" compare there.anax -m kim-72 --vary machine=kim-1k,kim-72
wrong "with several seeds (--seeds)" compare there.anax -m kim-72 --vary seed=1,2
wrong "remove --explain" replay there.anax -m kim-72 --explain --checkpoint kept
wrong "remove record.time_bins (--time-bins sets record.time_bins)" replay there.anax -m kim-72 --time-bins 8 --checkpoint kept
wrong "trace.from nowhere: the trace has no region \`nowhere\`" replay there.anax -m kim-72 --from nowhere
expect "options stand behind lines of a list as well" holds err "(--from sets trace.from)"
echo 'network: {routing: none}' >routing.yaml
wrong "routing.yaml:1:" replay there.anax -m kim-72 --config routing.yaml
expect_not_in err "sets network.routing"

# Help and version are results.
run_ok --version
expect "the version is three numbers" grep -qx 'anax [0-9]*\.[0-9]*\.[0-9]*' out
run_ok help
expect_in out "replay"
for command in replay place traffic compare info convert export generate list help; do
    run_ok help $command
    expect_in out "Usage: anax $command"
    cp out first
    run_ok $command --help
    expect "both ways to ask for help print the same" cmp first out
    expect "no line is longer than 80 characters but examples" \
        sh -c "! grep -v '^  \\$ ' out | grep -q '.\{81\}'"
done
finish
