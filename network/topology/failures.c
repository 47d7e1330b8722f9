/* Reads failures from a file, or draws routers and links at random, and marks the parts of the
 * machine that have failed. */
#include "network/topology/failures.h"

#include "core/memory/memory.h"
#include "core/settings/line_reader.h"
#include "core/settings/units.h"
#include "core/simulation/random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FAILURE_FORM                                                                               \
    "`router GROUP ROUTER`, `local GROUP ROUTER ROUTER [LINK]` or `global GROUP ROUTER LINK`, "    \
    "each "                                                                                        \
    "after `rail RAIL` if it is of one rail only"

/* ---------------------------------------------------------------- one failure */

static void fail_local(struct failures *failures, const struct topology *topology, uint32_t router,
                       uint32_t port) {
    uint32_t inside = router % topology->routers_per_group,
             ports = topology->group_shape.ports_per_router;
    struct group_end end = group_shape_end(&topology->group_shape, inside, port);
    uint8_t *failed = &failures->local_failed[(size_t)router * ports + port];
    failures->failed_locals += *failed == 0;
    *failed = 1;
    failures->local_failed[(size_t)(router - inside + end.router) * ports + end.port] = 1;
}

static void fail_global(struct failures *failures, struct topology *topology, uint32_t position) {
    uint32_t end = topology->link_peers[position];
    if (end == TOPOLOGY_UNCONNECTED) return;
    failures->failed_globals++;
    topology->link_peers[position] = topology->link_peers[end] = TOPOLOGY_UNCONNECTED;
}

static void fail_router(struct failures *failures, struct topology *topology, uint32_t router) {
    if (failures->router_failed[router]) return;
    failures->failed_routers++;
    failures->working_routers[router / topology->routers_per_group]--;
    failures->router_failed[router] = 1;
    for (uint32_t port = 0; port < topology->group_shape.ports_per_router; port++)
        fail_local(failures, topology, router, port);
    for (uint32_t k = 0; k < topology->globals_per_router; k++)
        fail_global(failures, topology, router * topology->globals_per_router + k);
}

/* ---------------------------------------------------------------- from a file */

struct failure_list {
    struct line_reader reader;
    struct failures *failures;
    struct topology *topology;
    uint32_t rail;  /* rail of the topology */
    uint32_t rails; /* rails of the machine */
    bool applies;   /* whether the line is about `rail` */
};

/* Reads the failure of the links between two routers, or of one of their parallel links. */
static void read_local(struct failure_list *list, uint32_t group, uint32_t router,
                       const char *start) {
    struct line_reader *reader = &list->reader;
    const struct topology *topology = list->topology;
    uint32_t other, wanted = UINT32_MAX, met = 0;
    if (!line_reader_read_number(reader, "router", topology->routers_per_group, &other)) return;
    uint32_t ports = topology->group_shape.ports_per_router, links = 0;
    for (uint32_t port = 0; port < ports; port++)
        links += group_shape_end(&topology->group_shape, router, port).router == other;
    if (other == router || links == 0) {
        LINE_FAULT(reader, start, "no local link joins router %" PRIu32 " with router %" PRIu32,
                   router, other);
        return;
    }
    if (!line_reader_at_end(reader) && !line_reader_read_number(reader, "link", links, &wanted))
        return;
    if (!line_reader_expect_end(reader, FAILURE_FORM)) return;
    for (uint32_t port = 0; port < ports; port++) {
        if (group_shape_end(&topology->group_shape, router, port).router != other) continue;
        if (list->applies && (wanted == UINT32_MAX || met == wanted))
            fail_local(list->failures, topology, group * topology->routers_per_group + router,
                       port);
        met++;
    }
}

static void read_global(struct failure_list *list, uint32_t router, const char *start) {
    struct line_reader *reader = &list->reader;
    struct topology *topology = list->topology;
    uint32_t link;
    if (topology->globals_per_router == 0) {
        LINE_FAULT(reader, start, "routers have no global links");
        return;
    }
    if (!line_reader_read_number(reader, "global link", topology->globals_per_router, &link))
        return;
    if (!line_reader_expect_end(reader, FAILURE_FORM)) return;
    if (list->applies)
        fail_global(list->failures, topology, router * topology->globals_per_router + link);
}

static void read_failure(struct failure_list *list) {
    struct line_reader *reader = &list->reader;
    const struct topology *topology = list->topology;
    const char *start = reader->cursor;
    char kind[16];
    uint32_t group, router;
    list->applies = true;
    if (!line_reader_read_word(reader, "a kind of failure", kind, sizeof kind)) return;
    if (strcmp(kind, "rail") == 0) {
        uint32_t rail;
        if (!line_reader_read_number(reader, "rail", list->rails, &rail)) return;
        list->applies = rail == list->rail;
        start = reader->cursor;
        if (!line_reader_read_word(reader, "a kind of failure", kind, sizeof kind)) return;
    }
    bool router_fails = strcmp(kind, "router") == 0, local = strcmp(kind, "local") == 0;
    if (!router_fails && !local && strcmp(kind, "global") != 0) {
        LINE_FAULT(reader, start, "`%s` cannot fail; write " FAILURE_FORM, kind);
        return;
    }
    if (!line_reader_read_number(reader, "group", topology->groups, &group)) return;
    if (!line_reader_read_number(reader, "router", topology->routers_per_group, &router)) return;
    uint32_t number = group * topology->routers_per_group + router;
    if (local)
        read_local(list, group, router, start);
    else if (!router_fails)
        read_global(list, number, start);
    else if (line_reader_expect_end(reader, FAILURE_FORM) && list->applies)
        fail_router(list->failures, list->topology, number);
}

static status_code read_failures(struct failures *failures, struct topology *topology,
                                 const struct network_config *config, uint32_t rail,
                                 struct status *status) {
    struct failure_list list = {
        .failures = failures, .topology = topology, .rail = rail, .rails = (uint32_t)config->rails};
    FORWARD_IF_ERROR(line_reader_open(&list.reader, config->failures_file, status));
    while (line_reader_next(&list.reader))
        read_failure(&list);
    return line_reader_close(&list.reader, status);
}

/* ---------------------------------------------------------------- at random */

typedef enum failure_kind { FAIL_ROUTER, FAIL_LOCAL, FAIL_GLOBAL } failure_kind;

/* Returns whether a part works. Of the two ends of a link, only the one with the lower number
 * counts. */
static bool has_not_failed(const struct failures *failures, const struct topology *topology,
                           failure_kind kind, uint32_t which) {
    if (kind == FAIL_ROUTER) return !failures->router_failed[which];
    if (kind == FAIL_GLOBAL)
        return topology->link_peers[which] != TOPOLOGY_UNCONNECTED &&
               topology->link_peers[which] > which;
    uint32_t inside = which / topology->group_shape.ports_per_router % topology->routers_per_group;
    return !failures->local_failed[which] &&
           group_shape_end(&topology->group_shape, inside,
                           which % topology->group_shape.ports_per_router)
                   .router > inside;
}

/* Fails `wanted` of the parts that work or, if it is negative, a share of them in millionths
 * (rounded, halves up). All sets of parts are equally likely (Durstenfeld's shuffle, as far as it
 * is needed). */
static status_code draw_failures(struct failures *failures, struct topology *topology,
                                 const struct network_config *config, uint32_t rail,
                                 failure_kind kind, int64_t wanted, struct status *status) {
    static const char *const names[] = {"routers", "local links", "global links"};
    static const char *const settings[] = {"routers", "locals", "globals"};
    if (wanted == 0) return STATUS_OK;
    const uint32_t routers = topology->groups * topology->routers_per_group;
    const uint32_t each[] = {1, topology->group_shape.ports_per_router,
                             topology->globals_per_router};
    uint32_t *intact = memory_new((size_t)routers * each[kind] + 1, sizeof *intact);
    RETURN_ERROR_IF(intact == NULL, status, STATUS_MEMORY, "out of memory for failures");
    uint32_t count = 0;
    for (uint32_t i = 0; i < routers * each[kind]; i++)
        if (has_not_failed(failures, topology, kind, i)) intact[count++] = i;
    if (wanted < 0) wanted = (-wanted * count - UNITS_AMOUNT_ALL / 2) / -UNITS_AMOUNT_ALL;
    if (wanted > count) {
        free(intact);
        return status_set(status, STATUS_USAGE,
                          "network.failures.%s is %" PRId64 ", but only %" PRIu32
                          " %s of the machine work without it; lower it",
                          settings[kind], wanted, count, names[kind]);
    }
    for (uint32_t i = 0; i < (uint32_t)wanted; i++) {
        struct random_block block =
            random_draw((uint64_t)config->failures_seed, RANDOM_FAILURE, rail << 8 | kind, i);
        uint32_t j = i + random_below(block.word[0], count - i);
        uint32_t chosen = intact[j];
        intact[j] = intact[i];
        if (kind == FAIL_ROUTER)
            fail_router(failures, topology, chosen);
        else if (kind == FAIL_GLOBAL)
            fail_global(failures, topology, chosen);
        else
            fail_local(failures, topology, chosen / each[kind], chosen % each[kind]);
    }
    free(intact);
    return STATUS_OK;
}

static status_code find_failures(struct failures *failures, struct topology *topology,
                                 const struct network_config *config, uint32_t rail,
                                 struct status *status) {
    size_t routers = (size_t)topology->groups * topology->routers_per_group;
    failures->router_failed = memory_new(routers, sizeof *failures->router_failed);
    failures->local_failed = memory_new(routers * topology->group_shape.ports_per_router + 1,
                                        sizeof *failures->local_failed);
    failures->working_routers = memory_new(topology->groups, sizeof *failures->working_routers);
    RETURN_ERROR_IF(!failures->router_failed || !failures->local_failed ||
                        !failures->working_routers,
                    status, STATUS_MEMORY, "out of memory for failures");
    for (uint32_t group = 0; group < topology->groups; group++)
        failures->working_routers[group] = topology->routers_per_group;
    if (config->failures_file[0] != '\0')
        FORWARD_IF_ERROR(read_failures(failures, topology, config, rail, status));
    FORWARD_IF_ERROR(draw_failures(failures, topology, config, rail, FAIL_ROUTER,
                                   config->failed_routers, status));
    FORWARD_IF_ERROR(
        draw_failures(failures, topology, config, rail, FAIL_LOCAL, config->failed_locals, status));
    return draw_failures(failures, topology, config, rail, FAIL_GLOBAL, config->failed_globals,
                         status);
}

status_code failures_new(struct failures **made, struct topology *topology,
                         const struct network_config *config, uint32_t rail,
                         struct status *status) {
    struct failures *failures = memory_new(1, sizeof *failures);
    RETURN_ERROR_IF(failures == NULL, status, STATUS_MEMORY, "out of memory for failures");
    status_code code = find_failures(failures, topology, config, rail, status);
    if (code == STATUS_OK)
        *made = failures;
    else
        failures_free(failures);
    return code;
}

void failures_free(struct failures *failures) {
    if (failures == NULL) return;
    free(failures->router_failed);
    free(failures->local_failed);
    free(failures->working_routers);
    free(failures);
}
