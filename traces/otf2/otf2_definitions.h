/*
 * The definitions of an OTF2 archive as plain C, in the archive's own ids.
 *
 * Must not know: the OTF2 library (the reader fills this), programs. Invariant once finished:
 * each array is sorted by id, without duplicates, and ids that are not defined are found nowhere.
 */
#ifndef ANAX_TRACES_OTF2_DEFINITIONS_H
#define ANAX_TRACES_OTF2_DEFINITIONS_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OTF2_NOT_DEFINED UINT32_MAX

struct otf2_string {
    uint32_t id;
    size_t offset; /* in texts */
};

struct otf2_region {
    uint32_t id;
    uint32_t name; /* id of a string */
    bool is_mpi;   /* its paradigm is MPI */
};

struct otf2_location {
    uint64_t id;
    uint64_t event_count;
    uint32_t process; /* id of its location group */
};

typedef enum otf2_group_kind {
    OTF2_GROUP_LOCATIONS, /* members: location ids, in the order that other groups index */
    OTF2_GROUP_RANKS,     /* members: indices into the OTF2_GROUP_LOCATIONS group */
    OTF2_GROUP_SELF       /* no members: every rank, each alone */
} otf2_group_kind;

/* Only groups of the MPI paradigm are kept. Its members are given apart. */
struct otf2_group {
    uint32_t id;
    uint32_t name;
    otf2_group_kind kind;
    bool is_global; /* records name members of OTF2_GROUP_LOCATIONS, and not of this group */
    size_t first;   /* in members */
    uint32_t size;
};

struct otf2_communicator {
    uint32_t id;
    uint32_t name;
    uint32_t group;        /* id of a group; of an intercommunicator: its group A */
    uint32_t parent;       /* id; OTF2_NOT_DEFINED: none */
    uint32_t remote_group; /* group B; OTF2_NOT_DEFINED unless it is an intercommunicator */
};

/* An RMA window. */
struct otf2_window {
    uint32_t id;
    uint32_t communicator; /* id */
};

struct otf2_definitions {
    uint64_t ticks_per_second;
    uint64_t global_offset_ticks;
    uint64_t length_ticks; /* of the trace; 0: not stated */
    char *creator;
    char *texts;
    struct otf2_string *strings;
    struct otf2_region *regions;
    struct otf2_location *locations;
    struct otf2_group *groups;
    uint64_t *members;
    struct otf2_communicator *communicators;
    struct otf2_window *windows;
    size_t text_bytes, string_count, region_count, location_count, group_count, member_count,
        communicator_count, window_count;
    size_t text_capacity, string_capacity, region_capacity, location_capacity, group_capacity,
        member_capacity, communicator_capacity, window_capacity;
};

status_code otf2_definitions_add_string(struct otf2_definitions *definitions, uint32_t id,
                                        const char *text, struct status *status);
status_code otf2_definitions_add_region(struct otf2_definitions *definitions,
                                        struct otf2_region region, struct status *status);
status_code otf2_definitions_add_location(struct otf2_definitions *definitions,
                                          struct otf2_location location, struct status *status);
status_code otf2_definitions_add_group(struct otf2_definitions *definitions,
                                       struct otf2_group group, const uint64_t *members,
                                       struct status *status);
status_code otf2_definitions_add_communicator(struct otf2_definitions *definitions,
                                              struct otf2_communicator communicator,
                                              struct status *status);
status_code otf2_definitions_add_window(struct otf2_definitions *definitions,
                                        struct otf2_window window, struct status *status);

/* Sorts; of several definitions with one id the first counts. */
status_code otf2_definitions_finish(struct otf2_definitions *definitions, struct status *status);
void otf2_definitions_clear(struct otf2_definitions *definitions);

/* "" for strings that are not defined. */
const char *otf2_definitions_text(const struct otf2_definitions *definitions, uint32_t string);
/* The group of MPI's COMM_LOCATIONS (of several the largest); NULL: the archive has none. */
const struct otf2_group *otf2_definitions_ranks(const struct otf2_definitions *definitions);
/* The group of that id, of COMM_LOCATIONS only if there is no other; NULL: there is none (or not of
 * the MPI paradigm). */
const struct otf2_group *otf2_definitions_group(const struct otf2_definitions *definitions,
                                                uint32_t id);
/* Index of a region, location or communicator; SIZE_MAX: not defined. */
size_t otf2_definitions_search_region(const struct otf2_definitions *definitions, uint32_t id);
size_t otf2_definitions_find_location(const struct otf2_definitions *definitions, uint64_t id);
size_t otf2_definitions_search_communicator(const struct otf2_definitions *definitions,
                                            uint32_t id);
size_t otf2_definitions_find_window(const struct otf2_definitions *definitions, uint32_t id);

/* Tracers count ids from 0, mostly, and every event names a region. */
static inline size_t otf2_definitions_find_region(const struct otf2_definitions *definitions,
                                                  uint32_t id) {
    if (id < definitions->region_count && definitions->regions[id].id == id) return id;
    return otf2_definitions_search_region(definitions, id);
}

static inline size_t otf2_definitions_find_communicator(const struct otf2_definitions *definitions,
                                                        uint32_t id) {
    if (id < definitions->communicator_count && definitions->communicators[id].id == id) return id;
    return otf2_definitions_search_communicator(definitions, id);
}

#endif
