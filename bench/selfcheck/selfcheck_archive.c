/*
 * Makes an OTF2 archive from the records that selfcheck_recorder wrote, one text file for each
 * rank:
 *
 *     selfcheck_archive RECORDS ARCHIVE
 *
 * RECORDS is the folder with record.0, record.1, …; ARCHIVE is the folder to make, with
 * traces.otf2. A record has one event per line, with its time in nanoseconds:
 *
 *     selfcheck-record 1 rank R of N
 *     communicator ID MEMBER…              (members as ranks of MPI_COMM_WORLD, which has ID 0)
 *     begin NS
 *     enter NS FUNCTION                    leave NS FUNCTION
 *     send NS COMMUNICATOR PEER TAG BYTES  recv … the same
 *     isend …  the same, and REQUEST       irecv … the same, and REQUEST
 *     isend_complete NS REQUEST            irecv_request NS REQUEST
 *     collective NS OPERATION COMMUNICATOR ROOT SENT RECEIVED IN_PLACE
 *     end NS
 *
 * Exit: 0, or 2 if a record is wrong or the archive cannot be written.
 */
#include "bench/selfcheck/selfcheck_records.h"
#include "bench/support/archive_file.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Archives with this property mark collectives with MPI_IN_PLACE by an attribute
 * (traces/otf2/otf2_properties.h). */
#define IN_PLACE_PROPERTY  "ANAX::MPI_IN_PLACE"
#define IN_PLACE_ATTRIBUTE 0

enum { GROUP_LOCATIONS, GROUP_WORLD, GROUP_SELF, FIRST_GROUP, NAMES_MAX = 256 };

static const struct {
    const char *name;
    OTF2_CollectiveOp operation;
} operations[] = {
    {"BARRIER", OTF2_COLLECTIVE_OP_BARRIER},
    {"BCAST", OTF2_COLLECTIVE_OP_BCAST},
    {"REDUCE", OTF2_COLLECTIVE_OP_REDUCE},
    {"ALLREDUCE", OTF2_COLLECTIVE_OP_ALLREDUCE},
    {"SCAN", OTF2_COLLECTIVE_OP_SCAN},
    {"GATHER", OTF2_COLLECTIVE_OP_GATHER},
    {"GATHERV", OTF2_COLLECTIVE_OP_GATHERV},
    {"SCATTER", OTF2_COLLECTIVE_OP_SCATTER},
    {"SCATTERV", OTF2_COLLECTIVE_OP_SCATTERV},
    {"ALLGATHER", OTF2_COLLECTIVE_OP_ALLGATHER},
    {"ALLGATHERV", OTF2_COLLECTIVE_OP_ALLGATHERV},
    {"ALLTOALL", OTF2_COLLECTIVE_OP_ALLTOALL},
    {"ALLTOALLV", OTF2_COLLECTIVE_OP_ALLTOALLV},
    {"REDUCE_SCATTER", OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
    {"CREATE_HANDLE", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
};

struct communicator {
    uint32_t id;
    uint64_t *members;
    uint32_t size;
};

struct maker {
    OTF2_Archive *archive;
    OTF2_EvtWriter *events; /* of the present rank */
    OTF2_AttributeList *attributes;
    uint32_t ranks;
    uint64_t first_ns, last_ns;
    char *functions[NAMES_MAX];
    uint32_t function_count;
    struct communicator *communicators;
    size_t communicator_count;
    uint64_t *counts; /* number of events of each rank */
};

static void open_archive(struct maker *maker, const char *folder) {
    maker->archive = archive_create(folder, "anax bench/selfcheck.sh");
    archive_check(OTF2_Archive_SetProperty(maker->archive, IN_PLACE_PROPERTY, "attribute", true));
    maker->attributes = OTF2_AttributeList_New();
}

/* ---------------------------------------------------------------------------- events */

static uint32_t function_id(struct maker *maker, const char *name) {
    for (uint32_t i = 0; i < maker->function_count; i++)
        if (strcmp(maker->functions[i], name) == 0) return i;
    if (maker->function_count == NAMES_MAX) archive_fail("more than %d functions", NAMES_MAX);
    maker->functions[maker->function_count] = strdup(name);
    return maker->function_count++;
}

static void add_communicator(struct maker *maker, struct record *record) {
    maker->communicators = realloc(maker->communicators,
                                   (maker->communicator_count + 1) * sizeof *maker->communicators);
    uint64_t *members = malloc(((size_t)maker->ranks + 1) * sizeof *members);
    if (maker->communicators == NULL || members == NULL) archive_fail("out of memory");
    struct communicator *made = &maker->communicators[maker->communicator_count++];
    *made = (struct communicator){(uint32_t)record_number(record, 2, INT32_MAX), members, 0};
    while (record_has_more(record)) {
        if (made->size == maker->ranks) record_fault(record, "more members than ranks");
        members[made->size++] = (uint64_t)record_number(record, 0, (int64_t)maker->ranks - 1);
    }
    if (made->size == 0) record_fault(record, "no members");
}

static OTF2_CollectiveOp read_operation(struct record *record) {
    const char *name = record_word(record);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, name) == 0) return operations[i].operation;
    record_fault(record, "unknown collective");
    return 0;
}

static void add_collective(struct maker *maker, struct record *record, uint64_t ns) {
    OTF2_CollectiveOp operation = read_operation(record);
    uint32_t communicator = (uint32_t)record_number(record, 0, INT32_MAX);
    int64_t root = record_number(record, -1, (int64_t)maker->ranks - 1);
    uint64_t sent = (uint64_t)record_number(record, 0, INT64_MAX);
    uint64_t received = (uint64_t)record_number(record, 0, INT64_MAX);
    if (record_number(record, 0, 1) == 1)
        archive_check(OTF2_AttributeList_AddUint8(maker->attributes, IN_PLACE_ATTRIBUTE, 1));
    archive_check(OTF2_EvtWriter_MpiCollectiveBegin(maker->events, NULL, ns));
    archive_check(OTF2_EvtWriter_MpiCollectiveEnd(
        maker->events, maker->attributes, ns, operation, communicator,
        root < 0 ? OTF2_UNDEFINED_UINT32 : (uint32_t)root, sent, received));
}

/* A message: kind is the first word of its line. */
static void add_message(struct maker *maker, struct record *record, const char *kind, uint64_t ns) {
    uint32_t communicator = (uint32_t)record_number(record, 0, INT32_MAX);
    uint32_t peer = (uint32_t)record_number(record, 0, (int64_t)maker->ranks - 1);
    uint32_t tag = (uint32_t)record_number(record, 0, INT32_MAX);
    uint64_t bytes = (uint64_t)record_number(record, 0, INT64_MAX);
    bool sends = strstr(kind, "send") != NULL;
    if (kind[0] != 'i') {
        archive_check(
            sends
                ? OTF2_EvtWriter_MpiSend(maker->events, NULL, ns, peer, communicator, tag, bytes)
                : OTF2_EvtWriter_MpiRecv(maker->events, NULL, ns, peer, communicator, tag, bytes));
        return;
    }
    uint64_t request = (uint64_t)record_number(record, 0, INT64_MAX);
    archive_check(sends ? OTF2_EvtWriter_MpiIsend(maker->events, NULL, ns, peer, communicator, tag,
                                                  bytes, request)
                        : OTF2_EvtWriter_MpiIrecv(maker->events, NULL, ns, peer, communicator, tag,
                                                  bytes, request));
}

static void add_event(struct maker *maker, struct record *record, const char *kind, uint64_t ns) {
    static const char *const messages[] = {"send", "recv", "isend", "irecv"};
    if (strcmp(kind, "enter") == 0 || strcmp(kind, "leave") == 0) {
        uint32_t region = function_id(maker, record_word(record));
        archive_check(kind[0] == 'e' ? OTF2_EvtWriter_Enter(maker->events, NULL, ns, region)
                                     : OTF2_EvtWriter_Leave(maker->events, NULL, ns, region));
        return;
    }
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        if (strcmp(kind, messages[i]) != 0) continue;
        add_message(maker, record, kind, ns);
        return;
    }
    if (strcmp(kind, "collective") == 0)
        add_collective(maker, record, ns);
    else if (strcmp(kind, "isend_complete") == 0)
        archive_check(OTF2_EvtWriter_MpiIsendComplete(
            maker->events, NULL, ns, (uint64_t)record_number(record, 0, INT64_MAX)));
    else if (strcmp(kind, "irecv_request") == 0)
        archive_check(OTF2_EvtWriter_MpiIrecvRequest(
            maker->events, NULL, ns, (uint64_t)record_number(record, 0, INT64_MAX)));
    else
        record_fault(record, "unknown event");
}

/* Reads the record of a rank into the archive. Its whole time lies in the region "program", so that
 * computation before the first and after the last call counts. */
static void add_rank(struct maker *maker, const char *folder, uint32_t rank) {
    struct record record;
    record_open(&record, folder, rank, &maker->ranks);
    uint32_t program = function_id(maker, "program");
    maker->events = archive_events(maker->archive, rank);
    uint64_t before_ns = 0;
    bool has_begun = false, has_ended = false;
    while (record_next(&record)) {
        const char *kind = record_word(&record);
        if (strcmp(kind, "communicator") == 0) {
            add_communicator(maker, &record);
            continue;
        }
        uint64_t ns = (uint64_t)record_number(&record, 0, INT64_MAX);
        if (has_ended) record_fault(&record, "an event after the end");
        if (ns < before_ns) record_fault(&record, "an event before the one above");
        before_ns = ns;
        if (!has_begun) {
            if (strcmp(kind, "begin") != 0) record_fault(&record, "an event before the beginning");
            archive_check(OTF2_EvtWriter_Enter(maker->events, NULL, ns, program));
            if (ns < maker->first_ns) maker->first_ns = ns;
            has_begun = true;
        } else if (strcmp(kind, "end") == 0) {
            archive_check(OTF2_EvtWriter_Leave(maker->events, NULL, ns, program));
            if (ns > maker->last_ns) maker->last_ns = ns;
            has_ended = true;
        } else {
            add_event(maker, &record, kind, ns);
        }
        if (record_has_more(&record)) record_fault(&record, "more words than the event has");
    }
    if (!has_ended) record_fault(&record, "the record has no end (was the program stopped?)");
    record_close(&record);
    archive_check(OTF2_EvtWriter_GetNumberOfEvents(maker->events, &maker->counts[rank]));
}

/* ---------------------------------------------------------------------------- definitions */

static void define_string(OTF2_GlobalDefWriter *definitions, uint32_t id, const char *text) {
    archive_check(OTF2_GlobalDefWriter_WriteString(definitions, id, text));
}

static void define_communicators(struct maker *maker, OTF2_GlobalDefWriter *definitions) {
    archive_define_world(definitions, maker->ranks, GROUP_LOCATIONS, GROUP_WORLD, 1);
    archive_check(OTF2_GlobalDefWriter_WriteGroup(definitions, GROUP_SELF, 0,
                                                  OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI,
                                                  OTF2_GROUP_FLAG_NONE, 0, NULL));
    archive_check(OTF2_GlobalDefWriter_WriteComm(definitions, 1, 2, GROUP_SELF, OTF2_UNDEFINED_COMM,
                                                 OTF2_COMM_FLAG_NONE));
    for (size_t i = 0; i < maker->communicator_count; i++) {
        const struct communicator *communicator = &maker->communicators[i];
        uint32_t group = FIRST_GROUP + (uint32_t)i;
        archive_check(OTF2_GlobalDefWriter_WriteGroup(
            definitions, group, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
            OTF2_GROUP_FLAG_NONE, communicator->size, communicator->members));
        archive_check(OTF2_GlobalDefWriter_WriteComm(definitions, communicator->id, 0, group, 0,
                                                     OTF2_COMM_FLAG_NONE));
    }
}

static void define(struct maker *maker) {
    enum { EMPTY, WORLD_NAME, SELF_NAME, IN_PLACE_NAME, FIRST_NAME };
    OTF2_GlobalDefWriter *definitions = archive_definitions(maker->archive);
    archive_check(OTF2_GlobalDefWriter_WriteClockProperties(
        definitions, 1000000000, maker->first_ns, maker->last_ns - maker->first_ns + 1,
        OTF2_UNDEFINED_TIMESTAMP));
    define_string(definitions, EMPTY, "");
    define_string(definitions, WORLD_NAME, "MPI_COMM_WORLD");
    define_string(definitions, SELF_NAME, "MPI_COMM_SELF");
    define_string(definitions, IN_PLACE_NAME, "MPI_IN_PLACE");
    archive_check(OTF2_GlobalDefWriter_WriteAttribute(definitions, IN_PLACE_ATTRIBUTE,
                                                      IN_PLACE_NAME, EMPTY, OTF2_TYPE_UINT8));
    for (uint32_t i = 0; i < maker->function_count; i++)
        archive_define_function(definitions, i, FIRST_NAME + i, maker->functions[i], EMPTY);
    archive_define_ranks(definitions, EMPTY, maker->ranks, maker->counts);
    define_communicators(maker, definitions);
}

int main(int argument_count, char **arguments) {
    struct maker maker = {.first_ns = UINT64_MAX};
    if (argument_count != 3) {
        fprintf(stderr, "usage: selfcheck_archive RECORDS ARCHIVE\n");
        return 2;
    }
    struct record first;
    record_open(&first, arguments[1], 0, &maker.ranks);
    record_close(&first);
    maker.counts = calloc(maker.ranks, sizeof *maker.counts);
    if (maker.counts == NULL) archive_fail("out of memory");
    open_archive(&maker, arguments[2]);
    for (uint32_t rank = 0; rank < maker.ranks; rank++)
        add_rank(&maker, arguments[1], rank);
    define(&maker);
    archive_close(maker.archive, maker.ranks);
    OTF2_AttributeList_Delete(maker.attributes);
    for (uint32_t i = 0; i < maker.function_count; i++)
        free(maker.functions[i]);
    for (size_t i = 0; i < maker.communicator_count; i++)
        free(maker.communicators[i].members);
    free(maker.communicators);
    free(maker.counts);
    return 0;
}
