/*
 * Regions of an application that `anax record` records: a program includes this header, calls the
 * functions, and links nothing (before glibc 2.34: -ldl). Without the recorder they do nothing.
 *
 *     anax_record_enter("solve");
 *     ...
 *     anax_record_leave();
 *
 * Regions nest and are those of the thread that has called MPI_Init. Only this thread may call the
 * functions: they look up the recorder at their first call, without a lock. A trace has them if
 * the setting trace.user_regions is on, and the settings trace.from, trace.to and trace.repeat name
 * them. Fortran has MPI_Pcontrol instead; see anax-record(1).
 */
#ifndef ANAX_RECORD_H
#define ANAX_RECORD_H

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Returns a function of the recorder; NULL: there is no recorder. For the functions below. */
static inline void *anax_record_find(const char *name) {
    void *program = dlopen(NULL, RTLD_LAZY);
    return program != NULL ? dlsym(program, name) : NULL;
}

/* Enters a region. NULL has no effect. Two names with the same first 255 bytes are one name. The
 * recorder keeps the first 1024 names of a program, and records no region of a later name. */
static inline void anax_record_enter(const char *region) {
    static void (*enter)(const char *region);
    static int is_known;
    if (!is_known) {
        void *found = anax_record_find("anax_recorder_enter");
        memcpy(&enter, &found, sizeof enter);
        is_known = 1;
    }
    if (enter != NULL) enter(region);
}

/* Leaves the region that was entered last and not left since. Outside all regions it has no
 * effect. */
static inline void anax_record_leave(void) {
    static void (*leave)(void);
    static int is_known;
    if (!is_known) {
        void *found = anax_record_find("anax_recorder_leave");
        memcpy(&leave, &found, sizeof leave);
        is_known = 1;
    }
    if (leave != NULL) leave();
}

/* Returns 1 while the recorder records, and 0 otherwise. */
static inline int anax_record_is_on(void) {
    static int (*is_on)(void);
    static int is_known;
    if (!is_known) {
        void *found = anax_record_find("anax_recorder_is_on");
        memcpy(&is_on, &found, sizeof is_on);
        is_known = 1;
    }
    return is_on != NULL ? is_on() : 0;
}

#endif
