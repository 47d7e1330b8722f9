/*
 * Importing against reading: a bare loop of OTF2's local readers with callbacks that do nothing,
 * and traces_import_otf2 of the same archive. Both are run in turn, each time in a process of its
 * own, as users have them: memory is fresh for both. Shown are medians of CPU time with one thread,
 * and of elapsed time for an import with as many threads as there are processors. The archive is
 * read once before, so that the system has it in memory.
 *
 *   bench_import ARCHIVE.otf2 [RUNS]
 */
#include "traces/traces.h"

#include <otf2/otf2.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS_MAX = 1000 };

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

struct locations {
    uint64_t ids[65536];
    size_t count;
};

static OTF2_CallbackCode on_location(void *context, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t event_count,
                                     OTF2_LocationGroupRef group) {
    (void)name, (void)type, (void)event_count, (void)group;
    struct locations *found = context;
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
    struct locations *found = calloc(1, sizeof *found);
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

static uint64_t import_with(const char *path, unsigned threads) {
    struct status status = STATUS_INIT;
    struct traces_config config = {.polling_gap_ps = INT64_C(100000000), .memory_bytes = -1};
    struct program *program = NULL;
    if (traces_import_otf2(&program, path, &config, threads, NULL, NULL, &status) != STATUS_OK)
        fprintf(stderr, "bench_import: %s\n", status.text);
    uint64_t events = program != NULL ? program->event_count : 0;
    program_free(program);
    status_clear(&status);
    return events;
}

static uint64_t import_alone(const char *path) {
    return import_with(path, 1);
}

static uint64_t import_by_all(const char *path) {
    return import_with(path, 0);
}

struct measure {
    uint64_t events; /* 0 when it failed */
    double cpu_s;
    double elapsed_s;
};

/* One run in a process of its own. */
static struct measure measure_run(uint64_t (*run)(const char *), const char *path) {
    struct measure result = {0};
    int ends[2];
    if (pipe(ends) != 0) return result;
    pid_t child = fork();
    if (child == 0) {
        double cpu_s = seconds(CLOCK_PROCESS_CPUTIME_ID), elapsed_s = seconds(CLOCK_MONOTONIC);
        result.events = run(path);
        result.cpu_s = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_s;
        result.elapsed_s = seconds(CLOCK_MONOTONIC) - elapsed_s;
        _exit(write(ends[1], &result, sizeof result) == (ssize_t)sizeof result ? 0 : 1);
    }
    close(ends[1]);
    if (read(ends[0], &result, sizeof result) != (ssize_t)sizeof result)
        result = (struct measure){0};
    close(ends[0]);
    if (child > 0) waitpid(child, NULL, 0);
    return result;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

int main(int argument_count, char **arguments) {
    long runs = argument_count == 3 ? strtol(arguments[2], NULL, 10) : 9;
    if (argument_count < 2 || argument_count > 3 || runs < 1 || runs > RUNS_MAX) {
        fprintf(stderr, "usage: bench_import ARCHIVE.otf2 [RUNS, at most %d]\n", RUNS_MAX);
        return 2;
    }
    const char *path = arguments[1];
    static double bare_s[RUNS_MAX], import_s[RUNS_MAX], ratios[RUNS_MAX], all_s[RUNS_MAX];
    uint64_t events = measure_run(read_bare, path).events;
    for (long i = 0; i < runs; i++) {
        struct measure bare = measure_run(read_bare, path);
        struct measure alone = measure_run(import_alone, path);
        struct measure by_all = measure_run(import_by_all, path);
        if (events == 0 || bare.events != events || alone.events != events ||
            by_all.events != events) {
            fprintf(stderr, "bench_import: %s: cannot be read as a whole\n", path);
            return 1;
        }
        bare_s[i] = bare.cpu_s;
        import_s[i] = alone.cpu_s;
        ratios[i] = alone.cpu_s / bare.cpu_s;
        all_s[i] = by_all.elapsed_s / bare.elapsed_s;
    }
    size_t count = (size_t)runs;
    printf("{\"events\":%llu,\"bare_events_per_s\":%.0f,\"import_events_per_s\":%.0f,"
           "\"import_over_bare\":%.3f,\"all_threads_elapsed_over_bare\":%.3f}\n",
           (unsigned long long)events, (double)events / median(bare_s, count),
           (double)events / median(import_s, count), median(ratios, count), median(all_s, count));
    return 0;
}
