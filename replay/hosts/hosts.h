/*
 * Factors and noise: how long a computation of the trace takes on a host that is faster or slower
 * than others, or on which other processes take CPU time.
 *
 * Must not know networks, files, or the content of computations. Invariant: the duration is a
 * function of the arguments alone, in integers, so it does not depend on the order in which ranks
 * are simulated.
 */
#ifndef ANAX_REPLAY_HOSTS_H
#define ANAX_REPLAY_HOSTS_H

#include "core/base/status.h"
#include "core/settings/settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum hosts_noise {
    HOSTS_NOISE_NONE,
    HOSTS_NOISE_GAUSSIAN,    /* a computation d takes d (1 + share · z), at least 0; z is standard
                                normal */
    HOSTS_NOISE_EXPONENTIAL, /* a computation d takes d (1 + share · x); x is exponential with mean
                                1 */
    HOSTS_NOISE_PERIODIC,    /* the CPU is away for duration_ps once in period_ps */
    HOSTS_NOISE_RECORDED     /* the CPU is away at the times that a file lists, which repeat */
} hosts_noise;

typedef enum hosts_noise_of {
    HOSTS_NOISE_OF_RANKS, /* every rank has noise of its own */
    HOSTS_NOISE_OF_NODES  /* every node has */
} hosts_noise_of;

struct hosts_config {
    char factors_path[SETTING_PATH_BYTES]; /* file of factors; "": all ranks and nodes alike */
    int32_t noise;                         /* hosts_noise */
    int32_t noise_of;                      /* hosts_noise_of */
    int64_t share_millionths;              /* of Gaussian and exponential noise */
    int64_t period_ps;                     /* of periodic noise */
    int64_t duration_ps;                   /* of periodic noise, below the period */
    char detours_path[SETTING_PATH_BYTES]; /* file of recorded noise */
};

extern const struct setting_row hosts_setting_rows[];
extern const size_t hosts_setting_count;

/* A detour: a span in which the CPU is away. duration_ps > 0, from start_ps within the period. */
struct hosts_detour {
    int64_t start_ps;
    int64_t duration_ps;
    int64_t before_ps; /* CPU time in the period before this detour; set by hosts_new */
};

struct replay_hosts {
    int32_t noise; /* hosts_noise */
    bool noise_is_per_node;
    int64_t share_millionths;
    struct hosts_detour *detours; /* in order of time, without overlap, all within the period */
    size_t detour_count;
    int64_t period_ps;
    int64_t cpu_ps;             /* CPU time in one period, without detours */
    int64_t *factor_millionths; /* per rank of all jobs; NULL: all 1. The caller of hosts_new sets
                                   it, and hosts_free frees it */
};

/* Creates the noise; the caller adds the factors and frees *made with hosts_free. detours and
 * period_ps describe a recording (see hosts_detour), otherwise they are NULL and 0. The function
 * takes over `detours`, even after errors. STATUS_USAGE: settings that contradict each other, or
 * detours that leave no CPU time. STATUS_MEMORY. */
status_code hosts_new(struct replay_hosts **made, const struct hosts_config *config,
                      struct hosts_detour *detours, size_t detour_count, int64_t period_ps,
                      struct status *status);

/* Frees what hosts_new has made. */
void hosts_free(struct replay_hosts *hosts);

/* Returns whether factors or noise change any computation. */
static inline bool hosts_change_times(const struct replay_hosts *hosts) {
    return hosts != NULL && (hosts->noise != HOSTS_NOISE_NONE || hosts->factor_millionths != NULL);
}

/* One computation of a rank, the argument of hosts_duration_ps. */
struct hosts_work {
    uint64_t seed;
    uint32_t rank;        /* counted over all jobs */
    uint32_t node;        /* node of the rank */
    uint64_t computation; /* different for each computation of the rank */
    int64_t start_ps;     /* >= 0 */
    int64_t needed_ps;    /* CPU time, >= 0 */
};

/* Returns the duration of a computation from its start to its end, 0 … INT64_MAX ps. */
int64_t hosts_duration_ps(const struct replay_hosts *hosts, const struct hosts_work *work);

#endif
