/*
 * LogGP's host costs: CPU time of a message at its two ends, in integers.
 *
 * Invariant: a cost is at most HOST_TIME_LIMIT_PS, and so is a clock before a cost is added, so
 * their sum does not wrap.
 */
#ifndef ANAX_REPLAY_HOST_COST_H
#define ANAX_REPLAY_HOST_COST_H

#include "core/base/wide.h"
#include "replay/replay.h"

#include <stdint.h>

/* The largest time of a rank's clock: 26 days. */
#define HOST_TIME_LIMIT_PS (INT64_MAX / 4)

/* Returns amount · rate / unit, rounded down, without overflow in between; INT64_MAX if the result
 * is larger. amount, rate >= 0; unit > 0. */
static inline int64_t host_scaled(uint64_t amount, int64_t rate, int64_t unit) {
    wide result = (wide)amount * (uint64_t)rate / (uint64_t)unit;
    return result > INT64_MAX ? INT64_MAX : (int64_t)result;
}

/* Returns each_ps plus the cost of size_bytes at a rate per 1024 bytes, at most HOST_TIME_LIMIT_PS.
 */
static inline int64_t host_cost_ps(uint64_t size_bytes, int64_t each_ps, int64_t per_kib_ps) {
    if (per_kib_ps == 0) return each_ps;
    int64_t cost_ps = host_scaled(size_bytes, per_kib_ps, 1024);
    return cost_ps < HOST_TIME_LIMIT_PS - each_ps ? each_ps + cost_ps : HOST_TIME_LIMIT_PS;
}

/* Returns the sum of two costs, at most HOST_TIME_LIMIT_PS. */
static inline int64_t host_sum_ps(int64_t some_ps, int64_t more_ps) {
    return some_ps < HOST_TIME_LIMIT_PS - more_ps ? some_ps + more_ps : HOST_TIME_LIMIT_PS;
}

/* Returns whether messages within a node have host costs of their own. */
static inline bool host_has_memory_costs(const struct replay_config *config) {
    const struct by_size *overhead_ps = &config->memory_send_overhead_ps;
    return overhead_ps->count > 0 && overhead_ps->steps[0].value != REPLAY_MEMORY_AS_NETWORK;
}

/* How a message travels to its receiver, which decides its host costs. */
typedef enum replay_message_path {
    REPLAY_MESSAGE_COPIED,     /* eager, copied through buffers of the library at both ends */
    REPLAY_MESSAGE_DIRECT,     /* eager without copies: a large ready send, or data moved by the NIC
                                  alone */
    REPLAY_MESSAGE_RENDEZVOUS, /* sent after a request and its answer */
    REPLAY_MESSAGE_MEMORY      /* within a node whose messages have host costs of their own; for
                                  costs only, whatever the protocol */
} replay_message_path;

/* Returns the host time of a message, in ps: each_ps and per_kib_ps always; copy_per_kib_ps if it
 * is copied; rendezvous_ps if it is a rendezvous. At most HOST_TIME_LIMIT_PS. */
static inline int64_t host_message_cost_ps(replay_message_path path, uint64_t size_bytes,
                                           const struct by_size *each_ps,
                                           const struct by_size *per_kib_ps,
                                           const struct by_size *copy_per_kib_ps,
                                           const struct by_size *rendezvous_ps) {
    int64_t cost_ps = host_cost_ps(size_bytes, by_size_at(each_ps, size_bytes),
                                   by_size_at(per_kib_ps, size_bytes));
    if (path == REPLAY_MESSAGE_DIRECT) return cost_ps;
    int64_t more_ps = path == REPLAY_MESSAGE_COPIED
                          ? host_cost_ps(size_bytes, 0, by_size_at(copy_per_kib_ps, size_bytes))
                          : by_size_at(rendezvous_ps, size_bytes);
    return host_sum_ps(cost_ps, more_ps);
}

/* Returns s(n) of docs/model.md, 9.1: CPU time from the call until the NIC has the message. */
static inline int64_t host_message_send_cost_ps(const struct replay_config *config,
                                                replay_message_path path, uint64_t size_bytes) {
    if (path == REPLAY_MESSAGE_MEMORY)
        return by_size_at(&config->memory_send_overhead_ps, size_bytes);
    return host_message_cost_ps(
        path, size_bytes, &config->send_overhead_ps, &config->send_overhead_per_kib_ps,
        &config->eager_send_copy_per_kib_ps, &config->rendezvous_send_overhead_ps);
}

/* CPU time of a sender after the NIC has the message: h(n) of docs/model.md, 9.1. */
struct host_completion {
    int64_t each_ps;
    int64_t size_dependent_ps; /* what grows with the message's size */
};

/* Returns h(n). Its parts add up to at most HOST_TIME_LIMIT_PS. */
static inline struct host_completion
host_message_completion_cost(const struct replay_config *config, replay_message_path path,
                             uint64_t size_bytes) {
    if (path == REPLAY_MESSAGE_MEMORY) return (struct host_completion){0, 0};
    int64_t each_ps = by_size_at(&config->send_completion_ps, size_bytes);
    int64_t per_kib_ps = by_size_at(&config->send_completion_per_kib_ps, size_bytes);
    return (struct host_completion){each_ps,
                                    host_cost_ps(size_bytes, each_ps, per_kib_ps) - each_ps};
}

/* Returns h(n) as a whole, in ps. */
static inline int64_t host_message_completion_cost_ps(const struct replay_config *config,
                                                      replay_message_path path,
                                                      uint64_t size_bytes) {
    struct host_completion cost = host_message_completion_cost(config, path, size_bytes);
    return cost.each_ps + cost.size_dependent_ps;
}

/* Returns r(n) of docs/model.md, 9.1: CPU time for taking in a message that has arrived. */
static inline int64_t host_message_receive_cost_ps(const struct replay_config *config,
                                                   replay_message_path path, uint64_t size_bytes) {
    if (path == REPLAY_MESSAGE_MEMORY)
        return by_size_at(&config->memory_receive_overhead_ps, size_bytes);
    return host_message_cost_ps(
        path, size_bytes, &config->receive_overhead_ps, &config->receive_overhead_per_kib_ps,
        &config->eager_receive_copy_per_kib_ps, &config->rendezvous_receive_overhead_ps);
}

#endif
