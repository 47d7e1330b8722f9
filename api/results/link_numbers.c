/* Visits all links of a network and keeps the busiest ones, or those between groups in order. Also
 * writes the names of links. */
#include "api/results/link_numbers.h"

#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t link_numbers_span_ps(const struct network *network, int64_t time_ps) {
    const int64_t end_ps = network_links_end_ps(network);
    return end_ps > time_ps ? end_ps : time_ps;
}

const char *link_numbers_span_name(int64_t span_ps, int64_t time_ps) {
    return span_ps > time_ps ? "the time until the last channel is idle" : "the run";
}

const char *link_numbers_kind(const struct network_link *link) {
    static const char *const names[NETWORK_CHANNEL_KINDS] = {"ejection", "local", "global"};
    return link->is_injection ? "injection" : names[link->channel_kind];
}

void link_numbers_source(const struct network_link *link, char *text, size_t size) {
    snprintf(text, size, "%s %" PRIu32, link->is_injection ? "node" : "router", link->source);
}

void link_numbers_destination(const struct network_link *link, char *text, size_t size) {
    bool node = link->channel_kind == NETWORK_TERMINAL && !link->is_injection;
    snprintf(text, size, "%s %" PRIu32, node ? "node" : "router", link->destination);
}

static void keep_busiest(void *context, const struct network_link *link) {
    struct link_numbers_busiest *busiest = context;
    if (link->packets == 0) return;
    size_t place = busiest->count;
    while (place > 0 && busiest->links[place - 1].busy_ps < link->busy_ps)
        place--;
    if (place == LINK_NUMBERS_BUSIEST) return;
    if (busiest->count < LINK_NUMBERS_BUSIEST) busiest->count++;
    memmove(&busiest->links[place + 1], &busiest->links[place],
            (busiest->count - place - 1) * sizeof *busiest->links);
    busiest->links[place] = *link;
}

void link_numbers_busiest(const struct network *network, struct link_numbers_busiest *busiest) {
    busiest->count = 0;
    network_visit_links(network, keep_busiest, busiest);
}

struct global_links {
    struct network_link *links;
    size_t count;
    size_t capacity;
    bool failed;
};

static void keep_global(void *context, const struct network_link *link) {
    struct global_links *globals = context;
    if (link->channel_kind != NETWORK_GLOBAL || globals->failed) return;
    void *array = globals->links;
    globals->failed = memory_grow(&array, &globals->capacity, globals->count + 1,
                                  sizeof *globals->links, NULL) != STATUS_OK;
    globals->links = array;
    if (!globals->failed) globals->links[globals->count++] = *link;
}

static int by_groups(const void *first, const void *second) {
    const struct network_link *a = first;
    const struct network_link *b = second;
    if (a->source_group != b->source_group) return a->source_group < b->source_group ? -1 : 1;
    if (a->destination_group != b->destination_group)
        return a->destination_group < b->destination_group ? -1 : 1;
    return 0;
}

status_code link_numbers_globals(const struct network *network, struct network_link **links,
                                 size_t *count, struct status *status) {
    struct global_links globals = {0};
    network_visit_links(network, keep_global, &globals);
    if (globals.failed) {
        free(globals.links);
        return status_set(status, STATUS_MEMORY, "out of memory for the table of groups");
    }
    if (globals.count > 0) qsort(globals.links, globals.count, sizeof *globals.links, by_groups);
    *links = globals.links;
    *count = globals.count;
    return STATUS_OK;
}
