/*
 * A library that bench/speed/recorder_overhead.sh preloads into an MPI application, with and
 * without the recorder: at MPI_Finalize each rank appends to the file OVERHEAD_FILE the processor
 * time of its process since MPI_Init returned, in us: in user mode, and in all. Starting the
 * program and writing the program file are not in it.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

struct spent {
    long long user_us, all_us;
};

static struct spent begin;
static bool is_ended;

static struct spent now(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const long long user = usage.ru_utime.tv_sec * 1000000LL + usage.ru_utime.tv_usec;
    return (struct spent){user, user + usage.ru_stime.tv_sec * 1000000LL + usage.ru_stime.tv_usec};
}

static void end(void) {
    const char *path = getenv("OVERHEAD_FILE");
    const struct spent spent = now();
    FILE *file = !is_ended && path != NULL ? fopen(path, "a") : NULL;
    is_ended = true;
    if (file == NULL) return;
    fprintf(file, "%lld %lld\n", spent.user_us - begin.user_us, spent.all_us - begin.all_us);
    fclose(file);
}

/* Each function has both its names, since some Fortran interfaces call PMPI_X. */
#define BOTH(name, parameters, arguments, before, after)                                           \
    static int call_##name parameters {                                                            \
        int(*real) parameters = (int(*) parameters)dlsym(RTLD_NEXT, "PMPI_" #name);                \
        if (real == NULL) abort();                                                                 \
        before;                                                                                    \
        const int code = real arguments;                                                           \
        after;                                                                                     \
        return code;                                                                               \
    }                                                                                              \
    int MPI_##name parameters {                                                                    \
        return call_##name arguments;                                                              \
    }                                                                                              \
    int PMPI_##name parameters {                                                                   \
        return call_##name arguments;                                                              \
    }

BOTH(Init, (int *count, char ***words), (count, words), , begin = now())
BOTH(Init_thread, (int *count, char ***words, int wanted, int *given),
     (count, words, wanted, given), , begin = now())
BOTH(Finalize, (void), (), end(), )
