/* Keeps points in files. See kept_points.h for the invariant. */
#include "api/compare/kept_points.h"

#include "api/report/json_build.h"
#include "api/version.h"
#include "core/digest.h"
#include "core/input_file.h"
#include "core/memory.h"
#include "core/output_file.h"
#include "source_hash.h" /* made by cmake/source_hash.cmake */

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAME_END    ".json"
#define SCHEMA      "anax.point/3"
#define CHECK       "\"check\":\""
#define UNCHECKED   "0000000000000000"
#define CHECK_BYTES (sizeof UNCHECKED - 1)

enum { KEY_DIGITS = 32 };

static void add_word(struct kept_key *key, uint64_t word) {
    for (int i = 0; i < 2; i++)
        key->word[i] = digest_mix(key->word[i], word);
}

static void add_bytes(struct kept_key *key, const char *bytes, size_t count) {
    add_word(key, count);
    for (size_t i = 0; i < count; i++)
        add_word(key, (unsigned char)bytes[i]);
}

/* Adds the contents of a file to a key. A file that cannot be read is no error here; the run will
 * report it. */
static void add_file(void *context, const char *path) {
    struct kept_key *key = context;
    char part[4096];
    FILE *file;
    (void)input_file_open(&file, path, NULL);
    add_word(key, file != NULL);
    if (file == NULL) return;
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
        add_bytes(key, part, got);
    fclose(file);
}

status_code kept_key_of(struct kept_key *key, const anax_config *config, const anax_trace *trace,
                        struct status *status) {
    *key = (struct kept_key){{1, 2}};
    char *settings = anax_config_yaml(config, ANAX_SCOPE_REPLAY);
    RETURN_ERROR_IF(settings == NULL, status, STATUS_MEMORY, "out of memory for a point");
    add_bytes(key, SOURCE_HASH, strlen(SOURCE_HASH));
    add_bytes(key, settings, strlen(settings));
    free(settings);
    api_config_visit_files(config, add_file, key);
    add_word(key, trace->program->content_hash);
    return STATUS_OK;
}

/* Returns the process that is writing this file of a folder of points; 0: the name is not that of
 * an unfinished file. */
static long writer_of(const char *name) {
    static const char part[] = NAME_END ".part-";
    const size_t digits = strspn(name, "0123456789abcdef");
    if (digits != KEY_DIGITS || strncmp(name + digits, part, sizeof part - 1) != 0) return 0;
    char *end = NULL;
    long process = strtol(name + digits + sizeof part - 1, &end, 10);
    return *end == '-' && process > 0 ? process : 0;
}

/* Returns whether an unfinished file is abandoned: its process has ended, or the file is older than
 * an hour. The age decides if the process number is in use again or belongs to another computer. */
static bool is_stale(long process, const struct stat *about) {
    enum { LONGEST_S = 3600 };
    return (kill((pid_t)process, 0) != 0 && errno == ESRCH) ||
           time(NULL) - about->st_mtime > LONGEST_S;
}

/* Removes the unfinished files of this process (own), or those of processes that have ended. */
static void sweep(const char *folder, bool own) {
    DIR *directory = opendir(folder);
    if (directory == NULL) return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        const long process = writer_of(entry->d_name);
        struct stat about;
        if (process == 0 || fstatat(dirfd(directory), entry->d_name, &about, 0) != 0) continue;
        if (own ? process == (long)getpid() : is_stale(process, &about))
            unlinkat(dirfd(directory), entry->d_name, 0);
    }
    closedir(directory);
}

void kept_abandon(const char *folder) {
    sweep(folder, true);
}

status_code kept_folder(const char *folder, struct status *status) {
    char *path = NULL;
    FORWARD_IF_ERROR(memory_copy_text(&path, folder, status));
    for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        mkdir(path, 0777); /* only the last folder's error is reported */
    }
    int reason = mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : errno;
    struct stat found;
    if (reason == 0 && stat(path, &found) == 0 && !S_ISDIR(found.st_mode)) reason = ENOTDIR;
    free(path);
    RETURN_ERROR_IF(reason != 0, status, STATUS_SYSTEM, "%s: cannot keep points in this folder: %s",
                    folder, strerror(reason));
    sweep(folder, false);
    return STATUS_OK;
}

/* Returns the path of a point's file, which the caller frees. */
static char *path_of(const char *folder, const struct kept_key *key) {
    const size_t size = strlen(folder) + KEY_DIGITS + sizeof "/" NAME_END;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s/%016" PRIx64 "%016" PRIx64 NAME_END, folder, key->word[0],
                 key->word[1]);
    return path;
}

static const char *text_in(struct json_object *object, const char *key) {
    struct json_object *member = NULL;
    return json_object_object_get_ex(object, key, &member) &&
                   json_object_is_type(member, json_type_string)
               ? json_object_get_string(member)
               : NULL;
}

static bool read_time(int64_t *time_ps, struct json_object *value) {
    if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0)
        return false;
    *time_ps = json_object_get_int64(value);
    return true;
}

static bool read_link(struct compare_link *link, struct json_object *object) {
    const char *name = text_in(object, "link");
    struct json_object *busy = NULL, *stalled = NULL;
    if (name == NULL || strlen(name) >= sizeof link->name ||
        !json_object_object_get_ex(object, "busy_ps", &busy) ||
        !json_object_object_get_ex(object, "stalled_ps", &stalled))
        return false;
    snprintf(link->name, sizeof link->name, "%s", name);
    return read_time(&link->busy_ps, busy) && read_time(&link->stalled_ps, stalled);
}

/* Reads where the time went, and the busiest links. */
static bool read_details(struct compare_point *point, struct json_object *object) {
    struct json_object *parts = NULL, *links = NULL, *exact = NULL;
    if (!json_object_object_get_ex(object, "parts_ps", &parts) ||
        !json_object_is_type(parts, json_type_array) ||
        json_object_array_length(parts) != COMPARE_PARTS ||
        !json_object_object_get_ex(object, "busiest_links", &links) ||
        !json_object_is_type(links, json_type_array) ||
        json_object_array_length(links) > COMPARE_LINKS ||
        !json_object_object_get_ex(object, "exact", &exact) ||
        !json_object_is_type(exact, json_type_boolean))
        return false;
    point->exact = json_object_get_boolean(exact);
    for (size_t i = 0; i < COMPARE_PARTS; i++)
        if (!read_time(&point->parts_ps[i], json_object_array_get_idx(parts, i))) return false;
    for (size_t i = 0; i < json_object_array_length(links); i++, point->link_count++)
        if (!read_link(&point->links[i], json_object_array_get_idx(links, i))) return false;
    return true;
}

static bool read_point(struct compare_point *point, struct json_object *object) {
    const char *schema = text_in(object, "schema"), *digest = text_in(object, "digest");
    const char *failure = text_in(object, "failure");
    struct json_object *time = NULL;
    struct compare_point read = {.found = true};
    if (schema == NULL || strcmp(schema, SCHEMA) != 0) return false;
    if (failure != NULL) {
        read.failure = strdup(failure);
        if (read.failure == NULL) return false;
    } else {
        if (digest == NULL || strspn(digest, "0123456789abcdef") != 16 || digest[16] != '\0' ||
            !json_object_object_get_ex(object, "time_ps", &time) ||
            !read_time(&read.time_ps, time) || !read_details(&read, object))
            return false;
        read.finished = true;
        read.digest = strtoull(digest, NULL, 16);
    }
    *point = read;
    return true;
}

/* Returns the text of a file, which the caller frees; NULL if it cannot be read or its length is
 * out of range. json_object_from_file is not used, because it writes errors into one buffer for all
 * threads. */
static char *read_text(const char *path, size_t *length) {
    enum { MOST_BYTES = 16 << 20 };
    struct stat about;
    FILE *file;
    if (input_file_open(&file, path, NULL) != STATUS_OK) return NULL;
    const bool fits = fstat(fileno(file), &about) == 0 && about.st_size <= MOST_BYTES;
    char *text = fits ? malloc((size_t)about.st_size + 1) : NULL;
    *length = text != NULL ? fread(text, 1, (size_t)about.st_size, file) : 0;
    if (text != NULL) text[*length] = '\0';
    fclose(file);
    return text;
}

/* Computes the checksum of a text as 16 digits. The text has UNCHECKED at the position of the
 * checksum. */
static void checksum(char digits[CHECK_BYTES + 1], const struct kept_key *key, const char *text,
                     size_t length) {
    struct kept_key sum = *key;
    add_bytes(&sum, text, length);
    snprintf(digits, CHECK_BYTES + 1, "%016" PRIx64, sum.word[0]);
}

/* Returns the position of the checksum in a text; NULL if there is none, or the text is not
 * complete. */
static char *find_checksum(char *text, size_t length) {
    char *place = strlen(text) == length ? strstr(text, CHECK) : NULL;
    if (place != NULL) place += strlen(CHECK);
    return place != NULL && strlen(place) > CHECK_BYTES ? place : NULL;
}

static bool is_as_written(char *text, size_t length, const struct kept_key *key) {
    char *place = find_checksum(text, length), digits[CHECK_BYTES + 1], found[CHECK_BYTES + 1];
    if (place == NULL) return false;
    memcpy(found, place, CHECK_BYTES);
    memcpy(place, UNCHECKED, CHECK_BYTES);
    checksum(digits, key, text, length);
    return memcmp(digits, found, CHECK_BYTES) == 0;
}

kept_state kept_find(struct compare_point *point, const char *folder, const struct kept_key *key) {
    char *path = path_of(folder, key);
    struct stat about;
    if (path == NULL || lstat(path, &about) != 0) {
        free(path);
        return KEPT_ABSENT;
    }
    size_t length = 0;
    char *text = read_text(path, &length);
    const bool whole = text != NULL && is_as_written(text, length, key);
    struct json_object *object = whole ? json_tokener_parse(text) : NULL;
    const bool found = object != NULL && read_point(point, object);
    json_object_put(object);
    free(text);
    free(path);
    return found ? KEPT_FOUND : KEPT_DAMAGED;
}

static void put_details(struct json_object *object, const struct compare_point *point) {
    json_put_bool(object, "exact", point->exact);
    struct json_object *parts = json_put_array(object, "parts_ps");
    for (size_t i = 0; i < COMPARE_PARTS; i++)
        json_append_count(parts, (uint64_t)point->parts_ps[i]);
    struct json_object *links = json_put_array(object, "busiest_links");
    for (uint32_t i = 0; i < point->link_count; i++) {
        struct json_object *link = json_append_object(links);
        json_put_text(link, "link", point->links[i].name);
        json_put_int(link, "busy_ps", point->links[i].busy_ps);
        json_put_int(link, "stalled_ps", point->links[i].stalled_ps);
    }
}

static char *describe(const struct compare_point *point, const char *label) {
    struct json_object *object = json_begin();
    if (object == NULL) return NULL;
    json_put_text(object, "schema", SCHEMA);
    json_put_text(object, "version", API_VERSION);
    json_put_text(object, "point", label);
    if (point->finished) {
        json_put_int(object, "time_ps", point->time_ps);
        json_put_hash(object, "digest", point->digest);
        put_details(object, point);
    } else {
        json_put_text(object, "failure", point->failure);
    }
    json_put_text(object, "check", UNCHECKED);
    return json_finish(object);
}

/* Removes a link, device or pipe with a point's name, which would otherwise be written into. */
static void remove_special(const char *path) {
    struct stat about;
    if (lstat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        unlink(path);
}

/* Writes a point's file. Another process may remove the unfinished file because it takes it for an
 * abandoned one; then the file is written again. */
static status_code write_text(const char *text, const char *path, struct status *status) {
    enum { ATTEMPTS = 3 };
    status_code code = STATUS_OK;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        struct output_file file;
        FORWARD_IF_ERROR(output_file_open(&file, path, true, status));
        fputs(text, file.stream);
        code = output_file_finish(&file, STATUS_OK, status);
        if (code == STATUS_OK) status_clear(status);
        if (code == STATUS_OK) break;
    }
    return code;
}

status_code kept_store(const struct compare_point *point, const char *folder,
                       const struct kept_key *key, const char *label, struct status *status) {
    char *path = path_of(folder, key), *text = describe(point, label);
    char *place = text != NULL ? find_checksum(text, strlen(text)) : NULL;
    status_code code = STATUS_OK;
    if (path == NULL || place == NULL) {
        code = status_set(status, STATUS_MEMORY, "out of memory for a point");
    } else {
        char digits[CHECK_BYTES + 1];
        checksum(digits, key, text, strlen(text));
        memcpy(place, digits, CHECK_BYTES);
        remove_special(path);
        code = write_text(text, path, status);
        if (code != STATUS_OK) status_prefix(status, "a point cannot be kept");
    }
    free(path);
    free(text);
    return code;
}
