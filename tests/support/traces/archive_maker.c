/* Writes OTF2 archives record by record, faults included. */
#include "tests/support/traces/archive_maker.h"

#include "tests/support/core/scratch_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "archive_maker: line %d\n", __LINE__);                                 \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

enum { MAX_REGIONS = 32, NAME_SIZE = 64 };

struct archive_maker {
    char folder[SCRATCH_FOLDER_BYTES];
    char anchor[96];
    OTF2_Archive *archive;
    uint32_t ranks, threads;
    uint64_t ticks_per_second, offset_ticks, length_ticks;
    bool has_mpi, announces_none, is_one_process;
    maker_definer define;
    char regions[MAX_REGIONS][NAME_SIZE];
    uint32_t region_count;
    uint32_t window_count;
};

static OTF2_FlushType on_flush(void *context, OTF2_FileType type, OTF2_LocationRef location,
                               void *data, bool final) {
    (void)context, (void)type, (void)location, (void)data, (void) final;
    return OTF2_FLUSH;
}

static uint64_t location_id(uint32_t rank, uint32_t thread) {
    return (uint64_t)thread << 32 | rank;
}

struct archive_maker *maker_new(uint32_t ranks, uint32_t threads_per_rank,
                                uint64_t ticks_per_second, uint64_t offset_ticks, bool has_mpi) {
    struct archive_maker *maker = calloc(1, sizeof *maker);
    CHECK(maker != NULL);
    *maker = (struct archive_maker){.ranks = ranks,
                                    .threads = threads_per_rank,
                                    .ticks_per_second = ticks_per_second,
                                    .offset_ticks = offset_ticks,
                                    .has_mpi = has_mpi};
    CHECK(scratch_folder_make(maker->folder));
    char inner[80];
    snprintf(inner, sizeof inner, "%s/a", maker->folder);
    snprintf(maker->anchor, sizeof maker->anchor, "%s/traces.otf2", inner);
    maker->archive = OTF2_Archive_Open(inner, "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 20,
                                       OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    CHECK(maker->archive != NULL);
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = on_flush, .otf2_post_flush = NULL};
    CHECK(OTF2_Archive_SetFlushCallbacks(maker->archive, &flush, NULL) == OTF2_SUCCESS);
    CHECK(OTF2_Archive_SetSerialCollectiveCallbacks(maker->archive) == OTF2_SUCCESS);
    CHECK(OTF2_Archive_OpenDefFiles(maker->archive) == OTF2_SUCCESS);
    CHECK(OTF2_Archive_OpenEvtFiles(maker->archive) == OTF2_SUCCESS);
    return maker;
}

OTF2_EvtWriter *maker_events(struct archive_maker *maker, uint32_t rank, uint32_t thread) {
    OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(maker->archive, location_id(rank, thread));
    CHECK(events != NULL);
    return events;
}

static uint32_t region_id(struct archive_maker *maker, const char *name) {
    for (uint32_t i = 0; i < maker->region_count; i++)
        if (strcmp(maker->regions[i], name) == 0) return i;
    CHECK(maker->region_count < MAX_REGIONS && strlen(name) < NAME_SIZE);
    strcpy(maker->regions[maker->region_count], name);
    return maker->region_count++;
}

void maker_enter(struct archive_maker *maker, OTF2_EvtWriter *events, uint64_t ticks,
                 const char *region) {
    CHECK(OTF2_EvtWriter_Enter(events, NULL, ticks, region_id(maker, region)) == OTF2_SUCCESS);
}

void maker_leave(struct archive_maker *maker, OTF2_EvtWriter *events, uint64_t ticks,
                 const char *region) {
    CHECK(OTF2_EvtWriter_Leave(events, NULL, ticks, region_id(maker, region)) == OTF2_SUCCESS);
}

void maker_call(struct archive_maker *maker, OTF2_EvtWriter *events, uint64_t from_ticks,
                uint64_t to_ticks, const char *region) {
    maker_enter(maker, events, from_ticks, region);
    maker_leave(maker, events, to_ticks, region);
}

static void write_regions(struct archive_maker *maker, OTF2_GlobalDefWriter *definitions,
                          uint32_t *string) {
    for (uint32_t i = 0; i < maker->region_count; i++) {
        const char *name = maker->regions[i];
        bool is_mpi = strstr(name, "MPI_") != NULL || strstr(name, "mpi_") != NULL;
        OTF2_GlobalDefWriter_WriteString(definitions, *string, name);
        OTF2_GlobalDefWriter_WriteRegion(
            definitions, i, *string, *string, 0, OTF2_REGION_ROLE_FUNCTION,
            is_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0, 0);
        ++*string;
    }
}

static void write_locations(struct archive_maker *maker, OTF2_GlobalDefWriter *definitions) {
    OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t r = 0; r < maker->ranks; r++) {
        OTF2_GlobalDefWriter_WriteLocationGroup(definitions, r, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                0, OTF2_UNDEFINED_LOCATION_GROUP);
        for (uint32_t t = 0; t < maker->threads; t++) {
            uint64_t count = 0;
            if (!maker->announces_none)
                OTF2_EvtWriter_GetNumberOfEvents(maker_events(maker, r, t), &count);
            OTF2_GlobalDefWriter_WriteLocation(definitions, location_id(r, t), 0,
                                               OTF2_LOCATION_TYPE_CPU_THREAD, count,
                                               maker->is_one_process ? 0 : r);
        }
    }
}

static void write_communicators(struct archive_maker *maker, OTF2_GlobalDefWriter *definitions) {
    uint64_t *members = calloc(maker->ranks, sizeof *members);
    CHECK(members != NULL);
    for (uint32_t r = 0; r < maker->ranks; r++)
        members[r] = r;
    OTF2_GlobalDefWriter_WriteGroup(definitions, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, maker->ranks, members);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, maker->ranks, members);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 2, 0, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, 0, NULL);
    OTF2_GlobalDefWriter_WriteComm(definitions, MAKER_WORLD, 0, 1, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteComm(definitions, MAKER_SELF, 0, 2, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
    for (uint32_t i = 0; i < maker->window_count; i++)
        OTF2_GlobalDefWriter_WriteRmaWin(definitions, i, 0, MAKER_WORLD, OTF2_RMA_WIN_FLAG_NONE);
    free(members);
}

void maker_windows(struct archive_maker *maker, uint32_t count) {
    maker->window_count = count;
}

void maker_one_process(struct archive_maker *maker) {
    maker->is_one_process = true;
}

void maker_length(struct archive_maker *maker, uint64_t ticks) {
    maker->length_ticks = ticks;
}

void maker_clock_offset(struct archive_maker *maker, uint32_t rank, uint64_t ticks,
                        int64_t offset_ticks) {
    OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(maker->archive, location_id(rank, 0));
    CHECK(local != NULL);
    CHECK(OTF2_DefWriter_WriteClockOffset(local, ticks, offset_ticks, 0.0) == OTF2_SUCCESS);
}

void maker_creator(struct archive_maker *maker, const char *creator) {
    CHECK(OTF2_Archive_SetCreator(maker->archive, creator) == OTF2_SUCCESS);
}

void maker_define(struct archive_maker *maker, maker_definer define) {
    maker->define = define;
}

void maker_announce_none(struct archive_maker *maker) {
    maker->announces_none = true;
}

const char *maker_finish(struct archive_maker *maker) {
    if (maker->archive == NULL) return maker->anchor;
    OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter(maker->archive);
    CHECK(definitions != NULL);
    uint32_t string = 1;
    OTF2_GlobalDefWriter_WriteClockProperties(definitions, maker->ticks_per_second,
                                              maker->offset_ticks, maker->length_ticks, 0);
    OTF2_GlobalDefWriter_WriteString(definitions, 0, "");
    write_regions(maker, definitions, &string);
    write_locations(maker, definitions);
    if (maker->define != NULL)
        maker->define(definitions, maker->ranks);
    else if (maker->has_mpi)
        write_communicators(maker, definitions);
    for (uint32_t r = 0; r < maker->ranks; r++) {
        for (uint32_t t = 0; t < maker->threads; t++) {
            OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(maker->archive, location_id(r, t));
            CHECK(local != NULL);
            OTF2_Archive_CloseDefWriter(maker->archive, local);
            OTF2_Archive_CloseEvtWriter(maker->archive, maker_events(maker, r, t));
        }
    }
    OTF2_Archive_CloseDefFiles(maker->archive);
    OTF2_Archive_CloseEvtFiles(maker->archive);
    CHECK(OTF2_Archive_Close(maker->archive) == OTF2_SUCCESS);
    maker->archive = NULL;
    return maker->anchor;
}

void maker_free(struct archive_maker *maker) {
    if (scratch_folder_remove(maker->folder) != 0)
        fprintf(stderr, "archive_maker: %s stays\n", maker->folder);
    free(maker);
}
