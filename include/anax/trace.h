/*
 * Traces: opening, generating, describing and writing them. anax.h has the rules for the whole
 * interface.
 */
#ifndef ANAX_TRACE_H
#define ANAX_TRACE_H

#include <anax/config.h>
#include <anax/options.h>
#include <anax/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Opening and generating ------------------------------------------------------------------ */

/* The operations of every rank of an application, from an OTF2 archive, a recording, a program
 * file, a schedule in GOAL, or a pattern. */
typedef struct anax_trace anax_trace;

/* Opens an OTF2 archive (its .otf2 file, or the folder that holds exactly one), a recording of
 * `anax record` (its folder), a program file, or a schedule in GOAL (text or binary). config (NULL:
 * defaults) gives the settings trace.*. options: threads, progress, processes; may be NULL.
 * ANAX_ERROR_INPUT: the trace is missing, damaged, without MPI, or without records that a replay
 * needs; the text names them. ANAX_ERROR_USAGE: the path is empty, or settings trace.* do not fit
 * the trace.
 *
 * With several processes, each keeps a part of the trace in memory, and functions that need other
 * parts read them. Until such a trace is freed, a program file must stay as it is (otherwise
 * ANAX_ERROR_INPUT), and only one thread at a time may use the trace. */
ANAX_API anax_code anax_trace_open(anax_trace **trace, const char *path, const anax_config *config,
                                   const anax_options *options, anax_error *error);

/* Builds the synthetic application named by `pattern` (`anax list patterns`) from the settings
 * generate.*, training.* and seed of config (NULL: defaults). ANAX_ERROR_USAGE: there is no such
 * pattern, or it cannot work with the settings. */
ANAX_API anax_code anax_trace_generate(anax_trace **trace, const char *pattern,
                                       const anax_config *config, anax_error *error);

/* Frees a trace; NULL is allowed. Free its replay results, comparisons, searches and placements
 * first. */
ANAX_API void anax_trace_free(anax_trace *trace);

/* ---- What a trace holds ---------------------------------------------------------------------- */

/* The main figures of a trace. The caller allocates the struct, the library fills it. The table
 * "trace" (anax_trace_table) has the same figures, and the path and the creator of the trace and
 * the number of communicators. The trace of a program file has the figures of the trace from which
 * the file was written. */
typedef struct anax_trace_info {
    size_t size; /* set by ANAX_TRACE_INFO_INIT */
    uint32_t ranks;
    uint64_t locations; /* event streams of the archive; of other traces: ranks */
    uint64_t events;    /* records of the archive or the recording; of a schedule: vertices; of a
                           pattern: events that it generated */
    uint64_t messages;  /* sends of the application between two ranks, those without a receive
                           included; not those of collectives and one-sided operations */
    anax_sum message_bytes;      /* their payload */
    uint64_t unmatched_sends;    /* without a receive in the trace */
    uint64_t unmatched_receives; /* without a send */
    int64_t span_ps;             /* time from the first to the last time stamp; of a pattern: the
                                    nominal time of its longest rank; of a schedule: 0 */
    anax_sum compute_ps;         /* time outside MPI, over all ranks */
    uint64_t hash; /* hash of the content; equal for an archive and its program file */
} anax_trace_info;

#define ANAX_TRACE_INFO_INIT                                                                       \
    { sizeof(anax_trace_info), 0, 0, 0, 0, {0, 0}, 0, 0, 0, {0, 0}, 0 }

/* Fills info, whose size the caller has set (ANAX_TRACE_INFO_INIT). ANAX_ERROR_USAGE: the size is
 * wrong. */
ANAX_API anax_code anax_trace_get_info(anax_trace_info *info, const anax_trace *trace,
                                       anax_error *error);

/* Returns everything about a trace as text for people. The caller frees the text. */
ANAX_API char *anax_trace_text(const anax_trace *trace);

/* Returns everything about a trace as JSON for programs (schema anax.info/1, see anax-json(5)). The
 * caller frees the text. */
ANAX_API char *anax_trace_json(const anax_trace *trace);

/* Returns the reasons why a tenth or more of a trace's messages, MPI calls, collectives or time in
 * MPI cannot be replayed, so that its predictions are doubtful: one per line, "" if there are none.
 * Texts and JSON contain them too. The caller frees the text. */
ANAX_API char *anax_trace_warnings(const anax_trace *trace);

/* Copies the table called info.`name` in the list of tables. Examples of names are "trace" and
 * "collectives". ANAX_ERROR_USAGE: there is no table of that name; the text names the tables.
 * ANAX_ERROR_STATE: the trace has nothing of the kind. */
ANAX_API anax_code anax_trace_table(anax_table **table, const anax_trace *trace, const char *name,
                                    anax_error *error);

/* ---- Writing a trace ------------------------------------------------------------------------- */

/* Writes a program file: a compressed file with checksums, much faster to open than an archive.
 * options: threads, replace; may be NULL. Errors as for anax_text_write. */
ANAX_API anax_code anax_trace_write_program(const anax_trace *trace, const char *path,
                                            const anax_options *options, anax_error *error);

/* Writes an OTF2 archive into the new folder `folder` (anchor file folder/traces.otf2). Time stamps
 * are nominal: computation takes its time, and each MPI call a microsecond. This call has no
 * options because it works on one thread and never replaces a folder. ANAX_ERROR_EXISTS: there is
 * something of that name. ANAX_ERROR_INPUT: a rank computes longer than an archive can hold. */
ANAX_API anax_code anax_trace_write_otf2(const anax_trace *trace, const char *folder,
                                         anax_error *error);

/* Writes what each rank computes, sends and receives, and in which order, with collectives as the
 * messages of their algorithms, in a format of `anax list formats`. config gives the settings
 * mpi.* and replay.compute_scale. `write` gets `context` and the text in pieces that do not end
 * with NUL; if it returns false, the call ends with ANAX_ERROR_SYSTEM. ANAX_ERROR_USAGE: no such
 * format, or impossible settings. ANAX_ERROR_INPUT: a rank has more operations, or computes longer,
 * than an export can hold. */
ANAX_API anax_code anax_trace_export(const anax_trace *trace, const anax_config *config,
                                     const char *format,
                                     bool (*write)(void *context, const char *text, size_t length),
                                     void *context, anax_error *error);

/* Writes the text of anax_trace_export into a file. options: replace; may be NULL. Errors as for
 * anax_trace_export and anax_text_write. */
ANAX_API anax_code anax_trace_export_file(const anax_trace *trace, const anax_config *config,
                                          const char *format, const char *path,
                                          const anax_options *options, anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
