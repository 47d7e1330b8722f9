/*
 * Errors: a code and a text that says where, what and what to do.
 *
 * Knows no other room. Every function that can fail returns a status_code and takes a `struct
 * status *` as its last parameter; after success *status is unchanged. An exception is a lack of
 * memory inside a room, which NULL, false or a flag such as failure.out_of_memory may say. The
 * status owns its text: the owner of a status calls status_clear. The library never prints and
 * never exits.
 */
#ifndef ANAX_CORE_STATUS_H
#define ANAX_CORE_STATUS_H

#include <stdarg.h>

/* code, meaning for a caller, exit code of the command */
#define STATUS_CODES(X)                                                                            \
    X(OK, "success", 0)                                                                            \
    X(USAGE, "the call or the settings are wrong", 2)                                              \
    X(INPUT, "a file is missing, damaged or not what it should be", 2)                             \
    X(RUN, "the simulation could not finish", 1)                                                   \
    X(MEMORY, "out of memory", 1)                                                                  \
    X(SYSTEM, "the operating system refused something", 1)                                         \
    X(EXISTS, "the output exists already", 2)                                                      \
    X(STATE, "the object does not have what the call needs", 2)                                    \
    X(STOPPED, "the caller stopped the run", 1)

typedef enum status_code {
#define STATUS_ENUM(name, text, exit_code) STATUS_##name,
    STATUS_CODES(STATUS_ENUM)
#undef STATUS_ENUM
} status_code;

struct status {
    status_code code;
    char *text; /* owned; NULL exactly if code is STATUS_OK; never changed in place */
};

#define STATUS_INIT                                                                                \
    { STATUS_OK, 0 }

/* Sets code and text (printf format), and replaces an older error. Returns code, or STATUS_MEMORY
 * if there is no memory for the text. status may be NULL: the function then only returns the code.
 */
status_code status_set(struct status *status, status_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Does what status_set does, with the values of the format as a va_list. */
status_code status_set_v(struct status *status, status_code code, const char *format,
                         va_list arguments);

/* Sets code and text like status_set, with a text that the status takes over. A NULL text means
 * that there was no memory for it; the status then says so. */
status_code status_take(struct status *status, status_code code, char *text);

/* Frees a text that was taken out of a status; NULL is allowed. */
void status_free_text(char *text);

/* Puts "prefix: " (printf format) before the text of an error, to add the place. Returns its code.
 */
status_code status_prefix(struct status *status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a line to the text of an error, for reports of several faults. */
void status_append(struct status *status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Frees the text and sets STATUS_OK. NULL is allowed. */
void status_clear(struct status *status);

/* Returns a phrase for a code. */
const char *status_code_text(status_code code);

/* Returns the exit code of the command: 0, 1 or 2. */
int status_exit_code(status_code code);

#define RETURN_ERROR_IF(condition, status, code, ...)                                              \
    do {                                                                                           \
        if (condition) return status_set((status), (code), __VA_ARGS__);                           \
    } while (0)

#define FORWARD_IF_ERROR(expression)                                                               \
    do {                                                                                           \
        status_code forwarded_ = (expression);                                                     \
        if (forwarded_ != STATUS_OK) return forwarded_;                                            \
    } while (0)

#endif
