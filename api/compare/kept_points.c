/* Keeping points. See kept_points.h for the invariant. */
#include "api/compare/kept_points.h"

#include "api/report/json_build.h"
#include "api/version.h"
#include "core/digest.h"
#include "core/input_file.h"
#include "core/memory.h"
#include "source_hash.h" /* cmake/source_hash.cmake */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCHEMA "anax.point/1"

static void add_word(kept_key *key, uint64_t word) {
    for (int i = 0; i < 2; i++)
        key->word[i] = digest_mix(key->word[i], word);
}

static void add_bytes(kept_key *key, const char *bytes, size_t count) {
    add_word(key, count);
    for (size_t i = 0; i < count; i++)
        add_word(key, (unsigned char)bytes[i]);
}

/* What cannot be read is the run's to complain about. */
static void add_file(void *context, const char *path) {
    kept_key *key = context;
    char part[4096];
    FILE *file;
    (void)input_file_open(&file, path, NULL);
    add_word(key, file != NULL);
    if (file == NULL) return;
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
        add_bytes(key, part, got);
    fclose(file);
}

status_code kept_key_of(kept_key *key, const anax_config *config, const anax_trace *trace,
                        status *status) {
    *key = (kept_key){{1, 2}};
    char *settings = anax_config_yaml(config, ANAX_SCOPE_REPLAY);
    RETURN_ERROR_IF(settings == NULL, status, STATUS_MEMORY, "out of memory for a point");
    add_bytes(key, SOURCE_HASH, strlen(SOURCE_HASH));
    add_bytes(key, settings, strlen(settings));
    free(settings);
    api_config_visit_files(config, add_file, key);
    add_word(key, trace->program->content_hash);
    return STATUS_OK;
}

status_code kept_folder(const char *folder, status *status) {
    char *path = NULL;
    FORWARD_IF_ERROR(memory_copy_text(&path, folder, status));
    for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        mkdir(path, 0777); /* what is wrong with it, the last one says */
    }
    int reason = mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : errno;
    struct stat found;
    if (reason == 0 && stat(path, &found) == 0 && !S_ISDIR(found.st_mode)) reason = ENOTDIR;
    free(path);
    RETURN_ERROR_IF(reason != 0, status, STATUS_SYSTEM, "%s: cannot keep points in this folder: %s",
                    folder, strerror(reason));
    return STATUS_OK;
}

/* To be freed. */
static char *path_of(const char *folder, const kept_key *key, const char *end) {
    const size_t size = strlen(folder) + strlen(end) + 48;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s/%016" PRIx64 "%016" PRIx64 "%s", folder, key->word[0],
                 key->word[1], end);
    return path;
}

static const char *text_in(struct json_object *object, const char *key) {
    struct json_object *member = NULL;
    return json_object_object_get_ex(object, key, &member) &&
                   json_object_is_type(member, json_type_string)
               ? json_object_get_string(member)
               : NULL;
}

static bool read_point(compare_point *point, struct json_object *object) {
    const char *schema = text_in(object, "schema"), *digest = text_in(object, "digest");
    const char *failure = text_in(object, "failure");
    struct json_object *time = NULL;
    if (schema == NULL || strcmp(schema, SCHEMA) != 0) return false;
    *point = (compare_point){.found = true};
    if (failure != NULL) return (point->failure = strdup(failure)) != NULL;
    if (digest == NULL || strspn(digest, "0123456789abcdef") != 16 || digest[16] != '\0' ||
        !json_object_object_get_ex(object, "time_ps", &time) ||
        !json_object_is_type(time, json_type_int) || json_object_get_int64(time) < 0)
        return false;
    point->finished = true;
    point->time_ps = json_object_get_int64(time);
    point->digest = strtoull(digest, NULL, 16);
    return true;
}

/* A text to be freed. json_object_from_file would do, but writes why it fails into one buffer for
 * all threads. */
static char *read_text(const char *path) {
    enum { MOST_BYTES = 1 << 20 };
    FILE *file;
    (void)input_file_open(&file, path, NULL);
    char *text = file != NULL ? malloc(MOST_BYTES) : NULL;
    if (text != NULL) text[fread(text, 1, MOST_BYTES - 1, file)] = '\0';
    if (file != NULL) fclose(file);
    return text;
}

bool kept_find(compare_point *point, const char *folder, const kept_key *key) {
    char *path = path_of(folder, key, ".json");
    char *text = path != NULL ? read_text(path) : NULL;
    struct json_object *object = text != NULL ? json_tokener_parse(text) : NULL;
    bool found = object != NULL && read_point(point, object);
    json_object_put(object);
    free(text);
    free(path);
    return found;
}

static char *describe(const compare_point *point, const char *label) {
    struct json_object *object = json_begin();
    if (object == NULL) return NULL;
    json_put_text(object, "schema", SCHEMA);
    json_put_text(object, "version", API_VERSION);
    json_put_text(object, "point", label);
    if (point->finished) {
        json_put_int(object, "time_ps", point->time_ps);
        json_put_hash(object, "digest", point->digest);
    } else {
        json_put_text(object, "failure", point->failure);
    }
    return json_finish(object);
}

static bool write_text(const char *text, char *temporary) {
    const int descriptor = mkstemp(temporary);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file == NULL) {
        if (descriptor >= 0) close(descriptor);
        return false;
    }
    bool good = fprintf(file, "%s\n", text) > 0;
    return fclose(file) == 0 && good;
}

status_code kept_store(const compare_point *point, const char *folder, const kept_key *key,
                       const char *label, status *status) {
    char *path = path_of(folder, key, ".json"), *temporary = path_of(folder, key, ".XXXXXX");
    char *text = describe(point, label);
    status_code code = STATUS_OK;
    if (path == NULL || temporary == NULL || text == NULL) {
        code = status_set(status, STATUS_MEMORY, "out of memory for a point");
    } else if (!write_text(text, temporary) || rename(temporary, path) != 0) {
        code =
            status_set(status, STATUS_SYSTEM, "%s: cannot keep a point: %s", path, strerror(errno));
        unlink(temporary);
    }
    free(path);
    free(temporary);
    free(text);
    return code;
}
