/* Keeps the label of each message record and of each packet in arrays beside their pools, and
 * copies labels from messages to packets and between groups. */
#include "network/engine/measurement/labels.h"

#include "core/memory/memory.h"

#include <stdlib.h>

struct label_list {
    struct network_label *items; /* by index in the rail group's pool */
    size_t capacity;
};

struct labels {
    struct network_label next; /* of the next message */
    struct label_list messages;
    struct label_list packets;
};

static const struct network_label empty_label;

struct labels *labels_new(void) {
    return memory_new(1, sizeof(struct labels));
}

void labels_free(struct labels *labels) {
    if (labels == NULL) return;
    free(labels->messages.items);
    free(labels->packets.items);
    free(labels);
}

static void put_label(struct rail_group *rail_group, struct label_list *list, uint32_t index,
                      const struct network_label *label) {
    const struct network_label given = *label; /* a copy: it may be an item of a list that moves */
    void *items = list->items;
    if (memory_grow(&items, &list->capacity, (size_t)index + 1, sizeof *list->items, NULL) !=
        STATUS_OK) {
        rail_group->failure.out_of_memory = true;
        return;
    }
    list->items = items;
    list->items[index] = given;
}

static const struct network_label *label_at(const struct label_list *list, uint32_t index) {
    return index < list->capacity ? &list->items[index] : &empty_label;
}

void labels_set_next(struct rail_group *rail_group, const struct network_label *label) {
    rail_group->observers.labels->next = *label;
}

void labels_label_message(struct rail_group *rail_group, uint32_t message) {
    put_label(rail_group, &rail_group->observers.labels->messages, message,
              &rail_group->observers.labels->next);
    rail_group->observers.labels->next = empty_label;
}

void labels_move_message(struct rail_group *from, uint32_t message, struct rail_group *to,
                         uint32_t moved) {
    put_label(to, &to->observers.labels->messages, moved,
              label_at(&from->observers.labels->messages, message));
}

void labels_label_packet(struct rail_group *rail_group, uint32_t packet, uint32_t endpoint,
                         uint32_t virtual_network) {
    const struct network_label *label = &empty_label;
    const uint32_t message = rail_group->nics[endpoint].first_message;
    bool is_response = virtual_network == (uint32_t)rail_group->network->config.classes;
    if (message != NETWORK_NONE && !is_response) {
        uint32_t parent = rail_group->messages.items[message].parent;
        label = parent != NETWORK_NONE
                    ? label_at(&rail_group->home->observers.labels->messages, parent)
                    : label_at(&rail_group->observers.labels->messages, message);
    }
    labels_put(rail_group, packet, label);
}

void labels_put(struct rail_group *rail_group, uint32_t packet, const struct network_label *label) {
    put_label(rail_group, &rail_group->observers.labels->packets, packet, label);
}

const struct network_label *labels_of(const struct rail_group *rail_group, uint32_t packet) {
    return label_at(&rail_group->observers.labels->packets, packet);
}
