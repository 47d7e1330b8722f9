/* Copies structs between callers and the library. Each copy has as many bytes as both sides know; a
 * caller's struct with members that this library does not know must have zeros there. */
#include "api/caller_struct.h"

#include "api/option_calls.h"
#include "api/version.h"

#include <string.h>

/* The largest accepted size. No version's struct is larger, so a larger size was never
 * initialised. */
enum { LARGEST = 4096 };

CALLER_STRUCT_ENDS_WITH(anax_error, text);
CALLER_STRUCT_ENDS_WITH(anax_options, checkpoint_context);
CALLER_STRUCT_ENDS_WITH(anax_traffic_plan, points_folder);
CALLER_STRUCT_ENDS_WITH(anax_sweep_part, failed);
CALLER_STRUCT_ENDS_WITH(anax_search_plan, points_folder);
CALLER_STRUCT_ENDS_WITH(anax_compare_plan, negligible);
CALLER_STRUCT_ENDS_WITH(anax_place_plan, points_folder);
CALLER_STRUCT_ENDS_WITH(anax_bisection_plan, time_limit_s);
CALLER_STRUCT_ENDS_WITH(anax_calibrate_plan, file_count);
CALLER_STRUCT_ENDS_WITH(anax_extrapolate_plan, trace_count);
CALLER_STRUCT_ENDS_WITH(anax_trace_info, hash);

const struct caller_struct caller_options_struct = {"anax_options", "ANAX_OPTIONS_INIT",
                                                    sizeof(anax_options)};
const struct caller_struct caller_compare_plan_struct = {
    "anax_compare_plan", "ANAX_COMPARE_PLAN_INIT", sizeof(anax_compare_plan)};
const struct caller_struct caller_traffic_plan_struct = {
    "anax_traffic_plan", "ANAX_TRAFFIC_PLAN_INIT", sizeof(anax_traffic_plan)};
const struct caller_struct caller_search_plan_struct = {"anax_search_plan", "ANAX_SEARCH_PLAN_INIT",
                                                        sizeof(anax_search_plan)};
const struct caller_struct caller_place_plan_struct = {"anax_place_plan", "ANAX_PLACE_PLAN_INIT",
                                                       sizeof(anax_place_plan)};
const struct caller_struct caller_bisection_plan_struct = {
    "anax_bisection_plan", "ANAX_BISECTION_PLAN_INIT", sizeof(anax_bisection_plan)};
const struct caller_struct caller_calibrate_plan_struct = {
    "anax_calibrate_plan", "ANAX_CALIBRATE_PLAN_INIT", sizeof(anax_calibrate_plan)};
const struct caller_struct caller_extrapolate_plan_struct = {
    "anax_extrapolate_plan", "ANAX_EXTRAPOLATE_PLAN_INIT", sizeof(anax_extrapolate_plan)};
const struct caller_struct caller_sweep_part_struct = {"anax_sweep_part", "ANAX_SWEEP_PART_INIT",
                                                       sizeof(anax_sweep_part)};
const struct caller_struct caller_info_struct = {"anax_trace_info", "ANAX_TRACE_INFO_INIT",
                                                 sizeof(anax_trace_info)};

static status_code read_size(size_t *size, const void *from, const struct caller_struct *known,
                             struct status *status) {
    memcpy(size, from, sizeof *size);
    RETURN_ERROR_IF(*size < sizeof *size || *size > LARGEST || *size % sizeof *size != 0, status,
                    STATUS_USAGE, "%s.size is %zu, which cannot be; begin with %s", known->name,
                    *size, known->initialiser);
    return STATUS_OK;
}

status_code caller_struct_read(void *to, const void *from, const struct caller_struct *known,
                               struct status *status) {
    size_t size = 0;
    FORWARD_IF_ERROR(read_size(&size, from, known, status));
    for (size_t i = known->size; i < size; i++)
        RETURN_ERROR_IF(((const unsigned char *)from)[i] != 0, status, STATUS_USAGE,
                        "%s has a member that libanax %s does not know: the program was compiled "
                        "with a newer anax.h; use the libanax of that version",
                        known->name, API_VERSION);
    memcpy((unsigned char *)to + sizeof size, (const unsigned char *)from + sizeof size,
           (size < known->size ? size : known->size) - sizeof size);
    return STATUS_OK;
}

status_code caller_struct_write(void *to, const void *from, const struct caller_struct *known,
                                struct status *status) {
    size_t size = 0;
    FORWARD_IF_ERROR(read_size(&size, to, known, status));
    memset((unsigned char *)to + sizeof size, 0, size - sizeof size);
    memcpy((unsigned char *)to + sizeof size, (const unsigned char *)from + sizeof size,
           (size < known->size ? size : known->size) - sizeof size);
    return STATUS_OK;
}

/* Refuses members that are set, that the run does not read, and whose effect the caller would
 * miss. */
static status_code refuse_unread(const anax_options *given, const struct option_call *call,
                                 struct status *status) {
    const struct {
        unsigned set; /* an option_set */
        bool is_set;
        const char *member, *unset;
    } members[] = {
        {CALL_READS_TIMELINE, given->timeline, "timeline", "false"},
        {CALL_READS_ADVISE, given->advise, "advise", "false"},
        {CALL_READS_EXPLAIN, given->explain, "explain", "false"},
        {CALL_READS_PROCESSES, given->processes != NULL, "processes", "NULL"},
        {CALL_READS_CHECKPOINTS, given->checkpoint_folder != NULL, "checkpoint_folder", "NULL"},
        {CALL_READS_CHECKPOINTS, given->resume_folder != NULL, "resume_folder", "NULL"},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        RETURN_ERROR_IF(members[i].is_set && (call->reads & members[i].set) == 0, status,
                        STATUS_USAGE, "%s cannot do what anax_options.%s asks for; leave it %s",
                        call->run, members[i].member, members[i].unset);
    return STATUS_OK;
}

/* Copies the members of a set. */
static void copy_read(anax_options *own, const anax_options *given, unsigned reads) {
    if (reads & CALL_READS_THREADS) own->threads = given->threads;
    if (reads & CALL_READS_POINTS_AT_ONCE) own->points_at_once = given->points_at_once;
    if (reads & CALL_READS_PROGRESS) {
        own->progress = given->progress;
        own->progress_context = given->progress_context;
    }
    if (reads & CALL_READS_PROCESSES) own->processes = given->processes;
    if (reads & CALL_READS_REPLACE) own->replace = given->replace;
    if (reads & CALL_READS_ASCII_ONLY) own->ascii_only = given->ascii_only;
    if (reads & CALL_READS_TIMELINE) own->timeline = given->timeline;
    if (reads & CALL_READS_ADVISE) own->advise = given->advise;
    if (reads & CALL_READS_EXPLAIN) {
        own->explain = given->explain;
        own->path_steps = given->path_steps;
    }
    if (reads & CALL_READS_CHECKPOINTS) {
        own->checkpoint_folder = given->checkpoint_folder;
        own->resume_folder = given->resume_folder;
        own->checkpoint_every_s = given->checkpoint_every_s;
        own->checkpoint_wish = given->checkpoint_wish;
        own->checkpoint_failed = given->checkpoint_failed;
        own->checkpoint_context = given->checkpoint_context;
    }
}

status_code caller_read_options(anax_options *own, const anax_options *options, const char *call,
                                struct status *status) {
    const struct option_call *row = option_call_find(call);
    anax_options given = ANAX_OPTIONS_INIT;
    *own = given;
    if (options == NULL) return STATUS_OK;
    FORWARD_IF_ERROR(caller_struct_read(&given, options, &caller_options_struct, status));
    if (row->run != NULL) FORWARD_IF_ERROR(refuse_unread(&given, row, status));
    copy_read(own, &given, row->reads);
    return STATUS_OK;
}
