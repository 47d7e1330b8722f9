/* Reads names of links into numbers of the network, and writes the names of the links that were
 * chosen: the hottest ones, or those at which a rank waited longest. */
#include "api/run/watched_links.h"

#include "api/results/link_numbers.h"
#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char forms[] =
    "a link is 5-17 (from router 5 to router 17), n3-0 (from node 3) or "
    "0-n3 (to node 3), as links.csv numbers them; or hottest:N, or victim:RANK";

/* Reads an end of a link up to the character `last`. Returns what follows it, or NULL. */
static const char *read_end(const char *text, char last, bool *is_node, uint32_t *number) {
    char *end = NULL;
    *is_node = *text == 'n';
    text += *is_node;
    if (*text < '0' || *text > '9') return NULL;
    unsigned long long value = strtoull(text, &end, 10);
    if (value >= UINT32_MAX || *end != last) return NULL;
    *number = (uint32_t)value;
    return end + (last != '\0');
}

/* Reads victim:RANK, of which `text` is what follows the colon. */
static status_code read_victim(struct watched_links *links, anax_scope scope, const char *text,
                               struct status *status) {
    bool is_node;
    const char *end = read_end(text, '\0', &is_node, &links->victim);
    RETURN_ERROR_IF(scope != ANAX_SCOPE_REPLAY, status, STATUS_USAGE,
                    "record.links: `victim:%s`: only replays have ranks; name links", text);
    RETURN_ERROR_IF(end == NULL || is_node, status, STATUS_USAGE,
                    "record.links: `victim:%s`: write victim:RANK, with the number of a rank",
                    text);
    links->has_victim = true;
    return STATUS_OK;
}

status_code watched_links_check(const struct watched_links *links, uint32_t rank_count,
                                struct status *status) {
    RETURN_ERROR_IF(links->has_victim && links->victim >= rank_count, status, STATUS_USAGE,
                    "record.links: `victim:%" PRIu32 "`: the ranks are 0 to %" PRIu32,
                    links->victim, rank_count - 1);
    return STATUS_OK;
}

static status_code add_name(struct watched_links *links, anax_scope scope, const char *text,
                            struct status *status) {
    static const char hottest[] = "hottest:", victim[] = "victim:";
    struct network_link_name name = {0};
    if (strncmp(text, hottest, sizeof hottest - 1) == 0) {
        bool is_node;
        const char *end = read_end(text + sizeof hottest - 1, '\0', &is_node, &links->hottest);
        RETURN_ERROR_IF(scope != ANAX_SCOPE_REPLAY, status, STATUS_USAGE,
                        "record.links: `%s`: only replays find the hottest links; name links",
                        text);
        RETURN_ERROR_IF(end == NULL || is_node || links->hottest < 1 ||
                            links->hottest > LINK_NUMBERS_BUSIEST,
                        status, STATUS_USAGE, "record.links: `%s`: N is from 1 to %d", text,
                        LINK_NUMBERS_BUSIEST);
        return STATUS_OK;
    }
    if (strncmp(text, victim, sizeof victim - 1) == 0)
        return read_victim(links, scope, text + sizeof victim - 1, status);
    const char *rest = read_end(text, '-', &name.is_from_node, &name.source);
    if (rest != NULL) rest = read_end(rest, '\0', &name.is_to_node, &name.destination);
    RETURN_ERROR_IF(rest == NULL || (name.is_from_node && name.is_to_node), status, STATUS_USAGE,
                    "record.links: `%s`: %s", text, forms);
    links->names[links->count++] = name;
    return STATUS_OK;
}

status_code watched_links_read(struct watched_links *links, const anax_config *config,
                               anax_scope scope, struct status *status) {
    char *list = NULL, *rest = NULL;
    *links = (struct watched_links){0};
    if (config->record.links == NULL) return STATUS_OK;
    FORWARD_IF_ERROR(memory_copy_text(&list, config->record.links, status));
    links->names = memory_new(strlen(list) + 1, sizeof *links->names);
    status_code code = links->names != NULL
                           ? STATUS_OK
                           : status_set(status, STATUS_MEMORY, "out of memory for links");
    for (char *item = strtok_r(list, ",", &rest); item != NULL && code == STATUS_OK;
         item = strtok_r(NULL, ",", &rest))
        code = add_name(links, scope, item, status);
    if (code == STATUS_OK && (links->hottest > 0) + links->has_victim + (links->count > 0) > 1)
        code = status_set(status, STATUS_USAGE,
                          "record.links: hottest:N, victim:RANK and names of links; give one of "
                          "them");
    free(list);
    if (code != STATUS_OK) watched_links_free(links);
    return code;
}

void watched_links_free(struct watched_links *links) {
    free(links->names);
    *links = (struct watched_links){0};
}

static void add_link(char text[WATCHED_LINKS_BYTES], const struct network_link *link) {
    const bool to_node = link->channel_kind == NETWORK_TERMINAL && !link->is_injection;
    const size_t length = strlen(text);
    snprintf(text + length, WATCHED_LINKS_BYTES - length, "%s%s%" PRIu32 "-%s%" PRIu32,
             length > 0 ? "," : "", link->is_injection ? "n" : "", link->source, to_node ? "n" : "",
             link->destination);
}

void watched_links_write_hottest(char text[WATCHED_LINKS_BYTES], const struct network *network,
                                 uint32_t count) {
    struct link_numbers_busiest busiest;
    link_numbers_busiest(network, &busiest);
    text[0] = '\0';
    for (size_t i = 0; i < busiest.count && i < count; i++)
        add_link(text, &busiest.links[i]);
}

/* The links with the longest waits, the longest first; of equal ones the first. */
struct longest_waits {
    struct network_link links[LINK_NUMBERS_BUSIEST];
    int64_t waited_ps[LINK_NUMBERS_BUSIEST];
    size_t count;
};

static void keep_longest(void *context, const struct network_link *link, int64_t waited_ps) {
    struct longest_waits *waits = context;
    size_t place = waits->count;
    while (place > 0 && waits->waited_ps[place - 1] < waited_ps)
        place--;
    if (place == LINK_NUMBERS_BUSIEST) return;
    if (waits->count < LINK_NUMBERS_BUSIEST) waits->count++;
    for (size_t i = waits->count - 1; i > place; i--) {
        waits->links[i] = waits->links[i - 1];
        waits->waited_ps[i] = waits->waited_ps[i - 1];
    }
    waits->links[place] = *link;
    waits->waited_ps[place] = waited_ps;
}

void watched_links_write_waits(char text[WATCHED_LINKS_BYTES], const struct network *network) {
    struct longest_waits waits = {.count = 0};
    network_visit_waits(network, keep_longest, &waits);
    text[0] = '\0';
    for (size_t i = 0; i < waits.count; i++)
        add_link(text, &waits.links[i]);
}
