/*
 * Background traffic: synthetic traffic among the nodes that a simulation leaves free. Messages are
 * generated as in `anax traffic` (arrivals.h), and their destinations are free nodes too.
 *
 * This file knows nodes and bytes. It must know neither ranks nor when the traffic ends: the caller
 * that forwards the network's timers decides that. Invariant: the state of a node is accessed only
 * in callbacks of its group.
 */
#ifndef ANAX_NETWORK_BACKGROUND_H
#define ANAX_NETWORK_BACKGROUND_H

#include "network/network.h"
#include "network/traffic/traffic.h"

/* Number of messages waiting in a node's NIC at which the node refuses more. Beyond saturation,
 * memory would otherwise grow for as long as the run lasts. */
#define BACKGROUND_WAITING 64

struct background;

struct background_totals {
    uint32_t nodes;
    uint64_t messages; /* messages handed to NICs, without those dropped at the end */
    wide bytes;        /* payload of these messages */
    uint64_t refused;  /* messages refused because too many waited */
};

/* Makes background traffic at a load in millionths of the injection bandwidth. used[node] is
 * true for nodes that take no part. `cookie` goes into the messages, `timer_data` is the data of
 * the timers. The caller frees the result with background_free. STATUS_USAGE: fewer than two free
 * nodes, an unknown pattern, a hotspot that is not free, or a load out of reach. STATUS_MEMORY. */
status_code background_new(struct background **made, const struct network_config *config,
                           const struct traffic_config *traffic, int64_t load_millionths,
                           const bool *used, uint64_t seed, uint64_t cookie, uint64_t timer_data,
                           struct status *status);

/* Frees what background_new has made; NULL is allowed. */
void background_free(struct background *background);

/* Sets the first timer of every free node. The sink of the network calls background_handle_timer
 * for these timers. */
void background_start(void *context, struct network *network);
/* Sends the messages of a free node whose timer has come, and sets its next timer. */
void background_handle_timer(void *context, struct rail_group *rail_group, int64_t now_ps,
                             uint32_t node, uint64_t data);
/* Replaces background_handle_timer once no more traffic is wanted: drops the messages that the
 * nodes of the group have not begun to send. */
void background_abandon(void *context, struct rail_group *rail_group, uint32_t node);
/* Saves or restores what is kept of the nodes of a group. */
void background_save_or_restore(void *context, struct saved_state *state, uint32_t group);
/* Adds up the totals of all nodes. */
void background_totals_of(const struct background *background, struct background_totals *totals);
/* Adds the totals of another process to `totals`, both struct background_totals. */
void background_add(void *totals, const void *more);

#endif
