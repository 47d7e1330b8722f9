/*
 * Writes a program as an OTF2 archive. With otf2_reader.c the only file that includes OTF2; must
 * not know how a program becomes records (archive_records.c).
 *
 * Invariants: one rank's files are open at a time; a folder is written as a whole or not at all;
 * nothing is ever written over. Time stamps are picoseconds after the clock's global offset.
 */
#define _GNU_SOURCE /* nftw */
#include "core/memory.h"
#include "traces/key_table.h"
#include "traces/otf2/archive_records.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <otf2/otf2.h>

#define CLOCK_OFFSET_PS  UINT64_C(1000000000000)
#define CLOCK_RESOLUTION UINT64_C(1000000000000)

enum { GROUP_LOCATIONS, GROUP_SELF, GROUP_FIRST_FREE };

typedef struct otf2_writer {
    const program *program;
    const traces_times *times;
    OTF2_Archive *archive;
    OTF2_EvtWriter *events; /* of the rank at hand */
    OTF2_GlobalDefWriter *definitions;
    archive_records *records;
    uint64_t *event_counts; /* per rank */
    uint32_t next_string, next_group, next_node;
    uint32_t empty_string;
    key_table strings; /* offset in the program's strings -> OTF2 string */
    key_table groups;  /* first member -> OTF2 group */
    key_table nodes;   /* level and number -> system tree node */
} otf2_writer;

/* The library would print; what it returns says enough. */
static OTF2_ErrorCode swallow(void *context, const char *file, uint64_t line, const char *function,
                              OTF2_ErrorCode code, const char *format, va_list arguments) {
    (void)context, (void)file, (void)line, (void)function, (void)format, (void)arguments;
    return code;
}

static OTF2_FlushType flush(void *context, OTF2_FileType type, OTF2_LocationRef location,
                            void *caller, bool final) {
    (void)context, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static status_code checked(OTF2_ErrorCode code, const char *what, status *status) {
    RETURN_ERROR_IF(code != OTF2_SUCCESS, status, STATUS_SYSTEM, "cannot write %s (OTF2: %s)", what,
                    OTF2_Error_GetDescription(code));
    return STATUS_OK;
}

#define WRITE(what, expression) FORWARD_IF_ERROR(checked((expression), (what), status))

/* ---- events ---- */

/* Not written as a collective of MPI: it has records of its own. */
#define OTF2_COLLECTIVE_OP_WINDOW OTF2_COLLECTIVE_OP_BARRIER

static OTF2_CollectiveOp collective_operation(program_collective_kind kind) {
    static const uint8_t operations[PROGRAM_COLLECTIVE_KINDS] = {
#define OPERATION(name, text, sized) [PROGRAM_##name] = OTF2_COLLECTIVE_OP_##name,
        PROGRAM_COLLECTIVES(OPERATION)
#undef OPERATION
    };
    return operations[kind];
}

static uint32_t root_of(const archive_record *record) {
    switch (record->root) {
    case ARCHIVE_ROOT_NUMBER:
        return record->number;
    case ARCHIVE_ROOT_SELF:
        return OTF2_COLLECTIVE_ROOT_SELF;
    case ARCHIVE_ROOT_THIS_GROUP:
        return OTF2_COLLECTIVE_ROOT_THIS_GROUP;
    default:
        return OTF2_COLLECTIVE_ROOT_NONE;
    }
}

static OTF2_ErrorCode write_collective(OTF2_EvtWriter *events, OTF2_TimeStamp time,
                                       const archive_record *r) {
    OTF2_CollectiveOp operation = collective_operation(r->collective);
    if (r->kind == RECORD_COLLECTIVE_END)
        return OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, time, operation, r->communicator,
                                               root_of(r), r->sent_bytes, r->received_bytes);
    return OTF2_EvtWriter_NonBlockingCollectiveComplete(events, NULL, time, operation,
                                                        r->communicator, root_of(r), r->sent_bytes,
                                                        r->received_bytes, r->request);
}

static OTF2_ErrorCode write_window_end(OTF2_EvtWriter *events, OTF2_TimeStamp time,
                                       const archive_record *r) {
    static const OTF2_CollectiveOp operations[] = {
        [ARCHIVE_FENCE] = OTF2_COLLECTIVE_OP_BARRIER,
        [ARCHIVE_CREATE] = OTF2_COLLECTIVE_OP_CREATE_HANDLE,
        [ARCHIVE_ALLOCATE] = OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE,
        [ARCHIVE_FREE] = OTF2_COLLECTIVE_OP_DESTROY_HANDLE};
    OTF2_RmaSyncLevel level = OTF2_RMA_SYNC_LEVEL_PROCESS;
    if (r->window_call == ARCHIVE_FENCE) level |= OTF2_RMA_SYNC_LEVEL_MEMORY;
    return OTF2_EvtWriter_RmaCollectiveEnd(events, NULL, time, operations[r->window_call], level,
                                           r->window, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
}

/* Records of one-sided communication. */
static OTF2_ErrorCode write_remote(OTF2_EvtWriter *events, OTF2_TimeStamp time,
                                   const archive_record *r) {
    static const OTF2_RmaAtomicType atomics[] = {
        [ARCHIVE_ACCUMULATE] = OTF2_RMA_ATOMIC_TYPE_ACCUMULATE,
        [ARCHIVE_FETCH_AND_ACCUMULATE] = OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE,
        [ARCHIVE_COMPARE_AND_SWAP] = OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP};
    uint32_t locked = r->number == ARCHIVE_EVERYONE ? OTF2_UNDEFINED_UINT32 : r->number;
    switch (r->kind) {
    case RECORD_PUT:
        return OTF2_EvtWriter_RmaPut(events, NULL, time, r->window, r->number, r->sent_bytes,
                                     r->request);
    case RECORD_GET:
        return OTF2_EvtWriter_RmaGet(events, NULL, time, r->window, r->number, r->received_bytes,
                                     r->request);
    case RECORD_ATOMIC:
        return OTF2_EvtWriter_RmaAtomic(events, NULL, time, r->window, r->number,
                                        atomics[r->atomic], r->sent_bytes, r->received_bytes,
                                        r->request);
    case RECORD_REMOTE_LOCAL_END:
        return OTF2_EvtWriter_RmaOpCompleteNonBlocking(events, NULL, time, r->window, r->request);
    case RECORD_REMOTE_END:
        return OTF2_EvtWriter_RmaOpCompleteRemote(events, NULL, time, r->window, r->request);
    case RECORD_WINDOW_BEGIN:
        return OTF2_EvtWriter_RmaCollectiveBegin(events, NULL, time);
    case RECORD_WINDOW_END:
        return write_window_end(events, time, r);
    case RECORD_GROUP_SYNC:
        return OTF2_EvtWriter_RmaGroupSync(
            events, NULL, time,
            OTF2_RMA_SYNC_LEVEL_PROCESS |
                (r->tag == PROGRAM_TAG_COMPLETE ? OTF2_RMA_SYNC_LEVEL_MEMORY : 0u),
            r->window, GROUP_FIRST_FREE + r->group);
    case RECORD_LOCK:
        return OTF2_EvtWriter_RmaRequestLock(events, NULL, time, r->window, locked, 0,
                                             r->is_exclusive ? OTF2_LOCK_EXCLUSIVE
                                                             : OTF2_LOCK_SHARED);
    default:
        return OTF2_EvtWriter_RmaReleaseLock(events, NULL, time, r->window, locked, 0);
    }
}

static OTF2_ErrorCode write_event(OTF2_EvtWriter *events, const archive_record *r) {
    OTF2_TimeStamp time = CLOCK_OFFSET_PS + (uint64_t)r->time_ps;
    uint32_t tag = (uint32_t)r->tag;
    switch (r->kind) {
    case RECORD_ENTER:
        return OTF2_EvtWriter_Enter(events, NULL, time, r->region);
    case RECORD_LEAVE:
        return OTF2_EvtWriter_Leave(events, NULL, time, r->region);
    case RECORD_SEND:
        return OTF2_EvtWriter_MpiSend(events, NULL, time, r->number, r->communicator, tag,
                                      r->sent_bytes);
    case RECORD_RECEIVE:
        return OTF2_EvtWriter_MpiRecv(events, NULL, time, r->number, r->communicator, tag,
                                      r->sent_bytes);
    case RECORD_ISEND:
        return OTF2_EvtWriter_MpiIsend(events, NULL, time, r->number, r->communicator, tag,
                                       r->sent_bytes, r->request);
    case RECORD_ISEND_COMPLETE:
        return OTF2_EvtWriter_MpiIsendComplete(events, NULL, time, r->request);
    case RECORD_IRECEIVE_REQUEST:
        return OTF2_EvtWriter_MpiIrecvRequest(events, NULL, time, r->request);
    case RECORD_IRECEIVE:
        return OTF2_EvtWriter_MpiIrecv(events, NULL, time, r->number, r->communicator, tag,
                                       r->sent_bytes, r->request);
    case RECORD_COLLECTIVE_BEGIN:
        return OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, time);
    case RECORD_COLLECTIVE_REQUEST:
        return OTF2_EvtWriter_NonBlockingCollectiveRequest(events, NULL, time, r->request);
    case RECORD_COLLECTIVE_END:
    case RECORD_COLLECTIVE_COMPLETE:
        return write_collective(events, time, r);
    default:
        return write_remote(events, time, r);
    }
}

static status_code write_record(void *context, const archive_record *record, status *status) {
    otf2_writer *writer = context;
    return checked(write_event(writer->events, record), "an event", status);
}

/* The string of the program's name is the first one defined. */
enum { STRING_PROGRAM = 0 };

static status_code write_rank(otf2_writer *writer, uint32_t rank, status *status) {
    writer->events = OTF2_Archive_GetEvtWriter(writer->archive, rank);
    RETURN_ERROR_IF(writer->events == NULL, status, STATUS_SYSTEM,
                    "rank %u: cannot create its event file (disk full, too many files?)", rank);
    int64_t end_ps = writer->times->end_ps[rank];
    WRITE("an event", OTF2_EvtWriter_ProgramBegin(writer->events, NULL, CLOCK_OFFSET_PS,
                                                  STRING_PROGRAM, 0, NULL));
    FORWARD_IF_ERROR(
        archive_records_of(writer->records, rank, writer->times, write_record, writer, status));
    WRITE("an event",
          OTF2_EvtWriter_ProgramEnd(writer->events, NULL, CLOCK_OFFSET_PS + (uint64_t)end_ps, 0));
    WRITE("an event file",
          OTF2_EvtWriter_GetNumberOfEvents(writer->events, &writer->event_counts[rank]));
    return checked(OTF2_Archive_CloseEvtWriter(writer->archive, writer->events), "an event file",
                   status);
}

/* Event files, then a local definition file per rank: empty, but readers want them. */
static status_code write_ranks(otf2_writer *writer, status *status) {
    WRITE("event files", OTF2_Archive_OpenEvtFiles(writer->archive));
    for (uint32_t rank = 0; rank < writer->program->rank_count; rank++)
        FORWARD_IF_ERROR(write_rank(writer, rank, status));
    WRITE("event files", OTF2_Archive_CloseEvtFiles(writer->archive));
    WRITE("definition files", OTF2_Archive_OpenDefFiles(writer->archive));
    for (uint32_t rank = 0; rank < writer->program->rank_count; rank++) {
        OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(writer->archive, rank);
        RETURN_ERROR_IF(local == NULL, status, STATUS_SYSTEM,
                        "rank %u: cannot create its definition file (disk full, too many files?)",
                        rank);
        WRITE("a definition file", OTF2_Archive_CloseDefWriter(writer->archive, local));
    }
    return checked(OTF2_Archive_CloseDefFiles(writer->archive), "definition files", status);
}

/* ---- definitions ---- */

static status_code define_string(otf2_writer *writer, const char *text, uint32_t *string,
                                 status *status) {
    *string = writer->next_string++;
    return checked(OTF2_GlobalDefWriter_WriteString(writer->definitions, *string, text),
                   "a definition", status);
}

/* A string of the program, once. */
static status_code program_string(otf2_writer *writer, uint32_t offset, uint32_t *string,
                                  status *status) {
    *string = key_table_find(&writer->strings, offset);
    if (*string != KEY_TABLE_NONE) return STATUS_OK;
    FORWARD_IF_ERROR(define_string(writer, program_text(writer->program, offset), string, status));
    return key_table_insert(&writer->strings, offset, *string, status);
}

static status_code define_group(otf2_writer *writer, uint32_t id, OTF2_GroupType type,
                                const uint32_t *members, uint32_t count, status *status) {
    uint64_t *wide = memory_new(count, sizeof *wide);
    RETURN_ERROR_IF(wide == NULL, status, STATUS_MEMORY, "out of memory for a group");
    for (uint32_t i = 0; i < count; i++)
        wide[i] = members != NULL ? members[i] : i;
    OTF2_ErrorCode code =
        OTF2_GlobalDefWriter_WriteGroup(writer->definitions, id, writer->empty_string, type,
                                        OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, wide);
    free(wide);
    return checked(code, "a group", status);
}

static status_code communicator_group(otf2_writer *writer, uint32_t first, uint32_t size,
                                      uint32_t *group, status *status) {
    *group = GROUP_SELF;
    if (first == PROGRAM_NONE) return STATUS_OK;
    *group = key_table_find(&writer->groups, (uint64_t)first << 32 | size);
    if (*group != KEY_TABLE_NONE) return STATUS_OK;
    *group = writer->next_group++;
    FORWARD_IF_ERROR(
        key_table_insert(&writer->groups, (uint64_t)first << 32 | size, *group, status));
    return define_group(writer, *group, OTF2_GROUP_TYPE_COMM_GROUP,
                        writer->program->communicator_members + first, size, status);
}

/* The groups that MPI_Win_post and its like name in events have the first numbers. */
static status_code define_window_groups(otf2_writer *writer, status *status) {
    const archive_windows *windows = archive_records_windows(writer->records);
    for (size_t i = 0; i < windows->group_count; i++)
        FORWARD_IF_ERROR(define_group(writer, writer->next_group++, OTF2_GROUP_TYPE_COMM_GROUP,
                                      windows->members + windows->groups[i].first,
                                      windows->groups[i].count, status));
    return STATUS_OK;
}

static status_code define_windows(otf2_writer *writer, status *status) {
    const archive_windows *windows = archive_records_windows(writer->records);
    for (uint32_t i = 0; i < windows->count; i++) {
        char text[32];
        uint32_t name;
        snprintf(text, sizeof text, "Window %u", i);
        FORWARD_IF_ERROR(define_string(writer, text, &name, status));
        WRITE("a window",
              OTF2_GlobalDefWriter_WriteRmaWin(writer->definitions, i, name,
                                               windows->communicators[i], OTF2_RMA_WIN_FLAG_NONE));
    }
    return STATUS_OK;
}

static status_code define_communicators(otf2_writer *writer, status *status) {
    const program *program = writer->program;
    FORWARD_IF_ERROR(define_group(writer, GROUP_LOCATIONS, OTF2_GROUP_TYPE_COMM_LOCATIONS, NULL,
                                  program->rank_count, status));
    FORWARD_IF_ERROR(define_group(writer, GROUP_SELF, OTF2_GROUP_TYPE_COMM_SELF, NULL, 0, status));
    FORWARD_IF_ERROR(define_window_groups(writer, status));
    for (uint32_t i = 0; i < program->communicator_count; i++) {
        const program_communicator *c = &program->communicators[i];
        uint32_t name, group, remote;
        FORWARD_IF_ERROR(program_string(writer, c->name, &name, status));
        FORWARD_IF_ERROR(communicator_group(writer, c->members, c->size, &group, status));
        if (c->remote_size == 0) {
            WRITE("a communicator",
                  OTF2_GlobalDefWriter_WriteComm(writer->definitions, i, name, group,
                                                 OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
            continue;
        }
        FORWARD_IF_ERROR(
            communicator_group(writer, c->remote_members, c->remote_size, &remote, status));
        WRITE("a communicator",
              OTF2_GlobalDefWriter_WriteInterComm(writer->definitions, i, name, group, remote,
                                                  OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }
    return STATUS_OK;
}

static status_code define_regions(otf2_writer *writer, status *status) {
    const program *program = writer->program;
    for (uint32_t i = 0; i < program->region_count; i++) {
        bool mpi = program->regions[i].is_mpi != 0;
        uint32_t name;
        FORWARD_IF_ERROR(program_string(writer, program->regions[i].name, &name, status));
        WRITE("a region",
              OTF2_GlobalDefWriter_WriteRegion(writer->definitions, i, name, name,
                                               writer->empty_string, OTF2_REGION_ROLE_FUNCTION,
                                               mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                               OTF2_REGION_FLAG_NONE, writer->empty_string, 0, 0));
    }
    return STATUS_OK;
}

/* Levels of the system tree below the machine. */
typedef enum tree_level { TREE_GROUP, TREE_ROUTER, TREE_NODE, TREE_LEVELS } tree_level;

static const char *const level_names[TREE_LEVELS] = {"group", "router", "node"};

static status_code define_node(otf2_writer *writer, const uint32_t *class_strings, tree_level level,
                               uint32_t number, uint32_t *parent, status *status) {
    uint64_t key = (uint64_t)level << 32 | number;
    uint32_t node = key_table_find(&writer->nodes, key);
    if (node == KEY_TABLE_NONE) {
        char text[32];
        uint32_t name;
        snprintf(text, sizeof text, "%s %u", level_names[level], number);
        FORWARD_IF_ERROR(define_string(writer, text, &name, status));
        node = writer->next_node++;
        WRITE("the system tree",
              OTF2_GlobalDefWriter_WriteSystemTreeNode(writer->definitions, node, name,
                                                       class_strings[level], *parent));
        if (level == TREE_NODE)
            WRITE("the system tree",
                  OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
                      writer->definitions, node, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
        FORWARD_IF_ERROR(key_table_insert(&writer->nodes, key, node, status));
    }
    *parent = node;
    return STATUS_OK;
}

/* Group, router and node of a rank, as far as they are known. */
static status_code place_rank(otf2_writer *writer, const uint32_t *class_strings, uint32_t rank,
                              uint32_t *parent, status *status) {
    const traces_times *times = writer->times;
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

static status_code define_locations(otf2_writer *writer, status *status) {
    uint32_t machine, machine_class, thread, class_strings[TREE_LEVELS];
    FORWARD_IF_ERROR(define_string(writer, "dragonfly", &machine, status));
    FORWARD_IF_ERROR(define_string(writer, "machine", &machine_class, status));
    FORWARD_IF_ERROR(define_string(writer, "Master thread", &thread, status));
    for (unsigned level = 0; level < TREE_LEVELS; level++)
        FORWARD_IF_ERROR(define_string(writer, level_names[level], &class_strings[level], status));
    uint32_t root = writer->next_node++;
    WRITE("the system tree",
          OTF2_GlobalDefWriter_WriteSystemTreeNode(writer->definitions, root, machine,
                                                   machine_class, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    WRITE("the system tree", OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
                                 writer->definitions, root, OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
    for (uint32_t rank = 0; rank < writer->program->rank_count; rank++) {
        char text[32];
        uint32_t parent, name;
        FORWARD_IF_ERROR(place_rank(writer, class_strings, rank, &parent, status));
        snprintf(text, sizeof text, "MPI Rank %u", rank);
        FORWARD_IF_ERROR(define_string(writer, text, &name, status));
        WRITE("a location", OTF2_GlobalDefWriter_WriteLocationGroup(
                                writer->definitions, rank, name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                parent, OTF2_UNDEFINED_LOCATION_GROUP));
        WRITE("a location", OTF2_GlobalDefWriter_WriteLocation(writer->definitions, rank, thread,
                                                               OTF2_LOCATION_TYPE_CPU_THREAD,
                                                               writer->event_counts[rank], rank));
    }
    return STATUS_OK;
}

static status_code write_definitions(otf2_writer *writer, status *status) {
    const program *program = writer->program;
    writer->definitions = OTF2_Archive_GetGlobalDefWriter(writer->archive);
    RETURN_ERROR_IF(writer->definitions == NULL, status, STATUS_SYSTEM,
                    "cannot create the definition file");
    int64_t end_ps = 0;
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        if (writer->times->end_ps[rank] > end_ps) end_ps = writer->times->end_ps[rank];
    WRITE("the clock", OTF2_GlobalDefWriter_WriteClockProperties(
                           writer->definitions, CLOCK_RESOLUTION, CLOCK_OFFSET_PS,
                           (uint64_t)end_ps + 1, OTF2_UNDEFINED_TIMESTAMP));
    uint32_t program_name, mpi;
    FORWARD_IF_ERROR(program_string(writer, program->source, &program_name, status));
    FORWARD_IF_ERROR(program_string(writer, 0, &writer->empty_string, status));
    FORWARD_IF_ERROR(define_string(writer, "MPI", &mpi, status));
    WRITE("a definition", OTF2_GlobalDefWriter_WriteParadigm(writer->definitions, OTF2_PARADIGM_MPI,
                                                             mpi, OTF2_PARADIGM_CLASS_PROCESS));
    FORWARD_IF_ERROR(define_locations(writer, status));
    FORWARD_IF_ERROR(define_communicators(writer, status));
    FORWARD_IF_ERROR(define_windows(writer, status));
    FORWARD_IF_ERROR(define_regions(writer, status));
    return checked(OTF2_Archive_CloseGlobalDefWriter(writer->archive, writer->definitions),
                   "the definition file", status);
}

/* ---- the archive ---- */

static status_code write_archive(otf2_writer *writer, const char *folder, status *status) {
    static const OTF2_FlushCallbacks callbacks = {flush, NULL};
    const program *program = writer->program;
    writer->archive = OTF2_Archive_Open(
        folder, "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
        OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    RETURN_ERROR_IF(writer->archive == NULL, status, STATUS_SYSTEM, "cannot create the archive");
    WRITE("the archive", OTF2_Archive_SetFlushCallbacks(writer->archive, &callbacks, NULL));
    WRITE("the archive", OTF2_Archive_SetSerialCollectiveCallbacks(writer->archive));
    WRITE("the archive", OTF2_Archive_SetCreator(writer->archive, "anax"));
    WRITE("the archive",
          OTF2_Archive_SetDescription(writer->archive, program_text(program, program->source)));
    FORWARD_IF_ERROR(write_ranks(writer, status));
    return write_definitions(writer, status);
}

static status_code write_and_close(otf2_writer *writer, const char *folder, status *status) {
    writer->records = archive_records_new(writer->program, status);
    if (writer->records == NULL) return STATUS_MEMORY;
    writer->event_counts = memory_new(writer->program->rank_count, sizeof *writer->event_counts);
    status_code code = writer->event_counts != NULL
                           ? write_archive(writer, folder, status)
                           : status_set(status, STATUS_MEMORY, "out of memory");
    if (writer->archive != NULL) {
        OTF2_ErrorCode closed = OTF2_Archive_Close(writer->archive);
        if (code == STATUS_OK) code = checked(closed, "the anchor file", status);
    }
    archive_records_free(writer->records);
    free(writer->event_counts);
    key_table_free(&writer->strings);
    key_table_free(&writer->groups);
    key_table_free(&writer->nodes);
    return code;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where) {
    (void)about, (void)type, (void)where;
    return remove(path);
}

status_code traces_write_otf2(const program *program, const traces_times *times, const char *folder,
                              status *status) {
    RETURN_ERROR_IF(mkdir(folder, 0777) != 0, status,
                    errno == EEXIST ? STATUS_USAGE : STATUS_SYSTEM, "%s: %s", folder,
                    errno == EEXIST ? "exists already; nothing is written over, name a new folder"
                                    : strerror(errno));
    OTF2_ErrorCallback previous = OTF2_Error_RegisterCallback(swallow, NULL);
    otf2_writer writer = {.program = program, .times = times, .next_group = GROUP_FIRST_FREE};
    status_code code = write_and_close(&writer, folder, status);
    OTF2_Error_RegisterCallback(previous, NULL);
    if (code != STATUS_OK) {
        nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
        status_prefix(status, "%s", folder);
    }
    return code;
}
