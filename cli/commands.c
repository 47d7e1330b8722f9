/* The table of commands, with their descriptions and examples. Knows no implementation. */
#include "cli/command_options.h"

#include <string.h>

static const example replay_examples[] = {
    {"anax replay examples/gromacs/traces.otf2 --machine kim-1k",
     "Replay the bundled recording of GROMACS on a dragonfly of 1056 nodes."},
    {"anax replay examples/gromacs/traces.otf2 --machine kim-1k --routing ugal-l "
     "--placement random --seed 1 --json",
     "Choose routing and placement, and print the result for a program."},
    {"anax replay examples/gromacs/traces.otf2 --machine kim-1k "
     "--set network.global.latency=300ns --set mpi.eager_threshold=8KiB -o tables "
     "--timeline predicted",
     "Change two settings; keep tables, and the predicted run for Vampir or otf2-print."},
    {"anax replay examples/gromacs/traces.otf2 --machine kim-1k --from MPI_Sendrecv#20 "
     "--to MPI_Sendrecv#60",
     "Only a part: without initialisation and end. User regions serve as well."},
    {"anax generate halo2d --ranks 16 --iterations 3 -o halo2d.anax && "
     "anax replay halo2d.anax --machine kim-72 --repeat iteration#2*1000",
     "More iterations than were recorded: the second of them a thousand times."},
    {"anax generate alltoall --ranks 16 -o alltoall.anax && "
     "anax generate halo3d --ranks 27 -o halo3d.anax && "
     "anax replay alltoall.anax halo3d.anax --machine kim-72 --placement random "
     "--background uniform --background-load 0.1",
     "Two jobs on one machine, with other traffic on the nodes that are left."},
    {"anax replay --machine kim-1k --print-config > my-machine.yaml",
     "Start a configuration file of one's own, to be read with --config."},
    {NULL, NULL},
};

static const example place_examples[] = {
    {"anax place examples/gromacs/traces.otf2 --machine kim-72 --placement greedy",
     "Where each rank goes, how far its messages travel, and what links would carry."},
    {"anax place --trace examples/gromacs/traces.otf2 --machine kim-72 --placement greedy -o ranks "
     "&& anax replay examples/gromacs/traces.otf2 --machine kim-72 --placement rankfile "
     "--set placement.file=ranks",
     "Keep the mapping in a rank file, and replay with it."},
    {NULL, NULL},
};

static const example traffic_examples[] = {
    {"anax traffic --machine kim-72 --routing minimal --pattern uniform --load 0.2",
     "Uniform random traffic at a fifth of the injection bandwidth."},
    {"anax traffic --machine kim-72 --routing valiant --pattern adv+1 --loads 0.1:0.5:0.2 "
     "--json",
     "A latency-load curve under adversarial traffic, for a program."},
    {"anax traffic --machine kim-72 --routing minimal,valiant,ugal-l --pattern worst-case "
     "--loads 0.05:0.5:0.15 -o curves",
     "Three routing policies compared; curves/points.csv holds the table."},
    {"anax traffic --machine kim-72 --routing ugal-l --pattern worst-case --load 0.2 -o point",
     "A single point: how busy each channel is, what each router injects, how latencies spread."},
    {NULL, NULL},
};

static const example compare_examples[] = {
    {"anax compare examples/gromacs/traces.otf2 --machine kim-72 --routing minimal,ugal-l,par "
     "--placement block,random",
     "Six candidates with five seeds each; the first of each list is the baseline."},
    {"anax compare examples/gromacs/traces.otf2 --machine kim-72 --placement random --seeds 10 "
     "--vary network.global.bandwidth=12.5GB/s,25GB/s,50GB/s -o bandwidths",
     "Global links of half, equal and twice the bandwidth of local ones (alpha), with tables."},
    {"anax generate alltoall --ranks 64 -o alltoall.anax && "
     "anax compare alltoall.anax examples/gromacs --machine kim-72,kim-1k --seeds 3 --json",
     "Two traces on two machines, for a program."},
    {NULL, NULL},
};

static const example info_examples[] = {
    {"anax info examples/gromacs/traces.otf2", "What the trace holds, and what is not modelled."},
    {"anax info examples/gromacs/traces.otf2 --json", "The same for a program."},
    {NULL, NULL},
};

static const example convert_examples[] = {
    {"anax convert examples/gromacs/traces.otf2 -o gromacs.anax",
     "One small file that opens faster than the archive and replays to the same digest."},
    {NULL, NULL},
};

static const example export_examples[] = {
    {"anax export examples/gromacs/traces.otf2 --format goal -o gromacs.goal",
     "For LogGOPSim: txt2bin -i gromacs.goal -o gromacs.bin; LogGOPSim -f gromacs.bin."},
    {"anax export examples/gromacs/traces.otf2 --format json --set mpi.collectives=openmpi",
     "For a program of one's own, with collectives as Open MPI runs them."},
    {NULL, NULL},
};

static const example generate_examples[] = {
    {"anax generate halo3d --ranks 64 --iterations 5 --size 8KiB -o halo3d",
     "A halo exchange with six neighbours, as an OTF2 archive."},
    {"anax generate alltoall --ranks 256 --size 1KiB -o alltoall.anax",
     "As a program file: for rank counts where two files per rank are too many."},
    {NULL, NULL},
};

static const example topology_examples[] = {
    {"anax topology kim-72", "Sizes, distances, cables and cost of one machine."},
    {"anax topology kim-1k garcia-5k slingshot --set floor.optical_from=8m",
     "Three machines side by side, with optical cables from 8 m on."},
    {"anax topology kim-72 --arrangement helix --json", "Another arrangement, for a program."},
    {"anax topology kim-72 --dot > kim-72.dot", "A graph to draw."},
    {"anax topology --rivals --set floor.optical_from=8m",
     "Figure 19 of Kim et al. 2008: flattened butterfly, folded Clos and torus, too."},
    {NULL, NULL},
};

static const example bisection_examples[] = {
    {"anax bisection -a 4 -h 2 --arrangement helix", "A dragonfly of 36 switches."},
    {"anax bisection -a 3 -h 3 --arrangement relative,nautilus-index,helix --svg curves.svg",
     "Three arrangements in one picture."},
    {"anax bisection --machine kim-72 --json", "A named machine, for a program."},
    {NULL, NULL},
};

static const example list_examples[] = {
    {"anax list", "The families."},
    {"anax list machines", "The named machines."},
    {"anax list settings --json", "All settings with their ranges and defaults, for a program."},
    {NULL, NULL},
};

static const example help_examples[] = {
    {"anax help replay", "Options and examples of one command."},
    {NULL, NULL},
};

enum { MOST_TRACES = 1000 };

static const command table[] = {
    {"replay", "TRACE...", "predict how long a traced MPI run takes on a dragonfly",
     "Replays TRACE (an OTF2 archive, its folder, or a program file) on a machine: the\n"
     "ranks are placed on nodes, their messages cross a simulated packet-level\n"
     "network, and each rank goes on when its messages arrive. Prints the predicted\n"
     "time of the job and of the slowest ranks, and where the time went.\n"
     "\n"
     "Settings come, each overriding the ones before, from the defaults, the machine,\n"
     "the files given by --config in their order, and the other options and --set in\n"
     "the order of the command line.\n"
     "\n"
     "Several traces, or the jobs that the file of --jobs lists, run on the machine at\n"
     "once, on nodes of their own; nodes that are left can send background traffic.\n"
     "Each job is then replayed alone too, to tell by how much the others slow it down\n"
     "(--set jobs.alone=off: not).\n"
     "\n"
     "A replay whose ranks cannot go on prints no time: it says which ranks wait for\n"
     "what, and ends with exit code 1.",
     replay_options, replay_examples, 1, MOST_TRACES, NULL, ANAX_SCOPE_REPLAY, command_replay},
    {"place", "TRACE", "judge a placement before it is simulated",
     "Places the ranks of TRACE on the nodes of a machine, as `anax replay` would, and\n"
     "prints the mapping and what can be said of it without simulating: how many bytes\n"
     "stay within nodes, routers and groups, and what links would carry if every\n"
     "message took a minimal path. Messages of collectives count, as their algorithms\n"
     "send them.\n"
     "\n"
     "The policies greedy and partition look at these messages too. Settings come from\n"
     "the same places as for `anax replay`.",
     place_options, place_examples, 0, 1, NULL, ANAX_SCOPE_PLACE, command_place},
    {"traffic", "", "run synthetic traffic through a dragonfly",
     "Runs synthetic traffic through the same network that replays use, once for each\n"
     "routing policy and offered load, and prints accepted load, latencies and hops.\n"
     "This is how a machine or a routing policy is compared with papers and other\n"
     "simulators.\n"
     "\n"
     "Points run at once as far as there are threads, and are the same for any number.\n"
     "Beyond saturation a node refuses messages while traffic.queue of them wait\n"
     "there, so that such a point takes no longer and no more memory than others; it\n"
     "is not stable.\n"
     "\n"
     "Lengths of warm-up, measurement and drain, message sizes and bursts are settings\n"
     "(traffic.*). Settings come from the same places as for `anax replay`.",
     traffic_options, traffic_examples, 0, 0, NULL, ANAX_SCOPE_TRAFFIC, command_traffic},
    {"compare", "TRACE...", "predict a trace's time on many candidates, and tell which differ",
     "Replays every TRACE on every combination of the machines, arrangements, routing\n"
     "policies, placements and other settings given, each with several seeds. Prints\n"
     "per trace the mean times with confidence intervals (95 %, Student's t), ranked;\n"
     "the difference of each to the first combination, paired by seed; and whether it\n"
     "is significant at 5 % (paired t test, corrected for their number after Holm).\n"
     "\n"
     "Points run at once as far as there are threads, and are the same for any number.\n"
     "Finished ones are kept, so that the same command goes on where it was stopped,\n"
     "and a larger one computes only what is new. Replays that cannot finish, or do\n"
     "not fit the machine, are reported, not averaged; then the exit code is 1.\n"
     "\n"
     "Settings that do not vary come from the same places as for `anax replay`.",
     compare_options, compare_examples, 1, MOST_TRACES, NULL, ANAX_SCOPE_REPLAY, command_compare},
    {"info", "TRACE", "tell what a trace holds",
     "Prints ranks, events, time span, communicators, messages and their sizes,\n"
     "collectives by kind, and what a replay would not model, and why.",
     info_options, info_examples, 1, 1, NULL, ANAX_SCOPE_TRACE, command_info},
    {"convert", "TRACE", "write a trace as one compressed program file",
     "Writes TRACE as a program file: matched, checksummed and compressed. Every\n"
     "command that takes a trace takes it, opens it faster, and gives the same result.",
     convert_options, convert_examples, 1, 1, NULL, ANAX_SCOPE_TRACE, command_convert},
    {"export", "TRACE", "write a trace's messages for other programs",
     "Writes what each rank of TRACE computes, sends and receives, and what waits for\n"
     "what, as text for other simulators and tools. Collectives are written as the\n"
     "messages of the algorithms that a replay would use (settings mpi.*), computation\n"
     "is scaled as in a replay (replay.compute_scale, trace.compute_scale).",
     export_options, export_examples, 1, 1, NULL, ANAX_SCOPE_EXPORT, command_export},
    {"generate", "PATTERN", "write the trace of a synthetic application",
     "Writes a trace of one of the well-known communication patterns (anax list\n"
     "patterns), for those without a trace and for tests at any scale.",
     generate_options, generate_examples, 1, 1, "patterns", ANAX_SCOPE_GENERATE, command_generate},
    {"topology", "[MACHINE...]", "tell what a machine's topology is worth, without simulating it",
     "Prints sizes, distances and numbers of paths, global connected components, and\n"
     "the cables with their lengths and cost, of one machine or several side by side.\n"
     "\n"
     "Cabinets stand in a square grid (settings floor.*); cables run along its rows\n"
     "and columns, and are priced by length and bandwidth (settings price.*).",
     topology_options, topology_examples, 0, 64, "machines", ANAX_SCOPE_TOPOLOGY, command_topology},
    {"bisection", "", "bisection bandwidth as an exact function of alpha",
     "Prints the bisection bandwidth of a machine for every ratio alpha of the\n"
     "bandwidths of a global and a local link: the least of local links + alpha times\n"
     "global links over all cuts into two halves. It is made of lines; each comes with\n"
     "the cut that proves it from above, and a proof that no cut is cheaper.\n"
     "\n"
     "The number of switches decides how long the proof takes: 40 take a second or\n"
     "two. Machines of more than 128 are searched only, unless --time-limit is given,\n"
     "and those of more than 512 in any case: what is printed then are upper bounds.",
     bisection_options, bisection_examples, 0, 0, NULL, ANAX_SCOPE_BISECTION, command_bisection},
    {"list", "[FAMILY]", "show what there is to choose from",
     "Lists machines, routing policies, placements, patterns, settings, ...; without\n"
     "FAMILY, the families.",
     list_options, list_examples, 0, 1, "families", ANAX_SCOPE_ALL, command_list},
    {"help", "[COMMAND]", "explain a command", "Explains a command; without COMMAND, all of anax.",
     help_options, help_examples, 0, 1, "commands", ANAX_SCOPE_ALL, command_help},
    {NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, ANAX_SCOPE_ALL, NULL},
};

const command *commands(void) {
    return table;
}

const command *command_find(const char *name) {
    for (const command *row = table; row->name != NULL; row++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}
