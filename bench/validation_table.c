/*
 * Published measurements, one row each, and the commands that predict them. Facts are from the
 * sources named; what is derived says so.
 */
#include "bench/validation.h"

#define XC   "[XC]"
#define SC19 "[SC19]"
#define SC20 "[SC20]"
#define SC24 "[SC24]"

#define ARIES     "Cray XC (Aries)"
#define SLINGSHOT "Slingshot with 100 Gbit/s NICs"

#define PING_PONG "ping-pong --ranks 2 --iterations 10 --size @ --compute 0"
#define STREAM    "stream --ranks 2 --iterations 10 --window 64 --size @ --compute 0"
#define BOTH_WAYS "both-ways --ranks 2 --iterations 10 --window 64 --size @ --compute 0"
/* Two nodes that are so many nodes apart. */
#define APART(machine, nodes)                                                                      \
    "--machine " machine " --placement strided --set placement.stride=" nodes

/* Bandwidths: 10 % to 15 % off are within what two readings of a plot and two systems differ; sizes
 * around the switch of protocols have 20 %. */
#define MIDDLE 0.2

const struct validation_row validation_rows[] = {
    {.name = "aries-latency",
     .section = ARIES,
     .what = "MPI latency, neighbouring routers",
     .source = XC ", Figure 11",
     .origin = FROM_PLOT,
     .programs = {PING_PONG},
     .replay = APART("cray-xc", "4"),
     .rule = HALF_ROUND_TRIP,
     .unit = "us",
     .units = 1e6,
     .kind = WITHIN,
     .bound = 0.1,
     .points = {{"8B", 1.22, 0},
                {"64B", 1.25, 0},
                {"256B", 1.27, 0},
                {"512B", 1.31, 0},
                {"1KiB", 1.55, 0}},
     .picture = "latency.svg"},
    {.name = "aries-hop",
     .section = ARIES,
     .what = "one more hop, quiet network",
     .source = XC,
     .origin = FROM_TEXT,
     .programs = {PING_PONG},
     .replay = APART("cray-xc", "4"),
     .nearer = APART("cray-xc", "1"),
     .rule = STEP_OF_DISTANCE,
     .unit = "ns",
     .units = 1e9,
     .kind = WITHIN,
     .bound = 0.1,
     .points = {{"8B", 100, 0}}},
    {.name = "aries-ping-pong",
     .section = ARIES,
     .what = "bandwidth of a ping-pong",
     .source = XC ", Figure 14",
     .origin = FROM_PLOT,
     .programs = {PING_PONG},
     .replay = APART("cray-xc", "4"),
     .rule = PING_PONG_RATE,
     .unit = "GB/s",
     .units = 1e-9,
     .kind = WITHIN,
     .bound = 0.15,
     .points = {{"1KiB", 0.63, 0},
                {"2KiB", 1.05, 0},
                {"4KiB", 1.55, MIDDLE},
                {"8KiB", 1.8, MIDDLE},
                {"16KiB", 3.05, MIDDLE},
                {"32KiB", 4.6, MIDDLE},
                {"64KiB", 6.2, 0},
                {"128KiB", 7.5, 0},
                {"256KiB", 8.3, 0},
                {"512KiB", 8.8, 0},
                {"1MiB", 9.1, 0}},
     .picture = "bandwidth.svg"},
    {.name = "aries-stream",
     .section = ARIES,
     .what = "bandwidth one way, windows of messages",
     .source = XC ", Figure 14",
     .origin = FROM_PLOT,
     .programs = {STREAM},
     .replay = APART("cray-xc", "4"),
     .rule = WINDOW_RATE,
     .unit = "GB/s",
     .units = 1e-9,
     .kind = WITHIN,
     .bound = 0.15,
     .points = {{"1KiB", 1.2, 0},
                {"2KiB", 1.85, 0},
                {"4KiB", 2.5, MIDDLE},
                {"8KiB", 6.15, MIDDLE},
                {"16KiB", 8.75, MIDDLE},
                {"32KiB", 9.3, MIDDLE},
                {"64KiB", 9.6, 0},
                {"128KiB", 9.75, 0},
                {"256KiB", 9.8, 0},
                {"512KiB", 9.9, 0},
                {"1MiB", 9.9, 0}},
     .picture = "bandwidth.svg"},
    {.name = "aries-message-time",
     .section = ARIES,
     .what = "time per message of osu_bw, Cray MPICH (the machine file has its figure from here)",
     .source = "Open MPI issue 1005",
     .origin = FROM_TEXT,
     .programs = {STREAM},
     .replay = APART("cray-xc", "4"),
     .rule = MESSAGE_TIME,
     .unit = "ns",
     .units = 1e9,
     .kind = WITHIN,
     .bound = 0.15,
     .points = {{"1B", 565, 0}, {"8B", 565, 0}, {"64B", 580, 0}}},
    {.name = "aries-both-ways",
     .section = ARIES,
     .what = "bandwidth of both directions together",
     .source = XC,
     .origin = FROM_TEXT,
     .programs = {BOTH_WAYS},
     .replay = APART("cray-xc", "4"),
     .rule = WINDOW_RATE,
     .unit = "GB/s",
     .units = 1e-9,
     .kind = WITHIN,
     .bound = 0.15,
     .points = {{"1MiB", 15, 0}}},
    {.name = NULL},
};

const struct picture validation_pictures[] = {
    {"latency.svg", "Latency of MPI messages", "bytes", "us", 2},
    {"bandwidth.svg", "Bandwidth of MPI messages", "bytes", "GB/s", 2},
    {NULL, NULL, NULL, NULL, 0},
};

const struct section_text validation_sections[] = {
    {ARIES, ""},
    {NULL, NULL},
};
