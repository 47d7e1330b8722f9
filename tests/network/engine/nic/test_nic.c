/*
 * Network interfaces: turns between messages, overheads, notices of sending, the memory model, and
 * messages that are given up. One router with four nodes; a packet takes 100 ns on a channel.
 */
#include "tests/support/network/network_world.h"

#define STAR                                                                                       \
    "nodes_per_router=4 routers_per_group=1 globals_per_router=0 groups=1 routing=minimal "        \
    "packet=1000B header=0 terminal.bandwidth=10GB/s terminal.latency=10ns router.latency=50ns "   \
    "memory.latency=200ns memory.bandwidth=10GB/s "
#define PACKET_PS 100000
#define PATH_PS   (2 * 10000 + 50000) /* latencies and the router */

enum notice_kind { DELIVERED, SENT, TIMER };
static const char *const notice_names[] = {"delivered", "sent", "timer"};

/* What the network has told. */
struct notice {
    enum notice_kind kind;
    int64_t time_ps;
    uint64_t name; /* cookie, or the timer's data */
};

struct nic_world {
    struct network *network;
    struct notice notices[64]; /* in order */
    size_t count;
    uint64_t abandoned;
    bool send_after;
    int64_t stalled_ps; /* node 0's channel, after the run */
};

static void add_notice(struct nic_world *w, enum notice_kind kind, int64_t now_ps, uint64_t name) {
    assert_true(w->count < 64);
    w->notices[w->count++] = (struct notice){kind, now_ps, name};
}

static void delivered(void *context, struct rail_group *rail_group, int64_t now_ps,
                      const struct network_delivery *delivery) {
    (void)rail_group;
    add_notice(context, DELIVERED, now_ps, delivery->cookie.word[0]);
}

static void sent(void *context, struct rail_group *rail_group, int64_t now_ps, uint32_t source_node,
                 const struct network_cookie *cookie) {
    (void)rail_group;
    assert_int_equal(source_node, 0);
    add_notice(context, SENT, now_ps, cookie->word[0]);
}

static void hand_in(struct nic_world *w, uint64_t name, uint32_t destination, uint64_t size_bytes,
                    int64_t ready_ps) {
    struct network_message message = {.destination_node = destination,
                                      .size_bytes = size_bytes,
                                      .notify_sent = true,
                                      .cookie = {{name, 0, 0}}};
    network_send(network_home_of_node(w->network, 0), ready_ps, &message);
}

static void timer(void *context, struct rail_group *rail_group, int64_t now_ps, uint32_t entity,
                  uint64_t data) {
    struct nic_world *w = context;
    add_notice(w, TIMER, now_ps, data);
    if (entity == 1) w->abandoned += network_abandon(rail_group);
    if (w->send_after) hand_in(w, 99, 1, 1000, now_ps);
}

static void open_world(struct nic_world *w, const char *settings) {
    memset(w, 0, sizeof *w);
    struct network_config config = network_world_config(settings);
    struct network_sink sink = {.context = w, .delivered = delivered, .sent = sent, .timer = timer};
    assert_int_equal(network_new(&w->network, &config, 1, &sink, NULL), STATUS_OK);
}

static void find_stalled(void *context, const struct network_link *link) {
    if (link->is_injection && link->source == 0)
        ((struct nic_world *)context)->stalled_ps = link->numbers.stalled_ps;
}

/* Runs, and compares the notices with those that are expected. */
static void check(struct nic_world *w, const struct notice *expected, size_t count) {
    struct status status = STATUS_INIT;
    struct network_run_options options = {.threads = 1};
    if (network_run(w->network, &options, &status) != STATUS_OK) fail_msg("%s", status.text);
    for (size_t i = 0; i < count && i < w->count; i++) {
        if (w->notices[i].kind != expected[i].kind ||
            w->notices[i].time_ps != expected[i].time_ps || w->notices[i].name != expected[i].name)
            fail_msg("number %zu: %s %llu at %lld ps, expected %s %llu at %lld ps", i,
                     notice_names[w->notices[i].kind], (unsigned long long)w->notices[i].name,
                     (long long)w->notices[i].time_ps, notice_names[expected[i].kind],
                     (unsigned long long)expected[i].name, (long long)expected[i].time_ps);
    }
    assert_int_equal(w->count, count);
    network_visit_links(w->network, find_stalled, w);
    network_free(w->network);
}
#define CHECK(w, ...)                                                                              \
    check(w, (const struct notice[]){__VA_ARGS__},                                                 \
          sizeof((const struct notice[]){__VA_ARGS__}) / sizeof(struct notice))

/* Messages of a node take turns packet by packet: 1 and 2 alternate until 2 has no packets left. */
static void messages_take_turns(void **state) {
    (void)state;
    struct nic_world w;
    open_world(&w, STAR);
    hand_in(&w, 1, 1, 5000, 0);
    hand_in(&w, 2, 2, 3000, 0);
    CHECK(&w, {SENT, 6 * PACKET_PS, 2}, {DELIVERED, 6 * PACKET_PS + PATH_PS, 2},
          {SENT, 8 * PACKET_PS, 1}, {DELIVERED, 8 * PACKET_PS + PATH_PS, 1});
}

/* When three messages of node 0 have left, of one packet each, to the nodes given. Injection VCs
 * have room for one packet each, so two packets of one VC wait for each other. */
static void find_sent_times(const char *settings, const uint32_t destinations[3],
                            int64_t times_ps[3]) {
    struct nic_world w;
    char pairs[400];
    snprintf(pairs, sizeof pairs, STAR "router.crossbar=vc terminal.buffer=1000B %s", settings);
    open_world(&w, pairs);
    for (uint64_t i = 0; i < 3; i++)
        hand_in(&w, i, destinations[i], 1000, 0);
    struct network_run_options options = {.threads = 1};
    assert_int_equal(network_run(w.network, &options, NULL), STATUS_OK);
    for (size_t i = 0; i < w.count; i++)
        if (w.notices[i].kind == SENT) times_ps[w.notices[i].name] = w.notices[i].time_ps;
    network_free(w.network);
}

/* Of four nodes and two injection VCs, nodes 0 and 1 have the first and 2 and 3 the second: packets
 * to the same half leave as with one VC, and those that go to both halves in turn as with two. */
static void destinations_divide_the_injection_vcs(void **state) {
    (void)state;
    static const uint32_t halves[][3] = {{1, 1, 1}, {2, 3, 2}, {1, 2, 1}, {3, 1, 2}};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        int64_t chosen_ps[3], one_ps[3], two_ps[3];
        find_sent_times("nic.vcs=2 nic.vc_choice=destination", halves[i], chosen_ps);
        find_sent_times("nic.vcs=1", halves[i], one_ps);
        find_sent_times("nic.vcs=2", halves[i], two_ps);
        assert_true(two_ps[1] < one_ps[1]);
        assert_memory_equal(chosen_ps, i < 2 ? one_ps : two_ps, sizeof chosen_ps);
    }
}

/* A message that comes up later joins at the end of the line. */
static void late_messages_join_at_the_end(void **state) {
    (void)state;
    struct nic_world w;
    open_world(&w, STAR);
    hand_in(&w, 1, 1, 4000, 0);
    hand_in(&w, 2, 2, 1000, 150000);
    /* 1 has the slots from 0, 100 and 200 ns on, 2 the one from 300 ns on. */
    CHECK(&w, {SENT, 4 * PACKET_PS, 2}, {DELIVERED, 4 * PACKET_PS + PATH_PS, 2},
          {SENT, 5 * PACKET_PS, 1}, {DELIVERED, 5 * PACKET_PS + PATH_PS, 1});
}

/* The overhead keeps the NIC busy once for each message, not for each packet. */
static void overhead_is_paid_once_for_each_message(void **state) {
    (void)state;
    struct nic_world w;
    open_world(&w, STAR "nic.overhead=70ns");
    hand_in(&w, 1, 1, 3000, 0);
    hand_in(&w, 2, 1, 0, 1000000);
    hand_in(&w, 3, 1, 1000, 1000000);
    CHECK(&w, {SENT, 70000 + 3 * PACKET_PS, 1}, {DELIVERED, 70000 + 3 * PACKET_PS + PATH_PS, 1},
          {SENT, 1070000 + 100, 2}, {DELIVERED, 1070100 + PATH_PS, 2},
          {SENT, 1140100 + PACKET_PS, 3}, {DELIVERED, 1140100 + PACKET_PS + PATH_PS, 3});
}

/* Within a node: latency and bandwidth of the memory, whatever else is going on. */
static void messages_within_a_node_take_the_memory(void **state) {
    (void)state;
    struct nic_world w;
    open_world(&w, STAR "nic.overhead=70ns");
    hand_in(&w, 1, 0, 0, 0);
    hand_in(&w, 2, 0, 1000, 5000);
    hand_in(&w, 3, 0, 1000, 5000);
    CHECK(&w, {DELIVERED, 200000, 1}, {SENT, 200000, 1}, {DELIVERED, 305000, 2},
          {DELIVERED, 305000, 3}, {SENT, 305000, 2}, {SENT, 305000, 3});
}

/* At one time: deliveries, then notices of sending, then timers by entity and data. */
static void callbacks_come_in_a_fixed_order(void **state) {
    (void)state;
    struct nic_world w;
    open_world(&w, STAR);
    struct rail_group *rail_group = network_home_of_group(w.network, 0);
    network_set_timer(rail_group, 2 * PACKET_PS, 3, 4);
    network_set_timer(rail_group, 2 * PACKET_PS, 3, 2);
    network_set_timer(rail_group, 2 * PACKET_PS, 2, 9);
    hand_in(&w, 7, 1, 2000, 0); /* sent after 200 ns */
    hand_in(&w, 8, 0, 0, 0);    /* memory: 200 ns */
    CHECK(&w, {DELIVERED, 200000, 8}, {SENT, 200000, 7}, {SENT, 200000, 8}, {TIMER, 200000, 9},
          {TIMER, 200000, 2}, {TIMER, 200000, 4}, {DELIVERED, 200000 + PATH_PS, 7});
}

/* Giving up at 150 ns: two of six packets have been started, and with them two of three messages.
 */
static void messages_that_have_not_begun_are_given_up(void **state) {
    (void)state;
    struct nic_world w;
    open_world(&w, STAR);
    for (uint64_t name = 1; name <= 3; name++)
        hand_in(&w, name, 1, 2000, 0);
    network_set_timer(network_home_of_group(w.network, 0), 150000, 1, 0);
    CHECK(&w, {TIMER, 150000, 0}, {SENT, 3 * PACKET_PS, 1}, {DELIVERED, 3 * PACKET_PS + PATH_PS, 1},
          {SENT, 4 * PACKET_PS, 2}, {DELIVERED, 4 * PACKET_PS + PATH_PS, 2});
    assert_int_equal(w.abandoned, 1);
}

/* Messages that the gap between messages keeps from beginning are given up too. */
static void messages_that_wait_for_the_gap_are_given_up(void **state) {
    (void)state;
    struct nic_world w;
    open_world(&w, STAR "nic.message_gap=300ns");
    w.send_after = true;
    for (uint64_t name = 1; name <= 3; name++)
        hand_in(&w, name, 1, 2000, 0);
    network_set_timer(network_home_of_group(w.network, 0), 150000, 1, 0);
    CHECK(&w, {TIMER, 150000, 0}, {SENT, 2 * PACKET_PS, 1}, {DELIVERED, 2 * PACKET_PS + PATH_PS, 1},
          {SENT, 300000 + PACKET_PS, 99}, {DELIVERED, 300000 + PACKET_PS + PATH_PS, 99});
    assert_int_equal(w.abandoned, 2);
}

/* The overhead that was being paid for a message given up does not pay for the next one. */
static void a_given_up_overhead_does_not_pay_for_the_next_message(void **state) {
    (void)state;
    struct nic_world w;
    open_world(&w, STAR "nic.overhead=70ns");
    w.send_after = true;
    hand_in(&w, 1, 1, 2000, 0);
    network_set_timer(network_home_of_group(w.network, 0), 30000, 1, 0);
    CHECK(&w, {TIMER, 30000, 0}, {SENT, 140000 + PACKET_PS, 99},
          {DELIVERED, 140000 + PACKET_PS + PATH_PS, 99});
    assert_int_equal(w.abandoned, 1);
}

/* A node that waits for room in its router's buffer when its messages are given up has waited until
 * then: from 100 ns, when the first packet has left it, to 150 ns. A message that comes later finds
 * room. */
static void stalls_end_when_messages_are_given_up(void **state) {
    (void)state;
    struct nic_world w;
    open_world(&w, STAR "terminal.buffer=1000B nic.vcs=1");
    hand_in(&w, 1, 1, 1000, 0);
    hand_in(&w, 2, 1, 1000, 0);
    network_set_timer(network_home_of_group(w.network, 0), 150000, 1, 0);
    hand_in(&w, 3, 1, 1000, 1000000);
    CHECK(&w, {SENT, PACKET_PS, 1}, {TIMER, 150000, 0}, {DELIVERED, PACKET_PS + PATH_PS, 1},
          {SENT, 1000000 + PACKET_PS, 3}, {DELIVERED, 1000000 + PACKET_PS + PATH_PS, 3});
    assert_int_equal(w.abandoned, 1);
    assert_int_equal(w.stalled_ps, 50000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_take_turns),
        cmocka_unit_test(destinations_divide_the_injection_vcs),
        cmocka_unit_test(late_messages_join_at_the_end),
        cmocka_unit_test(overhead_is_paid_once_for_each_message),
        cmocka_unit_test(messages_within_a_node_take_the_memory),
        cmocka_unit_test(callbacks_come_in_a_fixed_order),
        cmocka_unit_test(messages_that_have_not_begun_are_given_up),
        cmocka_unit_test(messages_that_wait_for_the_gap_are_given_up),
        cmocka_unit_test(a_given_up_overhead_does_not_pay_for_the_next_message),
        cmocka_unit_test(stalls_end_when_messages_are_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
