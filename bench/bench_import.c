/*
 * Importing against reading: a bare loop of OTF2's local readers with callbacks that do nothing,
 * and traces_import_otf2 of the same archive, both with one thread, by CPU time. The archive is
 * read once before, so that the system has it in memory.
 *
 *   bench_import ARCHIVE.otf2
 */
#include "traces/traces.h"

#include <otf2/otf2.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

typedef struct locations {
    uint64_t ids[65536];
    size_t count;
} locations;

static OTF2_CallbackCode on_location(void *context, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t event_count,
                                     OTF2_LocationGroupRef group) {
    (void)name, (void)type, (void)event_count, (void)group;
    locations *found = context;
    if (found->count == 65536) return OTF2_CALLBACK_INTERRUPT;
    found->ids[found->count++] = self;
    return OTF2_CALLBACK_SUCCESS;
}

#define PARAMETERS                                                                                 \
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *context,              \
        OTF2_AttributeList *attributes
#define NOTHING                                                                                    \
    (void)location, (void)time, (void)position, (void)context, (void)attributes;                   \
    return OTF2_CALLBACK_SUCCESS

static OTF2_CallbackCode on_region(PARAMETERS, OTF2_RegionRef region) {
    (void)region;
    NOTHING;
}

static OTF2_CallbackCode on_message(PARAMETERS, uint32_t peer, OTF2_CommRef communicator,
                                    uint32_t tag, uint64_t bytes) {
    (void)peer, (void)communicator, (void)tag, (void)bytes;
    NOTHING;
}

static OTF2_CallbackCode on_imessage(PARAMETERS, uint32_t peer, OTF2_CommRef communicator,
                                     uint32_t tag, uint64_t bytes, uint64_t request) {
    (void)peer, (void)communicator, (void)tag, (void)bytes, (void)request;
    NOTHING;
}

static OTF2_CallbackCode on_request(PARAMETERS, uint64_t request) {
    (void)request;
    NOTHING;
}

static OTF2_CallbackCode on_collective(PARAMETERS, OTF2_CollectiveOp operation,
                                       OTF2_CommRef communicator, uint32_t root, uint64_t sent,
                                       uint64_t received) {
    (void)operation, (void)communicator, (void)root, (void)sent, (void)received;
    NOTHING;
}

static void read_location(OTF2_Reader *reader, uint64_t location,
                          OTF2_EvtReaderCallbacks *callbacks, uint64_t *events) {
    uint64_t read = 0;
    OTF2_Reader_SelectLocation(reader, location);
    OTF2_Reader_OpenDefFiles(reader);
    OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(reader, location);
    if (definitions != NULL) {
        OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &read);
        OTF2_Reader_CloseDefReader(reader, definitions);
    }
    OTF2_Reader_CloseDefFiles(reader);
    OTF2_Reader_OpenEvtFiles(reader);
    OTF2_EvtReader *local = OTF2_Reader_GetEvtReader(reader, location);
    if (local != NULL) {
        OTF2_Reader_RegisterEvtCallbacks(reader, local, callbacks, NULL);
        if (OTF2_Reader_ReadAllLocalEvents(reader, local, &read) == OTF2_SUCCESS) *events += read;
        OTF2_Reader_CloseEvtReader(reader, local);
    }
    OTF2_Reader_CloseEvtFiles(reader);
}

/* The events read, 0 on errors. */
static uint64_t read_bare(const char *path) {
    OTF2_Reader *reader = OTF2_Reader_Open(path);
    if (reader == NULL) return 0;
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    locations *found = calloc(1, sizeof *found);
    OTF2_GlobalDefReader *global = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *definitions = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    uint64_t read = 0, events = 0;
    if (found != NULL && global != NULL && definitions != NULL && callbacks != NULL) {
        OTF2_GlobalDefReaderCallbacks_SetLocationCallback(definitions, on_location);
        OTF2_Reader_RegisterGlobalDefCallbacks(reader, global, definitions, found);
        OTF2_Reader_ReadAllGlobalDefinitions(reader, global, &read);
        OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_region);
        OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_region);
        OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_message);
        OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_message);
        OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_imessage);
        OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_imessage);
        OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_request);
        OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_request);
        OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective);
        for (size_t i = 0; i < found->count; i++)
            read_location(reader, found->ids[i], callbacks, &events);
    }
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    OTF2_GlobalDefReaderCallbacks_Delete(definitions);
    free(found);
    OTF2_Reader_Close(reader);
    return events;
}

static uint64_t import(const char *path) {
    status status = STATUS_INIT;
    traces_config config = {.polling_gap_ps = INT64_C(100000000)};
    program *program = NULL;
    if (traces_import_otf2(&program, path, &config, 1, NULL, NULL, &status) != STATUS_OK)
        fprintf(stderr, "bench_import: %s\n", status.text);
    uint64_t events = program != NULL ? program->event_count : 0;
    program_free(program);
    status_clear(&status);
    return events;
}

/* CPU seconds of one run; *events is 0 when it failed. */
static double timed(uint64_t (*run)(const char *), const char *path, uint64_t *events) {
    double start_s = cpu_s();
    *events = run(path);
    return cpu_s() - start_s;
}

int main(int argument_count, char **arguments) {
    if (argument_count != 2) {
        fprintf(stderr, "usage: bench_import ARCHIVE.otf2\n");
        return 2;
    }
    uint64_t first_events = read_bare(arguments[1]), bare_events, import_events;
    double bare_s = timed(read_bare, arguments[1], &bare_events);
    double import_s = timed(import, arguments[1], &import_events);
    if (first_events == 0 || bare_events != first_events || import_events != first_events) {
        fprintf(stderr, "bench_import: %s: cannot be read as a whole\n", arguments[1]);
        return 1;
    }
    printf("{\"events\":%llu,\"bare_events_per_s\":%.0f,\"import_events_per_s\":%.0f,"
           "\"import_over_bare\":%.3f}\n",
           (unsigned long long)bare_events, (double)bare_events / bare_s,
           (double)import_events / import_s, import_s / bare_s);
    return 0;
}
