/* Diffs through the public interface. */
#include "api/api.h"
#include "api/diff/result_diff.h"
#include "api/table/tables.h"
#include "api/table/tables_comparison.h"
#include "core/memory.h"

#include <stdlib.h>

static status_code read_file(anax_diff *diff, int which, const char *path, struct status *status) {
    FORWARD_IF_ERROR(memory_copy_text(&diff->paths[which], path, status));
    return result_diff_read_file(diff, which, path, status);
}

anax_code anax_diff_results(anax_diff **diff, const char *first, const char *second,
                            anax_error *error) {
    struct status status = STATUS_INIT;
    *diff = memory_new(1, sizeof **diff);
    status_code code = STATUS_OK;
    if (*diff == NULL) code = status_set(&status, STATUS_MEMORY, "out of memory for a diff");
    if (code == STATUS_OK) code = read_file(*diff, 0, first, &status);
    if (code == STATUS_OK) code = read_file(*diff, 1, second, &status);
    if (code != STATUS_OK) {
        anax_diff_free(*diff);
        *diff = NULL;
    }
    return api_return(&status, error);
}

void anax_diff_free(anax_diff *diff) {
    if (diff == NULL) return;
    for (int i = 0; i < 2; i++) {
        free(diff->paths[i]);
        free(diff->results[i].trace);
        free(diff->results[i].machine);
        free(diff->results[i].placement);
        free(diff->results[i].routing);
    }
    for (size_t i = 0; i < diff->count; i++)
        free(diff->entries[i].name);
    free(diff->entries);
    free(diff);
}

char *anax_diff_text(const anax_diff *diff) {
    return report_diff_text(diff);
}

char *anax_diff_json(const anax_diff *diff) {
    const struct table_source source = {.diff = diff};
    return table_json(&tables_diff, &source);
}
