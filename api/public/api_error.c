/*
 * Version, error values and texts of the public interface.
 *
 * Invariant: equal names in anax_code and status_code have equal numbers.
 */
#include "api/api.h"
#include "api/command_support.h"
#include "api/version.h"
#include "core/checkpoint/checkpoint_files.h"
#include "core/files/abandon_output.h"
#include "core/files/output.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static_assert((int)ANAX_OK == (int)STATUS_OK && (int)ANAX_ERROR_USAGE == (int)STATUS_USAGE &&
                  (int)ANAX_ERROR_INPUT == (int)STATUS_INPUT &&
                  (int)ANAX_ERROR_RUN == (int)STATUS_RUN &&
                  (int)ANAX_ERROR_MEMORY == (int)STATUS_MEMORY &&
                  (int)ANAX_ERROR_SYSTEM == (int)STATUS_SYSTEM &&
                  (int)ANAX_ERROR_EXISTS == (int)STATUS_EXISTS &&
                  (int)ANAX_ERROR_STATE == (int)STATUS_STATE &&
                  (int)ANAX_ERROR_STOPPED == (int)STATUS_STOPPED,
              "public codes are the internal ones");

status_code api_take_report(char **text, char *as_text, char **json, char *as_json,
                            struct status *status) {
    if (as_text == NULL || as_json == NULL) {
        free(as_text);
        free(as_json);
        return status_set(status, STATUS_MEMORY, "out of memory for a report");
    }
    *text = as_text;
    *json = as_json;
    return STATUS_OK;
}

const char *anax_version(void) {
    return API_VERSION;
}

int32_t anax_version_number(void) {
    return ANAX_VERSION_NUMBER;
}

anax_code api_return(struct status *status, anax_error *error) {
    anax_code code = (anax_code)status->code;
    if (code != ANAX_OK && error != NULL) {
        status_free_text(error->text);
        error->code = code;
        error->text = status->text;
        status->text = NULL;
    }
    status_clear(status);
    return code;
}

void anax_error_clear(anax_error *error) {
    if (error == NULL) return;
    status_free_text(error->text);
    error->code = ANAX_OK;
    error->text = NULL;
}

const char *anax_code_text(anax_code code) {
    if ((unsigned)code > (unsigned)ANAX_ERROR_STOPPED) return "unknown code";
    return status_code_text((status_code)code);
}

int anax_code_exit_code(anax_code code) {
    if ((unsigned)code > (unsigned)ANAX_ERROR_STOPPED) return 1;
    return status_exit_code((status_code)code);
}

char *api_follow_output(const char *path) {
    int descriptor;
    char *target = output_follow_links(path, &descriptor);
    if (target == NULL || descriptor < 0) return target;
    free(target);
    return NULL;
}

void api_abandon(const char *path) {
    abandon_output(path);
}

void api_abandon_checkpoint(const char *folder) {
    checkpoint_abandon(folder);
}

bool api_has_checkpoint(const char *folder) {
    return checkpoint_exists(folder);
}

void anax_text_free(char *text) {
    free(text);
}

anax_sum api_sum(wide value) {
    return (anax_sum){(uint64_t)(value >> 64), (uint64_t)value};
}

char *anax_sum_text(anax_sum sum) {
    char text[WIDE_TEXT_BYTES];
    return strdup(wide_text((wide)sum.high << 64 | sum.low, text));
}

double api_clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
