/*
 * Reads JSON objects.
 *
 * json-c has integers of 64 bits, and reads a larger one as the largest of these. Of a number with
 * a fraction it keeps all digits. Long integers therefore reach it with a fraction of zero.
 */
#include "api/json/json_input.h"

#include "core/files/input_file.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LONG_DIGITS = 19 }; /* digits of 2^63 - 1, the largest integer that json-c has for sure */
static const char fraction[] = ".0";

static bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

/* Returns where the string that begins at `at` ends, behind its last quote. */
static size_t string_end(const char *text, size_t length, size_t at) {
    for (at++; at < length && text[at] != '"'; at++)
        if (text[at] == '\\') at++;
    return at < length ? at + 1 : length;
}

/* Returns the end of the next integer with many digits, or of the text if there is none. */
static size_t long_integer_end(const char *text, size_t length, size_t at) {
    while (at < length) {
        if (text[at] == '"') {
            at = string_end(text, length, at);
        } else if (!is_digit(text[at])) {
            at++;
        } else {
            const size_t first = at;
            while (at < length && is_digit(text[at]))
                at++;
            const bool ends = at < length && strchr(".eE", text[at]) == NULL;
            const bool begins = first == 0 || strchr(".eE+", text[first - 1]) == NULL;
            if (at - first >= LONG_DIGITS && ends && begins) return at;
            while (at < length && (is_digit(text[at]) || strchr(".eE+-", text[at]) != NULL))
                at++;
        }
    }
    return length;
}

/* Parses the text in pieces that end with long integers. Returns the tokener's state after the last
 * piece, and sets *where to the position of its end or its fault. */
static enum json_tokener_error parse(struct json_object **object, struct json_tokener *tokener,
                                     const char *text, size_t length, size_t *where) {
    enum json_tokener_error error = json_tokener_continue;
    for (size_t at = 0; error == json_tokener_continue && at < length;) {
        const size_t end = long_integer_end(text, length, at);
        *object = json_tokener_parse_ex(tokener, text + at, (int)(end - at));
        error = json_tokener_get_error(tokener);
        *where = at + json_tokener_get_parse_end(tokener);
        at = end;
        if (error != json_tokener_continue || end == length) break;
        *object = json_tokener_parse_ex(tokener, fraction, (int)sizeof fraction - 1);
        error = json_tokener_get_error(tokener);
    }
    return error;
}

bool json_input_whole(wide *value, struct json_object *number) {
    *value = 0;
    if (json_object_is_type(number, json_type_int)) {
        *value = (uint64_t)json_object_get_int64(number);
        return json_object_get_int64(number) >= 0;
    }
    if (!json_object_is_type(number, json_type_double)) return false;
    const char *digits = json_object_get_string(number); /* as in the text */
    const size_t count = digits != NULL ? strspn(digits, "0123456789") : 0;
    if (count < LONG_DIGITS || count > JSON_INPUT_DIGITS || strcmp(digits + count, fraction) != 0)
        return false;
    for (size_t i = 0; i < count; i++)
        *value = *value * 10 + (unsigned)(digits[i] - '0');
    return true;
}

status_code json_input_parse(struct json_object **object, const char *text, size_t length,
                             struct status *status) {
    *object = NULL;
    RETURN_ERROR_IF(length > JSON_INPUT_MAX, status, STATUS_INPUT, "a result of more than %d bytes",
                    JSON_INPUT_MAX);
    struct json_tokener *tokener = json_tokener_new();
    RETURN_ERROR_IF(tokener == NULL, status, STATUS_MEMORY, "out of memory for a result");
    size_t end = 0;
    const enum json_tokener_error error = parse(object, tokener, text, length, &end);
    json_tokener_free(tokener);
    if (*object != NULL && json_object_is_type(*object, json_type_object)) return STATUS_OK;
    json_object_put(*object);
    *object = NULL;
    return status_set(
        status, STATUS_INPUT,
        "this is no JSON object (byte %zu: %s); give a file with a result as JSON", end,
        error == json_tokener_continue ? "it ends too early" : json_tokener_error_desc(error));
}

static status_code read_all(struct json_object **object, const char *path, FILE *file,
                            struct status *status) {
    struct stat about;
    RETURN_ERROR_IF(fstat(fileno(file), &about) != 0 || about.st_size > JSON_INPUT_MAX, status,
                    STATUS_INPUT, "%s: a result has at most %d bytes", path, JSON_INPUT_MAX);
    char *text = malloc((size_t)about.st_size + 1);
    RETURN_ERROR_IF(text == NULL, status, STATUS_MEMORY, "out of memory for a result");
    const size_t length = fread(text, 1, (size_t)about.st_size, file);
    status_code code = json_input_parse(object, text, length, status);
    if (code != STATUS_OK) status_prefix(status, "%s", path);
    free(text);
    return code;
}

status_code json_input_read(struct json_object **object, const char *path, struct status *status) {
    FILE *file = NULL;
    *object = NULL;
    FORWARD_IF_ERROR(input_file_open(&file, path, status));
    status_code code = read_all(object, path, file, status);
    fclose(file);
    return code;
}
