/* The choices of rails, a function and a row of a table each: by the pair of endpoints, in turn, or
 * by the shortest queue. Also keeps count of the stripes of messages that use several rails. */
#include "network/engine/nic/rails.h"

#include "core/base/digest.h"
#include "core/simulation/random.h"
#include "network/engine/nic/nic.h"
#include "network/engine/state/packet_pool.h"
#include "network/network_choices.h"

#include <stdlib.h>

uint32_t rails_between(const struct network *network, uint32_t source, uint32_t destination) {
    if (network->rails.working_rails == NULL) return (1u << network->rails.count) - 1;
    uint32_t p = network->topology.endpoints_per_router;
    return (uint32_t)network->rails.working_rails[source / p] &
           network->rails.working_rails[destination / p];
}

/* ---------------------------------------------------------------- choices */

static uint32_t choose_pair(struct rail_group *home, const struct network_message_record *message,
                            uint32_t endpoint, uint32_t usable) {
    (void)endpoint;
    uint64_t draw = digest_mix(network_seed(home->network),
                               (uint64_t)message->source << 32 | message->destination);
    uint32_t left = random_below((uint32_t)draw, (uint32_t)__builtin_popcount(usable));
    while (left-- > 0)
        usable &= usable - 1;
    return (uint32_t)__builtin_ctz(usable);
}

/* Returns the next rail in turn. */
static uint32_t rail_after(const struct network *network, uint32_t rail) {
    return rail + 1 < network->rails.count ? rail + 1 : 0;
}

static uint32_t choose_next(struct rail_group *home, const struct network_message_record *message,
                            uint32_t endpoint, uint32_t usable) {
    (void)message;
    struct network_nic *nic = &home->nics[endpoint];
    uint32_t rail = nic->next_rail;
    while (!(usable >> rail & 1))
        rail = rail_after(home->network, rail);
    nic->next_rail = (uint8_t)rail_after(home->network, rail);
    return rail;
}

/* Returns the rail whose queue has the fewest bytes. Among equal queues it prefers the channel
 * that is free first, then the next rail in turn. */
static uint32_t choose_shortest(struct rail_group *home,
                                const struct network_message_record *message, uint32_t endpoint,
                                uint32_t usable) {
    const struct network *network = home->network;
    uint32_t rail = choose_next(home, message, endpoint, usable);
    uint32_t best = NETWORK_NONE;
    wide best_bytes = 0;
    int64_t best_ps = 0;
    for (uint32_t i = 0; i < network->rails.count; i++, rail = rail_after(network, rail)) {
        if (!(usable >> rail & 1)) continue;
        const struct rail_group *rail_group = rail_group_in(home, rail);
        wide bytes = rail_group->queued_bytes[endpoint];
        int64_t free_ps = rail_group->outputs[network->tables.ports + endpoint].free_ps;
        if (free_ps < home->now_ps) free_ps = home->now_ps;
        if (best != NETWORK_NONE &&
            (bytes > best_bytes || (bytes == best_bytes && free_ps >= best_ps)))
            continue;
        best = rail;
        best_bytes = bytes;
        best_ps = free_ps;
    }
    return best;
}

#define ROWS(X)                                                                                    \
    X("pair",                                                                                      \
      .help = "a hash of the endpoints that send and receive chooses; messages between "           \
              "two endpoints stay in order",                                                       \
      .choose = choose_pair)                                                                       \
    X("message", .help = "the messages of a node take the rails in turn", .choose = choose_next)   \
    X("packet",                                                                                    \
      .help = "the packets of a node take the rails in turn, so a message uses all "               \
              "rails",                                                                             \
      .is_by_packet = true, .choose = choose_next)                                                 \
    X("shortest", .help = "a message takes the rail on which the fewest bytes of its node wait",   \
      .choose = choose_shortest)
#define ROW(first, ...)  {.name = first, __VA_ARGS__},
#define NAME(first, ...) first,
static const struct rail_choice choice_rows[] = {ROWS(ROW){.name = NULL}};
static const char *const choice_names[] = {ROWS(NAME) NULL};
#undef ROWS
#undef ROW
#undef NAME

const struct rail_choice *rail_choices(void) {
    return choice_rows;
}

const char *const *network_rail_names(void) {
    return choice_names;
}

/* ---------------------------------------------------------------- stripes */

uint64_t rails_packets_of(const struct network *network, uint64_t size_bytes) {
    uint64_t max = (uint64_t)network->config.packet_bytes;
    return size_bytes > 0 ? (size_bytes - 1) / max + 1 : 1;
}

uint64_t rails_stripe_bytes(const struct network *network, uint64_t size_bytes, uint64_t packets,
                            uint32_t stripes, uint32_t stripe) {
    uint64_t max = (uint64_t)network->config.packet_bytes;
    uint64_t count = (packets - stripe + stripes - 1) / stripes;
    bool has_last = (packets - 1) % stripes == stripe;
    return count * max - (has_last ? packets * max - size_bytes : 0);
}

/* Puts the stripes of a message into the queues of the usable rails. The message itself stays in
 * the home's pool until all stripes are sent: left_stripes counts the stripes, and sent_ps is the
 * time at which the latest stripe was sent. */
static void hand_in_stripes(struct rail_group *home, uint32_t parent, uint64_t packets,
                            uint32_t rail, uint32_t endpoint, uint32_t usable) {
    const struct network *network = home->network;
    uint32_t in_order[NETWORK_RAILS_MAX], rails = 0; /* usable rails from `rail` on */
    for (uint32_t i = 0; i < network->rails.count; i++, rail = rail_after(network, rail))
        if (usable >> rail & 1) in_order[rails++] = rail;
    uint32_t stripes = packets < rails ? (uint32_t)packets : rails;
    const struct network_message_record original = home->messages.items[parent];
    home->messages.items[parent].left_stripes = stripes;
    home->messages.items[parent].sent_ps = 0;
    home->nics[endpoint].next_rail = (uint8_t)in_order[packets % rails];
    for (uint32_t stripe = 0; stripe < stripes; stripe++) {
        struct rail_group *rail_group = rail_group_in(home, in_order[stripe]);
        uint32_t index = network_message_new(rail_group);
        if (index == NETWORK_NONE) return;
        struct network_message_record *added = &rail_group->messages.items[index];
        *added = original;
        added->parent = parent;
        added->left_bytes =
            rails_stripe_bytes(network, original.size_bytes, packets, rails, stripe);
        nic_enqueue(rail_group, index);
    }
}

void rails_hand_in(struct rail_group *home, uint32_t message_index) {
    const struct network *network = home->network;
    const struct rail_choice *choice = &choice_rows[network->config.rail_choice];
    const struct network_message_record *message = &home->messages.items[message_index];
    uint32_t endpoint = message->source - home->group * network->topology.endpoints_per_group;
    uint64_t packets = rails_packets_of(network, message->size_bytes);
    uint32_t usable = rails_between(network, message->source, message->destination);
    uint32_t rail = choice->choose(home, message, endpoint, usable);
    if (choice->is_by_packet && packets > 1) {
        hand_in_stripes(home, message_index, packets, rail, endpoint, usable);
        return;
    }
    struct rail_group *rail_group = rail_group_in(home, rail);
    if (rail_group != home) message_index = network_message_move(home, rail_group, message_index);
    if (message_index != NETWORK_NONE) nic_enqueue(rail_group, message_index);
}

bool rails_begin(struct rail_group *rail_group, uint32_t parent) {
    struct network_message_record *message = &rail_group->home->messages.items[parent];
    bool first = !message->started;
    message->started = true;
    return first;
}

uint32_t rails_end(struct rail_group *rail_group, uint32_t parent, int64_t *sent_ps) {
    struct network_message_record *message = &rail_group->home->messages.items[parent];
    if (*sent_ps > message->sent_ps) message->sent_ps = *sent_ps;
    *sent_ps = message->sent_ps;
    return --message->left_stripes == 0 ? parent : NETWORK_NONE;
}

bool rails_drop(struct rail_group *home, uint32_t parent) {
    if (--home->messages.items[parent].left_stripes > 0) return false;
    network_message_free(home, parent);
    return true;
}

struct rail_share rails_share(const struct network_config *config, int64_t rails, int64_t packets) {
    if (!choice_rows[config->rail_choice].is_by_packet) rails = 1;
    int64_t last = (packets - 1) % rails; /* number of the part with the last packet */
    int64_t before_last = (packets - 1) / rails;
    if (rails == 1) return (struct rail_share){before_last, 0};
    return (struct rail_share){before_last, last > 0 ? before_last + 1 : before_last};
}
