/*
 * The library that `anax record` preloads into every process of a command. It has no MPI. In a
 * process of an MPI application it starts the program again with the recorder of the application's
 * MPI library in its place: the MPI library that is loaded with the program, or else (for
 * programs that load it later, such as Python) the one whose launcher has started the process.
 *
 * Invariant: nothing of the program has run before the program is started again.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Beginnings of the file names of MPI libraries. Libraries with the binary interface of MPICH are
 * named libmpi.so.12. */
static const struct {
    const char *file;
    const char *library;
} libraries[] = {{"libmpi.so.40", "openmpi"},
                 {"libmpich.so", "mpich"},
                 {"libmpi.so.12", "mpich"},
                 {"libmpi_cray.so", "mpich"},
                 {"libmpi_gnu", "mpich"}};

/* Environment that launchers give to the processes of an application. */
static const struct {
    const char *variable;
    const char *library;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "openmpi"}, {"PMI_RANK", "mpich"}, {"PMIX_RANK", "openmpi"}};

static int note_library(struct dl_phdr_info *info, size_t size, void *context) {
    const char **found = context;
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *file = slash != NULL ? slash + 1 : info->dlpi_name;
    (void)size;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries && *found == NULL; i++)
        if (strncmp(file, libraries[i].file, strlen(libraries[i].file)) == 0)
            *found = libraries[i].library;
    return *found != NULL;
}

static const char *find_library(void) {
    const char *found = NULL, *wanted = getenv("ANAX_MPI");
    if (wanted != NULL && *wanted != '\0') return wanted;
    dl_iterate_phdr(note_library, &found);
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers && found == NULL; i++)
        if (getenv(launchers[i].variable) != NULL) found = launchers[i].library;
    return found;
}

/* Puts the recorder of a library in the place of this library in LD_PRELOAD. Returns false if
 * there is no such recorder. */
static int set_preload(const char *library) {
    Dl_info about;
    char recorder[PATH_MAX];
    const char *preload = getenv("LD_PRELOAD");
    if (preload == NULL || dladdr((void *)(uintptr_t)set_preload, &about) == 0) return 0;
    const char *own = strstr(preload, about.dli_fname);
    const char *slash = strrchr(about.dli_fname, '/');
    if (own == NULL || slash == NULL) return 0;
    snprintf(recorder, sizeof recorder, "%.*s/anax_record_%s.so", (int)(slash - about.dli_fname),
             about.dli_fname, library);
    if (access(recorder, R_OK) != 0) {
        fprintf(stderr,
                "anax record: this anax has no recorder for %s (%s): build anax where the compiler "
                "wrapper of that MPI library is installed\n",
                library, recorder);
        return 0;
    }
    const size_t bytes = strlen(preload) + strlen(recorder) + 1;
    char *changed = malloc(bytes);
    if (changed == NULL) return 0;
    snprintf(changed, bytes, "%.*s%s%s", (int)(own - preload), preload, recorder,
             own + strlen(about.dli_fname));
    const int is_set = setenv("LD_PRELOAD", changed, 1) == 0;
    free(changed);
    return is_set;
}

__attribute__((constructor)) static void choose(int count, char **arguments, char **environment) {
    const char *library = find_library();
    (void)count;
    (void)environment;
    if (library == NULL || !set_preload(library)) return;
    execv("/proc/self/exe", arguments);
    fprintf(stderr, "anax record: cannot start the program again: %s\n", strerror(errno));
}
