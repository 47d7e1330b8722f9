/* Files that appear when they are complete. See output_file.h for the invariant. */
#include "core/output_file.h"

#include "core/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100 };

/* A name that a run that was killed left behind is passed over. */
static int open_temporary(output_file *file) {
    size_t size = strlen(file->path) + 48;
    file->temporary = memory_new(size, 1);
    if (file->temporary == NULL) return ENOMEM;
    int reason = EEXIST;
    for (int attempt = 0; attempt < ATTEMPTS && reason == EEXIST; attempt++) {
        snprintf(file->temporary, size, "%s.part-%ld-%d", file->path, (long)getpid(), attempt);
        file->stream = fopen(file->temporary, "wx");
        if (file->stream != NULL) return 0;
        reason = errno;
    }
    return reason;
}

static int open_in_place(output_file *file) {
    file->stream = fopen(file->path, "w");
    return file->stream != NULL ? 0 : errno;
}

static void clear(output_file *file) {
    free(file->temporary);
    free(file->path);
    *file = (output_file){0};
}

status_code output_file_open(output_file *file, const char *path, status *status) {
    *file = (output_file){0};
    struct stat present;
    bool exists = lstat(path, &present) == 0;
    RETURN_ERROR_IF(exists && S_ISDIR(present.st_mode), status, STATUS_USAGE,
                    "%s: is a folder; name a file", path);
    FORWARD_IF_ERROR(memory_copy_text(&file->path, path, status));
    bool replaces = !exists || S_ISREG(present.st_mode);
    int reason = replaces ? open_temporary(file) : open_in_place(file);
    if (reason == 0) return STATUS_OK;
    clear(file);
    return status_set(status, STATUS_SYSTEM, "%s: cannot create it: %s", path, strerror(reason));
}

status_code output_file_finish(output_file *file, status_code code, status *status) {
    bool good = ferror(file->stream) == 0; /* then that is what went wrong, whatever code says */
    if (!good) code = STATUS_OK;
    good = fclose(file->stream) == 0 && good;
    if (code == STATUS_OK && good && file->temporary != NULL)
        good = rename(file->temporary, file->path) == 0;
    if (code == STATUS_OK && !good)
        code =
            status_set(status, STATUS_SYSTEM, "%s: cannot write: %s", file->path, strerror(errno));
    if (code != STATUS_OK && file->temporary != NULL) remove(file->temporary);
    clear(file);
    return code;
}
