/* Makes, renews and takes over claims as files that exclusive creation protects. Tells from the
 * host, the process number and the begin of a process whether the owner of a claim still runs. */
#include "api/points/claims.h"

#include "api/json/json_build.h"
#include "core/files/input_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CLAIM_BEGIN "."
#define CLAIM_END   ".claim"
#define LOCK_NAME   "/.claims.lock"
#define CLAIM_KIND  "anax.claim/1"

enum { BYTES_MAX = 1024, HOST_BYTES = 256 };

/* The owner of a claim. A process number means something on its host and in its name space of
 * processes only, which differs between containers. */
struct owner {
    char host[HOST_BYTES];
    char space[64];
    int64_t process;
    int64_t begun; /* when the process began, in the host's own unit; 0: unknown */
};

/* Returns when a process began, which tells it from a later process of the same number; 0: unknown.
 * *has_ended: it only waits for its parent to take note of its end. */
static int64_t begun_at(int64_t process, bool *has_ended) {
    enum {
        THREADS_BEFORE = 18,
        FIELDS_BEFORE = 20
    }; /* fields of /proc/N/stat from the name's end */
    char path[64], text[BYTES_MAX + 1];
    FILE *file;
    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)process);
    *has_ended = false;
    if (input_file_open(&file, path, NULL) != STATUS_OK) return 0;
    text[fread(text, 1, BYTES_MAX, file)] = '\0';
    fclose(file);
    const char *field = strrchr(text, ')');
    const bool first_thread_ended =
        field != NULL && (strncmp(field, ") Z", 3) == 0 || strncmp(field, ") X", 3) == 0);
    int64_t threads = 0;
    for (int i = 0; i < FIELDS_BEFORE && field != NULL; i++) {
        if (i == THREADS_BEFORE) threads = strtoll(field, NULL, 10);
        field = strchr(field + 1, ' ');
    }
    *has_ended = first_thread_ended && threads <= 1;
    return field != NULL ? strtoll(field, NULL, 10) : 0;
}

static void this_owner(struct owner *owner) {
    bool has_ended;
    *owner = (struct owner){.process = (int64_t)getpid()};
    owner->begun = begun_at(owner->process, &has_ended);
    if (gethostname(owner->host, sizeof owner->host - 1) != 0) owner->host[0] = '\0';
    const ssize_t length = readlink("/proc/self/ns/pid", owner->space, sizeof owner->space - 1);
    if (length < 0) owner->space[0] = '\0';
}

/* Locks the claims of a folder against other processes and threads, as far as its file system has
 * locks. Returns a descriptor to close; -1: the file cannot be opened. */
static int lock(const char *folder) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s" LOCK_NAME, folder) >= (int)sizeof path) return -1;
    const int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    while (descriptor >= 0 && flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
    }
    return descriptor;
}

static void unlock(int descriptor) {
    if (descriptor >= 0) close(descriptor);
}

static char *claim_text(void) {
    struct owner owner;
    char date[32] = "";
    const time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts) != NULL) strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    this_owner(&owner);
    struct json_object *object = json_begin();
    if (object == NULL) return NULL;
    json_put_text(object, "schema", CLAIM_KIND);
    json_put_text(object, "host", owner.host);
    json_put_int(object, "process", owner.process);
    json_put_int(object, "process_begun", owner.begun);
    json_put_text(object, "process_space", owner.space);
    json_put_text(object, "time", date);
    return json_finish(object);
}

/* Reads who made a claim. Returns false if the claim is not complete, because its owner is writing
 * it, or was killed as it did. */
static bool read_owner(struct owner *owner, const char *path) {
    char text[BYTES_MAX + 1];
    FILE *file;
    if (input_file_open(&file, path, NULL) != STATUS_OK) return false;
    text[fread(text, 1, BYTES_MAX, file)] = '\0';
    fclose(file);
    struct json_object *object = json_tokener_parse(text);
    const char *host = object != NULL ? kept_read_text(object, "host") : NULL;
    const char *space = object != NULL ? kept_read_text(object, "process_space") : NULL;
    *owner = (struct owner){0};
    const bool whole = host != NULL && space != NULL &&
                       kept_read_count(object, "process", &owner->process) &&
                       kept_read_count(object, "process_begun", &owner->begun);
    if (whole) snprintf(owner->host, sizeof owner->host, "%s", host);
    if (whole) snprintf(owner->space, sizeof owner->space, "%s", space);
    json_object_put(object);
    return whole && owner->process > 0;
}

static bool is_own(const char *path) {
    struct owner owner, own;
    this_owner(&own);
    return read_owner(&owner, path) && owner.process == own.process && owner.begun == own.begun &&
           strcmp(owner.host, own.host) == 0 && strcmp(owner.space, own.space) == 0;
}

/* Returns whether the owner was a process of this host that has ended. */
static bool is_dead(const struct owner *owner) {
    struct owner own;
    this_owner(&own);
    if (strcmp(owner->host, own.host) != 0 || strcmp(owner->space, own.space) != 0) return false;
    if (kill((pid_t)owner->process, 0) != 0 && errno == ESRCH) return true;
    bool has_ended;
    const int64_t begun = begun_at(owner->process, &has_ended);
    return has_ended || (begun != 0 && owner->begun != 0 && begun != owner->begun);
}

/* Returns whether the owner of a claim has died. A claim that vanishes meanwhile is not stale. */
static bool is_stale(const char *path) {
    struct stat about;
    struct owner owner;
    if (lstat(path, &about) != 0) return false;
    if (time(NULL) - about.st_mtime > CLAIMS_STALE_S) return true;
    return read_owner(&owner, path) && is_dead(&owner);
}

/* Creates a claim. Returns 0, EEXIST if there is one, or the reason why it cannot be written. */
static int create(const char *path) {
    char *text = claim_text();
    if (text == NULL) return ENOMEM;
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int reason = descriptor < 0 ? errno : 0;
    const size_t length = strlen(text);
    if (descriptor >= 0 && write(descriptor, text, length) != (ssize_t)length) reason = errno;
    if (descriptor >= 0 && close(descriptor) != 0 && reason == 0) reason = errno;
    if (descriptor >= 0 && reason != 0) unlink(path);
    free(text);
    return reason;
}

/* Takes over a claim if it is stale. Returns as create does; EISDIR: it is a folder, which nobody
 * would ever take over. */
static int take_over(const char *folder, const char *path) {
    struct stat about;
    if (lstat(path, &about) == 0 && S_ISDIR(about.st_mode)) return EISDIR;
    if (!is_stale(path)) return EEXIST;
    const int locked = lock(folder);
    int reason = EEXIST;
    if (is_stale(path)) { /* nobody else has taken it over meanwhile */
        unlink(path);
        reason = create(path);
    }
    unlock(locked);
    return reason;
}

status_code claims_take(bool *is_ours, const char *folder, const struct kept_key *key,
                        struct status *status) {
    char *path = kept_path(folder, CLAIM_BEGIN, key, CLAIM_END);
    *is_ours = false;
    RETURN_ERROR_IF(path == NULL, status, STATUS_MEMORY, "out of memory for a point");
    int reason = create(path);
    if (reason == EEXIST) reason = take_over(folder, path);
    status_code code = STATUS_OK;
    if (reason == 0)
        *is_ours = true;
    else if (reason != EEXIST)
        code = status_set(status, STATUS_SYSTEM, "%s: a point cannot be claimed: %s", path,
                          strerror(reason));
    free(path);
    return code;
}

void claims_describe(char *text, size_t text_bytes, const char *folder,
                     const struct kept_key *key) {
    struct owner owner;
    char *path = kept_path(folder, CLAIM_BEGIN, key, CLAIM_END);
    const bool is_known = path != NULL && read_owner(&owner, path);
    const int length = snprintf(text, text_bytes, "%s", path != NULL ? path : folder);
    if (is_known && length < (int)text_bytes)
        snprintf(text + length, text_bytes - (size_t)length, ", claimed by process %lld on %s",
                 (long long)owner.process, owner.host);
    free(path);
}

void claims_renew(const char *folder, const struct kept_key *key) {
    char *path = kept_path(folder, CLAIM_BEGIN, key, CLAIM_END);
    const int locked = lock(folder);
    if (path != NULL && is_own(path)) utimensat(AT_FDCWD, path, NULL, 0);
    unlock(locked);
    free(path);
}

void claims_release(const char *folder, const struct kept_key *key) {
    char *path = kept_path(folder, CLAIM_BEGIN, key, CLAIM_END);
    const int locked = lock(folder);
    if (path != NULL && is_own(path)) unlink(path);
    unlock(locked);
    free(path);
}

void claims_remove_all(const char *folder, bool own) {
    DIR *directory = opendir(folder);
    if (directory == NULL) return;
    int locked = -1;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char path[4096];
        if (entry->d_name[0] != *CLAIM_BEGIN || !kept_is_name(entry->d_name + 1, CLAIM_END, false))
            continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path)
            continue;
        if (!(own ? is_own(path) : is_stale(path))) continue;
        if (locked < 0) locked = lock(folder);
        if (own ? is_own(path) : is_stale(path)) unlink(path);
    }
    unlock(locked);
    closedir(directory);
}
