/* Reads JSON objects. See json_input.h. */
#include "api/json_input.h"

#include "core/input_file.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <sys/stat.h>

status_code json_input_parse(struct json_object **object, const char *text, size_t length,
                             struct status *status) {
    *object = NULL;
    RETURN_ERROR_IF(length > JSON_INPUT_MOST, status, STATUS_INPUT,
                    "a result of more than %d bytes", JSON_INPUT_MOST);
    struct json_tokener *tokener = json_tokener_new();
    RETURN_ERROR_IF(tokener == NULL, status, STATUS_MEMORY, "out of memory for a result");
    *object = json_tokener_parse_ex(tokener, text, (int)length);
    const enum json_tokener_error error = json_tokener_get_error(tokener);
    const size_t end = json_tokener_get_parse_end(tokener);
    json_tokener_free(tokener);
    if (*object != NULL && json_object_is_type(*object, json_type_object)) return STATUS_OK;
    json_object_put(*object);
    *object = NULL;
    return status_set(status, STATUS_INPUT, "this is no JSON object: byte %zu: %s", end,
                      error == json_tokener_continue ? "it ends too early"
                                                     : json_tokener_error_desc(error));
}

static status_code read_all(struct json_object **object, const char *path, FILE *file,
                            struct status *status) {
    struct stat about;
    RETURN_ERROR_IF(fstat(fileno(file), &about) != 0 || about.st_size > JSON_INPUT_MOST, status,
                    STATUS_INPUT, "%s: a result has at most %d bytes", path, JSON_INPUT_MOST);
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
