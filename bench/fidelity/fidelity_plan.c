/*
 * What is run: one command per row. One cycle of the papers' machines is 1 ns, one flit 32 bytes.
 *
 * Kim's machine: kim-1k-paper is BookSim's router, whose allocators limit uniform traffic to 0.71.
 * The paper has "sufficient speedup … to ensure that routers do not become the bottleneck": here a
 * crossbar without limit in front of output queues, and a router of a single cycle.
 *
 * Times are as short as noise and filling buffers permit: the deepest buffers on the ways to a
 * minimal link hold some 2000 flits, and 2.2 flits a cycle pile up there at 0.1 of worst-case
 * traffic.
 */
#include "bench/fidelity/fidelity.h"

#define KIM_ROUTER                                                                                 \
    " --set network.router.speedup=1 --set network.router.crossbar=ideal --set "                   \
    "network.router.allocation_latency=0 --set network.router.output_buffer=1KiB"
#define BUFFERS(b)                                                                                 \
    " --set network.terminal.buffer=" b " --set network.local.buffer=" b                           \
    " --set network.global.buffer=" b
#define TIMES(warmup, measure, drain)                                                              \
    " --set traffic.warmup=" warmup " --set traffic.measure=" measure " --set "                    \
    "traffic.drain=" drain
#define KIM(pattern, buffer, times)                                                                \
    "--machine kim-1k-paper --pattern " pattern KIM_ROUTER BUFFERS(buffer) times
#define KIM_QUICK                                                                                  \
    " --set network.groups=9 --set network.routers_per_group=4 --set network.nodes_per_router=2 "  \
    "--set network.globals_per_router=2" TIMES("1us", "1us", "500ns")
#define SHORT TIMES("4us", "2us", "1us")
#define DEEP  TIMES("10us", "2us", "1us")
#define LONG  TIMES("20us", "3us", "2us")

#define UNIFORM_AT(flits, bytes, routing, times, loads)                                            \
    {                                                                                              \
        "uniform-" flits "-" routing, CURVE, routing, KIM("uniform", bytes, times), loads,         \
            KIM_QUICK, "0.1,0.8,0.9"                                                               \
    }
#define UNIFORM(routing)                                                                           \
    UNIFORM_AT("16", "512B", routing, SHORT, "0.1:0.5:0.2,0.6:0.8:0.1,0.85:0.95:0.05")
#define UNIFORM_DEEP(routing) UNIFORM_AT("256", "8KiB", routing, DEEP, "0.1,0.5,0.7,0.8")
#define WORST(flits, bytes, routing, times, loads)                                                 \
    {                                                                                              \
        "worst-" flits "-" routing, CURVE, routing, KIM("worst-case", bytes, times), loads,        \
            KIM_QUICK, "0.1,0.2,0.3"                                                               \
    }
#define WORST_LOADS "0.05:0.5:0.05"
/* What section 4.3.2 calls a queue: it shows nothing until the next buffer is full. */
#define WORST_OUTPUT(flits, bytes, times)                                                          \
    {                                                                                              \
        "worst-" flits "-ugal-l-output", CURVE, "ugal-l",                                          \
            KIM("worst-case", bytes, times) " --set network.ugal.queue=output", "0.05:0.35:0.05",  \
            KIM_QUICK, "0.1,0.2,0.3"                                                               \
    }
#define AT(name, flits, bytes, routing, times, load)                                               \
    {                                                                                              \
        name "-" flits "-" routing, POINT, routing, KIM("worst-case", bytes, times), load,         \
            KIM_QUICK, load                                                                        \
    }

#define GARCIA(more) "--machine garcia-5k-paper --pattern adv+2" more
#define GARCIA_QUICK                                                                               \
    " --set network.groups=9 --set network.routers_per_group=4 --set network.nodes_per_router=2 "  \
    "--set network.globals_per_router=2" TIMES("2us", "2us", "1us")
#define GARCIA_TIMES TIMES("8us", "2us", "1us")
#define FIGURE_6     TIMES("15us", "5us", "1us")
#define ADV2(name, routing, misrouting)                                                            \
    {                                                                                              \
        "adv2-" name, CURVE, routing, GARCIA(" --misrouting " misrouting GARCIA_TIMES),            \
            "0.05,0.1:0.5:0.1,0.7", GARCIA_QUICK, "0.1,0.2,0.4"                                    \
    }
#define INJECTED(name, misrouting, more)                                                           \
    {                                                                                              \
        "injected-" name, POINT, "ofar", GARCIA(" --misrouting " misrouting more FIGURE_6), "0.2", \
            GARCIA_QUICK, "0.2"                                                                    \
    }

#define BOOKSIM(name, pattern, loads, times)                                                       \
    {                                                                                              \
        name, CURVE, "minimal", "--machine kim-1k-paper --pattern " pattern times, loads,          \
            KIM_QUICK, "0.05"                                                                      \
    }
#define FOGSIM(name, routing, pattern, misrouting, loads)                                          \
    {                                                                                              \
        name, CURVE, routing,                                                                      \
            "--machine garcia-342-paper --pattern " pattern misrouting TIMES("4us", "4us", "1us"), \
            loads, "", "0.1"                                                                       \
    }

#define LONG_LINKS                                                                                 \
    " --set network.local.latency=10ns --set network.global.latency=100ns" BUFFERS("8KiB")
#define BOOKSIM_UGAL(name, pattern, more, loads)                                                   \
    {                                                                                              \
        name, CURVE, "ugal-l",                                                                     \
            "--machine kim-1k-booksim --pattern " pattern more TIMES("4us", "2us", "1us"), loads,  \
            KIM_QUICK, "0.05"                                                                      \
    }
#define H4                                                                                         \
    " --set network.nodes_per_router=4 --set network.routers_per_group=8 --set "                   \
    "network.globals_per_router=4 --set network.groups=33"
#define FOGSIM_POINTS(name, machine, routing, pattern, more, loads)                                \
    {                                                                                              \
        name, CURVE, routing,                                                                      \
            "--machine " machine " --pattern " pattern more TIMES("4us", "4us", "1us"), loads,     \
            GARCIA_QUICK, "0.1"                                                                    \
    }
#define FOGSIM_RULES(name, routing, pattern, more, loads)                                          \
    FOGSIM_POINTS(name, "garcia-342-fogsim", routing, pattern, more, loads)

/* FOGSim's rules for piggyback, one after the other: fidelity_steps.c names them. */
#define STEP_1 " --set network.nic.vc_choice=destination"
#define STEP_2 STEP_1 " --set network.third_group=not-own"
#define STEP_3 STEP_2 " --set network.ugal.waiting=off"
#define STEP_4 STEP_3 " --set network.minimal_vcs=first"
#define STEP_5 STEP_4 " --set network.ugal.measure=vc"
#define STEP_6 STEP_5 " --set network.ugal.weights=absolute-local-hops"
#define STEP(h, number, machine, more)                                                             \
    FOGSIM_POINTS("step-" h "-" number, machine, "piggyback", "adv+2", more, "0.4")
#define STEPS(h, machine, shape)                                                                   \
    STEP(h, "0", machine, shape), STEP(h, "1", machine, shape STEP_1),                             \
        STEP(h, "2", machine, shape STEP_2), STEP(h, "3", machine, shape STEP_3),                  \
        STEP(h, "4", machine, shape STEP_4), STEP(h, "5", machine, shape STEP_5),                  \
        STEP(h, "6", machine, shape STEP_6)

/* Kim's Figure 8(b) by who may be the third group, and by the weights. */
#define THIRD(name, more)                                                                          \
    {                                                                                              \
        "worst-16-ugal-l-" name, CURVE, "ugal-l", KIM("worst-case", "512B", SHORT) more,           \
            "0.05:0.4:0.05", KIM_QUICK, "0.1,0.2,0.3"                                              \
    }

const struct experiment experiments[] = {
    /* Kim, Figures 8, 10 and 16: uniform traffic, 16 flits */
    UNIFORM("minimal"),
    UNIFORM("valiant"),
    UNIFORM("ugal-l"),
    UNIFORM("ugal-g"),
    UNIFORM("ugal-l-vc"),
    UNIFORM("ugal-l-vch"),
    UNIFORM("ugal-l-cr"),
    /* … worst-case traffic */
    WORST("16", "512B", "minimal", LONG, "0.01:0.04:0.01,0.1"),
    WORST("16", "512B", "valiant", SHORT, WORST_LOADS),
    WORST("16", "512B", "ugal-l", SHORT, WORST_LOADS),
    WORST("16", "512B", "ugal-g", SHORT, WORST_LOADS),
    WORST("16", "512B", "ugal-l-vc", SHORT, WORST_LOADS),
    WORST("16", "512B", "ugal-l-vch", SHORT, WORST_LOADS),
    WORST("16", "512B", "ugal-l-cr", SHORT, WORST_LOADS),
    THIRD("any", " --set network.third_group=any"),
    THIRD("ratio", " --set network.ugal.weights=ratio"),
    THIRD("any-ratio", " --set network.third_group=any --set network.ugal.weights=ratio"),
    /* … 256 flits */
    UNIFORM_DEEP("ugal-g"),
    UNIFORM_DEEP("ugal-l-vch"),
    UNIFORM_DEEP("ugal-l-cr"),
    WORST("256", "8KiB", "ugal-l", DEEP, WORST_LOADS),
    WORST("256", "8KiB", "ugal-g", DEEP, WORST_LOADS),
    WORST("256", "8KiB", "ugal-l-cr", DEEP, WORST_LOADS),
    /* Kim, Figures 11 and 14: ugal-l by depth */
    WORST_OUTPUT("4", "128B", SHORT),
    WORST_OUTPUT("8", "256B", SHORT),
    WORST_OUTPUT("16", "512B", SHORT),
    WORST_OUTPUT("32", "1KiB", SHORT),
    WORST_OUTPUT("64", "2KiB", DEEP),
    WORST_OUTPUT("256", "8KiB", DEEP),
    /* Kim, Figures 9 and 12 */
    AT("channels", "16", "512B", "ugal-l", SHORT, "0.2"),
    AT("channels", "16", "512B", "ugal-g", SHORT, "0.2"),
    AT("latencies", "16", "512B", "ugal-l", SHORT, "0.25"),
    AT("latencies", "256", "8KiB", "ugal-l", DEEP, "0.25"),
    /* Garcia, Figures 4, 5 and 6 */
    ADV2("valiant", "valiant", "rrg"),
    ADV2("piggyback", "piggyback", "rrg"),
    ADV2("mm", "ofar", "mm"),
    ADV2("mm+l", "ofar", "mm+l"),
    ADV2("crg", "ofar", "crg"),
    ADV2("crg+l", "ofar", "crg+l"),
    INJECTED("crg", "crg", ""),
    INJECTED("crg+l", "crg+l", ""),
    INJECTED("mm", "mm", ""),
    INJECTED("crg-no-priority", "crg", " --set network.router.transit_priority=off"),
    /* other simulators */
    BOOKSIM("booksim-uniform", "uniform", "0.05:0.75:0.1", SHORT),
    BOOKSIM("booksim-worst", "worst-case", "0.02:0.04:0.01,0.1", LONG),
    FOGSIM("fogsim-minimal-uniform", "minimal", "uniform", "", "0.1:0.9:0.2"),
    FOGSIM("fogsim-valiant-uniform", "valiant", "uniform", " --misrouting rrg", "0.3,0.5"),
    FOGSIM("fogsim-minimal-adv2", "minimal", "adv+2", "", "0.05,0.1"),
    FOGSIM("fogsim-valiant-adv2", "valiant", "adv+2", " --misrouting rrg", "0.1:0.5:0.1"),
    FOGSIM("fogsim-mm-adv2", "ofar", "adv+2",
           " --misrouting mm --set network.ofar.injection_room=3", "0.1:0.5:0.1"),
    FOGSIM("fogsim-mm+l-uniform", "ofar", "uniform",
           " --misrouting mm+l --set network.ofar.injection_room=3", "0.5:0.8:0.1"),
    FOGSIM_POINTS("fogsim-mm-adv2-h4", "garcia-342-paper", "ofar", "adv+2",
                  " --misrouting mm --set network.ofar.injection_room=3" H4, "0.25,0.28,0.3,0.4"),
    /* … by their own rules */
    BOOKSIM_UGAL("booksim-ugal-worst", "worst-case", "", "0.25,0.3,0.45"),
    BOOKSIM_UGAL("booksim-ugal-one-queue", "worst-case", " --set network.nic.vcs=1", "0.45"),
    BOOKSIM_UGAL("booksim-ugal-bias", "worst-case", " --set network.routing_bias=960B", "0.05"),
    BOOKSIM_UGAL("booksim-ugal-long-uniform", "uniform", LONG_LINKS, "0.2:0.6:0.2"),
    BOOKSIM_UGAL("booksim-ugal-long-worst", "worst-case", LONG_LINKS, "0.05,0.1,0.2"),
    FOGSIM_RULES("fogsim-rules-valiant-adv2", "valiant", "adv+2", "", "0.1:0.5:0.1"),
    FOGSIM_RULES("fogsim-rules-valiant-uniform", "valiant", "uniform", "", "0.3,0.5"),
    FOGSIM_RULES("fogsim-rules-ugal-adv2", "ugal-l", "adv+2", "", "0.1:0.4:0.1"),
    FOGSIM_RULES("fogsim-rules-ugal-uniform", "ugal-l", "uniform", "", "0.5,0.8"),
    FOGSIM_RULES("fogsim-rules-ugal-adv2-h4", "ugal-l", "adv+2", H4, "0.2:0.4:0.1"),
    FOGSIM_RULES("fogsim-rules-pb-adv2", "piggyback", "adv+2", "", "0.1:0.4:0.1"),
    FOGSIM_RULES("fogsim-rules-pb-uniform", "piggyback", "uniform", "", "0.2,0.5,0.8"),
    FOGSIM_RULES("fogsim-rules-pb-adv2-h4", "piggyback", "adv+2", H4, "0.1:0.4:0.1"),
    FOGSIM_POINTS("fogsim-rules-pb-adv2-h6", "garcia-5k-fogsim", "piggyback", "adv+2", "", "0.4"),
    STEPS("h3", "garcia-342-paper", ""),
    STEPS("h4", "garcia-342-paper", H4),
    STEPS("h6", "garcia-5k-paper", ""),
    {0},
};
