/*
 * The settings about hosts, and how long a computation takes under them: times the factor of its
 * host, and with random noise or with the detours of periodic or recorded noise (docs/model.md,
 * 9.12).
 */
#include "replay/hosts/hosts.h"

#include "core/base/wide.h"
#include "core/memory/memory.h"
#include "core/simulation/random.h"
#include "replay/hosts/host_cost.h"
#include "replay/hosts/noise_variates.h"

#include <stdlib.h>

#define TIME_LIMIT INT64_C(1000000000000000) /* 1000 s */

SETTING_CHOICES(noise_names, "none", "gaussian", "exponential", "periodic", "recorded")

static const char *const *noise_owners(void) {
    static const char *const names[] = {"rank", "node", NULL};
    return names;
}

#define MEMBER(name) offsetof(struct hosts_config, name)

const struct setting_row hosts_setting_rows[] = {
    {.name = "replay.compute_factors",
     .kind = SETTING_PATH,
     .offset = MEMBER(factors_path),
     .initial = "",
     .help = "file of factors on the computation of ranks and nodes: lines like rank 3 1.2, node "
             "8-15 0.9"},
    {.name = "noise.kind",
     .kind = SETTING_CHOICE,
     .offset = MEMBER(noise),
     .initial = "none",
     .choices = noise_names,
     .help = "noise of the hosts; gaussian and exponential: computations take longer or shorter; "
             "periodic and recorded: the CPU does something else at times"},
    {.name = "noise.of",
     .kind = SETTING_CHOICE,
     .offset = MEMBER(noise_of),
     .initial = "rank",
     .choices = noise_owners,
     .help = "owner of noise of its own: each rank, or each node with all its ranks"},
    {.name = "noise.share",
     .kind = SETTING_RATIO,
     .offset = MEMBER(share_millionths),
     .maximum = 10000000,
     .initial = "1%",
     .help = "share of a computation that is the standard deviation (gaussian) or the mean delay "
             "(exponential)"},
    {.name = "noise.period",
     .kind = SETTING_TIME,
     .offset = MEMBER(period_ps),
     .minimum = 1,
     .maximum = TIME_LIMIT,
     .initial = "10ms",
     .help =
         "time between the beginnings of two interruptions of the CPU, with noise.kind periodic"},
    {.name = "noise.duration",
     .kind = SETTING_TIME,
     .offset = MEMBER(duration_ps),
     .minimum = 1,
     .maximum = TIME_LIMIT,
     .initial = "25us",
     .help = "length of an interruption of the CPU, with noise.kind periodic"},
    {.name = "noise.file",
     .kind = SETTING_PATH,
     .offset = MEMBER(detours_path),
     .initial = "",
     .help = "file of interruptions for noise.kind recorded: a time and a duration per line, in "
             "their order"},
};
const size_t hosts_setting_count = sizeof hosts_setting_rows / sizeof *hosts_setting_rows;

static status_code check_hosts(const struct hosts_config *config, struct status *status) {
    bool recorded = config->noise == HOSTS_NOISE_RECORDED,
         has_file = config->detours_path[0] != '\0';
    RETURN_ERROR_IF(
        recorded && !has_file, status, STATUS_USAGE,
        "noise.kind is recorded, but noise.file names no file; set it to a file of detours");
    RETURN_ERROR_IF(has_file && !recorded, status, STATUS_USAGE,
                    "noise.file is set, but noise.kind is %s; set it to recorded",
                    noise_names()[config->noise]);
    RETURN_ERROR_IF(
        config->noise == HOSTS_NOISE_PERIODIC && config->duration_ps >= config->period_ps, status,
        STATUS_USAGE,
        "noise.duration is not below noise.period, so no time is left to compute; lower it");
    return STATUS_OK;
}

static status_code lay_out(struct replay_hosts *hosts, struct status *status) {
    int64_t away_ps = 0;
    for (size_t i = 0; i < hosts->detour_count; i++) {
        hosts->detours[i].before_ps = hosts->detours[i].start_ps - away_ps;
        away_ps += hosts->detours[i].duration_ps;
    }
    hosts->cpu_ps = hosts->period_ps - away_ps;
    RETURN_ERROR_IF(
        hosts->detour_count > 0 && hosts->cpu_ps <= 0, status, STATUS_USAGE,
        "noise.file: its detours leave no time to compute; give a file with shorter or fewer ones");
    return STATUS_OK;
}

status_code hosts_new(struct replay_hosts **made, const struct hosts_config *config,
                      struct hosts_detour *detours, size_t detour_count, int64_t period_ps,
                      struct status *status) {
    struct replay_hosts *hosts = memory_new(1, sizeof *hosts);
    if (hosts != NULL && config->noise == HOSTS_NOISE_PERIODIC) {
        detours = memory_new(1, sizeof *detours);
        detour_count = detours != NULL;
        if (detours != NULL) detours->duration_ps = config->duration_ps;
        period_ps = config->period_ps;
    }
    if (hosts == NULL || (config->noise == HOSTS_NOISE_PERIODIC && detours == NULL)) {
        free(detours);
        free(hosts);
        return status_set(status, STATUS_MEMORY, "out of memory for noise");
    }
    *hosts = (struct replay_hosts){.noise = config->noise,
                                   .noise_is_per_node = config->noise_of == HOSTS_NOISE_OF_NODES,
                                   .share_millionths = config->share_millionths,
                                   .detours = detours,
                                   .detour_count = detour_count,
                                   .period_ps = period_ps};
    status_code code = check_hosts(config, status);
    if (code == STATUS_OK) code = lay_out(hosts, status);
    if (code != STATUS_OK) {
        hosts_free(hosts);
        return code;
    }
    *made = hosts;
    return STATUS_OK;
}

void hosts_free(struct replay_hosts *hosts) {
    if (hosts == NULL) return;
    free(hosts->detours);
    free(hosts->factor_millionths);
    free(hosts);
}

static int64_t clipped(signed_wide value) {
    if (value < 0) return 0;
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

/* Returns d (1 + share · variate), rounded down, within 0 … INT64_MAX. Intermediate products are at
 * most 2^63 · 10^7 · 2^38. */
static int64_t scattered(const struct replay_hosts *hosts, int64_t needed_ps, int64_t variate) {
    signed_wide more = (signed_wide)needed_ps * ((signed_wide)hosts->share_millionths * variate);
    signed_wide unit = (signed_wide)1000000 * NOISE_VARIATE_ONE;
    signed_wide rounded = more / unit - (more % unit < 0);
    return clipped(needed_ps + rounded);
}

/* Returns the number of detours of the period with start_ps <= value, or, if of_cpu_time, with
 * before_ps < value. */
static size_t detours_until(const struct replay_hosts *hosts, int64_t value, bool of_cpu_time) {
    size_t low = 0, high = hosts->detour_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct hosts_detour *detour = &hosts->detours[middle];
        bool earlier = of_cpu_time ? detour->before_ps < value : detour->start_ps <= value;
        if (earlier)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the CPU time in a period from its start to at_ps. */
static int64_t cpu_until(const struct replay_hosts *hosts, int64_t at_ps) {
    size_t begun = detours_until(hosts, at_ps, false);
    if (begun == 0) return at_ps;
    const struct hosts_detour *last = &hosts->detours[begun - 1];
    int64_t since_ps = at_ps - last->start_ps - last->duration_ps;
    return last->before_ps + (since_ps > 0 ? since_ps : 0);
}

/* Returns the first time in a period at which cpu_ps of CPU time (1 … hosts->cpu_ps) have passed.
 */
static int64_t time_of_cpu(const struct replay_hosts *hosts, int64_t cpu_ps) {
    size_t begun = detours_until(hosts, cpu_ps, true);
    if (begun == 0) return cpu_ps;
    const struct hosts_detour *last = &hosts->detours[begun - 1];
    return last->start_ps + last->duration_ps + cpu_ps - last->before_ps;
}

/* Returns the time from the start of a computation until it has had needed_ps > 0 of CPU time. A
 * period begins phase_ps before time 0; phase_ps is random for each entity. */
static int64_t interrupted(const struct replay_hosts *hosts, const struct hosts_work *work,
                           int64_t needed_ps, uint32_t entity) {
    struct random_block draw = random_draw(work->seed, RANDOM_NOISE, entity, UINT64_MAX);
    uint64_t bits = (uint64_t)draw.word[0] << 32 | draw.word[1];

    int64_t phase_ps = (int64_t)((wide)bits * (uint64_t)hosts->period_ps >> 64);
    int64_t at_ps = (int64_t)(((signed_wide)work->start_ps + phase_ps) % hosts->period_ps);
    signed_wide target = (signed_wide)cpu_until(hosts, at_ps) + needed_ps;
    signed_wide periods = (target - 1) / hosts->cpu_ps;
    int64_t rest_ps = (int64_t)(target - periods * hosts->cpu_ps);
    return clipped(periods * hosts->period_ps + time_of_cpu(hosts, rest_ps) - at_ps);
}

int64_t hosts_duration_ps(const struct replay_hosts *hosts, const struct hosts_work *work) {
    int64_t needed_ps = work->needed_ps;
    if (hosts->factor_millionths != NULL)
        needed_ps = host_scaled((uint64_t)needed_ps, hosts->factor_millionths[work->rank], 1000000);
    if (needed_ps == 0) return 0;
    uint32_t entity = hosts->noise_is_per_node ? work->node : work->rank;
    struct noise_variate_stream stream = noise_variate_begin(work->seed, entity, work->computation);
    switch ((hosts_noise)hosts->noise) {
    case HOSTS_NOISE_GAUSSIAN:
        return scattered(hosts, needed_ps, noise_variate_normal(&stream));
    case HOSTS_NOISE_EXPONENTIAL:
        return scattered(hosts, needed_ps, noise_variate_exponential(&stream));
    case HOSTS_NOISE_PERIODIC:
    case HOSTS_NOISE_RECORDED:
        return hosts->detour_count == 0 ? needed_ps : interrupted(hosts, work, needed_ps, entity);
    case HOSTS_NOISE_NONE:
        break;
    }
    return needed_ps;
}
