/*
 * Carries out checkpoints: collects the facts of a run and compares them with those of a
 * checkpoint, decides when the next checkpoint is due, and lets all processes write and read their
 * parts of the state.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "core/checkpoint/checkpoint.h"

#include "core/checkpoint/checkpoint_files.h"
#include "core/checkpoint/shared_folder.h"
#include "core/memory/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The result of a simulation that is over. */
struct completed_simulation {
    uint64_t key;
    char *data;
    size_t bytes;
};

struct checkpoint {
    struct checkpoint_options options;
    char *facts;
    struct checkpoint_text from; /* the checkpoint from which the run goes on; no files: none */
    struct completed_simulation *results;
    size_t result_count;
    size_t result_capacity;
    uint64_t simulation;
    uint64_t generation; /* of the next checkpoint */
    int lock;            /* the folder, which this run has locked; -1: it has not */
    int64_t last_s;      /* when the last checkpoint was written, or the run began */
};

/* ---------------------------------------------------------------- facts */

static void add_text(struct checkpoint_facts *facts, const char *text) {
    const size_t bytes = strlen(text);
    void *moved = facts->text;
    if (memory_grow(&moved, &facts->capacity, facts->bytes + bytes + 1, 1, NULL) != STATUS_OK) {
        facts->out_of_memory = true;
        return;
    }
    facts->text = moved;
    char *place = facts->text + facts->bytes;
    for (size_t i = 0; i <= bytes; i++)
        place[i] = text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
    facts->bytes += bytes;
}

static void end_line(struct checkpoint_facts *facts) {
    add_text(facts, " ");
    if (!facts->out_of_memory) facts->text[facts->bytes - 1] = '\n';
}

void checkpoint_add_fact(struct checkpoint_facts *facts, const char *name, const char *format,
                         ...) {
    struct status text = STATUS_INIT; /* formats a text of any length */
    va_list arguments;
    va_start(arguments, format);
    status_set_v(&text, STATUS_USAGE, format, arguments);
    va_end(arguments);
    if (text.text == NULL) facts->out_of_memory = true;
    add_text(facts, name);
    add_text(facts, ": ");
    add_text(facts, text.text != NULL ? text.text : "");
    end_line(facts);
    status_clear(&text);
}

void checkpoint_facts_clear(struct checkpoint_facts *facts) {
    free(facts->text);
    *facts = (struct checkpoint_facts){0};
}

/* A line "name: value". */
struct line {
    const char *name;
    int name_bytes;
    const char *value;
    int value_bytes;
};

/* Reads the line at *place and moves *place behind it. Returns false at the end. */
static bool next_line(const char **place, struct line *line) {
    const char *end = strchr(*place, '\n'), *between = strstr(*place, ": ");
    if (end == NULL || between == NULL || between > end) return false;
    *line = (struct line){*place, (int)(between - *place), between + 2, (int)(end - between - 2)};
    *place = end + 1;
    return true;
}

static bool find_line(const char *facts, const struct line *wanted, struct line *found) {
    while (next_line(&facts, found))
        if (found->name_bytes == wanted->name_bytes &&
            memcmp(found->name, wanted->name, (size_t)wanted->name_bytes) == 0)
            return true;
    return false;
}

/* Tells a difference; of several, only the first is told whole. */
static void report_difference(struct status *status, const char *folder, const struct line *there,
                              const struct line *here, size_t differences) {
    if (differences > 3) return;
    static const struct line nothing = {"", 0, "not given", 9};
    const struct line *named = there != NULL ? there : here;
    there = there != NULL ? there : &nothing;
    here = here != NULL ? here : &nothing;
    if (differences == 1)
        status_set(status, STATUS_USAGE,
                   "%s: this checkpoint is of another run: %.*s is `%.*s` there, and `%.*s` here; "
                   "go on with the command that wrote it",
                   folder, named->name_bytes, named->name, there->value_bytes, there->value,
                   here->value_bytes, here->value);
    else
        status_append(status, "%s: %.*s is `%.*s` there, and `%.*s` here", folder,
                      named->name_bytes, named->name, there->value_bytes, there->value,
                      here->value_bytes, here->value);
}

/* Compares the facts of a checkpoint with those of this run. */
static status_code compare_facts(const char *there, const char *here, const char *folder,
                                 struct status *status) {
    size_t differences = 0;
    struct line line, other;
    if (strcmp(there, here) == 0) return STATUS_OK;
    for (const char *place = here; next_line(&place, &line);) {
        const bool is_there = find_line(there, &line, &other);
        if (is_there && other.value_bytes == line.value_bytes &&
            memcmp(other.value, line.value, (size_t)line.value_bytes) == 0)
            continue;
        report_difference(status, folder, is_there ? &other : NULL, &line, ++differences);
    }
    for (const char *place = there; next_line(&place, &line);)
        if (!find_line(here, &line, &other))
            report_difference(status, folder, &line, NULL, ++differences);
    if (differences > 3) status_append(status, "%s: %zu more differ", folder, differences - 3);
    if (differences > 0) return STATUS_USAGE;
    return status_set(status, STATUS_USAGE, "%s: this checkpoint is of another run", folder);
}

/* ---------------------------------------------------------------- a run */

static int64_t clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec;
}

/* Makes the folder and its missing parents. */
static status_code make_folder(const char *folder, struct status *status) {
    char *path = NULL;
    FORWARD_IF_ERROR(memory_copy_text(&path, folder, status));
    for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        mkdir(path, 0777); /* only the last folder's error is reported */
    }
    int reason = mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : errno;
    struct stat found;
    if (reason == 0 && stat(path, &found) == 0 && !S_ISDIR(found.st_mode)) reason = ENOTDIR;
    if (reason == 0 && access(path, W_OK | X_OK) != 0) reason = errno;
    free(path);
    RETURN_ERROR_IF(reason != 0, status, STATUS_USAGE,
                    "%s: cannot write checkpoints into this folder: %s", folder, strerror(reason));
    return STATUS_OK;
}

static bool is_same_folder(const char *one, const char *other) {
    struct stat first, second;
    return one != NULL && other != NULL && stat(one, &first) == 0 && stat(other, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* Keeps other runs out of the folder until this one ends, in whatever way. Process 0 does it for
 * all. File systems without such locks keep nobody out. */
static status_code lock_folder(struct checkpoint *checkpoint, struct status *status) {
    const struct checkpoint_options *options = &checkpoint->options;
    if (processes_number(options->processes) != 0) return STATUS_OK;
    checkpoint->lock = open(options->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    RETURN_ERROR_IF(checkpoint->lock >= 0 && flock(checkpoint->lock, LOCK_EX | LOCK_NB) != 0 &&
                        errno == EWOULDBLOCK,
                    status, STATUS_USAGE,
                    "%s: another run writes checkpoints into this folder; name another folder, or "
                    "wait until that run has ended",
                    options->folder);
    return STATUS_OK;
}

/* Prepares the folder in which checkpoints are written. */
static status_code prepare_folder(struct checkpoint *checkpoint, struct status *status) {
    const struct checkpoint_options *options = &checkpoint->options;
    if (options->folder == NULL) return STATUS_OK;
    struct checkpoint_text text = {0};
    FORWARD_IF_ERROR(make_folder(options->folder, status));
    FORWARD_IF_ERROR(lock_folder(checkpoint, status));
    const bool is_there = checkpoint_exists(options->folder);
    RETURN_ERROR_IF(is_there && !is_same_folder(options->folder, options->resume), status,
                    STATUS_USAGE,
                    "%s: has a checkpoint already; go on from it with anax_options.resume_folder "
                    "%s, name another "
                    "folder, or remove it first",
                    options->folder, options->folder);
    /* a damaged one has no number; the file names of the new one only have to differ from it */
    const status_code read =
        is_there ? checkpoint_text_read(&text, options->folder, NULL) : STATUS_INPUT;
    if (read == STATUS_MEMORY) {
        checkpoint_text_clear(&text);
        return status_set(status, STATUS_MEMORY, "out of memory for a checkpoint");
    }
    const bool is_read = read == STATUS_OK;
    if (is_read) checkpoint->generation = text.generation + 1;
    if ((is_read || !is_there) && processes_number(options->processes) == 0)
        checkpoint_remove_leftovers(options->folder, text.generation);
    checkpoint_text_clear(&text);
    return STATUS_OK;
}

static status_code add_result(struct checkpoint *checkpoint, uint64_t key, const void *data,
                              size_t bytes, struct status *status) {
    void *results = checkpoint->results;
    char *copy = malloc(bytes + 1);
    if (copy == NULL ||
        memory_grow(&results, &checkpoint->result_capacity, checkpoint->result_count + 1,
                    sizeof *checkpoint->results, NULL) != STATUS_OK) {
        free(copy);
        return status_set(status, STATUS_MEMORY, "out of memory for a checkpoint");
    }
    checkpoint->results = results;
    memcpy(copy, data, bytes);
    checkpoint->results[checkpoint->result_count++] =
        (struct completed_simulation){key, copy, bytes};
    return STATUS_OK;
}

/* Calls visit for each part of a kind, in all state files, with its content. */
static status_code visit_parts(struct checkpoint *checkpoint, checkpoint_kind kind,
                               bool (*wants)(void *context, uint64_t number),
                               status_code (*visit)(void *context, uint64_t number,
                                                    struct saved_state *state,
                                                    struct status *status),
                               void *context, struct status *status) {
    struct saved_state state = {0};
    status_code code = STATUS_OK;
    for (uint32_t i = 0; i < checkpoint->from.file_count && code == STATUS_OK; i++) {
        struct checkpoint_stream stream;
        code = checkpoint_stream_open(&stream, checkpoint->options.resume, &checkpoint->from, i,
                                      status);
        if (code != STATUS_OK) break;
        for (bool is_end = false; code == STATUS_OK;) {
            struct checkpoint_head head;
            code = checkpoint_stream_next(&stream, &head, &is_end, status);
            if (code != STATUS_OK || is_end) break;
            if (head.kind != (uint64_t)kind || !wants(context, head.part)) {
                code = checkpoint_stream_skip(&stream, &head, status);
                continue;
            }
            code = checkpoint_stream_read(&stream, &head, &state, status);
            if (code == STATUS_OK) code = visit(context, head.part, &state, status);
            if (code == STATUS_INPUT) code = checkpoint_set_damaged(&stream, status);
        }
        fclose(stream.file);
        free(stream.path);
    }
    saved_free(&state);
    return code;
}

static bool wants_all(void *context, uint64_t number) {
    (void)context, (void)number;
    return true;
}

static status_code take_result(void *context, uint64_t number, struct saved_state *state,
                               struct status *status) {
    return add_result(context, number, state->data, state->bytes, status);
}

/* Reads the checkpoint from which the run goes on, all but the state. */
static status_code read_from(struct checkpoint *checkpoint, struct status *status) {
    const char *folder = checkpoint->options.resume;
    if (folder == NULL) return STATUS_OK;
    FORWARD_IF_ERROR(checkpoint_text_read(&checkpoint->from, folder, status));
    FORWARD_IF_ERROR(compare_facts(checkpoint->from.facts, checkpoint->facts, folder, status));
    return visit_parts(checkpoint, CHECKPOINT_RESULT, wants_all, take_result, checkpoint, status);
}

status_code checkpoint_new(struct checkpoint **made, const struct checkpoint_options *options,
                           const struct checkpoint_facts *facts, struct status *status) {
    struct checkpoint *checkpoint = memory_new(1, sizeof *checkpoint);
    *made = NULL;
    if (checkpoint == NULL || facts->out_of_memory) {
        free(checkpoint);
        return status_set(status, STATUS_MEMORY, "out of memory for a checkpoint");
    }
    checkpoint->options = *options;
    checkpoint->generation = 1;
    checkpoint->lock = -1;
    checkpoint->last_s = clock_s();
    status_code code =
        memory_copy_text(&checkpoint->facts, facts->text != NULL ? facts->text : "", status);
    if (code == STATUS_OK) code = read_from(checkpoint, status);
    if (code == STATUS_OK) code = prepare_folder(checkpoint, status);
    if (options->processes != NULL) code = processes_agree(options->processes, code, status);
    if (code == STATUS_OK) code = shared_folder_check(options->folder, options->processes, status);
    if (code != STATUS_OK)
        checkpoint_free(checkpoint);
    else
        *made = checkpoint;
    return code;
}

void checkpoint_free(struct checkpoint *checkpoint) {
    if (checkpoint == NULL) return;
    for (size_t i = 0; i < checkpoint->result_count; i++)
        free(checkpoint->results[i].data);
    free(checkpoint->results);
    checkpoint_text_clear(&checkpoint->from);
    if (checkpoint->lock >= 0) close(checkpoint->lock);
    free(checkpoint->facts);
    free(checkpoint);
}

bool checkpoint_find_result(const struct checkpoint *checkpoint, uint64_t key, void *result,
                            size_t bytes) {
    for (size_t i = 0; checkpoint != NULL && i < checkpoint->result_count; i++) {
        const struct completed_simulation *completed = &checkpoint->results[i];
        if (completed->key != key || completed->bytes != bytes) continue;
        memcpy(result, completed->data, bytes);
        return true;
    }
    return false;
}

status_code checkpoint_record_result(struct checkpoint *checkpoint, uint64_t key,
                                     const void *result, size_t bytes, struct status *status) {
    return checkpoint != NULL ? add_result(checkpoint, key, result, bytes, status) : STATUS_OK;
}

void checkpoint_begin(struct checkpoint *checkpoint, uint64_t key) {
    if (checkpoint != NULL) checkpoint->simulation = key;
}

bool checkpoint_resumes(const struct checkpoint *checkpoint) {
    return checkpoint != NULL && checkpoint->from.file_count > 0 &&
           checkpoint->from.simulation == checkpoint->simulation;
}

checkpoint_wish checkpoint_due(struct checkpoint *checkpoint) {
    if (checkpoint == NULL || checkpoint->options.folder == NULL) return CHECKPOINT_NONE;
    const struct checkpoint_options *options = &checkpoint->options;
    const checkpoint_wish wish =
        options->wish != NULL ? options->wish(options->wish_context) : CHECKPOINT_NONE;
    if (wish != CHECKPOINT_NONE || options->every_s == 0) return wish;
    return clock_s() - checkpoint->last_s >= options->every_s ? CHECKPOINT_WRITE : CHECKPOINT_NONE;
}

void checkpoint_set_stopped(const struct checkpoint *checkpoint, bool is_written,
                            struct status *status) {
    if (is_written)
        status_set(status, STATUS_STOPPED, "stopped; go on with anax_options.resume_folder %s",
                   checkpoint->options.folder);
    else
        status_set(status, STATUS_RUN, "stopped after a failure, without a checkpoint");
}

/* ---------------------------------------------------------------- writing */

static status_code put_results(struct checkpoint_stream *stream,
                               const struct checkpoint *checkpoint, struct saved_state *state,
                               struct status *status) {
    for (size_t i = 0; i < checkpoint->result_count; i++) {
        const struct completed_simulation *completed = &checkpoint->results[i];
        saved_reset(state, false);
        save_or_restore_bytes(state, completed->data, completed->bytes);
        FORWARD_IF_ERROR(
            checkpoint_stream_put(stream, CHECKPOINT_RESULT, completed->key, state, status));
    }
    return STATUS_OK;
}

static status_code put_state(struct checkpoint_stream *stream,
                             const struct checkpoint_pieces *pieces, struct saved_state *state,
                             struct status *status) {
    saved_reset(state, false);
    pieces->process(pieces->context, state);
    FORWARD_IF_ERROR(checkpoint_stream_put(stream, CHECKPOINT_PROCESS, 0, state, status));
    for (uint32_t i = 0; i < pieces->count; i++) {
        if (!pieces->is_here(pieces->context, i)) continue;
        saved_reset(state, false);
        pieces->piece(pieces->context, state, i);
        FORWARD_IF_ERROR(checkpoint_stream_put(stream, CHECKPOINT_PIECE, i, state, status));
    }
    return STATUS_OK;
}

/* Writes the state file of this process. */
static status_code write_own(struct checkpoint *checkpoint, const struct checkpoint_pieces *pieces,
                             struct checkpoint_file *sums, struct status *status) {
    const unsigned process = processes_number(checkpoint->options.processes);
    struct checkpoint_stream stream;
    struct saved_state state = {0};
    FORWARD_IF_ERROR(checkpoint_stream_create(&stream, checkpoint->options.folder,
                                              checkpoint->generation, process, status));
    status_code code = STATUS_OK;
    if (process == 0) code = put_results(&stream, checkpoint, &state, status);
    if (code == STATUS_OK) code = put_state(&stream, pieces, &state, status);
    saved_free(&state);
    code = checkpoint_stream_close(&stream, code, status);
    *sums = stream.sums;
    return code;
}

/* Process 0 learns the sums of all files, and writes the text. */
static status_code write_text(struct checkpoint *checkpoint, const struct checkpoint_file *own,
                              struct status *status) {
    struct processes *processes = checkpoint->options.processes;
    const unsigned count = processes_count(processes);
    struct checkpoint_file *files = memory_new(count, sizeof *files);
    struct processes_packing packing = {0};
    struct processes_unpacking *blocks = NULL;
    RETURN_ERROR_IF(files == NULL, status, STATUS_MEMORY, "out of memory for a checkpoint");
    files[0] = *own;
    status_code code = STATUS_OK;
    if (processes != NULL) {
        if (processes_number(processes) > 0) processes_pack(&packing, own, sizeof *own);
        code = processes_gather(processes, &packing, &blocks, status);
        processes_pack_free(&packing);
    }
    for (unsigned i = 1; i < count && blocks != NULL && code == STATUS_OK; i++) {
        const struct checkpoint_file *sums = processes_unpack(&blocks[i], sizeof *sums);
        if (sums != NULL) files[i] = *sums;
        if (checkpoint_file_bytes(checkpoint->options.folder, checkpoint->generation, i) !=
            (int64_t)files[i].bytes)
            code = status_set(status, STATUS_SYSTEM,
                              "%s: process 0 does not see here what process %u has written",
                              checkpoint->options.folder, i);
    }
    free(blocks);
    const struct checkpoint_text text = {.generation = checkpoint->generation,
                                         .simulation = checkpoint->simulation,
                                         .file_count = count,
                                         .files = files,
                                         .facts = checkpoint->facts};
    if (code == STATUS_OK && processes_number(processes) == 0)
        code = checkpoint_text_write(&text, checkpoint->options.folder, status);
    free(files);
    return code;
}

/* Removes what this process has written of a checkpoint that cannot be written, and says what is
 * left. */
static void give_up(const struct checkpoint *checkpoint, struct status *status) {
    const char *folder = checkpoint->options.folder;
    checkpoint_remove_file(folder, checkpoint->generation,
                           processes_number(checkpoint->options.processes));
    status_append(status, "%s: %s", folder,
                  checkpoint_exists(folder) ? "the last complete checkpoint is in this folder"
                                            : "there is no complete checkpoint in this folder yet");
}

status_code checkpoint_write(struct checkpoint *checkpoint, const struct checkpoint_pieces *pieces,
                             struct status *status) {
    struct processes *processes = checkpoint->options.processes;
    struct checkpoint_file own = {0};
    status_code code = write_own(checkpoint, pieces, &own, status);
    if (processes != NULL) code = processes_agree(processes, code, status);
    const bool may_be_named = code == STATUS_OK; /* by a text that is there */
    if (code == STATUS_OK) code = write_text(checkpoint, &own, status);
    if (processes != NULL) code = processes_agree(processes, code, status);
    if (code != STATUS_OK && (!may_be_named || processes_are_together(processes)))
        give_up(checkpoint, status);
    checkpoint->generation++;
    checkpoint->last_s = clock_s();
    return code;
}

bool checkpoint_survives_error(const struct checkpoint *checkpoint, struct status *status) {
    const struct checkpoint_options *options = &checkpoint->options;
    if (options->failed == NULL || !processes_are_together(options->processes)) return false;
    if (processes_number(options->processes) == 0)
        options->failed(options->wish_context, status->text);
    status_clear(status);
    return true;
}

/* ---------------------------------------------------------------- reading */

struct reading {
    const struct checkpoint_pieces *pieces;
    uint32_t count; /* pieces that were restored */
};

static bool wants_piece(void *context, uint64_t number) {
    const struct checkpoint_pieces *pieces = ((const struct reading *)context)->pieces;
    return number < pieces->count && pieces->is_here(pieces->context, (uint32_t)number);
}

/* Returns whether everything was restored. */
static status_code check_restored(const struct saved_state *state, struct status *status) {
    RETURN_ERROR_IF(state->out_of_memory, status, STATUS_MEMORY, "out of memory for a checkpoint");
    RETURN_ERROR_IF(!saved_is_read(state), status, STATUS_INPUT, "the state does not fit");
    return STATUS_OK;
}

static status_code take_piece(void *context, uint64_t number, struct saved_state *state,
                              struct status *status) {
    struct reading *reading = context;
    reading->pieces->piece(reading->pieces->context, state, (uint32_t)number);
    reading->count++;
    return check_restored(state, status);
}

static status_code take_process(void *context, uint64_t number, struct saved_state *state,
                                struct status *status) {
    const struct reading *reading = context;
    (void)number;
    reading->pieces->process(reading->pieces->context, state);
    return check_restored(state, status);
}

status_code checkpoint_read(struct checkpoint *checkpoint, const struct checkpoint_pieces *pieces,
                            struct status *status) {
    struct processes *processes = checkpoint->options.processes;
    struct reading reading = {.pieces = pieces};
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < pieces->count; i++)
        wanted += pieces->is_here(pieces->context, i);
    status_code code =
        visit_parts(checkpoint, CHECKPOINT_PROCESS, wants_all, take_process, &reading, status);
    if (code == STATUS_OK)
        code = visit_parts(checkpoint, CHECKPOINT_PIECE, wants_piece, take_piece, &reading, status);
    if (code == STATUS_OK && reading.count != wanted)
        code = status_set(status, STATUS_INPUT,
                          "%s: this checkpoint is damaged: it has %u of %u "
                          "pieces",
                          checkpoint->options.resume, reading.count, wanted);
    if (processes != NULL) code = processes_agree(processes, code, status);
    return code;
}
