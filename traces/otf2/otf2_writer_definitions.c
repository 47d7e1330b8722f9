/*
 * Turns the tables of a program, and its placement, into OTF2 definitions. Must not know events.
 */
#include "traces/otf2/otf2_properties.h"
#include "traces/otf2/otf2_writer_parts.h"

#include "core/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>

status_code otf2_writer_define_string(struct otf2_writer *writer, const char *text,
                                      uint32_t *string, struct status *status) {
    *string = writer->next_string++;
    return otf2_writer_checked(OTF2_GlobalDefWriter_WriteString(writer->definitions, *string, text),
                               "a definition", status);
}

/* Defines a string of the program once. */
static status_code program_string(struct otf2_writer *writer, uint32_t offset, uint32_t *string,
                                  struct status *status) {
    *string = key_table_find(&writer->strings, offset);
    if (*string != KEY_TABLE_NONE) return STATUS_OK;
    FORWARD_IF_ERROR(
        otf2_writer_define_string(writer, program_text(writer->program, offset), string, status));
    return key_table_insert(&writer->strings, offset, *string, status);
}

static status_code define_group(struct otf2_writer *writer, uint32_t id, OTF2_GroupType type,
                                const uint32_t *members, uint32_t count, struct status *status) {
    uint64_t *numbers = memory_new(count, sizeof *numbers);
    RETURN_ERROR_IF(numbers == NULL, status, STATUS_MEMORY, "out of memory for a group");
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = members != NULL ? members[i] : i;
    OTF2_ErrorCode code =
        OTF2_GlobalDefWriter_WriteGroup(writer->definitions, id, writer->empty_string, type,
                                        OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, numbers);
    free(numbers);
    return otf2_writer_checked(code, "a group", status);
}

static status_code communicator_group(struct otf2_writer *writer, uint32_t first, uint32_t size,
                                      uint32_t *group, struct status *status) {
    *group = WRITER_GROUP_SELF;
    if (first == PROGRAM_NONE) return STATUS_OK;
    *group = key_table_find(&writer->groups, (uint64_t)first << 32 | size);
    if (*group != KEY_TABLE_NONE) return STATUS_OK;
    *group = writer->next_group++;
    FORWARD_IF_ERROR(
        key_table_insert(&writer->groups, (uint64_t)first << 32 | size, *group, status));
    return define_group(writer, *group, OTF2_GROUP_TYPE_COMM_GROUP,
                        writer->program->communicator_members + first, size, status);
}

/* Defines the groups that MPI_Win_post and similar calls name in events. They have the first
 * numbers. */
static status_code define_window_groups(struct otf2_writer *writer, struct status *status) {
    const struct archive_rma_windows *windows = archive_records_windows(writer->records);
    for (size_t i = 0; i < windows->group_count; i++)
        FORWARD_IF_ERROR(define_group(writer, writer->next_group++, OTF2_GROUP_TYPE_COMM_GROUP,
                                      windows->members + windows->groups[i].first,
                                      windows->groups[i].count, status));
    return STATUS_OK;
}

static status_code define_windows(struct otf2_writer *writer, struct status *status) {
    const struct archive_rma_windows *windows = archive_records_windows(writer->records);
    for (uint32_t i = 0; i < windows->count; i++) {
        char text[32];
        uint32_t name;
        snprintf(text, sizeof text, "Window %u", i);
        FORWARD_IF_ERROR(otf2_writer_define_string(writer, text, &name, status));
        WRITER_CHECKED("a window", OTF2_GlobalDefWriter_WriteRmaWin(writer->definitions, i, name,
                                                                    windows->communicators[i],
                                                                    OTF2_RMA_WIN_FLAG_NONE));
    }
    return STATUS_OK;
}

static status_code define_communicators(struct otf2_writer *writer, struct status *status) {
    const struct program *program = writer->program;
    FORWARD_IF_ERROR(define_group(writer, WRITER_GROUP_LOCATIONS, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                  NULL, program->rank_count, status));
    FORWARD_IF_ERROR(
        define_group(writer, WRITER_GROUP_SELF, OTF2_GROUP_TYPE_COMM_SELF, NULL, 0, status));
    FORWARD_IF_ERROR(define_window_groups(writer, status));
    for (uint32_t i = 0; i < program->communicator_count; i++) {
        const struct program_communicator *c = &program->communicators[i];
        uint32_t name, group, remote;
        FORWARD_IF_ERROR(program_string(writer, c->name, &name, status));
        FORWARD_IF_ERROR(communicator_group(writer, c->members, c->size, &group, status));
        if (c->remote_size == 0) {
            WRITER_CHECKED("a communicator", OTF2_GlobalDefWriter_WriteComm(
                                                 writer->definitions, i, name, group,
                                                 OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
            continue;
        }
        FORWARD_IF_ERROR(
            communicator_group(writer, c->remote_members, c->remote_size, &remote, status));
        WRITER_CHECKED("a communicator", OTF2_GlobalDefWriter_WriteInterComm(
                                             writer->definitions, i, name, group, remote,
                                             OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }
    return STATUS_OK;
}

static status_code define_regions(struct otf2_writer *writer, struct status *status) {
    const struct program *program = writer->program;
    for (uint32_t i = 0; i < program->region_count; i++) {
        bool mpi = program->regions[i].is_mpi != 0;
        uint32_t name;
        FORWARD_IF_ERROR(program_string(writer, program->regions[i].name, &name, status));
        WRITER_CHECKED("a region",
                       OTF2_GlobalDefWriter_WriteRegion(
                           writer->definitions, i, name, name, writer->empty_string,
                           OTF2_REGION_ROLE_FUNCTION, mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                           OTF2_REGION_FLAG_NONE, writer->empty_string, 0, 0));
    }
    return STATUS_OK;
}

/* Defines each file of MPI-IO with a handle of the same number. */
static status_code define_files(struct otf2_writer *writer, struct status *status) {
    const struct program *program = writer->program;
    if (program->file_count == 0) return STATUS_OK;
    uint32_t text;
    FORWARD_IF_ERROR(otf2_writer_define_string(writer, OTF2_OFFSET_NAME, &text, status));
    WRITER_CHECKED("an attribute",
                   OTF2_GlobalDefWriter_WriteAttribute(writer->definitions, OTF2_OFFSET_ATTRIBUTE,
                                                       text, text, OTF2_TYPE_UINT64));
    FORWARD_IF_ERROR(otf2_writer_define_string(writer, OTF2_FILE_PARADIGM, &text, status));
    WRITER_CHECKED("files", OTF2_GlobalDefWriter_WriteIoParadigm(
                                writer->definitions, 0, text, text, OTF2_IO_PARADIGM_CLASS_PARALLEL,
                                OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL));
    for (uint32_t i = 0; i < program->file_count; i++) {
        FORWARD_IF_ERROR(program_string(writer, program->files[i].name, &text, status));
        WRITER_CHECKED("a file",
                       OTF2_GlobalDefWriter_WriteIoRegularFile(writer->definitions, i, text,
                                                               OTF2_UNDEFINED_SYSTEM_TREE_NODE));
        WRITER_CHECKED("a file", OTF2_GlobalDefWriter_WriteIoHandle(
                                     writer->definitions, i, text, i, 0, OTF2_IO_HANDLE_FLAG_NONE,
                                     OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE));
    }
    return STATUS_OK;
}

/* Levels of the system tree below the machine. */
typedef enum tree_level { TREE_GROUP, TREE_ROUTER, TREE_NODE, TREE_LEVELS } tree_level;

static const char *const level_names[TREE_LEVELS] = {"group", "router", "node"};

static status_code define_node(struct otf2_writer *writer, const uint32_t *class_strings,
                               tree_level level, uint32_t number, uint32_t *parent,
                               struct status *status) {
    uint64_t key = (uint64_t)level << 32 | number;
    uint32_t node = key_table_find(&writer->nodes, key);
    if (node == KEY_TABLE_NONE) {
        char text[32];
        uint32_t name;
        snprintf(text, sizeof text, "%s %u", level_names[level], number);
        FORWARD_IF_ERROR(otf2_writer_define_string(writer, text, &name, status));
        node = writer->next_node++;
        WRITER_CHECKED("the system tree",
                       OTF2_GlobalDefWriter_WriteSystemTreeNode(writer->definitions, node, name,
                                                                class_strings[level], *parent));
        if (level == TREE_NODE)
            WRITER_CHECKED("the system tree",
                           OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
                               writer->definitions, node, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
        FORWARD_IF_ERROR(key_table_insert(&writer->nodes, key, node, status));
    }
    *parent = node;
    return STATUS_OK;
}

/* Defines the group, router and node of a rank, as far as they are known. *parent: the node. */
static status_code place_rank(struct otf2_writer *writer, const uint32_t *class_strings,
                              uint32_t rank, uint32_t *parent, struct status *status) {
    const struct traces_times *times = writer->times;
    uint32_t node = times->node_of_rank != NULL ? times->node_of_rank[rank] : rank;
    *parent = 0; /* the machine */
    if (times->node_of_rank != NULL && times->nodes_per_group > 0)
        FORWARD_IF_ERROR(define_node(writer, class_strings, TREE_GROUP,
                                     node / times->nodes_per_group, parent, status));
    if (times->node_of_rank != NULL && times->nodes_per_router > 0)
        FORWARD_IF_ERROR(define_node(writer, class_strings, TREE_ROUTER,
                                     node / times->nodes_per_router, parent, status));
    return define_node(writer, class_strings, TREE_NODE, node, parent, status);
}

static status_code define_locations(struct otf2_writer *writer, struct status *status) {
    uint32_t machine, machine_class, thread, class_strings[TREE_LEVELS];
    FORWARD_IF_ERROR(otf2_writer_define_string(writer, "dragonfly", &machine, status));
    FORWARD_IF_ERROR(otf2_writer_define_string(writer, "machine", &machine_class, status));
    FORWARD_IF_ERROR(otf2_writer_define_string(writer, "Master thread", &thread, status));
    for (unsigned level = 0; level < TREE_LEVELS; level++)
        FORWARD_IF_ERROR(
            otf2_writer_define_string(writer, level_names[level], &class_strings[level], status));
    uint32_t root = writer->next_node++;
    WRITER_CHECKED("the system tree", OTF2_GlobalDefWriter_WriteSystemTreeNode(
                                          writer->definitions, root, machine, machine_class,
                                          OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    WRITER_CHECKED("the system tree",
                   OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer->definitions, root,
                                                                  OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
    for (uint32_t rank = 0; rank < writer->program->rank_count; rank++) {
        char text[32];
        uint32_t parent, name;
        FORWARD_IF_ERROR(place_rank(writer, class_strings, rank, &parent, status));
        snprintf(text, sizeof text, "MPI Rank %u", rank);
        FORWARD_IF_ERROR(otf2_writer_define_string(writer, text, &name, status));
        WRITER_CHECKED("a location",
                       OTF2_GlobalDefWriter_WriteLocationGroup(
                           writer->definitions, rank, name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                           parent, OTF2_UNDEFINED_LOCATION_GROUP));
        WRITER_CHECKED("a location",
                       OTF2_GlobalDefWriter_WriteLocation(writer->definitions, rank, thread,
                                                          OTF2_LOCATION_TYPE_CPU_THREAD,
                                                          writer->event_counts[rank], rank));
    }
    return STATUS_OK;
}

status_code otf2_writer_write_definitions(struct otf2_writer *writer, struct status *status) {
    const struct program *program = writer->program;
    writer->definitions = OTF2_Archive_GetGlobalDefWriter(writer->archive);
    if (writer->definitions == NULL)
        return otf2_writer_set_failed("the definition file", OTF2_ERROR_INVALID, status);
    int64_t end_ps = 0;
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        if (writer->times->end_ps[rank] > end_ps) end_ps = writer->times->end_ps[rank];
    WRITER_CHECKED("the clock",
                   OTF2_GlobalDefWriter_WriteClockProperties(
                       writer->definitions, WRITER_CLOCK_RESOLUTION, WRITER_CLOCK_OFFSET_PS,
                       (uint64_t)end_ps + 1, OTF2_UNDEFINED_TIMESTAMP));
    uint32_t program_name, mpi;
    FORWARD_IF_ERROR(program_string(writer, program->source, &program_name, status));
    FORWARD_IF_ERROR(program_string(writer, 0, &writer->empty_string, status));
    FORWARD_IF_ERROR(otf2_writer_define_string(writer, "MPI", &mpi, status));
    WRITER_CHECKED("a definition",
                   OTF2_GlobalDefWriter_WriteParadigm(writer->definitions, OTF2_PARADIGM_MPI, mpi,
                                                      OTF2_PARADIGM_CLASS_PROCESS));
    uint32_t in_place;
    FORWARD_IF_ERROR(otf2_writer_define_string(writer, "MPI_IN_PLACE", &in_place, status));
    WRITER_CHECKED("an attribute",
                   OTF2_GlobalDefWriter_WriteAttribute(writer->definitions, OTF2_IN_PLACE_ATTRIBUTE,
                                                       in_place, in_place, OTF2_TYPE_UINT8));
    FORWARD_IF_ERROR(define_locations(writer, status));
    FORWARD_IF_ERROR(define_communicators(writer, status));
    FORWARD_IF_ERROR(define_windows(writer, status));
    FORWARD_IF_ERROR(define_files(writer, status));
    FORWARD_IF_ERROR(define_regions(writer, status));
    if (writer->times->path != NULL)
        FORWARD_IF_ERROR(otf2_writer_write_path_definitions(writer, status));
    return otf2_writer_checked(
        OTF2_Archive_CloseGlobalDefWriter(writer->archive, writer->definitions),
        "the definition file", status);
}
