/*
 * Writes a path through the ranks as a location of its own, which viewers show beside the ranks: a
 * region for the rank or I/O node that the path is on, and in it a region for each step. Readers of
 * MPI ranks leave the location out, since no communicator has it.
 *
 * Must not know what the steps mean. Invariant: the numbers of the path's regions follow those of
 * the program, first those of its names, then those of ranks and I/O nodes.
 */
#include "traces/otf2/otf2_writer_parts.h"

#include "core/memory/memory.h"

#include <stdio.h>

static uint32_t region_of_name(const struct otf2_writer *writer, uint32_t name) {
    return writer->program->region_count + name;
}

static uint32_t place_count(const struct otf2_writer *writer) {
    return writer->program->rank_count + writer->times->path->io_node_count;
}

/* Numbers the regions of the ranks and I/O nodes on the path, in ascending order. */
static status_code number_ranks(struct otf2_writer *writer, struct status *status) {
    const struct traces_path *path = writer->times->path;
    uint32_t next = region_of_name(writer, path->name_count);
    writer->path_regions = memory_new(place_count(writer), sizeof *writer->path_regions);
    RETURN_ERROR_IF(writer->path_regions == NULL, status, STATUS_MEMORY,
                    "out of memory for a path");
    for (uint64_t i = 0; i < path->step_count; i++)
        writer->path_regions[path->steps[i].rank] = 1;
    for (uint32_t rank = 0; rank < place_count(writer); rank++)
        if (writer->path_regions[rank] > 0) writer->path_regions[rank] = next++;
    return STATUS_OK;
}

static status_code write_enter(struct otf2_writer *writer, int64_t time_ps, uint32_t region,
                               struct status *status) {
    return otf2_writer_checked(OTF2_EvtWriter_Enter(writer->events, NULL,
                                                    WRITER_CLOCK_OFFSET_PS + (uint64_t)time_ps,
                                                    region),
                               "an event", status);
}

static status_code write_leave(struct otf2_writer *writer, int64_t time_ps, uint32_t region,
                               struct status *status) {
    return otf2_writer_checked(OTF2_EvtWriter_Leave(writer->events, NULL,
                                                    WRITER_CLOCK_OFFSET_PS + (uint64_t)time_ps,
                                                    region),
                               "an event", status);
}

status_code otf2_writer_write_path_events(struct otf2_writer *writer, struct status *status) {
    const struct traces_path *path = writer->times->path;
    FORWARD_IF_ERROR(number_ranks(writer, status));
    for (uint64_t i = 0; i < path->step_count; i++) {
        const struct traces_path_step *step = &path->steps[i];
        bool comes = i == 0 || step[-1].rank != step->rank;
        bool goes = i + 1 == path->step_count || step[1].rank != step->rank;
        uint32_t rank_region = writer->path_regions[step->rank];
        uint32_t region = region_of_name(writer, step->name);
        if (comes) FORWARD_IF_ERROR(write_enter(writer, step->from_ps, rank_region, status));
        FORWARD_IF_ERROR(write_enter(writer, step->from_ps, region, status));
        FORWARD_IF_ERROR(write_leave(writer, step->to_ps, region, status));
        if (goes) FORWARD_IF_ERROR(write_leave(writer, step->to_ps, rank_region, status));
    }
    return STATUS_OK;
}

static status_code define_region(struct otf2_writer *writer, uint32_t region, const char *name,
                                 struct status *status) {
    uint32_t string;
    FORWARD_IF_ERROR(otf2_writer_define_string(writer, name, &string, status));
    return otf2_writer_checked(
        OTF2_GlobalDefWriter_WriteRegion(writer->definitions, region, string, string,
                                         writer->empty_string, OTF2_REGION_ROLE_FUNCTION,
                                         OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE,
                                         writer->empty_string, 0, 0),
        "a region", status);
}

static status_code define_regions(struct otf2_writer *writer, struct status *status) {
    const struct traces_path *path = writer->times->path;
    char text[32];
    for (uint32_t name = 0; name < path->name_count; name++)
        FORWARD_IF_ERROR(
            define_region(writer, region_of_name(writer, name), path->names[name], status));
    const uint32_t rank_count = writer->program->rank_count;
    for (uint32_t rank = 0; rank < place_count(writer); rank++) {
        if (writer->path_regions[rank] == 0) continue;
        if (rank < rank_count)
            snprintf(text, sizeof text, "on rank %u", rank);
        else
            snprintf(text, sizeof text, "on I/O node %u", path->io_nodes[rank - rank_count]);
        FORWARD_IF_ERROR(define_region(writer, writer->path_regions[rank], text, status));
    }
    return STATUS_OK;
}

status_code otf2_writer_write_path_definitions(struct otf2_writer *writer, struct status *status) {
    const uint32_t location = writer->program->rank_count;
    uint32_t name, group;
    FORWARD_IF_ERROR(otf2_writer_define_string(writer, writer->times->path->title, &name, status));
    /* ViTE refuses a location with the name and the number of its group. */
    FORWARD_IF_ERROR(otf2_writer_define_string(writer, "found by anax", &group, status));
    WRITER_CHECKED("a location",
                   OTF2_GlobalDefWriter_WriteLocationGroup(writer->definitions, location, group,
                                                           OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                           OTF2_UNDEFINED_LOCATION_GROUP));
    WRITER_CHECKED("a location",
                   OTF2_GlobalDefWriter_WriteLocation(writer->definitions, location, name,
                                                      OTF2_LOCATION_TYPE_CPU_THREAD,
                                                      writer->event_counts[location], location));
    return define_regions(writer, status);
}
