/* Opens an OTF2 archive for writing, defines its clock, ranks, communicator and functions, and
 * closes it. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "bench/support/archive_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void archive_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

void archive_check(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS)
        archive_fail("the archive cannot be written: %s", OTF2_Error_GetDescription(code));
}

static OTF2_FlushType on_flush(void *context, OTF2_FileType type, OTF2_LocationRef location,
                               void *data, bool final) {
    (void)context, (void)type, (void)location, (void)data, (void) final;
    return OTF2_FLUSH;
}

OTF2_Archive *archive_create(const char *folder, const char *creator) {
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = on_flush, .otf2_post_flush = NULL};
    OTF2_Archive *archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, 1 << 20,
                                              1 << 20, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == NULL) archive_fail("%s cannot be made; does it exist?", folder);
    archive_check(OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL));
    archive_check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    archive_check(OTF2_Archive_SetCreator(archive, creator));
    archive_check(OTF2_Archive_OpenDefFiles(archive));
    archive_check(OTF2_Archive_OpenEvtFiles(archive));
    return archive;
}

OTF2_EvtWriter *archive_events(OTF2_Archive *archive, uint32_t rank) {
    OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(archive, rank);
    if (events == NULL) archive_fail("the archive takes no events of rank %u", rank);
    return events;
}

OTF2_GlobalDefWriter *archive_definitions(OTF2_Archive *archive) {
    OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter(archive);
    if (definitions == NULL) archive_fail("the archive takes no definitions");
    return definitions;
}

void archive_define_ranks(OTF2_GlobalDefWriter *definitions, OTF2_StringRef empty, uint32_t ranks,
                          const uint64_t *counts) {
    archive_check(OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, empty, empty,
                                                           OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint32_t rank = 0; rank < ranks; rank++) {
        archive_check(OTF2_GlobalDefWriter_WriteLocationGroup(definitions, rank, empty,
                                                              OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                              OTF2_UNDEFINED_LOCATION_GROUP));
        archive_check(OTF2_GlobalDefWriter_WriteLocation(
            definitions, rank, empty, OTF2_LOCATION_TYPE_CPU_THREAD, counts[rank], rank));
    }
}

void archive_define_world(OTF2_GlobalDefWriter *definitions, uint32_t ranks,
                          OTF2_GroupRef locations, OTF2_GroupRef world, OTF2_StringRef name) {
    uint64_t *all = malloc(ranks * sizeof *all);
    if (all == NULL) archive_fail("out of memory");
    for (uint32_t i = 0; i < ranks; i++)
        all[i] = i;
    archive_check(OTF2_GlobalDefWriter_WriteGroup(definitions, locations, 0,
                                                  OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                                  OTF2_GROUP_FLAG_NONE, ranks, all));
    archive_check(OTF2_GlobalDefWriter_WriteGroup(definitions, world, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                                  OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks,
                                                  all));
    archive_check(OTF2_GlobalDefWriter_WriteComm(definitions, 0, name, world, OTF2_UNDEFINED_COMM,
                                                 OTF2_COMM_FLAG_NONE));
    free(all);
}

void archive_define_function(OTF2_GlobalDefWriter *definitions, OTF2_RegionRef region,
                             OTF2_StringRef string, const char *name, OTF2_StringRef empty) {
    const OTF2_Paradigm paradigm =
        strncmp(name, "MPI_", 4) == 0 ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER;
    archive_check(OTF2_GlobalDefWriter_WriteString(definitions, string, name));
    archive_check(OTF2_GlobalDefWriter_WriteRegion(definitions, region, string, string, empty,
                                                   OTF2_REGION_ROLE_FUNCTION, paradigm,
                                                   OTF2_REGION_FLAG_NONE, empty, 0, 0));
}

void archive_close(OTF2_Archive *archive, uint32_t ranks) {
    for (uint32_t rank = 0; rank < ranks; rank++) {
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, rank);
        if (writer == NULL) archive_fail("the archive takes no definitions of rank %u", rank);
        archive_check(OTF2_Archive_CloseDefWriter(archive, writer));
    }
    archive_check(OTF2_Archive_CloseDefFiles(archive));
    archive_check(OTF2_Archive_CloseEvtFiles(archive));
    archive_check(OTF2_Archive_Close(archive));
}
