/*
 * Gives the steps of a path names that say what they are: the cause, and the call or region. Must
 * not know formats.
 */
#include "api/run/path_timeline.h"

#include "core/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of causes, calls and regions are texts of their own, so that pointers tell them apart. */
static bool is_alike(const struct replay_path_step *one, const struct replay_path_step *other) {
    return one->cause == other->cause && one->name == other->name;
}

static char *text_of(const struct replay_path_step *step) {
    const char *name = step->name != NULL ? step->name : "";
    const size_t size = strlen(step->cause) + strlen(name) + sizeof ": ";
    char *text = malloc(size);
    if (text != NULL)
        snprintf(text, size, "%s%s%s", step->cause, step->name != NULL ? ": " : "", name);
    return text;
}

/* Sets *number to the name of a step. kinds: a step of each name so far. */
static status_code name_step(struct path_timeline *timeline, const struct replay_path_step **kinds,
                             const struct replay_path_step *step, uint32_t *number,
                             struct status *status) {
    uint32_t *count = &timeline->path.name_count;
    for (*number = 0; *number < *count; (*number)++)
        if (is_alike(kinds[*number], step)) return STATUS_OK;
    timeline->names[*count] = text_of(step);
    RETURN_ERROR_IF(timeline->names[*count] == NULL, status, STATUS_MEMORY,
                    "out of memory for the critical path");
    kinds[(*count)++] = step;
    return STATUS_OK;
}

static status_code fill_timeline(struct path_timeline *timeline,
                                 const struct replay_path_step **kinds,
                                 const struct replay_critical_path *path, struct status *status) {
    for (uint64_t i = 0; i < path->step_count; i++) {
        const struct replay_path_step *step = &path->steps[i];
        struct traces_path_step *to = &timeline->steps[i];
        *to = (struct traces_path_step){
            .from_ps = step->from_ps, .to_ps = step->to_ps, .rank = step->rank};
        FORWARD_IF_ERROR(name_step(timeline, kinds, step, &to->name, status));
    }
    return STATUS_OK;
}

status_code path_timeline_build(struct path_timeline *timeline, const struct replay_result *replay,
                                struct status *status) {
    const struct replay_critical_path *path = &replay->paths[0];
    *timeline =
        (struct path_timeline){.steps = memory_new(path->step_count, sizeof *timeline->steps),
                               .names = memory_new(path->step_count, sizeof *timeline->names)};
    const struct replay_path_step **kinds =
        memory_new(path->step_count, sizeof(const struct replay_path_step *));
    timeline->path.io_nodes = memory_new(replay->storage_count, sizeof *timeline->path.io_nodes);
    bool enough = timeline->steps != NULL && timeline->names != NULL && kinds != NULL &&
                  timeline->path.io_nodes != NULL;
    status_code code =
        enough ? fill_timeline(timeline, kinds, path, status)
               : status_set(status, STATUS_MEMORY, "out of memory for the critical path");
    free(kinds);
    for (uint32_t i = 0; i < replay->storage_count && enough; i++)
        timeline->path.io_nodes[i] = replay->storage[i].node;
    timeline->path.io_node_count = replay->storage_count;
    timeline->path.title = "critical path";
    timeline->path.steps = timeline->steps;
    timeline->path.step_count = path->step_count;
    timeline->path.names = (const char *const *)timeline->names;
    return code;
}

void path_timeline_clear(struct path_timeline *timeline) {
    for (uint32_t i = 0; i < timeline->path.name_count; i++)
        free(timeline->names[i]);
    free(timeline->names);
    free(timeline->steps);
    free(timeline->path.io_nodes);
    *timeline = (struct path_timeline){0};
}
