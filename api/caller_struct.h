/*
 * Structs that callers of the public interface allocate: they begin with their size, so that a
 * later header can add members at the end. Knows sizes and bytes; must not know what the members
 * mean.
 *
 * Invariant: nothing beyond the size that the caller states is read or written.
 */
#ifndef ANAX_API_CALLER_STRUCT_H
#define ANAX_API_CALLER_STRUCT_H

#include "anax/anax.h"
#include "core/status.h"

#include <assert.h>

/* A member that is added at the end must lie beyond every older size. A struct with padding after
 * its last member would hide it there. */
#define CALLER_STRUCT_ENDS_WITH(type, member)                                                      \
    static_assert(offsetof(type, member) + sizeof(((type *)0)->member) == sizeof(type),            \
                  #type " has padding after its last member, where a new one would hide")

/* Such a struct, as this library knows it. */
struct caller_struct {
    const char *name;
    const char *initialiser; /* the macro that sets its size */
    size_t size;
};

extern const struct caller_struct caller_options_struct, caller_plan_struct, caller_info_struct;

/* Copies the caller's struct `from` to `to`, which has the default values of the members that the
 * caller's struct is too old to have. Keeps the size in `to`. STATUS_USAGE: `from` is not
 * initialised, or has members that this library does not know and that are not zero. */
status_code caller_struct_read(void *to, const void *from, const struct caller_struct *known,
                               struct status *status);

/* Copies `from` to the caller's struct `to` as far as that reaches; members that this library does
 * not know become zero. Keeps the size in `to`. STATUS_USAGE: `to` is not initialised. */
status_code caller_struct_write(void *to, const void *from, const struct caller_struct *known,
                                struct status *status);

/* The caller's options as the library's own; NULL gives the defaults. */
status_code caller_options(anax_options *own, const anax_options *options, struct status *status);

#endif
