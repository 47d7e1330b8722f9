/*
 * Made archives, read: what comes of them, or the words with which they are refused.
 *
 * Header only, because it is little. Must not know how archives are written or read.
 */
#ifndef ANAX_TESTS_ARCHIVE_WORLD_H
#define ANAX_TESTS_ARCHIVE_WORLD_H

#include "tests/support/traces/archive_maker.h"
#include "tests/support/traces/packed_import.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Fails the test if the archive is refused, or the program not sound, or another one if the archive
 * is packed while it is read. */
static inline struct program *archive_read(const char *path, const struct traces_config *config) {
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    if (traces_open(&program, path, config, 1, NULL, NULL, &status) != STATUS_OK ||
        program_check(program, &status) != STATUS_OK)
        fail_msg("%s: %s", path, status.text);
    packed_import_is_same(program, path, config, 2);
    return program;
}

/* The same for one that is made, and removes it. */
static inline struct program *archive_finish(struct archive_maker *maker,
                                             const struct traces_config *config) {
    struct program *program = archive_read(maker_finish(maker), config);
    maker_free(maker);
    return program;
}

/* Fails the test unless the archive is refused with these words, and removes it. */
static inline void archive_refuse(struct archive_maker *maker, const char *words) {
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    struct traces_config config = {.polling_gap_ps = 0};
    const char *path = maker_finish(maker);
    assert_int_equal(traces_open(&program, path, &config, 1, NULL, NULL, &status), STATUS_INPUT);
    if (strstr(status.text, words) == NULL) fail_msg("\"%s\" does not say %s", status.text, words);
    packed_import_is_refused(path, &config, status.text);
    status_clear(&status);
    maker_free(maker);
}

/* What the note of that name counts; 0 if there is none. */
static inline uint64_t archive_noted(const struct program *program, const char *what) {
    for (uint32_t i = 0; i < program->note_count; i++)
        if (strcmp(program_text(program, program->notes[i].what), what) == 0)
            return program->notes[i].count;
    return 0;
}

static inline struct archive_maker *archive_of_one(void) {
    return maker_new(1, 1, 1000000000, 0, true);
}

static inline struct archive_maker *archive_of_two(void) {
    return maker_new(2, 1, 1000000000, 0, true);
}

/* One blocking call each, with tag 3; 100 bytes are sent. */
static inline void archive_send(struct archive_maker *maker, uint32_t rank, const char *call,
                                uint32_t to, uint32_t comm, uint64_t ticks) {
    OTF2_EvtWriter *events = maker_events(maker, rank, 0);
    maker_enter(maker, events, ticks, call);
    OTF2_EvtWriter_MpiSend(events, NULL, ticks, to, comm, 3, 100);
    maker_leave(maker, events, ticks + 1, call);
}

static inline void archive_receive(struct archive_maker *maker, uint32_t rank, const char *call,
                                   uint32_t from, uint32_t comm, uint64_t bytes, uint64_t ticks) {
    OTF2_EvtWriter *events = maker_events(maker, rank, 0);
    maker_enter(maker, events, ticks, call);
    OTF2_EvtWriter_MpiRecv(events, NULL, ticks, from, comm, 3, bytes);
    maker_leave(maker, events, ticks + 1, call);
}

#endif
