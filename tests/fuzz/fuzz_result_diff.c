/* Fuzz target: any bytes are read as a result of a replay, or refused with a text. */
#include "api/diff/result_diff.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct status status = STATUS_INIT;
    anax_diff *diff = calloc(1, sizeof *diff);
    if (diff == NULL) abort();
    for (int which = 0; which < 2; which++)
        if ((diff->paths[which] = strdup("result.json")) == NULL) abort();
    for (int which = 0; which < 2; which++) {
        if (result_diff_read(diff, which, (const char *)data, size, &status) == STATUS_OK) continue;
        if (status.text == NULL || strlen(status.text) < 10) abort();
        status_clear(&status);
        anax_diff_free(diff);
        return 0;
    }
    /* a result does not differ from itself */
    for (size_t i = 0; i < diff->count; i++)
        if (diff->entries[i].time_ps[0] != diff->entries[i].time_ps[1]) abort();
    char *text = anax_diff_text(diff), *json = anax_diff_json(diff);
    if (text == NULL || json == NULL) abort();
    anax_text_free(text);
    anax_text_free(json);
    anax_diff_free(diff);
    return 0;
}
