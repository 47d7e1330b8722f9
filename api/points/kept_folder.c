/* Computes the keys of points, and writes and reads their files: JSON with a checksum in it.
 * Removes unfinished files that their writers have left. */
#include "api/points/kept_folder.h"

#include "api/json/json_build.h"
#include "api/points/claims.h"
#include "api/version.h"
#include "core/base/digest.h"
#include "core/files/input_file.h"
#include "core/files/output_file.h"
#include "core/memory/memory.h"
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
#define CHECK       "\"check\":\""
#define UNCHECKED   "0000000000000000"
#define CHECK_BYTES (sizeof UNCHECKED - 1)
#define HEXADECIMAL "0123456789abcdef"

void kept_key_add(struct kept_key *key, uint64_t word) {
    for (int i = 0; i < 2; i++)
        key->word[i] = digest_mix(key->word[i], word);
}

static void add_bytes(struct kept_key *key, const char *bytes, size_t count) {
    kept_key_add(key, count);
    for (size_t i = 0; i < count; i++)
        kept_key_add(key, (unsigned char)bytes[i]);
}

/* Adds the contents of a file to a key. A file that cannot be read is no error here; the run will
 * report it. */
static void add_file(void *context, const char *path) {
    struct kept_key *key = context;
    char part[4096];
    FILE *file;
    (void)input_file_open(&file, path, NULL);
    kept_key_add(key, file != NULL);
    if (file == NULL) return;
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
        add_bytes(key, part, got);
    fclose(file);
}

static void add_setting(void *context, const char *name, const char *text) {
    add_bytes(context, name, strlen(name) + 1);
    add_bytes(context, text, strlen(text) + 1);
}

void kept_key_begin_files(struct kept_key *key, const anax_config *config) {
    *key = (struct kept_key){{1, 2}};
    api_config_visit_files(config, add_file, key);
}

status_code kept_key_begin(struct kept_key *key, const anax_config *config, anax_scope scope,
                           struct status *status) {
    *key = (struct kept_key){{1, 2}};
    add_bytes(key, SOURCE_HASH, strlen(SOURCE_HASH));
    FORWARD_IF_ERROR(api_config_visit(config, scope, add_setting, key, status));
    api_config_visit_files(config, add_file, key);
    return STATUS_OK;
}

char *kept_path(const char *folder, const char *begin, const struct kept_key *key,
                const char *end) {
    const size_t size = strlen(folder) + strlen(begin) + KEPT_KEY_DIGITS + strlen(end) + sizeof "/";
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s/%s%016" PRIx64 "%016" PRIx64 "%s", folder, begin, key->word[0],
                 key->word[1], end);
    return path;
}

bool kept_is_name(const char *name, const char *end, bool more) {
    if (strspn(name, HEXADECIMAL) != KEPT_KEY_DIGITS) return false;
    name += KEPT_KEY_DIGITS;
    return more ? strncmp(name, end, strlen(end)) == 0 : strcmp(name, end) == 0;
}

/* Returns the process that is writing this file of a folder of points; 0: the name is not that of
 * an unfinished file. */
static long writer_of(const char *name) {
    static const char part[] = NAME_END ".part-";
    if (!kept_is_name(name, part, true)) return 0;
    char *end = NULL;
    long process = strtol(name + KEPT_KEY_DIGITS + sizeof part - 1, &end, 10);
    return *end == '-' && process > 0 ? process : 0;
}

/* Returns whether an unfinished file is abandoned: its process has ended, or the file is older than
 * an hour. The age decides if the process number is in use again or belongs to another computer. */
static bool is_stale(long process, const struct stat *about) {
    enum { LONGEST_S = 3600 };
    return (kill((pid_t)process, 0) != 0 && errno == ESRCH) ||
           time(NULL) - about->st_mtime > LONGEST_S;
}

/* Removes the unfinished files of this process (own), or those that are abandoned: of processes
 * that have ended, or older than an hour. */
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
    claims_remove_all(folder, own);
}

void kept_abandon(const char *folder) {
    sweep(folder, true);
}

status_code kept_create_folder(const char *folder, struct status *status) {
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
    RETURN_ERROR_IF(reason != 0, status, STATUS_USAGE,
                    "%s: cannot keep points in this folder: %s; name a folder that can be written",
                    folder, strerror(reason));
    sweep(folder, false);
    return STATUS_OK;
}

const char *kept_read_text(struct json_object *object, const char *name) {
    struct json_object *member = NULL;
    return json_object_object_get_ex(object, name, &member) &&
                   json_object_is_type(member, json_type_string)
               ? json_object_get_string(member)
               : NULL;
}

bool kept_read_count(struct json_object *object, const char *name, int64_t *value) {
    struct json_object *member = NULL;
    if (!json_object_object_get_ex(object, name, &member) ||
        !json_object_is_type(member, json_type_int) || json_object_get_int64(member) < 0)
        return false;
    *value = json_object_get_int64(member);
    return true;
}

bool kept_read_hash(struct json_object *object, const char *name, uint64_t *value) {
    const char *digits = kept_read_text(object, name);
    if (digits == NULL || strspn(digits, HEXADECIMAL) != 16 || digits[16] != '\0') return false;
    *value = strtoull(digits, NULL, 16);
    return true;
}

double kept_read_seconds(struct json_object *object) {
    struct json_object *member = NULL;
    if (!json_object_object_get_ex(object, "seconds", &member)) return -1;
    const double seconds = json_object_get_double(member);
    return seconds >= 0 ? seconds : -1;
}

/* Returns the text of a file, which the caller frees; NULL if it cannot be read or its length is
 * out of range. json_object_from_file is not used, because it writes errors into one buffer for all
 * threads. */
static char *read_text(const char *path, size_t *length) {
    enum { BYTES_MAX = 16 << 20 };
    struct stat about;
    FILE *file;
    if (input_file_open(&file, path, NULL) != STATUS_OK) return NULL;
    const bool fits = fstat(fileno(file), &about) == 0 && about.st_size <= BYTES_MAX;
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

kept_state kept_read(struct json_object **object, const char *folder, const struct kept_key *key) {
    char *path = kept_path(folder, "", key, NAME_END);
    struct stat about;
    *object = NULL;
    if (path == NULL || lstat(path, &about) != 0) {
        free(path);
        return KEPT_ABSENT;
    }
    size_t length = 0;
    char *text = read_text(path, &length);
    if (text != NULL && is_as_written(text, length, key)) *object = json_tokener_parse(text);
    free(text);
    free(path);
    return *object != NULL ? KEPT_FOUND : KEPT_DAMAGED;
}

struct json_object *kept_begin(const char *schema, const char *label, double seconds) {
    struct json_object *object = json_begin();
    if (object == NULL) return NULL;
    json_put_text(object, "schema", schema);
    json_put_text(object, "version", API_VERSION);
    json_put_text(object, "point", label);
    json_put_seconds(object, "seconds", seconds);
    return object;
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

status_code kept_write(struct json_object *object, const char *folder, const struct kept_key *key,
                       struct status *status) {
    if (object != NULL) json_put_text(object, "check", UNCHECKED);
    char *path = kept_path(folder, "", key, NAME_END);
    char *text = object != NULL ? json_finish(object) : NULL;
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
