/* Runs one command and reads its output through a pipe; the system counts its time and memory. */
#define _GNU_SOURCE /* wait4 */
#include "bench/support/child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORDS_MAX 64

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double seconds(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* In the child: becomes the command. */
static _Noreturn void become(const char *command, int output) {
    char *text = strdup(command);
    char *words[WORDS_MAX + 1] = {NULL};
    size_t count = 0;
    char *rest = text;
    for (char *word; text != NULL && count < WORDS_MAX && (word = strsep(&rest, " ")) != NULL;)
        words[count++] = word;
    if (count > 0 && rest == NULL && dup2(output, STDOUT_FILENO) >= 0) execv(words[0], words);
    fprintf(stderr, "bench: cannot run `%s`: %s\n", command, strerror(errno));
    _exit(127);
}

/* Everything that comes through a pipe, with a NUL; NULL when memory is short. */
static char *read_all(int input) {
    char *text = NULL;
    size_t length = 0, capacity = 0;
    for (;;) {
        if (capacity - length < 4096) {
            capacity += 65536;
            char *moved = realloc(text, capacity);
            if (moved == NULL) break;
            text = moved;
        }
        ssize_t got = read(input, text + length, capacity - length - 1);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) break;
        length += (size_t)got;
        text[length] = '\0';
        if (got == 0) return text;
    }
    free(text);
    return NULL;
}

bool child_run(const char *command, struct child_measure *measure) {
    int ends[2];
    *measure = (struct child_measure){0};
    if (pipe(ends) != 0) {
        perror("bench: pipe");
        return false;
    }
    double start_s = now_s();
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become(command, ends[1]);
    }
    close(ends[1]);
    char *text = child > 0 ? read_all(ends[0]) : NULL;
    close(ends[0]);
    int state = -1;
    struct rusage usage = {0};
    bool ended = child > 0 && wait4(child, &state, 0, &usage) == child;
    measure->wall_s = now_s() - start_s;
    measure->cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    measure->peak_rss_bytes = 1024.0 * (double)usage.ru_maxrss;
    bool good = ended && text != NULL && WIFEXITED(state) && WEXITSTATUS(state) == 0;
    if (good)
        measure->json = json_tokener_parse(text);
    else
        fprintf(stderr, "bench: failed: %s\n", command);
    free(text);
    return good;
}

void child_clear(struct child_measure *measure) {
    json_object_put(measure->json);
    measure->json = NULL;
}
