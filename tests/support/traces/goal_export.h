/*
 * A small program as a GOAL schedule, as `anax export --format goal` writes it. Fails the running
 * test on any error.
 */
#ifndef ANAX_TESTS_GOAL_EXPORT_H
#define ANAX_TESTS_GOAL_EXPORT_H

#include "api/export/export.h"
#include "tests/support/replay/replay_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline status_code goal_export_operation(void *context,
                                                const struct schedule_operation *operation,
                                                struct status *status) {
    (void)status;
    struct export_writer *writer = context;
    for (; writer->rank != operation->rank; writer->calc_ps = writer->calc_unit = 0) {
        if (writer->rank != PROGRAM_NONE) export_goal_end_rank(writer, writer->rank);
        export_goal_begin_rank(writer, ++writer->rank);
    }
    export_goal_operation(writer, operation);
    return STATUS_OK;
}

/* Returns a world's program as a GOAL schedule, which the caller frees. */
static inline char *goal_export(struct world *w) {
    struct export_writer writer = {.program = w->program, .rank = PROGRAM_NONE};
    export_goal_begin(&writer);
    assert_int_equal(schedule_visit(w->program, &w->config, &w->network_config,
                                    goal_export_operation, &writer, &w->status),
                     STATUS_OK);
    export_goal_end_rank(&writer, writer.rank);
    export_goal_end(&writer);
    return text_take(&writer.text);
}

#endif
