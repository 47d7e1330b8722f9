/*
 * The interface of the simulated dragonfly: the user sends messages and is told of deliveries.
 *
 * This interface knows nodes and bytes; it must not know ranks, MPI or traces. A node may have
 * several NICs (node_shape.h); which of them a message uses is decided inside. A group has routers
 * in all rails, NICs, and the state that the user of the network keeps for its nodes. Each rail of
 * a group has a struct rail_group; the user sees that of the first rail, which stands for the
 * group. Several threads simulate different groups at the same time: a group is a domain of
 * core/simulation/windows.h. A function that takes a rail_group may be called only from inside a
 * callback for that group or before network_run, and it touches only that group. A network runs
 * once, so nothing is sent after network_run.
 *
 * Within a group, callbacks are called in the total order (time, kind, entity, data). Results do
 * not depend on the number of threads.
 */
#ifndef ANAX_NETWORK_NETWORK_H
#define ANAX_NETWORK_NETWORK_H

#include "core/base/status.h"
#include "core/base/wide.h"
#include "core/checkpoint/saved_state.h"
#include "core/processes/processes.h"
#include "network/network_config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct network;
struct rail_group;
struct checkpoint;

/* Data of the sender, which the network returns unchanged with the delivery. */
struct network_cookie {
    uint64_t word[3];
};

enum { NETWORK_NIC_ANY = 0 };

struct network_message {
    uint32_t source_node;      /* a node of the group in whose callback the message is sent */
    uint32_t destination_node; /* if it equals source_node: memory model, no network */
    uint64_t size_bytes;       /* payload; a message of 0 bytes is one packet without payload */
    bool notify_sent;          /* call sink.sent when the last byte has left the source NIC */
    uint8_t traffic_class;     /* below network.classes */
    /* Nodes with several NICs: 1 + the NIC that sender and receiver use; NETWORK_NIC_ANY: the NICs
     * take turns. Choices that do not go by process (network_nic_of_process) ignore them. */
    uint8_t source_nic;
    uint8_t destination_nic;
    struct network_cookie cookie;
};

struct network_delivery {
    uint32_t source_node;
    uint32_t destination_node;
    uint64_t size_bytes;
    int64_t ready_ps;     /* when the message was handed to the source NIC (network_send) */
    int64_t zero_load_ps; /* time on the minimal path in an idle network (closed form); 0 if the
                             sink is unordered and the message leaves its node */
    uint32_t routers;     /* routers passed by its last packet; 0 within a node */
    bool is_minimal;      /* whether all its packets took minimal paths */
    struct network_cookie cookie;
};

#define NETWORK_ROUTE_MAX 11u

/* The routers that a packet has passed, in order. Of a longer route, only the first
 * NETWORK_ROUTE_MAX routers are listed. */
struct network_route {
    uint32_t count; /* of all routers passed, listed or not */
    uint32_t routers[NETWORK_ROUTE_MAX];
};

/* How long a packet waited at each router of its route for the channel that it took from there. */
struct network_waits {
    int64_t waits_ps[NETWORK_ROUTE_MAX];
    uint8_t kinds[NETWORK_ROUTE_MAX]; /* network_channel_kind */
};

/* Names the owner of a message, for watched links. The network only compares labels. A label of
 * zeros is that of a message without an owner. */
struct network_label {
    uint64_t word[2];
};

/* What the time of a message consists of, in a network that explains times (network_explain). The
 * members in picoseconds add up to the time, except receiver_waiting_ps, size_dependent_ps,
 * memory_size_dependent_ps and waits, which repeat parts of other members. Waiting is by the kind
 * of channel that the message's last packet waited for. */
struct network_time_parts {
    int64_t memory_ps;               /* messages within a node */
    int64_t nic_ps;                  /* latencies and overheads of the NICs */
    int64_t acknowledgement_wait_ps; /* acknowledgements that windows wait for on an idle network */
    int64_t latency_ps[NETWORK_CHANNEL_KINDS];
    int64_t serialisation_ps[NETWORK_CHANNEL_KINDS]; /* of the whole message */
    int64_t routers_ps;
    int64_t nic_waiting_ps;      /* in the NICs */
    int64_t receiver_waiting_ps; /* of this: in the receiving NIC */
    int64_t waiting_ps[NETWORK_CHANNEL_KINDS];
    /* Of serialisation: what only the bandwidth of channels of this kind determines. */
    int64_t size_dependent_ps[NETWORK_CHANNEL_KINDS];
    int64_t memory_size_dependent_ps;     /* the part of memory_ps that grows with the size */
    uint32_t hops[NETWORK_CHANNEL_KINDS]; /* channels passed */
    uint32_t routers; /* routers whose delay is in routers_ps: the tail of a packet hides others */
    struct network_route route; /* of the message's last packet */
    struct network_waits waits; /* waiting_ps by the channels of the route */
};

/* The callbacks by which the network reports events. now_ps is the simulated time of the event. At
 * one time, calls of `delivered` come first, ordered by destination endpoint
 * (network/topology/node_shape.h), then source endpoint, then order of sending; then calls of
 * `sent`, ordered by source endpoint, then order of sending; then timers, ordered by entity, then
 * data. */
struct network_sink {
    void *context;
    /* States that the order of a group's callbacks does not matter (synthetic traffic). Then
     * simultaneous timers come in any order, and a delivery is reported as soon as its time is
     * certain, with now_ps in the future. This saves the sorting, and one event per delivery. The
     * entity of a timer, such as a node, has at most 28 bits, and its data at most 32. */
    bool is_unordered;
    /* The last byte of a message has arrived at its destination node. Called in that node's group.
     */
    void (*delivered)(void *context, struct rail_group *rail_group, int64_t now_ps,
                      const struct network_delivery *delivery);
    /* The last byte of a message with notify_sent has left the source NIC. Called in the source
     * node's group. */
    void (*sent)(void *context, struct rail_group *rail_group, int64_t now_ps, uint32_t source_node,
                 const struct network_cookie *cookie);
    /* A timer that network_set_timer has set expires. */
    void (*timer)(void *context, struct rail_group *rail_group, int64_t now_ps, uint32_t entity,
                  uint64_t data);
};

/* Checks config and builds its machine; the caller frees *made with network_free. STATUS_USAGE:
 * config is wrong, and the text lists all its faults; or the sink is unordered and the machine has
 * more than 2^28 nodes. */
status_code network_new(struct network **made, const struct network_config *config, uint64_t seed,
                        const struct network_sink *sink, struct status *status);

/* Frees what network_new has made; NULL is allowed. */
void network_free(struct network *network);

/* How several processes simulate a network together. All make the same calls in the same order.
 * Each process gets the callbacks of its own groups only. */
struct network_distribution {
    struct processes *processes; /* NULL: this process simulates all groups */
    const uint32_t *weights; /* [group]: expected load, which is balanced; NULL: all are equal */
};

/* Deals groups to processes as network_new_distributed does (engine/exchange/distribution.c): sets
 * process_of_group[group]. weights: as in struct network_distribution. Returns false if out of
 * memory. */
bool network_deal_groups(unsigned *process_of_group, uint32_t groups, const uint32_t *weights,
                         unsigned processes);

/* Does what network_new does, for one of several processes. The network holds the state of this
 * process's groups only, and ignores timers of other groups. After network_run, totals are those of
 * all processes. Process 0 has the links of all groups, other processes those of their own. */
status_code network_new_distributed(struct network **made, const struct network_config *config,
                                    uint64_t seed, const struct network_sink *sink,
                                    const struct network_distribution *distribution,
                                    struct status *status);

/* Returns the number of the process that simulates a group. */
unsigned network_process_of(const struct network *network, uint32_t group);
/* Returns whether this process simulates a group. */
bool network_is_here(const struct network *network, uint32_t group);

/* Returns the number of nodes. */
uint32_t network_node_count(const struct network *network);
/* Returns whether the router of at least one of the node's NICs works, in at least one rail. Other
 * nodes must neither send nor receive. */
bool network_node_works(const struct network *network, uint32_t node);

/* Returns the number of nodes that work. */
uint32_t network_working_nodes(const struct network *network);
/* Returns the number of groups. */
uint32_t network_group_count(const struct network *network);

/* Returns the home of a group: its rail group in the first rail. */
struct rail_group *network_home_of_group(struct network *network, uint32_t group);

/* Returns the home of the group that has the node. */
struct rail_group *network_home_of_node(struct network *network, uint32_t node);

/* Returns the number of a group. */
uint32_t network_group_number(const struct rail_group *rail_group);

/* Makes a new network explain times: network_fill_time_parts works then, at a cost of memory and
 * time. STATUS_MEMORY. */
status_code network_explain(struct network *network, struct status *status);
/* Fills in what the time of a message consists of. May be called only from the callback that
 * reports the message. time_ps: the time from ready to delivered or, if `sent`, until the last byte
 * had left the NIC. */
void network_fill_time_parts(const struct rail_group *rail_group,
                             const struct network_delivery *message, bool sent, int64_t time_ps,
                             struct network_time_parts *parts);
/* Fills in only memory_ps, size_dependent_ps, memory_size_dependent_ps, hops and routers of what
 * network_fill_time_parts fills in, in less time. size_dependent_ps can be larger than that
 * function makes it.
 */
void network_fill_path_parts(const struct rail_group *rail_group,
                             const struct network_delivery *message, bool sent, int64_t time_ps,
                             struct network_time_parts *parts);

/* Makes a new network keep the load of its channels in at most `bins` (>= 2) time bins, whose width
 * is a power of two times TIME_BINS_FIRST_PS. STATUS_MEMORY. */
status_code network_keep_history(struct network *network, uint32_t bins, struct status *status);

/* Returns whether the network keeps the load of its channels over time. */
bool network_has_history(const struct network *network);
/* After a run: gives all bins the same width, of at least width_ps, and returns it. */
int64_t network_history_widen(struct network *network, int64_t width_ps);

/* The channels of a group of one kind in a time bin. Packets and bytes count in the bin in which a
 * packet begins to be sent. */
struct network_load {
    uint32_t group; /* group of the channels' source */
    network_channel_kind channel_kind;
    bool is_injection; /* of terminal channels: those from nodes to routers */
    uint32_t channels; /* their number */
    uint32_t bin;
    int64_t from_ps;
    int64_t to_ps;
    uint64_t packets;
    uint64_t bytes; /* headers included */
    int64_t busy_ps;
    int64_t stalled_ps;
};

/* Visits the bins in which anything happened: by group, kind (injection, ejection, local, global)
 * and time. `visitor` returns false if it wants no more. STATUS_MEMORY. */
status_code network_visit_history(const struct network *network,
                                  bool (*visitor)(void *context, const struct network_load *load),
                                  void *context, struct status *status);

/* Hands a message to its source NIC at ready_ps, which is not before the group's current time.
 */
void network_send(struct rail_group *rail_group, int64_t ready_ps,
                  const struct network_message *sent);

/* Makes the network call sink.timer(entity, data) at at_ps, which is not before the group's current
 * time. For a sink whose callbacks come in any order (sink.is_unordered), entity is below 2^28 and
 * data below 2^32. */
void network_set_timer(struct rail_group *rail_group, int64_t at_ps, uint32_t entity,
                       uint64_t data);
/* Sets a timer, as network_set_timer does, that expires after all other events of its time, even
 * for a sink whose callbacks come in any order. Then, too, entity and data may have all their bits.
 */
void network_set_last_timer(struct rail_group *rail_group, int64_t at_ps, uint32_t entity,
                            uint64_t data);
/* Tells the network that sink.timer(entity) reads item `entity` of an array with items of
 * item_bytes. The network may prefetch an item before its timer expires. The caller keeps the array
 * until the run has ended. */
void network_timer_items(struct network *network, const void *items, size_t item_bytes);

/* Returns the number of messages that wait at the NICs of a node: those of which some packet has
 * not begun to be sent. */
uint32_t network_waiting(const struct rail_group *rail_group, uint32_t node);

/* Drops those messages of the group's nodes that have not begun to be sent, and returns their
 * number. Totals do not count them. Messages with a ready time in the future are not dropped, so
 * call this function only when there are none. */
uint64_t network_abandon(struct rail_group *rail_group);

/* Returns the time from ready to delivered of a message that takes its minimal path in an idle
 * network: at most NETWORK_TIME_LIMIT_PS. docs/model.md, 5, gives the equation. */
int64_t network_zero_load_ps(const struct network *network, const struct network_message *message);
/* Returns the time from ready until the last byte of a message has left its NIC in an idle network,
 * or has been delivered within a node. */
int64_t network_idle_sent_ps(const struct network *network, const struct network_message *message);

/* Returns the NIC of process number `index` out of the `count` processes of a node, as
 * network_message names it: NETWORK_NIC_ANY unless the configuration chooses NICs by process. */
uint32_t network_nic_of_process(const struct network_config *config, uint32_t index,
                                uint32_t count);

/* A count and a time that the network's user keeps in each process. After each window the network
 * combines those of all processes. */
struct network_tally {
    int64_t count;     /* combined: the sum over all processes */
    int64_t latest_ps; /* combined: the latest of all processes */
};

struct network_run_options {
    unsigned threads; /* number of threads; 0: as many as are useful */
    /* Lower bound of the payload of each message, and of the last packet of each message that has
     * several packets. A higher bound allows longer windows and changes no result. 0 is always
     * right. */
    uint64_t smallest_message_bytes;
    /* Called now and then from the calling thread with the simulated time and an estimate of the
     * number of events so far. If it returns false, the run ends with STATUS_STOPPED. NULL: not
     * called. */
    bool (*progress)(void *context, int64_t now_ps, uint64_t events);
    void *progress_context;
    /* Several processes: called after each window by the calling thread. `give_tally` fills in the
     * tally of this process; `take_tally` gets the combined one. NULL: not called. */
    void (*give_tally)(void *context, struct network_tally *tally);
    void (*take_tally)(void *context, const struct network_tally *tally);
    void *tally_context;
    /* Several processes: notes that the user sends to other processes along with its messages.
     * Called after each window by the calling thread. `pack_notes` packs the notes for a process,
     * in pieces of multiples of 8 bytes; `take_notes` reads the notes that another process has
     * packed. take_notes is called before any message of that window is delivered. NULL: there are
     * no notes. */
    void (*pack_notes)(void *context, unsigned process, struct processes_packing *packing);
    void (*take_notes)(void *context, struct processes_unpacking notes);
    void *notes_context;
    /* NULL: no checkpoints. A run whose state is in a checkpoint goes on from there; its user then
     * neither sends messages nor sets timers before the run. */
    struct checkpoint *checkpoint;
    /* Save or restore the user's state: `save_or_restore` the state that belongs to a group,
     * `save_or_restore_process` the state of this process that belongs to no group, as in
     * checkpoint_pieces. */
    void (*save_or_restore)(void *context, struct saved_state *state, uint32_t group);
    void (*save_or_restore_process)(void *context, struct saved_state *state);
    /* Returns whether the run has failed, so that no checkpoint is to be written. NULL: it has not.
     */
    bool (*has_failed)(void *context);
    void *saved_context;
};

/* The limit of simulated time, 26 days: no event at this time or later is handled. So the sum of
 * two times of handled events, or of one such time and any time span of the network, cannot
 * overflow. */
#define NETWORK_TIME_LIMIT_PS (INT64_MAX / 4)

/* Runs the simulation until no event is left. A network runs once: the checks at the end of a run
 * move the clocks of all groups beyond every event. Afterwards only results may be read.
 * STATUS_STATE: the network has run before, whatever came of it. STATUS_RUN: deadlock, starvation
 * or a broken conservation law, with a report of where packets are stuck; or an event beyond
 * NETWORK_TIME_LIMIT_PS. STATUS_STOPPED: `progress` returned false, or a checkpoint ended the run.
 * STATUS_MEMORY: out of memory. */
status_code network_run(struct network *network, const struct network_run_options *options,
                        struct status *status);

#define NETWORK_LATENCY_BINS 2048

struct network_totals {
    uint64_t messages;        /* delivered through the network, not through memory */
    uint64_t memory_messages; /* messages delivered within a node */
    uint64_t packets;         /* delivered packets */
    uint64_t packet_hops;     /* times that routers forwarded packets, including ejection */
    wide bytes;               /* payload delivered through the network */
    uint64_t minimal_packets; /* delivered packets that took a minimal path */
    uint64_t ring_entries;    /* times that packets entered the escape ring */
    /* Acknowledgements that are packets, which the other counts do not include: */
    uint64_t responses;
    uint64_t response_hops;   /* times that routers forwarded them, including ejection */
    uint64_t response_bytes;  /* on a channel */
    uint64_t router_hops[16]; /* delivered packets by routers passed; last bin: 15 or more */
    wide latency_sum_ps;      /* sum over messages through the network, from ready to delivered */
    int64_t latency_max_ps;
    uint64_t latency_histogram[NETWORK_LATENCY_BINS]; /* bins as in network_latency_bin */
    uint64_t events;
    uint64_t windows;
    /* Events, and the sum over windows of the events of the group with the most. Both are equal for
     * any number of threads. */
    uint64_t shared_work;
    uint64_t critical_work;
    unsigned threads; /* number of threads used */
    uint64_t digest;  /* over all deliveries and the totals; equal runs have equal digests */
};

/* Fills in the totals of a run. */
void network_fill_totals(const struct network *network, struct network_totals *totals);
/* Adds the totals of another run. The digest stays, and threads is the larger number. */
void network_totals_add(struct network_totals *sum, const struct network_totals *more);
/* Returns the best speed-up that any number of threads could have, in millionths: shared_work over
 * critical_work; 1,000,000 if there were no events. */
int64_t network_parallel_limit_millionths(const struct network_totals *totals);

/* Returns whether the network has made a random choice between several possibilities. Otherwise any
 * other seed gives the same run. */
bool network_depends_on_seed(const struct network *network);

/* Returns the messages of a traffic class, their bytes and their latencies; the other totals are 0.
 * All are 0 unless traffic classes share channels by rules. */
void network_fill_class_totals(const struct network *network, uint32_t traffic_class,
                               struct network_totals *totals);

/* Returns the bin of a latency in the histogram of latencies, which has 32 bins per factor of two.
 */
unsigned network_latency_bin(int64_t latency_ps);

/* Returns the lower bound of a bin in ps. */
int64_t network_latency_bin_floor_ps(unsigned bin);

/* Returns the latency in ps that a share of all messages, in millionths, does not exceed; 0 if
 * there are no messages. It interpolates within a bin, so its error is at most 3 %. */
int64_t network_latency_percentile_ps(const struct network_totals *totals, int64_t millionths);

/* Counts of a channel within the measurement of synthetic traffic. The bytes do
 * not wrap: a packet has at most 2 MiB, so 2^64 bytes are at least 2^43 packets, and the one thread
 * that simulates the channel would need weeks for them. */
struct network_link_counts {
    uint64_t packets;
    uint64_t bytes; /* including headers */
    int64_t busy_ps;
    int64_t stalled_ps; /* as in network_link_numbers */
};

/* What left the injection buffers of a node because a router granted it an output. */
struct network_injection_counts {
    uint64_t packets;
    uint64_t bytes; /* including headers */
};

/* Numbers over the run that the engine keeps for each output although flow control does not need
 * them. To add a number about links, add a member here and let the engine count it in
 * rail_group.counts.links; checkpoints and processes treat the struct as a whole (ARCHITECTURE.md,
 * "A column of links").
 */
struct network_link_numbers {
    int64_t stalled_ps; /* time when idle while a packet waited for credits only */
};

/* A channel, which is one direction of a link, with its counts over the run. */
struct network_link {
    network_channel_kind channel_kind;
    uint32_t rail;
    bool is_injection;    /* for terminal channels: from node to router, not from router to node */
    uint32_t source;      /* router number, counted over all rails; for injection the node number */
    uint32_t destination; /* router number; for ejection the node number */
    uint32_t source_group;
    uint32_t destination_group;
    uint32_t port; /* port of the source: of the router; for injection the number of the NIC */
    uint64_t packets;
    uint64_t bytes; /* including headers */
    int64_t busy_ps;
    struct network_link_numbers numbers;
    int64_t held_ps; /* channels from nodes: time when windows held all packets back; others: 0 */
    /* From network_measure_begin to network_measure_end: */
    struct network_link_counts measured;
    struct network_injection_counts injected; /* channels from nodes; others: 0 */
};

/* A link by its ends, as network_link has them. Parallel links have the same name. */
struct network_link_name {
    uint32_t source; /* node if from_node, otherwise router */
    uint32_t destination;
    bool is_from_node;
    bool is_to_node;
};

#define NETWORK_WATCHED_MAX 64u /* most links that are watched */

/* What the packets with a label from one node to another one did on a watched link. */
struct network_link_flow {
    bool is_known; /* false: all flows without a row of their own */
    struct network_label label;
    uint32_t source_node;
    uint32_t destination_node;
    bool is_minimal; /* whether the packets were on minimal paths, as far as decided at the link */
    uint64_t packets;
    uint64_t bytes; /* including headers */
    int64_t busy_ps;
    int64_t stalled_ps; /* time when the link was stalled before it sent these packets */
    int64_t waited_ps;  /* time for which these packets waited for the link, each for itself */
    int64_t behind_ps;  /* the part of it in which the link sent other packets */
    int64_t caused_ps;  /* time for which other packets waited while the link sent these */
};

/* How long packets of a flow waited while a link sent packets of another flow, or of their own. */
struct network_link_wait {
    const struct network_link_flow *flow;
    const struct network_link_flow *behind;
    int64_t waited_ps;
};

/* Makes a new network watch all links with these names: who sends over them, and who waits for
 * whom. STATUS_USAGE: there is no such link, or there are more than NETWORK_WATCHED_MAX.
 * STATUS_MEMORY. */
status_code network_watch(struct network *network, const struct network_link_name *names,
                          uint32_t count, struct status *status);

/* Labels whose first word has `value` in the bits of `mask`. */
struct network_label_pattern {
    uint64_t mask;
    uint64_t value;
};

#define NETWORK_PATTERNS_MAX 2u

/* Makes a new network that keeps labels add up, for each link, how long the packets with a label of
 * one of at most NETWORK_PATTERNS_MAX patterns wait for it, as waited_ps of a flow. STATUS_MEMORY.
 */
status_code network_watch_waits(struct network *network,
                                const struct network_label_pattern *patterns, uint32_t count,
                                struct status *status);
/* Visits the links for which such packets waited. */
void network_visit_waits(const struct network *network,
                         void (*visitor)(void *context, const struct network_link *link,
                                         int64_t waited_ps),
                         void *context);

/* Makes a new network keep the labels of messages, so that watched links tell flows apart by them.
 * STATUS_MEMORY. */
status_code network_keep_labels(struct network *network, struct status *status);
/* Gives the next message of a group, in a network that keeps labels, a label. Messages sent without
 * this call before them have no label. */
void network_set_next_label(struct rail_group *rail_group, const struct network_label *label);

/* Functions that get the flows of watched links, by bytes, and the waits, by time, the largest
 * first. Each may be NULL. */
struct network_watch_visitor {
    void *context;
    void (*flow)(void *context, const struct network_link *link,
                 const struct network_link_flow *flow);
    void (*wait)(void *context, const struct network_link *link,
                 const struct network_link_wait *wait);
};
/* Calls the functions of a visitor for the flows and waits at each watched link. STATUS_MEMORY. */
status_code network_visit_watched(const struct network *network,
                                  const struct network_watch_visitor *visitor,
                                  struct status *status);

/* Begins the measurement of a group: network_link.measured counts the packets that the group's
 * outputs and NICs take until network_measure_end, and the time in between for which their channels
 * are busy or stalled. Call it once, from inside a timer's callback. */
void network_measure_begin(struct rail_group *rail_group);

/* Ends the measurement of a group. Call it once, from inside a timer's callback. */
void network_measure_end(struct rail_group *rail_group);

/* Returns when the last channel became idle; 0: none carried anything. */
int64_t network_links_end_ps(const struct network *network);

/* Calls `visitor` for every link, in a fixed order. */
void network_visit_links(const struct network *network,
                         void (*visitor)(void *context, const struct network_link *link),
                         void *context);

#endif
