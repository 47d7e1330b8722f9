/* Writes an output under a temporary name and renames it when it is complete. Devices, pipes and
 * open files are written in place. */
#include "core/files/output_file.h"

#include "core/files/output.h"
#include "core/memory/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXISTS "exists already; name another file, or replace it with anax_options.replace"

enum { ATTEMPTS = 100 };

/* Opens a file with a temporary name. Skips names that a killed run has left. */
static int open_temporary(struct output_file *file) {
    int reason = EEXIST;
    for (unsigned attempt = 0; attempt < ATTEMPTS && reason == EEXIST; attempt++) {
        free(file->temporary);
        file->temporary = output_temporary_name(file->target, attempt);
        if (file->temporary == NULL) return ENOMEM;
        file->stream = fopen(file->temporary, "wx");
        if (file->stream != NULL) return 0;
        reason = errno;
    }
    return reason;
}

/* Opens the target in place. An open file continues at its present position through a copy of its
 * descriptor: opening its name would start at its beginning. */
static int open_in_place(struct output_file *file, int descriptor) {
    if (descriptor < 0) {
        file->stream = fopen(file->target, "w");
        return file->stream != NULL ? 0 : errno;
    }
    int copy = dup(descriptor);
    file->stream = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (file->stream != NULL) return 0;
    int reason = errno;
    if (copy >= 0) close(copy);
    return reason;
}

static void clear_file(struct output_file *file) {
    free(file->temporary);
    free(file->target);
    free(file->path);
    *file = (struct output_file){0};
}

/* Finds where path leads and whether that may be written. *descriptor: as in output.h. *in_place:
 * the target is neither a new file nor a file to replace. */
static status_code examine_target(struct output_file *file, int *descriptor, bool *in_place,
                                  struct status *status) {
    file->target = output_follow_links(file->path, descriptor);
    RETURN_ERROR_IF(file->target == NULL, status, errno == ENOMEM ? STATUS_MEMORY : STATUS_SYSTEM,
                    "%s: cannot create it: %s", file->path, strerror(errno));
    struct stat present;
    bool exists = *descriptor < 0 && lstat(file->target, &present) == 0;
    RETURN_ERROR_IF(*descriptor < 0 && !exists && errno != ENOENT, status, STATUS_USAGE,
                    "%s: cannot create it: %s", file->path, strerror(errno));
    RETURN_ERROR_IF(exists && S_ISDIR(present.st_mode), status, STATUS_USAGE,
                    "%s: is a folder; name a file", file->path);
    bool plain = exists && S_ISREG(present.st_mode);
    RETURN_ERROR_IF(plain && !file->may_replace, status, STATUS_EXISTS, "%s: " EXISTS, file->path);
    *in_place = *descriptor >= 0 || (exists && !plain);
    return STATUS_OK;
}

static status_code open_target(struct output_file *file, struct status *status) {
    int descriptor = -1;
    bool in_place = false;
    FORWARD_IF_ERROR(examine_target(file, &descriptor, &in_place, status));
    int reason = in_place ? open_in_place(file, descriptor) : open_temporary(file);
    RETURN_ERROR_IF(reason != 0, status, reason == ENOMEM ? STATUS_MEMORY : STATUS_SYSTEM,
                    "%s: cannot create it: %s", file->path, strerror(reason));
    return STATUS_OK;
}

status_code output_file_check(const char *path, bool replace, struct status *status) {
    struct output_file file = {.may_replace = replace};
    int descriptor = -1;
    bool in_place = false;
    FORWARD_IF_ERROR(memory_copy_text(&file.path, path, status));
    status_code code = examine_target(&file, &descriptor, &in_place, status);
    clear_file(&file);
    return code;
}

status_code output_file_open(struct output_file *file, const char *path, bool replace,
                             struct status *status) {
    *file = (struct output_file){.may_replace = replace};
    FORWARD_IF_ERROR(memory_copy_text(&file->path, path, status));
    status_code code = open_target(file, status);
    if (code != STATUS_OK) clear_file(file);
    return code;
}

/* Gives the file its final name. Does not replace a file that was created after output_file_open
 * found none. */
static status_code take_name(struct output_file *file, struct status *status) {
    int reason = output_rename(file->temporary, file->target, file->may_replace);
    RETURN_ERROR_IF(reason == EEXIST, status, STATUS_EXISTS, "%s: " EXISTS, file->path);
    RETURN_ERROR_IF(reason != 0, status, STATUS_SYSTEM, "%s: cannot write: %s", file->path,
                    strerror(reason));
    return STATUS_OK;
}

status_code output_file_finish(struct output_file *file, status_code code, struct status *status) {
    int reason = output_close(file->stream);
    if (reason != 0) /* this is the cause, whatever code says */
        code =
            status_set(status, STATUS_SYSTEM, "%s: cannot write: %s", file->path, strerror(reason));
    if (code == STATUS_OK && file->temporary != NULL) code = take_name(file, status);
    if (code != STATUS_OK && file->temporary != NULL) remove(file->temporary);
    clear_file(file);
    return code;
}
