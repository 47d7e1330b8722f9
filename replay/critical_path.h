/*
 * The critical path of a replay: the chain of computation, overheads and messages without gaps that
 * led to the end of its last rank, as sums by part and as steps, and what the sums say about
 * changes of settings.
 */
#ifndef ANAX_REPLAY_CRITICAL_PATH_H
#define ANAX_REPLAY_CRITICAL_PATH_H

#include "core/base/status.h"
#include "network/network.h"

#include <stdbool.h>
#include <stdint.h>

/* A part of the path. Parts of 0 ps are left out. */
struct replay_path_part {
    const char *kind; /* "computation", "overhead", "latency", ... */
    const char *name; /* region, MPI function or channel kind; NULL: there is only one */
    int64_t time_ps;
};

#define REPLAY_PATH_UNCOUNTED INT64_MIN

/* How the path's time follows a setting, as long as the path stays the same. */
struct replay_path_setting {
    const char *setting;
    int64_t count;     /* ps of the path per ps of the setting; or REPLAY_PATH_UNCOUNTED */
    int64_t effect_ps; /* time proportional to the setting, or to its inverse (`is_inverse`) */
    bool is_inverse;
    /* The range in which the path certainly stays the same: the setting may grow by up to
     * holds_up_millionths of its value, or shrink by up to holds_down_millionths of it.
     * REPLAY_PATH_UNLIMITED: there is no limit; 0: nothing is known. */
    int64_t holds_up_millionths, holds_down_millionths;
};
#define REPLAY_PATH_UNLIMITED INT64_MAX

/* A step of the path: what it consists of between two times. */
struct replay_path_step {
    uint32_t rank;    /* that computes or works, or waits for the message */
    const char *name; /* the user region of a computation, otherwise the MPI call; NULL: none */
    int64_t from_ps;
    int64_t to_ps;
    const char *cause; /* "computation", "send", "receive", "message", ... */
    /* Of a message that is on its way between these times: */
    bool is_message;
    uint32_t from_rank;
    uint64_t size_bytes;
    int64_t queueing_ps; /* the part of the time that it waited for other messages */
    struct network_route route;
};

/* A channel that messages of the path waited for, or a NIC in which they waited. */
struct replay_path_channel {
    const char *kind;     /* "nic", "ejection", "local" or "global" */
    uint32_t source;      /* router; of a NIC its node */
    uint32_t destination; /* router; of ejection its node; of a NIC the node */
    int64_t time_ps;      /* lower bound of the time that they waited */
};

struct replay_critical_path {
    uint32_t first_rank; /* the path is that of the last of these ranks to end */
    uint32_t rank_count;
    uint32_t rank;   /* the last one; of several the first */
    int64_t time_ps; /* sum of the parts: when the rank ends */
    /* Lower bound of how much longer the path is than any other chain of causes that leads to the
     * same end. REPLAY_PATH_UNLIMITED: there is no other chain; 0: nothing is known. */
    int64_t margin_ps;
    uint64_t messages;              /* on the path */
    struct replay_path_step *steps; /* the latest ones, in order; the last one ends at time_ps */
    uint64_t step_count;
    struct replay_path_part *parts;
    uint32_t part_count;
    struct replay_path_setting *settings;
    uint32_t setting_count;
    struct replay_path_channel *channels; /* the longest waits, the longest first */
    uint32_t channel_count;
};

struct replay_engine;
/* Fills in *path, for rank_count ranks from first_rank on, from an engine that has finished and has
 * kept causes. The caller frees it with critical_path_clear. STATUS_MEMORY; STATUS_RUN if the parts
 * do not add up. */
status_code critical_path_build(struct replay_critical_path *path,
                                const struct replay_engine *engine, uint32_t first_rank,
                                uint32_t rank_count, struct status *status);

/* Frees what critical_path_build has made. */
void critical_path_clear(struct replay_critical_path *path);

#endif
