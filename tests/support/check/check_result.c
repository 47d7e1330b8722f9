/* Which schema has which rules, and the head that results of runs share. */
#include "tests/support/check/check_result.h"

#include "core/settings/units.h"

#include <string.h>

struct schema {
    const char *name;
    void (*check)(const struct place *result, const char *folder);
    bool may_be_incomplete;
};

static const struct schema schemas[] = {
    {"anax.replay/2", check_replay, true},         {"anax.traffic/2", check_traffic, true},
    {"anax.compare/2", check_comparison, true},    {"anax.search/1", check_search, false},
    {"anax.place/2", check_placement, false},      {"anax.topology/2", check_topologies, false},
    {"anax.bisection/2", check_bisections, false}, {"anax.info/1", check_trace_facts, false},
    {"anax.program/1", check_schedule, false},     {"anax.calibration/1", check_calibration, false},
};

void check_result(struct check *check, const char *text, size_t size, const char *folder) {
    struct place result;
    if (!place_open(&result, check, text, size)) return;
    const char *name = place_text(&result, "schema");
    place_named(&result, "version");
    place_none_negative(&result);
    const struct schema *found = NULL;
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++)
        if (strcmp(schemas[i].name, name) == 0) found = &schemas[i];
    if (check_that(check, found != NULL, "`%s` is no schema of a result", name)) {
        if (found->may_be_incomplete && check->completed)
            check_that(check, place_flag(&result, "completed"), "the run did not finish");
        found->check(&result, folder);
    }
    place_close(&result);
}

/* ---------------------------------------------------------------------------- configuration */

const char *config_text(const struct place *result, const char *name) {
    struct place configuration = place_key(result, "configuration");
    return place_text(&configuration, name);
}

static whole config_value(const struct place *result, const char *name,
                          status_code (*read)(const char *text, int64_t *value,
                                              struct status *status)) {
    const char *text = config_text(result, name);
    int64_t value = 0;
    check_that(result->check, read(text, &value, NULL) == STATUS_OK,
               "configuration: %s: `%s` cannot be read", name, text);
    return value;
}

whole config_size(const struct place *result, const char *name) {
    return config_value(result, name, units_parse_size);
}

whole config_time(const struct place *result, const char *name) {
    return config_value(result, name, units_parse_time);
}

whole config_bandwidth(const struct place *result, const char *name) {
    return config_value(result, name, units_parse_bandwidth);
}

whole config_ratio(const struct place *result, const char *name) {
    return config_value(result, name, units_parse_ratio);
}

whole config_count(const struct place *result, const char *name) {
    return config_value(result, name, units_parse_count);
}

static const char *const more_locals[] = {"network.local2.bandwidth", "network.local3.bandwidth"};

bool check_unequal_locals(const struct place *result) {
    return config_bandwidth(result, more_locals[0]) > 0 ||
           config_bandwidth(result, more_locals[1]) > 0;
}

whole check_bandwidth_of(const struct place *result, const char *kind) {
    char setting[64];
    snprintf(setting, sizeof setting, "network.%s.framing", kind);
    int64_t share = config_value(result, setting, units_parse_share);
    snprintf(setting, sizeof setting, "network.%s.bandwidth", kind);
    whole bandwidth = config_bandwidth(result, setting);
    if (strcmp(kind, "local") == 0)
        for (int i = 0; i < 2; i++) {
            whole more = config_bandwidth(result, more_locals[i]);
            if (more > bandwidth) bandwidth = more;
        }
    return share > 0 ? whole_times(bandwidth, share >> 32) / (share & UINT32_MAX) : bandwidth;
}

static whole whole_flits(const struct place *result, whole bytes) {
    whole flit = config_size(result, "network.flit");
    return flit > 1 ? whole_times((bytes + flit - 1) / flit, flit) : bytes;
}

whole check_packet_bytes(const struct place *result, whole payload) {
    whole header = config_size(result, "network.header"),
          cell = config_size(result, "network.cell");
    whole cell_header = config_size(result, "network.cell_header");
    whole bytes = cell > 0 ? whole_flits(result, header) : whole_flits(result, header + payload);
    if (cell > 0) {
        whole rest = payload % cell;
        bytes += whole_times(payload / cell, whole_flits(result, cell + cell_header));
        if (rest > 0 || payload == 0) bytes += whole_flits(result, rest + cell_header);
    }
    return bytes > 0 ? bytes : 1;
}

bool config_acknowledges(const struct place *result) {
    return strcmp(config_text(result, "network.acknowledgement"), "off") != 0;
}

/* ---------------------------------------------------------------------------- machine */

static bool may_fail(const struct place *result) {
    return strcmp(config_text(result, "network.failures.file"), "") != 0 ||
           strcmp(config_text(result, "network.failures.routers"), "0") != 0 ||
           strcmp(config_text(result, "network.failures.locals"), "0") != 0 ||
           strcmp(config_text(result, "network.failures.globals"), "0") != 0;
}

void check_machine_nodes(const struct place *machine) {
    whole in_rail =
        whole_times(place_whole(machine, "groups"), place_whole(machine, "routers_per_group"));
    whole ports = whole_times(in_rail, place_whole(machine, "nodes_per_router"));
    whole nics = place_whole(machine, "nics_per_node");
    place_equals(machine, "nodes", nics > 0 ? ports / nics : 0,
                 "nodes of the NICs of all routers of all groups");
    place_that(machine, nics > 0 && ports % nics == 0, "a node lacks NICs");
    place_at_least(machine, "routers_per_node", 1, "one");
    place_at_most(machine, "routers_per_node", nics, "the NICs of a node");
    place_whole(machine, "injection_bytes_per_s");
}

void check_machine_of(const struct place *result, struct check_machine *machine) {
    struct place at = place_key(result, "machine");
    place_named(&at, "name");
    place_named(&at, "arrangement");
    *machine = (struct check_machine){
        .groups = place_whole(&at, "groups"),
        .rails = place_whole(&at, "rails"),
        .nics = config_count(result, "network.node.nics"),
        .nodes_per_router = place_whole(&at, "nodes_per_router"),
        .routers_per_group = place_whole(&at, "routers_per_group"),
        .fails = may_fail(result),
    };
    whole in_rail = machine->groups * machine->routers_per_group;
    machine->nodes = in_rail * machine->nodes_per_router / (machine->nics > 0 ? machine->nics : 1);
    machine->routers = in_rail * machine->rails;
    check_machine_nodes(&at);
    place_equals(&at, "routers", machine->routers, "routers of all groups in all rails");
    static const char *const counts[] = {"groups", "rails", "nodes_per_router", "routers_per_group",
                                         "globals_per_router"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char setting[64];
        snprintf(setting, sizeof setting, "network.%s", counts[i]);
        place_equals(&at, counts[i], config_count(result, setting), setting);
    }
    place_equals(&at, "nics_per_node", machine->nics, "the setting network.node.nics");
    place_equals(
        &at, "injection_bytes_per_s",
        whole_times(machine->rails * machine->nics, check_bandwidth_of(result, "terminal")),
        "the channels of a node's NICs");
    place_equals(result, "seed", config_count(result, "seed"), "the setting seed");
}

/* ---------------------------------------------------------------------------- traces */

static void check_list(const struct place *result, const char *key) {
    struct place notes = place_key(result, key);
    for (size_t i = 0; i < place_count(&notes); i++) {
        struct place note = place_item(&notes, i);
        place_named(&note, "what");
        place_named(&note, "why");
        place_at_least(&note, "count", 1, "one");
    }
}

void check_trace_head(const struct place *result) {
    struct place trace = place_key(result, "trace");
    place_named(&trace, "path");
    place_text(&trace, "creator");
    place_hash(&trace, "hash");
    place_at_least(&trace, "ranks", 1, "one rank");
    place_whole(&trace, "events");
    place_whole(&trace, "span_ps");
    whole messages = place_whole(&trace, "messages");
    place_at_most(&trace, "message_bytes", whole_times(messages, (whole)1 << 48),
                  "so many of the largest messages");
    place_at_most(&trace, "unmatched_sends", messages, "all messages");
    place_whole(&trace, "unmatched_sends");
    place_whole(&trace, "unmatched_receives");
}

void check_mpi_of_machine(const struct place *result) {
    struct place settings = place_key(result, "mpi_of_machine"),
                 changes = place_key(result, "settings_changed");
    for (size_t i = 0; place_key_at(&settings, i) != NULL; i++) {
        const char *name = place_key_at(&settings, i), *value = place_text(&settings, name);
        place_that(&settings, strncmp(name, "mpi.", 4) == 0, "%s is no setting of MPI", name);
        bool holds = strcmp(config_text(result, name), value) == 0;
        for (size_t k = 0; k < place_count(&changes); k++) {
            struct place change = place_item(&changes, k);
            holds = holds || (strcmp(place_text(&change, "name"), name) == 0 &&
                              strcmp(place_text(&change, "default"), value) == 0);
        }
        place_that(&settings, holds, "%s is neither the run's nor the default of a change", name);
    }
}

void check_notes(const struct place *result) {
    check_list(result, "not_modelled");
    check_list(result, "assumed");
}
