/*
 * What runs beside an application on its hosts, or makes them unequal: how long a computation of
 * the trace takes there. Factors on ranks, and noise.
 *
 * Must not know networks, files, or what is computed. Invariant: the answer is a function of the
 * arguments alone, in integers, so it does not depend on the order in which ranks are simulated.
 */
#ifndef ANAX_REPLAY_HOSTS_H
#define ANAX_REPLAY_HOSTS_H

#include "core/settings.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum hosts_noise {
    HOSTS_NOISE_NONE,
    HOSTS_NOISE_GAUSSIAN, /* each computation d takes d (1 + share · z), z standard normal, >= 0 */
    HOSTS_NOISE_EXPONENTIAL, /* d (1 + share · x), x exponential with mean 1 */
    HOSTS_NOISE_PERIODIC,    /* the CPU is away for duration_ps once in period_ps */
    HOSTS_NOISE_RECORDED     /* it is away as a file says, over and over */
} hosts_noise;

struct hosts_config {
    char factors_path[SETTING_PATH_BYTES]; /* "": all ranks and nodes alike */
    int32_t noise;                         /* hosts_noise */
    int32_t noise_of;                      /* 0: every rank has its own; 1: every node */
    int64_t share_millionths;
    int64_t period_ps;
    int64_t duration_ps;
    char detours_path[SETTING_PATH_BYTES];
};

extern const struct setting_row hosts_setting_rows[];
extern const size_t hosts_setting_count;

/* The CPU is away from start_ps on for duration_ps > 0. */
struct hosts_detour {
    int64_t start_ps;
    int64_t duration_ps;
    int64_t before_ps; /* CPU time of the period before it; set by hosts_new */
};

struct replay_hosts {
    int32_t noise; /* hosts_noise */
    bool noise_of_nodes;
    int64_t share_millionths;
    struct hosts_detour *detours; /* one after another, all within the period */
    size_t detour_count;
    int64_t period_ps;
    int64_t cpu_ps;             /* what is left of a period */
    int64_t *factor_millionths; /* per rank of all jobs; NULL: all 1; set after hosts_new */
};

/* Everything but factors. detours, period_ps: of a recording (see hosts_detour), else NULL and 0;
 * they are taken over, even after errors. STATUS_USAGE: settings that do not fit together, or
 * detours that leave no CPU time. */
status_code hosts_new(struct replay_hosts **hosts, const struct hosts_config *config,
                      struct hosts_detour *detours, size_t detour_count, int64_t period_ps,
                      struct status *status);
void hosts_free(struct replay_hosts *hosts);

/* Whether there is anything to ask hosts_compute for. */
static inline bool hosts_matter(const struct replay_hosts *hosts) {
    return hosts != NULL && (hosts->noise != HOSTS_NOISE_NONE || hosts->factor_millionths != NULL);
}

/* A rank's computation, for hosts_compute. */
struct hosts_work {
    uint64_t seed;
    uint32_t rank;     /* of all jobs */
    uint32_t node;     /* it runs on */
    uint64_t number;   /* tells the rank's computations apart */
    int64_t start_ps;  /* >= 0 */
    int64_t needed_ps; /* CPU time, >= 0 */
};

/* When it is over, from its start: 0 … INT64_MAX. */
int64_t hosts_compute(const struct replay_hosts *hosts, const struct hosts_work *work);

#endif
