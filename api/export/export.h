/*
 * Writes a program's schedule in the formats of other tools. Private to the api room: a format is
 * one file and one row of the table in export.c.
 */
#ifndef ANAX_API_EXPORT_H
#define ANAX_API_EXPORT_H

#include "api/api.h"
#include "api/text/text_buffer.h"
#include "replay/schedule.h"

/* The state of an export, which is written in pieces. */
struct export_writer {
    const struct program *program;
    struct text_buffer text;
    bool (*write)(void *context, const char *text, size_t length);
    void *context;
    uint32_t rank;     /* current rank; PROGRAM_NONE: none yet */
    int64_t calc_ps;   /* goal: time that the rank has computed so far */
    int64_t calc_unit; /* goal: part of calc_ps written so far, in whole ns */
};

struct export_format {
    const char *name; /* name of the format; NULL ends the table */
    const char *help; /* one line */
    /* The calls come rank after rank, and every rank begins and ends. */
    void (*begin)(struct export_writer *writer);
    void (*begin_rank)(struct export_writer *writer, uint32_t rank);
    void (*operation)(struct export_writer *writer, const struct schedule_operation *operation);
    void (*end_rank)(struct export_writer *writer, uint32_t rank);
    void (*end)(struct export_writer *writer);
};

/* Returns the table of formats, whose last row has the name NULL. */
const struct export_format *export_formats(void);

/* The functions of a format, such as export_goal_begin (export_*.c). */
#define EXPORT_FUNCTIONS(name)                                                                     \
    .begin = export_##name##_begin, .begin_rank = export_##name##_begin_rank,                      \
    .operation = export_##name##_operation, .end_rank = export_##name##_end_rank,                  \
    .end = export_##name##_end
#define EXPORT_DECLARE(name)                                                                       \
    void export_##name##_begin(struct export_writer *writer);                                      \
    void export_##name##_begin_rank(struct export_writer *writer, uint32_t rank);                  \
    void export_##name##_operation(struct export_writer *writer,                                   \
                                   const struct schedule_operation *operation);                    \
    void export_##name##_end_rank(struct export_writer *writer, uint32_t rank);                    \
    void export_##name##_end(struct export_writer *writer);
EXPORT_DECLARE(goal)
EXPORT_DECLARE(json)
EXPORT_DECLARE(dot)
#undef EXPORT_DECLARE

#endif
