/*
 * Structs that callers of the public interface allocate. Such a struct begins with its size, so
 * that a later header can add members at the end. Knows sizes and bytes; must not know what the
 * members mean.
 *
 * Invariant: nothing beyond the size that the caller states is read or written.
 */
#ifndef ANAX_API_CALLER_STRUCT_H
#define ANAX_API_CALLER_STRUCT_H

#include "anax/anax.h"
#include "core/base/status.h"

#include <assert.h>

/* Checks that a struct has no padding after its last member. A new member at the end must lie
 * beyond every older size, and in padding it would not. */
#define CALLER_STRUCT_ENDS_WITH(type, member)                                                      \
    static_assert(offsetof(type, member) + sizeof(((type *)0)->member) == sizeof(type),            \
                  #type " has padding after its last member, where a new one would hide")

/* A struct that callers allocate, as this library knows it. */
struct caller_struct {
    const char *name;
    const char *initialiser; /* name of the macro that sets its size */
    size_t size;
};

extern const struct caller_struct caller_options_struct, caller_compare_plan_struct,
    caller_info_struct, caller_traffic_plan_struct, caller_sweep_part_struct,
    caller_search_plan_struct, caller_place_plan_struct, caller_bisection_plan_struct,
    caller_calibrate_plan_struct, caller_extrapolate_plan_struct;

/* Copies the caller's struct `from` over `to`, except its size. Beforehand `to` has the default
 * values, which remain for members that the caller's struct is too old to have. STATUS_USAGE:
 * `from` is not initialised, or has members that this library does not know and that are not
 * zero. */
status_code caller_struct_read(void *to, const void *from, const struct caller_struct *known,
                               struct status *status);

/* Copies `from` into the caller's struct `to`, as far as the size in `to` allows, and keeps that
 * size. Members that this library does not know become zero. STATUS_USAGE: `to` is not
 * initialised. */
status_code caller_struct_write(void *to, const void *from, const struct caller_struct *known,
                                struct status *status);

/* Sets *own to those of the caller's options that the function `call` of the public interface reads
 * (api/option_calls.h), and its other members to their defaults; options may be NULL. STATUS_USAGE:
 * as for caller_struct_read, or the call refuses a member that is set. */
status_code caller_read_options(anax_options *own, const anax_options *options, const char *call,
                                struct status *status);

#endif
