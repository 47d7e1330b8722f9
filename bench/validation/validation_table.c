/*
 * Published measurements, one row each, and the commands that predict them. Facts are from the
 * sources named; what is derived says so.
 */
#include "bench/validation/validation.h"

#define XC      "[XC]"
#define SC19    "[SC19]"
#define SC20    "[SC20]"
#define SC24    "[SC24]"
#define CSCS    "[CSCS]"
#define EESSI   "[EESSI]"
#define SARUS   "[Sarus]"
#define EPCC    "[EPCC]"
#define LUST    "[LUST]"
#define ARCHER2 "[ARCHER2]"

#define PING_PONG "ping-pong --ranks 2 --iterations 10 --size @ --compute 0"
#define STREAM    "stream --ranks 2 --iterations 10 --window 64 --size @ --compute 0"
#define BOTH_WAYS "both-ways --ranks 2 --iterations 10 --window 64 --size @ --compute 0"
/* Four pairs of ranks, with four ranks on each of two nodes. */
#define FOUR_PAIRS                                                                                 \
    "ping-pong --ranks 8 --iterations 20 --size @ --compute 0 --set generate.barrier=on"
/* A collective on six nodes, as osu_alltoall and osu_allreduce measure it. */
#define COLLECTIVE(pattern)                                                                        \
    pattern " --ranks 6 --iterations 20 --size @ --compute 0 --set generate.barrier=on"
/* The same of so many ranks. */
#define COLLECTIVE_OF(pattern, ranks)                                                              \
    pattern " --ranks " ranks " --iterations 5 --size @ --compute 0 --set generate.barrier=on"
#define VICTIM(pattern)                                                                            \
    pattern " --ranks # --iterations % --size 8B --compute 0 --set generate.barrier=on"
#define INCAST "incast --ranks @ --iterations $ --size 128KiB --compute 0 --set generate.barrier=on"
/* Two nodes that are so many nodes apart. */
#define APART(machine, nodes)                                                                      \
    "--machine " machine " --placement strided --set placement.stride=" nodes

/* A node of the next group that needs a local hop there. */
#define MALBEC_OTHER_GROUP "144"

/* LUMI: a node on other switches of the group; a node of the next group. */
#define LUMI_SAME_GROUP  "16"
#define LUMI_OTHER_GROUP "144"

#define AT(size, published)                                                                        \
    { .at = (size), .figure = (published) }
#define WITHIN_10(size, published)                                                                 \
    { .at = (size), .figure = (published), .bound = 0.1 }
/* Sizes around the switch of protocols. */
#define MIDDLE(size, published)                                                                    \
    { .at = (size), .figure = (published), .bound = 0.2 }
/* So many nodes in the incast, and so many samples of the victim that they cover several of its
 * iterations. It is repeated so often that it outlasts the victim by half of what the victim takes.
 */
#define INCAST_OF(nodes, published, victim, times, taken)                                          \
    {                                                                                              \
        .at = (nodes), .figure = (published), .rest = (victim), .rounds = (times),                 \
        .samples = (taken)                                                                         \
    }

const struct validation_row validation_rows[] = {
#include "bench/validation/validation_aries.def"

#include "bench/validation/validation_slingshot.def"
    {.name = NULL},
};

const struct picture validation_pictures[] = {
    {"latency.svg", "Latency of MPI messages", "bytes", "us", 2, 0},
    {"bandwidth.svg", "Bandwidth of MPI messages", "bytes", "GB/s", 2, 0},
    {"incast.svg", "Slowdown by an incast", "nodes in the incast, of 512", "slowdown", 0, 10},
    {NULL, NULL, NULL, NULL, 0, 0},
};
