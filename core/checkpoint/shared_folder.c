/* Process 0 makes a file in the folder, and the others look for it. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, gethostname */
#include "core/checkpoint/shared_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NAME_BYTES = 96, HOST_BYTES = 256 };

/* Makes a file that no other folder has. */
static status_code make_file(char name[NAME_BYTES], char path[PATH_MAX], const char *folder,
                             struct status *status) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, NAME_BYTES, SHARED_FOLDER_PREFIX "%lld-%09ld-%ld", (long long)now.tv_sec,
             now.tv_nsec, (long)getpid());
    const bool fits = snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
    const int descriptor = fits ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (descriptor >= 0) {
        close(descriptor);
        return STATUS_OK;
    }
    const int reason = fits ? errno : ENAMETOOLONG;
    *name = '\0';
    return status_set(status, STATUS_USAGE, "%s: cannot write checkpoints into this folder: %s",
                      folder, strerror(reason));
}

/* Looks for the file of process 0, unless it has made none. */
static status_code find_file(const char *name, const char *folder, unsigned process,
                             struct status *status) {
    char path[PATH_MAX], host[HOST_BYTES] = "";
    const bool fits = snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path;
    if (*name == '\0' || (fits && access(path, F_OK) == 0)) return STATUS_OK;
    if (gethostname(host, sizeof host - 1) != 0) *host = '\0';
    return status_set(
        status, STATUS_USAGE,
        "%s: process %u (on %s) does not see in this folder what process 0 writes; all "
        "processes need the same folder: name one that their computers share",
        folder, process, *host != '\0' ? host : "its host");
}

status_code shared_folder_check(const char *folder, struct processes *processes,
                                struct status *status) {
    const unsigned process = processes_number(processes);
    char name[NAME_BYTES] = "", path[PATH_MAX] = "";
    if (processes == NULL || folder == NULL) return STATUS_OK;
    status_code code = process == 0 ? make_file(name, path, folder, status) : STATUS_OK;
    const bool is_made = *name != '\0';
    status_code told = processes_broadcast(processes, name, sizeof name, status);
    if (code == STATUS_OK) code = told;
    if (code == STATUS_OK && process != 0) code = find_file(name, folder, process, status);
    code = processes_agree(processes, code, status);
    if (is_made && process == 0) unlink(path);
    return code;
}
