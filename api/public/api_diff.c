/* Diffs through the public interface. */
#include "api/api.h"
#include "api/diff/result_diff.h"
#include "api/table/tables.h"
#include "api/table/tables_compare.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* Reads a result from its text, or without one from the file of that name. */
static status_code read_one(anax_diff *diff, int which, const char *name, const char *text,
                            struct status *status) {
    FORWARD_IF_ERROR(memory_copy_text(&diff->paths[which], name, status));
    if (text == NULL) return result_diff_read_file(diff, which, name, status);
    const status_code code = result_diff_read(diff, which, text, strlen(text), status);
    if (code != STATUS_OK) status_prefix(status, "%s", name);
    return code;
}

anax_code anax_diff_files(anax_diff **diff, const char *first, const char *second,
                          anax_error *error) {
    return anax_diff_texts(diff, first, NULL, second, NULL, error);
}

anax_code anax_diff_texts(anax_diff **diff, const char *first_name, const char *first_text,
                          const char *second_name, const char *second_text, anax_error *error) {
    struct status status = STATUS_INIT;
    *diff = memory_new(1, sizeof **diff);
    status_code code = STATUS_OK;
    if (*diff == NULL) code = status_set(&status, STATUS_MEMORY, "out of memory for a diff");
    if (code == STATUS_OK) code = read_one(*diff, 0, first_name, first_text, &status);
    if (code == STATUS_OK) code = read_one(*diff, 1, second_name, second_text, &status);
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

anax_code anax_diff_table(anax_table **table, const anax_diff *diff, const char *name,
                          anax_error *error) {
    struct status status = STATUS_INIT;
    const struct table_source source = {.diff = diff};
    table_collect(table, &tables_diff, name, &source, &status);
    return api_return(&status, error);
}
