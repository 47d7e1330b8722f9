/*
 * Counts what each NIC, and each pair of NICs, has outstanding. Holds messages of pairs that may
 * send nothing, and brings them back when an acknowledgement or a timer lets their pair send. The
 * pauses that congestion control asks for are kept here, too.
 */
#include "network/engine/nic/nic_windows.h"

#include "core/memory/memory.h"
#include "network/engine/nic/nic_classes.h"
#include "network/engine/state/events.h"
#include "network/engine/state/packet_pool.h"

#include <stdlib.h>

struct nic_windows *nic_windows_new(const struct network *network) {
    struct nic_windows *made = memory_new(1, sizeof *made);
    if (made == NULL) return NULL;
    uint32_t endpoints = network->topology.endpoints_per_group;
    made->nics = memory_new(endpoints, sizeof *made->nics);
    if (made->nics == NULL) {
        free(made);
        return NULL;
    }
    for (uint32_t endpoint = 0; endpoint < endpoints; endpoint++)
        made->nics[endpoint] =
            (struct nic_window){.idle_since_ps = EVENT_NEVER, .first_due = NETWORK_NONE};
    return made;
}

void nic_windows_free(struct nic_windows *windows) {
    if (windows == NULL) return;
    nic_pair_map_clear(&windows->pairs);
    free(windows->nics);
    free(windows);
}

/* ---------------------------------------------------------------- pairs */

static uint64_t key_of(uint32_t endpoint, uint32_t destination) {
    return (uint64_t)endpoint << 32 | destination;
}

static struct nic_pair *find_pair(const struct rail_group *rail_group, uint32_t endpoint,
                                  uint32_t destination) {
    uint64_t key = key_of(endpoint, destination);
    return nic_pair_map_find(&rail_group->limits.windows->pairs, &key);
}

/* Returns the state of a pair, new if it has none. NULL: out of memory. */
static struct nic_pair *find_or_add_pair(struct rail_group *rail_group, uint32_t endpoint,
                                         uint32_t destination) {
    struct nic_pair *pair = find_pair(rail_group, endpoint, destination);
    if (pair != NULL) return pair;
    uint64_t key = key_of(endpoint, destination);
    pair = nic_pair_map_add(&rail_group->limits.windows->pairs, &key);
    if (pair == NULL) {
        rail_group->failure.out_of_memory = true;
        return NULL;
    }
    pair->is_used = true;
    pair->held_first = pair->held_last = pair->current = pair->next_due = NETWORK_NONE;
    return pair;
}

static void remove_if_idle(struct rail_group *rail_group, struct nic_pair *pair) {
    if (pair->outstanding_bytes > 0 || pair->held_first != NETWORK_NONE || pair->is_congested ||
        pair->is_due)
        return;
    nic_pair_map_remove(&rail_group->limits.windows->pairs, pair);
}

/* Returns whether a pair may send a packet that counts so many bytes. */
static bool pair_may_send(const struct rail_group *rail_group, const struct nic_pair *pair,
                          uint32_t bytes) {
    const struct network *network = rail_group->network;
    uint64_t outstanding_bytes = pair->outstanding_bytes + bytes;
    int64_t window_bytes = network->config.nic_pair_window_bytes;
    if (window_bytes > 0 && outstanding_bytes > (uint64_t)window_bytes) return false;
    if (!pair->is_congested) return true;
    if (pair->resume_ps > rail_group->now_ps) return false;
    int64_t doublings = (rail_group->now_ps - pair->resume_ps) / pair->recovery_ps;
    return pair->outstanding_bytes == 0 || doublings >= NETWORK_CONGESTION_DOUBLINGS ||
           outstanding_bytes <= (uint64_t)network->nics.congestion_window_bytes << doublings;
}

/* Makes a pair due if one of its held messages may be able to go, or if it needs a timer. No held
 * message can go while another message of the pair is in the queue. */
static void make_pair_due(struct rail_group *rail_group, uint32_t endpoint, struct nic_pair *pair) {
    bool may_release = pair->held_first != NETWORK_NONE && pair->current == NETWORK_NONE;
    bool needs_timer =
        pair->is_congested && (!pair->has_forget_timer ||
                               (!pair->has_resume_timer && pair->resume_ps > rail_group->now_ps));
    if (pair->is_due || (!may_release && !needs_timer)) return;
    struct nic_window *nic = &rail_group->limits.windows->nics[endpoint];
    uint32_t destination = (uint32_t)pair->key;
    uint32_t *link = &nic->first_due;
    while (*link < destination)
        link = &find_pair(rail_group, endpoint, *link)->next_due;
    pair->next_due = *link;
    *link = destination;
    pair->is_due = true;
    bitset_add(&rail_group->allocation.due_allocators,
               rail_group->network->tables.ports + endpoint);
}

static void append_held(struct rail_group *rail_group, struct nic_pair *pair, uint32_t index) {
    struct network_message_record *messages = rail_group->messages.items;
    messages[index].next = NETWORK_NONE;
    if (pair->held_first == NETWORK_NONE)
        pair->held_first = index;
    else
        messages[pair->held_last].next = index;
    pair->held_last = index;
}

/* Puts the message that has the pair's turn back in front of the held ones. */
static void put_back(struct rail_group *rail_group, struct nic_pair *pair, uint32_t index) {
    rail_group->messages.items[index].next = pair->held_first;
    pair->held_first = index;
    pair->current = NETWORK_NONE;
}

static void append_all(struct rail_group *rail_group, uint32_t endpoint, uint32_t first) {
    for (uint32_t index = first, next = NETWORK_NONE; index != NETWORK_NONE; index = next) {
        next = rail_group->messages.items[index].next;
        nic_classes_append(rail_group, endpoint, index);
    }
}

/* Returns whether a NIC has a message in a queue. */
static bool has_messages(const struct rail_group *rail_group, uint32_t endpoint) {
    return rail_group->nics[endpoint].first_message != NETWORK_NONE ||
           (rail_group->limits.shares != NULL && !nic_classes_are_empty(rail_group, endpoint));
}

/* ---------------------------------------------------------------- sending */

/* Takes the first message out of the NIC's queue and holds it. */
static void hold_message(struct rail_group *rail_group, uint32_t endpoint, struct nic_pair *pair) {
    struct network_nic *nic = &rail_group->nics[endpoint];
    uint32_t index = nic->first_message;
    nic->first_message = rail_group->messages.items[index].next;
    if (nic->first_message == NETWORK_NONE) nic->last_message = NETWORK_NONE;
    if (pair->current == index)
        put_back(rail_group, pair, index);
    else
        append_held(rail_group, pair, index);
    rail_group->limits.windows->nics[endpoint].held++;
}

nic_admission nic_windows_admit(struct rail_group *rail_group, uint32_t endpoint,
                                uint32_t payload) {
    const struct network *network = rail_group->network;
    struct nic_window *nic = &rail_group->limits.windows->nics[endpoint];
    uint32_t bytes = nic_windows_bytes_of_payload(rail_group->network, payload);
    int64_t window_bytes = network->config.nic_window_bytes;
    nic->is_closed = window_bytes > 0 && nic->outstanding_bytes + bytes > (uint64_t)window_bytes;
    if (nic->is_closed) return NIC_CLOSED;
    if (!network->nics.has_pairs) return NIC_ADMITTED;
    uint32_t index = rail_group->nics[endpoint].first_message;
    struct nic_pair *pair =
        find_pair(rail_group, endpoint, rail_group->messages.items[index].destination);
    if (pair == NULL) return NIC_ADMITTED;
    bool others_first = pair->held_first != NETWORK_NONE && pair->current != index;
    if (!others_first && pair_may_send(rail_group, pair, bytes)) return NIC_ADMITTED;
    hold_message(rail_group, endpoint, pair);
    return NIC_HELD;
}

static void end_idle(struct rail_group *rail_group, uint32_t endpoint) {
    struct nic_window *nic = &rail_group->limits.windows->nics[endpoint];
    if (nic->idle_since_ps == EVENT_NEVER) return;
    rail_group->counts.held_ps[endpoint] += rail_group->home->now_ps - nic->idle_since_ps;
    nic->idle_since_ps = EVENT_NEVER;
}

bool nic_windows_send(struct rail_group *rail_group, uint32_t endpoint, uint32_t destination,
                      uint32_t payload) {
    uint32_t bytes = nic_windows_bytes_of_payload(rail_group->network, payload);
    end_idle(rail_group, endpoint);
    rail_group->limits.windows->nics[endpoint].outstanding_bytes += bytes;
    if (!rail_group->network->nics.has_pairs) return false;
    struct nic_pair *pair = find_or_add_pair(rail_group, endpoint, destination);
    if (pair == NULL) return false;
    pair->outstanding_bytes += bytes;
    if (pair->held_first == NETWORK_NONE) return false;
    pair->current = NETWORK_NONE;
    make_pair_due(rail_group, endpoint, pair);
    return true;
}

void nic_windows_hold(struct rail_group *rail_group, uint32_t endpoint, uint32_t message) {
    struct nic_pair *pair =
        find_pair(rail_group, endpoint, rail_group->messages.items[message].destination);
    append_held(rail_group, pair, message);
    rail_group->limits.windows->nics[endpoint].held++;
}

/* Returns the bytes that the next packet of a message counts. */
static uint32_t next_bytes(const struct rail_group *rail_group, uint32_t index) {
    uint64_t max = (uint64_t)rail_group->network->config.packet_bytes;
    uint64_t left = rail_group->messages.items[index].left_bytes;
    return nic_windows_bytes_of_payload(rail_group->network, (uint32_t)(left < max ? left : max));
}

/* Makes a NIC send itself a notice about a pair at time_ps. */
static void set_timer(struct rail_group *rail_group, uint32_t endpoint, const struct nic_pair *pair,
                      uint8_t kind, int64_t time_ps) {
    uint32_t index = network_packet_new(rail_group);
    if (index == NETWORK_NONE) return;
    rail_group->packets.items[index] = (struct network_packet){
        .packet_destination = (uint32_t)pair->key,
        .packet_source =
            rail_group->group * rail_group->network->topology.endpoints_per_group + endpoint,
        .message = NETWORK_NONE,
        .notice_mark = NETWORK_NOTICE_MARK,
        .notice = kind,
    };
    event_queue_insert(&rail_group->events, time_ps, NETWORK_EVENT(NETWORK_EVENT_NOTICE, index, 0));
}

/* Returns from when on a pair that was told of congestion sends as if it had not been. */
static int64_t forget_ps(const struct nic_pair *pair) {
    return pair->resume_ps + NETWORK_CONGESTION_DOUBLINGS * pair->recovery_ps;
}

/* Sets the timers that a pair lacks. One timer of a kind is enough: if a later notice of congestion
 * has put off what a timer waits for, the next timer is set when this one expires. A later notice
 * may also let the window recover sooner; then the pair remembers congestion for longer than it
 * need. */
static void set_timers(struct rail_group *rail_group, uint32_t endpoint, struct nic_pair *pair) {
    if (!pair->is_congested) return;
    if (!pair->has_resume_timer && pair->resume_ps > rail_group->now_ps) {
        pair->has_resume_timer = true;
        set_timer(rail_group, endpoint, pair, NETWORK_NOTICE_RESUME, pair->resume_ps);
    }
    if (pair->has_forget_timer) return;
    pair->has_forget_timer = true;
    set_timer(rail_group, endpoint, pair, NETWORK_NOTICE_FORGET, forget_ps(pair));
}

void nic_windows_release(struct rail_group *rail_group, uint32_t endpoint) {
    struct nic_window *nic = &rail_group->limits.windows->nics[endpoint];
    while (nic->first_due != NETWORK_NONE) {
        struct nic_pair *pair = find_pair(rail_group, endpoint, nic->first_due);
        nic->first_due = pair->next_due;
        pair->next_due = NETWORK_NONE;
        pair->is_due = false;
        set_timers(rail_group, endpoint, pair);
        uint32_t index = pair->current == NETWORK_NONE ? pair->held_first : NETWORK_NONE;
        if (index == NETWORK_NONE ||
            !pair_may_send(rail_group, pair, next_bytes(rail_group, index))) {
            remove_if_idle(rail_group, pair);
            continue;
        }
        pair->held_first = rail_group->messages.items[index].next;
        pair->current = pair->held_first != NETWORK_NONE ? index : NETWORK_NONE;
        nic_classes_append(rail_group, endpoint, index);
        nic->held--;
        remove_if_idle(rail_group, pair);
    }
}

void nic_windows_record_idle(struct rail_group *rail_group, uint32_t endpoint) {
    struct nic_window *nic = &rail_group->limits.windows->nics[endpoint];
    if (nic->idle_since_ps == EVENT_NEVER && (nic->is_closed || nic->held > 0))
        nic->idle_since_ps = rail_group->now_ps;
}

static int compare_keys(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

/* Returns the keys of all pairs in ascending order, which the caller frees. NULL: out of memory. */
static uint64_t *sorted_keys(const struct nic_pair_map *pairs) {
    uint64_t *keys = memory_new(pairs->count + 1, sizeof *keys);
    if (keys == NULL) return NULL;
    size_t count = 0;
    for (uint32_t i = 0; i < pairs->capacity; i++)
        if (pairs->entries[i].is_used) keys[count++] = pairs->entries[i].key;
    qsort(keys, count, sizeof *keys, compare_keys);
    return keys;
}

void nic_windows_release_all(struct rail_group *rail_group) {
    struct nic_windows *windows = rail_group->limits.windows;
    uint32_t count = windows->pairs.count;
    uint64_t *keys = sorted_keys(&windows->pairs);
    if (keys == NULL) {
        rail_group->failure.out_of_memory = true;
        return;
    }
    uint32_t endpoints = rail_group->network->topology.endpoints_per_group;
    for (uint32_t endpoint = 0; endpoint < endpoints; endpoint++) {
        windows->nics[endpoint].held = 0;
        windows->nics[endpoint].first_due = NETWORK_NONE;
        windows->nics[endpoint].is_closed = false;
        end_idle(rail_group, endpoint);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct nic_pair *pair = nic_pair_map_find(&windows->pairs, &keys[i]);
        uint32_t endpoint = (uint32_t)(pair->key >> 32);
        append_all(rail_group, endpoint, pair->held_first);
        pair->held_first = pair->current = pair->next_due = NETWORK_NONE;
        pair->is_due = false;
        make_pair_due(rail_group, endpoint, pair);
        remove_if_idle(rail_group, pair);
    }
    for (uint32_t endpoint = 0; endpoint < endpoints; endpoint++)
        if (has_messages(rail_group, endpoint))
            bitset_add(&rail_group->allocation.due_allocators,
                       rail_group->network->tables.ports + endpoint);
    free(keys);
}

/* ---------------------------------------------------------------- notices */

static void take_acknowledgement(struct rail_group *rail_group, uint32_t endpoint,
                                 uint32_t destination, uint32_t bytes) {
    struct nic_window *nic = &rail_group->limits.windows->nics[endpoint];
    nic->outstanding_bytes -= bytes;
    if (nic->is_closed)
        bitset_add(&rail_group->allocation.due_allocators,
                   rail_group->network->tables.ports + endpoint);
    if (!rail_group->network->nics.has_pairs) return;
    struct nic_pair *pair = find_pair(rail_group, endpoint, destination);
    pair->outstanding_bytes -= bytes;
    make_pair_due(rail_group, endpoint, pair);
    remove_if_idle(rail_group, pair);
}

/* Returns the time after which the window of a source doubles that may send again at resume_ps: the
 * longer it has to wait, the more sources the port has. */
static int64_t recovery_of_notice_ps(const struct rail_group *rail_group, int64_t resume_ps) {
    const struct network_config *config = &rail_group->network->config;
    int64_t min_ps = config->congestion_recovery_ps;
    if (resume_ps <= rail_group->now_ps || config->congestion_recovery_waits_millionths == 0)
        return min_ps;
    wide recovery_ps = (wide)(uint64_t)(resume_ps - rail_group->now_ps) *
                       (uint64_t)config->congestion_recovery_waits_millionths / 1000000u;
    return recovery_ps > (uint64_t)min_ps ? (int64_t)recovery_ps : min_ps;
}

static void take_congestion(struct rail_group *rail_group, uint32_t endpoint, uint32_t destination,
                            int64_t resume_ps) {
    struct nic_pair congested = {.resume_ps = resume_ps,
                                 .recovery_ps = recovery_of_notice_ps(rail_group, resume_ps)};
    if (forget_ps(&congested) <= rail_group->now_ps) return;
    struct nic_pair *pair = find_or_add_pair(rail_group, endpoint, destination);
    if (pair == NULL) return;
    if (!pair->is_congested || pair->resume_ps < resume_ps) {
        pair->resume_ps = congested.resume_ps;
        pair->recovery_ps = congested.recovery_ps;
    }
    pair->is_congested = true;
    make_pair_due(rail_group, endpoint, pair);
}

static void take_timer(struct rail_group *rail_group, uint32_t endpoint, uint32_t destination,
                       bool forget) {
    struct nic_pair *pair = find_pair(rail_group, endpoint, destination);
    if (forget) {
        pair->has_forget_timer = false;
        if (forget_ps(pair) <= rail_group->now_ps) pair->is_congested = false;
    } else {
        pair->has_resume_timer = false;
    }
    make_pair_due(rail_group, endpoint, pair);
    remove_if_idle(rail_group, pair);
}

void nic_windows_take_notice(struct rail_group *rail_group, uint32_t index) {
    const struct network_packet notice = rail_group->packets.items[index];
    network_packet_free(rail_group, index);
    uint32_t endpoint = notice.packet_source -
                        rail_group->group * rail_group->network->topology.endpoints_per_group;
    switch (notice.notice) {
    case NETWORK_NOTICE_RECEIVED:
        take_acknowledgement(rail_group, endpoint, notice.packet_destination,
                             notice.acknowledged_bytes);
        break;
    case NETWORK_NOTICE_CONGESTED:
        take_congestion(rail_group, endpoint, notice.packet_destination, notice.resume_ps);
        break;
    default:
        take_timer(rail_group, endpoint, notice.packet_destination,
                   notice.notice == NETWORK_NOTICE_FORGET);
    }
}
