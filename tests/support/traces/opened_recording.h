/* What tests of recordings in the scratch folder look at when they open them. */
#ifndef ANAX_TESTS_OPENED_RECORDING_H
#define ANAX_TESTS_OPENED_RECORDING_H

#include "tests/support/core/scratch_folder.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Expects that the recording in the scratch folder is refused with an error that has the text. */
static inline void expect_refused(const char *text) {
    static const struct traces_config defaults = {0};
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    assert_int_equal(traces_open(&program, scratch_folder, &defaults, 1, NULL, NULL, &status),
                     STATUS_INPUT);
    assert_null(program);
    if (strstr(status.text, text) == NULL) fail_msg("%s: lacks: %s", status.text, text);
    status_clear(&status);
}

/* Returns the count of a note of a program; 0: it has no such note. */
static inline uint64_t count_of_note(const struct program *program, const char *what) {
    for (uint32_t i = 0; i < program->note_count; i++)
        if (strcmp(program_text(program, program->notes[i].what), what) == 0)
            return program->notes[i].count;
    return 0;
}

#endif
