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
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PRELOAD "LD_PRELOAD="

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

/* Returns the value of a variable of the environment, or NULL. Programs such as bash have a getenv
 * and a setenv of their own, which this library would call in place of those of the C library. */
static const char *value_of(char **environment, const char *variable) {
    const size_t length = strlen(variable);
    for (char **entry = environment; *entry != NULL; entry++)
        if (strncmp(*entry, variable, length) == 0 && (*entry)[length] == '=')
            return *entry + length + 1;
    return NULL;
}

static const char *find_library(char **environment) {
    const char *found = NULL, *wanted = value_of(environment, "ANAX_MPI");
    if (wanted != NULL && *wanted != '\0') return wanted;
    dl_iterate_phdr(note_library, &found);
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers && found == NULL; i++)
        if (value_of(environment, launchers[i].variable) != NULL) found = launchers[i].library;
    return found;
}

/* Returns the entry LD_PRELOAD=… of an environment with the recorder of a library in the place of
 * this library. Returns NULL if there is no such recorder. */
static char *preload_entry(char **environment, const char *library) {
    Dl_info about;
    char recorder[PATH_MAX];
    const char *preload = value_of(environment, "LD_PRELOAD");
    if (preload == NULL || dladdr((void *)(uintptr_t)preload_entry, &about) == 0) return NULL;
    const char *own = strstr(preload, about.dli_fname);
    const char *slash = strrchr(about.dli_fname, '/');
    if (own == NULL || slash == NULL) return NULL;
    snprintf(recorder, sizeof recorder, "%.*s/anax_record_%s.so", (int)(slash - about.dli_fname),
             about.dli_fname, library);
    if (access(recorder, R_OK) != 0) {
        fprintf(stderr,
                "anax record: this anax has no recorder for %s (%s): build anax where the compiler "
                "wrapper of that MPI library is installed\n",
                library, recorder);
        return NULL;
    }
    const size_t bytes = sizeof PRELOAD + strlen(preload) + strlen(recorder);
    char *entry = malloc(bytes);
    if (entry == NULL) return NULL;
    snprintf(entry, bytes, "%s%.*s%s%s", PRELOAD, (int)(own - preload), preload, recorder,
             own + strlen(about.dli_fname));
    return entry;
}

/* Returns a copy of an environment with another LD_PRELOAD, or NULL if memory is short. */
static char **with_preload(char **environment, char *entry) {
    size_t count = 0;
    while (environment[count] != NULL)
        count++;
    char **changed = malloc((count + 1) * sizeof *changed);
    if (changed == NULL) return NULL;
    for (size_t i = 0; i <= count; i++) {
        bool is_preload =
            environment[i] != NULL && strncmp(environment[i], PRELOAD, sizeof PRELOAD - 1) == 0;
        changed[i] = is_preload ? entry : environment[i];
    }
    return changed;
}

#ifdef ANAX_COVERAGE
/* Of clang; the constructor of the counts comes after the one below. */
void __llvm_profile_initialize(void);
int __llvm_profile_write_file(void);
#endif

/* Adds what this program has counted to the file of counts, if lines are counted: the program that
 * is started again would not. */
static void write_executed_lines(void) {
#ifdef ANAX_COVERAGE
    __llvm_profile_initialize();
    __llvm_profile_write_file();
#endif
}

__attribute__((constructor)) static void choose(int count, char **arguments, char **environment) {
    const char *library = find_library(environment);
    (void)count;
    if (library == NULL) return;
    char *entry = preload_entry(environment, library);
    if (entry == NULL) return;
    char **changed = with_preload(environment, entry);
    write_executed_lines();
    if (changed != NULL) execve("/proc/self/exe", arguments, changed);
    fprintf(stderr, "anax record: cannot start the program again: %s\n", strerror(errno));
    free(changed);
    free(entry);
}
