/*
 * What the network tells about messages from one node to another: when each is sent and delivered,
 * how many still wait at a time, and how many are given up then. Header only, as network_world.h.
 */
#ifndef ANAX_TESTS_NOTICES_WORLD_H
#define ANAX_TESTS_NOTICES_WORLD_H

#include "tests/support/network/network_face.h"

struct notices {
    int64_t sent_ps, delivered_ps; /* the last ones */
    uint64_t abandoned;
    uint32_t waiting, sent_node;
    unsigned sents;
    struct network_delivery delivery; /* the last one */
};

static inline void notices_note_sent(void *context, struct rail_group *rail_group, int64_t now_ps,
                                     uint32_t node, const struct network_cookie *cookie) {
    (void)rail_group, (void)cookie;
    struct notices *notices = context;
    notices->sent_ps = now_ps;
    notices->sent_node = node;
    notices->sents++;
}

static inline void notices_note_delivered(void *context, struct rail_group *rail_group,
                                          int64_t now_ps, const struct network_delivery *delivery) {
    (void)rail_group;
    struct notices *notices = context;
    notices->delivered_ps = now_ps;
    notices->delivery = *delivery;
}

static inline void notices_give_up(void *context, struct rail_group *rail_group, int64_t now_ps,
                                   uint32_t node, uint64_t data) {
    (void)now_ps, (void)data;
    struct notices *notices = context;
    notices->waiting = network_waiting(rail_group, node);
    notices->abandoned += network_abandon(rail_group);
}

/* Sends equal messages at the beginning; at give_up_ps, unless that is 0, gives up those that have
 * not begun. */
static inline struct notices notices_of(const char *settings, uint32_t source, uint32_t destination,
                                        uint64_t size_bytes, int messages, int64_t give_up_ps) {
    struct notices notices = {0};
    struct network_config config = network_world_config(settings);
    struct network_sink sink = {.context = &notices,
                                .sent = notices_note_sent,
                                .delivered = notices_note_delivered,
                                .timer = notices_give_up};
    struct network *network = NULL;
    struct status status = STATUS_INIT;
    assert_int_equal(network_new(&network, &config, 1, &sink, &status), STATUS_OK);
    struct rail_group *home = network_home_of_node(network, source);
    const struct network_message message = {.source_node = source,
                                            .destination_node = destination,
                                            .size_bytes = size_bytes,
                                            .notify_sent = true};
    for (int i = 0; i < messages; i++)
        network_send(home, 0, &message);
    if (give_up_ps > 0) network_set_timer(home, give_up_ps, source, 0);
    struct network_run_options options = {.threads = 1};
    if (network_run(network, &options, &status) != STATUS_OK) fail_msg("%s", status.text);
    network_free(network);
    assert_int_equal(notices.delivery.source_node, source);
    assert_int_equal(notices.delivery.destination_node, destination);
    return notices;
}

#endif
