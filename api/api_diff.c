/* Diffs through the public interface. */
#include "api/api.h"
#include "api/diff/result_diff.h"
#include "api/table/tables.h"
#include "api/table/tables_comparison.h"
#include "core/input_file.h"
#include "core/memory.h"

#include <stdlib.h>
#include <sys/stat.h>

static status_code read_file(anax_diff *diff, int which, const char *path, struct status *status) {
    FILE *file = NULL;
    struct stat about;
    FORWARD_IF_ERROR(memory_copy_text(&diff->paths[which], path, status));
    FORWARD_IF_ERROR(input_file_open(&file, path, status));
    char *text = NULL;
    status_code code = STATUS_OK;
    if (fstat(fileno(file), &about) != 0 || about.st_size > RESULT_DIFF_FILE_MOST)
        code = status_set(status, STATUS_INPUT, "%s: a result has at most %d bytes", path,
                          RESULT_DIFF_FILE_MOST);
    else if ((text = malloc((size_t)about.st_size + 1)) == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for a result");
    if (code == STATUS_OK) {
        const size_t length = fread(text, 1, (size_t)about.st_size, file);
        code = result_diff_read(diff, which, text, length, status);
        if (code != STATUS_OK) status_prefix(status, "%s", path);
    }
    free(text);
    fclose(file);
    return code;
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
