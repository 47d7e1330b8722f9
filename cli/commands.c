/* The table of commands, with their descriptions and examples. Knows no implementation. */
#include "cli/command_options.h"

#include <string.h>

static const struct example replay_examples[] = {
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
     "Two jobs on one machine, with background traffic on the remaining nodes."},
    {"anax replay --machine kim-1k --print-config > my-machine.yaml",
     "Start a configuration file of one's own, to be read with --config."},
    {NULL, NULL},
};

static const struct example place_examples[] = {
    {"anax place examples/gromacs/traces.otf2 --machine kim-72 --placement greedy",
     "Where each rank goes, how far its messages travel, and what links would carry."},
    {"anax place --trace examples/gromacs/traces.otf2 --machine kim-72 --placement greedy -o ranks "
     "&& anax replay examples/gromacs/traces.otf2 --machine kim-72 --placement rankfile "
     "--set placement.file=ranks",
     "Keep the mapping in a rank file, and replay with it."},
    {NULL, NULL},
};

static const struct example traffic_examples[] = {
    {"anax traffic --machine kim-72 --routing minimal --pattern uniform --load 0.2",
     "Uniform random traffic at a fifth of the injection bandwidth."},
    {"anax traffic --machine kim-72 --routing valiant --pattern adv+1 --loads 0.1:0.5:0.2 "
     "--json",
     "A latency-load curve under adversarial traffic, for a program."},
    {"anax traffic --machine kim-72 --routing minimal,valiant,ugal-l --pattern worst-case "
     "--loads 0.05:0.5:0.15 -o curves",
     "Three routing policies compared; curves/points.csv holds the table."},
    {"anax traffic --machine kim-72,kim-1k --routing minimal,ugal-l --pattern worst-case "
     "--saturation 0.1 --points kept",
     "Where two machines saturate, under two policies; the points are kept."},
    {"anax traffic --machine kim-72 --vary traffic.pattern=uniform,adv+1 --load 0.3 --seeds 4 "
     "--points kept --emit commands --parts 2 > parts.sh && sh parts.sh",
     "Eight points in two parts; parallel --joblog log --resume < parts.sh runs them at once."},
    {"anax traffic --machine kim-72 --routing ugal-l --pattern worst-case --load 0.2 -o point",
     "A single point: how busy each channel is, what each router injects, how latencies spread."},
    {NULL, NULL},
};

static const struct example compare_examples[] = {
    {"anax compare examples/gromacs/traces.otf2 --machine kim-72 --routing minimal,ugal-l,par "
     "--placement block,random",
     "Six candidates with five seeds each; the first of each list is the baseline."},
    {"anax compare examples/gromacs/traces.otf2 --machine kim-72 --placement random --seeds 10 "
     "--vary network.global.bandwidth=12.5GB/s,25GB/s,50GB/s -o bandwidths",
     "Global links of half, equal and twice the bandwidth of local ones (alpha), with tables."},
    {"anax compare examples/gromacs/traces.otf2 --machine kim-72 --placement random "
     "--points kept --emit slurm --parts 5 > submit.sh",
     "A script that submits five parts to Slurm, and the job that merges them."},
    {"anax generate alltoall --ranks 64 -o alltoall.anax && "
     "anax compare alltoall.anax examples/gromacs --machine kim-72,kim-1k --seeds 3 --json",
     "Two traces on two machines, for a program."},
    {NULL, NULL},
};

static const struct example search_examples[] = {
    {"anax search examples/gromacs --machine kim-72 --routing minimal,ugal-l "
     "--vary network.groups=3,5,9 --vary network.globals_per_router=1,2 --limit nodes=16:80 "
     "--limit cost=1e5 --seeds 3",
     "The best of twelve machines for at most 100,000 dollars: which of them pay off."},
    {"anax search examples/gromacs --machine kim-72,kim-1k --placement block,random,greedy "
     "--vary network.global.bandwidth=12.5GB/s,25GB/s -o searched --json",
     "Machines, placements and bandwidths, for a program; searched/candidates.csv has them all."},
    {NULL, NULL},
};

static const struct example report_examples[] = {
    {"anax replay examples/gromacs --machine kim-72 --explain --time-bins 64 --json > result.json "
     "&& anax report result.json --report result.html",
     "The page of a replay that was saved."},
    {"anax report result.json --figures pictures", "The page's pictures as SVG files."},
    {NULL, NULL},
};

static const struct example diff_examples[] = {
    {"anax replay examples/gromacs --machine kim-72 --json > before.json && "
     "anax replay examples/gromacs --machine kim-72 --set mpi.eager_threshold=64KiB --json "
     "> after.json && anax diff before.json after.json",
     "What a larger eager threshold changes."},
    {"anax diff before.json after.json --report changes.html", "The same as a page with pictures."},
    {NULL, NULL},
};

static const struct example info_examples[] = {
    {"anax info examples/gromacs/traces.otf2", "What the trace holds, and what is not modelled."},
    {"anax info examples/gromacs/traces.otf2 --json", "The same for a program."},
    {NULL, NULL},
};

static const struct example convert_examples[] = {
    {"anax convert examples/gromacs/traces.otf2 -o gromacs.anax",
     "One small file that opens faster than the archive and replays to the same digest."},
    {NULL, NULL},
};

static const struct example record_examples[] = {
    {"mpicc -O2 -I examples/../include examples/record/heat.c -o heat && "
     "mpirun -n 2 anax record -o heat.anax ./heat",
     "Record the example of docs/record.md; anax replay heat.anax ... then replays it."},
    {"anax record --keep -o inside.anax mpirun -n 2 ./heat 100",
     "The same with the launcher inside, for processes on one computer; keep the recording."},
    {NULL, NULL},
};

static const struct example extrapolate_examples[] = {
    {"for n in 8 27 64; do anax generate halo3d --ranks $n -o h$n.anax; done",
     "A series; for an application of yours, record three sizes (anax help record)."},
    {"anax extrapolate h8.anax h27.anax h64.anax --ranks 512 -o h512.anax",
     "512 ranks, with all that was found: grid, partners, sizes, times."},
    {"anax extrapolate h8.anax h27.anax h64.anax -n 1000 --json -o h1000.anax",
     "The same for 1000 ranks, for programs."},
    {NULL, NULL},
};

static const struct example export_examples[] = {
    {"anax export examples/gromacs/traces.otf2 --format goal -o gromacs.goal",
     "For LogGOPSim: txt2bin -i gromacs.goal -o gromacs.bin; LogGOPSim -f gromacs.bin."},
    {"anax export examples/gromacs/traces.otf2 --format json --set mpi.collectives=openmpi",
     "For a program of one's own, with collectives as Open MPI runs them."},
    {NULL, NULL},
};

static const struct example generate_examples[] = {
    {"anax generate halo3d --ranks 64 --iterations 5 --size 8KiB -o halo3d",
     "A halo exchange with six neighbours, as an OTF2 archive."},
    {"anax generate alltoall --ranks 256 --size 1KiB -o alltoall.anax",
     "As a program file: for rank counts where two files per rank are too many."},
    {"anax generate training --ranks 16 --iterations 1 --model llama3-8b --set training.tensor=8 "
     "--set training.layers=2 -o step.anax",
     "A step of training on two nodes of eight GPUs; docs/training.md."},
    {NULL, NULL},
};

static const struct example topology_examples[] = {
    {"anax topology kim-72", "Sizes, distances, cables and cost of one machine."},
    {"anax topology kim-1k garcia-5k slingshot --set floor.optical_from=8m",
     "Three machines side by side, with optical cables from 8 m on."},
    {"anax topology kim-72 --arrangement helix --json", "Another arrangement, for a program."},
    {"anax topology kim-72 --dot > kim-72.dot", "A graph to draw."},
    {"anax topology --rivals --set floor.optical_from=8m",
     "Figure 19 of Kim et al. 2008: flattened butterfly, folded Clos and torus, too."},
    {NULL, NULL},
};

static const struct example bisection_examples[] = {
    {"anax bisection -a 4 -h 2 --arrangement helix", "A dragonfly of 36 routers."},
    {"anax bisection -a 3 -h 3 --arrangement relative,nautilus-index,helix --svg curves.svg",
     "Three arrangements in one picture."},
    {"anax bisection --machine kim-72 --json", "A named machine, for a program."},
    {NULL, NULL},
};

static const struct example calibrate_examples[] = {
    {"anax calibrate examples/calibration/osu_latency.txt examples/calibration/osu_bw.txt "
     "--machine slingshot -o mine.yaml --svg mine.svg",
     "Fit the hosts of a Slingshot machine, and write it as a machine of one's own."},
    {"anax calibrate examples/calibration/osu_latency.txt --machine slingshot "
     "--distance same-group --set mpi.eager_threshold=8KiB --json",
     "A ping-pong alone, between neighbouring routers, with a threshold that is known."},
    {NULL, NULL},
};

static const struct example list_examples[] = {
    {"anax list", "The families."},
    {"anax list machines", "The named machines."},
    {"anax list settings network.global", "The settings of global channels."},
    {"anax list settings --json", "All settings with their types, units, ranges and defaults."},
    {NULL, NULL},
};

static const struct example help_examples[] = {
    {"anax help replay", "Options and examples of one command."},
    {"anax help network.ugal", "The settings whose names begin so."},
    {NULL, NULL},
};

static const struct example version_examples[] = {
    {"anax version", "The version of this program."},
    {NULL, NULL},
};

#define KEEP_REGIONS "trace.user_regions=on"

enum { TRACES_MAX = 1000, FILES_MAX = 1000, WORDS_MAX = 1000000 };

static const struct command table[] = {
    {.name = "replay",
     .arguments = "TRACE...",
     .summary = "predict how long a traced MPI run takes on a dragonfly",
     .description =
         "Replays TRACE (an OTF2 archive, its folder, a program file, or a schedule in\n"
         "GOAL, as text or as LogGOPSim's txt2bin writes it) on a machine. The ranks are\n"
         "placed on nodes, their messages cross a simulated packet-level network, and\n"
         "each rank continues when its messages have arrived. Prints the predicted time\n"
         "of the job and of the slowest ranks, and how the time divides.\n"
         "\n"
         "Settings come from the defaults, the machine, the files of --config in their\n"
         "order, and the other options and --set in the order of the command line. Each\n"
         "of these overrides the ones before it.\n"
         "\n"
         "Several traces, or the jobs in the file of --jobs, run on the machine at the\n"
         "same time, each on its own nodes. The remaining nodes can send background\n"
         "traffic. Each job is then also replayed alone, to find by how much the others\n"
         "slow it down, unless --set jobs.alone=off is given.\n"
         "\n"
         "A replay whose ranks cannot go on prints no time. It says which ranks wait for\n"
         "what, and ends with exit code 1.\n"
         "\n"
         "Started by mpirun or srun, several processes simulate together; see anax(1).",
     .options = replay_options,
     .examples = replay_examples,
     .min_arguments = 1,
     .max_arguments = TRACES_MAX,
     .scope = ANAX_SCOPE_REPLAY,
     .processes = COMMAND_BY_ALL,
     .run = command_replay},
    {.name = "place",
     .arguments = "TRACE",
     .summary = "judge a placement before it is simulated",
     .description =
         "Places the ranks of TRACE on the nodes of a machine, as `anax replay` would.\n"
         "Prints numbers that need no simulation: how many bytes stay within nodes,\n"
         "routers and groups, and what each link would carry if every message took a\n"
         "minimal path. The messages of collectives are included, as their algorithms send\n"
         "them; reads and writes of files are not. --mapping also prints where each rank\n"
         "is.\n"
         "\n"
         "--exchange searches for a better placement by exchanging ranks: first by the\n"
         "load of the busiest link and then, with --replays, by predicted times. Replays\n"
         "are kept for later searches, like the points of `anax compare`.\n"
         "\n"
         "The policies greedy and partition are based on the same messages. Settings come\n"
         "from the same places as for `anax replay`.",
     .options = place_options,
     .examples = place_examples,
     .max_arguments = 1,
     .scope = ANAX_SCOPE_PLACE,
     .run = command_place},
    {.name = "traffic",
     .arguments = "",
     .summary = "run synthetic traffic through a dragonfly",
     .description =
         "Runs synthetic traffic through the same network that replays use, once for each\n"
         "routing policy and offered load, and prints accepted load, latencies and hops.\n"
         "Use it to compare a machine or a routing policy with papers and other\n"
         "simulators.\n"
         "\n"
         "As many points run at the same time as there are threads. Results are the same\n"
         "for any number of threads. Beyond saturation a node refuses messages while\n"
         "traffic.queue of them wait there. Such a point is not stable, but it takes no\n"
         "more time and memory than others.\n"
         "\n"
         "Several machines and --vary give a curve for each combination. Several --seeds\n"
         "give means with 95 % confidence intervals. --saturation searches for the load\n"
         "at which each curve saturates. --points keeps finished points, and --part and\n"
         "--emit divide the points among processes, as for `anax compare`.\n"
         "\n"
         "Lengths of warm-up, measurement and drain, message sizes and bursts are\n"
         "settings (traffic.*). Settings come from the same places as for `anax replay`.\n"
         "\n"
         "Started by mpirun or srun, several processes simulate each point together; see\n"
         "anax(1).",
     .options = traffic_options,
     .examples = traffic_examples,
     .scope = ANAX_SCOPE_TRAFFIC,
     .processes = COMMAND_BY_ALL,
     .run = command_traffic},
    {.name = "compare",
     .arguments = "TRACE...",
     .summary = "predict a trace's time on many candidates, and test which differ",
     .description =
         "Replays every TRACE on every combination of the machines, arrangements, routing\n"
         "policies, placements and other settings given, each with several seeds. For\n"
         "each trace it prints the ranked mean times with confidence intervals (95 %,\n"
         "Student's t), how many times faster each combination is than the first, and\n"
         "whether the difference is significant at 5 % (t test, paired by seed, corrected\n"
         "after Holm for the number of combinations) or negligible. It says what decides\n"
         "between the best combination and the others. If the seed has no influence, times\n"
         "are exact, and only one seed is run.\n"
         "\n"
         "As many points run at the same time as there are threads. Results are the same\n"
         "for any number of threads. Finished points are kept: the same command continues\n"
         "where it was stopped, and a command with more points computes only the new ones.\n"
         "Replays that cannot finish, or do not fit the machine, are reported and not\n"
         "averaged. The exit code is then 1.\n"
         "\n"
         "Several processes can share the points of one folder. --part computes one part\n"
         "of them, and --emit prints the commands of all parts for Slurm or GNU parallel.\n"
         "\n"
         "Settings that do not vary come from the same places as for `anax replay`.",
     .options = compare_options,
     .examples = compare_examples,
     .min_arguments = 1,
     .max_arguments = TRACES_MAX,
     .scope = ANAX_SCOPE_REPLAY,
     .processes = COMMAND_BY_ONE,
     .run = command_compare},
    {.name = "search",
     .arguments = "TRACE",
     .summary = "find the best of many machines and settings by cost and time",
     .description =
         "Finds which combinations of machines and settings are worth their cost for\n"
         "TRACE, without replaying it on all of them. The result is the Pareto front: the\n"
         "combinations that are faster than all others of the same or a lower cost. The\n"
         "cost is that of cables and routers, by the settings price.* (anax topology).\n"
         "Combinations that are impossible, too small for the ranks, or beyond a --limit\n"
         "are left out.\n"
         "\n"
         "The search has up to three stages: the middle eighth of the trace's MPI calls\n"
         "with one seed, the whole trace with one seed, and the whole trace with all\n"
         "seeds. The first two stages each keep a quarter of the combinations, but at\n"
         "least eight and the whole front, and up to half if others are close to the\n"
         "front. Eight or fewer combinations all go to the last stage. There, each\n"
         "combination is tested against the fastest one that costs no more (t test, paired\n"
         "by seed, corrected after Holm).\n"
         "\n"
         "Results are the same for any number of threads. Finished points are kept, as for\n"
         "`anax compare`: the same command continues where it was stopped. With --part,\n"
         "several processes search together: each begins a stage with its own points and\n"
         "continues with those that no other process has begun.\n"
         "\n"
         "To search for a placement by exchanging ranks, use `anax place --exchange`.",
     .options = search_options,
     .examples = search_examples,
     .min_arguments = 1,
     .max_arguments = 1,
     .scope = ANAX_SCOPE_SEARCH,
     .processes = COMMAND_BY_ONE,
     .run = command_search},
    {.name = "diff",
     .arguments = "A.json B.json",
     .summary = "show what takes more or less time in the second of two results",
     .description =
         "Reads two results of `anax replay --json` and prints their predicted times side\n"
         "by side, and what differs: the parts of the ranks' time, ranks, MPI calls, user\n"
         "regions, and the busiest links by kind, the largest change first. Every\n"
         "difference is the second time less the first one. The results may be of\n"
         "different traces, machines and settings. --report draws both side by side.",
     .options = diff_options,
     .examples = diff_examples,
     .min_arguments = 2,
     .max_arguments = 2,
     .scope = ANAX_SCOPE_ALL,
     .run = command_diff},
    {.name = "report",
     .arguments = "RESULT.json",
     .summary = "draw a saved result as a page for browsers",
     .description =
         "Reads a result that was printed with --json, and writes its report: the verdict,\n"
         "then pictures with their numbers and a sentence on what to see. A report is one\n"
         "HTML file that needs no other file, no network and no script. The same result\n"
         "gives the same file as --report of the command that made it.",
     .options = report_options,
     .examples = report_examples,
     .min_arguments = 1,
     .max_arguments = 1,
     .scope = ANAX_SCOPE_ALL,
     .run = command_report},
    {.name = "info",
     .arguments = "TRACE",
     .summary = "show the contents of a trace",
     .description = "Prints ranks, events, time span, communicators, messages and their sizes,\n"
                    "collectives by kind, user regions with their counts and recorded times, and\n"
                    "what a replay would not model, with the reason.",
     .options = info_options,
     .examples = info_examples,
     .min_arguments = 1,
     .max_arguments = 1,
     .preset = KEEP_REGIONS,
     .scope = ANAX_SCOPE_TRACE,
     .run = command_info},
    {.name = "convert",
     .arguments = "TRACE",
     .summary = "write a trace as one compressed program file",
     .description =
         "Writes TRACE as a program file, with matched messages, a checksum and\n"
         "compression. Every command that takes a trace also takes a program file, opens\n"
         "it faster, and gives the same result. User regions are kept, unless --set\n"
         "trace.user_regions=off leaves them out.",
     .options = convert_options,
     .examples = convert_examples,
     .min_arguments = 1,
     .max_arguments = 1,
     .preset = KEEP_REGIONS,
     .scope = ANAX_SCOPE_TRACE,
     .run = command_convert},
    {.name = "record",
     .arguments = "COMMAND [ARGUMENT...]",
     .summary = "record an MPI application as a program file, without a tracer",
     .description =
         "Runs COMMAND, an MPI application or an mpirun that starts one, and records its\n"
         "MPI calls and the computation between them as the program file of -o. Programs\n"
         "linked dynamically with Open MPI or MPICH, in C, C++, Fortran or Python, need\n"
         "no change. Under mpirun, each process runs `anax record`.\n"
         "\n"
         "While COMMAND runs, each rank writes a file in the folder NAME.anax.recording. A\n"
         "rank that ends early, by MPI_Abort or a signal, leaves a file that is readable\n"
         "up to its end. The folder is a trace as well: `anax convert` makes a program\n"
         "file of it if the program file was not made.\n"
         "\n"
         "Exit code: that of COMMAND, or of anax if the program file cannot be made.",
     .options = record_options,
     .examples = record_examples,
     .min_arguments = 1,
     .max_arguments = WORDS_MAX,
     .scope = ANAX_SCOPE_TRACE,
     .takes_command = true,
     .run = command_record},
    {.name = "extrapolate",
     .arguments = "TRACE TRACE TRACE...",
     .summary = "make the program of more ranks from a series of small ones",
     .description =
         "Reads three or more traces of one application on different numbers of ranks, and\n"
         "writes the program of --ranks ranks. Prints what it found: the process grid, the\n"
         "communicators, the roles of ranks (corner, edge, inner, ...), and the laws of\n"
         "partners, sizes, counts and times.\n"
         "\n"
         "Rules and laws must hold exactly in the whole series; only computation may\n"
         "scatter. If something follows no rule, anax refuses the series, and the message\n"
         "names the place. docs/extrapolate.md explains the report and the refusals.",
     .options = extrapolate_options,
     .examples = extrapolate_examples,
     .min_arguments = 1,
     .max_arguments = FILES_MAX,
     .scope = ANAX_SCOPE_EXTRAPOLATE,
     .run = command_extrapolate},
    {.name = "export",
     .arguments = "TRACE",
     .summary = "write a trace's messages for other programs",
     .description =
         "Writes what each rank of TRACE computes, sends and receives, and which\n"
         "operation waits for which, as text for other simulators and tools. Collectives\n"
         "are written as the messages of the algorithms that a replay would use (settings\n"
         "mpi.*). Computation is scaled as in a replay (replay.compute_scale,\n"
         "trace.compute_scale). Reads and writes of files are left out, with a warning.",
     .options = export_options,
     .examples = export_examples,
     .min_arguments = 1,
     .max_arguments = 1,
     .scope = ANAX_SCOPE_EXPORT,
     .run = command_export},
    {.name = "generate",
     .arguments = "PATTERN",
     .summary = "write the trace of a synthetic application",
     .description = "Writes a trace of one of the well-known communication patterns (anax list\n"
                    "patterns), for users without a trace and for tests at any scale.",
     .options = generate_options,
     .examples = generate_examples,
     .min_arguments = 1,
     .max_arguments = 1,
     .argument_family = "patterns",
     .scope = ANAX_SCOPE_GENERATE,
     .run = command_generate},
    {.name = "topology",
     .arguments = "[MACHINE...]",
     .summary = "analyse a machine's topology without simulating it",
     .description =
         "Prints sizes, distances and numbers of paths, global connected components, and\n"
         "the cables with their lengths and cost, of one machine or several side by side.\n"
         "\n"
         "Cabinets stand in a square grid (settings floor.*); cables run along its rows\n"
         "and columns, and are priced by length and bandwidth (settings price.*).",
     .options = topology_options,
     .examples = topology_examples,
     .max_arguments = 64,
     .argument_family = "machines",
     .scope = ANAX_SCOPE_TOPOLOGY,
     .run = command_topology},
    {.name = "bisection",
     .arguments = "",
     .summary = "compute the bisection bandwidth as an exact function of alpha",
     .description =
         "Prints the bisection bandwidth of a machine for every ratio alpha of the\n"
         "bandwidths of a global and a local link. It is the least value of local links +\n"
         "alpha times global links over all cuts into two halves. The function consists\n"
         "of lines. Each line comes with a cut that attains it, and a proof that no cut\n"
         "is cheaper.\n"
         "\n"
         "The number of routers decides how long the proof takes: 40 routers take a\n"
         "second or two. For machines of more than 128 routers without --time-limit, and\n"
         "for all machines of more than 512, anax only searches for cuts and prints upper\n"
         "bounds.",
     .options = bisection_options,
     .examples = bisection_examples,
     .scope = ANAX_SCOPE_BISECTION,
     .run = command_bisection},
    {.name = "calibrate",
     .arguments = "FILE...",
     .summary = "fit a machine's hosts to measurements of its MPI",
     .description =
         "Reads outputs of the OSU micro-benchmarks (osu_latency, osu_bw, osu_bibw,\n"
         "osu_mbw_mr, osu_allreduce), of the Intel MPI Benchmarks (PingPong, Uniband,\n"
         "Biband, Exchange, Allreduce, ...) and of NetPIPE (np.out). Subtracts the time\n"
         "that the machine's network takes, and fits the costs of hosts and NICs to the\n"
         "rest: overheads by message size, copies, the start of a rendezvous, latency,\n"
         "message rate and bandwidth.\n"
         "\n"
         "Prints each setting with its confidence interval (95 %) and the data that\n"
         "determine it, and measured against modelled times by size. Warnings say what the\n"
         "data do not determine. One of the files must be a ping-pong (osu_latency,\n"
         "PingPong or NetPIPE).",
     .options = calibrate_options,
     .examples = calibrate_examples,
     .min_arguments = 1,
     .max_arguments = FILES_MAX,
     .scope = ANAX_SCOPE_CALIBRATE,
     .run = command_calibrate},
    {.name = "list",
     .arguments = "[FAMILY [WORD]]",
     .summary = "list machines, policies, settings and other choices",
     .description =
         "Lists the members of a family: machines, routing policies, placements,\n"
         "patterns, settings, ... Without FAMILY it lists the families.\n"
         "\n"
         "WORD selects the members of that name and, of dotted names, those that begin\n"
         "with it: network.global selects network.global.latency. If there are none, it\n"
         "selects the members whose name contains the word.",
     .options = list_options,
     .examples = list_examples,
     .max_arguments = 2,
     .argument_family = "families",
     .scope = ANAX_SCOPE_ALL,
     .run = command_list},
    {.name = "help",
     .arguments = "[COMMAND | FAMILY | SETTING]",
     .summary = "explain a command, a family of choices or a setting",
     .description =
         "Explains a command, or without argument all of anax. For a family it prints what\n"
         "`anax list FAMILY` prints. For a setting, or the beginning of the dotted names\n"
         "of several, it prints what `anax list settings` says of them.",
     .options = help_options,
     .examples = help_examples,
     .max_arguments = 1,
     .argument_family = "commands",
     .scope = ANAX_SCOPE_ALL,
     .run = command_help},
    {.name = "version",
     .arguments = "",
     .summary = "print the version",
     .description =
         "Prints the version of anax, and the MPI libraries with which it runs on several\n"
         "processes, as `anax --version` does.",
     .options = help_options,
     .examples = version_examples,
     .scope = ANAX_SCOPE_ALL,
     .run = command_version},
    {.scope = ANAX_SCOPE_ALL},
};

const struct command *commands(void) {
    return table;
}

const struct command *command_find(const char *name) {
    for (const struct command *row = table; row->name != NULL; row++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}
