/*
 * The definitions of an OTF2 archive as plain C structures, with the archive's own ids.
 *
 * Must not know: the OTF2 library (the reader fills the structures), programs. Invariant once
 * finished: each array is sorted by id and has no duplicates.
 */
#ifndef ANAX_TRACES_OTF2_DEFINITIONS_H
#define ANAX_TRACES_OTF2_DEFINITIONS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OTF2_NOT_DEFINED UINT32_MAX

struct otf2_string {
    uint32_t id;
    size_t offset; /* index in texts */
};

struct otf2_region {
    uint32_t id;
    uint32_t name; /* id of a string */
    bool is_mpi;   /* true if its paradigm is MPI */
};

struct otf2_location {
    uint64_t id;
    uint64_t event_count;
    uint32_t process; /* id of its location group */
};

typedef enum otf2_group_kind {
    OTF2_GROUP_LOCATIONS, /* members: ids of locations, in the order to which other groups refer */
    OTF2_GROUP_RANKS,     /* members: indices in the OTF2_GROUP_LOCATIONS group */
    OTF2_GROUP_SELF       /* no members: every rank has a communicator of its own */
} otf2_group_kind;

/* A group of the MPI paradigm. Groups of other paradigms are left out. */
struct otf2_group {
    uint32_t id;
    uint32_t name;
    otf2_group_kind kind;
    bool is_global; /* true if records name members of OTF2_GROUP_LOCATIONS in place of members of
                       this group */
    size_t first;   /* index in members of the first member */
    uint32_t size;
};

struct otf2_communicator {
    uint32_t id;
    uint32_t name;
    uint32_t group;        /* id of a group; intercommunicator: id of its group A */
    uint32_t parent;       /* id of the parent; OTF2_NOT_DEFINED: none */
    uint32_t remote_group; /* id of group B of an intercommunicator; OTF2_NOT_DEFINED for other
                              communicators */
};

/* An RMA window. */
struct otf2_rma_window {
    uint32_t id;
    uint32_t communicator; /* id of its communicator */
};

/* A definition of which only the name counts. */
struct otf2_named {
    uint32_t id;
    uint32_t name;
};

struct otf2_named_list {
    struct otf2_named *items;
    size_t count, capacity;
};

/* A handle of a file. */
struct otf2_handle {
    uint32_t id;
    uint32_t file;
    uint32_t paradigm;
};

struct otf2_definitions {
    struct otf2_named_list io_paradigms, files, attributes;
    struct otf2_handle *handles;
    size_t handle_count, handle_capacity;
    uint64_t ticks_per_second;
    uint64_t global_offset_ticks;
    uint64_t length_ticks; /* length of the trace; 0: not stated */
    char *creator;
    char *texts;
    struct otf2_string *strings;
    struct otf2_region *regions;
    struct otf2_location *locations;
    struct otf2_group *groups;
    uint64_t *members;
    struct otf2_communicator *communicators;
    struct otf2_rma_window *windows;
    size_t text_bytes, string_count, region_count, location_count, group_count, member_count,
        communicator_count, window_count;
    size_t text_capacity, string_capacity, region_capacity, location_capacity, group_capacity,
        member_capacity, communicator_capacity, window_capacity;
};

/* The functions otf2_definitions_add_... append a definition to the array of its kind.
 * STATUS_MEMORY. */
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
                                        struct otf2_rma_window window, struct status *status);

/* Appends a definition with a name to a list. STATUS_MEMORY. */
status_code otf2_definitions_add_named(struct otf2_named_list *list, struct otf2_named named,
                                       struct status *status);
/* Appends a handle of a file. STATUS_MEMORY. */
status_code otf2_definitions_add_handle(struct otf2_definitions *definitions,
                                        struct otf2_handle handle, struct status *status);

/* Sorts the arrays. If several definitions have the same id, keeps the first one. */
status_code otf2_definitions_finish(struct otf2_definitions *definitions, struct status *status);

/* Frees the definitions. */
void otf2_definitions_clear(struct otf2_definitions *definitions);

/* Returns the text of a string; "" if the string is not defined. */
const char *otf2_definitions_text(const struct otf2_definitions *definitions, uint32_t string);
/* Returns the group of MPI's COMM_LOCATIONS; of several the largest; NULL if the archive has none.
 */
const struct otf2_group *otf2_definitions_ranks(const struct otf2_definitions *definitions);
/* Returns the MPI group with this id. A COMM_LOCATIONS group is found only if no other group has
 * the id. Returns NULL if there is no such group. */
const struct otf2_group *otf2_definitions_group(const struct otf2_definitions *definitions,
                                                uint32_t id);
/* Returns the index of a region; SIZE_MAX if it is not defined. */
size_t otf2_definitions_search_region(const struct otf2_definitions *definitions, uint32_t id);
/* Returns the index of a location; SIZE_MAX if it is not defined. */
size_t otf2_definitions_find_location(const struct otf2_definitions *definitions, uint64_t id);
/* Returns the index of a communicator; SIZE_MAX if it is not defined. */
size_t otf2_definitions_search_communicator(const struct otf2_definitions *definitions,
                                            uint32_t id);
/* Returns the index of a window; SIZE_MAX if it is not defined. */
size_t otf2_definitions_find_window(const struct otf2_definitions *definitions, uint32_t id);

/* Finds a handle of a file that MPI opened. Returns its index, and sets *file to the index of its
 * file in `files`; SIZE_MAX: the handle is not defined, or of another interface. */
size_t otf2_definitions_find_handle(const struct otf2_definitions *definitions, uint32_t id,
                                    size_t *file);
/* Returns the id of the attribute of this name; OTF2_NOT_DEFINED: there is none. */
uint32_t otf2_definitions_attribute(const struct otf2_definitions *definitions, const char *name);

/* Most tracers number regions from 0, and every ENTER and LEAVE names a region, so this function
 * tries the id as an index first. */
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
