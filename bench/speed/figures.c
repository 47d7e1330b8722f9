/* The table of what is measured. Commands are what anyone can type in the project's folder. */
#include "bench/speed/figures.h"

#include <stddef.h>

#define SIMULATED(figure_kind)                                                                     \
    {                                                                                              \
        {figure_kind, "packet-hops/s", "network.packet_hops"},                                     \
            {figure_kind, "events/s", "simulation.events"},                                        \
    }
#define REPLAYED                                                                                   \
    {                                                                                              \
        {FIGURE_PER_CPU_S, "messages/s", "network.messages"},                                      \
            {FIGURE_PER_CPU_S, "packet-hops/s", "network.packet_hops"},                            \
            {FIGURE_PER_CPU_S, "events/s", "simulation.events"},                                   \
    }
#define NODE_BYTES                                                                                 \
    {                                                                                              \
        { FIGURE_PER_NODE_RSS, "bytes/node", "machine.nodes" }                                     \
    }

#define TIMES(warmup, measure, drain)                                                              \
    " --set traffic.warmup=" warmup " --set traffic.measure=" measure " --set "                    \
    "traffic.drain=" drain
#define TRAFFIC(machine, routing, threads, times)                                                  \
    "@/anax traffic --machine " machine " --routing " routing                                      \
    " --pattern uniform --load 0.3 --threads " threads times " --quiet --json"

#define SHORT       TIMES("4us", "8us", "4us")
#define SHORT_262K  TIMES("1us", "1us", "0")
#define NOTHING     TIMES("0", "1ps", "0")
#define PAPER(r, t) TRAFFIC("kim-1k-paper", r, t, SHORT), TRAFFIC("kim-1k-paper", r, t, NOTHING)
#define LARGE(r, t)                                                                                \
    TRAFFIC("dragonfly-262k", r, t, SHORT_262K), TRAFFIC("dragonfly-262k", r, t, NOTHING)
#define EMPTY_PROCESS "@/anax list machines --json"

#define HALO3D       "@/bench/out/halo3d-1024.anax"
#define LONG_HALO3D  "@/bench/out/halo3d-1024-long.anax"
#define ARCHIVE      "@/bench/out/halo3d-64/traces.otf2"
#define INSTRUMENTED "@/bench/out/instrumented/traces.otf2"
#define EXAMPLE      "examples/gromacs/traces.otf2"
#define REPLAY(t)                                                                                  \
    "@/anax replay " t " --machine kim-1k --placement block --threads 1 --quiet --json"
#define INFO(t) "@/anax info " t " --threads 1 --quiet --json"

#define IMPORTED                                                                                   \
    {                                                                                              \
        {FIGURE_PRINTED, "events/s (bare OTF2 reader)", "bare_events_per_s"},                      \
            {FIGURE_PRINTED, "events/s (import)", "import_events_per_s"},                          \
            {FIGURE_PRINTED, "time, import / bare", "import_over_bare"},                           \
    }

#define LARGE_NAME   "halo3d, 65536 ranks, 26 neighbours, 10 iterations"
#define LARGE_HALO3D "generate halo3d --ranks 65536 --neighbours 26 --iterations 10 --size "
#define LARGE_FILE   "@/bench/out/halo3d-65536.anax"
#define LARGE_REPLAY                                                                               \
    "@/anax replay " LARGE_FILE " --machine dragonfly-262k --threads 1 --quiet --json"
#define LARGE_FIGURES                                                                              \
    {                                                                                              \
        {FIGURE_PEAK_RSS, "bytes", NULL}, {FIGURE_CPU_S, "s", NULL},                               \
            {FIGURE_PER_CPU_S, "messages/s", "network.messages"},                                  \
            {FIGURE_PER_CPU_S, "events/s", "simulation.events"},                                   \
    }

const char *const bench_preparations[] = {
    "@/anax generate halo3d --ranks 1024 --iterations 40 --size 8KiB -o " HALO3D " --quiet",
    "@/anax generate halo3d --ranks 1024 --iterations 400 --size 8KiB -o " LONG_HALO3D " --quiet",
    "@/anax generate halo3d --ranks 64 --iterations 400 --size 8KiB -o @/bench/out/halo3d-64 "
    "--quiet",
    "@/bench/bench_regions 16 1000 100 @/bench/out/instrumented",
    NULL,
};

const struct bench benches[] = {
    {"event queue alone, per event taken out and put in",
     "@/bench/bench_queue",
     NULL,
     {{FIGURE_PRINTED, "ns (network events)", "network_ns"},
      {FIGURE_PRINTED, "ns (keyed events)", "keyed_ns"},
      {FIGURE_PRINTED, "ns (far ahead)", "far_ns"}}},
    {"network: kim-1k-paper, uniform 0.3, minimal", PAPER("minimal", "1"),
     SIMULATED(FIGURE_PER_CPU_S)},
    {"network: the same, 2 threads, by elapsed time", PAPER("minimal", "2"),
     SIMULATED(FIGURE_PER_WALL_S)},
    {"network: kim-1k-paper, uniform 0.3, valiant", PAPER("valiant", "1"),
     SIMULATED(FIGURE_PER_CPU_S)},
    {"network: kim-1k-paper, uniform 0.3, ugal-l", PAPER("ugal-l", "1"),
     SIMULATED(FIGURE_PER_CPU_S)},
    {"network: dragonfly-262k, uniform 0.3, minimal", LARGE("minimal", "1"),
     SIMULATED(FIGURE_PER_CPU_S)},
    {"network: the same, 2 threads, by elapsed time", LARGE("minimal", "2"),
     SIMULATED(FIGURE_PER_WALL_S)},
    {"network: dragonfly-262k, uniform 0.3, valiant", LARGE("valiant", "1"),
     SIMULATED(FIGURE_PER_CPU_S)},
    {"network: dragonfly-262k, uniform 0.3, ugal-l", LARGE("ugal-l", "1"),
     SIMULATED(FIGURE_PER_CPU_S)},
    {"memory: kim-1k, built", TRAFFIC("kim-1k", "ugal-l", "1", NOTHING), EMPTY_PROCESS, NODE_BYTES},
    {"memory: kim-1k, uniform 0.3", TRAFFIC("kim-1k", "ugal-l", "1", SHORT), EMPTY_PROCESS,
     NODE_BYTES},
    {"memory: dragonfly-262k, built",
     TRAFFIC("dragonfly-262k", "ugal-l", "1", NOTHING),
     EMPTY_PROCESS,
     {{FIGURE_PER_NODE_RSS, "bytes/node", "machine.nodes"}, {FIGURE_CPU_S, "s", NULL}}},
    {"memory: dragonfly-262k, uniform 0.3", TRAFFIC("dragonfly-262k", "ugal-l", "1", SHORT_262K),
     EMPTY_PROCESS, NODE_BYTES},
    {"replay: halo3d, 1024 ranks, 8 KiB, kim-1k, block", REPLAY(HALO3D), INFO(HALO3D), REPLAYED},
    {"replay: halo3d, the same, ten times the iterations", REPLAY(LONG_HALO3D), INFO(LONG_HALO3D),
     REPLAYED},
    {"replay: GROMACS, 8 ranks, kim-1k, block", REPLAY(EXAMPLE), INFO(EXAMPLE), REPLAYED},
    {"import: halo3d archive, 64 ranks", "@/bench/bench_import " ARCHIVE, NULL, IMPORTED},
    {"import: instrumented functions, 16 ranks", "@/bench/bench_import " INSTRUMENTED, NULL,
     IMPORTED},
    {"import: GROMACS, 8 ranks", "@/bench/bench_import " EXAMPLE, NULL, IMPORTED},
    {"program: halo3d, 1024 ranks",
     "@/bench/bench_program " HALO3D " @/bench/out/scratch.anax",
     NULL,
     {{FIGURE_PRINTED, "operations/s checked", "check_operations_per_s"},
      {FIGURE_PRINTED, "operations/s written", "write_operations_per_s"},
      {FIGURE_PRINTED, "operations/s read", "read_operations_per_s"},
      {FIGURE_PRINTED, "bytes/operation", "bytes_per_operation"}}},
    {"large: writing " LARGE_NAME,
     "@/anax " LARGE_HALO3D "1KiB -o " LARGE_FILE " --force --quiet",
     NULL,
     {{FIGURE_CPU_S, "s", NULL}, {FIGURE_PEAK_RSS, "bytes", NULL}}},
    {"large: replay of " LARGE_NAME ", block", LARGE_REPLAY, NULL, LARGE_FIGURES},
    {"large: writing " LARGE_NAME " of 8 KiB",
     "@/anax " LARGE_HALO3D "8KiB -o " LARGE_FILE " --force --quiet",
     NULL,
     {{FIGURE_CPU_S, "s", NULL}, {FIGURE_PEAK_RSS, "bytes", NULL}}},
    {"large: replay of " LARGE_NAME " of 8 KiB, block", LARGE_REPLAY, NULL, LARGE_FIGURES},
    {0},
};
