/*
 * Error codes, errors, and texts and sums that the library returns. anax.h has the rules for the
 * whole interface.
 */
#ifndef ANAX_COMMON_H
#define ANAX_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ANAX_API __attribute__((visibility("default")))
#else
#define ANAX_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version of the library in use, such as "0.2.0". Never NULL; the caller does not free
 * it. */
ANAX_API const char *anax_version(void);

/* Returns the same version as a number, which grows from version to version: 10^6 times the major
 * version, plus 10^3 times the minor version, plus the patch. ANAX_VERSION_NUMBER in anax.h is that
 * of the header. */
ANAX_API int32_t anax_version_number(void);

/* How a call ended. Later versions may add codes at the end. */
typedef enum anax_code {
    ANAX_OK,
    ANAX_ERROR_USAGE,  /* the call or the settings are wrong */
    ANAX_ERROR_INPUT,  /* a file is missing, damaged or of the wrong kind */
    ANAX_ERROR_RUN,    /* the simulation could not finish */
    ANAX_ERROR_MEMORY, /* there is not enough memory */
    ANAX_ERROR_SYSTEM, /* the operating system refused a request */
    ANAX_ERROR_EXISTS, /* the output exists, and the call may not replace it */
    ANAX_ERROR_STATE,  /* the object does not have what the call needs: its run did not finish, or
                          kept no such data */
    ANAX_ERROR_STOPPED /* the caller stopped the run: options.progress returned false, or
                          options.checkpoint_wish ended the run with a checkpoint */
} anax_code;

/* Why a call failed. The caller allocates it, and may use it for any number of calls; a later
 * failure replaces the code and the text of an earlier one. */
typedef struct anax_error {
    size_t size; /* set by ANAX_ERROR_INIT */
    anax_code code;
    char *text; /* NULL exactly while code is ANAX_OK; anax_error_clear frees it, nothing else */
} anax_error;

/* No error. */
#define ANAX_ERROR_INIT                                                                            \
    { sizeof(anax_error), ANAX_OK, NULL }

/* Frees the error's text and sets its code to ANAX_OK. error may be NULL. */
ANAX_API void anax_error_clear(anax_error *error);

/* Returns a phrase for a code, such as "out of memory". Never NULL, even for unknown codes; the
 * caller does not free it. */
ANAX_API const char *anax_code_text(anax_code code);

/* Returns the exit code with which a command should end: 0 for ANAX_OK; 1 for ANAX_ERROR_RUN,
 * ANAX_ERROR_MEMORY, ANAX_ERROR_SYSTEM, ANAX_ERROR_STOPPED and unknown codes; 2 for all others. */
ANAX_API int anax_code_exit_code(anax_code code);

/* Frees a text that a function of the library returned as `char *`. text may be NULL. */
ANAX_API void anax_text_free(char *text);

/* A sum, high · 2^64 + low, in the unit of what is added up: picoseconds or bytes. 64 bits are too
 * few: 2^63 ps are 15,372 ranks for ten minutes. */
typedef struct anax_sum {
    uint64_t high;
    uint64_t low;
} anax_sum;

/* Returns all decimal digits of a sum, which the caller frees; NULL: out of memory. */
ANAX_API char *anax_sum_text(anax_sum sum);

#ifdef __cplusplus
}
#endif

#endif
