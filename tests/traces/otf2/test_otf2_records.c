/* Events that the reader takes from the bytes of a file, held against those of the OTF2 library. */
#include "tests/support/traces/archive_world.h"
#include "traces/otf2/otf2_reader_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DATA(name) ANAX_SOURCE_DIR "/tests/data/otf2/" name "/traces.otf2"

struct events {
    struct otf2_event *all;
    size_t count, capacity;
    size_t end_at; /* the number of events after which the sink reports an error; 0: never */
};

static status_code keep(void *context, const struct otf2_event *event, struct status *status) {
    struct events *events = context;
    if (events->count == events->capacity) {
        events->capacity = 2 * events->capacity + 64;
        events->all = realloc(events->all, events->capacity * sizeof *events->all);
        assert_non_null(events->all);
    }
    events->all[events->count++] = *event;
    if (events->count == events->end_at) return status_set(status, STATUS_INPUT, "enough");
    return STATUS_OK;
}

/* The events of a location by the library alone. Returns the number of records. */
static uint64_t read_by_library(const char *path, uint64_t location, struct events *events) {
    struct status status = STATUS_INIT;
    struct otf2_reader *reader = otf2_reader_open(path, &status);
    assert_non_null(reader);
    reader->sink = keep;
    reader->context = events;
    uint64_t count = 0;
    OTF2_Reader *handle = reader->handle;
    assert_int_equal(OTF2_Reader_SelectLocation(handle, location), OTF2_SUCCESS);
    assert_int_equal(OTF2_Reader_OpenDefFiles(handle), OTF2_SUCCESS);
    OTF2_DefReader *local = OTF2_Reader_GetDefReader(handle, location);
    if (local != NULL) {
        assert_int_equal(OTF2_Reader_ReadAllLocalDefinitions(handle, local, &count), OTF2_SUCCESS);
        OTF2_Reader_CloseDefReader(handle, local);
    }
    OTF2_Reader_CloseDefFiles(handle);
    assert_int_equal(OTF2_Reader_OpenEvtFiles(handle), OTF2_SUCCESS);
    OTF2_EvtReader *file = OTF2_Reader_GetEvtReader(handle, location);
    assert_non_null(file);
    OTF2_EvtReaderCallbacks *callbacks = otf2_reader_event_callbacks();
    OTF2_Reader_RegisterEvtCallbacks(handle, file, callbacks, reader);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    assert_int_equal(OTF2_Reader_ReadAllLocalEvents(handle, file, &count), OTF2_SUCCESS);
    OTF2_Reader_CloseEvtReader(handle, file);
    OTF2_Reader_CloseEvtFiles(handle);
    otf2_reader_close(reader);
    return count;
}

static bool is_same(const struct otf2_event *one, const struct otf2_event *other) {
    return one->record == other->record && one->ticks == other->ticks && one->kind == other->kind &&
           one->in_place == other->in_place && one->region == other->region &&
           one->peer == other->peer && one->tag == other->tag && one->request == other->request &&
           one->bytes == other->bytes && one->received_bytes == other->received_bytes;
}

/* Compares the events of a location. Returns how many records the reader left to the library. */
static uint64_t compare(const char *path, uint64_t location) {
    struct events expected = {0}, actual = {0};
    const uint64_t count = read_by_library(path, location, &expected);
    struct status status = STATUS_INIT;
    struct otf2_reader *reader = otf2_reader_open(path, &status);
    assert_non_null(reader);
    uint64_t read = 0;
    assert_int_equal(otf2_reader_read_events(reader, location, keep, &actual, &read, &status),
                     STATUS_OK);
    assert_int_equal(read, count);
    assert_int_equal(actual.count, expected.count);
    for (size_t i = 0; i < actual.count; i++)
        if (!is_same(&actual.all[i], &expected.all[i])) fail_msg("event %zu differs", i);
    const uint64_t left = count - reader->skipped;
    otf2_reader_close(reader);
    free(expected.all);
    free(actual.all);
    return left;
}

static uint64_t compare_and_free(struct archive_maker *maker) {
    const uint64_t left = compare(maker_finish(maker), 0);
    maker_free(maker);
    return left;
}

/* Ids that are mapped, and corrected times: as Score-P records them. */
static void archives_of_score_p_are_read_by_their_bytes(void **state) {
    (void)state;
    for (uint64_t location = 0; location < 8; location++) {
        assert_int_equal(compare(DATA("sp_halo2d_8"), location), 0);
        assert_int_equal(compare(DATA("sp_colls_8"), location), 0);
        assert_int_equal(compare(DATA("sp_order_8"), location), 0);
    }
}

#define WRITE(call) assert_int_equal(call, OTF2_SUCCESS)

/* Records that write_numbers writes. */
enum { WINDOW_RECORDS = 14, NUMBER_RECORDS = 10 * (13 + WINDOW_RECORDS) };

static uint64_t number_of_bytes(unsigned bytes) {
    return bytes == 0 ? 0 : bytes == 9 ? UINT64_MAX : UINT64_C(1) << (8 * bytes - 1);
}

static void write_windows(OTF2_EvtWriter *events, uint64_t ticks, uint32_t small, uint64_t large) {
    static const OTF2_LockType locks[] = {OTF2_LOCK_EXCLUSIVE, OTF2_LOCK_SHARED};
    WRITE(OTF2_EvtWriter_RmaWinCreate(events, NULL, ticks, small));
    WRITE(OTF2_EvtWriter_RmaWinDestroy(events, NULL, ticks, small));
    WRITE(OTF2_EvtWriter_RmaCollectiveBegin(events, NULL, ticks));
    WRITE(OTF2_EvtWriter_RmaCollectiveEnd(events, NULL, ticks, OTF2_COLLECTIVE_OP_BARRIER,
                                          OTF2_RMA_SYNC_LEVEL_MEMORY, small, small, large, large));
    WRITE(OTF2_EvtWriter_RmaGroupSync(events, NULL, ticks, small, small, small));
    WRITE(OTF2_EvtWriter_RmaPut(events, NULL, ticks, small, small, large, large));
    WRITE(OTF2_EvtWriter_RmaGet(events, NULL, ticks, small, small, large, large));
    WRITE(OTF2_EvtWriter_RmaAtomic(events, NULL, ticks, small, small, OTF2_RMA_ATOMIC_TYPE_SWAP,
                                   large, large / 2, large));
    WRITE(OTF2_EvtWriter_RmaOpCompleteBlocking(events, NULL, ticks, small, large));
    WRITE(OTF2_EvtWriter_RmaOpCompleteNonBlocking(events, NULL, ticks, small, large));
    WRITE(OTF2_EvtWriter_RmaOpCompleteRemote(events, NULL, ticks, small, large));
    WRITE(
        OTF2_EvtWriter_RmaRequestLock(events, NULL, ticks, small, small, large, locks[large % 2]));
    WRITE(
        OTF2_EvtWriter_RmaAcquireLock(events, NULL, ticks, small, small, large, locks[small % 2]));
    WRITE(OTF2_EvtWriter_RmaReleaseLock(events, NULL, ticks, small, small, large));
}

/* Numbers of each size, and those with all bits set. */
static void write_numbers(OTF2_EvtWriter *events, uint64_t ticks) {
    for (unsigned bytes = 0; bytes <= 9; bytes++, ticks += 4) {
        const uint64_t large = number_of_bytes(bytes);
        const uint32_t small = bytes > 4 ? UINT32_MAX : (uint32_t)large;
        WRITE(OTF2_EvtWriter_Enter(events, NULL, ticks, small));
        WRITE(OTF2_EvtWriter_MpiSend(events, NULL, ticks, small, small, small, large));
        WRITE(OTF2_EvtWriter_MpiIsend(events, NULL, ticks, small, small, small, large, large));
        WRITE(OTF2_EvtWriter_MpiIsendComplete(events, NULL, ticks, large));
        WRITE(OTF2_EvtWriter_MpiIrecvRequest(events, NULL, ticks + 1, large));
        WRITE(OTF2_EvtWriter_MpiRecv(events, NULL, ticks + 1, small, small, small, large));
        WRITE(OTF2_EvtWriter_MpiIrecv(events, NULL, ticks + 2, small, small, small, large, large));
        WRITE(OTF2_EvtWriter_MpiRequestCancelled(events, NULL, ticks + 2, large));
        WRITE(OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, ticks + 2));
        WRITE(OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, ticks + 3, OTF2_COLLECTIVE_OP_REDUCE,
                                              small, small, large, large));
        WRITE(OTF2_EvtWriter_NonBlockingCollectiveRequest(events, NULL, ticks + 3, large));
        WRITE(OTF2_EvtWriter_NonBlockingCollectiveComplete(
            events, NULL, ticks + 3, OTF2_COLLECTIVE_OP_BCAST, small, small, large, large, large));
        write_windows(events, ticks + 3, small, large);
        WRITE(OTF2_EvtWriter_Leave(events, NULL, ticks + 3, small));
    }
}

static void write_values(OTF2_EvtWriter *events, uint64_t ticks) {
    enum { VALUES = 20 };
    static const OTF2_Type types[VALUES] = {OTF2_TYPE_UINT64};
    static const OTF2_MetricValue values[VALUES] = {{.unsigned_int = UINT64_MAX},
                                                    {.unsigned_int = 1000}};
    WRITE(OTF2_EvtWriter_Metric(events, NULL, ticks, 3, VALUES, types, values));
    WRITE(OTF2_EvtWriter_Metric(events, NULL, ticks, 3, 0, NULL, NULL));
    WRITE(OTF2_EvtWriter_ParameterInt(events, NULL, ticks, 1, -1));
    WRITE(OTF2_EvtWriter_ParameterUnsignedInt(events, NULL, ticks, 1, 2));
    WRITE(OTF2_EvtWriter_ParameterString(events, NULL, ticks, 1, 2));
}

static void write_others(OTF2_EvtWriter *events, uint64_t ticks) {
    const OTF2_StringRef arguments[] = {1, UINT32_C(1) << 31, 3};
    OTF2_AttributeList *attributes = OTF2_AttributeList_New();
    OTF2_AttributeList_AddUint64(attributes, 2, UINT64_C(1) << 40);
    WRITE(OTF2_EvtWriter_ProgramBegin(events, attributes, ticks, 7, 3, arguments));
    WRITE(OTF2_EvtWriter_ProgramBegin(events, NULL, ticks, 7, 0, NULL));
    WRITE(OTF2_EvtWriter_MeasurementOnOff(events, NULL, ticks, OTF2_MEASUREMENT_OFF));
    WRITE(OTF2_EvtWriter_MeasurementOnOff(events, NULL, ticks + 10, OTF2_MEASUREMENT_ON));
    WRITE(OTF2_EvtWriter_BufferFlush(events, NULL, ticks + 20, ticks + 900));
    WRITE(OTF2_EvtWriter_CommCreate(events, NULL, ticks + 30, 9));
    WRITE(OTF2_EvtWriter_CommDestroy(events, NULL, ticks + 40, 9));
    WRITE(OTF2_EvtWriter_ThreadFork(events, NULL, ticks + 50, OTF2_PARADIGM_OPENMP, 300));
    OTF2_AttributeList_AddUint64(attributes, 3, 5);
    WRITE(OTF2_EvtWriter_ThreadTeamBegin(events, attributes, ticks + 50, 4));
    WRITE(OTF2_EvtWriter_ThreadTeamEnd(events, NULL, ticks + 60, 4));
    WRITE(OTF2_EvtWriter_ThreadJoin(events, NULL, ticks + 60, OTF2_PARADIGM_OPENMP));
    WRITE(OTF2_EvtWriter_ThreadCreate(events, NULL, ticks + 60, 4, 1000));
    WRITE(OTF2_EvtWriter_ThreadBegin(events, NULL, ticks + 60, 4, 1000));
    WRITE(OTF2_EvtWriter_ThreadEnd(events, NULL, ticks + 60, 4, 1000));
    WRITE(
        OTF2_EvtWriter_ThreadAcquireLock(events, NULL, ticks + 60, OTF2_PARADIGM_OPENMP, 4, 1000));
    WRITE(
        OTF2_EvtWriter_ThreadReleaseLock(events, NULL, ticks + 60, OTF2_PARADIGM_OPENMP, 4, 1000));
    WRITE(OTF2_EvtWriter_ThreadTaskCreate(events, NULL, ticks + 60, 4, 1, 1000));
    WRITE(OTF2_EvtWriter_ThreadTaskSwitch(events, NULL, ticks + 60, 4, 1, 1000));
    WRITE(OTF2_EvtWriter_ThreadTaskComplete(events, NULL, ticks + 60, 4, 1, 1000));
    WRITE(OTF2_EvtWriter_ThreadWait(events, NULL, ticks + 60, 4, 1000));
    WRITE(OTF2_EvtWriter_ProgramEnd(events, NULL, ticks + 70, -1));
    OTF2_AttributeList_Delete(attributes);
}

static void all_usual_records_are_read_by_their_bytes(void **state) {
    (void)state;
    struct archive_maker *maker = maker_new(1, 1, 1000, 0, true);
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    write_others(events, UINT64_C(1) << 40);
    write_values(events, (UINT64_C(1) << 40) + 100);
    write_numbers(events, UINT64_C(1) << 41);
    assert_int_equal(compare_and_free(maker), 0);
}

/* More than a chunk of a mebibyte. */
static void files_have_many_chunks(void **state) {
    (void)state;
    struct archive_maker *maker = maker_new(1, 1, 1000, 0, true);
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    for (uint64_t i = 0; i < 600; i++)
        write_numbers(events, 1000 * i);
    assert_int_equal(compare_and_free(maker), 0);
}

/* Times before the first offset, at offsets, between them and after the last; also a flush that
 * ends in a later interval than the record after it begins. */
static void times_are_those_of_the_library(void **state) {
    (void)state;
    static const int64_t offsets[] = {-7, 123456789, 123400000, 123499999, 3};
    for (size_t count = 0; count <= sizeof offsets / sizeof *offsets; count++) {
        struct archive_maker *maker = maker_new(1, 1, 1000, 0, true);
        for (size_t i = 0; i < count; i++)
            maker_clock_offset(maker, 0, 1000000000 * (i + 1), offsets[i]);
        OTF2_EvtWriter *events = maker_events(maker, 0, 0);
        for (uint64_t i = 0; i < 200; i++)
            WRITE(OTF2_EvtWriter_Enter(events, NULL, 900000000 + 7777777 * i, 1));
        WRITE(OTF2_EvtWriter_BufferFlush(events, NULL, 2460000000, 4500000000));
        for (uint64_t i = 25; i < 65; i += 3)
            WRITE(OTF2_EvtWriter_Enter(events, NULL, 100000000 * i, 1));
        WRITE(OTF2_EvtWriter_Leave(events, NULL, UINT64_C(1) << 60, 1));
        assert_int_equal(compare_and_free(maker), 0);
    }
}

typedef void (*write_unusual)(OTF2_EvtWriter *events, OTF2_AttributeList *attributes);

static void write_other_kind(OTF2_EvtWriter *events, OTF2_AttributeList *attributes) {
    (void)attributes;
    WRITE(OTF2_EvtWriter_IoDestroyHandle(events, NULL, 5000, 1));
}

static void write_text(OTF2_EvtWriter *events, OTF2_AttributeList *attributes) {
    OTF2_AttributeList_AddStringRef(attributes, 1, 1);
    WRITE(OTF2_EvtWriter_Enter(events, attributes, 5000, 1));
}

static void write_two_attributes(OTF2_EvtWriter *events, OTF2_AttributeList *attributes) {
    OTF2_AttributeList_AddUint64(attributes, 1, 1);
    OTF2_AttributeList_AddUint64(attributes, 2, 2);
    WRITE(OTF2_EvtWriter_Enter(events, attributes, 5000, 1));
}

static void write_attribute_of_collective(OTF2_EvtWriter *events, OTF2_AttributeList *attributes) {
    OTF2_AttributeList_AddUint64(attributes, 0, 1);
    WRITE(OTF2_EvtWriter_MpiCollectiveEnd(events, attributes, 5000, OTF2_COLLECTIVE_OP_REDUCE, 1, 0,
                                          8, 8));
}

static void write_rma(OTF2_EvtWriter *events, OTF2_AttributeList *attributes) {
    (void)attributes;
    WRITE(OTF2_EvtWriter_RmaSync(events, NULL, 5000, 1, 2, OTF2_RMA_SYNC_TYPE_MEMORY));
}

static void write_long_program(OTF2_EvtWriter *events, OTF2_AttributeList *attributes) {
    (void)attributes;
    uint32_t arguments[300] = {0};
    WRITE(OTF2_EvtWriter_ProgramBegin(events, NULL, 5000, 7, 300, arguments));
}

/* What the library reads begins with the first unusual record. */
static void the_library_reads_the_rest(void **state) {
    (void)state;
    static const write_unusual unusual[] = {
        write_other_kind, write_text,        write_two_attributes, write_attribute_of_collective,
        write_rma,        write_long_program};
    for (size_t i = 0; i < sizeof unusual / sizeof *unusual; i++) {
        struct archive_maker *maker = maker_new(1, 1, 1000, 0, true);
        OTF2_EvtWriter *events = maker_events(maker, 0, 0);
        OTF2_AttributeList *attributes = OTF2_AttributeList_New();
        write_others(events, 1000);
        unusual[i](events, attributes);
        write_numbers(events, 6000);
        OTF2_AttributeList_Delete(attributes);
        assert_int_equal(compare_and_free(maker), 1 + NUMBER_RECORDS);
    }
}

static void an_error_of_the_sink_ends_the_reading(void **state) {
    (void)state;
    for (size_t end_at = 1; end_at < 5; end_at++) {
        struct events events = {.end_at = end_at};
        struct status status = STATUS_INIT;
        struct otf2_reader *reader = otf2_reader_open(DATA("sp_halo2d_8"), &status);
        assert_non_null(reader);
        uint64_t count;
        assert_int_equal(otf2_reader_read_events(reader, 0, keep, &events, &count, &status),
                         STATUS_INPUT);
        assert_string_equal(status.text, "enough");
        assert_int_equal(events.count, end_at);
        status_clear(&status);
        otf2_reader_close(reader);
        free(events.all);
    }
}

/* A receive of a request that was never posted is not what is wrong with a file that is cut short.
 */
static void damage_explains_other_faults(void **state) {
    (void)state;
    for (int is_cut = 0; is_cut < 2; is_cut++) {
        struct archive_maker *maker = maker_new(1, 1, 1000, 0, true);
        OTF2_EvtWriter *events = maker_events(maker, 0, 0);
        maker_enter(maker, events, 0, "MPI_Wait");
        WRITE(OTF2_EvtWriter_MpiIrecv(events, NULL, 1, 0, MAKER_WORLD, 0, 8, 77));
        maker_leave(maker, events, 2, "MPI_Wait");
        char path[256];
        const char *anchor = maker_finish(maker);
        snprintf(path, sizeof path, "%.*s/0.evt", (int)(strlen(anchor) - strlen(".otf2")), anchor);
        struct stat file;
        assert_int_equal(stat(path, &file), 0);
        if (is_cut) assert_int_equal(truncate(path, file.st_size - 1), 0);
        archive_refuse(maker, is_cut ? "0.evt: damaged or cut short: its records do not follow"
                                     : "event 1: MPI_IRECV of request 77");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archives_of_score_p_are_read_by_their_bytes),
        cmocka_unit_test(all_usual_records_are_read_by_their_bytes),
        cmocka_unit_test(files_have_many_chunks),
        cmocka_unit_test(times_are_those_of_the_library),
        cmocka_unit_test(the_library_reads_the_rest),
        cmocka_unit_test(an_error_of_the_sink_ends_the_reading),
        cmocka_unit_test(damage_explains_other_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
