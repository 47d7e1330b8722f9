/* Made archives with one fault each, or two that contradict each other: refused, with the place,
 * or counted. */
#include "tests/support/traces/archive_world.h"

#include <stdio.h>
#include <unistd.h>

static struct program *finish(struct archive_maker *maker) {
    return archive_finish(maker, &(struct traces_config){0});
}

static void contradictory_records_are_refused_with_the_place(void **state) {
    (void)state;
    struct archive_maker *maker = maker_new(2, 1, 1000000000, 0, false);
    maker_call(maker, maker_events(maker, 0, 0), 1, 2, "main");
    archive_refuse(maker, "there is no MPI in this trace");

    maker = archive_of_one();
    maker_call(maker, maker_events(maker, 0, 0), 1, 2, "main");
    archive_refuse(maker, "no process calls MPI");

    maker = archive_of_one();
    maker_call(maker, maker_events(maker, 0, 0), 1, 2, "MPI_Init");
    maker_announce_none(maker);
    archive_refuse(maker, "rank 0, location 0: its event file holds 2 events instead of the 0");

    maker = maker_new(1, 1, 0, 0, true);
    maker_call(maker, maker_events(maker, 0, 0), 1, 2, "MPI_Init");
    archive_refuse(maker, "how fast the clock ticks");

    maker = archive_of_one();
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    maker_enter(maker, events, 0, "MPI_Wait");
    OTF2_EvtWriter_MpiIrecv(events, NULL, 0, 0, MAKER_WORLD, 0, 8, 44);
    maker_leave(maker, events, 0, "MPI_Wait");
    archive_refuse(
        maker,
        "event 1: MPI_IRECV of request 44, which is not in flight: no earlier record posts it");

    maker = archive_of_one();
    events = maker_events(maker, 0, 0);
    maker_enter(maker, events, 0, "MPI_Send");
    OTF2_EvtWriter_MpiSend(events, NULL, 0, 1, MAKER_WORLD, 0, 8);
    maker_leave(maker, events, 0, "MPI_Send");
    archive_refuse(maker, "number 1 in a communicator of 1 members");

    maker = archive_of_one();
    events = maker_events(maker, 0, 0);
    maker_enter(maker, events, 0, "MPI_Send");
    OTF2_EvtWriter_MpiSend(events, NULL, 0, 0, MAKER_WORLD, UINT32_C(0x80000005), 8);
    maker_leave(maker, events, 0, "MPI_Send");
    archive_refuse(maker, "a message with number 0 and tag -2147483643, which no message has");

    maker = archive_of_one();
    maker_enter(maker, maker_events(maker, 0, 0), 0, "MPI_Recv");
    archive_refuse(maker, "ends inside MPI_Recv");

    maker = archive_of_one();
    events = maker_events(maker, 0, 0);
    OTF2_EvtWriter_MpiSend(events, NULL, 0, 0, MAKER_WORLD, 0, 8);
    maker_call(maker, events, 1, 2, "MPI_Init");
    archive_refuse(maker, "outside any MPI call");

    maker = archive_of_one();
    events = maker_events(maker, 0, 0);
    maker_enter(maker, events, 0, "MPI_Bcast");
    OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, 1, OTF2_COLLECTIVE_OP_BCAST, MAKER_WORLD, 0,
                                    UINT64_MAX - 1, UINT64_MAX - 1);
    maker_leave(maker, events, 2, "MPI_Bcast");
    archive_refuse(maker, "event 1: communicator 1: rank 0: BCAST of 18446744073709551614 bytes");
}

static void define_no_locations(OTF2_GlobalDefWriter *definitions, uint32_t ranks) {
    static const uint64_t members[] = {0, 1};
    OTF2_GlobalDefWriter_WriteGroup(definitions, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, members);
    OTF2_GlobalDefWriter_WriteComm(definitions, MAKER_WORLD, 0, 1, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
}

static void define_one_rank(OTF2_GlobalDefWriter *definitions, uint32_t ranks) {
    (void)ranks;
    static const uint64_t members[] = {0};
    OTF2_GlobalDefWriter_WriteGroup(definitions, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1, members);
    define_no_locations(definitions, 1);
}

static void groups_that_leave_ranks_out_are_refused(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_two();
    maker_define(maker, define_no_locations);
    archive_send(maker, 0, "MPI_Send", 1, MAKER_WORLD, 0);
    archive_refuse(maker, "COMM_LOCATIONS");

    maker = archive_of_two();
    maker_define(maker, define_one_rank);
    archive_send(maker, 0, "MPI_Send", 0, MAKER_WORLD, 0);
    archive_receive(maker, 1, "MPI_Recv", 0, MAKER_WORLD, 100, 0);
    archive_refuse(maker,
                   "location 1: event 1: a record of MPI communication on a location that belongs "
                   "to no rank");
}

static void define_two_groups(OTF2_GlobalDefWriter *definitions, uint32_t ranks) {
    static const uint64_t members[] = {0, 1, 2, 3}, even[] = {0, 2}, odd[] = {1, 3};
    OTF2_GlobalDefWriter_WriteGroup(definitions, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, members);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, even);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 2, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, odd);
    OTF2_GlobalDefWriter_WriteInterComm(definitions, MAKER_WORLD, 0, 1, 2, OTF2_UNDEFINED_COMM,
                                        OTF2_COMM_FLAG_NONE);
}

/* Who is not in the root's group names it, and of its own group at least the root. */
static void roots_of_groups_agree(void **state) {
    (void)state;
    enum { SELF = OTF2_COLLECTIVE_ROOT_SELF, OTHER = OTF2_COLLECTIVE_ROOT_THIS_GROUP };
    static const struct {
        uint32_t roots[4];
        const char *words; /* NULL: they agree */
    } cases[] = {
        {{SELF, 0, OTHER, 0}, NULL},
        {{1, SELF, 1, SELF},
         "rank 1: its collective number 0 on communicator 1 of the trace (2 and 2 ranks) "
         "is one with another"},
        {{SELF, 0, SELF, 0},
         "rank 2: its collective number 0 on communicator 1 of the trace (2 and 2 ranks) "
         "is one with another"},
        {{SELF, 1, OTHER, 0},
         "rank 1: its collective number 0 on communicator 1 of the trace (2 and 2 ranks) "
         "is one with another"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct archive_maker *maker = maker_new(4, 1, 1000000000, 0, true);
        maker_define(maker, define_two_groups);
        for (uint32_t r = 0; r < 4; r++) {
            OTF2_EvtWriter *events = maker_events(maker, r, 0);
            maker_enter(maker, events, 0, "MPI_Bcast");
            OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, 1, OTF2_COLLECTIVE_OP_BCAST, MAKER_WORLD,
                                            cases[i].roots[r], 8, 8);
            maker_leave(maker, events, 2, "MPI_Bcast");
        }
        if (cases[i].words != NULL)
            archive_refuse(maker, cases[i].words);
        else
            program_free(finish(maker));
    }
}

static void wildcards_say_nothing(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_two();
    archive_send(maker, 0, "MPI_Send", 1, MAKER_WORLD, 0);
    archive_receive(maker, 1, "MPI_Recv", UINT32_MAX, MAKER_WORLD, 100, 0);
    archive_refuse(maker,
                   "rank 1, location 1: event 1: a message with number -1 and tag 3, which no "
                   "message has: the tracer recorded MPI_ANY_SOURCE");
}

static void define_seventeen(OTF2_GlobalDefWriter *definitions, uint32_t ranks) {
    static const uint64_t members[] = {0, 1};
    OTF2_GlobalDefWriter_WriteGroup(definitions, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, members);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1, members);
    OTF2_GlobalDefWriter_WriteComm(definitions, 17, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

/* Who is no member is told so with the trace's own number of the communicator. */
static void calls_of_others_than_members_are_refused(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_two();
    maker_define(maker, define_seventeen);
    archive_send(maker, 1, "MPI_Send", 0, 17, 0);
    archive_refuse(maker,
                   "event 1: communicator 17: rank 1: message with rank 0 on a communicator that "
                   "does not connect them");
    maker = archive_of_two();
    maker_define(maker, define_seventeen);
    OTF2_EvtWriter *events = maker_events(maker, 1, 0);
    maker_enter(maker, events, 0, "MPI_Barrier");
    OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, 1, OTF2_COLLECTIVE_OP_BARRIER, 17,
                                    OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    archive_refuse(maker,
                   "event 1: communicator 17: rank 1: BARRIER on a communicator of which the "
                   "rank is not a member");
}

static void define_empty(OTF2_GlobalDefWriter *definitions, uint32_t ranks) {
    uint64_t members[8];
    for (uint32_t r = 0; r < ranks; r++)
        members[r] = r;
    OTF2_GlobalDefWriter_WriteGroup(definitions, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, members);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, members);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 2, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 0, NULL);
    OTF2_GlobalDefWriter_WriteComm(definitions, MAKER_WORLD, 0, 1, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteComm(definitions, MAKER_SELF, 0, 2, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
}

/* A group may have no members, but nothing can happen on it. MPI_COMM_SELF has a type of its own.
 */
static void groups_without_members_take_no_calls(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        struct archive_maker *maker = archive_of_two();
        maker_define(maker, define_empty);
        OTF2_EvtWriter *events = maker_events(maker, 1, 0);
        maker_enter(maker, events, 1, "MPI_Barrier");
        if (i == 0)
            OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, 2, OTF2_COLLECTIVE_OP_BARRIER, MAKER_SELF,
                                            OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
        else if (i == 1)
            OTF2_EvtWriter_MpiSend(events, NULL, 2, 0, MAKER_SELF, 0, 8);
        maker_leave(maker, events, 3, "MPI_Barrier");
        if (i < 2)
            archive_refuse(maker, "rank 1, location 1: event 1: communicator 2 has a group without "
                                  "members");
        else
            program_free(finish(maker));
    }
}

/* Places in an anchor file of OTF2, as bytes from its beginning. After the numbers come three
 * texts, which are empty here, and the number of properties. */
enum {
    ANCHOR_EVENT_CHUNK = 12, /* size of the chunks of events, 8 bytes */
    ANCHOR_SUBSTRATE = 28,   /* how the files are kept, 1 byte */
    ANCHOR_COMPRESSION = 29, /* 1 byte */
    ANCHOR_LOCATIONS = 30,   /* number of locations, 8 bytes */
    ANCHOR_PROPERTIES = 49   /* number of properties, 4 bytes */
};

enum { SUBSTRATE_SION = 2, COMPRESSION_NONE = 1, COMPRESSION_ZLIB = 2 };

/* A chunk of events or of definitions begins with so many bytes before its first record. */
enum { CHUNK_HEADER_BYTES = 18 };

/* Changes one byte of the file whose name ends so, or cuts it there (byte -1). A negative place
 * counts from the end. */
static void damage(struct archive_maker *maker, const char *suffix, long place, int byte) {
    char path[160];
    const char *anchor = maker_finish(maker);
    snprintf(path, sizeof path, "%.*s%s", (int)(strlen(anchor) - strlen(".otf2")), anchor, suffix);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, place, place < 0 ? SEEK_END : SEEK_SET), 0);
    if (byte >= 0)
        fputc(byte, file);
    else
        assert_int_equal(ftruncate(fileno(file), ftell(file)), 0);
    fclose(file);
}

static struct archive_maker *one_message(void) {
    struct archive_maker *maker = archive_of_two();
    archive_send(maker, 0, "MPI_Send", 1, MAKER_WORLD, 10);
    archive_receive(maker, 1, "MPI_Recv", 0, MAKER_WORLD, 100, 10);
    return maker;
}

static void files_of_other_kinds_are_refused(void **state) {
    (void)state;
    enum { CUT = -1, LAST = -1 };
    static const struct {
        const char *suffix;
        long place;
        int byte;
        const char *words;
    } cases[] = {
        {".otf2", ANCHOR_SUBSTRATE, SUBSTRATE_SION, "SIONlib"},
        {".otf2", ANCHOR_COMPRESSION, COMPRESSION_ZLIB, "compressed"},
        {".otf2", ANCHOR_SUBSTRATE, SUBSTRATE_SION + 1, "anchor file is damaged"},
        {".otf2", ANCHOR_COMPRESSION, COMPRESSION_NONE - 1, "anchor file is damaged"},
        {".otf2", ANCHOR_LOCATIONS, 3, "2 locations instead of the 3"},
        {"/1.evt", LAST, CUT, "/1.evt: damaged or cut short"},
        {".def", LAST, CUT, ".def: damaged or cut short"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct archive_maker *maker = one_message();
        damage(maker, cases[i].suffix, cases[i].place, cases[i].byte);
        archive_refuse(maker, cases[i].words);
    }
}

/* The first record of a chunk is a time stamp: the byte 5 and the time, which is 10 here, that of
 * ENTER and MPI_SEND. With 99 in its place the next time stamp, of LEAVE, is earlier. */
static void times_run_forwards(void **state) {
    (void)state;
    struct archive_maker *maker = one_message();
    damage(maker, "/0.evt", CHUNK_HEADER_BYTES + 1, 99);
    struct program *program = finish(maker);
    assert_int_equal(archive_noted(program, "times that run backwards"), 1);
    program_free(program);
    program = finish(one_message());
    assert_int_equal(archive_noted(program, "times that run backwards"), 0);
    program_free(program);
}

/* Damage that makes the library of OTF2 write past its memory, or read for ever: chunks of 2^63 - 1
 * bytes, 2^31 properties, a first record that ends the chunk (type 0) in a file without another
 * one, a length of a record that is the largest number. */
static void damage_that_the_library_would_not_survive_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *file;
        long place;
        const char *bytes;
        size_t size;
        const char *word;
    } cases[] = {
        {"traces.otf2", ANCHOR_EVENT_CHUNK, "\xff\xff\xff\xff\xff\xff\xff\x7f", 8,
         "anchor file is damaged"},
        {"traces.otf2", ANCHOR_PROPERTIES, "\x00\x00\x00\x80", 4, "anchor file is damaged"},
        {"traces/0.def", CHUNK_HEADER_BYTES, "\x00\x00", 2, "traces/0.def: damaged"},
        {"traces/0.evt", CHUNK_HEADER_BYTES, "\x00\x00", 2, "traces/0.evt: damaged"},
        {"traces.def", CHUNK_HEADER_BYTES + 1, "\xff\xff\xff\xff\xff\xff\xff\xff\xff", 9,
         "traces.def: damaged"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct archive_maker *maker = archive_of_one();
        maker_call(maker, maker_events(maker, 0, 0), 1, 2, "MPI_Init");
        char path[256];
        snprintf(path, sizeof path, "%s", maker_finish(maker));
        snprintf(strrchr(path, '/') + 1, 64, "%s", cases[i].file);
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        assert_int_equal(fseek(file, cases[i].place, SEEK_SET), 0);
        assert_int_equal(fwrite(cases[i].bytes, 1, cases[i].size, file), cases[i].size);
        fclose(file);
        archive_refuse(maker, cases[i].word);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contradictory_records_are_refused_with_the_place),
        cmocka_unit_test(groups_that_leave_ranks_out_are_refused),
        cmocka_unit_test(roots_of_groups_agree),
        cmocka_unit_test(wildcards_say_nothing),
        cmocka_unit_test(calls_of_others_than_members_are_refused),
        cmocka_unit_test(groups_without_members_take_no_calls),
        cmocka_unit_test(files_of_other_kinds_are_refused),
        cmocka_unit_test(times_run_forwards),
        cmocka_unit_test(damage_that_the_library_would_not_survive_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
