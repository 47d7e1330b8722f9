/* Checks that a path is a regular file, before it is opened and afterwards, and opens it. */
#include "core/files/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the kind of a file that is not a regular file; NULL for a regular file. */
static const char *other_kind(mode_t mode) {
    if (S_ISREG(mode)) return NULL;
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

status_code input_file_check(const char *path, const struct stat *about, struct status *status) {
    const char *kind = other_kind(about->st_mode);
    RETURN_ERROR_IF(kind != NULL, status, STATUS_INPUT,
                    "%s: is %s, not a file; anax reads plain files only", path, kind);
    return STATUS_OK;
}

/* Checks the file before it is opened, since opening alone may affect a device, and again after it
 * is opened. */
status_code input_file_open(FILE **file, const char *path, struct status *status) {
    struct stat about;
    *file = NULL;
    if (stat(path, &about) == 0) FORWARD_IF_ERROR(input_file_check(path, &about, status));
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    RETURN_ERROR_IF(descriptor < 0, status, STATUS_INPUT, "%s: cannot be opened: %s", path,
                    strerror(errno));
    status_code code = STATUS_OK;
    if (fstat(descriptor, &about) == 0) code = input_file_check(path, &about, status);
    if (code == STATUS_OK) *file = fdopen(descriptor, "r");
    if (*file != NULL) return STATUS_OK;
    if (code == STATUS_OK)
        code = status_set(status, STATUS_MEMORY, "%s: out of memory for opening it", path);
    close(descriptor);
    return code;
}
