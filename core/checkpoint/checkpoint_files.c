/*
 * Writes and reads the text that describes a checkpoint, and the state files as streams of parts.
 * Both have checksums. A file gets its name when it is complete, the text last; then state files of
 * other generations are removed.
 */
#define _POSIX_C_SOURCE 200809L /* fsync, fileno */
#include "core/checkpoint/checkpoint_files.h"

#include "core/base/digest.h"
#include "core/checkpoint/shared_folder.h"
#include "core/files/input_file.h"
#include "core/files/output.h"
#include "core/memory/memory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TITLE      "anax checkpoint 1\n"
#define CHECK_LINE "check: "
#define STATE      "state-"
#define PART       ".part-"
#define TEXT_PART  "checkpoint.part"

enum { TEXT_BYTES_MAX = 64 << 20, FILES_MAX = 1 << 20 };

/* Mixes bytes into a running digest. */
static uint64_t mix_bytes(uint64_t running, const char *data, size_t bytes) {
    uint64_t word;
    for (; bytes >= sizeof word; bytes -= sizeof word, data += sizeof word) {
        memcpy(&word, data, sizeof word);
        running = digest_mix(running, word);
    }
    word = 0;
    if (bytes > 0) memcpy(&word, data, bytes);
    return digest_mix(digest_mix(running, word), bytes);
}

/* Returns FOLDER/name, which the caller frees. NULL: out of memory. */
static char *path_of(const char *folder, const char *name) {
    const size_t size = strlen(folder) + strlen(name) + sizeof "/";
    char *path = malloc(size);
    if (path != NULL) snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static char *state_path(const char *folder, uint64_t generation, unsigned process) {
    char name[64];
    snprintf(name, sizeof name, STATE "%" PRIu64 "-%u", generation, process);
    return path_of(folder, name);
}

static status_code no_memory(struct status *status) {
    return status_set(status, STATUS_MEMORY, "out of memory for a checkpoint");
}

static status_code cannot_write(const char *path, struct status *status) {
    const int reason = errno;
    return status_set(status, STATUS_SYSTEM, "%s: cannot write the checkpoint: %s", path,
                      strerror(reason));
}

/* ---------------------------------------------------------------- the text */

void checkpoint_text_clear(struct checkpoint_text *text) {
    free(text->files);
    free(text->facts);
    *text = (struct checkpoint_text){0};
}

bool checkpoint_exists(const char *folder) {
    char *path = path_of(folder, "checkpoint");
    struct stat about;
    const bool is = path != NULL && lstat(path, &about) == 0;
    free(path);
    return is;
}

/* Reads a file as a text that ends with NUL. */
static status_code read_whole(char **whole, size_t *bytes, const char *path,
                              struct status *status) {
    FILE *file;
    struct stat about;
    FORWARD_IF_ERROR(input_file_open(&file, path, status));
    const bool fits = fstat(fileno(file), &about) == 0 && about.st_size <= TEXT_BYTES_MAX;
    *whole = fits ? malloc((size_t)about.st_size + 1) : NULL;
    *bytes = *whole != NULL ? fread(*whole, 1, (size_t)about.st_size, file) : 0;
    fclose(file);
    RETURN_ERROR_IF(!fits, status, STATUS_INPUT, "%s: too large for a checkpoint", path);
    if (*whole == NULL) return no_memory(status);
    (*whole)[*bytes] = '\0';
    return STATUS_OK;
}

/* Reads a line "name: number[ number]" and moves *place behind it. */
static bool read_numbers(const char **place, const char *name, uint64_t *first, uint64_t *second) {
    const size_t length = strlen(name);
    if (strncmp(*place, name, length) != 0) return false;
    char *end = NULL;
    *first = strtoull(*place + length, &end, 16);
    if (second != NULL && *end == ' ') *second = strtoull(end, &end, 16);
    if (*end != '\n') return false;
    *place = end + 1;
    return true;
}

/* Returns the beginning of the last line if it is a fitting checksum of all before it; else NULL.
 */
static char *checked_end(char *whole, size_t bytes) {
    if (strlen(whole) != bytes || bytes < sizeof TITLE || whole[bytes - 1] != '\n') return NULL;
    char *last = whole + bytes - 1;
    while (last > whole && last[-1] != '\n')
        last--;
    uint64_t check = 0;
    const char *place = last;
    if (!read_numbers(&place, CHECK_LINE, &check, NULL)) return NULL;
    return check == mix_bytes(0, whole, (size_t)(last - whole)) ? last : NULL;
}

static status_code damaged_text(const char *path, struct status *status) {
    return status_set(status, STATUS_INPUT,
                      "%s: this checkpoint is damaged; start the run from its beginning", path);
}

/* Reads the lines of a text whose checksum fits, and that ends at `end`. */
static status_code read_lines(struct checkpoint_text *text, const char *place, const char *end,
                              const char *path, struct status *status) {
    uint64_t files = 0;
    if (strncmp(place, TITLE, strlen(TITLE)) != 0) return damaged_text(path, status);
    place += strlen(TITLE);
    if (!read_numbers(&place, "generation: ", &text->generation, NULL) ||
        !read_numbers(&place, "simulation: ", &text->simulation, NULL) ||
        !read_numbers(&place, "files: ", &files, NULL) || files == 0 || files > FILES_MAX)
        return damaged_text(path, status);
    text->files = memory_new((size_t)files, sizeof *text->files);
    text->facts = malloc((size_t)(end - place) + 1);
    if (text->files == NULL || text->facts == NULL) return no_memory(status);
    for (uint64_t i = 0; i < files; i++)
        if (!read_numbers(&place, "file: ", &text->files[i].bytes, &text->files[i].checksum))
            return damaged_text(path, status);
    text->file_count = (uint32_t)files;
    memcpy(text->facts, place, (size_t)(end - place));
    text->facts[end - place] = '\0';
    return STATUS_OK;
}

status_code checkpoint_text_read(struct checkpoint_text *text, const char *folder,
                                 struct status *status) {
    *text = (struct checkpoint_text){0};
    char *path = path_of(folder, "checkpoint"), *whole = NULL;
    size_t bytes = 0;
    struct stat about;
    if (path == NULL) return no_memory(status);
    status_code code = STATUS_OK;
    if (lstat(path, &about) != 0)
        code = status_set(status, STATUS_INPUT,
                          "%s: there is no checkpoint in this folder (no file %s); name the folder "
                          "in which the earlier run wrote its checkpoints",
                          folder, path);
    if (code == STATUS_OK) code = read_whole(&whole, &bytes, path, status);
    const bool is_other = code == STATUS_OK && strncmp(whole, TITLE, strlen(TITLE)) != 0 &&
                          strncmp(whole, TITLE, strlen("anax checkpoint ")) == 0;
    char *end = code == STATUS_OK && !is_other ? checked_end(whole, bytes) : NULL;
    if (is_other)
        code = status_set(status, STATUS_INPUT,
                          "%s: this checkpoint has another format; go on with the version of anax "
                          "that wrote it",
                          path);
    else if (code == STATUS_OK)
        code =
            end != NULL ? read_lines(text, whole, end, path, status) : damaged_text(path, status);
    free(whole);
    free(path);
    return code;
}

/* Makes sure that names in a folder are on the disk. */
static bool sync_folder(const char *folder) {
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return false;
    const bool done = fsync(descriptor) == 0 || errno == EINVAL; /* not all file systems can */
    close(descriptor);
    return done;
}

/* Finds the end of state-GENERATION-PROCESS at the beginning of a name. NULL: it is another name.
 */
static const char *state_end(const char *name, uint64_t *generation) {
    char *end = NULL;
    if (strncmp(name, STATE, strlen(STATE)) != 0 || !isdigit((unsigned char)name[strlen(STATE)]))
        return NULL;
    *generation = strtoull(name + strlen(STATE), &end, 10);
    if (*end != '-' || !isdigit((unsigned char)end[1])) return NULL;
    strtoul(end + 1, &end, 10);
    return end;
}

/* Returns the number of the process that writes this unfinished state file, as
 * output_temporary_name names it; 0: the name is another one. */
static long writer_of(const char *name) {
    uint64_t generation;
    char *end = NULL;
    const char *rest = state_end(name, &generation);
    if (rest == NULL || strncmp(rest, PART, strlen(PART)) != 0) return 0;
    const long process = strtol(rest + strlen(PART), &end, 10);
    return strcmp(end, "-0") == 0 && process > 0 ? process : 0;
}

/* Returns whether a name is that of a state file of another generation. */
static bool is_other(const char *name, uint64_t generation) {
    uint64_t other = 0;
    const char *end = state_end(name, &other);
    return end != NULL && *end == '\0' && other != generation;
}

/* Removes the files for whose names is_removed returns true. Files that cannot be removed do no
 * harm. */
static void remove_files(const char *folder, bool (*is_removed)(const char *name, uint64_t context),
                         uint64_t context) {
    DIR *directory = opendir(folder);
    if (directory == NULL) return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (is_removed(entry->d_name, context)) unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
}

static bool is_leftover(const char *name, uint64_t generation) {
    return is_other(name, generation) || writer_of(name) != 0 || strcmp(name, TEXT_PART) == 0 ||
           strncmp(name, SHARED_FOLDER_PREFIX, strlen(SHARED_FOLDER_PREFIX)) == 0;
}

static bool is_own_unfinished(const char *name, uint64_t process) {
    const long writer = writer_of(name);
    return writer > 0 && (uint64_t)writer == process;
}

void checkpoint_remove_leftovers(const char *folder, uint64_t generation) {
    remove_files(folder, is_leftover, generation);
}

void checkpoint_abandon(const char *folder) {
    remove_files(folder, is_own_unfinished, (uint64_t)getpid());
}

/* Writes the text to a stream in memory, so that its checksum can follow it. */
static char *text_of(const struct checkpoint_text *text, size_t *bytes) {
    char *whole = NULL;
    FILE *file = open_memstream(&whole, bytes);
    if (file == NULL) return NULL;
    fprintf(file, TITLE "generation: %" PRIx64 "\nsimulation: %" PRIx64 "\nfiles: %" PRIx32 "\n",
            text->generation, text->simulation, text->file_count);
    for (uint32_t i = 0; i < text->file_count; i++)
        fprintf(file, "file: %" PRIx64 " %" PRIx64 "\n", text->files[i].bytes,
                text->files[i].checksum);
    fputs(text->facts, file);
    fflush(file);
    const uint64_t check = mix_bytes(0, whole, *bytes);
    fprintf(file, CHECK_LINE "%" PRIx64 "\n", check);
    if (fclose(file) == 0) return whole;
    free(whole);
    return NULL;
}

status_code checkpoint_text_write(const struct checkpoint_text *text, const char *folder,
                                  struct status *status) {
    char *path = path_of(folder, "checkpoint"), *fresh = path_of(folder, TEXT_PART);
    size_t bytes = 0;
    char *whole = text_of(text, &bytes);
    FILE *file = NULL;
    status_code code = STATUS_OK;
    if (path == NULL || fresh == NULL || whole == NULL) code = no_memory(status);
    if (code == STATUS_OK && (file = fopen(fresh, "w")) == NULL) code = cannot_write(fresh, status);
    if (code == STATUS_OK &&
        (fwrite(whole, 1, bytes, file) != bytes || fflush(file) != 0 || fsync(fileno(file)) != 0))
        code = cannot_write(fresh, status);
    if (file != NULL && fclose(file) != 0 && code == STATUS_OK) code = cannot_write(fresh, status);
    if (code == STATUS_OK && (!sync_folder(folder) || rename(fresh, path) != 0))
        code = cannot_write(path, status);
    if (code != STATUS_OK && file != NULL) unlink(fresh);
    /* the older files stay as long as the disk may still have the older text */
    if (code == STATUS_OK && sync_folder(folder)) remove_files(folder, is_other, text->generation);
    free(whole);
    free(fresh);
    free(path);
    return code;
}

/* ---------------------------------------------------------------- state files */

static uint64_t check_of(const struct checkpoint_head *head, const char *data) {
    return mix_bytes(digest_mix(head->kind, head->part), data, (size_t)head->bytes);
}

/* Adds a part to the sums of its file. */
static void add_sums(struct checkpoint_file *sums, const struct checkpoint_head *head) {
    sums->bytes += sizeof *head + head->bytes;
    sums->checksum = mix_bytes(sums->checksum, (const char *)head, sizeof *head);
}

status_code checkpoint_stream_create(struct checkpoint_stream *stream, const char *folder,
                                     uint64_t generation, unsigned process, struct status *status) {
    *stream = (struct checkpoint_stream){.path = state_path(folder, generation, process)};
    stream->temporary = stream->path != NULL ? output_temporary_name(stream->path, 0) : NULL;
    status_code code = stream->temporary != NULL ? STATUS_OK : no_memory(status);
    if (code == STATUS_OK) stream->file = fopen(stream->temporary, "w");
    if (code == STATUS_OK && stream->file == NULL) code = cannot_write(stream->path, status);
    if (code == STATUS_OK) return STATUS_OK;
    free(stream->temporary);
    free(stream->path);
    return code;
}

int64_t checkpoint_file_bytes(const char *folder, uint64_t generation, unsigned process) {
    char *path = state_path(folder, generation, process);
    struct stat about;
    const bool is_seen = path != NULL && stat(path, &about) == 0;
    free(path);
    return is_seen ? (int64_t)about.st_size : -1;
}

void checkpoint_remove_file(const char *folder, uint64_t generation, unsigned process) {
    char *path = state_path(folder, generation, process);
    if (path != NULL) unlink(path);
    free(path);
}

status_code checkpoint_stream_put(struct checkpoint_stream *stream, checkpoint_kind kind,
                                  uint64_t part, const struct saved_state *state,
                                  struct status *status) {
    if (state->out_of_memory) return no_memory(status);
    struct checkpoint_head head = {.kind = kind, .part = part, .bytes = state->bytes};
    head.checksum = check_of(&head, state->data);
    add_sums(&stream->sums, &head);
    if (fwrite(&head, sizeof head, 1, stream->file) != 1 ||
        (state->bytes > 0 && fwrite(state->data, state->bytes, 1, stream->file) != 1))
        return cannot_write(stream->path, status);
    return STATUS_OK;
}

status_code checkpoint_stream_close(struct checkpoint_stream *stream, status_code code,
                                    struct status *status) {
    if (code == STATUS_OK && (fflush(stream->file) != 0 || fsync(fileno(stream->file)) != 0))
        code = cannot_write(stream->path, status);
    if (fclose(stream->file) != 0 && code == STATUS_OK) code = cannot_write(stream->path, status);
    if (code == STATUS_OK && rename(stream->temporary, stream->path) != 0)
        code = cannot_write(stream->path, status);
    if (code != STATUS_OK) unlink(stream->temporary);
    free(stream->temporary);
    free(stream->path);
    return code;
}

status_code checkpoint_stream_open(struct checkpoint_stream *stream, const char *folder,
                                   const struct checkpoint_text *text, unsigned process,
                                   struct status *status) {
    *stream = (struct checkpoint_stream){.path = state_path(folder, text->generation, process),
                                         .expected = text->files[process]};
    if (stream->path == NULL) return no_memory(status);
    struct stat about;
    status_code code = input_file_open(&stream->file, stream->path, status);
    if (code == STATUS_OK && (fstat(fileno(stream->file), &about) != 0 ||
                              (uint64_t)about.st_size != stream->expected.bytes)) {
        code = checkpoint_set_damaged(stream, status);
        fclose(stream->file);
    }
    if (code != STATUS_OK) free(stream->path);
    return code;
}

status_code checkpoint_set_damaged(const struct checkpoint_stream *stream, struct status *status) {
    return status_set(status, STATUS_INPUT,
                      "%s: this file of a checkpoint is damaged; start the run from its beginning",
                      stream->path);
}

status_code checkpoint_stream_next(struct checkpoint_stream *stream, struct checkpoint_head *head,
                                   bool *is_end, struct status *status) {
    *is_end = stream->sums.bytes == stream->expected.bytes;
    if (*is_end)
        return stream->sums.checksum == stream->expected.checksum
                   ? STATUS_OK
                   : checkpoint_set_damaged(stream, status);
    const uint64_t left = stream->expected.bytes - stream->sums.bytes;
    if (left < sizeof *head || fread(head, sizeof *head, 1, stream->file) != 1 ||
        head->bytes > left - sizeof *head)
        return checkpoint_set_damaged(stream, status);
    add_sums(&stream->sums, head);
    return STATUS_OK;
}

status_code checkpoint_stream_read(struct checkpoint_stream *stream,
                                   const struct checkpoint_head *head, struct saved_state *state,
                                   struct status *status) {
    void *data = state->data;
    saved_reset(state, true);
    state->bytes = 0;
    FORWARD_IF_ERROR(memory_grow(&data, &state->capacity, (size_t)head->bytes + 1, 1, status));
    state->data = data;
    if ((head->bytes > 0 && fread(state->data, (size_t)head->bytes, 1, stream->file) != 1) ||
        check_of(head, state->data) != head->checksum)
        return checkpoint_set_damaged(stream, status);
    state->bytes = (size_t)head->bytes;
    return STATUS_OK;
}

status_code checkpoint_stream_skip(struct checkpoint_stream *stream,
                                   const struct checkpoint_head *head, struct status *status) {
    return fseeko(stream->file, (off_t)head->bytes, SEEK_CUR) == 0
               ? STATUS_OK
               : checkpoint_set_damaged(stream, status);
}
