/* Keeps for each channel what its traffic classes are owed, when each may send again, and which of
 * them has the channel next. */
#include "network/engine/flow_control/class_shares.h"

#include "core/base/compiler_hints.h"
#include "core/memory/memory.h"
#include "network/engine/state/channel_times.h"

#include <stdlib.h>

#define WHOLE     1000000 /* millionths */
#define FAR_AHEAD NETWORK_TIME_LIMIT_PS

static const struct network_class_config beyond_classes = {.maximum_millionths = WHOLE,
                                                           .priority = INT64_MAX};

static inline const struct network_class_config *class_of(const struct network *network,
                                                          uint32_t virtual_network) {
    return virtual_network < (uint32_t)network->config.classes
               ? &network->config.class[virtual_network]
               : &beyond_classes;
}

static inline struct class_share *share_of(const struct rail_group *rail_group, uint32_t output,
                                           uint32_t virtual_network) {
    size_t first = (size_t)output * rail_group->network->vcs.virtual_networks;
    return &rail_group->limits.shares->classes[first + virtual_network];
}

struct class_shares *class_shares_new(const struct network *network) {
    struct class_shares *made = memory_new(1, sizeof *made);
    if (made == NULL) return NULL;
    made->classes = memory_new((size_t)network->tables.outputs * network->vcs.virtual_networks,
                               sizeof *made->classes);
    made->unowed_ps = memory_new(network->tables.outputs, sizeof *made->unowed_ps);
    if (made->classes != NULL && made->unowed_ps != NULL) return made;
    class_shares_free(made);
    return NULL;
}

void class_shares_free(struct class_shares *shares) {
    if (shares == NULL) return;
    free(shares->classes);
    free(shares->unowed_ps);
    free(shares);
}

/* Returns the time divided by a share, rounded up, and at most FAR_AHEAD. */
static int64_t divided_ps(int64_t time_ps, int64_t share_millionths) {
    __int128 divided = ((__int128)time_ps * WHOLE + share_millionths - 1) / share_millionths;
    return divided < FAR_AHEAD ? (int64_t)divided : FAR_AHEAD;
}

int64_t class_shares_spacing_ps(int64_t time_ps, int64_t maximum_millionths) {
    return maximum_millionths < WHOLE ? divided_ps(time_ps, maximum_millionths) : time_ps;
}

int64_t class_shares_open_ps(const struct rail_group *rail_group, uint32_t output,
                             uint32_t virtual_network) {
    return share_of(rail_group, output, virtual_network)->open_ps;
}

static inline bool is_owed(const struct rail_group *rail_group,
                           const struct network_class_config *class,
                           const struct class_share *share) {
    return class->minimum_millionths > 0 && share->owed_ps <= rail_group->now_ps;
}

/* Returns R_c, but not less than R. */
static inline int64_t unowed_of(const struct rail_group *rail_group, uint32_t output,
                                const struct class_share *share) {
    int64_t unowed_ps = rail_group->limits.shares->unowed_ps[output];
    return share->unowed_ps > unowed_ps ? share->unowed_ps : unowed_ps;
}

int class_shares_compare(const struct rail_group *rail_group, uint32_t output,
                         uint32_t virtual_network, uint32_t other_output,
                         uint32_t other_virtual_network) {
    const struct network_class_config *class = class_of(rail_group->network, virtual_network);
    const struct network_class_config *other_class =
        class_of(rail_group->network, other_virtual_network);
    const struct class_share *share = share_of(rail_group, output, virtual_network);
    const struct class_share *other = share_of(rail_group, other_output, other_virtual_network);
    bool beyond = class == &beyond_classes, other_beyond = other_class == &beyond_classes;
    if (beyond != other_beyond) return beyond ? -1 : 1;
    bool owed = is_owed(rail_group, class, share),
         other_owed = is_owed(rail_group, other_class, other);
    if (owed != other_owed) return owed ? -1 : 1;
    if (class->priority != other_class->priority)
        return class->priority > other_class->priority ? -1 : 1;
    if (output != other_output || virtual_network == other_virtual_network) return 0;
    int64_t turn_ps = owed ? share->owed_ps : unowed_of(rail_group, output, share);
    int64_t other_turn_ps = owed ? other->owed_ps : unowed_of(rail_group, output, other);
    if (turn_ps != other_turn_ps) return turn_ps < other_turn_ps ? -1 : 1;
    return virtual_network < other_virtual_network ? -1 : 1;
}

/* Lets a class wait for its next packet: no VC of its virtual network can be allocated at the
 * output before open_ps. */
static void close_until(struct rail_group *rail_group, uint32_t output, uint32_t virtual_network,
                        int64_t open_ps) {
    const struct network *network = rail_group->network;
    uint32_t first =
        output * network->vcs.per_port + virtual_network * network->vcs.per_virtual_network;
    for (uint32_t port_vc = first; port_vc < first + network->vcs.per_virtual_network; port_vc++)
        if (rail_group->allocation.vc_free_ps[port_vc] < open_ps)
            rail_group->allocation.vc_free_ps[port_vc] = open_ps;
}

HINT_NOINLINE void class_shares_record(struct rail_group *rail_group, uint32_t output,
                                       uint32_t virtual_network, uint32_t size_bytes) {
    const struct network *network = rail_group->network;
    const struct network_class_config *class = class_of(network, virtual_network);
    if (class == &beyond_classes) return; /* responses have no share, and take none's turn */
    struct class_share *share = share_of(rail_group, output, virtual_network);
    uint32_t type = network->tables.wiring[output].channel_type;
    bool from_node = output >= network->tables.ports;
    int64_t time_ps = from_node ? channel_injection_ps(network, size_bytes)
                                : channel_ps(network, type, size_bytes);
    int64_t full_ps =
        from_node ? network->nics.injection_full_ps : network->channels.full_packet_ps[type];
    if (!is_owed(rail_group, class, share)) {
        int64_t unowed_ps = unowed_of(rail_group, output, share);
        rail_group->limits.shares->unowed_ps[output] = unowed_ps;
        share->unowed_ps = unowed_ps + time_ps;
    }
    if (class->minimum_millionths > 0) {
        int64_t credit_ps =
            divided_ps(full_ps * network->vcs.virtual_networks, class->minimum_millionths);
        int64_t min_ps = rail_group->now_ps - credit_ps;
        if (share->owed_ps < min_ps) share->owed_ps = min_ps;
        share->owed_ps += divided_ps(time_ps, class->minimum_millionths);
    }
    if (class->maximum_millionths < WHOLE) {
        /* At now_ps the class is open, so now_ps is the later of the two. */
        share->open_ps =
            rail_group->now_ps + class_shares_spacing_ps(time_ps, class->maximum_millionths);
        close_until(rail_group, output, virtual_network, share->open_ps);
    }
}
