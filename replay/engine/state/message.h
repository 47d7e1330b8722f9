/*
 * The messages that the network carries for the replay: their kinds, and the content of their
 * cookies. Private to replay/engine and replay/ideal.
 */
#ifndef ANAX_REPLAY_MESSAGE_H
#define ANAX_REPLAY_MESSAGE_H

#include "replay/engine/state/engine_state.h"
#include "replay/hosts/host_cost.h"

typedef enum message_kind {
    MESSAGE_EAGER = 1,   /* the data of an eager message */
    MESSAGE_RTS,         /* rendezvous: the sender asks for its receive */
    MESSAGE_CTS,         /* rendezvous: the receive is posted */
    MESSAGE_DATA,        /* rendezvous: the data */
    MESSAGE_UNMATCHED,   /* data without a receive, dropped on arrival */
    MESSAGE_FIN,         /* rendezvous by get: the data have been fetched */
    MESSAGE_RMA_REQUEST, /* the request of a one-sided operation */
    MESSAGE_RMA_REPLY,   /* the reply to it */
    MESSAGE_READY,       /* eager, but copied at neither end */
    MESSAGE_IO_REQUEST,  /* a request to an I/O node */
    MESSAGE_IO_REPLY     /* its reply */
} message_kind;

/* Makes a cookie. word 0: kind (4 bits), receiver's rank (30), sender's rank (30).
 * EAGER, READY, RTS, DATA: word 1: communicator, number; word 2: tag, handle at the sender.
 * UNMATCHED: word 1: index of the SEND in the program.
 * The caller of message_cookie_make replaces words 1 and 2 of the other kinds:
 * CTS (to the sender): word 1: when the request arrived; word 2: handle at the sender.
 * FIN (to the sender): word 1: when the data arrived; word 2: handle at the sender.
 * RMA_REQUEST: word 1: bytes of data that the reply has; word 2: operation's envelope, owner.
 * RMA_REPLY (to the source of RMA_REQUEST): word 1: when RMA_REQUEST was handed to the NIC (for a
 * lock: when it arrived); word 2: the owner.
 * IO_REQUEST (to an I/O node): word 1: what is asked for; word 2: place of the request among those
 * of the access (storage.c has both), handle of the access at the sender.
 * IO_REPLY (to the rank): word 1: when IO_REQUEST arrived; word 2: as in IO_REQUEST. */
static inline struct network_cookie
message_cookie_make(message_kind kind, const struct inflight_key *key, uint32_t handle) {
    return (struct network_cookie){{(uint64_t)kind << 60 | (uint64_t)key->rank << 30 | key->source,
                                    (uint64_t)key->communicator << 32 | key->sequence,
                                    (uint64_t)key->tag << 32 | handle}};
}

/* Returns the kind of a message. */
static inline message_kind message_cookie_kind(const struct network_cookie *cookie) {
    return (message_kind)(cookie->word[0] >> 60);
}

/* Returns the key of a message among those in flight. */
static inline struct inflight_key message_cookie_key(const struct network_cookie *cookie) {
    return (struct inflight_key){.rank =
                                     (uint32_t)(cookie->word[0] >> 30) & (ENGINE_RANK_LIMIT - 1),
                                 .source = (uint32_t)cookie->word[0] & (ENGINE_RANK_LIMIT - 1),
                                 .communicator = (uint32_t)(cookie->word[1] >> 32),
                                 .sequence = (uint32_t)cookie->word[1],
                                 .tag = (uint32_t)(cookie->word[2] >> 32)};
}

/* Returns whether a message goes from the rank that receives the data to the other one. */
static inline bool message_goes_back(message_kind kind) {
    return kind == MESSAGE_CTS || kind == MESSAGE_FIN || kind == MESSAGE_RMA_REPLY ||
           kind == MESSAGE_IO_REPLY;
}

/* Returns whether a message is part of a rendezvous and carries no data. */
static inline bool message_is_control(message_kind kind) {
    return kind == MESSAGE_RTS || kind == MESSAGE_CTS || kind == MESSAGE_FIN;
}

/* Returns the handle that a message carries, which depends on its kind. */
static inline uint32_t message_cookie_handle(const struct network_cookie *cookie) {
    return (uint32_t)cookie->word[2];
}

/* Sets the handle that a message carries. */
static inline void message_cookie_set_handle(struct network_cookie *cookie, uint32_t handle) {
    cookie->word[2] = (cookie->word[2] & ~(uint64_t)UINT32_MAX) | handle;
}

/* Returns the node that a rank runs on. */
static inline uint32_t message_node_of(const struct replay_engine *engine, uint32_t rank) {
    return engine->node_of_rank[rank];
}

/* Returns the traffic class of the messages between a rank and others of its job. */
static inline uint8_t message_class_of_rank(const struct replay_engine *engine, uint32_t rank) {
    return engine->traffic_classes != NULL ? engine->traffic_classes[rank]
                                           : (uint8_t)engine->config.traffic_class;
}

/* Returns the traffic class of control messages between a rank and others of its job. */
static inline uint8_t message_control_class(const struct replay_engine *engine, uint32_t rank) {
    int64_t control = engine->config.control_class;
    return control >= 0 ? (uint8_t)control : message_class_of_rank(engine, rank);
}

/* Returns a message from a rank to another one, with the traffic class of their job and without a
 * cookie. */
static inline struct network_message message_between(const struct replay_engine *engine,
                                                     uint32_t from, uint32_t to,
                                                     uint64_t size_bytes) {
    return (struct network_message){.source_node = message_node_of(engine, from),
                                    .destination_node = message_node_of(engine, to),
                                    .size_bytes = size_bytes,
                                    .source_nic = engine->ranks[from].nic,
                                    .destination_nic = engine->ranks[to].nic,
                                    .traffic_class = message_class_of_rank(engine, from)};
}

/* Returns the path that says the host costs of a message between two ranks. path: by the protocol.
 */
static inline replay_message_path message_cost_path(const struct replay_engine *engine,
                                                    uint32_t from, uint32_t to,
                                                    replay_message_path path) {
    if (!host_has_memory_costs(&engine->config)) return path;
    return message_node_of(engine, from) == message_node_of(engine, to) ? REPLAY_MESSAGE_MEMORY
                                                                        : path;
}

/* Returns the time in ps of a message between two ranks on the idle network. */
static inline int64_t message_zero_load_between_ps(const struct replay_engine *engine,
                                                   uint32_t from, uint32_t to,
                                                   uint64_t size_bytes) {
    const struct network_message message = message_between(engine, from, to, size_bytes);
    return transport_zero_load_ps(engine->transport, &message);
}

/* Returns a control message from a rank to another one, without a cookie. */
static inline struct network_message message_control_between(const struct replay_engine *engine,
                                                             uint32_t from, uint32_t to) {
    struct network_message message =
        message_between(engine, from, to, (uint64_t)engine->config.control_bytes);
    message.traffic_class = message_control_class(engine, from);
    return message;
}

/* Returns the time in ps of a control message between two ranks on the idle network. */
static inline int64_t message_control_zero_load_ps(const struct replay_engine *engine,
                                                   uint32_t from, uint32_t to) {
    const struct network_message message = message_control_between(engine, from, to);
    return transport_zero_load_ps(engine->transport, &message);
}

#endif
