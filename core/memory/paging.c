/*
 * Moves arrays from memory to mapped files when they grow too large, counts the pages that are in
 * memory, and lets pages go when there are more than the bound. Also tells the system in which
 * order an array will be read.
 */
#define _GNU_SOURCE /* O_TMPFILE, memfd_create, mremap, sync_file_range */
#include "core/memory/paging.h"

#include "core/memory/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { CHECK_MS = 20 }; /* between two checks of how much is in memory */
/* Arrays that grow lie in memory, uncounted, below this size. */
#define LARGE_BYTES ((size_t)4 << 20)

struct array {
    void *start;
    size_t bytes;
    int descriptor; /* of its file; -1: in memory */
};

struct paging {
    char *folder;
    uint64_t max_bytes;
    bool may_use_memory;
    pthread_mutex_t lock; /* protects all members that follow */
    struct array *arrays;
    size_t count;
    size_t capacity;
    uint64_t held_bytes; /* of arrays in memory, and by paging_count_memory */
    uint64_t file_bytes;
    uint64_t others_bytes; /* of mapped files that are not arrays, such as the program itself */
    unsigned scatterers;   /* calls of paging_advise_random that have not ended */
    pthread_t watcher, writer;
    bool has_watcher, has_writer;
    bool is_over;
    bool has_released; /* pages have been let go, and the writer has not begun to write since */
    pthread_cond_t ends, writes;
};

/* ---------------------------------------------------------------- pages in memory */

/* Returns the bytes of mapped files that are in this process's memory. */
static uint64_t mapped_bytes(void) {
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL) return 0;
    if (fscanf(file, "%*s %*s %llu", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The caller holds the lock. What is in the file or on its way there stays as it is. */
static void release_pages(struct paging *paging) {
    for (size_t i = 0; i < paging->count; i++) {
        const struct array *array = &paging->arrays[i];
        if (array->descriptor >= 0 && array->bytes > 0)
            (void)madvise(array->start, array->bytes, MADV_DONTNEED);
    }
    paging->has_released = true;
    pthread_cond_signal(&paging->writes);
}

/* Begins to write the pages of a file that have changed, which may have to wait for the disk. */
static void begin_writing(int descriptor) {
#ifdef SYNC_FILE_RANGE_WRITE
    (void)sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#endif
    close(descriptor);
}

/* Writes pages that were let go, so that the system can take their memory for others. Never holds
 * the lock while it waits for the disk: pages would not be let go meanwhile. */
static void *write_pages(void *context) {
    struct paging *paging = context;
    pthread_mutex_lock(&paging->lock);
    while (!paging->is_over) {
        if (!paging->has_released) pthread_cond_wait(&paging->writes, &paging->lock);
        if (!paging->has_released) continue;
        paging->has_released = false;
        for (size_t i = 0; i < paging->count && !paging->is_over; i++) {
            if (paging->arrays[i].descriptor < 0) continue;
            const int descriptor = fcntl(paging->arrays[i].descriptor, F_DUPFD_CLOEXEC, 0);
            if (descriptor < 0) continue;
            pthread_mutex_unlock(&paging->lock);
            begin_writing(descriptor);
            pthread_mutex_lock(&paging->lock);
        }
    }
    pthread_mutex_unlock(&paging->lock);
    return NULL;
}

static void check_memory(struct paging *paging) {
    const uint64_t min = paging->max_bytes / 8, here = mapped_bytes();
    uint64_t max = 0;
    if (paging->max_bytes > paging->held_bytes) max = paging->max_bytes - paging->held_bytes;
    if (max < min) max = min;
    if (here > paging->others_bytes && here - paging->others_bytes > max) release_pages(paging);
}

static void *pager_thread(void *context) {
    struct paging *paging = context;
    pthread_mutex_lock(&paging->lock);
    while (!paging->is_over) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += CHECK_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&paging->ends, &paging->lock, &until);
        if (!paging->is_over) check_memory(paging);
    }
    pthread_mutex_unlock(&paging->lock);
    return NULL;
}

void paging_evict(struct paging *paging) {
    if (paging == NULL || pthread_mutex_trylock(&paging->lock) != 0) return;
    if (paging->file_bytes > 0) check_memory(paging);
    pthread_mutex_unlock(&paging->lock);
}

uint64_t paging_room_bytes(struct paging *paging) {
    if (paging == NULL) return UINT64_MAX;
    pthread_mutex_lock(&paging->lock);
    const bool has_room = paging->held_bytes < paging->max_bytes;
    const uint64_t bytes = has_room ? paging->max_bytes - paging->held_bytes : 0;
    pthread_mutex_unlock(&paging->lock);
    return bytes;
}

uint64_t paging_file_bytes(struct paging *paging) {
    if (paging == NULL) return 0;
    pthread_mutex_lock(&paging->lock);
    const uint64_t bytes = paging->file_bytes;
    pthread_mutex_unlock(&paging->lock);
    return bytes;
}

void paging_count_memory(struct paging *paging, int64_t bytes) {
    if (paging == NULL) return;
    pthread_mutex_lock(&paging->lock);
    paging->held_bytes += (uint64_t)bytes;
    pthread_mutex_unlock(&paging->lock);
}

/* ---------------------------------------------------------------- order of reading */

static void advise_order(const struct paging *paging, const struct array *array) {
    if (array->descriptor < 0 || array->bytes == 0) return;
    (void)madvise(array->start, array->bytes, paging->scatterers > 0 ? MADV_RANDOM : MADV_NORMAL);
}

void paging_advise_random(struct paging *paging, bool begins) {
    if (paging == NULL) return;
    pthread_mutex_lock(&paging->lock);
    paging->scatterers += begins ? 1U : -1U;
    for (size_t i = 0; i < paging->count; i++)
        advise_order(paging, &paging->arrays[i]);
    pthread_mutex_unlock(&paging->lock);
}

void paging_prefetch(void *from, size_t bytes) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t before = (uintptr_t)from % page;
    (void)madvise((char *)from - before, bytes + before, MADV_WILLNEED);
}

/* ---------------------------------------------------------------- files */

static status_code no_room(const struct paging *paging, size_t bytes, int reason,
                           struct status *status) {
    return status_set(status, STATUS_SYSTEM,
                      "%s: cannot make a temporary file of %zu bytes for what trace.memory leaves "
                      "no room for: %s; set trace.memory or trace.memory_folder",
                      paging->folder, bytes, strerror(reason));
}

/* Makes a file without a name. Returns -1 if it fails. */
static int make_file(const char *folder) {
#ifdef O_TMPFILE
    const int unnamed = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (unnamed >= 0) return unnamed;
#endif
    const size_t size = strlen(folder) + sizeof "/anax-XXXXXX";
    char *path = malloc(size);
    if (path == NULL) return -1;
    snprintf(path, size, "%s/anax-XXXXXX", folder);
    const int descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor >= 0) unlink(path);
    free(path);
    return descriptor;
}

static size_t whole_pages(size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return bytes > 0 ? (bytes + page - 1) / page * page : page;
}

status_code paging_new_file(const struct paging *paging, FILE **file, struct status *status) {
    int descriptor = make_file(paging->folder);
    const int reason = errno;
    if (descriptor < 0 && paging->may_use_memory) descriptor = memfd_create("anax", MFD_CLOEXEC);
    RETURN_ERROR_IF(descriptor < 0, status, STATUS_SYSTEM,
                    "%s: cannot make a temporary file: %s; set trace.memory_folder", paging->folder,
                    strerror(reason));
    *file = fdopen(descriptor, "w+b");
    if (*file != NULL) return STATUS_OK;
    close(descriptor);
    return status_set(status, STATUS_MEMORY, "out of memory for a temporary file");
}

/* Gives an array in a file another size. The blocks of the file are reserved, since a page without
 * a block would end the process when it is written. */
static status_code resize_file(const struct paging *paging, struct array *array, size_t bytes,
                               struct status *status) {
    const size_t old = array->bytes, fresh = whole_pages(bytes);
    int reason = 0;
    if (fresh > old) reason = posix_fallocate(array->descriptor, (off_t)old, (off_t)(fresh - old));
    if (reason != 0) {
        (void)!ftruncate(array->descriptor, (off_t)old);
        return no_room(paging, fresh, reason, status);
    }
    void *moved = array->start == NULL
                      ? mmap(NULL, fresh, PROT_READ | PROT_WRITE, MAP_SHARED, array->descriptor, 0)
                      : mremap(array->start, old, fresh, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) return no_room(paging, fresh, errno, status);
    if (fresh < old) (void)!ftruncate(array->descriptor, (off_t)fresh);
    array->start = moved;
    array->bytes = fresh;
    advise_order(paging, array);
    return STATUS_OK;
}

/* ---------------------------------------------------------------- arrays */

struct paging *paging_new(const char *folder, uint64_t max_bytes, bool may_use_memory) {
    struct paging *paging = memory_new(1, sizeof *paging);
    if (folder == NULL || *folder == '\0') folder = getenv("TMPDIR");
    if (folder == NULL || *folder == '\0') folder = "/var/tmp";
    if (paging == NULL || (paging->folder = strdup(folder)) == NULL) {
        free(paging);
        return NULL;
    }
    paging->max_bytes = max_bytes;
    paging->may_use_memory = may_use_memory;
    pthread_mutex_init(&paging->lock, NULL);
    pthread_cond_init(&paging->ends, NULL);
    pthread_cond_init(&paging->writes, NULL);
    return paging;
}

struct paging *paging_new_like(const struct paging *paging) {
    return paging_new(paging->folder, paging->max_bytes, paging->may_use_memory);
}

static void free_contents(struct array *array) {
    if (array->descriptor < 0) {
        free(array->start);
    } else {
        if (array->start != NULL) munmap(array->start, array->bytes);
        close(array->descriptor);
    }
}

void paging_free(struct paging *paging) {
    if (paging == NULL) return;
    pthread_mutex_lock(&paging->lock);
    paging->is_over = true;
    pthread_cond_signal(&paging->ends);
    pthread_cond_signal(&paging->writes);
    pthread_mutex_unlock(&paging->lock);
    if (paging->has_watcher) pthread_join(paging->watcher, NULL);
    if (paging->has_writer) pthread_join(paging->writer, NULL);
    for (size_t i = 0; i < paging->count; i++)
        free_contents(&paging->arrays[i]);
    free(paging->arrays);
    pthread_mutex_destroy(&paging->lock);
    pthread_cond_destroy(&paging->ends);
    pthread_cond_destroy(&paging->writes);
    free(paging->folder);
    free(paging);
}

/* Returns the number of an array; the count of arrays if it is none. */
static size_t number_of_array(const struct paging *paging, const void *start) {
    size_t i = 0;
    while (i < paging->count && paging->arrays[i].start != start)
        i++;
    return i;
}

/* Records what an array takes, or with add false what it no longer takes. */
static void count_array(struct paging *paging, const struct array *array, bool add) {
    uint64_t *bytes = array->descriptor < 0 ? &paging->held_bytes : &paging->file_bytes;
    *bytes = add ? *bytes + array->bytes : *bytes - array->bytes;
}

/* Moves an array in memory, or one that is not there, to a file. */
static status_code move_to_file(struct paging *paging, struct array *array, size_t used,
                                size_t bytes, struct status *status) {
    struct array moved = {.descriptor = make_file(paging->folder)};
    if (moved.descriptor < 0) return no_room(paging, bytes, errno, status);
    const status_code code = resize_file(paging, &moved, bytes, status);
    if (code != STATUS_OK) {
        close(moved.descriptor);
        return code;
    }
    if (used > 0) memcpy(moved.start, array->start, used);
    free(array->start);
    *array = moved;
    if (!paging->has_watcher) {
        paging->others_bytes = mapped_bytes();
        paging->has_watcher = pthread_create(&paging->watcher, NULL, pager_thread, paging) == 0;
    }
    if (!paging->has_writer)
        paging->has_writer = pthread_create(&paging->writer, NULL, write_pages, paging) == 0;
    return STATUS_OK;
}

/* Gives an array in memory another size: in place if it shrinks, otherwise in huge pages. */
static status_code resize_in_memory(struct array *array, size_t used, size_t bytes,
                                    struct status *status) {
    const bool shrinks = array->start != NULL && bytes <= array->bytes;
    void *moved =
        shrinks ? realloc(array->start, bytes > 0 ? bytes : 1) : memory_new_uninitialised(bytes, 1);
    RETURN_ERROR_IF(moved == NULL, status, STATUS_MEMORY, "out of memory for %zu bytes", bytes);
    if (!shrinks && used > 0) memcpy(moved, array->start, used);
    if (!shrinks) free(array->start);
    *array = (struct array){moved, bytes, -1};
    return STATUS_OK;
}

static status_code resize(struct paging *paging, struct array *array, size_t used, size_t bytes,
                          struct status *status) {
    if (array->descriptor >= 0) return resize_file(paging, array, bytes, status);
    if (bytes <= array->bytes ||
        (bytes <= paging->max_bytes && paging->held_bytes <= paging->max_bytes - bytes))
        return resize_in_memory(array, used, bytes, status);
    const status_code code = move_to_file(paging, array, used, bytes, status);
    if (code != STATUS_SYSTEM || !paging->may_use_memory) return code;
    status_clear(status);
    return resize_in_memory(array, used, bytes, status);
}

status_code paging_resize(struct paging *paging, void **array, size_t used, size_t bytes,
                          struct status *status) {
    struct array changed = {.start = *array, .bytes = used, .descriptor = -1};
    if (paging == NULL) {
        FORWARD_IF_ERROR(resize_in_memory(&changed, used, bytes, status));
        *array = changed.start;
        return STATUS_OK;
    }
    pthread_mutex_lock(&paging->lock);
    const size_t i = *array != NULL ? number_of_array(paging, *array) : paging->count;
    struct array before = {.descriptor = -1}; /* an array that is not known yet counts nothing */
    status_code code = STATUS_OK;
    if (i < paging->count)
        changed = before = paging->arrays[i];
    else
        code = memory_grow((void **)&paging->arrays, &paging->capacity, i + 1,
                           sizeof *paging->arrays, status);
    if (code == STATUS_OK) count_array(paging, &before, false);
    if (code == STATUS_OK) code = resize(paging, &changed, used, bytes, status);
    if (code == STATUS_OK) {
        count_array(paging, &changed, true);
        paging->arrays[i] = changed;
        if (i == paging->count) paging->count++;
        *array = changed.start;
    } else if (i < paging->count) {
        count_array(paging, &before, true);
    }
    pthread_mutex_unlock(&paging->lock);
    return code;
}

void paging_free_array(struct paging *paging, void *array) {
    if (paging == NULL || array == NULL) {
        free(array);
        return;
    }
    pthread_mutex_lock(&paging->lock);
    const size_t i = number_of_array(paging, array);
    if (i < paging->count) {
        count_array(paging, &paging->arrays[i], false);
        free_contents(&paging->arrays[i]);
        paging->arrays[i] = paging->arrays[--paging->count];
    } else {
        free(array);
    }
    pthread_mutex_unlock(&paging->lock);
}

status_code paging_enlarge(struct paging *paging, void **array, size_t *capacity, size_t wanted,
                           size_t element_bytes, struct status *status) {
    if (paging == NULL || wanted < LARGE_BYTES / element_bytes)
        return memory_grow(array, capacity, wanted, element_bytes, status);
    size_t grown = *capacity + *capacity / 2;
    if (grown < wanted) grown = wanted;
    RETURN_ERROR_IF(grown > SIZE_MAX / element_bytes, status, STATUS_MEMORY,
                    "out of memory: %zu elements of %zu bytes", wanted, element_bytes);
    FORWARD_IF_ERROR(
        paging_resize(paging, array, *capacity * element_bytes, grown * element_bytes, status));
    *capacity = grown;
    return STATUS_OK;
}
