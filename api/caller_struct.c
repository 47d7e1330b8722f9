/* Copies structs between callers and the library. Each copy has as many bytes as both sides know; a
 * caller's struct with members that this library does not know must have zeros there. */
#include "api/caller_struct.h"

#include "api/version.h"

#include <string.h>

/* The largest accepted size. No version's struct is larger, so a larger size was never
 * initialised. */
enum { LARGEST = 4096 };

CALLER_STRUCT_ENDS_WITH(anax_error, text);
CALLER_STRUCT_ENDS_WITH(anax_options, points_folder);
CALLER_STRUCT_ENDS_WITH(anax_traffic_plan, seeds);
CALLER_STRUCT_ENDS_WITH(anax_sweep_part, failed);
CALLER_STRUCT_ENDS_WITH(anax_search_plan, seeds);
CALLER_STRUCT_ENDS_WITH(anax_compare_plan, negligible);
CALLER_STRUCT_ENDS_WITH(anax_trace_info, hash);

const struct caller_struct caller_options_struct = {"anax_options", "ANAX_OPTIONS_INIT",
                                                    sizeof(anax_options)};
const struct caller_struct caller_compare_plan_struct = {
    "anax_compare_plan", "ANAX_COMPARE_PLAN_INIT", sizeof(anax_compare_plan)};
const struct caller_struct caller_traffic_plan_struct = {
    "anax_traffic_plan", "ANAX_TRAFFIC_PLAN_INIT", sizeof(anax_traffic_plan)};
const struct caller_struct caller_search_plan_struct = {"anax_search_plan", "ANAX_SEARCH_PLAN_INIT",
                                                        sizeof(anax_search_plan)};
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

status_code caller_read_options(anax_options *own, const anax_options *options,
                                struct status *status) {
    *own = (anax_options)ANAX_OPTIONS_INIT;
    return options != NULL ? caller_struct_read(own, options, &caller_options_struct, status)
                           : STATUS_OK;
}

status_code caller_read_run_options(anax_options *own, const anax_options *options, unsigned reads,
                                    const char *what, struct status *status) {
    FORWARD_IF_ERROR(caller_read_options(own, options, status));
    const struct {
        unsigned group;
        bool is_set;
        const char *member;
    } members[] = {
        {CALLER_READS_REPLAY, own->timeline, "timeline"},
        {CALLER_READS_REPLAY, own->explain, "explain"},
        {CALLER_READS_REPLAY, own->advise, "advise"},
        {CALLER_READS_PROCESSES, own->processes != NULL, "processes"},
        {CALLER_READS_CHECKPOINTS, own->checkpoint_folder != NULL, "checkpoint_folder"},
        {CALLER_READS_CHECKPOINTS, own->resume_folder != NULL, "resume_folder"},
        {CALLER_READS_POINTS, own->points_folder != NULL, "points_folder"},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        RETURN_ERROR_IF(members[i].is_set && (reads & members[i].group) == 0, status, STATUS_USAGE,
                        "%s cannot do what anax_options.%s asks for; leave it %s", what,
                        members[i].member,
                        members[i].group == CALLER_READS_REPLAY ? "false" : "NULL");
    return STATUS_OK;
}
